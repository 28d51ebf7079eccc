import { ed25519PublicKeyOf } from "@trellis/kernel/crypto/ed25519.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { CustodianName } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressOfBytes } from "@trellis/program-client";
import { createWalletKeys, type WalletKeys } from "./wallet-keys.js";

/** How the wallets of a root are. */
export interface CheckedRoot {
  readonly provider: string;
  readonly generation: number;
  /** Wallets whose address is that of the key that derives for them. */
  readonly good: number;
  /** Ids of those that have another one. */
  readonly broken: readonly string[];
}

const batch = 1_000;

/** Derives the key of every wallet that has none in its row, and holds its address against it. Changes nothing. */
export async function checkWallets(needs: {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly now: () => number;
}): Promise<readonly CheckedRoot[]> {
  const roots = await needs.db
    .selectFrom("wallet_root")
    .select(["provider", "generation"])
    .orderBy("provider")
    .orderBy("generation")
    .execute();
  const checked: CheckedRoot[] = [];
  for (const { provider, generation } of roots) {
    const keys = createWalletKeys({ ...needs, provider: provider as CustodianName });
    checked.push(await checkRoot(needs.db, keys, provider, generation));
  }
  return checked;
}

async function checkRoot(db: Db, keys: WalletKeys, provider: string, generation: number): Promise<CheckedRoot> {
  const broken: string[] = [];
  let good = 0;
  let last = "";
  for (;;) {
    const rows = await db
      .selectFrom("kms_wallet")
      .select(["id", "environment", "address", "secret", "generation", "number"])
      .where("provider", "=", provider)
      .where("generation", "=", generation)
      .where("id", ">", last)
      .orderBy("id")
      .limit(batch)
      .execute();
    for (const row of rows) {
      const seed = await keys.seedOf(row).catch(() => undefined);
      const address = seed === undefined ? undefined : addressOfBytes(ed25519PublicKeyOf(seed));
      seed?.fill(0);
      if (address === row.address) good += 1;
      else broken.push(row.id);
    }
    const end = rows.at(-1);
    if (end === undefined) return { provider, generation, good, broken };
    last = end.id;
  }
}
