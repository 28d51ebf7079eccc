import {
  createMemoryStorage,
  createSecureStorage,
  createSessionKeeper,
  createTrellisClient,
  type KeyValueStorage,
  type SecureStore,
  type SessionKeeperOptions,
  SignedOutError,
  type TrellisClientOptions,
} from "@trellis/sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useTestService } from "../support/scene.js";
import { createStorage, createTabs } from "../support/storages.js";

const trellis = useTestService();
afterEach(() => vi.useRealTimers());
const daySeconds = 86_400;

describe("keeping a session", () => {
  it("exists after a restart, pays with a session that has ended meanwhile, and is deleted once signed out", async () => {
    const storage = createMemoryStorage();
    const first = keeperOf({ storage });
    expect(await first.restore()).toBeUndefined();
    const signedIn = await signIn();
    await first.keep(signedIn);

    const second = keeperOf({ storage });
    expect(await second.restore()).toMatchObject({ account: signedIn.account, email: signedIn.email });
    await trellis.client.sandbox.advanceClock(daySeconds + 60);
    expect((await pays(second)).signature).toMatch(/^\w{64,}$/);
    expect(second.current()?.session.expiresAtMs).toBeGreaterThan(signedIn.session.expiresAtMs);
    // The former session's refresh token was used; what the other process kept is of use to the first one.
    expect((await pays(first)).signature).toMatch(/^\w{64,}$/);

    await second.signOut();
    expect(second.current()).toBeUndefined();
    await expect(pays(second)).rejects.toThrow();
    await expect(second.withSession(() => Promise.resolve())).rejects.toBeInstanceOf(SignedOutError);
    expect(await keeperOf({ storage }).restore()).toBeUndefined();
    expect(await first.renew()).toBe(false);
    expect(first.current()).toBeUndefined();
  });

  it("says whose session has ended where the service lengthens it no more, and keeps nothing of it", async () => {
    const storage = createMemoryStorage();
    const ends: unknown[] = [];
    const keeper = keeperOf({ storage, onEnd: (email, error) => ends.push([email, error?.code]) });
    const signedIn = await signIn();
    await keeper.keep(signedIn);
    await trellis.client.sandbox.advanceClock(31 * daySeconds);
    await expect(pays(keeper)).rejects.toMatchObject({ code: "session_expired" });
    expect(keeper.current()).toBeUndefined();
    expect(ends).toEqual([[signedIn.email, expect.stringMatching(/session|token/)]]);
    expect(await storage.getItem("trellis.session")).toBeNull();
  });

  it("trades one session once, however many need the next one at the same time", async () => {
    const calls: string[] = [];
    const client = clientOf({
      fetch: (url, init) => {
        calls.push(new URL(String(url)).pathname);
        return fetch(url, init);
      },
    });
    const keeper = keeperOf({ client });
    await keeper.keep(await signIn());
    expect(await Promise.all([keeper.renew(), keeper.renew(), keeper.renew()])).toEqual([true, true, true]);
    expect(calls.filter((path) => path.endsWith("/auth/refresh-session"))).toHaveLength(1);
  });

  it("never adopts what another account has left where its own session could not be stored", async () => {
    const theirs = createMemoryStorage();
    const others = keeperOf({ storage: theirs });
    await others.keep(await signIn());
    const full: KeyValueStorage = { ...theirs, setItem: () => Promise.reject(new Error("there is no more room")) };
    const keeper = keeperOf({ storage: full });
    const mine = await signIn();
    await keeper.keep(mine);
    expect(await keeper.renew()).toBe(true);
    expect(keeper.current()?.account).toBe(mine.account);
  });

  it("is lengthened automatically when three quarters of its life are over, and retried ever less often without an answer", async () => {
    let isReachable = false;
    const refreshedAtMs: number[] = [];
    const client = clientOf({
      maxRetries: 0,
      fetch: (url, init) => {
        refreshedAtMs.push(Date.now());
        return isReachable ? fetch(url, init) : Promise.reject(new TypeError("fetch failed"));
      },
    });
    const signedIn = await signIn();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const keeper = keeperOf({ client });
    const openedAtMs = Date.now();
    await keeper.keep(signedIn);
    const lifeMs = signedIn.session.expiresAtMs - openedAtMs;
    const unwatch = keeper.watch();
    await vi.advanceTimersByTimeAsync(lifeMs * 0.75 - 1_000);
    expect(refreshedAtMs).toEqual([]);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(refreshedAtMs[0]).toBeCloseTo(openedAtMs + lifeMs * 0.75, -2);
    const pausesMs = refreshedAtMs.slice(1).map((atMs, at) => atMs - (refreshedAtMs[at] ?? 0));
    expect(pausesMs.slice(0, 3)).toEqual([2_000, 4_000, 8_000]);
    expect(pausesMs.at(-1)).toBe(300_000);
    expect(keeper.current()?.account).toBe(signedIn.account);

    unwatch();
    vi.useRealTimers();
    isReachable = true;
    expect(await keeper.renew()).toBe(true);
  });
});

