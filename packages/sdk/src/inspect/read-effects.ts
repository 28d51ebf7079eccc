import type { Address } from "@solana/addresses";
import { encodeBase64 } from "../encoding.js";
import {
  associatedTokenProgramAddress,
  systemProgramAddress,
  token2022ProgramAddress,
  tokenProgramAddress,
} from "../program-address.js";
import type { AuthorityType, EffectType, SummaryEntry } from "../wire.js";
import { type ByteReader, readBytes } from "./byte-reader.js";
import { decodeInstruction, type RawInstruction } from "./decode-instruction.js";
import { readAddress } from "./decode-settings-change.js";

/**
 * An effect in the words of a summary (gap 30), as far as the bytes alone say. `untold` are members that a summary has
 * besides, from accounts that only the chain knows.
 */
export type ReportedEffect = {
  readonly entry: SummaryEntry & { readonly type: EffectType };
  readonly untold: readonly string[];
};

const stakeProgram = "Stake11111111111111111111111111111111111111" as Address;
const loaderProgram = "BPFLoaderUpgradeab1e11111111111111111111111" as Address;
const tokenPrograms: readonly Address[] = [tokenProgramAddress, token2022ProgramAddress];
const tokenBatch = 255;

/** What an instruction does; several of a token program's `batch`. What is not known is an `instruction` as it is. */
export function readEffects(raw: RawInstruction): readonly ReportedEffect[] {
  return unbatch(raw).map((one) => coinEffectOf(one) ?? otherEffectOf(one));
}

function otherEffectOf(raw: RawInstruction): ReportedEffect {
  const { programAddress, accounts, data } = raw;
  const asIs = { program: programAddress, accounts, data: encodeBase64(data) };
  const decoded = decodeInstruction(raw);
  if (decoded.type === "memo") return reported({ type: "memo", text: decoded.text, ...asIs });
  const [payer, account, owner, mint] = accounts;
  const isOpening = programAddress === associatedTokenProgramAddress && data[0] === 1 && accounts.length >= 6;
  if (isOpening) return reported({ type: "create_token_account", owner, mint, token_account: account, payer });
  return reported({ type: "instruction", ...asIs });
}

const reported = (entry: ReportedEffect["entry"], untold: readonly string[] = []): ReportedEffect => ({
  entry,
  untold,
});

/** The instructions in a batch, each with its own accounts and data; any other instruction, and a broken batch, as it is. */
function unbatch(raw: RawInstruction): readonly RawInstruction[] {
  const { programAddress, accounts, data } = raw;
  if (!tokenPrograms.includes(programAddress) || data[0] !== tokenBatch) return [raw];
  const parts: RawInstruction[] = [];
  let used = 0;
  for (let at = 1; at < data.length; ) {
    const [count, length] = [data[at], data[at + 1]];
    if (count === undefined || length === undefined) return [raw];
    const begin = at + 2;
    if (begin + length > data.length || used + count > accounts.length) return [raw];
    parts.push({
      programAddress,
      accounts: accounts.slice(used, used + count),
      data: data.slice(begin, begin + length),
    });
    used += count;
    at = begin + length;
  }
  return parts.length === 0 ? [raw] : parts;
}

/** Accounts by their place. Throws a `RangeError` past the end. */
type Places = (index: number) => Address;

