import { createAnswerSpace } from "@trellis/kernel/answer-space.js";
import { limits } from "@trellis/kernel/limits.js";
import { expect, it } from "vitest";
import type { NodeParts } from "./rpc-methods/method.js";
import { createRpcSessions } from "./rpc-session.js";
import { createWealth } from "./wealth.js";

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

it("disconnects a client with more notifications queued behind one answer than the limit, and keeps no more of them", async () => {
  let answer = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const node = { ledger: { ready: () => ready }, slotsBehind: 0n } as unknown as NodeParts;
  const heard: string[] = [];
  let isOpen = true;
  let notify = (_text: string): void => undefined;
  const open = createRpcSessions(
    () => node,
    {
      open: (subscriber) => {
        notify = subscriber.notify;
        return { methods: {}, close: () => undefined };
      },
      publish: () => undefined,
      tellOfFork: () => undefined,
      receive: () => undefined,
      close: () => undefined,
    },
    log,
    1_000,
    createAnswerSpace(limits.sandboxRpc),
  );
  const session = open({
    owner: "somebody",
    isOpen: () => isOpen,
    deliver: (text) => heard.push(text),
    hangUp: () => undefined,
    cutOff: () => {
      isOpen = false;
    },
  });
  const received = session.receive('{"jsonrpc":"2.0","id":1,"method":"getHealth"}');
  for (let i = 0; i < 10; i += 1) notify("x".repeat(100));
  expect(isOpen).toBe(true);
  for (let i = 0; i < 1_000; i += 1) notify("y".repeat(100));
  expect(isOpen).toBe(false);
  answer();
  await received;
  expect(heard.length).toBe(11);
  // The next answer has its own room.
  notify("told at once");
  expect(heard.at(-1)).toBe("told at once");
});

it("scans all accounts once in ten seconds, however many requests there are, and again after a failure", async () => {
  let slot = 100n;
  let refreshes = 0;
  let fails = true;
  const wealth = createWealth(
    {
      sumLamports: async () => {
        refreshes += 1;
        if (fails) throw new Error("the database does not answer");
        return slot;
      },
      listLargest: async () => [],
    },
    { slot: () => slot },
  );
  await expect(wealth()).rejects.toThrow("does not answer");
  fails = false;
  const all = await Promise.all(Array.from({ length: 50 }, wealth));
  expect(new Set(all.map(({ total }) => total))).toEqual(new Set([100n]));
  expect(refreshes).toBe(2);
  slot += 24n;
  await wealth();
  expect(refreshes).toBe(2);
  slot += 1n;
  expect((await wealth()).total).toBe(125n);
  expect(refreshes).toBe(3);
});
