import type { List, Read } from "@trellis/react";
import type { ReactNode } from "react";
import { type Column, Rows } from "../../parts/list-view.js";
import { Loading } from "../../parts/states.js";
import { Unhappy } from "../parts.js";
import { texts } from "../texts.js";

/** How often the rules of an account, and what the reader may do in it, are read again. */
export const accountPollMs = 30_000;

/** What was read, once it was; before that and where that failed, how it stands. */
export function Loaded<Data>({
  read: { data, error, refetch },
  children,
}: {
  readonly read: Pick<Read<Data>, "data" | "error" | "refetch">;
  readonly children: (data: Data) => ReactNode;
}) {
  return (
    <>
      {error === undefined ? null : <Unhappy error={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === undefined ? <Loading /> : null : children(data)}
    </>
  );
}

/** A list as a table, and a button for more of it. */
export function Listed<Item>({
  list,
  empty,
  ...rows
}: {
  readonly list: List<Item>;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  readonly caption: string;
  readonly empty: string;
}) {
  return (
    <Loaded read={list}>
      {(items) => (
        <>
          {items.length === 0 ? <p className="faint">{empty}</p> : <Rows rows={items} {...rows} />}
          {list.hasMore ? (
            <p>
              <button type="button" className="quiet" disabled={list.isLoading} onClick={list.showMore}>
                {list.isLoading ? texts.working : texts.history.more}
              </button>
            </p>
          ) : null}
        </>
      )}
    </Loaded>
  );
}
