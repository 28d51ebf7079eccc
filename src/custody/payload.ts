import { Buffer } from "node:buffer";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";

/**
 * What a holder is asked to sign, as it stands in the JSON of a KMS payload (gap 26). The holder's signature is over the
 * canonical form of this document, so every member is part of what was agreed to.
 */
export interface PayloadDocument {
  readonly version: 1;
  readonly method: "signTransaction";
  readonly environment: EnvironmentName;
  /** The smart account, base58. */
  readonly account: string;
  /** The wallet that is to sign, base58. */
  readonly wallet: string;
  readonly params: {
    /** The prepared transaction, base64 wire format. */
    readonly transaction: string;
    readonly encoding: "base64";
  };
  /** Identifies the payload. */
  readonly nonce: string;
  /** ISO 8601, environment time. */
  readonly expires_at: string;
}

/** What a holder signs so that a passkey may command a wallet from now on, or no more (gap 161). */
export interface PasskeyDocument {
  readonly version: 1;
  readonly method: "addPasskey" | "removePasskey";
  readonly environment: EnvironmentName;
  /** Base58. */
  readonly wallet: string;
  readonly params: {
    /** Base64url. */
    readonly credential_id: string;
    /** Of one that is added: its point, uncompressed, in hex. */
    readonly public_key?: string;
    /** Of one that is removed: as it was named when it was added, so that the document is good for this once. */
    readonly passkey_id?: string;
  };
  /** Of one that is added: the challenge of its registration, in base64url, which is good for minutes. */
  readonly nonce?: string;
  /** Of one that is removed: ISO 8601, environment time, an hour ahead at most. */
  readonly expires_at?: string;
}

/** What a passkey signs to sign its user in (gap 163). */
export interface SignInDocument {
  readonly version: 1;
  readonly method: "signIn";
  readonly environment: EnvironmentName;
  readonly params: {
    /** As the request has it: what the session is sealed to. */
    readonly encryption_public_key: string;
    /** Of one beside a code (gap 164): which code. It is used once, so there is no nonce. */
    readonly otp_id?: string;
  };
  readonly nonce?: string;
}

/** What a passkey signs so that its user signs in with a passkey beside the code from now on, or no more (gap 164). */
export interface RequirementDocument {
  readonly version: 1;
  readonly method: "requirePasskey";
  readonly environment: EnvironmentName;
  /** Which the passkey commands, base58. */
  readonly wallet: string;
  readonly params: { readonly required: boolean };
  readonly nonce: string;
}

/** What a passkey signs so that a key may command a guarded wallet until it expires (docs/custodian-protocol.md). */
export interface GrantDocument {
  readonly version: 1;
  readonly method: "authorizeKey";
  readonly environment: EnvironmentName;
  /** Base58. */
  readonly wallet: string;
  readonly params: {
    /** Its point, uncompressed, in hex. */
    readonly public_key: string;
    /** ISO 8601, environment time. */
    readonly expires_at: string;
  };
  readonly nonce: string;
  /** Of the document itself: ISO 8601, environment time, an hour ahead at most. */
  readonly expires_at: string;
}

/** What a holder signs so that a wallet's key is handed out, to one recipient (gap 182). */
export interface ExportDocument {
  readonly version: 1;
  readonly method: "exportWallet";
  readonly environment: EnvironmentName;
  /** Base58. */
  readonly wallet: string;
  readonly params: {
    /** Base64 of an SPKI of P-256: what the key is sealed to. */
    readonly recipient_public_key: string;
  };
  /** The id of the code that goes with it: it is good for one export. */
  readonly nonce: string;
  /** ISO 8601, environment time. */
  readonly expires_at: string;
}

/** What a holder signs so that an export hands nothing out (gap 182). */
export interface CancelExportDocument {
  readonly version: 1;
  readonly method: "cancelWalletExport";
  readonly environment: EnvironmentName;
  /** Base58. */
  readonly wallet: string;
  readonly params: { readonly export_id: string };
}

/** What a holder signs so that a key of the holder's own becomes a wallet here (gap 194). */
export interface ImportDocument {
  readonly version: 1;
  readonly method: "importWallet";
  readonly environment: EnvironmentName;
  /** The holder's wallet that authorizes it, base58. */
  readonly wallet: string;
  readonly params: {
    /** Of the key, base58. */
    readonly address: string;
    /** Base64 of an SPKI of P-256: what the key is sealed to. */
    readonly recipient_public_key: string;
  };
  /** The id of the import: it is good for one. */
  readonly nonce: string;
  /** ISO 8601, environment time. */
  readonly expires_at: string;
}

/** What a passkey signs so that a wallet signs by another policy (gap 190). */
export interface PolicyDocument {
  readonly version: 1;
  readonly method: "setWalletPolicy";
  readonly environment: EnvironmentName;
  /** Base58. */
  readonly wallet: string;
  readonly params: {
    /** The whole of it: docs/custodian-policy.schema.json. */
    readonly policy: object;
    /** The version that it takes the place of. */
    readonly replaces: number;
  };
  readonly nonce: string;
  /** ISO 8601, environment time. */
  readonly expires_at: string;
}

