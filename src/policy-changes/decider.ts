import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { memberNames } from "../accounts/passkey-members.js";
import type { ActingAccount } from "../transactions/acting-account.js";

/**
 * Who decides on a change of settings: the admin, or, when undefined, the signers. Throws `admin_required` where the
 * caller forgot the admin, and `account_has_no_admin` where there is none.
 */
export function requireDecider({ settings }: ActingAccount, asAdmin: boolean): Address | undefined {
  const admin = settings.settingsAuthority;
  if (admin === null) {
    if (asAdmin) throw new TrellisError("account_has_no_admin", { field: "admin" });
    return undefined;
  }
  if (asAdmin) return admin;
  throw new TrellisError("admin_required", { suggestion: "Repeat the request with ?admin=true." });
}

/** The admin as the only signer; no other key may be named. Throws `insufficient_permissions`. */
export function requireAdminNamed(
  account: ActingAccount,
  admin: Address,
  named: readonly string[] = [],
): readonly Address[] {
  const other = memberNames(account, named).find((address) => address !== admin);
  if (other === undefined) return [admin];
  throw new TrellisError("insufficient_permissions", {
    field: "transaction_signers",
    message: `${other} is not the admin of this account, who signs this change alone.`,
  });
}
