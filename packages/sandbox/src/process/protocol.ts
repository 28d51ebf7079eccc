/** What a sandbox process and a service agree on besides JSON-RPC, which stands at `/`. */
export const sandboxPaths = {
  /** `{seconds}` -> `{now, slot}` */
  clock: "/controls/clock",
  /** `{instant}` -> `{now, slot}` */
  clockTo: "/controls/clock-to",
  /** `{to, lamports}` -> `{signature}` */
  airdrop: "/controls/airdrop",
  /** `{owner, mint, amount, name?}` -> `{signature}` */
  mint: "/controls/mint",
  /** `{faults?}` -> `{faults}`: puts them in place of all others where they are named, and returns what goes wrong on purpose */
  faults: "/controls/faults",
} as const;

/** Whom a service opens a WebSocket for: so that its callers are counted apart. */
export const sandboxOwnerHeader = "x-sandbox-owner";

/** Carried by every answer of a sandbox process: its environment time, Unix milliseconds. */
export const sandboxTimeHeader = "x-sandbox-time";
