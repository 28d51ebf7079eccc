import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import { CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Transaction } from "kysely";
import type { CustodianDb, CustodianSchema, CustodianWalletTable } from "./custodian-db.js";
import type { PolicyPresence } from "./policy/policy-store.js";
import type { PolicyTables } from "./policy/policy-tables.js";

/** What a wallet obeys, fixed when it was made. */
export interface WalletTerms {
  readonly walletId: string;
  readonly ownerId: string;
  readonly environment: EnvironmentName;
  readonly kind: "session" | "guarded";
  /** Of guarded wallets. */
  readonly rp: { readonly id: string; readonly origins: readonly string[] } | null;
  /** Whether a passkey ever commanded it. */
  readonly hadPasskey: boolean;
}

/** The terms of wallets, each row bound to what it says by a secret outside the database. */
export interface TermsStore {
  /** The terms of the owner's wallet: these, where there were none. Throws CustodyRefusal for an owner whose wallet has others. */
  ensure(terms: Omit<WalletTerms, "hadPasskey">): Promise<WalletTerms>;
  /** The id that an owner's wallet has, or will have, and whether its key is sealed: that of a guarded one is. */
  planOf(ownerId: string): Promise<{ readonly id: string; readonly isSealed: boolean }>;
  /** Throws CustodyRefusal for a wallet that is not there. */
  get(walletId: string): Promise<WalletTerms>;
  /** Notes that a first passkey was added, in the transaction that adds it. Throws CustodyRefusal where there ever was one. */
  claimFirstPasskey(trx: Transaction<CustodianSchema>, walletId: string): Promise<void>;
  /** Takes no first passkey any more for wallets that have none: one that was enrolled may have been forgotten. */
  closeFirstPasskeys(trx: Transaction<CustodianSchema>): Promise<void>;
  /** Whether a wallet's policy ever had a row. */
  readonly presence: PolicyPresence;
  /** Notes it of all wallets whose policy has one: of those from before it was noted. */
  notePolicies(): Promise<void>;
  /** The time of the sandbox that a wallet goes by: the one that is given, or the latest that it was ever given. */
  advance(walletId: string, now: number): Promise<number>;
}

export function createTermsStore(db: CustodianDb, secret: Uint8Array): TermsStore {
  const read = (row: CustodianWalletTable | undefined): WalletTerms => {
    if (row === undefined || !isBound(secret, row)) {
      throw new CustodyRefusal("wallet_not_found", "There is no such wallet.");
    }
    return toTerms(row);
  };

  const findByOwner = (ownerId: string) =>
    db.selectFrom("custodian_wallet").selectAll().where("owner_id", "=", ownerId).executeTakeFirst();

  return {
    async ensure(terms) {
      const row = { ...toRow(terms), had_passkey: false, has_policy: false };
      const binding = bindingOf(secret, row);
      await db
        .insertInto("custodian_wallet")
        .values({ ...row, binding, sandbox_now: 0n })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const known = read(await findByOwner(terms.ownerId));
      if (fixedOf(known) !== fixedOf(terms)) {
        throw new CustodyRefusal("invalid_payload", "The owner's wallet was made with other terms.");
      }
      return known;
    },

    async planOf(ownerId) {
      const { walletId, kind } = read(await findByOwner(ownerId));
      // A guarded wallet obeys who enrols first. Were its key made again once its row is lost, that would be anybody.
      return { id: walletId, isSealed: kind === "guarded" };
    },

    async get(walletId) {
      const row = await db
        .selectFrom("custodian_wallet")
        .selectAll()
        .where("wallet_id", "=", walletId)
        .executeTakeFirst();
      return read(row);
    },

    async claimFirstPasskey(trx, walletId) {
      const row = await trx
        .selectFrom("custodian_wallet")
        .selectAll()
        .where("wallet_id", "=", walletId)
        .forUpdate()
        .executeTakeFirst();
      const { hadPasskey } = read(row);
      if (row === undefined || hadPasskey) {
        throw new CustodyRefusal("not_granted", "A passkey of the wallet has to authorize another one.");
      }
      const binding = bindingOf(secret, { ...row, had_passkey: true });
      await trx
        .updateTable("custodian_wallet")
        .set({ had_passkey: true, binding })
        .where("wallet_id", "=", walletId)
        .execute();
    },

    async closeFirstPasskeys(trx) {
      const rows = await trx.selectFrom("custodian_wallet").selectAll().where("had_passkey", "=", false).execute();
      // A row that was altered stays what it is: nothing is taken for it anyway.
      for (const row of rows.filter((one) => isBound(secret, one))) {
        const binding = bindingOf(secret, { ...row, had_passkey: true });
        await trx
          .updateTable("custodian_wallet")
          .set({ had_passkey: true, binding })
          .where("wallet_id", "=", row.wallet_id)
          .execute();
      }
    },

    presence: {
      async lock(trx, walletId) {
        const row = await asTerms(trx)
          .selectFrom("custodian_wallet")
          .selectAll()
          .where("wallet_id", "=", walletId)
          .forUpdate()
          .executeTakeFirst();
        return row !== undefined && isBound(secret, row) ? row.has_policy : undefined;
      },
      note: (trx, walletId) => noteHasPolicy(asTerms(trx), secret, walletId),
    },

    async notePolicies() {
      const found = await db
        .selectFrom("custodian_wallet")
        .innerJoin("custodian_policy", "custodian_policy.wallet_id", "custodian_wallet.wallet_id")
        .select("custodian_wallet.wallet_id")
        .where("has_policy", "=", false)
        .execute();
      for (const { wallet_id } of found) {
        await db.transaction().execute((trx) => noteHasPolicy(trx, secret, wallet_id));
      }
    },

    async advance(walletId, now) {
      await db
        .updateTable("custodian_wallet")
        .set({ sandbox_now: BigInt(now) })
        .where("wallet_id", "=", walletId)
        .where("sandbox_now", "<", BigInt(now))
        .execute();
      const { sandbox_now } = await db
        .selectFrom("custodian_wallet")
        .select("sandbox_now")
        .where("wallet_id", "=", walletId)
        .executeTakeFirstOrThrow();
      return Number(sandbox_now);
    },
  };
}

