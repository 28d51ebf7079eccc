import { useProposals, useSignIn } from "@trellis/react";
import type { ProposedContent } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lamportsOf, makeKey } from "../adversarial/support.js";
import { type Backend, codeFor, freshEmail, open, startBackend } from "./support.js";

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => backend?.trellis.close());

const useAll = () => ({ signIn: useSignIn(), proposals: useProposals({ pollMs: 250, limit: 5 }) });

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

    // What the service would put in the place of what one thinks is refused before anything is signed.
    const other = transfer(makeKey().address);
    expect(await screen.does(({ proposals: { vote } }) => vote(address, "approve", other))).toMatchObject({
      status: "refused",
      error: { code: "transaction_mismatch" },
    });
    const both = await screen.does(({ proposals: { approveAndExecute } }) =>
      Promise.all([approveAndExecute(address, transfer(payee)), approveAndExecute(address, transfer(payee))]),
    );
    expect(both[0]).toMatchObject({ status: "done", action: "approve-and-execute" });
    expect(screen.shown().proposals.stateOf(address)).toEqual(both[0]);
    await screen.until(({ proposals: { data } }) => data?.[0]?.status === "Executed");
    expect(await screen.does(({ proposals: { execute } }) => execute(address))).toMatchObject({
      status: "refused",
      error: { code: "invalid_proposal_status" },
    });
    expect(await lamportsOf(backend.trellis, payee)).toBe(10_000_000n);
    await screen.leave();
  });

  it("are approved by whoever proposes them, rejected by nobody after that, and found out about when an answer is lost", async () => {
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
    isLosing = true;
    expect(await screen.does(({ proposals: { execute } }) => execute(address))).toMatchObject({
      status: "unknown",
      action: "execute",
    });
    isLosing = false;
    expect(await screen.does(({ proposals: { vote } }) => vote(address, "cancel"))).toMatchObject({
      status: "done",
      action: "execute",
    });
    expect(await lamportsOf(backend.trellis, payee)).toBe(10_000_000n);
    await screen.leave();
  });

  it("are not taken for one another: something else is refused while one is proposed, or nobody knows what became of it", async () => {
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
});
