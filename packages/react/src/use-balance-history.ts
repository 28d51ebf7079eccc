import type { BalanceHistory } from "@trellis/sdk";
import { type Read, type ReadOptions, useReading } from "./use-reading.js";

const dayMs = 86_400_000;

/**
 * What the chosen account held at the end of each of so many days, at most 400, of its first 20 tokens. An amount of null is not known. A
 * publishable key needs `accounts:read` for it.
 */
export function useBalanceHistory({ days, pollMs = 0 }: ReadOptions & { readonly days: number }): Read<BalanceHistory> {
  return useReading(
    `balance history ${days}`,
    (client, account) =>
      client.accounts.balanceHistory(account, {
        interval: "day",
        from: new Date(Date.now() - (days - 1) * dayMs).toISOString(),
      }),
    pollMs,
  );
}
