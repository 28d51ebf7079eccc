import { type AccountMeta, AccountRole, type Address, type Instruction, isSignerRole, mergeRoles } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  buildPasskeyExecution,
  checkPasskeySignatureInstruction,
  encodePasskeyExecution,
  executeByPasskeyInstruction,
  type PasskeyAccount,
  type ReadPasskeyAssertion,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  type SyncPayload,
  SyncPayloadError,
} from "@trellis/program-client";
import {
  type ComputeBudget,
  composeTransaction,
  computeUnitsMax,
  feeOf,
  noBlockhash,
} from "@trellis/solana/compose.js";
import { heapFrameFor } from "@trellis/solana/compute-needs.js";
import { estimateComputePrice } from "@trellis/solana/compute-price.js";
import type { ReadMessage } from "@trellis/solana/read-message.js";
import { simulateAfresh } from "@trellis/solana/simulate.js";
import { toBase64 } from "@trellis/solana/wire-transaction.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { simulationRefused } from "../transactions/chain-failure.js";
import type { ApprovedTransaction } from "./approval-store.js";
import { checkFeeLamports, signatureProgramRefusal } from "./ceremony-transaction.js";

/** What a passkey signs of a prepared transaction, and what stands beside it. */
export interface ApprovalPlan {
  readonly passkeyAddress: Address;
  /** Pays, and is the one without whom the passkey's signature is worth nothing. */
  readonly payer: Address;
  /** The service's own: what it pays at its own expense, and who is named there. */
  readonly before: readonly Instruction[];
  readonly inner: readonly Instruction[];
  readonly after: readonly Instruction[];
  /** With the rights that each account has in the transaction. */
  readonly execution: SyncPayload;
  /** The same as the passkey signs it. */
  readonly signed: Uint8Array;
  readonly lookupTables: ReadMessage["lookupTables"];
}

const signsIn = (address: Address, { accounts = [] }: Instruction): boolean =>
  accounts.some((account) => account.address === address && isSignerRole(account.role));

/**
 * What a passkey has to sign so that a prepared transaction is carried out. Nobody but the service, which pays, and the passkey may have to sign
 * it. Throws `proposal_required` where others do, `invalid_transaction` where the passkey does not, and `transaction_too_large`.
 */
export function planApproval(
  { instructions, lookupTables, feePayer: payer }: ReadMessage,
  signers: readonly Address[],
  passkeyAddress: Address,
): ApprovalPlan {
  const calls = instructions.filter(({ programAddress }) => programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS);
  const isInner = (instruction: Instruction) => signsIn(passkeyAddress, instruction);
  if (!calls.some(isInner)) {
    throw new TrellisError("invalid_transaction", {
      field: "transaction",
      message: `${passkeyAddress} does not sign this transaction itself.`,
      suggestion: "Prepare it with passkey_approval=true, and with this passkey as its signer.",
    });
  }
  const other = signers.find((address) => address !== payer && address !== passkeyAddress);
  if (other !== undefined) {
    throw new TrellisError("proposal_required", {
      field: "transaction",
      message: `${other} has to sign it as well, and a passkey approves alone.`,
      suggestion: "Create a proposal, on which each of them votes.",
      facts: { address: other },
    });
  }
  const last = calls.findLastIndex(isInner);
  const before = calls.filter((call, at) => at < last && !isInner(call));
  const after = calls.slice(last + 1);
  const inner = calls.filter(isInner);
  // The payer signs beside the passkey: nothing runs with both but what the service makes of the smart account program.
  if (inner.some(({ programAddress }) => programAddress !== SMART_ACCOUNT_PROGRAM_ADDRESS)) {
    throw new TrellisError("invalid_transaction", {
      field: "transaction",
      message: "A passkey approves calls of the smart account program only.",
    });
  }
  const execution = withRightsOf([...before, ...after], executionOf(passkeyAddress, inner));
  const transaction = { feePayer: payer, passkeyAccount: passkeyAddress, nonceSigner: payer };
  const signed = encodePasskeyExecution(transaction, execution);
  return { passkeyAddress, payer, before, inner, after, execution, signed, lookupTables };
}

function executionOf(passkey: Address, inner: readonly Instruction[]): SyncPayload {
  try {
    return buildPasskeyExecution(passkey, "passkey_account", inner);
  } catch (error) {
    if (!(error instanceof SyncPayloadError)) throw error;
    throw new TrellisError("transaction_too_large", {
      message: `A passkey cannot sign this: ${error.message}.`,
      cause: error,
    });
  }
}

