import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type Ed25519KeyPair, generateEd25519KeyPair, signEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { type SeenQuestion, useLyingStore } from "./lying-store.js";

/** Whom the fake lets in. */
export const fakeCredentials = { accessKeyId: "AKIDOFTHETESTS", secretAccessKey: "a-secret/of+the-tests" } as const;
export const fakeKeyArn = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";

const known = ["content-type", "host", "x-amz-date", "x-amz-security-token", "x-amz-target"];

interface Asked {
  readonly KeyId?: string;
  readonly CiphertextBlob?: string;
  readonly Plaintext?: string;
  readonly Message?: string;
  readonly MessageType?: string;
  readonly SigningAlgorithm?: string;
  readonly EncryptionContext?: Readonly<Record<string, string>>;
}

/**
 * AWS KMS as far as it is used here: it holds one symmetric key and one that signs, and takes no call whose signature (version 4) is not exact:
 * each header that is sent in the `x-amz-` family signed, in order, of this region, service and minute.
 */
export function useFakeKms() {
  const store = useLyingStore();
  const keys = { secret: randomBytes(32), pair: generateEd25519KeyPair() };
  const serve = (): void => store.answers((response, question) => respond(response, question, keys));
  return { ...store, serve, signingKey: keys.pair };
}

interface Keys {
  readonly secret: Buffer;
  readonly pair: Ed25519KeyPair;
}

function respond(response: ServerResponse, question: SeenQuestion, { secret, pair }: Keys): void {
  const reply = (status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
  const fault = findSignatureFault(question);
  if (fault !== undefined) return void reply(400, { __type: fault, message: "refused" });
  const asked = JSON.parse(question.body) as Asked;
  if (asked.KeyId !== fakeKeyArn) return void reply(400, { __type: "NotFoundException", message: "no such key" });
  if (question.headers["x-amz-target"] === "TrentService.Sign") {
    const message = Buffer.from(asked.Message ?? "", "base64");
    const isWhole = asked.MessageType === "RAW" && asked.SigningAlgorithm === "ED25519_SHA_512";
    if (!isWhole || message.length > 4096) return void reply(400, { __type: "ValidationException" });
    const Signature = Buffer.from(signEd25519(pair.seed, message)).toString("base64");
    return void reply(200, { KeyId: fakeKeyArn, Signature, SigningAlgorithm: asked.SigningAlgorithm });
  }
  const context = Buffer.from(JSON.stringify(asked.EncryptionContext ?? {}));
  if (question.headers["x-amz-target"] === "TrentService.Encrypt") {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", secret, nonce).setAAD(context);
    const sealed = Buffer.concat([cipher.update(Buffer.from(asked.Plaintext ?? "", "base64")), cipher.final()]);
    const CiphertextBlob = Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
    return void reply(200, { CiphertextBlob, KeyId: fakeKeyArn, EncryptionAlgorithm: "SYMMETRIC_DEFAULT" });
  }
  const blob = Buffer.from(asked.CiphertextBlob ?? "", "base64");
  try {
    const decipher = createDecipheriv("aes-256-gcm", secret, blob.subarray(0, 12)).setAAD(context);
    decipher.setAuthTag(blob.subarray(12, 28));
    const Plaintext = Buffer.concat([decipher.update(blob.subarray(28)), decipher.final()]).toString("base64");
    return void reply(200, { Plaintext, KeyId: fakeKeyArn, EncryptionAlgorithm: "SYMMETRIC_DEFAULT" });
  } catch {
    return void reply(400, { __type: "InvalidCiphertextException" });
  }
}

/** The kind of fault that AWS names; undefined for a signature that is right. */
function findSignatureFault({ path, headers, body }: SeenQuestion): string | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([a-z0-9-]+)\/kms\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
  const [, id, day, region, signed = "", signature] = form.exec(headers.authorization ?? "") ?? [];
  if (id === undefined || path !== "/") return "IncompleteSignatureException";
  if (id !== fakeCredentials.accessKeyId) return "UnrecognizedClientException";
  const names = known.filter((name) => headers[name] !== undefined);
  if (signed !== names.join(";")) return "IncompleteSignatureException";
  const time = String(headers["x-amz-date"]);
  const [, year, month, date, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
  const at = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`);
  if (!(Math.abs(Date.now() - at) < 300_000) || day !== time.slice(0, 8)) return "SignatureDoesNotMatch";
  if (region !== "eu-central-1") return "SignatureDoesNotMatch";
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const mac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const request = `POST\n/\n\n${names.map((name) => `${name}:${headers[name]}\n`).join("")}\n${signed}\n${hash(body)}`;
  const key = mac(mac(mac(mac(`AWS4${fakeCredentials.secretAccessKey}`, day ?? ""), region), "kms"), "aws4_request");
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/kms/aws4_request\n${hash(request)}`;
  return mac(key, text).toString("hex") === signature ? undefined : "SignatureDoesNotMatch";
}
