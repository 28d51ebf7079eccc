import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { CustodianName, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { getAccountRow } from "../accounts/account-store.js";
import { findGuardian } from "../custody/custodians.js";

/** A custodian's wallet that signs for an account, with whose it is. */
export interface CommandedWallet {
  readonly walletId: string;
  /** The wallet that sessions are opened at and passkeys are recorded with: this one, or the first of its owner, which it obeys. */
  readonly commanderId: string;
  readonly provider: CustodianName;
  readonly address: string;
  readonly userId: string;
  readonly email: string;
  /** The guardian's, that is to become a signer of the account: it has its first passkey before. */
  readonly isPending?: true;
}

/**
 * The custodians' wallets among an account's signers, primary before backup, and behind them the guardian's that is to join them: with a publishable key those of the user who is signed
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
      "wallet.commanded_by",
      "app_user.id as user_id",
      "app_user.email",
      "signer.role",
    ])
    .where("signer.environment", "=", network.name)
    .where("signer.account_address", "=", account.address)
    .where("app_user.tenant_id", "=", caller.tenantId)
    .orderBy("signer.position")
    .execute();
  const pending = await findPendingWallet(db, account);
  const { session } = caller;
  const isSeen = (userId: string) =>
    caller.isPublishable !== true || (session?.kind === "user" && session.userId === userId);
  const signers = [...rows.filter(({ role }) => role === "primary"), ...rows.filter(({ role }) => role !== "primary")];
  const joining = pending === undefined || rows.some(({ id }) => id === pending.id) ? [] : [pending];
  return [
    ...signers.map(toCommandedWallet),
    ...joining.map((row) => ({ ...toCommandedWallet(row), isPending: true as const })),
  ].filter(({ userId }) => isSeen(userId));
}

interface WalletRow {
  readonly id: string;
  readonly provider: string;
  readonly address: string;
  readonly commanded_by: string | null;
  readonly user_id: string;
  readonly email: string;
}

const toCommandedWallet = ({ id, provider, address, commanded_by, user_id, email }: WalletRow): CommandedWallet => ({
  walletId: id,
  commanderId: commanded_by ?? id,
  provider: provider as CustodianName,
  address,
  userId: user_id,
  email,
});

/** The newest wallet that the user of an e-mail account has at the guardian, which may be a signer already. */
async function findPendingWallet(
  db: Db,
  { type, user_id, environment, tenant_id }: AccountTable,
): Promise<WalletRow | undefined> {
  if (type !== "email") return undefined;
  return db
    .selectFrom("wallet")
    .innerJoin("app_user", "app_user.id", "wallet.owner_id")
    .select(["wallet.id", "wallet.provider", "wallet.address", "wallet.commanded_by"])
    .select(["app_user.id as user_id", "app_user.email"])
    .where("wallet.owner_id", "=", user_id)
    .where("wallet.environment", "=", environment)
    .where("wallet.is_guarded", "=", true)
    .where("app_user.tenant_id", "=", tenant_id)
    .orderBy("wallet.number", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * The one a request means: the one it names, or the guardian's, which obeys nothing else, or the first; one that is no signer yet
 * only where it is named. Throws
 * `insufficient_permissions`.
 */
export function chooseWallet(
  wallets: readonly CommandedWallet[],
  signer: string | undefined,
  custodians: Custodians,
): CommandedWallet {
  const guardian = findGuardian(custodians)?.provider;
  const signers = wallets.filter(({ isPending }) => isPending !== true);
  const chosen =
    signer === undefined
      ? (signers.find(({ provider }) => provider === guardian) ?? signers[0])
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
