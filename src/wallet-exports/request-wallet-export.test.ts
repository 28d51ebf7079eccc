import { limits } from "@trellis/kernel/limits.js";
import { describe, expect, it } from "vitest";
import { addSoftPasskey, byPasskey, bySession } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { createRecipient, documentIn, exportsOf } from "../../test/support/wallet-exports.js";
import { readOutbox } from "../people/sandbox-outbox.js";
import { setWalletExportTerms } from "./export-terms.js";

const test = useTestNetwork();
let people = 0;

describe("201", () => {
  it("begins an export that waits for the tenant's delay, mails its owner, and reports it", async () => {
    const { holder, exports, recipient } = await held();
    const begun = await exports.begin(recipient);
    expect(begun).toMatchObject({ passkey_required: false, delay_seconds: limits.walletExportDelaySeconds });
    const order = await exports.request(begun, recipient);
    expect(order).toMatchObject({ status: "waiting", recipient_public_key: recipient.spki });
    expect(Date.parse(order.not_before) - Date.parse(order.requested_at)).toBe(259_200_000);
    const [mail] = await mails(holder.email);
    expect(mail?.subject).toBe("The key of your wallet is to be exported");
    expect(mail?.text).toContain(order.id);
    expect(mail?.otp_code).toBe("");
    expect(await eventsOf(order.id)).toEqual(["wallet_export.requested"]);
  });

  it("takes a passkey's signature where one commands the wallet", async () => {
    const { holder, exports, recipient } = await held();
    const { passkey } = await addSoftPasskey(test, holder);
    const begun = await exports.begin(recipient);
    expect(begun.passkey_required).toBe(true);
    const order = await exports.request(begun, recipient, { authorization: byPasskey(passkey, begun.payload) });
    expect(order.status).toBe("waiting");
  });

  it("keeps the time of what waits when the tenant sets another delay", async () => {
    const { exports, recipient } = await held();
    const order = await exports.order(recipient);
    await test.call(setWalletExportTerms, { body: { delay_seconds: 0 } });
    expect(await exports.get(order.id)).toMatchObject({ status: "waiting", not_before: order.not_before });
    await test.call(setWalletExportTerms, { body: { delay_seconds: limits.walletExportDelaySeconds } });
  });
});

describe("400", () => {
  it("is the answer to a wrong code, and to one that was used, and nothing is begun", async () => {
    const { exports, recipient } = await held();
    const begun = await exports.begin(recipient);
    const wrong = exports.request(begun, recipient, { otp_code: "000000" });
    expect((await errorOf(wrong)).code).toBe("invalid_otp");
    expect(await exportsKept(begun.signer)).toBe(0);
    const order = await exports.request(begun, recipient);
    await exports.cancel(order.id, bySession((await lastHeld).holder, cancelling(begun.signer, order.id)));
    expect((await errorOf(exports.request(begun, recipient))).code).toBe("invalid_otp");
  });

  it("is the answer where another recipient was signed for", async () => {
    const { exports, recipient } = await held();
    const begun = await exports.begin(recipient);
    const thief = createRecipient();
    const swapped = exports.request(begun, recipient, { recipient_public_key: thief.spki });
    expect((await errorOf(swapped)).code).toBe("invalid_signature");
    expect(await exportsKept(begun.signer)).toBe(0);
  });

  it("is the answer where another user's session signs", async () => {
    const { exports, recipient } = await held();
    const stranger = await held();
    const begun = await exports.begin(recipient);
    const authorization = bySession(stranger.holder, documentIn(begun.payload));
    expect((await errorOf(exports.request(begun, recipient, { authorization }))).code).toBe("invalid_signature");
  });

  it("is the answer to a code that signs in", async () => {
    const { exports, recipient } = await held();
    const begun = await exports.begin(recipient);
    const { otp_id: other } = await exports.begin(recipient);
    expect((await errorOf(exports.request({ ...begun, otp_id: begun.otp_id }, recipient))).code).toBe("invalid_otp");
    expect(other).not.toBe(begun.otp_id);
  });

  it("is the custodian's own answer to a document that was kept back", async () => {
    const { exports, recipient } = await open();
    const kmsA = test.needs.custodians.get("kms_a");
    if (kmsA === undefined) throw new Error("there is no kms_a");
    const beginWalletExport: typeof kmsA.beginWalletExport = (request) =>
      kmsA.beginWalletExport({ ...request, now: request.now + limits.walletExportDocumentMs });
    test.needs.custodians.set("kms_a", { ...kmsA, beginWalletExport });
    const late = errorOf(exports.order(recipient));
    expect((await late.finally(() => test.needs.custodians.set("kms_a", kmsA))).code).toBe("payload_expired");
  });

  it("is the answer to a recipient that is no P-256 key", async () => {
    const { exports, recipient } = await held();
    const begin = exports.begin({ ...recipient, spki: "AAAA" });
    expect((await errorOf(begin)).code).toBe("invalid_encryption_public_key");
  });
});

