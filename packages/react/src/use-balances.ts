import type { Balances } from "@trellis/sdk";
import { type Read, type ReadOptions, useReading } from "./use-reading.js";

const usualPollMs = 10_000;
/** As many as one answer holds. */
const tokensView = 100;

/**
 * What the chosen account holds, read again every ten seconds and after each payment. `amount_decimal` of a
 * token is exact; a number is not. A publishable key needs `accounts:read` for it.
 */
export function useBalances({ pollMs = usualPollMs }: ReadOptions = {}): Read<Balances> {
  return useReading("balances", (client, account) => client.accounts.balances(account, { limit: tokensView }), pollMs);
}
