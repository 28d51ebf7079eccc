import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Db, Trx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { sql } from "kysely";
import { markChainsEnded, minuteMs } from "../custody/session-chain.js";
import { drawToken, hashToken } from "./session.js";

/** A wallet whose holder has just signed in. */
export interface WalletSignIn {
  readonly tenantId: string;
  readonly environment: EnvironmentName;
  /** The wallet's address. */
  readonly signer: string;
  /** Of the page. */
  readonly origin: string;
  /** What the wallet has signed with it opens one session. */
  readonly nonce: string;
  readonly lifeMs: number;
}

export interface OpenedWalletSession {
  readonly id: string;
  readonly token: string;
  /** Environment time in Unix milliseconds, as the next. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/**
 * Opens a session of a wallet of its holder's own (gap 221). Where the tenant allows one session, those that the wallet had end in the
 * same step. Undefined, and nothing is changed, where the nonce was used.
 */
export async function openWalletSession(
  needs: { readonly db: Db; readonly keyring: Keyring; readonly random: Random },
  network: Pick<Network, "clock">,
  signIn: WalletSignIn,
): Promise<OpenedWalletSession | undefined> {
  const now = network.clock.now();
  const id = needs.random.uuid();
  const token = drawToken(needs.random);
  const expiresAt = now + signIn.lifeMs;
  const isOpen = await needs.db.transaction().execute(async (trx) => {
    const { rows } = await sql`with opened as (
        insert into wallet_session (id, tenant_id, environment, signer_address, origin, nonce, token_hash, created_at, expires_at)
        values (${id}, ${signIn.tenantId}, ${signIn.environment}, ${signIn.signer}, ${signIn.origin}, ${signIn.nonce},
          ${hashToken(needs.keyring, token)}::bytea, ${now}::int8, ${expiresAt}::int8)
        on conflict (nonce) do nothing returning id
      )
      insert into session_chain (id, active_at, refreshed_since, refreshes)
      select id, ${now}::int8, ${now}::int8, 0 from opened returning id`.execute(trx);
    if (rows.length === 0) return false;
    await endFormer(trx, signIn, id, now);
    return true;
  });
  return isOpen ? { id, token, createdAt: now, expiresAt } : undefined;
}

/** Where the tenant allows one session: one sign-in at a time, so that of those at the same moment one stays. */
async function endFormer(trx: Trx, { tenantId, environment, signer }: WalletSignIn, id: string, now: number) {
  const { rows: alone } =
    await sql`select from tenant where id = ${tenantId} and one_session for no key update`.execute(trx);
  if (alone.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    select chain.id from wallet_session as session join session_chain as chain on chain.id = session.id
    where session.tenant_id = ${tenantId} and session.environment = ${environment} and session.signer_address = ${signer}
      and session.id <> ${id} and chain.ended_at is null`.execute(trx);
  await markChainsEnded(
    trx,
    rows.map((row) => row.id),
    now,
    "replaced",
  );
}

/** Notes, at most once a minute, that something its wallet signed is submitted with a session. `now` is environment time. */
export async function markWalletSessionActive(db: Db, id: string, now: number): Promise<void> {
  await sql`update session_chain set active_at = ${now}::int8
    where id = ${id} and ended_at is null and active_at <= ${now - minuteMs}::int8`.execute(db);
}
