import { walkSteps } from "@trellis/kernel/steps.js";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { createClientKey, type Verified } from "../../test/support/test-network.js";
import { getClientKey } from "../people/session.js";
import { createAccount } from "./create-account.js";
import { readPlan } from "./creation.js";
import { resolvePlan } from "./creation-plan.js";
import { createCreationQueue } from "./creation-queue.js";
import { creationSteps, stateOf } from "./creation-steps.js";
import { beginEmailCreation } from "./email-creation.js";
import { resumePendingCreations } from "./resume-creations.js";
import { verifyAccount } from "./verify-account.js";

const test = useTestNetwork({ each: true });
const points = [
  { died: "before the first step", steps: 0 },
  ...creationSteps.map(({ name }, i) => ({ died: `after the step "${name}"`, steps: i + 1 })),
];

describe.each(points)("a creation whose process died $died", ({ steps }) => {
  it("is brought to its end by the request that is repeated", async () => {
    const body = await dieAfter(steps);
    const { address } = await test.call<Verified>(verifyAccount, { body, needs: afresh() });
    await expectOne(address);
  });

  it("is brought to the same end by the pass, and answered afterwards", async () => {
    const body = await dieAfter(steps);
    const isWritten = steps === creationSteps.length;
    expect(await resumePendingCreations(afresh(), test.network, 0)).toEqual({ ended: isWritten ? 0 : 1, left: 0 });
    const { address } = await test.call<Verified>(verifyAccount, { body, needs: afresh() });
    await expectOne(address);
  });
});

const email = "ada@example.org";
/** What the process that redeemed a code has stored when it dies after so many steps, and the request that repeats it. */
async function dieAfter(steps: number): Promise<object> {
  const { needs, network, caller } = test;
  await test.call(createAccount, { body: { type: "email", email } });
  const clientKey = await createClientKey();
  const body = {
    email,
    otp_code: await test.latestCode(email),
    kms_provider_config: { encryption_public_key: clientKey.spki },
  };
  const owner = { tenantId: caller.tenantId, email, purpose: "create", share: "secret" } as const;
  const code = await needs.db.selectFrom("one_time_code").select("id").executeTakeFirstOrThrow();
  const creation = await beginEmailCreation(needs, network, owner, code.id, getClientKey(clientKey.spki));
  if (creation === undefined) throw new Error("a right code records its creation");
  const plan = await resolvePlan(needs.custodians, network, creation.user_id, readPlan(creation));
  const flow = { needs: afresh(), network, plan, giveUpAt: Number.POSITIVE_INFINITY };
  await walkSteps(creationSteps.slice(0, steps), flow, stateOf(creation));
  return body;
}

/** What a process has that knows nothing of the one before it. */
const afresh = () => ({ ...test.needs, creationQueue: createCreationQueue(test.needs.realClock) });

async function expectOne(address: string): Promise<void> {
  const { db } = test.needs;
  expect(await db.selectFrom("account").select("address").execute()).toEqual([{ address }]);
  expect(await db.selectFrom("account_creation").select(["state", "account_address"]).execute()).toEqual([
    { state: "landed", account_address: address },
  ]);
  expect(await db.selectFrom("submission").select("state").execute()).toEqual([{ state: "landed" }]);
}
