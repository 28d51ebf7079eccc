import {
  createProposalInstruction,
  createSettingsTransactionInstruction,
  deriveProposalAddress,
} from "@trellis/program-client";
import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../../test/adversarial/support.js";
import { sendElsewhere } from "../../test/proposals/other-client.js";
import {
  byBytes,
  dataOf,
  may,
  newKey,
  only,
  pays,
  preparedOf,
  refusalOf,
  useProposals,
} from "../../test/proposals/support.js";

const { trellis, at } = useProposals({ TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000" });
const sol = 1_000_000_000n;
const payee = makeKey().address;

describe("creating", () => {
  it("needs CAN_INITIATE, and CAN_VOTE to approve at once", async () => {
    const [a, voter, initiator] = [newKey(), newKey(), newKey()];
    const signers = [may(a), may(voter, ["CAN_VOTE"]), may(initiator, ["CAN_INITIATE"])];
    const account = await at.open({ signers, threshold: 1 }, sol);
    const by = (key: Uint8Array, more = {}) =>
      at.create(account, { signer: addressOfKey(key), ...pays(payee, 1_000_000n), ...more });
    expect(refusalOf(await by(voter))).toEqual([403, "insufficient_permissions"]);
    expect(refusalOf(await by(newKey()))).toEqual([403, "insufficient_permissions"]);
    expect(refusalOf(await by(initiator, { approve: true }))).toEqual([403, "insufficient_permissions"]);
    dataOf(await by(initiator));
  });

  it("does not need the money yet, and reports that it is missing when it is read", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 });
    const { proposalAddress } = await at.propose(account, a, pays(payee, sol));
    const view = await at.get(account, proposalAddress);
    expect(view.balanceChanges).toBeUndefined();
    expect(view.simulationError).toEqual(expect.any(String));
    expect(view.warnings.map(({ code }) => code)).toEqual(["no_time_lock", "simulation_failed"]);
    await trellis.network.sandbox?.airdrop(account.address, 3n * sol);
    expect((await at.get(account, proposalAddress)).warnings).toEqual([]);
  });

  it("refuses dead ends, service keys and unknown currencies", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const to = (body: object) => at.create(account, { signer: addressOfKey(a), ...pays(payee, 1n), ...body });
    expect(refusalOf(await to({ destination: account.settings }))).toEqual([400, "invalid_address"]);
    const { feePayer } = trellis.network;
    expect(refusalOf(await to({ destination: { address: feePayer.address } }))).toEqual([400, "forbidden_account"]);
    expect(refusalOf(await to({ currency: "doge" }))).toEqual([400, "unsupported_currency"]);
    expect(refusalOf(await to({ amount: "0" }))).toEqual([400, "invalid_amount"]);
  });

  it("refuses changes that lead to a policy that no account may have", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b, ["CAN_VOTE"])], threshold: 1 });
    const propose = async (...actions: object[]) =>
      refusalOf(await at.create(account, { signer: addressOfKey(a), type: "settings", actions }));
    const invalid = [400, "invalid_policies"];
    expect(await propose({ type: "ChangeThreshold", newThreshold: 3 })).toEqual(invalid);
    expect(await propose({ type: "RemoveSigner", oldSigner: addressOfKey(a) })).toEqual(invalid);
    expect(await propose({ type: "RemoveSigner", oldSigner: makeKey().address })).toEqual(invalid);
    expect(await propose({ type: "SetTimeLock", newTimeLock: 7_776_001 })).toEqual(invalid);
    expect(await propose({ type: "ChangeThreshold", newThreshold: 1 })).toEqual([400, "no_changes"]);
    const add = (address: string, mask = 7) => propose({ type: "AddSigner", newSigner: { address, mask } });
    expect(await add(addressOfKey(b))).toEqual(invalid);
    expect(await add(makeKey().address, 8)).toEqual(invalid);
    expect(await add("nobody")).toEqual([400, "invalid_address"]);
    expect(await add(account.address)).toEqual([400, "forbidden_account"]);
    expect(await add(trellis.feePayer)).toEqual([400, "forbidden_account"]);
    expect(await propose({ type: "RemoveSpendingLimit", spendingLimit: makeKey().address })).toEqual([
      400,
      "invalid_address",
    ]);
    expect(await propose()).toEqual([400, "invalid_request"]);
  });

  it("leaves the settings of an account with an admin to the admin", async () => {
    const [a, admin] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a)], threshold: 1, admin_address: addressOfKey(admin) });
    const actions = [{ type: "SetTimeLock", newTimeLock: 60 }];
    expect(refusalOf(await at.create(account, { signer: addressOfKey(a), type: "settings", actions }))).toEqual([
      400,
      "admin_required",
    ]);
  });

  it("grants a spending limit, and removes it again", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const limit = { amount: 5_000_000, period: "daily", signers: [makeKey().address], destinations: [payee] };
    const created = await at.propose(account, a, {
      type: "settings",
      actions: [{ AddSpendingLimit: limit }],
      approve: true,
    });
    const [item] = created.summary as { actions: { spending_limit: string }[] }[];
    const view = await at.get(account, created.proposalAddress);
    expect(view.warnings).toMatchObject([{ code: "grants_spending_limit", signers: limit.signers }]);
    const executed = await at.run(account, created.proposalAddress, a);
    expect(BigInt(executed.fee.rent_lamports)).toBeGreaterThan(0n);
    const spendingLimit = item?.actions[0]?.spending_limit;
    const removal = await at.propose(account, a, {
      type: "settings",
      actions: [{ type: "RemoveSpendingLimit", spendingLimit }],
    });
    const done = preparedOf(await at.voteAndExecute(account, removal.proposalAddress, [a]));
    dataOf(await at.submit(account, only(done), [a]));
    expect((await at.get(account, removal.proposalAddress)).status).toBe("Executed");
  });

  it("takes the next index or none: of two prepared side by side the second is refused", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const body = { signer: addressOfKey(a), ...pays(payee, 1_000_000n) };
    const [first, second] = await Promise.all([at.create(account, body), at.create(account, body)]);
    const [one, two] = [preparedOf(first), preparedOf(second)];
    expect(one.proposalAddress).toBe(two.proposalAddress);
    const outcomes = await Promise.all([one, two].map((made) => at.submit(account, only(made), [a])));
    const refused = outcomes.filter(({ status }) => status >= 300);
    expect(refused.map(refusalOf)).toEqual([[409, "proposal_index_conflict"]]);
  });

  it("is paid by the service for twenty open ones of an account, then by the proposer", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const body = { signer: addressOfKey(a), ...pays(payee, 1_000_000n) };
    for (let i = 0; i < 19; i += 1) await at.propose(account, a, body);
    const prepared = preparedOf(await at.create(account, body));
    await at.propose(account, a, body);
    expect(refusalOf(await at.create(account, body))).toEqual([429, "sponsorship_limit_exceeded"]);
    const late = await at.submit(account, only(prepared), [a]);
    expect([409, 429]).toContain(late.status);
    const payer = newKey();
    await trellis.network.sandbox?.airdrop(addressOfKey(payer), sol);
    const own = { fee_config: { self_managed_fees: true }, payer_address: addressOfKey(payer) };
    dataOf(await at.create(account, { ...body, ...own }));
  }, 60_000);
});

