import { assertOurs } from "@trellis/kernel/errors.js";
import { groupCommit } from "@trellis/kernel/group-commit.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { typedRows } from "@trellis/kernel/typed-rows.js";
import { type RawBuilder, sql } from "kysely";
import { hashStamp, type SignedPayload } from "../custody/match-stamps.js";
import { markPasskeysUsed } from "../custody/passkey/passkey-store.js";
import { markChainsActive, markKeysUsed } from "../custody/session-store.js";
import { reportExhausted } from "../sponsorship/report-exhausted.js";
import {
  type BoundedSpender,
  type Reservation,
  takeFromBudgets,
  takeFromShares,
  withBudgetErrors,
} from "../sponsorship/sponsorship.js";
import { moveIntents, movesOfSubmissions, waitingStates } from "../submissions/intent-states.js";
import type { SignedSubmission } from "../submissions/submission.js";
import { storeSigned } from "../submissions/submission-store.js";
import type { Owner } from "./prepared-store.js";

/** A submission that is about to be recorded. */
export interface NewSubmission {
  readonly signed: SignedSubmission;
  readonly stamps: readonly SignedPayload[];
  readonly reservation: Reservation & { readonly spender: BoundedSpender | undefined };
  /** Whether its bytes were prepared here. */
  readonly isPrepared: boolean;
}

/**
 * The moment a submission becomes real: stores the signed bytes, consumes the payloads that were signed for them, notes that
 * their keys were used, moves the payment intent, takes the costs out of the budgets and enters them in the ledger; what a page
 * or an agent brings about counts as that too. All or nothing, and with the others that a tenant records at that moment in one statement.
 * Returns false, and changes nothing, when these bytes were recorded before, or, prepared here, were refused for good
 * (`refuseForGood`).
 *
 * Throws `sponsorship_limit_exceeded` and `rent_not_sponsored`.
 */
export function recordSubmission(db: Db, network: Network, submission: NewSubmission): Promise<boolean> {
  const { reservation } = submission;
  return withBudgetErrors(reservation.realNow, recordTogether(db, { ...submission, network }), () =>
    reportExhausted(db, network, reservation, network.clock.now()),
  );
}

type Recording = NewSubmission & { readonly network: Network };

/** A day's budgets are drawn from in one statement, and bytes that were prepared here are locked in another way. */
const recordTogether = groupCommit<Db, Recording, boolean>(
  {
    laneOf: ({ network, signed, isPrepared }) =>
      `${network.name} ${signed.tenantId} ${signed.reservedOn} ${isPrepared}`,
    keyOf: ({ signed }) => signed.id,
  },
  recordAll,
);

async function recordAll(db: Db, recordings: readonly Recording[]): Promise<readonly boolean[]> {
  const [first] = recordings;
  assertOurs(first, "nothing is not recorded");
  const { network, isPrepared } = first;
  const now = network.clock.now();
  const all = recordings.map(({ signed }) => signed);
  const statement = sql<{ id: string }>`
    with open as materialized (${isPrepared ? lockOpen(all) : whileHeld(all)}),
    recorded as (${storeSigned(all, now, "open")}) ${consumed(recordings)} ${noted(recordings, now)}
    ${drawn(network, recordings)} ${isPrepared ? intentsMoved : sql``}
    select id from recorded`;
  const recorded = new Set((await statement.execute(db)).rows.map(({ id }) => id));
  return all.map(({ id }) => recorded.has(id));
}

const stampColumns = { payload_id: "text", submission_id: "text", hash: "bytea" } as const;

/** Consumes the payloads that were signed for what is recorded. */
function consumed(recordings: readonly Recording[]): RawBuilder<unknown> {
  const rows = recordings.flatMap(({ signed, stamps }) =>
    stamps.map(({ payload, stamp }) => ({
      payload_id: payload.id,
      submission_id: signed.id,
      hash: hashStamp(stamp),
    })),
  );
  if (rows.length === 0) return sql``;
  return sql`, consumed as (
      update kms_payload set used_by = recorded.id, stamp_hash = stamp.hash
      from recorded join ${typedRows("stamp", stampColumns, rows)} on stamp.submission_id = recorded.id
      where kms_payload.id = stamp.payload_id)`;
}

const useColumns = { id: "text", submission_id: "text" } as const;

/** Notes the use of the keys that signed what is recorded, where that is not noted yet. */
function noted(recordings: readonly Recording[], now: number): RawBuilder<unknown> {
  const unnoted = recordings.flatMap(({ signed, stamps }) =>
    stamps
      .filter(({ isUseNoted }) => !isUseNoted)
      .map(({ authority }) => ({
        kind: authority.kind,
        id: authority.kind === "session" ? authority.authorizationKeyId : authority.passkeyId,
        submission_id: signed.id,
      })),
  );
  const usesOf = (kind: SignedPayload["authority"]["kind"]) => unnoted.filter((use) => use.kind === kind);
  const idsOf = (uses: typeof unnoted) =>
    sql`select signing.id from recorded join ${typedRows("signing", useColumns, uses)} on signing.submission_id = recorded.id`;
  const [keys, passkeys] = [usesOf("session"), usesOf("passkey")];
  return sql`${keys.length === 0 ? sql`` : sql`, used as (${markKeysUsed(idsOf(keys), now)}), active as (${markChainsActive(idsOf(keys), now)})`}
    ${passkeys.length === 0 ? sql`` : sql`, touched as (${markPasskeysUsed(idsOf(passkeys), now)})`}`;
}

/** Takes out of the budgets what is recorded, as far as the service pays for it. */
function drawn(network: Network, recordings: readonly Recording[]): RawBuilder<unknown> {
  const paid = recordings.filter(({ signed }) => signed.reservedLamports > 0n);
  const [first] = paid;
  if (first === undefined) return sql``;
  const { realNow } = first.reservation;
  const reservationOf = ({ signed, reservation }: Recording) => ({ ...reservation, submissionId: signed.id });
  const bounded = paid.flatMap((recording) => {
    const { spender } = recording.reservation;
    return spender === undefined ? [] : [{ ...reservationOf(recording), spender }];
  });
  return sql`, ${takeFromBudgets(network, paid.map(reservationOf), realNow, "recorded")}
    ${bounded.length === 0 ? sql`` : sql`, ${takeFromShares(network, bounded, realNow, "recorded")}`}`;
}

const intentsMoved = sql.raw(`, moves as (${movesOfSubmissions("recorded")}), moved as (${moveIntents()})`);

const heldColumns = { id: "text", environment: "text", address: "text", tenant_id: "text" } as const;

const heldRows = (all: readonly SignedSubmission[]) =>
  typedRows(
    "held",
    heldColumns,
    all.map(({ id, environment, accountAddress, tenantId }) => ({
      id,
      environment,
      address: accountAddress,
      tenant_id: tenantId,
    })),
  );

/** The account's row is held; where there is none, as an account is only just made, there is nothing to hold. */
const isHeld = sql.raw(`(held.address is null or held.tenant_id is null
    or held_account(held.environment, held.address, held.tenant_id) is not null)`);

/**
 * The rows are locked, always in the same order, so that of recording and refusing one is first and the other one sees it. The
 * accounts' rows are held as well.
 */
const lockOpen = (all: readonly SignedSubmission[]) =>
  sql`select prepared.id from ${heldRows(all)} join prepared_transaction as prepared on prepared.id = held.id
    where prepared.refused_at is null and ${isHeld} order by prepared.id for update of prepared`;

const whileHeld = (all: readonly SignedSubmission[]) =>
  sql`select held.id from ${heldRows(all)} where ${isHeld} order by held.id`;

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
