import { type PaymentRequest, type PaymentState, useBalances, usePayment, useSignIn } from "@trellis/react";
import type { KeyValueStorage } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lamportsOf, makeKey } from "../adversarial/support.js";
import {
  type Backend,
  type Between,
  codeFor,
  createStorage,
  freshEmail,
  open,
  type Screen,
  startBackend,
} from "./support.js";

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => backend?.trellis.close());

const useAll = () => ({ signIn: useSignIn(), payment: usePayment(), balances: useBalances({ pollMs: 0 }) });
type Shown = ReturnType<typeof useAll>;

async function signIn(screen: Screen<Shown>, email: string): Promise<string> {
  await screen.does(({ signIn }) => signIn.start(email));
  const code = await codeFor(backend, email);
  await screen.does(({ signIn }) => signIn.verify(code));
  const { state } = screen.shown().signIn;
  if (state.status !== "signed-in") throw new Error(`not signed in: ${JSON.stringify(state)}`);
  return state.account;
}

/** A page on which somebody with a SOL is signed in. */
async function openFunded(options: { readonly between?: Between; readonly storage?: KeyValueStorage } = {}) {
  const email = freshEmail();
  const screen = await open(backend, useAll, options);
  const account = await signIn(screen, email);
  await backend.trellis.client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  return { screen, email, account };
}

const sol = (destination: string, amount = 10_000_000n): PaymentRequest => ({ currency: "sol", destination, amount });
const isSubmit = ({ path }: { readonly path: string }) => path.endsWith("/submit");
const paidTo = (payee: string) => lamportsOf(backend.trellis, payee);
const ended = ({ payment: { state } }: Shown) => state.status !== "paying" && state.status !== "idle";
const never = () => new Promise<Response>(() => {});

