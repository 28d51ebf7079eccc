import { TrellisError } from "@trellis/kernel/errors.js";
import type { Custodian } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { recogniseSigner } from "../accounts/settings-change-signers.js";
import { askCustodian } from "../custody/custodians.js";
import type { ActingAccount } from "../transactions/acting-account.js";

/**
 * The number of the wallet that obeys the sessions of an account's user: the one that signs for the account, or the first. `replaces`: one
 * that derives from the newest root in use, in its place; the first in place of an imported one. Throws `no_changes` where there is no newer root, and `provider_not_available`.
 */
export async function chooseSessionWallet(
  db: Db,
  network: Network,
  custodian: Custodian,
  account: ActingAccount,
  { replaces }: { readonly replaces: boolean },
): Promise<number> {
  const signing = await findSigning(db, custodian, account);
  if (!replaces) return signing?.number ?? 1;
  const field = "replace_session_wallet";
  const { provider, ensureNewestWallet } = custodian;
  if (ensureNewestWallet === undefined) {
    throw new TrellisError("provider_not_available", {
      field,
      message: `${provider} makes no other wallet for the user: a process of its own holds its keys.`,
      suggestion: "Name another custodian in session_provider.",
    });
  }
  const asked = { ownerId: account.row.user_id, environment: network.name, now: network.clock.now() };
  const newest = (await askCustodian(ensureNewestWallet(asked))) ?? (await firstInPlaceOf(signing, custodian, asked));
  // A database that was put back knows it again from now on, as it is made again.
  if (newest !== undefined) await recogniseSigner(db, network, account.row, newest.wallet);
  if (newest !== undefined && newest.wallet.address !== signing?.address) return newest.number;
  throw new TrellisError("no_changes", {
    field,
    message:
      newest === undefined
        ? `No root of ${provider} has taken the place of another one, so that no wallet derives from a newer one.`
        : `${newest.wallet.address} signs for the account, and derives from the newest root of ${provider}.`,
    suggestion: `Where the keys were stolen, the operator first makes another root: trellis keys roots new ${provider}.`,
  });
}

/** The first wallet, while there is one root alone: others may have a key that was imported, and that of the first was never elsewhere. */
async function firstInPlaceOf(
  signing: { readonly imported_at: bigint | null } | undefined,
  custodian: Custodian,
  asked: Parameters<Custodian["ensureWallet"]>[0],
) {
  if ((signing?.imported_at ?? null) === null) return undefined;
  return { wallet: await askCustodian(custodian.ensureWallet(asked)), number: 1 };
}

/** Its wallet that signs for the account: should there be several, the newest of those whose keys nobody else had. */
function findSigning(db: Db, { provider }: Custodian, { row, settings }: ActingAccount) {
  return db
    .selectFrom("wallet")
    .select(["address", "number", "imported_at"])
    .where("owner_id", "=", row.user_id)
    .where("provider", "=", provider)
    .where("environment", "=", row.environment)
    .where(
      "address",
      "in",
      settings.signers.map(({ address }): string => address),
    )
    .orderBy(sql`(imported_at is not null)`)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}
