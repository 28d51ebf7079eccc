import fastify from "fastify";
import { expect, it } from "vitest";
import { askOurselves } from "./mcp.js";

it("gives up what is asked for a client that leaves, and asks nothing more", async () => {
  const app = fastify();
  const asked: string[] = [];
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  app.get("/slow", () => {
    asked.push("slow");
    begin();
    return new Promise(() => undefined);
  });
  app.get("/next", async () => {
    asked.push("next");
    return {};
  });
  const leaving = new AbortController();
  const ask = askOurselves(app, "127.0.0.1", leaving.signal);
  expect((await ask("http://trellis.internal/next")).status).toBe(200);
  const slow = ask("http://trellis.internal/slow");
  await begun;
  leaving.abort();
  await expect(slow).rejects.toThrow();
  await expect(ask("http://trellis.internal/next")).rejects.toThrow();
  expect(asked).toEqual(["next", "slow"]);
});
