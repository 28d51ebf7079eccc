import { Buffer } from "node:buffer";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { SubmitCheck } from "@trellis/kernel/module.js";
import type { PreparedTransactionTable } from "@trellis/kernel/ports/database.js";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import type { ChainAccount } from "@trellis/solana/read-accounts.js";
import { readMessage } from "@trellis/solana/read-message.js";
import { simulate } from "@trellis/solana/simulate.js";
import { parseWireTransaction } from "@trellis/solana/wire-transaction.js";
import { isFeePayer } from "../sponsorship/service-keys.js";
import { sumOf } from "../sponsorship/sponsorship.js";
import { isOpenSubmission } from "../submissions/submission-states.js";
import { findCarried, findSubmission } from "../submissions/submission-store.js";
import type { ActingAccount } from "./acting-account.js";
import { requireForAgents } from "./agent-transaction.js";
import { simulationRefused } from "./chain-failure.js";
import { completeItem } from "./complete-item.js";
import { findProcessed } from "./find-processed.js";
import { judgeItem } from "./judge-item.js";
import { belongsTo, findOvertaking } from "./overtaking.js";
import { findPrepared } from "./prepared-store.js";
import type {
  CheckedItem,
  CompleteItem,
  ExecutableItem,
  ItemContext,
  ReadyItem,
  SubmitContext,
  SubmitItem,
} from "./submit-item.js";
import { unwrapPasskeys } from "./unwrap-passkeys.js";

/**
 * Checks one transaction of a submit request (gaps 25 to 31): the bytes are ones prepared here for
 * this account, every signature is there and verifies, the signers may do this, and it would succeed now at no more
 * cost than announced. It signs and reserves nothing; of what can never land it notes that. `standsBefore` says whether the transaction of an identity stands before it in the request. Throws
 * the errors of gap 29, and `not_for_agents`.
 */
export async function checkItem(
  { needs, network, account, byAgent }: SubmitContext,
  item: SubmitItem,
  standsBefore: (id: string) => boolean = () => false,
): Promise<CheckedItem> {
  const wire = parseWireTransaction(item.transaction, item.field);
  if (byAgent) {
    const message = await readMessage(network, wire, { leastSlot: account.slot });
    requireForAgents(unwrapPasskeys(message, new Set()).message, item.field);
  }
  const owner = { tenantId: account.row.tenant_id, environment: network.name, accountAddress: account.row.address };
  const found = await findPrepared(needs.db, owner, wire.id);
  const submission =
    found?.isSubmitted === false
      ? undefined
      : ((await findSubmission(needs.db, wire.id)) ?? (await findCarried(needs.db, wire.bytes)));
  if (submission) {
    if (!belongsTo(submission, owner)) throw new TrellisError("transaction_not_prepared", { field: item.field });
    return { kind: "known", submission, wire };
  }
  const context = { needs, network, account: requireRecallable(account, found?.prepared), byAgent, owner, item, wire };
  try {
    const complete = await completeItem(context, found);
    try {
      return await checkComplete(context, complete, standsBefore);
    } catch (error) {
      return { kind: "known", submission: await findProcessed(context, complete, error), wire };
    }
  } catch (error) {
    return { kind: "known", submission: await findOvertaking(needs.db, network, owner, wire.id, error), wire };
  }
}

/**
 * The same for a transaction by which the service itself carries a prepared one out: another message, under the identity of that one. Throws
 * the errors of gap 29.
 */
export async function checkCarrier(context: ItemContext, complete: CompleteItem): Promise<ExecutableItem> {
  const { needs, network, owner, wire } = context;
  try {
    return assertExecutable(await checkComplete(context, complete, () => false));
  } catch (error) {
    return { kind: "known", submission: await findOvertaking(needs.db, network, owner, wire.id, error), wire };
  }
}

/** Recalled settings are no ground for this: those of the chain decide. No caller of the service meets it. */
export class SettingsUnconfirmed extends Error {
  override readonly name = "SettingsUnconfirmed";
}

/** Of what changes neither settings nor proposals, a simulation shows them as they were before it. */
const recallable: ReadonlySet<string> = new Set(["payment", "custom"]);

