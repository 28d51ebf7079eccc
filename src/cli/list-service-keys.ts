import { parseConfig } from "../config/config.js";
import { type ListedKey, listServiceKeys } from "../operator/list-service-keys.js";

/** `trellis service-keys`: the service's own keys, what they hold, and when a former one can go. */
export async function showServiceKeys(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  const keys = await listServiceKeys(parseConfig(environment));
  process.stdout.write(keys.map((key) => `${describeServiceKey(key)}\n`).join(""));
  if (keys.length === 0) process.stdout.write("Neither devnet nor mainnet is configured.\n");
}

/** One key in a line. */
export function describeServiceKey({ environment, address, lamports, role }: ListedKey): string {
  const held = lamports === null ? "balance unknown: its node does not answer" : `${solOf(lamports)} SOL`;
  const line = `${environment}  ${address}  ${role.name}  ${held}`;
  if (role.name === "fee payer" || role.name === "passkey payer") return line;
  if (role.name === "executor") return `${line}  ${limitsText(role.limits)}`;
  if (role.name === "former executor") {
    const end = role.limits === 0 ? "it can go" : "it can go once `trellis orders executors` lists it no more";
    return `${line}  ${limitsText(role.limits)}: ${end}`;
  }
  const { waiting, until, underWay } = role.use;
  const onTheirWay = underWay === 0 ? "" : `; ${underWay} submitted and undecided, which need it no more`;
  if (waiting === 0) return `${line}  it can go: nothing that was prepared for it is left${onTheirWay}`;
  const last = until === null ? "" : `, the last until ${new Date(until).toISOString()}`;
  return `${line}  needed for ${waiting} prepared and not submitted${last}${onTheirWay}`;
}

function limitsText(count: number): string {
  return count === 1 ? "1 limit names it" : `${count} limits name it`;
}

function solOf(lamports: bigint): string {
  return `${lamports / 1_000_000_000n}.${(lamports % 1_000_000_000n).toString().padStart(9, "0")}`;
}
