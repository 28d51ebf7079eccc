import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { approveByRedirect, receiveApproval } from "./approval-redirect.js";
import { createMemoryStorage } from "./session-storage.js";

const origin = "https://guardian.example";
const returnTo = "https://app.example/paid";
const stamp = { credential_id: "YQ", authenticator_data: "Yg", client_data_json: "Yw", signature: "ZA" };

/** The parts of a page that leaves and comes back. */
let page: { href: string; pathname: string; search: string; assign(address: string): void };
let left: string[];
let storage = createMemoryStorage();
beforeEach(() => {
  left = [];
  storage = createMemoryStorage();
  page = { href: returnTo, pathname: "/paid", search: "", assign: (address) => void left.push(address) };
  vi.stubGlobal("location", page);
  vi.stubGlobal("history", {
    state: null,
    replaceState: (_state: unknown, _title: string, path: string) => {
      page.href = new URL(path, returnTo).href;
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

const approve = (payload = "payload") => approveByRedirect(payload, ["id"], origin, { returnTo, storage });
const question = (address = left.at(-1) ?? "") => new URLSearchParams(new URL(address).hash.slice(1));
const answer = (outcome: string, state = question().get("state") ?? "", more: object = stamp) =>
  `${returnTo}#${new URLSearchParams({ trellis_approval: outcome, state, ...more })}`;
const receive = (address: string) => {
  page.href = address;
  return receiveApproval({ storage });
};
const leave = (payload?: string) => expect(approve(payload)).rejects.toMatchObject({ code: "approval_redirected" });

describe("an approval by a redirect", () => {
  it("asks behind the #, and finds the answer when the call is repeated", async () => {
    await leave();
    expect(left[0]?.startsWith(`${origin}/#`)).toBe(true);
    expect(Object.fromEntries(question())).toEqual({
      payload: "payload",
      credentials: "id",
      return_to: returnTo,
      state: expect.stringMatching(/^[0-9a-f]{32}$/),
      form: "redirect",
    });
    expect(await receive(answer("approved"))).toBe("approved");
    expect(page.href).toBe(returnTo);
    expect(await approve()).toEqual(stamp);
    expect(left).toHaveLength(1);
  });

  it("finds it without a call of receiveApproval, too", async () => {
    await leave();
    page.href = answer("approved");
    expect(await approve()).toEqual(stamp);
    expect(page.href).toBe(returnTo);
  });

  it("gives an answer once, and asks anew for what is prepared anew", async () => {
    await leave();
    await receive(answer("approved"));
    await leave("prepared anew");
    expect(await approve()).toEqual(stamp);
    await leave();
    expect(left).toHaveLength(3);
  });

  it("says that the user declined or was too late, once", async () => {
    await leave();
    expect(await receive(answer("declined", undefined, {}))).toBe("declined");
    await expect(approve()).rejects.toMatchObject({ name: "ApprovalDeclinedError" });
    await leave();
    expect(await receive(answer("expired", undefined, {}))).toBe("expired");
    await expect(approve()).rejects.toMatchObject({ code: "approval_expired" });
  });

  it("takes no answer to what was not asked, was asked before, or was answered", async () => {
    await leave();
    const first = answer("approved");
    await leave();
    expect(await receive(first)).toBeUndefined();
    expect(page.href).toBe(returnTo);
    const second = answer("declined", undefined, {});
    expect(await receive(second)).toBe("declined");
    expect(await receive(answer("approved"))).toBeUndefined();
    expect(await receive(answer("approved", "0".repeat(32)))).toBeUndefined();
    await expect(approve()).rejects.toMatchObject({ name: "ApprovalDeclinedError" });
  });

  it.each([
    "",
    "#",
    "#top",
    "#trellis_approval=approved",
    "#trellis_approval=maybe&state=x",
    "#trellis_approval=__proto__&state=%",
  ])("leaves an address with %j as it is", async (fragment) => {
    await leave();
    expect(await receive(`${returnTo}${fragment}`)).toBeUndefined();
    expect(page.href).toBe(`${returnTo}${fragment}`);
  });

  it("believes nothing that is kept in the wrong form", async () => {
    await storage.setItem("trellis.approvals", "{");
    await leave();
    await storage.setItem("trellis.approvals", "{}");
    await leave();
  });
});

describe("an application beside a browser", () => {
  const inBrowser = (open: (address: string) => Promise<string | undefined>) =>
    approveByRedirect("payload", ["id"], origin, { returnTo: "com.example.app:/approved", open });
  const back = (address: string, outcome: string, more: object) =>
    `com.example.app:/approved#${new URLSearchParams({ trellis_approval: outcome, state: question(address).get("state") ?? "", ...more })}`;

  it("is answered by the address with which the page comes back", async () => {
    expect(await inBrowser(async (address) => back(address, "approved", stamp))).toEqual(stamp);
    expect(left).toEqual([]);
  });

  it("takes no answer with another state, a closed browser, or a decline for an approval", async () => {
    const declined = { name: "ApprovalDeclinedError" };
    await expect(inBrowser(async (a) => back(a, "approved", { ...stamp, state: "x" }))).rejects.toMatchObject(declined);
    await expect(inBrowser(async () => undefined)).rejects.toMatchObject(declined);
    await expect(inBrowser(async () => "com.example.app:/approved")).rejects.toMatchObject(declined);
    await expect(inBrowser(async (a) => back(a, "declined", stamp))).rejects.toMatchObject(declined);
    await expect(inBrowser(async (a) => back(a, "expired", {}))).rejects.toMatchObject({ code: "approval_expired" });
  });
});

it("does not leave where the answer could not be kept", async () => {
  await expect(approveByRedirect("payload", [], origin, { returnTo })).rejects.toBeInstanceOf(TypeError);
  expect(left).toEqual([]);
});
