import { assertOurs } from "../../errors.js";
import type { Db } from "../../ports/database.js";
import type { Network } from "../../ports/network.js";
import type { Random } from "../../ports/random.js";
import type { Creation } from "./create-on-chain.js";
import { type CreationPlan, planKeyAccount } from "./creation-plan.js";
import type { CheckedPolicy } from "./policy.js";

/** A creation about to be recorded. */
interface CreationRequest {
  readonly tenantId: string;
  readonly type: "signers" | "custom";
  readonly operationId?: string | undefined;
}

/**
 * Records the creation of an account whose signers are keys that exist. `operationId` names the caller's operation: a
 * repetition finds the creation that the first call recorded, and makes no second account (gap 6).
 */
export async function beginKeyCreation(
  needs: { readonly db: Db; readonly random: Random },
  network: Network,
  request: CreationRequest & { readonly policy: CheckedPolicy; readonly memo: string | null },
): Promise<Creation> {
  return beginPlannedCreation(needs, network, { ...request, plan: planKeyAccount(request.policy, request.memo) });
}

/** The same for a plan whose wallets custodians make; the account's user is a new one. */
export async function beginPlannedCreation(
  needs: { readonly db: Db; readonly random: Random },
  network: Network,
  request: CreationRequest & { readonly plan: CreationPlan },
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
