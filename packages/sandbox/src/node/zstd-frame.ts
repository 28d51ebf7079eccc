const magic = 0xfd2f_b528;
/** One segment, so that no window is given; the size of the content in 4 bytes (RFC 8878, section 3.1.1.1.1). */
const descriptor = 0xa0;
const headerLength = 9;
const blockHeaderLength = 3;
/** RFC 8878, section 3.1.1.2.4 */
const blockMax = 128 * 1024;

/** Bytes as a Zstandard frame of raw blocks: what any reader of `base64+zstd` understands, though nothing gets shorter. */
export function zstdFrame(data: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(data.length / blockMax));
  const frame = Buffer.alloc(headerLength + blocks * blockHeaderLength + data.length);
  frame.writeUInt32LE(magic, 0);
  frame.writeUInt8(descriptor, 4);
  frame.writeUInt32LE(data.length, 5);
  let at = headerLength;
  for (let block = 0; block < blocks; block += 1) {
    const part = data.subarray(block * blockMax, (block + 1) * blockMax);
    const isLast = block === blocks - 1 ? 1 : 0;
    frame.writeUIntLE((part.length << 3) | isLast, at, blockHeaderLength);
    frame.set(part, at + blockHeaderLength);
    at += blockHeaderLength + part.length;
  }
  return frame;
}
