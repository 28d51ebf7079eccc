import { Buffer } from "node:buffer";
import { type Address, getBase58Decoder, type Signature, type SignatureBytes } from "@solana/kit";
import { CompiledQuery, sql } from "kysely";
import { askChain } from "../../core/chain/ask-chain.js";
import { type ComputeBudget, composeTransaction, feeOf } from "../../core/chain/compose.js";
import { readAccounts } from "../../core/chain/read-accounts.js";
import { encodeWithSignatures } from "../../core/chain/wire-transaction.js";
import {
  addressBytes,
  createSmartAccountInstruction,
  decodeSettings,
  deriveSmartAccountAddress,
  findCreatedSmartAccount,
  findTransactionEvents,
  ProgramDataError,
  programErrorCode,
  type Settings,
} from "../../core/program-client/index.js";
import { canHaveProposals } from "../../core/proposal-index/next-look.js";
import {
  assertWithinTransactionLimit,
  budgetDay,
  takeFromBudgets,
  withBudgetErrors,
} from "../../core/sponsorship/sponsorship.js";
import { decideNewSubmission, landSubmission } from "../../core/submissions/land-submission.js";
import type { FinalOutcome } from "../../core/submissions/submission.js";
import { finalParameters, finalStatement, markFinal, storeSigned } from "../../core/submissions/submission-store.js";
import { assertOurs, TrellisError } from "../../errors.js";
import type { Clock } from "../../ports/clock.js";
import type { Custodians } from "../../ports/custodian.js";
import type { AccountCreationTable, Db } from "../../ports/database.js";
import type { Log } from "../../ports/log.js";
import type { Network } from "../../ports/network.js";
import type { Pause } from "../../ports/pause.js";
import type { Random } from "../../ports/random.js";
import { type CreationPlan, type ResolvedPlan, resolvePlan } from "./creation-plan.js";
import type { CreationQueue, CreationTerms } from "./creation-queue.js";
import { type Policies, toPolicies } from "./policy.js";

