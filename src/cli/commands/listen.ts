import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

interface Options {
  readonly url?: string;
  readonly environment?: string;
  readonly type: readonly string[];
  readonly forwardTo?: string;
}

/** `trellis listen`. */
export function addListen(program: Command, { environment }: CommandNeeds): void {
  program
    .command("listen")
    .summary("print a service's events as they happen, and forward them")
    .description("Prints the events of a service as they happen. It needs TRELLIS_API_KEY.")
    .option("--url <url>", "the service (default: http://127.0.0.1 and PORT, or 8080)")
    .option("--environment <name>", "sandbox, devnet or mainnet (default: sandbox)")
    .option(
      "--type <type>",
      "only this type, or its beginning; can be repeated",
      (type, types: string[]) => [...types, type],
      [],
    )
    .option("--forward-to <url>", "send each event to this URL too, signed")
    .action(async ({ url, environment: name, type: types, forwardTo }: Options) => {
      const { listen } = await import("../listen.js");
      await listen(environment, { url, environment: name, types, forwardTo });
    });
}
