import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { completeCeremony, Refused, readCeremony } from "./service.js";

const answered = { response: { authenticatorData: "", clientDataJSON: "", signature: "" } };
const opened = { passkey_account: "a passkey", session_key: { key: "a key", expiration: 1 } };
const lost = () => Promise.reject(new TypeError("network error"));
const success = () => Promise.resolve(Response.json({ data: opened }));
const refusal = (status: number, code: string) => () => Promise.resolve(Response.json({ code }, { status }));
const unreadable = () => Promise.resolve(new Response("<html>", { status: 502 }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ["a lost answer", lost],
  ["a submission whose outcome is open", refusal(409, "submission_in_progress")],
  ["a limit of calls", refusal(429, "rate_limit_exceeded")],
  ["a node that does not answer", refusal(502, "chain_unavailable")],
  ["a gateway's own page", unreadable],
])("asks again behind %s, and does not know what came of it where that stays so", async (_name, answer) => {
  const known = await outcomeOf(() => completeCeremony(answered), [answer, answer, success]);
  expect(known).toEqual({ outcome: opened, calls: 3 });
  const { outcome, calls } = await outcomeOf(() => completeCeremony(answered), [answer, answer, answer, answer]);
  expect(outcome).toBeInstanceOf(Error);
  expect(outcome).not.toBeInstanceOf(Refused);
  expect(calls).toBe(4);
});

it.each([
  [409, "passkey_challenge_over"],
  [429, "sponsorship_limit_exceeded"],
  [503, "tenant_frozen"],
])("takes %i %s for what it is, at once", async (status, code) => {
  const { outcome, calls } = await outcomeOf(() => completeCeremony(answered), [refusal(status, code)]);
  expect(outcome).toBeInstanceOf(Refused);
  expect(outcome).toMatchObject({ code });
  expect(calls).toBe(1);
});

it("does not take a limit of calls for a request that is over", async () => {
  const read = () => readCeremony("challenge", null);
  const limited = await outcomeOf(read, [refusal(429, "rate_limit_exceeded")]);
  expect(limited.outcome).not.toBeInstanceOf(Refused);
  const over = await outcomeOf(read, [refusal(404, "passkey_ceremony_not_found")]);
  expect(over.outcome).toBeInstanceOf(Refused);
});

/** What comes of a call to a service that answers so, one answer behind the other. */
async function outcomeOf(act: () => Promise<unknown>, answers: readonly (() => Promise<Response>)[]) {
  let calls = 0;
  vi.stubGlobal("fetch", () => answers[calls++]?.());
  const outcome = act().catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { outcome: await outcome, calls };
}
