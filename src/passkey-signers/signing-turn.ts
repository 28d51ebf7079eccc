import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { type RawBuilder, sql } from "kysely";

/** What one call at a time has signed. The rows of such a table have `signing_until`, and `answers` of their challenge. */
export interface SigningTurn {
  readonly table: "passkey_ceremony" | "passkey_approval";
  /** Which row has the claim. */
  readonly row: RawBuilder<boolean>;
  /** Whether things still are as the caller has read them. Where they are not, nothing is to be signed for what was read. */
  readonly isUnchanged: RawBuilder<boolean>;
}

interface SigningNeeds {
  readonly db: Db;
  readonly realClock: Clock;
  readonly pause: Pause;
}

/**
 * Counts an answer to a challenge that came without an API key and has the chain read: that costs more than asking for it. Throws
 * `passkey_challenge_over` where there were as many as one challenge may have, and `submission_in_progress` where one of them is being carried
 * out.
 */
export async function countAnswer(
  { db, realClock }: Pick<SigningNeeds, "db" | "realClock">,
  challenge: string,
  { table, row, isUnchanged }: SigningTurn,
): Promise<void> {
  const { numAffectedRows } = await sql`update ${sql.table(table)} set answers = answers + 1
    where challenge = ${challenge} and answers < ${limits.signerAnswersMax}`.execute(db);
  if (numAffectedRows === 1n) return;
  const { rows } = await sql<object>`select challenge from ${sql.table(table)}
    where ${row} and (signing_until > ${BigInt(realClock.now())} or not ${isUnchanged})`.execute(db);
  if (rows.length > 0) throw new TrellisError("submission_in_progress");
  throw new TrellisError("passkey_challenge_over", { message: "This challenge was answered too often. Begin again." });
}

/** How often a call asks for what another one is about to store. */
const signingWaitMs = 250;

/**
 * Has a transaction signed, and stored by `sign` too, which one call does at a time: each signature may cost money, and counts
 * against a limit of the key's holder. Waits for its turn; undefined where things have changed meanwhile. Throws `submission_in_progress`
 * where others have it for all of that time. The claim of a process that dies ends by itself.
 */
export async function signAlone<Signed>(
  needs: SigningNeeds,
  turn: SigningTurn,
  sign: () => Promise<Signed>,
): Promise<Signed | undefined> {
  /** The one claim that was there all the time. */
  let seen: bigint | null = null;
  for (let waitedMs = 0; ; waitedMs += signingWaitMs) {
    const isOver = waitedMs >= limits.signerSigningMs;
    const claim = await claimSigning(needs, turn, isOver ? seen : null);
    if (claim !== undefined) {
      try {
        return await sign();
      } finally {
        // One that another call has made since stays.
        await sql`update ${sql.table(turn.table)} set signing_until = null
          where ${turn.row} and signing_until = ${claim}`.execute(needs.db);
      }
    }
    const other = await findClaim(needs, turn);
    if (other === undefined) return undefined;
    if (isOver) throw new TrellisError("submission_in_progress");
    seen = waitedMs === 0 || other === seen ? other : null;
    await needs.pause(signingWaitMs);
  }
}

/**
 * Claims that this call, and no other one, has bytes signed. Undefined where another one has claimed it, or where things have changed.
 * `outlived` is a claim that the caller has waited for, as long as one lasts: it counts no more, also where the clock stands still.
 */
async function claimSigning(
  { db, realClock }: SigningNeeds,
  { table, row, isUnchanged }: SigningTurn,
  outlived: bigint | null,
): Promise<bigint | undefined> {
  const now = realClock.now();
  // Another one than the claim that it replaces.
  const until = BigInt(Math.max(now + limits.signerSigningMs, Number(outlived ?? 0n) + 1));
  const { numAffectedRows } = await sql`update ${sql.table(table)} set signing_until = ${until}
    where ${row} and ${isUnchanged}
      and (signing_until is null or signing_until <= ${BigInt(now)} or signing_until = ${outlived}::int8)`.execute(db);
  return numAffectedRows === 1n ? until : undefined;
}

/** The claim that there is, null for none; undefined where things have changed. */
async function findClaim(
  { db }: SigningNeeds,
  { table, row, isUnchanged }: SigningTurn,
): Promise<bigint | null | undefined> {
  const { rows } = await sql<{ signing_until: bigint | null }>`select signing_until from ${sql.table(table)}
    where ${row} and ${isUnchanged}`.execute(db);
  return rows[0]?.signing_until;
}
