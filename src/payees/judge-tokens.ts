import type { Address } from "@solana/kit";
import { SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import type { ChainAccount } from "@trellis/solana/read-accounts.js";
import { decodeMintDecimals, decodeTokenAccount, type TokenAccount } from "@trellis/solana/token-accounts.js";
import {
  demandsMemo,
  freezesNewAccounts,
  isPausedMint,
  refusesPlainTransfers,
  whyNotPlainMint,
} from "@trellis/solana/token-extensions.js";
import type { Obstacle } from "./obstacle.js";

/** What a payment in tokens depends on, as the chain holds it. */
export interface TokenEnds {
  readonly mint: ChainAccount | undefined;
  /** The account of the mint that pays, and whose it has to be. Left out where that is judged when the payment is made. */
  readonly source?: { readonly account: ChainAccount | undefined; readonly owner: Address };
  /**
   * The token account that is paid, where it is there, and whose it has to be, null where that may be anybody. Null where
   * the payee is not known yet.
   */
  readonly destination: { readonly account: ChainAccount | undefined; readonly owner: Address | null } | null;
  /** Whether the payment carries a memo right in front of the transfer. */
  readonly hasMemo: boolean;
  /** The chain's epoch, where a mint's fee was ended; see `hasFeeOfOldEpoch`. */
  readonly epoch?: bigint | undefined;
}

/**
 * Judges whether a payment of this mint arrives, and whole: the one judgement for payments, payments to banks, proposals of
 * transfers, spending limits and standing orders, at their creation and at each due date. How much the source holds is not
 * part of it. Undefined where nothing stands in the way.
 *
 * What a source says, and a pause, may be another matter by the time a stored payment is made: both are left out where
 * `source` is.
 */
export function judgeTokens({ mint, source, destination, hasMemo, epoch }: TokenEnds): Obstacle | undefined {
  if (mint === undefined || decodeMintDecimals(mint) === undefined) {
    return currency(
      "unsupported_currency",
      "The currency does not exist on this chain: there is no mint at its address.",
    );
  }
  const why = whyNotPlainMint(mint.data, epoch);
  if (why !== undefined) {
    return currency(
      "unsupported_currency",
      `The currency ${why}, so that exactly what is asked for would not arrive.`,
      "Pay in another currency, or move it by a transaction of the account's own, which promises nothing of what arrives.",
    );
  }
  const paid = isOpened(destination?.account) ? destination?.account : undefined;
  if (destination !== null && paid === undefined && freezesNewAccounts(mint.data)) {
    return currency(
      "unsupported_currency",
      "The currency freezes every new token account, and the destination has none yet.",
      "Have the destination's token account opened, and thawed by the currency's issuer, then ask again.",
    );
  }
  if (source !== undefined) {
    if (isPausedMint(mint.data)) {
      return currency(
        "mint_paused",
        "The currency's issuer has paused all transfers.",
        "Try again once it has resumed them.",
      );
    }
    const held = source.account && decodeTokenAccount(source.account);
    if (held?.owner === source.owner && held.isFrozen) {
      return {
        code: "source_frozen",
        end: "source",
        message: `The account's token account ${held.address} is frozen by the currency's issuer.`,
        suggestion: "Ask the issuer to thaw it, or pay in another currency.",
      };
    }
  }
  if (paid === undefined) return undefined;
  return judgeReceiver(paid, { mint: mint.address, owner: destination?.owner ?? null, hasMemo });
}

/** Whether something is there that is to be a token account. Lamports alone do not make one: anybody can send some. */
export function isOpened(account: ChainAccount | undefined): account is ChainAccount {
  return account !== undefined && account.owner !== SYSTEM_PROGRAM_ADDRESS;
}

/**
 * The token account that an address holds, where it is open, of this mint, and this owner's: what is paid into it is the
 * owner's. Undefined otherwise; whether it is frozen stands in it.
 */
export function tokenAccountOf(
  account: ChainAccount | undefined,
  owner: Address,
  mint: Address,
): TokenAccount | undefined {
  const held = account && decodeTokenAccount(account);
  return held?.owner === owner && held.mint === mint ? held : undefined;
}

function judgeReceiver(
  account: ChainAccount,
  wanted: { readonly mint: Address; readonly owner: Address | null; readonly hasMemo: boolean },
): Obstacle | undefined {
  const held = decodeTokenAccount(account);
  if (held?.mint !== wanted.mint || (wanted.owner !== null && held.owner !== wanted.owner)) {
    return destination(
      "destination_closed",
      `The destination's token account ${account.address} does not belong to it any more: a payment there would go to another owner.`,
      "Ask the payee for another address.",
    );
  }
  if (held.isFrozen) {
    return destination(
      "destination_frozen",
      `The destination's token account ${held.address} is frozen by the currency's issuer.`,
      "Pay another address or in another currency; only the issuer can thaw it.",
    );
  }
  if (refusesPlainTransfers(account.data)) {
    return destination(
      "destination_closed",
      `The destination's token account ${held.address} takes confidential transfers only.`,
      "Ask the payee to let it take plain transfers, or for another address.",
    );
  }
  if (!wanted.hasMemo && demandsMemo(account.data)) {
    return destination(
      "memo_required",
      `The destination's token account ${held.address} takes payments with a memo only.`,
      "Ask the payee which memo, and pay with it; or for an address that takes payments without.",
    );
  }
  return undefined;
}

const currency = (code: Obstacle["code"], message: string, suggestion?: string): Obstacle => ({
  code,
  end: "currency",
  message,
  ...(suggestion === undefined ? {} : { suggestion }),
});

const destination = (code: Obstacle["code"], message: string, suggestion: string): Obstacle => ({
  code,
  end: "destination",
  message,
  suggestion,
});
