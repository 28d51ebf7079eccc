import type { Address } from "@solana/kit";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { type CustodianName, CustodyRefusal, type Wallet } from "@trellis/kernel/ports/custodian.js";
import type { Db, KmsWalletTable } from "@trellis/kernel/ports/database.js";
import { readTogether } from "@trellis/kernel/read-together.js";
import type { Selectable } from "kysely";
import { walletPurpose, walletText } from "./bindings.js";
import type { KeyedWallet } from "./wallet-keys.js";

/** A wallet with what it takes to sign. */
export interface HeldWallet extends KeyedWallet {
  readonly address: string;
  /** The wallet whose authorization keys and passkeys command this one: itself, or the first one of its owner. */
  readonly commanderId: string;
}

/** A wallet as its row says. */
export type WalletRow = Omit<Selectable<KmsWalletTable>, "created_at" | "imported_at">;

const idColumns = { id: "text", provider: "text" } as const;

const readById = readTogether<typeof idColumns, Selectable<KmsWalletTable>>(
  idColumns,
  (asked) => `select asked.at as asked_at, wallet.* from ${asked}
    join kms_wallet as wallet on wallet.id = asked.id and wallet.provider = asked.provider`,
);

const ownerColumns = { owner_id: "text", provider: "text", number: "int4" } as const;

const readOfOwner = readTogether<typeof ownerColumns, Selectable<KmsWalletTable>>(
  ownerColumns,
  (
    asked,
  ) => `select asked.at as asked_at, wallet.* from ${asked} join kms_wallet as wallet on wallet.owner_id = asked.owner_id
    and wallet.provider = asked.provider and wallet.number = asked.number`,
);

/** The wallets of a built-in custodian. */
export interface HeldWallets {
  /** The wallet of a row. Throws CustodyRefusal where it is said to obey another one, and others wrote that. */
  ofRow(row: WalletRow): Promise<HeldWallet>;
  /** Throws CustodyRefusal where there is none. */
  get(walletId: string): Promise<HeldWallet>;
  /** An owner's wallet of a number. Throws CustodyRefusal as `ofRow`. */
  find(ownerId: string, number: number): Promise<Wallet | undefined>;
  /** Every wallet of an owner, with the root that its key derives from. */
  list(ownerId: string): Promise<readonly Pick<WalletRow, "id" | "number" | "generation">[]>;
  /** What ties a wallet that is not its owner's first to what commands it. */
  bind(row: Parameters<typeof walletText>[0]): Uint8Array;
}

export function createHeldWallets({
  provider,
  db,
  keyring,
}: {
  readonly provider: CustodianName;
  readonly db: Db;
  readonly keyring: Keyring;
}): HeldWallets {
  const bindings = keyring.macs(walletPurpose);

  const commanderOf = async (row: WalletRow): Promise<string> => {
    if (row.number === 1 && row.commanded_by === null) return row.id;
    const isOurs = row.commanded_by !== null && (await bindings.verify(walletText(row), row.binding));
    if (!isOurs || row.commanded_by === null) throw noSuchWallet();
    return row.commanded_by;
  };

  const ofRow = async (row: WalletRow): Promise<HeldWallet> => {
    const { id, address, environment, secret, generation, number } = row;
    return { id, address, environment, secret, generation, number, commanderId: await commanderOf(row) };
  };

  return {
    ofRow,

    async get(walletId) {
      const [row] = await readById(db, { id: walletId, provider });
      if (row === undefined) throw noSuchWallet();
      return ofRow(row);
    },

    async find(ownerId, number) {
      const [row] = await readOfOwner(db, { owner_id: ownerId, provider, number });
      if (row === undefined) return undefined;
      const { id } = await ofRow(row);
      const wallet = { id, provider, ownerId, address: row.address as Address, createdAt: Number(row.created_at) };
      return row.imported_at === null ? wallet : { ...wallet, importedAt: Number(row.imported_at) };
    },

    list: (ownerId) =>
      db
        .selectFrom("kms_wallet")
        .select(["id", "number", "generation"])
        .where("owner_id", "=", ownerId)
        .where("provider", "=", provider)
        .execute(),

    bind: (row) => bindings.make(walletText(row)),
  };
}

export const noSuchWallet = (): CustodyRefusal => new CustodyRefusal("wallet_not_found", "There is no such wallet.");
