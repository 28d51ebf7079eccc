/** What an instruction of the smart account program means to a custodian that reads nothing but its bytes. */
import { AccountRole, type Address, type Instruction } from "@solana/kit";
import {
  decodeWrappedMessage,
  deriveSmartAccountAddress,
  encodeWrappedMessage,
  SmartAccountProgramInstruction as Kind,
  parseTransactionSync,
  policiesRemoved,
  readProgramInstruction,
  type SettingsAction,
  SYSTEM_PROGRAM_ADDRESS,
  spendingLimitsTouched,
  type WrappedMessage,
} from "@trellis/program-client";
import {
  type ChangeAction,
  type Fact,
  Opaque,
  type OpaqueReason,
  type SettingsChangeFact,
  type StepFact,
} from "./facts.js";
import { type InnerCall, mintOf, type Opening, readInnerCall } from "./inner-calls.js";
import { isSame, requireLayout } from "./program-layouts.js";

/** What one instruction does. */
export interface ReadCall extends InnerCall {
  /** Where it stores what is voted on. */
  readonly stored?: { readonly settings: Address; readonly transaction: Address };
  /** The vote that it opens, by its number. */
  readonly opened?: { readonly settings: Address; readonly index: bigint };
  /** The vote that it approves. */
  readonly approved?: { readonly settings: Address; readonly proposal: Address };
}

type Parsed = NonNullable<ReturnType<typeof readProgramInstruction>>;
type ParsedAs<K extends Kind> = Extract<Parsed, { readonly instructionType: K }>;

/** What is never read, and why. Every instruction of the program is here or in `read`. */
const opaqueKinds: Partial<Record<Kind, OpaqueReason>> = {
  [Kind.ExecuteTransaction]: "stored_content",
  [Kind.ExecuteSettingsTransaction]: "stored_content",
  [Kind.ExecuteBatchTransaction]: "stored_content",
  [Kind.ExecuteTransactionSync]: "unknown_instruction",
  [Kind.CreateBatch]: "batch",
  [Kind.AddTransactionToBatch]: "batch",
  [Kind.CloseBatchTransaction]: "batch",
  [Kind.CloseBatch]: "batch",
  [Kind.CreateTransactionBuffer]: "buffer",
  [Kind.ExtendTransactionBuffer]: "buffer",
  [Kind.CreateTransactionFromBuffer]: "buffer",
  [Kind.CloseTransactionBuffer]: "buffer",
  [Kind.CreateSmartAccount]: "account_creation",
  [Kind.SetArchivalAuthorityAsAuthority]: "unknown_instruction",
  [Kind.InitializeProgramConfig]: "program_administration",
  [Kind.SetProgramConfigAuthority]: "program_administration",
  [Kind.SetProgramConfigSmartAccountCreationFee]: "program_administration",
  [Kind.SetProgramConfigTreasury]: "program_administration",
  [Kind.LogEvent]: "program_administration",
};

/** Reads an instruction of the program. Throws `Opaque`, and what the decoders throw. */
export function readProgramCall(instruction: Instruction, wallet: Address): ReadCall {
  const parsed = readProgramInstruction(instruction);
  if (parsed === undefined) throw new Opaque("unknown_instruction");
  const reason = opaqueKinds[parsed.instructionType];
  if (reason !== undefined) throw new Opaque(reason);
  switch (parsed.instructionType) {
    case Kind.ExecuteTransactionSyncV2:
      return transactionSync(instruction, parsed, wallet);
    case Kind.ExecuteSettingsTransactionSync:
      return settingsSync(instruction, parsed, wallet);
    default:
      requireLayout(instruction, parsed, wallet);
      return whole(parsed);
  }
}

/** Those that list no accounts beside their own. */
function whole(parsed: Parsed): ReadCall {
  switch (parsed.instructionType) {
    case Kind.UseSpendingLimit:
      return limitUse(parsed);
    case Kind.CreateTransaction:
      return storedTransaction(parsed);
    case Kind.CreateSettingsTransaction: {
      const { settings, transaction } = parsed.accounts;
      const change = changeOf(settings.address, "proposal", parsed.data.actions);
      const stored = { settings: settings.address, transaction: transaction.address };
      return { facts: [stepOf("store", settings.address), change], openings: [], stored };
    }
    case Kind.CreateProposal: {
      const settings = parsed.accounts.consensusAccount.address;
      const opened = { settings, index: parsed.data.transactionIndex };
      return { facts: [stepOf("open", settings)], openings: [], opened };
    }
    case Kind.ActivateProposal:
      return step("activate", parsed.accounts.settings.address);
    case Kind.ApproveProposal: {
      const settings = parsed.accounts.consensusAccount.address;
      const approved = { settings, proposal: parsed.accounts.proposal.address };
      return { facts: [stepOf("approve", settings)], openings: [], approved };
    }
    case Kind.RejectProposal:
      return step("reject", parsed.accounts.consensusAccount.address);
    case Kind.CancelProposal:
      return step("cancel", parsed.accounts.consensusAccount.address);
    case Kind.CloseTransaction:
      return step("close", parsed.accounts.consensusAccount.address);
    case Kind.CloseSettingsTransaction:
      return step("close", parsed.accounts.settings.address);
    default:
      return adminChange(parsed);
  }
}