describe("403", () => {
  it("is the answer to a session's signature where a passkey commands the wallet; the code is still good", async () => {
    const { holder, exports, recipient } = await held();
    const { passkey } = await addSoftPasskey(test, holder);
    const begun = await exports.begin(recipient);
    expect((await errorOf(exports.request(begun, recipient))).code).toBe("passkey_signature_required");
    const order = await exports.request(begun, recipient, { authorization: byPasskey(passkey, begun.payload) });
    expect(order.status).toBe("waiting");
  });

  it("is the custodian's answer, too, where the service knows of no passkey", async () => {
    const { holder, exports, recipient } = await held();
    const { wire } = await addSoftPasskey(test, holder);
    const begun = await exports.begin(recipient);
    await test.needs.db.updateTable("passkey").set({ removed_at: 1n }).where("id", "=", wire.id).execute();
    await test.needs.db.updateTable("kms_passkey").set({ removed_at: 1n }).where("id", "=", wire.id).execute();
    expect((await errorOf(exports.request(begun, recipient))).code).toBe("passkey_signature_required");
  });
});

describe("404", () => {
  it("is the answer to another tenant", async () => {
    const { exports, recipient } = await held();
    const caller = await test.addTenant(`exports-${people}`);
    expect((await errorOf(exports.begin(recipient, { caller }))).code).toBe("account_not_found");
  });
});

describe("409", () => {
  it("is the answer while another export of the wallet is open, and not afterwards", async () => {
    const { holder, exports, recipient } = await held();
    const order = await exports.order(recipient);
    const begun = await exports.begin(recipient);
    expect((await errorOf(exports.request(begun, recipient))).code).toBe("wallet_export_open");
    await exports.cancel(order.id, bySession(holder, cancelling(order.signer, order.id)));
    expect((await exports.request(begun, recipient)).status).toBe("waiting");
  });

  it("lets one of several at once begin", async () => {
    const { exports, recipient } = await held();
    const begun = await exports.begin(recipient);
    const all = await Promise.allSettled([1, 2, 3].map(() => exports.request(begun, recipient)));
    const ids = all.flatMap((one) => (one.status === "fulfilled" ? [one.value.id] : []));
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(1);
    expect(await exportsKept(begun.signer)).toBe(1);
    expect(await eventsOf(ids[0] ?? "")).toEqual(["wallet_export.requested"]);
  });
});

describe("A crash", () => {
  it("between the custodian and the service is made good by the same request", async () => {
    const { exports, recipient } = await held();
    const begun = await exports.begin(recipient);
    const order = await exports.request(begun, recipient);
    // As if the process had died behind the custodian's answer.
    await test.needs.db.deleteFrom("wallet_export").where("id", "=", order.id).execute();
    await test.needs.db.updateTable("one_time_code").set({ state: "live" }).where("id", "=", begun.otp_id).execute();
    expect(await exports.request(begun, recipient)).toMatchObject({ id: order.id, not_before: order.not_before });
  });
});

describe("An export that a crash left at the custodian alone", () => {
  it("is replaced by the next order, and never hands anything out", async () => {
    const { exports, recipient } = await held();
    const orphan = await exports.order(recipient);
    await test.needs.db.deleteFrom("wallet_export").where("id", "=", orphan.id).execute();
    const order = await exports.order(recipient);
    expect(order).toMatchObject({ status: "waiting" });
    expect(order.id).not.toBe(orphan.id);
    const kept = await test.needs.db.selectFrom("kms_wallet_export").selectAll().where("id", "=", orphan.id).execute();
    expect(kept[0]?.cancelled_at).not.toBeNull();
    const walletId = kept[0]?.wallet_id ?? "";
    await test.network.sandbox?.advanceClock(limits.walletExportDelaySeconds);
    const hand = test.needs.custodians
      .get("kms_a")
      ?.exportWallet({ walletId, exportId: orphan.id, now: test.network.clock.now() });
    await expect(hand).rejects.toMatchObject({ reason: "export_over" });
    expect(await exports.get(order.id)).toHaveProperty("sealed_key");
  });
});

let lastHeld: Promise<Awaited<ReturnType<typeof open>>>;
function held() {
  lastHeld = open();
  return lastHeld;
}

async function open() {
  people += 1;
  const holder = await test.openHolder(`leaving-${people}@example.org`);
  return { holder, exports: exportsOf(test, holder), recipient: createRecipient() };
}

const cancelling = (signer: string, id: string) => ({
  version: 1,
  method: "cancelWalletExport",
  environment: "sandbox",
  wallet: signer,
  params: { export_id: id },
});

const mails = (email: string) =>
  test.call<{ subject: string; text: string; otp_code: string }[]>(readOutbox, { query: { email } });

async function exportsKept(signer: string): Promise<number> {
  const rows = test.needs.db.selectFrom("wallet_export").select("id").where("signer_address", "=", signer);
  return (await rows.execute()).length;
}

async function eventsOf(objectId: string): Promise<string[]> {
  const found = test.needs.db.selectFrom("event").select("type").where("object_id", "=", objectId);
  return (await found.orderBy("created_at").orderBy("type").execute()).map(({ type }) => type);
}
