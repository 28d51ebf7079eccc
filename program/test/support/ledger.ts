import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { base58 } from "@scure/base";
import { address, blockhash } from "@solana/kit";
import { Account, FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from "litesvm";
import { type Bytes, concat, equal, hex, u8, u64, u128 } from "./bytes.js";
import { named, PROGRAM, SIGNATURE_PROGRAM, SYSTEM } from "./keys.js";
import { pda } from "./pda.js";

/** An account of an instruction with the rights it asks for. */
export interface Meta {
  readonly key: Uint8Array;
  readonly writable: boolean;
  readonly signer: boolean;
}

/** An instruction for any program. */
export interface Instruction {
  readonly program: Uint8Array;
  readonly accounts: readonly Meta[];
  readonly data: Uint8Array;
}

/** A call that a program made while the transaction ran. */
export interface InnerCall {
  readonly program: Bytes;
  readonly accounts: readonly Bytes[];
  readonly data: Uint8Array;
}

/** The result of a transaction. `error` is undefined when it succeeded. */
export interface Outcome {
  readonly error: Failure | undefined;
  readonly logs: readonly string[];
  readonly computeUnits: number;
  readonly inner: readonly InnerCall[];
}

/** A custom error number, or the runtime's own name of the error. */
export interface Failure {
  readonly instruction: number | undefined;
  readonly custom: number | undefined;
  readonly text: string;
}

/** The content of an account. */
export interface Stored {
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly owner: Uint8Array;
}

// The wrapper around these takes a hundred times as long per account, most of it spent on base58.
interface RawVm {
  getAccount(key: Uint8Array): Account | null;
  setAccount(key: Uint8Array, account: Account): void;
  sendLegacyTransaction(bytes: Uint8Array): TransactionMetadata | FailedTransactionMetadata;
}

/** The committed builds. */
export const ARTIFACT = fileURLToPath(new URL("../../artifact/smart_account_program.so", import.meta.url));
const SIGNATURE_ARTIFACT = fileURLToPath(new URL("../../artifact/external_signature_program.so", import.meta.url));
const NEVER = 2n ** 64n - 1n;

export const TREASURY = named("treasury");
export const CONFIG_AUTHORITY = named("config authority");
export const FEE_PAYER = named("fee payer");

/** The account data of a program config. */
export function programConfigData(index: bigint, fee: bigint): Bytes {
  const discriminator = Buffer.from("c4d25ae790958c3f", "hex");
  return concat(discriminator, u128(index), CONFIG_AUTHORITY, u64(fee), TREASURY, new Uint8Array(64));
}

/** A compiled legacy message with zero signatures; the VM here does not check signatures, only who has to sign. */
export function compile(payer: Uint8Array, instructions: readonly Instruction[]): Bytes {
  const metas = new Map<string, { key: Uint8Array; writable: boolean; signer: boolean }>();
  const add = (wanted: Meta) => {
    const known = metas.get(hex(wanted.key));
    if (known === undefined) metas.set(hex(wanted.key), { ...wanted });
    else {
      known.writable ||= wanted.writable;
      known.signer ||= wanted.signer;
    }
  };
  add({ key: payer, writable: true, signer: true });
  for (const instruction of instructions) for (const meta of instruction.accounts) add(meta);
  for (const instruction of instructions) add({ key: instruction.program, writable: false, signer: false });
  const rank = (meta: Meta): number => (meta.signer ? 0 : 2) + (meta.writable ? 0 : 1);
  const all = [...metas.values()];
  const sorted = [0, 1, 2, 3].flatMap((wanted) => all.filter((meta) => rank(meta) === wanted));
  const position = new Map(sorted.map((meta, i) => [hex(meta.key), i]));
  const indexOf = (wanted: Uint8Array): number => {
    const found = position.get(hex(wanted));
    if (found === undefined) throw new Error("key missing from the message");
    return found;
  };
  const count = (test: (meta: Meta) => boolean): number => sorted.filter(test).length;
  const signers = count((meta) => meta.signer);
  return concat(
    shortLength(signers),
    new Uint8Array(64 * signers),
    u8(signers),
    u8(count((meta) => meta.signer && !meta.writable)),
    u8(count((meta) => !meta.signer && !meta.writable)),
    shortLength(sorted.length),
    ...sorted.map((meta) => meta.key),
    new Uint8Array(32).fill(9),
    shortLength(instructions.length),
    ...instructions.map((instruction) =>
      concat(
        u8(indexOf(instruction.program)),
        shortLength(instruction.accounts.length),
        Uint8Array.from(instruction.accounts, (meta) => indexOf(meta.key)),
        shortLength(instruction.data.length),
        instruction.data,
      ),
    ),
  );
}

/** Solana's 7-bit length prefix. */
function shortLength(value: number): Bytes {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>= 7;
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/** The account keys of a message made by `compile`. */
function messageKeys(bytes: Uint8Array): Bytes[] {
  const view = new Uint8Array(bytes);
  const readLength = (at: number): [number, number] => {
    const first = view[at] ?? 0;
    return first < 0x80 ? [first, at + 1] : [(first & 0x7f) | ((view[at + 1] ?? 0) << 7), at + 2];
  };
  const [signatures, afterCount] = readLength(0);
  const [keys, start] = readLength(afterCount + signatures * 64 + 3);
  return Array.from({ length: keys }, (_, i) => view.slice(start + 32 * i, start + 32 * (i + 1)));
}

function describeFailure(outcome: FailedTransactionMetadata): Failure {
  const error: unknown = outcome.err();
  const text = outcome.toString();
  if (typeof error === "object" && error !== null && "index" in error && typeof error.index === "number") {
    const inner: unknown = "err" in error && typeof error.err === "function" ? error.err() : undefined;
    const code =
      typeof inner === "object" && inner !== null && "code" in inner && typeof inner.code === "number"
        ? inner.code
        : undefined;
    return { instruction: error.index, custom: code, text };
  }
  return { instruction: undefined, custom: undefined, text };
}

/** A fresh VM with the programs under test and a program config; the clock stands at 1,700,000,000. */
export async function createLedger(options: { readonly creationFee?: bigint } = {}) {
  const svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n);
  const vm = (svm as unknown as { inner: RawVm }).inner;
  const file = process.env.TRELLIS_SANDBOX_PROGRAM ?? ARTIFACT;
  svm.addProgram(address(base58.encode(PROGRAM)), readFileSync(file));
  const signatureFile = process.env.TRELLIS_SANDBOX_SIGNATURE_PROGRAM ?? SIGNATURE_ARTIFACT;
  svm.addProgram(address(base58.encode(SIGNATURE_PROGRAM)), readFileSync(signatureFile));

  const ledger = {
    svm,
    /** The account, or undefined when nothing is there. */
    account(key: Uint8Array): Stored | undefined {
      const found = vm.getAccount(key);
      if (found === null || found.lamports() === 0n) return undefined;
      return { lamports: found.lamports(), data: found.data(), owner: found.owner() };
    },
    /** Lamports at the address, 0 when nothing is there. */
    balance(key: Uint8Array): bigint {
      return vm.getAccount(key)?.lamports() ?? 0n;
    },
    /** Puts an account in place, past every rule. */
    set(key: Uint8Array, account: { lamports: bigint; data?: Uint8Array; owner?: Uint8Array }): void {
      const { lamports, data = new Uint8Array(), owner = SYSTEM } = account;
      vm.setAccount(key, new Account(lamports, data, owner, false, NEVER));
    },
    /** Gives the address 100 SOL. */
    fund(...keys: readonly Uint8Array[]): void {
      for (const key of keys) ledger.set(key, { lamports: 100_000_000_000n });
    },
    /** Lamports an account of this many bytes needs. */
    rent(space: number): bigint {
      return svm.minimumBalanceForRentExemption(BigInt(space));
    },
    now(): bigint {
      return svm.getClock().unixTimestamp;
    },
    /** Sets the clock. */
    setTime(unixTimestamp: bigint): void {
      const clock = svm.getClock();
      clock.unixTimestamp = unixTimestamp;
      svm.setClock(clock);
    },
    /** Moves to a slot, with the slots before it as the cluster remembers them, the newest first. */
    setSlot(slot: bigint, before: readonly { readonly slot: bigint; readonly hash: Uint8Array }[]): void {
      const clock = svm.getClock();
      clock.slot = slot;
      svm.setClock(clock);
      svm.setSlotHashes(before.map((one) => ({ slot: one.slot, hash: blockhash(base58.encode(one.hash)) })));
    },
    /** Runs one transaction paid by `FEE_PAYER`; every key that an instruction wants as signer counts as signed. */
    send(...instructions: readonly Instruction[]): Outcome {
      const bytes = compile(FEE_PAYER, instructions);
      const result = vm.sendLegacyTransaction(bytes);
      const failed = result instanceof FailedTransactionMetadata;
      const meta = failed ? result.meta() : result;
      const keys = messageKeys(bytes);
      const keyAt = (index: number): Bytes => keys[index] ?? new Uint8Array();
      return {
        error: failed ? describeFailure(result) : undefined,
        logs: meta.logs(),
        computeUnits: Number(meta.computeUnitsConsumed()),
        inner: meta
          .innerInstructions()
          .flat()
          .map((call) => call.instruction())
          .map((call) => ({
            program: keyAt(call.programIdIndex()),
            accounts: [...call.accounts()].map(keyAt),
            data: call.data(),
          })),
      };
    },
  };
  ledger.setTime(1_700_000_000n);
  const config = await pda.programConfig();
  ledger.set(config.key, {
    lamports: ledger.rent(160),
    data: programConfigData(0n, options.creationFee ?? 0n),
    owner: PROGRAM,
  });
  ledger.fund(FEE_PAYER);
  ledger.set(TREASURY, { lamports: ledger.rent(0) });
  return ledger;
}

export type Ledger = Awaited<ReturnType<typeof createLedger>>;

/** The event bytes among the calls of a transaction, in order. */
export function eventBytes(outcome: Outcome): Uint8Array[] {
  return outcome.inner
    .filter((call) => equal(call.program, PROGRAM) && hex(call.data.subarray(0, 8)) === "05095a8ddf8639d9")
    .map((call) => call.data.subarray(12));
}
