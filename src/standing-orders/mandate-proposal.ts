import { limits } from "@trellis/kernel/limits.js";
import {
  decodeProposal,
  ProgramDataError,
  type Proposal,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import type { ChainAccount } from "@trellis/solana/read-accounts.js";
import type { StandingOrder } from "./standing-order-store.js";

/** Whether a vote will never give the limit: it was lost, or called off, or never opened while it could be. */
export function isRefused(order: StandingOrder, account: ChainAccount | undefined, now: number): boolean {
  const vote = proposalIn(account);
  if (account?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) {
    return now >= Number(order.created_at) + limits.preparedLifetimeMs + limits.standingOrderMandateGraceMs;
  }
  return vote?.status === "rejected" || vote?.status === "cancelled";
}

export function proposalIn(account: ChainAccount | undefined): Proposal | undefined {
  if (account?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  return attempt(() => decodeProposal(account.data));
}

/** Whether a vote may still end with what it is about. */
export function isOpen({ status }: Proposal): boolean {
  return status !== "rejected" && status !== "cancelled" && status !== "executed";
}

export function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}
