import type { Caller } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { getAccountRow } from "../accounts/account-store.js";
import type { AccountSessions } from "../people/end-sessions.js";

/**
 * Whose sessions a caller may see and end: with a publishable key those of the user who is signed in, with a secret key those
 * of all users who sign for the account. Throws `account_not_found`.
 */
export async function getSessionScope(
  db: Db,
  caller: Caller,
  network: Network,
  address: string,
): Promise<AccountSessions> {
  const scope = { tenantId: caller.tenantId, environment: network.name };
  const account = await getAccountRow(db, { ...scope, address });
  const userId = caller.isPublishable === true ? caller.session?.userId : undefined;
  return { ...scope, account: account.address, userId };
}
