import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "./verify-webhook.js";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const former = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const body = JSON.stringify({ id: "evt_1", type: "webhook.test", data: { object: { text: "ü €" }, sequence: 1 } });
const now = Date.UTC(2026, 0, 15, 12);

describe("verifyWebhook", () => {
  it("returns the event of what the standard's own library signed, in any form of headers", () => {
    const headers = signedBy(secret);
    const loud = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    for (const each of [headers, loud, new Headers(headers)]) {
      expect(verifyWebhook({ body, headers: each, secret, now })).toEqual(JSON.parse(body));
    }
  });

  it("takes one of several signatures, and one of several secrets", () => {
    const both = {
      ...signedBy(secret),
      "webhook-signature": `${signedBy(former)["webhook-signature"]} v1a,xyz ${signedBy(secret)["webhook-signature"]}`,
    };
    expect(verifyWebhook({ body, headers: both, secret, now }).id).toBe("evt_1");
    expect(verifyWebhook({ body, headers: signedBy(former), secret: [secret, former], now }).id).toBe("evt_1");
  });

  it("refuses another secret, body, id or time, and what is old or from the future", () => {
    const headers = signedBy(secret);
    const refuse = (change: object) => reasonOf(() => verifyWebhook({ body, headers, secret, now, ...change }));
    expect(refuse({})).toBeUndefined();
    expect(refuse({ secret: former })).toBe("invalid_signature");
    expect(refuse({ body: `${body} ` })).toBe("invalid_signature");
    expect(refuse({ headers: { ...headers, "webhook-id": "evt_2" } })).toBe("invalid_signature");
    expect(refuse({ headers: { ...headers, "webhook-signature": "v1," } })).toBe("invalid_signature");
    expect(refuse({ headers: {} })).toBe("missing_headers");
    expect(refuse({ headers: { ...headers, "webhook-timestamp": "soon" } })).toBe("timestamp_out_of_range");
    for (const off of [-301_000, 301_000]) expect(refuse({ now: now + off })).toBe("timestamp_out_of_range");
    expect(refuse({ now: now + 299_000 })).toBeUndefined();
  });
});

const signedBy = (key: string, at = now) => ({
  "webhook-id": "evt_1",
  "webhook-timestamp": String(Math.floor(at / 1000)),
  "webhook-signature": new Webhook(key).sign("evt_1", new Date(at), body),
});

const reasonOf = (call: () => unknown): string | undefined => {
  try {
    call();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
  return undefined;
};
