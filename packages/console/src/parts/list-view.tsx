import type { ReactNode } from "react";
import { texts } from "../texts.js";
import type { useList } from "./reads.js";
import { Failure, Loading } from "./states.js";

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  readonly isNumber?: boolean;
}

/** A list with its states: loading, failed, empty, and more to come. On a narrow screen a row becomes a block. */
export function ListView<T>({
  list,
  columns,
  keyOf,
  caption,
  empty,
}: {
  readonly list: Pick<
    ReturnType<typeof useList<T>>,
    "rows" | "error" | "isPending" | "hasNextPage" | "fetchNextPage" | "isFetchingNextPage" | "refetch"
  >;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  readonly caption: string;
  readonly empty: string;
}) {
  const { rows } = list;
  if (rows === undefined)
    return list.error ? <Failure error={list.error} onRetry={() => void list.refetch()} /> : <Loading />;
  return (
    <>
      {list.error ? <Failure error={list.error} onRetry={() => void list.refetch()} /> : null}
      {rows.length === 0 ? (
        <p className="faint">{empty}</p>
      ) : (
        <Rows rows={rows} columns={columns} keyOf={keyOf} caption={caption} />
      )}
      {list.hasNextPage ? (
        <p>
          <button
            type="button"
            className="quiet"
            disabled={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {list.isFetchingNextPage ? texts.loading : texts.more}
          </button>
        </p>
      ) : null}
    </>
  );
}

/** Rows that are there, as a table. */
export function Rows<T>({
  rows,
  columns,
  keyOf,
  caption,
}: {
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  readonly caption: string;
}) {
  return (
    <table>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, isNumber }) => (
            <th key={title} scope="col" className={isNumber ? "number" : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, cell, isNumber }) => (
              <td key={title} data-of={title} className={isNumber ? "number" : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
