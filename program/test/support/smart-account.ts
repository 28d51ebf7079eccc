import type { Bytes } from "./bytes.js";
import {
  decodeLimit,
  decodeProgramConfig,
  decodeProposal,
  decodeSettings,
  decodeSettingsTransaction,
  decodeTransaction,
} from "./decoding.js";
import { createProposal, createSmartAccount, createTransaction, executeTransaction, vote } from "./instructions.js";
import { SYSTEM } from "./keys.js";
import type { Instruction, Ledger } from "./ledger.js";
import { A, INITIATE, type Terms } from "./members.js";
import { transferMessage, type WrappedMessage, wrappedMessage } from "./messages.js";
import { r, w } from "./metas.js";
import { expectSuccess } from "./outcomes.js";
import { pda } from "./pda.js";
import { createSettingsTransaction } from "./settings-instructions.js";

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
