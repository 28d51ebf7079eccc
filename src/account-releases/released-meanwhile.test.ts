import type { Address } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { bendNetwork } from "../../test/support/bent-network.js";
import { importsOf } from "../../test/support/imported-accounts.js";
import { openPayer, prepareIntent, stampsOf } from "../../test/support/payments.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { postgresUrl } from "../../test/support/test-database.js";
import { historySubscriptions, wakeHistories } from "../following/history-subscriptions.js";
import { proposalSubscriptions, wakeProposals } from "../following/proposal-subscriptions.js";
import { createHistoryFollower } from "../history/follow-histories.js";
import { findAccounts, followAddresses, takeIn } from "../history/history-store.js";
import { dropForked, saveRead } from "../history/history-write-store.js";
import { listTransfers } from "../history/list-transfers.js";
import { createProposalFollower } from "../proposals/follow-proposals.js";
import { saveProposals } from "../proposals/proposal-write-store.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { storeRelease } from "./release-store.js";

const test = useTestNetwork();
const { importAs, openImported, release, releaseProofOf } = importsOf(test);
const environment = "sandbox";
const now = () => test.network.clock.now();

/** Releases an account as if its signer had agreed. */
async function releaseNow(address: string): Promise<void> {
  const row = await test.needs.db
    .selectFrom("account")
    .selectAll()
    .where("address", "=", address)
    .executeTakeFirstOrThrow();
  await storeRelease(test.needs.db, row, { actor: "api_key/key", signer: "signer" }, now());
}

const getAccount = async (address: string) => {
  const [account] = await findAccounts(test.needs.db, environment, [address]);
  if (account === undefined) throw new Error("the account is here");
  return account;
};

