import { type Address, getBase58Decoder, type SignatureBytes } from "@solana/kit";
import { readSettingsChange } from "../accounts/settings-change.js";
import { refreshMembers } from "../accounts/settings-change-signers.js";
import { askChain } from "../chain/ask-chain.js";
import { readAccount } from "../chain/read-accounts.js";
import { type ReadMessage, readMessage } from "../chain/read-message.js";
import { simulate } from "../chain/simulate.js";
import { encodeWithSignatures, parseWireTransaction, type WireTransaction } from "../chain/wire-transaction.js";
import type { Network } from "../environment.js";
import { assertOurs, TrellisError } from "../errors.js";
import type { Clock } from "../ports/clock.js";
import { type Custodians, CustodianUnavailable, CustodyRefusal } from "../ports/custodian.js";
import type { Db, PreparedTransactionTable, SubmissionTable } from "../ports/database.js";
import type { Log } from "../ports/log.js";
import type { Pause } from "../ports/pause.js";
import { decodeSettings, SYSTEM_PROGRAM_ADDRESS } from "../program-client/index.js";
import { refreshAccountProposals } from "../proposal-index/refresh-proposals.js";
import { matchStamps, type SignedPayload, type StampEntry } from "../signing/match-stamps.js";
import { isChainSignature } from "../signing/strict-signature.js";
import { assertWithinTransactionLimit, budgetDay } from "../sponsorship/sponsorship.js";
import { landNewSubmission, landSubmission } from "../submissions/land-submission.js";
import type { FinalOutcome } from "../submissions/submission.js";
import { findSubmission } from "../submissions/submission-store.js";
import type { ActingAccount } from "./acting-account.js";
import { simulationRefused, transactionFailed } from "./chain-failure.js";
import { type FoundPrepared, findPrepared, type Owner } from "./prepared-store.js";
import { type ProposalCall, readProposalCall } from "./proposal-call.js";
import { requireRoomForProposal } from "./proposal-room.js";
import { recordSubmission, refuseForGood } from "./record-submission.js";
import { requireAuthority, requireSelfContained } from "./submit-policy.js";

export interface SubmitNeeds {
  readonly db: Db;
  readonly custodians: Custodians;
  readonly realClock: Clock;
  readonly log: Log;
  readonly pause: Pause;
}

/** One transaction of a submit request. */
export interface SubmitItem {
  /** Base64. */
  readonly transaction: string;
  readonly entries: readonly StampEntry[];
  /** Where it stood in the request, for messages. */
  readonly field: string;
}

/** A transaction that passed every check that can be made before something is signed. */
export type CheckedItem =
  /** These very bytes were submitted before: their outcome is the answer. */
  | { readonly known: SubmissionTable; readonly wire: WireTransaction }
  | { readonly known: undefined; readonly ready: ReadyItem };

interface ReadyItem {
  readonly wire: WireTransaction;
  /** Null for a transaction that was not prepared here. */
  readonly prepared: PreparedTransactionTable | null;
  readonly stamps: readonly SignedPayload[];
  readonly lastValidBlockHeight: bigint;
  readonly reserveLamports: bigint;
  /** Who is a signer may be another matter afterwards. */
  readonly changesSettings: boolean;
  /** What is voted on, or how the vote stands. */
  readonly changesProposals: boolean;
  /** Voters who get lamports for the growth of a proposal: they are to have none left over. */
  readonly paysVoters: readonly Address[];
}

/**
 * Checks one transaction of a submit request (gaps 25 to 31) and changes nothing: the bytes are ones prepared here for
 * this account, every signature is there and verifies, the signers may do this, and it would succeed now at no more
 * cost than announced. Throws the errors of gap 29.
 */
export async function checkItem(
  needs: SubmitNeeds,
  network: Network,
  account: ActingAccount,
  item: SubmitItem,
): Promise<CheckedItem> {
  const wire = parseWireTransaction(item.transaction, item.field);
  const owner = { tenantId: account.row.tenant_id, environment: network.name, accountAddress: account.row.address };
  const found = await findPrepared(needs.db, owner, wire.id);
  const known = found?.isSubmitted === false ? undefined : await findSubmission(needs.db, wire.id);
  if (known) {
    if (!belongsTo(known, owner)) throw new TrellisError("transaction_not_prepared", { field: item.field });
    return { known, wire };
  }
  try {
    const signed = verifySignatures(network, wire, item.field);
    const ready = found
      ? await checkPrepared(needs, network, account, item, wire, signed, found)
      : await checkForeign(network, account, item, wire, signed);
    await checkBySimulation(network, ready);
    return { known: undefined, ready };
  } catch (error) {
    return { known: await findOvertaking(needs.db, network, owner, wire.id, error), wire };
  }
}

