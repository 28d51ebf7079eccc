import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import { addressOfKey } from "@trellis/sdk";
import { sandboxExecutorLabel, sandboxFeePayerLabel } from "@trellis/solana/service-key.js";
import { describe, expect, it } from "vitest";
import { createPasskeySigner } from "../support/passkey-signers.js";
import { balanceOf, strike, ways } from "../support/thief-on-chain.js";
import { openGuardian, openWallets, useThievesScene, type Victim } from "../support/thieves-scene.js";
import { plays } from "../support/thieves-table.js";

/** Thieves who have signers' keys, and sign for themselves: no service is asked. */
const scene = useThievesScene();

describe("a thief who signs with", () => {
  plays(scene, "Database and master key", async (victim) => {
    const keys = await serviceKeys(victim);
    expect(keys).toHaveLength(victim.kind === "plain" ? 2 : 1);
    await take(victim, keys);
  });

  plays(scene, "The guardian's machine", async (victim) => {
    const keys = await guardianKeys(victim);
    expect(keys).toHaveLength(victim.kind === "plain" ? 0 : 1);
    await take(victim, keys);
  });

  plays(scene, "The recovery key", (victim) => take(victim, [victim.recovery]));

  plays(scene, "Service and guardian", async (victim) =>
    take(victim, [...(await serviceKeys(victim)), ...(await guardianKeys(victim))]),
  );

  plays(scene, "Service and recovery key", async (victim) =>
    take(victim, [...(await serviceKeys(victim)), victim.recovery]),
  );

  plays(scene, "Guardian and recovery key", async (victim) =>
    take(victim, [...(await guardianKeys(victim)), victim.recovery]),
  );

  plays(scene, "A passkey signer's session key", async (victim) =>
    take(victim, [(await createPasskeySigner(scene.test)).session.key]),
  );

  plays(scene, "A dump of the database", async (victim) => {
    const { db, keyring } = scene.test.needs;
    const without = createKeyring({ masterKeys: [{ id: "test", key: new Uint8Array(32).fill(8) }], activeId: "test" });
    expect(await openWallets(db, without, victim)).toEqual([]);
    // Nor does a key lie in it in clear, in whatever form.
    const seeds = await openWallets(db, keyring, victim);
    const rows = JSON.stringify(await db.selectFrom("kms_wallet").selectAll().execute(), (_, value) =>
      typeof value === "bigint"
        ? String(value)
        : value instanceof Uint8Array
          ? Buffer.from(value).toString("hex")
          : value,
    );
    for (const seed of seeds) expect(rows).not.toContain(Buffer.from(seed).toString("hex"));
  });

  plays(scene, "The master key alone", (victim) => take(victim, derivedKeys()));
  plays(scene, "The fee payer's key", (victim) => take(victim, derivedKeys().slice(0, 1)));
  plays(scene, "The executor's key", (victim) => take(victim, derivedKeys().slice(1, 2)));
});

describe("each way that these thieves try", () => {
  it.each(Object.entries(ways))("%s, where two of three keys sign", async (_, way) => {
    const victim = await scene.open("guarded");
    const keys = [...(await serviceKeys(victim)), ...(await guardianKeys(victim))];
    const { test, thief } = scene;
    await way({ test, target: victim, thief, keys });
    expect(await balanceOf(test, victim.address)).toBe(0n);
  });
});

const take = (victim: Victim, keys: readonly Uint8Array[]) => strike(scene.test, victim, scene.thief, keys);

const serviceKeys = (victim: Victim) => openWallets(scene.test.needs.db, scene.test.needs.keyring, victim);
const guardianKeys = (victim: Victim) => openGuardian(scene, victim);

/** What derives from the master key and from nothing else: fee payer, executor and the program's authority of the sandbox. */
function derivedKeys(): Uint8Array[] {
  const labels = [sandboxFeePayerLabel, sandboxExecutorLabel, "sandbox/program-authority"];
  const keys = labels.map((label) => Uint8Array.from(scene.test.needs.keyring.deriveSecret(label)));
  expect(keys.slice(0, 2).map(addressOfKey)).toEqual([
    scene.test.network.feePayer.address,
    scene.test.network.executor?.address,
  ]);
  return keys;
}
