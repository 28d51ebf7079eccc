import { createSolanaRpcFromTransport } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { describe, expect, it } from "vitest";
import { createBlockTimes } from "./block-times.js";

describe("times of blocks on a cluster", () => {
  it.each([
    { slotMs: 400, aheadMs: 0 },
    { slotMs: 440, aheadMs: -7_300 },
    { slotMs: 380, aheadMs: 45_600 },
  ])(
    "are within two seconds of the chain's own, for one question in ten minutes: $slotMs ms, $aheadMs ms ahead",
    async (kind) => {
      const chain = openChain(kind);
      for (let payment = 0; payment < 590; payment += 1) {
        chain.pass(1_013);
        const reported = chain.slot();
        const landed = reported - BigInt(payment % 32);
        const time = await chain.blockTimeOf(landed, reported);
        expect(Math.abs(time - chain.timeOf(landed))).toBeLessThanOrEqual(2);
      }
      expect(chain.asked()).toBe(1);
      chain.pass(600_000);
      await chain.blockTimeOf(chain.slot() - 2n, chain.slot());
      expect(chain.asked()).toBe(2);
    },
  );

  it("are read once for payments that are reported together", async () => {
    const chain = openChain({ aheadMs: 5_000 });
    const reported = chain.slot();
    const times = await Promise.all(Array.from({ length: 50 }, () => chain.blockTimeOf(reported - 3n, reported)));
    for (const time of times) expect(Math.abs(time - chain.timeOf(reported - 3n))).toBeLessThanOrEqual(1);
    expect(chain.asked()).toBe(1);
  });

  it("are exact for what was confirmed long ago", async () => {
    const chain = openChain({ slotMs: 450, aheadMs: -20_000 });
    await chain.blockTimeOf(chain.slot(), chain.slot());
    const old = chain.slot() - 100_000n;
    expect(await chain.blockTimeOf(old, chain.slot())).toBe(chain.timeOf(old));
  });

  it("are by our clock where the node has forgotten the block", async () => {
    const chain = openChain({ remembers: false });
    const reported = chain.slot();
    expect(
      Math.abs((await chain.blockTimeOf(reported - 5n, reported)) - chain.timeOf(reported - 5n)),
    ).toBeLessThanOrEqual(1);
  });
});

/** A chain whose slots take `slotMs`, and whose clock is `aheadMs` before ours. */
function openChain({ slotMs = 400, aheadMs = 0, remembers = true } = {}) {
  let now = 1_800_000_000_000;
  let asked = 0;
  const genesis = now - 1_000_000 * slotMs;
  const slot = () => BigInt(Math.floor((now - genesis) / slotMs));
  const timeOf = (at: bigint) => Math.floor((genesis + Number(at) * slotMs + aheadMs) / 1000);
  const rpc = createSolanaRpcFromTransport(async <Response>({ payload }: { payload: unknown }) => {
    asked += 1;
    const { params } = payload as { params: [bigint] };
    return { jsonrpc: "2.0", id: 1, result: remembers ? timeOf(params[0]) : null } as Response;
  }) as Network["rpc"];
  return {
    blockTimeOf: createBlockTimes(rpc, { now: () => now }),
    slot,
    timeOf,
    asked: () => asked,
    pass: (ms: number) => {
      now += ms;
    },
  };
}
