import type { Address } from "@solana/kit";
import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { chooseAtBothEnds } from "@trellis/kernel/tenant-turns.js";
import { CompiledQuery, sql } from "kysely";

/** An account that is followed, and when it is refreshed. Instants are environment time, Unix milliseconds. */
export interface Subscription {
  /** The address that tells the subscriptions of a kind apart. */
  readonly key: Address;
  /** When something last happened there, as far as was seen. */
  readonly activeAt: number;
  /** When it is refreshed next, or since when it was due before it was claimed; null: not before it is woken. */
  readonly nextRunAt: number | null;
  /** What the row says until then: the end of a claim's lease, and without a claim `nextRunAt`. A wake changes it. */
  readonly leasedUntil: number | null;
  /** That of its account's row; null: the account is not here. What was read of one that was released since is not saved. */
  readonly accountNumber: bigint | null;
}

/** What is saved after a refresh. */
export interface Refresh extends Subscription {
  /** When the refresh began. */
  readonly refreshedAt: number;
}

/** A column that only one kind has. */
export interface StateColumn {
  readonly type: "int8" | "text";
  /** SQL: its value in a subscription that a wake makes; left out: null. */
  readonly first?: string;
  /** SQL over the columns of `refresh`: what a refresh inserts; left out: its column of the same name. */
  readonly insert?: string;
  /** SQL over `watch` and `excluded`: what a refresh makes of the row that is there. */
  readonly update: string;
}

type Value = bigint | number | string | boolean | null;

/** One kind of subscriptions: a table, and what it holds of its own. */
export interface SubscriptionKind<State, Progress> {
  readonly table: "proposal_watch" | "history_watch" | "spending_limit_watch";
  /** The key's column. */
  readonly key: string;
  /** The same address in the table of accounts. */
  readonly accountKey: string;
  /** SQL: the keys that addresses ($2) name in an environment ($1). */
  readonly namedKeys: string;
  /** SQL over `watch` and `excluded`: when a subscription that was woken is refreshed. */
  readonly wokenAt: string;
  readonly columns: Readonly<Record<string, StateColumn>>;
  /** SQL over `watch` and `excluded`: which refresh is saved; left out: each. */
  readonly savedWhere?: string;
  /** Which columns its state is read from. */
  readonly stateColumns: readonly string[];
  stateOf(row: Readonly<Record<string, Value>>): State;
  /** The state of an account that has no row yet. */
  readonly noState: State;
  /** A refresh's values of `columns`, but those that `insert` computes. */
  valuesOf(progress: Progress): Readonly<Record<string, Value>>;
}

/** The subscriptions of one kind in the database. */
export interface Subscriptions<State, Progress> {
  /** The subscription of one account; one that was never active where it has none. */
  get(db: DbOrTrx, environment: EnvironmentName, key: Address): Promise<Subscription & State>;
  /**
   * Has accounts refreshed soon, and more often from then on. Addresses that name no account mean nothing. A later wake
   * never takes an earlier one back, and a refresh that began before is no answer to it. `now`: environment time.
   */
  wake(db: DbOrTrx, environment: EnvironmentName, addresses: readonly string[], now: number): Promise<void>;
  /**
   * Claims up to `limit` subscriptions that are due, tenants in turns and the longest due first, for this caller alone: they
   * are due again at `leasedUntil`, unless `save` or `release` says otherwise.
   */
  claimDue(
    db: DbOrTrx,
    environment: EnvironmentName,
    claim: { readonly now: number; readonly leasedUntil: number; readonly limit: number },
  ): Promise<(Subscription & State)[]>;
  /** Saves refreshes of different accounts with the same `leasedUntil`. What was woken meanwhile stays due. */
  save(db: DbOrTrx, environment: EnvironmentName, refreshes: readonly (Refresh & Progress)[]): Promise<void>;
  /** Gives subscriptions back that were not refreshed: they are due at `nextRunAt`, unless they were woken meanwhile. */
  release(db: DbOrTrx, environment: EnvironmentName, released: readonly Subscription[]): Promise<void>;
  /** Removes those of these subscriptions whose accounts are not here: a wake may come after its account was released. */
  removeWithoutAccount(db: DbOrTrx, environment: EnvironmentName, keys: readonly Address[]): Promise<void>;
}

