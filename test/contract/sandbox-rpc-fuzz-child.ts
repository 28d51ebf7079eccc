/**
 * Shows the sandbox's VM mutated transactions, as many as the first argument says, from the seed in the second. A native
 * abort ends this process: its parent sees that. Prints the outcome of the transactions as JSON.
 */
import { readFileSync } from "node:fs";
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  type SignatureBytes,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { ed25519PublicKeyOf, importEd25519Seed, signEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { addressBytes, addressOf, blockhashOf } from "@trellis/sandbox/node/address-bytes.js";
import { execute } from "@trellis/sandbox/node/execution.js";
import { checkTransaction } from "@trellis/sandbox/node/guard.js";
import { RpcError } from "@trellis/sandbox/node/rpc-error.js";
import { encodeEmptyMint, tokenProgram } from "@trellis/sandbox/node/token-layout.js";
import { createVm, type Vm } from "@trellis/sandbox/node/vm.js";
import { programAddress, systemProgram } from "./sandbox-rpc-fixture.js";

const [count, seed] = [Number(process.argv[2]), Number(process.argv[3])];
const memo = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
const computeBudget = address("ComputeBudget111111111111111111111111111111");
const tableProgram = address("AddressLookupTab1e1111111111111111111111111");
const upgradeableLoader = address("BPFLoaderUpgradeab1e11111111111111111111111");
const ed25519Program = address("Ed25519SigVerify111111111111111111111111111");
const associatedTokenProgram = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");

const random = mulberry32(seed);
const below = (limit: number): number => Math.floor(random() * limit);
const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[below(items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
};
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => below(256));

const keyOf = (fill: number) => {
  const privateKey = importEd25519Seed(new Uint8Array(32).fill(fill));
  return { privateKey, address: addressOf(ed25519PublicKeyOf(privateKey)) };
};
const payer = keyOf(1);
const second = keyOf(2);
const keys = [payer, second, keyOf(3)];
const targets = Array.from({ length: 12 }, () => addressOf(bytes(32)));
const table = addressOf(new Uint8Array(32).fill(200));
const mint = addressOf(new Uint8Array(32).fill(201));
const blockhash = blockhashOf(new Uint8Array(32).fill(9)) as Blockhash;

/** The corpus: legacy, v0, v0 with a lookup table, v1; one and two signers; one to several instructions. */
function corpus(): Uint8Array[] {
  const transfer = (lamports: number): Instruction => ({
    programAddress: systemProgram,
    accounts: [
      { address: payer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: pick(targets), role: AccountRole.WRITABLE },
    ],
    data: Uint8Array.of(2, 0, 0, 0, lamports & 255, (lamports >> 8) & 255, (lamports >> 16) & 255, 0, 0, 0, 0, 0),
  });
  const many: Instruction[] = [
    { programAddress: computeBudget, data: Uint8Array.of(2, 64, 66, 15, 0) },
    transfer(1_000_000),
    {
      programAddress: memo,
      accounts: [{ address: second.address, role: AccountRole.READONLY_SIGNER }],
      data: Buffer.from("hello"),
    },
    {
      programAddress: programAddress,
      accounts: targets.map((target) => ({ address: target, role: AccountRole.WRITABLE })),
      data: bytes(24),
    },
    {
      programAddress: tokenProgram,
      accounts: [{ address: mint, role: AccountRole.WRITABLE }],
      data: Uint8Array.of(20, 6, ...bytes(33)),
    },
    {
      programAddress: associatedTokenProgram,
      accounts: targets.slice(0, 6).map((target) => ({ address: target, role: AccountRole.WRITABLE })),
      data: Uint8Array.of(1),
    },
    {
      programAddress: tableProgram,
      accounts: [
        { address: table, role: AccountRole.WRITABLE },
        { address: payer.address, role: AccountRole.READONLY_SIGNER },
      ],
      data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, ...bytes(32)),
    },
    {
      programAddress: upgradeableLoader,
      accounts: targets.slice(0, 4).map((target) => ({ address: target, role: AccountRole.WRITABLE })),
      data: Uint8Array.of(0, 0, 0, 0),
    },
    { programAddress: ed25519Program, data: Uint8Array.of(1, 0, ...bytes(14)) },
  ];
  const build = (version: "legacy" | 0 | 1, instructions: readonly Instruction[], withTable: boolean): Uint8Array => {
    const empty = createTransactionMessage({ version: version as 0 });
    const timed = setTransactionMessageLifetimeUsingBlockhash(
      { blockhash, lastValidBlockHeight: 0n },
      setTransactionMessageFeePayer(payer.address, empty),
    );
    const full = appendTransactionMessageInstructions(instructions, timed);
    const configured =
      version === 1
        ? setTransactionMessageConfig(
            { computeUnitLimit: 200_000, loadedAccountsDataSizeLimit: 1_000_000, priorityFeeLamports: 3n },
            full as never,
          )
        : full;
    const ready = withTable
      ? compressTransactionMessageUsingAddressLookupTables(configured as typeof full, { [table]: targets })
      : (configured as typeof full);
    return sign(new Uint8Array(getTransactionEncoder().encode(compileTransaction(ready))));
  };
  const found: Uint8Array[] = [];
  for (const version of ["legacy", 0, 1] as const) {
    found.push(build(version, [transfer(5)], false), build(version, [transfer(5), transfer(9)], false));
    for (const instruction of many) found.push(build(version, [instruction], false));
    found.push(build(version, many.slice(0, 4), false), build(version, [], false));
  }
  for (let index = 0; index < 12; index += 1) {
    found.push(build(0, [transfer(5), pick(many), pick(many)], true), build(0, [pick(many), transfer(7)], true));
  }
  return found;
}

