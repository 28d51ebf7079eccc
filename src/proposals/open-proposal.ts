import type { Address, Instruction } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import {
  createProposalInstruction,
  createSettingsTransactionInstruction,
  createTransactionInstruction,
  deriveProposalAddress,
  voteInstruction,
} from "@trellis/program-client";
import { composeTransaction, computeUnitsMax, noBlockhash } from "@trellis/solana/compose.js";
import type { RawBuilder } from "kysely";
import type { ActingAccount } from "../transactions/acting-account.js";
import { type InstructionsRequest, prepareInstructions } from "../transactions/prepare-synchronous.js";
import type { PreparedTransaction } from "../transactions/prepared-transaction.js";
import { signByPasskeys } from "../transactions/sign-by-passkeys.js";
import { type NewContent, requireExecutable } from "./executable-content.js";
import { requireRoomForProposal } from "./proposal-room.js";

export interface NewProposal {
  readonly account: ActingAccount;
  readonly content: NewContent;
  /** A member who may initiate. */
  readonly creator: Address;
  /** Members who approve it in the same transaction: no more than the threshold. */
  readonly approvers: readonly Address[];
  /** Whose key pays instead of the service's, and signs. */
  readonly feePayer: Address | undefined;
}

/** A prepared transaction that opens a proposal. */
export interface OpenedProposal {
  readonly prepared: PreparedTransaction;
  readonly proposalAddress: Address;
  readonly transactionIndex: bigint;
}

/**
 * Prepares the transaction that stores something to be voted on, opens the vote, and casts the first approvals, under the
 * next index of the account. The payer of the transaction pays the rent, and gets it back when the proposal is closed.
 *
 * Throws `transaction_too_large` also for what could never be executed, `proposal_index_conflict` when the index was used
 * in this moment, `sponsorship_limit_exceeded` when the service pays for too many open ones, and what prepareInstructions
 * throws. `alongside` is what it is there.
 */
export async function prepareProposal(
  needs: { readonly db: Db; readonly random: Random },
  network: Network,
  { account, content, creator, approvers, feePayer }: NewProposal,
  alongside?: (prepared: PreparedTransaction, proposalAddress: Address) => RawBuilder<unknown>,
): Promise<OpenedProposal> {
  const settings = account.settingsAddress;
  const transactionIndex = account.settings.transactionIndex + 1n;
  if (feePayer === undefined) await requireRoomForProposal(needs.db, network, settings);
  requireExecutable(account, content, feePayer ?? network.feePayer.address);
  const instructions = openingOf({ account, content, creator, approvers, feePayer }, network.feePayer.address);
  const proposalAddress = deriveProposalAddress(settings, transactionIndex);
  const request: InstructionsRequest = {
    kind: "create_proposal",
    account,
    signers: [creator, ...approvers.filter((signer) => signer !== creator)],
    instructions,
    feePayer,
    facts: {
      ...(content.kind === "transaction" && content.owners ? { owners: content.owners } : {}),
      ...(content.kind === "transaction" && content.lookupTables ? { lookupTables: content.lookupTables } : {}),
      proposals: new Map([[proposalAddress, { settings, transactionIndex, content: undefined, lookupTables: {} }]]),
    },
  };
  const prepared = await prepareInstructions(
    needs,
    network,
    request,
    alongside && ((made) => alongside(made, proposalAddress)),
  );
  return { prepared, proposalAddress, transactionIndex };
}

/** Whether what is to be voted on fits the transaction that opens the vote; otherwise it goes through a buffer (gap 110). */
export function fitsAtOnce(network: Pick<Network, "feePayer">, proposal: NewProposal): boolean {
  const feePayer = proposal.feePayer ?? network.feePayer.address;
  try {
    const instructions = signByPasskeys(proposal.account, openingOf(proposal, network.feePayer.address));
    composeTransaction(feePayer, noBlockhash, { units: computeUnitsMax, microLamportsPerUnit: 0n }, instructions);
    return true;
  } catch (error) {
    if (!(error instanceof TrellisError) || error.code !== "transaction_too_large") throw error;
    return false;
  }
}

function openingOf({ account, content, creator, approvers, feePayer }: NewProposal, service: Address): Instruction[] {
  const settings = account.settingsAddress;
  const transactionIndex = account.settings.transactionIndex + 1n;
  const common = { settings, transactionIndex, creator, rentPayer: feePayer ?? service };
  return [
    content.kind === "settings"
      ? createSettingsTransactionInstruction({ ...common, actions: content.actions })
      : createTransactionInstruction({ ...common, message: content.message }),
    createProposalInstruction(common),
    ...approvers.map((signer) => voteInstruction({ action: "approve", settings, transactionIndex, signer })),
  ];
}

/** The error for an account whose admin alone changes the settings. */
export function adminDecides(): TrellisError {
  return new TrellisError("admin_required", {
    message: "The account's admin alone changes its settings; its signers cannot vote on that.",
    suggestion: "PATCH /api/service/v1/accounts/{address}?admin=true",
  });
}
