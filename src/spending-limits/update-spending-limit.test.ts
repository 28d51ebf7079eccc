import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { dataOf, may, newKey, only, type Prepared, refusalOf } from "../../test/proposals/support.js";
import { bareOf, limitsOf, type PreparedLimit, type WireLimit } from "../../test/spending-limits/support.js";
import { useTestService } from "../../test/support/scene.js";

const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "100" });
const api = limitsOf(trellis);
const [a, b, spender] = [newKey(), newKey(), newKey()];
const payee = addressOfKey(newKey());
const terms = { amount: 5_000_000, mint: "sol", period: "week", spending_limit_signers: [addressOfKey(spender)] };

describe("an exchange of a spending limit", () => {
  it("keeps what is not named, starts anew, and has an address of its own", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 }, 1_000_000_000n);
    const old = await api.grant(account, { ...terms, destinations: [payee] }, [a]);
    await api.payNow(account, old, spender, payee, 4_000_000n);
    const answer = await api.update(account, old, { amount: "9000000" });
    expect(answer.status).toBe(200);
    const prepared = bareOf<PreparedLimit>(answer);
    expect(typesIn(prepared.summary)).toEqual(["add_spending_limit", "remove_spending_limit"]);
    await api.submitNow(account, prepared, [a]);
    const all = bareOf<WireLimit[]>(await api.limits(account));
    expect(all).toMatchObject([
      {
        address: prepared.spending_limit_address,
        amount: "9000000",
        remaining_amount: "9000000",
        period: "week",
        signers: [addressOfKey(spender)],
        destinations: [payee],
        expiration: null,
      },
    ]);
    expect(all[0]?.address).not.toBe(old);
  });

  it("costs the service no second rent", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const old = await api.grant(account, terms, [a]);
    const network = trellis.network;
    const balance = async () => (await network.rpc.getBalance(network.feePayer.address).send()).value;
    const before = await balance();
    const prepared = bareOf<PreparedLimit>(await api.update(account, old, { period: "day" }));
    await api.submitNow(account, prepared, [a]);
    expect(before - (await balance())).toBe(BigInt(prepared.fee.lamports));
  });

  it("changes the end, also to none", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const expiration = Math.floor(trellis.network.clock.now() / 1000) + 100;
    const old = await api.grant(account, { ...terms, expiration }, [a]);
    const next = bareOf<PreparedLimit>(await api.update(account, old, { expiration: null }));
    await api.submitNow(account, next, [a]);
    expect((await api.limit(account, next.spending_limit_address)).expiration).toBeNull();
  });

  it("of one that has expired says when the new one is to end", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const expiration = Math.floor(trellis.network.clock.now() / 1000) + 30;
    const old = await api.grant(account, { ...terms, expiration }, [a]);
    await trellis.client.sandbox.advanceClock(31);
    expect(refusalOf(await api.update(account, old, { amount: 1 }))).toEqual([400, "invalid_request"]);
    const next = bareOf<PreparedLimit>(await api.update(account, old, { expiration: null }));
    await api.submitNow(account, next, [a]);
    expect(await api.limit(account, next.spending_limit_address)).toMatchObject({ usable: true });
  });

  it("changes something, and is about a limit of this account", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const other = await api.open({ signers: [may(a)], threshold: 1 });
    const limit = await api.grant(account, terms, [a]);
    for (const body of [{}, { amount: "5000000" }, { period: "weekly" }]) {
      expect(refusalOf(await api.update(account, limit, body))).toEqual([400, "no_changes"]);
    }
    expect(refusalOf(await api.update(other, limit, { amount: 1 }))).toEqual([404, "spending_limit_not_found"]);
    expect(refusalOf(await api.update(account, limit, { amount: 0 }))).toEqual([400, "invalid_amount"]);
  });

  it("is made by the admin alone where there is one", async () => {
    const admin = newKey();
    const account = await api.open({ signers: [may(a)], threshold: 1, admin_address: addressOfKey(admin) });
    const old = await api.grant(account, terms, [admin], "?admin=true");
    expect(refusalOf(await api.update(account, old, { amount: 1 }))).toEqual([400, "admin_required"]);
    const next = bareOf<PreparedLimit>(await api.update(account, old, { amount: 1 }, "?admin=true"));
    await api.submitNow(account, next, [admin]);
    expect(bareOf(await api.limits(account))).toMatchObject([{ address: next.spending_limit_address, amount: "1" }]);
  });

  it("is proposed under a time lock: the refusal names both actions", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1, time_lock: 10 });
    const grant = { type: "settings", actions: [{ type: "AddSpendingLimit", ...proposed }], approve: true };
    const first = await api.propose(account, a, grant);
    await trellis.client.sandbox.advanceClock(11);
    await api.run(account, first.proposalAddress, a);
    const [old] = bareOf<WireLimit[]>(await api.limits(account));
    const refused = await api.update(account, old?.address ?? "", { amount: 6_000_000 });
    expect(refusalOf(refused)).toEqual([409, "proposal_required"]);
    const { details } = refused.body as { details: { proposal: { actions: { type: string }[] } }[] };
    expect(details[0]?.proposal.actions.map(({ type }) => type)).toEqual(["AddSpendingLimit", "RemoveSpendingLimit"]);
    const second = await api.propose(account, a, { ...details[0]?.proposal, approve: true });
    await trellis.client.sandbox.advanceClock(11);
    await api.run(account, second.proposalAddress, a);
    expect(bareOf(await api.limits(account))).toMatchObject([{ amount: "6000000", period: "week" }]);
  });
});

