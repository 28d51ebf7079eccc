import { sql } from "kysely";
import { expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import type { FinalOutcome } from "./submission.js";
import { recordOutcome } from "./submission-store.js";

const test = useTestNetwork();

it("that a payment has landed waits for no disk, as the chain says it again; what has not landed does", async () => {
  const { db } = test.needs;
  await noteCommits();
  const usual = await commitSetting();
  const outcomes: readonly FinalOutcome[] = [
    { state: "landed", signature: "one", slot: 7n, blockTime: 1 },
    { state: "failed", signature: "two", failure: { error: "why", logs: [] } },
    { state: "landed", signature: "three", slot: 7n, blockTime: 1 },
    { state: "expired", signature: "four" },
  ];
  for (const { signature } of outcomes) await insert(signature);
  await Promise.all(outcomes.map((outcome) => recordOutcome(db, test.network, { id: outcome.signature, outcome })));
  const { rows } = await sql`select id, setting from noted_commit order by id`.execute(db);
  expect(rows).toEqual([
    { id: "four", setting: usual },
    { id: "one", setting: "off" },
    { id: "three", setting: "off" },
    { id: "two", setting: usual },
  ]);
  // The connection's next commit waits again.
  expect(await commitSetting()).toBe(usual);
});

const commitSetting = async () =>
  (await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(test.needs.db)).rows[0]
    ?.synchronous_commit;

/** Writes down how each commit of an ended submission is made, as late in it as can be. */
async function noteCommits(): Promise<void> {
  const { db } = test.needs;
  await sql`create table noted_commit (id text, setting text)`.execute(db);
  await sql`create function note_commit() returns trigger language plpgsql as $$
    begin
      insert into noted_commit values (new.id, current_setting('synchronous_commit'));
      return null;
    end $$`.execute(db);
  await sql`create constraint trigger note_commit after update of state on submission deferrable initially deferred
    for each row execute function note_commit()`.execute(db);
}

const insert = (id: string) =>
  sql`insert into submission (id, environment, purpose, signature, wire_transaction, last_valid_block_height, state,
      reserved_lamports, created_at, updated_at, looked_at)
    values (${id}, 'sandbox', 'account_creation', ${id}, '', 1, 'signed', 0, 1, 1, 0)`.execute(test.needs.db);