/** What a creation asks of the world. */
export interface CreationNeeds {
  readonly db: Db;
  readonly random: Random;
  readonly custodians: Custodians;
  readonly creationQueue: CreationQueue;
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
/** Enough for the program's work with unlucky bump searches (program spec 8.4). */
const computeUnits = 200_000;

/**
 * Brings a recorded creation to its end and returns the account. It may be called any number of times, in parallel, by
 * several processes and after a crash at any point: what was signed and stored is always asked after first, and new bytes
 * are signed only once the former ones have failed or expired.
 *
 * Throws `account_creation_failed` when the chain refuses the plan for good, `sponsorship_limit_exceeded`,
 * `submission_in_progress` and `chain_unavailable`; after the latter three the creation stays open and can be resumed.
 */
export async function createOnChain(
  needs: CreationNeeds,
  network: Network,
  creation: Creation,
): Promise<CreatedAccount> {
  const resolved = await resolvePlan(needs.custodians, network, creation.user_id, readPlan(creation));
  const giveUpAt = needs.realClock.now() + patienceMs;
  let current = creation;
  for (let attempt = 0; attempt < attemptsMax && needs.realClock.now() < giveUpAt; attempt += 1) {
    if (current.state === "failed") throw new TrellisError("account_creation_failed");
    if (current.state === "landed") return loadCreated(needs.db, network, current, resolved);
    const stored = current.submission_id;
    const landed =
      stored === null ? await createAnew(needs, network, current, resolved) : await resume(needs, network, stored);
    if (landed === "refused") {
      await markFailed(needs.db, current);
      throw new TrellisError("account_creation_failed");
    }
    if (landed === "again") {
      // Bytes that failed or expired are replaced in the same turn; a missed race reads what the winner stored.
      const replaced = stored === null ? "again" : await createAnew(needs, network, current, resolved);
      if (typeof replaced === "object") return finish(needs, network, current, resolved, replaced);
    }
    if (typeof landed === "object") return finish(needs, network, current, resolved, landed);
    current = await reload(needs.db, current.id);
  }
  throw new TrellisError("submission_in_progress");
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

type Landed = Created & Decided;

/** `again`: nothing landed, new bytes are in order. `refused`: the plan itself does not work. */
type Attempt = Landed | "again" | "refused";

async function resume(needs: CreationNeeds, network: Network, submissionId: string): Promise<Attempt> {
  const outcome = await landSubmission(needs, network, submissionId);
  // What was rolled back has left nothing to read.
  const isRolledBack =
    outcome.state === "landed" && !(await waitUntilFinal(needs, network, outcome.signature as Signature));
  return isRolledBack ? "again" : judge(needs, network, { submissionId, outcome }, undefined);
}

async function createAnew(
  needs: CreationNeeds,
  network: Network,
  creation: Creation,
  plan: ResolvedPlan,
): Promise<Attempt> {
  const { decided, attempt } = await needs.creationQueue.run(network, async (terms) => {
    const signed = await sign(needs, network, plan, terms);
    const isOurs = await record(needs, network, creation, signed);
    if (!isOurs) return { decided: undefined, attempt: "again" as const };
    await terms.inTurn();
    const outcome = await decideNewSubmission(needs, network, {
      id: signed.id,
      signature: signed.signature,
      wire_transaction: signed.wireTransaction,
      last_valid_block_height: signed.lastValidBlockHeight,
    });
    const decided = { submissionId: signed.id, outcome };
    const attempt = await judge(needs, network, decided, { candidates: terms.candidates, plan });
    if (typeof attempt === "object") needs.creationQueue.noteCreated(network, attempt.seed);
    return { decided, attempt };
  });
  if (decided === undefined) return attempt;
  // What is final at once is written down together with the account.
  if (typeof attempt !== "object" || !isFinalAtOnce(network)) {
    await markFinal(needs.db, decided.submissionId, decided.outcome, network.clock.now());
  }
  if (typeof attempt !== "object") return attempt;
  // Waiting for finality holds nobody up.
  return (await waitUntilFinal(needs, network, decided.outcome.signature as Signature)) ? attempt : "again";
}

type Signed = Awaited<ReturnType<typeof sign>>;

async function sign(needs: CreationNeeds, network: Network, plan: ResolvedPlan, terms: CreationTerms) {
  const { value: lifetime } = await askChain(network.rpc.getLatestBlockhash({ commitment: "confirmed" }));
  const [low = 0, high = 0] = needs.random.bytes(2);
  // The surplus tells two equal plans apart that meet within one block: equal bytes would be one creation.
  const budget: ComputeBudget = {
    units: computeUnits + ((high << 8) | low),
    microLamportsPerUnit: terms.computePrice,
  };
  const { transaction, id } = composeTransaction(network.feePayer.address, lifetime, budget, [
    createSmartAccountInstruction({
      creator: network.feePayer.address,
      treasury: terms.treasury,
      candidates: terms.candidates,
      signers: plan.signers,
      threshold: plan.threshold,
      timeLockSeconds: plan.timeLockSeconds,
      settingsAuthority: plan.admin,
    }),
  ]);
  const signature = await network.feePayer.sign(transaction.messageBytes as unknown as Uint8Array);
  const rent = await terms.rentLamports(plan.signers.length);
  return {
    id,
    signature: getBase58Decoder().decode(signature),
    wireTransaction: encodeWithSignatures(
      transaction,
      new Map<Address, SignatureBytes>([[network.feePayer.address, signature]]),
    ),
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    reservedLamports: feeOf(transaction, budget) + rent + terms.feeLamports,
    reservedOn: budgetDay(needs.realClock.now()),
  };
}

/**
 * Stores the signed bytes, their budget and the creation's pointer to them in one statement. False when another call
 * has moved the creation on meanwhile: then these bytes are forgotten, and nobody ever sends them.
 */
async function record(needs: CreationNeeds, network: Network, creation: Creation, signed: Signed): Promise<boolean> {
  const realNow = needs.realClock.now();
  const submission = {
    ...signed,
    tenantId: creation.tenant_id,
    environment: network.name,
    accountAddress: null,
    purpose: "account_creation",
  } as const;
  const reservation = {
    tenantId: creation.tenant_id,
    accountAddress: null,
    lamports: signed.reservedLamports,
    realNow,
  };
  assertWithinTransactionLimit(network, signed.reservedLamports);
  // Equal bytes recorded for another creation must not become this one's, so the pointer moves last.
  const statement = sql<{ moved: boolean }>`
    with open as (
      select id from account_creation
      where id = ${creation.id} and ${sql.raw(isPending)} and submission_id is not distinct from ${creation.submission_id}::text
      for update
    ), recorded as (${storeSigned(submission, network.clock.now(), sql`open`)}),
    reserved as (${takeFromBudgets(network, reservation, "recorded")}),
    moved as (
      update account_creation set submission_id = recorded.id from recorded where account_creation.id = ${creation.id}
      returning account_creation.id
    )
    select exists (select 1 from moved) as moved`;
  const { rows } = await withBudgetErrors(realNow, statement.execute(needs.db));
  return rows[0]?.moved === true;
}

async function judge(
  needs: CreationNeeds,
  network: Network,
  decided: Decided,
  built: { readonly candidates: readonly Address[]; readonly plan: ResolvedPlan } | undefined,
): Promise<Attempt> {
  const { outcome } = decided;
  if (outcome.state === "landed") {
    const found = built && (await findAmongCandidates(network, built));
    return { ...(found ?? (await readEvent(network, outcome.signature as Signature))), ...decided };
  }
  needs.creationQueue.forgetTerms(network);
  if (outcome.state === "expired") return "again";
  needs.log.warn(
    { failure: outcome.failure.error, signature: outcome.signature },
    "an account creation failed on chain",
  );
  return isTemporary(outcome.failure.error) ? "again" : "refused";
}

/** The sandbox has one level. */
function isFinalAtOnce(network: Pick<Network, "name">): boolean {
  return network.name === "sandbox";
}

/** The counter had passed the window, or the treasury had changed: new bytes will do. */
function isTemporary(error: unknown): boolean {
  const codes = [programErrorCode("MissingAccount"), programErrorCode("InvalidAccount")];
  const at = (error as { InstructionError?: readonly [number, { Custom?: number }] } | null)?.InstructionError;
  const custom = at?.[1]?.Custom;
  return custom !== undefined && codes.includes(custom);
}

/**
 * On a real cluster an account is shown only once its creation is final: after a roll-back the same address could become
 * somebody else's (gap 29). False when the transaction was rolled back and, by the same proof as for `expired`, cannot
 * land again.
 */
async function waitUntilFinal(needs: CreationNeeds, network: Network, signature: Signature): Promise<boolean> {
  if (isFinalAtOnce(network)) return true;
  const { last_valid_block_height, created_at } = await needs.db
    .selectFrom("submission")
    .select(["last_valid_block_height", "created_at"])
    .where("signature", "=", signature)
    .executeTakeFirstOrThrow();
  for (let round = 0; round < finality.rounds; round += 1) {
    // Asked before the look: a window that has passed together with a later look that finds nothing is a proof.
    const over = await askWhetherOver(network, last_valid_block_height, Number(created_at));
    const { value } = await askChain(network.rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }));
    const status = value[0];
    if (status?.confirmationStatus === "finalized") return true;
    if (!status && over) return false;
    await needs.pause(finality.waitMs);
  }
  throw new TrellisError("submission_in_progress", {
    message: "The account's creation is not final yet. Try again shortly.",
  });
}

