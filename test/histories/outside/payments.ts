import { randomUUID } from "node:crypto";
import { type Address, type Base64EncodedWireTransaction, getTransactionDecoder } from "@solana/kit";
import { getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import {
  addressOfKey,
  generateEncryptionKeyPair,
  openSession,
  type SignerKey,
  signLegacyPaymentIntent,
  signPreparedTransfer,
  signTransaction,
} from "@trellis/sdk";
import { changeAsWallet, type WalletParts } from "../../support/self-paid.js";
import { publicKeyOf } from "../../support/test-network.js";
import type { Draw } from "../draw.js";
import { isPassing } from "./stage.js";
import { type Answered, identityOf, type OutsideWorld } from "./world.js";

/** One set of bytes for a payment. */
export interface Attempt {
  /** Of the intent, as it was answered. */
  readonly id: string;
  readonly identity: string;
  /** What submit is called with. */
  readonly submitted: object;
  /** The bytes, where the holder's signature is all they need. */
  readonly complete: string | undefined;
  /** The last block that can take them, and what the wallet makes of them. */
  lastValid: bigint;
  /** The same with other parts, where the wallet changes what it signs: a wallet signs the one or the other. */
  readonly changes: ((change: (parts: WalletParts) => Partial<WalletParts>) => string) | undefined;
  /** What it has made of them. */
  changed?: { readonly wire: string; readonly identity: string };
  /** The client was answered that it will never be paid. */
  over?: string;
  /** The client was answered that it is. */
  paid?: boolean;
}

/** A payment that a client wants once. */
export interface WantedPayment {
  readonly name: string;
  readonly form: "v1" | "v0" | "bank";
  readonly currency: "sol" | "usdc";
  readonly amount: bigint;
  /** Absent where a bank is paid. */
  readonly payee?: Address;
  readonly attempts: Attempt[];
  /** Its preparation was refused for good. */
  isRefused?: boolean;
}

/** A holder with an account, and what it takes to sign for it. */
export interface Holder {
  readonly address: Address;
  /** Who pays the fee: the holder's own key, or the service. */
  readonly payer: Address | undefined;
  readonly bank: string | undefined;
  readonly isInCustody: boolean;
  sign(
    prepared: Prepared,
    wanted: WantedPayment,
  ): { readonly submitted: object; readonly complete: string | undefined; readonly changes?: Attempt["changes"] };
}

interface Prepared {
  readonly id: string;
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly payload: string }[];
}

const api = "/api/service/v1";
/** With these the service says that these bytes are never going to be confirmed. */
export const finalCodes = ["blockhash_expired", "payload_expired"];

let opened = 0;

/** Opens an account with money; `withBank`: its holder is approved by the partner and has a bank account. */
export async function openHolder(world: OutsideWorld, draw: Draw, withBank: boolean): Promise<Holder> {
  opened += 1;
  const kind = draw.oneOf(["own fees", "own fees", "own fees", "service", "custody"]);
  const account =
    kind === "custody" ? await openInCustody(world) : await openWithKeys(world, draw, kind === "own fees");
  await world.chain.sandbox?.airdrop(account.address, 10_000_000_000n);
  await world.chain.sandbox?.mintTo(account.address, usdcMint, 1_000_000_000n);
  return { ...account, bank: withBank ? await addBank(world, account.address) : undefined };
}

const usdcMint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" as Address;

async function openWithKeys(world: OutsideWorld, draw: Draw, paysItself: boolean): Promise<Omit<Holder, "bank">> {
  const keys: SignerKey[] = Array.from({ length: draw.percent(30) ? 2 : 1 }, () =>
    crypto.getRandomValues(new Uint8Array(32)),
  );
  const [first] = keys;
  if (first === undefined) throw new Error("an account has a key");
  const signers = keys.map((key) => addressOfKey(key));
  const body = { type: "signers", signers, threshold: keys.length };
  const { address } = must(await world.request("POST", `${api}/accounts`, body, randomUUID()));
  if (paysItself) await world.chain.sandbox?.airdrop(addressOfKey(first), 10_000_000_000n);
  return {
    address,
    payer: paysItself ? addressOfKey(first) : undefined,
    isInCustody: false,
    sign: ({ transaction }, { form }) => {
      const signed = signTransaction(transaction, keys);
      const submitted =
        form === "v0" ? { intent_payload: signed, mpc_payload: "" } : { transaction: signed, kms_payloads: [] };
      if (!isComplete(signed)) return { submitted, complete: undefined };
      return {
        submitted,
        complete: signed,
        changes: (change) => signTransaction(changeAsWallet(transaction, change), keys),
      };
    },
  };
}