/** Whatever is read for a transaction is as new as what it was prepared by. Throws SettingsUnconfirmed for what is never judged by recalled settings. */
function requireRecallable(
  account: ActingAccount,
  prepared: Pick<PreparedTransactionTable, "kind" | "simulated_slot"> | undefined,
): ActingAccount {
  if (account.recalled === undefined) return account;
  if (prepared === undefined || !recallable.has(prepared.kind)) throw new SettingsUnconfirmed();
  const { simulated_slot: slot } = prepared;
  return slot !== null && slot > account.slot ? { ...account, slot } : account;
}

/** One that nothing stands before can be executed now. */
export function assertExecutable(item: CheckedItem): ExecutableItem {
  assertOurs(item.kind !== "later", "nothing stands before it");
  return item;
}

/** The checks of one that has its signatures, in this order: the first that fails is the answer. */
async function checkComplete(
  context: ItemContext,
  complete: CompleteItem,
  standsBefore: (id: string) => boolean,
): Promise<CheckedItem> {
  const ready = await judgeItem(context, complete);
  await runChecks(context, ready, "at_once", context.account.slot);
  const leastSlot = await requirePredecessor(context, complete, standsBefore);
  if (leastSlot === undefined) return { kind: "later" };
  await runChecks(context, ready, "in_turn", leastSlot);
  return { kind: "ready", ready, slot: await checkBySimulation(context, leastSlot, ready, complete) };
}

/** What the modules require of it, in their order. */
async function runChecks(
  { needs, network, account }: ItemContext,
  { instructions, prepared }: ReadyItem,
  when: SubmitCheck["when"],
  leastSlot: bigint,
): Promise<void> {
  const submitted = {
    settingsAddress: account.settingsAddress,
    staleTransactionIndex: account.settings.staleTransactionIndex,
    instructions,
    bufferStep: prepared?.buffer_step ?? null,
    leastSlot,
  };
  for (const check of needs.submitHooks.checks) {
    if (check.when === when) await check.require(needs, network, submitted);
  }
}

/**
 * What a transaction follows must have landed: returns the slot that it is simulated at, at least. Undefined where its
 * predecessor stands before it in the same request and has yet to be sent. Throws `submission_in_progress` while that is
 * on its way, `invalid_transaction` where it never was, or failed.
 */
async function requirePredecessor(
  { needs, account: { slot }, item: { field } }: ItemContext,
  { prepared }: CompleteItem,
  standsBefore: (id: string) => boolean,
): Promise<bigint | undefined> {
  const follows = prepared?.follows ?? null;
  if (follows === null) return slot;
  const predecessor = await findSubmission(needs.db, follows);
  if (predecessor?.state === "landed") {
    const landed = predecessor.slot ?? slot;
    return landed > slot ? landed : slot;
  }
  if (standsBefore(follows)) return undefined;
  if (isOpenSubmission(predecessor)) throw new TrellisError("submission_in_progress");
  throw new TrellisError("invalid_transaction", {
    field,
    message: "It follows another transaction of the same answer, which is not confirmed.",
    suggestion: "Submit them together, in the order in which they were prepared.",
  });
}

/**
 * Returns the slot of the simulation: what has landed by then does not simulate. Recalled settings are held against those that it shows.
 */
async function checkBySimulation(
  { network, account }: ItemContext,
  leastSlot: bigint,
  ready: ReadyItem,
  { refusalOf }: Pick<CompleteItem, "refusalOf">,
): Promise<bigint> {
  const { recalled, settingsAddress } = account;
  const simulation = await simulate(network, ready.wire.bytes, {
    leastSlot,
    lastValidBlockHeight: ready.prepared?.last_valid_block_height,
    ...(recalled ? { show: [settingsAddress] } : {}),
  });
  const [settings] = simulation.shown;
  if (recalled && !(settings && isSameSettings(recalled, settings))) throw new SettingsUnconfirmed();
  if (simulation.error !== null) {
    const { signers, transaction } = ready.wire;
    const refusal = refusalOf?.(simulation);
    throw refusal ?? simulationRefused(simulation, isFeePayer(network, signers[0]), transaction.messageBytes);
  }
  if (isFeePayer(network, ready.wire.signers[0]) && simulation.payerLossLamports > sumOf(ready.costs)) {
    throw new TrellisError("forbidden_account", {
      message:
        "The transaction would now take more from the service's fee payer than when it was prepared. Prepare it again.",
    });
  }
  return simulation.slot;
}

const isSameSettings = (recalled: Uint8Array, { owner, data }: ChainAccount): boolean =>
  owner === SMART_ACCOUNT_PROGRAM_ADDRESS && Buffer.compare(recalled, data) === 0;
