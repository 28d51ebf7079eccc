import type { Address } from "@solana/kit";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { importsOf } from "../../test/support/imported-accounts.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { postgresUrl } from "../../test/support/test-database.js";
import { proposalSubscriptions } from "../following/proposal-subscriptions.js";
import { replaceProposals, saveProposals } from "./proposal-write-store.js";

const test = useTestNetwork({ each: true });
const { openImported } = importsOf(test);
const environment = "sandbox";

const proposalOf = (settings_address: string, index: number, slot: number) => ({
  environment,
  settings_address,
  transaction_index: BigInt(index),
  proposal_address: `proposal ${index} of ${settings_address}`,
  transaction_address: "transaction",
  kind: "transaction" as const,
  status: "Active" as const,
  chain_status: "active" as const,
  status_timestamp: BigInt(slot),
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
  opened_at: 1n,
  last_modified_signature: null,
  last_modified_at: null,
  uses_durable_nonce: false,
  reclaimed_lamports: null,
  seen_signature: null,
  read_slot: BigInt(slot),
});

// The embedded database has one connection.
describe.skipIf(postgresUrl === undefined)("writers of proposals and of voters of the same accounts", () => {
  for (const hasRow of [true, false]) {
    it(`take turns, and miss nothing (${hasRow ? "followed" : "not followed yet"})`, async () => {
      const { db } = test.needs;
      const accounts = [(await openImported())[1], (await openImported())[1], (await openImported())[1]];
      const settings = accounts.map(({ settings_address }) => settings_address as Address);
      for (let round = 1; round <= 15; round += 1) {
        if (!hasRow) await db.deleteFrom("proposal_watch").where("settings_address", "in", settings).execute();
        const watches = await Promise.all(settings.map((key) => proposalSubscriptions.get(db, environment, key)));
        const voter = `voter ${round}`;
        const rowsOf = (index: number) => settings.map((each) => proposalOf(each, index, round));
        const refreshes = watches.map((one) => ({
          ...one,
          refreshedAt: round,
          nextRunAt: round,
          transactionIndex: 3n,
          readSlot: BigInt(round),
          voters: JSON.stringify([voter]),
        }));
        const replaced = (of: Address) =>
          db.transaction().execute((trx) => replaceProposals(trx, environment, of, [proposalOf(of, 4, round)]));
        const done = await Promise.allSettled([
          saveProposals(db, [...rowsOf(1)].reverse()),
          proposalSubscriptions.save(db, environment, refreshes),
          saveProposals(db, rowsOf(1)),
          saveProposals(db, rowsOf(2)),
          proposalSubscriptions.save(db, environment, [...refreshes].reverse()),
          ...settings.map(replaced),
        ]);
        expect(done.filter(({ status }) => status === "rejected")).toEqual([]);
        const { rows: missed } = await sql`select proposal.settings_address, proposal.transaction_index from proposal
          where not exists (select from proposal_listing as listing
            where listing.settings_address = proposal.settings_address
              and listing.transaction_index = proposal.transaction_index and signer_address = ${voter} and waits)`.execute(
          db,
        );
        expect([round, missed]).toEqual([round, []]);
      }
    });
  }
});
