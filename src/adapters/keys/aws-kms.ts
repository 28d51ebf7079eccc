import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { AwsCredentials, AwsKmsPlace, KeyStores } from "../../config/key-stores.js";
import type { AskKeyStore, KeyStoreAnswer } from "./ask-key-store.js";
import { signAwsCall } from "./aws-sigv4.js";
import { KeyStoreError } from "./key-store-error.js";
import { bytesOf, textAt } from "./read-answer.js";

export interface AwsKmsNeeds {
  readonly ask: AskKeyStore;
  readonly aws: KeyStores["aws"];
  readonly realClock: Clock;
}

/** What a ciphertext is bound to: opening it takes the same, and the trail of the key store shows it. */
export type EncryptionContext = Readonly<Record<string, string>>;

/** Opens 32 bytes that the key sealed in this context. Throws KeyStoreError. */
export async function openByAwsKms(
  needs: AwsKmsNeeds,
  place: AwsKmsPlace,
  { ciphertext, context }: { readonly ciphertext: string; readonly context: EncryptionContext },
): Promise<Uint8Array> {
  const body = await callAwsKms(needs, place, "Decrypt", { CiphertextBlob: ciphertext, EncryptionContext: context });
  const bytes = bytesOf(textAt(body, "Plaintext"), 32);
  if (bytes === undefined) throw new KeyStoreError("wrong", `${nameOfAwsKey(place)} opens what is no key of 32 bytes.`);
  return bytes;
}

/** Seals these bytes in this context. Throws KeyStoreError. */
export async function sealByAwsKms(
  needs: AwsKmsNeeds,
  place: AwsKmsPlace,
  { plaintext, context }: { readonly plaintext: Uint8Array; readonly context: EncryptionContext },
): Promise<string> {
  const Plaintext = Buffer.from(plaintext).toString("base64");
  const ciphertext = textAt(
    await callAwsKms(needs, place, "Encrypt", { Plaintext, EncryptionContext: context }),
    "CiphertextBlob",
  );
  if (ciphertext === undefined || !/^[A-Za-z0-9+/=]{1,8192}$/.test(ciphertext)) {
    throw new KeyStoreError("wrong", `${nameOfAwsKey(place)} answers with what is no ciphertext.`);
  }
  return ciphertext;
}

/** The signature of an Ed25519 key over the message itself, not yet verified. Throws KeyStoreError. */
export async function signByAwsKms(needs: AwsKmsNeeds, place: AwsKmsPlace, message: Uint8Array): Promise<Uint8Array> {
  const body = await callAwsKms(needs, place, "Sign", {
    Message: Buffer.from(message).toString("base64"),
    MessageType: "RAW",
    SigningAlgorithm: "ED25519_SHA_512",
  });
  const signature = bytesOf(textAt(body, "Signature"), 64);
  if (signature !== undefined) return signature;
  throw new KeyStoreError("wrong", `${nameOfAwsKey(place)} answers with what is no signature.`);
}

/** One call about the key; gives what it answered with 200. Throws KeyStoreError. */
async function callAwsKms(
  { ask, aws, realClock }: AwsKmsNeeds,
  place: AwsKmsPlace,
  operation: "Decrypt" | "Encrypt" | "Sign",
  parameters: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const url = new URL("/", aws.url ?? `https://kms.${place.region}.amazonaws.com`);
  const call = {
    host: url.host,
    region: place.region,
    target: `TrentService.${operation}`,
    body: JSON.stringify({ ...parameters, KeyId: place.keyId }),
    now: realClock.now(),
  };
  const headers = signAwsCall(call, await readCredentials(aws));
  const answer = await ask({ store: nameOfAwsKey(place), url: url.href, method: "POST", headers, body: call.body });
  if (answer.status === 200) return answer.body;
  throw refusalOf(answer, place, operation);
}

/** Of the file as the AWS command line writes it, its profile `default` or its only one; else of the environment. */
async function readCredentials({ credentialsFile, credentials }: KeyStores["aws"]): Promise<AwsCredentials> {
  if (credentialsFile === null) {
    if (credentials !== null) return credentials;
    throw new KeyStoreError("refused", "There are no credentials of AWS: set TRELLIS_AWS_CREDENTIALS_FILE.");
  }
  const text = await readFile(credentialsFile, "utf8").catch(() => "");
  const [head = "", ...profiles] = text.split(/^\s*\[/m);
  const section = profiles.find((profile) => profile.startsWith("default]")) ?? profiles[0] ?? head;
  const value = (name: string) => new RegExp(`^\\s*${name}\\s*=\\s*([\\x21-\\x7e]+)\\s*$`, "m").exec(section)?.[1];
  const [accessKeyId, secretAccessKey] = [value("aws_access_key_id"), value("aws_secret_access_key")];
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    return { accessKeyId, secretAccessKey, sessionToken: value("aws_session_token") ?? null };
  }
  throw new KeyStoreError(
    "unavailable",
    "TRELLIS_AWS_CREDENTIALS_FILE names no file that holds aws_access_key_id and aws_secret_access_key.",
  );
}

/** Refusals that end without anything being changed. */
const passing = /^(Throttling|ThrottlingException|LimitExceeded|KMSInternal|DependencyTimeout|ServiceUnavailable)/;

function refusalOf({ status, body }: KeyStoreAnswer, place: AwsKmsPlace, operation: string): KeyStoreError {
  // `com.amazonaws.kms#AccessDeniedException`: the kind of a fault. What is written about it is not repeated.
  const type = /^(?:[\w.]+#)?([A-Za-z]{1,60})$/.exec(textAt(body, "__type") ?? "")?.[1];
  const isPassing = status >= 500 || status === 429 || (type !== undefined && passing.test(type));
  return new KeyStoreError(
    isPassing ? "unavailable" : "refused",
    `${nameOfAwsKey(place)} answers ${operation} with status ${status}${type === undefined ? "" : ` (${type})`}.`,
  );
}

/** It in words for the operator. */
export function nameOfAwsKey({ keyId, region }: AwsKmsPlace): string {
  return `AWS KMS key ${keyId} in ${region}`;
}
