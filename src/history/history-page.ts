import { createHash } from "node:crypto";
import { isAddress } from "@solana/kit";
import type { Answer } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { readDate, readDateTime } from "@trellis/kernel/instants.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int4, int8, listAnswer, pageOf, textOf } from "@trellis/kernel/page.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { dateOrTimeText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import type { HistoryRefreshes } from "./history-refreshes.js";
import type { HistoryAccount } from "./history-store.js";

/** What both lists are asked with, besides their own `type` and `status` (gap 82). */
export const historyQuery = {
  currency: Type.Optional(Type.String({ description: "A symbol or a mint: only what moved it." })),
  start_date: Type.Optional(
    dateOrTimeText({
      description: "No earlier than this.",
      examples: ["2026-01-31"],
    }),
  ),
  end_date: Type.Optional(
    dateOrTimeText({ description: "No later than this, the second included; a date includes its whole day (UTC)." }),
  ),
  tx_hash: Type.Optional(Type.String({ description: "Only this transaction, by its signature." })),
  limit: Type.Optional(
    Type.Integer({ minimum: 0, maximum: limits.historyPageMax, default: limits.historyPageDefault }),
  ),
  cursor: Type.Optional(Type.String({ description: "From the page before." })),
};

/** A place in a list, newest first: everything behind it is older. */
export interface Place {
  /** Unix seconds. */
  readonly confirmedAt: bigint;
  readonly slot: bigint;
  readonly signature: string;
  /** Within the transaction; 0 where whole transactions are listed. */
  readonly position: number;
}

/** The bounds of a page: strictly behind `before`, and no older than `from`. */
export interface Bounds {
  readonly before: Place;
  /** Unix seconds. */
  readonly from: bigint;
}

const newest = 9_223_372_036_854_775_807n;
const secondsForm = /^\d{1,11}$/;

/** Reads a date filter into Unix seconds. Throws `invalid_request` that names the field. */
export function readInstant(text: string, field: "start_date" | "end_date" | "from" | "to"): bigint {
  if (secondsForm.test(text)) return BigInt(text);
  const day = readDate(text);
  const ms = day ?? readDateTime(text);
  if (ms === undefined) {
    const message = `${field} must be a date that is in the calendar, a date-time with its offset, or Unix seconds.`;
    throw new TrellisError("invalid_request", { field, message });
  }
  const seconds = BigInt(Math.floor(ms / 1000));
  return (field === "end_date" || field === "to") && day !== undefined ? seconds + 86_399n : seconds;
}

/** The bounds that a query asks for. Throws `invalid_request` and `invalid_cursor`. */
export function boundsOf(query: {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly cursor?: string | undefined;
}): Bounds {
  const from = query.start_date === undefined ? 0n : readInstant(query.start_date, "start_date");
  const end = query.end_date === undefined ? newest : readInstant(query.end_date, "end_date") + 1n;
  const latest: Place = { confirmedAt: end, slot: -1n, signature: "", position: -1 };
  const place = query.cursor === undefined ? undefined : readPlace(query.cursor);
  return { from, before: place !== undefined && place.confirmedAt < end ? place : latest };
}

/** Of both lists. The third is a signature, or what orders what partners moved in one second. */
const historyPlace = cursor("h1", {
  confirmedAt: int8,
  slot: int8,
  signature: textOf("[1-9A-HJ-NP-Za-km-z]{32,88}|[0-9]{3}[0-9a-f-]{36}"),
  position: int4,
});

const ofPartners = /^[0-9]{3}[0-9a-f]{8}-/;

function readPlace(given: string): Place {
  const place = historyPlace.decode(given);
  // What partners moved has slot 0, and nothing on chain has.
  if ((place.slot === 0n) === ofPartners.test(place.signature)) return place;
  throw new TrellisError("invalid_cursor", { field: "cursor" });
}

/** What the index says of an account, besides what was asked. */
export interface FoundAccount {
  readonly settingsAddress: string;
  /** That of the account's row. */
  readonly number: bigint;
  /** Environment time, Unix milliseconds; null: never yet. */
  readonly refreshedAt: number | null;
  /** As of when the index has everything: environment time, Unix milliseconds; null: never yet. */
  readonly completeAt: number | null;
}

/** A page as the index has it. */
export interface FoundPage<Row> extends FoundAccount {
  /** One more than was asked for where there are others. */
  readonly rows: readonly Row[];
  /** Where the search ended before the page was full, and continues; null: at the end of the list. */
  readonly searchedTo: Place | null;
}

/**
 * Answers a list: from the index, after a read of the chain where the last one is some seconds old. The pages behind the
 * first belong to the list that is being read. Throws `account_not_found`.
 */
export async function answerPage<Row extends Place, View>(
  historyRefreshes: HistoryRefreshes,
  network: Network,
  page: {
    readonly address: string;
    readonly limit: number | undefined;
    readonly isFirst: boolean;
    readonly find: (limit: number) => Promise<FoundPage<Row> | undefined>;
    readonly show: (row: Row) => View;
  },
): Promise<Answer<View[]>> {
  const { address, limit = limits.historyPageDefault, isFirst, show } = page;
  // One more than the page shows whether there is another.
  const find = () => page.find(limit + 1);
  const { found, completeAt } = await findCurrent(historyRefreshes, network, {
    address,
    readsChain: isFirst && limit > 0,
    find,
  });
  if (limit === 0) return { data: [] };
  const { rows, cursor: following } = pageOf(found.rows, limit, historyPlace.encode);
  const data = rows.map(show);
  const next = following ?? (found.searchedTo === null ? undefined : historyPlace.encode(found.searchedTo));
  const answer = listAnswer(data, next);
  return { ...answer, metadata: { ...completeMetadata(completeAt), ...answer.metadata } };
}

/** A client that searches for a payment it cannot find has to know until when it would be here. */
export const completeMetadata = (completeAt: number | null): Readonly<Record<string, string>> =>
  completeAt === null ? {} : { complete_at: new Date(completeAt).toISOString() };

/**
 * What `find` finds in the index, after a read of the chain where the last one is some seconds old, and as of when the index has everything.
 * Throws `account_not_found`.
 */
export async function findCurrent<Found extends FoundAccount>(
  historyRefreshes: HistoryRefreshes,
  network: Network,
  asked: {
    readonly address: string;
    readonly readsChain: boolean;
    readonly find: () => Promise<Found | undefined>;
  },
): Promise<{ readonly found: Found; readonly completeAt: number | null }> {
  const { address, readsChain, find } = asked;
  if (!isAddress(address)) throw new TrellisError("account_not_found");
  let found = await find();
  if (found === undefined) throw new TrellisError("account_not_found");
  const { settingsAddress, number } = found;
  const account = { environment: network.name, address, settingsAddress, number } as HistoryAccount;
  if (readsChain && (await historyRefreshes.isOld(network, account, found.refreshedAt))) {
    if (await historyRefreshes.refresh(network, account)) found = (await find()) ?? found;
  }
  // Where the chain reports everything, and has reported nothing, what was complete still is.
  const isCurrent =
    network.changes?.changedSince !== undefined && !(await historyRefreshes.isOld(network, account, null));
  return { found, completeAt: isCurrent ? network.clock.now() : found.completeAt };
}

/** An id that follows from what it stands for alone: a rebuild of the index gives the same. */
export function historyId(...parts: readonly (string | number)[]): string {
  const bytes = createHash("sha256").update(parts.join(" ")).digest().subarray(0, 16);
  // A UUID of version 8: made in a way of its own.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
