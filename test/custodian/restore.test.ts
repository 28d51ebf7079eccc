import { randomBytes } from "node:crypto";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Address } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { createSoftPasskey, type SoftPasskey } from "../support/authenticator.js";
import { startTestCustodian } from "../support/custodian.js";
import { payloadOf, pointOf, wireStampOf } from "../support/custody-payloads.js";
import { page, toPayload } from "../support/passkeys.js";
import { createP256Key } from "../support/test-network.js";
import { use } from "../support/use.js";

/** A custodian whose database is put back as it was an hour ago, while what lies beside it stays. */
describe("a custodian whose database was put back", () => {
  it("does not start, until its operator says that it knows", async () => {
    await dump();
    await moveOn();
    await putBack();
    await expect(custodian.start()).rejects.toThrow("--after-restore");
    await expect(custodian.start()).rejects.toThrow("custodian's database was put back");
    await custodian.start(0, { afterRestore: true });
    await custodian.stop();
    await custodian.start();
  });

  it("does not start either where the file beside it was put back, was lost, or holds something else", async () => {
    const file = join(custodian.config.dataDirectory, "restore-mark");
    await moveOn();
    await custodian.stop();
    const kept = await readFile(file, "utf8");
    for (const text of [String(Number(kept) - 2), String(Number(kept) + 1), "nonsense", ""]) {
      await writeFile(file, text);
      await expect(custodian.start()).rejects.toThrow("was put back");
    }
    await rm(file);
    await expect(custodian.start()).rejects.toThrow("was put back");
    // Where it ended between the two writes the database is one ahead.
    await writeFile(file, String(Number(kept) - 1));
    await custodian.start();
  });

  it("ends the keys that it has forgotten to have ended, and takes none of their grants again", async () => {
    // Behind what the restore of another test has closed.
    offMs += monthMs;
    await moveOn();
    const { wallet, passkey, id } = await enrolled();
    const granted = grantOf(wallet.address, passkey, id);
    const later = grantOf(wallet.address, passkey, id);
    const params = { wallet_id: wallet.wallet_id };
    const client = () => custodian.clientWith();
    const { authorization_id } = await client().ask("registerAuthorization", params, granted);
    await dump();
    await client().ask("revokeAuthorization", { authorization_id }, { now });
    const forgotten = await client().ask("registerAuthorization", params, later);
    await client().ask("revokeAuthorization", forgotten, { now });
    await moveOn();
    await putBack();
    await custodian.start(0, { afterRestore: true });
    for (const grant of [granted, later]) {
      await expect(client().ask("registerAuthorization", params, grant)).rejects.toMatchObject({
        reason: "not_granted",
      });
    }
    await custodian.stop();
    await custodian.inDatabase(async (db) => {
      const live = db.selectFrom("kms_authorization_key").select("id").where("revoked_at", "is", null);
      expect(await live.execute()).toEqual([]);
    });
    await custodian.start();
    // The holder's passkey goes on.
    const payload = payloadOf(wallet.address as Address, now);
    const checked = client().ask("checkAuthority", params, byPasskey(passkey, id, payload));
    await expect(checked).resolves.toEqual({});
    // Those that had been granted before are over after a month, and new ones are taken.
    offMs += monthMs;
    const fresh = client().ask("registerAuthorization", params, grantOf(wallet.address, passkey, id));
    await expect(fresh).resolves.toBeDefined();
  });

  it("takes no first passkey for a wallet whose first one it has forgotten", async () => {
    const wallet = await make();
    await dump();
    const holder = createSoftPasskey();
    await add(wallet.wallet_id, holder);
    await moveOn();
    await putBack();
    await custodian.start(0, { afterRestore: true });
    await expect(add(wallet.wallet_id, createSoftPasskey())).rejects.toMatchObject({ reason: "not_granted" });
    // Wallets that are made from then on take theirs.
    await expect(enrolled()).resolves.toBeDefined();
  });

  it("counts every wallet as one that has signed, so that no policy is taken as the first one", async () => {
    const { wallet } = await enrolled();
    await custodian.stop();
    await custodian.start(0, { afterRestore: true });
    await custodian.stop();
    await custodian.inDatabase(async (db) => {
      const heads = await db.selectFrom("custodian_policy").select(["wallet_id", "latest_at"]).execute();
      expect(heads.find(({ wallet_id }) => wallet_id === wallet.wallet_id)?.latest_at).not.toBe(0n);
    });
    await custodian.start();
  });
});

