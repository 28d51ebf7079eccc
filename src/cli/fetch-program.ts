import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Address, getAddressDecoder, getBase64Encoder, isAddress } from "@solana/kit";
import { openCommandRpc } from "../adapters/chain/command-rpc.js";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "../core/program-client/index.js";

/** Solana's loader of programs that can be replaced: the code lies in an account beside the program's own. */
const upgradeableLoader = "BPFLoaderUpgradeab1e11111111111111111111111" as Address;
const programState = { tag: 2, codeAccountAt: 4 } as const;
/** Tag, slot of the deployment, and the optional authority stand before the code. */
const codeState = { tag: 3, codeAt: 45 } as const;
const elfMagic = [0x7f, 0x45, 0x4c, 0x46];

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
 * TRELLIS_SANDBOX_PROGRAM. Throws an Error in words when the cluster has no such program.
 */
export async function fetchProgram({ rpcUrl, program, out }: FetchProgram): Promise<{ path: string; bytes: number }> {
  const address = program ?? SMART_ACCOUNT_PROGRAM_ADDRESS;
  if (!isAddress(address)) throw new Error(`${address} is not an address.`);
  const rpc = openCommandRpc(rpcUrl);
  const read = async (at: Address, what: string): Promise<Uint8Array> => {
    const asked = rpc.getAccountInfo(at, { encoding: "base64", commitment: "finalized" }).send();
    const { value } = await asked.catch((error: unknown) => {
      throw notAnswered(error, rpcUrl) ?? error;
    });
    if (value === null) throw new Error(`The cluster at this URL has no ${what} at ${at}.`);
    if (value.owner !== upgradeableLoader) throw new Error(`${at} does not belong to the upgradeable loader.`);
    return getBase64Encoder().encode(value.data[0]) as Uint8Array;
  };
  const state = await read(address, "program");
  if (state[0] !== programState.tag || state.length < 36) throw new Error(`${address} is not a program.`);
  const codeAddress = getAddressDecoder().decode(state, programState.codeAccountAt);
  const code = await read(codeAddress, "code of the program");
  const elf = code.subarray(codeState.codeAt);
  if (code[0] !== codeState.tag || !elfMagic.every((byte, i) => elf[i] === byte)) {
    throw new Error(`${codeAddress} does not hold a program.`);
  }
  const path = resolve(out);
  await writeFile(path, elf);
  return { path, bytes: elf.length };
}
