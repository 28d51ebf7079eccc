import { createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { secretIdOf } from "@trellis/kernel/crypto/macs.js";
import { beforeEach, describe, expect, it } from "vitest";
import { createP256Key } from "../../test/support/test-network.js";
import { useDatabase } from "../../test/support/use-database.js";
import { noKeyStores } from "../config/key-stores.js";
import { replaceableSecrets, sealedColumns } from "../modules.js";
import { createApiKey, ensureTenant } from "../tenants/api-key-store.js";
import { createAuthenticator } from "../tenants/authenticate.js";
import { checkKeys } from "./check-keys.js";
import { openKeyring } from "./keyring.js";
import { createBuiltInCustodian } from "./kms/built-in-custodian.js";
import { type ReplaceNeeds, replaceSecrets, retireSecrets } from "./replace-secrets.js";
import { systemRandom } from "./system.js";

const database = useDatabase();
const masterKeys = [{ id: "m", key: new Uint8Array(randomBytes(32)) }];
const start = Date.UTC(2026, 0, 15, 12);

/** One process: it has read the secrets when it was opened, and reads them again when it is asked to, or has to. */
const openProcess = (): Promise<Keyring> =>
  openKeyring({ masterKeys, keyStores: noKeyStores, dataDirectory: "" }, database.db);

let now = start;
let operator: ReplaceNeeds;
beforeEach(async () => {
  for (const table of ["derived_secret", "meta", "kms_authorization_key", "kms_wallet", "api_key", "tenant"] as const) {
    await database.db.deleteFrom(table).execute();
  }
  now = start;
  operator = await operatorWith();
});

const operatorWith = async (pause: () => Promise<void> = async () => {}): Promise<ReplaceNeeds> => ({
  db: database.db,
  keyring: await openProcess(),
  random: systemRandom,
  now: () => now,
  pause,
});

const one = (purpose: string) => replaceableSecrets.filter((each) => each.purpose === purpose);
const idsOf = async (purpose: string) =>
  (
    await database.db.selectFrom("derived_secret").select("id").where("purpose", "=", purpose).orderBy("id").execute()
  ).map(({ id }) => id);
const pointOf = (key: KeyObject) =>
  new Uint8Array(createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-65));

/** A wait that ends once so many wait. */
function meeting(count: number): () => Promise<void> {
  let waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length < count) return;
      for (const go of waiting) go();
      waiting = [];
    });
}

const stop = () => Promise.reject(new Error("the process ends"));

describe("a new secret", () => {
  it("is there for reading before anything is made with it", async () => {
    const reader = await openProcess();
    const made: (number | undefined)[] = [];
    const { pause, ...needs } = await operatorWith();
    const looking = async () => {
      await reader.refreshSecrets();
      const macs = reader.macs("one-time-code");
      made.push(secretIdOf(macs.make("code")), macs.all("code").length);
    };
    await replaceSecrets({ ...needs, pause: looking }, one("one-time-code"));
    await looking();
    expect(made).toEqual([0, 2, 1, 2]);
  });

  it("reaches a process that has not read it yet with the first value that was made with it", async () => {
    const late = await openProcess();
    const before = late.macs("session-token").make("before");
    await replaceSecrets(operator, replaceableSecrets);
    const value = operator.keyring.macs("session-token").make("token");
    expect(secretIdOf(value)).toBe(1);
    const form = Buffer.from(value).toString("hex");
    const search = async (forms: readonly Uint8Array[]) =>
      forms.find((each) => Buffer.from(each).toString("hex") === form);
    expect(await late.macs("session-token").find("token", search)).toBeDefined();
    expect(await late.macs("session-token").verify("before", before)).toBe(true);
    expect(await operator.keyring.macs("session-token").verify("before", before)).toBe(true);
  });

  it.each([1, 2])("is not made twice where the process ended in wait %i, or two begin at once", async (wait) => {
    let waits = 0;
    const pause = () => {
      waits += 1;
      return waits === wait ? stop() : Promise.resolve();
    };
    const bound = one("kms/authorization-key");
    await expect(replaceSecrets({ ...operator, pause }, bound)).rejects.toThrow("the process ends");
    // In the first wait it had not begun to be used; in the second it had, and the next run gives another one.
    const together = meeting(2);
    const [first, second] = await Promise.all([operatorWith(together), operatorWith(together)]);
    const expected = wait === 1 ? [0, 1] : [0, 1, 2];
    const replaced = await Promise.all([replaceSecrets(first, bound), replaceSecrets(second, bound)]);
    expect(await idsOf("kms/authorization-key")).toEqual(expected);
    expect(replaced.flat().map(({ id }) => id)).toEqual([expected.at(-1), expected.at(-1)]);
  });

  it("does not open for a process without the master key it is sealed under, which goes on as before", async () => {
    const [old] = masterKeys;
    const newer = [{ id: "n", key: new Uint8Array(randomBytes(32)) }, ...masterKeys];
    const behind = await openProcess();
    const keyring = await openKeyring({ masterKeys: newer, keyStores: noKeyStores, dataDirectory: "" }, database.db);
    await replaceSecrets({ ...operator, keyring }, one("mail-recipient"));
    await behind.refreshSecrets();
    expect(secretIdOf(behind.macs("mail-recipient").make("ada"))).toBe(0);
    expect(old?.id).toBe("m");
    await expect(openProcess()).rejects.toThrow("unknown master key");
  });
});

