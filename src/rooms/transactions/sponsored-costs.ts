import type { Address, Instruction } from "@solana/kit";
import type { ReadMessage } from "../../core/chain/read-message.js";
import { SYSTEM_PROGRAM_ADDRESS } from "../../core/program-client/index.js";
import type { Cost } from "../../core/sponsorship/sponsorship.js";
import { assertOurs } from "../../errors.js";
import type { PreparedTransactionTable } from "../../ports/database.js";
import { readSettingsChange } from "../accounts/settings-change.js";
import type { ActingAccount } from "./acting-account.js";
import { readProposalCall } from "./proposal-call.js";
import { readTokenAccountOpening } from "./summary.js";

type Place = Omit<Cost, "lamports">;

/**
 * What the service pays for a transaction that was prepared at its expense, and who gains (gap 31): the fee, and its rent
 * in equal parts for every account that the bytes make or let grow, read from those bytes alone.
 */
export function costsOf(
  account: Pick<ActingAccount, "address">,
  { instructions }: Pick<ReadMessage, "instructions">,
  prepared: Pick<PreparedTransactionTable, "fee_payer" | "fee_lamports" | "rent_lamports">,
): readonly Cost[] {
  const fee: Cost = { kind: "fee", lamports: prepared.fee_lamports };
  const rent = prepared.rent_lamports;
  if (rent === 0n) return [fee];
  const feePayer = prepared.fee_payer as Address;
  const places = instructions.flatMap((instruction) =>
    readPlaces(instruction, instructions, feePayer, account.address),
  );
  const count = BigInt(places.length);
  assertOurs(count > 0n, "rent that is paid lies somewhere");
  const share = rent / count;
  const costs = places.map((place, i): Cost => ({ ...place, lamports: i === 0 ? rent - share * (count - 1n) : share }));
  return [fee, ...costs];
}

/** The accounts whose rent an instruction has the fee payer pay. */
function readPlaces(
  instruction: Instruction,
  all: readonly Instruction[],
  feePayer: Address,
  account: Address,
): readonly Place[] {
  const opening = readTokenAccountOpening(instruction);
  if (opening) {
    const isSponsored = opening.payer === feePayer;
    return isSponsored
      ? [{ kind: "token_account_rent", heldAt: opening.tokenAccount, beneficiary: opening.owner }]
      : [];
  }
  if (instruction.programAddress === SYSTEM_PROGRAM_ADDRESS) {
    if (instruction.accounts?.[0]?.address !== feePayer) return [];
    // A voter gets it, who pays it into the proposal.
    const voted = all.map(readProposalCall).find((call) => call?.kind === "vote");
    return voted?.kind === "vote" ? [{ kind: "proposal_growth", heldAt: voted.proposal, beneficiary: feePayer }] : [];
  }
  const call = readProposalCall(instruction);
  if (call?.kind === "open" && call.rentPayer === feePayer) {
    return [{ kind: "proposal_rent", heldAt: call.proposal, beneficiary: feePayer }];
  }
  if (call?.kind === "execute" && call.rentPayer === feePayer) {
    // Whoever removes a limit names who gets its rent: the account's own people do.
    const limits = call.given.map((heldAt) => ({ kind: "spending_limit_rent", heldAt, beneficiary: account }) as const);
    return limits.length > 0 ? limits : [{ kind: "settings_rent", heldAt: call.settings }];
  }
  const change = readSettingsChange(instruction);
  return change ? [{ kind: "settings_rent", heldAt: change.settings }] : [];
}
