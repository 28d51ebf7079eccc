import type { Address, Rpc, SolanaRpcApi } from "@solana/kit";
import { SIGNATURE_PROGRAM_ADDRESS } from "@trellis/program-client";
import { findKnownBuild, type KnownBuild } from "@trellis/solana/known-builds.js";
import { readDeployment } from "@trellis/solana/read-deployment.js";
import { whyOf } from "../why.js";
import type { Check } from "./judge-authority.js";

/** Which build of a program the cluster runs. */
export type ExaminedProgram =
  | {
      readonly kind: "read";
      readonly program: Address;
      readonly sha256: string;
      /** Bytes of room for its code. */
      readonly bytes: number;
      readonly slot: bigint;
      readonly upgradeAuthority: Address | null;
      readonly known: KnownBuild | undefined;
    }
  | { readonly kind: "unread"; readonly program: Address; readonly reason: string };

/** Reads it within `patienceMs`, milliseconds. Does not reject: an account is examined whatever becomes of this. */
export async function examineProgram(
  rpc: Rpc<SolanaRpcApi>,
  program: Address,
  trusted: readonly string[],
  patienceMs: number,
): Promise<ExaminedProgram> {
  try {
    const abortSignal = AbortSignal.timeout(patienceMs);
    const { elf, ...read } = await readDeployment({ rpc }, program, { abortSignal });
    const known = findKnownBuild(program, read.sha256, trusted);
    return { kind: "read", program, ...read, bytes: elf.length, known };
  } catch (error) {
    return { kind: "unread", program, reason: whyOf(error) };
  }
}

/** A warning unless the build is known. */
export function judgeProgram(program: ExaminedProgram): Check[] {
  const isSignature = program.program === SIGNATURE_PROGRAM_ADDRESS;
  const name = isSignature ? "signature program" : "program";
  if (program.kind === "unread") {
    const message = `Which build of the ${name} the cluster runs could not be read: ${program.reason.replace(/\.$/, "")}.`;
    return [{ status: "WARN", check: "program", message }];
  }
  if (program.known !== undefined) return [];
  const message =
    `The cluster runs a build of the ${name} that this release was not tested with, deployed at slot ${program.slot}: try it ` +
    `in the sandbox (trellis sandbox fetch-program${isSignature ? " --program signature" : ""}), then name ${program.sha256} in TRELLIS_KNOWN_PROGRAMS.`;
  return [{ status: "WARN", check: "program", message }];
}

/** The same as a value for programs; the slot is a number. */
export function describeProgram(program: ExaminedProgram | undefined) {
  if (program?.kind !== "read") return null;
  const { sha256, bytes, slot, upgradeAuthority, known } = program;
  return {
    sha256,
    bytes,
    deployed_slot: Number(slot),
    upgrade_authority: upgradeAuthority,
    known: known !== undefined,
  };
}
