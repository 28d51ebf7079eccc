import { createHash } from "node:crypto";
import type { Instruction } from "@solana/kit";
import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { beforeAll, describe, expect, it } from "vitest";
import {
  wallet as address,
  addSigner,
  anAddress,
  messageOf,
  mint,
  payee,
  payment,
  settingsChange,
  sol,
  tokens,
} from "../../../test/support/custodian-messages.js";
import { postgresUrl } from "../../../test/support/test-database.js";
import { useDatabase } from "../../../test/support/use-database.js";
import * as policyChanges from "../migrations/0004-policy-changes.js";
import * as waitingChanges from "../migrations/0013-waiting-changes.js";
import type { PolicyAuthority, PolicyWallet } from "../signing-policy.js";
import { createWalletPolicies } from "./create-policy.js";
import { policyMigrations } from "./migrations.js";
import type { PolicyTables } from "./policy-tables.js";
import { defaultPolicies, type WalletPolicy } from "./wallet-policy.js";

const database = useDatabase();
const db = () => database.db as unknown as Kysely<PolicyTables>;
const secret = new Uint8Array(32).fill(7);
const policies = () => createWalletPolicies({ db: db(), secret });

beforeAll(async () => {
  const later = { "0004-policy-changes": policyChanges, "0013-waiting-changes": waitingChanges };
  const provider = { getMigrations: async () => ({ ...policyMigrations, ...later }) };
  const migrator = new Migrator({
    db: db(),
    provider,
    migrationTableName: "custodian_policy_migration",
    migrationLockTableName: "custodian_policy_migration_lock",
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
});

const passkey: PolicyAuthority = { kind: "passkey", passkeyId: "p" };
const noon = Date.UTC(2026, 10, 27, 12);
const hour = 3_600_000;
const day = 24 * hour;
let wallets = 0;

const limited = (perDay: string): WalletPolicy => ({
  ...defaultPolicies.guarded,
  transfers: {
    ...defaultPolicies.guarded.transfers,
    limits: [{ mint, per_period: [{ amount: perDay, period: { type: "rolling", seconds: 86_400 } }] }],
  },
});

/** A document of the holder's about a policy. Two of one content and number are one document. */
const set = (wallet: PolicyWallet, policy: WalletPolicy, replaces: number, now = noon, nonce = "n") => {
  const text = JSON.stringify([wallet.id, policy, replaces, nonce]);
  const documentHash = createHash("sha256").update(text).digest("hex");
  return policies().setPolicy({ wallet, order: { policy, replaces, expiresAt: now + 60_000, documentHash }, now });
};

/** A guarded wallet of its own, with a policy where one is given. */
async function aWallet(policy?: WalletPolicy) {
  wallets += 1;
  const wallet: PolicyWallet = { id: `wallet-${wallets}`, address, environment: "sandbox", kind: "guarded" };
  if (policy !== undefined) {
    expect(await set(wallet, policy, 0)).toMatchObject({ policy, version: 1, next: null });
  }
  const decide = (message: Uint8Array, { now = noon, authority = passkey } = {}) =>
    policies().decide({ wallet, message, authority, payloadHash: "00", now });
  const ask = async (instructions: readonly Instruction[], given: { now?: number; lifetime?: number } = {}) => {
    const lifetime = anAddress(given.lifetime ?? 99);
    const decision = await decide(messageOf(instructions, { lifetime }), { now: given.now ?? noon });
    return decision.kind === "allow" ? "allow" : decision.reason;
  };
  return { wallet, decide, ask };
}

describe("a limit of a period", () => {
  it("counts every message once, however often it is asked for", async () => {
    const { ask } = await aWallet(limited("100"));
    expect(await ask([payment(tokens(60n))])).toBe("allow");
    expect(await ask([payment(tokens(60n))])).toBe("allow");
    expect(await ask([payment(tokens(60n))], { lifetime: 98 })).toBe("over_period_limit");
    expect(await ask([payment(tokens(40n))])).toBe("allow");
    expect(await ask([payment(tokens(1n))])).toBe("over_period_limit");
    expect(await ask([payment(sol(1_000n))])).toBe("allow");
  });

  it("is there again when its period is over, and no clock that goes back empties it", async () => {
    const { ask } = await aWallet(limited("100"));
    expect(await ask([payment(tokens(100n))])).toBe("allow");
    expect(await ask([payment(tokens(1n))], { now: noon - 40 * day })).toBe("over_period_limit");
    expect(await ask([payment(tokens(1n))], { now: noon + day })).toBe("over_period_limit");
    expect(await ask([payment(tokens(100n))], { now: noon + day + hour, lifetime: 97 })).toBe("allow");
  });

  it("is not passed by two messages at once that only one fits", async () => {
    const { ask } = await aWallet(limited("100"));
    const answers = await Promise.all([1, 2, 3, 4].map((n) => ask([payment(tokens(60n + BigInt(n)))])));
    expect(answers.filter((answer) => answer === "allow")).toHaveLength(1);
  });

  it("counts the same message once when it is asked for at once", async () => {
    const { ask } = await aWallet(limited("100"));
    const answers = await Promise.all([1, 2, 3].map(() => ask([payment(tokens(60n))])));
    expect(answers).toEqual(["allow", "allow", "allow"]);
    expect(await ask([payment(tokens(40n))])).toBe("allow");
  });

  it("takes more than 64 bits in sum", async () => {
    const most = 2n ** 64n - 1n;
    const { ask, wallet } = await aWallet(limited("1"));
    expect(await ask([payment(tokens(most), tokens(most))])).toBe("over_period_limit");
    const free = await aWallet();
    expect(await free.ask([payment(tokens(most), tokens(most))])).toBe("allow");
    const rows = await db()
      .selectFrom("custodian_spent")
      .select("amount")
      .where("wallet_id", "=", free.wallet.id)
      .execute();
    expect(rows).toEqual([{ amount: (2n * most).toString() }]);
    expect(wallet.id).not.toBe(free.wallet.id);
  });
});

describe("a change of settings", () => {
  const change = [settingsChange(addSigner(payee))];

  it("is signed after its delay, once, whatever its blockhash is then", async () => {
    const { ask, decide } = await aWallet();
    const first = await decide(messageOf(change));
    expect(first).toMatchObject({ reason: "settings_change_delayed", notBefore: noon + day });
    const later = await decide(messageOf(change), { now: noon + day - 1 });
    expect(later).toMatchObject({ reason: "settings_change_delayed", notBefore: noon + day });
    expect(await ask(change, { now: noon + day, lifetime: 98 })).toBe("allow");
    expect(await ask(change, { now: noon + day, lifetime: 98 })).toBe("allow");
    expect(await ask(change, { now: noon + day, lifetime: 97 })).toBe("settings_change_delayed");
  });

  it("that is another one waits by itself", async () => {
    const { ask } = await aWallet();
    await ask(change);
    expect(await ask([settingsChange(addSigner(payee, 6))], { now: noon + day })).toBe("settings_change_delayed");
  });

  it("is read by anybody without a lock, a wait or a row", async () => {
    const { ask, wallet } = await aWallet();
    const rows = async () =>
      db().selectFrom("custodian_policy").selectAll().where("wallet_id", "=", wallet.id).execute();
    expect(await policies().peekPending({ wallet, now: noon })).toEqual({ changes: [], asOf: noon });
    expect(await rows()).toEqual([]);
    await ask(change);
    const listed = await policies().listPending({ wallet, now: noon });
    expect(listed?.changes).toHaveLength(1);
    if (postgresUrl === undefined) {
      expect(await policies().peekPending({ wallet, now: noon })).toEqual(listed);
      return;
    }
    await db()
      .transaction()
      .execute(async (trx) => {
        await trx.selectFrom("custodian_policy").selectAll().where("wallet_id", "=", wallet.id).forUpdate().execute();
        expect(await policies().peekPending({ wallet, now: noon })).toEqual(listed);
      });
  });

  it("can be cancelled, and begins anew then", async () => {
    const { ask, wallet } = await aWallet();
    await ask(change);
    const [waiting] = (await policies().listPending({ wallet, now: noon }))?.changes ?? [];
    expect(waiting).toMatchObject({ from: noon + day, until: noon + 8 * day });
    expect(JSON.parse(waiting?.change ?? "")).toMatchObject([{ by: "members", actions: [{ __kind: "AddSigner" }] }]);
    const cancel = (id = waiting?.id ?? "") =>
      policies().cancelPending({ wallet, id, passkeyId: "p", now: noon + hour });
    expect([await cancel(), await cancel()]).toEqual([
      { changes: [], asOf: noon + hour },
      { changes: [], asOf: noon + hour },
    ]);
    expect(await cancel("00")).toBe("not_found");
    expect(await policies().listPending({ wallet, now: noon })).toMatchObject({ changes: [] });
    expect(await ask(change, { now: noon + day })).toBe("settings_change_delayed");
    expect(await ask(change, { now: noon + 2 * day })).toBe("allow");
  });

  it("that begins anew in the instant of the last time is another one", async () => {
    const { ask, wallet } = await aWallet();
    const ids: string[] = [];
    for (const now of [noon, noon, noon]) {
      await ask(change, { now });
      const id = (await policies().listPending({ wallet, now }))?.changes[0]?.id ?? "";
      await policies().cancelPending({ wallet, id, passkeyId: "p", now });
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(3);
    await ask(change);
    const [first = ""] = ids;
    expect(await policies().cancelPending({ wallet, id: first, passkeyId: "p", now: noon })).toBe("not_found");
    expect(await policies().listPending({ wallet, now: noon })).toMatchObject({ changes: [{}] });
  });

  it("is cancelled or signed where both are asked for in the instant it matures", async () => {
    for (const isCancelFirst of [true, false]) {
      const { ask, wallet } = await aWallet();
      await ask(change);
      const id = (await policies().listPending({ wallet, now: noon }))?.changes[0]?.id ?? "";
      const now = noon + day;
      const cancel = () => policies().cancelPending({ wallet, id, passkeyId: "p", now });
      const both = [cancel, () => ask(change, { now })];
      const answers = await Promise.all((isCancelFirst ? both : both.toReversed()).map((each) => each()));
      const isSigned = answers.includes("allow");
      expect(answers).toContainEqual(isSigned ? "over" : { changes: [], asOf: now });
      expect(answers.includes("settings_change_delayed")).toBe(!isSigned);
    }
  });

  it("is one of eight at most, so that all of them can be listed", async () => {
    const { ask, wallet } = await aWallet();
    const changes = Array.from({ length: 9 }, (_, n) => [settingsChange(addSigner(anAddress(100 + n)))]);
    const answers = await Promise.all(changes.map((each) => ask(each)));
    expect(answers.filter((answer) => answer === "too_many_changes")).toHaveLength(1);
    const last = changes[answers.indexOf("too_many_changes")] ?? [];
    const { changes: waiting = [] } = (await policies().listPending({ wallet, now: noon })) ?? {};
    expect(waiting).toHaveLength(8);
    await policies().cancelPending({ wallet, id: waiting[3]?.id ?? "", passkeyId: "p", now: noon });
    expect(await ask(last)).toBe("settings_change_delayed");
  });

  it("begins anew behind a restored database, which also takes no policy as the first one any more", async () => {
    const { ask, wallet } = await aWallet();
    await ask(change);
    await policies().restart({ wallet, now: noon, knownUntil: noon });
    expect(await ask(change, { now: noon + day })).toBe("settings_change_delayed");
    expect(await ask(change, { now: noon + 2 * day })).toBe("allow");
    const unsigned = (await aWallet()).wallet;
    await policies().restart({ wallet: unsigned, now: 0, knownUntil: 0 });
    const { guarded } = defaultPolicies;
    const undelayed = { ...guarded, settings_changes: { ...guarded.settings_changes, delay_seconds: 0 } };
    expect(await set(unsigned, undelayed, 0)).toMatchObject({ policy: guarded, next: { policy: undelayed } });
    await policies().restart({ wallet: unsigned, now: noon, knownUntil: noon });
    expect(await policies().readPolicy({ wallet: unsigned, now: noon + 2 * day })).toMatchObject({
      policy: guarded,
      next: null,
    });
  });

  it.each([
    ["promotes a policy whose delay was over when the database was copied", 2 * day, limited("1000")],
    ["cancels one whose delay was over since: it may have been withdrawn", day - 1, limited("100")],
    ["believes no later time of the database than the custodian's clock", 9 * day, limited("100"), noon + day - 1],
  ])("behind a restored database %s", async (_, known, policy, now = noon + 3 * day) => {
    const { wallet } = await aWallet(limited("100"));
    expect(await set(wallet, limited("1000"), 1)).toMatchObject({ next: { from: noon + day } });
    await policies().restart({ wallet, now, knownUntil: noon + known });
    const held = await policies().readPolicy({ wallet, now: noon + 4 * day });
    expect(held).toMatchObject({ policy, version: 2, next: null });
  });

  it("that nobody signs in its window begins anew", async () => {
    const { ask } = await aWallet();
    await ask(change);
    expect(await ask(change, { now: noon + 9 * day })).toBe("settings_change_delayed");
    expect(await ask(change, { now: noon + 10 * day })).toBe("allow");
  });

  it("is used by one of two messages at once", async () => {
    const { ask } = await aWallet();
    await ask(change);
    const answers = await Promise.all([1, 2, 3].map((n) => ask(change, { now: noon + day, lifetime: 60 + n })));
    expect(answers.filter((answer) => answer === "allow")).toHaveLength(1);
  });
});

describe("another policy", () => {
  it("that loosens waits for the delay of the one that holds, and holds by itself then", async () => {
    const { wallet, ask } = await aWallet(limited("100"));
    const waits = { policy: limited("100"), version: 2, next: { policy: limited("1000"), from: noon + day } };
    expect(await set(wallet, limited("1000"), 1)).toEqual({ ...waits, asOf: noon });
    expect(await ask([payment(tokens(200n))], { now: noon + day - 1 })).toBe("over_period_limit");
    expect(await policies().readPolicy({ wallet, now: noon + hour })).toMatchObject({
      version: 2,
      next: { from: noon + day },
    });
    const holds = { policy: limited("1000"), version: 2, next: null };
    expect(await policies().readPolicy({ wallet, now: noon + day })).toMatchObject(holds);
    expect(await ask([payment(tokens(200n))], { now: noon + day })).toBe("allow");
    // No clock leads back to the one before.
    expect(await policies().readPolicy({ wallet, now: noon })).toMatchObject(holds);
    expect(await ask([payment(tokens(900n))], { now: noon })).toBe("over_period_limit");
  });

  it("waits for a week at most, however long a delay was set at once", async () => {
    const { guarded } = defaultPolicies;
    const { wallet } = await aWallet(guarded);
    const locked = { ...guarded, settings_changes: { ...guarded.settings_changes, delay_seconds: 90 * 86_400 } };
    expect(await set(wallet, locked, 1)).toMatchObject({ policy: locked, version: 2, next: null });
    expect(await set(wallet, guarded, 2)).toMatchObject({ policy: locked, next: { from: noon + 7 * day } });
    expect(await policies().readPolicy({ wallet, now: noon + 7 * day - 1 })).toMatchObject({ policy: locked });
    expect(await policies().readPolicy({ wallet, now: noon + 7 * day })).toMatchObject({ policy: guarded, next: null });
  });

  it("that only tightens holds at once, and ends what waits", async () => {
    const { wallet, ask } = await aWallet(limited("100"));
    await set(wallet, limited("1000"), 1);
    expect(await set(wallet, limited("50"), 2)).toMatchObject({ policy: limited("50"), version: 3, next: null });
    expect(await ask([payment(tokens(60n))], { now: noon + 2 * day })).toBe("over_period_limit");
  });

  it("that is the one that holds cancels one that waits", async () => {
    const { wallet } = await aWallet(limited("100"));
    await set(wallet, limited("1000"), 1);
    expect(await set(wallet, limited("100"), 2)).toMatchObject({ policy: limited("100"), version: 3, next: null });
    const later = await policies().readPolicy({ wallet, now: noon + 9 * day });
    expect(later).toMatchObject({ policy: limited("100"), version: 3, next: null });
  });

  it("is taken at once by a wallet that has signed nothing, and not by one that has", async () => {
    const { wallet, ask } = await aWallet();
    await ask([payment(sol(1n))]);
    const { opaque: _, ...rest } = limited("1");
    const looser = { ...rest, opaque: "allow" as const };
    expect(await set(wallet, looser, 0)).toMatchObject({ policy: defaultPolicies.guarded, next: { policy: looser } });
    const fresh = await aWallet(looser);
    expect(await fresh.ask([payment(tokens(2n))])).toBe("over_period_limit");
  });

  it("is one document once: again it is answered and changes nothing, and no older one is taken", async () => {
    const { wallet } = await aWallet(limited("100"));
    const first = await set(wallet, limited("1000"), 1);
    expect(await set(wallet, limited("1000"), 1)).toEqual(first);
    expect(await set(wallet, limited("1000"), 1, noon + hour)).toMatchObject({
      version: 2,
      next: { from: noon + day },
    });
    await set(wallet, limited("100"), 2);
    expect(await set(wallet, limited("1000"), 1)).toBe("outdated");
    expect(await set(wallet, limited("1000"), 4)).toBe("outdated");
    expect(await policies().readPolicy({ wallet, now: noon + 2 * day })).toMatchObject({
      policy: limited("100"),
      version: 3,
    });
  });

  it("is one of two at once", async () => {
    const { wallet } = await aWallet(limited("100"));
    const answers = await Promise.all([1, 2, 3].map((n) => set(wallet, limited(`${n}`), 1)));
    expect(answers.filter((answer) => answer === "outdated")).toHaveLength(2);
    expect(await policies().readPolicy({ wallet, now: noon })).toMatchObject({ version: 2 });
  });

  it("is taken until its end, which is an hour ahead at most", async () => {
    const { wallet } = await aWallet();
    const order = { policy: limited("1"), replaces: 0, documentHash: "00" };
    for (const expiresAt of [noon, noon + hour + 1]) {
      expect(await policies().setPolicy({ wallet, order: { ...order, expiresAt }, now: noon })).toBe("expired");
    }
    expect(
      await policies().setPolicy({ wallet, order: { ...order, expiresAt: noon + hour }, now: noon }),
    ).toMatchObject({
      version: 1,
    });
  });
});

describe("a destination", () => {
  it("is paid after it was approved on the custodian's own page", async () => {
    const { transfers } = defaultPolicies.guarded;
    const policy = {
      ...defaultPolicies.guarded,
      transfers: { ...transfers, destinations: { type: "approved" } as const },
    };
    const { decide, ask, wallet } = await aWallet(policy);
    expect(await ask([payment(sol(1n))])).toBe("destination_needs_own_page");
    const ownPage = { ...passkey, isOwnPage: true };
    expect(await decide(messageOf([payment(sol(1n))]), { authority: ownPage })).toEqual({ kind: "allow" });
    expect(await ask([payment(sol(2n))])).toBe("allow");
    await db()
      .updateTable("custodian_destination")
      .set({ address: anAddress(33) })
      .where("wallet_id", "=", wallet.id)
      .execute();
    expect(await ask([payment(sol(3n, anAddress(33)))])).toBe("destination_needs_own_page");
  });
});

describe("rows that were altered outside", () => {
  const edits: readonly (readonly [name: string, edit: (id: string) => ReturnType<typeof sql>])[] = [
    ["a lower sum", (id) => sql`update custodian_spent set amount = '0' where wallet_id = ${id}`],
    ["a sum of another hour", (id) => sql`update custodian_spent set hour = 0 where wallet_id = ${id}`],
    ["a sum that is gone", (id) => sql`delete from custodian_spent where wallet_id = ${id}`],
    ["a shorter delay", (id) => sql`update custodian_pending set not_before = 0 where wallet_id = ${id}`],
    ["a delay that is gone", (id) => sql`delete from custodian_pending where wallet_id = ${id}`],
    ["a change of another content", (id) => sql`update custodian_pending set change = '[]' where wallet_id = ${id}`],
    ["a change without content", (id) => sql`update custodian_pending set change = null where wallet_id = ${id}`],
    ["a change that waits for nobody", (id) => sql`insert into custodian_pending values (${id}, 'x', 0, 1)`],
    ["another policy", (id) => sql`update custodian_policy set policy = null where wallet_id = ${id}`],
    ["another kind", (id) => sql`update custodian_policy set kind = 'session' where wallet_id = ${id}`],
    ["a policy that waits no more", (id) => sql`update custodian_policy set next_from = 0 where wallet_id = ${id}`],
    ["another that waits", (id) => sql`update custodian_policy set next_policy = policy where wallet_id = ${id}`],
    [
      "none that waits",
      (id) => sql`update custodian_policy set next_policy = null, next_from = null where wallet_id = ${id}`,
    ],
    [
      "a document that was not taken",
      (id) => sql`update custodian_policy set set_by = ${Buffer.alloc(32)} where wallet_id = ${id}`,
    ],
    ["an earlier time", (id) => sql`update custodian_policy set latest_at = 0 where wallet_id = ${id}`],
    ["no binding", (id) => sql`update custodian_policy set binding = '' where wallet_id = ${id}`],
  ];

  it.each(edits)("are refused: %s", async (_, edit) => {
    const { ask, wallet } = await aWallet(limited("100"));
    await ask([payment(tokens(60n))]);
    await ask([settingsChange(addSigner(payee))]);
    await set(wallet, limited("1000"), 1);
    await edit(wallet.id).execute(db());
    expect(await ask([payment(sol(1n))])).toBe("altered_record");
    expect(await policies().listPending({ wallet, now: noon })).toBeUndefined();
    expect(await policies().readPolicy({ wallet, now: noon })).toBeUndefined();
    expect(await set(wallet, limited("1"), 2)).toBe("altered");
  });

  it("are refused under another secret, and for a wallet of another kind", async () => {
    const { wallet } = await aWallet(limited("100"));
    const other = createWalletPolicies({ db: db(), secret: new Uint8Array(32).fill(8) });
    const request = {
      wallet,
      message: messageOf([payment(sol(1n))]),
      authority: passkey,
      payloadHash: "00",
      now: noon,
    };
    expect(await other.decide(request)).toMatchObject({ reason: "altered_record" });
    const asSession = { ...request, wallet: { ...wallet, kind: "session" as const } };
    expect(await policies().decide(asSession)).toMatchObject({ reason: "altered_record" });
  });

  it("count a message again whose record was moved from another wallet", async () => {
    const message = messageOf([payment(tokens(60n))]);
    const [spender, other] = [await aWallet(limited("100")), await aWallet(limited("50"))];
    expect(await spender.decide(message)).toEqual({ kind: "allow" });
    await sql`update custodian_counted set wallet_id = ${other.wallet.id} where wallet_id = ${spender.wallet.id}`.execute(
      db(),
    );
    expect(await other.decide(message)).toMatchObject({ reason: "over_period_limit" });
  });
});
