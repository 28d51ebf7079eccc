import type { Address } from "@solana/kit";
import type { Db } from "@trellis/kernel/ports/database.js";
import { openCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { isSame, rootOf } from "@trellis/kernel/tlog/merkle.js";
import { parseVkey } from "@trellis/kernel/tlog/note.js";
import { readNodes } from "@trellis/kernel/tlog/tile.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { faultOf } from "../../src/audit/audit-leaf.js";
import { verifyLog } from "../../src/audit/verify-log.js";
import { readCustodianLogKey, takeCustodianCheckpoint, verifyCustodianLog } from "../../src/custodian/log-commands.js";
import { startTestCustodian } from "../support/custodian.js";
import { payloadOf, pointOf } from "../support/custody-payloads.js";
import { createP256Key, stampKmsB } from "../support/test-network.js";
import { use } from "../support/use.js";

const custodian = use(() => startTestCustodian());
const now = Date.UTC(2026, 0, 15, 12);

describe("the custodian's own log", () => {
  it("has an entry of a wallet, a key, each signature that was given, and each that was refused", async () => {
    const { walletId, sign, authorizationId } = await scene();
    await sign();
    await sign();
    await expect(sign({ now: now + 60_000 })).rejects.toMatchObject({ reason: "payload_expired" });
    await custodian.clientWith().ask("revokeAuthorization", { authorization_id: authorizationId }, { now });
    const entries = await entriesOf(walletId);
    expect(entries.map(({ kind }) => kind)).toEqual([
      "wallet.created",
      "authorization.granted",
      "signature.given",
      "signature.given",
      "signature.refused",
      "authorization.revoked",
    ]);
    const given = JSON.parse(entries[2]?.body ?? "").details;
    expect(given).toMatchObject({
      by: `authorization/${authorizationId}`,
      message_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.parse(entries[4]?.body ?? "").details).toMatchObject({ reason: "payload_expired" });
  });

  it("is proven over the protocol: its tiles have the root of its checkpoint, which its key has signed", async () => {
    const client = custodian.clientWith();
    await scene();
    const grown = await client.ask("proveGrowth", {}, { old: 0 });
    const { log_key, checkpoint } = await client.ask("getLog", {}, undefined);
    expect(checkpoint).toBe(grown.checkpoint);
    const verifier = parseVkey(log_key);
    if (verifier === undefined) throw new Error("no key");
    expect(verifier.name).toBe(`trellis-custodian/${custodian.identity}`);
    const head = openCheckpoint(checkpoint ?? "", verifier);
    if (head === undefined) throw new Error("no checkpoint");
    const read = readNodes((names) =>
      Promise.all(
        names.map(async ({ level, index }) => {
          const width = Math.min(256, Math.floor(head.size / 256 ** level) - index * 256);
          const params = { level: `${level}`, index: `${index}`, width: `${width}` };
          const { hashes } = await client.ask("getLogTile", params, undefined);
          return { level, index, hashes: Uint8Array.from(Buffer.from(hashes ?? "", "base64")) };
        }),
      ),
    );
    expect(isSame(await rootOf(head.size, read), head.root)).toBe(true);
    for (const params of [
      { level: "0", index: "999", width: "256" },
      { level: "0", index: "0", width: "256" },
      { level: "x", index: "0", width: "1" },
    ]) {
      expect(await client.ask("getLogTile", params, undefined)).toEqual({ hashes: null });
    }
  });

  it("is verified by a command, which names what was flipped or cut", async () => {
    const { walletId, sign } = await scene();
    await sign();
    await custodian.stop();
    const key = parseVkey(await readCustodianLogKey(custodian.config));
    const kept = await takeCustodianCheckpoint(custodian.config);
    expect(key && openCheckpoint(kept, key)).toBeDefined();
    expect((await verifyCustodianLog(custodian.config, [kept])).faults).toEqual([]);
    await custodian.inDatabase(async (db) => {
      const flip = (from: string, to: string) =>
        sql`update audit_entry set body = replace(body, ${from}, ${to}) where subject = ${`wallet/${walletId}`}`.execute(
          db,
        );
      await flip("message_hash", "message_hush");
      const key = parseVkey(await keyOf());
      if (key === undefined) throw new Error("no key");
      const flipped = await verifyLog(db as unknown as Db, key, [kept]);
      expect(flipped.faults.join()).toContain("its body is not what was logged");
      await flip("message_hush", "message_hash");
      const { rows } = await sql<{ place: bigint }>`select max(place) as place from audit_entry`.execute(db);
      await sql`delete from audit_entry where place = ${rows[0]?.place ?? 0n}`.execute(db);
      const cut = await verifyLog(db as unknown as Db, key, [kept]);
      expect(cut.faults.join()).toContain("are missing");
    });
    await custodian.start();
  });
});

let logKey = "";
const keyOf = async () => logKey;

let owners = 0;
/** A wallet with an authorization key, and what has it sign. */
async function scene() {
  owners += 1;
  const client = custodian.clientWith();
  logKey = (await client.ask("getLog", {}, undefined)).log_key;
  const asked = {
    owner: `owner-${owners}`,
    environment: "sandbox",
    kind: "session",
    now,
    nonce: "0".repeat(64),
  } as const;
  const { wallet } = await client.ask("ensureWallet", {}, asked);
  const key = createP256Key();
  const { authorization_id: authorizationId } = await client.ask(
    "registerAuthorization",
    { wallet_id: wallet.wallet_id },
    { public_key: Buffer.from(pointOf(key)).toString("hex"), expires_at: now + 3_600_000, now },
  );
  const payload = payloadOf(wallet.address as Address, now);
  const sign = (more: { now?: number } = {}) => {
    const { public_key, signature, timestamp_ms } = stampKmsB(payload, key, Date.now());
    const stamp = { form: "kms_b", public_key, signature, timestamp_ms };
    const authority = { kind: "session", authorization_id: authorizationId };
    return client.ask("sign", { wallet_id: wallet.wallet_id }, { payload, stamp, authority, now, ...more } as never);
  };
  return { walletId: wallet.wallet_id, authorizationId, sign };
}

async function entriesOf(walletId: string) {
  let entries: Parameters<typeof faultOf>[0][] = [];
  const port = Number(new URL(custodian.url).port);
  await custodian.stop();
  await custodian.inDatabase(async (db) => {
    const { rows } = await sql<Parameters<typeof faultOf>[0]>`select * from audit_entry
      where subject = ${`wallet/${walletId}`} order by sequence`.execute(db);
    entries = rows;
  });
  await custodian.start(port);
  for (const entry of entries) expect(faultOf(entry)).toBeUndefined();
  return entries;
}
