import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { secretIdMax } from "@trellis/kernel/crypto/macs.js";
import type { ReplaceableSecret } from "@trellis/kernel/module.js";
import type { Db, DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { sql } from "kysely";
import { secretContext, secretsRolloutMs } from "./derived-secrets.js";
import { countUses } from "./secret-uses.js";

/** What replacing secrets asks of the world. */
export interface ReplaceNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  /** Real time, Unix milliseconds. */
  readonly now: () => number;
  /** Waits until every process has read what there is; nothing to wait for where no other process can be. */
  readonly pause: Pause;
}

/** What was done about a purpose. */
export interface ReplacedSecret {
  readonly purpose: string;
  /** The secret that new values are made with. */
  readonly id: number;
  /** Values that were brought under it, and those that are not what they should be and were left. */
  readonly moved: number;
  readonly broken: number;
}

/**
 * Gives each purpose a new secret. It is there for reading first, and new values are made with it once every process has read it. The former
 * ones stay for as long as what they were made for. May be broken off after each step and begun again: a secret that waits is used, and no
 * other one is made.
 */
export async function replaceSecrets(
  needs: ReplaceNeeds,
  wanted: readonly ReplaceableSecret[],
): Promise<readonly ReplacedSecret[]> {
  await addSecrets(needs, wanted);
  await needs.pause(secretsRolloutMs);
  await activateSecrets(needs, wanted);
  await needs.keyring.refreshSecrets();
  // What other processes have still made with the former secret is bound again, too.
  if (wanted.some(({ rebind }) => rebind !== undefined)) await needs.pause(secretsRolloutMs);
  const replaced: ReplacedSecret[] = [];
  for (const { purpose, rebind } of wanted) {
    const bound = (await rebind?.(needs)) ?? { moved: 0, broken: 0 };
    replaced.push({ purpose, id: needs.keyring.macs(purpose).currentId(), ...bound });
  }
  return replaced;
}

/** One at a time changes which secrets there are, always an operator: so the audit log names it. */
export async function takeTurn(trx: DbOrTrx): Promise<void> {
  await sql`select set_config('trellis.actor', 'operator', true)`.execute(trx);
  await sql`select value from meta where key = 'derivation_check' for update`.execute(trx);
}

function addSecrets({ db, keyring, random, now }: ReplaceNeeds, wanted: readonly ReplaceableSecret[]): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await takeTurn(trx);
    const createdAt = BigInt(Math.floor(now()));
    for (const { purpose } of wanted) {
      const known = await trx
        .selectFrom("derived_secret")
        .select(["id", "activated_at"])
        .where("purpose", "=", purpose)
        .execute();
      if (known.some(({ activated_at: at }) => at === null)) continue;
      const root = { purpose, id: 0, sealed: null, created_at: 0n, activated_at: 0n, ends_at: null, retired_at: null };
      const id = Math.max(0, ...known.map((row) => row.id)) + 1;
      if (id > secretIdMax) throw new Error(`${purpose} has had as many secrets as there are ids`);
      const sealed = keyring.wrap(random.bytes(32), secretContext(purpose, id));
      const added = { ...root, id, sealed, created_at: createdAt, activated_at: null };
      await trx
        .insertInto("derived_secret")
        .values(known.length === 0 ? [root, added] : [added])
        .execute();
    }
  });
}

function activateSecrets({ db, now }: ReplaceNeeds, wanted: readonly ReplaceableSecret[]): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await takeTurn(trx);
    const at = Math.floor(now());
    for (const { purpose, usedForMs } of wanted) {
      const { numUpdatedRows } = await trx
        .updateTable("derived_secret")
        .set({ activated_at: BigInt(at) })
        .where("purpose", "=", purpose)
        .where("activated_at", "is", null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) continue;
      await sql`update derived_secret set ends_at = ${at + usedForMs + leastStayMs}::int8
        where purpose = ${purpose} and ends_at is null
          and id < (select max(id) from derived_secret where purpose = ${purpose})`.execute(trx);
    }
  });
}

/** However short-lived what it made is, a former secret stays for this long: a process may have been stopped for a while. */
export const leastStayMs = 3_600_000;

/** A secret that was retired. */
export interface RetiredSecret {
  readonly purpose: string;
  readonly id: number;
}

/**
 * Ends the secrets whose time is over and by which no stored value has to be recognised any more, and forgets them. What is presented and
 * was made with them is refused from then on.
 */
export async function retireSecrets(
  { db, now }: Pick<ReplaceNeeds, "db" | "now">,
  all: readonly ReplaceableSecret[],
): Promise<readonly RetiredSecret[]> {
  const retired: RetiredSecret[] = [];
  for (const replaceable of all) {
    const { purpose } = replaceable;
    await db.transaction().execute(async (trx) => {
      await takeTurn(trx);
      const at = BigInt(Math.floor(now()));
      const due = await trx
        .selectFrom("derived_secret")
        .select("id")
        .where("purpose", "=", purpose)
        .where("ends_at", "<=", at)
        .where("retired_at", "is", null)
        .execute();
      if (due.length === 0) return;
      const uses = await countUses(trx, replaceable);
      for (const { id } of due) {
        if ((uses.get(id) ?? 0) > 0) continue;
        await trx
          .updateTable("derived_secret")
          .set({ retired_at: at, sealed: null })
          .where("purpose", "=", purpose)
          .where("id", "=", id)
          .execute();
        retired.push({ purpose, id });
      }
    });
  }
  return retired;
}
