import type { Instruction } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { maskOfPermissions } from "@trellis/program-client";
import type { ProposalContent } from "@trellis/program-client/proposal-content.js";
import { describeSettingsAction, readSettingsChange } from "@trellis/program-client/settings-change.js";
import { findHeldRecoveryKey } from "../accounts/recovery-keys.js";
import { readProposalCall } from "./proposal-call.js";
import type { ItemContext } from "./submit-item.js";

/**
 * Requires that a change of signers leaves no guarded account with a recovery key that a custodian here holds: it may have been imported since
 * the change was prepared. At once, when it is stored for a vote, and when what was voted on is executed. Throws `forbidden_account`.
 */
export async function requireFreeRecoveryKeys(
  { needs: { db }, account: { settings, settingsAddress }, item: { field } }: ItemContext,
  instructions: readonly Instruction[],
  executed: readonly ProposalContent[],
): Promise<void> {
  const stored = instructions.flatMap((instruction) => {
    const call = readProposalCall(instruction);
    return call?.kind === "store" ? [call.content] : [];
  });
  const actions = [
    ...instructions.flatMap((instruction) => readSettingsChange(instruction)?.actions ?? []),
    ...[...stored, ...executed].flatMap((content) =>
      content.kind === "settings"
        ? content.actions.map((action) => describeSettingsAction(settingsAddress, action))
        : [],
    ),
  ];
  const added = actions.flatMap((action) =>
    action.type === "add_signer" ? [{ address: action.address, mask: maskOfPermissions(action.permissions) }] : [],
  );
  if (added.length === 0) return;
  const removed = new Set(actions.flatMap((action) => (action.type === "remove_signer" ? [action.address] : [])));
  const kept = settings.signers.filter(({ address }) => !removed.has(address));
  const held = await findHeldRecoveryKey(db, [...kept, ...added]);
  if (held === undefined) return;
  throw new TrellisError("forbidden_account", {
    field,
    message: `A custodian here holds ${held}: as a recovery key it would be one thief's second key, and recover nothing.`,
    suggestion: "Prepare the change with a key that is kept away from everything else.",
  });
}
