import type { Address } from "@solana/addresses";
import { decodeUtf8 } from "../encoding.js";
import {
  associatedTokenProgramAddress,
  firstMemoProgramAddress,
  memoProgramAddress,
  systemProgramAddress,
  token2022ProgramAddress,
  tokenProgramAddress,
} from "../program-address.js";
import { type ByteReader, readBytes } from "./byte-reader.js";

/** An instruction with its accounts resolved, before anything about its meaning is known. */
export type RawInstruction = {
  readonly programAddress: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
};

/** Lamports from one address to another. */
export type SystemTransfer = {
  readonly type: "system_transfer";
  readonly from: Address;
  readonly to: Address;
  readonly lamports: bigint;
};

/** Tokens from one token account to another, of the Token or the Token-2022 program. */
export type TokenTransferChecked = {
  readonly type: "token_transfer_checked";
  readonly tokenProgram: Address;
  readonly source: Address;
  readonly mint: Address;
  readonly destination: Address;
  readonly authority: Address;
  /** Base units. */
  readonly amount: bigint;
  readonly decimals: number;
};

/** Creation of an associated token account, tolerating one that exists. */
export type AssociatedTokenCreation = {
  readonly type: "create_associated_token_account";
  readonly payer: Address;
  readonly associatedToken: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
};

/** A text for everybody to read; `accounts` are those who sign it. */
export type Memo = RawInstruction & { readonly type: "memo"; readonly text: string };

/** Anything this library does not know: never signed. */
export type UnknownInstruction = RawInstruction & { readonly type: "unknown" };

export type DecodedInstruction =
  | SystemTransfer
  | TokenTransferChecked
  | AssociatedTokenCreation
  | Memo
  | UnknownInstruction;

const systemTransferTag = 2;
const tokenTransferCheckedTag = 12;
const createIdempotentTag = 1;

/**
 * Recognises the instructions a transfer is made of. An instruction with other data, with fewer or with more accounts
 * than these need is `unknown`: extra accounts mean multisig signers or transfer hooks.
 */
export function decodeInstruction(raw: RawInstruction): DecodedInstruction {
  const unknown: UnknownInstruction = { type: "unknown", ...raw };
  try {
    const reader = readBytes(raw.data);
    const decoded = decodeKnown(raw, reader);
    if (decoded === undefined) return unknown;
    if (decoded.type === "memo") return decoded;
    reader.end();
    return decoded;
  } catch (error) {
    // Data of another length is another instruction; what else may go wrong is our own fault.
    if (error instanceof RangeError) return unknown;
    throw error;
  }
}

function decodeKnown(raw: RawInstruction, reader: ByteReader): DecodedInstruction | undefined {
  switch (raw.programAddress) {
    case systemProgramAddress:
      return decodeSystemTransfer(raw, reader);
    case tokenProgramAddress:
    case token2022ProgramAddress:
      return decodeTokenTransfer(raw, reader);
    case associatedTokenProgramAddress:
      return decodeAssociatedTokenCreation(raw, reader);
    case memoProgramAddress:
    case firstMemoProgramAddress:
      return decodeMemo(raw);
    default:
      return undefined;
  }
}

/** Bytes that are no UTF-8 are no text: a reader would read something else than is there. */
function decodeMemo(raw: RawInstruction): Memo | undefined {
  try {
    return { type: "memo", text: decodeUtf8(raw.data), ...raw };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function decodeSystemTransfer(raw: RawInstruction, reader: ByteReader): SystemTransfer | undefined {
  const [from, to, ...rest] = raw.accounts;
  if (from === undefined || to === undefined || rest.length > 0) return undefined;
  if (reader.u32() !== systemTransferTag) return undefined;
  return { type: "system_transfer", from, to, lamports: reader.u64() };
}

function decodeTokenTransfer(raw: RawInstruction, reader: ByteReader): TokenTransferChecked | undefined {
  const [source, mint, destination, authority, ...rest] = raw.accounts;
  if (source === undefined || mint === undefined || destination === undefined || authority === undefined) {
    return undefined;
  }
  if (rest.length > 0 || reader.u8() !== tokenTransferCheckedTag) return undefined;
  return {
    type: "token_transfer_checked",
    tokenProgram: raw.programAddress,
    source,
    mint,
    destination,
    authority,
    amount: reader.u64(),
    decimals: reader.u8(),
  };
}

function decodeAssociatedTokenCreation(raw: RawInstruction, reader: ByteReader): AssociatedTokenCreation | undefined {
  const [payer, associatedToken, owner, mint, systemProgram, tokenProgram, ...rest] = raw.accounts;
  if (payer === undefined || associatedToken === undefined || owner === undefined || mint === undefined)
    return undefined;
  if (systemProgram !== systemProgramAddress || tokenProgram === undefined || rest.length > 0) return undefined;
  if (reader.u8() !== createIdempotentTag) return undefined;
  return { type: "create_associated_token_account", payer, associatedToken, owner, mint, tokenProgram };
}
