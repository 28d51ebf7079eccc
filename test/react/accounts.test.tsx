import {
  useAccount,
  useAccounts,
  useBalances,
  useChosenAccount,
  usePayment,
  useProposal,
  useProposals,
  useSignIn,
} from "@trellis/react";
import type { Permission } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../adversarial/support.js";
import { type Between, codeFor, createStorage, freshEmail, open, type Screen, sharedBackend } from "./support.js";

const backend = sharedBackend();

describe("the accounts of who is signed in", () => {
  it("are those their wallet signs for, the own one first, each with what they may do in it", async () => {
    const { screen, email, own } = await openSignedIn();
    const { client } = backend.trellis;
    const eve = await backend.trellis.openHolder();
    const shared = await openTeam([email, eve.email], { threshold: 1 });
    const voted = await openTeam([email, eve.email], { threshold: 2 });
    const locked = await openTeam([email, eve.email], { threshold: 1, time_lock: 60 });
    const voting = await openTeam([eve.email, email], { threshold: 1 }, ["CAN_VOTE"]);
    await openTeam([eve.email], { threshold: 1 });
    await screen.does(({ accounts }) => accounts.refetch());
    const { data = [] } = screen.shown().accounts;
    expect(data.map(({ address }) => address)).toEqual([own, voting, locked, voted, shared]);
    expect(data.map((account) => account.own?.way)).toEqual(["direct", "none", "vote", "vote", "direct"]);
    const wallet = (await client.accounts.get(own)).policies.signers[0]?.address;
    for (const account of data) expect(account.own?.signers).toEqual([wallet]);
    expect(data[1]?.own).toMatchObject({ permissions: ["CAN_VOTE"], threshold: 1, timeLockSeconds: 0 });
    expect(data[2]?.own).toMatchObject({ threshold: 1, timeLockSeconds: 60 });
    await screen.leave();
  });

  it("are gone with who is signed in, and another user has their own", async () => {
    const { screen, email, own } = await openSignedIn();
    await screen.until(({ accounts }) => accounts.data?.length === 1);
    await screen.does(({ signIn }) => signIn.signOut());
    expect(screen.shown()).toMatchObject({ chosen: undefined, accounts: { data: undefined } });
    const other = freshEmail();
    await signIn(screen, other);
    await screen.until(({ accounts }) => accounts.data?.[0]?.email === other);
    expect(screen.shown().accounts.data?.map(({ address }) => address)).not.toContain(own);
    expect(email).not.toBe(other);
    await screen.leave();
  });
});

