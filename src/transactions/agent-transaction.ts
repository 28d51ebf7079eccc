import type { Address } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { TrellisError } from "@trellis/kernel/errors.js";
import { SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import { MEMO_PROGRAM_ADDRESS } from "@trellis/solana/memo.js";
import type { ReadMessage } from "@trellis/solana/read-message.js";
import { readLimitUse } from "./limit-use.js";
import { type ProposalCall, readProposalCall } from "./proposal-call.js";
import { readCaller } from "./submit-policy.js";

/** What proposing consists of: storing what is proposed, in parts where it is long, and opening the vote. */
const proposingKinds: ReadonlySet<ProposalCall["kind"]> = new Set([
  "store",
  "batch",
  "add",
  "open",
  "activate",
  "begin_buffer",
  "fill_buffer",
  "use_buffer",
]);

/** What the service puts beside a payment or a proposal: the price, rent, a token account of the payee, a memo. */
const programsBeside: ReadonlySet<Address> = new Set([
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  MEMO_PROGRAM_ADDRESS,
]);

/**
 * Requires that a transaction is one that an agent may submit, no matter who has prepared it and who signs: every call is a payment out of a
 * spending limit or a part of proposing, and there is one. Throws `not_for_agents` otherwise.
 */
export function requireForAgents({ instructions }: Pick<ReadMessage, "instructions">, field: string): void {
  const calls = instructions.filter(({ programAddress }) => !programsBeside.has(programAddress));
  const areAllowed = calls.every((instruction) => {
    if (readCaller(() => readLimitUse(instruction)) !== undefined) return true;
    const call = readCaller(() => readProposalCall(instruction));
    return call !== undefined && proposingKinds.has(call.kind);
  });
  if (calls.length > 0 && areAllowed) return;
  throw new TrellisError("not_for_agents", {
    field,
    message:
      "An agent submits payments out of a spending limit, and what opens a proposal. It approves, executes and changes nothing.",
  });
}
