import type { Account } from "@trellis/sdk";
import { type Read, type ReadOptions, useReading } from "./use-reading.js";

/** The account that is signed in, as the service and the chain have it. A publishable key needs `accounts:read` for it. */
export function useAccount({ pollMs = 0 }: ReadOptions = {}): Read<Account> {
  return useReading("account", (client, account) => client.accounts.get(account), pollMs);
}
