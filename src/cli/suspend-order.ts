import { parseConfig } from "../config/config.js";
import { commandOrder, listSuspendedOrders } from "../operator/suspend-orders.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `trellis orders suspend` and `release` (gap 111): says what the order is now, and ends with 1 where it is not there, or
 * cannot be what it was to be. Throws `DataDirectoryInUseError` while the service runs on the embedded database.
 */
export async function changeSuspension(
  environment: Environment,
  id: string,
  reason: string | undefined,
): Promise<void> {
  const made = await commandOrder(parseConfig(environment), reason === undefined ? { id } : { id, reason });
  if (made === undefined) return refuse(`There is no standing order ${id}.`);
  const { order, isDone } = made;
  const stands = `${order.status}${order.reason === null ? "" : ` (${order.reason})`}`;
  if (!isDone) return refuse(`The standing order ${id} is ${stands}. Nothing was changed.`);
  process.stdout.write(`The standing order ${id} of ${order.account_address} (${order.environment}) is ${stands}.\n`);
}

function refuse(why: string): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = 1;
}

/** `trellis orders list`: the suspended ones, and why. */
export async function listSuspensions(environment: Environment): Promise<void> {
  const orders = await listSuspendedOrders(parseConfig(environment));
  for (const { id, environment: name, account_address: account, suspended_for: why } of orders) {
    process.stdout.write(`${id}  ${name}  ${account}  ${why ?? ""}\n`);
  }
  if (orders.length === 0) process.stdout.write("No standing order is suspended.\n");
}
