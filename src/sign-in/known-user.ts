import { TrellisError } from "@trellis/kernel/errors.js";
import type { AccountTable, Db, UserTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { findAccountsOfUser } from "../accounts/account-store.js";
import { findUser } from "../people/user-store.js";

/** A user who can sign in, with the accounts any of the user's wallets signs for. */
export interface KnownUser {
  readonly user: UserTable;
  readonly accounts: readonly AccountTable[];
  /** Accounts that were imported for the user, whose keys nobody holds here yet. */
  readonly unheld: readonly AccountTable[];
}

/** The error for an address without an account: what to do instead is a call of its own. */
export const userNotFound = (): TrellisError =>
  new TrellisError("user_not_found", {
    suggestion: "No user has an account with this address here: create one with POST /api/service/v1/accounts.",
  });

/**
 * Finds who an address stands for (gap 17, 21). Throws `user_not_found` for an unknown address and for one whose account
 * does not exist yet.
 */
export async function getKnownUser(
  needs: { readonly db: Db },
  network: Pick<Network, "name">,
  tenantId: string,
  email: string,
): Promise<KnownUser> {
  const user = await findUser(needs.db, tenantId, network.name, email);
  if (user === undefined) throw userNotFound();
  const { held, unheld } = await findAccountsOfUser(needs.db, network.name, user.id);
  if (held.length + unheld.length === 0) throw userNotFound();
  return { user, accounts: held, unheld };
}

/**
 * The account a sign-in is for: the one named, else the user's own e-mail account, else the only one (gap 17). An
 * imported account whose keys nobody holds is meant where it is named, or there is no other.
 * Throws `account_not_found`, `account_ambiguous`.
 */
export function chooseAccount(known: KnownUser, named: string | undefined): AccountTable {
  if (named !== undefined) {
    const account = [...known.accounts, ...known.unheld].find(({ address }) => address === named);
    if (account === undefined) throw new TrellisError("account_not_found", { field: "smart_account_address" });
    return account;
  }
  const own = known.accounts.find(({ type, user_id }) => type === "email" && user_id === known.user.id);
  const candidates = known.accounts.length > 0 ? known.accounts : known.unheld;
  const [first, second] = candidates;
  const account = own ?? (second === undefined ? first : undefined);
  if (account === undefined) {
    throw new TrellisError("account_ambiguous", {
      field: "smart_account_address",
      facts: { smart_account_addresses: candidates.map(({ address }) => address) },
    });
  }
  return account;
}