/** Whether no signature is missing. */
const isComplete = (transaction: string): boolean =>
  Object.values(getTransactionDecoder().decode(Buffer.from(transaction, "base64")).signatures).every(
    (signature) => signature !== null,
  );

async function openInCustody(world: OutsideWorld): Promise<Omit<Holder, "bank">> {
  const email = `holder-${opened}@example.org`;
  must(await world.request("POST", `${api}/accounts`, { type: "email", email }, randomUUID()));
  const otp_code = world.mails.findLast(({ to }) => to === email)?.text.match(/\b\d{6}\b/)?.[0];
  const keyPair = generateEncryptionKeyPair();
  const kms_provider_config = { encryption_public_key: keyPair.publicKeySpkiBase64 };
  const body = { email, otp_code, kms_provider_config };
  const verified = must(await world.request("POST", `${api}/accounts/verify`, body, randomUUID()));
  const session = await openSession(verified.authentication[0], keyPair);
  const { address } = verified;
  return {
    address,
    payer: undefined,
    isInCustody: true,
    sign: (prepared, { form, currency, amount, payee }) => {
      if (payee === undefined) throw new Error("custody pays addresses here");
      const mint = currency === "sol" ? null : usdcMint;
      const expected = { from: address, to: payee, mint, amount };
      const now = world.clocks.real.now();
      if (form === "v0") {
        const [{ payload } = { payload: null }] = prepared.kms_payloads;
        const created = { intent_payload: prepared.transaction, mpc_payload: payload };
        return { submitted: signLegacyPaymentIntent(created, expected, session, "devnet"), complete: undefined };
      }
      const kms_payloads = signPreparedTransfer(prepared as never, expected, session, "devnet", now);
      return { submitted: { transaction: prepared.transaction, kms_payloads }, complete: undefined };
    },
  };
}

async function addBank(world: OutsideWorld, address: string): Promise<string> {
  const person = { type: "individual", email: `person-${opened}@example.org`, full_name: "Ada Lovelace" };
  const kyc = must(await world.request("POST", `${api}/accounts/${address}/kyc`, person, randomUUID()));
  const { partner_ref } = await world.db
    .selectFrom("rail_verification")
    .select("partner_ref")
    .where("id", "=", kyc.id)
    .executeTakeFirstOrThrow();
  await world.rails.simulator?.setVerification(partner_ref as never, { status: "approved" });
  must(await world.request("GET", `${api}/accounts/${address}/kyc/${kyc.id}`));
  const bank = {
    account_type: "us",
    currency: "usd",
    account_owner_name: "Ada Lovelace",
    account: { account_number: `55555${1000 + opened}`, routing_number: "021000021" },
    address: { street_line_1: "1 Main Street", city: "Springfield", postal_code: "62701", country: "USA" },
  };
  world.clocks.pass(10_000);
  return must(await world.request("POST", `${api}/accounts/${address}/external-accounts`, bank, randomUUID())).id;
}

function must(answer: Answered) {
  if (answer.status < 300) return answer.data;
  throw new Error(`the scene does not stand: ${answer.status} ${JSON.stringify(answer.data)}`);
}

