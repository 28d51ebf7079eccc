import { createSubscriptions, type Subscription } from "./subscriptions.js";

interface Progress {
  /** When the limits were read that are listed; -1: never yet. */
  readonly readSlot: bigint;
}

interface State extends Progress {
  /** A node that has not reached this slot has nothing to say. */
  readonly leastSlot: bigint;
}

/** An account whose spending limits are read; its key is its settings account. */
export type LimitSubscription = Subscription & State;

export const limitSubscriptions = createSubscriptions<State, Progress>({
  table: "spending_limit_watch",
  key: "settings_address",
  accountKey: "settings_address",
  namedKeys: "select unnest($2::text[])",
  wokenAt: "excluded.due_at",
  columns: {
    read_slot: { type: "int8", first: "-1", update: "excluded.read_slot" },
    looked_at: { type: "int8", update: "excluded.looked_at" },
  },
  // An older reading changes nothing.
  savedWhere: "excluded.read_slot >= subscription.read_slot",
  stateColumns: ["least_slot", "read_slot"],
  stateOf: ({ least_slot, read_slot }) => ({ leastSlot: least_slot as bigint, readSlot: read_slot as bigint }),
  noState: { leastSlot: 0n, readSlot: -1n },
  valuesOf: ({ readSlot }) => ({ read_slot: readSlot }),
});
