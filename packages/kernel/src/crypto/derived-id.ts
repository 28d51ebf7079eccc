/** Ids that follow from what they name: a restored older database gives the same again the same id. */
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";

/** Texts, each with its length in front, so that no two lists have the same bytes. */
export function frameTexts(texts: readonly string[]): Uint8Array {
  return Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text, "utf8");
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length, 0);
      return [length, bytes];
    }),
  );
}

/** An id in the form of a random UUID, which without the secret tells nothing of the names that it follows from. */
export function deriveId(secret: Uint8Array, names: readonly string[]): string {
  const bytes = createHmac("sha256", secret).update(frameTexts(names)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
