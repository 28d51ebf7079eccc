// Replays recorded transactions (program/test/vectors) on a build of the program and reports other results.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { base58 } from "@scure/base";
import { Account, FailedTransactionMetadata, LiteSVM, Rent, type TransactionMetadata } from "litesvm";
import { PROGRAM, SYSTEM } from "./keys.js";

interface StoredAccount {
  readonly lamports: string;
  readonly owner: string;
  /** base64 */
  readonly data: string;
  readonly executable?: boolean;
}

interface Call {
  readonly program: string;
  readonly accounts: readonly string[];
  /** base64 */
  readonly data: string;
}

/** One recorded transaction and what the public program made of it; the fields are explained in vectors/README.md. */
export interface Vector {
  readonly name: string;
  readonly instruction: string;
  readonly features: readonly string[];
  readonly slot: number;
  readonly unixTimestamp: string;
  readonly rent?: {
    readonly lamportsPerByte: string;
    readonly exemptionThreshold: number;
    readonly burnPercent: number;
  };
  readonly accounts: Readonly<Record<string, StoredAccount>>;
  readonly transaction: string;
  readonly expect: {
    readonly ok: boolean;
    readonly error: {
      readonly kind: string;
      readonly instructionIndex: number | null;
      readonly custom?: number;
    } | null;
    readonly post: Readonly<Record<string, StoredAccount | null>>;
    readonly inner: readonly Call[];
  };
  readonly officialComputeUnits: number;
}

/** What became of a vector here. */
export interface Replayed {
  /** The difference in one line, as the file of differences has it, or undefined when everything is the same. */
  readonly difference: string | undefined;
  readonly computeUnits: number;
}

const VECTORS = fileURLToPath(new URL("../vectors/official-vectors.jsonl.gz", import.meta.url));
const DIFFERENCES = fileURLToPath(new URL("../vectors/differences.txt", import.meta.url));
const NEVER = 2n ** 64n - 1n;
const NoCaller: StoredAccount = { lamports: "0", owner: base58.encode(SYSTEM), data: "" };
/** A machine does not give memory back in time, and one for each vector would be slow to make. */
const VECTORS_PER_MACHINE = 500;

/** All recorded transactions. */
export function readVectors(): Vector[] {
  const lines = gunzipSync(readFileSync(VECTORS)).toString().trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Vector);
}

/** The differences that are known: vector name to its line. Every one stands under a reason. */
export function readDifferences(): { name: string; difference: string; reason: string }[] {
  const found: { name: string; difference: string; reason: string }[] = [];
  let reason = "";
  for (const line of readFileSync(DIFFERENCES, "utf8").split("\n")) {
    if (line.startsWith("## ")) reason = line.slice(3);
    if (line === "" || line.startsWith("#")) continue;
    const [name = "", difference = ""] = line.split("\t");
    found.push({ name, difference, reason });
  }
  return found;
}

// The wrapper around these converts every address; vectors hold thousands.
interface RawVm {
  addProgram(address: Uint8Array, program: Uint8Array): void;
  getAccount(key: Uint8Array): Account | null;
  setAccount(key: Uint8Array, account: Account): void;
  sendLegacyTransaction(bytes: Uint8Array): TransactionMetadata | FailedTransactionMetadata;
}

const addressBytes = new Map<string, Uint8Array>();
function bytesOf(address: string): Uint8Array {
  let bytes = addressBytes.get(address);
  if (bytes === undefined) {
    bytes = base58.decode(address);
    addressBytes.set(address, bytes);
  }
  return bytes;
}

