import { createHash, type KeyObject, verify } from "node:crypto";
import { limits } from "@trellis/kernel/limits.js";
import { type Hint, type HintKind, InvalidPartnerSignature, type PartnerRef } from "@trellis/kernel/ports/rails.js";
import { cut, field, instant, isJson, parseJson, text } from "./read-json.js";

/** Verifies that a message is the partner's and young, and reads what it is about. Throws InvalidPartnerSignature. */
export function readNews(
  keys: readonly KeyObject[],
  headers: Readonly<Record<string, string>>,
  rawBody: Uint8Array,
  realNow: number,
): readonly Hint[] {
  const { sentAt, written, signature } = parseHeader(headers["x-webhook-signature"]);
  if (Math.abs(realNow - sentAt) > limits.partnerNewsMaxAgeMs) {
    throw new InvalidPartnerSignature("The message is not of the last ten minutes.");
  }
  // The partner signs the digest as if it were the message, so that SHA-256 is applied twice.
  const digest = createHash("sha256").update(`${written}.`).update(rawBody).digest();
  if (!keys.some((key) => verify("sha256", digest, key, signature))) {
    throw new InvalidPartnerSignature("The signature is not by a key that is known.");
  }
  return hintsOf(rawBody, realNow);
}

function parseHeader(header: string | undefined) {
  const match = /^t=(\d{1,16}),v0=([A-Za-z0-9+/]{16,2048}={0,2})$/.exec(header?.trim() ?? "");
  if (match === null) throw new InvalidPartnerSignature("The signature header is missing or has another form.");
  const [, written = "", encoded = ""] = match;
  const signature = Buffer.from(encoded, "base64");
  // Strictly: what decodes to the same bytes is not the same text.
  if (signature.toString("base64") !== encoded) throw new InvalidPartnerSignature("The signature is not base64.");
  return { sentAt: Number(written), written, signature };
}

const kindOf: Readonly<Record<string, HintKind>> = {
  kyc_link: "verification",
  customer: "verification",
  virtual_account: "virtual_account",
  "virtual_account.activity": "deposit",
  transfer: "transfer",
  external_account: "bank_account",
  liquidation_address: "payout_address",
  "liquidation_address.drain": "payout_address",
};

/** Of what is read as a part of something else: where that is named. */
const wholeOf: Readonly<Record<string, string>> = {
  "virtual_account.activity": "virtual_account_id",
  "liquidation_address.drain": "liquidation_address_id",
};

/** What it does not understand is no hint: the message is the partner's all the same. */
function hintsOf(rawBody: Uint8Array, realNow: number): readonly Hint[] {
  let body: unknown;
  try {
    body = parseJson(Buffer.from(rawBody).toString("utf8"));
  } catch {
    return [];
  }
  const hint = hintOf(body, realNow);
  return hint === undefined ? [] : [hint];
}

/** One event, as it is sent and as it is listed. */
export function hintOf(event: unknown, realNow: number): Hint | undefined {
  const category = text(event, "event_category") ?? "";
  const kind = Object.hasOwn(kindOf, category) ? kindOf[category] : undefined;
  const object = field(event, "event_object");
  const whole = Object.hasOwn(wholeOf, category) ? wholeOf[category] : undefined;
  const ref = whole === undefined ? (text(event, "event_object_id") ?? text(object, "id")) : text(object, whole);
  const eventId = text(event, "event_id");
  if (!isJson(event) || kind === undefined || ref === undefined || eventId === undefined) return undefined;
  return {
    eventId: cut(eventId, 200),
    kind,
    ref: ref as PartnerRef,
    at: instant(event, "event_created_at") ?? realNow,
  };
}
