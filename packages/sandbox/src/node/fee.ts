import type { Address } from "@solana/kit";
import type { CheckedMessage } from "./guard.js";

const lamportsPerSignature = 5_000n;
const computeBudgetProgram = "ComputeBudget111111111111111111111111111111" as Address;
const builtinUnits = 3_000n;
const defaultUnits = 200_000n;
const maxUnits = 1_400_000n;
const microLamportsPerLamport = 1_000_000n;

/** Programs whose instructions count 3,000 units where a transaction sets no limit. */
const builtins: ReadonlySet<string> = new Set([
  "11111111111111111111111111111111",
  "Vote111111111111111111111111111111111111111",
  "BPFLoader1111111111111111111111111111111111",
  "BPFLoader2111111111111111111111111111111111",
  "BPFLoaderUpgradeab1e11111111111111111111111",
  "LoaderV411111111111111111111111111111111111",
  computeBudgetProgram,
  "KeccakSecp256k11111111111111111111111111111",
  "Ed25519SigVerify111111111111111111111111111",
]);

/** Programs whose instructions carry signatures of their own, counted in the first byte of their data. */
const signaturePrograms: ReadonlySet<string> = new Set([
  "KeccakSecp256k11111111111111111111111111111",
  "Ed25519SigVerify111111111111111111111111111",
  "Secp256r1SigVerify1111111111111111111111111",
]);

/** What a message says about compute units. */
interface Budget {
  /** Those of signature programs included. */
  readonly signatures: bigint;
  readonly units: bigint;
  /** Micro-lamports per unit. */
  readonly unitPrice: bigint;
}

/** What the chain charges for a message, in lamports: 5,000 a signature, and the priority fee (rounded up). */
export function feeOf(message: CheckedMessage): bigint {
  const { signatures, units, unitPrice } = budgetOf(message);
  const base = signatures * lamportsPerSignature;
  if (message.version === 1) return base + message.priorityFeeLamports;
  return base + (unitPrice * units + microLamportsPerLamport - 1n) / microLamportsPerLamport;
}

/** What a message bids to be first: micro-lamports per compute unit. */
export function bidOf(message: CheckedMessage): bigint {
  const { units, unitPrice } = budgetOf(message);
  if (message.version !== 1) return unitPrice;
  return (message.priorityFeeLamports * microLamportsPerLamport) / (units === 0n ? 1n : units);
}

function budgetOf(message: CheckedMessage): Budget {
  let signatures = BigInt(message.signerCount);
  let unitPrice = 0n;
  let unitLimit: bigint | undefined;
  let unitDefault = 0n;
  for (const instruction of message.instructions) {
    const program = message.staticAddresses[instruction.programIndex];
    if (program === undefined) continue;
    if (signaturePrograms.has(program)) signatures += BigInt(instruction.data[0] ?? 0);
    unitDefault += builtins.has(program) ? builtinUnits : defaultUnits;
    if (program !== computeBudgetProgram) continue;
    const view = new DataView(instruction.data.buffer, instruction.data.byteOffset, instruction.data.byteLength);
    if (instruction.data[0] === 2 && view.byteLength >= 5) unitLimit = BigInt(view.getUint32(1, true));
    if (instruction.data[0] === 3 && view.byteLength >= 9) unitPrice = view.getBigUint64(1, true);
  }
  const wanted = unitLimit ?? unitDefault;
  return { signatures, units: wanted > maxUnits ? maxUnits : wanted, unitPrice };
}
