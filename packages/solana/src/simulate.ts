import {
  type Address,
  type Base64EncodedWireTransaction,
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
} from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "./ask-chain.js";
import type { Lifetime } from "./compose.js";
import { type ChainAccount, type Freshness, minContextSlot, type RawAccount, toAccount } from "./read-accounts.js";
import { toBase64 } from "./wire-transaction.js";

/** What a transaction would do if it were executed now. */
export interface Simulation {
  /** Of the state it was run on. */
  readonly slot: bigint;
  /** The chain's error, null when it would succeed. */
  readonly error: unknown;
  readonly logs: readonly string[];
  readonly unitsConsumed: number;
  /** Lamports the fee payer would lose, the fee included where the node charges it in simulations. */
  readonly payerLossLamports: bigint;
  /** Lamports of every account before and after, in the order of the message's own accounts. */
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  /** What the token accounts among them held before and after. */
  readonly preTokenBalances: readonly SimulatedTokenBalance[];
  readonly postTokenBalances: readonly SimulatedTokenBalance[];
  /** What the accounts that were asked for hold afterwards, in that order; undefined where there is none. None where it fails. */
  readonly shown: readonly (ChainAccount | undefined)[];
}

/** What a token account holds. */
export interface SimulatedTokenBalance {
  readonly mint: Address;
  readonly owner?: Address;
  /** `amount` in base units, as a decimal string. */
  readonly uiTokenAmount: { readonly amount: string };
}

/** What may be set for a simulation of a finished transaction. */
export interface SimulationTerms extends Freshness {
  /** The last block height at which the transaction can land, where that is known. */
  readonly lastValidBlockHeight?: bigint | undefined;
  /** Accounts to show, no more than the transaction has. */
  readonly show?: readonly Address[];
}

/**
 * Simulates a transaction, signed or not, on the newest state and with its own blockhash. Throws
 * `invalid_transaction` for bytes that no node takes for a transaction, and `chain_unavailable`,
 * also when the node is too old to report balances: what the fee payer would lose must not be guessed.
 *
 * A node that does not know the blockhash either forgot it or has not seen it yet. `blockhash_expired` is thrown only when
 * the chain is past `lastValidBlockHeight`, and `chain_unavailable` otherwise: that a node lags is no outcome.
 */
export async function simulate(
  network: Pick<Network, "rpc">,
  wire: Uint8Array,
  { lastValidBlockHeight, show = [], ...freshness }: SimulationTerms = {},
): Promise<Simulation> {
  const { value, context } = await ask(
    network.rpc.simulateTransaction(toBase64(wire) as Base64EncodedWireTransaction, {
      ...plainly,
      ...minContextSlot(freshness),
      replaceRecentBlockhash: false,
      ...(show.length === 0 ? {} : { accounts: { encoding: "base64", addresses: [...show] } }),
    }),
  );
  if (value.err === blockhashNotFound && (await isPast(network, lastValidBlockHeight))) {
    throw new TrellisError("blockhash_expired");
  }
  return toSimulation(value, context.slot, show);
}

/** A simulation, and the lifetime it had: that of the newest block the node knew. */
export interface FreshSimulation extends Simulation {
  readonly lifetime: Lifetime;
}

/**
 * The same for a transaction still to be finished: whatever blockhash it holds, the node takes its newest one instead and
 * reports which. Bytes composed with that are valid wherever this was simulated, and for as long as any can be.
 */
export async function simulateAfresh(
  network: Pick<Network, "rpc">,
  wire: Uint8Array,
  freshness: Freshness = {},
): Promise<FreshSimulation> {
  const { value, context } = await ask(
    network.rpc.simulateTransaction(toBase64(wire) as Base64EncodedWireTransaction, {
      ...plainly,
      ...minContextSlot(freshness),
      replaceRecentBlockhash: true,
    }),
  );
  // A node's word, whatever the type says.
  const lifetime: Lifetime | null | undefined = value.replacementBlockhash;
  if (!lifetime) {
    throw new TrellisError("chain_unavailable", {
      message: "The chain's node does not return which blockhash a simulation had.",
    });
  }
  return { ...toSimulation(value, context.slot), lifetime };
}

/** The error of a simulation of a message that the chain has executed before: an outcome to look up, no failure. */
export const alreadyProcessed = "AlreadyProcessed";

/** A slot at which a message that a simulation at `slot` calls processed had not landed yet. */
export const slotBeforeProcessed = (slot: bigint): bigint =>
  slot > limits.processedWithinSlots ? slot - limits.processedWithinSlots : 0n;

const plainly = { encoding: "base64", commitment: "confirmed", sigVerify: false } as const;

function ask<T>(call: { send(): Promise<T> }): Promise<T> {
  return askChain(call).catch((error: unknown) => {
    throw isRefusedForm(error)
      ? new TrellisError("invalid_transaction", { field: "transaction", cause: error })
      : error;
  });
}

const blockhashNotFound = "BlockhashNotFound";

async function isPast({ rpc }: Pick<Network, "rpc">, lastValidBlockHeight: bigint | undefined): Promise<boolean> {
  if (lastValidBlockHeight === undefined) return false;
  return (await askChain(rpc.getBlockHeight({ commitment: "confirmed" }))) > lastValidBlockHeight;
}

/** What a node reports of a simulation, as far as it is used here. */
interface ReportedSimulation {
  readonly err: unknown;
  readonly logs: readonly string[] | null;
  readonly unitsConsumed?: bigint;
  readonly preBalances?: readonly bigint[] | null;
  readonly postBalances?: readonly bigint[] | null;
  readonly preTokenBalances?: readonly SimulatedTokenBalance[] | null;
  readonly postTokenBalances?: readonly SimulatedTokenBalance[] | null;
  readonly accounts?: readonly (RawAccount | null)[] | null;
}

function toSimulation(value: ReportedSimulation, slot: bigint, show: readonly Address[] = []): Simulation {
  if (value.err === blockhashNotFound) {
    throw new TrellisError("chain_unavailable", {
      message:
        "The chain's node does not know the transaction's blockhash: it lags behind, or the blockhash is too old.",
      suggestion: "Try again shortly. If that does not help, build the transaction again.",
    });
  }
  const before = value.preBalances?.[0];
  const after = value.postBalances?.[0];
  if (value.err === null && (before === undefined || after === undefined)) {
    throw new TrellisError("chain_unavailable", {
      message: "The chain's node does not report balances in simulations.",
    });
  }
  return {
    slot,
    error: value.err,
    logs: value.logs ?? [],
    unitsConsumed: Number(value.unitsConsumed ?? 0n),
    payerLossLamports: (before ?? 0n) - (after ?? 0n),
    preBalances: value.preBalances ?? [],
    postBalances: value.postBalances ?? [],
    preTokenBalances: value.preTokenBalances ?? [],
    postTokenBalances: value.postTokenBalances ?? [],
    shown: show.map((address, i) => {
      const found = value.accounts?.[i];
      return found ? toAccount(address, found) : undefined;
    }),
  };
}

/** Nodes answer so to a message that breaks their sanity rules (a fee payer that cannot be written, a lookup of nothing). */
function isRefusedForm(error: unknown): boolean {
  return error instanceof TrellisError && isSolanaError(error.cause, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS);
}
