import { readFile } from "node:fs/promises";
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

/** Whether a change of a table is one of security is decided for each: those without a trigger of the log are here. */
const notLogged: Readonly<Record<string, string>> = {
  "what a wallet obeys, fixed when it is made and in its entry": "custodian_wallet",
  "sums and messages of signatures that are logged": "custodian_counted custodian_spent",
  "a step of a flow, over in minutes": "custodian_nonce kms_ceremony",
  "the log itself": "audit_entry tlog tlog_checkpoint tlog_cosignature tlog_refused tlog_tile tlog_witnessed",
  "the database's own, and what it is at": "custodian_mark kysely_migration kysely_migration_lock meta",
};

/** Types that no trigger writes: by operations that are tested as such, and by commands. */
const byOperation = ["configuration.changed", "log.accepted", "master_key.rotated", "master_key.rotation_started"];

describe("every change of security in the custodian's database", () => {
  it("is logged, or said not to be", async () => {
    await custodian.stop();
    await custodian.inDatabase(async (db) => {
      const { rows } = await sql<{ name: string }>`
        select class.relname as name from pg_class as class
        where class.relkind = 'r' and class.relnamespace = current_schema()::regnamespace and not exists (
          select from pg_trigger as made join pg_proc as called on called.oid = made.tgfoid
          where made.tgrelid = class.oid and called.proname like 'audit\\_%')
        order by 1`.execute(db);
      const said = Object.values(notLogged).flatMap((names) => names.split(" "));
      expect(rows.map(({ name }) => name).toSorted()).toEqual(said.toSorted());
    });
    await custodian.start();
  });

  it("of its secrets and roots has an entry of its own type, which the documentation names", async () => {
    const page = await readFile(new URL("../../docs/custodian-protocol.md", import.meta.url), "utf8");
    await custodian.stop();
    await custodian.inDatabase(async (db) => {
      for (const statement of [
        `insert into wallet_root (provider, generation, sealed, created_at, used_from) values ('kms_b', 9, 'x', 0, 0)`,
        `update wallet_root set sealed = null, retired_at = 1 where generation = 9`,
        `insert into derived_secret (purpose, id, created_at) values ('every', 0, 0), ('every', 1, 0)`,
        `update derived_secret set activated_at = 1 where purpose = 'every' and id = 1`,
        `update derived_secret set retired_at = 2 where purpose = 'every' and id = 1`,
        `delete from derived_secret where purpose = 'every'`,
        `delete from wallet_root where generation = 9`,
      ])
        await sql.raw(statement).execute(db);
      const { rows } = await sql<{ kind: string; subject: string }>`select kind, subject from audit_entry
        where subject in ('secret/every/1', 'wallet_root/kms_b/9') order by sequence`.execute(db);
      expect(rows).toEqual([
        { kind: "wallet_root.created", subject: "wallet_root/kms_b/9" },
        { kind: "wallet_root.retired", subject: "wallet_root/kms_b/9" },
        { kind: "secret.created", subject: "secret/every/1" },
        { kind: "secret.activated", subject: "secret/every/1" },
        { kind: "secret.retired", subject: "secret/every/1" },
      ]);
      for (const { kind } of [...rows, ...byOperation.map((each) => ({ kind: each }))]) {
        const [noun, verb] = kind.split(".");
        expect(page, kind).toMatch(new RegExp(`^\\| \`${noun}\\..*\\.?${verb}\``, "m"));
      }
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
