import { Buffer } from "node:buffer";
import { getBase58Decoder } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { PROGRAM_CONFIG_ADDRESS } from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { bendNetwork } from "../../test/support/bent-network.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { createClientKey, errorOf } from "../../test/support/test-network.js";
import { createAccount } from "./create-account.js";
import { createCreationQueue } from "./creation-queue.js";
import { resumePendingCreations } from "./resume-creations.js";
import { verifyAccount } from "./verify-account.js";

const idleMs = 20_000;
const test = useTestNetwork({ each: true });

describe("a pass over creations that were left open", () => {
  it("reads each for a moment, several at once, and retries them later", async () => {
    const network = swallowing();
    await leaveStuck(5, network);
    const waited: number[] = [];
    let arrive: () => void = () => undefined;
    const another = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    // The first one waits until another one waits, too.
    const pause = async (ms: number) => {
      waited.push(ms);
      if (waited.length > 1) arrive();
      await another;
    };
    test.needs.realClock.advance(idleMs);
    const needs = { ...test.needs, pause };
    expect(await resumePendingCreations(needs, network, idleMs)).toEqual({ ended: 0, left: 5 });
    const sum = waited.reduce((left, right) => left + right, 0);
    expect(sum).toBeLessThanOrEqual(5 * 2 * limits.creationReadMs);

    // What was read a moment ago does not come up again.
    test.needs.realClock.advance(idleMs - 1);
    expect(await resumePendingCreations(needs, network, idleMs)).toEqual({ ended: 0, left: 0 });
    test.needs.realClock.advance(1);
    expect(await resumePendingCreations(needs, test.network, idleMs)).toEqual({ ended: 5, left: 0 });
    expect(await countAccounts()).toBe(5n);
  });

  it("reads the one that has waited longest first, so that stuck ones hide no other", async () => {
    await leaveStuck(24, swallowing());
    const last = (await findCreations()).at(-1);
    const lookedAt = (at: bigint) => test.needs.db.updateTable("account_creation").set({ looked_at: at });
    await lookedAt(5n)
      .where("id", "!=", last?.id ?? "")
      .execute();
    await lookedAt(1n)
      .where("id", "=", last?.id ?? "")
      .execute();
    const { wire_transaction } = await test.needs.db
      .selectFrom("submission")
      .select("wire_transaction")
      .where("id", "=", last?.submission_id ?? "")
      .executeTakeFirstOrThrow();
    const sent = Buffer.from(wire_transaction ?? []).toString("base64");
    let release: () => void = () => undefined;
    const isSent = new Promise<void>((resolve) => {
      release = resolve;
    });
    // All others are stuck until that one has come to the node.
    const network = bendNetwork(test.network, async ({ method, params: [transaction], ask }) => {
      if (method !== "sendTransaction") return ask();
      if (transaction === sent) release();
      await isSent;
      return ask();
    });
    expect(await resumePendingCreations(test.needs, network, idleMs)).toEqual({ ended: 24, left: 0 });
    expect(await countAccounts()).toBe(24n);
  });

  it("skips what a live process works on, and resumes it when that process has died", async () => {
    const body = await requestVerification("ada@example.org");
    const other = { ...test.needs, creationQueue: createCreationQueue(test.needs.realClock) };
    const resumed: number[] = [];
    // Every wait of the first process takes three seconds, and the other one's pass runs in each of them.
    const pause = async () => {
      test.needs.realClock.advance(3_000);
      const { ended, left } = await resumePendingCreations(other, test.network, idleMs);
      resumed.push(ended + left);
    };
    const swallow = swallowing();
    // The environment's clock stands still meanwhile, so that the bytes do not expire.
    const network = { ...swallow, hasExpired: async () => false };
    expect((await errorOf(test.call(verifyAccount, { body, network, needs: { pause } }))).code).toBe(
      "submission_in_progress",
    );
    expect(resumed.length).toBeGreaterThan(20);
    expect(new Set(resumed)).toEqual(new Set([0]));
    // From here on nobody says any more that it is being driven.
    test.needs.realClock.advance(idleMs);
    expect(await resumePendingCreations(other, test.network, idleMs)).toEqual({ ended: 1, left: 0 });
    expect(await countAccounts()).toBe(1n);
  });

  it("makes no second account when the process that was thought dead continues", async () => {
    const body = await requestVerification("ada@example.org");
    const other = { ...test.needs, creationQueue: createCreationQueue(test.needs.realClock) };
    let goOn: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let reached: () => void = () => undefined;
    const isSending = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const network = bendNetwork(test.network, async ({ method, ask }) => {
      if (method === "sendTransaction") {
        reached();
        await stopped;
      }
      return ask();
    });
    const verifying = test.call<{ address: string }>(verifyAccount, { body, network });
    await isSending;
    test.needs.realClock.advance(idleMs);
    expect(await resumePendingCreations(other, test.network, idleMs)).toEqual({ ended: 1, left: 0 });
    goOn();
    const { address } = await verifying;
    expect(await findCreations()).toMatchObject([{ state: "landed", account_address: address }]);
    expect(await countAccounts()).toBe(1n);
  });

  it("is shared by two processes: every creation is read once", async () => {
    await leaveStuck(20, swallowing());
    test.needs.realClock.advance(idleMs);
    const other = { ...test.needs, creationQueue: createCreationQueue(test.needs.realClock) };
    const counts = await Promise.all([
      resumePendingCreations(test.needs, test.network, idleMs),
      resumePendingCreations(other, test.network, idleMs),
    ]);
    expect(counts.reduce((sum, { ended, left }) => sum + ended + left, 0)).toBe(20);
    expect(await countAccounts()).toBe(20n);
    expect((await findCreations()).every(({ state }) => state === "landed")).toBe(true);
  });
});

/** Asks for a code and gives what verifies it. */
async function requestVerification(email: string): Promise<object> {
  await test.call(createAccount, { body: { type: "email", email } });
  const clientKey = await createClientKey();
  return {
    email,
    otp_code: await test.latestCode(email),
    kms_provider_config: { encryption_public_key: clientKey.spki },
  };
}

/** What a node does that takes transactions and forgets them. */
const swallowing = () =>
  bendNetwork(test.network, async ({ method, ask }) =>
    method === "sendTransaction" ? { result: getBase58Decoder().decode(new Uint8Array(64).fill(1)) } : ask(),
  );

/** Creations whose bytes were stored and never landed. */
async function leaveStuck(count: number, network: Network): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const body = await requestVerification(`stuck-${i}@example.org`);
    const needs = { pause: async () => undefined };
    expect((await errorOf(test.call(verifyAccount, { body, network, needs }))).code).toBe("submission_in_progress");
  }
}

const findCreations = () => test.needs.db.selectFrom("account_creation").selectAll().orderBy("created_at").execute();

async function countAccounts(): Promise<bigint> {
  const { value } = await test.network.rpc.getAccountInfo(PROGRAM_CONFIG_ADDRESS, { encoding: "base64" }).send();
  return Buffer.from(value?.data[0] ?? "", "base64").readBigUInt64LE(8);
}
