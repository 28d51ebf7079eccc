import { Buffer } from "node:buffer";
import type { Address, Signature } from "@solana/kit";
import { eachOf } from "@trellis/kernel/each-of.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { anyOf } from "@trellis/kernel/states.js";
import { SIGNATURE_PROGRAM_ADDRESS } from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { sql } from "kysely";
import { feePayerAddresses } from "../sponsorship/service-keys.js";
import { carriesOutApproval } from "./carries-out.js";
import { type ReadMessageOf, readMessageOf } from "./find-message.js";
import { overdueSince, waitingStates } from "./intent-states.js";
import { recordFound } from "./record-found.js";

/** Signatures in one question, and questions at the most: about one account, and about all that the fee payer has paid. */
const pageSize = 1_000;
const accountPagesMax = 10;
const feePayerPagesMax = 100;
const readAtOnce = 8;
/** Transactions that one search reads at the most: anybody can name the fee payer in transactions of his own. */
const readMax = 200;
/** How many of those that belong to no account here are remembered, so that they are read once: more than are ever listed. */
const dismissedMax = 2 * pageSize * feePayerPagesMax;
const dismissedOf = new WeakMap<Network["feePayer"], Set<Signature>>();
/** How far a cluster's blocks may be dated before the moment at which they were made, in milliseconds. */
const datedEarlyMs = 300_000;

interface Needs {
  readonly db: Db;
  readonly log?: Log;
}

/**
 * Checks whether the key that pays fees has paid since then (environment time, Unix milliseconds) for a prepared transaction
 * of this account of which the database knows no submission: it has lost it, in a failover or a restore, after it was sent.
 * Records what the chain made of those. What is about to say that nothing was submitted in time checks first. A chain
 * whose rows lie in the same database has lost the same. Read is the history of the account's settings, which
 * every call of the account names: it is short where the fee payer's grows with all that the service pays. Returns the
 * settings accounts of what was found, whose proposals may be others now. Throws `chain_unavailable`.
 */
export async function recordForgotten(
  needs: Needs,
  network: Network,
  { account, since }: { readonly account: string; readonly since: number },
): Promise<readonly string[]> {
  if (network.isInDatabase) return [];
  const { settings_address: address } = await needs.db
    .selectFrom("account")
    .select("settings_address")
    .where("environment", "=", network.name)
    .where("address", "=", account)
    .executeTakeFirstOrThrow();
  return recordForgottenAt(needs, network, { address: address as Address, since, pagesMax: accountPagesMax });
}

/** What is listed at an address since then. */
interface History {
  readonly address: Address;
  readonly since: number;
  readonly pagesMax: number;
}

async function recordForgottenAt({ db, log }: Needs, network: Network, history: History): Promise<readonly string[]> {
  const settings: string[] = [];
  const dismissed = dismissedIn(network);
  const all = await findUnknown(db, network, history);
  const unknown = all.filter((signature) => !dismissed.has(signature));
  await eachOf(unknown.slice(0, readMax), readAtOnce, async (signature) => {
    const read = await readMessageOf(network, signature);
    if (read === undefined) return;
    const prepared =
      read.id === undefined
        ? undefined
        : ((await findPrepared(db, network, read.id)) ?? (await findApproved(db, network, read)));
    if (read.id === undefined || prepared === undefined) {
      dismiss(dismissed, signature);
      return;
    }
    const { settings_address, ...row } = prepared;
    const { id } = prepared;
    const found = { ...read.found, carried: id !== read.id };
    log?.error(
      { event: "unknown_transaction_found", message: id, transaction_signature: signature },
      "transaction was found on chain that the database did not know",
    );
    await recordFound(db, network, { ...row, recorded_slot: null, changesSettings: true }, found);
    settings.push(settings_address);
  });
  // The next search continues behind these.
  if (unknown.length > readMax) throw stillReading();
  return settings;
}

const stillReading = () =>
  new TrellisError("chain_unavailable", { message: "Transactions that may be this one are still being read." });

function dismissedIn({ feePayer }: Network): Set<Signature> {
  const known = dismissedOf.get(feePayer);
  if (known !== undefined) return known;
  const fresh = new Set<Signature>();
  dismissedOf.set(feePayer, fresh);
  return fresh;
}

/** The one that was read longest ago makes place: those that are still listed stay. */
function dismiss(dismissed: Set<Signature>, signature: Signature): void {
  dismissed.add(signature);
  const [oldest] = dismissed;
  if (dismissed.size > dismissedMax && oldest !== undefined) dismissed.delete(oldest);
}

