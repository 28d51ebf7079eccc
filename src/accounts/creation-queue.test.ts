import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestNetwork, type TestNetwork } from "../../test/support/test-network.js";
import { candidateSettings } from "../program-client/index.js";
import { type CreationTerms, createCreationQueue } from "./creation-queue.js";

let test: TestNetwork;
beforeAll(async () => {
  test = await openTestNetwork();
});
afterAll(() => test.close());

/** A queue with work that waits to be released, in the order it was admitted. */
function openQueue() {
  const queue = createCreationQueue(test.needs.realClock);
  const admitted: { name: number; terms: CreationTerms; release(): void }[] = [];
  const run = (name: number) =>
    queue.run(
      test.network,
      (terms) => new Promise<void>((resolve) => admitted.push({ name, terms, release: resolve })),
    );
  const settle = async () => {
    for (let i = 0; i < 50; i += 1) await new Promise((resolve) => setImmediate(resolve));
    return admitted.map(({ name }) => name);
  };
  return { queue, admitted, run, settle };
}

it("lets no creation be overtaken by more than its candidates allow, however long it takes", async () => {
  const { admitted, run, settle } = openQueue();
  const runs = Array.from({ length: 12 }, (_, name) => run(name));
  expect(await settle()).toEqual([0, 1, 2, 3]);
  for (const place of [1, 2, 3]) admitted[place]?.release();
  expect(await settle()).toEqual([0, 1, 2, 3]);
  admitted[0]?.release();
  expect(await settle()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  // Three before it and three after it: the first of the middle ones still finds its own among seven.
  expect(admitted[0]?.terms.candidates).toHaveLength(7);
  for (let i = 4; i < 12; i += 1) {
    await settle();
    admitted[i]?.release();
  }
  await Promise.all(runs);
});

it("offers the accounts behind the highest number it was told of, until the terms are forgotten", async () => {
  const { queue, admitted, run, settle } = openQueue();
  const first = run(0);
  await settle();
  expect(admitted[0]?.terms.candidates).toEqual(candidateSettings(0n, 7));
  queue.noteCreated(test.network, 5n);
  queue.noteCreated(test.network, 3n);
  const second = run(1);
  await settle();
  expect(admitted[1]?.terms.candidates).toEqual(candidateSettings(5n, 7));
  queue.forgetTerms(test.network);
  const third = run(2);
  await settle();
  expect(admitted[2]?.terms.candidates).toEqual(candidateSettings(0n, 7));
  for (const { release } of admitted) release();
  await Promise.all([first, second, third]);
});

it("frees the place of work that fails", async () => {
  const { queue, run, settle, admitted } = openQueue();
  const failing = Array.from({ length: 4 }, () =>
    queue.run(test.network, async () => {
      throw new Error("broken off");
    }),
  );
  for (const outcome of await Promise.allSettled(failing)) expect(outcome.status).toBe("rejected");
  const next = run(9);
  expect(await settle()).toEqual([9]);
  admitted[0]?.release();
  await next;
});
