import { describe, expect, it, onTestFinished } from "vitest";
import { type ScriptedAnswer, startScriptedServer } from "../../../test/vectors/scripted-server.js";
import { createRequestSender, type RequestSenderOptions } from "./request-sender.js";
import { TrellisApiError, TrellisNetworkError } from "./trellis-api-error.js";

describe("a request", () => {
  it("carries key, environment, a JSON body and an idempotency key", async () => {
    const { received, send } = await startWith([ok]);
    expect(await send({ method: "POST", path: "/a", query: { b: "c d", e: undefined, f: 1 }, body: { x: 1 } })).toEqual(
      {
        fine: true,
      },
    );
    const [request] = received;
    expect(request).toMatchObject({ method: "POST", url: "/a?b=c%20d&f=1", body: { x: 1 } });
    expect(request?.headers).toMatchObject({
      authorization: "Bearer sk_test_1",
      "x-service-environment": "sandbox",
      "content-type": "application/json",
      "x-idempotency-key": expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it("sends no idempotency key and no body with GET", async () => {
    const { received, send } = await startWith([ok]);
    await send({ method: "GET", path: "/a" });
    expect(received[0]?.headers["x-idempotency-key"]).toBeUndefined();
    expect(received[0]?.body).toBeUndefined();
  });

  it("uses the caller's idempotency key, and another one for every call without", async () => {
    const { received, send } = await startWith([ok]);
    await send({ method: "POST", path: "/a", idempotencyKey: "mine" });
    await send({ method: "POST", path: "/a" });
    await send({ method: "POST", path: "/a" });
    const keys = received.map((request) => request.headers["x-idempotency-key"]);
    expect(keys[0]).toBe("mine");
    expect(new Set(keys).size).toBe(3);
  });
});

const errorBody = (code: string) => ({
  message: "A human text.",
  code,
  details: [{ field: "email", code: "invalid_email", message: "A human text.", suggestion: "Another one." }],
  timestamp: "2026-01-05T09:05:30.000Z",
  request_id: "req-body",
});

describe("retries", () => {
  it.each<[string, ScriptedAnswer]>([
    ["a broken connection", "hang up"],
    ["502", { status: 502, text: "<html>bad gateway</html>" }],
    ["503", { status: 503, body: errorBody("unavailable") }],
    ["504", { status: 504, text: "" }],
    ["409 idempotency_in_progress", { status: 409, body: errorBody("idempotency_in_progress") }],
    ["409 submission_in_progress", { status: 409, body: errorBody("submission_in_progress") }],
  ])("after %s, with the same idempotency key", async (_name, failure) => {
    const { received, send, pauses } = await startWith([failure, failure, ok]);
    expect(await send({ method: "POST", path: "/a", body: { x: 1 } })).toEqual({ fine: true });
    expect(received).toHaveLength(3);
    expect(new Set(received.map((request) => request.headers["x-idempotency-key"])).size).toBe(1);
    expect(received.map((request) => request.body)).toEqual([{ x: 1 }, { x: 1 }, { x: 1 }]);
    expect(pauses).toHaveLength(2);
  });

  it("waits longer each time, within bounds, and as long as the service says", async () => {
    const busy = { status: 503, body: errorBody("busy"), headers: { "retry-after": "2" } };
    const { send, pauses } = await startWith(["hang up", "hang up", busy, ok]);
    await send({ method: "POST", path: "/a" });
    const [first, second, third] = pauses;
    expect(first).toBeGreaterThanOrEqual(100);
    expect(first).toBeLessThanOrEqual(200);
    expect(second).toBeGreaterThanOrEqual(200);
    expect(second).toBeLessThanOrEqual(400);
    expect(third).toBe(2_000);
  });

  it("gives up after the retries and says so", async () => {
    const { received, send } = await startWith(["hang up"], { maxRetries: 2 });
    await expect(send({ method: "POST", path: "/a" })).rejects.toThrow(TrellisNetworkError);
    expect(received).toHaveLength(3);
  });

  it("counts an answer that does not arrive in time as a network error", async () => {
    // Every attempt may come too late on a slow machine; the first one always does.
    const { received, send } = await startWith(["silence", ok], { timeoutMs: 250, maxRetries: 20 });
    expect(await send({ method: "GET", path: "/a" })).toEqual({ fine: true });
    expect(received.length).toBeGreaterThanOrEqual(2);
  });

  it.each([400, 401, 403, 404, 409, 422, 429, 500])("not after %i", async (status) => {
    const { received, send } = await startWith([{ status, body: errorBody("some_code") }, ok]);
    await expect(send({ method: "POST", path: "/a" })).rejects.toMatchObject({ status, code: "some_code" });
    expect(received).toHaveLength(1);
  });
});

it("passes on a refusal whose waiting time exceeds the call's limit, with that time", async () => {
  const busy = { status: 409, body: errorBody("submission_in_progress"), headers: { "retry-after": "60" } };
  const { received, send } = await startWith([busy, ok]);
  await expect(send({ method: "POST", path: "/a" })).rejects.toMatchObject({ status: 409, retryAfterSeconds: 60 });
  expect(received).toHaveLength(1);
});

describe("errors", () => {
  it("carry what the service said", async () => {
    const { send } = await startWith([
      { status: 400, body: errorBody("validation_failed"), headers: { "x-request-id": "req-header" } },
    ]);
    const error = await send({ method: "POST", path: "/a" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TrellisApiError);
    expect(error).toMatchObject({
      message: "A human text.",
      status: 400,
      code: "validation_failed",
      details: [{ field: "email", code: "invalid_email", message: "A human text.", suggestion: "Another one." }],
      requestId: "req-header",
    });
  });

  it("take the request id from the body where no header has it", async () => {
    const { send } = await startWith([{ status: 400, body: errorBody("x") }]);
    await expect(send({ method: "GET", path: "/a" })).rejects.toMatchObject({ requestId: "req-body" });
  });

  it.each<[string, ScriptedAnswer, number]>([
    ["a proxy's page", { status: 404, text: "<html>not found</html>" }, 404],
    ["a success without JSON", { status: 200, text: "fine" }, 200],
    ["a success without a body", { status: 200, text: "" }, 200],
    ["JSON of another shape", { status: 418, body: { error: "teapot" } }, 418],
  ])("name %s an unexpected response", async (_name, answer, status) => {
    const { send } = await startWith([answer]);
    await expect(send({ method: "GET", path: "/a" })).rejects.toMatchObject({
      name: "TrellisApiError",
      status,
      code: "unexpected_response",
    });
  });
});

describe("a refresh that another call was faster with", () => {
  it("is not repeated: there is nothing it could still get", async () => {
    const { received, send } = await startWith([{ status: 409, body: errorBody("refresh_conflict") }, ok]);
    const refused = send({ method: "POST", path: "/auth/refresh-session", body: {} });
    await expect(refused).rejects.toMatchObject({ code: "refresh_conflict", status: 409 });
    expect(received).toHaveLength(1);
  });
});

const ok: ScriptedAnswer = { status: 200, body: { fine: true } };

async function startWith(answers: readonly ScriptedAnswer[], options: Partial<RequestSenderOptions> = {}) {
  const started = await startScriptedServer(
    (_request, count) => answers[Math.min(count, answers.length) - 1] ?? "hang up",
  );
  onTestFinished(started.close);
  const pauses: number[] = [];
  const send = createRequestSender({
    baseUrl: `${started.baseUrl}/`,
    apiKey: "sk_test_1",
    environment: "sandbox",
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
    },
    ...options,
  });
  return { received: started.received, send, pauses };
}
