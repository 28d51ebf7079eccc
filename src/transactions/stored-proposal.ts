import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  decodeAnyTransaction,
  decodeBatchTransaction,
  decodeProposal,
  decodeSettingsTransaction,
  EPHEMERAL_SIGNERS_MAX,
  messageInstructions,
  ProgramDataError,
  type Proposal,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  type WrappedMessage,
} from "@trellis/program-client";
import type { BatchedMessage, ProposalContent } from "@trellis/program-client/proposal-content.js";
import { type Freshness, readAccounts } from "@trellis/solana/read-accounts.js";
import { type LookupTables, readLookupTables } from "@trellis/solana/read-message.js";
import { namedInLimit, refuseForbidden } from "./forbidden-instructions.js";

/** A vote and what is voted on, as the chain has them now. */
export interface StoredProposal {
  readonly address: Address;
  readonly proposal: Proposal;
  /** Bytes and lamports of the proposal's account. */
  readonly size: number;
  readonly lamports: bigint;
  /** Undefined where this client cannot read it, or it is removed. */
  readonly content: ProposalContent | undefined;
}

/** Reads a proposal by the addresses of both accounts; undefined where there is none. Throws `chain_unavailable`. */
export async function readStored(
  network: Pick<Network, "rpc">,
  address: Address,
  transaction: Address,
  freshness: Freshness,
): Promise<StoredProposal | undefined> {
  const [voting, stored] = await readAccounts(network, [address, transaction], freshness);
  if (voting?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  const proposal = attempt(() => decodeProposal(voting.data));
  if (!proposal) return undefined;
  const content =
    stored?.owner === SMART_ACCOUNT_PROGRAM_ADDRESS
      ? attempt(() => decodeStoredContent(stored.data, proposal.settings))
      : undefined;
  return { address, proposal, size: voting.data.length, lamports: voting.lamports, content };
}

/** Throws a `ProgramDataError` for what cannot be read, and for what another account decides about than `settings`. */
function decodeStoredContent(data: Uint8Array, settings: Address): ProposalContent {
  const batched = attempt(() => decodeBatchTransaction(data));
  // Which account of the settings acts stands in the batch; nothing here depends on it.
  if (batched) return { kind: "batch", accountIndex: 0, executed: 0, transactions: [batched] };
  const change = attempt(() => decodeSettingsTransaction(data));
  const stored = change ?? decodeAnyTransaction(data);
  if (stored.settings !== settings) throw new ProgramDataError("stored for another account");
  if ("message" in stored) {
    const { accountIndex, ephemeralSignerCount, message } = stored;
    return { kind: "transaction", accountIndex, ephemeralSignerCount, message };
  }
  return { kind: "settings", actions: stored.actions, unread: stored.unread };
}

/** What is on chain was written by anybody; what cannot be read is treated as absent. */
function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}

/** The lookup tables that a content names, as they are now. Throws `invalid_transaction`, `chain_unavailable`. */
export function readTablesOf(
  network: Pick<Network, "rpc">,
  content: ProposalContent | undefined,
  freshness: Freshness = {},
): Promise<LookupTables> {
  const named = messagesOf(content).flatMap(({ message }) =>
    message.addressTableLookups.map(({ accountKey }) => accountKey),
  );
  return readLookupTables(network, [...new Set(named)], freshness);
}

/** What a content consists of, where it consists of messages. */
export function messagesOf(content: ProposalContent | undefined): readonly BatchedMessage[] {
  if (content === undefined || content.kind === "settings") return [];
  return content.kind === "batch" ? content.transactions : [content];
}

/**
 * Refuses what must not be stored for a vote, and not be executed after one: anything that names a service key, advances a
 * durable nonce (gap 31), calls the program about the account itself, or has more throw-away signers than can sign
 * (gap 86). The executor, where it is given, may be the signer of a new spending limit: that is what a standing order is
 * (gap 42). Throws `forbidden_account`, `invalid_transaction`.
 */
export function refuseForbiddenContent(
  content: ProposalContent,
  lookupTables: LookupTables,
  serviceAddresses: ReadonlySet<Address>,
  settings: Address,
  executor: Network["executor"] = null,
): void {
  for (const stored of messagesOf(content)) {
    refuseNamed(stored.message.accountKeys, serviceAddresses);
    refuseForbidden(readInstructions(stored.message, lookupTables), serviceAddresses, settings);
    if (stored.ephemeralSignerCount > EPHEMERAL_SIGNERS_MAX) {
      throw new TrellisError("invalid_transaction", {
        field: "transaction",
        message:
          `What is voted on has ${stored.ephemeralSignerCount} throw-away signers. With more than ` +
          `${EPHEMERAL_SIGNERS_MAX} it can be approved and never executed.`,
      });
    }
  }
  if (content.kind !== "settings") return;
  for (const action of content.actions) {
    if (action.__kind === "AddSigner") refuseNamed([action.newSigner.key], serviceAddresses);
    if (action.__kind === "AddSpendingLimit") {
      refuseNamed(namedInLimit(action, executor), serviceAddresses);
    }
  }
}

function readInstructions(message: WrappedMessage, lookupTables: LookupTables) {
  try {
    return messageInstructions(message, lookupTables);
  } catch (cause) {
    if (!(cause instanceof ProgramDataError)) throw cause;
    throw new TrellisError("invalid_transaction", {
      field: "transaction",
      message: `What is voted on cannot be executed: ${cause.message}.`,
      cause,
    });
  }
}

function refuseNamed(addresses: readonly Address[], serviceAddresses: ReadonlySet<Address>): void {
  const forbidden = addresses.find((address) => serviceAddresses.has(address));
  if (forbidden === undefined) return;
  throw new TrellisError("forbidden_account", {
    field: "transaction",
    message: `The proposal names ${forbidden}, a key of the service.`,
  });
}

/** When the time lock of an approved proposal ends: Unix seconds; undefined where it is not approved. */
export function releasedAt(
  proposal: Pick<Proposal, "status" | "statusTimestamp">,
  timeLockSeconds: number,
): number | undefined {
  if (proposal.status !== "approved" || proposal.statusTimestamp === null) return undefined;
  return Number(proposal.statusTimestamp) + timeLockSeconds;
}

/** Throws `time_lock_not_released` with the instant while the time lock runs. */
export function requireReleased(
  network: Pick<Network, "clock">,
  proposal: Pick<Proposal, "status" | "statusTimestamp">,
  timeLockSeconds: number,
): void {
  const released = releasedAt(proposal, timeLockSeconds);
  if (released === undefined || network.clock.now() >= released * 1000) return;
  throw notReleased(released);
}

/** The error for an execution before its time; `released` is in Unix seconds. */
function notReleased(released: number): TrellisError {
  const instant = new Date(released * 1000).toISOString();
  return new TrellisError("time_lock_not_released", {
    message: `The time lock ends at ${instant}.`,
    facts: { released_at: instant },
  });
}