function coinEffectOf({ programAddress, accounts, data }: RawInstruction): ReportedEffect | undefined {
  const at: Places = (index) => {
    const address = accounts[index];
    if (address === undefined) throw new RangeError("an account is missing");
    return address;
  };
  const reader = readBytes(data);
  try {
    if (programAddress === systemProgramAddress) return systemEffect(at, reader);
    if (programAddress === stakeProgram) return stakeEffect(at, reader);
    if (programAddress === loaderProgram) return loaderEffect(at, reader, accounts[2] ?? null);
    return tokenPrograms.includes(programAddress) ? tokenEffect(programAddress, at, reader) : undefined;
  } catch (error) {
    // Shorter than its number says: no signer can execute it.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const sol = (from: Address, to: Address, lamports: bigint, opensFor?: Address): ReportedEffect =>
  reported({
    type: "transfer",
    from,
    to,
    mint: null,
    amount: lamports.toString(),
    ...(opensFor === undefined ? {} : { opens_account_for: opensFor }),
  });

function authority(
  program: Address,
  account: Address,
  current: Address,
  what: AuthorityType | `number_${number}`,
  next: Address | null,
): ReportedEffect {
  return reported({
    type: "set_authority",
    account,
    authority: current,
    authority_type: what,
    new_authority: next,
    program,
  });
}

function systemEffect(at: Places, reader: ByteReader): ReportedEffect | undefined {
  const skipSeed = () => reader.bytes(Number(reader.u64()));
  switch (reader.u32()) {
    case 0: {
      const lamports = reader.u64();
      reader.u64();
      return sol(at(0), at(1), lamports, readAddress(reader));
    }
    case 1:
      return authority(systemProgramAddress, at(0), at(0), "owner_program", readAddress(reader));
    case 2:
    case 5:
      return sol(at(0), at(1), reader.u64());
    case 3: {
      readAddress(reader);
      skipSeed();
      const lamports = reader.u64();
      reader.u64();
      return sol(at(0), at(1), lamports, readAddress(reader));
    }
    case 7:
      return authority(systemProgramAddress, at(0), at(1), "nonce", readAddress(reader));
    case 10:
      readAddress(reader);
      skipSeed();
      return authority(systemProgramAddress, at(0), at(1), "owner_program", readAddress(reader));
    case 11:
      return sol(at(0), at(2), reader.u64());
    case 13: {
      const lamports = reader.u64();
      reader.u64();
      return lamports === 0n ? undefined : sol(at(1), at(0), lamports, readAddress(reader));
    }
    default:
      return undefined;
  }
}

function stakeEffect(at: Places, reader: ByteReader): ReportedEffect | undefined {
  const kind = () => (reader.u32() === 0 ? "staker" : "withdrawer");
  const set = (current: Address, what: "staker" | "withdrawer", next: Address) =>
    authority(stakeProgram, at(0), current, what, next);
  switch (reader.u32()) {
    case 1: {
      const next = readAddress(reader);
      return set(at(2), kind(), next);
    }
    case 4:
      return sol(at(0), at(1), reader.u64());
    case 8: {
      const next = readAddress(reader);
      return set(at(1), kind(), next);
    }
    case 10:
      return set(at(2), kind(), at(3));
    case 11:
      return set(at(1), kind(), at(3));
    default:
      return undefined;
  }
}

function loaderEffect(at: Places, reader: ByteReader, next: Address | null): ReportedEffect | undefined {
  const number = reader.u32();
  if (number !== 4 && number !== 7) return undefined;
  return authority(loaderProgram, at(0), at(1), "program_upgrade", next);
}

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
] as const satisfies readonly AuthorityType[];

function tokenEffect(program: Address, at: Places, reader: ByteReader): ReportedEffect | undefined {
  const number = reader.u8();
  switch (number) {
    case 3: {
      const entry = { type: "transfer" as const, from: at(2), amount: reader.u64().toString() };
      return reported({ ...entry, from_token_account: at(0), to_token_account: at(1) }, ["to", "mint"]);
    }
    case 12: {
      const entry = { type: "transfer" as const, from: at(3), mint: at(1), amount: reader.u64().toString() };
      return reported({ ...entry, from_token_account: at(0), to_token_account: at(2) }, ["to"]);
    }
    case 26: {
      if (reader.u8() !== 1) return undefined;
      const entry = { type: "transfer" as const, from: at(3), mint: at(1), amount: reader.u64().toString() };
      reader.u8();
      const fee = reader.u64().toString();
      return reported({ ...entry, from_token_account: at(0), to_token_account: at(2), fee }, ["to"]);
    }
    case 4: {
      const entry = { type: "approve_delegate" as const, token_account: at(0), owner: at(2), delegate: at(1) };
      return reported({ ...entry, amount: reader.u64().toString() }, ["mint"]);
    }
    case 13: {
      const entry = {
        type: "approve_delegate" as const,
        token_account: at(0),
        owner: at(3),
        delegate: at(2),
        mint: at(1),
      };
      return reported({ ...entry, amount: reader.u64().toString() });
    }
    case 6: {
      const kind = reader.u8();
      const next = reader.u8() === 1 ? readAddress(reader) : null;
      return authority(program, at(0), at(1), tokenAuthorities[kind] ?? `number_${kind}`, next);
    }
    case 8:
    case 15: {
      const entry = { type: "burn" as const, token_account: at(0), owner: at(2), mint: at(1) };
      return reported({ ...entry, amount: reader.u64().toString() });
    }
    case 9: {
      const [account, to, owner] = [at(0), at(1), at(2)];
      if (to === owner) return reported({ type: "close_token_account", token_account: account, owner });
      const entry = {
        type: "transfer" as const,
        from: owner,
        to,
        mint: null,
        from_token_account: account,
        closes_account: true,
      };
      return reported(entry, ["amount"]);
    }
    case 45: {
      const entry = { type: "transfer" as const, from: at(2), to: at(1), mint: null, from_token_account: at(0) };
      return reader.u8() === 1 ? reported({ ...entry, amount: reader.u64().toString() }) : reported(entry, ["amount"]);
    }
    default:
      return undefined;
  }
}
