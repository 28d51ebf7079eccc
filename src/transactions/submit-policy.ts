import type { Address, Instruction } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  CAN_EXECUTE_BIT,
  CAN_INITIATE_BIT,
  CAN_VOTE_BIT,
  checkConsensus,
  decodeProposal,
  deriveProposalAddress,
  deriveTransactionAddress,
  ProgramDataError,
  parseTransactionSync,
  readProgramInstruction,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import type { ProposalContent } from "@trellis/program-client/proposal-content.js";
import {
  readSettingsChange,
  type SettingsAction,
  type SettingsChange,
} from "@trellis/program-client/settings-change.js";
import { type Freshness, readAccounts } from "@trellis/solana/read-accounts.js";
import type { ReadMessage } from "@trellis/solana/read-message.js";
import { type ActingAccount, requirePermission } from "./acting-account.js";
import { namedInLimit, refuseForbidden, refuseNamed } from "./forbidden-instructions.js";
import { judgeContent, requireApprovable } from "./judge-content.js";
import { type LimitUse, readLimitUse } from "./limit-use.js";
import { type ProposalCall, readProposalCall } from "./proposal-call.js";
import { findSpendingLimit } from "./read-spending-limits.js";
import { readBatchContent } from "./stored-batch.js";
import { readStored, readTablesOf, refuseForbiddenContent, requireReleased } from "./stored-proposal.js";

/**
 * Requires that the signers present may do what the transaction does, by the account's settings as they are now, and that
 * nothing inside it touches a service key: neither what it calls nor what was stored for a vote and is executed by it.
 * Lookup tables are resolved now: what they hold may have changed since the transaction was prepared (gap 31).
 * `isPrepared`: whether the service made these bytes itself. Returns what stored proposals would execute, by their
 * address, as far as it can be read.
 *
 * Throws `insufficient_permissions` naming what lacks, `proposal_required` under a time lock, `forbidden_account`,
 * `spending_limit_not_found`, `proposal_index_conflict`, `time_lock_not_released`, `chain_unavailable`.
 */
export async function requireAuthority(
  account: ActingAccount,
  message: ReadMessage,
  present: ReadonlySet<Address>,
  network: Network,
  isPrepared: boolean,
): Promise<ReadonlyMap<Address, ProposalContent>> {
  const executed = new Map<Address, ProposalContent>();
  const stored = new Set<Address>();
  for (const instruction of message.instructions) {
    const change = readCaller(() => readSettingsChange(instruction));
    if (change) requireSettingsAuthority(account, change, present, network, isPrepared);
    const about = readCaller(() => readProposalCall(instruction));
    if (about) {
      const content = await requireProposalAuthority(account, about, present, network, isPrepared);
      if (about.kind === "execute" && content) executed.set(about.proposal, content);
    }
    for (const address of storedBy(instruction, about)) stored.add(address);
    if (about?.kind === "open") await requireStored(account, about.transactionIndex, stored, network);
    const use = readCaller(() => readLimitUse(instruction));
    if (use) await requireLimitSigner(account, use, instruction, present, network);
    const call = readCaller(() => parseTransactionSync(instruction));
    if (!call) continue;
    refuseForbidden(call.instructions, network.serviceAddresses, account.settingsAddress);
    if (account.settings.timeLockSeconds > 0) throw new TrellisError("proposal_required");
    const absent = call.members.find((member) => !present.has(member));
    const verdict = checkConsensus(account.settings, call.members);
    if (absent === undefined && verdict.ok) continue;
    throw new TrellisError("insufficient_permissions", {
      message: absent === undefined && !verdict.ok ? verdict.message : `${absent} has not signed.`,
    });
  }
  return executed;
}

/**
 * Requires that a payment out of a limit is one of this account's, and signed by whom the limit names as the chain has it
 * now: members or not, these may do this and nothing else. What is left of it, and whom it lets be paid, the simulation
 * says. Throws `spending_limit_not_found`, `insufficient_permissions`, `forbidden_account`, `chain_unavailable`.
 */
