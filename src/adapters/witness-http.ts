import { Buffer } from "node:buffer";
import type { SendToWitness } from "@trellis/kernel/tlog/ask-witness.js";

const timeoutMs = 10_000;
/** Longer than any cosignatures. */
const answerBytesMax = 16_384;

/** Sends checkpoints to a witness at a URL that the operator has configured. */
export function createWitnessSender(url: string): SendToWitness {
  return async (body) => {
    const response = await fetch(`${url}/add-checkpoint`, {
      method: "POST",
      body,
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of response.body ?? []) {
      length += part.length;
      if (length > answerBytesMax) throw new Error("the witness answers more than cosignatures");
      parts.push(part);
    }
    return { status: response.status, body: Buffer.concat(parts).toString("utf8") };
  };
}
