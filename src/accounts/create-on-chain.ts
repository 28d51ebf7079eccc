import type { Address, Signature } from "@solana/kit";
import { sql } from "kysely";
import { assertOurs, TrellisError } from "../kernel/errors.js";
import type { Clock } from "../ports/clock.js";
import type { Custodians } from "../ports/custodian.js";
import type { AccountCreationTable, Db } from "../ports/database.js";
import type { Log } from "../ports/log.js";
import type { Network } from "../ports/network.js";
import type { Pause } from "../ports/pause.js";
import type { Random } from "../ports/random.js";
import { deriveSmartAccountAddress, findCreatedSmartAccount, findTransactionEvents } from "../program-client/index.js";
import { askChain } from "../solana/ask-chain.js";
import { reportExhausted } from "../sponsorship/report-exhausted.js";
import {
  assertWithinDailyBudgets,
  assertWithinTransactionLimit,
  budgetDay,
  takeFromBudgets,
  takeFromPages,
  withBudgetErrors,
} from "../sponsorship/sponsorship.js";
import { findStanding } from "../submissions/find-standing.js";
import { decideNewSubmission, landSubmission, unprovable } from "../submissions/land-submission.js";
import type { Lookout } from "../submissions/lookout.js";
import type { FinalOutcome } from "../submissions/submission.js";
import { finalMembers, findSubmission, markFinal, storeSigned } from "../submissions/submission-store.js";
import { type CreationFailure, readCreationFailure } from "./creation-failure.js";
import { type CreationPlan, type ResolvedPlan, resolvePlan } from "./creation-plan.js";
import type { CreationPlace, CreationQueue } from "./creation-queue.js";
import { canHaveProposals, type Policies, toPolicies } from "./policy.js";
import { type SignedCreation, signCreation } from "./sign-creation.js";

/** What a creation asks of the world. */
export interface CreationNeeds {
  readonly db: Db;
  readonly random: Random;
  readonly custodians: Custodians;
  readonly creationQueue: CreationQueue;
  readonly lookout: Lookout;
  readonly realClock: Clock;
  readonly log: Log;
  readonly pause: Pause;
}

/** A creation as it is recorded. */
export type Creation = Pick<
  AccountCreationTable,
  "id" | "tenant_id" | "user_id" | "type" | "plan" | "state" | "submission_id" | "account_address"
>;

/** An account that exists. */
export interface CreatedAccount {
  readonly address: Address;
  readonly settingsAddress: Address;
  readonly userId: string;
  readonly policies: Policies;
}

/** Not to be found by: without fresh statistics a plain comparison makes the server read the index of all open ones. */
const isPending = "state || '' = 'pending'";
/** A window that was missed is rebuilt; other processes and other creators compete for the same counter. */
const attemptsMax = 12;
/** After this much real time no further attempt is begun for a caller who waits; the creation stays open. */
const patienceMs = 90_000;
/** How often whoever drives a creation says so, in milliseconds of real time: a pass leaves it alone meanwhile. */
const renewEveryMs = 5_000;

/**
 * Brings a recorded creation to its end and returns the account. It may be called any number of times, in parallel, by
 * several processes and after a crash at any point: what was signed and stored is always asked after first, and new bytes
 * are signed only once the former ones have failed or expired. `waitMs` is how long it may wait for the chain altogether,
 * in milliseconds of real time; what it has not learned by then is left open.
 *
 * Throws `account_creation_failed` when the program refuses the plan: that is for good. After everything else the creation
 * stays open and can be resumed: `sponsorship_limit_exceeded`, `creation_queue_full`, `service_unavailable` (the fee payer
 * holds too little), `submission_in_progress`, `chain_unavailable`.
 */
export async function createOnChain(
  needs: CreationNeeds,
  network: Network,
  creation: Creation,
  waitMs = Number.POSITIVE_INFINITY,
): Promise<CreatedAccount> {
  const resolved = await resolvePlan(needs.custodians, network, creation.user_id, readPlan(creation));
  const driving = { ...needs, pause: pauseOf(needs, network, creation, waitMs) };
  const giveUpAt = needs.realClock.now() + patienceMs;
  let current = creation;
  for (let attempt = 0; attempt < attemptsMax && needs.realClock.now() < giveUpAt; attempt += 1) {
    if (current.state === "failed") throw new TrellisError("account_creation_failed");
    if (current.state === "landed") return loadCreated(needs.db, network, current, resolved);
    let came = current.submission_id === null ? undefined : await resume(driving, network, current.submission_id);
    // Bytes that failed or expired are replaced in the same turn; a missed race reads what the winner stored.
    if (came === undefined || came.kind === "again") came = await createAnew(driving, network, current, resolved);
    if (came.kind === "refused") {
      await markFailed(needs.db, current);
      throw planRefused(came);
    }
    if (came.kind === "landed") return finish(needs, network, current, resolved, came);
    current = await reload(needs.db, current.id);
  }
  throw new TrellisError("submission_in_progress");
}

