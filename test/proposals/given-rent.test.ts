import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import { executeSettingsTransactionInstruction } from "@trellis/program-client";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { systemPause } from "../../src/adapters/system.js";
import { closeEndedProposals } from "../../src/proposals/close-proposals.js";
import { createLookout } from "../../src/submissions/lookout.js";
import { settleSubmissions } from "../../src/submissions/settle-submissions.js";
import { makeKey, usdcMint } from "../adversarial/support.js";
import { useTestService } from "../support/scene.js";
import { sendElsewhere } from "./other-client.js";
import { dataOf, may, newKey, type Opened, type Prepared, pays, proposalsOf, refusalOf } from "./support.js";

/** The sandbox by the rules of real clusters: nothing is given away. */

/** Runs on from noon: budgets are those of a day, which is not to end in the middle. */
const untilNoonMs = 43_200_000 - (Date.now() % 86_400_000);
const trellis = useTestService(
  { TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "0", TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000" },
  { realClock: { now: () => Date.now() + untilNoonMs } },
);
const at = proposalsOf(trellis);

describe("the rent of a spending limit, which its remover sends to any address", () => {
  it("is refused where only the service could pay, naming what is missing", async () => {
    const { account, key, proposal } = await approved(withLimit([makeKey().address]));
    const before = await trellis.lamportsOf(trellis.feePayer);
    for (const answered of [
      await at.execute(account, proposal, key),
      await at.voteAndExecute(account, proposal, [key]),
    ]) {
      expect(refusalOf(answered)).toEqual([400, "rent_not_sponsored"]);
      const [detail] = (answered.body as { details: Record<string, string>[] }).details;
      const rent = await trellis.network.rpc.getMinimumBalanceForRentExemption(147n + 32n).send();
      expect(detail).toMatchObject({ rent_lamports: rent.toString(), payer: addressOfKey(key) });
    }
    expect(await trellis.lamportsOf(trellis.feePayer)).toBe(before);
  });

  it("is paid by the signer who executes it, once it can; the service pays the fee alone", async () => {
    const { account, key, proposal } = await approved(withLimit([makeKey().address]));
    await airdrop(addressOfKey(key), 100_000_000n);
    const [service, signer] = [await trellis.lamportsOf(trellis.feePayer), await trellis.lamportsOf(addressOfKey(key))];
    const prepared = await at.run(account, proposal, key);
    expect(prepared.fee).toMatchObject({ rent_lamports: "0", paid_by: trellis.feePayer });
    const rent = await trellis.network.rpc.getMinimumBalanceForRentExemption(147n + 32n).send();
    expect(signer - (await trellis.lamportsOf(addressOfKey(key)))).toBe(rent);
    expect(service - (await trellis.lamportsOf(trellis.feePayer))).toBe(10_000n);
  });

  it("is returned to the payer of the transaction that removes it, by the account's own signers", async () => {
    const { account, key, proposal } = await approved(withLimit([makeKey().address]));
    await airdrop(addressOfKey(key), 100_000_000n);
    const { proposal: view } = await at.run(account, proposal, key);
    const [change] = view.summary as { actions: { spending_limit: Address }[] }[];
    const spendingLimit = change?.actions[0]?.spending_limit ?? trellis.feePayer;
    const rent = await trellis.lamportsOf(spendingLimit);
    const removal = { type: "settings", actions: [{ type: "RemoveSpendingLimit", spendingLimit }] };
    await at.propose(account, key, { ...removal, approve: true });
    const collector = newKey();
    await airdrop(addressOfKey(collector), 100_000_000n);
    await sendElsewhere(trellis, [key, collector], () => [
      executeSettingsTransactionInstruction({
        settings: account.settings,
        transactionIndex: 2n,
        signer: addressOfKey(key),
        rentPayer: addressOfKey(collector),
        actions: [{ __kind: "RemoveSpendingLimit", spendingLimit }],
      }),
    ]);
    expect(await trellis.lamportsOf(addressOfKey(collector))).toBe(100_000_000n + rent);
  });
});

describe("a stored transfer to an owner without a token account", () => {
  it("is executed only once the account itself can pay the rent", async () => {
    const payee = makeKey().address;
    const { account, key, proposal } = await approved({
      type: "transfer",
      currency: "usdc",
      amount: "5",
      destination: payee,
    });
    await trellis.network.sandbox?.mintTo(account.address, usdcMint, 10n);
    expect(refusalOf(await at.execute(account, proposal, key))).toEqual([400, "rent_not_sponsored"]);
    await airdrop(account.address, 2_039_280n);
    const before = await trellis.lamportsOf(trellis.feePayer);
    await at.run(account, proposal, key);
    expect(before - (await trellis.lamportsOf(trellis.feePayer))).toBe(10_000n);
  });
});

describe("the rent of a proposal", () => {
  it("is returned to the service, and then to the budgets it was reserved from, once", async () => {
    const { db } = trellis.service;
    const network = trellis.network;
    const key = newKey();
    const account = await at.open({ signers: [may(key)], threshold: 1 });
    const made = await at.propose(account, key, pays(makeKey().address, 5_000_000n));
    await at.cast(account, made.proposalAddress, "reject", [key]);
    await settleSubmissions(db, network);
    const rent = BigInt(made.fee.rent_lamports);
    expect(await ledger({ heldAt: made.proposalAddress })).toMatchObject([
      {
        kind: "proposal_rent",
        beneficiary: trellis.feePayer,
        is_recoverable: true,
        spent_lamports: rent,
        returned_at: null,
      },
    ]);
    const scopes = [`account:${account.address}`, "tenant:default", "environment"];
    const before = await Promise.all(scopes.map(budgetOf));
    expect(before[0]).toBe(rent + 20_000n);

    await network.sandbox?.advanceClock(limits.proposalClosingDelayMs / 1000 + 60);
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    const close = () =>
      closeEndedProposals({ db, log, pause: systemPause, lookout: createLookout(systemPause) }, network);
    const held = await trellis.lamportsOf(made.proposalAddress);
    expect(held).toBeGreaterThan(0n);
    await Promise.all([close(), close()]);
    await close();
    expect(await trellis.lamportsOf(made.proposalAddress)).toBe(0n);
    const [row] = await ledger({ heldAt: made.proposalAddress });
    expect(row).toMatchObject({ returned_lamports: rent });
    // Those of the other tests are closed by now, too.
    const { returned } = await db
      .selectFrom("sponsored_cost")
      .select(({ fn }) => fn.sum<string>("returned_lamports").as("returned"))
      .executeTakeFirstOrThrow();
    const all = BigInt(returned);
    expect(await Promise.all(scopes.map(budgetOf))).toEqual(
      before.map((lamports, i) => lamports - (i === 0 ? rent : all)),
    );

    // A process that dies between closing and returning leaves the note for the next one.
    await db
      .updateTable("sponsored_cost")
      .set({ returned_at: null, returned_lamports: null })
      .where("held_at", "=", made.proposalAddress)
      .execute();
    await db
      .updateTable("proposal")
      .set({ close_tried_at: 1n })
      .where("proposal_address", "=", made.proposalAddress)
      .execute();
    await db
      .updateTable("sponsorship_budget")
      .set({ lamports: before[0] ?? 0n })
      .where("scope", "=", scopes[0] ?? "")
      .execute();
    await Promise.all([close(), close()]);
    expect(await budgetOf(scopes[0] ?? "")).toBe(20_000n);
  });

  it("that a vote to cancel makes grow is returned with it: only the service gains", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const account = await at.open({ signers: [may(a)], threshold: 1 });
    const { proposalAddress } = await at.propose(account, a, { ...pays(makeKey().address, 5_000_000n), approve: true });
    const patch = { signers: [may(a), may(b), may(c)], threshold: 2 };
    const change = dataOf<Prepared>(await at.request("PATCH", account, "", patch));
    dataOf(await at.submit(account, change.transaction, [a]));
    const growth = await at.cast(account, proposalAddress, "cancel", [a, b]);
    expect(BigInt(growth.fee.rent_lamports)).toBeGreaterThan(0n);
    await settleSubmissions(trellis.service.db, trellis.network);
    const costs = await ledger({ heldAt: proposalAddress });
    expect(
      costs.map(({ kind, beneficiary, is_recoverable }) => [kind, beneficiary, is_recoverable]).toSorted(),
    ).toEqual([
      ["proposal_growth", trellis.feePayer, true],
      ["proposal_rent", trellis.feePayer, true],
    ]);
    expect(await ledger({ heldAt: account.settings })).toMatchObject([{ kind: "settings_rent", beneficiary: null }]);

    await trellis.network.sandbox?.advanceClock(limits.proposalClosingDelayMs / 1000 + 60);
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    const needs = { db: trellis.service.db, log, pause: systemPause, lookout: createLookout(systemPause) };
    // The service's own passes may be at it too, so that one call finds nothing to do and the next one the rest.
    const isReturned = async () => {
      await settleSubmissions(trellis.service.db, trellis.network);
      await closeEndedProposals(needs, trellis.network);
      return (await ledger({ heldAt: proposalAddress })).every(
        ({ spent_lamports, returned_lamports }) => spent_lamports !== null && returned_lamports === spent_lamports,
      );
    };
    await expect.poll(isReturned, { timeout: 50_000, interval: 200 }).toBe(true);
  });
});

const quiet = () => undefined;

const airdrop = (to: Address, lamports: bigint) => trellis.network.sandbox?.airdrop(to, lamports);

/** A fresh account of one key, and an approved proposal of it. */
async function approved(body: object): Promise<{ account: Opened; key: SignerKey; proposal: string }> {
  const key = newKey();
  const account = await at.open({ signers: [may(key)], threshold: 1 });
  const { proposalAddress } = await at.propose(account, key, { ...body, approve: true });
  return { account, key, proposal: proposalAddress };
}

const withLimit = (signers: readonly string[]) => ({
  type: "settings",
  actions: [{ type: "AddSpendingLimit", amount: "1000", period: "day", signers }],
});

const ledger = (submissionOf: { readonly heldAt: string }) =>
  trellis.service.db.selectFrom("sponsored_cost").selectAll().where("held_at", "=", submissionOf.heldAt).execute();

async function budgetOf(scope: string): Promise<bigint> {
  const { db } = trellis.service;
  const row = await db
    .selectFrom("sponsorship_budget")
    .select("lamports")
    .where("scope", "=", scope)
    .executeTakeFirst();
  return row?.lamports ?? 0n;
}
