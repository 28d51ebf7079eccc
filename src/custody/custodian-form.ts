import type { CustodianName, KeyStamp } from "@trellis/kernel/ports/custodian.js";
import type { TSchema } from "typebox";

/** Why a stamp is not a signature of this key over this payload. */
export type StampFault =
  /** The payload is not base64 of JSON. */
  | "malformed_payload"
  /** Signature, public key or timestamp are not in their encoding. */
  | "malformed_stamp"
  /** The stamp names another public key. */
  | "other_public_key"
  /** Signed too long ago, or in the future (gap 28). */
  | "timestamp_out_of_range"
  /** Everything is well formed, and the signature is not of this key over this payload. */
  | "signature_mismatch";

/** What a caller did instead of signing a payload, and what to do. */
export interface StampExplanation {
  readonly message: string;
  readonly suggestion?: string;
}

/** The parts of a stamp that can be decoded without its payload. */
export interface DecodedStamp {
  /** DER; undefined where it is not in its encoding. */
  readonly signature: Uint8Array | undefined;
  /** The key it names, as a 65-byte point; undefined in a form that names none. */
  readonly named: Uint8Array | undefined;
}

/** What an entry of `kms_payloads` brings. */
export interface SignedEntry {
  /** `kms_signed_payload`; it fits the schema of one of the forms, which need not be that of its provider. */
  readonly signed: Readonly<Record<string, string>> | undefined;
  /** The older way: the signature alone. */
  readonly signature: string | undefined;
}

/**
 * All that differs from custodian to custodian outside the keys they hold: how they are called, and how holders sign for them.
 * Each form stands in a folder of its own, `custody/<name>/`, and in the list of `custody/forms.ts`.
 */
export interface CustodianForm<S extends KeyStamp = KeyStamp> {
  readonly name: CustodianName;
  /** Under which name a session of its stands on the wire (interface 2.7). */
  readonly sessionKey: string;
  /** Of `kms_signed_payload`. */
  readonly signedPayload: TSchema;
  /** Of the signature. */
  readonly encoding: "base64" | "hex";
  /** What is to be signed, and in which encoding it is sent: the end of a sentence. */
  readonly howToSign: string;
  /** The stamp of an entry; what is wrong with its `kms_signed_payload`; undefined where nothing is signed. */
  parseEntry(entry: SignedEntry): S | { readonly wrong: string } | undefined;
  /** Never throws for what a client sent. `realNow` is real time in Unix milliseconds (gap 50). */
  decode(stamp: S, time: { readonly realNow: number }): DecodedStamp | StampFault;
  /** The document whose canonical JSON is signed, for the document of a payload. */
  documentToSign(payload: unknown, stamp: S): unknown;
  /** All of a stamp, in a fixed order: what it is recognised by when it is received again. */
  partsOf(stamp: S): readonly string[];
  /** Those of some points that a stamp can be of. */
  keysFor(stamp: S, points: readonly Uint8Array[]): readonly Uint8Array[];
  /** Documents that are signed by mistake, and how that is said. */
  documentsByMistake(payload: unknown): readonly { readonly document: unknown; readonly wrong: string }[];
  /** What else can be wrong with a stamp whose signature is in its encoding. `hasKey`: a live key is one it can be of. */
  explain(stamp: S, facts: { readonly hasKey: boolean; readonly realNow: number }): StampExplanation | undefined;
}
