import { createPrivateKey, createPublicKey } from "node:crypto";
import { limits } from "@trellis/kernel/limits.js";
import { addressOfBytes } from "@trellis/program-client";
import { beforeAll, describe, expect, it } from "vitest";
import { bySession } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf, type HeldAccount } from "../../test/support/test-network.js";
import { cancellation, createRecipient, exportsOf } from "../../test/support/wallet-exports.js";
import { getAccount } from "../accounts/get-account.js";
import { readOutbox } from "../people/sandbox-outbox.js";
import { setWalletExportTerms } from "./export-terms.js";
import { listWalletExports } from "./list-wallet-exports.js";
import { sendNotices } from "./send-notices.js";

const test = useTestNetwork();
beforeAll(() => test.call(setWalletExportTerms, { body: { delay_seconds: 3_600 } }));

describe("200", () => {
  it("has no key before the delay is over, and then the wallet's own, for the recipient alone", async () => {
    const { holder, exports, recipient, order } = await ordered();
    expect(await exports.get(order.id)).toMatchObject({ status: "waiting" });
    expect(await exports.get(order.id)).not.toHaveProperty("sealed_key");
    await test.network.sandbox?.advanceClock(3_600);
    const read = await exports.get(order.id);
    expect(read.status).toBe("exported");
    const opened = recipient.open(order.signer, sealedIn(read));
    expect(addressOf(opened.subarray(0, 32))).toBe(order.signer);
    expect(addressOfBytes(opened.subarray(32))).toBe(order.signer);
    expect(() => createRecipient().open(order.signer, sealedIn(read))).toThrow();
    expect(() => recipient.open(holder.address, sealedIn(read))).toThrow();
  });

  it("has it again until it expires, sealed anew, and reports the first time once", async () => {
    const { holder, exports, recipient, order } = await ordered();
    await test.network.sandbox?.advanceClock(3_600);
    const [first, second] = [await exports.get(order.id), await exports.get(order.id)];
    expect(second.sealed_key).not.toEqual(first.sealed_key);
    expect(recipient.open(order.signer, sealedIn(first))).toEqual(recipient.open(order.signer, sealedIn(second)));
    expect(second.exported_at).toBe(first.exported_at);
    expect(await eventsOf(order.id)).toEqual(["wallet_export.completed", "wallet_export.requested"]);
    const subjects = (await test.call<{ subject: string }[]>(readOutbox, { query: { email: holder.email } })).map(
      ({ subject }) => subject,
    );
    expect(subjects.filter((subject) => subject === "The key of your wallet was exported")).toHaveLength(1);
    const [listed] = await list(holder);
    expect(listed).toMatchObject({ id: order.id, status: "exported" });
    expect(listed).not.toHaveProperty("sealed_key");
    await test.network.sandbox?.advanceClock(limits.walletExportOpenMs / 1000);
    expect(await exports.get(order.id)).toMatchObject({ status: "exported" });
    expect(await exports.get(order.id)).not.toHaveProperty("sealed_key");
  });

  it("marks the account, whose custodian goes on to sign", async () => {
    const { holder, exports, order } = await ordered();
    expect(await account(holder)).not.toHaveProperty("exported_signers");
    await test.network.sandbox?.advanceClock(3_600);
    await exports.get(order.id);
    expect(await account(holder)).toMatchObject({ exported_signers: [order.signer] });
    const custodian = test.needs.custodians.get("kms_a");
    const [row] = await kept(order.id);
    expect(await custodian?.proveWallet({ walletId: row?.wallet_id ?? "", nonce: "0".repeat(64) })).toBeDefined();
  });

  it("has no key of an export that was cancelled, or that nobody read in time", async () => {
    const one = await ordered();
    await one.exports.cancel(one.order.id, bySession(one.holder, cancellation(one.order.signer, one.order.id)));
    const other = await ordered();
    await test.network.sandbox?.advanceClock(3_600 + limits.walletExportOpenMs / 1000);
    for (const [{ exports, order }, status] of [
      [one, "cancelled"],
      [other, "expired"],
    ] as const) {
      expect(await exports.get(order.id)).toMatchObject({ status });
      expect(await exports.get(order.id)).not.toHaveProperty("sealed_key");
    }
  });

  it("has no key until the owner was mailed, however late that is", async () => {
    const { exports, order } = await ordered();
    await test.needs.db.updateTable("wallet_export").set({ noticed_state: null }).where("id", "=", order.id).execute();
    await test.network.sandbox?.advanceClock(3_600);
    expect(await exports.get(order.id)).toMatchObject({ status: "waiting" });
    test.needs.realClock.advance(limits.noticeBackOffMs[0]);
    expect(await sendNotices(test.needs, test.network)).toBe(1);
    expect(await exports.get(order.id)).toHaveProperty("sealed_key");
  });

  it("has no key that rows were changed for: no time, no recipient, no end is believed", async () => {
    const thief = createRecipient();
    const point = new Uint8Array(Buffer.from(thief.spki, "base64").subarray(-65));
    for (const change of [
      { not_before: 0n },
      { recipient: point },
      { expires_at: 2n ** 52n },
      { cancelled_at: null },
    ]) {
      const { holder, exports, order } = await ordered();
      if ("cancelled_at" in change) {
        await exports.cancel(order.id, bySession(holder, cancellation(order.signer, order.id)));
      }
      await test.needs.db.updateTable("kms_wallet_export").set(change).where("id", "=", order.id).execute();
      await test.needs.db
        .updateTable("wallet_export")
        .set({ not_before: 0n, state: "waiting" })
        .where("id", "=", order.id)
        .execute();
      expect((await errorOf(exports.get(order.id))).code).toBe("wallet_export_not_found");
    }
  });

  it("waits where only the service believes that the delay is over", async () => {
    const { exports, order } = await ordered();
    await test.needs.db.updateTable("wallet_export").set({ not_before: 0n }).where("id", "=", order.id).execute();
    expect(await exports.get(order.id)).toMatchObject({ status: "waiting" });
  });

  it("writes nothing of the key to the log or the database", async () => {
    const { exports, recipient, order } = await ordered();
    await test.network.sandbox?.advanceClock(3_600);
    const read = await exports.get(order.id);
    const seed = recipient.open(order.signer, sealedIn(read)).subarray(0, 32);
    const written = JSON.stringify([test.logLines, await kept(order.id)], (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    for (const form of [seed.toString("hex"), seed.toString("base64"), sealedIn(read).ciphertext]) {
      expect(written).not.toContain(form);
    }
  });
});

describe("404", () => {
  it("is the answer for another account's export, another tenant, and what is no id", async () => {
    const [one, other] = [await ordered(), await ordered()];
    expect((await errorOf(one.exports.get(other.order.id))).code).toBe("wallet_export_not_found");
    expect((await errorOf(one.exports.get("nothing"))).code).toBe("wallet_export_not_found");
    const caller = await test.addTenant(`reads-exports-${people}`);
    expect((await errorOf(one.exports.get(one.order.id, { caller }))).code).toBe("account_not_found");
  });
});

let people = 0;
async function ordered() {
  people += 1;
  const holder = await test.openHolder(`exported-${people}@example.org`);
  const recipient = createRecipient();
  const exports = exportsOf(test, holder);
  return { holder, recipient, exports, order: await exports.order(recipient) };
}

function sealedIn({ sealed_key: sealed }: Awaited<ReturnType<ReturnType<typeof exportsOf>["get"]>>) {
  if (sealed === undefined) throw new Error("the answer has no key");
  return sealed;
}

/** The address of an Ed25519 seed. */
function addressOf(seed: Uint8Array): string {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return addressOfBytes(new Uint8Array(createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32)));
}

const list = (holder: HeldAccount) =>
  test.call<{ id: string; status: string }[]>(listWalletExports, { params: { address: holder.address } });
const account = (holder: HeldAccount) => test.call<object>(getAccount, { params: { address: holder.address } });
const kept = (id: string) => test.needs.db.selectFrom("wallet_export").selectAll().where("id", "=", id).execute();

async function eventsOf(objectId: string): Promise<string[]> {
  const found = test.needs.db.selectFrom("event").select("type").where("object_id", "=", objectId);
  return (await found.orderBy("type").execute()).map(({ type }) => type);
}
