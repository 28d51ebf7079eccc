import { type KeyObject, randomBytes, randomUUID } from "node:crypto";
import type { Address } from "@solana/kit";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { createAccount } from "../../src/accounts/create-account.js";
import { getAccount } from "../../src/accounts/get-account.js";
import { verifyAccount } from "../../src/accounts/verify-account.js";
import { openKeyring } from "../../src/adapters/keyring.js";
import { walletContext } from "../../src/adapters/kms/built-in-custodian.js";
import { createRemoteCustodian } from "../../src/adapters/kms/remote-custodian.js";
import { noKeyStores } from "../../src/config/key-stores.js";
import { recordWallets } from "../../src/custody/wallet-directory.js";
import { addPasskey } from "../../src/passkeys/add-passkey.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { updateAccount } from "../../src/policy-changes/update-account.js";
import { createProposal } from "../../src/proposals/create-proposal.js";
import { executeProposal } from "../../src/proposals/execute-proposal.js";
import { voteOnProposal } from "../../src/proposals/vote-on-proposal.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { createSoftPasskey, type SoftPasskey } from "./authenticator.js";
import { startTestCustodian } from "./custodian.js";
import { addition, begin, bySessionKey, page, type WirePasskey } from "./passkeys.js";
import { use, useTestNetwork } from "./scene.js";
import { type ClientKey, createClientKey, importAuthorizationKey, sessionOf, type Verified } from "./test-network.js";
import { attempt, type Target } from "./thief-on-chain.js";

export type Kind = "plain" | "guarded";

/** Somebody's account, with what its holder and the owner of its recovery key have. */
export interface Victim extends Target {
  readonly kind: Kind;
  readonly email: string;
  readonly verified: Verified;
  readonly clientKey: ClientKey;
  readonly authorizationKey: KeyObject;
  readonly recovery: SignerKey;
  /** Of a guarded one, at the guardian. */
  readonly passkey: SoftPasskey | undefined;
  readonly passkeyId: string;
}

export const lamportsHeld = 1_000_000_000n;

/** What is to be signed, as the service hands it out. */
export interface Prepared {
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly provider: string; readonly payload: string }[];
}

interface PreparedOfProposal {
  readonly proposalAddress: string;
  readonly transactions: readonly string[];
  readonly kms_payloads: readonly Prepared["kms_payloads"][];
}

/** A service with its chain, a guardian on a socket of its own, a thief with some SOL, and people with accounts of both kinds. */
export function useThievesScene(parts: Pick<NonNullable<Parameters<typeof startTestCustodian>[0]>, "launch"> = {}) {
  const test = useTestNetwork();
  const guardian = use(() => startTestCustodian({ variables: { TRELLIS_CUSTODIAN_NAME: "kms_c" }, ...parts }));
  const thief: SignerKey = new Uint8Array(randomBytes(32));
  const connect = () => {
    const { db } = test.needs;
    const parts = { client: guardian.clientWith(), keys: guardian.keys, db, isGuardian: true };
    test.needs.custodians.set("kms_c", recordWallets(db, createRemoteCustodian({ provider: "kms_c", ...parts })));
  };
  use(async () => {
    connect();
    await test.network.sandbox?.airdrop(addressOfKey(thief), 100_000_000_000n);
    return {};
  });
  const open = async (kind: Kind): Promise<Victim> => {
    const email = `${randomUUID()}@example.org`;
    const recovery: SignerKey = new Uint8Array(randomBytes(32));
    const guarded = { protection: "guarded", recovery: { address: addressOfKey(recovery) } };
    await test.call(createAccount, { body: { type: "email", email, ...(kind === "guarded" && guarded) } });
    const clientKey = await createClientKey();
    const keys = { kms_provider_config: { encryption_public_key: clientKey.spki } };
    const verified = await test.call<Verified>(verifyAccount, {
      body: { email, otp_code: await test.latestCode(email), ...keys },
    });
    const address = verified.address as Address;
    const opened = await clientKey.open(sessionOf(verified).session.encrypted_authorization_key);
    const authorizationKey = importAuthorizationKey(opened);
    await test.network.sandbox?.airdrop(address, lamportsHeld);
    const { settings_address } = await test.call<{ settings_address: Address }>(getAccount, { params: { address } });
    const account = {
      kind,
      email,
      verified,
      address,
      settings: settings_address,
      clientKey,
      authorizationKey,
      recovery,
    };
    if (kind === "plain") return { ...account, passkey: undefined, passkeyId: "" };
    const { passkey, wire } = await enrol(address, (document) => bySessionKey(authorizationKey, document));
    return { ...account, passkey, passkeyId: wire.id };
  };

  /** Adds a passkey to the guardian's wallet, or the account's first one, as far as `authorize` is enough for that. */
  const enrol = async (address: Address, authorize: (document: object) => object, passkey = createSoftPasskey()) => {
    const begun = await begin(test, address);
    const challenge = Buffer.from(begun.public_key.challenge, "base64url");
    const { clientDataJSON, authenticatorData } = passkey.register({ ...page, challenge });
    const wire = await test.call<WirePasskey>(addPasskey, {
      params: { address },
      body: {
        ceremony_id: begun.ceremony_id,
        name: "Phone",
        credential: { response: { clientDataJSON, authenticatorData } },
        authorization: authorize(addition(begun, passkey)),
      },
    });
    return { passkey, wire };
  };

  return { test, guardian, thief, thiefAddress: addressOfKey(thief), connect, open, enrol };
}

