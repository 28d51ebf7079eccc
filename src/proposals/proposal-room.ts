import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { HookNeeds, Submitted } from "@trellis/kernel/module.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { isFeePayer } from "../sponsorship/service-keys.js";
import { readProposalCall } from "../transactions/proposal-call.js";
import { countOpenProposals } from "./proposal-store.js";

/**
 * Requires that the service has not paid for as many open proposals of this account as it pays for at a time (gap 31).
 * Throws `sponsorship_limit_exceeded`.
 */
export async function requireRoomForProposal(
  db: Db,
  network: Pick<Network, "name" | "feePayer">,
  settingsAddress: Address,
): Promise<void> {
  const open = await countOpenProposals(db, network.name, settingsAddress, network.feePayer.address);
  if (open < limits.openProposalsMax) return;
  throw new TrellisError("sponsorship_limit_exceeded", {
    message:
      `The service has paid for ${open} open proposals of this account, and pays for no more than ` +
      `${limits.openProposalsMax} at a time. Execute, reject or cancel some, or pay with a key of your own.`,
    facts: { budget: "open_proposals" },
  });
}

/** The same where a transaction opens a proposal whose rent the service pays. */
export async function requireRoomWhereOpened(
  { db }: Pick<HookNeeds, "db">,
  network: Network,
  { settingsAddress, instructions }: Submitted,
): Promise<void> {
  const isOpened = instructions.some((instruction) => {
    const call = readProposalCall(instruction);
    return call?.kind === "open" && isFeePayer(network, call.rentPayer);
  });
  if (isOpened) await requireRoomForProposal(db, network, settingsAddress);
}
