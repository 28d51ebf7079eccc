import { createTrellisClient, type TrellisClientOptions, TrellisNetworkError } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { useTestService } from "../support/scene.js";

const trellis = useTestService();

describe("signing in by the client library", () => {
  it("makes a new user an account, and lets a known one in again, by the same two calls", async () => {
    const email = freshEmail();
    const first = await signIn(` ${email} `);
    expect(first).toMatchObject({ email, isNew: true });
    const again = await signIn(email);
    expect(again).toMatchObject({ isNew: false, account: first.account, userId: first.userId });
    expect(await clientOf().accounts.get(first.account)).toMatchObject({ email, status: "active" });
  });

  it("opens a session that pays", async () => {
    const { account, session } = await signIn(freshEmail());
    const client = clientOf();
    await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
    const { account: destination } = await signIn(freshEmail());
    const sent = await client.transfers.send({ account, session, currency: "sol", destination, amount: 5_000_000n });
    expect(sent.signature).toMatch(/^\w{64,}$/);
  });

  it("answers once more what got lost behind a gateway, by the same code", async () => {
    const email = freshEmail();
    await signIn(email);
    let isLosing = true;
    const client = clientOf({
      maxRetries: 0,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        if (!isLosing || !String(url).endsWith("/auth/verify")) return answer;
        return new Response("<html>Bad gateway</html>", { status: 502 });
      },
    });
    const { verify } = await client.auth.signIn(email);
    const code = await codeFor(email);
    await expect(verify(code)).rejects.toMatchObject({ status: 502 });
    isLosing = false;
    expect(await verify(code)).toMatchObject({ email });
  });

  it("sends another code to a user who never used the first one, and accepts only the newest", async () => {
    const email = freshEmail();
    const begun = await clientOf().auth.signIn(email);
    const old = await codeFor(email);
    const anew = await clientOf().auth.signIn(email);
    const code = await codeFor(email);
    if (old !== code) await expect(begun.verify(old)).rejects.toMatchObject({ code: "invalid_otp" });
    expect((await anew.verify(` ${code} `)).account).toBeTypeOf("string");
  });

  it("gets through where the account is made on another device at the same moment", async () => {
    const email = freshEmail();
    let other: Promise<unknown> | undefined;
    const meanwhile: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      if (answer.status === 404) {
        other ??= signIn(email);
        await other;
      }
      return answer;
    };
    const here = await clientOf({ fetch: meanwhile }).auth.signIn(email);
    expect(here.isNew).toBe(false);
    expect(await here.verify(await codeFor(email))).toMatchObject({ account: (await signIn(email)).account });
  });

  it("takes the same code once more after a lost answer, and another one after a wrong one", async () => {
    let isLost = false;
    const losing: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      if (!isLost || !String(url).endsWith("/verify")) return answer;
      throw new TypeError("the connection was lost");
    };
    for (const isKnown of [false, true]) {
      const email = freshEmail();
      if (isKnown) await signIn(email);
      const { verify } = await clientOf({ fetch: losing, maxRetries: 0 }).auth.signIn(email);
      const code = await codeFor(email);
      await expect(verify(code === "000000" ? "000001" : "000000")).rejects.toMatchObject({ code: "invalid_otp" });
      isLost = true;
      await expect(verify(code)).rejects.toBeInstanceOf(TrellisNetworkError);
      isLost = false;
      expect((await verify(code)).account).toMatch(/^\w{32,44}$/);
    }
  });

  it("says what stands against it", async () => {
    await expect(clientOf().auth.signIn("no address")).rejects.toMatchObject({ code: "invalid_email" });
    await expect(clientOf({ apiKey: "tk_wrong" }).auth.signIn(freshEmail())).rejects.toMatchObject({
      code: "invalid_api_key",
    });
  });

  it("begins alike for every caller with a key that a page may hold", async () => {
    const { key: apiKey } = await clientOf().apiKeys.create({
      name: "page",
      type: "publishable",
      environments: ["sandbox"],
      allowed_origins: ["https://app.example"],
      scopes: ["auth:write", "accounts:read"],
    });
    const browse: typeof fetch = (url, init) =>
      fetch(url, { ...init, headers: { ...(init?.headers as object), origin: "https://app.example" } });
    const page = clientOf({ apiKey, fetch: browse });
    const email = freshEmail();
    const first = await signIn(email, page);
    const again = await signIn(email, page);
    expect([first.isNew, again.isNew, again.account]).toEqual([false, false, first.account]);
  });
});

