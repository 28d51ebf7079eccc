import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { CompiledQuery } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "../../src/adapters/db/open-database.js";
import {
  type ProposalRefresh,
  proposalSubscriptions,
  wakeProposals,
} from "../../src/following/proposal-subscriptions.js";
import { claimClosable } from "../../src/proposals/proposal-closing-store.js";
import { findRowsOfTurn, findWatchable, listProposals } from "../../src/proposals/proposal-store.js";
import { fillTables } from "../database/fill.js";
import { createTestLocation, postgresUrl, type TestLocation } from "../support/test-database.js";

const now = 1_800_000_000_000;
const name = (kind: string, i: number) => `${kind}${String(i).padStart(43, "0")}`;

describe.skipIf(postgresUrl === undefined)("the index at a million accounts", () => {
  let place: TestLocation;
  let database: OpenDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    place = await createTestLocation();
    database = await openDatabase(place.location);
    client = new pg.Client({ connectionString: place.url });
    await client.connect();
    await client.query("insert into tenant (id, name, created_at) values ('tenant', 'tenant', 0)");
    await fillTables(place.url ?? "", {
      account: `insert into account (environment, address, tenant_id, settings_address, type, user_id, created_at, updated_at)
        select 'mainnet', 'a' || lpad(i::text, 43, '0'), 'tenant', 's' || lpad(i::text, 43, '0'), 'custom', i::text, 0, 0
        from generate_series(1, ${accounts}) i`,
      proposal: `insert into proposal (environment, settings_address, transaction_index, proposal_address,
          transaction_address, kind, status, chain_status, status_timestamp, approved, rejected, cancelled, votes,
          proposal_rent_collector, transaction_rent_collector, uses_durable_nonce, read_slot)
        select 'mainnet', 's' || lpad((i * 10)::text, 43, '0'), 1, 'p' || lpad(i::text, 43, '0'),
          't' || lpad(i::text, 43, '0'), 'transaction', initcap(standing), standing, 1700000000 + i, '[]', '[]', '[]', '[]',
          'payer', 'payer', false, 1
        from generate_series(1, ${proposals}) i cross join lateral (
          select (array['active', 'approved', 'active', 'executed', 'executed', 'rejected', 'cancelled', 'executed',
            'rejected', 'executed'])[i % 10 + 1] as standing) as standing`,
      // Half of them sleep; of the others a hundredth is due.
      proposal_watch: `insert into proposal_watch (environment, settings_address, transaction_index,
          stale_transaction_index, read_slot, active_at, looked_at, due_at, stale_due_at)
        select 'mainnet', 's' || lpad(i::text, 43, '0'), 1, 0, 1, ${now} - i * 1000::int8, ${now},
          case when i % 2 = 0 then ${now} + (i % 200 - 2) * 60000::int8 end,
          case when i % 10 = 0 then ${now} + (i % 1000 - 10) * 60000::int8 end
        from generate_series(1, ${accounts}) i`,
    });
  }, 600_000);
  afterAll(async () => {
    await client?.end();
    await database?.close();
    await place?.drop();
  });

  /** The plans of everything that `work` asks, as made for its values and as made for any; nothing of it stays. */
  async function plansOf(work: (db: Db) => Promise<unknown>): Promise<{ sql: string; plan: Plan }[]> {
    const plans: { sql: string; plan: Plan }[] = [];
    const explain = async (query: CompiledQuery): Promise<void> => {
      const literals = query.parameters.map((value) => literalOf(client, value));
      for (const mode of ["force_custom_plan", "force_generic_plan"]) {
        await client.query("begin");
        try {
          await client.query(`set local plan_cache_mode = ${mode}`);
          await client.query(`prepare explained as ${query.sql}`);
          const text = `explain (analyze, buffers, format json) execute explained(${literals.join(", ")})`;
          plans.push({ sql: query.sql, plan: (await client.query(text)).rows[0]["QUERY PLAN"][0].Plan });
        } finally {
          await client.query("rollback");
          await client.query("deallocate all");
        }
      }
    };
    /** The same, whose statements are explained before they run: those of the database, and of the executor that SQL runs on. */
    const explained = <Target extends object>(target: Target): Target =>
      new Proxy(target, {
        get: (_, property) => {
          const value: unknown = Reflect.get(target, property);
          if (typeof value !== "function") return value;
          if (property === "getExecutor") return () => explained(value.call(target));
          if (property !== "executeQuery") return value.bind(target);
          return async (query: CompiledQuery) => {
            await explain(query);
            return value.call(target, CompiledQuery.raw(query.sql, [...query.parameters]));
          };
        },
      });
    const explaining = explained(database.db);
    await work(explaining);
    return plans;
  }

  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
  const settings = Array.from({ length: 100 }, (_, i) => name("s", (i + 1) * 1_000) as Address);
  const refreshes = settings.map(
    (key): ProposalRefresh => ({
      key,
      transactionIndex: 1n,
      staleTransactionIndex: 0n,
      readSlot: 2n,
      activeAt: now,
      refreshedAt: now,
      nextRunAt: now + 5_000,
      leasedUntil: now,
      accountNumber: 0n,
    }),
  );
  const claim = { now, leasedUntil: now + limits.followLeaseMs, limit: limits.followedAccountsMax };
  const turns = settings.map((settingsAddress) => ({
    settingsAddress,
    staleTransactionIndex: 0n,
    from: 1n,
    again: 1n,
  }));
  /** Rows that tenants take turns among. */
  const bothEnds = 2 * limits.turnsAtEachEnd;
  const listing = { environment: "mainnet", tenantId: "tenant", limit: 51 } as const;

  it.each<[string, number, (db: Db) => Promise<unknown>]>([
    ["claiming", bothEnds, (db) => proposalSubscriptions.claimDue(db, "mainnet", claim)],
    ["claiming where none is due", 1, (db) => proposalSubscriptions.claimDue(db, "devnet", claim)],
    ["releasing", 100, (db) => proposalSubscriptions.release(db, "mainnet", refreshes)],
    ["waking", 200, (db) => wakeProposals(db, "mainnet", [...settings, name("p", 7), name("x", 1)], now)],
    ["saving refreshes", 100, (db) => proposalSubscriptions.save(db, "mainnet", refreshes)],
    ["rows to read again", 100, (db) => findRowsOfTurn(db, "mainnet", turns)],
    ["how far one account was followed", 1, (db) => proposalSubscriptions.get(db, "mainnet", name("s", 77) as Address)],
    ["whom to be told of", limits.subscribedAccountsMax * 2, (db) => findWatchable(db, "mainnet")],
    ["taking proposals to close", bothEnds, (db) => claimClosable(db, "mainnet", { rentCollector: "payer", now })],
    ["a list", 60, (db) => listProposals(db, { ...listing, accountAddress: name("a", 500), statuses: [] })],
    [
      "a list by status",
      60,
      (db) => listProposals(db, { ...listing, accountAddress: name("a", 500), statuses: ["Active"] }),
    ],
  ])("%s reads what it needs and no more", async (_what, rowsMost, work) => {
    const plans = await plansOf(work);
    expect(plans.length).toBeGreaterThan(0);
    for (const { sql, plan } of plans) {
      const nodes = nodesOf(plan);
      const tables = nodes.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"]);
      expect(tables, sql).toEqual([]);
      expect(Math.max(...nodes.map((node) => node["Actual Rows"])), sql).toBeLessThanOrEqual(rowsMost * 3);
      expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], sql).toBeLessThan(rowsMost * 60 + 100);
    }
  });

  it("is claimed turn by turn: no account twice before every other that is due", async () => {
    const first = await proposalSubscriptions.claimDue(database.db, "mainnet", claim);
    const next = await proposalSubscriptions.claimDue(database.db, "mainnet", claim);
    expect(first).toHaveLength(limits.followedAccountsMax);
    const claimed = new Set([...first, ...next].map(({ key }) => key));
    expect(claimed.size).toBe(2 * limits.followedAccountsMax);
  });
});

const accounts = 1_000_000;
/** A proposal for every tenth account: three of ten are open, nothing of them for years. */
const proposals = 100_000;

/** The part of a plan that says what was touched. */
interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly Plan[];
}

function literalOf(client: pg.Client, value: unknown): string {
  if (value === null) return "null";
  return client.escapeLiteral(Array.isArray(value) ? `{${value.join(",")}}` : String(value));
}
