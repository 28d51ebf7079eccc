import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { tenantsOwnScopes } from "@trellis/kernel/scope.js";
import {
  type EncryptionKeyPair,
  generateEncryptionKeyPair,
  openSession,
  type PreparedTransaction,
  type PreparedTransfer,
  type SubmitKmsPayload,
  signPayload,
  type TrellisSession,
} from "@trellis/sdk";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { expect } from "vitest";
import { systemRandom } from "../../src/adapters/system.js";
import { createApiKey, ensureTenant } from "../../src/tenants/api-key-store.js";
import type { TestService } from "../support/test-service.js";

export const apiPath = "/api/service/v1";
export const usdcMint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" as Address;
export const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" as Address;

/** The response to a request. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A user with an e-mail account and an open session. */
export interface Holder {
  readonly email: string;
  readonly address: Address;
  readonly settingsAddress: Address;
  readonly keyPair: EncryptionKeyPair;
  readonly session: TrellisSession;
}

let opened = 0;

/** Opens an e-mail account as a client would, and funds it. */
export async function openHolder(
  { client }: TestService,
  money: { readonly sol?: string; readonly usdc?: string; readonly provider?: "kms_a" | "kms_b" } = {},
): Promise<Holder> {
  opened += 1;
  const email = `holder-${opened}-${process.pid}@example.org`;
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  if (!mail) throw new Error("the code did not arrive");
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: mail.otp_code,
    provider: money.provider ?? "kms_a",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const session = await openSession(verified.authentication[0], keyPair);
  const { settings_address } = await client.accounts.get(verified.address);
  for (const currency of ["sol", "usdc"] as const) {
    const amount = money[currency];
    if (amount !== undefined) await client.sandbox.airdrop({ address: verified.address, currency, amount });
  }
  const address = verified.address as Address;
  return { email, address, settingsAddress: settings_address as Address, keyPair, session };
}

/** The sandbox's network inside a running service. */
export function networkOf({ service }: Pick<TestService, "service">): Network {
  const network = service.networks.get("sandbox");
  if (!network) throw new Error("the service has no sandbox");
  return network;
}

/** A request of another tenant, with a key of its own. */
export async function addTenant(trellis: TestService, id: string, masterKeySecret: Uint8Array) {
  const now = Date.now();
  await ensureTenant(trellis.service.db, { id, name: id, now });
  const environments: EnvironmentName[] = ["sandbox"];
  return createApiKey(
    { db: trellis.service.db, secret: masterKeySecret, random: systemRandom, now },
    { tenantId: id, name: id, scopes: tenantsOwnScopes, environments, expiresAt: null },
  );
}

/** POSTs below the interface's prefix. */
export function post(
  trellis: TestService,
  path: string,
  body: unknown,
  headers?: Record<string, string>,
): Promise<Answered> {
  return trellis.request("POST", apiPath + path, body, headers);
}

/** The `data` of an answer that must be a success. */
export function dataOf<T>(answered: Answered): T {
  expect(answered.status, JSON.stringify(answered.body)).toBeLessThan(300);
  return (answered.body as { data: T }).data;
}

/** Requires the documented error body (gap 3), and this status and code. */
export function expectError(answered: Answered, status: number, code: string): void {
  const text = JSON.stringify(answered.body);
  expect({ status: answered.status, code: (answered.body as { code?: string }).code }, text).toEqual({ status, code });
  expectErrorBody(answered);
}

/** Requires the documented shape of an error body, whatever the error (gap 3). */
export function expectErrorBody({ status, headers, body }: Answered): void {
  const error = body as {
    message: string;
    code: string;
    details: { code: string; message: string }[];
    timestamp: string;
    request_id: string;
  };
  const text = JSON.stringify(body);
  expect(status, text).toBeGreaterThanOrEqual(400);
  expect(error.code, text).toMatch(/^[a-z][a-z0-9_]*$/);
  expect(error.message.length, text).toBeGreaterThan(0);
  expect(error.details.length, text).toBeGreaterThan(0);
  expect(error.details[0]?.message, text).toBe(error.message);
  expect(error.details[0]?.code, text).toMatch(/^[a-z][a-z0-9_]*$/);
  expect(Number.isNaN(Date.parse(error.timestamp)), text).toBe(false);
  expect(headers.get("x-request-id"), text).toBe(error.request_id);
}

/** Asks for a payment. */
export function askPayment(
  trellis: TestService,
  from: Pick<Holder, "address">,
  wanted: { readonly amount: string; readonly currency: string; readonly to: string; readonly more?: object },
): Promise<Answered> {
  return post(trellis, `/accounts/${from.address}/payment-intent`, {
    amount: wanted.amount,
    source: { account: from.address, currency: wanted.currency },
    destination: { address: wanted.to, currency: wanted.currency },
    ...wanted.more,
  });
}

