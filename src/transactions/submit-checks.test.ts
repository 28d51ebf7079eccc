import { TrellisError } from "@trellis/kernel/errors.js";
import type { SubmitCheck, SubmitHooks } from "@trellis/kernel/module.js";
import { describe, expect, it } from "vitest";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { errorOf, stampKmsA } from "../../test/support/test-network.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { submitTransactions } from "./submit-transactions.js";

const test = useTestNetwork();
const holder = use(() => test.openHolder("checks@example.org", { sol: "1000000000" }));

describe("the checks of modules", () => {
  it("run in their order, those of its turn behind the others, each with the transaction's instructions", async () => {
    const run: string[] = [];
    const check = (name: string, when: SubmitCheck["when"]): SubmitCheck => ({
      name,
      when,
      require: async (_needs, _network, { instructions }) => {
        expect(instructions.length).toBeGreaterThan(0);
        run.push(name);
      },
    });
    const checks = [check("third", "in_turn"), check("first", "at_once"), check("second", "at_once")];
    await test.call(submitTransactions, await signedPayment(checks));
    expect(run).toEqual(["first", "second", "third"]);
  });

  it.each(["at_once", "in_turn"] as const)("that refuse %s leave nothing recorded", async (when) => {
    const refusing: SubmitCheck = {
      name: "refusing",
      when,
      require: async () => {
        throw new TrellisError("stale_proposal");
      },
    };
    const before = await countSubmissions();
    const refused = await errorOf(test.call(submitTransactions, await signedPayment([refusing])));
    expect(refused.code).toBe("stale_proposal");
    expect(await countSubmissions()).toBe(before);
  });
});

interface Prepared {
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly payload: string }[];
}

/** A signed payment as a client submits it, by a service whose modules have these checks. */
async function signedPayment(checks: readonly SubmitCheck[]) {
  const { address } = holder.verified;
  const prepared = await test.call<Prepared>(preparePayment, {
    params: { address },
    body: {
      amount: "5000000",
      source: { account: address, currency: "sol" },
      destination: { address: "9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g", currency: "sol" },
    },
  });
  const signature = stampKmsA(prepared.kms_payloads[0]?.payload ?? "", holder.authorizationKey);
  const submitHooks: SubmitHooks = { ...test.needs.submitHooks, checks };
  return {
    params: { address },
    body: {
      transaction: prepared.transaction,
      kms_payloads: [{ provider: "kms_a", kms_signed_payload: { signature } }],
    },
    needs: { submitHooks },
  };
}

const countSubmissions = async () => (await test.needs.db.selectFrom("submission").select("id").execute()).length;