/**
 * Waits for whoever drives a creation: says meanwhile that it is being driven, and breaks off when all its time is used
 * up. Who waits for a place is looked after too, as nobody else would.
 */
function pauseOf(needs: CreationNeeds, network: Network, { id }: Creation, waitMs: number): Pause {
  let leftMs = waitMs;
  let renewedAt = needs.realClock.now();
  return async (ms) => {
    if (leftMs <= 0) throw new TrellisError("submission_in_progress");
    leftMs -= ms;
    await needs.pause(ms);
    needs.creationQueue.dismissOverdue(network);
    const now = needs.realClock.now();
    if (now - renewedAt < renewEveryMs) return;
    renewedAt = now;
    await sql`update account_creation set looked_at = ${now}::int8 where id = ${id}`.execute(needs.db);
  };
}

function planRefused({ programError, reason }: Refused): TrellisError {
  return new TrellisError("account_creation_failed", { facts: { program_error: programError, reason } });
}

/** A submission that has come to its end. */
interface Decided {
  readonly submissionId: string;
  readonly outcome: FinalOutcome;
}

/** The settings account that a landed creation brought about. */
interface Created {
  readonly settingsAddress: Address;
  readonly seed: bigint;
}

type Landed = { readonly kind: "landed"; readonly settingsAddress: Address } & Decided;
type Refused = Extract<CreationFailure, { kind: "refused" }>;

/** `again`: nothing landed, new bytes are in order. `refused`: the plan itself does not work. */
type Attempt = Landed | Refused | { readonly kind: "again" };

const again = { kind: "again" } as const;

async function resume(needs: CreationNeeds, network: Network, submissionId: string): Promise<Attempt> {
  // Removed long after its end: nothing of it can land any more, and nobody was told of an account.
  if ((await findSubmission(needs.db, submissionId)) === undefined) return again;
  const outcome = await landSubmission(needs, network, submissionId);
  if (outcome.state === "landed") return readLanded(needs, network, { submissionId, outcome });
  if (outcome.state === "expired") return again;
  const failure = readCreationFailure(outcome.failure.error, outcome.failure.logs);
  return failure.kind === "refused" ? failure : again;
}

async function createAnew(
  needs: CreationNeeds,
  network: Network,
  creation: Creation,
  plan: ResolvedPlan,
): Promise<Attempt> {
  const applicant = {
    tenantId: creation.tenant_id,
    assertWorthwhile: async (rentLamports: CreationPlace["rentLamports"]) =>
      assertWithinDailyBudgets(
        needs.db,
        network,
        {
          tenantId: creation.tenant_id,
          accountAddress: null,
          costs: [{ kind: "settings_rent", lamports: await rentLamports(plan.signers.length) }],
          realNow: needs.realClock.now(),
        },
        { isByPage: isByPage(creation) },
      ),
  };
  const sent = await needs.creationQueue.run(network, applicant, async (place) => {
    const signed = await signCreation(needs, network, plan, place);
    if (signed.kind === "refused") return signed;
    if (signed.kind === "stale" || !(await record(needs, network, creation, signed))) return again;
    await place.inTurn();
    const outcome = await decideNewSubmission(needs, network, {
      id: signed.id,
      signature: signed.signature,
      wire_transaction: signed.wireTransaction,
      last_valid_block_height: signed.lastValidBlockHeight,
      recorded_slot: signed.recordedSlot,
    });
    const decided = { kind: "decided", submissionId: signed.id, outcome } as const;
    if (outcome.state !== "landed") {
      needs.creationQueue.forgetTerms(network);
      return { ...decided, created: undefined };
    }
    const created = await findEarly(needs, network, outcome.signature as Signature);
    needs.creationQueue.noteCreated(network, created?.seed);
    return { ...decided, created };
  });
  if (sent.kind !== "decided") return sent;
  const { created, submissionId, outcome } = sent;
  // What is final at once is written down together with the account.
  if (created && isFinalAtOnce(network)) {
    return { kind: "landed", settingsAddress: created.settingsAddress, submissionId, outcome };
  }
  await markFinal(needs.db, [{ id: submissionId, outcome }], network.clock.now());
  // Waiting for finality, or for a node that lags, holds nobody up.
  if (outcome.state === "landed") return readLanded(needs, network, { submissionId, outcome });
  return outcome.state === "expired" ? again : readFailed(needs, outcome);
}

