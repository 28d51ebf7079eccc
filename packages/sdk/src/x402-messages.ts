import { decodeBase64, decodeUtf8, encodeBase64, encodeUtf8 } from "./encoding.js";

/** One way in which a server takes a payment (x402, version 2), as far as it is read here. */
export type PaymentOption = {
  readonly scheme: string;
  /** CAIP-2: `solana:` and the first 32 characters of the genesis hash. */
  readonly network: string;
  /** Base units, in digits. */
  readonly amount: string;
  /** The mint. */
  readonly asset: string;
  /** The owner who is paid. */
  readonly payTo: string;
  readonly extra?: {
    /** Who pays the fee, and sends the transaction. */
    readonly feePayer?: string;
    readonly memo?: string;
    readonly features?: { readonly smartWalletSupported?: boolean };
  };
};

/** What a server asks for, in an answer of status 402. */
export type PaymentRequired = {
  readonly accepts: readonly PaymentOption[];
  /** Why it asks. After a payment: why it did not take that. */
  readonly error?: string;
  readonly resource?: unknown;
  readonly extensions?: unknown;
};

/** A payment that was signed: what is sent, and what it pays. It is worth its amount: keep it as you keep a key. */
export type SignedPayment = {
  /** What was asked for with it; it pays for nothing else. */
  readonly url: string;
  /** The header `PAYMENT-SIGNATURE`. */
  readonly header: string;
  /** Base units. */
  readonly amount: bigint;
  readonly mint: string;
  readonly payTo: string;
};

/** What the server says became of a payment. */
export type Settlement = {
  readonly success: boolean;
  /** The transaction's signature; empty where it was not settled. */
  readonly transaction: string;
  readonly errorReason?: string;
};

/** Headers are a few kilobytes at the most. */
const headerLengthMax = 32_768;
const optionsMax = 32;

/** Reads the header `PAYMENT-REQUIRED`. Undefined for what is not that of version 2. */
export function readPaymentRequired(header: string | null): PaymentRequired | undefined {
  const read = readHeader(header);
  if (read?.x402Version !== 2 || !Array.isArray(read.accepts) || read.accepts.length > optionsMax) return undefined;
  const { accepts, error, resource, extensions } = read;
  return {
    accepts: accepts.filter(isOption),
    ...(typeof error === "string" ? { error } : {}),
    resource,
    extensions,
  };
}

/** Reads the header `PAYMENT-RESPONSE`. Undefined where there is none, or it cannot be read. */
export function readSettlement(header: string | null): Settlement | undefined {
  const read = readHeader(header);
  if (typeof read?.success !== "boolean") return undefined;
  const { success, transaction, errorReason } = read;
  return {
    success,
    transaction: typeof transaction === "string" ? transaction : "",
    ...(typeof errorReason === "string" ? { errorReason } : {}),
  };
}

/** Writes the header `PAYMENT-SIGNATURE`: the chosen option as the server sent it, and the signed transaction. */
export function writePayment(required: PaymentRequired, accepted: PaymentOption, transaction: string): string {
  const { resource, extensions } = required;
  const payment = { x402Version: 2, resource, accepted, payload: { transaction }, extensions };
  return encodeBase64(encodeUtf8(JSON.stringify(payment)));
}

function readHeader(header: string | null): Record<string, unknown> | undefined {
  if (header === null || header.length > headerLengthMax) return undefined;
  try {
    const read: unknown = JSON.parse(decodeUtf8(decodeBase64(header)));
    return isObject(read) ? read : undefined;
  } catch {
    // Whatever it is, it is no header of this protocol.
    return undefined;
  }
}

function isOption(value: unknown): value is PaymentOption {
  if (!isObject(value)) return false;
  const texts = [value.scheme, value.network, value.amount, value.asset, value.payTo];
  return texts.every((text) => typeof text === "string") && (value.extra === undefined || isObject(value.extra));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
