import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

interface Options {
  readonly url?: string;
  readonly account?: string;
  readonly state?: string;
}

/** `trellis trigger`. */
export function addTrigger(program: Command, { environment }: CommandNeeds): void {
  const trigger = program
    .command("trigger")
    .argument("<type>", "a type of event, as `trellis trigger list` has them")
    .summary("bring an event about in the sandbox")
    .description("Brings an event about in the sandbox, or makes one up. It needs TRELLIS_API_KEY.")
    .option("--url <url>", "the service (default: http://127.0.0.1 and PORT, or 8080)")
    .option("--account <address>", "an account of yours that the event is to be about, instead of a new one")
    .option("--state <state>", "what the event is to say of its object")
    .action(async (type: string, { url, account, state }: Options) => {
      const { trigger: bringAbout } = await import("../trigger.js");
      await bringAbout(environment, type, { url, environment: "sandbox", account, state });
    });
  trigger
    .command("list")
    .description("Lists every type of event: whether it is made or an example, and which takes --account and --state.")
    .action(async () => {
      const { listTriggers } = await import("../trigger.js");
      process.stdout.write(listTriggers());
    });
}
