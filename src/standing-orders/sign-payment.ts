import { type Address, createNoopSigner, getBase58Decoder, type Instruction, type SignatureBytes } from "@solana/kit";
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  customErrorOf,
  explainProgramError,
  failingProgram,
  SYSTEM_PROGRAM_ADDRESS,
  useSpendingLimitInstruction,
} from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { composeTransaction, computeUnitsMax, feeOf, noBlockhash } from "@trellis/solana/compose.js";
import { estimateComputePrice } from "@trellis/solana/compute-price.js";
import { simulateAfresh } from "@trellis/solana/simulate.js";
import { TOKEN_2022_PROGRAM_ADDRESS, tokenPrograms } from "@trellis/solana/token-accounts.js";
import { tokenErrors } from "@trellis/solana/token-errors.js";
import { associatedAccountBytes } from "@trellis/solana/token-extensions.js";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { encodeWithSignatures } from "@trellis/solana/wire-transaction.js";
import { executorAt } from "../sponsorship/service-keys.js";
import { assertWithinTransactionLimit, budgetDay, type Cost, sumOf } from "../sponsorship/sponsorship.js";
import type { ChainFailure } from "../submissions/submission.js";
import { type Verdict, waitForReset } from "./judge-due.js";
import type { OrderAccounts } from "./read-order-accounts.js";
import type { ClaimedOrder, SignedPayment } from "./run-store.js";
import type { StandingOrder } from "./standing-order-store.js";

type Pay = Extract<Verdict, { readonly kind: "pay" }>;
/** What a trial or an execution can end in: only a reading shows that a limit is absent. */
type Failed = Exclude<Verdict, { readonly kind: "pay" | "absent" }>;

/** Of the token programs, and the system program's for too few lamports. */
const tooLittle = 1;

/** What else the token programs refuse a payment for, by their numbers. */
const refusedBy: ReadonlyMap<number, string> = new Map([
  [tokenErrors.accountFrozen, "destination_frozen"],
  [tokenErrors.noMemo, "memo_required"],
  [tokenErrors.nonTransferable, "unsupported_currency"],
  [tokenErrors.plainTransfersRefused, "destination_closed"],
  [tokenErrors.mintPaused, "mint_paused"],
]);

/** How long the service's own affairs are left to its operator before a payment is tried again, in milliseconds. */
export const worldApartMs = 600_000;

/**
 * Makes the payment of a due date: composes it, has the chain try it, and signs what was tried, by the executor first and
 * the fee payer last. Nothing is stored or sent. Gives a verdict instead where the chain would refuse it.
 *
 * Throws `chain_unavailable`; `sponsorship_limit_exceeded` for what is too much for a single transaction.
 */
export async function signPayment(
  network: Network,
  claimed: ClaimedOrder,
  dueAt: number,
  accounts: OrderAccounts,
  verdict: Pay,
  { now, realNow }: { readonly now: number; readonly realNow: number },
): Promise<SignedPayment | Failed> {
  const { order } = claimed;
  const { feePayer } = network;
  const executor = executorAt(network, order.executor_address);
  assertOurs(executor !== undefined, "an order is paid by the executor its limit names");
  const instructions = instructionsOf(network, claimed, accounts, verdict);
  const contended =
    accounts.token === undefined || accounts.token === "no mint" ? order.payee : accounts.token.destination;
  const microLamportsPerUnit = await estimateComputePrice(network, [contended as Address]);
  const most = { units: computeUnitsMax, microLamportsPerUnit };
  const draft = composeTransaction(feePayer.address, noBlockhash, most, instructions);
  const simulation = await simulateAfresh(network, draft.bytes, { leastSlot: accounts.slot });
  if (simulation.error !== null) {
    const { limit, opensTokenAccount } = verdict;
    return judgeFailure(simulation, { limit, order, now, opensTokenAccount, addressAt: accountAt(draft.bytes) });
  }

  const budget = {
    units: Math.min(computeUnitsMax, Math.ceil(simulation.unitsConsumed * 1.2) + 1_000),
    microLamportsPerUnit,
  };
  const { transaction, id } = composeTransaction(feePayer.address, simulation.lifetime, budget, instructions);
  const costs: Cost[] = [{ kind: "fee", lamports: feeOf(transaction, budget) }];
  if (verdict.opensTokenAccount) {
    // Nodes differ in whether a simulation charges the fee: without it this is too little, never too much.
    const tried = simulation.payerLossLamports - feeOf(draft.transaction, most);
    costs.push(await openingOf(network, claimed, accounts, tried));
  }
  const reservedLamports = sumOf(costs);
  assertWithinTransactionLimit(network, reservedLamports);

  const messageBytes = Uint8Array.from(transaction.messageBytes);
  const signatures = new Map<Address, SignatureBytes>([[executor.address, await executor.sign(messageBytes)]]);
  const signature = await feePayer.sign(messageBytes);
  signatures.set(feePayer.address, signature);
  const owner = { tenantId: order.tenant_id, accountAddress: order.account_address };
  return {
    claimed,
    dueAt,
    signed: {
      ...owner,
      id,
      environment: network.name,
      purpose: "standing_order",
      signature: getBase58Decoder().decode(signature),
      wireTransaction: encodeWithSignatures(transaction, signatures),
      lastValidBlockHeight: simulation.lifetime.lastValidBlockHeight,
      recordedSlot: simulation.slot,
      reservedLamports,
      reservedOn: budgetDay(realNow),
    },
    reservation: { ...owner, costs },
  };
}

