import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { ProvenSession } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { CompiledQuery } from "kysely";
import { isActive } from "../custody/session-chain.js";
import { tokenForm, tokenMacs } from "./session.js";

interface Row {
  readonly id: string;
  readonly chain_id: string;
  readonly user_id: string;
  readonly expires_at: bigint;
  readonly acts_for: boolean;
}

/** A session is good as a proof for as long as signatures of its authorization key are: see `findLiveSessions`. */
const sessionQuery = `select session.id, session.chain_id, session.user_id, session.expires_at, exists (
    select from account_signer as signer
    join account on account.environment = signer.environment and account.address = signer.account_address
    join wallet on wallet.id = signer.wallet_id
    where signer.environment = $4 and signer.account_address = $5
      and coalesce(wallet.commanded_by, wallet.id) = session.wallet_id
      and account.tenant_id = $3
  ) as acts_for
  from session
  join session_chain as chain on chain.id = session.chain_id
  join app_user on app_user.id = session.user_id
  join tenant on tenant.id = app_user.tenant_id
  where session.token_hash = any($1::bytea[]) and session.expires_at > $2 and session.state <> 'revoked'
    and session.key_revoked_at is null and chain.ended_at is null and ${isActive("$2")}
    and app_user.tenant_id = $3 and app_user.environment = $4`;

/**
 * Finds whose session a token is of, in the tenant and the environment (gap 123). With `account`, a wallet that the session
 * commands has to be a signer of it. Throws `session_required` without a token, `invalid_session` for one that is no good, and
 * `account_not_found` for an account of another user, as for one that does not exist.
 */
export async function proveSession(
  needs: { readonly db: Db; readonly keyring: Keyring },
  network: Pick<Network, "name" | "clock">,
  claim: { readonly tenantId: string; readonly token: string | undefined; readonly account: string | undefined },
): Promise<ProvenSession> {
  const { tenantId, token, account } = claim;
  if (token === undefined || token === "") throw new TrellisError("session_required");
  if (!tokenForm.test(token)) throw new TrellisError("invalid_session");
  const isAddress = account === undefined || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(account);
  const row = await tokenMacs(needs.keyring).find(token, async (hashes) => {
    const parameters = [hashes, BigInt(network.clock.now()), tenantId, network.name, isAddress ? (account ?? "") : ""];
    const { rows } = await needs.db.executeQuery<Row>(CompiledQuery.raw(sessionQuery, parameters));
    return rows[0];
  });
  if (row === undefined) throw new TrellisError("invalid_session");
  if (account !== undefined && !row.acts_for) throw new TrellisError("account_not_found");
  return { id: row.id, chainId: row.chain_id, userId: row.user_id, expiresAt: Number(row.expires_at) };
}
