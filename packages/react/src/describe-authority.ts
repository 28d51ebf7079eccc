import type { AuthorityType } from "@trellis/sdk";
import { type Sentence, sentence, words } from "./sentence.js";

/** What a holder of it can do; the account that it is about follows. */
const powers: Readonly<Record<AuthorityType, string>> = {
  owner_program: "everything in the account",
  nonce: "the power over the durable nonce, and the SOL, in the account",
  staker: "the power to choose where the stake works, over the stake account",
  withdrawer: "the power to take everything out of the stake account",
  program_upgrade: "the power to replace the program whose code is in",
  mint_tokens: "the power to make any amount of new tokens of the mint",
  freeze_account: "the power to freeze any holder's tokens of the mint",
  account_owner: "the ownership of everything in the token account",
  close_account: "the power to close, and to take the SOL that is in it, the account",
  transfer_fee_config: "the power to set the fee of every transfer of the mint",
  withheld_withdraw: "the power to take the fees that were withheld for the mint",
  close_mint: "the power to close the mint",
  interest_rate: "the power to set the interest rate of the mint",
  permanent_delegate: "the power to take and to destroy any holder's tokens of the mint",
  confidential_transfer_mint: "the power to set the rules of confidential transfers of the mint",
  transfer_hook_program: "the power to choose a program that every transfer runs, of the mint",
  confidential_transfer_fee_config: "the power to set the fees of confidential transfers of the mint",
  metadata_pointer: "the power to choose where name and picture are kept, of the mint",
  group_pointer: "the power to choose where its group is kept, of the mint",
  group_member_pointer: "the power to choose where its membership of a group is kept, of the mint",
  scaled_ui_amount: "the power to change how wallets display amounts of the mint",
  pause: "the power to stop every transfer of the mint",
};

/**
 * Who loses which power over an account, and who has it afterwards; `next` null is no key. Undefined for a power that this version
 * does not know.
 */
export function describeAuthority(
  type: string,
  account: string,
  current: string,
  next: string | null,
): Sentence | undefined {
  if (!Object.hasOwn(powers, type)) return undefined;
  const power = words(powers[type as AuthorityType]);
  if (type === "owner_program") {
    return next === null ? undefined : sentence`Gives away ${power} ${account}, to the program ${next}`;
  }
  if (next === null)
    return sentence`Gives up for good ${power} ${account}: ${current} has it now, and no one afterwards`;
  return sentence`Gives away ${power} ${account}, from ${current} to ${next}`;
}
