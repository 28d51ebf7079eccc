import { createSolanaRpcFromTransport, getBase58Decoder, type Signature } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { describe, expect, it } from "vitest";
import { hashOf } from "../../test/support/test-network.js";
import { createLookout } from "./lookout.js";

describe("the lookout", () => {
  it("asks one question for all callers that arrived while it was asking, 256 at most in one", async () => {
    const chain = openChain("sandbox");
    const lookout = createLookout(async () => undefined);
    const refreshes = Array.from({ length: 700 }, (_, i) => lookout.poll(chain.network, signatureOf(i)));
    for (let question = 0; question < 4; question += 1) await chain.letThrough();
    expect(chain.questions.map(({ length }) => length)).toEqual([1, 256, 256, 187]);
    const reported = await Promise.all(refreshes);
    expect(reported.map((status) => status?.slot)).toEqual(
      Array.from({ length: 700 }, (_, i) => (i % 2 === 0 ? BigInt(i) : undefined)),
    );
  });

  it("answers several who wait for the same transaction", async () => {
    const chain = openChain("sandbox");
    const lookout = createLookout(async () => undefined);
    const refreshes = [0, 4, 4, 4].map((i) => lookout.poll(chain.network, signatureOf(i)));
    await chain.letThrough();
    await chain.letThrough();
    expect(chain.questions[1]).toEqual([signatureOf(4)]);
    expect((await Promise.all(refreshes)).map((status) => status?.slot)).toEqual([0n, 4n, 4n, 4n]);
  });

  it("leaves a cluster alone for a slot between two questions", async () => {
    const chain = openChain("devnet");
    const pauses: { ms: number; end: () => void }[] = [];
    const lookout = createLookout((ms) => new Promise((end) => pauses.push({ ms, end })));
    const refreshes = [0, 2, 4].map((i) => lookout.poll(chain.network, signatureOf(i)));
    await chain.letThrough();
    expect(chain.questions).toHaveLength(1);
    expect(pauses.map(({ ms }) => ms)).toEqual([400]);
    pauses[0]?.end();
    await chain.letThrough();
    expect(chain.questions.map(({ length }) => length)).toEqual([1, 2]);
    await Promise.all(refreshes);
  });

  it("reports to every caller that the chain did not answer, and asks anew afterwards", async () => {
    const chain = openChain("sandbox");
    const lookout = createLookout(async () => undefined);
    chain.breakDown();
    const refreshes = [0, 2].map((i) => lookout.poll(chain.network, signatureOf(i)));
    const failures = Promise.allSettled(refreshes);
    await chain.letThrough();
    await chain.letThrough();
    expect((await failures).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const again = lookout.poll(chain.network, signatureOf(0)).catch((error: Error) => error.message);
    await chain.letThrough();
    expect(await again).toBe("the connection broke");
  });
});

const signatureOf = (i: number) =>
  getBase58Decoder().decode(new Uint8Array([...hashOf(`a${i}`), ...hashOf(`b${i}`)])) as Signature;

/** A chain that knows the signatures with even numbers; questions wait until they are let through. */
function openChain(name: Network["name"]) {
  const questions: Signature[][] = [];
  let doors: (() => void)[] = [];
  let fails = false;
  const numbers = new Map<string, number>(Array.from({ length: 700 }, (_, i) => [signatureOf(i), i]));
  const rpc = createSolanaRpcFromTransport(async <Response>({ payload }: { payload: unknown }) => {
    const { params } = payload as { params: [Signature[]] };
    questions.push(params[0]);
    await new Promise<void>((open) => doors.push(open));
    if (fails) throw new Error("the connection broke");
    const value = params[0].map((signature) => {
      const number = numbers.get(signature) ?? 1;
      return number % 2 === 0 ? { slot: number, confirmations: 0, err: null, confirmationStatus: "confirmed" } : null;
    });
    return { jsonrpc: "2.0", id: 1, result: { context: { slot: 9_000 }, value } } as Response;
  }) as Network["rpc"];
  const settle = () => new Promise<void>((done) => setImmediate(done));
  return {
    network: { name, rpc },
    questions,
    settle,
    letThrough: async () => {
      await settle();
      const open = doors;
      doors = [];
      for (const door of open) door();
      await settle();
    },
    breakDown: () => {
      fails = true;
    },
  };
}
