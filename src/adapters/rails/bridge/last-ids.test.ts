import type { PartnerRef } from "@trellis/kernel/ports/rails.js";
import { expect, it } from "vitest";
import type { BridgeNeeds } from "./bridge-needs.js";
import { deposits } from "./deposits.js";
import { liquidationAddresses } from "./liquidation-addresses.js";
import { parseJson } from "./read-json.js";

const never = new AbortController().signal;
const customer = "c" as PartnerRef;

it.each(["bad\u0000", "bad\ud83d"])("a list continues after an id that no database keeps: %j", async (lastId) => {
  const activity = { type: "payment_processed", deposit_id: "d", amount: "1.00", currency: "usd" };
  const reported = await deposits(answering(activity, lastId)).listDeposits(
    { customer, account: "v" as PartnerRef, after: null },
    never,
  );
  expect(reported).toMatchObject({ ok: true, value: { next: "a98" } });
  const drain = { state: "payment_processed", amount: "1.00", currency: "usdc", deposit_tx_hash: "x" };
  const paid = await liquidationAddresses(answering(drain, lastId)).listPayouts(
    { customer, payoutAddress: "p" as PartnerRef, after: null },
    never,
  );
  expect(paid).toMatchObject({ ok: true, value: { next: "a98" } });
});

/** A partner that answers one page of a hundred, whose last item has an id that no database keeps. */
function answering(item: object, lastId: string): BridgeNeeds {
  const page = Array.from({ length: 100 }, (_, i) => ({ ...item, id: i === 99 ? lastId : `a${i}` }));
  return {
    ask: async () => ({ ok: true, status: 200, body: parseJson(JSON.stringify({ data: page })) }),
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    alarm: () => undefined,
    choices: { pairs: [], developerFeePercent: null, travelRule: null, allowsAnySender: false },
  };
}
