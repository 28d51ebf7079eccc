import type { Address } from "@solana/kit";
import { tokenPrograms } from "./token-accounts.js";

/** Numbers of the token programs' errors that payments are judged by. */
export const tokenErrors = {
  accountFrozen: 17,
  noMemo: 36,
  nonTransferable: 37,
  plainTransfersRefused: 49,
  mintPaused: 67,
} as const;

/** An error of a token program in words: its own name for it, and what to do. */
export interface TokenErrorDescription {
  readonly name: string;
  readonly message: string;
  readonly suggestion: string;
}

const askIssuer = "Only the token's issuer can change that: ask it, or use another token account or currency.";
const readAccounts = "Read the token accounts that the transaction names, and build it on what they hold now.";

/** Both programs count alike; from 20 on only Token-2022 does. */
const descriptions: ReadonlyMap<number, readonly [name: string, message: string, suggestion: string]> = new Map([
  [0, ["NotRentExempt", "A token account would keep too few lamports for its rent", "Send it the rent first."]],
  [2, ["InvalidMint", "The mint is none that this program knows", readAccounts]],
  [3, ["MintMismatch", "A token account is of another mint", readAccounts]],
  [
    4,
    [
      "OwnerMismatch",
      "A token account belongs to another owner, perhaps since a recent change",
      "Name a token account whose owner signs: the smart account itself.",
    ],
  ],
  [6, ["AlreadyInUse", "The account is in use already", readAccounts]],
  [9, ["UninitializedState", "A token account or a mint is not initialised", "Open it first."]],
  [10, ["NativeNotSupported", "Wrapped SOL cannot be treated so", readAccounts]],
  [11, ["NonNativeHasBalance", "A token account that still holds tokens cannot be closed", "Move them first."]],
  [
    12,
    ["InvalidInstruction", "The token program does not know such an instruction", "Check its data and its program."],
  ],
  [13, ["InvalidState", "A token account is in a state in which this cannot be done", readAccounts]],
  [14, ["Overflow", "A number becomes too large", "Use a smaller amount."]],
  [15, ["AuthorityTypeNotSupported", "The account has no authority of this type", readAccounts]],
  [16, ["MintCannotFreeze", "The mint has no freeze authority", readAccounts]],
  [tokenErrors.accountFrozen, ["AccountFrozen", "A token account, of the payer or of the payee, is frozen", askIssuer]],
  [18, ["MintDecimalsMismatch", "The mint has other decimals than the transaction says", readAccounts]],
  [
    31,
    [
      "MintRequiredForTransfer",
      "Tokens of this mint are moved by TransferChecked only",
      "Use TransferChecked, with the mint.",
    ],
  ],
  [
    32,
    ["FeeMismatch", "The mint takes another fee than the transaction says", "Read the mint's fee, and build it again."],
  ],
  [34, ["ImmutableOwner", "The owner of this token account cannot be changed", readAccounts]],
  [
    35,
    [
      "AccountHasWithheldTransferFees",
      "A token account holds fees for its mint's issuer",
      "Harvest them to the mint first.",
    ],
  ],
  [
    tokenErrors.noMemo,
    [
      "NoMemo",
      "The payee's token account takes transfers with a memo only",
      "Put a memo right in front of the transfer.",
    ],
  ],
  [tokenErrors.nonTransferable, ["NonTransferable", "Tokens of this mint cannot be transferred", askIssuer]],
  [
    42,
    [
      "CpiGuardTransferBlocked",
      "The token account's owner lets no program move its tokens",
      "Have its owner switch its CPI guard off.",
    ],
  ],
  [
    43,
    [
      "CpiGuardBurnBlocked",
      "The token account's owner lets no program burn its tokens",
      "Have its owner switch its CPI guard off.",
    ],
  ],
  [
    tokenErrors.plainTransfersRefused,
    [
      "NonConfidentialTransfersDisabled",
      "The payee's token account takes confidential transfers only",
      "Ask the payee for another token account.",
    ],
  ],
  [
    tokenErrors.mintPaused,
    ["MintPaused", "The token's issuer has paused all transfers", "Try again once it has resumed them."],
  ],
] as const);

/** What an error number of a token program means; undefined for another program's, and for a number not listed here. */
export function describeTokenError(program: Address | undefined, code: number): TokenErrorDescription | undefined {
  if (program === undefined || !tokenPrograms.includes(program)) return undefined;
  const known = descriptions.get(code);
  return known && { name: known[0], message: `${known[1]}.`, suggestion: known[2] };
}