function adminChange(parsed: Parsed): ReadCall {
  switch (parsed.instructionType) {
    case Kind.AddSignerAsAuthority:
      return byAdmin(parsed.accounts, { __kind: "AddSigner", newSigner: parsed.data.newSigner });
    case Kind.RemoveSignerAsAuthority:
      return byAdmin(parsed.accounts, { __kind: "RemoveSigner", oldSigner: parsed.data.oldSigner });
    case Kind.ChangeThresholdAsAuthority:
      return byAdmin(parsed.accounts, { __kind: "ChangeThreshold", newThreshold: parsed.data.newThreshold });
    case Kind.SetTimeLockAsAuthority:
      return byAdmin(parsed.accounts, { __kind: "SetTimeLock", newTimeLock: parsed.data.timeLock });
    case Kind.SetNewSettingsAuthorityAsAuthority: {
      const { newSettingsAuthority } = parsed.data;
      return byAdmin(parsed.accounts, { __kind: "SetSettingsAuthority", newSettingsAuthority });
    }
    case Kind.AddSpendingLimitAsAuthority: {
      const { seed, accountIndex, mint, amount, period, signers, destinations, expiration } = parsed.data;
      const limit = { seed, accountIndex, mint, amount, period, signers, destinations, expiration };
      return byAdmin(parsed.accounts, { __kind: "AddSpendingLimit", ...limit });
    }
    case Kind.RemoveSpendingLimitAsAuthority: {
      const spendingLimit = parsed.accounts.spendingLimit.address;
      return byAdmin(parsed.accounts, { __kind: "RemoveSpendingLimit", spendingLimit });
    }
    default:
      throw new Opaque("unknown_instruction");
  }
}

function byAdmin(accounts: { readonly settings: { readonly address: Address } }, action: ChangeAction): ReadCall {
  const settings = accounts.settings.address;
  return { facts: [{ kind: "settings_change", settings, by: "admin", actions: [action] }], openings: [] };
}

const stepOf = (name: StepFact["step"], settings: Address): StepFact => ({
  kind: "step",
  step: name,
  settings,
  isSeen: false,
});
const step = (name: StepFact["step"], settings: Address): ReadCall => ({
  facts: [stepOf(name, settings)],
  openings: [],
});

function transactionSync(
  instruction: Instruction,
  parsed: ParsedAs<typeof Kind.ExecuteTransactionSyncV2>,
  wallet: Address,
): ReadCall {
  if (parsed.data.payload.__kind !== "Transaction") throw new Opaque("policy_content");
  const call = parseTransactionSync(instruction);
  if (call === undefined) throw new Opaque("malformed");
  const { settings, smartAccount, members, accountIndex, instructions } = call;
  const { accounts = [] } = instruction;
  requireLayout(instruction, parsed, wallet, {
    members: members.length,
    others: accounts.length - 2 - members.length,
  });
  if (accountIndex !== 0) throw new Opaque("other_smart_account");
  const used = new Set(
    instructions.flatMap((inner) => [inner.programAddress, ...inner.accounts.map(({ address }) => address)]),
  );
  // An account that no call takes is there for what is not seen here.
  if (accounts.slice(2 + members.length).some(({ address }) => !used.has(address))) throw new Opaque("malformed");
  return joined(instructions, { settings, smartAccount, via: "members" });
}

function joined(instructions: readonly Instruction[], payer: Parameters<typeof readInnerCall>[1]): InnerCall {
  const calls = instructions.map((inner) => readInnerCall(inner, payer));
  return { facts: calls.flatMap(({ facts }) => facts), openings: calls.flatMap(({ openings }) => openings) };
}

function settingsSync(
  instruction: Instruction,
  parsed: ParsedAs<typeof Kind.ExecuteSettingsTransactionSync>,
  wallet: Address,
): ReadCall {
  const { accounts = [] } = instruction;
  const { numSigners, actions } = parsed.data;
  const settings = parsed.accounts.consensusAccount.address;
  const others = accounts.slice(4 + numSigners).map(({ address }) => address);
  requireLayout(instruction, parsed, wallet, { members: numSigners, others: others.length });
  const change = changeOf(settings, "members", actions);
  const removed = policiesRemoved(actions);
  const touched = new Set([...spendingLimitsTouched(settings, actions), ...removed]);
  // Who gets the rent of a removed policy stands behind them: the policy says who, and it is not read here.
  const strangers = new Set(others.filter((other) => !touched.has(other)));
  if (strangers.size > removed.length) throw new Opaque("malformed");
  return { facts: [change], openings: [] };
}

