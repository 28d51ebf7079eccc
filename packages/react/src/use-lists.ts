import type { Deposit, SpendingLimit, StandingOrder, Transfer, VirtualAccount } from "@trellis/sdk";
import { type List, type ListOptions, useList } from "./use-list.js";
import { type Read, type ReadOptions, useReading } from "./use-reading.js";

/** What the account that is signed in received and sent, newest first. A publishable key needs `accounts:read` for it. */
export function useHistory(options: ListOptions = {}): List<Transfer> {
  return useList("history", (client, account, query) => client.history.transfersPage(account, query), options);
}

/** Who may pay how much from the account without a vote. A publishable key needs `accounts:read` for it. */
export function useSpendingLimits(options: ListOptions = {}): List<SpendingLimit> {
  return useList(
    "spending limits",
    async (client, account, query) => {
      const { spendingLimits: items, ...rest } = await client.spendingLimits.page(account, query);
      return { items, ...rest };
    },
    options,
  );
}

/** The account's standing orders, newest first. A publishable key needs `payments:read` for it. */
export function useStandingOrders(options: ListOptions = {}): List<StandingOrder> {
  return useList(
    "standing orders",
    async (client, account, query) => {
      const { standingOrders: items, ...rest } = await client.standingOrders.page(account, query);
      return { items, ...rest };
    },
    options,
  );
}

/** The account's virtual accounts, oldest first. A publishable key needs `virtual-accounts:read` for it. */
export function useVirtualAccounts({ pollMs = 0 }: ReadOptions = {}): Read<readonly VirtualAccount[]> {
  return useReading("virtual accounts", (client, account) => client.virtualAccounts.list(account), pollMs);
}

/** What one virtual account received from banks, newest first. A publishable key needs `virtual-accounts:read` for it. */
export function useDeposits(virtualAccount: string, options: ListOptions = {}): List<Deposit> {
  return useList(
    `deposits ${virtualAccount}`,
    async (client, account, query) => {
      const { deposits: items, ...rest } = await client.virtualAccounts.depositsPage(account, virtualAccount, query);
      return { items, ...rest };
    },
    options,
  );
}