/** An account has one set of rights in a transaction: those that others name with it count, and are signed. */
function withRightsOf(others: readonly Instruction[], { accounts, payload }: SyncPayload): SyncPayload {
  const rights = new Map<Address, AccountRole>();
  for (const { address, role } of others.flatMap((call) => call.accounts ?? [])) {
    rights.set(address, mergeRoles(rights.get(address) ?? AccountRole.READONLY, role));
  }
  const merged = accounts.map(
    ({ address, role }): AccountMeta => ({ address, role: mergeRoles(role, rights.get(address) ?? role) }),
  );
  return { payload, accounts: merged };
}

/** What an assertion takes in a transaction, of a passkey that adds nothing to it. */
const plainAssertion = {
  message: new Uint8Array(69),
  signature: new Uint8Array(64),
  form: { ceremony: "get", isCrossOrigin: false, isHttp: false, hasRemark: false, port: 443 },
} as const;

/** Throws `transaction_too_large` where a plan does not fit beside a passkey's signature. */
export function assertFits(plan: ApprovalPlan, { publicKey }: Pick<PasskeyAccount, "publicKey">): void {
  const budget = { units: computeUnitsMax, microLamportsPerUnit: 0n, isLast: true };
  const instructions = instructionsOf(plan, plainAssertion, { publicKey, slot: 0n });
  composeTransaction(plan.payer, noBlockhash, budget, instructions, plan.lookupTables);
}

type SignedAssertion = Pick<ReadPasskeyAssertion, "form" | "message" | "signature">;
type SignedBy = { readonly publicKey: Uint8Array; readonly slot: bigint };

/** The check of the signature has to be the first. */
function instructionsOf(
  { before, after, execution, payer }: ApprovalPlan,
  assertion: SignedAssertion,
  { publicKey, slot }: SignedBy,
): readonly Instruction[] {
  const { form } = assertion;
  const approved = { signingAddress: "passkey_account", execution, nonceSigner: payer } as const;
  return [
    checkPasskeySignatureInstruction(publicKey, assertion),
    ...before,
    executeByPasskeyInstruction({ publicKey, form, slot, ...approved }),
    ...after,
  ];
}

/**
 * Makes the transaction that carries a plan out, once a simulation has shown that it works. Throws `passkey_challenge_over`,
 * `invalid_passkey_assertion`, `transaction_failed`, `transaction_too_large`, `service_unavailable` and `chain_unavailable`.
 */
export async function composeApproval(
  { log }: { readonly log: Log },
  network: Network,
  { settings, slot: leastSlot }: Pick<ActingAccount, "settings" | "slot">,
  plan: ApprovalPlan,
  assertion: SignedAssertion,
  by: SignedBy,
): Promise<ApprovedTransaction> {
  const { payer, inner, lookupTables } = plan;
  const instructions = instructionsOf(plan, assertion, by);
  const most: ComputeBudget = {
    units: computeUnitsMax,
    microLamportsPerUnit: await estimateComputePrice(network, writableIn(plan)),
    heapFrameBytes: heapFrameFor(inner, settings.signers.length),
    isLast: true,
  };
  const draft = composeTransaction(payer, noBlockhash, most, instructions, lookupTables);
  const simulation = await simulateAfresh(network, draft.bytes, { leastSlot });
  if (simulation.error !== null) {
    throw (
      signatureProgramRefusal(log, simulation, 1 + plan.before.length) ??
      simulationRefused(simulation, true, draft.transaction.messageBytes)
    );
  }
  const { lifetime, unitsConsumed } = simulation;
  const budget = { ...most, units: Math.min(computeUnitsMax, Math.ceil(unitsConsumed * 1.2) + 10_000) };
  const { transaction, bytes } = composeTransaction(payer, lifetime, budget, instructions, lookupTables);
  return {
    transaction: toBase64(bytes),
    feeLamports: feeOf(transaction, budget) + checkFeeLamports,
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
  };
}

const writableIn = ({ execution, passkeyAddress }: ApprovalPlan): Address[] => [
  passkeyAddress,
  ...execution.accounts.flatMap(({ address, role }) =>
    role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER ? [address] : [],
  ),
];
