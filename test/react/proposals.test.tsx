import { type Address, createNoopSigner, type Instruction } from "@solana/kit";
import {
  getApproveInstruction,
  getBurnInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
} from "@solana-program/token";
import { type ProposalReview, useProposal, useProposals, useSignIn } from "@trellis/react";
import { addressOfKey, type ProposedContent } from "@trellis/sdk";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { describe, expect, it } from "vitest";
import { makeKey, tokenProgram, usdcMint } from "../adversarial/support.js";
import { codeFor, freshEmail, open, sharedBackend } from "./support.js";

const backend = sharedBackend();

describe("proposals on a page without a server", () => {
  it("are made, listed, approved and carried out, once however often one clicks", async () => {
    const screen = await openFunded();
    const payee = makeKey().address;
    const clicks = await screen.does(({ proposals: { propose } }) =>
      Promise.all([propose(transfer(payee)), propose(transfer(payee))]),
    );
    expect(clicks[0]).toMatchObject({ status: "done", action: "propose" });
    expect(clicks[1]).toEqual(clicks[0]);
    await screen.until(({ proposals: { data } }) => data?.length === 1);
    const [made] = screen.shown().proposals.data ?? [];
    const address = made?.proposalAddress ?? "";
    expect(made).toMatchObject({ status: "Active", approved: [] });

    const review = await reviewOn(screen);
    expect(review).toMatchObject({ refusal: undefined, warnings: [] });
    expect(review.effects.map(({ parts }) => parts)).toEqual([
      [{ text: "Pays " }, { text: "0.01 SOL" }, { text: " to " }, { address: payee }],
    ]);
    // One that the hooks did not make of what was read is refused before anything is asked for, and cannot be altered.
    const forged = { ...review };
    const unshown = { status: "refused", error: { code: "proposal_not_shown" } };
    for (const by of ["approve", "execute", "approveAndExecute"] as const) {
      expect(await screen.does(({ proposals }) => proposals[by](forged))).toMatchObject(unshown);
      expect(await screen.does(({ proposals }) => proposals[by](undefined as never))).toMatchObject(unshown);
    }
    expect(() => Object.assign(review.proposal, { summary: [] })).toThrow(TypeError);

    const both = await screen.does(({ proposals: { approveAndExecute } }) =>
      Promise.all([approveAndExecute(review), approveAndExecute(review)]),
    );
    expect(both[0]).toMatchObject({ status: "done", action: "approve-and-execute" });
    expect(screen.shown().proposals.stateOf(address)).toEqual(both[0]);
    await screen.until(({ proposals: { data } }) => data?.[0]?.status === "Executed");
    expect(await screen.does(({ proposals: { execute } }) => execute(review))).toMatchObject({
      status: "refused",
      error: { code: "invalid_proposal_status" },
    });
    expect(await backend.trellis.lamportsOf(payee)).toBe(10_000_000n);
    await screen.leave();
  });

  it("are approved by their proposer, rejected by no one after that, and found when an answer is lost", async () => {
    let isLosing = false;
    const screen = await openFunded(async ({ path }, go) => {
      const answer = await go();
      if (isLosing && path.endsWith("/submit")) throw new TypeError("connection reset");
      return answer;
    });
    const payee = makeKey().address;
    await screen.does(({ proposals: { propose } }) => propose(transfer(payee), { approve: true }));
    await screen.until(({ proposals: { data } }) => data?.[0]?.status === "Approved");
    const address = screen.shown().proposals.data?.[0]?.proposalAddress ?? "";
    const review = await reviewOn(screen);
    isLosing = true;
    expect(await screen.does(({ proposals: { execute } }) => execute(review))).toMatchObject({
      status: "unknown",
      action: "execute",
    });
    isLosing = false;
    expect(await screen.does(({ proposals: { cancel } }) => cancel(address))).toMatchObject({
      status: "done",
      action: "execute",
    });
    expect(await backend.trellis.lamportsOf(payee)).toBe(10_000_000n);
    await screen.leave();
  });

  it("are not mistaken for one another: something else is refused while one is proposed, or its outcome is unknown", async () => {
    let isLosing = false;
    const screen = await openFunded(async ({ path }, go) => {
      const answer = await go();
      if (isLosing && path.endsWith("/submit")) throw new TypeError("connection reset");
      return answer;
    });
    const [first, second] = [transfer(makeKey().address, 1_000_000n), transfer(makeKey().address, 2_000_000n)];
    const refused = { status: "refused", action: "propose", error: { code: "proposal_under_way" } };
    isLosing = true;
    const clicks = await screen.does(({ proposals: { propose } }) => Promise.all([propose(first), propose(second)]));
    expect(clicks).toMatchObject([{ status: "unknown" }, refused]);
    isLosing = false;
    expect(await screen.does(({ proposals: { propose } }) => propose(second))).toMatchObject(refused);
    // It was found out about all the same.
    expect(screen.shown().proposals.stateOf()).toMatchObject({ status: "done", action: "propose" });
    expect(await screen.does(({ proposals: { propose } }) => propose(second))).toMatchObject({ status: "done" });
    await screen.until(({ proposals: { data } }) => data?.length === 2);
    await screen.leave();
  });

  it("are not approved while a service says something else than was displayed, or adds a warning", async () => {
    let alter = (body: Record<string, unknown>) => body;
    const screen = await openFunded(async ({ path }, go) => {
      const answer = await go();
      if (!path.endsWith("/vote") && !path.endsWith("/vote-and-execute")) return answer;
      const { data, metadata } = (await answer.json()) as {
        data: { proposal: Record<string, unknown> };
        metadata: object;
      };
      return Response.json({ data: { ...data, proposal: alter(data.proposal) }, metadata });
    });
    const spender = addressOfKey(new Uint8Array(32).fill(7));
    const limit = {
      type: "AddSpendingLimit",
      mint: null,
      amount: "5000000",
      period: "week",
      signers: [spender],
    } as const;
    await screen.does(({ proposals: { propose } }) => propose({ type: "settings", actions: [limit] }));
    const review = await reviewOn(screen);
    expect(review.warnings.map(({ code }) => code)).toEqual(["grants_spending_limit"]);
    expect(review.effects[0]?.parts).toContainEqual({ address: spender });

    const lies: readonly (typeof alter)[] = [
      (said) => ({ ...said, summary: [] }),
      (said) => ({ ...said, summary: JSON.parse(JSON.stringify(said.summary).replace("5000000", "6000000")) }),
      (said) => ({ ...said, kind: "batch" }),
      (said) => ({ ...said, transactionIndex: 9 }),
      (said) => ({ ...said, warnings: [...(said.warnings as object[]), { code: "new_danger", message: "Beware." }] }),
    ];
    for (const lie of lies) {
      alter = lie;
      for (const by of ["approve", "approveAndExecute"] as const) {
        expect(await screen.does(({ proposals }) => proposals[by](review))).toMatchObject({
          status: "refused",
          error: { code: "transaction_mismatch" },
        });
      }
    }
    alter = (said) => said;
    expect(await screen.does(({ proposals }) => proposals.approve(review))).toMatchObject({ status: "done" });
    await screen.leave();
  });

  it("are approved where they hand over power and close accounts, once people have read it", {
    timeout: 300_000,
  }, async () => {
    const screen = await openFunded();
    const { state } = screen.shown().signIn;
    if (state.status !== "signed-in") throw new Error("signed in before");
    const [vault, payee] = [state.account as Address, makeKey().address];
    await backend.trellis.client.sandbox.airdrop({ address: vault, currency: "usdc", amount: "5000000" });
    const authority = createNoopSigner(vault);
    const source = deriveTokenAccount(vault, usdcMint, tokenProgram);
    const wrapped = deriveTokenAccount(vault, wrappedSolMint, tokenProgram);
    const opening = { payer: authority, ata: wrapped, owner: vault, mint: wrappedSolMint, tokenProgram };
    const closing = { account: wrapped, destination: payee, owner: authority };
    const proposed: readonly (readonly [readonly Instruction[], readonly string[], string])[] = [
      [
        [getApproveInstruction({ source, delegate: payee, owner: authority, amount: 2_000_000n })],
        [`Lets ${payee} take up to 2 USDC out of the token account ${source}, at any time and without any vote`],
        "grants_delegate",
      ],
      [
        [getBurnInstruction({ account: source, mint: usdcMint, authority, amount: 1_500_000n })],
        [`Destroys 1.5 USDC in the token account ${source}, for good`],
        "burns_tokens",
      ],
      [
        [getCreateAssociatedTokenIdempotentInstruction(opening), getCloseAccountInstruction(closing)],
        [
          `Opens a token account for ${vault}, for the token ${wrappedSolMint}`,
          `Closes the token account ${wrapped} and pays all the SOL in it, which is 0 SOL now, to ${payee}`,
        ],
        "pays_out_account",
      ],
    ];
    for (const [instructions, sentences, warning] of proposed) {
      const transaction = await backend.trellis.compose(vault, instructions);
      await screen.does(({ proposals: { propose } }) => propose({ type: "custom", transaction }));
      const isNew = (review: ProposalReview | undefined) =>
        review?.warnings.some(({ code }) => code === warning) === true;
      const { newest } = await screen.until(({ newest: { review } }) => isNew(review));
      const review = newest.review as ProposalReview;
      expect(review.effects.map(({ parts }) => parts.map((part) => Object.values(part)[0]).join(""))).toEqual(
        sentences,
      );
      expect(review.refusal).toBeUndefined();
      expect(await screen.does(({ proposals }) => proposals.approveAndExecute(review))).toMatchObject({
        status: "done",
        action: "approve-and-execute",
      });
    }
    expect(await backend.trellis.lamportsOf(payee)).toBe(2_039_280n);
    await screen.leave();
  });

  it("are not approved where they cannot be read, and show warnings that are not known here in the service's words", async () => {
    let alter = (body: Record<string, unknown>) => body;
    let voted = 0;
    const screen = await openFunded(async ({ path }, go) => {
      if (/\/vote(-and-execute)?$/.test(path)) voted += 1;
      const answer = await go();
      if (!/\/proposals\/[^/]+$/.test(path)) return answer;
      const { data, metadata } = (await answer.json()) as { data: Record<string, unknown>; metadata: object };
      return Response.json({ data: alter(data), metadata });
    });
    await screen.does(({ proposals: { propose } }) => propose(transfer(makeKey().address)));
    await reviewOn(screen);
    const unreadable: readonly (typeof alter)[] = [
      (said) => ({ ...said, summary: [] }),
      (said) => ({ ...said, kind: "unknown" }),
      (said) => ({
        ...said,
        summary: [...(said.summary as object[]), { type: "instruction", program: "x", data: "" }],
      }),
      (said) => ({ ...said, summary: [...(said.summary as object[]), { type: "of_tomorrow" }] }),
      (said) => ({ ...said, summary: [{ type: "settings_change", actions: [{ type: "other", name: "X" }] }] }),
      (said) => ({ ...said, summary: [{ type: "settings_change", actions: [] }] }),
      (said) => ({ ...said, warnings: [{ code: "unreadable_content", message: "…" }] }),
      (said) => ({ ...said, warnings: [{ code: "undecided_content", message: "…" }] }),
    ];
    for (const change of unreadable) {
      alter = change;
      await screen.does(({ newest }) => newest.refetch());
      const { review } = screen.shown().newest;
      expect(review?.refusal).toBeTypeOf("string");
      const approved = await screen.does(({ proposals }) => proposals.approve(review as ProposalReview));
      expect(approved).toMatchObject({ status: "refused", error: { code: "proposal_not_shown" } });
    }
    expect(voted).toBe(0);
    alter = (said) => ({ ...said, warnings: [{ code: "of_tomorrow", message: "Beware of this." }] });
    await screen.does(({ newest }) => newest.refetch());
    expect(screen.shown().newest.review?.warnings).toEqual([{ code: "of_tomorrow", message: "Beware of this." }]);
    await screen.leave();
  });
});

