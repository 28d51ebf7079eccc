import type { Address } from "@solana/kit";
import type { SettingsAction } from "@trellis/program-client";

/** How the members of a smart account, or the holder of a spending limit, make it act. */
export type Via = "members" | "proposal" | "spending_limit";

/** Money that leaves a smart account. */
export interface TransferFact {
  readonly kind: "transfer";
  readonly settings: Address;
  readonly via: Via;
  /** Null is SOL, wrapped SOL included: whoever spends one could spend the other. */
  readonly mint: Address | null;
  readonly amountBaseUnits: bigint;
  /** The smart account, or the token account that its tokens leave. */
  readonly source: Address;
  readonly destination: Destination;
}

export interface Destination {
  /** As the bytes have it: a token account, or for SOL any account. */
  readonly account: Address;
  /** Who owns the token account, where the same transaction fails if it is another one; for SOL the account itself. */
  readonly owner: Address | null;
  /** What makes the conventional address of an owner's token account; null for SOL. */
  readonly token: { readonly mint: Address; readonly program: Address } | null;
}

/** One change of settings, as the program reads it. */
export type ChangeAction =
  | Exclude<SettingsAction, { readonly __kind: "PolicyCreate" | "PolicyUpdate" | "SetArchivalAuthority" }>
  | { readonly __kind: "SetSettingsAuthority"; readonly newSettingsAuthority: Address };

export interface SettingsChangeFact {
  readonly kind: "settings_change";
  readonly settings: Address;
  readonly by: "members" | "admin" | "proposal";
  readonly actions: readonly ChangeAction[];
}

/** A step of a vote. What a stored message would do stands beside it as facts of its own. */
export interface StepFact {
  readonly kind: "step";
  readonly step: "store" | "open" | "activate" | "approve" | "reject" | "cancel" | "close";
  readonly settings: Address;
  /** Whether the message voted on is stored in the same transaction, so that its facts are among these. */
  readonly isSeen: boolean;
}

/** What neither uses the wallet nor moves money of its smart account. */
export interface HarmlessFact {
  readonly kind: "harmless";
  readonly what: "compute_budget" | "memo" | "token_account" | "lamports_of_others";
}

/** Why bytes do not show what they do. */
export const opaqueReasons = [
  "not_a_message",
  "wallet_does_not_sign",
  "wallet_pays_fee",
  "wallet_exposed",
  "lookup_table",
  "duplicate_account",
  "durable_nonce",
  "unknown_program",
  "unknown_instruction",
  "malformed",
  "stored_content",
  "buffer",
  "batch",
  "policy_content",
  "other_smart_account",
  "ephemeral_signer",
  "account_creation",
  "program_administration",
] as const;
export type OpaqueReason = (typeof opaqueReasons)[number];

/** Something whose effect these bytes do not show. */
export interface OpaqueFact {
  readonly kind: "opaque";
  readonly reason: OpaqueReason;
  /** Which instruction of the transaction; null: the message itself. */
  readonly instruction: number | null;
  readonly program: Address | null;
}

export type Fact = TransferFact | SettingsChangeFact | StepFact | HarmlessFact | OpaqueFact;

/** What cannot be read stops the reading of its instruction, and is one opaque fact. */
export class Opaque extends Error {
  override readonly name = "Opaque";
  constructor(readonly reason: OpaqueReason) {
    super(reason.replaceAll("_", " "));
  }
}
