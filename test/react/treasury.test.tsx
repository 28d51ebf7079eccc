import {
  useAllowances,
  useLabels,
  useProposal,
  useProposals,
  usePropose,
  useShownLabels,
  useSignIn,
  useSpendingLimits,
  useStandingOrders,
} from "@trellis/react";
import { addressOfKey, type ProposedContent, type StandingOrder } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { apiPath, dataOf, makeKey } from "../adversarial/support.js";
import { codeFor, freshEmail, open, page, readingScopes, sharedBackend } from "./support.js";

const backend = sharedBackend();

describe("what a team's page proposes", () => {
  it("is several payments at once, bounded by what the service takes, each of which is shown", async () => {
    const { screen, team, eve } = await openTeam();
    const payees = [makeKey().address, makeKey().address, makeKey().address];
    const transfers = payees.map((destination, at) => ({
      currency: "sol",
      destination,
      amount: 10_000_000n,
      ...(at === 1 ? { memo: "Rent" } : {}),
    }));
    const one = { status: "refused", error: { code: "invalid_request" } };
    for (const count of [1, 21]) {
      const many = Array.from({ length: count }, () => transfers[0] as (typeof transfers)[0]);
      const content = { type: "transfers", transfers: many } as const;
      expect(await screen.does(({ proposing }) => proposing.propose(content))).toMatchObject(one);
    }
    const content: ProposedContent = { type: "transfers", transfers };
    const done = await screen.does(({ proposing }) => proposing.propose(content, { approve: true }));
    expect(done).toMatchObject({ status: "done", action: "propose", proposal: expect.any(String) });
    expect(screen.shown().proposing.state).toEqual(done);
    const { newest } = await screen.until((view) => view.newest.review?.proposal.approved.length === 1);
    expect(newest.review).toMatchObject({ refusal: undefined, executableAtMs: undefined, simulationError: undefined });
    expect(newest.review?.effects.map(({ parts }) => parts.map((part) => Object.values(part)[0]).join(""))).toEqual([
      `Pays 0.01 SOL to ${payees[0]}`,
      "Writes into the transaction, where anyone can read it: “Rent”",
      `Pays 0.01 SOL to ${payees[1]}`,
      `Pays 0.01 SOL to ${payees[2]}`,
    ]);
    const change = newest.review?.balanceChanges.find(({ address }) => address === payees[0]);
    expect(change).toMatchObject({ before: "0", after: "10000000", change: "10000000" });
    const { proposal = "" } = done.status === "done" ? done : {};
    // The other one says what it thinks is decided, and is held to that.
    const { proposals } = backend.trellis.client;
    const act = { account: team, session: eve.session, proposal };
    const swapped = { ...content, transfers: transfers.toReversed() };
    const wrong = proposals.voteAndExecute({ ...act, content: swapped });
    await expect(wrong).rejects.toMatchObject({ difference: expect.any(String) });
    await proposals.voteAndExecute({ ...act, content });
    for (const payee of payees) expect(await backend.trellis.lamportsOf(payee)).toBe(10_000_000n);
    await screen.leave();
  });

  it("is another policy, reached from what the account has, and a time lock whose end is shown", async () => {
    const { screen, team, eve } = await openTeam();
    const { client } = backend.trellis;
    const { policies } = await client.accounts.get(team);
    const [first, second] = policies.signers;
    if (first === undefined || second === undefined) throw new Error("it has two signers");
    const joins = { address: addressOfKey(new Uint8Array(32).fill(9)), permissions: ["CAN_VOTE"] as const };
    const signers = [first, { ...second, permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const }, joins];
    const changes = { signers, threshold: 2, time_lock: 600 };
    const approve = { approve: true };
    await screen.does(({ proposing }) => proposing.propose({ type: "policy", changes }, approve));
    const { newest } = await screen.until((view) => view.newest.review?.proposal.approved.length === 1);
    expect(newest.review?.effects.map(({ entry }) => entry.type)).toEqual(["add_signer", "set_time_lock"]);
    const proposal = newest.review?.proposal.proposalAddress ?? "";
    await client.proposals.voteAndExecute({ account: team, session: eve.session, proposal });
    expect((await client.accounts.get(team)).policies).toMatchObject({ threshold: 2, time_lock: 600 });

    const transfer = {
      type: "transfer",
      currency: "sol",
      destination: makeKey().address,
      amount: 10_000_000n,
    } as const;
    const done = await screen.does(({ proposing }) => proposing.propose(transfer, approve));
    const { proposal: next = "" } = done.status === "done" ? done : {};
    await client.proposals.vote({ account: team, session: eve.session, proposal: next, action: "approve" });
    const isApproved = (view: View) => view.newest.review?.proposal.status === "Approved";
    await screen.until((view) => view.newest.review?.proposal.proposalAddress === next);
    await screen.does((view) => view.newest.refetch());
    const { review } = (await screen.until(isApproved)).newest;
    const now = backend.trellis.network.clock.now();
    expect((review?.executableAtMs ?? 0) - now).toBeGreaterThan(500_000);
    expect((review?.executableAtMs ?? 0) - now).toBeLessThanOrEqual(600_000);
    await screen.leave();
  });

  it("is a spending limit, and its end", async () => {
    const { screen, team, eve } = await openTeam();
    const { proposals } = backend.trellis.client;
    const decide = async (content: Parameters<View["proposing"]["propose"]>[0]) => {
      const done = await screen.does(({ proposing }) => proposing.propose(content, { approve: true }));
      const { proposal = "" } = done.status === "done" ? done : {};
      await proposals.voteAndExecute({ account: team, session: eve.session, proposal });
      await screen.does(({ limits }) => limits.refetch());
    };
    const spender = addressOfKey(new Uint8Array(32).fill(7));
    const limit = { currency: "sol", uiAmount: "0.5", period: "week", signers: [spender] } as const;
    await decide({ type: "spending_limit", limit });
    const [made] = screen.shown().limits.data ?? [];
    expect(made).toMatchObject({ amount: "500000000", period: "week", signers: [spender] });
    await decide({ type: "settings", actions: [{ type: "RemoveSpendingLimit", spendingLimit: made?.address ?? "" }] });
    expect(screen.shown().limits.data).toEqual([]);
    await screen.leave();
  });
});

