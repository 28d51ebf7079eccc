import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import {
  type Address,
  getAddressDecoder,
  getBase64Decoder,
  getBase64Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type SignatureBytes,
} from "@solana/kit";
import {
  type EncryptionKeyPair,
  type PreparedTransaction,
  type SubmitKmsPayload,
  signPayload,
  type TrellisSession,
} from "@trellis/sdk";
import { expect } from "vitest";

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

/** Every payload of it, signed by a session's key. */
export function stamp(
  prepared: Pick<PreparedTransaction, "kms_payloads">,
  session: TrellisSession,
  nowMs = Date.now(),
): SubmitKmsPayload[] {
  return prepared.kms_payloads.map((payload) => signPayload(payload, session.authorizationKey, nowMs));
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
