import { beforeAll, describe, expect, it } from "vitest";
import { addSoftPasskey, byPasskey, bySession, toPayload } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { cancellation, createRecipient, exportsOf } from "../../test/support/wallet-exports.js";
import { setWalletExportTerms } from "./export-terms.js";

const test = useTestNetwork();
beforeAll(() => test.call(setWalletExportTerms, { body: { delay_seconds: 60 } }));

describe("200", () => {
  it("ends the export for good by a session; again is the same", async () => {
    const { exports, order, by } = await ordered();
    expect(await exports.cancel(order.id, by)).toMatchObject({ status: "cancelled" });
    expect(await exports.cancel(order.id, by)).toMatchObject({ status: "cancelled" });
    await test.network.sandbox?.advanceClock(60);
    expect(await exports.get(order.id)).not.toHaveProperty("sealed_key");
    const events = test.needs.db.selectFrom("event").select("type").where("object_id", "=", order.id);
    expect((await events.orderBy("type").execute()).map(({ type }) => type)).toEqual([
      "wallet_export.cancelled",
      "wallet_export.requested",
    ]);
  });

  it("ends one of a frozen tenant, whose key is not handed out meanwhile", async () => {
    const { exports, order, by } = await ordered();
    await test.network.sandbox?.advanceClock(60);
    const frozen = { caller: { ...test.caller, isFrozen: true } };
    expect((await errorOf(exports.get(order.id, frozen))).code).toBe("tenant_frozen");
    expect(await exports.cancel(order.id, by, frozen)).toMatchObject({ status: "cancelled" });
  });

  it("takes any passkey of the wallet, also one that was added later", async () => {
    const { holder, exports, order } = await ordered();
    const { passkey } = await addSoftPasskey(test, holder);
    const authorization = byPasskey(passkey, toPayload(cancellation(order.signer, order.id)));
    expect(await exports.cancel(order.id, authorization)).toMatchObject({ status: "cancelled" });
  });
});

describe("400", () => {
  it("is the answer to another user's session, and to a document about another export", async () => {
    const [one, other] = [await ordered(), await ordered()];
    const foreign = bySession(other.holder, cancellation(one.order.signer, one.order.id));
    expect((await errorOf(one.exports.cancel(one.order.id, foreign))).code).toBe("invalid_signature");
    const wrong = bySession(one.holder, cancellation(one.order.signer, other.order.id));
    expect((await errorOf(one.exports.cancel(one.order.id, wrong))).code).toBe("invalid_signature");
    expect(await one.exports.get(one.order.id)).toMatchObject({ status: "waiting" });
  });
});

describe("404", () => {
  it("is the answer for another account's export", async () => {
    const [one, other] = [await ordered(), await ordered()];
    expect((await errorOf(one.exports.cancel(other.order.id, one.by))).code).toBe("wallet_export_not_found");
  });
});

describe("409", () => {
  it("is the answer once the key was read", async () => {
    const { exports, order, by } = await ordered();
    await test.network.sandbox?.advanceClock(60);
    await exports.get(order.id);
    expect((await errorOf(exports.cancel(order.id, by))).code).toBe("wallet_export_over");
  });

  it("or 200, and never both, where it is cancelled while it is read", async () => {
    const { exports, order, by } = await ordered();
    await test.network.sandbox?.advanceClock(60);
    const [read, cancelled] = await Promise.allSettled([exports.get(order.id), exports.cancel(order.id, by)]);
    const wasRead = read.status === "fulfilled" && read.value.sealed_key !== undefined;
    expect(cancelled.status).toBe(wasRead ? "rejected" : "fulfilled");
  });
});

let people = 0;
async function ordered() {
  people += 1;
  const holder = await test.openHolder(`cancelling-${people}@example.org`);
  const exports = exportsOf(test, holder);
  const order = await exports.order(createRecipient());
  return { holder, exports, order, by: bySession(holder, cancellation(order.signer, order.id)) };
}
