import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { ProvenSession } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { CompiledQuery } from "kysely";
import { isActive } from "../custody/session-chain.js";
import { tokenForm, tokenMacs } from "./session.js";

interface Row {
  readonly id: string;
  readonly chain_id: string;
  /** One of the two is null. */
  readonly user_id: string | null;
  readonly wallet: string | null;
  readonly expires_at: bigint;
  readonly acts_for: boolean;
}

/**
 * A session is good as a proof for as long as signatures of its authorization key are: see `findLiveSessions`. One of a wallet of its
 * holder's own has no such key, and is for the accounts that this wallet itself signs for.
 */
const sessionQuery = `select session.id, session.chain_id, session.user_id, null as wallet, session.expires_at, exists (
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
    and app_user.tenant_id = $3 and app_user.environment = $4
  union all
  select session.id, session.id, null, session.signer_address, session.expires_at, exists (
    select from account_signer as signer
    join account on account.environment = signer.environment and account.address = signer.account_address
    where signer.environment = $4 and signer.account_address = $5 and signer.signer_address = session.signer_address
      and account.tenant_id = $3
  )
  from wallet_session as session
  join session_chain as chain on chain.id = session.id
  join tenant on tenant.id = session.tenant_id
  where session.token_hash = any($1::bytea[]) and session.expires_at > $2 and chain.ended_at is null and ${isActive("$2")}
    and session.tenant_id = $3 and session.environment = $4 and ($6::text is null or session.origin = $6)`;

/**
 * Finds whose session a token is of, in the tenant and the environment (gap 123). With `account`, a wallet that the session
 * commands, or is of, has to be a signer of it. `page` is the origin of the page that calls: a wallet's session is good on the page that it
 * was signed for, and for callers without a page. Throws `session_required` without a token, `invalid_session` for one that is no good, and
 * `account_not_found` for an account of another user, as for one that does not exist.
 */
export async function proveSession(
  needs: { readonly db: Db; readonly keyring: Keyring },
  network: Pick<Network, "name" | "clock">,
  claim: {
    readonly tenantId: string;
    readonly token: string | undefined;
    readonly account: string | undefined;
    readonly page: string | undefined;
  },
): Promise<ProvenSession> {
  const { tenantId, token, account, page } = claim;
  if (token === undefined || token === "") throw new TrellisError("session_required");
  if (!tokenForm.test(token)) throw new TrellisError("invalid_session");
  const isAddress = account === undefined || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(account);
  const row = await tokenMacs(needs.keyring).find(token, async (hashes) => {
    const now = BigInt(network.clock.now());
    const parameters = [hashes, now, tenantId, network.name, isAddress ? (account ?? "") : "", page ?? null];
    const { rows } = await needs.db.executeQuery<Row>(CompiledQuery.raw(sessionQuery, parameters));
    return rows[0];
  });
  if (row === undefined) throw new TrellisError("invalid_session");
  if (account !== undefined && !row.acts_for) throw new TrellisError("account_not_found");
  return toProven(row);
}

function toProven({ id, chain_id: chainId, user_id: userId, wallet, expires_at }: Row): ProvenSession {
  const session = { id, chainId, expiresAt: Number(expires_at) };
  if (wallet !== null) return { ...session, kind: "wallet", wallet };
  assertOurs(userId, "a session is of a user or of a wallet");
  return { ...session, kind: "user", userId };
}
