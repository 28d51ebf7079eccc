import { afterEach, describe, expect, it } from "vitest";
import { createSoftWallet } from "../../../test/support/standard-wallet.js";
import { pageStorage, pageWallets } from "./web.js";

const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");

afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(globalThis, "localStorage");
  else Object.defineProperty(globalThis, "localStorage", before);
});

describe("the storage of a page", () => {
  it("is memory where the person has forbidden pages to keep anything", async () => {
    Object.defineProperty(globalThis, "localStorage", {
      configurable: true,
      get: () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    });
    const storage = pageStorage();
    await storage.setItem("name", "value");
    expect(await storage.getItem("name")).toBe("value");
  });
});

describe("the wallets of a page", () => {
  const win = Object.getOwnPropertyDescriptor(globalThis, "window");
  afterEach(() => {
    if (win === undefined) Reflect.deleteProperty(globalThis, "window");
    else Object.defineProperty(globalThis, "window", win);
  });

  it("are those that were there before it and those that come later, each once, without what cannot sign", () => {
    const window = new EventTarget();
    Object.defineProperty(globalThis, "window", { configurable: true, value: window });
    const [early, late] = [createSoftWallet({ name: "Early" }), createSoftWallet({ name: "Late" })];
    const watching = { ...createSoftWallet({ name: "Watches only" }), features: {} };
    type Api = { readonly register: (...wallets: unknown[]) => () => void };
    window.addEventListener("wallet-standard:app-ready", (event) => (event as CustomEvent<Api>).detail.register(early));
    const wallets = pageWallets();
    let changes = 0;
    const unsubscribe = wallets.subscribe(() => {
      changes += 1;
    });
    const before = wallets.list();
    expect(before).toEqual([early]);
    let leave = () => {};
    const detail = (api: Api) => {
      leave = api.register(late, early, watching);
    };
    window.dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail }));
    expect(wallets.list()).toEqual([early, late]);
    expect(wallets.list()).toBe(wallets.list());
    leave();
    expect(wallets.list()).toEqual([]);
    expect(changes).toBe(2);
    unsubscribe();
  });

  it("are none where there is no page", () => {
    expect(pageWallets().list()).toEqual([]);
  });
});
