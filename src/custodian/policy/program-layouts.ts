/**
 * How the instructions of the smart account program that are read here have to look: as many accounts as the program takes, no
 * byte more than the decoder reads, and the wallet in no place but those that its signature is for.
 */
import type { Encoder, Instruction } from "@solana/kit";
import { SmartAccountProgramInstruction as Kind, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import * as client from "@trellis/program-client/generated/instructions/index.js";
import { Opaque } from "./facts.js";

interface Layout {
  /** Accounts in front of those that the instruction may list besides. */
  readonly fixed: number;
  /** Where the program itself stands; undefined for the one instruction that does not take it. */
  readonly program?: number;
  /** Where the signature of a member or an admin is taken. */
  readonly signer: number;
  readonly encoder: () => Encoder<never>;
}

const layout = (fixed: number, program: number | undefined, signer: number, encoder: () => unknown): Layout => ({
  fixed,
  ...(program === undefined ? {} : { program }),
  signer,
  encoder: encoder as () => Encoder<never>,
});

/** Those with a list of members take the first of them as `signer`; see `requireLayout`. */
export const layouts: Partial<Record<Kind, Layout>> = {
  [Kind.ExecuteTransactionSyncV2]: layout(2, 1, 2, client.getExecuteTransactionSyncV2InstructionDataEncoder),
  [Kind.ExecuteSettingsTransactionSync]: layout(
    4,
    3,
    4,
    client.getExecuteSettingsTransactionSyncInstructionDataEncoder,
  ),
  [Kind.UseSpendingLimit]: layout(11, 10, 1, client.getUseSpendingLimitInstructionDataEncoder),
  [Kind.CreateTransaction]: layout(6, 5, 2, client.getCreateTransactionInstructionDataEncoder),
  [Kind.CreateSettingsTransaction]: layout(6, 5, 2, client.getCreateSettingsTransactionInstructionDataEncoder),
  [Kind.CreateProposal]: layout(6, 5, 2, client.getCreateProposalInstructionDataEncoder),
  [Kind.ActivateProposal]: layout(3, undefined, 1, client.getActivateProposalInstructionDataEncoder),
  [Kind.ApproveProposal]: layout(5, 4, 1, client.getApproveProposalInstructionDataEncoder),
  [Kind.RejectProposal]: layout(5, 4, 1, client.getRejectProposalInstructionDataEncoder),
  [Kind.CancelProposal]: layout(5, 4, 1, client.getCancelProposalInstructionDataEncoder),
  [Kind.CloseTransaction]: layout(7, 6, -1, client.getCloseTransactionInstructionDataEncoder),
  [Kind.CloseSettingsTransaction]: layout(7, 6, -1, client.getCloseSettingsTransactionInstructionDataEncoder),
  [Kind.AddSignerAsAuthority]: layout(5, 4, 1, client.getAddSignerAsAuthorityInstructionDataEncoder),
  [Kind.RemoveSignerAsAuthority]: layout(5, 4, 1, client.getRemoveSignerAsAuthorityInstructionDataEncoder),
  [Kind.ChangeThresholdAsAuthority]: layout(5, 4, 1, client.getChangeThresholdAsAuthorityInstructionDataEncoder),
  [Kind.SetTimeLockAsAuthority]: layout(5, 4, 1, client.getSetTimeLockAsAuthorityInstructionDataEncoder),
  [Kind.SetNewSettingsAuthorityAsAuthority]: layout(
    5,
    4,
    1,
    client.getSetNewSettingsAuthorityAsAuthorityInstructionDataEncoder,
  ),
  [Kind.AddSpendingLimitAsAuthority]: layout(6, 5, 1, client.getAddSpendingLimitAsAuthorityInstructionDataEncoder),
  [Kind.RemoveSpendingLimitAsAuthority]: layout(
    5,
    4,
    1,
    client.getRemoveSpendingLimitAsAuthorityInstructionDataEncoder,
  ),
};

/** What the check needs of an instruction that was parsed. */
interface Parsed {
  readonly instructionType: Kind;
  readonly data: unknown;
}

/**
 * Throws `Opaque` unless an instruction is exactly what was read of it. `members` are those of a list, none of any other
 * instruction; `others` how many accounts it lists behind everything.
 */
export function requireLayout(
  instruction: Instruction,
  parsed: Parsed,
  wallet: string,
  { members = 1, others = 0 }: { readonly members?: number; readonly others?: number } = {},
): void {
  const found = layouts[parsed.instructionType];
  if (found === undefined) throw new Opaque("unknown_instruction");
  const { accounts = [], data = [] } = instruction;
  const isListed = found.signer === found.fixed;
  const length = found.fixed + (isListed ? members : 0) + others;
  if (accounts.length !== length) throw new Opaque("malformed");
  if (found.program !== undefined && accounts[found.program]?.address !== SMART_ACCOUNT_PROGRAM_ADDRESS) {
    throw new Opaque("malformed");
  }
  if (!isSame(found.encoder().encode(parsed.data as never), data)) throw new Opaque("malformed");
  const isExposed = accounts.some(
    ({ address }, at) =>
      address === wallet && !(found.signer >= 0 && at >= found.signer && at < found.signer + members),
  );
  if (isExposed) throw new Opaque("wallet_exposed");
}

export function isSame(left: ArrayLike<number>, right: ArrayLike<number>): boolean {
  return left.length === right.length && Array.from(left).every((byte, at) => byte === right[at]);
}
