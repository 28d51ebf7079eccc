import { parseConfig } from "../config/config.js";
import { listExecutorLimits } from "../operator/list-executors.js";
import type { ExecutorLimits, OfferedRenewals } from "../standing-orders/executor-limits.js";

/** `trellis orders executors`: what present and former executors may still draw on (gap 130). */
export async function listExecutors(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  const clusters = await listExecutorLimits(parseConfig(environment));
  for (const { environment: name, executors, renewals } of clusters) {
    process.stdout.write(describeExecutors(name, executors, renewals));
  }
  if (clusters.length === 0) process.stdout.write("Neither devnet nor mainnet is configured.\n");
}

/** What is said of an environment's executors. */
export function describeExecutors(
  name: string,
  executors: readonly ExecutorLimits[],
  renewals: OfferedRenewals,
): string {
  const lines: string[] = [];
  const former = executors.filter(({ isPresent }) => !isPresent);
  for (const { executor, count } of executors.filter(({ isPresent }) => isPresent)) {
    lines.push(`${name}  ${executor}  the executor  ${limitsText(count)}`);
  }
  for (const { executor, count, orders } of former) {
    lines.push(`${name}  ${executor}  a former executor  ${limitsText(count)}: the holder of its key can draw on them`);
    for (const { id, account_address: account, status, reason, mandate } of orders) {
      lines.push(`  ${id}  ${account}  ${status}${reason === null ? "" : ` (${reason})`}  limit ${mandate}`);
    }
    if (count > orders.length) lines.push(`  and ${count - orders.length} more`);
  }
  if (renewals.count > 0) {
    const offered = renewals.count === 1 ? "1 renewal is" : `${renewals.count} renewals are`;
    lines.push(
      `${name}  ${offered} offered: one from before a change of executor names the former one, and may still be sent to the chain`,
    );
    for (const { id, account_address: account, renewal_limit_address: limit } of renewals.orders) {
      lines.push(`  ${id}  ${account}  renewal ${limit}`);
    }
    if (renewals.count > renewals.orders.length) lines.push(`  and ${renewals.count - renewals.orders.length} more`);
  } else if (former.length === 0) {
    lines.push(`${name}  No former executor holds a limit that a standing order knows of.`);
  }
  return `${lines.join("\n")}\n`;
}

function limitsText(count: number): string {
  return count === 1 ? "1 limit" : `${count} limits`;
}
