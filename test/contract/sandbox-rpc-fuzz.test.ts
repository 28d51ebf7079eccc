import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const count = 50_000;
const seed = 20_261_121;

describe("the gate before the VM", () => {
  it(`lets the process survive ${count} mutated transactions of every version`, { timeout: 240_000 }, async () => {
    const script = fileURLToPath(new URL("./sandbox-rpc-fuzz-child.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", script, String(count), String(seed)]);
    let output = "";
    let complaints = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      complaints += chunk.toString();
    });
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      child.on("close", (exitCode, exitSignal) => resolve([exitCode, exitSignal]));
    });
    expect({ code, signal, complaints: complaints.slice(-2_000) }).toMatchObject({ code: 0, signal: null });
    const tally = JSON.parse(output) as Record<string, number>;
    // The gate must not be so narrow that nothing reaches the VM.
    expect(tally.simulated).toBeGreaterThan(count / 10);
    expect(tally.sent).toBeGreaterThan(count / 10);
    expect(tally.landed).toBeGreaterThan(500);
    for (const kind of ["legacy", "v0", "v1", "lookups"]) expect(tally[kind], kind).toBeGreaterThan(1_000);
    expect((tally.refused ?? 0) + (tally.simulated ?? 0) + (tally.sent ?? 0)).toBe(count);
  });
});