const countOf = async (table: string) => {
  const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from ${sql.table(table)}`.execute(
    test.needs.db,
  );
  return rows[0]?.count;
};

const listed = { signature: "one", slot: 7n, confirmedAt: 1_000n, finalized: true };
const proposalOf = (settings_address: string) => ({
  environment,
  settings_address,
  transaction_index: 1n,
  proposal_address: `proposal of ${settings_address}`,
  transaction_address: "transaction",
  kind: "transaction" as const,
  status: null,
  chain_status: null,
  status_timestamp: null,
  approved: "[]",
  rejected: "[]",
  cancelled: "[]",
  votes: "[]",
  creator: null,
  proposal_rent_collector: null,
  transaction_rent_collector: null,
  content: null,
  batch_size: null,
  batch_executed: null,
  batch_reclaimed_lamports: null,
  opened_at: null,
  last_modified_signature: null,
  last_modified_at: null,
  uses_durable_nonce: false,
  reclaimed_lamports: null,
  seen_signature: null,
  read_slot: 9n,
});

describe("a refresh that an account was released under", () => {
  it("writes nothing of it, whether it was imported again or not, and all of the others", async () => {
    const { db } = test.needs;
    const [[key, opened], [, other]] = [await openImported(), await openImported()];
    const account = await getAccount(opened.address);
    const keys = [opened, other].map(({ address }) => address as Address);
    const settings = [opened, other].map(({ settings_address }) => settings_address as Address);
    const claim = { now: now() + 1, leasedUntil: now() + 60_000, limit: 10 };
    const histories = await historySubscriptions.claimDue(db, environment, claim);
    const proposals = await proposalSubscriptions.claimDue(db, environment, claim);
    expect([histories.map(({ key }) => key).toSorted(), proposals.map(({ key }) => key).toSorted()]).toEqual([
      keys.toSorted(),
      settings.toSorted(),
    ]);
    const write = async () => {
      await followAddresses(db, account, [{ address: "vault", role: "vault" }]);
      expect(await takeIn(db, account, "vault", [listed])).toBe(0);
      const transaction = {
        ...listed,
        confirmed_at: 1_000n,
        failed: false,
        error: null,
        kind: "other",
        found_at: "vault",
      };
      const { confirmedAt: _, ...read } = transaction;
      expect(await saveRead(db, account, [{ transaction: read, transfers: [] }], ["one"])).toBe(0);
      expect(await dropForked(db, account, "vault", { beforeSlot: 100n, listed: [] })).toEqual([]);
      await saveProposals(db, settings.map(proposalOf));
      const refreshed = { refreshedAt: now(), nextRunAt: null };
      await historySubscriptions.save(
        db,
        environment,
        histories.map((one) => ({ ...one, ...refreshed, readAt: now(), completeAt: now(), fingerprint: "f" })),
      );
      await proposalSubscriptions.save(
        db,
        environment,
        proposals.map((one) => ({ ...one, ...refreshed, transactionIndex: 5n, readSlot: 9n })),
      );
    };
    const state = async () => {
      const watches = await db.selectFrom("history_watch").select(["account_address", "complete_at"]).execute();
      const proposed = await db
        .selectFrom("proposal_watch")
        .select(["settings_address", "transaction_index"])
        .execute();
      return { watches, proposed };
    };
    await releaseNow(opened.address);
    await write();
    expect(await state()).toEqual({
      watches: [{ account_address: other.address, complete_at: BigInt(now()) }],
      proposed: [{ settings_address: other.settings_address, transaction_index: 5n }],
    });
    const rows = await db.selectFrom("proposal").select("settings_address").execute();
    expect(rows).toEqual([{ settings_address: other.settings_address }]);
    await importAs(key, opened);
    await write();
    expect((await state()).watches).toContainEqual({ account_address: opened.address, complete_at: null });
    expect((await state()).proposed).toContainEqual({
      settings_address: opened.settings_address,
      transaction_index: 0n,
    });
    for (const table of ["history_address", "history_unread", "history_transaction"]) {
      expect(await countOf(table), table).toBe(0);
    }
  });
});

describe("a subscription that a wake has left behind a release", () => {
  it("is removed by the followers, and counts for no later import", async () => {
    const { db } = test.needs;
    const [key, account] = await openImported();
    await test.airdrop(account.address, "sol", "5000000000");
    await test.call(listTransfers, { params: { address: account.address } });
    const leftBehind = {
      history: { environment, account_address: account.address, active_at: 1n, complete_at: 99n, read_at: 99n },
      proposal: {
        environment,
        settings_address: account.settings_address,
        active_at: 1n,
        due_at: 0n,
        transaction_index: 7n,
      },
    };
    await releaseNow(account.address);
    await db
      .insertInto("history_watch")
      .values({ ...leftBehind.history, due_at: 0n } as never)
      .execute();
    await db
      .insertInto("proposal_watch")
      .values({ ...leftBehind.proposal, stale_transaction_index: 0n, read_slot: 1n } as never)
      .execute();
    await createHistoryFollower(test.needs).tick(test.network);
    await createProposalFollower(test.needs).tick(test.network);
    const found = async () => [
      await db
        .selectFrom("history_watch")
        .select("complete_at")
        .where("account_address", "=", account.address)
        .execute(),
      await db
        .selectFrom("proposal_watch")
        .select("transaction_index")
        .where("settings_address", "=", account.settings_address)
        .execute(),
    ];
    expect(await found()).toEqual([[], []]);
    await db
      .insertInto("history_watch")
      .values({ ...leftBehind.history, due_at: null } as never)
      .execute();
    await db
      .insertInto("proposal_watch")
      .values({ ...leftBehind.proposal, due_at: null, stale_transaction_index: 0n, read_slot: 1n } as never)
      .execute();
    await importAs(key, account);
    expect(await found()).toEqual([[{ complete_at: null }], [{ transaction_index: 0n }]]);
    const transfers = await test.page(listTransfers, { params: { address: account.address } });
    expect(transfers.items).toHaveLength(1);
  });

  it("is not made by a wake after it", async () => {
    const { db } = test.needs;
    const [, account] = await openImported();
    await releaseNow(account.address);
    await wakeHistories(db, environment, [account.address], now());
    await wakeProposals(db, environment, [account.settings_address], now());
    for (const kind of [historySubscriptions, proposalSubscriptions]) {
      const key = (kind === historySubscriptions ? account.address : account.settings_address) as Address;
      expect(await kind.get(db, environment, key)).toMatchObject({ accountNumber: null, activeAt: 0 });
    }
  });
});

describe("a call that an account is released under", () => {
  /** The node's first simulation comes after the release. */
  const releasing = (address: string): Network => {
    let isReleased = false;
    return bendNetwork(test.network, async ({ method, ask }) => {
      if (method === "simulateTransaction" && !isReleased) {
        isReleased = true;
        await releaseNow(address);
      }
      return ask();
    });
  };
  // The server's word for `account_not_found`.
  const refused = { code: "TF002" };

  it("stores no payment", async () => {
    const payer = await openPayer(test, "prepares@example.org");
    await expect(prepareIntent(test, payer, {}, { network: releasing(payer.address) })).rejects.toMatchObject(refused);
    expect([await countOf("payment_intent"), await countOf("prepared_transaction")]).toEqual([0, 0]);
  });

  it("signs and sends no transaction", async () => {
    const payer = await openPayer(test, "submits@example.org");
    const prepared = await prepareIntent(test, payer);
    await test.needs.db.deleteFrom("payment_intent").execute();
    const before = await countOf("submission");
    const submitted = test.call(submitTransactions, {
      params: { address: payer.address },
      body: { transaction: prepared.transaction, kms_payloads: stampsOf(prepared, payer) },
      network: releasing(payer.address),
    });
    await expect(submitted).rejects.toMatchObject(refused);
    expect(await countOf("submission")).toBe(before);
  });
});

// The embedded database has one connection.
describe.skipIf(postgresUrl === undefined)("a release", () => {
  it("waits for what is storing a transaction of the account, and is refused by it", async () => {
    const { db } = test.needs;
    const [key, account] = await openImported();
    const proof = await releaseProofOf(key, account);
    const { releasing } = await db.transaction().execute(async (trx) => {
      await sql`select held_account('sandbox', ${account.address}, ${test.caller.tenantId})`.execute(trx);
      const releasing = release(account, { proof }).then(
        () => "released",
        (error: { code: string }) => error.code,
      );
      await until(async () => {
        const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database()`.execute(db);
        return rows.length > 0;
      });
      await sql`insert into submission (id, tenant_id, environment, account_address, purpose, signature, wire_transaction,
          last_valid_block_height, recorded_slot, state, reserved_lamports, created_at, updated_at, looked_at, carried)
        values ('held', ${test.caller.tenantId}, 'sandbox', ${account.address}, 'transaction', 'held', '\\x01', 1, 1, 'signed', 0, 1, 1, 0,
          false)`.execute(trx);
      return { releasing };
    });
    expect(await releasing).toBe("account_in_use");
  });

  it("and an import at the same time leave the account with one tenant, or with none", async () => {
    const [key, account] = await openImported();
    const caller = await test.addTenant("at-once");
    const proof = await releaseProofOf(key, account);
    const [released] = await Promise.allSettled([release(account, { proof }), importAs(key, account, { caller })]);
    expect(released.status).toBe("fulfilled");
    const rows = await test.needs.db
      .selectFrom("account")
      .select("tenant_id")
      .where("address", "=", account.address)
      .execute();
    expect(rows.filter(({ tenant_id }) => tenant_id !== caller.tenantId)).toEqual([]);
    await importAs(key, account, { caller });
  });
});

async function until(found: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; !(await found()); tried += 1) {
    if (tried === 10_000) throw new Error("it did not come about");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
