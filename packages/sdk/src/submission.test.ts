import { describe, expect, it, onTestFinished } from "vitest";
import { type ScriptedAnswer, startScriptedServer } from "../../../test/vectors/scripted-server.js";
import { OutcomeUnknownError } from "./outcome-unknown-error.js";
import { createRequestSender } from "./request-sender.js";
import type { SignedSubmission } from "./signed-submission.js";
import { createSubmitter, type Signed, type SubmitOptions } from "./submission.js";

const refusal = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: { message: "No.", code, details: [{ code, message: "No.", ...more }], timestamp: "", request_id: "r" },
});

describe("what was signed", () => {
  it.each<[string, ScriptedAnswer]>([
    ["a broken connection", "hang up"],
    ["409 in progress", refusal(409, "submission_in_progress")],
    ["409 with its key still held", refusal(409, "idempotency_in_progress", {}, { "retry-after": "1" })],
    ["429 for a moment", refusal(429, "rate_limit_exceeded", {}, { "retry-after": "7" })],
    ["500", refusal(500, "internal_error")],
    ["502", refusal(502, "chain_unavailable")],
    ["503", refusal(503, "service_unavailable")],
    ["a proxy's page", { status: 504, text: "<html>" }],
    ["a proxy's success", { status: 200, body: { fine: true } }],
    ["half an answer", { status: 200, text: '{"data":{"transaction_si' }],
  ])(
    "is submitted again after %s, the same bytes under the same key, and never prepared again",
    async (_what, failure) => {
      const { carryOut, received, pauses, preparations } = await startWith([failure, failure, failure, landed("s")]);
      expect(await carryOut()).toEqual(confirmed);
      expect(received.map(({ body }) => body)).toEqual(Array(4).fill({ transaction: "one" }));
      expect(new Set(received.map(({ headers }) => headers["x-idempotency-key"])).size).toBe(1);
      expect(preparations()).toHaveLength(1);
      expect(pauses).toHaveLength(3);
    },
  );

  it("is waited for as long as the service asks, and longer each time", async () => {
    const answers = [refusal(429, "rate_limit_exceeded", {}, { "retry-after": "7" }), ...Array(30).fill("hang up")];
    const { carryOut, pauses } = await startWith(answers);
    await thrownBy(carryOut());
    const [first, second = 0, third = 0] = pauses;
    expect(first).toBe(7_000);
    expect(third).toBeGreaterThan(second / 2);
    expect(Math.max(...pauses.slice(1))).toBeLessThanOrEqual(5_000);
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(30_000);
  });

  it("is reported as of unknown outcome, in words and with all that resuming needs", async () => {
    const { carryOut, received, resume } = await startWith([...Array(3).fill("hang up"), landed("s")], 2);
    const error = await thrownBy(carryOut());
    expect(received).toHaveLength(3);
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    const { message, signed, cause } = error as OutcomeUnknownError;
    expect(message).toMatch(/outcome is unknown.*Do not make the call again.*transactions\.resume/);
    expect(cause).toMatchObject({ name: "TrellisNetworkError" });
    expect(await resume(JSON.parse(JSON.stringify(signed)))).toEqual(confirmed);
  });

  it.each([
    ["a refusal", refusal(400, "insufficient_permissions")],
    ["an expired session", refusal(401, "session_expired")],
    ["a budget that is used up", refusal(429, "sponsorship_limit_exceeded", {}, { "retry-after": "40000" })],
  ])("was refused for sure by %s that met the first attempt", async (_what, answer) => {
    const { carryOut, received } = await startWith([answer]);
    expect(await thrownBy(carryOut())).toMatchObject({ name: "TrellisApiError", code: answer.body.code });
    expect(received).toHaveLength(1);
  });

  it.each([
    ["a refusal", refusal(400, "insufficient_permissions")],
    ["a refusal by simulation", refusal(400, "transaction_failed", { chain_error: "AlreadyProcessed" })],
    ["an expired session", refusal(401, "session_expired")],
    ["a budget that is used up", refusal(429, "sponsorship_limit_exceeded", {}, { "retry-after": "40000" })],
  ])("is unknown after %s that follows a lost answer, and when resumed", async (_what, answer) => {
    const { carryOut, resume } = await startWith(["hang up", answer]);
    const cause = { name: "TrellisApiError", code: answer.body.code };
    expect(await thrownBy(carryOut())).toMatchObject({ name: "OutcomeUnknownError", cause });
    expect(await thrownBy(resume(signed))).toMatchObject({ name: "OutcomeUnknownError", cause });
  });

  it("has failed for sure once the chain has executed and refused it", async () => {
    const answer = refusal(400, "transaction_failed", { transaction_signature: "s" });
    const { carryOut, resume } = await startWith(["hang up", answer]);
    expect(await thrownBy(carryOut())).toMatchObject({ name: "TrellisApiError", code: "transaction_failed" });
    expect(await thrownBy(resume(signed))).toMatchObject({ name: "TrellisApiError", code: "transaction_failed" });
  });

  it("is stored before anything is sent, and nothing is sent when it cannot be stored", async () => {
    const { carryOut, received } = await startWith([landed("s")]);
    let seen = -1;
    await carryOut({
      onSigned: async (handed) => {
        await new Promise((resolve) => setImmediate(resolve));
        seen = received.length;
        expect(JSON.parse(JSON.stringify(handed))).toEqual(handed);
      },
    });
    expect(seen).toBe(0);
    const full = new Error("the disk is full");
    const onSigned = () => {
      throw full;
    };
    expect(await thrownBy(carryOut({ onSigned }))).toBe(full);
    expect(received).toHaveLength(1);
  });
});