describe("a payment", () => {
  it("is made once for two clicks, for a late one, and while everything is rendered anew", async () => {
    const storage = createStorage();
    const { screen, account } = await openFunded({ storage });
    const payee = makeKey().address;
    const before = screen.shown().balances.readAtMs ?? 0;
    const [first, second] = await screen.does(async ({ payment: { pay } }) => {
      const clicks = [pay(sol(payee)), pay(sol(payee))] as const;
      return Promise.all(clicks);
    });
    expect(first).toMatchObject({ status: "confirmed", sent: { signature: expect.any(String) } });
    expect(second).toEqual(first);
    await screen.renders();
    expect(await screen.does(({ payment: { pay } }) => pay(sol(payee)))).toEqual(first);
    expect(await paidTo(payee)).toBe(10_000_000n);
    expect(storage.items.size).toBe(0);
    // What is shown of the account follows by itself.
    await screen.until(({ balances: { readAtMs = 0 } }) => readAtMs > before);
    expect((await backend.trellis.client.accounts.balances(account)).lamports).toBe(990_000_000);

    await screen.does(({ payment: { reset } }) => reset());
    expect(screen.shown().payment.state).toEqual({ status: "idle" });
    await screen.does(({ payment: { pay } }) => pay(sol(payee)));
    expect(await paidTo(payee)).toBe(20_000_000n);
    await screen.leave();
  });

  it("is refused while another one is open, and one that is refused can be made later", async () => {
    const { screen, account } = await openFunded();
    const payee = makeKey().address;
    const [, other] = await screen.does(async ({ payment: { pay } }) =>
      Promise.all([pay(sol(payee)), pay(sol(payee, 11_000_000n))]),
    );
    expect(other).toMatchObject({ status: "refused", error: { code: "payment_under_way" } });
    const tooMuch = sol(payee, 5_000_000_000n);
    expect(await screen.does(({ payment: { pay } }) => pay(tooMuch))).toMatchObject({
      status: "refused",
      error: { code: "insufficient_balance" },
      request: tooMuch,
    });
    await backend.trellis.client.sandbox.airdrop({ address: account, currency: "sol", amount: "9000000000" });
    expect(await screen.does(({ payment: { pay } }) => pay(tooMuch))).toMatchObject({ status: "confirmed" });
    expect(await paidTo(payee)).toBe(5_010_000_000n);
    await screen.leave();
  });

  it("says that it does not know when every answer is lost, makes no other, and finds out by the same bytes", async () => {
    let isLosing = true;
    const { screen } = await openFunded({
      between: async (request, go) => {
        const answer = await go();
        if (isLosing && isSubmit(request)) throw new TypeError("connection reset");
        return answer;
      },
    });
    const payee = makeKey().address;
    const lost = await screen.does(({ payment: { pay } }) => pay(sol(payee)));
    expect(lost).toMatchObject({ status: "unknown", error: { code: "outcome_unknown" } });
    await screen.does(({ payment: { reset } }) => reset());
    expect(screen.shown().payment.state.status).toBe("unknown");
    expect(await screen.does(({ payment: { pay } }) => pay(sol(makeKey().address)))).toMatchObject({
      status: "refused",
      error: { code: "payment_under_way" },
    });
    isLosing = false;
    const [found, clicked] = await screen.does(async ({ payment: { pay, retry } }) =>
      Promise.all([retry(), pay(sol(payee))]),
    );
    expect(found).toMatchObject({ status: "confirmed" });
    expect(clicked).toEqual(found);
    expect(await paidTo(payee)).toBe(10_000_000n);
    await screen.leave();
  });

  it.each([
    ["after the service has it", (_: unknown, go: () => Promise<Response>) => go().then(never)],
    ["before it went out", never],
  ])("is taken up by the next page when this one ends %s", async (_when, submitOf) => {
    const storage = createStorage();
    const { screen, email } = await openFunded({
      storage,
      between: (request, go) => (isSubmit(request) ? submitOf(request, go) : go()),
    });
    const payee = makeKey().address;
    await screen.does(({ payment: { pay } }) => void pay(sol(payee)));
    await screen.until(({ payment: { state } }) => state.status === "paying" && state.step === "submitted");
    await screen.leave();

    const next = await open(backend, useAll, { storage });
    await signIn(next, email);
    await next.until(ended);
    expect(next.shown().payment.state).toMatchObject({ status: "confirmed", request: sol(payee) });
    // A person who saw nothing happen clicks again.
    const again = await next.does(({ payment: { pay } }) => pay(sol(payee)));
    expect(again).toEqual(next.shown().payment.state);
    expect(await paidTo(payee)).toBe(10_000_000n);
    expect(storage.items.size).toBe(0);
    await next.leave();
  });

  it("ends in order when its component goes in the middle, and is nobody else's", async () => {
    const storage = createStorage();
    const { screen, account } = await openFunded({ storage });
    const payee = makeKey().address;
    let paying: Promise<PaymentState> | undefined;
    await screen.does(({ payment: { pay } }) => {
      paying = pay(sol(payee));
    });
    await screen.leave();
    expect(await paying).toMatchObject({ status: "confirmed" });
    expect(await paidTo(payee)).toBe(10_000_000n);
    expect(storage.items.size).toBe(0);

    // What one account left unfinished is not taken up for another.
    const left = JSON.stringify({ id: "1", request: {}, signed: { account } });
    storage.items.set(`trellis.payment.sandbox.${account}.payment`, left);
    const other = await openFunded({ storage });
    expect(other.screen.shown().payment.state).toEqual({ status: "idle" });
    await other.screen.leave();
  });

  it("of one name is made by one of two tabs", async () => {
    const storage = createStorage();
    const { screen, email, account } = await openFunded({ storage });
    const tab = await open(backend, useAll, { storage });
    expect(await signIn(tab, email)).toBe(account);
    const [one, other] = [makeKey().address, makeKey().address];
    const both = await screen.does(({ payment: { pay } }) =>
      Promise.all([pay(sol(one)), tab.shown().payment.pay(sol(other))]),
    );
    const confirmed = both.filter(({ status }) => status === "confirmed");
    expect((await paidTo(one)) + (await paidTo(other))).toBe(BigInt(confirmed.length) * 10_000_000n);
    for (const state of both) {
      if (state.status !== "confirmed")
        expect(state).toMatchObject({ status: "refused", error: { code: "payment_under_way" } });
    }
    expect(storage.items.size).toBe(0);
    await screen.leave();
    await tab.leave();
  });

  it("of nobody who is signed in is refused", async () => {
    const screen = await open(backend, useAll);
    const refused = await screen.does(({ payment: { pay } }) => pay(sol(makeKey().address)));
    expect(refused).toMatchObject({ status: "refused", error: { help: "Nobody is signed in." } });
    await screen.leave();
  });
});
