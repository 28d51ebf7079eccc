import type { Address } from "@solana/kit";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db, PasskeyCeremonyTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { reportExhausted } from "../sponsorship/report-exhausted.js";
import {
  assertWithinTransactionLimit,
  type Cost,
  takeFromBudgets,
  withBudgetErrors,
} from "../sponsorship/sponsorship.js";
import type { SignedSubmission } from "../submissions/submission.js";
import { storeSigned } from "../submissions/submission-store.js";

/** A challenge that was handed out, and what became of it. */
export type Ceremony = PasskeyCeremonyTable;

/** What is recorded of a new one. */
export type NewCeremony = Omit<Ceremony, "passkey_address" | "submission_id" | "signing_until" | "answers">;

/**
 * Records a challenge. False where it is there already: the same session was asked for in the same slot, by this caller or by
 * another one, so that the challenge is the same.
 */
export async function recordCeremony(db: Db, ceremony: NewCeremony): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("passkey_ceremony")
    .values({ ...ceremony, passkey_address: null, submission_id: null, signing_until: null, answers: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** The ceremony of a challenge, base64url, of whatever tenant and environment. */
export async function findCeremony(db: Db, challenge: string): Promise<Ceremony | undefined> {
  return db.selectFrom("passkey_ceremony").selectAll().where("challenge", "=", challenge).executeTakeFirst();
}

/** Whether a page may still have it signed. `now` is environment time in Unix milliseconds. */
export const isOpen = ({ expires_at, submission_id }: Ceremony, now: number): boolean =>
  submission_id === null && expires_at > BigInt(now);

/** Signed bytes for a ceremony. */
export interface CeremonyBytes {
  readonly signed: SignedSubmission;
  readonly passkeyAddress: Address;
  readonly costs: readonly Cost[];
}

/**
 * Stores signed bytes with their budget, has the ceremony point at them, and notes whose a new passkey is, in one statement. False where another call has moved it on
 * since `ceremony` was read, or where its time has passed: these bytes are forgotten, and no process ever sends them. Throws `sponsorship_limit_exceeded`.
 */
export async function storeCeremonyBytes(
  { db, realClock }: { readonly db: Db; readonly realClock: Clock },
  network: Network,
  ceremony: Ceremony,
  { signed, passkeyAddress, costs }: CeremonyBytes,
): Promise<boolean> {
  assertWithinTransactionLimit(network, signed.reservedLamports);
  const realNow = realClock.now();
  const now = network.clock.now();
  const reservation = { tenantId: ceremony.tenant_id, accountAddress: null, costs, realNow };
  const statement = sql<{ id: string }>`
    with open as materialized (
      select ${signed.id}::text as id from passkey_ceremony
      where challenge = ${ceremony.challenge} and submission_id is not distinct from ${ceremony.submission_id}::text
        and expires_at > ${BigInt(now)}
      for update
    ), recorded as (${storeSigned([signed], now, "open")}),
    ${takeFromBudgets(network, [{ ...reservation, submissionId: signed.id }], realNow, "recorded")},
    made as (
      insert into passkey_signer (environment, address, tenant_id)
      select ${network.name}, ${passkeyAddress}, ${ceremony.tenant_id} from recorded where ${ceremony.kind === "create"}
      on conflict do nothing
    ),
    moved as (
      update passkey_ceremony set submission_id = recorded.id, passkey_address = ${passkeyAddress}, signing_until = null
      from recorded where challenge = ${ceremony.challenge} returning recorded.id
    )
    select id from moved`;
  const { rows } = await withBudgetErrors(realNow, statement.execute(db), () =>
    reportExhausted(db, network, reservation, now),
  );
  return rows.length > 0;
}
