import type { Address, Blockhash, Signature } from "@solana/kit";
import type { CallRoom } from "../call-room.js";
import type { ChainTime } from "../chain-time.js";
import type { Faucet } from "../faucet.js";
import type { FaultLayer } from "../faults.js";
import type { Forks } from "../forks.js";
import type { HistoryStore } from "../history-store.js";
import type { Ledger } from "../ledger.js";
import type { Wealth } from "../wealth.js";

/** What the methods of the node work on: the chain as the node knows it. */
export interface NodeParts {
  readonly ledger: Ledger;
  readonly history: HistoryStore;
  readonly time: ChainTime;
  readonly faucet: Faucet;
  readonly identity: Address;
  readonly faucetAddress: Address;
  readonly genesisHash: Blockhash;
  /** How many transactions have landed since the chain began. */
  countTransactions(): Promise<number>;
  /** All there is, as it was within the last seconds. */
  readWealth(): Promise<Wealth>;
  /** What goes wrong on purpose. */
  readonly faults: FaultLayer;
  /** What has landed on forks that are left. */
  readonly forks: Forks;
  /** How many slots the node lags on purpose. */
  readonly slotsBehind: bigint;
  /** Hears of a transaction that was received to be sent. */
  received(signature: Signature): void;
}

/** One JSON-RPC method: positional parameters in, the result out, within `room`. Throws RpcError. */
type RpcMethod = (node: NodeParts, params: readonly unknown[], room: CallRoom) => unknown;

/** Methods by their name on the wire. */
export type RpcMethods = Readonly<Record<string, RpcMethod>>;

/** Wraps a value with the slot it was read at, as most answers are. */
export function inContext<Value>(node: NodeParts, value: Value) {
  return { context: { apiVersion: solanaVersion, slot: wireInteger(node.time.slot()) }, value };
}

/** The release whose answers this node gives. */
export const solanaVersion = "3.0.0";

/** An integer for JSON: a number where it is exact, a bigint beyond. */
export function wireInteger(value: bigint): number | bigint {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= -BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
