/**
 * The age format, version 1 (age-encryption.org/v1), with X25519 recipients alone: what an archive is encrypted in, so that it can be
 * opened by other tools too. It encrypts and decrypts as it reads: no more than two chunks are in memory.
 *
 * A header names a wrapped file key for each recipient, and is authenticated under that key. The payload is chunks of 64 KiB, each
 * encrypted under its number, and the last one is marked: a file that was cut, reordered or continued does not open.
 */
import { Buffer } from "node:buffer";
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { bech32 } from "@scure/base";

/** A file that is no such file, was altered, or is for others. The message names no secret. */
export class AgeError extends Error {
  override readonly name = "AgeError";
}

type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const intro = "age-encryption.org/v1";
const chunkBytes = 65_536;
const tagBytes = 16;
const keyBytes = 32;
const fileKeyBytes = 16;
const nonceBytes = 16;
/** Longer headers are none of ours: a recipient takes about 140 bytes. */
const longestHeader = 65_536;
const lineCharacters = 64;

/** A new identity, `AGE-SECRET-KEY-1…`, with the recipient that belongs to it, `age1…`. */
export function generateIdentity(): { readonly identity: string; readonly recipient: string } {
  const secret = randomBytes(keyBytes);
  const identity = bech32.encode("age-secret-key-", bech32.toWords(secret), false).toUpperCase();
  const recipient = recipientOf(secret);
  secret.fill(0);
  return { identity, recipient };
}

/** The recipient that an identity opens files of. Throws AgeError. */
export function recipientOfIdentity(identity: string): string {
  return recipientOf(parseIdentity(identity));
}

/** Encrypts to recipients, `age1…`. Throws AgeError for one that is none. */
export async function* encryptToRecipients(recipients: readonly string[], plaintext: Source): AsyncGenerator<Buffer> {
  if (recipients.length === 0) throw new AgeError("name a recipient");
  const points = recipients.map((recipient) => decodeKey("age", recipient));
  const fileKey = randomBytes(fileKeyBytes);
  const stanzas = points.map((point) => wrapFileKey(fileKey, point)).join("");
  const header = `${intro}\n${stanzas}---`;
  const nonce = randomBytes(nonceBytes);
  const payloadKey = derive(fileKey, nonce, "payload");
  yield Buffer.from(`${header} ${toBase64(macOf(fileKey, header))}\n`, "latin1");
  yield nonce;
  fileKey.fill(0);
  for await (const { bytes, number, isLast } of inChunks(plaintext, chunkBytes)) {
    yield seal(payloadKey, nonceOf(number, isLast), bytes);
  }
}

/**
 * Decrypts with an identity, `AGE-SECRET-KEY-1…`. What it yields is authentic, and whole only once it has ended: whoever acts on it
 * before must be able to take that back. Throws AgeError.
 */
export async function* decryptWithIdentity(identity: string, file: Source): AsyncGenerator<Buffer> {
  const secret = parseIdentity(identity);
  const { header, rest } = await readHeader(file);
  const fileKey = openHeader(header, secret);
  secret.fill(0);
  const { head: nonce, rest: payload } = await take(rest, nonceBytes);
  const payloadKey = derive(fileKey, nonce, "payload");
  fileKey.fill(0);
  for await (const { bytes, number, isLast } of inChunks(payload, chunkBytes + tagBytes)) {
    const opened = open(payloadKey, nonceOf(number, isLast), bytes);
    if (opened === undefined) throw new AgeError("the file was altered or cut");
    // An empty chunk can only be the whole of an empty file: so a text has one encryption under a key.
    if (opened.length === 0 && number > 0) throw new AgeError("the file ends in an empty chunk");
    yield opened;
  }
}

function parseIdentity(identity: string): Buffer {
  if (identity !== identity.toUpperCase()) throw new AgeError("an identity is in capitals");
  return decodeKey("age-secret-key-", identity.toLowerCase());
}

