import {
  useAddressBook,
  useBalanceHistory,
  useDeposits,
  useHistory,
  useSignIn,
  useSpendingLimits,
  useStandingOrders,
  useVirtualAccounts,
} from "@trellis/react";
import { describe, expect, it } from "vitest";
import { apiPath, dataOf, makeKey } from "../adversarial/support.js";
import { codeFor, freshEmail, open, page, readingScopes, sharedBackend } from "./support.js";

const backend = sharedBackend();

describe("what a page shows of the account that is signed in", () => {
  it("is its history, limits, orders, virtual accounts and deposits, page by page", async () => {
    const { client } = backend.trellis;
    const scopes = [...readingScopes, "payments:read", "virtual-accounts:read"];
    const { screen, account, session, email } = await openSignedIn(scopes);
    const coins = { currency: "sol", amount: 1_000_000n } as const;
    const destination = makeKey().address;
    await client.transfers.send({ account, session, ...coins, destination });
    const limit = { ...coins, period: "day", signers: [destination] } as const;
    const { spendingLimit } = await client.spendingLimits.create({ account, session, limit });
    const order = { ...coins, payee: destination, frequency: "monthly" } as const;
    const made: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      made.push((await client.standingOrders.create({ account, session, order })).id);
    }
    const { id } = await client.kyc.start(account, { type: "individual", email, full_name: "Ada Lovelace" });
    await client.sandbox.setKyc(id, { status: "approved" });
    const bank = await client.virtualAccounts.request(account, { currency: "usd" });
    await client.sandbox.deposit(bank.id, { amount: "25.00" });

    const readAll = async () => {
      const { history, limits, orders, virtualAccounts, deposits } = screen.shown();
      for (const { refetch } of [history, limits, orders, virtualAccounts, deposits]) {
        await screen.does(refetch);
      }
    };
    await readAll();
    await readAll();
    const view = screen.shown();
    for (const { error } of [view.history, view.limits, view.orders, view.virtualAccounts, view.deposits]) {
      expect(error).toBeUndefined();
    }
    expect(view.limits.data?.map(({ address }) => address)).toContain(spendingLimit);
    expect(view.virtualAccounts.data?.map(({ id: viewId }) => viewId)).toEqual([bank.id]);
    expect(view.deposits.data).toHaveLength(1);
    expect(view.orders.data?.map(({ id: viewId }) => viewId)).toEqual([made[1]]);
    expect(view.orders.hasMore).toBe(true);
    await screen.does(({ orders }) => orders.showMore());
    await screen.until(({ orders }) => orders.data?.length === 2);
    expect(screen.shown().orders).toMatchObject({ hasMore: false, data: [{ id: made[1] }, { id: made[0] }] });
    expect(view.history.data).toHaveLength(1);
    expect(view.history.hasMore).toBe(true);
    await screen.leave();
  });

  it("is only what its key was made for, and says so in the state", async () => {
    const { screen } = await openSignedIn(["auth:write", "payments:write", "transactions:write"]);
    const { history, limits, orders, virtualAccounts } = await screen.until((view) => view.orders.error !== undefined);
    for (const { refetch } of [history, limits, orders, virtualAccounts]) await screen.does(refetch);
    const view = screen.shown();
    for (const { error, data } of [view.history, view.limits, view.orders, view.virtualAccounts]) {
      expect(error).toMatchObject({ code: "insufficient_scope" });
      expect(data).toBeUndefined();
    }
    await screen.leave();
  });
});

describe("the history of an account", () => {
  it("is narrowed by direction, currency and day", async () => {
    const { client } = backend.trellis;
    const { screen, account, session } = await openSignedIn([...readingScopes, "payments:read"]);
    const destination = makeKey().address;
    await client.transfers.send({ account, session, currency: "sol", amount: 2_000_000n, destination });
    const read = async () => {
      for (const { refetch } of screen.shown().narrowed) await screen.does(refetch);
      return screen.shown().narrowed.map(({ data, error }) => error?.code ?? data?.map(({ Spl }) => Spl?.to_address));
    };
    expect(await read()).toEqual([[destination], [account], [], []]);
    await screen.leave();
  });

  it("is what was held at the end of each day, the last of which is today", async () => {
    const { screen, account } = await openSignedIn(readingScopes);
    await screen.does(({ earlier }) => earlier.refetch());
    const { data, error } = screen.shown().earlier;
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ address: account, interval: "day" });
    expect(data?.points).toHaveLength(3);
    const { lamports } = await backend.trellis.client.accounts.balances(account);
    expect(data?.points.at(-1)?.balances[0]?.amount).toBe(String(lamports));
    await screen.leave();
  });
});

it("the address book of an account is whole, however many answers it takes", async () => {
  const { client } = backend.trellis;
  const { screen, account } = await openSignedIn(readingScopes);
  const names = Array.from({ length: 101 }, (_, at) => `Payee ${at}`);
  for (const name of names) await client.labels.put({ account, address: makeKey().address, name });
  await screen.does(({ book }) => book.refetch());
  const { data, error } = screen.shown().book;
  expect(error).toBeUndefined();
  expect(new Set(data?.map(({ name }) => name))).toEqual(new Set(names));
  await screen.leave();
});

const useAll = () => {
  const virtualAccounts = useVirtualAccounts();
  return {
    signIn: useSignIn(),
    history: useHistory({ limit: 1 }),
    narrowed: [
      useHistory({ type: "outflow" }),
      useHistory({ type: "inflow", currency: "sol" }),
      useHistory({ currency: "usdc" }),
      useHistory({ end_date: "2020-01-01" }),
    ],
    earlier: useBalanceHistory({ days: 3 }),
    book: useAddressBook(),
    limits: useSpendingLimits(),
    orders: useStandingOrders({ limit: 1 }),
    virtualAccounts,
    deposits: useDeposits(virtualAccounts.data?.[0]?.id ?? "none"),
  };
};

async function keyFor(scopes: readonly string[]): Promise<string> {
  const body = { name: "App", type: "publishable", environments: ["sandbox"], allowed_origins: [page], scopes };
  return dataOf<{ key: string }>(await backend.trellis.request("POST", `${apiPath}/api-keys`, body)).key;
}

/** Signs in on a page, and with the library beside it, which makes what the page shows. */
async function openSignedIn(scopes: readonly string[]) {
  const { client } = backend.trellis;
  const screen = await open({ ...backend, publishableKey: await keyFor(scopes) }, useAll);
  const email = freshEmail();
  await screen.does(({ signIn }) => signIn.start(email));
  const code = await codeFor(backend, email);
  await screen.does(({ signIn }) => signIn.verify(code));
  const { verify } = await client.auth.signIn(email);
  const { account, session } = await verify(await codeFor(backend, email));
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  return { screen, account, session, email };
}