/** What a passkey signs so that a change of settings that waits is never signed (gap 199). */
export interface CancelChangeDocument {
  readonly version: 1;
  readonly method: "cancelSettingsChange";
  readonly environment: EnvironmentName;
  /** Base58. */
  readonly wallet: string;
  /** Of this one time that the change waits. */
  readonly params: { readonly change_id: string };
  readonly nonce: string;
  /** ISO 8601, environment time. */
  readonly expires_at: string;
}

/** What is signed about a wallet, apart from what the wallet signs. */
export type WalletDocument =
  | PasskeyDocument
  | RequirementDocument
  | ExportDocument
  | CancelExportDocument
  | ImportDocument
  | PolicyDocument
  | CancelChangeDocument;

/** Longest base64 text that is read: a document around a full transaction has about 2,900 characters. */
const longestPayload = 8_192;

/** Writes a payload document as base64, the form clients receive (interface 2.8). */
export function encodePayload(document: PayloadDocument | WalletDocument | SignInDocument): string {
  return Buffer.from(JSON.stringify(document), "utf8").toString("base64");
}

/**
 * Reads the JSON inside a payload, whatever it says; undefined when it is not canonical padded base64 of UTF-8 JSON.
 * Signatures are checked over this value, members unknown here included.
 */
export function decodePayloadJson(payloadBase64: string): unknown {
  if (payloadBase64.length === 0 || payloadBase64.length > longestPayload) return undefined;
  const bytes = Buffer.from(payloadBase64, "base64");
  // Node's decoder skips foreign characters; two texts must not stand for one payload.
  if (bytes.toString("base64") !== payloadBase64) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // Text that is no JSON is one of the answers of a parser of untrusted input.
    return undefined;
  }
}

/** Reads a payload document from base64; undefined when anything about it is not as gap 26 says. Never throws. */
export function parsePayload(payloadBase64: string): PayloadDocument | undefined {
  const json = decodePayloadJson(payloadBase64);
  if (!isRecord(json) || !isRecord(json.params)) return undefined;
  const { version, method, environment, account, wallet, nonce, expires_at: expiresAt } = json;
  const { transaction, encoding } = json.params;
  const environmentName = environmentNames.find((name) => name === environment);
  if (version !== 1 || method !== "signTransaction" || encoding !== "base64" || environmentName === undefined) {
    return undefined;
  }
  if (!isText(account) || !isText(wallet) || !isText(nonce) || !isText(transaction)) return undefined;
  if (!isText(expiresAt) || !isInstant(expiresAt)) return undefined;
  return {
    version,
    method,
    environment: environmentName,
    account,
    wallet,
    params: { transaction, encoding },
    nonce,
    expires_at: expiresAt,
  };
}

/** Reads a passkey's document; undefined when anything about it is not as gap 161 says. Never throws. */
export function parsePasskeyDocument(payloadBase64: string): PasskeyDocument | undefined {
  const json = decodePayloadJson(payloadBase64);
  if (!isRecord(json) || !isRecord(json.params) || json.version !== 1) return undefined;
  const { method, wallet, nonce, expires_at } = json;
  const { credential_id, public_key, passkey_id } = json.params;
  const environment = environmentNames.find((name) => name === json.environment);
  if (environment === undefined || !isText(wallet) || !isText(credential_id)) return undefined;
  const named = { version: 1, environment, wallet } as const;
  if (method === "removePasskey") {
    if (!isText(passkey_id) || !isText(expires_at) || !isInstant(expires_at)) return undefined;
    return { ...named, method, params: { credential_id, passkey_id }, expires_at };
  }
  return method === "addPasskey" && isText(public_key) && isText(nonce)
    ? { ...named, method, params: { credential_id, public_key }, nonce }
    : undefined;
}

/** Reads the document of an export; undefined when anything about it is not as gap 182 says. Never throws. */
export function parseExportDocument(payloadBase64: string): ExportDocument | undefined {
  const json = decodePayloadJson(payloadBase64);
  if (!isRecord(json) || !isRecord(json.params) || json.version !== 1 || json.method !== "exportWallet")
    return undefined;
  const { method, wallet, nonce, expires_at } = json;
  const { recipient_public_key } = json.params;
  const environment = environmentNames.find((name) => name === json.environment);
  if (environment === undefined || !isText(wallet) || !isText(recipient_public_key) || !isText(nonce)) return undefined;
  if (!isText(expires_at) || !isInstant(expires_at)) return undefined;
  return { version: 1, method, environment, wallet, params: { recipient_public_key }, nonce, expires_at };
}

