import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { heldAccountAddress } from "../accounts/account-store.js";
import { hashStamp, type SignedPayload } from "../custody/match-stamps.js";
import { markPasskeysUsed } from "../custody/passkey/passkey-store.js";
import { markChainsActive, markKeysUsed } from "../custody/session-store.js";
import { reportExhausted } from "../sponsorship/report-exhausted.js";
import { type Reservation, takeFromBudgets, takeFromPages, withBudgetErrors } from "../sponsorship/sponsorship.js";
import { moveIntents, movesOfSubmissions, waitingStates } from "../submissions/intent-states.js";
import type { SignedSubmission } from "../submissions/submission.js";
import { storeSigned } from "../submissions/submission-store.js";
import type { Owner } from "./prepared-store.js";

/** A submission that is about to be recorded. */
export interface NewSubmission {
  readonly signed: SignedSubmission;
  readonly stamps: readonly SignedPayload[];
  readonly reservation: Reservation & { readonly isByPage: boolean };
  /** Whether its bytes were prepared here. */
  readonly isPrepared: boolean;
}

/**
 * The moment a submission becomes real, as one statement: stores the signed bytes, consumes the payloads that were signed
 * for them, notes that their keys were used, moves the payment intent, takes the costs out of the budgets and enters them
 * in the ledger; what a page brings about counts as that too. All or nothing. Returns false, and changes nothing, when these
 * bytes were recorded before, or, prepared here, were refused for good (`refuseForGood`).
 *
 * Throws `sponsorship_limit_exceeded` and `rent_not_sponsored`.
 */
export async function recordSubmission(
  db: Db,
  network: Network,
  { signed, stamps, reservation, isPrepared }: NewSubmission,
): Promise<boolean> {
  const now = network.clock.now();
  const used = sql.join(stamps.map(({ payload, stamp }) => sql`(${payload.id}::text, ${hashStamp(stamp)}::bytea)`));
  const { keyIds, passkeyIds } = unnotedIn(stamps);
  const consumed =
    stamps.length === 0
      ? sql``
      : sql`, consumed as (
          update kms_payload set used_by = ${signed.id}, stamp_hash = stamp.hash
          from recorded, (values ${used}) as stamp (payload_id, hash) where kms_payload.id = stamp.payload_id)`;
  const noted =
    keyIds.length === 0
      ? sql``
      : sql`, used as (${markKeysUsed(keyIds, now, sql`recorded`)}),
        active as (${markChainsActive(keyIds, now, sql`recorded`)})`;
  const touched =
    passkeyIds.length === 0 ? sql`` : sql`, touched as (${markPasskeysUsed(passkeyIds, now, sql`recorded`)})`;
  const pages = reservation.isByPage
    ? sql`, ${takeFromPages(network, reservation, "recorded", { makesAccount: false })}`
    : sql``;
  const reserved =
    signed.reservedLamports === 0n ? sql`` : sql`, ${takeFromBudgets(network, reservation, "recorded")} ${pages}`;
  const statement = sql<{ recorded: boolean }>`
    with open as (${isPrepared ? lockOpen(signed) : whileHeld(signed)}),
    recorded as (${storeSigned([signed], now, "open")}) ${consumed} ${noted} ${touched} ${reserved}
    ${isPrepared ? intentMoved : sql``}
    select exists (select 1 from recorded) as recorded`;
  const { rows } = await withBudgetErrors(reservation.realNow, statement.execute(db), () =>
    reportExhausted(db, network, reservation, now),
  );
  return rows[0]?.recorded === true;
}

/** What signed and is not known to be in use. */
function unnotedIn(stamps: readonly SignedPayload[]) {
  const unnoted = stamps.filter(({ isUseNoted }) => !isUseNoted).map(({ authority }) => authority);
  return {
    keyIds: unnoted.flatMap((each) => (each.kind === "session" ? [each.authorizationKeyId] : [])),
    passkeyIds: unnoted.flatMap((each) => (each.kind === "passkey" ? [each.passkeyId] : [])),
  };
}

const intentMoved = sql.raw(`, moves as (${movesOfSubmissions("recorded")}), moved as (${moveIntents()})`);

/** The row is locked, so that of recording and refusing one is first and the other one sees it. The account's row is held as well. */
function lockOpen(signed: SignedSubmission) {
  return sql`select id from prepared_transaction where id = ${signed.id}::text and refused_at is null
    and ${heldAccountOf(signed)} is not null for update`;
}

const whileHeld = (signed: SignedSubmission) =>
  sql`select ${signed.id}::text as id where ${heldAccountOf(signed)} is not null`;

const heldAccountOf = ({ tenantId, environment, accountAddress }: SignedSubmission) =>
  tenantId === null || accountAddress === null
    ? sql`true`
    : heldAccountAddress({ tenantId, environment, address: accountAddress });

/**
 * Keeps a prepared transaction from ever being recorded, because the response to its caller will say that it cannot land: a
 * slower copy of the same submit must not prove that wrong. A payment intent that waited for it is canceled with it. Does
 * nothing to one that was recorded already, which is for the caller to look up afterwards. `now` is environment time in
 * Unix milliseconds.
 */
export async function refuseForGood(db: Db, owner: Owner, id: string, now: number): Promise<void> {
  await sql`
    with refused as (
      update prepared_transaction set refused_at = ${now}::int8
      where id = ${id} and tenant_id = ${owner.tenantId} and environment = ${owner.environment}
        and account_address = ${owner.accountAddress} and refused_at is null
      returning id
    ), moves as (
      select id as prepared_id, 'canceled' as state, ${now}::int8 as moved_at from refused
    )
    ${sql.raw(moveIntents(waitingStates))}`.execute(db);
}
