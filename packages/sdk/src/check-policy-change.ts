import type { Address } from "@solana/addresses";
import { requireAddress } from "./address.js";
import { assertProposalCreationMatches } from "./assert-proposal-creation.js";
import {
  assertSettingsChangeMatches,
  type ExpectedSettingsChange,
  signersOfSettingsChange,
} from "./assert-settings-change.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

/** A change of policy as the service prepared it: at once, or to be voted on. */
export type PreparedPolicyChange = {
  readonly transaction: string;
  readonly proposal_address?: string;
  readonly transaction_index?: number;
};

/** Where a change was put to a vote. */
export type ProposedAt = {
  readonly proposal?: { readonly proposalAddress: string; readonly transactionIndex: number };
};

/** Throws `TransactionMismatchError` unless the transaction makes the change; returns those who sign for it. */
export function checkSettingsChange(
  prepared: Pick<PreparedPolicyChange, "transaction">,
  expected: ExpectedSettingsChange,
): readonly Address[] {
  const decoded = decodeTransaction(prepared.transaction);
  assertSettingsChangeMatches(decoded, expected);
  return signersOfSettingsChange(decoded);
}

/** Throws `TransactionMismatchError` unless the transaction puts the change to a vote; returns those who sign for it. */
export function checkProposedChange(
  prepared: PreparedPolicyChange,
  expected: ExpectedSettingsChange,
  holders: readonly string[],
  isByAdmin: boolean,
): readonly Address[] {
  const { proposal } = proposalOf(prepared);
  if (proposal === undefined || isByAdmin) {
    throw new TransactionMismatchError("proposal", "a vote is opened where none was asked for", {
      actual: prepared.proposal_address,
    });
  }
  const decoded = decodeTransaction(prepared.transaction);
  const signers = holders.map(requireAddress);
  assertProposalCreationMatches([decoded], {
    ...expected,
    proposal: requireAddress(proposal.proposalAddress),
    transactionIndex: proposal.transactionIndex,
    creators: signers,
    approvers: signers,
    content: { ...expected, type: "policy" },
  });
  return signers.filter((signer) => decoded.requiredSigners.includes(signer));
}

export function proposalOf({
  proposal_address: proposalAddress,
  transaction_index: transactionIndex,
}: Omit<PreparedPolicyChange, "transaction">): ProposedAt {
  if (proposalAddress === undefined || transactionIndex === undefined) return {};
  return { proposal: { proposalAddress, transactionIndex } };
}
