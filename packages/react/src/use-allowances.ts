import { type Allowance, limitOfAllowance, type NewAllowance } from "@trellis/sdk";
import type { DecisionState } from "./decisions.js";
import { type List, type ListOptions, useList } from "./use-list.js";
import { usePropose } from "./use-proposals.js";

/** What agents may pay from the chosen account, and how that becomes different. No function rejects. */
export type Allowances = List<Allowance> & {
  /** Where what was proposed last stands; `usePropose` shares it. */
  readonly state: DecisionState;
  /**
   * Proposes that an agent's key gets an allowance, and approves it. The allowance is there when the proposal is executed: display it by
   * `useProposal`, and execute it with its `review`.
   */
  readonly give: (allowance: NewAllowance) => Promise<DecisionState>;
  /** Proposes that an allowance ends, and approves that. It ends when the proposal is executed. */
  readonly revoke: (allowance: Pick<Allowance, "allowance">) => Promise<DecisionState>;
};

/**
 * The allowances of the chosen account: its spending limits, by the addresses of agents' keys. A publishable key needs `accounts:read` for
 * it, and `proposals:write` to give and revoke.
 *
 * @example
 * const { give } = useAllowances();
 * await give({ agent, currency: "usdc", uiAmount: "20", period: "day" });
 */
export function useAllowances(options: ListOptions = {}): Allowances {
  const { state, propose } = usePropose();
  const list = useList(
    "allowances",
    async (client, account, query) => {
      const { allowances: items, ...rest } = await client.allowances.page(account, query);
      return { items, ...rest };
    },
    options,
  );
  return {
    ...list,
    state,
    give: (allowance) => propose({ type: "spending_limit", limit: limitOfAllowance(allowance) }, { approve: true }),
    revoke: ({ allowance }) =>
      propose(
        { type: "settings", actions: [{ type: "RemoveSpendingLimit", spendingLimit: allowance }] },
        { approve: true },
      ),
  };
}