describe("an API key", () => {
  it("is hashed again when it is used, by every process, and its former secret is retired then and not before", async () => {
    const late = await openProcess();
    const needs = { db: database.db, secret: late.macs("api-key"), random: systemRandom, now };
    await ensureTenant(database.db, { id: "t", name: "T", now });
    const plan = { tenantId: "t", name: "n", scopes: [], environments: ["sandbox"], expiresAt: null } as const;
    const { id, value } = await createApiKey(needs, plan);
    await replaceSecrets(operator, one("api-key"));
    now += 7_200_000;
    expect(await retireSecrets(operator, replaceableSecrets)).toEqual([]);

    const authenticate = (keyring: Keyring) =>
      createAuthenticator({ db: database.db, secret: keyring.macs("api-key"), clock: { now: () => now } }).authenticate(
        value,
      );
    const stored = async () =>
      (await database.db.selectFrom("api_key").select("key_hash").executeTakeFirstOrThrow()).key_hash;
    // A process that is late finds it, and leaves it as it is.
    expect(await authenticate(late)).toMatchObject({ apiKeyId: id });
    expect(secretIdOf(await stored())).toBe(0);
    expect(await authenticate(operator.keyring)).toMatchObject({ apiKeyId: id });
    expect(secretIdOf(await stored())).toBe(1);
    expect(await authenticate(late)).toMatchObject({ apiKeyId: id });
    expect(secretIdOf(await stored())).toBe(1);

    expect(await retireSecrets(operator, replaceableSecrets)).toEqual([{ purpose: "api-key", id: 0 }]);
    expect(await retireSecrets(operator, replaceableSecrets)).toEqual([]);
    expect(await authenticate(await openProcess())).toMatchObject({ apiKeyId: id });
  });
});

describe("the bindings of custody", () => {
  it("are made again under the new secret; a row that was written by others is left, and is reported", async () => {
    const custodian = createBuiltInCustodian({
      provider: "kms_a",
      db: database.db,
      keyring: operator.keyring,
      random: systemRandom,
    });
    const { id: walletId } = await custodian.ensureWallet({ ownerId: "u", environment: "sandbox", now });
    const register = () =>
      custodian.registerAuthorizationKey({
        walletId,
        publicKey: pointOf(createP256Key()),
        now,
        expiresAt: now + 3_600_000,
      });
    for (let i = 0; i < 5; i += 1) await register();
    const forged = await register();
    const rows = database.db.updateTable("kms_authorization_key").where("id", "=", forged.id);
    await rows.set({ expires_at: BigInt(now + 9_999_999) }).execute();

    const [replaced] = await replaceSecrets(operator, one("kms/authorization-key"));
    expect(replaced).toEqual({ purpose: "kms/authorization-key", id: 1, moved: 5, broken: 1 });
    const checked = await checkKeys(operator, sealedColumns, replaceableSecrets);
    expect(checked.brokenBindings).toEqual(new Map([["kms/authorization-key", 1]]));
    expect(checked.secrets.filter(({ purpose }) => purpose === "kms/authorization-key")).toMatchObject([
      { id: 0, state: "former", uses: 1 },
      { id: 1, state: "active", uses: 5 },
    ]);
    // The forged row keeps the former secret: it is to be looked into, not forgotten.
    now += 7_200_000;
    expect(await retireSecrets(operator, replaceableSecrets)).toEqual([]);
  });
});

describe("a check", () => {
  it("names what does not open, under which master key the others are, and which secret is in use", async () => {
    await replaceSecrets(operator, one("one-time-code"));
    const sealed = operator.keyring.wrap(randomBytes(8), "elsewhere");
    await database.db.updateTable("derived_secret").set({ sealed }).where("id", "=", 1).execute();
    await database.db
      .insertInto("derived_secret")
      .values({
        purpose: "mail-recipient",
        id: 7,
        sealed: operator.keyring.wrap(randomBytes(32), "derived_secret/mail-recipient/7"),
        created_at: 0n,
        activated_at: 1n,
        ends_at: null,
        retired_at: null,
      })
      .execute();
    const { columns, secrets } = await checkKeys(operator, sealedColumns, replaceableSecrets);
    expect(columns.find(({ name }) => name === "derived_secret.sealed")).toEqual({
      name: "derived_secret.sealed",
      opened: new Map([["m", 1]]),
      broken: ["derived_secret/one-time-code/1"],
    });
    expect(secrets.filter(({ purpose }) => purpose === "mail-recipient")).toMatchObject([{ id: 7, state: "active" }]);
    expect(secrets.filter(({ purpose }) => purpose === "account-import")).toMatchObject([{ id: 0, state: "active" }]);
  });
});
