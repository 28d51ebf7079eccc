import { type CsvForm, csvQuery } from "@trellis/kernel/csv.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { addressText, signatureText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { listTransactions as findTransactions, type TransactionRow } from "./history-lists.js";
import { answerPage, boundsOf, historyId, historyQuery } from "./history-page.js";
import type { HistoryRefreshes } from "./history-refreshes.js";
import { mintOf } from "./list-transfers.js";
import { type TransactionKind, transactionKinds } from "./transaction-kind.js";

/** A transaction that had to do with the account (gap 34, gap 81). */
export const HistoryTransaction = Type.Object(
  {
    id: uuidText(),
    account: addressText({ description: "The smart account." }),
    signature: signatureText(),
    status: Type.Enum(["confirmed", "finalized", "failed"]),
    slot: Type.Integer({ description: "Of the block." }),
    created_at: Type.String({ format: "date-time", description: "The time of the block." }),
    confirmed_at: Type.String({ format: "date-time", description: "The time of the block." }),
    kind: Type.Enum([...transactionKinds]),
    error: Type.Optional(Type.Unknown({ description: "Why it failed, as the chain puts it." })),
  },
  { $id: "Transaction" },
);

const transactionsCsv: CsvForm = {
  fileName: "transactions",
  columns: {
    id: ["id"],
    confirmed_at: ["confirmed_at"],
    kind: ["kind"],
    status: ["status"],
    signature: ["signature"],
    slot: ["slot"],
    account: ["account"],
    error: ["error"],
  },
};

/** Gap 34, gap 81 to 84, gap 212. */
export const listTransactions = endpoint(
  {
    operation: "listTransactions",
    summary: "List transactions",
    description:
      "Every transaction of the smart account, its settings and its token accounts, newest first, those that failed included: what the chain says, whichever client made it.",
    tag: "Accounts",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/transactions",
    scope: "accounts:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: Type.Object({
      type: Type.Optional(Type.Enum([...transactionKinds], { description: "A `kind`." })),
      status: Type.Optional(Type.Enum(["confirmed", "finalized", "failed"])),
      ...historyQuery,
      ...csvQuery,
    }),
    response: { status: 200, envelope: true, schema: Type.Array(HistoryTransaction), csv: transactionsCsv },
    errors: ["account_not_found", "invalid_cursor", "unsupported_currency"],
  },
  async (
    needs: { readonly db: Db; readonly historyRefreshes: HistoryRefreshes },
    { params, query, network, caller },
  ) => {
    const listing = {
      environment: network.name,
      tenantId: caller.tenantId,
      accountAddress: params.address,
      bounds: boundsOf(query),
      signature: query.tx_hash,
      mint: query.currency === undefined ? undefined : mintOf(network, query.currency),
      kind: query.type,
      status: query.status,
    };
    return answerPage(needs.historyRefreshes, network, {
      address: params.address,
      limit: query.limit,
      isFirst: query.cursor === undefined,
      find: (count) => findTransactions(needs.db, { ...listing, limit: count }),
      show: (row) => show(network.name, params.address, row),
    });
  },
);

function show(environment: EnvironmentName, account: string, row: TransactionRow) {
  const at = new Date(Number(row.confirmedAt) * 1000).toISOString();
  return {
    id: historyId(environment, account, row.signature),
    account,
    signature: row.signature,
    status: row.failed ? ("failed" as const) : row.finalized ? ("finalized" as const) : ("confirmed" as const),
    slot: Number(row.slot),
    created_at: at,
    confirmed_at: at,
    kind: row.kind as TransactionKind,
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as unknown }),
  };
}
