import { hkdfSync } from "node:crypto";
import { deriveId, frameTexts } from "@trellis/kernel/crypto/derived-id.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { CustodianName } from "@trellis/kernel/ports/custodian.js";
import type { Db, KmsWalletTable } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { type Selectable, sql } from "kysely";

/**
 * What a wallet's key is sealed with: bound to its row, and to whether it is its owner's first. Who writes into a row that it is the first
 * one, which obeys itself, has it open no more.
 */
export const walletContext = (walletId: string, number = 1): string =>
  number === 1 ? `kms_wallet/${walletId}` : `kms_wallet/${walletId}/further`;

/** What a root is. */
export const rootContext = (provider: string, generation: number): string => `wallet_root/${provider}/${generation}`;

/**
 * How long after the first root was made wallets still have sealed keys, where there were wallets before: a process of the former release,
 * which may run beside this one during an upgrade, signs with no other.
 */
const firstRootRolloutMs = 3_600_000;

/** What a wallet's key follows from. */
export type KeyedWallet = Pick<Selectable<KmsWalletTable>, "id" | "environment" | "secret" | "generation" | "number">;

interface Root {
  readonly generation: number;
  /** Tells it from another one of the same generation, which took its place where a database lost it. */
  readonly madeAt: number;
  readonly usedFrom: number;
  readonly root: Uint8Array;
}

/** The one way to wallets' keys: sealed in their rows, or derived from a root of their custodian. */
export interface WalletKeys {
  /** The id of an owner's wallet: the same one ever after, also where its row was lost. */
  idOf(environment: EnvironmentName, ownerId: string, number?: number): string;
  /** The id of the wallet that an imported key becomes; none of those is one of these. */
  idOfImported(environment: string, address: string): string;
  /** The key of a wallet that is to be made; undefined while new wallets have sealed keys. */
  derive(wallet: Pick<KeyedWallet, "id" | "environment" | "number">): Promise<NewKey | undefined>;
  /** The generation from which new wallets derive, as the database has it now; undefined while they have sealed keys. */
  readNewest(): Promise<number | undefined>;
  /** The 32-byte seed of a wallet. Who has it wipes it. */
  seedOf(wallet: KeyedWallet): Promise<Uint8Array>;
  /** Reads again which roots there are. Makes the first one where the database has lost it. */
  refresh(): Promise<void>;
}

export interface NewKey {
  readonly generation: number;
  /** When its root was made: a wallet is stored only where that root still is. */
  readonly madeAt: number;
  readonly seed: Uint8Array;
}

interface Parts {
  readonly provider: CustodianName;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  /** Real time, Unix milliseconds. */
  readonly now: () => number;
}

export function createWalletKeys({ provider, db, keyring, random, now }: Parts): WalletKeys {
  const idSecret = keyring.deriveSecret("kms/wallet-id");
  // A root never changes, so it is opened once.
  const opened = new Map<number, Root>();
  let first: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const rows = await db
      .selectFrom("wallet_root")
      .select(["generation", "sealed", "created_at", "used_from"])
      .where("provider", "=", provider)
      .execute();
    const there = rows.filter(({ sealed }) => sealed !== null).map(({ generation }) => generation);
    for (const generation of opened.keys()) if (!there.includes(generation)) opened.delete(generation);
    for (const { generation, sealed, created_at, used_from } of rows) {
      const madeAt = Number(created_at);
      if (sealed === null || opened.get(generation)?.madeAt === madeAt) continue;
      const root = keyring.unwrap(sealed, rootContext(provider, generation));
      opened.set(generation, { generation, madeAt, usedFrom: Number(used_from), root });
    }
  };

  const load = (): Promise<void> => {
    first ??= ensureFirstRoot({ provider, db, keyring, random, now }).then(read);
    // One that failed is tried again by the next that asks.
    return first.catch((error: unknown) => {
      first = undefined;
      throw error;
    });
  };

  const newestOf = (): Root | undefined =>
    [...opened.values()].filter(({ usedFrom }) => usedFrom <= now()).sort((a, b) => b.generation - a.generation)[0];

  return {
    idOf: (environment, ownerId, number = 1) =>
      deriveId(idSecret, [provider, environment, ownerId, ...(number === 1 ? [] : [String(number)])]),

    // No provider is called so.
    idOfImported: (environment, address) => deriveId(idSecret, ["imported", provider, environment, address]),

    async derive(wallet) {
      await load();
      const newest = newestOf();
      if (newest === undefined) return undefined;
      return {
        generation: newest.generation,
        madeAt: newest.madeAt,
        seed: seedFrom(newest.root, provider, wallet),
      };
    },

    async readNewest() {
      await load();
      await read();
      return newestOf()?.generation;
    },

    async seedOf(wallet) {
      const { id, secret, generation, number } = wallet;
      if (secret !== null) return keyring.unwrap(secret, walletContext(id, number));
      if (generation === null) throw new Error("a wallet has neither a key nor a generation");
      if (!opened.has(generation)) await read();
      const known = opened.get(generation);
      if (known === undefined) throw new Error(`${provider} has no root of the generation ${generation}`);
      return seedFrom(known.root, provider, wallet);
    },

    async refresh() {
      await ensureFirstRoot({ provider, db, keyring, random, now });
      await read();
    },
  };
}

/** Reads the seeds of wallets of every built-in custodian. */
export function createSeedReader(
  parts: Omit<Parts, "provider">,
): (wallet: KeyedWallet & Pick<KmsWalletTable, "provider">) => Promise<Uint8Array> {
  const byProvider = new Map<string, WalletKeys>();
  return (wallet) => {
    const { provider } = wallet;
    const keys = byProvider.get(provider) ?? createWalletKeys({ ...parts, provider: provider as CustodianName });
    byProvider.set(provider, keys);
    return keys.seedOf(wallet);
  };
}

/**
 * A wallet's seed follows from its id, as authorization keys and passkeys are bound to that: a row that is given another's owner or
 * address yields no other key. The id itself follows from the owner. One that is not its owner's first follows in another way: made the first
 * one by its row, so that it would obey itself, it has another key.
 */
function seedFrom(
  root: Uint8Array,
  provider: string,
  { id, environment, number }: Pick<KeyedWallet, "id" | "environment" | "number">,
) {
  const use = number === 1 ? "trellis/wallet/1" : "trellis/further-wallet/1";
  const info = frameTexts([use, environment, provider, id]);
  return new Uint8Array(hkdfSync("sha256", root, "", info, 32));
}

/** Makes the first root of a custodian that has none, also where others do at the same time: so each copy of the database has it. */
export async function ensureFirstRoot({ provider, db, keyring, random, now }: Parts): Promise<void> {
  const known = await db
    .selectFrom("wallet_root")
    .select("generation")
    .where("provider", "=", provider)
    .limit(1)
    .executeTakeFirst();
  if (known !== undefined) return;
  const at = Math.floor(now());
  const root = random.bytes(32);
  const sealed = keyring.wrap(root, rootContext(provider, 1));
  root.fill(0);
  await sql`insert into wallet_root (provider, generation, sealed, created_at, used_from)
    select ${provider}::text, 1, ${sealed}::bytea, ${at}::int8, ${at}::int8
      + case when (select id from kms_wallet order by id limit 1) is not null then ${firstRootRolloutMs}::int8 else 0 end
    -- Where a root is lost, its wallets must not seem to derive from another one.
    where not exists (select from kms_wallet where provider = ${provider} and generation is not null)
    on conflict do nothing`.execute(db);
}
