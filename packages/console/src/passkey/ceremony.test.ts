import type { Address } from "@solana/kit";
import { initializePasskeyChallenge, refreshPasskeySessionChallenge } from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { type Ceremony, fromBase64, refusalOf, toBase64Url } from "./ceremony.js";

const payer = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR" as Address;
const key = "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8" as Address;
const otherKey = "GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq";
/** The address of 32 bytes, each of which is 7. */
const sevens = { base58: "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx", bytes: new Uint8Array(32).fill(7) };
const slotHash = { slot: 123n, hash: sevens.bytes };
const endsAt = 1_767_608_100;

const creation: Ceremony = {
  ceremony_type: "create",
  challenge: toBase64Url(initializePasskeyChallenge({ slotHash, payer, session: { key, expiration: BigInt(endsAt) } })),
  environment: "sandbox",
  tenant_name: "Default",
  app_name: "Shop & Söhne",
  user_id: "0197f3c8-0000-7000-8000-000000000001",
  redirect_url: "https://app.example/back?a=1&b=2",
  relying_party_id: "pay.example",
  origin: "https://pay.example",
  session_key: key,
  session_seconds: 900,
  session_expires_at: new Date(endsAt * 1_000).toISOString(),
  slot_number: 123,
  slot_hash: sevens.base58,
  payer,
  expires_in_seconds: 60,
};

const renewal: Ceremony = {
  ...creation,
  ceremony_type: "auth",
  session_expires_at: null,
  challenge: toBase64Url(
    refreshPasskeySessionChallenge({ slotHash, nonceSigner: payer, session: { key, expiration: 900n } }),
  ),
};

describe("a request whose address says what the service holds", () => {
  it.each([
    ["creation", creation],
    ["renewal", renewal],
    ["request without an address to go back to", { ...renewal, redirect_url: null }],
  ])("may be asked for: a %s", (_name, ceremony) => {
    expect(refusalOf(ceremony, pageOf(ceremony))).toBeUndefined();
  });

  it.each<[string, Partial<Ceremony>]>([
    ["key", { session_key: otherKey }],
    ["length", { session_seconds: 901 }],
    ["payer", { payer: otherKey }],
    ["slot hash", { slot_hash: otherKey }],
    ["kind", { ceremony_type: "create", session_expires_at: creation.session_expires_at }],
    ["challenge", { challenge: creation.challenge }],
  ])("is refused where the challenge is not that of its %s", (_name, change) => {
    const ceremony = { ...renewal, ...change };
    expect(refusalOf(ceremony, pageOf(ceremony))).toBe("other_challenge");
  });

  it("is refused where a creation's end is another", () => {
    const ceremony = { ...creation, session_expires_at: new Date((endsAt + 1) * 1_000).toISOString() };
    expect(refusalOf(ceremony, pageOf(ceremony))).toBe("other_challenge");
  });

  it.each<[string, Partial<ReturnType<typeof pageOf>>]>([
    ["host", { hostname: "evil.example" }],
    ["origin", { origin: "http://pay.example" }],
  ])("is refused on a page of another %s", (_name, change) => {
    expect(refusalOf(renewal, { ...pageOf(renewal), ...change })).toBe("other_page");
  });
});

const names = [...pageOf(renewal).query.keys()];
it.each(names)("is refused where the address says another %s, none, or two", (name) => {
  const refused = name === "challenge" ? "other_challenge" : "altered_address";
  const changed = (change: (query: URLSearchParams) => void) => {
    const page = pageOf(renewal);
    change(page.query);
    return refusalOf(renewal, page);
  };
  expect(changed((query) => query.set(name, name === "challenge" ? btoa("another") : "another"))).toBe(refused);
  expect(changed((query) => query.delete(name))).toBe(refused);
  expect(changed((query) => query.append(name, query.get(name) ?? ""))).toBe(refused);
});

it("is refused where the address names somewhere to go back to, and the service holds nothing of it", () => {
  const page = pageOf({ ...renewal, redirect_url: "https://evil.example/" });
  expect(refusalOf({ ...renewal, redirect_url: null }, page)).toBe("altered_address");
});

function pageOf(ceremony: Ceremony) {
  const query = new URLSearchParams({
    env: ceremony.environment,
    "app-name": ceremony.app_name,
    "user-id": ceremony.user_id,
    ...(ceremony.redirect_url === null ? {} : { "redirect-url": ceremony.redirect_url }),
    challenge: btoa(String.fromCharCode(...fromBase64(ceremony.challenge))),
    "slot-num": String(ceremony.slot_number),
    "session-key": ceremony.session_key,
    "expiration-in-seconds": String(ceremony.session_seconds),
  });
  return { query, origin: "https://pay.example", hostname: "pay.example" };
}
