import type { Address } from "@solana/kit";
import { addressOfBytes, type PasskeyAccount } from "@trellis/program-client";
import { expect, it } from "vitest";
import { memberName } from "./passkey-members.js";

const own = address(1);
const [one, two] = [address(2), address(3)];
const [key, another] = [address(4), address(5)];

it.each([
  ["a signer", own, { one: key, two: another }, { one: key, two: another }, own],
  ["a passkey", one, { one: key, two: another }, { one: key, two: another }, one],
  ["a passkey by its session key", key, { one: key, two: another }, { one: key, two: another }, one],
  ["a passkey by the key of a session that has ended", key, { one: key, two: another }, { two: another }, one],
  [
    "the passkey that a key signs for, beside one whose session with it has ended",
    key,
    { one: key, two: key },
    { two: key },
    two,
  ],
  ["neither of two passkeys that share a session key", key, { one: key, two: key }, {}, key],
  ["a signer that is the session key of a passkey", own, { one: own, two: another }, { two: another }, own],
  ["what is none of these", another, { one: key, two: key }, {}, another],
] as const)("names %s", (_what, name, sessions, live, meant) => {
  const signers = [own, one, two].map((address) => ({ address, mask: 7 }));
  const passkeys = new Map([
    [one, passkeyWith(sessions.one)],
    [two, passkeyWith(sessions.two)],
  ]);
  const keys: { readonly one?: Address; readonly two?: Address } = live;
  const sessionKeys = new Map([
    ...(keys.one === undefined ? [] : [[one, keys.one] as const]),
    ...(keys.two === undefined ? [] : [[two, keys.two] as const]),
  ]);
  expect(memberName({ settings: { signers, settingsAuthority: null }, passkeys, sessionKeys }, name)).toBe(meant);
});

function address(byte: number): Address {
  return addressOfBytes(new Uint8Array(32).fill(byte));
}

const passkeyWith = (key: Address): PasskeyAccount => ({
  publicKey: new Uint8Array(33),
  relyingPartyId: "a.example",
  counter: 0n,
  session: { key, expiresAt: 1n },
});
