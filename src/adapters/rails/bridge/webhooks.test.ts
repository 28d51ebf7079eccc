import { parseRsaPublicKeys } from "@trellis/kernel/crypto/rsa-public-keys.js";
import { InvalidPartnerSignature } from "@trellis/kernel/ports/rails.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeBridge, startFakeBridge } from "../../../../test/support/fake-bridge.js";
import { readNews } from "./webhooks.js";

/** The test data the partner publishes: apidocs.bridge.xyz, webhook-event-signature-verification. */
const published = {
  key: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtqsEE4eI7EmzhcquGJXt
LX9PMK0UH6Kl1WIR21sv8HtueG8BuvvpP3MiN7ltzmIhS8KaynCjN4l+620PnXeu
xWG+CSnEdkinL9hCqbEid5vv9zl0j9LWiJx3FkKHqADU7cgm46aa8dKUdIQYF2X+
O7WmyLkC4wUM/mWhBPMsIQBznashRMZxx7XJjsVp27ACUE4eNIjEXbVYN6U8jSbU
hG++CfL8xXu+GHDqKmFE6Po6HnuURvLFVnCtE3mXXBcVFlPy+octfx8nOMLT3X8O
9UehIigJ34o2yMm/Fq3HUJzg2BsiAiGgtr0vmeoV9Q7upSNj9TuOumAzZFi4pYA+
qwIDAQAB
-----END PUBLIC KEY-----`,
  at: 1_705_854_411_204,
  signature:
    "jz/0dmHJ63FAzacGutrDTEoq+iSz/PHm/ugdooXDQu5NwuVIT2LmZGjsnCsBHgR9Py6OBP9zurzW4dHgygU4EDqmMPTUOvhvndYb4lWt+TY66LihaFI2whL6DAf/jb1QjYjNU0A6x9SLzC45dgE6X7zTDUM+2Z+scG/WEQf6SxQMt4E2sEipl5PqMK5lYUe3otdJV+X2c9D64bGwCEE7QSia+Vhozg8QNOQEk/rdz2IEONIg6oC43CeiN4E2kF9XLAGuy9uAHx9O9OJH5ZPLJZjyo4VcXYeWQgxaQ1gZ1Qu6hEEzgiPSff/1nou58dm4bIIazgCWli/mO0NyGcpfFw==",
  body: '{"message":"Hello World!"}',
};

describe("the signature of news", () => {
  it("is the partner's: its published vector verifies, and is no news of anything", () => {
    expect(read()).toEqual([]);
  });

  it.each([
    ["another body", { body: '{"message":"Hello World?"}' }],
    ["the same body written otherwise", { body: '{ "message":"Hello World!"}' }],
    ["another time", { header: `t=${published.at + 1},v0=${published.signature}` }],
    ["no header", { header: "" }],
    ["no signature", { header: `t=${published.at}` }],
    ["a signature with something behind it", { header: `${header}==` }],
    ["base64 that is none", { header: `${header.slice(0, -3)}x==` }],
    ["a time that is none", { header: `t=1e12,v0=${published.signature}` }],
    ["more than ten minutes", { now: published.at + 600_001 }],
    ["a time ten minutes ahead", { now: published.at - 600_001 }],
  ])("does not hold with %s", (_name, change) => {
    expect(() => read(change)).toThrow(InvalidPartnerSignature);
  });

  it("holds for ten minutes", () => {
    expect(read({ now: published.at + 600_000 })).toEqual([]);
  });

  it("may be by any of several keys, and by none but RSA ones", async () => {
    const bridge = await startFakeBridge();
    try {
      const both = parseRsaPublicKeys(`${published.key}\n${bridge.publicKey}`);
      expect(both).toHaveLength(2);
      const news = bridge.signed({ event_id: "e", event_category: "transfer", event_object_id: "t" });
      expect(readNews(both, news.headers, bytes(news.body), Date.now())).toHaveLength(1);
      expect(() => readNews(keys, news.headers, bytes(news.body), Date.now())).toThrow(InvalidPartnerSignature);
      expect(() => parseRsaPublicKeys("")).toThrow("no public key");
    } finally {
      await bridge.close();
    }
  });
});

describe("a partner's webhook", () => {
  let bridge: FakeBridge;
  beforeAll(async () => {
    bridge = await startFakeBridge();
  });
  afterAll(() => bridge.close());
  const read = (body: unknown) => {
    const news = bridge.signed(body);
    return readNews(parseRsaPublicKeys(bridge.publicKey), news.headers, bytes(news.body), Date.now());
  };
  const event = (category: string, object: object, id = "obj") => ({
    api_version: "v0",
    event_id: "wh_1",
    event_category: category,
    event_type: `${category}.updated.status_transitioned`,
    event_object_id: id,
    event_object: object,
    event_created_at: "2026-11-22T10:00:00.000Z",
  });

  it.each([
    ["kyc_link", {}, "verification", "obj"],
    ["customer", {}, "verification", "obj"],
    ["virtual_account.activity", { virtual_account_id: "va_1" }, "deposit", "va_1"],
    ["liquidation_address.drain", { liquidation_address_id: "la_1" }, "payout_address", "la_1"],
    ["transfer", {}, "transfer", "obj"],
    ["external_account", {}, "bank_account", "obj"],
  ])("of a %s name what is to be read", (category, object, kind, ref) => {
    expect(read(event(category, object))).toEqual([
      { eventId: "wh_1", kind, ref, at: Date.parse("2026-11-22T10:00:00.000Z") },
    ]);
  });

  it.each([
    ["of a category that is not known", event("card_transaction", {})],
    ["of an activity without its account", event("virtual_account.activity", {})],
    ["that are no object", [1]],
    ["that are no JSON", "hello"],
    ["with names that every object has", event("constructor", {})],
  ])("%s are none", (_name, body) => {
    expect(read(body)).toEqual([]);
  });
});

const bytes = (text: string) => new TextEncoder().encode(text);

const keys = parseRsaPublicKeys(published.key);
const header = `t=${published.at},v0=${published.signature}`;
const read = (change: { header?: string; body?: string; now?: number } = {}) =>
  readNews(
    keys,
    { "x-webhook-signature": change.header ?? header },
    bytes(change.body ?? published.body),
    change.now ?? published.at,
  );
