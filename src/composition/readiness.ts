import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network, NetworkHealth } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import type { CustodianLogs } from "../audit/cosign-custodians.js";
import type { Readiness } from "../http/operational-endpoints.js";

/** What `/readyz` says: whether the database answers, and any chain. A custodian's log that is not what it was makes it degraded. */
export async function readReadiness(
  db: Db,
  networks: ReadonlyMap<EnvironmentName, Network>,
  { faults }: Pick<CustodianLogs, "faults">,
): Promise<Readiness> {
  const [database, ...chains] = await Promise.all([
    check(async () => {
      await sql`select 1`.execute(db);
      return { ok: true };
    }),
    ...[...networks.values()].map((network) => check(() => network.health())),
  ]);
  const byName = Object.fromEntries([...networks.keys()].map((name, i) => [name, chains[i] ?? { ok: false }]));
  const logs = Object.fromEntries(
    [...faults.keys()].map((name) => [`${name}_log`, { ok: false, message: "is not what it was: see the log" }]),
  );
  return { ready: database.ok && chains.some(({ ok }) => ok), checks: { database, ...byName, ...logs } };
}

async function check(ask: () => Promise<NetworkHealth>): Promise<NetworkHealth> {
  try {
    return await ask();
  } catch {
    // The cause may name machines; this answer is public.
    return { ok: false, message: "does not answer" };
  }
}