const proposed = { mint: null, amount: "5000000", period: "week", signers: [addressOfKey(spender)] };

describe("a list that removes a spending limit", () => {
  it("is stored with the additions in front, whatever order was asked for", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const old = await api.grant(account, terms, [a]);
    const actions = [
      { type: "RemoveSpendingLimit", spendingLimit: old },
      { type: "AddSpendingLimit", ...proposed },
      { type: "AddSigner", newSigner: may(b) },
    ];
    const { proposalAddress, summary } = await api.propose(account, a, { type: "settings", actions, approve: true });
    expect(typesIn(summary)).toEqual(["add_spending_limit", "add_signer", "remove_spending_limit"]);
    const executed = await api.run(account, proposalAddress, a);
    // The settings get the rent of the new signer in front, so that nothing is taken behind the removal.
    expect(executed.summary).toMatchObject([
      { type: "transfer", from: trellis.feePayer, to: account.settings, mint: null },
      { type: "execute_proposal" },
    ]);
    expect(bareOf<WireLimit[]>(await api.limits(account)).map(({ address }) => address)).not.toContain(old);
    expect((await trellis.client.accounts.get(account.address)).policies.signers).toHaveLength(2);
  });

  it("pays the growth of the settings in front where signers are exchanged at once", async () => {
    const account = await api.open({ signers: [may(a), may(b)], threshold: 1 });
    const limit = await api.grant(account, { ...terms, spending_limit_signers: [addressOfKey(b)] }, [a]);
    const signers = [may(a), ...[1, 2, 3].map(() => may(newKey()))];
    const body = { signers, transaction_signers: [addressOfKey(a)] };
    const changed = dataOf<Prepared & { remaining_spending_limits: string[] }>(
      await api.request("PATCH", account, "?remove_spending_limits=true", body),
    );
    expect(changed.remaining_spending_limits).toEqual([]);
    expect(changed.summary).toMatchObject([{ type: "transfer", to: account.settings }, { type: "settings_change" }]);
    expect(typesIn(changed.summary).at(-1)).toBe("remove_spending_limit");
    await api.submitNow(account, changed, [a]);
    expect(refusalOf(await api.request("GET", account, `/spending-limit/${limit}`))).toEqual([
      404,
      "spending_limit_not_found",
    ]);
  });

  it("pays it in front of a vote's execution too", async () => {
    const account = await api.open({ signers: [may(a), may(b)], threshold: 1, time_lock: 5 });
    const grant = { ...proposed, signers: [addressOfKey(b)] };
    const actions = [{ type: "AddSpendingLimit", ...grant }];
    const first = await api.propose(account, a, { type: "settings", actions, approve: true });
    await trellis.client.sandbox.advanceClock(6);
    await api.run(account, first.proposalAddress, a);
    const body = {
      signers: [may(a), ...[1, 2].map(() => may(newKey()))],
      transaction_signers: [addressOfKey(a)],
    };
    const opened = dataOf<{ transaction: string; proposal_address: string }>(
      await api.request("PATCH", account, "?remove_spending_limits=true", body),
    );
    dataOf(await api.submit(account, opened.transaction, [a]));
    await trellis.client.sandbox.advanceClock(6);
    const execution = dataOf<Prepared>(await api.execute(account, opened.proposal_address, a));
    expect(execution.summary).toMatchObject([{ type: "transfer", to: account.settings }, { type: "execute_proposal" }]);
    dataOf(await api.submit(account, only(execution), [a]));
    expect(bareOf(await api.limits(account))).toEqual([]);
    expect((await trellis.client.accounts.get(account.address)).policies.signers).toHaveLength(3);
  });
});

const typesIn = (summary: Record<string, unknown>[]) =>
  summary.flatMap(({ actions }) => (actions as { type: string }[] | undefined)?.map(({ type }) => type) ?? []);
