import { createHmac } from "node:crypto";
import type { Address } from "@solana/kit";
import { references, whyNotReference } from "@trellis/kernel/bank-reference.js";
import { ed25519PublicKeyOf, importEd25519Seed } from "@trellis/kernel/crypto/ed25519.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { factsOf } from "@trellis/kernel/ports/coins.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Leg, PartnerAnswer, RailsPartner, RailsSimulator, RailTransfer } from "@trellis/kernel/ports/rails.js";
import { addressOfBytes } from "@trellis/program-client";
import { sql } from "kysely";
import { createSimulatedBankAccounts, refuse, type SimulatedBankAccount } from "./bank-accounts.js";
import type { SimulatorParts } from "./parts.js";
import { createSimulatedPayouts } from "./payout-addresses.js";
import { showTransfer } from "./show-transfer.js";
import { centsOf, pathOf, simulatedPayOuts, stepsTo } from "./transfer-path.js";
import {
  type BankLeg,
  bankLegOf,
  type ChainLeg,
  changeTransfer,
  followThese,
  mintTo,
  playTransfers,
  type TransferRow,
} from "./transfer-steps.js";
import { findSimulatedCustomer } from "./verifications.js";

/** The part of the simulated partner that knows bank accounts and moves money once. */
export interface SimulatedTransfers {
  readonly partner: Pick<
    RailsPartner,
    | "payOuts"
    | "addBankAccount"
    | "readBankAccount"
    | "removeBankAccount"
    | "createTransfer"
    | "findTransfer"
    | "readTransfer"
    | "cancelTransfer"
    | "openPayoutAddress"
    | "findPayoutAddress"
    | "readPayoutAddress"
    | "listPayouts"
  >;
  readonly simulator: Pick<RailsSimulator, "setTransfer" | "closePayoutAddress">;
  /** Lets happen what is due by the environment's clock, or was seen on chain. */
  play(): Promise<void>;
}

/** Makes it. What it pays on chain bears the name of the transfer, so that it is paid once however often it is tried. */
export function createSimulatedTransfers(parts: SimulatorParts): SimulatedTransfers {
  const payouts = createSimulatedPayouts(parts);
  const play = () => playTransfers(parts, payouts.follow);
  return {
    partner: {
      payOuts: simulatedPayOuts,
      ...createSimulatedBankAccounts(parts),
      ...payouts.partner,
      createTransfer: (request) => createTransfer(parts, request),
      findTransfer: (request) => findTransfer(parts, request),
      readTransfer: async (ref) => answerOf(await findRow(parts, ref)),
      cancelTransfer: ({ ref }) => cancelTransfer(parts, ref),
    },
    simulator: {
      ...payouts.simulator,
      setTransfer: (ref, state) => setTransfer(parts, ref, state, play),
    },
    play,
  };
}

type Wanted = Parameters<RailsPartner["createTransfer"]>[0];

/** The two ends of a transfer; undefined: they are not a bank and the chain. */
function endsOf({ from, to }: Wanted): { readonly bank: BankLeg; readonly chain: ChainLeg } | undefined {
  const [bank, chain] = from.kind === "solana" ? [to, from] : [from, to];
  return bank.kind === "bank" && chain.kind === "solana" ? { bank, chain } : undefined;
}

async function createTransfer(parts: SimulatorParts, request: Wanted): Promise<PartnerAnswer<RailTransfer>> {
  const { network } = parts;
  const ends = endsOf(request);
  if (ends === undefined) return refuse("unsupported_pair", "a bank and a chain");
  const isKnown = (await findByKey(parts, request.idempotencyKey)) !== undefined;
  const refused = isKnown ? undefined : await whyNot(parts, request, ends);
  if (refused !== undefined) return refused;
  const currency = network.currencies.find(({ symbol }) => symbol === ends.chain.coin);
  if (currency?.mint == null) return refuse("unsupported_pair", "no such coin here");
  await insertTransfer(parts, request, ends.chain, { mint: currency.mint, decimals: currency.decimals });
  const row = await findByKey(parts, request.idempotencyKey);
  assertOurs(row, "a transfer is there under the key it was stored with");
  // The payer need not open the account that is paid.
  if (row.watched !== null) await mintTo(network, row.watched, row.mint, 0n, `rails/${row.ref}/open`);
  return { ok: true, value: showTransfer(row) };
}

const findByKey = ({ db }: SimulatorParts, key: string): Promise<TransferRow | undefined> =>
  db.selectFrom("simulated_transfer").selectAll().where("operation_key", "=", key).executeTakeFirst();

/** Why it does not move this; undefined: it does. */
async function whyNot(
  { db }: SimulatorParts,
  { customer, amount, from }: Wanted,
  { bank, chain }: { readonly bank: BankLeg; readonly chain: ChainLeg },
): Promise<PartnerAnswer<never> | undefined> {
  const isOut = from.kind === "solana";
  const known = await findSimulatedCustomer(db, customer);
  const offer = simulatedPayOuts.find(
    ({ to, from: coins }) =>
      to === bank.currency && (isOut ? coins.includes(chain.coin) : factsOf(chain.coin).standsFor === bank.currency),
  );
  if (known === null) return refuse("not_found", "no such customer");
  if (offer === undefined || !offer.rails.includes(bank.rail)) return refuse("unsupported_pair", "not offered");
  if (known.status !== "approved") return refuse("verification_required", "not approved");
  if (known.terms !== "approved") return refuse("terms_required", "terms are not accepted");
  if (known.endorsements[offer.endorsement] === "revoked") return refuse("endorsement_required", "revoked");
  const why = isOut && bank.reference !== undefined ? whyNotReference(bank.rail, bank.reference) : undefined;
  if (why !== undefined) return refuse("invalid_details", why, references[bank.rail].name);
  const cents = centsOf(amount);
  if (cents === undefined || cents < (centsOf(offer.minimum) ?? 0n)) {
    return refuse("amount_out_of_range", `at least ${offer.minimum}`, "amount");
  }
  if (cents > limits.simulatedPaymentMaxCents) return refuse("amount_out_of_range", "too much", "amount");
  if (isOut && (await findBankAccount(db, bank.account ?? "", customer)) === undefined) {
    return refuse("not_found", "no such bank account", "external_account_id");
  }
  return undefined;
}