describe("an agent's allowance on a page", () => {
  it("is proposed and approved, listed when it is executed, and taken back", async () => {
    const { screen, team, eve } = await openTeam();
    const { proposals } = backend.trellis.client;
    const execute = async (done: Awaited<ReturnType<View["allowances"]["give"]>>) => {
      expect(done).toMatchObject({ status: "done", action: "propose" });
      const { proposal = "" } = done.status === "done" ? done : {};
      await proposals.voteAndExecute({ account: team, session: eve.session, proposal });
      await screen.does(({ allowances }) => allowances.refetch());
    };
    const agent = addressOfKey(new Uint8Array(32).fill(8));
    const payee = makeKey().address;
    const end = new Date(Math.floor(backend.trellis.network.clock.now() / 1000 + 86_400) * 1000);
    const wanted = { agent, currency: "sol", uiAmount: "0.5", period: "day", payees: [payee], end } as const;
    await execute(await screen.does(({ allowances }) => allowances.give(wanted)));
    const [given] = screen.shown().allowances.data ?? [];
    expect(given).toMatchObject({ account: team, agents: [agent], amount: 500_000_000n, remaining: 500_000_000n });
    expect(given).toMatchObject({ period: "day", payees: [payee], end, usable: true, mint: null });
    if (given === undefined) throw new Error("it was given");
    await execute(await screen.does(({ allowances }) => allowances.revoke(given)));
    expect(screen.shown().allowances.data).toEqual([]);
    await screen.leave();
  });
});