describe("bytes that can never be confirmed", () => {
  it.each(["payload_expired", "blockhash_expired"])(
    "by the service's proof (%s) are replaced, under keys that a repetition finds again",
    async (code) => {
      const script = [refusal(400, code), landed("s")];
      const { carryOut, received, preparations } = await startWith([...script, ...script]);
      let kept = 0;
      const onSigned = () => {
        kept += 1;
      };
      expect(await carryOut({ idempotencyKey: "mine", onSigned })).toEqual(confirmed);
      expect(kept).toBe(2);
      const keys = preparations();
      expect(new Set(keys).size).toBe(2);
      await carryOut({ idempotencyKey: "mine" });
      expect(preparations()).toEqual(keys);
      expect(new Set(received.map(({ headers }) => headers["x-idempotency-key"])).size).toBe(1);
    },
  );

  it("are replaced a few times only, and not where resumed", async () => {
    const { carryOut, preparations, resume } = await startWith([refusal(400, "payload_expired")]);
    expect(await thrownBy(carryOut())).toMatchObject({ name: "TrellisApiError", code: "payload_expired" });
    expect(preparations()).toHaveLength(4);
    expect(await thrownBy(resume(signed))).toMatchObject({ name: "TrellisApiError", code: "payload_expired" });
  });

  it("are not replaced once an earlier one of them is confirmed", async () => {
    const { carryOut, preparations } = await startWith([landed("s"), refusal(400, "payload_expired")]);
    expect(await thrownBy(carryOut({}, ["one", "two"]))).toMatchObject({ code: "payload_expired" });
    expect(preparations()).toHaveLength(1);
  });
});

describe("several transactions", () => {
  it("go out in order, and what is left is unknown when one in the middle is refused", async () => {
    const { carryOut, received } = await startWith([
      landed("t"),
      refusal(403, "insufficient_permissions"),
      landed("s"),
    ]);
    const error = await thrownBy(carryOut({}, ["one", "two"]));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(received.map(({ body }) => body)).toEqual([{ transaction: "one" }, { transaction: "two" }]);
  });
});

it("refuses to resume in another environment, and what holds nothing", async () => {
  const { resume, received } = await startWith([landed("s")]);
  await expect(resume({ ...signed, environment: "mainnet" })).rejects.toThrow(/environment mainnet/);
  await expect(resume({ ...signed, transactions: [] })).rejects.toThrow(TypeError);
  expect(received).toHaveLength(0);
});

const confirmed = { id: "i", signature: "s", confirmedAt: "2026-01-05T09:00:00.000Z" };
const signed: SignedSubmission = {
  environment: "sandbox",
  account: "a",
  transactions: [{ transaction: "one", idempotencyKey: "k" }],
  receipt: { id: "i" },
};

/** A submitter before a service that answers in this order; the last answer stays. */
async function startWith(answers: readonly ScriptedAnswer[], maxRetries?: number) {
  const started = await startScriptedServer(
    (_request, count) => answers[Math.min(count, answers.length) - 1] ?? "hang up",
  );
  onTestFinished(started.close);
  const pauses: number[] = [];
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
  };
  const send = createRequestSender({ baseUrl: started.baseUrl, apiKey: "sk", environment: "sandbox", pause });
  const submitter = createSubmitter({
    send,
    pathOf: (account) => `/accounts/${account}/submit`,
    environment: "sandbox",
    pause,
    maxRetries,
  });
  let preparations: string[] = [];
  const carryOut = (options: SubmitOptions = {}, transactions = ["one"]) => {
    preparations = [];
    return submitter.carryOut(options, async (key): Promise<Signed<{ id: string }>> => {
      preparations.push(key);
      return { account: "a", requests: transactions.map((transaction) => ({ transaction })), receipt: { id: "i" } };
    });
  };
  return { ...started, pauses, carryOut, resume: submitter.resume, preparations: () => preparations };
}

const landed = (signature: string): ScriptedAnswer => ({
  status: 200,
  body: { data: { transaction_signature: signature, confirmed_at: "2026-01-05T09:00:00.000Z" }, metadata: {} },
});

const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
