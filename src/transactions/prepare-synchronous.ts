import { AccountRole, type Address, type Instruction, isWritableRole } from "@solana/kit";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { AccountSignerTable, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { executeTransactionSyncInstruction, SyncPayloadError } from "@trellis/program-client";
import {
  type ComputeBudget,
  composeTransaction,
  computeUnitsMax,
  feeOf,
  type Lifetime,
  noBlockhash,
  type UnsignedTransaction,
} from "@trellis/solana/compose.js";
import { heapFrameFor } from "@trellis/solana/compute-needs.js";
import { estimateComputePrice } from "@trellis/solana/compute-price.js";
import type { LookupTables } from "@trellis/solana/read-message.js";
import { type Simulation, simulateAfresh } from "@trellis/solana/simulate.js";
import { toBase64 } from "@trellis/solana/wire-transaction.js";
import { isCustodianName } from "../custody/custodians.js";
import { encodePayload } from "../custody/payload.js";
import type { ActingAccount } from "./acting-account.js";
import type { BufferStep } from "./buffer-call.js";
import { simulationRefused } from "./chain-failure.js";
import { type Alongside, insertPrepared } from "./prepared-store.js";
import type { PreparedPayload, PreparedTransaction } from "./prepared-transaction.js";
import { countCalls, requireApproved, signByPasskeys } from "./sign-by-passkeys.js";
import { type SummaryFacts, summarise } from "./summary.js";

interface Needs {
  readonly db: Db;
  readonly random: Random;
}

/** What a smart account is to do at once. */
export interface SynchronousRequest {
  readonly kind: string;
  readonly account: ActingAccount;
  /** Members who sign; they satisfy the program's rule for acting at once. */
  readonly members: readonly Address[];
  /** Executed as the smart account. */
  readonly inside: readonly Instruction[];
  /** Executed before, on the fee payer's account: the service's own, never a caller's. */
  readonly before?: readonly Instruction[];
  /** What `before` can cost the fee payer in rent, by the rules: lamports that lie about now may be spent by then. */
  readonly rentLamports?: bigint;
  /** Whose key pays instead of the service's, and signs. */
  readonly feePayer?: Address | undefined;
  /** What was already read from the chain, for the summary. */
  readonly facts?: SummaryFacts;
  /** What others write to as well, so that their bids are to be met; all that is written to unless given. */
  readonly contended?: readonly Address[];
  /** Where accounts may be looked up if not all of them fit. */
  readonly lookupTables?: LookupTables;
  /** Memory that what is executed inside needs, in bytes; undefined: what the program's own call needs is enough. */
  readonly heapFrameBytes?: number | undefined;
}

/** Who holds a signer's key. */
export type Holder = Pick<AccountSignerTable, "signer_address" | "provider" | "wallet_id">;

/** Instructions to be prepared as they are, the service's own making. */
export interface InstructionsRequest
  extends Pick<
    SynchronousRequest,
    "kind" | "account" | "rentLamports" | "feePayer" | "facts" | "contended" | "lookupTables" | "heapFrameBytes"
  > {
  /** Who signs for the account: its members, or its admin. Those whose keys a custodian holds get a payload. */
  readonly signers: readonly Address[];
  /** What is known of signers who are no members: a custodian may hold the key of a limit's signer. */
  readonly holders?: readonly Holder[];
  readonly instructions: readonly Instruction[];
  /** What has to land before: this one cannot be simulated then, and `rentLamports` says all that it can cost. */
  readonly follows?: PreparedTransaction;
  /** What it leaves of a message in a buffer. */
  readonly bufferStep?: BufferStep;
}

/** Attempts to find bytes that were not prepared before; each has a random surplus of its own. */
const identityAttempts = 4;

/** Prepares a transaction in which a smart account acts at once. Same promise as prepareInstructions. */
export async function prepareSynchronous(
  needs: Needs,
  network: Network,
  request: SynchronousRequest,
  alongside?: (prepared: PreparedTransaction) => Alongside,
): Promise<PreparedTransaction> {
  const instructions = [...(request.before ?? []), callOf(request)];
  return prepareInstructions(needs, network, { ...request, signers: request.members, instructions }, alongside);
}

/**
 * Prepares a transaction of these instructions: has passkeys sign by their session keys, composes it, simulates it, sets the compute limit to what it used plus a
 * margin, and remembers it with a payload for every signer whose key a custodian holds.
 *
 * One that follows another is not simulated (gap 109).
 *
 * `alongside` is SQL that writes for every row of the query `remembered`, in the same statement. Nothing is remembered when it throws: `transaction_failed` when it
 * would fail on chain, `transaction_too_large`, `invalid_transaction`, `passkey_session_required`, `proposal_required`,
 * `chain_unavailable`.
 */
export async function prepareInstructions(
  needs: Needs,
  network: Network,
  request: InstructionsRequest,
  alongside?: (prepared: PreparedTransaction) => Alongside,
): Promise<PreparedTransaction> {
  const { account } = request;
  requireApproved(account, request.instructions);
  const instructions = signByPasskeys(account, request.instructions);
  const feePayer = request.feePayer ?? network.feePayer.address;
  const price = await estimateComputePrice(network, request.contended ?? writableOf(instructions));
  const ownHeapBytes = heapFrameFor(request.instructions, account.settings.signers.length);
  const askedHeapBytes = request.heapFrameBytes;
  const most: ComputeBudget = {
    units: computeUnitsMax,
    microLamportsPerUnit: price,
    heapFrameBytes:
      askedHeapBytes === undefined ? ownHeapBytes : Math.max(ownHeapBytes ?? askedHeapBytes, askedHeapBytes),
    needsHeapFrame: askedHeapBytes !== undefined,
  };
  const rulesRent = request.rentLamports ?? 0n;
  const outlook = request.follows
    ? unsimulated(request.follows, instructions)
    : await simulated(network, account, feePayer, most, { ...request, instructions });
  const rentLamports = outlook.rentLamports > rulesRent ? outlook.rentLamports : rulesRent;

  const owner = { tenantId: account.row.tenant_id, environment: network.name, accountAddress: account.row.address };
  for (let attempt = 0; attempt < identityAttempts; attempt += 1) {
    const budget: ComputeBudget = { ...most, units: unitsFor(outlook, needs.random) };
    const unsigned = composeTransaction(feePayer, outlook.lifetime, budget, instructions, request.lookupTables);
    const prepared = toPrepared(needs, network, request, {
      unsigned,
      budget,
      feePayer,
      rentLamports,
      outlook,
    });
    if (await insertPrepared(needs.db, owner, prepared, alongside?.(prepared))) return prepared;
  }
  throw new Error("no fresh identity was found for a prepared transaction");
}

/** What is known of an execution to come. */
interface Outlook {
  readonly lifetime: Lifetime;
  readonly slot: bigint | null;
  readonly unitsConsumed: number;
  readonly rentLamports: bigint;
  readonly logs: readonly string[];
}

async function simulated(
  network: Network,
  account: ActingAccount,
  feePayer: Address,
  most: ComputeBudget,
  { instructions, lookupTables }: InstructionsRequest,
): Promise<Outlook> {
  const draft = composeTransaction(feePayer, noBlockhash, most, instructions, lookupTables);
  const simulation = await simulateAfresh(network, draft.bytes, { leastSlot: account.slot });
  if (simulation.error !== null) {
    throw simulationRefused(simulation, feePayer === network.feePayer.address, draft.transaction.messageBytes);
  }
  const { lifetime, slot, unitsConsumed, logs } = simulation;
  return { lifetime, slot, unitsConsumed, logs, rentLamports: rentOf(simulation, feeOf(draft.transaction, most)) };
}

/** Far above what storing, opening or voting takes, by half a dozen searches for an address each. */
const unitsPerCall = 100_000;

function unsimulated({ lifetime }: PreparedTransaction, instructions: readonly Instruction[]): Outlook {
  return { lifetime, slot: null, unitsConsumed: unitsPerCall * countCalls(instructions), rentLamports: 0n, logs: [] };
}

function callOf(request: SynchronousRequest): Instruction {
  const { account, members, inside } = request;
  try {
    return executeTransactionSyncInstruction({ settings: account.settingsAddress, members, instructions: inside });
  } catch (error) {
    if (!(error instanceof SyncPayloadError)) throw error;
    throw new TrellisError("invalid_transaction", {
      field: "transaction",
      message: `The account cannot execute this: ${error.message}.`,
      cause: error,
    });
  }
}

/**
 * A fifth more than the simulation used, plus a random surplus: two equal requests within one block would otherwise get
 * the same bytes, the same signature, and one payment instead of two.
 */
function unitsFor({ unitsConsumed }: Pick<Outlook, "unitsConsumed">, random: Random): number {
  const [low = 0, high = 0] = random.bytes(2);
  const surplus = ((high << 8) | low) & 0x3fff;
  return Math.min(computeUnitsMax, Math.ceil(unitsConsumed * 1.2) + 1_000 + surplus);
}

/** What the fee payer loses beyond the fee: rent of accounts created at its expense. */
function rentOf({ payerLossLamports }: Simulation, fee: bigint): bigint {
  return payerLossLamports > fee ? payerLossLamports - fee : 0n;
}

function writableOf(instructions: readonly Instruction[]): Address[] {
  const writable = new Set<Address>();
  for (const { accounts = [] } of instructions) {
    for (const { address, role } of accounts) if (isWritableRole(role ?? AccountRole.READONLY)) writable.add(address);
  }
  return [...writable];
}

function toPrepared(
  needs: Needs,
  network: Network,
  request: InstructionsRequest,
  made: {
    readonly unsigned: UnsignedTransaction;
    readonly budget: ComputeBudget;
    readonly feePayer: Address;
    readonly rentLamports: bigint;
    readonly outlook: Outlook;
  },
): PreparedTransaction {
  const { unsigned, feePayer } = made;
  const createdAt = network.clock.now();
  const transaction = toBase64(unsigned.bytes);
  const signers = Object.keys(unsigned.transaction.signatures) as Address[];
  const expiresAt = createdAt + limits.preparedLifetimeMs;
  return {
    id: unsigned.id,
    kind: request.kind,
    transaction,
    signers: signers.filter((address) => address !== network.feePayer.address),
    payloads: payloadsFor(needs, network, request, transaction, expiresAt),
    feePayer,
    feeLamports: feeOf(unsigned.transaction, made.budget),
    rentLamports: made.rentLamports,
    lifetime: made.outlook.lifetime,
    simulatedSlot: made.outlook.slot,
    follows: request.follows?.id ?? null,
    bufferStep: request.bufferStep ?? null,
    createdAt,
    expiresAt,
    summary: summarise(request.instructions, request.facts),
    simulationLogs: made.outlook.logs,
  };
}

/** One payload for every signer whose key a custodian holds. */
function payloadsFor(
  { random }: Needs,
  network: Network,
  { account, signers, holders = [] }: InstructionsRequest,
  transaction: string,
  expiresAt: number,
): PreparedPayload[] {
  return signers.flatMap((member) => {
    const signer = [...account.signers, ...holders].find(({ signer_address }) => signer_address === member);
    if (!signer || signer.wallet_id === null) return [];
    const { provider } = signer;
    assertOurs(isCustodianName(provider), "only custodians have wallets");
    const id = random.uuid();
    const payload = encodePayload({
      version: 1,
      method: "signTransaction",
      environment: network.name,
      account: account.address,
      wallet: member,
      params: { transaction, encoding: "base64" },
      nonce: id,
      expires_at: new Date(expiresAt).toISOString(),
    });
    return [{ id, provider, walletId: signer.wallet_id, address: member, payload }];
  });
}
