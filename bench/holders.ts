import { createPrivateKey, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { openAuthorizationKey } from "@trellis/sdk";
import canonicalize from "canonicalize";
import { dataOf, type HttpClient, timed } from "./http-client.js";

export const api = "/api/service/v1";

/** A holder with an e-mail account. */
export interface Holder {
  readonly email: string;
  address: string;
  key: KeyObject;
}

/** A key for signing in, as a client makes one. */
interface ClientKey {
  readonly spki: string;
  readonly pkcs8: Uint8Array;
}

/** An authorization key as verify answers it. */
export interface SealedKey {
  readonly encapsulated_key: string;
  readonly ciphertext: string;
}

/** What prepare answers. */
interface Prepared {
  readonly transaction: string;
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly { readonly payload: string }[];
}

/** People without an account yet; the addresses are new ones in every run. */
export function makeHolders(count: number): Holder[] {
  const run = randomBytes(4).toString("hex");
  const noCaller = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  return Array.from({ length: count }, (_, i) => ({
    email: `holder-${run}-${i}@example.org`,
    address: "",
    key: noCaller,
  }));
}

/** The element there has to be. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
}

/** Asks for an account for an e-mail address. */
export async function create(http: HttpClient, { email }: Holder): Promise<void> {
  dataOf(await http.post(`${api}/accounts`, { type: "email", email }));
}

/** The codes that were mailed. A person's mail program is not part of the service: not to be timed. */
export async function readCodes(http: HttpClient, holders: readonly Holder[], concurrency: number): Promise<string[]> {
  const codes: string[] = [];
  await timed(holders.length, concurrency, async (i) => {
    const mails = dataOf<{ otp_code: string }[]>(
      await http.get(`${api}/sandbox/outbox?email=${encodeURIComponent(at(holders, i).email)}`),
    );
    codes[i] = mails[0]?.otp_code ?? "";
  });
  return codes;
}

/** Makes the key pair that authorization keys are sealed to. */
export function makeClientKey(): ClientKey {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    spki: pair.publicKey.export({ format: "der", type: "spki" }).toString("base64"),
    pkcs8: new Uint8Array(pair.privateKey.export({ format: "der", type: "pkcs8" })),
  };
}

/** Creates the account on chain and opens its first session. */
export async function verify(http: HttpClient, holder: Holder, code: string, spki: string): Promise<SealedKey> {
  const data = dataOf<{
    address: string;
    authentication: { session: { KmsA: { session: { encrypted_authorization_key: SealedKey } } } }[];
  }>(
    await http.post(`${api}/accounts/verify`, {
      email: holder.email,
      otp_code: code,
      provider: "kms_a",
      kms_provider_config: { encryption_public_key: spki },
    }),
  );
  holder.address = data.address;
  const box = data.authentication[0]?.session.KmsA.session.encrypted_authorization_key;
  if (!box) throw new Error("no session in the answer");
  return box;
}

/** Opens the holder's key, for signing at the least cost to the load generator, and fills the account. */
export async function equip(http: HttpClient, holder: Holder, box: SealedKey, pkcs8: Uint8Array): Promise<void> {
  const opened = await openAuthorizationKey(box, pkcs8);
  const sec1 = Buffer.concat([
    Buffer.from("30310201010420", "hex"),
    opened.privateKey,
    Buffer.from("a00a06082a8648ce3d030107", "hex"),
  ]);
  holder.key = createPrivateKey({ key: sec1, format: "der", type: "sec1" });
  await fill(http, holder.address);
}

/** Gives an account a hundred SOL. */
export async function fill(http: HttpClient, address: string): Promise<void> {
  dataOf(await http.post(`${api}/sandbox/airdrop`, { address, currency: "sol", amount: "100000000000" }));
}

/** Prepares a payment of a thousandth of a SOL; `signers` names who is to sign where that is open. */
export async function prepare(http: HttpClient, from: string, to: string, signers?: readonly string[]) {
  return dataOf<Prepared>(
    await http.post(`${api}/accounts/${from}/payment-intent`, {
      amount: "1000000",
      source: { account: from, currency: "sol" },
      destination: { address: to, currency: "sol" },
      ...(signers === undefined ? {} : { transaction_signers: signers }),
    }),
  );
}

/** The holder's signature of a prepared payment, as submit wants it. */
export function stampOf(prepared: Prepared, { key }: Holder) {
  const document: unknown = JSON.parse(Buffer.from(prepared.kms_payloads[0]?.payload ?? "", "base64").toString());
  const signature = createSign("sha256")
    .update(canonicalize(document) ?? "")
    .sign(key)
    .toString("base64");
  return { provider: "kms_a", kms_signed_payload: { signature } };
}

/** Prepares, signs and submits a payment. */
export async function pay(http: HttpClient, from: Holder, to: Holder): Promise<void> {
  const prepared = await prepare(http, from.address, to.address);
  dataOf(
    await http.post(`${api}/accounts/${from.address}/submit`, {
      transaction: prepared.transaction,
      kms_payloads: [stampOf(prepared, from)],
    }),
  );
}

/** Accounts that hold money and whose keys are at hand; not to be timed. */
export async function makePayers(http: HttpClient, count: number, concurrency: number): Promise<Holder[]> {
  const holders = makeHolders(count);
  await timed(count, concurrency, (i) => create(http, at(holders, i)));
  const codes = await readCodes(http, holders, concurrency);
  const clientKey = makeClientKey();
  await timed(count, concurrency, async (i) => {
    const box = await verify(http, at(holders, i), at(codes, i), clientKey.spki);
    await equip(http, at(holders, i), box, clientKey.pkcs8);
  });
  return holders;
}