/** What to do about bytes of this call that the chain has executed and refused. */
function readFailed(needs: CreationNeeds, outcome: Extract<FinalOutcome, { state: "failed" }>): Attempt {
  const { signature, failure } = outcome;
  needs.log.warn(
    { event: "account_creation_failed", failure: failure.error, signature },
    "account creation failed on chain",
  );
  const read = readCreationFailure(failure.error, failure.logs);
  if (read.kind === "refused") return read;
  // Each further try costs a fee, and this one's simulation has shown nothing: that is for a later call.
  if (read.kind === "unclear") throw new TrellisError("chain_unavailable");
  return again;
}

/**
 * Stores the signed bytes, their budget and the creation's pointer to them in one statement. False when another call
 * has moved the creation on meanwhile: then these bytes are forgotten, and nobody ever sends them.
 */
async function record(
  needs: CreationNeeds,
  network: Network,
  creation: Creation,
  signed: SignedCreation,
): Promise<boolean> {
  const realNow = needs.realClock.now();
  const submission = {
    ...signed,
    reservedOn: budgetDay(realNow),
    tenantId: creation.tenant_id,
    environment: network.name,
    accountAddress: null,
    purpose: "account_creation",
  } as const;
  const reservation = {
    tenantId: creation.tenant_id,
    accountAddress: null,
    costs: signed.costs,
    realNow,
  };
  assertWithinTransactionLimit(network, signed.reservedLamports);
  const pages = isByPage(creation)
    ? sql`, ${takeFromPages(network, reservation, "recorded", { makesAccount: true })}`
    : sql``;
  // Equal bytes recorded for another creation must not become this one's, so the pointer moves last.
  const statement = sql<{ moved: boolean }>`
    with open as (
      select id from account_creation
      where id = ${creation.id} and ${sql.raw(isPending)} and submission_id is not distinct from ${creation.submission_id}::text
      for update
    ), recorded as (${storeSigned([submission], network.clock.now(), "open")}),
    ${takeFromBudgets(network, reservation, "recorded")} ${pages},
    moved as (
      update account_creation set submission_id = recorded.id, looked_at = ${realNow}::int8
      from recorded where account_creation.id = ${creation.id}
      returning account_creation.id
    )
    select exists (select 1 from moved) as moved`;
  const { rows } = await withBudgetErrors(realNow, statement.execute(needs.db), () =>
    reportExhausted(needs.db, network, reservation, network.clock.now()),
  );
  return rows[0]?.moved === true;
}

const isByPage = (creation: Creation): boolean => readPlan(creation).isByPage === true;

/** The sandbox has one level. */
function isFinalAtOnce(network: Pick<Network, "name">): boolean {
  return network.name === "sandbox";
}

/**
 * The account of a landed creation, once it is final. On a real cluster an account is shown only then: after a roll-back
 * the same address could become somebody else's (gap 29), and the transaction may land again as another number.
 */
async function readLanded(needs: CreationNeeds, network: Network, decided: Decided): Promise<Attempt> {
  const signature = decided.outcome.signature as Signature;
  // What was rolled back has left nothing to read.
  if (!(await waitUntilFinal(needs, network, signature))) return again;
  const commitment = isFinalAtOnce(network) ? "confirmed" : "finalized";
  for (let look = 0; look < eventLooks.rounds; look += 1) {
    const created = await findCreated(network, signature, commitment);
    if (created) return { kind: "landed", settingsAddress: created.settingsAddress, ...decided };
    await needs.pause(eventLooks.waitMs);
  }
  throw new TrellisError("chain_unavailable", {
    message: "The account has been created, and the chain's node does not show it yet. Try again shortly.",
  });
}

/** A node may know a transaction's status before it knows the transaction. */
const eventLooks = { rounds: 10, waitMs: 500 } as const;

/**
 * False when the transaction was rolled back and, by the same proof as for `expired`, cannot land again. Throws
 * `submission_in_progress` when it takes too long.
 */
async function waitUntilFinal(needs: CreationNeeds, network: Network, signature: Signature): Promise<boolean> {
  if (isFinalAtOnce(network)) return true;
  const row = await needs.db
    .selectFrom("submission")
    .select(["id", "signature", "last_valid_block_height", "recorded_slot", "created_at"])
    .where("signature", "=", signature)
    .executeTakeFirstOrThrow();
  for (let round = 0; round < finality.rounds; round += 1) {
    const standing = await findStanding(needs, network, row);
    if (standing.kind === "seen" && standing.status.commitment === "finalized") return true;
    if (standing.kind === "expired") return false;
    if (standing.kind === "unprovable") throw unprovable();
    await needs.pause(finality.waitMs);
  }
  throw new TrellisError("submission_in_progress", {
    message: "The account's creation is not final yet. Try again shortly.",
  });
}

/** 32 slots take about 13 seconds; what was rolled back is given up after more than two and a half minutes. */
const finality = { rounds: 100, waitMs: 2_000 } as const;

/**
 * One look, for those who wait for a place: the next creation offers the numbers behind this one. Undefined where the node
 * does not tell; what becomes of this account is read later, with patience.
 */
