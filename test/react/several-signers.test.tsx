import { type ProposalReview, useProposal, useProposals, usePropose, useSignIn } from "@trellis/react";
import { addressOfKey, createSessionKeeper, createTrellisClient, sealKeyForImport } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../adversarial/support.js";
import { type Between, codeFor, freshEmail, open, page, type Screen, sharedBackend } from "./support.js";

const backend = sharedBackend();

describe("a user of whose signers one proposes and another votes", () => {
  it("proposes and approves in one act", async () => {
    const { screen, team, proposer, voter } = await openSplit();
    const done = await screen.does(({ proposing }) => proposing.propose(payment, { approve: true }));
    expect(done).toMatchObject({ status: "done", action: "propose", proposal: expect.any(String) });
    expect(done).not.toHaveProperty("notApproved");
    expect(await proposalsOf(team)).toMatchObject([{ creator: proposer, approved: [voter], status: "Approved" }]);
    await screen.leave();
  });

  it("approves, rejects and executes with those who may", async () => {
    const split = await openSplit({ threshold: 2 });
    const { team, voter } = split;
    const review = await proposed(split.screen);
    const { proposalAddress } = review.proposal;
    const done = { status: "done" };
    expect(await split.screen.does(({ proposals }) => proposals.approve(review))).toMatchObject(done);
    expect(await proposalsOf(team)).toMatchObject([{ approved: [voter], status: "Active" }]);
    expect(await split.screen.does(({ proposals }) => proposals.reject(proposalAddress))).toMatchObject(done);
    expect(await proposalsOf(team)).toMatchObject([{ approved: [], rejected: [voter], status: "Rejected" }]);
    await split.screen.leave();

    const alone = await openSplit();
    const next = await proposed(alone.screen);
    expect(await alone.screen.does(({ proposals }) => proposals.approveAndExecute(next))).toMatchObject(done);
    expect(await proposalsOf(alone.team)).toMatchObject([{ approved: [alone.voter], status: "Executed" }]);
    await alone.screen.leave();
  });

  it.each([1, 2])("makes one proposal and one vote where the answer to act %i is lost", async (lostAct) => {
    let submits = 0;
    let isLossy = false;
    const between: Between = async ({ path }, go) => {
      if (!isLossy || !path.endsWith("/submit")) return go();
      submits += 1;
      const answer = await go();
      // The library asks once more by itself.
      if (lostAct === 1 || submits > 1) throw new TypeError("the answer was lost");
      return answer;
    };
    const { screen, team, proposer, voter } = await openSplit({ between });
    isLossy = true;
    const propose = () => screen.does(({ proposing }) => proposing.propose(payment, { approve: true }));
    expect(await propose()).toMatchObject({ status: "unknown", action: "propose" });
    expect(await proposalsOf(team)).toMatchObject([{ creator: proposer, approved: lostAct === 1 ? [] : [voter] }]);
    isLossy = false;
    expect(await propose()).toMatchObject({ status: "done", action: "propose" });
    expect(await proposalsOf(team)).toMatchObject([{ creator: proposer, approved: [voter], status: "Approved" }]);
    await screen.leave();
  });

  it("does not propose once more where the approval was refused, and says so", async () => {
    let isRefused = false;
    const between: Between = ({ path }, go) => {
      if (isRefused && path.endsWith("/vote")) throw new TypeError("offline");
      return go();
    };
    const { screen, team } = await openSplit({ between });
    isRefused = true;
    const done = await screen.does(({ proposing }) => proposing.propose(payment, { approve: true }));
    expect(done).toMatchObject({ status: "done", proposal: expect.any(String), notApproved: { code: "network" } });
    expect(await proposalsOf(team)).toMatchObject([{ approved: [], status: "Active" }]);
    await screen.leave();
  });

  it("approves nothing where the service says that something else was proposed", async () => {
    let isLying = false;
    const other = makeKey().address;
    const between: Between = async ({ path }, go) => {
      const answer = await go();
      if (!isLying || !path.endsWith("/vote")) return answer;
      return new Response((await answer.text()).replaceAll(payment.destination, other), answer);
    };
    const { screen, team } = await openSplit({ between });
    isLying = true;
    const done = await screen.does(({ proposing }) => proposing.propose(payment, { approve: true }));
    expect(done).toMatchObject({ status: "done", notApproved: { code: "transaction_mismatch" } });
    expect(await proposalsOf(team)).toMatchObject([{ approved: [] }]);
    await screen.leave();
  });
});

