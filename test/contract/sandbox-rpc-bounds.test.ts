import { createAnswerSpace } from "@trellis/kernel/answer-space.js";
import { limits } from "@trellis/kernel/limits.js";
import { beforeAll, describe, expect, it } from "vitest";
import { useTestNode } from "./sandbox-rpc-fixture.js";

const node = useTestNode();
beforeAll(() => node.advanceClock(400_000));

describe("an answer of the sandbox's node", () => {
  it("is bounded as a whole: later calls of a batch get an error in their place, and are not run", async () => {
    const lists = await askMany("getSlotLeaders", [0, 5_000]);
    const view = lists.filter((answer) => "result" in answer).length;
    expect(view).toBeGreaterThan(10);
    expect(view).toBeLessThan(batchCalls / 10);
    expect(lists.findIndex((answer) => "error" in answer)).toBe(view);
    expect(lists.at(-1)).toMatchObject({ id: batchCalls - 1, ...limitExceeded });
    expect(JSON.stringify(lists).length).toBeLessThan(answerBytes + batchCalls * 400);
  });

  it("is no larger than there is room for in the process", async () => {
    const space = createAnswerSpace({ ...limits.sandboxRpc, answersBytes: 100_000, answersBytesPerOwner: 100_000 });
    const question = request("getSlotLeaders", [0, 5_000]);
    expect(JSON.parse((await ask(question, space)) ?? "")).toMatchObject({ id: 1, ...limitExceeded });
    expect(JSON.parse((await ask(request("getSlot"), space)) ?? "")).toHaveProperty("result");
  });

  it("is announced before it is made, where it shows accounts", async () => {
    const many = request("getMultipleAccounts", [Array.from({ length: 100 }, () => slotHistory), base64]);
    expect(JSON.parse((await ask(many)) ?? "")).toMatchObject({ id: 1, ...limitExceeded });
  });

  it("lists some thousand slots at most", async () => {
    for (const [method, params] of [
      ["getBlocks", [0]],
      ["getBlocks", [0, slotsListed + 1]],
      ["getBlocksWithLimit", [0, slotsListed + 1]],
    ] as const) {
      expect(JSON.parse((await ask(request(method, [...params]))) ?? ""), method).toMatchObject({
        error: { code: -32602 },
      });
    }
    const { result } = JSON.parse((await ask(request("getBlocks", [10, 10 + slotsListed]))) ?? "") as {
      result: number[];
    };
    expect(result).toHaveLength(slotsListed + 1);
  });
});

describe("a batch for the sandbox's node", () => {
  it("leaves others a turn of the event loop between any two of its calls", async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await askMany("getSlot", []);
    isDone = true;
    expect(turns).toBeGreaterThan(batchCalls - 2);
  });

  it("is refused as a whole where it is too long, and as no JSON where it is too deep", async () => {
    const long = await ask(Array.from({ length: batchCalls + 1 }, () => request("getSlot")));
    expect(JSON.parse(long ?? "")).toMatchObject({ id: null, error: { code: -32600 } });
    expect(JSON.parse((await ask("[".repeat(100_000))) ?? "")).toMatchObject({ error: { code: -32700 } });
  });

  it("wants no answer to its notifications, whatever is left of the room", async () => {
    const space = createAnswerSpace({ ...limits.sandboxRpc, answerBytes: 10 });
    const silent = { jsonrpc: "2.0", method: "getSlot" };
    expect(await ask([request("getGenesisHash"), silent, silent], space)).toMatch(/^\[\{[^[]*\}\]$/);
    expect(await ask([silent, silent], space)).toBeUndefined();
  });
});

const { answerBytes, batchCalls, slotsListed } = limits.sandboxRpc;
const base64 = { encoding: "base64" };
/** 128 KiB. */
const slotHistory = "SysvarS1otHistory11111111111111111111111111";
const limitExceeded = { error: { code: -32005 } };

const request = (method: string, params: unknown[] = [], id: number | undefined = 1) => ({
  jsonrpc: "2.0",
  ...(id === undefined ? {} : { id }),
  method,
  params,
});

const ask = (payload: unknown, space = createAnswerSpace(limits.sandboxRpc)) =>
  node.answerRpc(typeof payload === "string" ? payload : JSON.stringify(payload), space.open("somebody"));

const askMany = async (method: string, params: unknown[], count: number = batchCalls) =>
  JSON.parse((await ask(Array.from({ length: count }, (_, i) => request(method, params, i)))) ?? "") as object[];
