import type { Address, Instruction } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { PreparedTransactionTable } from "@trellis/kernel/ports/database.js";
import { SYSTEM_PROGRAM_ADDRESS, spendingLimitsTouched } from "@trellis/program-client";
import type { ProposalContent } from "@trellis/program-client/proposal-content.js";
import { readSettingsChange } from "@trellis/program-client/settings-change.js";
import type { ReadMessage } from "@trellis/solana/read-message.js";
import type { Cost } from "../sponsorship/sponsorship.js";
import type { ActingAccount } from "./acting-account.js";
import { readProposalCall } from "./proposal-call.js";
import { readTokenAccountOpening } from "./token-account-opening.js";

type Place = Omit<Cost, "lamports">;

/**
 * What the service pays for a transaction that was prepared at its expense, and who gains (gap 31): the fee, and its rent
 * in equal parts for every account that the bytes make or let grow, read from those bytes and from what the proposals
 * hold that they execute; where that is not known, every limit counts as made. Throws `forbidden_account` where they
 * pay rent into none.
 */
export function costsOf(
  account: Pick<ActingAccount, "address" | "settingsAddress">,
  { instructions }: Pick<ReadMessage, "instructions">,
  prepared: Pick<PreparedTransactionTable, "fee_payer" | "fee_lamports" | "rent_lamports">,
  executed: ReadonlyMap<Address, ProposalContent> = new Map(),
): readonly Cost[] {
  const fee: Cost = { kind: "fee", lamports: prepared.fee_lamports };
  const rent = prepared.rent_lamports;
  if (rent === 0n) return [fee];
  const feePayer = prepared.fee_payer as Address;
  const places = instructions.flatMap((instruction) =>
    readPlaces(instruction, { all: instructions, feePayer, account, executed }),
  );
  const count = BigInt(places.length);
  // As of bytes that a process of another build prepared.
  if (count === 0n) {
    throw new TrellisError("forbidden_account", {
      message: "The service's fee payer would pay rent that lies in no account of this. Prepare it again.",
    });
  }
  const share = rent / count;
  const costs = places.map((place, i): Cost => ({ ...place, lamports: i === 0 ? rent - share * (count - 1n) : share }));
  return [fee, ...costs];
}

/** What surrounds an instruction. */
interface Surroundings {
  readonly all: readonly Instruction[];
  readonly feePayer: Address;
  readonly account: Pick<ActingAccount, "address" | "settingsAddress">;
  /** What the proposals among them hold, by their address. */
  readonly executed: ReadonlyMap<Address, ProposalContent>;
}

/** The accounts whose rent an instruction has the fee payer pay. */
function readPlaces(instruction: Instruction, { all, feePayer, account, executed }: Surroundings): readonly Place[] {
  // The signer that removes a limit names who gets its rent: the account's own people do.
  const placesOfLimits = (limits: readonly string[]) =>
    limits.map((heldAt): Place => ({ kind: "spending_limit_rent", heldAt, beneficiary: account.address }));
  const opening = readTokenAccountOpening(instruction);
  if (opening) {
    const isSponsored = opening.payer === feePayer;
    return isSponsored
      ? [{ kind: "token_account_rent", heldAt: opening.tokenAccount, beneficiary: opening.owner }]
      : [];
  }
  if (instruction.programAddress === SYSTEM_PROGRAM_ADDRESS) {
    const [from, to] = instruction.accounts ?? [];
    if (from?.address !== feePayer) return [];
    if (to?.address === account.settingsAddress) return [{ kind: "settings_rent", heldAt: to.address }];
    // What a proposal gets that a vote makes grow. What anybody else gets beside a vote would not come back with its rent.
    const voted = all.map(readProposalCall).find((call) => call?.kind === "vote" && call.proposal === to?.address);
    return voted?.kind === "vote" ? [{ kind: "proposal_growth", heldAt: voted.proposal, beneficiary: feePayer }] : [];
  }
  const call = readProposalCall(instruction);
  // Whatever is added to a batch is returned with it.
  if ((call?.kind === "open" || call?.kind === "add") && call.rentPayer === feePayer) {
    return [{ kind: "proposal_rent", heldAt: call.proposal, beneficiary: feePayer }];
  }
  if (call?.kind === "execute" && call.rentPayer === feePayer) {
    const content = executed.get(call.proposal);
    const made = content === undefined ? call.given : limitsMadeBy(call.settings, content);
    return made.length > 0 ? placesOfLimits(made) : [{ kind: "settings_rent", heldAt: call.settings }];
  }
  const change = readSettingsChange(instruction);
  if (change === undefined || change.rentPayer !== feePayer) return [];
  const made = change.actions.flatMap((action) =>
    action.type === "add_spending_limit" ? [action.spending_limit] : [],
  );
  return made.length > 0 ? placesOfLimits(made) : [{ kind: "settings_rent", heldAt: change.settings }];
}

/** The limits that a stored change of settings makes; one that it removes costs nothing. */
function limitsMadeBy(settings: Address, content: ProposalContent): readonly Address[] {
  if (content.kind !== "settings") return [];
  return spendingLimitsTouched(
    settings,
    content.actions.filter(({ __kind }) => __kind === "AddSpendingLimit"),
  );
}
