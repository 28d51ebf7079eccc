import { PassThrough } from "node:stream";
import { createDocsLibrary } from "@trellis/mcp/docs-library.js";
import { clientsOf } from "@trellis/mcp/open-client.js";
import { serveStdio } from "@trellis/mcp/serve-stdio.js";
import { describe, expect, it } from "vitest";
import { docFiles } from "./support.js";

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

describe("an agent over standard input", () => {
  it("is answered after what is no message, and nothing else is written to the output", async () => {
    const { say, lines, end } = serve();
    say("no json");
    say('{"jsonrpc":"1.0"}');
    say("");
    say(JSON.stringify(list));
    const [answer] = await lines(1);
    expect(answer).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
    await end();
  });

  it("ends where a message is longer than any", async () => {
    const { say, ended } = serve();
    say(JSON.stringify({ ...list, filler: "x".repeat(1_100_000) }));
    await ended;
  });

  it("is given nothing of a fault on this side", async () => {
    const faults: unknown[] = [];
    const { say, lines, end } = serve({ noteCall: () => Promise.reject(new Error("10.0.0.5:5432")), faults });
    say(
      JSON.stringify({ ...list, method: "tools/call", params: { name: "search_docs", arguments: { words: "limit" } } }),
    );
    const [answer] = await lines(1);
    expect(JSON.stringify(answer)).not.toContain("10.0.0.5");
    expect(answer).toMatchObject({ error: { code: -32_603 } });
    expect(faults).toHaveLength(1);
    await end();
  });
});

function serve({
  noteCall,
  faults = [],
}: {
  readonly noteCall?: () => Promise<void>;
  readonly faults?: unknown[];
} = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const access = { baseUrl: "http://127.0.0.1:1", apiKey: "sk_test_none", environment: "sandbox" } as const;
  const ended = serveStdio(
    {
      version: "1",
      docs: createDocsLibrary(docFiles),
      openClient: clientsOf(access),
      reportFault: (fault) => void faults.push(fault),
      ...(noteCall === undefined ? {} : { noteCall }),
    },
    { input, output },
  );
  let text = "";
  output.on("data", (part: Buffer) => {
    text += part.toString();
  });
  return {
    ended,
    say: (line: string) => void input.write(`${line}\n`),
    /** The first so many lines of the output, each as JSON. */
    lines: async (count: number): Promise<readonly unknown[]> => {
      for (;;) {
        const found = text.split("\n").slice(0, -1);
        if (found.length >= count) return found.map((line) => JSON.parse(line) as unknown);
        await new Promise((resolve) => output.once("data", resolve));
      }
    },
    end: async () => {
      input.end();
      await ended;
    },
  };
}
