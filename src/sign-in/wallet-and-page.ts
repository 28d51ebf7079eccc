import { type Address, isAddress } from "@solana/kit";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";

/** The origin of the page where a wallet signs in. Throws `origin_not_allowed` where no page calls. */
export function getPage({ page }: Caller): string {
  if (page !== undefined) return page;
  throw new TrellisError("origin_not_allowed", {
    message: "A wallet signs in on a page: call this from there, with a publishable key.",
  });
}

/** The address of a wallet. Throws `invalid_address`. */
export function parseWallet(address: string): Address {
  if (isAddress(address)) return address;
  throw new TrellisError("invalid_address", { field: "address" });
}