type Row = Readonly<Record<string, Value>> & {
  readonly key: Address;
  readonly active_at: bigint;
  readonly due_at: bigint | null;
  readonly account_number: bigint | null;
};

const toNumber = (value: bigint | null): number | null => (value === null ? null : Number(value));
const toBigint = (value: number | null): bigint | null => (value === null ? null : BigInt(value));
const toJson = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_name, value: unknown) => (typeof value === "bigint" ? value.toString() : value));

export function createSubscriptions<State extends object, Progress>(
  kind: SubscriptionKind<State, Progress>,
): Subscriptions<State, Progress> {
  const { table, key, accountKey, stateColumns } = kind;
  const texts = textsOf(kind);
  const run = async (db: DbOrTrx, text: string, values: readonly unknown[]): Promise<readonly Row[]> =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
  const toSubscription = (row: Row, leasedUntil = toNumber(row.due_at)): Subscription & State => ({
    key: row.key,
    activeAt: Number(row.active_at),
    nextRunAt: toNumber(row.due_at),
    leasedUntil,
    accountNumber: row.account_number,
    ...kind.stateOf(row),
  });

  return {
    get: async (db, environment, key) => {
      const [row] = await run(db, texts.get, [environment, key]);
      if (row?.is_there === true) return toSubscription(row);
      const accountNumber = row?.account_number ?? null;
      return { key, activeAt: 0, nextRunAt: null, leasedUntil: null, accountNumber, ...kind.noState };
    },
    wake: async (db, environment, addresses, now) => {
      if (addresses.length > 0) await run(db, texts.wake, [environment, addresses, BigInt(now)]);
    },
    claimDue: async (db, environment, { now, leasedUntil, limit }) => {
      const id = sql.ref(`subscription.${key}`);
      const { rows } = await sql<Row>`with ${chooseAtBothEnds({
        table: sql.table(table),
        key,
        tenant: sql`waiting.tenant_id`,
        due: sql`waiting.environment = ${environment} and waiting.due_at <= ${BigInt(now)}::int8`,
        since: sql`waiting.due_at`,
        limit,
      })} update ${sql.table(table)} as subscription set due_at = ${BigInt(leasedUntil)}::int8
        from ${sql.table(table)} as before
        where subscription.environment = ${environment} and ${id} = any(array(select id from chosen))
          and before.environment = subscription.environment and ${sql.ref(`before.${key}`)} = ${id}
        returning ${id} as key, subscription.active_at, before.due_at,
          (select account.number from account where account.environment = subscription.environment
            and ${sql.ref(`account.${accountKey}`)} = ${id}) as account_number,
          ${sql.join(stateColumns.map((column) => sql.ref(`subscription.${column}`)))}`.execute(db);
      const claimed = rows.map((row) => toSubscription(row, leasedUntil));
      return claimed.sort((one, other) => Number(one.nextRunAt) - Number(other.nextRunAt));
    },
    save: async (db, environment, refreshes) => {
      const [first] = refreshes;
      if (first === undefined) return;
      const rows = refreshes.map((refresh) => ({
        key: refresh.key,
        active_at: refresh.activeAt,
        looked_at: refresh.refreshedAt,
        due_at: refresh.nextRunAt,
        account_number: refresh.accountNumber,
        ...kind.valuesOf(refresh),
      }));
      await run(db, texts.save, [environment, toJson(rows), toBigint(first.leasedUntil)]);
    },
    release: async (db, environment, released) => {
      if (released.length === 0) return;
      const rows = released.map(({ key, nextRunAt, leasedUntil }) => ({
        key,
        due_at: nextRunAt,
        leased_until: leasedUntil,
      }));
      await run(db, texts.release, [environment, toJson(rows)]);
    },
    removeWithoutAccount: async (db, environment, keys) => {
      if (keys.length > 0) await run(db, texts.removeWithoutAccount, [environment, keys]);
    },
  };
}