const wrappedSolMint = "So11111111111111111111111111111111111111112" as Address;

/** A page that shows the newest proposal in full. */
const useAll = () => {
  const proposals = useProposals({ pollMs: 250, limit: 5 });
  const newest = proposals.data?.[0]?.proposalAddress ?? "";
  return { signIn: useSignIn(), proposals, newest: useProposal(newest) };
};

type View = ReturnType<typeof useAll>;

/** What is shown of the newest proposal, once it was read. */
async function reviewOn(screen: { until: (isSo: (view: View) => boolean) => Promise<View> }): Promise<ProposalReview> {
  const { newest } = await screen.until(({ newest: { review } }) => review !== undefined);
  if (newest.review === undefined) throw new Error("it was read");
  return newest.review;
}

async function openFunded(between?: NonNullable<Parameters<typeof open>[2]>["between"]) {
  const screen = await open(backend, useAll, between ? { between } : {});
  const email = freshEmail();
  await screen.does(({ signIn }) => signIn.start(email));
  const code = await codeFor(backend, email);
  await screen.does(({ signIn }) => signIn.verify(code));
  const { state } = screen.shown().signIn;
  if (state.status !== "signed-in") throw new Error(`not signed in: ${state.status}`);
  await backend.trellis.client.sandbox.airdrop({ address: state.account, currency: "sol", amount: "1000000000" });
  return screen;
}

const transfer = (destination: string, amount = 10_000_000n) =>
  ({ type: "transfer", currency: "sol", destination, amount }) satisfies ProposedContent;
