import type { Address, Blockhash } from "@solana/kit";
import {
  Account,
  Clock,
  EpochSchedule,
  FailedTransactionMetadata,
  LiteSvm,
  type TransactionMetadata,
} from "litesvm/dist/internal.js";
import { resolveLoaded } from "./account-keys.js";
import type { AccountState } from "./account-state.js";
import { createAccountsAtHand } from "./accounts-at-hand.js";
import { addressBytes, addressOf } from "./address-bytes.js";
import type { CheckedTransaction } from "./guard.js";
import { type TransactionFault, transactionFaultOf } from "./transaction-error.js";

/** An instruction that a program called; indexes are positions in the transaction's account list. */
export interface InnerInstruction {
  readonly programIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
  readonly stackHeight: number;
}

/** What the VM reports of one transaction. */
export interface Outcome {
  readonly fault: TransactionFault | null;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
  /** By position of the outer instruction; instructions that called nothing are left out. */
  readonly innerInstructions: readonly { readonly index: number; readonly instructions: readonly InnerInstruction[] }[];
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
}

/** The block the VM believes to be in. */
export interface Block {
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
  readonly epoch: bigint;
  readonly epochStartTimestamp: bigint;
  /** Newest first, the current slot's not included; computed when it is read. */
  readonly slotHashes: { slot: bigint; hash: Blockhash }[];
}

/**
 * The Solana VM with its head state. It knows nothing of blockhash windows, of uniqueness, or of what was committed:
 * the ledger around it does. Only checked transactions may be given to it.
 */
export interface Vm {
  get(address: Address): AccountState | undefined;
  /** The same without the code of a program, which no transaction changes and which is large to copy. */
  getWithoutCode(address: Address): AccountState | undefined;
  /** How long an account's data is, also of a program that was read without its code. */
  dataLengthOf(address: Address, state: AccountState): number;
  lamportsOf(address: Address): bigint;
  /** Writes an account past all rules; undefined deletes it. */
  set(address: Address, state: AccountState | undefined): void;
  moveTo(block: Block): void;
  execute(transaction: CheckedTransaction): Outcome;
  /**
   * Runs without keeping anything. `after` holds those of `of` as they would be, programs without code, when it succeeds.
   * Inner instructions are reported where they are asked for.
   */
  simulate(
    transaction: CheckedTransaction,
    options: { verifySignatures: boolean; withInner: boolean; of: ReadonlySet<Address> },
  ): Outcome & { readonly after: ReadonlyMap<Address, AccountState> };
  minimumBalance(dataLength: bigint): bigint;
}

/** Slots in an epoch, as on mainnet. */
export const slotsPerEpoch = 432_000n;
const rentExemptForEver = 2n ** 64n - 1n;
/** Accounts remembered outside native memory: so many with little data; of larger ones, and of programs with their code, so many bytes. */
const accountsAtHand = 20_000;
const littleData = 2_048;
const largeAtHand = { accounts: 1_000, bytes: 32 * 1024 * 1024 };
/** What reports the present moves on without any transaction. */
const sysvarPrefix = "Sysvar";

/** Programs of the chain that take no interest in former slots, besides ours. */
const programsWithoutSlotHashes = [
  "11111111111111111111111111111111",
  "ComputeBudget111111111111111111111111111111",
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
  "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
];

/** A program with the address it is loaded at. */
export interface LoadedProgram {
  readonly address: Address;
  readonly elf: Uint8Array;
}

/**
 * A fresh VM with Solana's own programs, the SPL programs and those of ours, none of which reads former slots but from an account
 * that it is given.
 */