/** What a client of one account does. Requests that pass are repeated under their key, up to a number of times. */
export function createClient(world: OutsideWorld, draw: Draw, holder: Holder, note: (line: string) => void) {
  const { address } = holder;

  const request = (wanted: WantedPayment, key: string): Promise<Answered> => {
    const fees =
      holder.payer === undefined ? {} : { fee_config: { self_managed_fees: true }, payer_address: holder.payer };
    const amount = wanted.amount.toString();
    const source = { account: address, currency: wanted.currency };
    if (wanted.form === "v0") {
      const path = `/api/v0/service/smart-accounts/${address}/payment-intents`;
      const destination = { address: wanted.payee, currency: wanted.currency };
      return world.request("POST", path, { amount, source, destination }, key);
    }
    const destination =
      wanted.form === "bank"
        ? { payment_rail: "ach_push", currency: "usd", external_account_id: holder.bank }
        : { address: wanted.payee, currency: wanted.currency };
    return world.request(
      "POST",
      `${api}/accounts/${address}/payment-intent`,
      { amount, source, destination, ...fees },
      key,
    );
  };

  const isAlive = async (attempt: Attempt): Promise<boolean> =>
    (await world.chain.rpc.getBlockHeight({ commitment: "confirmed" }).send()) <= attempt.lastValid;

  return {
    isAlive,

    /** Asks for bytes and signs them. Repeats after any answer, as often as it takes; undefined where nothing was prepared. */
    prepare: async (wanted: WantedPayment, key: string): Promise<Attempt | undefined> => {
      for (let tries = 0; tries < 8; tries += 1) {
        const answer = await request(wanted, key);
        note(`${wanted.name} is prepared: ${answer.code ?? answer.status}`);
        if (answer.status < 300) {
          const prepared: Prepared =
            wanted.form === "v0"
              ? {
                  id: answer.data.PaymentProvider.id,
                  transaction: answer.data.intent_payload,
                  kms_payloads: answer.data.mpc_payload === null ? [] : [{ payload: answer.data.mpc_payload }],
                }
              : answer.data;
          const identity = identityOf(Buffer.from(prepared.transaction, "base64"));
          const row = await world.db
            .selectFrom("prepared_transaction")
            .select("last_valid_block_height")
            .where("id", "=", identity)
            .executeTakeFirst();
          const { submitted, complete, changes } = holder.sign(prepared, wanted);
          const height = await world.chain.rpc.getBlockHeight().send();
          return {
            id: prepared.id,
            identity,
            submitted,
            complete,
            changes: changes !== undefined && draw.percent(45) ? changes : undefined,
            lastValid: row?.last_valid_block_height ?? height + 150n,
          };
        }
        if (!isPassing(answer)) {
          wanted.isRefused = true;
          return undefined;
        }
        world.clocks.pass(draw.between(500, 20_000));
      }
      return undefined;
    },

    /**
     * The wallet makes other bytes of those that it was given, once: with a price of its own, and perhaps with the latest
     * blockhash, as long as theirs is valid.
     */
    change: async (attempt: Attempt): Promise<string | undefined> => {
      if (attempt.changes === undefined || attempt.changed !== undefined) return attempt.changed?.wire;
      const price = getSetComputeUnitPriceInstruction({ microLamports: draw.between(1, 1_000_000) });
      const isAnew = draw.percent(40) && (await isAlive(attempt));
      const { value } = await world.chain.rpc.getLatestBlockhash({ commitment: "confirmed" }).send();
      const wire = attempt.changes(({ instructions, blockhash }) => ({
        instructions: draw.percent(50) ? [price, ...instructions] : [...instructions, price],
        blockhash: isAnew ? value.blockhash : blockhash,
      }));
      if (isAnew && value.lastValidBlockHeight > attempt.lastValid) attempt.lastValid = value.lastValidBlockHeight;
      attempt.changed = { wire, identity: identityOf(Buffer.from(wire, "base64")) };
      return wire;
    },

    /** The holder's wallet sends the bytes on its own, or what it has made of them. */
    send: async (wanted: WantedPayment, attempt: Attempt): Promise<void> => {
      if (attempt.complete === undefined) return;
      const wire = (attempt.changed?.wire ?? attempt.complete) as Base64EncodedWireTransaction;
      const said = await world.chain.rpc
        .sendTransaction(wire, { encoding: "base64" })
        .send()
        .then(
          () => "taken",
          (error: unknown) => `refused, ${String(error).slice(0, 60)}`,
        );
      note(`${wanted.name} is sent by the wallet itself${attempt.changed ? ", changed" : ""}: ${said}`);
    },

    /** Submits them; returns the answer, for a client that receives it. */
    submit: async (wanted: WantedPayment, attempt: Attempt, key: string): Promise<Answered> => {
      const answer =
        wanted.form === "v0"
          ? await world.request(
              "POST",
              `/api/v0/service/smart-accounts/${address}/payment-intents/${attempt.id}/confirm`,
              attempt.submitted,
              key,
            )
          : await world.request("POST", `${api}/accounts/${address}/submit`, attempt.submitted, key);
      note(`${wanted.name} is submitted: ${answer.code ?? answer.status}`);
      return answer;
    },
  };
}

export type Client = ReturnType<typeof createClient>;

/** Who is paid by a payment of a history. */
export const payeeOf = (name: string): Address => publicKeyOf(name);