function changeOf(
  settings: Address,
  by: SettingsChangeFact["by"],
  actions: readonly SettingsAction[],
): SettingsChangeFact {
  if (actions.length === 0) throw new Opaque("malformed");
  return {
    kind: "settings_change",
    settings,
    by,
    actions: actions.map((action) => {
      switch (action.__kind) {
        case "PolicyCreate":
        case "PolicyUpdate":
          throw new Opaque("policy_content");
        case "SetArchivalAuthority":
          throw new Opaque("unknown_instruction");
        default:
          return action;
      }
    }),
  };
}

function limitUse({ accounts, data }: ParsedAs<typeof Kind.UseSpendingLimit>): ReadCall {
  const settings = accounts.settings.address;
  const smartAccount = accounts.smartAccount.address;
  if (smartAccount !== deriveSmartAccountAddress(settings)) throw new Opaque("other_smart_account");
  const { mint, smartAccountTokenAccount: from, destinationTokenAccount: to, tokenProgram, systemProgram } = accounts;
  const owner = accounts.destination.address;
  const common = { kind: "transfer", settings, via: "spending_limit", amountBaseUnits: data.amount } as const;
  const fact = ((): Fact => {
    if (mint === undefined && from === undefined && to === undefined && tokenProgram === undefined) {
      if (systemProgram?.address !== SYSTEM_PROGRAM_ADDRESS) throw new Opaque("malformed");
      return { ...common, mint: null, source: smartAccount, destination: { account: owner, owner, token: null } };
    }
    if (mint === undefined || from === undefined || to === undefined || tokenProgram === undefined) {
      throw new Opaque("malformed");
    }
    const token = { mint: mint.address, program: tokenProgram.address };
    const destination = { account: to.address, owner, token };
    return { ...common, mint: mintOf(mint.address), source: from.address, destination };
  })();
  return { facts: [fact], openings: [] };
}

function storedTransaction({ accounts, data }: ParsedAs<typeof Kind.CreateTransaction>): ReadCall {
  const settings = accounts.consensusAccount.address;
  const { args } = data;
  if (args.__kind !== "TransactionPayload") throw new Opaque("policy_content");
  if (args.accountIndex !== 0) throw new Opaque("other_smart_account");
  if (args.ephemeralSigners !== 0) throw new Opaque("ephemeral_signer");
  const message = decodeWrappedMessage(args.transactionMessage);
  if (!isSame(encodeWrappedMessage(message), args.transactionMessage)) throw new Opaque("malformed");
  const smartAccount = deriveSmartAccountAddress(settings);
  const { facts, openings } = joined(instructionsOf(message), { settings, smartAccount, via: "proposal" });
  return {
    // What it opens is opened when it is executed, so that only its own payments can count on it.
    facts: [stepOf("store", settings), ...withOwners(facts, openings)],
    openings: [],
    stored: { settings, transaction: accounts.transaction.address },
  };
}

function instructionsOf({ accountKeys, addressTableLookups, instructions }: WrappedMessage): readonly Instruction[] {
  if (addressTableLookups.length > 0) throw new Opaque("lookup_table");
  if (new Set(accountKeys).size !== accountKeys.length) throw new Opaque("duplicate_account");
  const used = new Set(instructions.flatMap((one) => [one.programIdIndex, ...one.accountIndexes]));
  // The smart account is listed first as if it paid, whether or not a call takes it.
  if (accountKeys.some((_, index) => index > 0 && !used.has(index))) throw new Opaque("malformed");
  const at = (index: number): Address => {
    const key = accountKeys[index];
    if (key === undefined) throw new Opaque("malformed");
    return key;
  };
  return instructions.map(({ programIdIndex, accountIndexes, data }) => ({
    programAddress: at(programIdIndex),
    accounts: Array.from(accountIndexes, (index) => ({ address: at(index), role: AccountRole.READONLY })),
    data,
  }));
}

/** The same facts, with the owners of the token accounts that were opened. */
export function withOwners(facts: readonly Fact[], openings: readonly Opening[]): readonly Fact[] {
  const owners = new Map(openings.map(({ account, owner }) => [account, owner]));
  return facts.map((fact) => {
    if (fact.kind !== "transfer" || fact.destination.owner !== null) return fact;
    const owner = owners.get(fact.destination.account) ?? null;
    return { ...fact, destination: { ...fact.destination, owner } };
  });
}
