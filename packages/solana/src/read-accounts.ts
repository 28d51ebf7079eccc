import { Buffer } from "node:buffer";
import type { Address } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "./ask-chain.js";

/** An account as the chain holds it. */
export interface ChainAccount {
  readonly address: Address;
  readonly lamports: bigint;
  readonly owner: Address;
  readonly executable: boolean;
  readonly data: Uint8Array;
}

/** How fresh a read of the chain has to be. */
export interface Freshness {
  /** What was seen already: a node that has not reached that slot does not count, and `chain_unavailable` if none has. */
  readonly leastSlot?: bigint;
}

/** Reads one account; undefined when there is none. Throws `chain_unavailable`. */
export async function readAccount(
  network: Pick<Network, "rpc">,
  address: Address,
  freshness: Freshness = {},
): Promise<ChainAccount | undefined> {
  const { value } = await askChain(
    network.rpc.getAccountInfo(address, {
      encoding: "base64",
      commitment: "confirmed",
      ...minContextSlot(freshness),
    }),
  );
  return value === null ? undefined : toAccount(address, value);
}

/** Reads up to 100 accounts at one slot, in order; undefined where there is none. Throws `chain_unavailable`. */
export async function readAccounts(
  network: Pick<Network, "rpc">,
  addresses: readonly Address[],
  freshness: Freshness = {},
): Promise<readonly (ChainAccount | undefined)[]> {
  return (await readAccountsAtSlot(network, addresses, freshness)).accounts;
}

/** The same, with the slot they were read at; 0 when nothing was asked. Throws `chain_unavailable`. */
export async function readAccountsAtSlot(
  network: Pick<Network, "rpc">,
  addresses: readonly Address[],
  freshness: Freshness = {},
): Promise<{ readonly slot: bigint; readonly accounts: readonly (ChainAccount | undefined)[] }> {
  if (addresses.length === 0) return { slot: 0n, accounts: [] };
  const { value, context } = await askChain(
    network.rpc.getMultipleAccounts([...addresses], {
      encoding: "base64",
      commitment: "confirmed",
      ...minContextSlot(freshness),
    }),
  );
  const accounts = addresses.map((address, i) => {
    const found = value[i];
    return found ? toAccount(address, found) : undefined;
  });
  return { slot: context.slot, accounts };
}

/** The same as JSON-RPC calls it. */
export function minContextSlot({ leastSlot }: Freshness): { readonly minContextSlot?: bigint } {
  return leastSlot === undefined ? {} : { minContextSlot: leastSlot };
}

/** An account as nodes write it, its data in base64. */
export interface RawAccount {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly executable: boolean;
  readonly data: readonly [string, string];
}

/** Reads what a node has answered. */
export function toAccount(address: Address, raw: RawAccount): ChainAccount {
  return {
    address,
    lamports: raw.lamports,
    owner: raw.owner,
    executable: raw.executable,
    data: new Uint8Array(Buffer.from(raw.data[0], "base64")),
  };
}
