import { deriveProposalAddress, deriveSettingsAddress } from "@trellis/program-client";
import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../../test/adversarial/support.js";
import { may, newKey, pays, refusalOf, useProposals } from "../../test/proposals/support.js";
import { asOtherTenant } from "../../test/support/other-tenant.js";

const { trellis, at } = useProposals();
const sol = 1_000_000_000n;
const payee = makeKey().address;

describe("200", () => {
  it("shows the votes, what is to be done, and whose balances that would change", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b)], threshold: 2, time_lock: 60 }, 2n * sol);
    const { proposalAddress, transactionIndex } = await at.propose(account, a, { ...pays(payee, sol), approve: true });
    const view = await at.get(account, proposalAddress);
    expect(view).toMatchObject({
      proposalAddress,
      transactionIndex,
      kind: "transaction",
      status: "Active",
      approved: [addressOfKey(a)],
      rejected: [],
      cancelled: [],
      votesNeeded: 1,
      stale: false,
      closed: false,
      summary: [{ type: "transfer", from: account.address, to: payee, mint: null, amount: sol.toString() }],
      warnings: [],
    });
    expect(view.balanceChanges).toEqual([
      { address: account.address, mint: null, before: `${2n * sol}`, after: `${sol}`, change: `-${sol}` },
      { address: payee, mint: null, before: "0", after: `${sol}`, change: `${sol}` },
    ]);
    expect(view).not.toHaveProperty("executableAt");
  });

  it("shows from when an approved one can be executed, and either status on demand", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1, time_lock: 60 }, 2n * sol);
    const { proposalAddress } = await at.propose(account, a, { ...pays(payee, 1_000_000n), approve: true });
    const view = await at.get(account, proposalAddress);
    expect([view.status, view.votesNeeded]).toEqual(["Approved", 0]);
    const { clock, sandbox } = trellis.network;
    expect(Math.abs(Date.parse(view.executableAt ?? "") - clock.now() - 60_000)).toBeLessThanOrEqual(5_000);
    expect(view.executableInSeconds).toBeGreaterThanOrEqual(55);
    expect(view.executableInSeconds).toBeLessThanOrEqual(60);
    expect((await at.get(account, proposalAddress, "?showOnChainStatus=true")).status).toBe("approved");
    await sandbox?.advanceClock(60);
    expect((await at.get(account, proposalAddress)).executableInSeconds).toBe(0);
    await at.run(account, proposalAddress, a);
    expect((await at.get(account, proposalAddress)).status).toBe("Executed");
  });

  it("reads the chain at the moment of asking: it shows why a payment would fail, until it would not", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 });
    const { proposalAddress } = await at.propose(account, a, pays(payee, sol));
    const poor = await at.get(account, proposalAddress);
    expect(poor.balanceChanges).toBeUndefined();
    expect(poor.simulationError).toEqual(expect.any(String));
    expect(poor.warnings.map(({ code }) => code)).toEqual(["no_time_lock", "simulation_failed"]);
    await trellis.network.sandbox?.airdrop(account.address, 3n * sol);
    const rich = await at.get(account, proposalAddress);
    expect([rich.simulationError, rich.warnings]).toEqual([undefined, []]);
  });

  it("shows as stale what was proposed before a change of settings", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const { proposalAddress } = await at.propose(account, a, pays(payee, 1_000_000n));
    expect((await at.get(account, proposalAddress)).stale).toBe(false);
    const actions = [{ type: "SetTimeLock", newTimeLock: 5 }];
    const change = await at.propose(account, a, { type: "settings", actions, approve: true });
    await at.run(account, change.proposalAddress, a);
    expect((await at.get(account, proposalAddress)).stale).toBe(true);
  });
});

describe("403", () => {
  it("is the answer for a proposal of other settings, whoever owns them", async () => {
    const a = newKey();
    const [mine, foreign] = [await open(a), await open(a)];
    const { proposalAddress } = await at.propose(foreign, a, pays(payee, 1_000_000n));
    const answered = await at.request("GET", mine, `/proposals/${proposalAddress}`);
    expect(refusalOf(answered)).toEqual([403, "proposal_account_mismatch"]);
  });
});

describe("404", () => {
  it("is the answer for anything that is no proposal", async () => {
    const account = await open(newKey());
    const missing = [deriveProposalAddress(account.settings, 9n), account.address, deriveSettingsAddress(1n), "nobody"];
    for (const address of missing) {
      const answered = await at.request("GET", account, `/proposals/${address}`);
      expect(refusalOf(answered)).toEqual([404, "proposal_not_found"]);
    }
  });

  it("is the answer to another tenant", async () => {
    const a = newKey();
    const account = await open(a);
    const { proposalAddress } = await at.propose(account, a, pays(payee, 1_000_000n));
    const other = await asOtherTenant(trellis);
    const answered = await at.request("GET", account, `/proposals/${proposalAddress}`, undefined, other);
    expect(refusalOf(answered)).toEqual([404, "account_not_found"]);
  });
});

const open = (key: Uint8Array) => at.open({ signers: [may(key)], threshold: 1 }, sol);
