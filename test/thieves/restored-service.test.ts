import { describe, expect, it } from "vitest";
import { endAllSessions } from "../../src/sign-in/end-session.js";
import { bySessionKey } from "../support/passkeys.js";
import { balanceOf } from "../support/thief-on-chain.js";
import { askService, type Kind, lamportsHeld, useThievesScene, type Victim } from "../support/thieves-scene.js";

/** A thief with the key of a session that was ended, at a service whose database is put back as it was before the end. */
describe("a session that a restored database of the service has forgotten the end of", () => {
  const scene = useThievesScene();
  const { test } = scene;

  const ask = (victim: Victim) =>
    askService(scene, victim, (payload) => bySessionKey(victim.authorizationKey, JSON.parse(decoded(payload))));

  it.each<readonly [Kind, string, bigint]>([
    ["plain", "commands it again", 0n],
    ["guarded", "moves nothing, as before", lamportsHeld],
  ])("of a %s account %s", async (kind, _, left) => {
    const victim = await scene.open(kind);
    const { db } = test.needs;
    const dump = {
      keys: await db.selectFrom("kms_authorization_key").selectAll().execute(),
      sessions: await db.selectFrom("session").selectAll().execute(),
      chains: await db.selectFrom("session_chain").selectAll().execute(),
    };
    await test.call(endAllSessions, { params: { address: victim.address } });
    await ask(victim);
    expect(await balanceOf(test, victim.address)).toBe(lamportsHeld);
    for (const { id, revoked_at } of dump.keys) {
      await db.updateTable("kms_authorization_key").set({ revoked_at }).where("id", "=", id).execute();
    }
    for (const row of dump.sessions) await db.updateTable("session").set(row).where("id", "=", row.id).execute();
    for (const row of dump.chains) await db.updateTable("session_chain").set(row).where("id", "=", row.id).execute();
    await ask(victim);
    expect(await balanceOf(test, victim.address)).toBe(left);
  });
});

const decoded = (payload: string) => Buffer.from(payload, "base64").toString("utf8");