/** SQL: what a wake makes of a subscription that is there. */
export const onWake = ({
  key,
  wokenAt,
}: Pick<SubscriptionKind<never, never>, "key" | "wokenAt">): string => `on conflict (environment, ${key}) do update set
    tenant_id = coalesce(subscription.tenant_id, excluded.tenant_id),
    active_at = greatest(subscription.active_at, excluded.active_at),
    due_at = least(subscription.due_at, ${wokenAt})`;

/** The statements of a kind: plain texts, since a server keeps the plan of a text. */
function textsOf<State, Progress>(kind: SubscriptionKind<State, Progress>) {
  const { table, key, accountKey } = kind;
  const columns = Object.entries(kind.columns);
  const first = columns.filter(([, column]) => column.first !== undefined);
  const listed = (of: typeof columns, text: (name: string, column: StateColumn) => string) =>
    of.map(([name, column]) => `, ${text(name, column)}`).join("");
  const given = columns.filter(([name, column]) => column.insert === undefined && name !== "looked_at");
  return {
    get: `select account.${accountKey} as key, account.number as account_number, subscription.environment is not null as is_there,
        active_at, due_at${kind.stateColumns.map((name) => `, ${name}`).join("")}
      from account left join ${table} as subscription
        on subscription.environment = account.environment and subscription.${key} = account.${accountKey}
      where account.environment = $1 and account.${accountKey} = $2`,
    // Always in the same order, so that two processes never wait for each other: the same below.
    wake: `insert into ${table} as subscription
        (environment, ${key}, tenant_id, active_at, due_at${listed(first, (name) => name)})
      select environment, ${accountKey}, tenant_id, $3::int8, $3::int8${listed(first, (_, column) => column.first ?? "")}
      from account where environment = $1 and ${accountKey} = any(array(${kind.namedKeys}))
      order by ${accountKey} ${onWake(kind)}`,
    save: `insert into ${table} as subscription
        (environment, ${key}, active_at, due_at${listed(columns, (name) => name)})
      select $1::text, refresh.key, active_at, due_at${listed(columns, (name, column) => column.insert ?? name)}
      from json_to_recordset($2::json) as refresh (key text, active_at int8, looked_at int8, due_at int8,
        account_number int8${listed(given, (name, { type }) => `${name} ${type}`)})
      -- The account's row is held, so that a release is before this or after it.
      join account on account.environment = $1 and account.${accountKey} = refresh.key
        and account.number = refresh.account_number
      order by refresh.key for key share of account
      on conflict (environment, ${key}) do update set
        active_at = greatest(subscription.active_at, excluded.active_at),
        -- What was woken or claimed since this refresh began is refreshed again for it; of what was overdue already a wake
        -- moves only the activity.
        due_at = case when subscription.due_at is distinct from $3::int8 then subscription.due_at
          when subscription.active_at > excluded.active_at then least(subscription.due_at, excluded.due_at)
          else excluded.due_at end${listed(columns, (name, { update }) => `${name} = ${update}`)}
      ${kind.savedWhere === undefined ? "" : `where ${kind.savedWhere}`}`,
    release: `with released as materialized (
        select * from json_to_recordset($2::json) as released (key text, due_at int8, leased_until int8)
      ), locked as materialized (
        select ${key} as key from ${table}
        where environment = $1 and ${key} = any(array(select released.key from released)) order by ${key} for update
      )
      update ${table} as subscription set due_at = released.due_at from released
      where subscription.environment = $1 and subscription.${key} = any(array(select locked.key from locked))
        and subscription.${key} = released.key and subscription.due_at = released.leased_until`,
    removeWithoutAccount: `delete from ${table} as subscription where environment = $1 and ${key} = any($2::text[])
      and not exists (select from account
        where account.environment = subscription.environment and account.${accountKey} = subscription.${key})`,
  };
}
