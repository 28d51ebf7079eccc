import type { Address } from "@solana/kit";
import { initializePasskeyChallenge, refreshPasskeySessionChallenge } from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { encodeBase64 } from "./encoding.js";
import {
  assertCeremony,
  challengeOfCeremony,
  type ExpectedCeremony,
  originOfPage,
  type SignedCeremony,
} from "./passkey-ceremony.js";

const payer = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR" as Address;
const key = "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8" as Address;
const otherKey = "GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq";
const now = 1_767_607_200_000;
const endsAt = now / 1_000 + 900;
const slotHash = { slot: 5n, hash: new Uint8Array(32).fill(7) };
const common = {
  session_key: key,
  session_seconds: 900,
  slot_hash: "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx",
  payer,
  redirect_url: "https://app.example/",
  origin: "https://pay.example",
};
const creation = {
  ...common,
  ceremony_type: "create",
  session_expires_at: new Date(endsAt * 1_000).toISOString(),
} as const;
const renewal = { ...common, ceremony_type: "auth", session_expires_at: null } as const;

const pageOf = (ceremony: SignedCeremony, page = "https://pay.example/passkeys/ui") =>
  `${page}?${new URLSearchParams({ challenge: encodeBase64(challengeOfCeremony(ceremony)) })}`;

const onPort = { origin: "https://pay.example:8443" };

const askedFor = (ceremony: SignedCeremony): ExpectedCeremony => ({
  kind: ceremony.ceremony_type,
  url: pageOf(ceremony),
  origin: "https://pay.example",
  sessionKey: key,
  seconds: 900,
  redirectUrl: "https://app.example",
  nowMs: now,
});

describe("the challenge of a ceremony", () => {
  it("is the one that the signature program computes", () => {
    const created = initializePasskeyChallenge({ slotHash, payer, session: { key, expiration: BigInt(endsAt) } });
    expect(challengeOfCeremony(creation)).toEqual(created);
    const renewed = refreshPasskeySessionChallenge({
      slotHash,
      nonceSigner: payer,
      session: { key, expiration: 900n },
    });
    expect(challengeOfCeremony(renewal)).toEqual(renewed);
  });

  it.each<[string, Partial<SignedCeremony>]>([
    ["no key", { session_key: "abc" }],
    ["no hash", { slot_hash: "" }],
    ["no payer", { payer: "l" }],
    ["no whole seconds", { session_seconds: 0.5 }],
    ["less than nothing", { session_seconds: -1 }],
  ])("is none of %s", (_name, change) => {
    expect(() => challengeOfCeremony({ ...renewal, ...change })).toThrow();
  });

  it("is none of a creation without an end", () => {
    for (const session_expires_at of [null, "soon", "2026-01-05T10:15:00.500Z"]) {
      expect(() => challengeOfCeremony({ ...creation, session_expires_at })).toThrow(RangeError);
    }
  });
});

describe("a ceremony that was asked for", () => {
  it("is accepted", () => {
    for (const ceremony of [creation, renewal]) {
      expect(() => assertCeremony(ceremony, askedFor(ceremony))).not.toThrow();
    }
    const { redirectUrl: _, ...nowhere } = askedFor(renewal);
    expect(() => assertCeremony({ ...renewal, redirect_url: null }, nowhere)).not.toThrow();
  });

  it.each<[string, Partial<ExpectedCeremony>]>([
    ["of another kind", { kind: "create" }],
    ["of another key", { sessionKey: otherKey }],
    ["of another length", { seconds: 60 }],
    ["whose page goes elsewhere", { redirectUrl: "https://app.example/back" }],
    ["whose page goes somewhere", { redirectUrl: undefined }],
    ["whose challenge is another one", { url: pageOf(creation) }],
    ["whose page is another one", { url: pageOf(renewal, "https://evil.example/passkeys/ui") }],
    ["whose passkey belongs to another page", { ...onPort, url: pageOf(renewal, `${onPort.origin}/passkeys/ui`) }],
  ])("is refused where it is one %s", (_name, change) => {
    expect(() => assertCeremony(renewal, { ...askedFor(renewal), ...change })).toThrow(mismatch);
  });

  it("is refused where what it says of itself is not what the passkey would sign", () => {
    const honest = askedFor(renewal);
    const { url } = askedFor({ ...renewal, session_key: otherKey });
    expect(() => assertCeremony(renewal, { ...honest, url })).toThrow(mismatch);
  });

  it("is refused where a creation's session would end later than was asked, as far as there is a clock", () => {
    const later = { ...creation, session_expires_at: new Date((endsAt + 301) * 1_000).toISOString() };
    expect(() => assertCeremony(later, askedFor(later))).toThrow(mismatch);
    const { nowMs: _, ...withoutClock } = askedFor(later);
    expect(() => assertCeremony(later, withoutClock)).not.toThrow();
    const within = { ...creation, session_expires_at: new Date((endsAt + 300) * 1_000).toISOString() };
    expect(() => assertCeremony(within, askedFor(within))).not.toThrow();
  });
});

describe("the page of a ceremony", () => {
  it.each([
    ["https://pay.example/passkeys/ui", "https://pay.example"],
    ["http://localhost:3000/passkeys/ui", "http://localhost:3000"],
    ["http://[::1]:3000/", "http://[::1]:3000"],
  ])("may be %s", (url, origin) => {
    expect(originOfPage(url)).toBe(origin);
  });

  it.each([
    "javascript:alert(document.domain)//",
    "javascript://localhost/%0Aalert(document.domain)//",
    "data:text/html,page",
    "blob:https://pay.example/1",
    "http://pay.example/passkeys/ui",
  ])("is not %s, whatever challenge it has", (page) => {
    const url = pageOf(renewal, page);
    expect(() => originOfPage(url)).toThrow(mismatch);
    expect(() => assertCeremony(renewal, { ...askedFor(renewal), url, origin: new URL(url).origin })).toThrow(mismatch);
  });
});

const mismatch = expect.objectContaining({ name: "TransactionMismatchError", difference: "payload" });
