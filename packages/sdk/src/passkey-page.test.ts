import { expect, it } from "vitest";
import { askPasskeyPage, PasskeyPageError, readPasskeyReturn, withReturnState } from "./passkey-page.js";

const key = "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8";
const passkeyAccount = "GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq";
const begun = { sessionKey: key, state: "7f3a" };
const success = new URLSearchParams({
  step: "2",
  passkey_state: "7f3a",
  status: "success",
  ceremony_type: "auth",
  passkey_account: passkeyAccount,
  session_key: key,
  expiration: "1767608100",
});

it("reads an answer off an address of a page or of an application", () => {
  for (const address of [`https://app.example/back?${success}#top`, `myapp://back?${success}`]) {
    expect(readPasskeyReturn(address, begun)).toEqual({ passkeyAccount, sessionKey: key, expiration: 1_767_608_100 });
  }
  for (const address of [
    "https://app.example/",
    "https://app.example/?status=success",
    "https://app.example/?status=ok",
  ]) {
    expect(readPasskeyReturn(address, begun)).toBeUndefined();
  }
});

it("refuses a session of another key", () => {
  expect(() => readPasskeyReturn(`https://app.example/?${success}`, { ...begun, sessionKey: passkeyAccount })).toThrow(
    expect.objectContaining({ name: "TransactionMismatchError", difference: "payload" }),
  );
});

it("throws what the page says where it opened none", () => {
  const refused = "https://app.example/?passkey_state=7f3a&status=error&message=passkey_account_not_found";
  expect(() => readPasskeyReturn(refused, begun)).toThrow(PasskeyPageError);
  expect(() => readPasskeyReturn(refused, begun)).toThrow(
    expect.objectContaining({ code: "passkey_account_not_found" }),
  );
});

it("believes the way back of what was begun alone", () => {
  const forged = new URLSearchParams(success);
  const error = new URLSearchParams({ status: "error", message: "cancelled" });
  for (const query of [forged, error]) {
    for (const state of [undefined, "", "7f3b"]) {
      query.delete("passkey_state");
      if (state !== undefined) query.set("passkey_state", state);
      for (const awaited of [begun, { ...begun, state: "" }, { sessionKey: key } as typeof begun]) {
        expect(() => readPasskeyReturn(`https://app.example/?${query}`, awaited)).toThrow(
          expect.objectContaining({ name: "TransactionMismatchError", difference: "payload" }),
        );
      }
    }
  }
});

it("says which beginning an address is the way back of, beside what it has", () => {
  expect(withReturnState("https://app.example/back?order=7#top", "7f3a")).toBe(
    "https://app.example/back?order=7&passkey_state=7f3a#top",
  );
  expect(withReturnState("myapp://back", "7f3a")).toBe("myapp://back?passkey_state=7f3a");
});

it("sends its window to pages alone", async () => {
  const url = "javascript:alert(document.domain)//?challenge=abc";
  const visited: string[] = [];
  const opened = { closed: true, location: { replace: (address: string) => visited.push(address) } };
  await expect(askPasskeyPage({ url, sessionKey: key }, { opened: opened as unknown as Window })).rejects.toMatchObject(
    { name: "TransactionMismatchError", difference: "payload" },
  );
  expect(visited).toEqual([]);
});
