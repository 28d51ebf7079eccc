import { Buffer } from "node:buffer";
import { CompiledQuery } from "kysely";
import type { Keyring } from "../crypto/envelope.js";
import { groupCommit } from "../group-commit.js";
import { limits } from "../limits.js";
import type { Db, IdempotencyRecordTable } from "../ports/database.js";
import { plainStatement, type RowOf } from "../typed-rows.js";

/** Where a key counts: nothing outside it is ever compared with it (gap 6). */
export interface IdempotencyScope {
  readonly tenantId: string;
  readonly environment: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** An answer as it went out: replaying it needs nothing else. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a request with a key finds. */
export type Begun =
  /** No other attempt runs it: this one does, and has to finish, yield or release it. */
  | { readonly kind: "run"; readonly attemptId: string }
  /** It ran, with this answer. */
  | { readonly kind: "replay"; readonly answer: StoredAnswer }
  /** Another attempt runs it at present. */
  | { readonly kind: "in_progress" }
  /** The key was used with another request. */
  | { readonly kind: "reused" };

type Found = Pick<IdempotencyRecordTable, "fingerprint" | "state" | "answer">;

const pickRow = "tenant_id = $1 and environment = $2 and method = $3 and path = $4 and idempotency_key = $5";

const placeColumns = {
  tenant_id: "text",
  environment: "text",
  method: "text",
  path: "text",
  idempotency_key: "text",
} as const;

const placeNames = Object.keys(placeColumns).join(", ");

// One statement takes fresh keys, expired records, and the records of attempts that died with their leases. Always in the same
// order, so that no two statements wait for each other's records.
const beginStatement = plainStatement(
  "begun",
  { ...placeColumns, fingerprint: "bytea", attempt_id: "text", leased_until: "int8", expires_at: "int8" },
  (begun) => `insert into idempotency_record as record
    (${placeNames}, fingerprint, state, attempt_id, leased_until, expires_at)
    select ${placeNames}, fingerprint, 'running', attempt_id, leased_until, expires_at from ${begun} order by ${placeNames}
    on conflict (${placeNames}) do update set
      fingerprint = excluded.fingerprint, state = 'running', attempt_id = excluded.attempt_id,
      leased_until = excluded.leased_until, expires_at = excluded.expires_at, status = null, answer = null
    -- Each begins at the instant from which its record is kept.
    where record.expires_at <= excluded.expires_at - ${limits.idempotencyKeptMs}
      or (record.state = 'running' and record.leased_until <= excluded.expires_at - ${limits.idempotencyKeptMs}
        and record.fingerprint = excluded.fingerprint)
    returning attempt_id`,
);

// Of several the records are locked in one order. One alone needs none.
const completeStatement = plainStatement(
  "ended",
  { ...placeColumns, attempt_id: "text", status: "int4", answer: "bytea" },
  (ended, isOne) => `with ended as materialized (
      select ended.* from ${ended}
      ${isOne ? "" : `join idempotency_record as record using (${placeNames}, attempt_id) order by ${placeNames} for update of record`}
    )
    update idempotency_record as record set state = 'answered', status = ended.status, answer = ended.answer
    from ended where ${Object.keys(placeColumns)
      .map((name) => `record.${name} = ended.${name}`)
      .join(" and ")} and record.attempt_id = ended.attempt_id`,
);

const findQuery = `select fingerprint, state, answer from idempotency_record where ${pickRow}`;
const releaseQuery = `delete from idempotency_record where ${pickRow} and attempt_id = $6 and state = 'running'`;
// Without its attempt, so that a renewal still under way does not lengthen the lease.
const yieldQuery = `update idempotency_record set leased_until = 0, attempt_id = ''
  where ${pickRow} and attempt_id = $6 and state = 'running'`;
const renewQuery = `update idempotency_record set leased_until = $7
  where ${pickRow} and attempt_id = $6 and state = 'running'`;

/** How often a request checks again when the record it met disappears between two statements. */
const beginRounds = 5;

const laneOfAll = () => "";

const nameOfPlace = (place: RowOf<typeof placeColumns>) =>
  JSON.stringify([place.tenant_id, place.environment, place.method, place.path, place.idempotency_key]);

const claimTogether = groupCommit(
  { laneOf: laneOfAll, keyOf: nameOfPlace },
  async (db: Db, records: Parameters<typeof beginStatement>[0]) => {
    const { rows } = await db.executeQuery(beginStatement(records) as CompiledQuery<{ attempt_id: string }>);
    const claimed = new Set(rows.map(({ attempt_id }) => attempt_id));
    return records.map(({ attempt_id }) => claimed.has(attempt_id ?? ""));
  },
);

const completeTogether = groupCommit(
  { laneOf: laneOfAll, keyOf: nameOfPlace },
  async (db: Db, ended: Parameters<typeof completeStatement>[0]) => {
    await db.executeQuery(completeStatement(ended));
    return ended.map(() => undefined);
  },
);

/**
 * Claims the key for this attempt, or says what its outcome was before. Of any number of equal requests at once exactly one
 * gets to run. `attemptId` is fresh for every call; `now` is real time in Unix milliseconds. Throws EnvelopeError when
 * a stored answer does not open.
 */
export async function beginIdempotent(
  db: Db,
  keyring: Keyring,
  request: {
    readonly scope: IdempotencyScope;
    readonly fingerprint: Uint8Array;
    readonly attemptId: string;
    readonly now: number;
  },
): Promise<Begun> {
  const { scope, fingerprint, attemptId, now } = request;
  const record = {
    ...placeRow(scope),
    fingerprint,
    attempt_id: attemptId,
    leased_until: BigInt(now + limits.idempotencyLeaseMs),
    expires_at: BigInt(now + limits.idempotencyKeptMs),
  };
  for (let round = 0; round < beginRounds; round += 1) {
    if (await claimTogether(db, record)) return { kind: "run", attemptId };
    const { rows } = await db.executeQuery<Found>(CompiledQuery.raw(findQuery, placeOf(scope)));
    const found = rows[0];
    // Released meanwhile: the key is free again.
    if (!found) continue;
    if (!Buffer.from(found.fingerprint).equals(fingerprint)) return { kind: "reused" };
    if (found.state === "running" || !found.answer) return { kind: "in_progress" };
    return { kind: "replay", answer: openAnswer(keyring, found.answer, scope) };
  }
  return { kind: "in_progress" };
}

/**
 * Records the answer of an attempt, sealed, because answers hold tokens (gap 6). An attempt whose lease ran out and was
 * claimed again changes nothing.
 */
export async function completeIdempotent(
  db: Db,
  keyring: Keyring,
  attempt: { readonly scope: IdempotencyScope; readonly attemptId: string; readonly answer: StoredAnswer },
): Promise<void> {
  const { scope, attemptId, answer } = attempt;
  const sealed = keyring.wrap(Buffer.from(JSON.stringify(answer)), answerContext(scope));
  await completeTogether(db, { ...placeRow(scope), attempt_id: attemptId, status: answer.status, answer: sealed });
}

/**
 * Ends an attempt that may have begun to take effect: the same request can continue at once under the key, and another one
 * is still refused (gap 6).
 */
export async function yieldIdempotent(
  db: Db,
  attempt: { readonly scope: IdempotencyScope; readonly attemptId: string },
): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(yieldQuery, [...placeOf(attempt.scope), attempt.attemptId]));
}

