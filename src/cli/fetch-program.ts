import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Address, isAddress } from "@solana/kit";
import { SIGNATURE_PROGRAM_ADDRESS, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { type Deployment, readDeployment, UnreadableProgramError } from "@trellis/solana/read-deployment.js";
import { openCommandRpc } from "../adapters/chain/command-rpc.js";
import { whyOf } from "./why.js";

/** Where from, what and where to. */
export interface FetchProgram {
  readonly rpcUrl: string;
  /** `smart_account`, `signature` or a program's address; default: the first. */
  readonly program?: string | undefined;
  /** Default: the program's own name, in the current directory. */
  readonly out?: string | undefined;
}

/** The programs that the sandbox runs. */
const sandboxPrograms: Readonly<Record<string, { address: Address; out: string; variable: string }>> = {
  smart_account: {
    address: SMART_ACCOUNT_PROGRAM_ADDRESS,
    out: "smart_account_program.so",
    variable: "TRELLIS_SANDBOX_PROGRAM",
  },
  signature: {
    address: SIGNATURE_PROGRAM_ADDRESS,
    out: "external_signature_program.so",
    variable: "TRELLIS_SANDBOX_SIGNATURE_PROGRAM",
  },
};

/** In words why a node was not reached, as the system says it; undefined for another error. The URL may hold a key. */
function notAnswered(error: unknown, rpcUrl: string): Error | undefined {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return undefined;
  return new Error(`${new URL(rpcUrl).host} does not answer: ${whyOf(error)}`, { cause: error });
}

/**
 * `trellis sandbox fetch-program`: reads a program that a cluster runs and writes it to a file. Gives the variable that has the
 * sandbox run it (null for a program that it does not run), the SHA-256 of its code as TRELLIS_KNOWN_PROGRAMS has it, and when and
 * by whose leave it was deployed. Throws an Error in words when the cluster has no such program.
 */
export async function fetchProgram({
  rpcUrl,
  program = "smart_account",
  out,
}: FetchProgram): Promise<
  { readonly path: string; readonly bytes: number; readonly variable: string | null } & Omit<Deployment, "elf">
> {
  const named = Object.hasOwn(sandboxPrograms, program) ? sandboxPrograms[program] : undefined;
  const address = named?.address ?? program;
  if (!isAddress(address)) throw new Error(`${address} is neither smart_account, nor signature, nor an address.`);
  const own = named ?? Object.values(sandboxPrograms).find((one) => one.address === address);
  const { elf, ...deployment } = await readDeployment({ rpc: openCommandRpc(rpcUrl) }, address).catch(
    (error: unknown) => {
      if (error instanceof UnreadableProgramError) throw error;
      throw notAnswered(error, rpcUrl) ?? error;
    },
  );
  const path = resolve(out ?? own?.out ?? `${address}.so`);
  await writeFile(path, elf);
  return { path, bytes: elf.length, variable: own?.variable ?? null, ...deployment };
}
