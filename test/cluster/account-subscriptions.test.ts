import { randomBytes } from "node:crypto";
import { type Address, getAddressDecoder } from "@solana/kit";
import type { Log } from "@trellis/kernel/ports/log.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type AccountSubscriptions,
  openAccountSubscriptions,
} from "../../src/adapters/chain/cluster/account-subscriptions.js";
import { type SubscriptionNode, startSubscriptionNode } from "./subscription-node.js";

let node: SubscriptionNode;
let lines: string[];
let subscriptions: AccountSubscriptions;

beforeEach(open);
afterEach(close);

describe("subscriptions to accounts", () => {
  it("open no connection before the first subscriber, and close it after the last one", async () => {
    expect(node.connections()).toBe(0);
    subscriptions.changes.subscribeTo([one]);
    await untilSubscribed(one);
    subscriptions.changes.subscribeTo([]);
    await untilSubscribed();
    expect(node.connections()).toBe(1);
  });

  it("report each changed account once, at confirmed commitment", async () => {
    subscriptions.changes.subscribeTo([one, two]);
    await untilSubscribed(one, two);
    expect(node.questions[0]).toMatchObject({
      method: "accountSubscribe",
      params: [one, { encoding: "base64", commitment: "confirmed" }],
    });
    expect(subscriptions.changes.take()).toEqual([]);
    await node.tell(one, "AQ==");
    await node.tell(one, "Ag==");
    await node.tell(two, "AQ==");
    await expectReported(one, two);
    expect(subscriptions.changes.take()).toEqual([]);
  });

  it("survive whatever a node says in messages that are JSON", async () => {
    subscriptions.changes.subscribeTo([one, two]);
    await untilSubscribed(one, two);
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const uncallable = '{"toString":1,"valueOf":1}';
    // The node's first subscription has the number 101, and the first question the id 1.
    for (const hostile of [deep, uncallable, "null", "-1", "1e999", '"x"', "[]", "{}", '{"__proto__":null}']) {
      const notice = (params: string) => `{"method":"accountNotification","params":${params}}`;
      for (const message of [
        hostile,
        notice(hostile),
        notice(`{"subscription":${hostile}}`),
        notice(`{"subscription":101,"result":${hostile}}`),
        notice(`{"subscription":101,"result":{"value":${hostile}}}`),
        notice(`{"subscription":101,"result":{"value":{"data":${hostile},"lamports":1}}}`),
        notice(`{"subscription":101,"result":{"value":{"data":[${hostile}],"lamports":${hostile}}}}`),
        `{"id":${hostile},"result":${hostile}}`,
        `{"id":1,"error":${hostile}}`,
        `{"method":${hostile},"params":${hostile}}`,
      ]) {
        await node.sayRaw(message);
      }
    }
    await node.tell(two, "AQ==");
    await until(() => expect(subscriptions.changes.take()).toContain(two));
    expect(node.connections()).toBe(1);
  });

  it("pass over what leaves the data as it was", async () => {
    subscriptions.changes.subscribeTo([one, two]);
    await untilSubscribed(one, two);
    await node.tell(one, "AQ==");
    await expectReported(one);
    await node.tell(one, "AQ==");
    await expectOnlyMark(two, "Ag==");
  });

  it("follow what is wanted, and ask for nothing twice", async () => {
    subscriptions.changes.subscribeTo([one, two]);
    await untilSubscribed(one, two);
    subscriptions.changes.subscribeTo([two, three]);
    await untilSubscribed(two, three);
    subscriptions.changes.subscribeTo([two, three]);
    subscriptions.changes.subscribeTo([one, two, three]);
    await untilSubscribed(one, two, three);
    expect(node.connections()).toBe(1);
    const asked = node.questions.filter(({ method }) => method === "accountSubscribe").map(({ params }) => params[0]);
    expect(asked).toEqual([one, two, three, one]);
  });

  it("are restored after a drop, with all that is subscribed by then", async () => {
    subscriptions.changes.subscribeTo([one]);
    await untilSubscribed(one);
    node.drop();
    subscriptions.changes.subscribeTo([one, two]);
    await untilSubscribed(one, two);
    expect(node.connections()).toBe(2);
    await node.tell(two, "AQ==");
    await expectReported(two);
    await until(() => expect(lines.at(-1)).toBe("node subscription restored: the node reports changes again"));
    expect(lines).toHaveLength(2);
  });

  it("drop a node that has fallen silent, and call again", async () => {
    subscriptions.changes.subscribeTo([one]);
    await untilSubscribed(one);
    node.freeze();
    await until(() => expect(node.connections()).toBeGreaterThan(2));
    expect(lines).toEqual(["node subscription ended: accounts are polled until it is back"]);
  });

  it.each([
    ["text that is no JSON", "}{"],
    ["bytes", Buffer.from([0xff, 0x00, 0xfe])],
    ["a message without end", "[".repeat(5_000_000)],
  ])("survive %s", async (_what, garbage) => {
    subscriptions.changes.subscribeTo([one]);
    await untilSubscribed(one);
    await node.sayRaw(garbage);
    await until(() => expect(node.connections()).toBe(2));
    await untilSubscribed(one);
    await node.tell(one, "AQ==");
    await expectReported(one);
  });

  it("pass over messages that mean nothing here", async () => {
    subscriptions.changes.subscribeTo([one, two]);
    await untilSubscribed(one, two);
    const notification = (params: unknown) => ({ jsonrpc: "2.0", method: "accountNotification", params });
    const meaningless: unknown[] = [
      ...[null, 7, "text", [], {}, { id: 1 }, { id: 999_999, result: 5 }, { id: "1", result: "x" }],
      ...[undefined, null, {}, { subscription: 5 }, { subscription: { a: 1 }, result: null }].map(notification),
      { jsonrpc: "2.0", method: "slotNotification", params: { result: { slot: 1 }, subscription: 1 } },
      { jsonrpc: "2.0", id: null, error: { code: -32_601, message: "Method not found" } },
    ];
    for (const message of meaningless) await node.sayRaw(JSON.stringify(message));
    await expectOnlyMark(two, "AQ==");
    expect(node.connections()).toBe(1);
  });

  it("report the rest where a node refuses, and complain once", async () => {
    subscriptions.changes.subscribeTo([one]);
    await untilSubscribed(one);
    node.refuse();
    subscriptions.changes.subscribeTo([one, two, three]);
    await until(() => expect(node.questions).toHaveLength(3));
    await node.tell(one, "AQ==");
    await expectReported(one);
    expect(lines).toEqual(["node subscription incomplete: the node refuses some of the accounts"]);
  });

  it("are tried again while the node is not there, and complain once", async () => {
    const { url } = node;
    await node.close();
    subscriptions.changes.subscribeTo([one]);
    await until(() => expect(lines).toHaveLength(1));
    node = await startSubscriptionNode(Number(new URL(url).port));
    await untilSubscribed(one);
    expect(lines[0]).toBe("node subscription ended: accounts are polled until it is back");
  });

  it("are not made any more after they were closed", async () => {
    subscriptions.changes.subscribeTo([one]);
    await untilSubscribed(one);
    await subscriptions.close();
    await untilSubscribed();
    expect(node.connections()).toBe(1);
  });
});