async function findEarly(needs: CreationNeeds, network: Network, signature: Signature): Promise<Created | undefined> {
  try {
    return await findCreated(network, signature, "confirmed");
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    needs.log.warn(
      { event: "account_number_unread", err: error, signature },
      "number of a created account could not be read at once",
    );
    return undefined;
  }
}

/**
 * Which account a landed creation made: the program's own record in that very transaction says so, and nothing else does.
 * Undefined while the node does not have the transaction. Throws `chain_unavailable`.
 */
async function findCreated(
  network: Network,
  signature: Signature,
  commitment: "confirmed" | "finalized",
): Promise<Created | undefined> {
  const found = await askChain(
    network.rpc.getTransaction(signature, { commitment, maxSupportedTransactionVersion: 0, encoding: "json" }),
  );
  if (found === null) return undefined;
  const created = findCreatedSmartAccount(findTransactionEvents(found));
  assertOurs(created, "a landed creation records which account it made");
  return { settingsAddress: created.settingsAddress, seed: created.settings.seed };
}

/**
 * Writes the account, its signers, the end of the creation and of its submission in one statement; repeating it changes
 * nothing.
 */
async function finish(
  needs: CreationNeeds,
  network: Network,
  creation: Creation,
  plan: ResolvedPlan,
  { settingsAddress, submissionId, outcome }: Landed,
): Promise<CreatedAccount> {
  const address = deriveSmartAccountAddress(settingsAddress);
  const now = network.clock.now();
  const { signers } = plan;
  // Its proposals are followed from the start where it can have some.
  await sql`
    with ${finalMembers([{ id: submissionId, outcome }], now)}, landed as (
      update account_creation set state = 'landed', account_address = ${address}
      where id = ${creation.id} and ${sql.raw(isPending)}
      returning tenant_id, environment, user_id, type
    ), proved as (
      delete from pending_account
      where tenant_id = ${creation.tenant_id} and environment = ${network.name}
        and email = (select email from app_user where id = ${creation.user_id})
        and exists (select from landed where type = 'email')
      returning memo
    ), created as (
      insert into account (environment, address, tenant_id, settings_address, type, user_id, memo, created_at, updated_at)
      select environment, ${address}::text, tenant_id, ${settingsAddress}::text, type, user_id,
        coalesce(${plan.memo}::text, (select memo from proved)), ${now}::int8, ${now}::int8
      from landed
      returning environment, tenant_id
    ), watched as (
      insert into proposal_watch (environment, settings_address, transaction_index, stale_transaction_index, read_slot,
        tenant_id, active_at, due_at)
      select environment, ${settingsAddress}::text, 0, 0, -1, tenant_id, ${now}::int8, ${now}::int8
      from created where ${canHaveProposals(plan)}::boolean
    ), recorded as (
      insert into history_watch (environment, account_address, tenant_id, active_at, due_at)
      select environment, ${address}::text, tenant_id, ${now}::int8, ${now}::int8 from created
    )
    insert into account_signer (environment, account_address, signer_address, role, provider, wallet_id, position)
    select created.environment, ${address}::text, signer.address, signer.role, signer.provider, signer.wallet_id,
      signer.place::int4 - 1
    from created, unnest(${signers.map((signer) => signer.address)}::text[], ${signers.map(({ role }) => role)}::text[],
      ${signers.map(({ provider }) => provider)}::text[], ${signers.map(({ walletId }) => walletId)}::text[])
      with ordinality as signer (address, role, provider, wallet_id, place)`.execute(needs.db);
  return { address, settingsAddress, userId: creation.user_id, policies: toPolicies(plan) };
}

async function loadCreated(db: Db, network: Network, creation: Creation, plan: ResolvedPlan): Promise<CreatedAccount> {
  const row = await db
    .selectFrom("account")
    .select(["address", "settings_address"])
    .where("environment", "=", network.name)
    .where("address", "=", creation.account_address ?? "")
    .executeTakeFirst();
  assertOurs(row, "a landed creation has its account");
  return {
    address: row.address as Address,
    settingsAddress: row.settings_address as Address,
    userId: creation.user_id,
    policies: toPolicies(plan),
  };
}

async function markFailed(db: Db, creation: Creation): Promise<void> {
  await db
    .updateTable("account_creation")
    .set({ state: "failed" })
    .where("id", "=", creation.id)
    .where("state", "=", "pending")
    .execute();
}

async function reload(db: Db, id: string): Promise<Creation> {
  const row = await db.selectFrom("account_creation").selectAll().where("id", "=", id).executeTakeFirst();
  assertOurs(row, "a creation stays recorded");
  return row;
}

function readPlan(creation: Creation): CreationPlan {
  return JSON.parse(creation.plan) as CreationPlan;
}
