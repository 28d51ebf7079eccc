import { type FailedTransactionMetadata, InstructionErrorCustom } from "litesvm/dist/internal.js";

/** Why a transaction failed, in the JSON shape of Solana's RPC: `"BlockhashNotFound"`, `{InstructionError: [0, …]}`. */
export type TransactionFault = string | { readonly [kind: string]: unknown };

/** Solana's transaction errors without detail, in the order of the VM, which reports positions and exports no names. */
export const transactionFaults = [
  "AccountInUse",
  "AccountLoadedTwice",
  "AccountNotFound",
  "ProgramAccountNotFound",
  "InsufficientFundsForFee",
  "InvalidAccountForFee",
  "AlreadyProcessed",
  "BlockhashNotFound",
  "CallChainTooDeep",
  "MissingSignatureForFee",
  "InvalidAccountIndex",
  "SignatureFailure",
  "InvalidProgramForExecution",
  "SanitizeFailure",
  "ClusterMaintenance",
  "AccountBorrowOutstanding",
  "WouldExceedMaxBlockCostLimit",
  "UnsupportedVersion",
  "InvalidWritableAccount",
  "WouldExceedMaxAccountCostLimit",
  "WouldExceedAccountDataBlockLimit",
  "TooManyAccountLocks",
  "AddressLookupTableNotFound",
  "InvalidAddressLookupTableOwner",
  "InvalidAddressLookupTableData",
  "InvalidAddressLookupTableIndex",
  "InvalidRentPayingAccount",
  "WouldExceedMaxVoteCostLimit",
  "WouldExceedAccountDataTotalLimit",
  "MaxLoadedAccountsDataSizeExceeded",
  "ResanitizationNeeded",
  "InvalidLoadedAccountsDataSizeLimit",
  "UnbalancedTransaction",
  "ProgramCacheHitMaxLimit",
  "CommitCancelled",
] as const;

/** Solana's instruction errors without detail, in the order of the VM. */
export const instructionFaults = [
  "GenericError",
  "InvalidArgument",
  "InvalidInstructionData",
  "InvalidAccountData",
  "AccountDataTooSmall",
  "InsufficientFunds",
  "IncorrectProgramId",
  "MissingRequiredSignature",
  "AccountAlreadyInitialized",
  "UninitializedAccount",
  "UnbalancedInstruction",
  "ModifiedProgramId",
  "ExternalAccountLamportSpend",
  "ExternalAccountDataModified",
  "ReadonlyLamportChange",
  "ReadonlyDataModified",
  "DuplicateAccountIndex",
  "ExecutableModified",
  "RentEpochModified",
  "NotEnoughAccountKeys",
  "AccountDataSizeChanged",
  "AccountNotExecutable",
  "AccountBorrowFailed",
  "AccountBorrowOutstanding",
  "DuplicateAccountOutOfSync",
  "InvalidError",
  "ExecutableDataModified",
  "ExecutableLamportChange",
  "ExecutableAccountNotRentExempt",
  "UnsupportedProgramId",
  "CallDepth",
  "MissingAccount",
  "ReentrancyNotAllowed",
  "MaxSeedLengthExceeded",
  "InvalidSeeds",
  "InvalidRealloc",
  "ComputationalBudgetExceeded",
  "PrivilegeEscalation",
  "ProgramEnvironmentSetupFailure",
  "ProgramFailedToComplete",
  "ProgramFailedToCompile",
  "Immutable",
  "IncorrectAuthority",
  "AccountNotRentExempt",
  "InvalidAccountOwner",
  "ArithmeticOverflow",
  "UnsupportedSysvar",
  "IllegalOwner",
  "MaxAccountsDataAllocationsExceeded",
  "MaxAccountsExceeded",
  "MaxInstructionTraceLengthExceeded",
  "BuiltinProgramsMustConsumeComputeUnits",
  "BorshIoError",
] as const;

/** The VM's error of a failed transaction in RPC shape; kit's `getSolanaErrorFromTransactionError` understands it. */
export function transactionFaultOf(failed: FailedTransactionMetadata): TransactionFault {
  const error = failed.err();
  if (typeof error === "number") return transactionFaults[error] ?? "SanitizeFailure";
  if ("err" in error) {
    const cause = error.err();
    if (cause instanceof InstructionErrorCustom) return { InstructionError: [error.index, { Custom: cause.code }] };
    const name = typeof cause === "number" ? instructionFaults[cause] : "BorshIoError";
    return { InstructionError: [error.index, name ?? "GenericError"] };
  }
  if ("index" in error) return { DuplicateInstruction: error.index };
  const kind = error.constructor.name.replace("TransactionError", "");
  return { [kind]: { account_index: error.accountIndex } };
}

const sentences: Readonly<Record<string, string>> = {
  AccountNotFound: "Attempt to debit an account but found no record of a prior credit.",
  AlreadyProcessed: "This transaction has already been processed",
  BlockhashNotFound: "Blockhash not found",
  InsufficientFundsForFee: "Insufficient funds for fee",
  ProgramAccountNotFound: "Attempt to load a program that does not exist",
};

/** A sentence for people: what follows "Transaction simulation failed: " in an RPC error. */
export function describeFault(fault: TransactionFault): string {
  if (typeof fault === "string") return sentences[fault] ?? spaced(fault);
  const [kind, detail] = Object.entries(fault)[0] ?? ["", undefined];
  if (kind !== "InstructionError" || !Array.isArray(detail)) return spaced(kind);
  const [index, cause] = detail as [number, string | { Custom: number }];
  const reason = typeof cause === "string" ? spaced(cause) : `custom program error: 0x${cause.Custom.toString(16)}`;
  return `Error processing Instruction ${index}: ${reason}`;
}

function spaced(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

/** Reads the error of a transaction as it is stored. */
export function faultOf(error: string | null): TransactionFault | null {
  return error === null ? null : (JSON.parse(error) as TransactionFault);
}
