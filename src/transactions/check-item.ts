import type { Address } from "@solana/kit";
import { matchStamps, type SignedPayload, type StampEntry } from "../custody/match-stamps.js";
import { wakeProposals } from "../following/proposal-subscriptions.js";
import { assertOurs, TrellisError } from "../kernel/errors.js";
import type { SubmitHooks } from "../kernel/module.js";
import type { Clock } from "../ports/clock.js";
import type { Custodians } from "../ports/custodian.js";
import type { Db, PreparedTransactionTable, SubmissionTable } from "../ports/database.js";
import type { Network } from "../ports/network.js";
import { SYSTEM_PROGRAM_ADDRESS } from "../program-client/index.js";
import { readSettingsChange } from "../program-client/settings-change.js";
import { askChain } from "../solana/ask-chain.js";
import { type ReadMessage, readMessage } from "../solana/read-message.js";
import { alreadyProcessed, simulate, slotBeforeProcessed } from "../solana/simulate.js";
import { isChainSignature } from "../solana/strict-signature.js";
import { parseWireTransaction, type WireTransaction } from "../solana/wire-transaction.js";
import { type Cost, sumOf } from "../sponsorship/sponsorship.js";
import { findMessage } from "../submissions/find-message.js";
import { recordFound } from "../submissions/record-found.js";
import { findCarried, findSubmission } from "../submissions/submission-store.js";
import type { ActingAccount } from "./acting-account.js";
import { explainAltered } from "./altered-transaction.js";
import { type AddCall, isAddCall, requireBatchPlaces } from "./batch-place.js";
import { type BufferCall, isBufferCall } from "./buffer-call.js";
import { requireBuffers } from "./buffer-step.js";
import { simulationRefused } from "./chain-failure.js";
import { belongsTo, findOvertaking } from "./overtaking.js";
import { type FoundPrepared, findPrepared, type Owner } from "./prepared-store.js";
import { type ProposalCall, readProposalCall } from "./proposal-call.js";
import { costsOf } from "./sponsored-costs.js";
import { requireAuthority, requireSelfContained } from "./submit-policy.js";

