import {
  type Address,
  type Base64EncodedWireTransaction,
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
} from "@solana/kit";
import { TrellisError } from "../../errors.js";
import type { Network } from "../../ports/network.js";
import { askChain } from "./ask-chain.js";
import { toBase64 } from "./wire-transaction.js";

/** What a transaction would do if it were executed now. */
export interface Simulation {
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
}

/** What a token account holds. */
export interface SimulatedTokenBalance {
  readonly mint: Address;
  readonly owner?: Address;
  /** `amount` in base units, as a decimal string. */
  readonly uiTokenAmount: { readonly amount: string };
}

/**
 * Simulates a transaction, signed or not, on the newest state and with its own blockhash. Throws
 * `invalid_transaction` for bytes that no node takes for a transaction, and `chain_unavailable`,
 * also when the node is too old to report balances: what the fee payer would lose must not be guessed.
 */
export async function simulate(network: Pick<Network, "rpc">, wire: Uint8Array): Promise<Simulation> {
  const { value } = await askChain(
    network.rpc.simulateTransaction(toBase64(wire) as Base64EncodedWireTransaction, {
      encoding: "base64",
      commitment: "confirmed",
      sigVerify: false,
      replaceRecentBlockhash: false,
    }),
  ).catch((error: unknown) => {
    throw isRefusedForm(error)
      ? new TrellisError("invalid_transaction", { field: "transaction", cause: error })
      : error;
  });
  const before = value.preBalances?.[0];
  const after = value.postBalances?.[0];
  if (value.err === null && (before === undefined || after === undefined)) {
    throw new TrellisError("chain_unavailable", {
      message: "The chain's node does not report balances in simulations.",
    });
  }
  return {
    error: value.err,
    logs: value.logs ?? [],
    unitsConsumed: Number(value.unitsConsumed ?? 0n),
    payerLossLamports: (before ?? 0n) - (after ?? 0n),
    preBalances: value.preBalances ?? [],
    postBalances: value.postBalances ?? [],
    preTokenBalances: value.preTokenBalances ?? [],
    postTokenBalances: value.postTokenBalances ?? [],
  };
}

/** Nodes answer so to a message that breaks their sanity rules (a fee payer that cannot be written, a lookup of nothing). */
function isRefusedForm(error: unknown): boolean {
  return error instanceof TrellisError && isSolanaError(error.cause, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS);
}
