/** Why an account is not moved. */
export type MoveRefusal =
  /** Only the admin changes the signers. */
  | "has_admin"
  /** The change waits for a time lock or for votes, and the caller did not allow a proposal. */
  | "needs_proposal"
  /** A key signs for the account that neither the old service holds nor the caller named. */
  | "unknown_signers"
  /** No key of the old service signs for it that the owner could command there. */
  | "no_signer_there"
  /** After the change, those who can be reached would not be enough. */
  | "locked_out"
  /** The receiving service did not prove that it can sign with the new wallets. */
  | "unproven_wallets"
  /** The receiving service serves it for another tenant: the new wallets could do nothing with it there. */
  | "served_elsewhere";

/** An account stays where it is: `reason` says why, `addresses` whom it is about. Nothing was signed. */
export class MoveRefusedError extends Error {
  override readonly name = "MoveRefusedError";
  constructor(
    readonly reason: MoveRefusal,
    message: string,
    readonly addresses: readonly string[] = [],
  ) {
    super(addresses.length === 0 ? message : `${message} ${addresses.join(", ")}`);
  }
}
