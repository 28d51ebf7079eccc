import { randomUUID } from "node:crypto";
import { errorCatalogue } from "@trellis/kernel/errors.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endpoints } from "../../../src/endpoints.js";
import { faults, notProvoked } from "./faults.js";
import { prepareScene } from "./scene.js";
import {
  app,
  type Code,
  closeWorld,
  exhaust,
  exhausted,
  type Fault,
  frail,
  openWorld,
  type Rows,
  send,
  type Trial,
  test,
} from "./world.js";

type When = "before" | "after";
const both: readonly When[] = ["before", "after"];
/** TRELLIS_BREAKS=all: every statement breaks both before and after it took effect; otherwise one of the two, in turn. */
const breaksEverywhere = process.env.TRELLIS_BREAKS === "all";

/** What a code says of its request is for good, although it is a failure of the chain's side. */
const endings: readonly Code[] = ["account_creation_failed"];
const mayPass = (code: Code) => {
  const [status] = errorCatalogue[code];
  return (status >= 500 || status === 429 || code.endsWith("_in_progress")) && !endings.includes(code);
};

/**
 * The answers that a repetition may get where the process dies between the effect and its answer. An opened session is never
 * answered twice, for its key is lost: a client that loses the answer signs in again. Of a bank account nothing is kept that an
 * answer could be made of (gap 101).
 */
const mayBeReported: Readonly<Record<string, readonly Code[]>> = {
  verifyAccount: ["invalid_otp"],
  verifyAuthentication: ["invalid_otp"],
  verifyLegacyAuthentication: ["invalid_otp"],
  signInWithPasskey: ["invalid_passkey"],
  signInWithWallet: ["invalid_wallet_signature"],
  requestWalletExport: ["invalid_otp"],
  releaseAccount: ["account_not_found"],
  removeExternalAccount: ["external_account_not_found"],
};

/** After any first result: the same request succeeds and has taken effect once, its answer stays, no other one runs. */
async function expectOnce(trial: Trial, key: string, mayEndIn: readonly Code[] = []): Promise<void> {
  const second = await send(app, trial, key);
  if (second.code !== undefined && mayEndIn.includes(second.code)) {
    expect(await trial.effects?.()).toBe(1);
    return;
  }
  expect(second.status, second.text).toBeLessThan(300);
  expect(second.code, second.text).toBeUndefined();
  if (trial.effects) expect(await trial.effects()).toBe(1);
  const third = await send(app, trial, key);
  expect([third.isReplayed, third.text]).toEqual([true, second.text]);
  expect(await send(app, trial, key, { ...trial.body, another: true })).toMatchObject({ status: 422 });
  if (trial.effects) expect(await trial.effects()).toBe(1);
}

/**
 * Crosses the operations of `rows` with everything that may pass (gap 6): after a passing failure the same request resumes
 * under its key and takes effect once, and its answer is then replayed byte for byte.
 */
export function playRows(rows: Rows): void {
  beforeAll(async () => {
    await openWorld();
    await prepareScene();
  });
  afterAll(closeWorld);
  // The limits of mail are for a test of their own.
  beforeEach(() => test.needs.db.deleteFrom("mail").execute());

  const contracts = endpoints.map(({ contract }) => contract).filter(({ operation }) => operation in rows);

  describe.each(contracts)("$operation", ({ operation, errors }) => {
    const forms = Object.entries(rows[operation] ?? {});
    const reached = new Set<Code>();

    it.each(forms.flatMap(([form, prepare]) => Object.keys(faults).map((fault) => ({ form, prepare, fault }))))(
      "($form) takes effect once when $fault for a while",
      async ({ prepare, fault: name }) => {
        const fault = faults[name] as Fault;
        const trial = await prepare();
        const key = randomUUID();
        await fault.begin(trial);
        const first = await send(app, trial, key);
        await fault.end();
        if (first.code !== undefined) {
          expect(first.code, first.text).toBe(
            fault.code === "otp_address_blocked" ? "otp_attempts_exceeded" : fault.code,
          );
          reached.add(fault.code);
          expect(await send(app, trial, key, { ...trial.body, another: true })).toMatchObject({ status: 422 });
        } else expect(first.status).toBeLessThan(300);
        await expectOnce(trial, key);
      },
    );

    it("was refused above for all that may pass by its contract", () => {
      const provoked = errors.filter((code) => mayPass(code) && !notProvoked[operation]?.includes(code));
      expect([...reached].sort()).toEqual([...new Set(provoked)].sort());
    });

    it.each(forms)("(%s) takes effect once after a limit of requests", async (_form, prepare) => {
      const trial = await prepare();
      const key = randomUUID();
      await exhaust();
      expect(await send(exhausted, trial, key)).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
      await expectOnce(trial, key);
    });

    it.each(forms)(
      "(%s) takes effect once wherever a statement breaks",
      { timeout: 600_000 },
      async (_form, prepare) => {
        frail.countStatements();
        const whole = await prepare();
        frail.countStatements();
        await send(app, whole, randomUUID());
        const statements = frail.countStatements();
        // The API key, the claim, the answer.
        expect(statements).toBeGreaterThanOrEqual(2);
        for (let statement = 0; statement < statements; statement += 1) {
          for (const when of breaksEverywhere ? both : [both[statement % 2] as When]) {
            const trial = await prepare();
            const key = randomUUID();
            frail.breakAt(statement, when);
            const first = await send(app, trial, key);
            frail.countStatements();
            if (first.status >= 300) expect(first.status, first.text).toBeGreaterThanOrEqual(500);
            // What could not be written down at once is, behind the answer's back.
            await expect
              .poll(async () => (await send(app, trial, key)).code, { timeout: 30_000, interval: 50 })
              .not.toBe("idempotency_in_progress");
            await expectOnce(trial, key, mayBeReported[operation]);
          }
        }
      },
    );
  });
}