describe("waiting for a deposit", () => {
  const airdrop = (address: string, amount: bigint, currency: "sol" | "usdc" = "usdc") =>
    clientOf().sandbox.airdrop({ address, currency, amount: amount.toString() });

  it("answers the first match that arrives after the call", async () => {
    const { account } = await signIn(freshEmail());
    await airdrop(account, 9_000_000n);
    let refreshes = 0;
    const pause = async () => {
      refreshes += 1;
      if (refreshes === 1) await airdrop(account, 5_000_001n, "sol");
      if (refreshes === 2) await airdrop(account, 4_000_000n);
      if (refreshes === 3) {
        await airdrop(account, 5_000_000n);
        // Of one slot no transfer is the older one.
        await clientOf().sandbox.advanceClock(1);
        await airdrop(account, 6_000_000n);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const { history } = clientOf({ pause });
    // The read of what exists already has to see it first.
    while ((await history.transfersPage(account, { type: "inflow" })).items.length === 0) await pause0();
    const paid = await history.waitForDeposit(account, { currency: "usdc", amount: 5_000_000n });
    expect(paid).toMatchObject({ amount: "5000000", ui_amount: "5", direction: "inflow" });
  });

  it("answers what arrived before the call too, where a start is given, and can wait until it is final", async () => {
    const { account } = await signIn(freshEmail());
    await airdrop(account, 7_000_000n);
    const { history } = clientOf({ pause: pause0 });
    const paid = await history.waitForDeposit(account, { since: "2020-01-01", isFinal: true });
    expect(paid).toMatchObject({ amount: "7000000", confirmation_status: "finalized" });
  });

  it("ends when it is aborted, with the reason", async () => {
    const { account } = await signIn(freshEmail());
    const stop = new AbortController();
    const waiting = clientOf().history.waitForDeposit(account, { signal: stop.signal, pauseMs: 3_600_000 });
    stop.abort(new Error("the shop has closed"));
    await expect(waiting).rejects.toThrow("the shop has closed");
    const late = clientOf().history.waitForDeposit(account, { signal: AbortSignal.abort() });
    await expect(late).rejects.toMatchObject({ name: "AbortError" });
    await expect(clientOf().history.waitForDeposit("nobody")).rejects.toMatchObject({ status: 404 });
  });

  it("ends at once while it is still being asked, also by a signal that knows no more than React Native's", async () => {
    const { account } = await signIn(freshEmail());
    const heard = new Set<() => void>();
    const signal = {
      aborted: false,
      addEventListener: (_: string, listener: () => void) => heard.add(listener),
      removeEventListener: (_: string, listener: () => void) => heard.delete(listener),
    };
    const silent = clientOf({ fetch: () => new Promise<never>(() => {}) });
    const waiting = silent.history.waitForDeposit(account, { signal: signal as unknown as AbortSignal });
    for (const listener of heard) listener();
    await expect(waiting).rejects.toThrow("the waiting was aborted");
    expect(heard.size).toBe(0);
  });
});

const clientOf = (more: Partial<TrellisClientOptions> = {}) =>
  createTrellisClient({ baseUrl: trellis.url, apiKey: trellis.apiKey, environment: "sandbox", ...more });

const pause0 = () => new Promise<void>((resolve) => setTimeout(resolve, 20));

let count = 0;
const freshEmail = () => {
  count += 1;
  return `signs-in-${count}@example.org`;
};

/** The code that was sent last. */
async function codeFor(email: string): Promise<string> {
  const [mail] = await clientOf().sandbox.outbox(email);
  return /\b[0-9]{6}\b/.exec(mail?.text ?? "")?.[0] ?? "";
}

async function signIn(email: string, client = clientOf()) {
  const begun = await client.auth.signIn(email);
  return { ...begun, ...(await begun.verify(await codeFor(begun.email))) };
}
