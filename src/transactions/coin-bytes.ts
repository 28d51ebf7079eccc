/**
 * What instructions that move coins, or give another party power over them, say by their bytes. Pure: no account is read here.
 * Numbers and layouts are those of the System, Stake and token programs.
 */
import { type Address, getAddressDecoder, type Instruction } from "@solana/kit";
import { SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { tokenPrograms } from "@trellis/solana/token-accounts.js";
import { splitTokenBatch, tokenBatch } from "@trellis/solana/token-batch.js";

/** One thing that an instruction does with coins. Amounts are base units. */
export type CoinAction =
  | {
      readonly kind: "sol";
      readonly from: Address;
      readonly to: Address;
      readonly amount: bigint;
      readonly opensFor?: Address;
    }
  | {
      readonly kind: "tokens";
      readonly source: Address;
      readonly destination: Address;
      readonly authority: Address;
      readonly amount: bigint;
      /** Undefined where the bytes do not name it. */
      readonly mint?: Address;
      /** What of the amount the mint withholds. */
      readonly fee?: bigint;
    }
  /** Wrapped SOL becomes SOL; without an amount all of it. */
  | {
      readonly kind: "unwrap";
      readonly source: Address;
      readonly to: Address;
      readonly authority: Address;
      readonly amount?: bigint;
    }
  /** All lamports of a token account go to `to`, wrapped ones too. */
  | { readonly kind: "close"; readonly account: Address; readonly to: Address; readonly authority: Address }
  | {
      readonly kind: "approve";
      readonly account: Address;
      readonly owner: Address;
      readonly delegate: Address;
      readonly amount: bigint;
      readonly mint?: Address;
    }
  | {
      readonly kind: "burn";
      readonly account: Address;
      readonly mint: Address;
      readonly authority: Address;
      readonly amount: bigint;
    }
  | {
      readonly kind: "authority";
      readonly account: Address;
      readonly authority: Address;
      readonly what: string;
      /** Null: no party has it afterwards. */
      readonly next: Address | null;
    }
  /** A token account is made, of this owner and mint: what moves through it later in the transaction is known by that. */
  | { readonly kind: "opened"; readonly account: Address; readonly owner: Address; readonly mint: Address };

/** What one instruction does with coins; undefined where it does nothing of the kind. See `unbatch`. */
export function readCoinAction({ programAddress, accounts = [], data }: Instruction): CoinAction | undefined {
  const bytes = Uint8Array.from(data ?? []);
  const named = accounts.map(({ address }) => address);
  try {
    if (programAddress === SYSTEM_PROGRAM_ADDRESS) return systemAction(named, bytes);
    if (programAddress === stakeProgram) return stakeAction(named, bytes);
    if (programAddress === loaderProgram) return loaderAction(named, bytes);
    return tokenPrograms.includes(programAddress) ? tokenAction(named, bytes) : undefined;
  } catch (error) {
    // Too short for what its number says: the chain refuses it.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The instructions in a `batch` of a token program, each as if it were called alone; any other instruction as it is. */
export function unbatch(instruction: Instruction): readonly Instruction[] {
  const { programAddress, accounts = [], data = [] } = instruction;
  if (!tokenPrograms.includes(programAddress) || data[0] !== tokenBatch) return [instruction];
  const parts = splitTokenBatch(accounts, Uint8Array.from(data));
  return parts === undefined || parts.length === 0 ? [instruction] : parts.map((part) => ({ programAddress, ...part }));
}

const stakeProgram = "Stake11111111111111111111111111111111111111" as Address;
const loaderProgram = "BPFLoaderUpgradeab1e11111111111111111111111" as Address;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const u64 = (bytes: Uint8Array, at: number) => viewOf(bytes).getBigUint64(at, true);

function addressAt(bytes: Uint8Array, at: number): Address {
  if (at + 32 > bytes.length) throw new RangeError("an address is missing");
  return getAddressDecoder().decode(bytes, at);
}

function place(accounts: readonly Address[], at: number): Address {
  const address = accounts[at];
  if (address === undefined) throw new RangeError("an account is missing");
  return address;
}

function systemAction(accounts: readonly Address[], bytes: Uint8Array): CoinAction | undefined {
  const at = (index: number) => place(accounts, index);
  switch (viewOf(bytes).getUint32(0, true)) {
    case 0: // create_account
      return { kind: "sol", from: at(0), to: at(1), amount: u64(bytes, 4), opensFor: addressAt(bytes, 20) };
    case 1: // assign
      return { kind: "authority", account: at(0), authority: at(0), what: "owner_program", next: addressAt(bytes, 4) };
    case 2: // transfer
      return { kind: "sol", from: at(0), to: at(1), amount: u64(bytes, 4) };
    case 3: {
      // create_account_with_seed: the amount stands behind a seed of any length
      const after = 44 + Number(u64(bytes, 36));
      return { kind: "sol", from: at(0), to: at(1), amount: u64(bytes, after), opensFor: addressAt(bytes, after + 16) };
    }
    case 5: // withdraw_nonce_account
      return { kind: "sol", from: at(0), to: at(1), amount: u64(bytes, 4) };
    case 7: // authorize_nonce_account
      return { kind: "authority", account: at(0), authority: at(1), what: "nonce", next: addressAt(bytes, 4) };
    case 10: {
      // assign_with_seed
      const after = 44 + Number(u64(bytes, 36));
      return {
        kind: "authority",
        account: at(0),
        authority: at(1),
        what: "owner_program",
        next: addressAt(bytes, after),
      };
    }
    case 11: // transfer_with_seed
      return { kind: "sol", from: at(0), to: at(2), amount: u64(bytes, 4) };
    case 13: {
      // create_account_allow_prefund: no party pays where the account has its lamports already
      const amount = u64(bytes, 4);
      if (amount === 0n) return undefined;
      return { kind: "sol", from: at(1), to: at(0), amount, opensFor: addressAt(bytes, 20) };
    }
    default:
      return undefined;
  }
}

function stakeAction(accounts: readonly Address[], bytes: Uint8Array): CoinAction | undefined {
  const at = (index: number) => place(accounts, index);
  const what = (kind: number) => (kind === 0 ? "staker" : "withdrawer");
  const kindAt = (offset: number) => what(viewOf(bytes).getUint32(offset, true));
  switch (viewOf(bytes).getUint32(0, true)) {
    case 1: // authorize
      return { kind: "authority", account: at(0), authority: at(2), what: kindAt(36), next: addressAt(bytes, 4) };
    case 4: // withdraw
      return { kind: "sol", from: at(0), to: at(1), amount: u64(bytes, 4) };
    case 8: // authorize_with_seed
      return { kind: "authority", account: at(0), authority: at(1), what: kindAt(36), next: addressAt(bytes, 4) };
    case 10: // authorize_checked
      return { kind: "authority", account: at(0), authority: at(2), what: kindAt(4), next: at(3) };
    case 11: // authorize_checked_with_seed
      return { kind: "authority", account: at(0), authority: at(1), what: kindAt(4), next: at(3) };
    default:
      return undefined;
  }
}

function loaderAction(accounts: readonly Address[], bytes: Uint8Array): CoinAction | undefined {
  const number = viewOf(bytes).getUint32(0, true);
  // set_authority, set_authority_checked
  if (number !== 4 && number !== 7) return undefined;
  const [account, authority] = [place(accounts, 0), place(accounts, 1)];
  return { kind: "authority", account, authority, what: "program_upgrade", next: accounts[2] ?? null };
}

/** Kinds of authority that the token programs' set_authority names, in the order of their numbers. */
const tokenAuthorities = [
  "mint_tokens",
  "freeze_account",
  "account_owner",
  "close_account",
  "transfer_fee_config",
  "withheld_withdraw",
  "close_mint",
  "interest_rate",
  "permanent_delegate",
  "confidential_transfer_mint",
  "transfer_hook_program",
  "confidential_transfer_fee_config",
  "metadata_pointer",
  "group_pointer",
  "group_member_pointer",
  "scaled_ui_amount",
  "pause",
] as const;

function tokenAction(accounts: readonly Address[], bytes: Uint8Array): CoinAction | undefined {
  const at = (index: number) => place(accounts, index);
  switch (bytes[0]) {
    case 1: // initialize_account
      return { kind: "opened", account: at(0), mint: at(1), owner: at(2) };
    case 16: // initialize_account2
    case 18: // initialize_account3
      return { kind: "opened", account: at(0), mint: at(1), owner: addressAt(bytes, 1) };
    case 3: // transfer
      return { kind: "tokens", source: at(0), destination: at(1), authority: at(2), amount: u64(bytes, 1) };
    case 12: // transfer_checked
      return {
        kind: "tokens",
        source: at(0),
        mint: at(1),
        destination: at(2),
        authority: at(3),
        amount: u64(bytes, 1),
      };
    case 26: // an extension's: transfer_checked_with_fee
      if (bytes[1] !== 1) return undefined;
      return {
        kind: "tokens",
        source: at(0),
        mint: at(1),
        destination: at(2),
        authority: at(3),
        amount: u64(bytes, 2),
        fee: u64(bytes, 11),
      };
    case 4: // approve
      return { kind: "approve", account: at(0), delegate: at(1), owner: at(2), amount: u64(bytes, 1) };
    case 13: // approve_checked
      return { kind: "approve", account: at(0), mint: at(1), delegate: at(2), owner: at(3), amount: u64(bytes, 1) };
    case 6: {
      // set_authority
      const what = tokenAuthorities[bytes[1] ?? -1] ?? `number_${bytes[1]}`;
      const next = bytes[2] === 1 ? addressAt(bytes, 3) : null;
      return { kind: "authority", account: at(0), authority: at(1), what, next };
    }
    case 8: // burn
    case 15: // burn_checked
      return { kind: "burn", account: at(0), mint: at(1), authority: at(2), amount: u64(bytes, 1) };
    case 9: // close_account
      return { kind: "close", account: at(0), to: at(1), authority: at(2) };
    case 45: // unwrap_lamports
      return {
        kind: "unwrap",
        source: at(0),
        to: at(1),
        authority: at(2),
        ...(bytes[1] === 1 ? { amount: u64(bytes, 2) } : {}),
      };
    default:
      return undefined;
  }
}