function decodeKey(prefix: string, text: string): Buffer {
  let bytes: Uint8Array;
  try {
    const decoded = bech32.decode(text as `${string}1${string}`, false);
    if (decoded.prefix !== prefix) throw new AgeError(`this begins otherwise than ${prefix}1`);
    bytes = bech32.fromWords(decoded.words);
  } catch (error) {
    if (error instanceof AgeError) throw error;
    // What the decoder says of it may repeat a secret.
    throw new AgeError(`this is no key of the form ${prefix}1…`);
  }
  if (bytes.length !== keyBytes) throw new AgeError("a key has 32 bytes");
  return Buffer.from(bytes);
}

const recipientOf = (secret: Uint8Array): string => bech32.encode("age", bech32.toWords(pointOf(secret)), false);

const privatePrefix = Buffer.from("302e020100300506032b656e04220420", "hex");
const publicPrefix = Buffer.from("302a300506032b656e032100", "hex");
const privateKey = (secret: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([privatePrefix, secret]), format: "der", type: "pkcs8" });
const publicKey = (point: Uint8Array) =>
  createPublicKey({ key: Buffer.concat([publicPrefix, point]), format: "der", type: "spki" });
const pointOf = (secret: Uint8Array): Buffer =>
  createPublicKey(privateKey(secret)).export({ format: "der", type: "spki" }).subarray(-keyBytes);

/** The key that wraps a file key; undefined for a point of low order, whose secret everybody knows. */
function wrappingKey(secret: Uint8Array, point: Uint8Array, salt: Uint8Array): Buffer | undefined {
  try {
    const shared = diffieHellman({ privateKey: privateKey(secret), publicKey: publicKey(point) });
    return shared.every((byte) => byte === 0) ? undefined : derive(shared, salt, `${intro}/X25519`);
  } catch {
    // The library refuses such points itself.
    return undefined;
  }
}

function wrapFileKey(fileKey: Uint8Array, recipient: Uint8Array): string {
  const secret = randomBytes(keyBytes);
  const share = pointOf(secret);
  const key = wrappingKey(secret, recipient, Buffer.concat([share, recipient]));
  secret.fill(0);
  if (key === undefined) throw new AgeError("a recipient is no key");
  return `-> X25519 ${toBase64(share)}\n${toLines(seal(key, Buffer.alloc(12), fileKey))}`;
}

/** Finds the file key in a header, and checks that the header is whole. */
function openHeader(header: string, secret: Uint8Array): Buffer {
  const end = header.lastIndexOf("\n--- ");
  const lines = header.slice(0, end).split("\n");
  if (end < 0 || lines.shift() !== intro) throw new AgeError("this is no file of age, version 1");
  const own = pointOf(secret);
  let found: Buffer | undefined;
  while (lines.length > 0) {
    const { type, args, body } = readStanza(lines);
    if (type !== "X25519") continue;
    const share = args.length === 1 ? fromBase64(args[0] ?? "") : undefined;
    if (share?.length !== keyBytes || body.length !== fileKeyBytes + tagBytes) throw malformed();
    const key = wrappingKey(secret, share, Buffer.concat([share, own]));
    if (key === undefined) throw malformed();
    found ??= open(key, Buffer.alloc(12), body);
  }
  if (found === undefined) throw new AgeError("the file is for other recipients");
  const mac = fromBase64(header.slice(end + "\n--- ".length));
  const expected = macOf(found, header.slice(0, end + "\n---".length));
  if (mac?.length !== expected.length || !timingSafeEqual(mac, expected)) throw new AgeError("the header was altered");
  return found;
}