/** The same where intents are about to be canceled by the clock, of whatever accounts: one question serves a thousand. */
export async function recordForgottenIntents(
  needs: { readonly db: Db; readonly log: Log },
  network: Network,
): Promise<readonly string[]> {
  if (network.isInDatabase) return [];
  const { rows } = await sql<{ created_at: bigint }>`select created_at from payment_intent as intent
    where environment = ${network.name} and state in ${anyOf(waitingStates)} and open_until_height is null
      and (rail is null or (rail = 'out' and not exists (select from submission where submission.id = intent.prepared_id)))
      and created_at <= ${overdueSince(network.clock.now())}::int8 order by created_at limit 1`.execute(needs.db);
  const [oldest] = rows;
  if (oldest === undefined) return [];
  const since = Number(oldest.created_at);
  const settings: string[] = [];
  for (const address of feePayerAddresses(network)) {
    settings.push(...(await recordForgottenAt(needs, network, { address, since, pagesMax: feePayerPagesMax })));
  }
  return settings;
}

/**
 * What an address has in blocks dated since then and no submission names, newest first. Throws `chain_unavailable` where that
 * is more than is read: what was not read proves nothing.
 */
async function findUnknown(
  db: Db,
  { rpc }: Network,
  { address, since, pagesMax }: History,
): Promise<readonly Signature[]> {
  const sinceSeconds = BigInt(Math.floor((since - datedEarlyMs) / 1_000));
  const unknown: Signature[] = [];
  let before: Signature | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const entries = await askChain(
      rpc.getSignaturesForAddress(address, {
        commitment: "confirmed",
        limit: pageSize,
        ...(before === undefined ? {} : { before }),
      }),
    );
    const recent = entries.filter(({ blockTime }) => blockTime === null || BigInt(blockTime) >= sinceSeconds);
    const signatures = recent.map(({ signature }) => signature);
    const { rows } = await sql<{ signature: string }>`select signature from submission
      where signature = any(${signatures}::text[])`.execute(db);
    const known = new Set(rows.map(({ signature }) => signature));
    unknown.push(...signatures.filter((signature) => !known.has(signature)));
    before = entries.at(-1)?.signature;
    if (recent.length < pageSize) return unknown;
  }
  throw stillReading();
}

interface Lost {
  readonly id: string;
  readonly tenant_id: string;
  readonly environment: Network["name"];
  readonly account_address: string;
  readonly last_valid_block_height: bigint;
  readonly settings_address: string;
}

/** What was prepared here for the service to pay, and has no submission. */
const lost = (
  network: Network,
) => sql`select prepared.id, prepared.tenant_id, prepared.environment, prepared.account_address,
      prepared.last_valid_block_height, account.settings_address, prepared.transaction
    from prepared_transaction as prepared join account
      on account.environment = prepared.environment and account.address = prepared.account_address
    where prepared.environment = ${network.name} and prepared.fee_payer = any(${feePayerAddresses(network)}::text[])
      and not exists (select from submission where submission.id = prepared.id)`;

async function findPrepared(db: Db, network: Network, id: string): Promise<Lost | undefined> {
  const { rows } = await sql<Lost>`${lost(network)} and prepared.id = ${id}`.execute(db);
  return rows[0];
}

/**
 * What a passkey approved by this transaction, whose bytes are others than the prepared ones. Of equal ones it is that whose transaction was
 * fixed, then one with a challenge, then the oldest.
 */
async function findApproved(db: Db, network: Network, { found, loaded }: ReadMessageOf): Promise<Lost | undefined> {
  const wire = found.wireTransaction;
  const message = readTransaction(wire)?.message;
  if (message?.staticAccounts.includes(SIGNATURE_PROGRAM_ADDRESS) !== true) return undefined;
  const named = [...message.staticAccounts, ...loaded.writable, ...loaded.readonly];
  const { rows } = await sql<Lost & { readonly transaction: string }>`
    ${lost(network)} and prepared.refused_at is null and account.settings_address = any(${named}::text[])
      and coalesce(prepared.simulated_slot, 0) <= ${found.slot}::int8
    order by (select coalesce(max(case when transaction is null then 1 else 2 end), 0)
      from passkey_approval where prepared_id = prepared.id) desc, prepared.created_at`.execute(db);
  return rows.find(({ transaction }) =>
    carriesOutApproval(new Uint8Array(Buffer.from(transaction, "base64")), { wire, loaded }),
  );
}