/** What checking asks of the world. */
export interface CheckNeeds {
  readonly db: Db;
  readonly custodians: Custodians;
  readonly realClock: Clock;
  readonly submitHooks: SubmitHooks;
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
  | {
      readonly known: undefined;
      readonly ready: ReadyItem;
      /** A slot at which it had not landed: the one it was simulated at. */
      readonly slot: bigint;
    }
  /** It follows one that stands before it in the same request, and is looked at again once that has landed. */
  | { readonly known: undefined; readonly ready: undefined };

/** One that can be executed now. */
export type ExecutableItem = Exclude<CheckedItem, { readonly known: undefined; readonly ready: undefined }>;

export const isExecutable = (item: CheckedItem): item is ExecutableItem =>
  item.known !== undefined || item.ready !== undefined;

/** What execution needs of such a transaction. */
export interface ReadyItem {
  readonly wire: WireTransaction;
  /** Null for a transaction that was not prepared here. */
  readonly prepared: PreparedTransactionTable | null;
  readonly stamps: readonly SignedPayload[];
  readonly lastValidBlockHeight: bigint;
  /** What the service pays for it; nothing where it does not pay. */
  readonly costs: readonly Cost[];
  /** Who is a signer may be another matter afterwards. */
  readonly changesSettings: boolean;
  /** What is voted on, or how the vote stands. */
  readonly changesProposals: boolean;
  /** Voters who get lamports for the growth of a proposal: they are to have none left over. */
  readonly paysVoters: readonly Address[];
  /** What it does with buffers, in order. */
  readonly bufferCalls: readonly BufferCall[];
  /** What it puts into batches, in order. */
  readonly addCalls: readonly AddCall[];
}

/**
 * Checks one transaction of a submit request (gaps 25 to 31) and changes nothing: the bytes are ones prepared here for
 * this account, every signature is there and verifies, the signers may do this, and it would succeed now at no more
 * cost than announced. Throws the errors of gap 29.
 */
export async function checkItem(
  needs: CheckNeeds,
  network: Network,
  account: ActingAccount,
  item: SubmitItem,
): Promise<ExecutableItem> {
  const checked = await checkItemAmong(needs, network, account, item, new Set());
  assertOurs(isExecutable(checked), "nothing stands before it");
  return checked;
}

/** The same of one among several; `before` are the identities of those that stand before it in the request. */
export async function checkItemAmong(
  needs: CheckNeeds,
  network: Network,
  account: ActingAccount,
  item: SubmitItem,
  before: ReadonlySet<string>,
): Promise<CheckedItem> {
  const wire = parseWireTransaction(item.transaction, item.field);
  const owner: Owner = {
    tenantId: account.row.tenant_id,
    environment: network.name,
    accountAddress: account.row.address,
  };
  const found = await findPrepared(needs.db, owner, wire.id);
  const known =
    found?.isSubmitted === false
      ? undefined
      : ((await findSubmission(needs.db, wire.id)) ?? (await findCarried(needs.db, wire.bytes)));
  if (known) {
    if (!belongsTo(known, owner)) throw new TrellisError("transaction_not_prepared", { field: item.field });
    return { known, wire };
  }
  try {
    const signed = verifySignatures(network, wire, item.field);
    const complete = found
      ? await completePrepared(needs, network, item, wire, signed, found)
      : await completeForeign(needs.db, network, account, item, { wire, owner, signed });
    try {
      const ready = await judge(needs, network, account, complete);
      const follows = complete.prepared?.follows ?? null;
      const leastSlot = await requirePredecessor(needs.db, account, follows, before, item.field);
      if (leastSlot === undefined) return { known: undefined, ready: undefined };
      const step = complete.prepared?.buffer_step ?? null;
      await requireBuffers(network, account, ready.bufferCalls, step === null ? null : JSON.parse(step), leastSlot);
      await requireBatchPlaces(network, account, ready.addCalls, leastSlot);
      return { known: undefined, ready, slot: await checkBySimulation(network, leastSlot, ready) };
    } catch (error) {
      return { known: await findProcessed(needs, network, account, owner, complete, error), wire };
    }
  } catch (error) {
    return { known: await findOvertaking(needs.db, network, owner, wire.id, error), wire };
  }
}

/**
 * What a transaction follows must have landed: returns the slot that it is simulated at, at least. Undefined where its
 * predecessor stands before it in the same request and has yet to be sent. Throws `submission_in_progress` while that is
 * on its way, `invalid_transaction` where it never was, or failed.
 */
async function requirePredecessor(
  db: Db,
  { slot }: ActingAccount,
  follows: string | null,
  before: ReadonlySet<string>,
  field: string,
): Promise<bigint | undefined> {
  if (follows === null) return slot;
  const predecessor = await findSubmission(db, follows);
  if (predecessor?.state === "landed") {
    const landed = predecessor.slot ?? slot;
    return landed > slot ? landed : slot;
  }
  if (before.has(follows)) return undefined;
  if (predecessor?.state === "signed" || predecessor?.state === "sent")
    throw new TrellisError("submission_in_progress");
  throw new TrellisError("invalid_transaction", {
    field,
    message: "It follows another transaction of the same answer, which has not landed.",
    suggestion: "Submit them together, in the order in which they were prepared.",
  });
}

/** A transaction that has every signature, or what the custodians and the fee payer need to make theirs. */
interface CompleteItem {
  readonly wire: WireTransaction;
  readonly prepared: PreparedTransactionTable | null;
  readonly stamps: readonly SignedPayload[];
  /** Who has signed, by the bytes or by a payload. */
  readonly present: ReadonlySet<Address>;
}

async function completePrepared(
  needs: CheckNeeds,
  network: Network,
  item: SubmitItem,
  wire: WireTransaction,
  signed: ReadonlySet<Address>,
  found: FoundPrepared,
): Promise<CompleteItem> {
  const { prepared } = found;
  const now = network.clock.now();
  const payloads = found.payloads.filter(({ address }) => !signed.has(address as Address));
  if (now >= Number(prepared.expires_at) || prepared.refused_at !== null) {
    throw new TrellisError(payloads.length > 0 ? "payload_expired" : "blockhash_expired", { field: item.field });
  }
  if (payloads.some(({ used_by }) => used_by !== null && used_by !== wire.id)) {
    throw new TrellisError("payload_already_used", { field: "kms_payloads" });
  }
  const times = { now, realNow: needs.realClock.now(), tenantId: prepared.tenant_id };
  const stamps = await matchStamps(needs, payloads, item.entries, times);
  const present = new Set([...signed, ...stamps.map(({ payload }) => payload.address as Address)]);
  requireSignatures(wire, network, present, item.field);
  return { wire, prepared, stamps, present };
}

/** Whether it may be executed now. */
function judge(
  needs: CheckNeeds,
  network: Network,
  account: ActingAccount,
  complete: CompleteItem,
): Promise<ReadyItem> {
  const { prepared } = complete;
  return prepared === null
    ? judgeForeign(network, account, complete)
    : judgePrepared(needs, network, account, { ...complete, prepared });
}

async function judgePrepared(
  needs: CheckNeeds,
  network: Network,
  account: ActingAccount,
  { wire, prepared, stamps, present }: CompleteItem & { readonly prepared: PreparedTransactionTable },
): Promise<ReadyItem> {
  const message = await readMessage(network, wire, { leastSlot: account.slot });
  const executed = await requireAuthority(account, message, present, network, true);
  const calls = readProposalCalls(message);
  await needs.submitHooks.requireSubmittable(needs, network, {
    settingsAddress: account.settingsAddress,
    opensSponsoredProposal: calls.some((call) => call.kind === "open" && call.rentPayer === network.feePayer.address),
  });
  return {
    wire,
    prepared,
    stamps,
    lastValidBlockHeight: prepared.last_valid_block_height,
    costs: prepared.fee_payer === network.feePayer.address ? costsOf(account, message, prepared, executed) : [],
    changesSettings:
      calls.some(({ kind }) => kind === "execute") ||
      message.instructions.some((instruction) => readSettingsChange(instruction) !== undefined),
    changesProposals: calls.length > 0,
    paysVoters: votersPaid(message, calls, network.feePayer.address),
    bufferCalls: calls.filter(isBufferCall),
    addCalls: calls.filter(isAddCall),
  };
}

/** A transaction built elsewhere: fully signed by its own keys, paid by its own payer, and about this account only. */
async function completeForeign(
  db: Db,
  network: Network,
  account: ActingAccount,
  item: SubmitItem,
  { wire, owner, signed }: { wire: WireTransaction; owner: Owner; signed: ReadonlySet<Address> },
): Promise<CompleteItem> {
  const message = await readMessage(network, wire, { leastSlot: account.slot });
  try {
    requireSelfContained(account, message, network, item.field);
    if (item.entries.length > 0) {
      throw new TrellisError("transaction_not_prepared", {
        field: item.field,
        message: "Custody signatures are given to transactions prepared here only.",
      });
    }
  } catch (refusal) {
    throw (await explainAltered(db, network, owner, { wire, message }, item.field)) ?? refusal;
  }
  requireSignatures(wire, network, signed, item.field);
  return { wire, prepared: null, stamps: [], present: signed };
}

async function judgeForeign(
  network: Network,
  account: ActingAccount,
  { wire, stamps, present }: CompleteItem,
): Promise<ReadyItem> {
  const message = await readMessage(network, wire, { leastSlot: account.slot });
  await requireAuthority(account, message, present, network, false);
  const calls = readProposalCalls(message);
  return {
    wire,
    prepared: null,
    stamps,
    lastValidBlockHeight: await lastValidOfForeign(network),
    costs: [],
    // Also what an approved proposal executes can change them.
    changesSettings: true,
    changesProposals: true,
    paysVoters: [],
    bufferCalls: calls.filter(isBufferCall),
    addCalls: calls.filter(isAddCall),
  };
}

/**
 * How long the blockhash of a transaction built elsewhere lives is not known here, and it may come from a node that is
 * ahead of the one asked: the bound leaves room for both.
 */
const lastValidOfForeign = async ({ rpc }: Network): Promise<bigint> =>
  (await askChain(rpc.getBlockHeight({ commitment: "confirmed" }))) + 300n;

/**
 * A refused transaction may be one that has landed: then what it did is the reason for the refusal (it has used up its
 * proposal, its limit, its money), and its outcome is the answer. A node's word that it was processed makes nobody sign and
 * records nothing: the node has to show it, signed by all its signers. Throws the refusal where the chain does not call the
 * message processed, `submission_in_progress` where it does and does not show it, and `chain_unavailable` where it does not
 * answer.
 */
async function findProcessed(
  needs: CheckNeeds,
  network: Network,
  account: ActingAccount,
  owner: Owner,
  { wire, prepared }: CompleteItem,
  refusal: unknown,
): Promise<SubmissionTable> {
  if (!(refusal instanceof TrellisError) || unanswered.has(refusal.code)) throw refusal;
  const said = refusal.details?.[0]?.chain_error;
  if (said !== undefined && said !== alreadyProcessed) throw refusal;
  const simulation = await simulate(network, wire.bytes, {
    lastValidBlockHeight: prepared?.last_valid_block_height,
  });
  if (simulation.error !== alreadyProcessed) throw refusal;
  const now = network.clock.now();
  const sent = {
    last_valid_block_height: prepared?.last_valid_block_height ?? (await lastValidOfForeign(network)),
    recorded_slot: slotBeforeProcessed(simulation.slot),
  };
  const standing = await findMessage(
    network,
    { id: wire.id },
    {
      address: account.settingsAddress,
      lastValidBlockHeight: sent.last_valid_block_height,
      recordedAt: prepared ? Number(prepared.created_at) : now,
      recordedSlot: sent.recorded_slot,
      before: null,
    },
  );
  if (standing.kind !== "found") {
    throw new TrellisError("submission_in_progress", {
      message: "The chain has processed it, and does not show it yet. Submit the same bytes again in some seconds.",
    });
  }
  // What it did to the account's settings and proposals is read as after a submit.
  await wakeProposals(needs.db, network.name, [account.settingsAddress], now);
  await recordFound(
    needs.db,
    network,
    {
      id: wire.id,
      tenant_id: owner.tenantId,
      environment: owner.environment,
      account_address: owner.accountAddress,
      ...sent,
      changesSettings: true,
    },
    standing,
  );
  const recorded = await findSubmission(needs.db, wire.id);
  if (recorded === undefined || !belongsTo(recorded, owner)) throw refusal;
  return recorded;
}

/** Of these, the chain has said nothing about the message, or that its time is over. */
const unanswered: ReadonlySet<string> = new Set(["chain_unavailable", "service_unavailable", "blockhash_expired"]);

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
        suggestion:
          "Have exactly these bytes signed. A wallet that adds something to them signs other bytes: submit what it gives " +
          "back, to read what it has added.",
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

/** Returns the slot of the simulation: what has landed by then does not simulate. */
async function checkBySimulation(network: Network, leastSlot: bigint, ready: ReadyItem): Promise<bigint> {
  const simulation = await simulate(network, ready.wire.bytes, {
    leastSlot,
    lastValidBlockHeight: ready.prepared?.last_valid_block_height,
  });
  if (simulation.error !== null) {
    const { signers, transaction } = ready.wire;
    throw simulationRefused(simulation, signers[0] === network.feePayer.address, transaction.messageBytes);
  }
  if (ready.wire.signers[0] === network.feePayer.address && simulation.payerLossLamports > sumOf(ready.costs)) {
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
  return simulation.slot;
}
