import { type RawBuilder, sql } from "kysely";
import { limits } from "./limits.js";

/** A queue of rows that passes take work from, those first that have waited longest. */
export interface Queue {
  /** A table with the columns environment and tenant_id. */
  readonly table: "standing_order" | "submission" | "account_creation" | "account" | "payment_intent" | "key_removal";
  /** The column that identifies its rows in an environment; `id` where none is named. */
  readonly key?: string;
  /** The row of `meta` that says at which tenant the next claim begins, where there are too many for one. */
  readonly turnsKey: string;
  readonly environment: string;
  /** SQL: what is in the queue at all. There are indexes (environment, `since`) and (environment, tenant_id, `since`) on exactly this. */
  readonly open: RawBuilder<unknown>;
  /** The column whose lowest value has waited longest. */
  readonly since: "attempt_at" | "looked_at" | "members_due";
  /** SQL: what may be claimed now. */
  readonly due: RawBuilder<unknown>;
  /** Rows claimed at most. */
  readonly limit: number;
}

/**
 * SQL of common table expressions, for `with recursive`: the last one, `chosen` (id), is what a caller takes out of a queue,
 * locked; what others have at hand is passed over. Tenants take turns: up to `limits.tenantsInOneClaim` of those that have
 * anything in the queue get an even share each, and what they do not need goes to whatever has waited longest. Where there
 * are more tenants, the next claim begins behind the last one. So however much one tenant has in the queue, another waits
 * for no more claims than there are such groups of tenants; and a claim costs the same whatever there is.
 */
export function chooseInTurns(queue: Queue): RawBuilder<unknown> {
  const { turnsKey, environment, open, due, limit } = queue;
  const table = sql.table(queue.table);
  const since = sql.ref(queue.since);
  const id = sql.ref(queue.key ?? "id");
  const tenants = sql.lit(limits.tenantsInOneClaim);
  // A number that the planner sees: it would sort the whole queue for one that it does not. Rows are locked as they are claimed.
  const most = sql.lit(limit);
  const inQueue = sql`from ${table} where environment = ${environment}::text and ${open}`;
  return sql`begun (after) as (
      select coalesce((select value from meta where key = ${turnsKey}::text), '')
    ), tenant (id, number) as (
      (select tenant_id, 1 ${inQueue} and tenant_id > (select after from begun) order by tenant_id limit 1)
      union all
      select next.tenant_id, tenant.number + 1 from tenant cross join lateral (
        select tenant_id ${inQueue} and tenant_id > tenant.id order by tenant_id limit 1
      ) as next where tenant.number < ${tenants}
    ), ended (at) as (
      -- Once round, it begins anew.
      select case when count(*) < ${tenants} then '' else max(id) end from tenant
    ), noted as (
      insert into meta (key, value) select ${turnsKey}::text, at from ended
      where at <> (select after from begun)
      on conflict (key) do update set value = excluded.value
    ), in_turn as materialized (
      select share.id from tenant cross join lateral (
        select waiting.id from (
          select ${id} as id ${inQueue} and ${due} and tenant_id = tenant.id
          order by ${since} limit ${most} for update skip locked
        ) as waiting limit (select ${most} / greatest(count(*), 1) from tenant)
      ) as share
    ), longest as materialized (
      select waiting.id from (
        select ${id} as id ${inQueue} and ${due} and ${id} not in (select in_turn.id from in_turn)
        order by ${since} limit ${most} for update skip locked
      ) as waiting limit (select greatest(0, ${most} - count(*)) from in_turn)
    ), chosen (id) as (select id from in_turn union all select id from longest)`;
}

/** A queue whose rows have no index by tenant, or name none. */
export interface SharedQueue {
  readonly table: RawBuilder<unknown>;
  /** The column that identifies its rows, among those that `due` is true of. */
  readonly key: string;
  /** SQL over the row `waiting`: whose it is. */
  readonly tenant: RawBuilder<unknown>;
  /** SQL over the row `waiting`: what may be claimed now. */
  readonly due: RawBuilder<unknown>;
  /** SQL over the row `waiting`: its lowest value has waited longest. There is an index for `due` by it. */
  readonly since: RawBuilder<unknown>;
  /** Rows claimed at most. */
  readonly limit: number;
}

/**
 * SQL of common table expressions whose last one, `chosen` (id), is what a caller takes out of such a queue, locked; what
 * others have at hand is passed over. Tenants take turns among the rows at both ends of the queue, `limits.turnsAtEachEnd` of
 * those that have waited longest and of those that arrived last: so no tenant behind ten thousand rows of another waits
 * for them, no tenant is passed over for what arrives later, and a claim costs the same whatever there is. The rest of a claim is
 * whatever has waited longest.
 */
export function chooseAtBothEnds(queue: SharedQueue): RawBuilder<unknown> {
  const { table, tenant, due, since } = queue;
  const id = sql.ref(`waiting.${queue.key}`);
  const most = sql.lit(queue.limit);
  const end = (order: "asc" | "desc") => sql`(select ${id} as id, ${tenant} as tenant, ${since} as since
    from ${table} as waiting where ${due} order by ${since} ${sql.raw(order)} limit ${sql.lit(limits.turnsAtEachEnd)})`;
  return sql`ranked as materialized (
      select id from (
        select id, since, row_number() over (partition by tenant order by since) as turn
        from (${end("asc")} union ${end("desc")}) as ends
      ) as numbered order by turn, since limit ${most}
    ), in_turn as materialized (
      select ${id} as id from ${table} as waiting where ${due} and ${id} = any(array(select ranked.id from ranked))
      for update of waiting skip locked
    ), others as materialized (
      select found.id from (
        select ${id} as id from ${table} as waiting
        where ${due} and ${id} <> all(array(select ranked.id from ranked))
        order by ${since} limit ${most} for update of waiting skip locked
      ) as found limit (select greatest(0, ${most} - count(*)) from in_turn)
    ), chosen (id) as (select id from in_turn union all select id from others)`;
}
