import { type Address, getBase64Encoder } from "@solana/kit";
import type { Network } from "../environment.js";
import { askChain } from "./ask-chain.js";

/** An account as the chain holds it. */
export interface ChainAccount {
  readonly address: Address;
  readonly lamports: bigint;
  readonly owner: Address;
  readonly executable: boolean;
  readonly data: Uint8Array;
}

/** Reads one account; undefined when there is none. Throws `chain_unavailable`. */
export async function readAccount(network: Pick<Network, "rpc">, address: Address): Promise<ChainAccount | undefined> {
  const { value } = await askChain(
    network.rpc.getAccountInfo(address, { encoding: "base64", commitment: "confirmed" }),
  );
  return value === null ? undefined : toAccount(address, value);
}

/** Reads up to 100 accounts at one slot, in order; undefined where there is none. Throws `chain_unavailable`. */
export async function readAccounts(
  network: Pick<Network, "rpc">,
  addresses: readonly Address[],
): Promise<readonly (ChainAccount | undefined)[]> {
  if (addresses.length === 0) return [];
  const { value } = await askChain(
    network.rpc.getMultipleAccounts([...addresses], { encoding: "base64", commitment: "confirmed" }),
  );
  return addresses.map((address, i) => {
    const found = value[i];
    return found ? toAccount(address, found) : undefined;
  });
}

function toAccount(
  address: Address,
  raw: {
    readonly lamports: bigint;
    readonly owner: Address;
    readonly executable: boolean;
    readonly data: readonly [string, string];
  },
): ChainAccount {
  return {
    address,
    lamports: raw.lamports,
    owner: raw.owner,
    executable: raw.executable,
    data: getBase64Encoder().encode(raw.data[0]) as Uint8Array,
  };
}
