import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { groupCommit } from "@trellis/kernel/group-commit.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Custodian, CustodianName, Wallet } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { type RowOf, typedRows } from "@trellis/kernel/typed-rows.js";
import { addressOfBytes } from "@trellis/program-client";
import { sql } from "kysely";
import type { HeldWallets } from "./held-wallets.js";
import { type WalletKeys, walletContext } from "./wallet-keys.js";

const madeColumns = {
  id: "text",
  provider: "text",
  owner_id: "text",
  environment: "text",
  address: "text",
  secret: "bytea",
  generation: "int4",
  created_at: "int8",
  number: "int4",
  commanded_by: "text",
  binding: "bytea",
  root_used_by: "int8",
  root_created_at: "int8",
} as const;

type MadeWallet = RowOf<typeof madeColumns> & { readonly id: string };

/** Stores a wallet together with others that are made at that moment, and says whether it is new. */
const storeTogether = groupCommit<Db, MadeWallet, boolean>(
  { laneOf: () => "", keyOf: ({ id }) => id },
  async (db, all) => {
    // None derives from a root behind which there is a newer one in use: after a restore it would derive from that. And what derives
    // from a root that the database has lost would be lost with this process.
    const { rows } = await sql<{ id: string }>`
    insert into kms_wallet (id, provider, owner_id, environment, address, secret, generation, created_at, number, commanded_by, binding)
    select id, provider, owner_id, environment, address, secret, generation, created_at, number, commanded_by, binding
    from ${typedRows("made", madeColumns, all)}
    where not exists (select from wallet_root as newer
        where newer.provider = made.provider and newer.generation > made.generation and newer.used_from <= made.root_used_by)
      and (made.generation is null or exists (select from wallet_root as root
        where root.provider = made.provider and root.generation = made.generation and root.created_at = made.root_created_at
          and root.sealed is not null))
    order by id on conflict do nothing returning id`.execute(db);
    const ids = new Set(rows.map(({ id }) => id));
    return all.map(({ id }) => ids.has(id));
  },
);

/** How often a wallet is begun anew because another root is in use meanwhile. */
const attemptsMax = 3;

/** What makes an owner's wallets, or finds them. */
export function createWalletMaker(parts: {
  readonly provider: CustodianName;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly clock: Clock;
  readonly keys: WalletKeys;
  readonly wallets: HeldWallets;
  /** The id of an owner's wallet that is to be made, and whether its key is sealed rather than derived; absent: a derived one. */
  readonly planOf?: (ownerId: string) => Promise<{ readonly id: string; readonly isSealed: boolean }>;
}): Required<Pick<Custodian, "ensureWallet" | "ensureNewestWallet">> {
  const { provider, db, keyring, random, clock, keys, wallets } = parts;

  /** Undefined where the owner has one already, or another root is in use meanwhile. */
  const makeWallet = async (plan: WalletPlan): Promise<Wallet | undefined> => {
    const { id, ownerId, environment, now, number, commandedBy } = plan;
    const derived = plan.isSealed ? undefined : await keys.derive(plan);
    const pair = generateEd25519KeyPair((size) => derived?.seed ?? random.bytes(size));
    const secret = derived === undefined ? keyring.wrap(pair.seed, walletContext(id, number)) : null;
    pair.seed.fill(0);
    derived?.seed.fill(0);
    const address = addressOfBytes(pair.publicKey);
    const said = { id, provider, owner_id: ownerId, environment, number, commanded_by: commandedBy };
    const isNew = await storeTogether(db, {
      ...said,
      address,
      secret,
      generation: derived?.generation ?? null,
      created_at: BigInt(now),
      binding: commandedBy === null ? null : wallets.bind(said),
      root_used_by: BigInt(Math.floor(clock.now())),
      root_created_at: derived === undefined ? null : BigInt(derived.madeAt),
    });
    return isNew ? { id, provider, ownerId, address, createdAt: now } : undefined;
  };

  const ensure = async (plan: WalletPlan): Promise<Wallet> => {
    // None is remembered: a database that lost its last second has lost its row, and the owner is the same when made again.
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const existing = await wallets.find(plan.ownerId, plan.number);
      if (existing !== undefined && plan.isNamed && existing.id !== plan.id)
        throw new Error("an owner's wallet is there under another id");
      if (existing !== undefined) return existing;
      const made = await makeWallet(plan);
      if (made !== undefined) return made;
      // Another one made it meanwhile, or its root is not there or not the newest any more.
      await keys.refresh();
    }
    throw new Error("a wallet can be neither made nor found");
  };

  const ensureFirst = async (asked: Pick<WalletPlan, "ownerId" | "environment" | "now">): Promise<Wallet> => {
    const plan = await parts.planOf?.(asked.ownerId);
    const id = plan?.id ?? keys.idOf(asked.environment, asked.ownerId);
    const isSealed = plan?.isSealed === true;
    return ensure({ ...asked, id, isSealed, number: 1, commandedBy: null, isNamed: plan !== undefined });
  };

  const ensureNumbered: Custodian["ensureWallet"] = async ({ ownerId, environment, now, number = 1 }) => {
    const first = await ensureFirst({ ownerId, environment, now });
    if (number === 1) return first;
    if (parts.planOf !== undefined || !Number.isSafeInteger(number) || number < 1)
      throw new Error(`there is no wallet ${number} of an owner`);
    const id = keys.idOf(environment, ownerId, number);
    const further = { id, number, commandedBy: first.id, isSealed: false, isNamed: false };
    return ensure({ ...further, ownerId, environment, now });
  };

  const ensureNewestWallet: NonNullable<Custodian["ensureNewestWallet"]> = async (asked) => {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const newest = await keys.readNewest();
      if (newest === undefined || newest === 1) return undefined;
      const before = await wallets.list(asked.ownerId);
      const number = before.find(({ generation }) => generation === newest)?.number ?? numberFor(newest, before);
      const wallet = await ensureNumbered({ ...asked, number });
      // Another root may be in use since it was looked for, or another process has given the number to a wallet of another one.
      const made = (await wallets.list(asked.ownerId)).find(({ id }) => id === wallet.id);
      if (made?.generation === newest) return { wallet, number };
    }
    throw new Error("a wallet of the newest root can be neither made nor found");
  };

  return { ensureWallet: ensureNumbered, ensureNewestWallet };
}

/** A wallet that is to be made. */
interface WalletPlan {
  readonly id: string;
  readonly ownerId: string;
  readonly environment: EnvironmentName;
  readonly now: number;
  readonly number: number;
  /** The owner's first wallet; null: it is the first. */
  readonly commandedBy: string | null;
  readonly isSealed: boolean;
  /** Whether it is wrong under another id. */
  readonly isNamed: boolean;
}

/**
 * Imported wallets are numbered from here on. The number of a derived wallet is part of its key, so it must not depend on what was imported:
 * after a restore it is found again by that number.
 */
export const firstImportedNumber = 1_000_000;

/** That of the root, where it is free: so the same wallet is made again where its row was lost. */
function numberFor(generation: number, known: readonly { readonly number: number }[]): number {
  const numbers = known.map(({ number }) => number).filter((number) => number < firstImportedNumber);
  return numbers.includes(generation) ? Math.max(...numbers) + 1 : generation;
}
