import { CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import type { LogFields } from "@trellis/kernel/ports/log.js";
import { afterEach, expect, it } from "vitest";
import { backoffOf, createGuardianProcess, type GuardianProcess, preparedExitCode } from "./guardian-process.js";

const bounds = {
  callerMs: 5_000,
  startMs: 5_000,
  backoffMs: [1, 4] as const,
  steadyMs: 60_000,
  endMs: 200,
};
const opened: GuardianProcess[] = [];
afterEach(() => Promise.all(opened.splice(0).map((guardian) => guardian.close())));

it("waits twice as long after each failure, up to the longest", () => {
  expect([1, 2, 3, 4, 5_000].map((failures) => backoffOf(failures, [500, 3_000]))).toEqual([
    500, 1_000, 2_000, 3_000, 3_000,
  ]);
});

it("is not started before it is asked for, and once for all who ask", async () => {
  const { guardian, lines } = make(says("https://127.0.0.1:4001"));
  expect(lines).toEqual([]);
  expect(await Promise.all([guardian.url(), guardian.url()])).toEqual([
    "https://127.0.0.1:4001",
    "https://127.0.0.1:4001",
  ]);
  expect(lines.map(({ event }) => event)).toEqual(["guardian_started"]);
});

it("answers that it is not ready where it fails again and again, and says so each time", async () => {
  const { guardian, lines } = make("process.exit(3)", { callerMs: 800 });
  await expect(guardian.url()).rejects.toBeInstanceOf(CustodianUnavailable);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines[0]).toMatchObject({ event: "guardian_ended", code: 3, retry_ms: 1 });
  expect(lines[1]).toMatchObject({ retry_ms: 2 });
});

it("is started again at once when it has made its database, and with a pause when it only says so", async () => {
  const { guardian, lines } = make(`process.exit(${preparedExitCode})`, { callerMs: 800 });
  await expect(guardian.url()).rejects.toBeInstanceOf(CustodianUnavailable);
  expect(lines[0]).toMatchObject({ event: "guardian_ended", code: preparedExitCode });
});

it("is believed to answer on this machine alone, and is ended when it says nothing", async () => {
  const { guardian, lines } = make(says("https://example.org:443"), { callerMs: 1_500, startMs: 300 });
  await expect(guardian.url()).rejects.toBeInstanceOf(CustodianUnavailable);
  expect(lines[0]).toMatchObject({ event: "guardian_ended", signal: "SIGKILL" });
});

it("does not wait for a program that is not there, nor for one that does not end, nor starts after its end", async () => {
  const missing = make("", { callerMs: 300 }, "/no/such/program");
  await expect(missing.guardian.url()).rejects.toBeInstanceOf(CustodianUnavailable);
  const deaf = make(`process.on("SIGTERM", () => {}); ${says("https://127.0.0.1:4002")}`);
  await deaf.guardian.url();
  await deaf.guardian.close();
  await expect(deaf.guardian.url()).rejects.toBeInstanceOf(CustodianUnavailable);
});

const says = (url: string) => `process.send({ url: "${url}" }); setInterval(() => {}, 1e6)`;

/** A guardian that is this script. */
function make(script: string, other: Partial<typeof bounds> = {}, program = process.execPath) {
  const lines: LogFields[] = [];
  const note = (fields: LogFields) => void lines.push(fields);
  const log = { debug: note, info: note, warn: note, error: note };
  const command = { program, args: ["-e", script], environment: {} };
  const guardian = createGuardianProcess(command, log, { ...bounds, ...other });
  opened.push(guardian);
  return { guardian, lines };
}
