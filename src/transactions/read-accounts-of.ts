import {
  type Address,
  type Base64EncodedBytes,
  getBase64Decoder,
  getBase64Encoder,
  type ReadonlyUint8Array,
} from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressBytes, discriminatorOf, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { type Freshness, minContextSlot } from "@trellis/solana/read-accounts.js";

/** Where accounts of these kinds say whose they are, after their discriminator. */
const settingsOffset = 8n;

interface HeldAccount {
  readonly address: Address;
  readonly data: ReadonlyUint8Array;
}

/** Lists what the program holds of one kind under some settings, wherever it was made. Throws `chain_unavailable`. */
export async function readAccountsOf(
  network: Pick<Network, "rpc">,
  kind: "spendingLimit" | "policy" | "proposal",
  settings: Address,
  freshness: Freshness,
): Promise<readonly HeldAccount[]> {
  return (await readAccountsOfAtSlot(network, kind, settings, freshness)).accounts;
}

/** The same, with the slot they were read at. Throws `chain_unavailable`. */
export async function readAccountsOfAtSlot(
  network: Pick<Network, "rpc">,
  kind: "spendingLimit" | "policy" | "proposal",
  settings: Address,
  freshness: Freshness,
): Promise<{ readonly slot: bigint; readonly accounts: readonly HeldAccount[] }> {
  const { context, value } = await askChain(
    network.rpc.getProgramAccounts(SMART_ACCOUNT_PROGRAM_ADDRESS, {
      encoding: "base64",
      commitment: "confirmed",
      withContext: true,
      ...minContextSlot(freshness),
      filters: [memcmp(0n, Uint8Array.from(discriminatorOf(kind))), memcmp(settingsOffset, addressBytes(settings))],
    }),
  );
  const accounts = value.map(({ pubkey, account }) => ({
    address: pubkey,
    data: getBase64Encoder().encode(account.data[0]),
  }));
  return { slot: context.slot, accounts };
}

function memcmp(offset: bigint, bytes: Uint8Array) {
  const encoded = getBase64Decoder().decode(bytes) as Base64EncodedBytes;
  return { memcmp: { offset, bytes: encoded, encoding: "base64" } } as const;
}
