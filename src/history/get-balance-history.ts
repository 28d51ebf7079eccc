import { isAddress } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, amountText, dateOrTimeText } from "@trellis/kernel/wire-texts.js";
import { SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import Type from "typebox";
import { type FoundSums, findSums, type TokenSums } from "./balance-history-store.js";
import { type BalancePoint, type Intervals, pointsOf } from "./balance-points.js";
import { completeMetadata, findCurrent, readInstant } from "./history-page.js";
import type { HistoryRefreshes } from "./history-refreshes.js";

const spans = { hour: { seconds: 3_600, count: 24 }, day: { seconds: 86_400, count: 30 } } as const;

const BalanceChange = Type.Object({
  token_address: addressText({ description: "The mint; the system program's address for SOL." }),
  amount: Type.Union([amountText(), Type.Null()], {
    description:
      "What the account held at the end of the interval. null: not known, as the index does not have everything.",
  }),
  in: Type.String({ description: "Received in the interval, base units.", examples: ["1000000"] }),
  out: Type.String({ description: "Sent in the interval, base units.", examples: ["0"] }),
});

const WirePoint = Type.Object({
  at: Type.String({ format: "date-time", description: "The end of the interval, which is no part of it." }),
  balances: Type.Array(BalanceChange),
});

const BalanceHistory = Type.Object(
  {
    address: addressText(),
    interval: Type.Enum(["hour", "day"]),
    complete_from: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "From when on the amounts are known; null: none is yet.",
    }),
    complete_to: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "Until when they are; null: none is yet.",
    }),
    tokens: Type.Array(
      Type.Object({
        token_address: addressText(),
        decimals: Type.Optional(Type.Integer({ description: "Absent where the account never had the token." })),
        symbol: Type.Optional(Type.String()),
      }),
    ),
    has_more_tokens: Type.Boolean({
      description: "There are other tokens, or there may be token accounts that the history does not follow.",
    }),
    points: Type.Array(WirePoint, { description: "The oldest first." }),
  },
  { $id: "BalanceHistory" },
);

/** Gap 211. */
export const getBalanceHistory = endpoint(
  {
    operation: "getBalanceHistory",
    summary: "Get balances over time",
    description:
      "What the smart account held at the end of each hour or day (UTC), and what it received and sent in it: from the same index as its transfers.",
    tag: "Accounts",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/balance-history",
    scope: "accounts:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: Type.Object({
      token_address: Type.Optional(
        addressText({ description: "Only this token; the system program's address for SOL. Default: the first 20." }),
      ),
      from: Type.Optional(
        dateOrTimeText({
          description: "In the first interval. Default: 30 days, or 24 hours, up to the last.",
          examples: ["2026-01-31"],
        }),
      ),
      to: Type.Optional(
        dateOrTimeText({ description: "In the last interval; a date includes its whole day (UTC). Default: now." }),
      ),
      interval: Type.Optional(Type.Enum(["hour", "day"], { default: "day" })),
    }),
    response: { status: 200, envelope: true, schema: BalanceHistory },
    errors: ["account_not_found", "invalid_address"],
  },
  async (
    needs: { readonly db: Db; readonly historyRefreshes: HistoryRefreshes },
    { params, query, network, caller },
  ) => {
    const { interval = "day", token_address: only } = query;
    if (only !== undefined && !isAddress(only)) throw new TrellisError("invalid_address", { field: "token_address" });
    const { intervals, isOpen } = intervalsOf(query, interval, Math.floor(network.clock.now() / 1000));
    const { from, count, seconds } = intervals;
    const { found, completeAt } = await findCurrent(needs.historyRefreshes, network, {
      address: params.address,
      readsChain: true,
      find: () =>
        findSums(needs.db, {
          environment: network.name,
          tenantId: caller.tenantId,
          accountAddress: params.address,
          span: interval,
          from,
          end: isOpen ? null : from + count * seconds,
          first: [SYSTEM_PROGRAM_ADDRESS, ...network.currencies.flatMap(({ mint }) => mint ?? [])],
          only,
        }),
    });
    const knownUntil = knownUntilOf(completeAt, found.unreadSince);
    const isKnown = knownUntil !== null && count > 0 && from <= knownUntil;
    const data = {
      address: params.address,
      interval,
      complete_from: isKnown ? wireInstant(from) : null,
      complete_to: isKnown ? wireInstant(Math.min(knownUntil, from + count * seconds)) : null,
      tokens: found.tokens.map((token) => toWireToken(network, token)),
      has_more_tokens: found.hasMore,
      points: pointsOf(found.tokens, intervals, { until: knownUntil, isAll: isAllKnown(completeAt, found) }).map(
        toWirePoint,
      ),
    };
    return { data, metadata: completeMetadata(completeAt) };
  },
);

const wireInstant = (seconds: number): string => new Date(seconds * 1000).toISOString();

/**
 * Until when, in Unix seconds, everything is in the index: as of when it last was complete, or until what was found since and happened
 * before. Null: it never was.
 */
function knownUntilOf(completeAt: number | null, unreadSince: number | undefined): number | null {
  if (completeAt === null || unreadSince === 0) return null;
  return Math.min(
    Math.floor(completeAt / 1000),
    unreadSince === undefined ? Number.POSITIVE_INFINITY : unreadSince - 1,
  );
}

/** Whether the index has what it had when it last was complete, and nothing else of which something may be missing. */
const isAllKnown = (completeAt: number | null, { readAt, unreadSince }: FoundSums): boolean =>
  completeAt !== null && unreadSince === undefined && (readAt === null || readAt <= completeAt);

/** The whole intervals that `from` and `to` lie in, none of them in the future. Throws `invalid_request`. */
function intervalsOf(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  interval: "hour" | "day",
  now: number,
): { readonly intervals: Intervals; readonly isOpen: boolean } {
  const { seconds, count: usual } = spans[interval];
  const begin = (instant: number) => instant - (instant % seconds);
  const to = query.to === undefined ? now : Math.min(now, Number(readInstant(query.to, "to")));
  const last = begin(to);
  const from =
    query.from === undefined
      ? Math.max(0, last - (usual - 1) * seconds)
      : begin(Number(readInstant(query.from, "from")));
  const count = Math.max(0, (last - from) / seconds + 1);
  if (count > limits.balancePointsMax) {
    const message = `from and to must be no more than ${limits.balancePointsMax} intervals apart.`;
    throw new TrellisError("invalid_request", { field: "from", message });
  }
  return { intervals: { from, count, seconds }, isOpen: last === begin(now) };
}

function toWireToken({ currencies }: Pick<Network, "currencies">, { mint, decimals }: TokenSums) {
  const known = currencies.find((currency) => (currency.mint ?? SYSTEM_PROGRAM_ADDRESS) === mint);
  const places = decimals ?? known?.decimals;
  return {
    token_address: mint,
    ...(places === undefined ? {} : { decimals: places }),
    ...(known === undefined ? {} : { symbol: known.symbol.toUpperCase() }),
  };
}

function toWirePoint({ at, balances }: BalancePoint) {
  return {
    at: wireInstant(at),
    balances: balances.map(({ mint, amount, received, sent }) => ({
      token_address: mint,
      amount: amount === null ? null : amount.toString(),
      in: received.toString(),
      out: sent.toString(),
    })),
  };
}
