import { parseConfig } from "../config/config.js";
import { type AccountName, commandRelease, type ReleaseByOperator } from "../operator/release-account.js";

/**
 * `trellis account release` (gap 196): says what became of it, and ends with 1 where the account is as it was. Throws
 * `DataDirectoryInUseError` while the service runs on the embedded database.
 */
export async function runAccountRelease(
  environment: Readonly<Record<string, string | undefined>>,
  account: AccountName,
): Promise<void> {
  const released = await commandRelease(parseConfig(environment), account);
  const text = `${describeRelease(account.address, released).join("\n")}\n`;
  if (released.outcome === "released") process.stdout.write(text);
  else {
    process.stderr.write(text);
    process.exitCode = 1;
  }
}

/** What became of it, in lines. */
export function describeRelease(address: string, released: ReleaseByOperator): readonly string[] {
  switch (released.outcome) {
    case "released":
      return [`The account ${address} (${released.environment}) is released by ${released.tenant}.`];
    case "unknown":
      return [`There is no account ${address}.`];
    case "ambiguous":
      return [`The account ${address} is in ${released.environments.join(" and ")}: name one with --environment.`];
    case "created_here":
      return [`The account ${address} was created here, and is not released. Nothing was changed.`];
    case "tenant_frozen":
      return [`The tenant of ${address} is frozen. Nothing was changed.`];
    case "in_use":
      return [
        `The account ${address} is in use. Nothing was changed. What has to end first:`,
        ...released.obstacles.map(({ type, id }) => `  ${type}  ${id}`),
      ];
  }
}
