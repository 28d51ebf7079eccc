import type { Command } from "commander";
import type { CommandNeeds } from "./needs.js";

/** `trellis orders …`: standing orders. */
export function addOrders(program: Command, { environment }: CommandNeeds): void {
  const orders = program
    .command("orders")
    .summary("suspend standing orders, and list what executors hold")
    .description("Standing orders. With the embedded database, stop the service first.");
  orders
    .command("suspend")
    .argument("<id>", "the standing order")
    .description("Keeps a standing order from paying anything new until it is released.")
    .requiredOption("--reason <text>", "why, for operators alone")
    .action(async (id: string, { reason }: { reason: string }, command: Command) => {
      if (reason.trim() === "") command.error("error: --reason says why: it must not be empty.");
      const { changeSuspension } = await import("../suspend-order.js");
      await changeSuspension(environment, id, reason);
    });
  orders
    .command("release")
    .argument("<id>", "the standing order")
    .description("Lets a suspended standing order pay again.")
    .action(async (id: string) => {
      const { changeSuspension } = await import("../suspend-order.js");
      await changeSuspension(environment, id, undefined);
    });
  orders
    .command("list")
    .description("Lists the suspended standing orders, and why.")
    .action(async () => {
      const { listSuspensions } = await import("../suspend-order.js");
      await listSuspensions(environment);
    });
  orders
    .command("executors")
    .description("Lists how many limits the executors of devnet and mainnet hold, and which orders name a former one.")
    .action(async () => {
      const { listExecutors } = await import("../list-executors.js");
      await listExecutors(environment);
    });
}
