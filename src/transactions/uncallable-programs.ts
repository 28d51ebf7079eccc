import type { Instruction } from "@solana/kit";
import { SIGNATURE_PROGRAM_ADDRESS } from "@trellis/program-client";

/** What the chain lets no program call, only a transaction itself. */
const uncallable: Readonly<Record<string, string>> = {
  Ed25519SigVerify111111111111111111111111111: "which verifies Ed25519 signatures",
  KeccakSecp256k11111111111111111111111111111: "which verifies secp256k1 signatures",
  Secp256r1SigVerify1111111111111111111111111: "which verifies secp256r1 signatures",
  [SIGNATURE_PROGRAM_ADDRESS]: "by which passkeys sign",
  NativeLoader1111111111111111111111111111111: "which loads the chain's own programs",
  BPFLoader1111111111111111111111111111111111: "a loader of programs",
  BPFLoader2111111111111111111111111111111111: "a loader of programs",
};
const upgradeableLoader = "BPFLoaderUpgradeab1e11111111111111111111111";
/** Opening a buffer, writing to one, deploying: the first four bytes of the loader's instructions, little-endian. */
const uncallableOfLoader: ReadonlySet<number> = new Set([0, 1, 2]);

/**
 * Why a smart account cannot make a call, as the end of a sentence: it calls from within its program, and the chain refuses
 * such calls of some programs from there, whatever they say. Undefined where it can.
 */
export function whyUncallable({ programAddress, data }: Instruction): string | undefined {
  if (Object.hasOwn(uncallable, programAddress)) return uncallable[programAddress];
  if (programAddress !== upgradeableLoader || data === undefined || data.length < 4) return undefined;
  const bytes = Uint8Array.from(data);
  const number = new DataView(bytes.buffer).getUint32(0, true);
  return uncallableOfLoader.has(number) ? "the loader, to write or deploy a program" : undefined;
}
