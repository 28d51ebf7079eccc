import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { findObstacles, type Obstacle } from "../account-releases/obstacles.js";
import { mayBeImported, storeRelease } from "../account-releases/release-store.js";
import { createRealClock } from "../adapters/system.js";
import type { Config } from "../config/config.js";
import { withDatabase } from "./with-database.js";

/** Which account an operator means. */
export interface AccountName {
  readonly address: string;
  /** Absent: the one in which it is here. */
  readonly environment?: string | undefined;
}

/** What became of it. */
export type ReleaseByOperator =
  | { readonly outcome: "released"; readonly environment: string; readonly tenant: string }
  | { readonly outcome: "unknown" | "created_here" | "tenant_frozen" }
  | { readonly outcome: "ambiguous"; readonly environments: readonly string[] }
  | { readonly outcome: "in_use"; readonly obstacles: readonly Obstacle[] };

/** Releases an account in the database alone: see `releaseForOperator`. */
export function commandRelease(config: Config, account: AccountName): Promise<ReleaseByOperator> {
  return withDatabase(config, ({ db }) => releaseForOperator(db, account, createRealClock().now()));
}

/**
 * Releases an account that a tenant has imported, without a signer's proof: for owners whose account is with a tenant that does not release
 * it. Else it is the release by a call, with the same obstacles, and the audit log names the operator.
 */
export async function releaseForOperator(
  db: Db,
  { address, environment }: AccountName,
  realNow: number,
): Promise<ReleaseByOperator> {
  const named = db.selectFrom("account").selectAll().where("address", "=", address);
  const rows = await (environment === undefined ? named : named.where("environment", "=", environment)).execute();
  const [row] = rows;
  if (row === undefined) return { outcome: "unknown" };
  if (rows.length > 1) return { outcome: "ambiguous", environments: rows.map((each) => each.environment).sort() };
  if (!(await mayBeImported(db, row))) return { outcome: "created_here" };
  // The environment's clock is not at hand: it is no earlier than what was last done with the account.
  const now = Math.max(realNow, Number(row.updated_at));
  const whose = { tenantId: row.tenant_id, environment: row.environment, address };
  const obstacles = await findObstacles(db, whose, now);
  if (obstacles.length > 0) return { outcome: "in_use", obstacles };
  try {
    await storeRelease(db, row, { actor: "operator" }, now);
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    if (error.code === "account_not_found") return { outcome: "unknown" };
    if (error.code === "tenant_frozen") return { outcome: "tenant_frozen" };
    if (error.code === "account_in_use") return { outcome: "in_use", obstacles: await findObstacles(db, whose, now) };
    throw error;
  }
  return { outcome: "released", environment: row.environment, tenant: row.tenant_id };
}
