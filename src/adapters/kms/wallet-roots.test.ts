import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import { expect, it } from "vitest";
import { openTestDatabase } from "../../../test/support/test-database.js";
import { systemRandom } from "../system.js";
import { createBuiltInCustodian } from "./built-in-custodian.js";
import { checkWallets } from "./check-wallets.js";
import { ensureFirstRoot } from "./wallet-keys.js";
import { addRoot, forgetRoot, listRootedWallets, listRoots } from "./wallet-roots.js";

const hour = 3_600_000;
const keyring = createKeyring({ masterKeys: [{ id: "m", key: new Uint8Array(32).fill(5) }], activeId: "m" });

it("gives new wallets the newest generation, in processes that know of the former one, too, and former wallets theirs", async () => {
  await withScene(async ({ db, needs, open, generationOf }) => {
    const [here, there] = [open(), open()];
    const former = await here.ensureWallet({ ownerId: "ada", environment: "sandbox", now: 0 });
    await there.ensureWallet({ ownerId: "bob", environment: "sandbox", now: 0 });
    expect(await addRoot(needs, "kms_b")).toBeUndefined();
    expect(await addRoot(needs, "kms_a")).toBe(2);
    expect(await addRoot(needs, "kms_a")).toBe(3);
    const later = await there.ensureWallet({ ownerId: "eve", environment: "sandbox", now: 0 });
    expect(await generationOf(former.id)).toBe(1);
    expect(await generationOf(later.id)).toBe(3);
    for (const { id: walletId } of [former, later])
      await expect(here.proveWallet({ walletId, nonce: "ab".repeat(32) })).resolves.toBeDefined();
    expect(await checkWallets(needs)).toMatchObject([
      { generation: 1, good: 2, broken: [] },
      { generation: 2, good: 0 },
      { generation: 3, good: 1, broken: [] },
    ]);
    await db.updateTable("kms_wallet").set({ generation: 2 }).where("id", "=", later.id).execute();
    expect((await checkWallets(needs))[1]).toMatchObject({ good: 0, broken: [later.id] });
  });
});

it("forgets a generation that nothing derives from, an hour after another one is in use", async () => {
  await withScene(async ({ db, needs, open, move }) => {
    const wallet = await open().ensureWallet({ ownerId: "ada", environment: "sandbox", now: 0 });
    expect(await forgetRoot(needs, "kms_a", 1)).toBe(false);
    await addRoot(needs, "kms_a");
    await addRoot(needs, "kms_a");
    expect(await forgetRoot(needs, "kms_a", 2)).toBe(false);
    move(hour);
    expect(await forgetRoot(needs, "kms_a", 1)).toBe(false);
    expect(await forgetRoot(needs, "kms_a", 3)).toBe(false);
    expect(await forgetRoot(needs, "kms_a", 4)).toBe(false);
    expect(await forgetRoot(needs, "kms_a", 2)).toBe(true);
    expect(await forgetRoot(needs, "kms_a", 2)).toBe(false);
    expect((await listRoots(needs)).map(({ state, wallets }) => [state, wallets])).toEqual([
      ["former", 1],
      ["retired", 0],
      ["in use", 0],
    ]);
    const page = { provider: "kms_a", generation: 1, withAccounts: true, after: "" };
    expect(await listRootedWallets(db, page, 10)).toEqual([
      { address: wallet.address, environment: "sandbox", account: null },
    ]);
    expect(await listRootedWallets(db, { ...page, after: wallet.address }, 10)).toEqual([]);
  });
});

it("waits with another generation for as long as the first one waits", async () => {
  await withScene(async ({ db, needs, open, move, generationOf }) => {
    const secret = keyring.wrap(new Uint8Array(32), "kms_wallet/old");
    const old = {
      id: "old",
      provider: "kms_a",
      owner_id: "old",
      environment: "sandbox",
      address: "old",
      created_at: 0n,
    };
    await db
      .insertInto("kms_wallet")
      .values({ ...old, secret })
      .execute();
    await Promise.all([1, 2, 3].map(() => ensureFirstRoot({ ...needs, provider: "kms_a" })));
    await addRoot(needs, "kms_a");
    expect((await listRoots(needs)).map(({ state }) => state)).toEqual(["waiting", "waiting"]);
    const custodian = open();
    const sealed = await custodian.ensureWallet({ ownerId: "ada", environment: "sandbox", now: 0 });
    expect(await generationOf(sealed.id)).toBeNull();
    move(hour);
    const derived = await custodian.ensureWallet({ ownerId: "bob", environment: "sandbox", now: 0 });
    expect(await generationOf(derived.id)).toBe(2);
  });
});

it("makes no wallet whose root, or row, a database has lost with its last second", async () => {
  await withScene(async ({ db, needs, open, move }) => {
    const here = open();
    await here.ensureWallet({ ownerId: "ada", environment: "sandbox", now: 0 });
    await db.deleteFrom("kms_wallet").execute();
    await db.deleteFrom("wallet_root").execute();
    move(1_000);
    const [ada, bob] = [
      await here.ensureWallet({ ownerId: "ada", environment: "sandbox", now: 0 }),
      await here.ensureWallet({ ownerId: "bob", environment: "sandbox", now: 0 }),
    ];
    expect(await checkWallets(needs)).toMatchObject([{ generation: 1, good: 2, broken: [] }]);
    // A process that was not there before has the same keys.
    for (const { id: walletId } of [ada, bob])
      await expect(open().proveWallet({ walletId, nonce: "ab".repeat(32) })).resolves.toBeDefined();
  });
});

async function withScene(play: (scene: Awaited<ReturnType<typeof openScene>>) => Promise<void>): Promise<void> {
  const scene = await openScene();
  try {
    await play(scene);
  } finally {
    await scene.close();
  }
}

async function openScene() {
  const { db, close } = await openTestDatabase();
  let at = 1_000_000_000;
  const now = () => at;
  const needs = { db, keyring, random: systemRandom, now };
  return {
    db,
    close,
    needs,
    move: (ms: number) => {
      at += ms;
    },
    open: () => createBuiltInCustodian({ ...needs, provider: "kms_a", clock: { now } }),
    async generationOf(id: string) {
      const rows = db.selectFrom("kms_wallet").select("generation").where("id", "=", id);
      return (await rows.executeTakeFirstOrThrow()).generation;
    },
  };
}