describe("standing orders on a page", () => {
  it("are given where the user acts alone, and cancelled", async () => {
    const { screen, own } = await openTeam();
    await screen.chooses(own);
    const payee = makeKey().address;
    const order = { currency: "sol", amount: 1_000_000n, payee, frequency: "monthly" } as const;
    const made = await screen.does(({ orders }) => orders.create(order));
    expect(made).toMatchObject({ status: "done", action: "create", signature: expect.any(String) });
    expect(made).not.toHaveProperty("proposal");
    const id = made.status === "done" ? made.order : "";
    await screen.until(({ orders }) => orders.data?.some((one) => one.id === id && one.status === "active") === true);
    expect(screen.shown().orders.stateOf()).toEqual(made);
    const ended = await screen.does(({ orders }) => orders.cancel(id));
    expect(ended).toMatchObject({ status: "done", action: "cancel", order: id, signature: expect.any(String) });
    await screen.until(({ orders }) => orders.data?.[0]?.status === "cancelled");
    await screen.leave();
  });

  it("are resumed with a new limit of the same terms, which is signed even where the old one would do", async () => {
    const { screen, own } = await openTeam();
    const { client } = backend.trellis;
    await screen.chooses(own);
    const order = { currency: "sol", amount: 1_000_000n, payee: makeKey().address, frequency: "daily" } as const;
    const made = await screen.does(({ orders }) => orders.create(order));
    const { order: id } = made.status === "done" ? made : { order: "" };
    const readIn = async (status: string): Promise<StandingOrder> => {
      await screen.does(({ orders }) => orders.refetch());
      const { orders } = await screen.until((view) => view.orders.data?.[0]?.status === status);
      return orders.data?.[0] as StandingOrder;
    };
    const { spending_limit_address: former } = await readIn("active");
    await setStatus(id, "inactive");
    const paused = await readIn("inactive");
    const other = { ...paused, destination: { ...paused.destination, address: makeKey().address } };
    const mismatch = { status: "refused", action: "resume", error: { code: "transaction_mismatch" } };
    expect(await screen.does(({ orders }) => orders.resume(other))).toMatchObject(mismatch);
    const done = { status: "done", action: "resume", order: id, signature: expect.any(String) };
    expect(await screen.does(({ orders }) => orders.resume(paused))).toMatchObject(done);
    const { spending_limit_address: present } = await readIn("active");
    expect(present).not.toBe(former);
    expect((await client.spendingLimits.page(own)).spendingLimits).toMatchObject([{ address: present }]);
    await screen.leave();
  });

  it("are voted on in a team, pay no bank, and are the business of those who may propose", async () => {
    const { screen, team, eve } = await openTeam();
    const payee = makeKey().address;
    const order = { currency: "sol", amount: 1_000_000n, payee, frequency: "daily" } as const;
    const made = await screen.does(({ orders }) => orders.create(order));
    expect(made).toMatchObject({ status: "done", proposal: expect.any(String) });
    const { proposal = "", order: id = "" } = made.status === "done" ? made : {};
    await backend.trellis.client.proposals.voteAndExecute({ account: team, session: eve.session, proposal });
    await screen.does(({ orders }) => orders.refetch());
    await screen.until(({ orders }) => orders.data?.[0]?.status === "active");
    const bank = { ...order, payee: { externalAccountId: "2f1ec5cf-4c0d-4a4e-8f6a-6e1c1e5b2f11", rail: "ach_push" } };
    const refused = { status: "refused", error: { code: "secret_key_required" } };
    expect(await screen.does(({ orders }) => orders.create({ ...bank, currency: "usdc" }))).toMatchObject(refused);
    const ended = await screen.does(({ orders }) => orders.cancel(id));
    expect(ended).toMatchObject({ status: "done", proposal: expect.any(String) });
    await screen.leave();

    const voter = await openTeam(["CAN_VOTE"]);
    const unable = { status: "refused", error: { code: "insufficient_permissions" } };
    expect(await voter.screen.does(({ orders }) => orders.create(order))).toMatchObject(unable);
    const { id: others } = await backend.trellis.client.standingOrders.create({
      account: voter.team,
      session: voter.eve.session,
      order,
    });
    expect(await voter.screen.does(({ orders }) => orders.cancel(others))).toMatchObject(unable);
    await setStatus(others, "inactive");
    const inactive = await backend.trellis.client.standingOrders.get(voter.team, others);
    expect(await voter.screen.does(({ orders }) => orders.resume(inactive))).toMatchObject(unable);
    await setStatus(others, "pending");
    const kept = await backend.trellis.client.standingOrders.get(voter.team, others);
    expect(kept.status).toBe("pending");
    await voter.screen.leave();
  });
});

