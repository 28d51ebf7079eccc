import { type Address, getAddressDecoder } from "@solana/addresses";
import { decodeStoredBatchTransaction, decodeStoredTransaction, tablesNamedIn } from "./assert-stored-content.js";
import { assertSummaryIs, assertSummaryReports, assertSummaryReportsActions } from "./assert-summary.js";
import type { ReadAccounts } from "./begun-earlier.js";
import type { RawInstruction } from "./inspect/decode-instruction.js";
import type { DecodedTransaction } from "./inspect/decode-transaction.js";
import type { LookupTables, TableLookup } from "./inspect/decode-wrapped-message.js";
import { deriveBatchTransactionAddress, deriveTransactionAddress } from "./program-address.js";
import type { ProposalContent } from "./proposal-content.js";
import { readProposalCalls } from "./proposal-frame.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { ProposalDetails, SettingsActionType, SummaryEntry } from "./wire.js";

/** Which content is agreed to, and how much has to be known of it. */
type Approval = {
  readonly settings: Address;
  readonly transactionIndex: bigint | number;
  /** True: the caller approves also what cannot be read. What is not decided is never approved. */
  readonly approveUnreadable?: boolean;
};

/** What the service says about the proposal has to fit what the caller thinks. */
export function assertSaid(
  said: ProposalDetails,
  account: Address,
  proposal: Address,
  content: ProposalContent | undefined,
): void {
  if (said.proposalAddress !== proposal) {
    throw new TransactionMismatchError("proposal", "the service speaks of another proposal", {
      expected: proposal,
      actual: said.proposalAddress,
    });
  }
  if (content !== undefined) assertSummaryIs(said.summary, content, account);
}

/** By what the service says, and where there is a node of the caller's own, by what the chain holds. */
export async function assertApprovable(
  readAccounts: ReadAccounts | undefined,
  transactions: readonly DecodedTransaction[],
  said: ProposalDetails,
  approveUnreadable: boolean,
): Promise<void> {
  assertSaidApprovable(said, approveUnreadable);
  const [call] = transactions.flatMap((transaction) => readProposalCalls(transaction).calls);
  if (readAccounts === undefined || call === undefined) return;
  const { transactionIndex } = said;
  const approval = { settings: call.settings, transactionIndex, approveUnreadable };
  await assertStoredApprovable(readAccounts, approval, said);
}

/** Whether this library can read an action of a change of settings. */
const isRead: Readonly<Record<SettingsActionType, boolean>> = {
  add_signer: true,
  remove_signer: true,
  change_threshold: true,
  set_time_lock: true,
  set_admin: true,
  add_spending_limit: true,
  remove_spending_limit: true,
  remove_policy: true,
  other: false,
};
const readTypes: ReadonlySet<string> = new Set(Object.entries(isRead).flatMap(([type, is]) => (is ? [type] : [])));

/**
 * Makes sure that the service says nothing of a content that forbids to approve it: that it is not decided, or cannot be
 * read. Throws `TransactionMismatchError`, its `difference` being `content` or `unreadable`.
 */
function assertSaidApprovable(said: ProposalDetails, approveUnreadable = false): void {
  const warned = new Set(said.warnings.map(({ code }) => code));
  if (warned.has("undecided_content") || said.summary.some(({ type }) => type === "undecided")) {
    throw undecided("the service says that it could be decided after the vote");
  }
  const unknown = said.summary.flatMap(actionsIn).find(({ type }) => !readTypes.has(type));
  const isUnreadable =
    said.kind === "unknown" ||
    warned.has("unreadable_content") ||
    warned.has("grants_policy") ||
    unknown !== undefined ||
    (said.kind === "settings" && said.summary.length === 0);
  if (isUnreadable && !approveUnreadable) throw unreadable(unknown?.name ?? unknown?.type);
}

function actionsIn(entry: SummaryEntry): readonly SummaryEntry[] {
  return entry.type === "settings_change" && Array.isArray(entry.actions)
    ? (entry.actions as readonly SummaryEntry[])
    : [];
}

