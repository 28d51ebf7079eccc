import type { Address } from "@solana/kit";
import { SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import { readSettingsChange } from "@trellis/program-client/settings-change.js";
import { type ReadMessage, readMessage } from "@trellis/solana/read-message.js";
import { feePayerAddresses, isFeePayer } from "../sponsorship/service-keys.js";
import { findLastValidOfForeign } from "./find-processed.js";
import { requireFreeRecoveryKeys } from "./free-recovery-keys.js";
import { type ProposalCall, readProposalCall } from "./proposal-call.js";
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
      paysVoters: [],
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
    paysVoters: votersPaid(message, calls, new Set(feePayerAddresses(network))),
  };
}

/** Who gets lamports from the fee payer beside a vote. */
function votersPaid(
  message: ReadMessage,
  calls: readonly ProposalCall[],
  feePayers: ReadonlySet<Address>,
): readonly Address[] {
  const voters = new Set(calls.flatMap((call) => (call.kind === "vote" ? [call.signer] : [])));
  return message.instructions.flatMap(({ programAddress, accounts = [] }) => {
    const [from, to] = accounts;
    const pays = programAddress === SYSTEM_PROGRAM_ADDRESS && from !== undefined && feePayers.has(from.address);
    return pays && to && voters.has(to.address) ? [to.address] : [];
  });
}