/** A prepared payment; fails when it is refused. */
export async function preparePayment(
  trellis: TestService,
  from: Pick<Holder, "address">,
  wanted: Parameters<typeof askPayment>[2],
): Promise<PreparedTransfer> {
  return dataOf<PreparedTransfer>(await askPayment(trellis, from, wanted));
}

/** Every payload of it, signed by a session's key. */
export function stamp(
  prepared: Pick<PreparedTransaction, "kms_payloads">,
  session: TrellisSession,
  nowMs = Date.now(),
): SubmitKmsPayload[] {
  return prepared.kms_payloads.map((payload) => signPayload(payload, session.authorizationKey, nowMs));
}

/** Submits one transaction. */
export function submit(
  trellis: TestService,
  account: string,
  transaction: string,
  kmsPayloads: readonly unknown[],
): Promise<Answered> {
  return post(trellis, `/accounts/${account}/submit`, { transaction, kms_payloads: kmsPayloads });
}

/** Prepares, signs and submits a payment. */
export async function pay(
  trellis: TestService,
  from: Holder,
  wanted: Parameters<typeof askPayment>[2],
): Promise<Answered> {
  const prepared = await preparePayment(trellis, from, wanted);
  return submit(trellis, from.address, prepared.transaction, stamp(prepared, from.session));
}

/** Lamports of any address. */
export async function lamportsOf(trellis: TestService, address: string): Promise<bigint> {
  const { value } = await networkOf(trellis)
    .rpc.getBalance(address as Address)
    .send();
  return value;
}

/** Base units of USDC of an owner, by its conventional token account. */
export async function usdcOf(trellis: TestService, owner: string): Promise<bigint> {
  const ata = deriveTokenAccount(owner as Address, usdcMint, tokenProgram);
  const { value } = await networkOf(trellis).rpc.getAccountInfo(ata, { encoding: "base64" }).send();
  if (value === null) return 0n;
  const bytes = getBase64Encoder().encode(value.data[0]) as Uint8Array;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(64, true);
}

/** An Ed25519 key pair of an outsider. */
export interface OwnKey {
  readonly address: Address;
  readonly privateKey: KeyObject;
}

/** Makes a fresh one. */
export function makeKey(): OwnKey {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const spki = publicKey.export({ format: "der", type: "spki" });
  return { address: getAddressDecoder().decode(spki.subarray(-32)), privateKey };
}

/** Puts Ed25519 signatures of these keys into a base64 wire transaction. */
export function signWire(base64: string, keys: readonly OwnKey[]): string {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(base64));
  const message = Uint8Array.from(transaction.messageBytes);
  const signatures = { ...transaction.signatures };
  for (const { address, privateKey } of keys) {
    signatures[address] = new Uint8Array(sign(null, message, privateKey)) as SignatureBytes;
  }
  return getBase64Decoder().decode(getTransactionEncoder().encode({ ...transaction, signatures }));
}

/** An unsigned wire transaction of one's own. */
export async function compose(
  trellis: TestService,
  feePayer: Address,
  instructions: readonly Instruction[],
  options: { readonly version?: 0 | "legacy"; readonly blockhash?: string } = {},
): Promise<string> {
  const { value } = await networkOf(trellis).rpc.getLatestBlockhash().send();
  const lifetime = {
    blockhash: (options.blockhash ?? value.blockhash) as Blockhash,
    lastValidBlockHeight: value.lastValidBlockHeight,
  };
  const transaction =
    options.version === "legacy"
      ? pipe(
          createTransactionMessage({ version: "legacy" }),
          (m) => setTransactionMessageFeePayer(feePayer, m),
          (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
          (m) => appendTransactionMessageInstructions(instructions, m),
          compileTransaction,
        )
      : pipe(
          createTransactionMessage({ version: 0 }),
          (m) => setTransactionMessageFeePayer(feePayer, m),
          (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
          (m) => appendTransactionMessageInstructions(instructions, m),
          compileTransaction,
        );
  return getBase64EncodedWireTransaction(transaction);
}

/** Sends an outsider's own transaction straight to the chain and waits for it. */
export async function sendDirectly(
  trellis: TestService,
  feePayer: OwnKey,
  instructions: readonly Instruction[],
  others: readonly OwnKey[] = [],
): Promise<string> {
  const wire = signWire(await compose(trellis, feePayer.address, instructions), [feePayer, ...others]);
  return networkOf(trellis)
    .rpc.sendTransaction(wire as never, { encoding: "base64" })
    .send();
}

/** How many transactions of any outcome an address appears in. */
export async function countTransactions(trellis: TestService, address: string): Promise<number> {
  const found = await networkOf(trellis)
    .rpc.getSignaturesForAddress(address as Address)
    .send();
  return found.length;
}
