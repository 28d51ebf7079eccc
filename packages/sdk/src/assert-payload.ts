import { decodePayload } from "./sign-document.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

/** What a payload has to be about. */
export type ExpectedPayload = {
  /** The prepared transaction, exactly as it was inspected. */
  readonly transaction: string;
  /** `production` and `mainnet` are the same (gap 1). */
  readonly environment: string;
  /** The smart account. */
  readonly account: string;
  /** Address of the wallet that is to sign. */
  readonly wallet: string;
  /** The time the payload must still be valid at, Unix milliseconds. Absent: not checked, the service does. */
  readonly nowMs?: number;
};

const documentKeys = "account,environment,expires_at,method,nonce,params,version,wallet";
const paramsKeys = "encoding,transaction";

/**
 * Makes sure that a payload of `kms_payloads` says what was prepared (gap 26): signing it lets the custodian sign
 * exactly `expected.transaction`, for this account and wallet, in this environment. Throws `TransactionMismatchError`
 * with the difference `payload`; members beyond those of version 1 are refused too, as their meaning is not known.
 */
export function assertPayloadMatches(payloadBase64: string, expected: ExpectedPayload): void {
  let document: unknown;
  try {
    document = decodePayload(payloadBase64);
  } catch (cause) {
    throw new TransactionMismatchError("payload", "the payload cannot be read", { cause });
  }
  if (!isRecord(document) || !isRecord(document.params)) {
    throw new TransactionMismatchError("payload", "the payload is not a document of version 1");
  }
  const params = document.params;
  assertMember("members", documentKeys, Object.keys(document).sort().join());
  assertMember("members of params", paramsKeys, Object.keys(params).sort().join());
  assertMember("version", 1, document.version);
  assertMember("method", "signTransaction", document.method);
  assertMember("params.encoding", "base64", params.encoding);
  if (params.transaction !== expected.transaction) {
    throw new TransactionMismatchError("payload", "the payload holds another transaction than the one prepared");
  }
  assertMember("environment", canonicalEnvironment(expected.environment), canonicalEnvironment(document.environment));
  assertMember("account", expected.account, document.account);
  assertMember("wallet", expected.wallet, document.wallet);
  assertExpiry(document.expires_at, expected.nowMs);
}

function assertExpiry(expiresAt: unknown, nowMs: number | undefined): void {
  const expiresAtMs = typeof expiresAt === "string" ? Date.parse(expiresAt) : Number.NaN;
  if (Number.isNaN(expiresAtMs)) {
    throw new TransactionMismatchError("payload", "the payload does not say until when it is valid");
  }
  if (nowMs !== undefined && expiresAtMs <= nowMs) {
    throw new TransactionMismatchError("payload", "the payload is no longer valid", { actual: String(expiresAt) });
  }
}

function canonicalEnvironment(environment: unknown): unknown {
  return environment === "production" ? "mainnet" : environment;
}

function assertMember(name: string, expected: unknown, actual: unknown): void {
  if (expected !== actual) {
    throw new TransactionMismatchError("payload", `the payload has another ${name}`, { expected, actual });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