/** 32 slots take about 13 seconds; what was rolled back is given up after two and a half minutes. */
const finality = { rounds: 400, waitMs: 500 } as const;

async function askWhetherOver(network: Network, lastValidBlockHeight: bigint, recordedAt: number): Promise<boolean> {
  try {
    return await network.hasExpired(lastValidBlockHeight, recordedAt);
  } catch (cause) {
    throw new TrellisError("chain_unavailable", { cause });
  }
}

/**
 * The cheap way to learn the address: among the candidates of a landed creation exactly one is ours. If exactly one holds
 * this plan, it is that one; otherwise the event has to tell.
 */
async function findAmongCandidates(
  network: Network,
  { candidates, plan }: { readonly candidates: readonly Address[]; readonly plan: ResolvedPlan },
): Promise<Created | undefined> {
  const [first] = plan.signers;
  assertOurs(first, "an account has signers");
  const firstSigner = asBuffer(addressBytes(first.address));
  const accounts = await readAccounts(network, candidates);
  const matches = accounts.flatMap((account): Created[] => {
    // Most candidates are somebody else's: looking for the first signer's bytes costs less than reading all there is.
    if (!account || !asBuffer(account.data).includes(firstSigner)) return [];
    const settings = readSettings(account.data);
    if (!settings || !holdsPlan(settings, plan)) return [];
    return [{ settingsAddress: account.address, seed: settings.seed }];
  });
  return matches.length === 1 ? matches[0] : undefined;
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function readSettings(data: Uint8Array): Settings | undefined {
  try {
    return decodeSettings(data);
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}

function holdsPlan(settings: Settings, plan: ResolvedPlan): boolean {
  return (
    settings.threshold === plan.threshold &&
    settings.timeLockSeconds === plan.timeLockSeconds &&
    settings.settingsAuthority === plan.admin &&
    settings.signers.length === plan.signers.length &&
    settings.signers.every(({ address, mask }) =>
      plan.signers.some((planned) => planned.address === address && planned.mask === mask),
    )
  );
}

async function readEvent(network: Network, signature: Signature): Promise<Created> {
  const found = await askChain(
    network.rpc.getTransaction(signature, {
      commitment: "confirmed",
      maxSupportedTransactionVersion: 0,
      encoding: "json",
    }),
  );
  if (found === null) throw new TrellisError("chain_unavailable");
  const created = findCreatedSmartAccount(findTransactionEvents(found));
  assertOurs(created, "a landed creation records which account it made");
  return { settingsAddress: created.settingsAddress, seed: created.settings.seed };
}

/**
 * Plain text, as every creation asks it: $7 account, $8 creation, $9 tenant, $10 environment, $11 user, $12 settings,
 * $13 memo, $14 now, $15 to $18 the signers' addresses, roles, providers and wallets, $19 whether its proposals are
 * followed from the start.
 */
const finishStatement = `
  with decided as (${finalStatement}),
  landed as (
    update account_creation set state = 'landed', account_address = $7
    where id = $8 and ${isPending}
    returning tenant_id, environment, user_id, type
  ), proved as (
    delete from pending_account
    where tenant_id = $9 and environment = $10
      and email = (select email from app_user where id = $11)
      and exists (select from landed where type = 'email')
    returning memo
  ), created as (
    insert into account (environment, address, tenant_id, settings_address, type, user_id, memo, created_at, updated_at)
    select environment, $7::text, tenant_id, $12::text, type, user_id, coalesce($13::text, (select memo from proved)),
      $14::int8, $14::int8
    from landed
    returning environment
  ), watched as (
    insert into proposal_watch (environment, settings_address, transaction_index, stale_transaction_index, read_slot,
      active_at, due_at)
    select environment, $12::text, 0, 0, -1, $14::int8, $14::int8 from created where $19::boolean
  )
  insert into account_signer (environment, account_address, signer_address, role, provider, wallet_id, position)
  select created.environment, $7::text, signer.address, signer.role, signer.provider, signer.wallet_id,
    signer.place::int4 - 1
  from created, unnest($15::text[], $16::text[], $17::text[], $18::text[])
    with ordinality as signer (address, role, provider, wallet_id, place)`;

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
  const parameters = [
    ...finalParameters(submissionId, outcome, now),
    address,
    creation.id,
    creation.tenant_id,
    network.name,
    creation.user_id,
    settingsAddress,
    plan.memo,
    BigInt(now),
    plan.signers.map((signer) => signer.address),
    plan.signers.map(({ role }) => role),
    plan.signers.map(({ provider }) => provider),
    plan.signers.map(({ walletId }) => walletId),
    canHaveProposals(plan),
  ];
  await needs.db.executeQuery(CompiledQuery.raw(finishStatement, parameters));
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