describe("the chosen account", () => {
  it("is the own one, until another is chosen: then all hooks are about that", async () => {
    const { screen, email, own } = await openSignedIn();
    const team = await openTeam([email], { threshold: 1 });
    await fund(own, "3000000000");
    await fund(team, "2000000000");
    expect(screen.shown().chosen).toBe(own);
    for (const [account, lamports] of [
      [team, 2_000_000_000],
      [own, 3_000_000_000],
    ] as const) {
      await screen.chooses(account);
      await screen.does(({ balances }) => balances.refetch());
      await screen.until(({ account: { data } }) => data?.address === account);
      expect(screen.shown()).toMatchObject({ chosen: account, balances: { data: { lamports } } });
    }
    await screen.chooses(undefined);
    expect(screen.shown().chosen).toBe(own);
    await screen.leave();
  });

  it("has payments of its own: one that is under way elsewhere is not shown, and not in the way", async () => {
    const storage = createStorage();
    const { screen, email, own } = await openSignedIn({ storage });
    const team = await openTeam([email], { threshold: 1 });
    await fund(own);
    await fund(team);
    let release = () => {};
    hold = () =>
      new Promise<void>((resolve) => {
        release = resolve;
      });
    const [first, second] = [makeKey().address, makeKey().address];
    await screen.does(({ payment: { pay } }) => void pay(sol(first)));
    await screen.until(({ payment: { state } }) => state.status === "paying" && state.step === "submitted");
    expect([...storage.items.keys()]).toEqual([`trellis.payment.sandbox.${own}.payment`]);
    await screen.chooses(team);
    expect(screen.shown().payment.state).toEqual({ status: "idle" });
    hold = undefined;
    expect(await screen.does(({ payment: { pay } }) => pay(sol(second)))).toMatchObject({ status: "confirmed" });
    release();
    await screen.chooses(own);
    await screen.until(({ payment: { state } }) => state.status === "confirmed");
    expect(screen.shown().payment.state).toMatchObject({ request: sol(first) });
    expect((await backend.trellis.client.accounts.balances(team)).lamports).toBe(990_000_000);
    expect((await backend.trellis.client.accounts.balances(own)).lamports).toBe(990_000_000);
    await screen.leave();
  });

  it("has votes of its own: what needs others is proposed, and only what was read of it is approved in it", async () => {
    const { screen, email } = await openSignedIn();
    const eve = await backend.trellis.openHolder();
    const team = await openTeam([email, eve.email], { threshold: 2 });
    const other = await openTeam([email], { threshold: 1 });
    await fund(team);
    await screen.chooses(team);
    const payee = makeKey().address;
    const refused = { status: "refused", error: { code: "proposal_required" } };
    expect(await screen.does(({ payment: { pay } }) => pay(sol(payee)))).toMatchObject(refused);
    const content = { type: "transfer", ...sol(payee) } as const;
    await screen.does(({ proposals: { propose } }) => propose(content, { approve: true }));
    const { newest } = await screen.until(({ newest: { review } }) => review?.proposal.approved.length === 1);
    const review = newest.review;
    if (review === undefined) throw new Error("it was read");
    expect(review.proposal.mainAccountAddress).toBe(team);
    expect(screen.shown().proposals.stateOf()).toMatchObject({ status: "done" });
    await screen.chooses(other);
    expect(screen.shown().proposals.stateOf()).toEqual({ status: "idle" });
    await screen.until(({ proposals: { data } }) => data?.length === 0);
    const unshown = { status: "refused", error: { code: "proposal_not_shown" } };
    expect(await screen.does(({ proposals: { approve } }) => approve(review))).toMatchObject(unshown);
    const { proposalAddress: proposal } = review.proposal;
    await backend.trellis.client.proposals.voteAndExecute({ account: team, session: eve.session, proposal });
    expect(await backend.trellis.lamportsOf(payee)).toBe(10_000_000n);
    await screen.leave();
  });

  it("is not another user's: what was read of an account of both is gone when the other signs in", async () => {
    const { screen, email } = await openSignedIn();
    const other = freshEmail();
    const both = await openTeam([email, other], { threshold: 1 });
    const alone = await openTeam([email], { threshold: 1 });
    await fund(both);
    await screen.chooses(both);
    await screen.until(({ account: { data } }) => data?.address === both);
    await screen.does(({ payment: { pay } }) => pay(sol(makeKey().address)));
    expect(screen.shown().payment.state.status).toBe("confirmed");
    await screen.does(({ signIn }) => signIn.signOut());
    expect(screen.shown()).toMatchObject({ chosen: undefined, account: { data: undefined } });
    await signIn(screen, other);
    expect(screen.shown()).toMatchObject({ chosen: both, payment: { state: { status: "idle" } } });
    await screen.until(({ account: { data } }) => data?.address === both);
    await screen.chooses(alone);
    await screen.until(({ account: { error } }) => error?.code === "account_not_found");
    expect(screen.shown().account.data).toBeUndefined();
    await screen.leave();
  });
});

/** While it is there, what is submitted waits for it. */
let hold: (() => Promise<void>) | undefined;

const useAll = () => {
  const proposals = useProposals({ pollMs: 250, limit: 5 });
  return {
    signIn: useSignIn(),
    accounts: useAccounts(),
    chosen: useChosenAccount(),
    account: useAccount(),
    balances: useBalances({ pollMs: 0 }),
    payment: usePayment(),
    proposals,
    newest: useProposal(proposals.data?.[0]?.proposalAddress ?? ""),
  };
};

type View = ReturnType<typeof useAll>;

const between: Between = async ({ path }, go) => {
  if (path.endsWith("/submit")) await hold?.();
  return go();
};

async function openSignedIn(options: Parameters<typeof open>[2] = {}) {
  hold = undefined;
  const screen = await open(backend, useAll, { between, ...options });
  const email = freshEmail();
  const own = await signIn(screen, email);
  return { screen, email, own };
}

async function signIn(screen: Screen<View>, email: string): Promise<string> {
  await screen.does(({ signIn }) => signIn.start(email));
  const code = await codeFor(backend, email);
  await screen.does(({ signIn }) => signIn.verify(code));
  const { state } = screen.shown().signIn;
  if (state.status !== "signed-in") throw new Error(`not signed in: ${state.status}`);
  return state.account;
}

/** An account of these people; all but the first may do no more than is said. */
async function openTeam(
  emails: readonly string[],
  policy: { readonly threshold: number; readonly time_lock?: number },
  permissions: readonly Permission[] = everything,
): Promise<string> {
  const signers = emails.map((email, at) => ({
    type: "email" as const,
    email,
    permissions: at === 0 ? everything : permissions,
  }));
  return (await backend.trellis.client.accounts.createCustom({ policies: { signers, ...policy } })).address;
}

const everything: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

const fund = (address: string, amount = "1000000000") =>
  backend.trellis.client.sandbox.airdrop({ address, currency: "sol", amount });

const sol = (destination: string) => ({ currency: "sol", destination, amount: 10_000_000n });