/** Forgets an attempt that was refused with nothing done: any request may use the key again (gap 6). */
export async function releaseIdempotent(
  db: Db,
  attempt: { readonly scope: IdempotencyScope; readonly attemptId: string },
): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(releaseQuery, [...placeOf(attempt.scope), attempt.attemptId]));
}

/** Keeps a long-running attempt from being considered dead. `now` is real time in Unix milliseconds. */
export async function renewIdempotent(
  db: Db,
  attempt: { readonly scope: IdempotencyScope; readonly attemptId: string; readonly now: number },
): Promise<void> {
  const leasedUntil = attempt.now + limits.idempotencyLeaseMs;
  await db.executeQuery(CompiledQuery.raw(renewQuery, [...placeOf(attempt.scope), attempt.attemptId, leasedUntil]));
}

function placeRow({ tenantId, environment, method, path, key }: IdempotencyScope) {
  return { tenant_id: tenantId, environment, method, path, idempotency_key: key };
}

const placeOf = (scope: IdempotencyScope): string[] => Object.values(placeRow(scope));

/** Binds a sealed answer to its row: moved to another one, it does not open. */
export function answerContext(scope: IdempotencyScope): string {
  return `idempotency_record/${JSON.stringify(placeOf(scope))}`;
}

function openAnswer(keyring: Keyring, sealed: Uint8Array, scope: IdempotencyScope): StoredAnswer {
  return JSON.parse(Buffer.from(keyring.unwrap(sealed, answerContext(scope))).toString("utf8")) as StoredAnswer;
}