export type ThievesScene = ReturnType<typeof useThievesScene>;

/** The entry of `kms_payloads` that a thief has for a payload. */
type Stamper = (payload: string, provider: string) => object;

/**
 * Everything that the service can be asked to do with an account's money: pay, pay with one signer, change the signers, pay by a
 * proposal and carry it out. Each is submitted with the stamps that the thief can make.
 */
export async function askService({ test, thiefAddress }: ThievesScene, victim: Victim, stamp: Stamper): Promise<void> {
  const { address, verified } = victim;
  const params = { address };
  const [first] = verified.policies.signers;
  const one = { transaction_signers: [first?.address] };
  const pay = {
    amount: String(lamportsHeld),
    source: { account: address, currency: "sol" },
    destination: { address: thiefAddress, currency: "sol" },
  };
  const taken = {
    signers: [{ address: thiefAddress, permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] }],
    threshold: 1,
  };
  const proposal = {
    type: "transfer",
    currency: "sol",
    amount: pay.amount,
    destination: { address: thiefAddress },
  };
  const submit = (body: object) => attempt(() => test.call(submitTransactions, { params, body }));
  const stampOf = ({ payload, provider }: Prepared["kms_payloads"][number]) => stamp(payload, provider);
  const submitOne = ({ transaction, kms_payloads }: Prepared) =>
    submit({ transaction, kms_payloads: kms_payloads.map(stampOf) });
  const submitAll = ({ transactions, kms_payloads }: PreparedOfProposal) =>
    submit({ transactions, kms_payloads: kms_payloads.map((all) => all.map(stampOf)) });
  const prepared: (() => Promise<Prepared>)[] = [
    () => test.call<Prepared>(preparePayment, { params, body: pay }),
    () => test.call<Prepared>(preparePayment, { params, body: { ...pay, ...one } }),
    () => test.call<Prepared>(updateAccount, { params, body: taken }),
    () => test.call<Prepared>(updateAccount, { params, body: { ...taken, ...one } }),
  ];
  for (const prepare of prepared) await attempt(async () => submitOne(await prepare()));
  await attempt(async () => {
    const signer = { signer: first?.address };
    const made = await test.call<PreparedOfProposal>(createProposal, { params, body: { ...proposal, ...signer } });
    await submitAll(made);
    const of = { address, proposal_address: made.proposalAddress };
    const vote = { ...signer, vote: "approve" };
    await attempt(async () => submitAll(await test.call(voteOnProposal, { params: of, body: vote })));
    await submitAll(await test.call(executeProposal, { params: of, body: signer }));
  });
}

/** The seeds of all wallets of an account that a database holds, as far as a keyring opens them. */
export async function openWallets(db: Db, keyring: Pick<Keyring, "unwrap">, victim: Victim): Promise<SignerKey[]> {
  const addresses = victim.verified.policies.signers.map(({ address }) => address);
  const rows = await db.selectFrom("kms_wallet").select(["id", "secret"]).where("address", "in", addresses).execute();
  return rows.flatMap(({ id, secret }) => {
    try {
      return [Uint8Array.from(keyring.unwrap(secret, walletContext(id)))];
    } catch {
      // Sealed under a key that the thief lacks.
      return [];
    }
  });
}

/** The same of the guardian's machine: its database, and the master key of its configuration. It is started again afterwards. */
export async function openGuardian({ guardian, connect }: ThievesScene, victim: Victim): Promise<SignerKey[]> {
  let keys: SignerKey[] = [];
  await guardian.stop();
  await guardian.inDatabase(async (opened) => {
    const db = opened as unknown as Db;
    keys = await openWallets(db, await openKeyring({ ...guardian.config, keyStores: noKeyStores }, db), victim);
  });
  await guardian.start();
  connect();
  return keys;
}
