import { expect, it } from "vitest";
import { use, useTestService } from "../support/scene.js";

const trellis = useTestService();
const ada = use(() => trellis.openHolder({ sol: "1000000000", usdc: "5000000" }));
const path = (list: string, query = "") => `${trellis.url}/api/service/v1/accounts/${ada.address}/${list}${query}`;
const ask = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    headers: { authorization: `Bearer ${trellis.apiKey}`, "x-service-environment": "sandbox", ...headers },
  });

it("answers both lists as tables, page by page, with the rows that JSON has", async () => {
  for (const [list, columns] of [
    ["transfers", "id,confirmed_at,created_at,kind,direction,ui_amount,currency,mint,amount,"],
    ["transactions", "id,confirmed_at,kind,status,signature,slot,account,error"],
  ] as const) {
    const json = (await (await ask(path(list, "?limit=1"))).json()) as {
      readonly data: readonly Record<string, unknown>[];
      readonly metadata: { readonly next_cursor: string; readonly complete_at: string };
    };
    for (const answer of [
      await ask(path(list, "?limit=1&format=csv")),
      await ask(path(list, "?limit=1"), { accept: "text/csv" }),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/^text\/csv; charset=utf-8/);
      expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${list}.csv"`);
      expect(answer.headers.get("x-next-cursor")).toBe(json.metadata.next_cursor);
      const completeAt = answer.headers.get("x-complete-at") ?? "";
      expect(new Date(completeAt).toISOString()).toBe(completeAt);
      expect(completeAt >= json.metadata.complete_at).toBe(true);
      expect(answer.headers.get("access-control-expose-headers") ?? "x-complete-at").toContain("x-complete-at");
      const [head, row, end, ...more] = (await answer.text()).split("\r\n");
      expect([head?.startsWith(columns), end, more]).toEqual([true, "", []]);
      const [first] = json.data;
      const { id } = (first?.Spl ?? first) as { readonly id: string };
      expect(row?.startsWith(`${id},`)).toBe(true);
    }
    const both = await ask(path(list, "?format=json"), { accept: "text/csv" });
    expect(both.headers.get("content-type")).toMatch(/^application\/json/);
  }
  const { csv, nextCursor = "" } = await trellis.client.history.transfersCsv(ada.address, { limit: 1 });
  const next = await trellis.client.history.transfersCsv(ada.address, { limit: 1, cursor: nextCursor });
  expect([csv.split("\r\n").length, next.csv === csv]).toEqual([3, false]);
  expect((await trellis.client.history.transactionsCsv(ada.address)).nextCursor).toBeUndefined();
});

it("answers errors as JSON, and does not offer them as files", async () => {
  for (const query of ["?format=csv&cursor=x", "?format=xml"]) {
    const answer = await ask(path("transfers", query), { accept: "text/csv" });
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("content-disposition")).toBeNull();
    expect(await answer.json()).toHaveProperty("code");
  }
});
