import { deriveProposalAddress } from "@trellis/program-client";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../../test/adversarial/support.js";
import {
  may,
  newKey,
  type Opened,
  only,
  pays,
  preparedOf,
  refusalOf,
  useProposals,
} from "../../test/proposals/support.js";
import { asOtherTenant } from "../../test/support/other-tenant.js";

const { trellis, at } = useProposals();
const sol = 1_000_000_000n;
const payee = makeKey().address;

describe("200", () => {
  it("adds the approvals that are missing, and executes in the same transaction", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b), may(c)], threshold: 2 }, sol);
    const proposal = await propose(account, a, { approve: true });
    const before = await trellis.lamportsOf(payee);
    const prepared = preparedOf(await at.voteAndExecute(account, proposal, [a, b, c]));
    expect(prepared.signers).toEqual([addressOfKey(b)]);
    expect(prepared.summary.map(({ type }) => type)).toEqual(["vote", "execute_proposal"]);
    await at.send(account, only(prepared), [b]);
    expect(await trellis.lamportsOf(payee)).toBe(before + 2_000_000n);
    const view = await at.get(account, proposal);
    expect([view.status, [...view.approved].sort()]).toEqual(["Executed", [a, b].map(addressOfKey).sort()]);
  });

  it("executes without a vote where it is approved, once its time lock has ended", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1, time_lock: 60 }, sol);
    const proposal = await propose(account, a, { approve: true });
    expect(refusalOf(await at.voteAndExecute(account, proposal, [a]))).toEqual([409, "time_lock_not_released"]);
    await trellis.network.sandbox?.advanceClock(60);
    const prepared = preparedOf(await at.voteAndExecute(account, proposal, [a]));
    expect(prepared.summary.map(({ type }) => type)).toEqual(["execute_proposal"]);
    await at.send(account, only(prepared), [a]);
  });

  it("has a voter who may not execute vote, and another signer execute", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await at.open(
      { signers: [may(a, ["CAN_INITIATE", "CAN_VOTE"]), may(b, ["CAN_EXECUTE"])], threshold: 1 },
      sol,
    );
    const proposal = await propose(account, a);
    const prepared = preparedOf(await at.voteAndExecute(account, proposal, [a, b]));
    expect(prepared.signers).toEqual([a, b].map(addressOfKey));
    await at.send(account, only(prepared), [a, b]);
    expect((await at.get(account, proposal)).status).toBe("Executed");
  });
});

describe("403", () => {
  it("refuses signers who are too few, none of whom may execute, or who are no members", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const voter = ["CAN_INITIATE", "CAN_VOTE"];
    const account = await at.open({ signers: [may(a, voter), may(b, voter), may(c)], threshold: 2 }, sol);
    const proposal = await propose(account, a);
    for (const signers of [[c], [a, b], [b, c, newKey()]]) {
      const refused = await at.voteAndExecute(account, proposal, signers);
      expect(refusalOf(refused)).toEqual([403, "insufficient_permissions"]);
    }
    const tooFew = (await at.voteAndExecute(account, proposal, [c])).body;
    expect(tooFew).toMatchObject({ details: [{ field: "signers", votes_needed: 1 }] });
  });

  it("refuses a proposal of other settings", async () => {
    const a = newKey();
    const [mine, foreign] = [await openAlone(a), await openAlone(a)];
    const refused = await at.voteAndExecute(mine, await propose(foreign, a), [a]);
    expect(refusalOf(refused)).toEqual([403, "proposal_account_mismatch"]);
  });
});

describe("404", () => {
  it("is the answer for a proposal that there is not, and to another tenant", async () => {
    const a = newKey();
    const account = await openAlone(a);
    const proposal = await propose(account, a);
    for (const missing of [deriveProposalAddress(account.settings, 9n), account.address, "nobody"]) {
      expect(refusalOf(await at.voteAndExecute(account, missing, [a]))).toEqual([404, "proposal_not_found"]);
    }
    const path = `/proposals/${proposal}/vote-and-execute`;
    const body = { signers: [addressOfKey(a)] };
    const theirs = await at.request("POST", account, path, body, await asOtherTenant(trellis));
    expect(refusalOf(theirs)).toEqual([404, "account_not_found"]);
  });
});

describe("409", () => {
  it("is the answer under a time lock that begins with the last approval", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1, time_lock: 60 }, sol);
    const refused = await at.voteAndExecute(account, await propose(account, a), [a]);
    expect(refusalOf(refused)).toEqual([409, "time_lock_not_released"]);
  });

  it("is the answer once it is executed: of two that are prepared, one is made", async () => {
    const a = newKey();
    const account = await openAlone(a);
    const proposal = await propose(account, a);
    const prepare = async () => only(preparedOf(await at.voteAndExecute(account, proposal, [a])));
    const both = [await prepare(), await prepare()];
    const before = await trellis.lamportsOf(payee);
    const outcomes = await Promise.all(both.map((transaction) => at.submit(account, transaction, [a])));
    expect(outcomes.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status >= 300).map(refusalOf)).toEqual([[409, "invalid_proposal_status"]]);
    expect(await trellis.lamportsOf(payee)).toBe(before + 2_000_000n);
    expect(refusalOf(await at.voteAndExecute(account, proposal, [a]))).toEqual([409, "invalid_proposal_status"]);
  });

  it("is the answer for a change of settings that was proposed before another change", async () => {
    const a = newKey();
    const account = await openAlone(a);
    const change = (newTimeLock: number) => ({ type: "settings", actions: [{ type: "SetTimeLock", newTimeLock }] });
    const older = await at.propose(account, a, change(5));
    const newer = await at.propose(account, a, change(6));
    const prepared = preparedOf(await at.voteAndExecute(account, newer.proposalAddress, [a]));
    await at.send(account, only(prepared), [a]);
    const refused = await at.voteAndExecute(account, older.proposalAddress, [a]);
    expect(refusalOf(refused)).toEqual([409, "stale_proposal"]);
  });
});

const openAlone = (key: SignerKey) => at.open({ signers: [may(key)], threshold: 1 }, sol);

/** A payment of two thousandths of a SOL; answers its address. */
const propose = async (account: Opened, by: SignerKey, more: object = {}) =>
  (await at.propose(account, by, { ...pays(payee, 2_000_000n), ...more })).proposalAddress;
