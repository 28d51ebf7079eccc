import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import type { FoundAccount } from "./history-page.js";
import { run } from "./history-store.js";

/** Which sums are asked for. Instants are Unix seconds. */
export interface SumsAsked {
  readonly environment: EnvironmentName;
  readonly tenantId: string;
  readonly accountAddress: string;
  readonly span: "hour" | "day";
  /** The beginning of the first interval, and the end of the last; null: there is nothing behind the last. */
  readonly from: number;
  readonly end: number | null;
  /** Mints that stand first, in this order; SOL among them. */
  readonly first: readonly string[];
  /** The only token that is asked for. */
  readonly only: string | undefined;
}

/** What an account received and sent of one token, in base units. */
export interface Flow {
  readonly received: bigint;
  readonly sent: bigint;
}

export interface TokenSums {
  readonly mint: string;
  /** Undefined where it never moved. */
  readonly decimals: number | undefined;
  /** Of all transfers up to the end of the last interval. */
  readonly closing: bigint;
  /** The account may hold more of it, in a token account that is not followed. */
  readonly hasMore: boolean;
  /** By the beginning of the interval, Unix seconds; only where there was a transfer. */
  readonly flows: ReadonlyMap<number, Flow>;
}

export interface FoundSums extends FoundAccount {
  /** When its lists of signatures were last read: environment time, Unix milliseconds; null: never yet. */
  readonly readAt: number | null;
  readonly tokens: readonly TokenSums[];
  /** There are other tokens, or there may be token accounts that are not followed. */
  readonly hasMore: boolean;
  /** When the oldest of what is listed and not read yet happened, Unix seconds; undefined: everything was read. */
  readonly unreadSince: number | undefined;
}

interface Row {
  readonly settings_address: string;
  readonly number: bigint;
  readonly looked_at: bigint | null;
  readonly read_at: bigint | null;
  readonly complete_at: bigint | null;
  readonly token_accounts: number;
  readonly unread: number;
  readonly unread_since: bigint | null;
  readonly tokens: readonly {
    readonly mint: string;
    readonly decimals: number;
    readonly total: string;
    readonly after: string;
    readonly flows: readonly (readonly [number, string, string])[];
  }[];
}

// Every part is a range of a key, and has a bound: tokens, intervals, and the days since then. How many transfers there are plays no part.
const query = `with owned as (
    select environment, address, settings_address, number from account
    where environment = $1 and address = $2 and tenant_id = $3
  ), named as (
    select mint, decimals, received - sent as total, place
    from unnest($4::text[]) with ordinality as wanted (mint, place) join history_sum using (mint)
    where environment = (select environment from owned) and account_address = (select address from owned)
      and span = 'all' and starts_at = 0
  ), others as (
    select mint, decimals, received - sent as total, null::int8 as place from history_sum
    where environment = (select environment from owned) and account_address = (select address from owned)
      and span = 'all' and mint <> all($4::text[])
    order by mint limit $5
  ), chosen as materialized (
    select * from named union all select * from others order by place nulls last, mint limit ${limits.balanceTokensMax + 1}
  ), shown as (
    select mint, decimals, total::text as total, place,
      (select coalesce(json_agg(json_build_array(starts_at, received::text, sent::text)), '[]') from history_sum
        where environment = (select environment from owned) and account_address = (select address from owned)
          and span = $6 and history_sum.mint = chosen.mint and starts_at >= $7
          and ($8::int8 is null or starts_at < $8::int8)) as flows,
      (select coalesce(sum(received - sent), 0)::text from history_sum
        where environment = (select environment from owned) and account_address = (select address from owned)
          and $8::int8 is not null and history_sum.mint = chosen.mint
          and ((span = 'hour' and starts_at >= $8::int8 and starts_at < $9::int8)
            or (span = 'day' and starts_at >= $9::int8))) as after
    from chosen
  ), unread as (
    select confirmed_at from history_unread
    where environment = (select environment from owned) and account_address = (select address from owned)
    limit ${limits.balanceUnreadMax + 1}
  )
  select owned.settings_address, owned.number, looked_at, read_at, complete_at,
    (select count(*)::int4 from (select from history_address where history_address.environment = owned.environment
      and history_address.account_address = owned.address and role = 'token' limit ${limits.historyTokenAccountsMax}
    ) as followed) as token_accounts,
    (select count(*)::int4 from unread) as unread,
    (select min(coalesce(confirmed_at, 0)) from unread) as unread_since,
    (select coalesce(json_agg(json_build_object('mint', mint, 'decimals', decimals, 'total', total, 'after', after, 'flows', flows)
      order by place nulls last, mint), '[]') from shown) as tokens
  from owned left join history_watch on history_watch.environment = owned.environment
    and history_watch.account_address = owned.address`;

const daySeconds = 86_400;

/** The sums of an account's tokens in a range of intervals. Undefined where the tenant has no such account. One statement: all of one instant. */
export async function findSums(db: Db, asked: SumsAsked): Promise<FoundSums | undefined> {
  const { only, first, end } = asked;
  const wanted = only === undefined ? first : [only];
  const nextDay = end === null ? null : Math.ceil(end / daySeconds) * daySeconds;
  const [row] = await run<Row>(db, query, [
    asked.environment,
    asked.accountAddress,
    asked.tenantId,
    wanted,
    only === undefined ? limits.balanceTokensMax + 1 : 0,
    asked.span,
    BigInt(asked.from),
    end === null ? null : BigInt(end),
    nextDay === null ? null : BigInt(nextDay),
  ]);
  if (row === undefined) return undefined;
  // Those of configured mints are followed beyond the limit.
  const isFull = row.token_accounts >= limits.historyTokenAccountsMax;
  const hasMore = (mint: string) => isFull && !first.includes(mint);
  const tokens: TokenSums[] = row.tokens.map(({ mint, decimals, total, after, flows }) => ({
    mint,
    hasMore: hasMore(mint),
    decimals,
    closing: BigInt(total) - BigInt(after),
    flows: new Map(flows.map(([at, received, sent]) => [at, { received: BigInt(received), sent: BigInt(sent) }])),
  }));
  const missing = only ?? SYSTEM_PROGRAM_ADDRESS;
  if (!tokens.some(({ mint }) => mint === missing)) {
    tokens.unshift({ mint: missing, hasMore: hasMore(missing), decimals: undefined, closing: 0n, flows: new Map() });
  }
  return {
    settingsAddress: row.settings_address,
    number: row.number,
    refreshedAt: row.looked_at === null ? null : Number(row.looked_at),
    completeAt: row.complete_at === null ? null : Number(row.complete_at),
    readAt: row.read_at === null ? null : Number(row.read_at),
    tokens: tokens.slice(0, limits.balanceTokensMax),
    hasMore: tokens.length > limits.balanceTokensMax || isFull,
    unreadSince:
      row.unread === 0 ? undefined : row.unread > limits.balanceUnreadMax ? 0 : Number(row.unread_since ?? 0n),
  };
}
