import { type ExplainedError, useAccount, useAddressBook, useHistory } from "@trellis/react";
import { usePlace } from "../place.js";
import { mintOfList } from "./holdings.js";

/** Other members name and pay addresses, too. */
const pollMs = 60_000;
/** So many of the newest payments say whom the account has paid. */
const transfersRead = 100;

export interface KnownAddresses {
  /** Those that have a name, that were paid before, of the members, and of the account itself. */
  readonly known: readonly string[];
  /** Of the account's own address book. */
  readonly addressByName: ReadonlyMap<string, string>;
  /** False: not everything was read yet, or something could not be. */
  readonly isWhole: boolean;
  readonly error: ExplainedError | undefined;
  readonly refetch: () => Promise<void>;
}

/** The addresses that a new one is compared with. Who has only sent something to the account is not known: thieves do. */
export function useKnownAddresses(): KnownAddresses {
  const { account } = usePlace();
  const book = useAddressBook({ pollMs });
  const history = useHistory({ type: "outflow", limit: transfersRead, pollMs });
  const details = useAccount();
  const labels = book.data ?? [];
  const members = details.data?.policies.signers.map(({ address }) => address) ?? [];
  const paid = new Set(
    (history.data ?? []).flatMap(({ Spl }) =>
      Spl !== undefined && mintOfList(Spl.to_address) !== null && Spl.amount !== "0" ? [Spl.to_address] : [],
    ),
  );
  return {
    known: [...new Set([account, ...labels.map(({ address }) => address), ...members, ...paid])],
    addressByName: new Map(labels.map(({ name, address }) => [name, address])),
    isWhole: book.data !== undefined && history.data !== undefined && details.data !== undefined,
    error: book.error ?? history.error ?? details.error,
    refetch: async () => {
      await Promise.all([book.refetch(), history.refetch(), details.refetch()]);
    },
  };
}
