import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { type CsvForm, csvQuery } from "@trellis/kernel/csv.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { formatUnits } from "@trellis/kernel/money.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { addressText, amountText, decimalText, signatureText, uuidText } from "@trellis/kernel/wire-texts.js";
import { SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import { getCurrency } from "@trellis/solana/currency.js";
import Type from "typebox";
import { listTransfers as findTransfers, type TransferListing, type TransferRow } from "./history-lists.js";
import { answerPage, boundsOf, type FoundPage, historyId, historyQuery, type Place } from "./history-page.js";
import type { HistoryRefreshes } from "./history-refreshes.js";
import { RailMovement } from "./rail-movement.js";
import { listRailMovements, type RailRow } from "./rail-movements.js";

const instant = Type.String({ format: "date-time", description: "The time of the block." });

/** A movement of money on chain (gap 34, gap 81). */
const SplTransfer = Type.Object(
  {
    id: uuidText(),
    grid_user_id: uuidText(),
    main_account_address: addressText({ description: "The smart account." }),
    mint: addressText({ description: "The system program's address for SOL." }),
    is_token_2022: Type.Boolean(),
    signature: signatureText(),
    confirmation_status: Type.Enum(["confirmed", "finalized"]),
    token_account: Type.Optional(
      addressText({
        description: "The account's token account that gained or lost; absent where it is the account itself.",
      }),
    ),
    from_address: addressText({ description: "The owner; the system program's address where nobody is named." }),
    to_address: addressText({ description: "The owner; the system program's address where nobody is named." }),
    amount: amountText(),
    ui_amount: decimalText(),
    decimals: Type.Integer(),
    confirmed_at: instant,
    created_at: instant,
    updated_at: instant,
    direction: Type.Enum(["inflow", "outflow"]),
    environment: Type.Enum(["sandbox", "devnet", "mainnet"]),
    instruction_index: Type.Integer({
      description:
        "Counted in the order instructions began, called ones included. One more than the last: none of them.",
    }),
  },
  { $id: "SplTransfer" },
);

/** What the chain moved, as the list has it. */
export const SplItem = Type.Object({ Spl: SplTransfer });

const Transfer = Type.Union([SplItem, Type.Object({ Bridge: RailMovement })], {
  $id: "Transfer",
});

/** What a partner moves has the names of what moves on chain; `amount`, in base units, is of the chain alone. */
const transfersCsv: CsvForm = {
  fileName: "transfers",
  columns: {
    id: ["Spl.id", "Bridge.id"],
    confirmed_at: ["Spl.confirmed_at", "Bridge.confirmed_at"],
    created_at: ["Spl.created_at", "Bridge.created_at"],
    kind: ["Bridge.kind"],
    direction: ["Spl.direction", "Bridge.direction"],
    ui_amount: ["Spl.ui_amount", "Bridge.amount"],
    currency: ["Bridge.currency"],
    mint: ["Spl.mint"],
    amount: ["Spl.amount"],
    decimals: ["Spl.decimals"],
    from_address: ["Spl.from_address", "Bridge.source.from_address"],
    to_address: ["Spl.to_address", "Bridge.destination.to_address"],
    token_account: ["Spl.token_account"],
    status: ["Spl.confirmation_status", "Bridge.state"],
    signature: ["Spl.signature", "Bridge.receipt.destination_tx_hash", "Bridge.receipt.source_tx_hash"],
    instruction_index: ["Spl.instruction_index"],
    main_account_address: ["Spl.main_account_address", "Bridge.main_account_address"],
    environment: ["Spl.environment", "Bridge.environment"],
  },
};

/** Gap 34, gap 81 to 84, gap 212. */
export const listTransfers = endpoint(
  {
    operation: "listTransfers",
    summary: "List transfers",
    description:
      "All that the smart account and its token accounts ever received or sent, newest first: what the chain " +
      "says, whichever client made it, and what a partner moves between a bank and the account (`Bridge`). Money that arrived or left " +
      "through a partner is in both: the receipt of the one names the signature of the other.",
    tag: "Accounts",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/transfers",
    scope: "accounts:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: Type.Object({
      type: Type.Optional(
        Type.Enum(["inflow", "outflow", "spl", "bridge"], { description: "A direction, or how it moved." }),
      ),
      status: Type.Optional(Type.Enum(["confirmed", "finalized"])),
      ...historyQuery,
      ...csvQuery,
    }),
    response: { status: 200, envelope: true, schema: Type.Array(Transfer), csv: transfersCsv },
    errors: ["account_not_found", "invalid_cursor", "unsupported_currency"],
  },
  async (
    needs: { readonly db: Db; readonly keyring: Keyring; readonly historyRefreshes: HistoryRefreshes },
    { params, query, network, caller },
  ) => {
    const { type, status, limit } = query;
    const listing = {
      environment: network.name,
      tenantId: caller.tenantId,
      accountAddress: params.address,
      bounds: boundsOf(query),
      signature: query.tx_hash,
      mint: query.currency === undefined ? undefined : mintOf(network, query.currency),
      direction: type === "inflow" || type === "outflow" ? type : undefined,
      status,
    };
    return answerPage(needs.historyRefreshes, network, {
      address: params.address,
      limit,
      isFirst: query.cursor === undefined,
      find: (count) => findBoth(needs, { ...listing, limit: count }, type),
      show: (row) => ("bridge" in row ? { Bridge: row.bridge } : { Spl: show(network.name, params.address, row) }),
    });
  },
);

