import { type Address, address } from "@solana/kit";
import { isKey, SMART_ACCOUNT_PROGRAM_ADDRESS, SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import type { ChainAccount } from "@trellis/solana/read-accounts.js";
import { isOccupied } from "@trellis/solana/signable-address.js";
import { tokenPrograms } from "@trellis/solana/token-accounts.js";
import type { Obstacle } from "./obstacle.js";

/** Programs of the chain whose accounts hold data, and move no money for anybody. */
const dataPrograms: ReadonlySet<Address> = new Set([
  address("AddressLookupTab1e1111111111111111111111111"),
  address("BPFLoader1111111111111111111111111111111111"),
  address("BPFLoader2111111111111111111111111111111111"),
  address("BPFLoaderUpgradeab1e11111111111111111111111"),
  address("Config1111111111111111111111111111111111111"),
  address("Feature111111111111111111111111111111111111"),
  address("LoaderV411111111111111111111111111111111111"),
  address("NativeLoader1111111111111111111111111111111"),
  address("Sysvar1111111111111111111111111111111111111"),
]);

/** What an address is judged by. */
export interface NamedPayee {
  readonly payee: Address;
  /** What the chain holds at it. */
  readonly account: ChainAccount | undefined;
  /** The payer, which may not pay itself; null where that does no harm. */
  readonly payer: Address | null;
  /** Keys of the service itself. */
  readonly serviceAddresses: ReadonlySet<string>;
}

/** Why an address cannot be paid by anybody's word: no key could get the money out again. Undefined where it can. */
export function judgeAddress({ payee, account, payer, serviceAddresses }: NamedPayee): Obstacle | undefined {
  if (serviceAddresses.has(payee)) return refuse("forbidden_account", "A key of the service cannot be paid.");
  if (payee === payer) return refuse("invalid_address", "The account would pay itself.");
  if (isOccupied(payee)) {
    return refuse(
      "invalid_address",
      "The destination belongs to the chain or to one of its programs, or is made like such an address: what it is paid is lost.",
    );
  }
  if (account === undefined) return undefined;
  if (account.executable) {
    return refuse("invalid_address", "The destination is a program: what it is paid is lost.");
  }
  if (account.owner === SMART_ACCOUNT_PROGRAM_ADDRESS) {
    return refuse(
      "invalid_address",
      "The destination belongs to the smart account program (a smart account's settings, say), and holds no money. " +
        "Pay the smart account's own address.",
    );
  }
  if (dataPrograms.has(account.owner)) {
    return refuse(
      "invalid_address",
      `The destination holds data of a program of the chain (${account.owner}): what it is paid is lost.`,
    );
  }
  return undefined;
}

/**
 * Whether a payment to an address as an owner needs a word of the caller (gap 147): no key signs for it and nothing is there,
 * or a program holds it. It may be a vault that was never paid, an escrow, or an address that a person copied from the wrong
 * line, such as that of a token account that is closed.
 */
export function needsConfirmation({ payee, account }: Pick<NamedPayee, "payee" | "account">): boolean {
  if (account === undefined) return !isKey(payee);
  return account.owner !== SYSTEM_PROGRAM_ADDRESS && !tokenPrograms.includes(account.owner);
}

/** The obstacle where that word is missing. `field` is where it belongs. */
export function unconfirmed(payee: Address, account: ChainAccount | undefined, field: string): Obstacle {
  const what =
    account === undefined
      ? `No key signs for ${payee}, and nothing is there on chain: it may be a token account that is closed, or was never opened.`
      : `A program (${account.owner}) holds the account ${payee}: what it is paid may be lost.`;
  return {
    code: "destination_unconfirmed",
    end: "destination",
    message: what,
    suggestion:
      "Name the payee's own address, as its wallet shows it. Where a program is really to be paid, such as the vault of a " +
      `smart account that was never used, send ${field}: true.`,
  };
}

function refuse(code: "invalid_address" | "forbidden_account", message: string): Obstacle {
  return { code, end: "destination", message, suggestion: "Name the payee's own address, as its wallet shows it." };
}
