import { createHash, randomUUID } from "node:crypto";
import { address, getBase64Encoder, getTransactionDecoder } from "@solana/kit";
import { decodeProgramConfig, PROGRAM_CONFIG_ADDRESS } from "@trellis/program-client";
import {
  type EncryptionKeyPair,
  generateEncryptionKeyPair,
  openSession,
  signPreparedTransfer,
  TrellisApiError,
  type TrellisClient,
  TrellisNetworkError,
  type TrellisSession,
} from "@trellis/sdk";
import { postgresUrl } from "../support/test-database.js";
import type { ServiceProcess } from "./crashing-service.js";

/** An account with a session that can move its money. */
export interface Holder {
  readonly email: string;
  readonly address: string;
  readonly session: TrellisSession;
}

/** Signed bytes as they are submitted, as often as it takes. */
export interface SignedPayment {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly submit: {
    readonly transaction: string;
    readonly kms_payloads: ReturnType<typeof signPreparedTransfer>;
  };
}

/** By which the service knows it: the hash of the message. */
export function idOf(payment: SignedPayment): string {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(payment.submit.transaction));
  return createHash("sha256").update(Uint8Array.from(messageBytes)).digest("hex");
}

/** The result of a call: an answer, a refusal, or silence because the process died. */
export type Outcome<Value> =
  | { readonly kind: "answered"; readonly value: Value }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "silent" };

/** Makes a call and distinguishes the three ways it can end. Anything else is thrown on. */
export async function outcomeOf<Value>(call: Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { kind: "answered", value: await call };
  } catch (error) {
    if (error instanceof TrellisNetworkError) return { kind: "silent" };
    if (error instanceof TrellisApiError) return { kind: "refused", code: error.code };
    throw error;
  }
}

/** The code in the newest mail. */
export async function readCode(client: TrellisClient, email: string): Promise<string> {
  const [mail] = await client.sandbox.outbox(email);
  if (mail === undefined) throw new Error(`there is no mail to ${email}`);
  return mail.otp_code;
}

/** The request of a verify call, the same ones for its repetitions. */
export function verifyRequest(email: string, code: string, keyPair: EncryptionKeyPair) {
  return {
    email,
    otp_code: code,
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  };
}

/** Signs in with a fresh code: what is left to a client whose first code was spent for an answer it never got. */
export async function signIn(client: TrellisClient, email: string): Promise<Holder> {
  await client.auth.start({ email });
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.auth.verify(verifyRequest(email, await readCode(client, email), keyPair));
  return { email, address: verified.address, session: await openSession(verified.authentication[0], keyPair) };
}

/** Opens an e-mail account in one go, with money. */
export async function openAccount(client: TrellisClient, email: string, lamports: bigint): Promise<Holder> {
  await client.accounts.create({ type: "email", email });
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify(verifyRequest(email, await readCode(client, email), keyPair));
  await client.sandbox.airdrop({ address: verified.address, currency: "sol", amount: lamports.toString() });
  return { email, address: verified.address, session: await openSession(verified.authentication[0], keyPair) };
}

/** The request of a transfer's preparation. */
export function transferRequest(from: Holder, to: string, amount: bigint) {
  return {
    amount: amount.toString(),
    source: { account: from.address, currency: "sol" },
    destination: { address: to, currency: "sol" },
    provider: from.session.provider,
  };
}

/** Checks a prepared transfer and signs it. */
export function signTransfer(
  from: Holder,
  to: string,
  amount: bigint,
  prepared: Parameters<typeof signPreparedTransfer>[0],
): SignedPayment {
  const expected = { from: address(from.address), to: address(to), mint: null, amount, toIsTokenAccount: false };
  const kmsPayloads = signPreparedTransfer(prepared, expected, from.session, "sandbox", Date.now());
  return {
    from: from.address,
    to,
    amount,
    submit: { transaction: prepared.transaction, kms_payloads: kmsPayloads },
  };
}

/** Prepares and signs a transfer. */
export async function preparePayment(
  client: TrellisClient,
  from: Holder,
  to: string,
  amount: bigint,
): Promise<SignedPayment> {
  const prepared = await client.transfers.prepare(from.address, transferRequest(from, to, amount));
  return signTransfer(from, to, amount, prepared);
}

/** What an address holds, in lamports. */
export async function lamportsOf(client: TrellisClient, account: string): Promise<bigint> {
  const { lamports } = await client.accounts.balances(account);
  return BigInt(lamports);
}

/** How many smart accounts were ever made on the chain. */
export async function accountsOnChain({ rpc }: Pick<ServiceProcess, "rpc">): Promise<bigint> {
  const { value } = await rpc.getAccountInfo(PROGRAM_CONFIG_ADDRESS, { encoding: "base64" }).send();
  if (value === null) throw new Error("the program has no configuration");
  return decodeProgramConfig(getBase64Encoder().encode(value.data[0])).smartAccountIndex;
}

/**
 * Makes a call at a process that dies at point `at` of it, and starts the next one if it did. `died` undefined: the call
 * has fewer points than that, and was answered.
 */
export async function callAndDie<Value>(
  process: ServiceProcess,
  start: () => Promise<ServiceProcess>,
  at: string,
  call: (client: TrellisClient) => Promise<Value>,
): Promise<{ readonly died: string | undefined; readonly outcome: Outcome<Value>; readonly process: ServiceProcess }> {
  const outcome = await outcomeOf(call(process.dying(at)));
  if (outcome.kind !== "silent") return { died: undefined, outcome, process };
  await process.exited;
  const died = process.killedAt();
  if (died === undefined) throw new Error(`the service ended by itself: ${process.errors()}`);
  return { died, outcome, process: await start() };
}

/**
 * Repeats a call whose answer was lost, with its idempotency key or without. On a server's database a dead process's key
 * stays claimed until its lease runs out, because another process might be at it; the client then takes a fresh one.
 */
export async function comeBack<Value>(
  key: string | undefined,
  call: (options: { readonly idempotencyKey?: string }) => Promise<Value>,
): Promise<Outcome<Value>> {
  const outcome = await outcomeOf(call(key === undefined ? {} : { idempotencyKey: key }));
  const isTaken = outcome.kind === "refused" && outcome.code === "idempotency_in_progress";
  return isTaken && postgresUrl !== undefined ? outcomeOf(call({})) : outcome;
}

/** What was answered. Throws for anything else. */
export function answerOf<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind === "answered") return outcome.value;
  throw new Error(`not answered: ${JSON.stringify(outcome)}`);
}

/** A fresh idempotency key. */
export function newKey(): string {
  return randomUUID();
}