describe("names of addresses on a page", () => {
  it("are the account's, and where it has none the tenant's", async () => {
    const { screen, team } = await openTeam();
    const { client } = backend.trellis;
    const [landlord, bank] = [shownAddresses[0] ?? "", shownAddresses[1] ?? ""];
    await client.labels.put({ address: bank, name: "The bank" });
    const put = await screen.does(({ labels }) => labels.put(landlord, { name: "Landlord" }));
    expect(put).toMatchObject({ status: "done", label: { account: team, name: "Landlord" } });
    await screen.until(({ labels }) => labels.data?.length === 1);
    await screen.until(({ names }) => names.data?.size === 2);
    expect(screen.shown().names.data?.get(bank)).toMatchObject({ account: null, name: "The bank" });
    const taken = await screen.does(({ labels }) => labels.put(makeKey().address, { name: "LANDL0RD" }));
    expect(taken).toMatchObject({ status: "refused", error: { code: "label_name_taken" } });
    expect(await screen.does(({ labels }) => labels.remove(landlord))).toMatchObject({ status: "done" });
    await screen.until(({ labels }) => labels.data?.length === 0);
    await screen.does(({ signIn }) => signIn.signOut());
    const signedOut = { status: "refused", error: { code: "session_required" } };
    expect(await screen.does(({ labels }) => labels.remove(landlord))).toMatchObject(signedOut);
    expect(await screen.does(({ orders }) => orders.cancel("any"))).toMatchObject(signedOut);
    expect(await screen.does(({ proposing }) => proposing.propose({ type: "policy", changes: {} }))).toMatchObject(
      signedOut,
    );
    await screen.leave();
  });
});

const shownAddresses = [makeKey().address, makeKey().address, makeKey().address];

const useAll = () => {
  const proposals = useProposals({ pollMs: 250, limit: 5 });
  return {
    signIn: useSignIn(),
    proposals,
    newest: useProposal(proposals.data?.[0]?.proposalAddress ?? ""),
    proposing: usePropose(),
    limits: useSpendingLimits(),
    orders: useStandingOrders(),
    allowances: useAllowances(),
    labels: useLabels(),
    names: useShownLabels(shownAddresses),
  };
};

type View = ReturnType<typeof useAll>;

/** A page of who is signed in, about an account of theirs and Eve's in which both approve. */
async function openTeam(permissions: readonly ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[] = everything) {
  const { client } = backend.trellis;
  const scopes = [...readingScopes, "payments:read", "labels:write"];
  const body = { name: "Team", type: "publishable", environments: ["sandbox"], allowed_origins: [page], scopes };
  const { key } = dataOf<{ key: string }>(await backend.trellis.request("POST", `${apiPath}/api-keys`, body));
  const screen = await open({ ...backend, publishableKey: key }, useAll);
  const email = freshEmail();
  await screen.does(({ signIn }) => signIn.start(email));
  const code = await codeFor(backend, email);
  await screen.does(({ signIn }) => signIn.verify(code));
  const { state } = screen.shown().signIn;
  if (state.status !== "signed-in") throw new Error(`not signed in: ${state.status}`);
  const own = state.account;
  const eve = await backend.trellis.openHolder();
  const signers = [
    { type: "email", email, permissions },
    { type: "email", email: eve.email, permissions: everything },
  ] as const;
  const { address: team } = await client.accounts.createCustom({ policies: { signers, threshold: 2 } });
  for (const address of [own, team]) await client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });
  await screen.chooses(team);
  return { screen, own, team, eve };
}

/** As what makes an order rest leaves it. */
const setStatus = (id: string, status: "inactive" | "pending") =>
  backend.trellis.service.db
    .updateTable("standing_order")
    .set({ status, reason: status === "inactive" ? "missed_repeatedly" : null, attempt_at: null })
    .where("id", "=", id)
    .execute();

const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;
