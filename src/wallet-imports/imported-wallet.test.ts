import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { newKey } from "../../test/proposals/support.js";
import { addSoftPasskey, byPasskey } from "../../test/support/passkeys.js";
import { prepareIntent, submitIntent } from "../../test/support/payments.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf, sessionOf } from "../../test/support/test-network.js";
import { createRecipient, exportsOf } from "../../test/support/wallet-exports.js";
import { arrive, importsOf, signIn } from "../../test/support/wallet-imports.js";
import { addRoot } from "../adapters/kms/wallet-roots.js";
import { systemRandom } from "../adapters/system.js";
import { endSession } from "../sign-in/end-session.js";
import { listSessions } from "../sign-in/list-sessions.js";
import { startAuthentication } from "../sign-in/start-authentication.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { setWalletExportTerms } from "../wallet-exports/export-terms.js";

const test = useTestNetwork();
const lamports = "5000000000";

describe("An imported wallet", () => {
  it("pays by session alone, by the one of the import and by later ones, until they are ended", async () => {
    const { holder, imports } = await moveIn("pays@example.org");
    const before = await prepareIntent(test, holder);
    expect(before.kms_payloads).toEqual([]);
    await imports.all();
    await pay(holder);
    const later = await signIn(test, "pays@example.org");
    expect(later.address).toBe(holder.address);
    await pay(later);
    const prepared = await prepareIntent(test, later);
    const sessions = await test.call<{ id: string; signer: string }[]>(listSessions, {
      params: { address: holder.address },
    });
    expect(sessions).toHaveLength(2);
    for (const { id } of sessions)
      await test.call(endSession, { params: { address: holder.address, session_id: id }, body: {} });
    expect((await errorOf(submitIntent(test, later, prepared))).code).toBe("session_expired");
  });

  it("is in the wallets of a session, with the time of its import", async () => {
    const { holder, key, imports } = await moveIn("lists@example.org");
    expect(sessionOf(holder.verified).session.wallets).toHaveLength(1);
    const { wallet } = await imports.all();
    const { wallets } = sessionOf((await signIn(test, "lists@example.org")).verified).session;
    expect(wallets).toMatchObject([
      { imported_at: null },
      { address: addressOfKey(key), imported_at: Date.parse(wallet.imported_at) },
    ]);
  });

  it("obeys the passkeys of the owner's first wallet, and so does its export", async () => {
    const email = "keyed@example.org";
    const own = await test.openHolder(email);
    const { passkey } = await addSoftPasskey(test, own);
    const arrival = await arrive(test, email);
    const { holder } = arrival;
    await test.airdrop(holder.address, "sol", lamports);
    const imports = importsOf(test, arrival);
    const begun = await imports.begin();
    await imports.take(begun, { authorization: byPasskey(passkey, begun.payload) });
    const prepared = await prepareIntent(test, holder);
    const [{ payload } = { payload: "" }] = prepared.kms_payloads;
    await test.call(submitTransactions, {
      params: { address: holder.address },
      body: { transaction: prepared.transaction, kms_payloads: [byPasskey(passkey, payload)] },
    });
    const exports = exportsOf(test, holder);
    const recipient = createRecipient();
    const ordered = await exports.begin(recipient);
    expect(ordered).toMatchObject({ signer: begun.signer, passkey_required: true });
    expect((await errorOf(exports.request(ordered, recipient))).code).toBe("passkey_signature_required");
  });

  it("can be exported again", async () => {
    const { holder, key, imports } = await moveIn("exports@example.org");
    await imports.all();
    await test.call(setWalletExportTerms, { body: { delay_seconds: 0 } });
    const exports = exportsOf(test, holder);
    const recipient = createRecipient();
    const { id, signer } = await exports.order(recipient);
    const { sealed_key } = await exports.get(id);
    if (sealed_key === undefined) throw new Error("the key has not left");
    const opened = recipient.open(signer, sealed_key);
    expect([...opened.subarray(0, 32)]).toEqual([...(key as Uint8Array).subarray(0, 32)]);
  });

  it.each([
    ["replacement, restore, import", true],
    ["import, replacement, restore", false],
  ])("leaves the number and the key of a replacement as they were: %s", async (_, isLast) => {
    const { holder, key, imports } = await moveIn(`numbers-${isLast}@example.org`);
    const { grid_user_id: ownerId } = holder.verified;
    const custodian = test.needs.custodians.get("kms_a");
    const owner = { ownerId, environment: "sandbox" as const, now: test.network.clock.now() };
    const { db } = test.needs;
    await addRoot({ db, keyring: test.needs.keyring, random: systemRandom, now: Date.now }, "kms_a");
    const later = isLast ? undefined : await imports.all();
    const replacement = await custodian?.ensureNewestWallet?.(owner);
    for (const table of ["wallet", "kms_wallet"] as const)
      await db
        .deleteFrom(table)
        .where("id", "=", replacement?.wallet.id ?? "")
        .execute();
    if (later === undefined) await imports.all();
    expect(await custodian?.ensureNewestWallet?.(owner)).toEqual(replacement);
    const numbers = await db
      .selectFrom("wallet")
      .select(["address", "number"])
      .where("owner_id", "=", ownerId)
      .where("number", ">", 1)
      .where("provider", "=", "kms_a")
      .orderBy("number")
      .execute();
    expect(numbers).toEqual([
      { address: replacement?.wallet.address, number: replacement?.number },
      { address: addressOfKey(key), number: 1_000_000 },
    ]);
  });
});

describe("An account that was imported with keys of its owner's own", () => {
  it("is signed in to from a page, which makes no other account", async () => {
    const email = "browser@example.org";
    const { holder } = await arrive(test, email);
    test.needs.realClock.advance(1);
    const caller = { ...test.caller, isPublishable: true };
    await test.call(startAuthentication, { body: { email }, caller });
    const code = await test.needs.db
      .selectFrom("one_time_code")
      .select("purpose")
      .where("email", "=", email)
      .orderBy("created_at", "desc")
      .executeTakeFirst();
    expect(code).toEqual({ purpose: "authenticate" });
    expect((await signIn(test, email)).address).toBe(holder.address);
  });

  it("has sessions, which its calls list and end", async () => {
    const { holder, imports } = await moveIn("unheld@example.org");
    const params = { address: holder.address };
    const listed = await test.call<{ id: string }[]>(listSessions, { params });
    expect(listed).toHaveLength(1);
    await test.call(endSession, { params: { ...params, session_id: listed[0]?.id ?? "" }, body: {} });
    expect(await test.call(listSessions, { params })).toEqual([]);
    expect((await errorOf(imports.all())).code).toBe("session_expired");
  });

  it("is found by its address where its owner has an account of their own, too", async () => {
    const email = "both@example.org";
    const own = await test.openHolder(email);
    const { holder } = await arrive(test, email);
    expect((await signIn(test, email)).address).toBe(own.address);
    expect((await signIn(test, email, { smart_account_address: holder.address })).address).toBe(holder.address);
  });
});

async function moveIn(email: string) {
  const arrival = await arrive(test, email, [newKey()]);
  await test.airdrop(arrival.holder.address, "sol", lamports);
  return { ...arrival, imports: importsOf(test, arrival) };
}

async function pay(holder: Parameters<typeof prepareIntent>[1]): Promise<void> {
  const prepared = await prepareIntent(test, holder);
  expect(prepared.kms_payloads).toHaveLength(1);
  const { transaction_signature } = await submitIntent(test, holder, prepared);
  expect(transaction_signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
}
