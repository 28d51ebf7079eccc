import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { CompiledQuery } from "kysely";
import { tokenForm, tokenMacs } from "./session.js";

const heldQuery = `select exists (
    select from session
    join session_chain as chain on chain.id = session.chain_id
    join app_user on app_user.id = session.user_id
    where session.token_hash = any($1::bytea[]) and session.state <> 'revoked' and chain.ended_at is null
      and app_user.tenant_id = $2 and app_user.environment = $3 and app_user.email = $4
  ) as held`;

/**
 * Whether a token is one of a session that this address has, or had: one that has expired counts for as
 * long as it is kept, one that was revoked does not. It proves which browser asks, and is good for nothing else.
 */
export async function hasHeldSession(
  needs: { readonly db: Db; readonly keyring: Keyring },
  network: Pick<Network, "name">,
  claim: { readonly tenantId: string; readonly email: string; readonly token: string },
): Promise<boolean> {
  if (!tokenForm.test(claim.token)) return false;
  const held = await tokenMacs(needs.keyring).find(claim.token, async (hashes) => {
    const parameters = [hashes, claim.tenantId, network.name, claim.email];
    const { rows } = await needs.db.executeQuery<{ held: boolean }>(CompiledQuery.raw(heldQuery, parameters));
    return rows[0]?.held === true ? true : undefined;
  });
  return held === true;
}
