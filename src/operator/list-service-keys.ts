import type { Address } from "@solana/kit";
import { openCommandRpc } from "../adapters/chain/command-rpc.js";
import { createRealClock } from "../adapters/system.js";
import type { Config } from "../config/config.js";
import { findExecutorLimits } from "../standing-orders/executor-limits.js";
import { type FeePayerUse, findFeePayerUse } from "../transactions/fee-payer-use.js";
import { withDatabase } from "./with-database.js";

/** A configured key of the service on a cluster. */
export interface ListedKey {
  readonly environment: string;
  readonly address: Address;
  /** Null: the cluster's node does not say. */
  readonly lamports: bigint | null;
  readonly role:
    | { readonly name: "fee payer" }
    | { readonly name: "former fee payer"; readonly use: FeePayerUse }
    | { readonly name: "passkey payer" }
    | { readonly name: "executor"; readonly limits: number }
    | { readonly name: "former executor"; readonly limits: number };
}

/** The keys of each configured cluster, what they hold, and what former ones are still needed for. */
export function listServiceKeys(config: Config): Promise<readonly ListedKey[]> {
  return withDatabase(config, async ({ db }) => {
    const now = createRealClock().now();
    const listed: ListedKey[] = [];
    for (const cluster of config.clusters) {
      const { name: environment, urls, feePayer, executor, formerFeePayer, formerExecutor, passkeyPayer } = cluster;
      const rpc = openCommandRpc(urls[0] ?? "");
      const add = async (address: Address, role: ListedKey["role"]): Promise<void> => {
        const held = await rpc
          .getBalance(address, { commitment: "confirmed" })
          .send()
          .catch(() => undefined);
        listed.push({ environment, address, role, lamports: held?.value ?? null });
      };
      await add(feePayer.address, { name: "fee payer" });
      if (formerFeePayer !== null) {
        const use = await findFeePayerUse(db, environment, formerFeePayer.address, now);
        await add(formerFeePayer.address, { name: "former fee payer", use });
      }
      const known = await findExecutorLimits(db, environment, executor?.address, { now, most: 1 });
      const limitsOf = (address: Address) => known.find((one) => one.executor === address)?.count ?? 0;
      if (executor !== null) await add(executor.address, { name: "executor", limits: limitsOf(executor.address) });
      if (formerExecutor !== null) {
        await add(formerExecutor.address, { name: "former executor", limits: limitsOf(formerExecutor.address) });
      }
      if (passkeyPayer !== null) await add(passkeyPayer.address, { name: "passkey payer" });
    }
    return listed;
  });
}
