import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";

/** Who pays rent that another party can cash in, where the account itself cannot. */
export interface RentSponsor {
  /** The transaction's fee payer. */
  readonly address: Address;
  /** How many token accounts and spending limits more it opens for this account. */
  readonly openingsLeft: () => Promise<number>;
  /** Whether it ever opened one for this account: then the rent of what is closed goes back to it. */
  readonly hasOpened: () => Promise<boolean>;
}

/**
 * The sponsor of an account's transaction: the caller's own fee payer, as often as it likes, else the service, as often as
 * its operator allows in the account's life (gap 31). The database has the last word when the transaction is submitted.
 */
export function rentSponsorOf(
  db: Db,
  network: Network,
  accountAddress: string,
  feePayer: Address | undefined,
): RentSponsor {
  if (feePayer !== undefined) {
    return {
      address: feePayer,
      openingsLeft: async () => Number.POSITIVE_INFINITY,
      hasOpened: async () => true,
    };
  }
  const { perAccountForLife } = network.sponsorship.openings;
  const countOpened = async (): Promise<number> => {
    const row = await db
      .selectFrom("sponsored_opening")
      .select("opened")
      .where("environment", "=", network.name)
      .where("account_address", "=", accountAddress)
      .executeTakeFirst();
    return row?.opened ?? 0;
  };
  return {
    address: network.feePayer.address,
    openingsLeft: async () => (perAccountForLife === 0 ? 0 : perAccountForLife - (await countOpened())),
    hasOpened: async () => (await countOpened()) > 0,
  };
}

/**
 * The error for rent that no party pays. `missing`: lamports that `payer` lacks for it; undefined: none of those who sign could
 * pay. `what`: the accounts that are to be opened, in words.
 */
export function rentNotSponsored(about: {
  readonly field?: string;
  readonly what: string;
  readonly rentLamports: bigint;
  readonly payer: Address | undefined;
  readonly missing: bigint;
  readonly alternative?: string;
  /** True: no operator can have the service pay it. */
  readonly isNeverSponsored?: boolean;
}): TrellisError {
  const { field, what, rentLamports, payer, missing, alternative, isNeverSponsored } = about;
  const ways = [
    ...(payer === undefined ? [] : [`send ${missing} lamports to ${payer}`]),
    ...(alternative === undefined ? [] : [alternative]),
    "pay with a key of your own (self_managed_fees)",
  ];
  const said = ways.length === 1 ? ways.join() : `${ways.slice(0, -1).join(", ")}, or ${ways.at(-1)}`;
  return new TrellisError("rent_not_sponsored", {
    ...(field === undefined ? {} : { field }),
    message:
      `${what} ${rentLamports} lamports of rent, which the service does not pay for this account: others could cash it ` +
      `in. ${payer === undefined ? "The account of a passkey can pay nothing." : `${payer} lacks ${missing} lamports to pay it.`}`,
    suggestion:
      `${said.charAt(0).toUpperCase()}${said.slice(1)}.` +
      (isNeverSponsored ? "" : " The service's operator can have it pay: TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT."),
    facts: {
      rent_lamports: rentLamports.toString(),
      missing_lamports: missing.toString(),
      ...(payer === undefined ? {} : { payer }),
    },
  });
}

/** What an account holding `held` lamports lacks to pay `rent` and be left with nothing or a legal rest. */
export function missingFor(rent: bigint, held: bigint, minimum: bigint): bigint {
  const left = held - rent;
  if (left === 0n || left >= minimum) return 0n;
  return left < 0n ? -left : minimum - left;
}
