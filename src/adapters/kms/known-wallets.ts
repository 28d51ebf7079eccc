import type { Address } from "@solana/kit";
import { type CustodianName, CustodyRefusal, type Wallet } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";

/** What the service knows of wallets whose keys another process has: rows like those of its own, without a secret. */

/** The owner's wallet, where the custodian has named it before. */
export async function findKnownWallet(db: Db, provider: CustodianName, ownerId: string): Promise<Wallet | undefined> {
  const row = await db
    .selectFrom("kms_wallet")
    .select(["id", "owner_id", "address", "created_at"])
    .where("owner_id", "=", ownerId)
    .where("provider", "=", provider)
    .where("secret", "is", null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    provider,
    ownerId,
    address: row.address as Address,
    createdAt: Number(row.created_at),
  };
}

/** Throws CustodyRefusal for a wallet that is not there. */
export async function getKnownWallet(db: Db, provider: CustodianName, walletId: string) {
  const row = await db
    .selectFrom("kms_wallet")
    .select(["id", "address", "environment"])
    .where("id", "=", walletId)
    .where("provider", "=", provider)
    .where("secret", "is", null)
    .executeTakeFirst();
  if (row === undefined) throw new CustodyRefusal("wallet_not_found", "There is no such wallet.");
  return row;
}

/** Notes a wallet. Gives the one that is there of two at once; undefined where its id or its address is another one's. */
export async function noteWallet(db: Db, wallet: Wallet, environment: EnvironmentName): Promise<Wallet | undefined> {
  const { id, provider, ownerId, address, createdAt } = wallet;
  await db
    .insertInto("kms_wallet")
    .values({ id, provider, owner_id: ownerId, environment, address, secret: null, created_at: BigInt(createdAt) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const known = await findKnownWallet(db, provider, ownerId);
  return known?.id === id && known.address === address ? known : undefined;
}

/** Notes an authorization key, as sessions name it. No custodian obeys this row. False: its id is another one's. */
export async function noteKey(
  db: Db,
  key: {
    readonly id: string;
    readonly walletId: string;
    readonly point: Uint8Array;
    readonly now: number;
    readonly expiresAt: number;
  },
): Promise<boolean> {
  await db
    .insertInto("kms_authorization_key")
    .values({
      id: key.id,
      wallet_id: key.walletId,
      public_key: key.point,
      created_at: BigInt(key.now),
      expires_at: BigInt(key.expiresAt),
      revoked_at: null,
      binding: new Uint8Array(0),
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  const known = await db
    .selectFrom("kms_authorization_key")
    .select(["wallet_id", "public_key"])
    .where("id", "=", key.id)
    .executeTakeFirst();
  return known?.wallet_id === key.walletId && Buffer.compare(known.public_key, key.point) === 0;
}
