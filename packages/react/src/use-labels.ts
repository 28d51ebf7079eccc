import { type Label, type LabelRequest, SignedOutError } from "@trellis/sdk";
import { useCallback } from "react";
import { useChosenAccount } from "./account-provider.js";
import type { ReadOfAccount } from "./connection.js";
import { type ExplainedError, explainError } from "./explain-error.js";
import { useConnection } from "./provider.js";
import { type List, type ListOptions, useList } from "./use-list.js";
import { type Read, type ReadOptions, useReading } from "./use-reading.js";

/** What became of a change of the address book. */
export type LabelChange =
  | { readonly status: "done"; readonly label: Label }
  | { readonly status: "refused"; readonly error: ExplainedError };

/** The address book of the chosen account. No function rejects. */
export type Labels = List<Label> & {
  /** Calls an address by a name, in place of what it was called before. */
  readonly put: (address: string, label: LabelRequest) => Promise<LabelChange>;
  readonly remove: (address: string) => Promise<LabelChange>;
};

/**
 * The labels of the chosen account, newest first: all of its signers see them, and write them. A publishable key needs `accounts:read` for it,
 * and `labels:write` to change them.
 */
export function useLabels(options: ListOptions = {}): Labels {
  const connection = useConnection();
  const account = useChosenAccount();
  const list = useList(
    "labels",
    async (client, of, query) => {
      const { labels: items, ...rest } = await client.labels.page({ account: of, ...query });
      return { items, ...rest };
    },
    options,
  );
  const change = useCallback(
    async (act: ReadOfAccount<Label>): Promise<LabelChange> => {
      try {
        if (account === undefined) throw new SignedOutError("no user is signed in");
        const label = await connection.act(account, act);
        void connection.invalidateAll();
        return { status: "done", label };
      } catch (thrown) {
        return { status: "refused", error: explainError(thrown) };
      }
    },
    [account, connection],
  );
  return {
    ...list,
    put: (address, label) => change((client, of) => client.labels.put({ account: of, address, ...label })),
    remove: (address) => change((client, of) => client.labels.remove({ account: of, address })),
  };
}

/**
 * What to show for addresses, by address: the label of the chosen account, or else the tenant's; an address without one is not among them. Show the
 * address beside it where money is to go there. A publishable key needs `accounts:read` for it.
 */
export function useShownLabels(
  addresses: readonly string[],
  { pollMs = 0 }: ReadOptions = {},
): Read<ReadonlyMap<string, Label>> {
  const wanted = [...new Set(addresses)].sort();
  return useReading(
    `shown labels ${wanted.join(" ")}`,
    (client, account) => client.labels.shown({ account, addresses: wanted }),
    pollMs,
  );
}