/** Takes one off the lines. Its body ends with the first line that is shorter than the others. */
function readStanza(lines: string[]) {
  const [arrow, type = "", ...args] = (lines.shift() ?? "").split(" ");
  if (arrow !== "->" || [type, ...args].some((word) => !/^[!-~]+$/.test(word))) throw malformed();
  let body = "";
  for (;;) {
    const line = lines.shift();
    if (line === undefined || line.length > lineCharacters) throw malformed();
    body += line;
    if (line.length < lineCharacters) break;
  }
  const bytes = fromBase64(body);
  if (bytes === undefined) throw malformed();
  return { type, args, body: bytes };
}

const malformed = () => new AgeError("the header is not well formed");

async function readHeader(file: Source): Promise<{ readonly header: string; readonly rest: AsyncGenerator<Buffer> }> {
  const source = iteratorOf(file);
  let read = Buffer.alloc(0);
  for (;;) {
    const mac = read.indexOf("\n--- ");
    const end = mac < 0 ? -1 : read.indexOf("\n", mac + 1);
    if (end >= 0)
      return { header: read.subarray(0, end).toString("latin1"), rest: behind(read.subarray(end + 1), source) };
    if (read.length > longestHeader) throw new AgeError("this is no file of age, version 1");
    const next = await source.next();
    if (next.done === true) throw new AgeError("this is no file of age, version 1");
    read = Buffer.concat([read, next.value]);
  }
}

async function take(
  file: Source,
  size: number,
): Promise<{ readonly head: Buffer; readonly rest: AsyncGenerator<Buffer> }> {
  const source = iteratorOf(file);
  let read = Buffer.alloc(0);
  while (read.length < size) {
    const next = await source.next();
    if (next.done === true) throw new AgeError("the file was altered or cut");
    read = Buffer.concat([read, next.value]);
  }
  return { head: read.subarray(0, size), rest: behind(read.subarray(size), source) };
}

async function* behind(first: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  yield Buffer.from(first);
  for (let next = await source.next(); next.done !== true; next = await source.next()) yield Buffer.from(next.value);
}

async function* iteratorOf(source: Source): AsyncGenerator<Uint8Array> {
  yield* source;
}

/** What is read, in pieces of one size; the last one is shorter, or as long. There is one at least. */
async function* inChunks(source: Source, size: number) {
  let held: Buffer[] = [];
  let length = 0;
  let number = 0;
  for await (const piece of source) {
    held.push(Buffer.from(piece));
    length += piece.length;
    if (length <= size) continue;
    const all = Buffer.concat(held);
    let start = 0;
    // What is behind it says that a chunk is not the last one.
    for (; all.length - start > size; start += size) {
      yield { bytes: all.subarray(start, start + size), number, isLast: false };
      number += 1;
    }
    held = [all.subarray(start)];
    length = all.length - start;
  }
  yield { bytes: Buffer.concat(held), number, isLast: true };
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function seal(key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array): Buffer {
  const cipher = createCipheriv("chacha20-poly1305", key, nonce, { authTagLength: tagBytes });
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined where it does not open. */
function open(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < tagBytes) return undefined;
  const decipher = createDecipheriv("chacha20-poly1305", key, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
  const head = decipher.update(sealed.subarray(0, sealed.length - tagBytes));
  try {
    return Buffer.concat([head, decipher.final()]);
  } catch {
    head.fill(0);
    return undefined;
  }
}

const derive = (secret: Uint8Array, salt: Uint8Array, info: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, keyBytes));

const macOf = (fileKey: Uint8Array, header: string): Buffer =>
  createHmac("sha256", derive(fileKey, Buffer.alloc(0), "header"))
    .update(header, "latin1")
    .digest();

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replaceAll("=", "");

/** Undefined for what this would not have written. */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return toBase64(bytes) === text ? bytes : undefined;
}

/** Lines of a body: the last one is shorter, if need be empty. */
function toLines(bytes: Uint8Array): string {
  const text = toBase64(bytes);
  const lines: string[] = [];
  for (let start = 0; start <= text.length; start += lineCharacters) {
    lines.push(text.slice(start, start + lineCharacters));
  }
  return lines.map((line) => `${line}\n`).join("");
}
