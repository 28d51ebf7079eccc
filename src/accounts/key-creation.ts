import { assertOurs } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { createOnChain } from "./create-on-chain.js";
import type { CreatedAccount, Creation, CreationNeeds } from "./creation.js";
import type { CreationPlan } from "./creation-plan.js";

/** A creation about to be recorded. */
interface CreationRequest {
  readonly tenantId: string;
  readonly type: "signers" | "custom";
  readonly plan: CreationPlan;
  readonly operationId?: string | undefined;
}

/**
 * Creates an account at once whose signers are named by the caller; its user is a new one. `operationId` names the caller's
 * operation: a repetition finds the creation that the first call recorded, and makes no second account (gap 6). Throws
 * what createOnChain throws.
 */
export async function createFromKeys(
  needs: CreationNeeds,
  network: Network,
  request: CreationRequest,
): Promise<CreatedAccount> {
  const creation = await beginCreation(needs, network, request);
  try {
    return await createOnChain(needs, network, creation);
  } catch (error) {
    // No caller can ask for it again, and no party is to pay for it later.
    if (request.operationId === undefined) await forgetUnsigned(needs.db, creation.id);
    throw error;
  }
}

async function beginCreation(
  needs: { readonly db: Db; readonly random: Random; readonly realClock: Clock },
  network: Network,
  request: CreationRequest,
): Promise<Creation> {
  const creation: Creation = {
    id: request.operationId ?? needs.random.uuid(),
    tenant_id: request.tenantId,
    user_id: needs.random.uuid(),
    type: request.type,
    plan: JSON.stringify(request.plan),
    state: "pending",
    submission_id: null,
    account_address: null,
  };
  const inserted = await needs.db
    .insertInto("account_creation")
    .values({
      ...creation,
      environment: network.name,
      one_time_code_id: null,
      client_key_fingerprint: null,
      answered_at: null,
      created_at: BigInt(network.clock.now()),
      looked_at: BigInt(needs.realClock.now()),
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 1n) return creation;
  const recorded = await needs.db
    .selectFrom("account_creation")
    .selectAll()
    .where("id", "=", creation.id)
    .where("tenant_id", "=", request.tenantId)
    .executeTakeFirst();
  assertOurs(recorded, "an operation id belongs to one tenant");
  return recorded;
}

async function forgetUnsigned(db: Db, id: string): Promise<void> {
  await db
    .deleteFrom("account_creation")
    .where("id", "=", id)
    .where("state", "=", "pending")
    .where("submission_id", "is", null)
    .execute();
}