/** The tables of both are in one database. */
const asTerms = (trx: Transaction<PolicyTables>) => trx as unknown as Transaction<CustodianSchema>;

async function noteHasPolicy(trx: Transaction<CustodianSchema>, secret: Uint8Array, walletId: string): Promise<void> {
  const row = await trx
    .selectFrom("custodian_wallet")
    .selectAll()
    .where("wallet_id", "=", walletId)
    .forUpdate()
    .executeTakeFirst();
  // A row that was altered stays what it is: nothing is taken for it anyway.
  if (row === undefined || !isBound(secret, row)) return;
  const binding = bindingOf(secret, { ...row, has_policy: true });
  await trx
    .updateTable("custodian_wallet")
    .set({ has_policy: true, binding })
    .where("wallet_id", "=", walletId)
    .execute();
}

/** What does not change any more. */
function fixedOf({ environment, kind, rp }: Pick<WalletTerms, "environment" | "kind" | "rp">): string {
  return canonicalJson({ environment, kind, rp: rp === null ? null : { id: rp.id, origins: rp.origins } });
}

type Bound = Omit<CustodianWalletTable, "binding" | "sandbox_now">;

function toRow({ walletId, ownerId, environment, kind, rp }: Omit<WalletTerms, "hadPasskey">) {
  return {
    wallet_id: walletId,
    owner_id: ownerId,
    environment,
    kind,
    rp_id: rp?.id ?? null,
    rp_origins: rp === null ? null : JSON.stringify(rp.origins),
  };
}

function toTerms(row: Bound): WalletTerms {
  return {
    walletId: row.wallet_id,
    ownerId: row.owner_id,
    environment: row.environment as EnvironmentName,
    kind: row.kind as WalletTerms["kind"],
    rp: row.rp_id === null ? null : { id: row.rp_id, origins: JSON.parse(row.rp_origins ?? "[]") },
    hadPasskey: row.had_passkey,
  };
}

/** Ties the terms to the wallet: who can write rows makes no guarded wallet a session one, nor the first passkey of one that has some. */
function bindingOf(secret: Uint8Array, row: Bound): Uint8Array {
  const { wallet_id, owner_id, environment, kind, rp_id, rp_origins, had_passkey, has_policy } = row;
  const values = [wallet_id, owner_id, environment, kind, rp_id, rp_origins, had_passkey];
  // A row of before its policy had one is bound as it was then.
  return createHmac("sha256", secret)
    .update(JSON.stringify(has_policy ? [...values, has_policy] : values))
    .digest();
}

function isBound(secret: Uint8Array, row: CustodianWalletTable): boolean {
  const expected = bindingOf(secret, row);
  return row.binding.length === expected.length && timingSafeEqual(Buffer.from(row.binding), expected);
}
