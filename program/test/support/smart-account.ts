import { expect } from "vitest";
import type { Bytes } from "./bytes.js";
import {
  decodeLimit,
  decodeProgramConfig,
  decodeProposal,
  decodeSettings,
  decodeSettingsTransaction,
  decodeTransaction,
} from "./decoding.js";
import {
  createProposal,
  createSettingsTransaction,
  createSmartAccount,
  createTransaction,
  executeTransaction,
  type Member,
  r,
  transferMessage,
  vote,
  type WrappedMessage,
  w,
  wrappedMessage,
} from "./instructions.js";
import { repeated, SYSTEM } from "./keys.js";
import type { Instruction, Ledger, Outcome } from "./ledger.js";
import { pda } from "./pda.js";

/** Members of the specification's vectors, and an outsider. */
export const A = repeated(1);
export const B = repeated(2);
export const C = repeated(3);
export const D = repeated(4);

export const INITIATE = 1;
export const VOTE = 2;
export const EXECUTE = 4;
export const ALL = 7;

/** Fails with the logs unless the transaction succeeded. */
export function expectSuccess(outcome: Outcome): Outcome {
  expect(outcome.error, outcome.logs.join("\n")).toBeUndefined();
  return outcome;
}

/** Fails unless the transaction failed with this custom error in instruction `at`; own errors must be logged too. */
export function expectError(outcome: Outcome, code: number, at = 0): void {
  const seen = `${outcome.error?.text ?? "success"}\n${outcome.logs.join("\n")}`;
  expect([outcome.error?.instruction, outcome.error?.custom], seen).toEqual([at, code]);
  if (code >= 100) expect(outcome.logs.join("\n")).toMatch(new RegExp(`Error Code: \\w+\\. Error Number: ${code}\\.`));
}

/** Fails unless the runtime itself refused the transaction with an error of this name. */
export function expectRuntimeError(outcome: Outcome, name: string): void {
  expect(outcome.error?.custom, outcome.logs.join("\n")).toBeUndefined();
  expect(outcome.error?.text ?? "success").toContain(name);
}

export interface Terms {
  readonly members: readonly Member[];
  readonly threshold: number;
  readonly timeLock?: number;
  readonly authority?: Uint8Array;
}

/** Creates a smart account on the ledger and gives its vault 100 SOL. */
export async function openAccount(ledger: Ledger, terms: Terms) {
  const config = decodeProgramConfig(ledger.account((await pda.programConfig()).key)?.data ?? new Uint8Array());
  const derived = await pda.settings(config.index + 1n);
  const settings = derived.key;
  expectSuccess(ledger.send(await createSmartAccount({ ...terms, candidates: [settings] })));
  const vault = (await pda.vault(settings, 0)).key;
  ledger.fund(vault, ...terms.members.map((member) => member.key));

  const transactionKey = async (index: bigint | number): Promise<Bytes> => (await pda.transaction(settings, index)).key;
  const proposalKey = async (index: bigint | number): Promise<Bytes> => (await pda.proposal(settings, index)).key;
  const data = (key: Uint8Array): Uint8Array => ledger.account(key)?.data ?? new Uint8Array();

  const account = {
    settings,
    vault,
    bump: derived.bump,
    transactionKey,
    proposalKey,
    read: () => decodeSettings(data(settings)),
    proposal: async (index: bigint | number) => decodeProposal(data(await proposalKey(index))),
    transaction: async (index: bigint | number) => decodeTransaction(data(await transactionKey(index))),
    settingsTransaction: async (index: bigint | number) => decodeSettingsTransaction(data(await transactionKey(index))),
    limitKey: async (seed: Uint8Array): Promise<Bytes> => (await pda.spendingLimit(settings, seed)).key,
    limit: async (seed: Uint8Array) => decodeLimit(data((await pda.spendingLimit(settings, seed)).key)),
    nextIndex: (): bigint => account.read().transactionIndex + 1n,

    /** create_transaction at the next index (or the given one). */
    async createTransaction(
      creator: Uint8Array,
      message: WrappedMessage,
      more: { index?: bigint; ephemeralSigners?: number; payer?: Uint8Array; accountIndex?: number } = {},
    ): Promise<Instruction> {
      const transaction = await transactionKey(more.index ?? account.nextIndex());
      return createTransaction({ settings, transaction, creator, message: wrappedMessage(message), ...more });
    },
    async createSettings(
      creator: Uint8Array,
      actions: readonly Uint8Array[],
      more: { index?: bigint; payer?: Uint8Array } = {},
    ): Promise<Instruction> {
      const transaction = await transactionKey(more.index ?? account.nextIndex());
      return createSettingsTransaction({ settings, transaction, creator, actions, ...more });
    },
    async propose(
      creator: Uint8Array,
      index: bigint | number,
      more: { draft?: boolean; payer?: Uint8Array } = {},
    ): Promise<Instruction> {
      return createProposal({ settings, proposal: await proposalKey(index), creator, index, ...more });
    },
    async vote(
      kind: "approve" | "reject" | "cancel",
      signer: Uint8Array,
      index: bigint | number,
      more: { memo?: string; system?: boolean } = {},
    ): Promise<Instruction> {
      return vote({ kind, settings, signer, proposal: await proposalKey(index), ...more });
    },
    /** execute_transaction of a transfer made by `transferMessage`. */
    async executeTransfer(signer: Uint8Array, index: bigint | number, to: Uint8Array): Promise<Instruction> {
      return executeTransaction({
        settings,
        proposal: await proposalKey(index),
        transaction: await transactionKey(index),
        signer,
        accounts: [w(vault), w(to), r(SYSTEM)],
      });
    },
    /** Stores a transfer with an approved proposal; returns its index. */
    async approvedTransfer(to: Uint8Array, lamports: bigint, voters: readonly Uint8Array[]): Promise<bigint> {
      const index = account.nextIndex();
      const creator = terms.members.find((member) => member.mask & INITIATE)?.key ?? A;
      expectSuccess(
        ledger.send(
          await account.createTransaction(creator, transferMessage(vault, to, lamports)),
          await account.propose(creator, index),
        ),
      );
      for (const voter of voters) expectSuccess(ledger.send(await account.vote("approve", voter, index)));
      return index;
    },
    /** Stores a settings transaction with an approved proposal; returns its index. */
    async approvedSettings(actions: readonly Uint8Array[], voters: readonly Uint8Array[]): Promise<bigint> {
      const index = account.nextIndex();
      const creator = terms.members.find((member) => member.mask & INITIATE)?.key ?? A;
      expectSuccess(ledger.send(await account.createSettings(creator, actions), await account.propose(creator, index)));
      for (const voter of voters) expectSuccess(ledger.send(await account.vote("approve", voter, index)));
      return index;
    },
  };
  return account;
}

export type SmartAccount = Awaited<ReturnType<typeof openAccount>>;

/** A and B, both with every permission; two votes needed. */
export const TWO_OF_TWO: Terms = {
  threshold: 2,
  members: [
    { key: A, mask: ALL },
    { key: B, mask: ALL },
  ],
};

/** A and B with every permission, C only votes; two votes needed. */
export const TWO_OF_THREE: Terms = {
  threshold: 2,
  members: [
    { key: A, mask: ALL },
    { key: B, mask: ALL },
    { key: C, mask: VOTE },
  ],
};
