import type { Address } from "@solana/kit";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { AccountTable, Db, UserTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { findAccountSigners, getAccountRow } from "../accounts/account-store.js";
import { isRecoveryKey } from "../accounts/recovery-keys.js";
import { findUserById } from "../people/user-store.js";

/** Whose account it is, which signer's key can be imported for it. */
export interface ImportScope {
  readonly account: AccountTable;
  readonly user: UserTable;
}

/**
 * The account of a request with its user: with a publishable key who is signed in. Throws `account_not_found`,
 * `insufficient_permissions` where the account has no user here, or another one.
 */
export async function getImportScope(
  db: Db,
  caller: Caller,
  network: Pick<Network, "name">,
  address: string,
): Promise<ImportScope> {
  const { tenantId } = caller;
  const account = await getAccountRow(db, { tenantId, environment: network.name, address });
  const user = await findUserById(db, account.user_id);
  if (user === undefined || user.tenant_id !== tenantId || user.environment !== network.name) {
    throw new TrellisError("insufficient_permissions", {
      field: "address",
      message: "The account belongs to no user here, so nobody's session could command the key.",
      suggestion: "Name the owner's e-mail address when you import the account.",
    });
  }
  const { session } = caller;
  if (caller.isPublishable === true && !(session?.kind === "user" && session.userId === user.id)) {
    throw new TrellisError("insufficient_permissions", {
      field: "address",
      message: "Keys of an account's signers are imported by the user whose account it is.",
    });
  }
  return { account, user };
}

/**
 * Requires that a key recovers no account that a guardian protects, whosever it is: there a session and that key are enough, so a session
 * that commands the key would be. Throws `insufficient_permissions`.
 */
export async function requireNoRecoveryKey(db: Db, address: string): Promise<void> {
  if (!(await isRecoveryKey(db, address))) return;
  throw new TrellisError("insufficient_permissions", {
    field: "signer",
    message: "The key recovers an account that a guardian protects: no session may command it.",
    suggestion: "Keep it where it is.",
  });
}

/** Requires that an address is a signer of the account whose key nobody holds here. Throws `insufficient_permissions`, `wallet_key_held`. */
export async function requireOwnSigner(
  db: Db,
  network: Pick<Network, "serviceAddresses">,
  account: AccountTable,
  address: string,
): Promise<void> {
  const signer = (await findAccountSigners(db, account)).find(({ signer_address }) => signer_address === address);
  if (signer === undefined) {
    throw new TrellisError("insufficient_permissions", {
      field: "signer",
      message: `${address} is no signer of this account.`,
      suggestion: "Name a signer of the account whose key is the owner's own: one of the provider `external`.",
    });
  }
  await requireNoRecoveryKey(db, address);
  if (signer.wallet_id !== null || signer.provider !== "external" || network.serviceAddresses.has(address as Address)) {
    throw new TrellisError("wallet_key_held", { field: "signer" });
  }
}
