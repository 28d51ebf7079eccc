import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { CompiledQuery } from "kysely";

const commandsQuery = `select from wallet join session on session.id = $1
  where wallet.address = $2 and wallet.environment = $3 and coalesce(wallet.commanded_by, wallet.id) = session.wallet_id
  union all select from wallet_session where id = $1 and signer_address = $2 and environment = $3
  limit 1`;

/** Whether a session commands the wallet of an address. */
async function isWalletOfSession(
  db: DbOrTrx,
  environment: EnvironmentName,
  sessionId: string,
  address: string,
): Promise<boolean> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(commandsQuery, [sessionId, address, environment]));
  return rows.length > 0;
}

/**
 * A page lists what its user's own wallet signs for, and nothing of other users: the member `field` of its query names that wallet.
 * Throws `secret_key_required` where `address` is none that the session commands.
 */
export async function requireOwnWallet(
  db: DbOrTrx,
  environment: EnvironmentName,
  { session }: Pick<Caller, "session">,
  { field, address }: { readonly field: string; readonly address: string | undefined },
): Promise<void> {
  const isOwn =
    session !== undefined && address !== undefined && (await isWalletOfSession(db, environment, session.id, address));
  if (!isOwn) {
    throw new TrellisError("secret_key_required", {
      message: `With a publishable key, ${field} names a wallet of the session.`,
    });
  }
}