/** Signs whatever message the bytes hold with the keys we have, where the form still lets us find it. */
function sign(wire: Uint8Array): Uint8Array {
  const signed = Uint8Array.from(wire);
  const versionOne = (wire[0] ?? 0) >= 128;
  const signatureCount = versionOne ? (wire[1] ?? 0) : (wire[0] ?? 0);
  const start = versionOne ? 0 : 1 + signatureCount * 64;
  const end = versionOne ? wire.length - signatureCount * 64 : wire.length;
  if (end <= start) return signed;
  const message = wire.subarray(start, end);
  const signaturesAt = versionOne ? end : 1;
  for (let slot = 0; slot < Math.min(signatureCount, 3); slot += 1) {
    // Which signer stands in which slot is not tracked: the first is always the payer, the others rotate.
    const key = keys[slot];
    if (key && signaturesAt + slot * 64 + 64 <= signed.length) {
      signed.set(signEd25519(key.privateKey, message) as SignatureBytes, signaturesAt + slot * 64);
    }
  }
  return signed;
}

const interesting = [0, 1, 2, 3, 63, 64, 127, 128, 129, 130, 254, 255];

function mutate(original: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
  let wire = Uint8Array.from(original);
  const versionOne = (original[0] ?? 0) >= 128;
  // Half of the mutations hit the message's own structure rather than signatures.
  const from = versionOne ? 0 : 1 + (original[0] ?? 0) * 64;
  for (let times = 1 + below(2); times > 0; times -= 1) {
    const at = random() < 0.7 ? from + below(Math.max(1, wire.length - from)) : below(wire.length);
    const near = from + below(6);
    switch (random() < 0.7 ? below(4) : below(9)) {
      case 0:
        wire[at] = (wire[at] ?? 0) ^ (1 << below(8));
        break;
      case 1:
        wire[at] = pick(interesting);
        break;
      case 2:
        wire[near] = pick(interesting);
        break;
      case 3:
        wire[at] = below(256);
        break;
      case 4:
        wire = wire.slice(0, at);
        break;
      case 5:
        wire = Uint8Array.from([...wire, ...bytes(1 + below(70))]);
        break;
      case 6:
        wire = Uint8Array.from([...wire.subarray(0, at), ...wire.subarray(at + 1 + below(3))]);
        break;
      case 7:
        wire = Uint8Array.from([...wire.subarray(0, at), ...bytes(1 + below(3)), ...wire.subarray(at)]);
        break;
      default: {
        const other = pick(others);
        wire = Uint8Array.from([...wire.subarray(0, at), ...other.subarray(below(other.length))]);
      }
    }
  }
  return wire;
}

function prepare(vm: Vm): void {
  const plain = { owner: systemProgram, data: new Uint8Array(), executable: false };
  for (const key of keys) vm.set(key.address, { ...plain, lamports: 10n ** 15n });
  const tableData = new Uint8Array(56 + 32 * targets.length);
  tableData.set([1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]);
  for (const [index, target] of targets.entries()) tableData.set(addressBytes(target), 56 + 32 * index);
  vm.set(table, { lamports: 10n ** 9n, owner: tableProgram as Address, data: tableData, executable: false });
  vm.set(mint, {
    lamports: 10n ** 9n,
    owner: tokenProgram,
    data: encodeEmptyMint(addressBytes(payer.address), 6),
    executable: false,
  });
  vm.moveTo({
    slot: 2_000n,
    unixTimestamp: 1_700_000_000n,
    epoch: 0n,
    epochStartTimestamp: 1_699_999_200n,
    slotHashes: Array.from({ length: 512 }, (_, index) => ({ slot: 1_999n - BigInt(index), hash: blockhash })),
  });
}

const vm = createVm([
  {
    address: programAddress,
    elf: readFileSync(new URL("../../program/artifact/smart_account_program.so", import.meta.url)),
  },
]);
prepare(vm);
const originals = corpus();
const tally = { refused: 0, simulated: 0, sent: 0, landed: 0, succeeded: 0, legacy: 0, v0: 0, v1: 0, lookups: 0 };
for (const original of originals) {
  if (execute(vm, checkTransaction(original)).landed) tally.landed += 1;
}
if (tally.landed < originals.length / 2) throw new Error(`the corpus does not run: ${JSON.stringify(tally)}`);
tally.landed = 0;
for (let index = 0; index < count; index += 1) {
  // Simulations run unsigned ones; what is sent needs the signatures of whatever the message has become.
  const sends = random() < 0.5;
  const mutated = mutate(pick(originals), originals);
  let checked: ReturnType<typeof checkTransaction>;
  try {
    checked = checkTransaction(sends && random() < 0.9 ? sign(mutated) : mutated);
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== -32602) throw error;
    tally.refused += 1;
    continue;
  }
  tally[checked.message.version === "legacy" ? "legacy" : checked.message.version === 0 ? "v0" : "v1"] += 1;
  if (checked.message.lookups.length > 0) tally.lookups += 1;
  if (!sends) {
    vm.simulate(checked, {
      verifySignatures: random() < 0.1,
      withInner: true,
      of: new Set(checked.message.staticAddresses),
    });
    tally.simulated += 1;
    continue;
  }
  const { landed, outcome } = execute(vm, checked);
  tally.sent += 1;
  if (landed) tally.landed += 1;
  if (outcome.fault === null) tally.succeeded += 1;
}
console.log(JSON.stringify(tally));

function mulberry32(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
