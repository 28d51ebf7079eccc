import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { CustodianName, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { getAccountRow } from "../accounts/account-store.js";
import { findGuardian } from "../custody/custodians.js";

/** A custodian's wallet that signs for an account, with whose it is. */
export interface CommandedWallet {
  readonly walletId: string;
  readonly provider: CustodianName;
  readonly address: string;
  readonly userId: string;
  readonly email: string;
}

/**
 * The custodians' wallets among an account's signers, primary before backup: with a publishable key those of the user who is signed
 * in alone. Throws `account_not_found`.
 */
export async function findCommandedWallets(
  db: Db,
  caller: Caller,
  network: Network,
  address: string,
): Promise<readonly CommandedWallet[]> {
  const scope = { tenantId: caller.tenantId, environment: network.name };
  const account = await getAccountRow(db, { ...scope, address });
  const rows = await db
    .selectFrom("account_signer as signer")
    .innerJoin("wallet", "wallet.id", "signer.wallet_id")
    .innerJoin("app_user", "app_user.id", "wallet.owner_id")
    .select([
      "wallet.id",
      "wallet.provider",
      "wallet.address",
      "app_user.id as user_id",
      "app_user.email",
      "signer.role",
    ])
    .where("signer.environment", "=", network.name)
    .where("signer.account_address", "=", account.address)
    .where("app_user.tenant_id", "=", caller.tenantId)
    .orderBy("signer.position")
    .execute();
  const isSeen = (userId: string) => caller.isPublishable !== true || userId === caller.session?.userId;
  return [...rows.filter(({ role }) => role === "primary"), ...rows.filter(({ role }) => role !== "primary")]
    .filter(({ user_id }) => isSeen(user_id))
    .map(({ id, provider, address: wallet, user_id, email }) => ({
      walletId: id,
      provider: provider as CustodianName,
      address: wallet,
      userId: user_id,
      email,
    }));
}

/**
 * The one a request means: the one it names, or the guardian's, which obeys nothing else, or the first. Throws
 * `insufficient_permissions`.
 */
export function chooseWallet(
  wallets: readonly CommandedWallet[],
  signer: string | undefined,
  custodians: Custodians,
): CommandedWallet {
  const guardian = findGuardian(custodians)?.provider;
  const chosen =
    signer === undefined
      ? (wallets.find(({ provider }) => provider === guardian) ?? wallets[0])
      : wallets.find(({ address }) => address === signer);
  if (chosen !== undefined) return chosen;
  throw new TrellisError("insufficient_permissions", {
    field: "signer",
    message:
      signer === undefined
        ? "No custodian holds a key for this account, so there is no wallet that a passkey could command."
        : `${signer} is no custodian's wallet among the signers of this account.`,
  });
}