it("a database of any kind that is behind is noticed, and is taken once its operator says so", async () => {
  await anywhere.stop();
  await anywhere.inDatabase(async (db) => {
    await db
      .updateTable("custodian_mark")
      .set(({ eb }) => ({ count: eb("count", "-", 1n) }))
      .execute();
  });
  await expect(anywhere.start()).rejects.toThrow("was put back");
  await anywhere.start(0, { afterRestore: true });
  await anywhere.stop();
  await anywhere.start();
});

const now = Date.UTC(2026, 0, 15, 12);
let offMs = 0;
const clock = { now: () => Date.now() + offMs };
const monthMs = 30 * 86_400_000;
const custodian = use(() => startTestCustodian({ variables: { TRELLIS_CUSTODIAN_DATABASE_URL: "" }, clock }));
/** On the server that the tests are given, where there is one. */
const anywhere = use(startTestCustodian);
const kept = () => join(custodian.config.dataDirectory, "..", "dump");
const lived = () => join(custodian.config.dataDirectory, "postgres");

/** Copies the database, and goes on. */
async function dump(): Promise<void> {
  await custodian.stop();
  await rm(kept(), { recursive: true, force: true });
  await cp(lived(), kept(), { recursive: true });
  await custodian.start();
}

/** What happens every minute and at each start. */
async function moveOn(): Promise<void> {
  await custodian.stop();
  await custodian.start();
}

async function putBack(): Promise<void> {
  await custodian.stop();
  await rm(lived(), { recursive: true });
  await cp(kept(), lived(), { recursive: true });
}

async function make() {
  const owner = `owner-${randomBytes(8).toString("hex")}`;
  const rp = { id: page.rpId, origins: [page.origin] };
  const terms = { owner, environment: "sandbox", kind: "guarded", rp, nonce: "0".repeat(64), now } as const;
  return (await custodian.clientWith().ask("ensureWallet", {}, terms)).wallet;
}

async function add(wallet_id: string, passkey: SoftPasskey) {
  const client = custodian.clientWith();
  const begun = await client.ask("beginPasskey", { wallet_id }, { now });
  const made = passkey.register({ ...page, challenge: Buffer.from(begun.challenge, "base64url") });
  const registration = { authenticator_data: made.authenticatorData, client_data_json: made.clientDataJSON };
  return client.ask("addPasskey", { wallet_id }, { ceremony_id: begun.ceremony_id, registration, now });
}

async function enrolled() {
  const wallet = await make();
  const passkey = createSoftPasskey();
  const { passkey: added } = await add(wallet.wallet_id, passkey);
  return { wallet, passkey, id: added.id };
}

const byPasskey = (passkey: SoftPasskey, passkeyId: string, payload: string) => ({
  payload,
  stamp: wireStampOf(passkey, payload),
  authority: { kind: "passkey" as const, passkey_id: passkeyId },
  now,
});

function grantOf(wallet: string, passkey: SoftPasskey, passkeyId: string) {
  const expires_at = now + 3_600_000;
  const public_key = Buffer.from(pointOf(createP256Key())).toString("hex");
  const payload = toPayload({
    version: 1,
    method: "authorizeKey",
    environment: "sandbox",
    wallet,
    params: { public_key, expires_at: new Date(expires_at).toISOString() },
    nonce: "g",
    expires_at: new Date(now + 600_000).toISOString(),
  });
  const { now: _, ...grant } = byPasskey(passkey, passkeyId, payload);
  return { public_key, expires_at, now, grant };
}
