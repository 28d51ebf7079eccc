import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { CAN_INITIATE_BIT, CAN_VOTE_BIT } from "@trellis/program-client";
import type { ActingAccount } from "../transactions/acting-account.js";
import { orderSigners, type SignerWish } from "../transactions/choose-signers.js";

/**
 * Who opens the proposal and who approves it at once: the first of the signers who may initiate, and as many of those
 * named as the decision needs. Where none is named, its proposer approves it too, if that is allowed. Throws
 * `insufficient_permissions` when none of them may initiate.
 */
export function chooseProposer(
  account: ActingAccount,
  wish: SignerWish,
): { readonly creator: Address; readonly approvers: readonly Address[] } {
  const ordered = orderSigners(account, wish);
  const may = (address: Address, bit: number) =>
    account.settings.signers.some((signer) => signer.address === address && (signer.mask & bit) !== 0);
  const creator = ordered.find((address) => may(address, CAN_INITIATE_BIT));
  if (creator === undefined) {
    throw new TrellisError("insufficient_permissions", {
      field: "transaction_signers",
      message: "None of the signers holds CAN_INITIATE, so none can propose the change.",
    });
  }
  const isNamed = wish.named !== undefined && wish.named.length > 0;
  const voting = isNamed ? [creator, ...ordered.filter((address) => address !== creator)] : [creator];
  return {
    creator,
    approvers: voting.filter((address) => may(address, CAN_VOTE_BIT)).slice(0, account.settings.threshold),
  };
}