const payment = { type: "transfer", currency: "sol", destination: makeKey().address, amount: 10_000_000n } as const;

const useAll = () => {
  const proposals = useProposals({ pollMs: 250, limit: 5 });
  const newest = useProposal(proposals.data?.[0]?.proposalAddress ?? "");
  return { signIn: useSignIn(), proposing: usePropose(), proposals, newest };
};

/** Proposes the payment without an approval, and answers what has to be displayed of it. */
async function proposed(screen: Screen<ReturnType<typeof useAll>>): Promise<ProposalReview> {
  await screen.does(({ proposing }) => proposing.propose(payment));
  const { newest } = await screen.until(({ newest: { review } }) => review !== undefined);
  if (newest.review === undefined) throw new Error("it was read");
  return newest.review;
}

const proposalsOf = async (account: string) => {
  const { client } = backend.trellis;
  const { proposals } = await client.proposals.page(account);
  return Promise.all(proposals.map(({ proposalAddress }) => client.proposals.get(account, proposalAddress)));
};

/** A user with a wallet that may only propose, and a second one, of a key that they brought, that may not. */
async function openSplit({ threshold = 1, between }: { readonly threshold?: number; readonly between?: Between } = {}) {
  const { client } = backend.trellis;
  const email = freshEmail();
  const { session, account, page: owner } = await signInOnPage(email);
  const key = crypto.getRandomValues(new Uint8Array(32));
  const voter = addressOfKey(key);
  const signers = [
    { type: "email", email, permissions: ["CAN_INITIATE"] },
    { address: voter, permissions: ["CAN_VOTE", "CAN_EXECUTE"] },
    ...(threshold === 1 ? [] : [{ address: makeKey().address, permissions: ["CAN_VOTE"] } as const]),
  ] as const;
  const { address: team } = await client.accounts.createCustom({ policies: { signers, threshold } });
  await client.sandbox.airdrop({ address: team, currency: "sol", amount: "1000000000" });
  // A key is brought where it signs for the user's own account.
  const { policies } = await client.accounts.get(account);
  const joins = { address: voter, permissions: ["CAN_VOTE"] } as const;
  await client.accounts.update({ account, session, changes: { signers: [...policies.signers, joins] } });
  const begun = await owner.walletImports.begin({ account, signer: voter });
  await owner.walletImports.complete({ account, begun, sealedKey: await sealKeyForImport(key, begun), session });
  const screen = await open(backend, useAll, between === undefined ? {} : { between });
  await screen.does(({ signIn }) => signIn.start(email));
  const code = await codeFor(backend, email);
  await screen.does(({ signIn }) => signIn.verify(code));
  await screen.chooses(team);
  return { screen, team, voter, proposer: session.wallets[0]?.address ?? "" };
}

/** The same user on another page, without hooks: what they sign with, and the page's client. */
async function signInOnPage(email: string) {
  const { trellis, publishableKey } = backend;
  const client = createTrellisClient({
    baseUrl: trellis.url,
    apiKey: publishableKey,
    environment: "sandbox",
    sessionToken: () => keeper.token(),
    fetch: (url, init) => fetch(url, { ...init, headers: { ...(init?.headers as object), origin: page } }),
  });
  const keeper = createSessionKeeper({ client });
  const begun = await client.auth.signIn(email);
  const signedIn = await begun.verify(await codeFor(backend, email));
  await keeper.keep(signedIn);
  return { ...signedIn, page: client };
}