/** One page of both lists, as if they were one. */
async function findBoth(
  needs: { readonly db: Db; readonly keyring: Keyring },
  listing: TransferListing,
  type: "inflow" | "outflow" | "spl" | "bridge" | undefined,
): Promise<FoundPage<TransferRow | RailRow> | undefined> {
  const [chain, rails] = await Promise.all([
    findTransfers(needs.db, type === "bridge" ? { ...listing, limit: 0 } : listing),
    type === "spl" ? [] : listRailMovements(needs, listing),
  ]);
  if (chain === undefined) return undefined;
  // Never equal: what a partner moved has a slot that nothing on chain has.
  const isBefore = (a: Place, b: Place) =>
    a.confirmedAt === b.confirmedAt ? a.slot > b.slot : a.confirmedAt > b.confirmedAt;
  const { searchedTo } = chain;
  const left: (TransferRow | RailRow)[] = [...chain.rows];
  const right = searchedTo === null ? [...rails] : rails.filter((row) => isBefore(row, searchedTo));
  const rows: (TransferRow | RailRow)[] = [];
  while (rows.length < listing.limit) {
    const [one, other] = [left[0], right[0]];
    if (one === undefined && other === undefined) break;
    const next = other === undefined || (one !== undefined && isBefore(one, other)) ? left.shift() : right.shift();
    if (next !== undefined) rows.push(next);
  }
  return { ...chain, rows };
}

/** The mint that a filter names: any address will do, as anybody can send any token. Throws `unsupported_currency`. */
export function mintOf(network: Parameters<typeof getCurrency>[0], currency: string): string {
  if (/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(currency)) return currency;
  return getCurrency(network, currency).mint ?? SYSTEM_PROGRAM_ADDRESS;
}

function show(environment: EnvironmentName, account: string, row: TransferRow) {
  const at = new Date(Number(row.confirmedAt) * 1000).toISOString();
  return {
    id: historyId(environment, account, row.signature, row.position),
    grid_user_id: row.userId,
    main_account_address: account,
    mint: row.mint,
    is_token_2022: row.isToken2022,
    signature: row.signature,
    confirmation_status: row.finalized ? ("finalized" as const) : ("confirmed" as const),
    ...(row.ownAddress === account ? {} : { token_account: row.ownAddress }),
    from_address: row.from,
    to_address: row.to,
    amount: row.amount,
    ui_amount: formatUnits(BigInt(row.amount), row.decimals),
    decimals: row.decimals,
    confirmed_at: at,
    created_at: at,
    updated_at: at,
    direction: row.direction,
    environment,
    instruction_index: row.instructionIndex,
  };
}
