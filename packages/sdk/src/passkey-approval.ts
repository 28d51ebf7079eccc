import { sha256 } from "@noble/hashes/sha2.js";
import type { Address } from "@solana/addresses";
import { concatBytes, decodeBase64, encodeBase64, encodeUtf8 } from "./encoding.js";
import { readBytes } from "./inspect/byte-reader.js";
import { decodeInstruction, type RawInstruction } from "./inspect/decode-instruction.js";
import { decodeProposalCall } from "./inspect/decode-proposal-call.js";
import { decodeSettingsCall, readAddress } from "./inspect/decode-settings-change.js";
import { decodePayload, readSyncCall } from "./inspect/decode-sync-call.js";
import { readEffects } from "./inspect/read-effects.js";
import { readTransaction } from "./inspect/read-transaction.js";
import { assertSame, bytesOf, originOfPage } from "./passkey-ceremony.js";
import {
  computeBudgetProgramAddress,
  deriveAssociatedTokenAddress,
  deriveSmartAccountAddress,
  token2022ProgramAddress,
  tokenProgramAddress,
} from "./program-address.js";
import { itemOfAction } from "./settings-items.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { SummaryEntry, VoteAction } from "./wire.js";

/** What a passkey signs to approve instructions itself. */
export type SignedApproval = {
  /** Base58, 32 bytes. */
  readonly slot_hash: string;
  /** Pays, and signs the transaction: the passkey's signature holds with it alone. */
  readonly payer: string;
  /** Base64: accounts with their rights, and the instructions. */
  readonly execution: string;
};

/** Computes the 32 bytes that a passkey signs to approve instructions. Throws a `RangeError` where one of its parts is no such thing. */
export function challengeOfApproval({ slot_hash, payer, execution }: SignedApproval): Uint8Array {
  const words = encodeUtf8("execute_instructions");
  return sha256(concatBytes(bytesOf(slot_hash), bytesOf(payer), words, decodeBase64(execution)));
}

/** Whose approval it is, and what is said about it. */
export type ShownApproval = SignedApproval & {
  /** The smart account. */
  readonly account_address: string;
  /** The passkey's account, its signer. */
  readonly passkey_address: string;
  /** Who may own the token accounts in it; each is believed where the token account follows from it. */
  readonly token_owners: readonly string[];
};

/** One thing that an approval does. */
export type ApprovedAct =
  /** In the words of a summary: at once, or once a vote on it has passed. */
  | { readonly type: "effect"; readonly entry: SummaryEntry; readonly isProposed: boolean }
  /** What was stored before. The bytes do not say what that is. */
  | { readonly type: "vote"; readonly action: VoteAction; readonly proposal: Address }
  | { readonly type: "execution"; readonly proposal: Address };

const accountBytes = 34;

/**
 * Reads what a passkey approves by signing an execution, off the bytes that it signs. Throws `TransactionMismatchError` for what is no act of this
 * account and this signer, for an account that has to sign beside them, and for anything that is not known here.
 */
export function readApproval(approval: ShownApproval): readonly ApprovedAct[] {
  try {
    const { accounts, instructions } = readExecution(approval.execution);
    const stranger = accounts.find(({ address, isSigner }) => isSigner && address !== approval.payer);
    if (stranger !== undefined) throw refused("signers", "another address has to sign", stranger.address);
    const acts = instructions.flatMap((instruction) => actsOf(instruction, approval));
    if (acts.length === 0) throw refused("missing_instruction", "nothing is approved");
    return acts;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new TransactionMismatchError("unreadable", "what is approved cannot be read", { cause });
  }
}

function readExecution(execution: string) {
  const bytes = decodeBase64(execution);
  const reader = readBytes(bytes);
  const accounts = Array.from({ length: reader.u8() }, () => ({
    address: readAddress(reader),
    isSigner: reader.u8() !== 0,
    isWritable: reader.u8() !== 0,
  }));
  const payload = bytes.slice(1 + accounts.length * accountBytes);
  return {
    accounts,
    instructions: decodePayload(
      payload,
      accounts.map(({ address }) => address),
    ),
  };
}