function instructionsOf(
  { feePayer }: Network,
  { order }: ClaimedOrder,
  { token }: OrderAccounts,
  { decimals, opensTokenAccount }: Pay,
): readonly Instruction[] {
  assertOurs(token !== "no mint", "a due date is judged before it is paid");
  const payment = useSpendingLimitInstruction({
    settings: order.settings_address as Address,
    spendingLimit: order.spending_limit_address as Address,
    signer: order.executor_address as Address,
    destination: order.payee as Address,
    amountBaseUnits: BigInt(order.amount),
    token:
      token === undefined
        ? null
        : {
            mint: token.mint.address,
            decimals,
            tokenProgram: token.mint.owner,
            smartAccountTokenAccount: token.source,
            destinationTokenAccount: token.destination,
          },
  });
  if (!opensTokenAccount || token === undefined) return [payment];
  const opening = getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(feePayer.address),
    ata: token.destination,
    owner: order.payee as Address,
    mint: token.mint.address,
    tokenProgram: token.mint.owner,
  });
  return [opening, payment];
}

/**
 * The rent of the payee's token account, by its size, as lamports that lie there now may be spent by then; or what was paid
 * for it when it was tried, should that be more.
 */
async function openingOf(
  network: Network,
  { order }: ClaimedOrder,
  { token }: OrderAccounts,
  triedLamports: bigint,
): Promise<Cost> {
  assertOurs(token !== undefined && token !== "no mint", "only an order in tokens opens a token account");
  const { mint, destination } = token;
  const bytes = associatedAccountBytes(mint.data, mint.owner === TOKEN_2022_PROGRAM_ADDRESS);
  const byRule = await askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(bytes)));
  const lamports = byRule > triedLamports ? byRule : triedLamports;
  return { kind: "token_account_rent", lamports, heldAt: destination, beneficiary: order.payee };
}

/** What a refusal is judged with. */
export interface FailedPayment {
  readonly limit?: Pay["limit"];
  readonly order: Pick<StandingOrder, "amount" | "account_address" | "payee">;
  readonly now: number;
  /** Whether the fee payer was to open the payee's token account before it. */
  readonly opensTokenAccount: boolean;
  /** The accounts of its message, by their places. */
  readonly addressAt: AddressAt;
}

/** The account at a place of a message; undefined where that is not known any more. */
export type AddressAt = (index: number) => string | undefined;

/** Reads the places of a transaction's message; of one whose bytes are removed, none. */
export function accountAt(wire: Uint8Array | undefined): AddressAt {
  const accounts = wire && readTransaction(wire)?.message.staticAccounts;
  return (index) => accounts?.[index];
}

/** What the chain's refusal of a payment, tried or executed, says about its due date. */
export function judgeFailure(
  { error, logs }: Pick<ChainFailure, "error" | "logs">,
  { limit, order, now, opensTokenAccount, addressAt }: FailedPayment,
): Failed {
  const world = (code: string): Extract<Verdict, { readonly kind: "wait" }> => ({
    kind: "wait",
    until: now + worldApartMs,
    why: "world",
    error: code,
  });
  // The service's fee payer is poor: that is its operator's affair.
  if (error === "AccountNotFound" || error === "InsufficientFundsForFee") return world("service_unavailable");
  const short = rentShortOf(error);
  if (short === 0) return world("service_unavailable");
  if (short !== undefined) return { kind: "refuse", error: whoIsShort(order, addressAt(short)) };
  const custom = customErrorOf(error);
  if (custom === undefined) return { kind: "refuse", error: "transaction_failed" };
  const explained = explainProgramError(custom.code, logs);
  switch (explained?.name) {
    case "SpendingLimitExceeded":
      return limit === undefined ? refreshAnew(now) : waitForReset(limit, BigInt(order.amount), now);
    case "SpendingLimitExpired":
      return { kind: "stop", reason: "spending_limit_expired" };
    case "AccountNotInitialized":
      // The limit, or a token account that was closed a moment ago: the next reading shows which.
      return refreshAnew(now);
    case "Unauthorized":
    case "InvalidDestination":
      return { kind: "stop", reason: "spending_limit_changed" };
    case undefined:
      break;
    default:
      return { kind: "refuse", error: "transaction_failed" };
  }
  const program = failingProgram(logs);
  if (program === SYSTEM_PROGRAM_ADDRESS && custom.code === tooLittle) {
    // The fee payer opens the payee's token account, and the vault pays.
    return opensTokenAccount ? world("service_unavailable") : { kind: "refuse", error: "insufficient_balance" };
  }
  if (custom.code === tooLittle) return { kind: "refuse", error: "insufficient_balance" };
  const isToken = program !== undefined && tokenPrograms.includes(program);
  return { kind: "refuse", error: (isToken ? refusedBy.get(custom.code) : undefined) ?? "transaction_failed" };
}

/** Whose account would hold less SOL than an account must. */
function whoIsShort({ account_address, payee }: FailedPayment["order"], short: string | undefined): string {
  if (short === account_address) return "insufficient_balance";
  return short === payee ? "destination_below_minimum" : "transaction_failed";
}

/** What the chain holds now is for the next poll to see. */
function refreshAnew(now: number): Extract<Verdict, { readonly kind: "wait" }> {
  return { kind: "wait", until: now + 1_000, why: "limit", error: "spending_limit_not_reset" };
}

/** Which account, by its place in the message, would keep too little for its rent. */
function rentShortOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("InsufficientFundsForRent" in error)) return undefined;
  const { account_index: index } = error.InsufficientFundsForRent as { readonly account_index?: unknown };
  return index === undefined ? undefined : Number(index);
}

/** Whether an error of the service's own making only says to retry later. */
export function isWorldly(error: unknown): error is TrellisError {
  return (
    error instanceof TrellisError &&
    ["chain_unavailable", "sponsorship_limit_exceeded", "service_unavailable", "submission_in_progress"].includes(
      error.code,
    )
  );
}
