import type { Caller, ProvenSession } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { getAccountRow } from "../accounts/account-store.js";
import type { AccountSessions, SessionHolder } from "../people/end-sessions.js";

/**
 * Whose sessions a caller may see and end: with a publishable key those of the user or wallet that is signed in, with a secret key those
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
  if (caller.isPublishable !== true) return { ...scope, account: account.address };
  assertOurs(caller.session, "a page has shown a session");
  return { ...scope, account: account.address, holder: holderOf(caller.session) };
}

const holderOf = (session: ProvenSession): SessionHolder =>
  session.kind === "user" ? { userId: session.userId } : { wallet: session.wallet };