/** The addresses that a legacy transaction names, in its order. */
function addressesIn(wire: Uint8Array): string[] {
  let at = 0;
  const compact = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wire[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const signatures = compact();
  at += signatures * 64 + 3;
  const count = compact();
  return Array.from({ length: count }, (_, i) => base58.encode(wire.subarray(at + 32 * i, at + 32 * (i + 1))));
}

/** "ok", the number of a custom error, or the runtime's name; with the instruction it happened in. */
function describeResult(result: TransactionMetadata | FailedTransactionMetadata): string {
  if (!(result instanceof FailedTransactionMetadata)) return "ok";
  const text = result.toString();
  const inner = /err: InstructionError\((\d+), (?:Custom\((\d+)\)|(\w+))/.exec(text);
  if (inner !== null) return `${inner[2] ?? inner[3]} in instruction ${inner[1]}`;
  return /err: (\w+)/.exec(text)?.[1] ?? text;
}

function describeExpected({ error }: Vector["expect"]): string {
  if (error === null) return "ok";
  const what = error.custom === undefined ? error.kind : String(error.custom);
  return error.instructionIndex === null ? what : `${what} in instruction ${error.instructionIndex}`;
}

/** Runs vectors one after the other, each from the state it describes. */
export function createReplay(program: Uint8Array) {
  let machine = createMachine();
  let used = 0;

  function createMachine() {
    const svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n);
    const vm = (svm as unknown as { inner: RawVm }).inner;
    vm.addProgram(PROGRAM, program);
    return { svm, vm, rent: svm.getRent() };
  }

  const read = (address: string): StoredAccount | null => {
    const found = machine.vm.getAccount(bytesOf(address));
    if (found === null || found.lamports() === 0n) return null;
    const data = Buffer.from(found.data()).toString("base64");
    return { lamports: String(found.lamports()), owner: base58.encode(found.owner()), data };
  };
  const put = (address: string, { lamports, data, owner, executable = false }: StoredAccount): void => {
    const bytes = new Uint8Array(Buffer.from(data, "base64"));
    machine.vm.setAccount(bytesOf(address), new Account(BigInt(lamports), bytes, bytesOf(owner), executable, NEVER));
  };
  const same = (a: StoredAccount | null, b: StoredAccount | null): boolean =>
    a === null || b === null ? a === b : a.lamports === b.lamports && a.owner === b.owner && a.data === b.data;

  return function replay(vector: Vector): Replayed {
    if (used++ === VECTORS_PER_MACHINE) {
      machine = createMachine();
      used = 1;
    }
    const { svm, vm } = machine;
    const clock = svm.getClock();
    clock.slot = BigInt(vector.slot);
    clock.unixTimestamp = BigInt(vector.unixTimestamp);
    svm.setClock(clock);
    const { rent, expect } = vector;
    svm.setRent(
      rent === undefined
        ? machine.rent
        : new Rent(BigInt(rent.lamportsPerByte), rent.exemptionThreshold, rent.burnPercent),
    );
    const wire = new Uint8Array(Buffer.from(vector.transaction, "base64"));
    const addresses = addressesIn(wire);
    for (const [address, account] of Object.entries(vector.accounts)) put(address, account);
    const before = new Map(addresses.map((address) => [address, read(address)]));

    const result = vm.sendLegacyTransaction(wire);
    const failed = result instanceof FailedTransactionMetadata;
    const meta = failed ? result.meta() : result;
    const after = new Map(addresses.map((address) => [address, read(address)]));

    const parts: string[] = [];
    const [found, wanted] = [describeResult(result), describeExpected(expect)];
    if (found !== wanted) parts.push(`${found} instead of ${wanted}`);
    else {
      const differing = addresses.filter((address) => {
        const recorded = Object.hasOwn(expect.post, address) ? expect.post[address] : before.get(address);
        return !same(recorded ?? null, after.get(address) ?? null);
      });
      if (differing.length > 0) parts.push("other accounts");
      // Inner instructions of a failed transaction were not recorded.
      if (!failed && !sameCalls(innerCalls(meta, addresses), expect.inner)) parts.push("other inner instructions");
    }

    for (const address of addresses) {
      if (Object.hasOwn(vector.accounts, address) || !same(before.get(address) ?? null, after.get(address) ?? null)) {
        put(address, NoCaller);
      }
    }
    return {
      difference: parts.length === 0 ? undefined : parts.join(", "),
      computeUnits: Number(meta.computeUnitsConsumed()),
    };
  };
}

function innerCalls(meta: TransactionMetadata, addresses: readonly string[]): Call[] {
  const at = (index: number): string => addresses[index] ?? "";
  return meta
    .innerInstructions()
    .flat()
    .map((call) => call.instruction())
    .map((call) => ({
      program: at(call.programIdIndex()),
      accounts: [...call.accounts()].map(at),
      data: Buffer.from(call.data()).toString("base64"),
    }));
}

function sameCalls(a: readonly Call[], b: readonly Call[]): boolean {
  const flat = (calls: readonly Call[]) =>
    calls.map(({ program, accounts, data }) => [program, ...accounts, data].join());
  return flat(a).join("\n") === flat(b).join("\n");
}
