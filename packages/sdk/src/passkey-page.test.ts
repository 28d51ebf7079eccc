import { expect, it } from "vitest";
import { askPasskeyPage, PasskeyPageError, readPasskeyReturn } from "./passkey-page.js";

const key = "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8";
const passkeyAccount = "GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq";
const success = new URLSearchParams({
  step: "2",
  status: "success",
  ceremony_type: "auth",
  passkey_account: passkeyAccount,
  session_key: key,
  expiration: "1767608100",
});

it("reads an answer off an address of a page or of an application", () => {
  for (const address of [`https://app.example/back?${success}#top`, `myapp://back?${success}`]) {
    expect(readPasskeyReturn(address, key)).toEqual({ passkeyAccount, sessionKey: key, expiration: 1_767_608_100 });
  }
  for (const address of [
    "https://app.example/",
    "https://app.example/?status=success",
    "https://app.example/?status=ok",
  ]) {
    expect(readPasskeyReturn(address, key)).toBeUndefined();
  }
});

it("refuses a session of another key", () => {
  expect(() => readPasskeyReturn(`https://app.example/?${success}`, passkeyAccount)).toThrow(
    expect.objectContaining({ name: "TransactionMismatchError", difference: "payload" }),
  );
});

it("throws what the page says where it opened none", () => {
  const refused = "https://app.example/?status=error&message=passkey_account_not_found";
  expect(() => readPasskeyReturn(refused, key)).toThrow(PasskeyPageError);
  expect(() => readPasskeyReturn(refused, key)).toThrow(expect.objectContaining({ code: "passkey_account_not_found" }));
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
