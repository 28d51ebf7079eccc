import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../../test/adversarial/support.js";
import {
  dataOf,
  may,
  newKey,
  only,
  type Prepared,
  pays,
  proposalsOf,
  refusalOf,
  type View,
} from "../../test/proposals/support.js";
import { useTestService } from "../../test/support/scene.js";

const trellis = useTestService();
const at = proposalsOf(trellis);

describe("a payment that is voted on", () => {
  it("is created, approved, waits for the time lock, and is confirmed; every answer says what it does", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b), may(c)], threshold: 2, time_lock: 3600 }, 10n * sol);
    const payee = makeKey().address;
    const created = await at.propose(account, a, { ...pays(payee, sol), approve: true });
    const { proposalAddress } = created;
    expect(created.summary).toMatchObject([
      {
        type: "create_proposal",
        proposal: proposalAddress,
        transaction_index: 1,
        creator: addressOfKey(a),
        effects: [{ type: "transfer", from: account.address, to: payee, mint: null, amount: sol.toString() }],
      },
      { type: "vote", proposal: proposalAddress, transaction_index: 1, action: "approve", signer: addressOfKey(a) },
    ]);
    expect(BigInt(created.fee.rent_lamports)).toBeGreaterThan(0n);

    const before = await at.get(account, proposalAddress);
    expect(before).toMatchObject({
      status: "Active",
      approved: [addressOfKey(a)],
      votesNeeded: 1,
      kind: "transaction",
    });
    expect(before.balanceChanges).toEqual([
      {
        address: account.address,
        mint: null,
        before: (10n * sol).toString(),
        after: (9n * sol).toString(),
        change: (-sol).toString(),
      },
      { address: payee, mint: null, before: "0", after: sol.toString(), change: sol.toString() },
    ]);
    expect(before.warnings).toEqual([]);

    const against = await at.cast(account, proposalAddress, "reject", [c]);
    expect(against.summary).toMatchObject([{ type: "vote", action: "reject", signer: addressOfKey(c) }]);
    await at.cast(account, proposalAddress, "approve", [b]);
    const approved = await at.get(account, proposalAddress);
    expect(approved).toMatchObject({ status: "Approved", rejected: [addressOfKey(c)], votesNeeded: 0 });
    const early = await at.execute(account, proposalAddress, c);
    expect(refusalOf(early)).toEqual([409, "time_lock_not_released"]);
    expect((early.body as { details: { released_at: string }[] }).details[0]?.released_at).toBe(approved.executableAt);

    await trellis.network.sandbox?.advanceClock(3600);
    const executed = await at.run(account, proposalAddress, c);
    expect(executed.summary).toMatchObject([
      { type: "execute_proposal", signer: addressOfKey(c), effects: [{ type: "transfer", to: payee }] },
    ]);
    expect(await trellis.lamportsOf(payee)).toBe(sol);
    const { body } = await at.list(account);
    expect((body as { data: View[] }).data).toMatchObject([{ proposalAddress, status: "Executed", closed: false }]);
  });

  it("is approved and executed in one transaction where no time lock stands in between", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b)], threshold: 2 }, 10n * sol);
    const payee = makeKey().address;
    const { proposalAddress } = await at.propose(account, a, pays(payee, 6n * sol));
    const prepared = dataOf<Prepared>(await at.voteAndExecute(account, proposalAddress, [a, b]));
    expect(prepared.signers).toEqual([addressOfKey(a), addressOfKey(b)]);
    expect(prepared.proposal.warnings).toMatchObject([{ code: "no_time_lock", mint: null }]);
    dataOf(await at.submit(account, only(prepared), [a, b]));
    expect(await trellis.lamportsOf(payee)).toBe(6n * sol);
    expect((await at.get(account, proposalAddress)).status).toBe("Executed");
  });
});

describe("a change of settings that is voted on", () => {
  it("takes effect when it is executed, and makes older proposals stale", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b)], threshold: 1 }, 10n * sol);
    const older = await at.propose(account, a, pays(makeKey().address, sol));
    const { proposalAddress } = await at.propose(account, a, {
      type: "settings",
      actions: [
        { type: "AddSigner", newSigner: { address: addressOfKey(c), mask: 7 } },
        { RemoveSigner: { oldSigner: addressOfKey(b) } },
        { type: "ChangeThreshold", newThreshold: 2 },
      ],
    });
    const vote = await at.cast(account, proposalAddress, "approve", [b]);
    expect(vote.proposal.warnings).toMatchObject([
      { code: "removes_signer", signers: [addressOfKey(b)], caller: true },
    ]);
    await at.run(account, proposalAddress, a);
    const { policies } = await trellis.client.accounts.get(account.address);
    expect(policies.threshold).toBe(2);
    expect(policies.signers.map(({ address }) => address).sort()).toEqual([addressOfKey(a), addressOfKey(c)].sort());
    const stale = await at.get(account, older.proposalAddress);
    expect(stale).toMatchObject({ status: "Active", stale: true });
    expect(refusalOf(await at.vote(account, older.proposalAddress, "approve", [a]))).toEqual([409, "stale_proposal"]);
  });
});

const sol = 1_000_000_000n;
