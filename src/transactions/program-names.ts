import type { Address } from "@solana/kit";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";

/** Programs that wallets and applications put into transactions, by what people call them. */
const names: Readonly<Record<string, string>> = {
  L1TEVtgA75k273wWz1s6XMmDhQY5i3MwcvKb4VbZzfK: "Lighthouse, guards of wallets",
  L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95: "Lighthouse, guards of wallets",
  Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo: "Memo",
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: "Memo",
  "11111111111111111111111111111111": "System",
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: "Token",
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: "Token-2022",
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: "Associated Token",
  [SMART_ACCOUNT_PROGRAM_ADDRESS]: "smart account",
};

/** A program's address, with what people call it where that is known. */
export function nameProgram(program: Address): string {
  const name = names[program];
  return name === undefined ? program : `${program} (${name})`;
}
