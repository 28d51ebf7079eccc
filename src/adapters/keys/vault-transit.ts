import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import type { TransitPlace } from "../../config/key-stores.js";
import type { AskKeyStore, KeyStoreAnswer } from "./ask-key-store.js";
import { KeyStoreError } from "./key-store-error.js";
import { bytesOf, textAt } from "./read-answer.js";

export interface TransitNeeds {
  readonly ask: AskKeyStore;
  /** Of the file that holds the token. It is read for every call, because an agent may renew it. */
  readonly tokenFile: string;
}

const longestCiphertext = 4_096;

/** Opens 32 bytes that the key sealed with these associated data. Throws KeyStoreError. */
export async function openByTransit(
  needs: TransitNeeds,
  place: TransitPlace,
  { ciphertext, associated }: { readonly ciphertext: string; readonly associated: string },
): Promise<Uint8Array> {
  const body = await call(needs, place, "decrypt", { ciphertext, associated_data: base64Of(associated) });
  const bytes = bytesOf(textAt(body, "data", "plaintext"), 32);
  if (bytes === undefined)
    throw new KeyStoreError("wrong", `${nameOfTransitKey(place)} opens what is no key of 32 bytes.`);
  return bytes;
}

/** Seals these bytes with associated data, which opening them takes as well. Throws KeyStoreError. */
export async function sealByTransit(
  needs: TransitNeeds,
  place: TransitPlace,
  { plaintext, associated }: { readonly plaintext: Uint8Array; readonly associated: string },
): Promise<string> {
  const body = await call(needs, place, "encrypt", {
    plaintext: Buffer.from(plaintext).toString("base64"),
    associated_data: base64Of(associated),
  });
  const ciphertext = textAt(body, "data", "ciphertext");
  if (ciphertext === undefined || ciphertext.length > longestCiphertext || !/^vault:v\d+:[\w+/=]+$/.test(ciphertext)) {
    throw new KeyStoreError("wrong", `${nameOfTransitKey(place)} answers with what is no ciphertext.`);
  }
  return ciphertext;
}

/** The signature of this version of an Ed25519 key over the message itself, not yet verified. Throws KeyStoreError. */
export async function signByTransit(
  needs: TransitNeeds,
  place: TransitPlace & { readonly version: number },
  message: Uint8Array,
): Promise<Uint8Array> {
  const { version } = place;
  const body = await call(needs, place, "sign", {
    input: Buffer.from(message).toString("base64"),
    key_version: version,
  });
  const [, signed] = /^vault:(v\d+):/.exec(textAt(body, "data", "signature") ?? "") ?? [];
  const signature = bytesOf(textAt(body, "data", "signature")?.slice(`vault:${signed}:`.length), 64);
  if (signature !== undefined && signed === `v${version}`) return signature;
  throw new KeyStoreError(
    "wrong",
    `${nameOfTransitKey(place)} answers with what is no signature of version ${version}.`,
  );
}

async function call(needs: TransitNeeds, place: TransitPlace, operation: string, body: unknown): Promise<unknown> {
  const answer = await needs.ask({
    store: nameOfTransitKey(place),
    url: `${place.engineUrl}/${operation}/${place.keyName}`,
    method: "POST",
    headers: {
      "x-vault-token": await readToken(needs.tokenFile),
      "x-vault-request": "true",
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  if (answer.status === 200) return answer.body;
  throw new KeyStoreError(kindOf(answer.status), `${nameOfTransitKey(place)} ${whyNot(answer, operation)}`);
}

async function readToken(path: string): Promise<string> {
  const token = await readFile(path, "utf8").then(
    (text) => text.trim(),
    // What is wrong with a path may repeat it; the variable's name is enough.
    () => undefined,
  );
  if (token !== undefined && /^[\x21-\x7e]{1,8192}$/.test(token)) return token;
  throw new KeyStoreError("unavailable", "TRELLIS_VAULT_TOKEN_FILE names no file that holds a token.");
}

/** Of a sealed store, one that stands by, and one that is busy: it may answer the next time. */
function kindOf(status: number): "refused" | "unavailable" {
  return status >= 500 || status === 429 || status === 408 || (status >= 200 && status < 300)
    ? "unavailable"
    : "refused";
}

/** What these stores are known to say. Anything else that they write may be anything, and is not repeated. */
const knownReasons = [
  "permission denied",
  "invalid token",
  "is sealed",
  "encryption key not found",
  "signing key not found",
  "no handler for route",
  "message authentication failed",
  "disallowed by policy",
  "invalid ciphertext",
  "quota exceeded",
];

function whyNot({ status, body }: KeyStoreAnswer, operation: string): string {
  const errors = (body as { readonly errors?: unknown } | null | undefined)?.errors;
  const written = Array.isArray(errors) ? errors.filter((one) => typeof one === "string").join(" ") : "";
  const reason = knownReasons.find((known) => written.toLowerCase().includes(known));
  const hint = status === 403 ? `: the token needs \`update\` on \`${operation}\` of this key` : "";
  return `answers ${operation} with status ${status}${reason === undefined ? "" : ` (${reason})`}${hint}.`;
}

/** It in words for the operator. */
export function nameOfTransitKey({ engineUrl, keyName }: TransitPlace): string {
  return `Transit key ${keyName} at ${new URL(engineUrl).host}`;
}

function base64Of(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