/**
 * The same by what the chain holds, read from a node of the caller's own: nothing of it comes from the service, and what the
 * service says of it has to be that. Throws `TransactionMismatchError`.
 */
async function assertStoredApprovable(
  readAccounts: ReadAccounts,
  approval: Approval,
  said: Pick<ProposalDetails, "summary">,
): Promise<void> {
  const { settings, approveUnreadable = false } = approval;
  const index = BigInt(approval.transactionIndex);
  const [data] = await readAccounts([deriveTransactionAddress(settings, index)]);
  if (data === null || data === undefined) throw undecided("nothing is stored under its index");
  try {
    const named = tablesNamedIn(data);
    const stored = decodeStoredTransaction(data, await readTables(readAccounts, named));
    if (stored.settings !== settings || stored.transactionIndex !== index) throw new RangeError("stored for another");
    const { content } = stored;
    if (content.kind === "settings") assertSummaryReportsActions(said.summary, content.actions);
    else if (content.kind === "transaction") assertSummaryReports(said.summary, content.message.instructions);
    else assertSummaryReports(said.summary, await readBatch(readAccounts, settings, index, content.size));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (!approveUnreadable) throw unreadable(error.message, error);
  }
}

/** All instructions of a batch, in order. */
async function readBatch(
  readAccounts: ReadAccounts,
  settings: Address,
  index: bigint,
  size: number,
): Promise<readonly RawInstruction[]> {
  if (size > batchMax) throw new RangeError("the batch has more transactions than can be checked");
  const places = Array.from({ length: size }, (_, at) => deriveBatchTransactionAddress(settings, index, at + 1));
  const held = places.length === 0 ? [] : await readAccounts(places);
  const tables = await readTables(
    readAccounts,
    held.flatMap((data) => (data === null ? [] : tablesNamedIn(data))),
  );
  return held.flatMap((data) => {
    if (data === null) throw new RangeError("a transaction of the batch is missing");
    return decodeStoredBatchTransaction(data, tables).message.instructions;
  });
}

/** As many accounts as nodes give at once. */
const batchMax = 100;
const tableHeaderBytes = 56;

/** What tables hold. Throws `TransactionMismatchError` where one is not there, or is given up. */
async function readTables(readAccounts: ReadAccounts, named: readonly TableLookup[]): Promise<LookupTables> {
  if (named.length === 0) return {};
  const addresses = [...new Set(named.map(({ table }) => table))];
  const held = await readAccounts(addresses);
  const tables = Object.fromEntries(
    addresses.map((table, at) => {
      const data = held[at] ?? null;
      if (data === null || data.length < tableHeaderBytes) throw undecided(`the lookup table ${table} is not there`);
      if (data.subarray(4, 12).some((byte) => byte !== 0xff)) throw undecided(`the lookup table ${table} is given up`);
      const count = Math.floor((data.length - tableHeaderBytes) / 32);
      const entryAt = (i: number) => data.subarray(tableHeaderBytes + 32 * i, tableHeaderBytes + 32 * (i + 1));
      return [table, Array.from({ length: count }, (_, i) => getAddressDecoder().decode(entryAt(i)))];
    }),
  );
  for (const { table, writable, readonly } of named) {
    const missing = [...writable, ...readonly].find((index) => tables[table]?.[index] === undefined);
    if (missing !== undefined) throw undecided(`the lookup table ${table} has no entry ${missing} yet`);
  }
  return tables;
}

function undecided(why: string): TransactionMismatchError {
  return new TransactionMismatchError("content", "what is voted on is not decided yet", { actual: why });
}

function unreadable(what?: unknown, cause?: unknown): TransactionMismatchError {
  return new TransactionMismatchError(
    "unreadable",
    "what is voted on cannot be read: say approveUnreadable to approve it",
    {
      actual: what,
      cause,
    },
  );
}
