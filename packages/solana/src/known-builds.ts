import type { Address } from "@solana/kit";
import { SIGNATURE_PROGRAM_ADDRESS, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";

/** A build of a program that was tried with this service. */
export interface KnownBuild {
  /** The address that it belongs at. */
  readonly program: Address;
  /** Of the code without the zeros behind it, in hexadecimal. */
  readonly sha256: string;
  /** What it is, for people. */
  readonly name: string;
}

/**
 * The builds that this release was tested with. Each can be made again: this repository's own by `program/build/build.sh`.
 * Builds of the public programs belong here once one was made from its source and the tests were run on it; which of
 * them a cluster runs, an operator names in TRELLIS_KNOWN_PROGRAMS until then.
 */
export const knownBuilds: readonly KnownBuild[] = [
  {
    program: SMART_ACCOUNT_PROGRAM_ADDRESS,
    sha256: "d10b141e5b90a4acc5d467912a69af4ce895c6410ac4a78bf429d2ce7bfaf10c",
    name: "program/artifact/smart_account_program.so",
  },
  {
    program: SIGNATURE_PROGRAM_ADDRESS,
    sha256: "d648f85cdc75077d8bbb086698804bf78a3dc3dde048698fafdfbe9ab86f952e",
    name: "program/artifact/external_signature_program.so",
  },
];

/** A program's build by its hash: one of this release's, or one that the operator trusts; undefined for any other. */
export function findKnownBuild(program: Address, sha256: string, trusted: readonly string[]): KnownBuild | undefined {
  return (
    knownBuilds.find((build) => build.program === program && build.sha256 === sha256) ??
    (trusted.includes(sha256) ? { program, sha256, name: "named in TRELLIS_KNOWN_PROGRAMS" } : undefined)
  );
}

/** Hashes as an operator writes them, separated by commas; undefined where one of them is none. */
export function parseKnownPrograms(text: string): readonly string[] | undefined {
  const hashes = text
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== "");
  return hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash)) ? hashes : undefined;
}
