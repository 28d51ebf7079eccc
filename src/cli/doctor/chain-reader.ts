import {
  type Address,
  type Base64EncodedBytes,
  getBase64Decoder,
  getBase64Encoder,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
} from "@solana/kit";
import { addressBytes, discriminatorOf, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { whyOf } from "../why.js";
import { assertTrue, DoctorError } from "./doctor-error.js";

/** An account as a node shows it. */
export interface FoundAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly data: Uint8Array;
}

/** What the doctor asks a node. Everything is read finalized, and never from before `slot`. */
export interface ChainReader {
  /** The slot of the first answer, and when it was. */
  readonly slot: bigint;
  readonly unixSeconds: bigint;
  account(address: Address): Promise<FoundAccount | undefined>;
  /** Accounts of the program that name `consensus` (settings, or a policy) as theirs: its bytes are checked. */
  accountsUnder(consensus: Address): Promise<readonly FoundAccount[]>;
  tokenAccountsOf(owner: Address, tokenProgram: Address): Promise<readonly FoundAccount[]>;
  /** Addresses of all settings accounts; undefined where the node does not list that many. */
  allSettings(): Promise<readonly Address[] | undefined>;
  /** The accounts named by transactions of an address, the newest transaction first. */
  accountsInHistoryOf(address: Address): AsyncIterable<readonly Address[]>;
}

const base64 = { encoding: "base64", commitment: "finalized" } as const;
/** Every account that belongs to settings or a policy says so right after its discriminator. */
const ownerOffset = 8;
const transactionsRefreshedAt = 200;

/** Starts reading from a node. Throws `DoctorError` in words when it does not answer. */
export async function openChainReader(rpc: Rpc<SolanaRpcApi>): Promise<ChainReader> {
  const slot = await ask(rpc.getSlot({ commitment: "finalized" }));
  const unixSeconds = await ask(rpc.getBlockTime(slot));
  if (unixSeconds === null) throw new DoctorError(`The node does not return the time of slot ${slot}.`);
  const fresh = { ...base64, minContextSlot: slot };

  return {
    slot,
    unixSeconds: BigInt(unixSeconds),

    account: async (address) => {
      const { value } = await ask(
        rpc.getAccountInfo(address, { encoding: "base64", commitment: "finalized", minContextSlot: slot }),
      );
      return value === null ? undefined : found(address, value);
    },

    accountsUnder: async (consensus) => {
      const listed = await ask(
        rpc.getProgramAccounts(SMART_ACCOUNT_PROGRAM_ADDRESS, {
          ...fresh,
          filters: [memcmp(ownerOffset, addressBytes(consensus))],
        }),
      );
      const bytes = Buffer.from(addressBytes(consensus));
      return listed.map(({ pubkey, account }) => {
        const one = found(pubkey, account);
        assertTrue(one.owner === SMART_ACCOUNT_PROGRAM_ADDRESS, `${pubkey} does not belong to the program`);
        assertTrue(bytes.equals(one.data.subarray(ownerOffset, ownerOffset + 32)), `${pubkey} is not of ${consensus}`);
        return one;
      });
    },

    tokenAccountsOf: async (owner, tokenProgram) => {
      const { value } = await ask(rpc.getTokenAccountsByOwner(owner, { programId: tokenProgram }, fresh));
      return value.map(({ pubkey, account }) => found(pubkey, account));
    },

    allSettings: async () => {
      try {
        const listed = await rpc
          .getProgramAccounts(SMART_ACCOUNT_PROGRAM_ADDRESS, {
            ...fresh,
            filters: [memcmp(0, Uint8Array.from(discriminatorOf("settings")))],
            dataSlice: { offset: 0, length: 0 },
          })
          .send();
        return listed.map(({ pubkey }) => pubkey);
      } catch (error) {
        // Many nodes refuse to list accounts without a narrower filter; there are other ways to the settings.
        if (error instanceof Error) return undefined;
        throw error;
      }
    },

    accountsInHistoryOf: async function* (address) {
      const signatures = await ask(
        rpc.getSignaturesForAddress(address, { commitment: "finalized", limit: transactionsRefreshedAt }),
      );
      for (const { signature } of signatures) yield accountsIn(rpc, signature);
    },
  };
}

async function accountsIn(rpc: Rpc<SolanaRpcApi>, signature: Signature): Promise<readonly Address[]> {
  const transaction = await ask(
    rpc.getTransaction(signature, {
      commitment: "finalized",
      encoding: "json",
      maxSupportedTransactionVersion: 0,
    }),
  );
  const loaded = transaction?.meta?.loadedAddresses;
  return [
    ...(transaction?.transaction.message.accountKeys ?? []),
    ...(loaded?.writable ?? []),
    ...(loaded?.readonly ?? []),
  ];
}

async function ask<T>(call: { send(): Promise<T> }): Promise<T> {
  try {
    return await call.send();
  } catch (error) {
    throw new DoctorError(`The node does not answer: ${whyOf(error)}`, { cause: error });
  }
}

function found(
  address: Address,
  raw: { readonly owner: Address; readonly data: readonly [string, string] },
): FoundAccount {
  return { address, owner: raw.owner, data: getBase64Encoder().encode(raw.data[0]) as Uint8Array };
}

function memcmp(offset: number, bytes: Uint8Array) {
  const encoded = getBase64Decoder().decode(bytes) as Base64EncodedBytes;
  return { memcmp: { offset: BigInt(offset), bytes: encoded, encoding: "base64" } } as const;
}