/** Reads the document that cancels one, likewise. Never throws. */
export function parseCancelExportDocument(payloadBase64: string): CancelExportDocument | undefined {
  const json = decodePayloadJson(payloadBase64);
  if (!isRecord(json) || !isRecord(json.params) || json.version !== 1) return undefined;
  const { method, wallet } = json;
  const { export_id } = json.params;
  const environment = environmentNames.find((name) => name === json.environment);
  if (method !== "cancelWalletExport" || environment === undefined || !isText(wallet) || !isText(export_id))
    return undefined;
  return { version: 1, method, environment, wallet, params: { export_id } };
}

/** Reads the document of an import; undefined when anything about it is not as gap 194 says. Never throws. */
export function parseImportDocument(payloadBase64: string): ImportDocument | undefined {
  const json = decodePayloadJson(payloadBase64);
  if (!isRecord(json) || !isRecord(json.params) || json.version !== 1 || json.method !== "importWallet")
    return undefined;
  const { method, wallet, nonce, expires_at } = json;
  const { address, recipient_public_key } = json.params;
  const environment = environmentNames.find((name) => name === json.environment);
  if (environment === undefined || !isText(wallet) || !isText(nonce)) return undefined;
  if (!isText(address) || !isText(recipient_public_key)) return undefined;
  if (!isText(expires_at) || !isInstant(expires_at)) return undefined;
  return { version: 1, method, environment, wallet, params: { address, recipient_public_key }, nonce, expires_at };
}

/** Whether a payload is a document that signs somebody in, in an environment. Never throws. */
export function isSignIn(payloadBase64: string, environment: string): boolean {
  const json = decodePayloadJson(payloadBase64);
  return isRecord(json) && json.version === 1 && json.method === "signIn" && json.environment === environment;
}

/** Reads a grant; undefined when anything about it is not as the protocol says. Never throws. */
export function parseGrant(payloadBase64: string): GrantDocument | undefined {
  const json = decodePayloadJson(payloadBase64);
  if (!isRecord(json) || !isRecord(json.params) || json.version !== 1 || json.method !== "authorizeKey")
    return undefined;
  const { wallet, nonce, expires_at: ends } = json;
  const { public_key, expires_at } = json.params;
  const environment = environmentNames.find((name) => name === json.environment);
  if (environment === undefined || !isText(wallet) || !isText(nonce) || !isText(public_key)) return undefined;
  if (!isText(expires_at) || !isInstant(expires_at) || !isText(ends) || !isInstant(ends)) return undefined;
  const params = { public_key, expires_at };
  return { version: 1, method: "authorizeKey", environment, wallet, params, nonce, expires_at: ends };
}

/** Reads the document of a policy; undefined when anything about it but the policy itself is not as gap 190 says. Never throws. */
export function parsePolicyDocument(payloadBase64: string): PolicyDocument | undefined {
  const json = decodePayloadJson(payloadBase64);
  if (!isRecord(json) || !isRecord(json.params) || json.version !== 1 || json.method !== "setWalletPolicy")
    return undefined;
  const { method, wallet, nonce, expires_at } = json;
  const { policy, replaces } = json.params;
  const environment = environmentNames.find((name) => name === json.environment);
  if (environment === undefined || !isText(wallet) || !isText(nonce) || !isRecord(policy)) return undefined;
  if (typeof replaces !== "number" || !Number.isSafeInteger(replaces)) return undefined;
  if (!isText(expires_at) || !isInstant(expires_at)) return undefined;
  return { version: 1, method, environment, wallet, params: { policy, replaces }, nonce, expires_at };
}

/** Reads the document that cancels a change that waits; undefined when anything about it is not as gap 199 says. Never throws. */
export function parseCancelChangeDocument(payloadBase64: string): CancelChangeDocument | undefined {
  const json = decodePayloadJson(payloadBase64);
  if (!isRecord(json) || !isRecord(json.params) || json.version !== 1 || json.method !== "cancelSettingsChange")
    return undefined;
  const { method, wallet, nonce, expires_at } = json;
  const { change_id } = json.params;
  const environment = environmentNames.find((name) => name === json.environment);
  if (environment === undefined || !isText(wallet) || !isText(nonce) || !isText(change_id)) return undefined;
  if (!isText(expires_at) || !isInstant(expires_at)) return undefined;
  return { version: 1, method, environment, wallet, params: { change_id }, nonce, expires_at };
}

/** As far ahead as the end of a document about a wallet may be: what is signed is carried out now, or not at all. */
const documentMaxMs = 3_600_000;

/** Whether a document that was signed to be carried out at once is neither over nor good for longer than it may be. */
export function isTimely(document: Pick<PayloadDocument, "expires_at">, now: number): boolean {
  const expiresAt = payloadExpiryMs(document);
  return expiresAt > now && expiresAt <= now + documentMaxMs;
}

/** The end of a payload's life in Unix milliseconds of environment time. */
export function payloadExpiryMs(document: Pick<PayloadDocument, "expires_at">): number {
  return Date.parse(document.expires_at);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length > 0;
}

/** Only the one spelling that Date writes, so that an instant has one form. */
function isInstant(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}
