import {
  useAccount,
  useBalances,
  usePasskeys,
  usePayment,
  useProposal,
  useProposals,
  useSignIn,
  useWallets,
} from "@trellis/react";
import { isUsableWallet, type StandardWallet } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeKey } from "../adversarial/support.js";
import { createSoftWallet, type SoftWallet } from "../support/standard-wallet.js";
import { type Between, codeFor, createTabs, freshEmail, open, page, sharedBackend } from "./support.js";

const backend = sharedBackend();

const before = Object.getOwnPropertyDescriptor(globalThis, "location");
beforeAll(() => Object.defineProperty(globalThis, "location", { configurable: true, value: { origin: page } }));
afterAll(() => {
  if (before === undefined) Reflect.deleteProperty(globalThis, "location");
  else Object.defineProperty(globalThis, "location", before);
});
const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;

describe("a wallet on a page without a server", () => {
  it("is listed, signs in, pays, and signs out", async () => {
    const wallet = createSoftWallet();
    const account = await openAccount([wallet]);
    const screen = await openWith([wallet]);
    expect(screen.shown().wallets).toEqual([wallet]);
    await screen.does(({ signIn }) => signIn.signInWithWallet(wallet));
    expect(screen.shown().signIn.state).toEqual({
      status: "signed-in",
      email: "",
      account,
      wallet: wallet.key.address,
    });
    await screen.until(({ balances }) => balances.data?.lamports === 100_000_000);
    expect(screen.shown().passkeys.data).toBeUndefined();
    const destination = makeKey().address;
    await screen.does(({ payment }) => payment.pay({ currency: "sol", destination, amount: 10_000_000n }));
    expect(screen.shown().payment.state).toMatchObject({ status: "confirmed" });
    expect(await backend.trellis.lamportsOf(destination)).toBe(10_000_000n);
    await screen.does(({ signIn }) => signIn.signOut());
    expect(screen.shown()).toMatchObject({ signIn: { state: { status: "idle" } }, account: { data: undefined } });
    expect((await backend.trellis.client.sessions.page(account)).sessions).toEqual([]);
    await screen.leave();
  });

  it("proposes and votes", async () => {
    const [ada, ben] = [createSoftWallet(), createSoftWallet()];
    await openAccount([ada, ben], 2);
    const [hers, his] = [await openWith([ada]), await openWith([ben])];
    await hers.does(({ signIn }) => signIn.signInWithWallet(ada));
    await his.does(({ signIn }) => signIn.signInWithWallet(ben));
    const destination = makeKey().address;
    const content = { type: "transfer", currency: "sol", destination, amount: 10_000_000n } as const;
    const proposed = await hers.does(({ proposals }) => proposals.propose(content, { approve: true }));
    expect(proposed).toMatchObject({ status: "done" });
    await his.until(({ proposals }) => proposals.data?.length === 1);
    await his.until(({ proposal }) => proposal.review !== undefined);
    const { review } = his.shown().proposal;
    if (review === undefined) throw new Error("there is a review");
    const carried = await his.does(({ proposals }) => proposals.approveAndExecute(review));
    expect(carried).toMatchObject({ status: "done" });
    expect(await backend.trellis.lamportsOf(destination)).toBe(10_000_000n);
    await hers.leave();
    await his.leave();
  });

  it("stays signed in over a restart and on every tab, and asks the wallet when something is signed", async () => {
    const wallet = createSoftWallet();
    const account = await openAccount([wallet]);
    const tabs = createTabs();
    const first = await openWith([wallet], { sessionStorage: tabs.open() });
    await first.does(({ signIn }) => signIn.signInWithWallet(wallet));
    // The same wallet, as the browser has it after a restart: it has connected nothing yet.
    const later = createSoftWallet({ key: wallet.key });
    const second = await openWith([later], { sessionStorage: tabs.open() });
    await second.until(({ account: { data } }) => data?.address === account);
    expect(later.accounts).toEqual([]);
    const destination = makeKey().address;
    await second.does(({ payment }) => payment.pay({ currency: "sol", destination, amount: 10_000_000n }));
    expect(await backend.trellis.lamportsOf(destination)).toBe(10_000_000n);
    const third = await openWith([], { sessionStorage: tabs.open() });
    await third.until(({ account: { data } }) => data?.address === account);
    await third.does(({ payment }) => payment.pay({ currency: "sol", destination, amount: 10_000_000n }));
    expect(third.shown().payment.state).toMatchObject({ status: "refused", error: { code: "wallet_not_connected" } });
    await second.does(({ signIn }) => signIn.signOut());
    await first.until(({ signIn }) => signIn.state.status === "idle");
    for (const screen of [first, second, third]) await screen.leave();
  });

  it("takes the place of a user, and a user that of a wallet", async () => {
    const wallet = createSoftWallet();
    const account = await openAccount([wallet]);
    const screen = await openWith([wallet]);
    const email = freshEmail();
    const signInByCode = async () => {
      await screen.does(({ signIn }) => signIn.start(email));
      const code = await codeFor(backend, email);
      await screen.does(({ signIn }) => signIn.verify(code));
      const { state } = screen.shown().signIn;
      return state.status === "signed-in" ? state.account : "";
    };
    const own = await signInByCode();
    await screen.does(({ signIn }) => signIn.signInWithWallet(wallet));
    await screen.until(({ account: { data } }) => data?.address === account);
    expect((await backend.trellis.client.sessions.page(own)).sessions).toEqual([]);
    expect(await signInByCode()).toBe(own);
    await screen.until(({ account: { data } }) => data?.address === own);
    expect((await backend.trellis.client.sessions.page(account)).sessions).toEqual([]);
    await screen.leave();
  });

  it("leaves no session where it was given up, before the wallet signed and after, or for an account of another", async () => {
    const wallet = createSoftWallet();
    const account = await openAccount([wallet]);
    const sessions = async () => (await backend.trellis.client.sessions.page(account)).sessions.length;
    let asked: string[] = [];
    let giveUpAt = "";
    let giveUp = () => {};
    const between: Between = async ({ path }, go) => {
      asked.push(path.slice(path.lastIndexOf("/auth/") + 1));
      const answer = await go();
      if (path.endsWith(giveUpAt)) giveUp();
      return answer;
    };
    const screen = await openWith([wallet], { between });
    for (const [step, calls] of [
      ["/auth/wallet:message", 1],
      ["/auth/wallet", 2],
    ] as const) {
      asked = [];
      giveUpAt = step;
      await screen.does(async ({ signIn }) => {
        giveUp = signIn.cancel;
        await signIn.signInWithWallet(wallet);
      });
      expect(screen.shown().signIn.state).toEqual({ status: "idle" });
      expect(asked.filter((path) => path.startsWith("auth/wallet"))).toHaveLength(calls);
      expect(await sessions()).toBe(0);
    }
    giveUp = () => {};
    const stranger = await openAccount([createSoftWallet()]);
    await screen.does(({ signIn }) => signIn.signInWithWallet(wallet, stranger));
    expect(screen.shown().signIn.state).toMatchObject({ status: "error", error: { code: "account_not_found" } });
    expect(await sessions()).toBe(0);
    await screen.leave();
  });

  it("says what went wrong: no account, an ended session, an altered transaction, a wallet that refuses", async () => {
    const stranger = createSoftWallet();
    const screen = await openWith([stranger]);
    await screen.does(({ signIn }) => signIn.signInWithWallet(stranger));
    expect(screen.shown().signIn.state).toMatchObject({ status: "error", error: { code: "account_not_found" } });
    await screen.does(({ signIn }) => signIn.cancel());
    expect(screen.shown().signIn.state).toEqual({ status: "idle" });
    await screen.leave();

    const altering = createSoftWallet({
      alter: (transaction) => {
        const bytes = Buffer.from(transaction, "base64");
        bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
        return bytes.toString("base64");
      },
    });
    const account = await openAccount([altering]);
    const other = await openWith([altering]);
    await other.does(({ signIn }) => signIn.signInWithWallet(altering));
    const destination = makeKey().address;
    await other.does(({ payment }) => payment.pay({ currency: "sol", destination, amount: 10_000_000n }));
    const expected = { code: "transaction_mismatch", help: expect.stringContaining("Your wallet added something") };
    expect(other.shown().payment.state).toMatchObject({ status: "refused", error: expected });
    expect(await backend.trellis.lamportsOf(destination)).toBe(0n);
    await backend.trellis.client.sessions.endAll(account);
    await other.does(({ balances }) => balances.refetch());
    await other.until(({ signIn }) => signIn.state.status === "error");
    expect(other.shown().signIn.state).toMatchObject({ error: { help: "You have been signed out. Sign in again." } });
    await other.leave();
  });
});

const registryOf = (wallets: readonly StandardWallet[]) => {
  const usable = wallets.filter(isUsableWallet);
  return { list: () => usable, subscribe: () => () => undefined };
};

/** A page with these wallets in its browser. */
const openWith = (wallets: readonly SoftWallet[], more: Parameters<typeof open>[2] = {}) =>
  open(backend, useAll, { wallets: registryOf(wallets), ...more });

function useAll() {
  const proposals = useProposals();
  return {
    signIn: useSignIn(),
    wallets: useWallets(),
    account: useAccount(),
    balances: useBalances(),
    passkeys: usePasskeys(),
    payment: usePayment(),
    proposals,
    proposal: useProposal(proposals.data?.[0]?.proposalAddress ?? ""),
  };
}

async function openAccount(wallets: readonly SoftWallet[], threshold = 1): Promise<string> {
  const signers = wallets.map(({ key }) => ({ address: key.address, permissions: everything }));
  const { address } = await backend.trellis.client.accounts.createCustom({ policies: { signers, threshold } });
  await backend.trellis.client.sandbox.airdrop({ address, currency: "sol", amount: "100000000" });
  return address;
}
