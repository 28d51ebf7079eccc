import { expect, it } from "vitest";
import { showSecret, signWebhook } from "./sign-webhook.js";

it("signs as the Python library standardwebhooks 1.1.0 does, also what is not ASCII", () => {
  // Made with that library: Webhook(secret).sign(id, the time, body).
  const secret = Uint8Array.from({ length: 32 }, (_, i) => i);
  expect(showSecret(secret)).toBe("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
  const body =
    '{"id":"evt_0123456789abcdef","type":"webhook.test","data":{"object":{"text":"\u00e9\u{1f680}"},"sequence":1}}';
  expect(signWebhook("evt_0123456789abcdef", body, [secret], 1_700_000_000_999)).toMatchObject({
    "webhook-id": "evt_0123456789abcdef",
    "webhook-timestamp": "1700000000",
    "webhook-signature": "v1,h/OHwsoywq9XJ4wH7Ld8NoZvKbUK7z18iG6LxaciLKY=",
  });
});
