import { assertOurs } from "@trellis/kernel/errors.js";
import { groupCommit } from "@trellis/kernel/group-commit.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { namesOf, typedRows } from "@trellis/kernel/typed-rows.js";
import { sql } from "kysely";
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
  const isNew = await beginTogether(needs.db, {
    creation,
    now: network.clock.now(),
    realNow: needs.realClock.now(),
    network,
  });
  if (isNew) return creation;
  const recorded = await needs.db
    .selectFrom("account_creation")
    .selectAll()
    .where("id", "=", creation.id)
    .where("tenant_id", "=", request.tenantId)
    .executeTakeFirst();
  assertOurs(recorded, "an operation id belongs to one tenant");
  return recorded;
}

interface Beginning {
  readonly network: Pick<Network, "name">;
  readonly creation: Creation;
  /** Environment time, Unix milliseconds. */
  readonly now: number;
  /** Real time, Unix milliseconds. */
  readonly realNow: number;
}

const creationColumns = {
  id: "text",
  environment: "text",
  tenant_id: "text",
  user_id: "text",
  type: "text",
  plan: "text",
  created_at: "int8",
  looked_at: "int8",
} as const;

/** Records creations, and says of each whether its id is new. A tenant that is being frozen holds up its own alone. */
const beginTogether = groupCommit<Db, Beginning, boolean>(
  {
    laneOf: ({ network, creation }) => `${network.name} ${creation.tenant_id}`,
    keyOf: ({ creation }) => creation.id,
  },
  async (db, all) => {
    const begun = all.map(({ network, creation, now, realNow }) => ({
      id: creation.id,
      environment: network.name,
      tenant_id: creation.tenant_id,
      user_id: creation.user_id,
      type: creation.type,
      plan: creation.plan,
      created_at: BigInt(now),
      looked_at: BigInt(realNow),
    }));
    const names = namesOf(creationColumns);
    const { rows } = await sql<{ id: string }>`insert into account_creation (${names}, state)
      select ${names}, 'pending' from ${typedRows("begun", creationColumns, begun)} order by id
      on conflict (id) do nothing returning id`.execute(db);
    const ids = new Set(rows.map(({ id }) => id));
    return all.map(({ creation }) => ids.has(creation.id));
  },
);

async function forgetUnsigned(db: Db, id: string): Promise<void> {
  await db
    .deleteFrom("account_creation")
    .where("id", "=", id)
    .where("state", "=", "pending")
    .where("submission_id", "is", null)
    .execute();
}