/** Once under one key. */
async function insertTransfer(
  parts: SimulatorParts,
  { idempotencyKey, customer, clientReference, amount, from, to }: Wanted,
  chain: ChainLeg,
  { mint, decimals }: { readonly mint: string; readonly decimals: number },
): Promise<void> {
  const { db, random, network } = parts;
  const isOut = from.kind === "solana";
  const ref = random.uuid();
  const at = Math.floor(network.clock.now());
  const baseUnits = (centsOf(amount) ?? 0n) * 10n ** BigInt(decimals - 2);
  await sql`insert into simulated_transfer (ref, environment, customer_ref, operation_key, client_reference, direction,
      amount, coin, mint, base_units, from_leg, to_leg, watched, state, created_at, updated_at)
    values (${ref}, ${network.name}, ${customer}, ${idempotencyKey}, ${clientReference}, ${isOut ? "out" : "in"},
      ${amount}, ${chain.coin}, ${mint}, ${baseUnits.toString()}, ${legText(from)}, ${legText(to)},
      ${isOut ? ownAddress(parts, ref) : null}, 'awaiting_funds', ${at}, ${at})
    on conflict (operation_key) do nothing`.execute(db);
}

/** Where the coins of a pay-out are received: an address of its own, whose key follows from its ref and is nowhere. */
function ownAddress({ keyring }: SimulatorParts, ref: string): Address {
  const secret = keyring.deriveSecret("simulated-pay-out");
  const seed = createHmac("sha256", secret).update(ref).digest();
  return addressOfBytes(ed25519PublicKeyOf(importEd25519Seed(seed)));
}

/** Without what a statement says: nothing here reads it. */
const legText = (leg: Leg): string =>
  JSON.stringify({ ...leg, ...(leg.kind === "bank" ? { reference: undefined } : {}) });

async function findBankAccount(db: Db, ref: string, customer: string): Promise<SimulatedBankAccount | undefined> {
  const { rows } = await sql<SimulatedBankAccount>`select * from simulated_bank_account
    where ref = ${ref} and customer_ref = ${customer}`.execute(db);
  return rows[0];
}

const findRow = ({ db }: SimulatorParts, ref: string): Promise<TransferRow | undefined> =>
  db.selectFrom("simulated_transfer").selectAll().where("ref", "=", ref).executeTakeFirst();

const answerOf = (row: TransferRow | undefined): PartnerAnswer<RailTransfer> =>
  row === undefined ? refuse("not_found", "no such transfer") : { ok: true, value: showTransfer(row) };

async function findTransfer(
  { db }: SimulatorParts,
  { customer, clientReference, since }: Parameters<RailsPartner["findTransfer"]>[0],
): Promise<PartnerAnswer<RailTransfer | null>> {
  const row = await db
    .selectFrom("simulated_transfer")
    .selectAll()
    .where("customer_ref", "=", customer)
    .where("client_reference", "=", clientReference)
    .where("created_at", ">=", BigInt(Math.floor(since)))
    .executeTakeFirst();
  return { ok: true, value: row === undefined ? null : showTransfer(row) };
}

async function cancelTransfer(parts: SimulatorParts, ref: string): Promise<PartnerAnswer<RailTransfer>> {
  const row = await findRow(parts, ref);
  if (row === undefined) return answerOf(row);
  if (row.state === "awaiting_funds" && row.held === null) await changeTransfer(parts, row, { state: "canceled" });
  const after = (await findRow(parts, ref)) ?? row;
  return after.state === "canceled" ? answerOf(after) : refuse("wrong_state", `it is ${after.state}`);
}

async function setTransfer(
  parts: SimulatorParts,
  ref: string,
  state: RailTransfer["state"],
  play: () => Promise<void>,
): Promise<boolean> {
  await followThese(parts, [ref]);
  const row = await findRow(parts, ref);
  if (row === undefined) return false;
  if (row.state === state) return true;
  const held = row.held !== null || (row.direction === "in" && row.state !== "awaiting_funds");
  const { rail } = bankLegOf(row);
  const steps = stepsTo({ ...row, rail }, state, held);
  if (steps === undefined) return false;
  const isArrival = row.direction === "in" && state === "funds_received";
  // A payment from a bank that arrives goes its own way, into a review first where its cents say so.
  const path = pathOf({ ...row, rail });
  const way = row.state === "awaiting_funds" ? path : path.slice(path.findIndex((one) => one.state === state));
  const due_at = BigInt(Math.floor(parts.network.clock.now()));
  await changeTransfer(parts, row, { steps: JSON.stringify(isArrival ? way : steps), due_at }, false);
  await play();
  return true;
}