/**
 * What to make of an error on the way to recording a submission: another copy of it may have been faster. What that one did
 * is the reason then, and its outcome the answer. Otherwise throws the error, and if that one says that the bytes are out
 * of date, no slower copy can record them any more.
 */
async function findOvertaking(
  db: Db,
  network: Network,
  owner: Owner,
  id: string,
  error: unknown,
): Promise<SubmissionTable> {
  if (!(error instanceof TrellisError)) throw error;
  if (isForGood(error)) await refuseForGood(db, owner, id, network.clock.now());
  const meanwhile = await findSubmission(db, id);
  if (meanwhile === undefined || !belongsTo(meanwhile, owner)) throw error;
  return meanwhile;
}

/** Whoever hears this prepares anew, so the old bytes must not land after it. */
function isForGood({ code }: TrellisError): boolean {
  return code === "payload_expired" || code === "blockhash_expired";
}

function belongsTo(row: SubmissionTable, owner: Owner): boolean {
  return (
    row.tenant_id === owner.tenantId &&
    row.environment === owner.environment &&
    row.account_address === owner.accountAddress
  );
}

async function checkPrepared(
  needs: SubmitNeeds,
  network: Network,
  account: ActingAccount,
  item: SubmitItem,
  wire: WireTransaction,
  signed: ReadonlySet<Address>,
  found: FoundPrepared,
): Promise<ReadyItem> {
  const { prepared } = found;
  const now = network.clock.now();
  const payloads = found.payloads.filter(({ address }) => !signed.has(address as Address));
  if (now >= Number(prepared.expires_at) || prepared.refused_at !== null) {
    throw new TrellisError(payloads.length > 0 ? "payload_expired" : "blockhash_expired", { field: item.field });
  }
  if (payloads.some(({ used_by }) => used_by !== null && used_by !== wire.id)) {
    throw new TrellisError("payload_already_used", { field: "kms_payloads" });
  }
  const stamps = await matchStamps(needs, payloads, item.entries, { now, realNow: needs.realClock.now() });
  const present = new Set([...signed, ...stamps.map(({ payload }) => payload.address as Address)]);
  requireSignatures(wire, network, present, item.field);
  const message = await readMessage(network, wire);
  await requireAuthority(account, message, present, network);
  const calls = readProposalCalls(message);
  if (calls.some((call) => call.kind === "open" && call.rentPayer === network.feePayer.address)) {
    await requireRoomForProposal(needs.db, network, account.settingsAddress);
  }
  return {
    wire,
    prepared,
    stamps,
    lastValidBlockHeight: prepared.last_valid_block_height,
    reserveLamports:
      prepared.fee_payer === network.feePayer.address ? prepared.fee_lamports + prepared.rent_lamports : 0n,
    changesSettings:
      calls.some(({ kind }) => kind === "execute") ||
      message.instructions.some((instruction) => readSettingsChange(instruction) !== undefined),
    changesProposals: calls.length > 0,
    paysVoters: votersPaid(message, calls, network.feePayer.address),
  };
}

/** A transaction built elsewhere: fully signed by its own keys, paid by its own payer, and about this account only. */
async function checkForeign(
  network: Network,
  account: ActingAccount,
  item: SubmitItem,
  wire: WireTransaction,
  signed: ReadonlySet<Address>,
): Promise<ReadyItem> {
  const message = await readMessage(network, wire);
  requireSelfContained(account, message, network, item.field);
  if (item.entries.length > 0) {
    throw new TrellisError("transaction_not_prepared", {
      field: item.field,
      message: "Custody signatures are given to transactions prepared here only.",
    });
  }
  requireSignatures(wire, network, signed, item.field);
  await requireAuthority(account, message, signed, network);
  // How long its blockhash lives is not known here; the longest it can is the honest bound.
  const height = await askChain(network.rpc.getBlockHeight({ commitment: "confirmed" }));
  return {
    wire,
    prepared: null,
    stamps: [],
    lastValidBlockHeight: height + 150n,
    reserveLamports: 0n,
    // Also what an approved proposal executes can change them.
    changesSettings: true,
    changesProposals: true,
    paysVoters: [],
  };
}

