import { createHash, createHmac } from "node:crypto";
import type { AwsCredentials } from "../../config/key-stores.js";

/** A call of AWS KMS that is to be signed. */
export interface AwsCall {
  readonly host: string;
  readonly region: string;
  /** `TrentService.Decrypt`. */
  readonly target: string;
  readonly body: string;
  /** Real time, Unix milliseconds. */
  readonly now: number;
}

/** The headers of a call to AWS KMS with its signature, version 4. */
export function signAwsCall(call: AwsCall, credentials: AwsCredentials): Readonly<Record<string, string>> {
  const time = new Date(call.now).toISOString().replace(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const headers: Readonly<Record<string, string>> = {
    "content-type": "application/x-amz-json-1.1",
    host: call.host,
    "x-amz-date": time,
    "x-amz-target": call.target,
    ...(credentials.sessionToken === null ? {} : { "x-amz-security-token": credentials.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const signed = names.join(";");
  const canonical = [
    "POST",
    "/",
    "",
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    signed,
    sha256(call.body),
  ];
  const scope = `${day}/${call.region}/kms/aws4_request`;
  const key = [call.region, "kms", "aws4_request"].reduce<string | Buffer>(
    hmac,
    hmac(`AWS4${credentials.secretAccessKey}`, day),
  );
  const signature = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical.join("\n"))].join("\n")).toString(
    "hex",
  );
  return {
    ...headers,
    authorization:
      `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signed}, ` +
      `Signature=${signature}`,
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