describe("voting", () => {
  it("leaves out who voted so already, and votes beyond the one that decides", async () => {
    const keys = Array.from({ length: 4 }, newKey);
    const [a = newKey(), b = newKey(), c = newKey()] = keys;
    const account = await at.open({ signers: keys.map((key) => may(key)), threshold: 3 }, sol);
    const { proposalAddress } = await at.propose(account, a, { ...pays(payee, 1_000_000n), approve: true });
    expect(refusalOf(await at.vote(account, proposalAddress, "approve", [a]))).toEqual([409, "already_voted"]);
    const prepared = preparedOf(await at.vote(account, proposalAddress, "approve", keys));
    expect(prepared.signers).toEqual([b, c].map(addressOfKey));
    dataOf(await at.submit(account, prepared.transaction, [b, c]));
    expect(await at.get(account, proposalAddress)).toMatchObject({ status: "Approved" });
  });

  it("takes eight votes in one transaction", async () => {
    const keys = Array.from({ length: 8 }, newKey);
    const [a = newKey()] = keys;
    const account = await at.open({ signers: keys.map((key) => may(key)), threshold: 8 }, sol);
    const { proposalAddress } = await at.propose(account, a, pays(payee, 1_000_000n));
    const prepared = await at.cast(account, proposalAddress, "approve", keys);
    expect(prepared.signers).toEqual(keys.map(addressOfKey));
    expect((await at.get(account, proposalAddress)).status).toBe("Approved");
  });

  it("lets a signer change its mind while the vote is open, and rejects once approval is impossible", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b), may(c)], threshold: 2 }, sol);
    const { proposalAddress } = await at.propose(account, a, { ...pays(payee, 1_000_000n), approve: true });
    await at.cast(account, proposalAddress, "reject", [a]);
    expect(await at.get(account, proposalAddress)).toMatchObject({ approved: [], rejected: [addressOfKey(a)] });
    await at.cast(account, proposalAddress, "reject", [b, c]);
    const view = await at.get(account, proposalAddress, "?showOnChainStatus=true");
    expect(view).toMatchObject({ status: "rejected", rejected: [a, b].map(addressOfKey).sort(byBytes) });
    for (const action of ["approve", "cancel"]) {
      const refused = await at.vote(account, proposalAddress, action, [c]);
      expect(refusalOf(refused)).toEqual([409, "invalid_proposal_status"]);
    }
  });

  it("cancels what was approved and not executed, and nothing else", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b)], threshold: 1 }, sol);
    const { proposalAddress } = await at.propose(account, a, pays(payee, 1_000_000n));
    const cancel = await at.vote(account, proposalAddress, "cancel", [a]);
    expect(refusalOf(cancel)).toEqual([409, "invalid_proposal_status"]);
    await at.cast(account, proposalAddress, "approve", [a]);
    expect(refusalOf(await at.vote(account, proposalAddress, "reject", [b]))).toEqual([409, "invalid_proposal_status"]);
    await at.cast(account, proposalAddress, "cancel", [b]);
    expect(await at.get(account, proposalAddress)).toMatchObject({ status: "Cancelled", cancelled: [addressOfKey(b)] });
    const executed = await at.execute(account, proposalAddress, a);
    expect(refusalOf(executed)).toEqual([409, "invalid_proposal_status"]);
  });

  it("is for members with CAN_VOTE, and the vote prepared before a change of settings is refused after it", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const signers = [may(a), may(b), may(c, ["CAN_EXECUTE"])];
    const account = await at.open({ signers, threshold: 1 }, sol);
    const { proposalAddress } = await at.propose(account, a, pays(payee, 1_000_000n));
    for (const key of [c, newKey()]) {
      const refused = await at.vote(account, proposalAddress, "approve", [key]);
      expect(refusalOf(refused)).toEqual([403, "insufficient_permissions"]);
    }
    const [stays, leaves] = await Promise.all(
      [a, b].map(async (key) => preparedOf(await at.vote(account, proposalAddress, "approve", [key]))),
    );
    const patch = { signers: [may(a), may(c, ["CAN_EXECUTE"])], transaction_signers: [addressOfKey(a)] };
    const change = preparedOf(await at.request("PATCH", account, "", patch));
    dataOf(await at.submit(account, change.transaction, [a]));
    const removed = await at.submit(account, leaves?.transaction ?? "", [b]);
    expect(refusalOf(removed)).toEqual([403, "insufficient_permissions"]);
    expect(refusalOf(await at.submit(account, stays?.transaction ?? "", [a]))).toEqual([409, "stale_proposal"]);
  });

  it("reports the outcome to the loser of a race for the last vote", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b)], threshold: 1 }, sol);
    const { proposalAddress } = await at.propose(account, a, pays(payee, 1_000_000n));
    const votes = await Promise.all(
      [a, b].map(async (key) => preparedOf(await at.vote(account, proposalAddress, "approve", [key]))),
    );
    const outcomes = await Promise.all([a, b].map((key, i) => at.submit(account, votes[i]?.transaction ?? "", [key])));
    expect(outcomes.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status >= 300).map(refusalOf)).toEqual([[409, "invalid_proposal_status"]]);
  });

  it("opens a draft first, where a voter may", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b, ["CAN_VOTE"])], threshold: 1 });
    const common = { settings: account.settings, transactionIndex: 1n, creator: addressOfKey(a) };
    await sendElsewhere(trellis, [a], (payer) => [
      createSettingsTransactionInstruction({
        ...common,
        rentPayer: payer,
        actions: [{ __kind: "SetTimeLock", newTimeLock: 5 }],
      }),
      createProposalInstruction({ ...common, rentPayer: payer, draft: true }),
    ]);
    const proposal = deriveProposalAddress(account.settings, 1n);
    expect(await at.get(account, proposal)).toMatchObject({ status: "Active", votesNeeded: 1 });
    expect(await at.get(account, proposal, "?showOnChainStatus=true")).toMatchObject({ status: "draft" });
    expect(refusalOf(await at.vote(account, proposal, "approve", [b]))).toEqual([409, "invalid_proposal_status"]);
    const prepared = await at.cast(account, proposal, "approve", [a]);
    expect(prepared.summary.map(({ type }) => type)).toEqual(["activate_proposal", "vote"]);
    expect(await at.get(account, proposal)).toMatchObject({ status: "Approved" });
  });

  it("is 403 on a proposal of other settings, whoever owns them, and 404 on what is no proposal", async () => {
    const a = newKey();
    const [mine, foreign] = [
      await at.open({ signers: [may(a)], threshold: 1 }, sol),
      await at.open({ signers: [may(a)], threshold: 1 }, sol),
    ];
    const { proposalAddress } = await at.propose(foreign, a, pays(payee, 1_000_000n));
    const mismatch = await at.vote(mine, proposalAddress, "approve", [a]);
    expect(refusalOf(mismatch)).toEqual([403, "proposal_account_mismatch"]);
    for (const missing of [deriveProposalAddress(mine.settings, 9n), mine.address, "nobody"]) {
      expect(refusalOf(await at.vote(mine, missing, "approve", [a]))).toEqual([404, "proposal_not_found"]);
    }
  });
});