async function requireLimitSigner(
  account: ActingAccount,
  use: LimitUse,
  instruction: Instruction,
  present: ReadonlySet<Address>,
  network: Network,
): Promise<void> {
  const refuse = (message: string) => new TrellisError("insufficient_permissions", { message });
  refuseNamed(new Set((instruction.accounts ?? []).map(({ address }) => address)), network.serviceAddresses);
  if (use.settings !== account.settingsAddress || use.from !== account.address) {
    throw refuse("The payment is another account's.");
  }
  const freshness = { leastSlot: account.slot };
  const limit = await findSpendingLimit(network, account.settingsAddress, use.spendingLimit, freshness);
  if (limit === undefined) throw new TrellisError("spending_limit_not_found");
  if (!limit.signers.includes(use.signer)) throw refuse(`${use.signer} is not a signer of this spending limit.`);
  if (!present.has(use.signer)) throw refuse(`${use.signer} has not signed.`);
}

/**
 * Requires that the signer that proposes, votes or executes may do so, and that nothing stored touches a service key. Returns
 * what would be executed, where it can be read.
 */
async function requireProposalAuthority(
  account: ActingAccount,
  call: ProposalCall,
  present: ReadonlySet<Address>,
  network: Network,
  isPrepared: boolean,
): Promise<ProposalContent | undefined> {
  const { settings } = account;
  const freshness = { leastSlot: account.slot };
  if (call.settings !== account.settingsAddress) {
    throw new TrellisError("insufficient_permissions", { message: "The proposal is another account's." });
  }
  // No member has to sign for it, and the rent goes where the chain says.
  if (call.kind === "close") return undefined;
  // Giving a buffer up returns rent to its owner, member or not.
  if (call.kind !== "close_buffer") requirePermission(account, call.signer, permissionsFor[call.kind]);
  if (!present.has(call.signer)) {
    throw new TrellisError("insufficient_permissions", { message: `${call.signer} has not signed.` });
  }
  if (call.kind === "store" || call.kind === "batch" || call.kind === "use_buffer") {
    if (call.transaction !== deriveTransactionAddress(account.settingsAddress, settings.transactionIndex + 1n)) {
      throw new TrellisError("proposal_index_conflict");
    }
  }
  if (call.kind === "store" || call.kind === "add") {
    if (call.content.kind === "settings" && settings.settingsAuthority !== null) {
      throw new TrellisError("admin_required");
    }
    const tables = await readTablesOf(network, call.content, freshness);
    const executor = isPrepared ? network.executor : null;
    refuseForbiddenContent(call.content, tables, network.serviceAddresses, account.settingsAddress, executor);
  }
  if (call.kind === "vote" && call.action === "approve" && !isPrepared) {
    await requireApprovableElsewhere(network, account.settingsAddress, call.proposal, freshness);
  }
  if (call.kind !== "execute") return undefined;
  // Whatever is stored: the program hands on only what it is given here.
  const given = call.given.find((address) => network.serviceAddresses.has(address));
  if (given !== undefined) {
    throw new TrellisError("forbidden_account", {
      field: "transaction",
      message: `What would be executed names ${given}, a key of the service.`,
    });
  }
  const stored = await readStored(network, call.proposal, call.transaction, freshness);
  if (!stored) return undefined;
  requireReleased(network, stored.proposal, settings.timeLockSeconds);
  if (stored.content === undefined) return undefined;
  const tables = await readTablesOf(network, stored.content, freshness);
  refuseForbiddenContent(stored.content, tables, network.serviceAddresses, account.settingsAddress, network.executor);
  return stored.content;
}

