import { type Custodian, CustodianUnavailable, type Wallet } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { CompiledQuery } from "kysely";

const recordStatement = `insert into wallet (id, provider, owner_id, environment, address, number, is_guarded, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict do nothing`;

/** Finds it as it is recorded, whatever its custodian was then. */
const isRecordedStatement = `update wallet set is_guarded = $7
  where id = $1 and provider = $2 and owner_id = $3 and environment = $4 and address = $5 and number = $6
  returning created_at`;

/**
 * A custodian of another process, whose wallets are recorded here, before anything is said of them: which wallet is whose is asked of the service's
 * own database from then on, wherever the custodian keeps its keys. One that names another wallet for an owner than it did before,
 * or a wallet of another owner's, has not answered: `CustodianUnavailable`.
 */
export function recordWallets(db: Db, custodian: Custodian): Custodian {
  /** Returns when it was made, as the first that asked for it has recorded. */
  async function record(wallet: Wallet, environment: EnvironmentName, number: number): Promise<number> {
    const { id, provider, ownerId, address, createdAt } = wallet;
    const facts = [id, provider, ownerId, environment, address, number, custodian.isGuardian === true];
    const made = await db.executeQuery(CompiledQuery.raw(recordStatement, [...facts, BigInt(createdAt)]));
    if (made.numAffectedRows === 1n) return createdAt;
    const known = await db.executeQuery<{ created_at: bigint }>(CompiledQuery.raw(isRecordedStatement, facts));
    const [row] = known.rows;
    if (row !== undefined) return Number(row.created_at);
    throw new CustodianUnavailable(
      "provider_error",
      `${provider} says that ${address} is the wallet of ${ownerId}, which is not what is recorded`,
    );
  }

  return {
    ...custodian,
    async ensureWallet(request) {
      const wallet = await custodian.ensureWallet(request);
      const { ownerId, environment, number = 1 } = request;
      const createdAt = await record({ ...wallet, provider: custodian.provider, ownerId }, environment, number);
      return { ...wallet, createdAt };
    },
  };
}
