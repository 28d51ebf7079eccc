import type { Address } from "@solana/kit";
import { token2022Program, tokenProgram } from "../token-layout.js";
import { type Fields, readFields, type Words } from "./instruction-fields.js";
import { wireInteger } from "./method.js";
import { parseTokenInstruction } from "./parsed-token-instruction.js";

/** An instruction in words, as far as they do not depend on where it stands. */
export interface ParsedInstruction {
  readonly program: string;
  readonly parsed: string | { readonly type: string; readonly info: Readonly<Record<string, unknown>> };
}

type Accounts = readonly (Address | undefined)[];

const programs: Readonly<Record<string, { program: string; read(accounts: Accounts, data: Fields): Words | string }>> =
  {
    "11111111111111111111111111111111": { program: "system", read: systemWords },
    ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: { program: "spl-associated-token-account", read: associatedWords },
    MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: { program: "spl-memo", read: memoWords },
    Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo: { program: "spl-memo", read: memoWords },
    AddressLookupTab1e1111111111111111111111111: { program: "address-lookup-table", read: tableWords },
    [tokenProgram]: { program: "spl-token", read: parseTokenInstruction },
    [token2022Program]: { program: "spl-token", read: parseTokenInstruction },
  };

/**
 * Puts an instruction into words as a validator does for `jsonParsed`. Undefined for programs that no validator parses, and for
 * what a program would not understand either.
 */
export function parseInstruction(
  program: Address | undefined,
  accounts: Accounts,
  data: Uint8Array,
): ParsedInstruction | undefined {
  const known = program !== undefined && Object.hasOwn(programs, program) ? programs[program] : undefined;
  if (known === undefined) return undefined;
  const parsed = readFields(data, (fields) => known.read(accounts, fields));
  return parsed === undefined ? undefined : { parsed, program: known.program };
}

/** Words with the accounts by their names in order, and more; undefined where there are fewer accounts than names. */
function words(
  type: string,
  accounts: Accounts,
  names: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Words {
  if (accounts.length < names.length) return undefined;
  return { type, info: { ...Object.fromEntries(names.map((name, index) => [name, accounts[index]])), ...more } };
}

function systemWords(accounts: Accounts, data: Fields): Words {
  const nonceAndHashes = ["nonceAccount", "recentBlockhashesSysvar"];
  switch (data.u32()) {
    case 0:
      return words("createAccount", accounts, ["source", "newAccount"], {
        lamports: wireInteger(data.u64()),
        space: wireInteger(data.u64()),
        owner: data.address(),
      });
    case 1:
      return words("assign", accounts, ["account"], { owner: data.address() });
    case 2:
      return words("transfer", accounts, ["source", "destination"], { lamports: wireInteger(data.u64()) });
    case 3:
      return words("createAccountWithSeed", accounts, ["source", "newAccount"], {
        base: data.address(),
        seed: data.text(),
        lamports: wireInteger(data.u64()),
        space: wireInteger(data.u64()),
        owner: data.address(),
      });
    case 4:
      return words("advanceNonce", accounts, [...nonceAndHashes, "nonceAuthority"]);
    case 5:
      return words(
        "withdrawFromNonce",
        accounts,
        ["nonceAccount", "destination", "recentBlockhashesSysvar", "rentSysvar", "nonceAuthority"],
        { lamports: wireInteger(data.u64()) },
      );
    case 6:
      return words("initializeNonce", accounts, [...nonceAndHashes, "rentSysvar"], { nonceAuthority: data.address() });
    case 7:
      return words("authorizeNonce", accounts, ["nonceAccount", "nonceAuthority"], { newAuthorized: data.address() });
    case 8:
      return words("allocate", accounts, ["account"], { space: wireInteger(data.u64()) });
    case 9:
      return words("allocateWithSeed", accounts, ["account"], {
        base: data.address(),
        seed: data.text(),
        space: wireInteger(data.u64()),
        owner: data.address(),
      });
    case 10:
      return words("assignWithSeed", accounts, ["account"], {
        base: data.address(),
        seed: data.text(),
        owner: data.address(),
      });
    case 11:
      return words("transferWithSeed", accounts, ["source", "sourceBase", "destination"], {
        lamports: wireInteger(data.u64()),
        sourceSeed: data.text(),
        sourceOwner: data.address(),
      });
    case 12:
      return words("upgradeNonce", accounts, ["nonceAccount"]);
    default:
      return undefined;
  }
}

function associatedWords(accounts: Accounts, data: Fields): Words {
  const names = ["source", "account", "wallet", "mint", "systemProgram", "tokenProgram"];
  const kind = data.isAtEnd() ? 0 : data.u8();
  if (kind === 0) return words("create", accounts, names);
  if (kind === 1) return words("createIdempotent", accounts, names);
  if (kind !== 2) return undefined;
  return words("recoverNested", accounts, [
    "nestedSource",
    "nestedMint",
    "destination",
    "nestedOwner",
    "ownerMint",
    "wallet",
    "tokenProgram",
  ]);
}

function memoWords(_accounts: Accounts, data: Fields): string {
  return data.restAsText();
}

function tableWords(accounts: Accounts, data: Fields): Words {
  const authority = ["lookupTableAccount", "lookupTableAuthority"];
  switch (data.u32()) {
    case 0:
      return words("createLookupTable", accounts, [...authority, "payerAccount", "systemProgram"], {
        recentSlot: wireInteger(data.u64()),
        bumpSeed: data.u8(),
      });
    case 1:
      return words("freezeLookupTable", accounts, authority);
    case 2: {
      const newAddresses = data.addresses(Number(data.u64()));
      const names = accounts.length >= 4 ? [...authority, "payerAccount", "systemProgram"] : authority;
      return words("extendLookupTable", accounts, names, { newAddresses });
    }
    case 3:
      return words("deactivateLookupTable", accounts, authority);
    case 4:
      return words("closeLookupTable", accounts, [...authority, "recipient"]);
    default:
      return undefined;
  }
}