/** An approval that was prepared elsewhere is held to what is there by now; what is stored with it was checked as such. */
async function requireApprovableElsewhere(
  network: Network,
  settings: Address,
  address: Address,
  freshness: Freshness,
): Promise<void> {
  const [voting] = await readAccounts(network, [address], freshness);
  if (voting?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return;
  const { transactionIndex } = readCaller(() => decodeProposal(voting.data));
  const content = await readContent(network, settings, transactionIndex, freshness);
  requireApprovable(await judgeContent(network, settings, content, freshness));
}

/** What would be executed, a batch whole; undefined where it cannot be read. */
async function readContent(
  network: Network,
  settings: Address,
  transactionIndex: bigint,
  freshness: Freshness,
): Promise<ProposalContent | undefined> {
  const batch = await readBatchContent(network, settings, transactionIndex, freshness);
  if (batch !== undefined) return batch;
  const place = deriveTransactionAddress(settings, transactionIndex);
  const stored = await readStored(network, deriveProposalAddress(settings, transactionIndex), place, freshness);
  return stored?.content;
}

/** Where an instruction stores something to be voted on; one that this client does not know may do so anywhere it names. */
function storedBy(instruction: Instruction, call: ProposalCall | undefined): readonly Address[] {
  if (call !== undefined) {
    return call.kind === "store" || call.kind === "batch" || call.kind === "use_buffer" ? [call.transaction] : [];
  }
  const parsed = readProgramInstruction(instruction);
  const isUnknown = instruction.programAddress === SMART_ACCOUNT_PROGRAM_ADDRESS && parsed === undefined;
  return isUnknown ? (instruction.accounts ?? []).map(({ address }) => address) : [];
}

/**
 * A vote is about something: stored in front of it, by this transaction, or there already. The program also opens one on
 * what was closed. Such a vote has no effect, and its rent is lost (gap 86).
 */
async function requireStored(
  { settingsAddress, slot }: ActingAccount,
  transactionIndex: bigint,
  stored: ReadonlySet<Address>,
  network: Network,
): Promise<void> {
  const address = deriveTransactionAddress(settingsAddress, transactionIndex);
  if (stored.has(address)) return;
  const [found] = await readAccounts(network, [address], { leastSlot: slot });
  if (found?.owner === SMART_ACCOUNT_PROGRAM_ADDRESS) return;
  throw new TrellisError("invalid_transaction", {
    field: "transaction",
    message:
      `Under the number ${transactionIndex} nothing is stored, or not any more: a vote on it would have no effect, and its ` +
      "rent would be lost.",
  });
}

/** What the program asks of the signer; any of the bits will do. */
const permissionsFor = {
  store: CAN_INITIATE_BIT,
  batch: CAN_INITIATE_BIT,
  add: CAN_INITIATE_BIT,
  open: CAN_INITIATE_BIT | CAN_VOTE_BIT,
  activate: CAN_INITIATE_BIT,
  begin_buffer: CAN_INITIATE_BIT,
  fill_buffer: CAN_INITIATE_BIT,
  use_buffer: CAN_INITIATE_BIT,
  vote: CAN_VOTE_BIT,
  execute: CAN_EXECUTE_BIT,
} as const;

/**
 * Requires that those who change the settings may do so now: enough members of an account that belongs to its signers, or
 * the admin of one that has an admin. A key of the service becomes neither signer nor admin (gaps 16, 31), and none but
 * the service itself gives its executor a spending limit (gap 42).
 */
function requireSettingsAuthority(
  account: ActingAccount,
  change: SettingsChange,
  present: ReadonlySet<Address>,
  network: Pick<Network, "serviceAddresses" | "executor">,
  isPrepared: boolean,
): void {
  for (const action of change.actions) {
    const named = namedIn(action, isPrepared ? network.executor : null);
    if (!named.some((address) => network.serviceAddresses.has(address as Address))) continue;
    throw new TrellisError("forbidden_account", {
      field: "transaction",
      message: "A key of the service cannot belong to an account.",
    });
  }
  const { settings, settingsAddress } = account;
  const refuse = (message: string) => new TrellisError("insufficient_permissions", { message });
  if (change.settings !== settingsAddress) throw refuse("The change is about the settings of another account.");
  const { by } = change;
  const signing = by.kind === "members" ? by.members : [by.admin];
  const absent = signing.find((address) => !present.has(address));
  if (absent !== undefined) throw refuse(`${absent} has not signed.`);
  if (by.kind === "admin") {
    if (settings.settingsAuthority !== by.admin) throw refuse(`${by.admin} is not the admin of this account.`);
    return;
  }
  if (settings.settingsAuthority !== null) throw refuse("Only the admin of this account changes its settings.");
  if (settings.timeLockSeconds > 0) throw new TrellisError("proposal_required");
  const verdict = checkConsensus(settings, by.members);
  if (!verdict.ok) throw refuse(verdict.message);
}

/** Who is given rights or money by an action; the executor may be the signer of a limit, where one is let through. */
function namedIn(action: SettingsAction, executor: Network["executor"]): readonly string[] {
  switch (action.type) {
    case "add_signer":
      return [action.address];
    case "set_admin":
      return action.admin_address === null ? [] : [action.admin_address];
    case "add_spending_limit":
      return namedInLimit(action, executor);
    default:
      return [];
  }
}

/** A caller's bytes may say anything; what the program could not read either is not worth sending. */
export function readCaller<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof ProgramDataError)) throw cause;
    throw new TrellisError("invalid_transaction", {
      field: "transaction",
      message: `The call of the smart account program cannot be read: ${cause.message}.`,
      cause,
    });
  }
}
