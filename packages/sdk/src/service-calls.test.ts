import { describe, expect, it } from "vitest";
import type { ServiceRequest } from "./request-sender.js";
import { createServiceCalls, paginate } from "./service-calls.js";

const metadata = { request_id: "r", timestamp: "2026-01-01T00:00:00.000Z" };

describe("a page of a list", () => {
  const pageOf = (body: unknown, cursorInHeader?: string) => {
    const send = async (request: ServiceRequest) => {
      request.hearHeaders?.(new Headers(cursorInHeader === undefined ? {} : { "x-next-cursor": cursorInHeader }));
      return body;
    };
    return createServiceCalls(send, "/v1").getPage("/things", {});
  };

  it("has its cursor from the metadata, and as of when it is complete", async () => {
    const answer = { data: [1, 2], metadata: { ...metadata, next_cursor: "b", complete_at: "2026-01-01T00:00:00Z" } };
    expect(await pageOf(answer)).toEqual({ items: [1, 2], nextCursor: "b", completeAt: "2026-01-01T00:00:00Z" });
    expect(await pageOf({ data: [1], metadata }, "of a header")).toEqual({ items: [1] });
  });

  it("has its cursor from the header where the list is answered bare", async () => {
    expect(await pageOf([1, 2], "b")).toEqual({ items: [1, 2], nextCursor: "b" });
    expect(await pageOf([1, 2])).toEqual({ items: [1, 2] });
  });
});

describe("a list that is read to its end", () => {
  it("asks for each page as it is reached, with the query and the cursor of the page before", async () => {
    const asked: unknown[] = [];
    const list = paginate<number, { readonly limit: number; readonly cursor?: string }>({ limit: 2 }, async (query) => {
      asked.push(query);
      return query.cursor === undefined ? { items: [1, 2], nextCursor: "b" } : { items: [3] };
    });
    expect(asked).toEqual([]);
    expect(await list.next()).toEqual({ value: 1, done: false });
    expect(asked).toEqual([{ limit: 2 }]);
    const rest: number[] = [];
    for await (const item of list) rest.push(item);
    expect(rest).toEqual([2, 3]);
    expect(asked).toEqual([{ limit: 2 }, { limit: 2, cursor: "b" }]);
  });

  it("begins where the query says", async () => {
    const items: string[] = [];
    const from = { cursor: "b" };
    for await (const item of paginate<string, typeof from>(from, async ({ cursor }) => ({ items: [cursor] }))) {
      items.push(item);
    }
    expect(items).toEqual(["b"]);
  });
});
