import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Random } from "@trellis/kernel/ports/random.js";

/** What a code is for; codes of different purposes do not replace each other (gap 22). */
export type CodePurpose = "create" | "authenticate" | "export";

/** Draws a code of so many digits, nine at most: every one equally likely, leading zeros kept (gap 22). */
export function drawCode(random: Random, digits = 6): string {
  const codeSpace = 10 ** digits;
  // The largest multiple of the code space that 32 bits hold: numbers above it would favour the low codes.
  const fairBound = Math.floor(2 ** 32 / codeSpace) * codeSpace;
  for (;;) {
    const bytes = random.bytes(4);
    const value = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
    if (value < fairBound) return String(value % codeSpace).padStart(digits, "0");
  }
}

/** What is stored of a code: an HMAC under a secret outside the database, bound to the code's id (gap 22). */
export function hashCode(keyring: Keyring, id: string, code: string): Uint8Array {
  return keyring.macs("one-time-code").make(`${id}\n${code}`);
}

/** Whether this is the code that is stored. Compares in constant time. */
export function verifyCode(
  keyring: Keyring,
  stored: { readonly id: string; readonly code_hmac: Uint8Array },
  code: string,
): Promise<boolean> {
  return keyring.macs("one-time-code").verify(`${stored.id}\n${code}`, stored.code_hmac);
}
