import { type Address, isAddress } from "@solana/addresses";
import { InvalidInputError } from "./invalid-input-error.js";

/** An address that a caller or the service named. Throws `InvalidInputError` for anything else. */
export function requireAddress(text: string): Address {
  if (!isAddress(text)) throw new InvalidInputError("invalid_address", `not an address: ${text}`);
  return text;
}
