import { type Address, getBase64Decoder, type Instruction } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import {
  identifySystemInstruction,
  parseTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
  SystemInstruction,
} from "@solana-program/system";
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  AssociatedTokenInstruction,
  identifyAssociatedTokenInstruction,
  identifyTokenInstruction,
  parseCreateAssociatedTokenIdempotentInstruction,
  parseTransferCheckedInstruction,
  TokenInstruction,
} from "@solana-program/token";
import Type, { type Static } from "typebox";
import { readSettingsChange, SettingsAction } from "../accounts/settings-change.js";
import { tokenPrograms } from "../chain/token-accounts.js";
import { parseTransactionSync } from "../program-client/index.js";

/** One thing a transaction does, for a program to check before it signs (gap 30). */
export const SummaryItem = Type.Union(
  [
    Type.Object({
      type: Type.Literal("transfer"),
      from: Type.String({ description: "Who pays: the owner, not its token account." }),
      to: Type.String({
        description: "Who receives: the owner where the bytes or the chain tell it, else the token account.",
      }),
      mint: Type.Union([Type.String(), Type.Null()], { description: "Null is SOL." }),
      amount: Type.String({ description: "Base units." }),
      from_token_account: Type.Optional(Type.String()),
      to_token_account: Type.Optional(Type.String()),
    }),
    Type.Object({
      type: Type.Literal("create_token_account"),
      owner: Type.String(),
      mint: Type.String(),
      token_account: Type.String(),
      payer: Type.String(),
    }),
    Type.Object({
      type: Type.Literal("settings_change"),
      settings: Type.String(),
      by: Type.Array(Type.String(), { description: "Who answers for it: members, or the admin." }),
      actions: Type.Array(SettingsAction),
    }),
    Type.Object({
      type: Type.Literal("instruction"),
      program: Type.String(),
      accounts: Type.Array(Type.String()),
      data: Type.String({ description: "Base64." }),
    }),
  ],
  { description: "One effect of the transaction, read off its bytes." },
);

export type SummaryItem = Static<typeof SummaryItem>;

/** Owners of token accounts, as far as the chain was asked. */
export type TokenAccountOwners = ReadonlyMap<Address, Address>;

/**
 * What these top-level instructions do, in order, those inside a smart account's call included. Read from the bytes
 * alone, never from what a caller asked for; what is not understood is shown as it is.
 */
export function summarise(instructions: readonly Instruction[], owners: TokenAccountOwners): SummaryItem[] {
  const known = new Map(owners);
  return instructions.flatMap((instruction) => {
    if (instruction.programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS) return [];
    const call = parseTransactionSync(instruction);
    if (call) return call.instructions.map((inner) => summariseOne(inner, known));
    return [summariseSettingsChange(instruction) ?? summariseOne(instruction, known)];
  });
}

function summariseSettingsChange(instruction: Instruction): SummaryItem | undefined {
  const change = readSettingsChange(instruction);
  if (!change) return undefined;
  const by = change.by.kind === "members" ? change.by.members : [change.by.admin];
  return { type: "settings_change", settings: change.settings, by: [...by], actions: [...change.actions] };
}

function summariseOne(instruction: Instruction, owners: Map<Address, Address>): SummaryItem {
  return summariseTransfer(instruction, owners) ?? summariseTokenAccount(instruction, owners) ?? showAsIs(instruction);
}

function summariseTransfer(instruction: Instruction, owners: TokenAccountOwners): SummaryItem | undefined {
  const whole = complete(instruction);
  if (whole.programAddress === SYSTEM_PROGRAM_ADDRESS && whole.accounts.length >= 2) {
    if (attempt(() => identifySystemInstruction(whole)) !== SystemInstruction.TransferSol) return undefined;
    const parsed = attempt(() => parseTransferSolInstruction(whole as never));
    if (!parsed) return undefined;
    const { accounts, data } = parsed;
    return {
      type: "transfer",
      from: accounts.source.address,
      to: accounts.destination.address,
      mint: null,
      amount: data.amount.toString(),
    };
  }
  if (tokenPrograms.includes(whole.programAddress) && whole.accounts.length >= 4) {
    if (attempt(() => identifyTokenInstruction(whole)) !== TokenInstruction.TransferChecked) return undefined;
    const parsed = attempt(() => parseTransferCheckedInstruction(whole as never));
    if (!parsed) return undefined;
    const { accounts, data } = parsed;
    return {
      type: "transfer",
      from: accounts.authority.address,
      to: owners.get(accounts.destination.address) ?? accounts.destination.address,
      mint: accounts.mint.address,
      amount: data.amount.toString(),
      from_token_account: accounts.source.address,
      to_token_account: accounts.destination.address,
    };
  }
  return undefined;
}

function summariseTokenAccount(instruction: Instruction, owners: Map<Address, Address>): SummaryItem | undefined {
  const whole = complete(instruction);
  if (whole.programAddress !== ASSOCIATED_TOKEN_PROGRAM_ADDRESS || whole.accounts.length < 6) return undefined;
  const kind = attempt(() => identifyAssociatedTokenInstruction(whole));
  if (kind !== AssociatedTokenInstruction.CreateAssociatedTokenIdempotent) return undefined;
  const { accounts } = parseCreateAssociatedTokenIdempotentInstruction(whole as never);
  owners.set(accounts.ata.address, accounts.owner.address);
  return {
    type: "create_token_account",
    owner: accounts.owner.address,
    mint: accounts.mint.address,
    token_account: accounts.ata.address,
    payer: accounts.payer.address,
  };
}

function showAsIs(instruction: Instruction): SummaryItem {
  const { programAddress, accounts, data } = complete(instruction);
  return {
    type: "instruction",
    program: programAddress,
    accounts: accounts.map(({ address }) => address),
    data: getBase64Decoder().decode(data),
  };
}

function complete(instruction: Instruction) {
  return { ...instruction, accounts: instruction.accounts ?? [], data: instruction.data ?? new Uint8Array(0) };
}

/** The program libraries throw on data they do not know; here that only means "something else". */
function attempt<T>(identify: () => T): T | undefined {
  try {
    return identify();
  } catch {
    return undefined;
  }
}
