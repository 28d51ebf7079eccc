import { type Address, unwrapOption } from "@solana/kit";
import { getTokenDecoder } from "@solana-program/token";
import { limits } from "@trellis/kernel/limits.js";
import {
  accountKindOf,
  decodeAnyTransaction,
  decodeBatch,
  decodeBatchTransaction,
  decodePolicy,
  decodePolicyRules,
  decodeProposal,
  decodeSettingsTransaction,
  decodeSpendingLimit,
  deriveBatchTransactionAddress,
  deriveEarlyPolicyAddress,
  derivePolicyAddress,
  deriveProposalAddress,
  deriveSpendingLimitAddress,
  deriveTransactionAddress,
  EPHEMERAL_SIGNERS_MAX,
  isFirstGenerationTransaction,
  type Policy,
  ProgramDataError,
  type Proposal,
  remainingAt,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  type SpendingLimit,
  type StoredTransaction,
  SYSTEM_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { describeStoredActions, type SettingsAction } from "@trellis/program-client/settings-change.js";
import { tokenPrograms } from "@trellis/solana/token-accounts.js";
import type { ChainReader, FoundAccount } from "./chain-reader.js";
import { assertTrue, DoctorError, decodeAt } from "./doctor-error.js";
import { type ExaminedAccount, readExaminedAccount } from "./find-settings.js";
import { examineBuffers, type LeftOverBuffer } from "./left-over-buffers.js";
import { type DerivedHolders, readDerivedHolders } from "./passkey-holders.js";

/** Everything on chain that lets a key act for a smart account. */
export interface Authority {
  readonly account: ExaminedAccount;
  /** What was read is not older than this. */
  readonly slot: bigint;
  readonly unixSeconds: bigint;
  /** Who owns the smart account's address: the system program, or none before it has money. */
  readonly addressOwner: Address | null;
  readonly spendingLimits: readonly ExaminedLimit[];
  readonly policies: readonly ExaminedPolicy[];
  /** Those that are not finished, of the settings and of policies, newest first. */
  readonly proposals: readonly OpenProposal[];
  readonly delegates: readonly TokenDelegate[];
  /** What is left of proposals that were begun in several transactions, of the settings and of policies. */
  readonly buffers: readonly LeftOverBuffer[];
  /** Holders of any of this authority that sign by an account of their own. */
  readonly passkeys: DerivedHolders["passkeys"];
  /** Holders of any of it whose addresses are derived, and for which this cannot say who signs. */
  readonly unreadHolders: DerivedHolders["unread"];
}

/** A spending limit. */
export interface ExaminedLimit {
  readonly address: Address;
  readonly limit: SpendingLimit;
  /** What a payment may take now. */
  readonly remainingBaseUnits: bigint;
  /** False once nothing can ever be paid by it any more. */
  readonly isUsable: boolean;
}

/** A policy: signers of its own beside those of the settings. */
export interface ExaminedPolicy {
  readonly address: Address;
  readonly rules: Policy;
}

/** What a proposal would do. */
export type ProposalContent =
  | { readonly kind: "transaction"; readonly accounts: readonly Address[]; readonly programs: readonly Address[] }
  | { readonly kind: "settings_change"; readonly actions: readonly SettingsAction[] }
  /** Several transactions, executed one after the other. */
  | {
      readonly kind: "batch";
      readonly size: number;
      readonly executed: number;
      readonly accounts: readonly Address[];
      readonly programs: readonly Address[];
    }
  /** Something this version cannot read: a policy's payload. */
  | { readonly kind: "unread" };

/** A proposal that could still be voted on or executed. */
export interface OpenProposal {
  readonly address: Address;
  readonly consensus: Address;
  readonly proposal: Proposal;
  readonly isStale: boolean;
  /** Null when what was proposed has been closed: then it can have no effect. */
  readonly content: ProposalContent | null;
  /** An approval outlives every change of signers, and staleness stops changes of settings only. */
  readonly canExecute: boolean;
  /** Unix seconds from which it can be executed, for an approved one. */
  readonly executableFrom: bigint | null;
  /** Whether it calls the program about the settings that decide on it: executed, it can stop all later proposals. */
  readonly isAboutItself: boolean;
  /** Why it is never executed, though it may be approved; null where nothing is known against it. */
  readonly neverExecutable: "throw_away_signers" | "first_generation" | null;
}

/** A delegate whom the smart account lets move tokens of one of its token accounts, or close it. */
export interface TokenDelegate {
  readonly tokenAccount: Address;
  readonly mint: Address;
  readonly delegate: Address;
  readonly right: "delegate" | "close_authority";
  readonly amountBaseUnits: bigint;
}

/**
 * Reads from the chain alone who may act for a smart account. Every address is derived again, and every account's owner
 * checked: an answer that cannot be true ends in a `DoctorError`. What a node leaves out cannot be noticed.
 */
export async function readAuthority(chain: ChainReader, account: ExaminedAccount): Promise<Authority> {
  const { settingsAddress, settings } = account;
  const under = await chain.accountsUnder(settingsAddress);
  const ofKind = (kind: ReturnType<typeof accountKindOf>) => under.filter(({ data }) => accountKindOf(data) === kind);

  const policies = ofKind("policy").map((one) => examinePolicy(one, settingsAddress));
  const proposals = await examineProposals(chain, settingsAddress, settings, under);
  const buffers = examineBuffers(settingsAddress, under);
  for (const { address, rules } of policies) {
    const ofPolicy = await chain.accountsUnder(address);
    proposals.push(...(await examineProposals(chain, address, rules, ofPolicy)));
    buffers.push(...examineBuffers(address, ofPolicy));
  }
  const spendingLimits = ofKind("spendingLimit").map((one) => examineLimit(one, settingsAddress, chain.unixSeconds));
  const delegates = await readDelegates(chain, account.address);
  const { passkeys, unread } = await readDerivedHolders(
    chain,
    holdersOf({ account, spendingLimits, policies, delegates }),
  );
  const authority: Authority = {
    account,
    slot: chain.slot,
    unixSeconds: chain.unixSeconds,
    addressOwner: (await chain.account(account.address))?.owner ?? null,
    spendingLimits,
    policies,
    proposals,
    delegates,
    buffers,
    passkeys,
    unreadHolders: unread,
  };
  const again = await readExaminedAccount(chain, settingsAddress);
  if (!Buffer.from(again.data).equals(account.data)) {
    throw new DoctorError("The settings changed while they were being read. Run this again.");
  }
  return authority;
}

/** Who holds authority now. The smart account itself is none: its own signers act for it. */
function holdersOf({
  account,
  spendingLimits,
  policies,
  delegates,
}: Pick<Authority, "account" | "spendingLimits" | "policies" | "delegates">): Address[] {
  const { signers, settingsAuthority } = account.settings;
  const holders = [
    ...signers.map(({ address }) => address),
    ...(settingsAuthority === null ? [] : [settingsAuthority]),
    ...spendingLimits.flatMap(({ limit, isUsable }) => (isUsable ? limit.signers : [])),
    ...policies.flatMap(({ rules }) => rules.signers.map(({ address }) => address)),
    ...delegates.map(({ delegate }) => delegate),
  ];
  return holders.filter((address) => address !== account.address);
}

function examineLimit({ address, data }: FoundAccount, settings: Address, now: bigint): ExaminedLimit {
  const limit = decodeAt(address, () => decodeSpendingLimit(data));
  assertTrue(deriveSpendingLimitAddress(settings, limit.seed) === address, `no spending limit can lie at ${address}`);
  const remainingBaseUnits = remainingAt(limit, now);
  const isExpired = limit.expiration !== null && limit.expiration < now;
  const isSpent = remainingBaseUnits === 0n && remainingAt(limit, now + forever) === 0n;
  return { address, limit, remainingBaseUnits, isUsable: !isExpired && !isSpent };
}

/** Longer than any period. */
const forever = 1_000_000_000n;

function examinePolicy({ address, data }: FoundAccount, settings: Address): ExaminedPolicy {
  const { seed } = decodeAt(address, () => decodePolicyRules(data));
  const places = [derivePolicyAddress(settings, seed), deriveEarlyPolicyAddress(settings, seed)];
  assertTrue(places.includes(address), `no policy can lie at ${address}`);
  const rules = decodeAt(address, () => decodePolicy(address, data));
  return { address, rules };
}

async function examineProposals(
  chain: ChainReader,
  consensus: Address,
  rules: { readonly timeLockSeconds: number; readonly staleTransactionIndex: bigint },
  under: readonly FoundAccount[],
): Promise<OpenProposal[]> {
  const accounts = new Map(under.map((account) => [account.address, account]));
  const open: OpenProposal[] = [];
  for (const { address, data } of under) {
    if (accountKindOf(data) !== "proposal") continue;
    const proposal = decodeAt(address, () => decodeProposal(data));
    const { transactionIndex, status, statusTimestamp } = proposal;
    assertTrue(deriveProposalAddress(consensus, transactionIndex) === address, `no proposal can lie at ${address}`);
    if (status === "executed" || status === "rejected" || status === "cancelled") continue;
    const isStale = transactionIndex <= rules.staleTransactionIndex;
    const proposed = accounts.get(deriveTransactionAddress(consensus, transactionIndex));
    const messages = proposed === undefined ? [] : await messagesOf(chain, proposed, consensus);
    const content = proposed === undefined ? null : readContent(proposed, messages, consensus, transactionIndex);
    const neverExecutable = judgeStored(proposed, messages ?? []);
    const isBarred = content === null || neverExecutable !== null || (isStale && content.kind === "settings_change");
    open.push({
      address,
      consensus,
      proposal,
      isStale,
      content,
      canExecute: status === "approved" && !isBarred,
      executableFrom:
        status === "approved" && statusTimestamp !== null ? statusTimestamp + BigInt(rules.timeLockSeconds) : null,
      isAboutItself: (messages ?? []).some((message) => isAbout(message, consensus)),
      neverExecutable,
    });
  }
  return open.sort((a, b) => Number(b.proposal.transactionIndex - a.proposal.transactionIndex));
}

function readContent(
  { address, data }: FoundAccount,
  messages: readonly HeldMessage[] | undefined,
  consensus: Address,
  index: bigint,
): ProposalContent {
  const kind = accountKindOf(data);
  try {
    if (kind === "settingsTransaction") {
      const stored = decodeSettingsTransaction(data);
      assertTrue(stored.index === index, `${address} holds another change of settings`);
      return {
        kind: "settings_change",
        actions: describeStoredActions(consensus, stored),
      };
    }
    if (kind === "transaction") {
      assertTrue(decodeAnyTransaction(data).index === index, `${address} holds another transaction`);
      if (messages !== undefined) return { kind: "transaction", ...namedIn(messages) };
    }
    if (kind === "batch") {
      const { index: storedIndex, size, executedCount } = decodeBatch(data);
      assertTrue(storedIndex === index, `${address} holds another batch`);
      if (messages !== undefined) return { kind: "batch", size, executed: executedCount, ...namedIn(messages) };
    }
  } catch (error) {
    // Contents that only other versions of the program write: they are reported as not read, never as harmless.
    if (!(error instanceof ProgramDataError)) throw error;
  }
  return { kind: "unread" };
}

type HeldMessage = Pick<StoredTransaction, "message" | "ephemeralSignerCount">;

/** What is to be executed: one message, or those of a batch; undefined where any of it is closed or cannot be read. */
async function messagesOf(
  chain: ChainReader,
  { data }: FoundAccount,
  consensus: Address,
): Promise<readonly HeldMessage[] | undefined> {
  const kind = accountKindOf(data);
  try {
    if (kind === "transaction") return [decodeAnyTransaction(data)];
    if (kind !== "batch") return [];
    const { index, size } = decodeBatch(data);
    if (size > limits.batchTransactionsRead) return undefined;
    const held: HeldMessage[] = [];
    for (let number = 1; number <= size; number += 1) {
      const stored = await chain.account(deriveBatchTransactionAddress(consensus, index, number));
      if (stored?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
      held.push(decodeBatchTransaction(stored.data));
    }
    return held;
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}

function namedIn(messages: readonly HeldMessage[]) {
  const keys = messages.flatMap(({ message }) => message.accountKeys);
  const programs = messages.flatMap(({ message: { instructions, accountKeys } }) =>
    instructions.flatMap(({ programIdIndex }) => accountKeys[programIdIndex] ?? []),
  );
  return { accounts: [...new Set(keys)], programs: [...new Set(programs)] };
}

function judgeStored(
  proposed: FoundAccount | undefined,
  messages: readonly HeldMessage[],
): OpenProposal["neverExecutable"] {
  if (proposed !== undefined && isFirstGenerationTransaction(proposed.data)) return "first_generation";
  const hasMany = messages.some(({ ephemeralSignerCount }) => ephemeralSignerCount > EPHEMERAL_SIGNERS_MAX);
  return hasMany ? "throw_away_signers" : null;
}

/**
 * Whether the program is called and the settings are there to be written to. They may be in a lookup table, whose content
 * is not read here: then it is reported as well.
 */
function isAbout({ message }: HeldMessage, settings: Address): boolean {
  const { accountKeys, instructions, addressTableLookups } = message;
  const calls = instructions.filter(
    ({ programIdIndex }) => accountKeys[programIdIndex] === SMART_ACCOUNT_PROGRAM_ADDRESS,
  );
  return calls.some(({ accountIndexes }) =>
    accountIndexes.some((index) =>
      index < accountKeys.length ? accountKeys[index] === settings : addressTableLookups.length > 0,
    ),
  );
}

async function readDelegates(chain: ChainReader, owner: Address): Promise<readonly TokenDelegate[]> {
  const delegates: TokenDelegate[] = [];
  for (const tokenProgram of tokenPrograms) {
    for (const { address, owner: program, data } of await chain.tokenAccountsOf(owner, tokenProgram)) {
      assertTrue(program === tokenProgram && data.length >= 165, `${address} is no token account`);
      const token = getTokenDecoder().decode(data);
      assertTrue(token.owner === owner, `the token account ${address} belongs to another owner`);
      const shared = { tokenAccount: address, mint: token.mint };
      const delegate = unwrapOption(token.delegate);
      if (delegate !== null) {
        delegates.push({ ...shared, delegate, right: "delegate", amountBaseUnits: token.delegatedAmount });
      }
      const closer = unwrapOption(token.closeAuthority);
      if (closer !== null && closer !== owner) {
        delegates.push({ ...shared, delegate: closer, right: "close_authority", amountBaseUnits: 0n });
      }
    }
  }
  return delegates;
}

/** Whether the smart account's address is still its own: assigned to another program, that program would rule it. */
export function isOwnAddress({ addressOwner }: Pick<Authority, "addressOwner">): boolean {
  return addressOwner === null || addressOwner === SYSTEM_PROGRAM_ADDRESS;
}
