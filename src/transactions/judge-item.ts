import { readSettingsChange } from "@trellis/program-client/settings-change.js";
import { readMessage } from "@trellis/solana/read-message.js";
import { isFeePayer } from "../sponsorship/service-keys.js";
import { findLastValidOfForeign } from "./find-processed.js";
import { requireFreeRecoveryKeys } from "./free-recovery-keys.js";
import { readProposalCall } from "./proposal-call.js";
import { costsOf } from "./sponsored-costs.js";
import type { CompleteItem, ItemContext, ReadyItem } from "./submit-item.js";
import { requireAuthority } from "./submit-policy.js";
import { unwrapPasskeys } from "./unwrap-passkeys.js";

/** Requires that its signers may do what it does, as the account's settings are now; says what that is. */
export async function judgeItem(context: ItemContext, complete: CompleteItem): Promise<ReadyItem> {
  const { network, account } = context;
  const { wire, prepared, stamps, present, carriesOut = false } = complete;
  const { message, passkeys } = unwrapPasskeys(await readMessage(network, wire, { leastSlot: account.slot }), present);
  const signing = new Set([...present, ...passkeys]);
  const executed = await requireAuthority(account, message, signing, network, prepared !== null);
  const { instructions } = message;
  await requireFreeRecoveryKeys(context, instructions, [...executed.values()]);
  const judged = { wire, prepared, stamps, instructions, carriesOut };
  if (prepared === null) {
    const lastValidBlockHeight = await findLastValidOfForeign(network);
    // Also what an approved proposal executes can change settings and proposals.
    return {
      ...judged,
      lastValidBlockHeight,
      costs: [],
      changesSettings: true,
      changesProposals: true,
    };
  }
  const calls = instructions.flatMap((instruction) => readProposalCall(instruction) ?? []);
  return {
    ...judged,
    lastValidBlockHeight: prepared.last_valid_block_height,
    costs: isFeePayer(network, prepared.fee_payer) ? costsOf(account, message, prepared, executed) : [],
    changesSettings:
      calls.some(({ kind }) => kind === "execute") ||
      instructions.some((instruction) => readSettingsChange(instruction) !== undefined),
    changesProposals: calls.length > 0,
  };
}
