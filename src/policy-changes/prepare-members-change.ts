import type { Address } from "@solana/kit";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { executeSettingsTransactionSyncInstruction, type SettingsActionArgs } from "@trellis/program-client";
import Type from "typebox";
import { actionsOfMembers, type PolicyState } from "../accounts/settings-change-plan.js";
import { prepareProposal } from "../proposals/open-proposal.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { findSigners, type SignerWish } from "../transactions/choose-signers.js";
import { fundSettings } from "../transactions/fund-settings.js";
import { prepareInstructions } from "../transactions/prepare-synchronous.js";
import { toPreparedFields } from "../transactions/prepared-transaction.js";
import type { RemovablePolicy } from "../transactions/removed-policies.js";
import { chooseProposer } from "./choose-proposer.js";

/** What an answer has besides where a change is put to a vote. */
export const proposedFields = {
  proposal_address: Type.Optional(
    addressText({ description: "Where the change has to be voted on: the proposal that the transaction opens." }),
  ),
  transaction_index: Type.Optional(Type.Integer({ description: "Of that proposal." })),
};

/** A change that an account's signers make together. */
interface MembersChange {
  readonly account: ActingAccount;
  readonly to: PolicyState;
  /** Spending limits that are removed with it. */
  readonly doomed: readonly Address[];
  readonly policies: readonly RemovablePolicy[];
  readonly wish: SignerWish;
  /** Whose key pays instead of the service's. */
  readonly feePayer: Address | undefined;
}

/**
 * Prepares a change by an account's signers: at once, or as a proposal where a time lock or too few signers do not let it be made so.
 * Throws `insufficient_permissions`, and what preparing throws.
 */
export async function prepareMembersChange(
  needs: { readonly db: Db; readonly random: Random },
  network: Network,
  { account, to, doomed, policies, wish, feePayer }: MembersChange,
) {
  const removed = policies.map(({ address }) => address);
  const actions = withRemovals(actionsOfMembers(account.settings, to), doomed, removed);
  const policyRentCollectors = [...new Set(policies.flatMap(({ rentCollector }) => rentCollector ?? []))];
  const signers = findSigners(account, wish);
  if (signers === undefined) {
    const content = { kind: "settings", actions, policyRentCollectors } as const;
    const proposer = chooseProposer(account, wish);
    const opened = await prepareProposal(needs, network, { account, content, ...proposer, feePayer });
    return {
      ...toPreparedFields(opened.prepared),
      proposal_address: opened.proposalAddress,
      transaction_index: Number(opened.transactionIndex),
    };
  }
  const rentPayer = feePayer ?? network.feePayer.address;
  const funding = await fundSettings(network, account, actions, rentPayer);
  const { settingsAddress: settings } = account;
  const change = executeSettingsTransactionSyncInstruction({
    settings,
    members: signers,
    rentPayer,
    actions,
    policyRentCollectors,
  });
  const prepared = await prepareInstructions(needs, network, {
    kind: "settings_change",
    account,
    signers,
    feePayer,
    instructions: [...(funding?.instructions ?? []), change],
  });
  return toPreparedFields(prepared);
}

/** Removals come last: what they hand out stops everything that takes lamports behind them (program spec 4.13). */
function withRemovals(
  actions: readonly SettingsActionArgs[],
  doomed: readonly Address[],
  policies: readonly Address[],
): SettingsActionArgs[] {
  return [
    ...actions,
    ...doomed.map((spendingLimit) => ({ __kind: "RemoveSpendingLimit", spendingLimit }) as const),
    ...policies.map((policy) => ({ __kind: "PolicyRemove", policy }) as const),
  ];
}
