import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ed25519PublicKeyOf } from "@trellis/kernel/crypto/ed25519.js";
import { selfSignedCertificate } from "@trellis/kernel/crypto/self-signed.js";

/** One side of the connection between a service and a custodian: its own key, and the other side's, which is pinned. */
export interface KeyFolder {
  /** Signs requests or answers, and ends this side of TLS. */
  readonly identity: KeyObject;
  /** PEM, as the next two. */
  readonly key: string;
  readonly certificate: string;
  readonly peerCertificate: string;
  readonly peerCertificateDer: Buffer;
  /** Of the other side: nothing else is believed. */
  readonly peer: KeyObject;
}

/** A folder of keys that cannot be used. The message names the file, and nothing inside it. */
export class KeyFolderError extends Error {
  override readonly name = "KeyFolderError";
}

const files = { key: "identity.key", certificate: "identity.crt", peer: "peer.crt" } as const;

/** Reads the three files of a folder. Throws KeyFolderError. */
export async function readKeyFolder(folder: string): Promise<KeyFolder> {
  const [key, certificate, peerCertificate] = await Promise.all(
    [files.key, files.certificate, files.peer].map((name) => readText(join(folder, name))),
  );
  const identity = parse(join(folder, files.key), () => createPrivateKey(key ?? ""));
  const own = parse(join(folder, files.certificate), () => new X509Certificate(certificate ?? "").publicKey);
  const peerCertificateDer = parse(join(folder, files.peer), () => new X509Certificate(peerCertificate ?? "").raw);
  const peer = new X509Certificate(peerCertificateDer).publicKey;
  if (identity.asymmetricKeyType !== "ed25519" || peer.asymmetricKeyType !== "ed25519") {
    throw new KeyFolderError(`The keys of ${folder} have to be Ed25519 keys.`);
  }
  if (!own.equals(createPublicKey(identity))) {
    throw new KeyFolderError(`${join(folder, files.certificate)} is not the certificate of ${files.key} beside it.`);
  }
  if (peer.equals(own)) throw new KeyFolderError(`${join(folder, files.peer)} has to be the other side's certificate.`);
  return {
    identity,
    key: key ?? "",
    certificate: certificate ?? "",
    peerCertificate: peerCertificate ?? "",
    peerCertificateDer,
    peer,
  };
}

/** Makes a new key and its certificate in a folder, where none is. Gives the certificate. Throws KeyFolderError. */
export async function makeKey(folder: string, name: string): Promise<string> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const certificate = selfSignedCertificate(privateKey, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  await writeNew(join(folder, files.key), pem, 0o600);
  await writeNew(join(folder, files.certificate), certificate, 0o644);
  return certificate;
}

/** Puts the other side's certificate into a folder, where none is. Throws KeyFolderError. */
export async function writePeer(folder: string, certificate: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeNew(join(folder, files.peer), certificate, 0o644);
}

/** How an identity is written for people: base64url of its 32 bytes. */
export const identityText = (key: KeyObject): string => Buffer.from(ed25519PublicKeyOf(key)).toString("base64url");

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new KeyFolderError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

async function writeNew(path: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(path, text, { mode, flag: "wx" });
  } catch (error) {
    throw new KeyFolderError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function parse<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new KeyFolderError(`${path} is not what it has to be: PEM of an Ed25519 key, or of a certificate of one.`);
  }
}
