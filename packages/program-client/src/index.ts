/** The client of the on-chain smart account program, and of the signature program by which passkeys sign. Pure. */
export * from "./account-kind.js";
export * from "./addresses.js";
export * from "./batch.js";
export * from "./batch-instructions.js";
export * from "./consensus.js";
export * from "./create-smart-account.js";
export * from "./errors.js";
export * from "./events.js";
export { SmartAccountProgramInstruction } from "./generated/programs/index.js";
export {
  ConsensusAccountType,
  Period,
  ProposalEventType,
  type SettingsAction,
  type SettingsActionArgs,
  type SmartAccountEvent,
  TransactionEventType,
} from "./generated/types/index.js";
export * from "./passkey-account.js";
export * from "./passkey-addresses.js";
export * from "./passkey-assertion.js";
export * from "./passkey-challenge.js";
export * from "./passkey-instructions.js";
export * from "./passkey-recovery.js";
export * from "./permissions.js";
export type { PlainInstruction } from "./plain-instruction.js";
export * from "./policy.js";
export * from "./program-address.js";
export * from "./program-config.js";
export { ProgramDataError } from "./program-data.js";
export * from "./proposal.js";
export * from "./proposal-instructions.js";
export * from "./read-instruction.js";
export * from "./settings.js";
export * from "./settings-instructions.js";
export * from "./settings-transaction.js";
export * from "./spending-limit.js";
export * from "./spending-limit-instructions.js";
export * from "./stored-actions.js";
export * from "./sync-payload.js";
export * from "./transaction.js";
export * from "./transaction-buffer.js";
export * from "./transaction-instructions.js";
export * from "./wrapped-message.js";