const newAddress = (): Address => getAddressDecoder().decode(randomBytes(32));

const [one, two, three] = [newAddress(), newAddress(), newAddress()].sort() as [Address, Address, Address];
const timings = { connectMs: 2_000, pingEveryMs: 50, firstRetryMs: 5, longestRetryMs: 40 };

const noted = (_fields: object, message: string) => void lines.push(message);

const log: Log = { debug: noted, info: noted, warn: noted, error: noted };

/** Until it holds; the test's own limit is the only one. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 50_000, interval: 5 });

const untilSubscribed = (...addresses: Address[]) => until(() => expect(node.subscribed()).toEqual(addresses));

/** All notifications from now on, until everything expected was received. */
async function expectReported(...expected: Address[]): Promise<void> {
  const reported = new Set<Address>();
  await until(() => {
    for (const address of subscriptions.changes.take()) reported.add(address);
    expect([...reported].sort()).toEqual(expected);
  });
}

/** Whatever was sent before is read when this has arrived. */
async function expectOnlyMark(mark: Address, data: string): Promise<void> {
  await node.tell(mark, data);
  await expectReported(mark);
}

async function open(): Promise<void> {
  node = await startSubscriptionNode();
  lines = [];
  subscriptions = openAccountSubscriptions({ url: node.url, log, timings });
}

async function close(): Promise<void> {
  await subscriptions.close();
  await node.close();
}
