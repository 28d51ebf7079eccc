import type { Address } from "@solana/kit";
import type { Authority } from "@trellis/kernel/ports/custodian.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";

/** A transaction that a wallet's key would sign: a live authority of the wallet has stamped it. */
export interface SigningRequest {
  readonly wallet: {
    readonly id: string;
    readonly ownerId: string;
    readonly address: Address;
    readonly kind: "session" | "guarded";
  };
  /** The message of the transaction, the very bytes that would be signed. */
  readonly messageBytes: Uint8Array;
  readonly authority: Authority;
  readonly environment: EnvironmentName;
  /** The time that the wallet goes by, Unix milliseconds. */
  readonly now: number;
}

/** `reason`: for those who asked; holds no secret. */
export type Decision = { readonly isAllowed: true } | { readonly isAllowed: false; readonly reason: string };

/** Decides what a wallet signs, behind every other check and before its key is opened. What it throws is no signature either. */
export interface SigningPolicy {
  decide(request: SigningRequest): Promise<Decision>;
}

/** Signs whatever a live authority of the wallet has stamped. */
export const allowStamped: SigningPolicy = { decide: async () => ({ isAllowed: true }) };