function actsOf(raw: RawInstruction, approval: ShownApproval): readonly ApprovedAct[] {
  const payment = readSyncCall(raw);
  if (payment !== undefined) {
    assertOwn(approval, payment.settings, payment.members);
    if (payment.vault !== approval.account_address) throw refused("vault_index", "another vault acts", payment.vault);
    return payment.instructions.flatMap((inner) => effectsOf(inner, approval, false));
  }
  const change = decodeSettingsCall(raw);
  if (change !== undefined) {
    assertOwn(approval, change.settings, change.signers);
    return change.actions.map((action) => ({ type: "effect", entry: itemOfAction(action), isProposed: false }));
  }
  const call = decodeProposalCall(raw);
  switch (call?.type) {
    case "create_transaction":
      assertOwn(approval, call.settings, [call.creator]);
      if (call.accountIndex !== 0) throw refused("vault_index", "another vault would act", call.accountIndex);
      return call.message.instructions.flatMap((inner) => effectsOf(inner, approval, true));
    case "create_settings_transaction":
      assertOwn(approval, call.settings, [call.creator]);
      return call.actions.map((action) => ({ type: "effect", entry: itemOfAction(action), isProposed: true }));
    case "create_proposal":
      assertOwn(approval, call.settings, [call.creator]);
      return [];
    case "activate_proposal":
      assertOwn(approval, call.settings, [call.signer]);
      return [];
    case "vote":
      assertOwn(approval, call.settings, [call.signer]);
      return [{ type: "vote", action: call.action, proposal: call.proposal }];
    case "execute_transaction":
    case "execute_settings_transaction":
      assertOwn(approval, call.settings, [call.signer]);
      return [{ type: "execution", proposal: call.proposal }];
    default:
      throw refused("unexpected_instruction", "something is approved that is not known here", raw.programAddress);
  }
}

function assertOwn(
  { account_address, passkey_address }: ShownApproval,
  settings: Address,
  signers: readonly Address[],
): void {
  const account = deriveSmartAccountAddress(settings);
  if (account !== account_address) throw refused("settings_account", "it is about another account", account);
  const other = signers.find((signer) => signer !== passkey_address);
  if (other !== undefined || signers.length === 0) throw refused("signers", "another signer acts", other);
}

function effectsOf(raw: RawInstruction, approval: ShownApproval, isProposed: boolean): readonly ApprovedAct[] {
  return readEffects(raw).map(({ entry }) => ({ type: "effect", entry: withOwner(entry, approval), isProposed }));
}

/** A payment into a token account is one to its owner, where the account follows from that one; else to the token account. */
function withOwner(entry: SummaryEntry, { token_owners }: ShownApproval): SummaryEntry {
  const { type, mint, to, to_token_account: account } = entry;
  if (type !== "transfer" || to !== undefined || typeof account !== "string") return entry;
  const owner =
    typeof mint === "string"
      ? token_owners.find((each) =>
          [tokenProgramAddress, token2022ProgramAddress].some(
            (program) => deriveAssociatedTokenAddress(each as Address, mint as Address, program) === account,
          ),
        )
      : undefined;
  return { ...entry, to: owner ?? account };
}

/** What was asked for. */
export type ExpectedApproval = {
  /** Base64: as it was prepared. */
  readonly transaction: string;
  readonly account: string;
  readonly passkeyAccount: string;
  /** Where the browser is to go. */
  readonly url: string;
  /** Of the page. */
  readonly origin: string;
  readonly redirectUrl?: string | undefined;
};

/**
 * Makes sure that a passkey that signs this challenge approves what a prepared transaction has it sign and nothing else, and that it is asked on the
 * page that was named. What the transaction does is for its own check. Throws `TransactionMismatchError`.
 */
export function assertApproval(
  approval: ShownApproval & { readonly redirect_url: string | null; readonly origin: string },
  expected: ExpectedApproval,
): void {
  const { url, origin, redirectUrl, account, passkeyAccount } = expected;
  assertSame("the page is of another origin: name its own as pageOrigin", origin, originOfPage(url));
  assertSame("the passkey would belong to another page", origin, approval.origin);
  assertSame("another account is approved for", account, approval.account_address);
  assertSame("another passkey is asked", passkeyAccount, approval.passkey_address);
  assertSame(
    "the page would go elsewhere",
    redirectUrl && new URL(redirectUrl).href,
    approval.redirect_url ?? undefined,
  );
  const { requiredSigners, instructions } = readTransaction(expected.transaction);
  assertSame("others have to sign", [approval.payer, passkeyAccount].sort().join(), [...requiredSigners].sort().join());
  const isSigned = ({ programAddress, accounts }: RawInstruction) =>
    programAddress !== computeBudgetProgramAddress && accounts.some((each) => each === passkeyAccount);
  const wanted = instructions.filter(isSigned);
  const unsigned = instructions.filter((each) => !isSigned(each));
  if (unsigned.some((each) => decodeInstruction(each).type === "memo")) {
    throw refused("memo", "the passkey would not sign the memo, which anybody could change");
  }
  const signed = readExecution(approval.execution).instructions;
  assertSame("the passkey would sign something else", wanted.map(textOf).join("\n"), signed.map(textOf).join("\n"));
  const challenge = encodeBase64(challengeOfApproval(approval));
  assertSame("the passkey would sign something else", challenge, new URL(url).searchParams.get("challenge"));
}

const textOf = ({ programAddress, accounts, data }: RawInstruction): string =>
  `${programAddress} ${accounts.join()} ${encodeBase64(data)}`;

function refused(
  difference: TransactionMismatchError["difference"],
  message: string,
  actual?: unknown,
): TransactionMismatchError {
  return new TransactionMismatchError(difference, message, { actual });
}
