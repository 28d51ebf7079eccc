import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isAddress } from "@solana/kit";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { type Deployment, readDeployment, UnreadableProgramError } from "@trellis/solana/read-deployment.js";
import { openCommandRpc } from "../adapters/chain/command-rpc.js";

/** Where from, what and where to. */
export interface FetchProgram {
  readonly rpcUrl: string;
  /** The program's address; default: the smart account program. */
  readonly program?: string | undefined;
  readonly out: string;
}

/** In words why a node was not reached, which `fetch` keeps in the cause; undefined for another error. The URL may hold a key. */
function notAnswered(error: unknown, rpcUrl: string): Error | undefined {
  if (!(error instanceof TypeError && error.cause instanceof Error)) return undefined;
  const { cause } = error;
  const why = cause.message === "" && "code" in cause ? String(cause.code) : cause.message;
  return new Error(`${new URL(rpcUrl).host} does not answer: ${why}`, { cause });
}

/**
 * `trellis sandbox fetch-program`: reads the program that a cluster runs and writes it to a file, for
 * TRELLIS_SANDBOX_PROGRAM. Gives the SHA-256 of its code as TRELLIS_KNOWN_PROGRAMS has it, and when and by whose leave it was
 * deployed. Throws an Error in words when the cluster has no such program.
 */
export async function fetchProgram({
  rpcUrl,
  program,
  out,
}: FetchProgram): Promise<{ readonly path: string; readonly bytes: number } & Omit<Deployment, "elf">> {
  const address = program ?? SMART_ACCOUNT_PROGRAM_ADDRESS;
  if (!isAddress(address)) throw new Error(`${address} is not an address.`);
  const { elf, ...deployment } = await readDeployment({ rpc: openCommandRpc(rpcUrl) }, address).catch(
    (error: unknown) => {
      if (error instanceof UnreadableProgramError) throw error;
      throw notAnswered(error, rpcUrl) ?? error;
    },
  );
  const path = resolve(out);
  await writeFile(path, elf);
  return { path, bytes: elf.length, ...deployment };
}