export function createVm(programs: readonly LoadedProgram[]): Vm {
  const svm = new LiteSvm();
  svm.setBlockhashCheck(false);
  // Without a history the VM accepts repetitions; the ledger refuses them, durably.
  svm.setTransactionHistory(0n);
  svm.setEpochSchedule(new EpochSchedule(slotsPerEpoch, slotsPerEpoch, false, 0n, 0n));
  svm.setClock(new Clock(0n, 0n, 0n, 1n, 0n));
  for (const { address, elf } of programs) svm.addProgram(addressBytes(address), elf);

  const timelessPrograms = new Set<string>([...programsWithoutSlotHashes, ...programs.map(({ address }) => address)]);
  const codeLengths = new Map<Address, number>();
  // Reading an account out of native memory costs far more than remembering it, and a large one's copies there are memory that the
  // garbage collector knows nothing of. Only `set` and `execute` change one.
  const little = createAccountsAtHand({ accounts: accountsAtHand, bytes: accountsAtHand * littleData });
  const large = createAccountsAtHand(largeAtHand);
  const forget = (address: Address): void => {
    little.forget(address);
    large.forget(address);
  };
  const read = (address: Address, withCode: boolean): AccountState | undefined => {
    const isPresent = address.startsWith(sysvarPrefix);
    if (isPresent) showSlotHashes();
    const known = little.get(address);
    if (known !== undefined && !(withCode && known.executable)) return known;
    const whole = large.get(address);
    if (whole !== undefined && (withCode || !whole.executable)) return whole;
    const account = svm.getAccount(addressBytes(address));
    if (account === null || account.lamports() === 0n) return undefined;
    const state = stateOf(account, withCode);
    if (isPresent) return state;
    const isLarge = state.data.length > littleData || (withCode && state.executable);
    (isLarge ? large : little).keep(address, state);
    return state;
  };
  let unshown: Block | undefined;
  /** Half a thousand hashes take longer to make and to hand over than most transactions to run. */
  const showSlotHashes = (): void => {
    if (unshown === undefined) return;
    svm.setSlotHashes(unshown.slotHashes);
    unshown = undefined;
  };
  const mayReadSlotHashes = ({ message }: CheckedTransaction): boolean =>
    message.lookups.length > 0 ||
    message.staticAddresses.some(
      (address) =>
        !timelessPrograms.has(address) &&
        (address.startsWith(sysvarPrefix) || read(address, false)?.executable === true),
    );
  const forgetWritable = ({ message }: CheckedTransaction): void => {
    // Which accounts a lookup table adds is not known here.
    if (message.lookups.length > 0) {
      little.forgetAll();
      large.forgetAll();
      return;
    }
    const keys = resolveLoaded(message, [], []);
    keys.addresses.forEach((address, index) => {
      if (keys.isWritable(index)) forget(address);
    });
  };

  return {
    get: (address) => read(address, true),
    getWithoutCode: (address) => read(address, false),
    dataLengthOf: (address, state) => {
      if (!state.executable) return state.data.length;
      const known = codeLengths.get(address);
      if (known !== undefined) return known;
      const length = read(address, true)?.data.length ?? 0;
      codeLengths.set(address, length);
      return length;
    },
    lamportsOf: (address) => svm.getBalance(addressBytes(address)) ?? 0n,
    set: (address, state) => {
      codeLengths.delete(address);
      forget(address);
      const account = state
        ? new Account(state.lamports, state.data, addressBytes(state.owner), state.executable, rentExemptForEver)
        : new Account(0n, new Uint8Array(), new Uint8Array(32), false, rentExemptForEver);
      svm.setAccount(addressBytes(address), account);
    },
    moveTo: (block) => {
      unshown = block;
      svm.setClock(
        new Clock(block.slot, block.epochStartTimestamp, block.epoch, block.epoch + 1n, block.unixTimestamp),
      );
    },
    execute: (transaction) => {
      // Before what it writes to is forgotten: a read remembers.
      if (mayReadSlotHashes(transaction)) showSlotHashes();
      forgetWritable(transaction);
      const result =
        transaction.message.version === "legacy"
          ? svm.sendLegacyTransaction(transaction.wire)
          : svm.sendVersionedTransaction(transaction.wire);
      return outcomeOf(result, true);
    },
    simulate: (transaction, { verifySignatures, withInner, of }) => {
      if (mayReadSlotHashes(transaction)) showSlotHashes();
      svm.setSigverify(verifySignatures);
      try {
        const result =
          transaction.message.version === "legacy"
            ? svm.simulateLegacyTransaction(transaction.wire)
            : svm.simulateVersionedTransaction(transaction.wire);
        if (result instanceof FailedTransactionMetadata) return { ...outcomeOf(result, withInner), after: new Map() };
        const after = new Map(
          result.postAccounts().flatMap((entry) => {
            const address = addressOf(entry.address);
            return of.has(address) ? [[address, stateOf(entry.account(), false)] as const] : [];
          }),
        );
        return { ...outcomeOf(result.meta(), withInner), after };
      } finally {
        svm.setSigverify(true);
      }
    },
    minimumBalance: (dataLength) => svm.minimumBalanceForRentExemption(dataLength),
  };
}

const noCode = new Uint8Array(0);

function stateOf(account: Account, withCode: boolean): AccountState {
  const executable = account.executable();
  return {
    lamports: account.lamports(),
    owner: addressOf(account.owner()),
    // A copy: what native code hands out burdens the garbage collector for as long as it is kept.
    data: executable && !withCode ? noCode : new Uint8Array(account.data()),
    executable,
  };
}

function outcomeOf(result: TransactionMetadata | FailedTransactionMetadata, withInner: boolean): Outcome {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  const returned = meta.returnData();
  const returnedBytes = returned.data();
  return {
    fault: failed ? transactionFaultOf(result) : null,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
    innerInstructions: (withInner ? meta.innerInstructions() : []).flatMap((called, index) =>
      called.length === 0
        ? []
        : [
            {
              index,
              instructions: called.map((inner) => {
                const instruction = inner.instruction();
                return {
                  programIndex: instruction.programIdIndex(),
                  accountIndexes: [...instruction.accounts()],
                  data: instruction.data(),
                  stackHeight: inner.stackHeight(),
                };
              }),
            },
          ],
    ),
    returnData: returnedBytes.length === 0 ? null : { programId: addressOf(returned.programId()), data: returnedBytes },
  };
}
