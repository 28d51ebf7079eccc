import {
  type PaymentRequest,
  type PaymentState,
  type TrellisProviderProps,
  useBalances,
  usePayment,
  useSignIn,
} from "@trellis/react";
import { describe, expect, it } from "vitest";
import { makeKey } from "../adversarial/support.js";
import { type Between, codeFor, createStorage, freshEmail, open, type Screen, sharedBackend } from "./support.js";

const backend = sharedBackend();

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
    // The account's view follows automatically.
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
  ])("is resumed by the next page when this one ends %s", async (_when, submitOf) => {
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

  it("ends in order when its component unmounts in the middle, and belongs to no other", async () => {
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

    // What one account left open is not resumed for another.
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

  it("of two tabs that take turns is never made by both, not even where one begins while the other keeps what it signed", async () => {
    const storage = createStorage();
    let turn: Promise<unknown> = Promise.resolve();
    const exclusively = <Answer,>(_name: string, act: () => Promise<Answer>): Promise<Answer> => {
      const mine = turn.then(act);
      turn = mine.catch(() => undefined);
      return mine;
    };
    let release = () => {};
    let arrive = () => {};
    const keeping = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const slow = async (key: string, value: string) => {
      if (value.includes('"signed"')) {
        arrive();
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      await storage.setItem(key, value);
    };
    const { screen, email } = await openFunded({ storage: { ...storage, exclusively, setItem: slow } });
    // The first one continues when the other tab waits for its turn, or has signed without waiting for one.
    const ofTab: TrellisProviderProps["storage"] = {
      ...storage,
      exclusively: (name, act) => {
        release();
        return exclusively(name, act);
      },
      setItem: async (key, value) => {
        await storage.setItem(key, value);
        if (value.includes('"signed"')) release();
      },
    };
    const tab = await open(backend, useAll, { storage: ofTab });
    await signIn(tab, email);
    const [one, other] = [makeKey().address, makeKey().address];
    const both = await screen.does(async ({ payment: { pay } }) => {
      const first = pay(sol(one));
      await keeping;
      return Promise.all([first, tab.shown().payment.pay(sol(other))]);
    });
    expect(both.map(({ status }) => status)).toEqual(["confirmed", "refused"]);
    expect([await paidTo(one), await paidTo(other)]).toEqual([10_000_000n, 0n]);
    await screen.leave();
    await tab.leave();
  });

  it("can be made again after one that another page signed and never sent", async () => {
    const storage = createStorage();
    const { screen, email } = await openFunded({
      storage,
      between: (request, go) => (isSubmit(request) ? never() : go()),
    });
    const tab = await open(backend, useAll, { storage });
    await signIn(tab, email);
    const payee = makeKey().address;
    await screen.does(({ payment: { pay } }) => void pay(sol(payee)));
    await screen.until(({ payment: { state } }) => state.status === "paying" && state.step === "submitted");
    await screen.leave();
    await backend.trellis.client.sandbox.advanceClock(600);
    const first = await tab.does(({ payment: { pay } }) => pay(sol(payee)));
    expect(first).toMatchObject({ status: "refused" });
    expect(storage.items.size).toBe(0);
    expect(await tab.does(({ payment: { pay } }) => pay(sol(payee)))).toMatchObject({ status: "confirmed" });
    expect(await paidTo(payee)).toBe(10_000_000n);
    await tab.leave();
  });

  it("is not made beside the one that another tab has signed anew after the end of the former bytes", async () => {
    const storage = createStorage();
    const gates = Array.from({ length: 3 }, () => {
      let open = () => {};
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      return { open, opened };
    });
    const [submits, hears, lands] = gates as [(typeof gates)[0], (typeof gates)[0], (typeof gates)[0]];
    const counts = { screen: 0, tab: 0 };
    const { screen, email } = await openFunded({
      storage,
      between: async (request, go) => {
        if (!isSubmit(request)) return go();
        counts.screen += 1;
        await (counts.screen === 1 ? submits : lands).opened;
        return go();
      },
    });
    const tab = await open(backend, useAll, {
      storage,
      between: async (request, go) => {
        const answer = await go();
        if (!isSubmit(request)) return answer;
        counts.tab += 1;
        if (counts.tab === 1) await hears.opened;
        return answer;
      },
    });
    await signIn(tab, email);
    const payee = makeKey().address;
    let paying: Promise<PaymentState> | undefined;
    await screen.does(({ payment: { pay } }) => {
      paying = pay(sol(payee));
    });
    await screen.until(() => counts.screen === 1);
    await backend.trellis.client.sandbox.advanceClock(600);
    let asking: Promise<PaymentState> | undefined;
    await tab.does(({ payment: { pay } }) => {
      asking = pay(sol(payee));
    });
    await tab.until(() => counts.tab === 1);
    submits.open();
    await screen.until(() => counts.screen === 2);
    hears.open();
    expect(await asking).toMatchObject({ status: "refused" });
    expect(await tab.does(({ payment: { pay } }) => pay(sol(payee)))).toMatchObject({ status: "confirmed" });
    lands.open();
    expect(await paying).toMatchObject({ status: "confirmed" });
    expect(await paidTo(payee)).toBe(10_000_000n);
    expect(storage.items.size).toBe(0);
    await screen.leave();
    await tab.leave();
  });

  it("is found where another one was signed by a closed page, so that there is room for the next", async () => {
    const storage = createStorage();
    const { screen, email } = await openFunded({
      storage,
      between: (request, go) => (isSubmit(request) ? never() : go()),
    });
    const tab = await open(backend, useAll, { storage });
    await signIn(tab, email);
    const [one, other] = [makeKey().address, makeKey().address];
    await screen.does(({ payment: { pay } }) => void pay(sol(one)));
    await screen.until(({ payment: { state } }) => state.status === "paying" && state.step === "submitted");
    await screen.leave();
    expect(await tab.does(({ payment: { pay } }) => pay(sol(other)))).toMatchObject({
      status: "refused",
      error: { code: "payment_under_way" },
    });
    await tab.until(() => storage.items.size === 0);
    expect(await paidTo(one)).toBe(10_000_000n);
    expect(await tab.does(({ payment: { pay } }) => pay(sol(other)))).toMatchObject({ status: "confirmed" });
    await tab.leave();
  });

  it("is found out about although the storage cannot be read any more", async () => {
    const storage = createStorage();
    let isBroken = false;
    let isLosing = true;
    const { screen } = await openFunded({
      storage: {
        ...storage,
        getItem: (key) => (isBroken ? Promise.reject(new Error("the connection was lost")) : storage.getItem(key)),
      },
      between: async (request, go) => {
        const answer = await go();
        if (isLosing && isSubmit(request)) throw new TypeError("connection reset");
        return answer;
      },
    });
    const payee = makeKey().address;
    expect(await screen.does(({ payment: { pay } }) => pay(sol(payee)))).toMatchObject({ status: "unknown" });
    [isBroken, isLosing] = [true, false];
    expect(await screen.does(({ payment: { retry } }) => retry())).toMatchObject({ status: "confirmed" });
    expect(await paidTo(payee)).toBe(10_000_000n);
    await screen.leave();
  });

  it("continues to its end for the user who began it when another user signs in meanwhile", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    const { screen } = await openFunded({
      between: async (request, go) => {
        if (!isSubmit(request) || isHeld) return go();
        isHeld = true;
        await held;
        throw new TypeError("connection reset");
      },
    });
    const payee = makeKey().address;
    let paying: Promise<PaymentState> | undefined;
    await screen.does(({ payment: { pay } }) => {
      paying = pay(sol(payee));
    });
    await screen.until(() => isHeld);
    await signIn(screen, freshEmail());
    release();
    expect(await paying).toMatchObject({ status: "confirmed" });
    expect(await paidTo(payee)).toBe(10_000_000n);
    await screen.leave();
  });

  it("is given as people write it, exactly, and refused where that is not exact", async () => {
    const { screen } = await openFunded();
    const payee = makeKey().address;
    const request = (uiAmount: string): PaymentRequest => ({ currency: "sol", destination: payee, uiAmount });
    expect(await screen.does(({ payment: { pay } }) => pay(request("0.0000000001")))).toMatchObject({
      status: "refused",
      error: { help: "This amount has more decimal places than the currency. Round it." },
    });
    const [first, second] = await screen.does(({ payment: { pay } }) =>
      Promise.all([pay(request("0.01")), pay(request("0.01"))]),
    );
    expect(first).toMatchObject({ status: "confirmed", request: request("0.01") });
    expect(second).toEqual(first);
    expect(await paidTo(payee)).toBe(10_000_000n);
    await screen.leave();
  });

  it("is refused without a signed-in user", async () => {
    const screen = await open(backend, useAll);
    const refused = await screen.does(({ payment: { pay } }) => pay(sol(makeKey().address)));
    expect(refused).toMatchObject({ status: "refused", error: { help: "You are signed out. Sign in again." } });
    await screen.leave();
  });
});

const useAll = () => ({ signIn: useSignIn(), payment: usePayment(), balances: useBalances({ pollMs: 0 }) });

type View = ReturnType<typeof useAll>;

async function signIn(screen: Screen<View>, email: string): Promise<string> {
  await screen.does(({ signIn }) => signIn.start(email));
  const code = await codeFor(backend, email);
  await screen.does(({ signIn }) => signIn.verify(code));
  const { state } = screen.shown().signIn;
  if (state.status !== "signed-in") throw new Error(`not signed in: ${JSON.stringify(state)}`);
  return state.account;
}

/** A page on which a user with a SOL is signed in. */
async function openFunded(options: Pick<TrellisProviderProps, "storage"> & { readonly between?: Between } = {}) {
  const email = freshEmail();
  const screen = await open(backend, useAll, options);
  const account = await signIn(screen, email);
  await backend.trellis.client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  return { screen, email, account };
}

const sol = (destination: string, amount = 10_000_000n): PaymentRequest => ({ currency: "sol", destination, amount });

const isSubmit = ({ path }: { readonly path: string }) => path.endsWith("/submit");

const paidTo = (payee: string) => backend.trellis.lamportsOf(payee);

const ended = ({ payment: { state } }: View) => state.status !== "paying" && state.status !== "idle";