/** Every signature that is there must be one; returns who signed. Throws `invalid_signature`. */
function verifySignatures(network: Network, wire: WireTransaction, field: string): ReadonlySet<Address> {
  const signed = new Set<Address>();
  for (const [name, signature] of Object.entries(wire.transaction.signatures)) {
    const address = name as Address;
    if (signature === null || signature.every((byte) => byte === 0)) continue;
    const message = Uint8Array.from(wire.transaction.messageBytes);
    if (address === network.feePayer.address || !isChainSignature(address, message, Uint8Array.from(signature))) {
      throw new TrellisError("invalid_signature", {
        field,
        message: `The signature of ${address} does not verify.`,
        facts: { address },
      });
    }
    signed.add(address);
  }
  return signed;
}

function readProposalCalls(message: ReadMessage): readonly ProposalCall[] {
  return message.instructions.flatMap((instruction) => readProposalCall(instruction) ?? []);
}

/** Who gets lamports from the fee payer beside a vote. */
function votersPaid(message: ReadMessage, calls: readonly ProposalCall[], feePayer: Address): readonly Address[] {
  const voters = new Set(calls.flatMap((call) => (call.kind === "vote" ? [call.signer] : [])));
  return message.instructions.flatMap(({ programAddress, accounts = [] }) => {
    const [from, to] = accounts;
    const pays = programAddress === SYSTEM_PROGRAM_ADDRESS && from?.address === feePayer;
    return pays && to && voters.has(to.address) ? [to.address] : [];
  });
}

function requireSignatures(
  wire: WireTransaction,
  network: Network,
  present: ReadonlySet<Address>,
  field: string,
): void {
  const missing = wire.signers.find((address) => address !== network.feePayer.address && !present.has(address));
  if (missing === undefined) return;
  throw new TrellisError("missing_signature", {
    field,
    message: `The signature of ${missing} is missing.`,
    facts: { address: missing },
  });
}

async function checkBySimulation(network: Network, ready: ReadyItem): Promise<void> {
  const simulation = await simulate(network, ready.wire.bytes);
  if (simulation.error !== null) {
    if (simulation.error === "BlockhashNotFound") throw new TrellisError("blockhash_expired");
    const { signers, transaction } = ready.wire;
    throw simulationRefused(simulation, signers[0] === network.feePayer.address, transaction.messageBytes);
  }
  if (ready.wire.signers[0] === network.feePayer.address && simulation.payerLossLamports > ready.reserveLamports) {
    throw new TrellisError("forbidden_account", {
      message:
        "The transaction would now take more from the service's fee payer than when it was prepared. Prepare it again.",
    });
  }
  const gains = ready.paysVoters.find((address) => {
    const index = ready.wire.signers.indexOf(address);
    return (simulation.postBalances[index] ?? 0n) > (simulation.preBalances[index] ?? 0n);
  });
  if (gains !== undefined) {
    throw new TrellisError("forbidden_account", {
      message: "The proposal needs no more rent than it has, so nobody is paid for it. Prepare the vote again.",
    });
  }
}

/**
 * Signs a checked transaction and lands it. The custodians sign first, the fee payer last; the signed bytes, the consumed
 * payloads and the reserved fee are one database transaction; only then is anything sent. From that moment on the outcome
 * is found whatever happens to this process.
 *
 * Throws the errors of gap 29; `transaction_failed` when the chain refused it, `blockhash_expired` when it never landed.
 */
export async function executeItem(
  needs: SubmitNeeds,
  network: Network,
  account: ActingAccount,
  item: CheckedItem,
): Promise<{ readonly signature: string; readonly confirmedAt: string }> {
  const outcome = item.known
    ? await landSubmission(needs, network, item.known.id)
    : await signAndLand(needs, network, account, item.ready);
  const { transaction } = item.known ? item.wire : item.ready.wire;
  return toAnswer(outcome, transaction.messageBytes);
}

