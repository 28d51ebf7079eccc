import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

interface Options {
  readonly url?: string;
  readonly environment?: string;
  readonly old?: string;
  readonly oldEnvironment?: string;
  readonly rpc?: string;
  readonly email?: string;
  readonly keep?: string;
  readonly list?: string;
  readonly state?: string;
  readonly mayPropose?: boolean;
}

/** `trellis move`. */
export function addMove(program: Command, { environment }: CommandNeeds): void {
  program
    .command("move")
    .argument("[place]", "the account's settings, or its own address; none with --list")
    .summary("move accounts from a service that closes to this one")
    .description(
      "Moves an account from a service that closes, with its owner's code, and proves that no other key holds authority. " +
        "It needs TRELLIS_API_KEY, and OLD_API_KEY for the other service. It exits with 0 when every account is moved and " +
        "proven, and with 1 when one is not. You can interrupt it at any point and run it again.",
    )
    .option("--url <url>", "this service (default: http://127.0.0.1 and PORT, or 8080)")
    .option("--environment <name>", "sandbox, devnet or mainnet")
    .option("--old <url>", "the service that is left")
    .option("--old-environment <name>", "its word for the environment (default: production for mainnet, else sandbox)")
    .option("--rpc <url>", "JSON-RPC URL of the cluster")
    .option("--email <address>", "whose account it is")
    .option("--keep <addresses>", "the owner's own keys that stay, signers and the admin, separated by commas")
    .option("--list <file>", "many accounts: a line for each with email,settings and the owner's own keys behind them")
    .option("--state <file>", "which accounts are moved already (default: the list's name with .state.json)")
    .option("--may-propose", "where the change needs votes or a time lock, propose it there")
    .action(async (place: string | undefined, given: Options) => {
      const { moveAccounts } = await import("../move.js");
      const { oldEnvironment, mayPropose, ...options } = given;
      process.exitCode = await moveAccounts(environment, {
        ...options,
        place,
        "old-environment": oldEnvironment,
        "may-propose": mayPropose,
      });
    });
}