/** A fetch that holds up the lengthening of a session, and says when that has been asked for. */
function heldRefresh() {
  let release = () => {};
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const calls: string[] = [];
  const send: typeof fetch = async (url, init) => {
    const { pathname } = new URL(String(url));
    calls.push(pathname);
    if (pathname.endsWith("/auth/refresh-session")) {
      arrive();
      await held;
    }
    return fetch(url, init);
  };
  return { fetch: send, release, arrived, refreshes: () => calls.filter((path) => path.endsWith("/refresh-session")) };
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe("several tabs", () => {
  it("stay signed out when one signs out while another is lengthening the session", async () => {
    const tabs = createTabs();
    const { fetch, release, arrived } = heldRefresh();
    const [one, other] = [
      keeperOf({ storage: tabs.open(), client: clientOf({ fetch }) }),
      keeperOf({ storage: tabs.open() }),
    ];
    await one.keep(await signIn());
    await other.restore();
    const renewing = one.renew();
    await arrived;
    await other.signOut();
    release();
    expect(await renewing).toBe(false);
    expect([one.current(), other.current(), tabs.items.size]).toEqual([undefined, undefined, 0]);
  });

  it("stay signed out also where the next session was being written at that very moment", async () => {
    const tabs = createTabs();
    let slowly = () => Promise.resolve();
    let release = () => {};
    let arrive = () => {};
    const writing = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const [one, other] = [keeperOf({ storage: tabs.open(() => slowly()) }), keeperOf({ storage: tabs.open() })];
    await one.keep(await signIn());
    await other.restore();
    const unwatch = [one.watch(), other.watch()];
    slowly = () => {
      arrive();
      return new Promise((resolve) => {
        release = resolve;
      });
    };
    const renewing = one.renew();
    await writing;
    await other.signOut();
    release();
    await renewing;
    await until(() => one.current() === undefined && tabs.items.size === 0);
    expect(other.current()).toBeUndefined();
    for (const end of unwatch) end();
  });

  it("keep who has just signed in on one, when the service ends what another still had", async () => {
    const tabs = createTabs();
    const { fetch, release, arrived } = heldRefresh();
    const ends: string[] = [];
    const one = keeperOf({ storage: tabs.open(), client: clientOf({ fetch }), onEnd: (email) => ends.push(email) });
    const other = keeperOf({ storage: tabs.open() });
    await one.keep(await signIn());
    await trellis.client.sandbox.advanceClock(31 * daySeconds);
    const renewing = one.renew();
    await arrived;
    const next = await signIn();
    await other.keep(next);
    release();
    await renewing;
    expect([one.current()?.account, other.current()?.account]).toEqual([next.account, next.account]);
    expect(ends).toEqual([]);
    expect((await keeperOf({ storage: tabs.open() }).restore())?.account).toBe(next.account);
  });

  it.each([
    ["after a sign-out", true],
    ["in the place of whoever was", false],
  ])(
    "keep who has just signed in %s where the former one's next session is written after that",
    async (_how, isSignedOut) => {
      const tabs = createTabs();
      let slowly = () => Promise.resolve();
      let release = () => {};
      let arrive = () => {};
      const writing = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const [one, other] = [keeperOf({ storage: tabs.open(() => slowly()) }), keeperOf({ storage: tabs.open() })];
      await one.keep(await signIn());
      await other.restore();
      const unwatch = [one.watch(), other.watch()];
      slowly = () => {
        arrive();
        return new Promise((resolve) => {
          release = resolve;
        });
      };
      const renewing = one.renew();
      await writing;
      if (isSignedOut) await other.signOut();
      const next = await signIn();
      await other.keep(next);
      release();
      await renewing;
      await until(
        () =>
          one.current()?.account === next.account ||
          other.current()?.account !== next.account ||
          one.current() === undefined,
      );
      expect([one.current()?.account, other.current()?.account]).toEqual([next.account, next.account]);
      expect(await other.renew()).toBe(true);
      for (const end of unwatch) end();
    },
  );

  it("stay signed out also after a sign-out that had to be done twice", async () => {
    const tabs = createTabs();
    let isStuck = true;
    const storage = tabs.open();
    const stubborn: typeof storage = {
      ...storage,
      removeItem: (key) => (isStuck ? Promise.reject(new Error("read only")) : storage.removeItem(key)),
    };
    const [one, other] = [keeperOf({ storage: stubborn }), keeperOf({ storage: tabs.open() })];
    const signedIn = await signIn();
    await one.keep(signedIn);
    const unwatch = one.watch();
    await expect(one.signOut()).rejects.toThrow("read only");
    isStuck = false;
    await one.signOut();
    await other.keep(signedIn);
    await until(() => one.current() !== undefined || tabs.items.size === 0);
    expect(one.current()).toBeUndefined();
    unwatch();
  });
});

describe("a storage that does not work", () => {
  it("ends no session: it is lengthened as soon as the storage can be read again", async () => {
    const storage = createStorage();
    let isBroken = false;
    const frail: KeyValueStorage = {
      ...storage,
      getItem: (key) => (isBroken ? Promise.reject(new Error("the connection was lost")) : storage.getItem(key)),
    };
    const keeper = keeperOf({ storage: frail });
    await keeper.keep(await signIn());
    isBroken = true;
    expect(await keeper.renew()).toBe(false);
    expect((await pays(keeper)).signature).toMatch(/^\w{64,}$/);
    isBroken = false;
    expect(await keeper.renew()).toBe(true);
  });

  it("leaves no earlier user signed in, where the next session cannot be stored", async () => {
    const storage = createStorage();
    await keeperOf({ storage }).keep(await signIn());
    const full: KeyValueStorage = { ...storage, setItem: () => Promise.reject(new Error("there is no more room")) };
    const keeper = keeperOf({ storage: full });
    await keeper.keep(await signIn());
    expect(keeper.current()).toBeDefined();
    expect(await keeperOf({ storage }).restore()).toBeUndefined();
  });

  it("is reported to a user who signs out and is still stored", async () => {
    const storage = createStorage();
    const stubborn: KeyValueStorage = { ...storage, removeItem: () => Promise.reject(new Error("read only")) };
    const keeper = keeperOf({ storage: stubborn });
    await keeper.keep(await signIn());
    await expect(keeper.signOut()).rejects.toThrow("read only");
    expect(keeper.current()).toBeUndefined();
  });
});

describe("a device whose clock is wrong", () => {
  it.each([
    ["ahead", 1],
    ["behind", -3],
  ])("%s lengthens its session neither on every call nor all the time", async (_how, days) => {
    const signedIn = await signIn();
    const { fetch, release, refreshes } = heldRefresh();
    release();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    vi.setSystemTime(signedIn.session.expiresAtMs + days * daySeconds * 1_000);
    const keeper = keeperOf({ client: clientOf({ fetch }) });
    await keeper.keep(signedIn);
    for (let calls = 0; calls < 5; calls += 1) await keeper.withSession(async () => undefined);
    const unwatch = keeper.watch();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(refreshes()).toEqual([]);
    unwatch();
  });
});

describe("the token of the signed-in user", () => {
  it("is removed with them, and never another user's", async () => {
    const keeper = keeperOf();
    const signedIn = await signIn();
    await keeper.keep(signedIn);
    const token = keeper.token();
    expect(token).toBeTypeOf("string");
    const { KmsA, KmsB } = signedIn.session.authentication.session;
    const ofNoToken = (session: typeof KmsA) => {
      if (session === undefined) return {};
      const { token: _, ...rest } = session;
      return rest;
    };
    const session = { KmsA: ofNoToken(KmsA), KmsB: ofNoToken(KmsB) } as typeof signedIn.session.authentication.session;
    const authentication = { ...signedIn.session.authentication, session };
    await keeper.keep({ ...signedIn, session: { ...signedIn.session, authentication } });
    expect(keeper.token()).toBeUndefined();
    await keeper.keep(signedIn);
    await keeper.signOut();
    expect(keeper.token()).toBeUndefined();
  });
});

describe("a phone's keychain", () => {
  /** As strict as `expo-secure-store` says that phones are. `mayWrite` counts down to a crash. */
  function createKeychain(mayWrite = Number.POSITIVE_INFINITY) {
    const items = new Map<string, string>();
    let left = mayWrite;
    const write = (act: () => void) => {
      left -= 1;
      if (left < 0) return Promise.reject(new Error("the process was killed"));
      act();
      return Promise.resolve();
    };
    const named = (key: string) => {
      if (!/^[\w.-]+$/.test(key)) throw new Error(`not a name for the keychain: ${key}`);
      return key;
    };
    const store: SecureStore = {
      getItemAsync: async (key) => items.get(named(key)) ?? null,
      setItemAsync: (key, value) => {
        if (Buffer.byteLength(value) > 2_048) throw new Error("too long for the keychain");
        return write(() => items.set(named(key), value));
      },
      deleteItemAsync: (key) => write(() => items.delete(named(key))),
    };
    return {
      store,
      items,
      allow: (writes: number) => {
        left = writes;
      },
    };
  }

  it("keeps a session, whatever its name, and nothing of it once signed out", async () => {
    const { store, items } = createKeychain();
    const options = { storage: createSecureStorage(store), name: "trellis.session.https://trellis.example/ü" };
    const keeper = keeperOf(options);
    const signedIn = await signIn();
    await keeper.keep(signedIn);
    expect(await keeper.renew()).toBe(true);
    expect(await keeperOf(options).restore()).toMatchObject({ account: signedIn.account });
    await keeper.signOut();
    expect(items.size).toBe(0);
  });

  it("holds one value or the other, whole, wherever writing breaks off", async () => {
    const [former, next] = ["€".repeat(2_000), "ab".repeat(1_500)];
    for (let writes = 0; ; writes += 1) {
      const keychain = createKeychain();
      const storage = createSecureStorage(keychain.store);
      await storage.setItem("session", former);
      keychain.allow(writes);
      const outcome = await Promise.resolve(storage.setItem("session", next)).then(
        () => "done",
        () => "killed",
      );
      keychain.allow(Number.POSITIVE_INFINITY);
      expect([former, next]).toContain(await storage.getItem("session"));
      if (outcome === "killed") continue;
      expect(writes).toBeGreaterThan(5);
      expect(await storage.getItem("session")).toBe(next);
      await storage.removeItem("session");
      expect(keychain.items.size).toBe(0);
      break;
    }
  });
});

const clientOf = (more: Partial<TrellisClientOptions> = {}) =>
  createTrellisClient({ baseUrl: trellis.url, apiKey: trellis.apiKey, environment: "sandbox", ...more });

const keeperOf = (more: Partial<SessionKeeperOptions> = {}) =>
  createSessionKeeper({ client: clientOf(), storage: createMemoryStorage(), ...more });

let count = 0;
async function signIn() {
  count += 1;
  const client = clientOf();
  const { verify, email } = await client.auth.signIn(`kept-${count}@example.org`);
  const [mail] = await client.sandbox.outbox(email);
  return verify(/\b[0-9]{6}\b/.exec(mail?.text ?? "")?.[0] ?? "");
}

/** A payment from the signed-in user to an address without an owner. */
async function pays(keeper: ReturnType<typeof keeperOf>) {
  const client = clientOf();
  const account = keeper.current()?.account ?? "";
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "100000000" });
  const { account: destination } = await signIn();
  return keeper.withSession((session) =>
    client.transfers.send({ account, session, currency: "sol", destination, amount: 1_000_000n }),
  );
}