async function signAndLand(
  needs: SubmitNeeds,
  network: Network,
  account: ActingAccount,
  ready: ReadyItem,
): Promise<FinalOutcome> {
  const { wire } = ready;
  assertOurs(
    wire.signers.slice(1).every((address) => !network.serviceAddresses.has(address)),
    "a service key signs as the fee payer or not at all",
  );
  const signatures = new Map<Address, SignatureBytes>();
  try {
    for (const stamp of ready.stamps)
      signatures.set(stamp.payload.address as Address, await askCustodian(needs, network, stamp));
  } catch (error) {
    const own = { tenantId: account.row.tenant_id, environment: network.name, accountAddress: account.row.address };
    const { id } = await findOvertaking(needs.db, network, own, wire.id, error);
    return landSubmission(needs, network, id);
  }
  const payer = wire.signers[0];
  const messageBytes = Uint8Array.from(wire.transaction.messageBytes);
  if (payer === network.feePayer.address) signatures.set(payer, await network.feePayer.sign(messageBytes));
  const bytes = encodeWithSignatures(wire.transaction, signatures);
  const first = payer === undefined ? undefined : (signatures.get(payer) ?? wire.transaction.signatures[payer]);
  assertOurs(first, "the fee payer's signature was checked or made");

  const stored = {
    id: wire.id,
    signature: getBase58Decoder().decode(first),
    wire_transaction: bytes,
    last_valid_block_height: ready.lastValidBlockHeight,
  };
  const realNow = needs.realClock.now();
  const owner = { tenantId: account.row.tenant_id, accountAddress: account.row.address };
  if (ready.reserveLamports > 0n) assertWithinTransactionLimit(network, ready.reserveLamports);
  const recorded = await recordSubmission(
    needs.db,
    network,
    {
      ...owner,
      id: stored.id,
      environment: network.name,
      purpose: "transaction",
      signature: stored.signature,
      wireTransaction: bytes,
      lastValidBlockHeight: ready.lastValidBlockHeight,
      reservedLamports: ready.reserveLamports,
      reservedOn: budgetDay(realNow),
    },
    ready.stamps,
    { ...owner, lamports: ready.reserveLamports, realNow },
    network.clock.now(),
    ready.prepared !== null,
  );
  // Not recorded: another copy of this submit was faster. Either it recorded the same bytes, or it was told that they expired.
  if (!recorded && (await findSubmission(needs.db, stored.id)) === undefined) {
    throw new TrellisError("blockhash_expired");
  }
  const outcome = await (recorded
    ? landNewSubmission(needs, network, stored)
    : landSubmission(needs, network, stored.id));
  if (outcome.state === "landed" && ready.changesSettings) await learnMembers(needs, network, account);
  // A change of the settings makes open proposals stale.
  if (outcome.state === "landed" && (ready.changesSettings || ready.changesProposals)) {
    await learnProposals(needs, network, account);
  }
  return outcome;
}

/** It has landed whatever happens here; the follower makes up for it. */
async function learnProposals(needs: SubmitNeeds, network: Network, { row, settingsAddress }: ActingAccount) {
  try {
    await refreshAccountProposals(needs, network, settingsAddress);
  } catch (error) {
    needs.log.warn({ error, account: row.address }, "the proposals of an account could not be read");
  }
}

/** The change has landed whatever happens here; reading the account next time makes up for it. */
async function learnMembers(needs: SubmitNeeds, network: Network, { row, settingsAddress }: ActingAccount) {
  try {
    const changed = await readAccount(network, settingsAddress);
    if (changed) await refreshMembers(needs.db, network, row, decodeSettings(changed.data));
  } catch (error) {
    needs.log.warn({ error, account: row.address }, "the signers of a changed account could not be read");
  }
}

async function askCustodian(
  needs: SubmitNeeds,
  network: Network,
  { payload, provider, stamp }: SignedPayload,
): Promise<SignatureBytes> {
  const custodian = needs.custodians.get(provider);
  assertOurs(custodian, "a payload was matched by its custodian's keys");
  try {
    return await custodian.sign({
      walletId: payload.wallet_id,
      payload: payload.payload,
      stamp,
      now: network.clock.now(),
      realNow: needs.realClock.now(),
    });
  } catch (error) {
    if (error instanceof CustodianUnavailable) throw new TrellisError("provider_unavailable", { cause: error });
    if (!(error instanceof CustodyRefusal)) throw error;
    if (error.reason === "authorization_expired") throw new TrellisError("session_expired", { cause: error });
    if (error.reason === "payload_expired") throw new TrellisError("payload_expired", { cause: error });
    throw new TrellisError("invalid_signature", { message: "The custodian refused to sign.", cause: error });
  }
}

function toAnswer(outcome: FinalOutcome, messageBytes: ArrayLike<number>): { signature: string; confirmedAt: string } {
  switch (outcome.state) {
    case "landed":
      return { signature: outcome.signature, confirmedAt: new Date(outcome.blockTime * 1000).toISOString() };
    case "failed":
      throw transactionFailed(outcome.failure, "executed", messageBytes);
    case "expired":
      throw new TrellisError("blockhash_expired");
  }
}
