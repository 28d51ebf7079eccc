import { type Address, getBase58Decoder, type SignatureBytes } from "@solana/kit";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { encodeWithSignatures } from "@trellis/solana/wire-transaction.js";
import { translateRefusal } from "../custody/custodians.js";
import type { SignedPayload } from "../custody/match-stamps.js";
import { wakeProposals } from "../following/proposal-subscriptions.js";
import { feePayerAt } from "../sponsorship/service-keys.js";
import { assertWithinTransactionLimit, type BoundedSpender, budgetDay, sumOf } from "../sponsorship/sponsorship.js";
import { confirmNewSubmission, confirmSubmission } from "../submissions/confirm-submission.js";
import type { Lookout } from "../submissions/lookout.js";
import type { FinalOutcome } from "../submissions/submission.js";
import { findSubmission } from "../submissions/submission-store.js";
import { transactionExecuted } from "./chain-failure.js";
import { findOvertaking } from "./overtaking.js";
import { recordSubmission } from "./record-submission.js";
import type { CheckNeeds, ExecutableItem, ReadyItem, SubmitContext } from "./submit-item.js";

/** What submitting asks of the world. */
export interface SubmitNeeds extends CheckNeeds {
  readonly log: Log;
  readonly pause: Pause;
  readonly lookout: Lookout;
}

/**
 * Signs a checked transaction and lands it. The custodians sign first, the fee payer last; the signed bytes, the consumed
 * payloads and the reserved fee are one database transaction; only then is anything sent. From that moment on the outcome
 * is found whatever happens to this process. `spender`: whose part of the budgets it counts against, too.
 *
 * Throws the errors of gap 29; `transaction_failed` when the chain refused it, `blockhash_expired` when it never landed.
 */
export async function executeItem(
  context: SubmitContext<SubmitNeeds>,
  item: ExecutableItem,
  spender?: BoundedSpender,
): Promise<{ readonly signature: string; readonly confirmedAt: string }> {
  const { needs, network } = context;
  if (item.kind === "known") {
    const outcome = await confirmSubmission(needs, network, item.submission.id);
    return toAnswer(outcome, item.wire.transaction.messageBytes);
  }
  return toAnswer(await signAndConfirm(context, item, spender), item.ready.wire.transaction.messageBytes);
}

async function signAndConfirm(
  context: SubmitContext<SubmitNeeds>,
  { ready, slot }: Extract<ExecutableItem, { kind: "ready" }>,
  spender: BoundedSpender | undefined,
): Promise<FinalOutcome> {
  const { needs, network, account } = context;
  const { wire } = ready;
  assertOurs(
    wire.signers.slice(1).every((address) => !network.serviceAddresses.has(address)),
    "a service key signs as the fee payer or not at all",
  );
  let signatures: Map<Address, SignatureBytes>;
  try {
    signatures = await askCustodians(context, ready.stamps);
  } catch (error) {
    const own = { tenantId: account.row.tenant_id, environment: network.name, accountAddress: account.row.address };
    const { id } = await findOvertaking(needs.db, network, own, wire.id, error);
    return confirmSubmission(needs, network, id);
  }
  const stored = { ...(await sign(network, ready, signatures)), recorded_slot: slot };
  const recorded = await record(context, ready, stored, spender);
  // Not recorded: another copy of this submit was faster. Either it recorded the same bytes, or its response was that they expired.
  if (!recorded && (await findSubmission(needs.db, stored.id)) === undefined) {
    throw new TrellisError("blockhash_expired");
  }
  const outcome = await (recorded
    ? confirmNewSubmission(needs, network, stored)
    : confirmSubmission(needs, network, stored.id));
  if (outcome.state === "landed") await runEffects(context, ready, outcome.slot);
  return outcome;
}

/** The bytes with every signature: those that are given, and the fee payer's where the service pays. */
async function sign(network: Network, { wire, lastValidBlockHeight }: ReadyItem, given: Map<Address, SignatureBytes>) {
  const signatures = new Map(given);
  const payer = wire.signers[0];
  const messageBytes = Uint8Array.from(wire.transaction.messageBytes);
  const ours = feePayerAt(network, payer);
  if (ours !== undefined) signatures.set(ours.address, await ours.sign(messageBytes));
  const first = payer === undefined ? undefined : (signatures.get(payer) ?? wire.transaction.signatures[payer]);
  assertOurs(first, "the fee payer's signature was checked or made");
  return {
    id: wire.id,
    signature: getBase58Decoder().decode(first),
    wire_transaction: encodeWithSignatures(wire.transaction, signatures),
    last_valid_block_height: lastValidBlockHeight,
  };
}

/** Records the signed bytes before anything is sent. False where another copy of this submit was faster. */
async function record(
  { needs, network, account }: SubmitContext<SubmitNeeds>,
  ready: ReadyItem,
  stored: Awaited<ReturnType<typeof sign>> & { readonly recorded_slot: bigint },
  spender: BoundedSpender | undefined,
): Promise<boolean> {
  const realNow = needs.realClock.now();
  const owner = { tenantId: account.row.tenant_id, accountAddress: account.row.address };
  const reservedLamports = sumOf(ready.costs);
  assertWithinTransactionLimit(network, reservedLamports);
  // Before there is anything to land: whatever happens to this process, the account is refreshed afterwards.
  if (ready.changesSettings || ready.changesProposals) {
    await wakeProposals(needs.db, network.name, [account.settingsAddress], network.clock.now());
  }
  return recordSubmission(needs.db, network, {
    signed: {
      ...owner,
      id: stored.id,
      environment: network.name,
      purpose: "transaction",
      signature: stored.signature,
      wireTransaction: stored.wire_transaction,
      lastValidBlockHeight: stored.last_valid_block_height,
      recordedSlot: stored.recorded_slot,
      reservedLamports,
      reservedOn: budgetDay(realNow),
      changesSettings: ready.changesSettings,
      carried: ready.carriesOut === true,
    },
    stamps: ready.stamps,
    reservation: { ...owner, costs: ready.costs, realNow, spender },
    isPrepared: ready.prepared !== null,
  });
}

function runEffects(
  { needs, network, account }: SubmitContext<SubmitNeeds>,
  { changesSettings, changesProposals }: ReadyItem,
  slot: bigint,
): Promise<void> {
  const { address, tenant_id: tenantId } = account.row;
  return needs.submitHooks.afterConfirmation(needs, network, {
    account: { address, tenantId, settingsAddress: account.settingsAddress },
    slot,
    changesSettings,
    changesProposals,
  });
}

async function askCustodians(
  context: SubmitContext<SubmitNeeds>,
  stamps: readonly SignedPayload[],
): Promise<Map<Address, SignatureBytes>> {
  const signatures = new Map<Address, SignatureBytes>();
  for (const stamp of stamps) {
    signatures.set(stamp.payload.address as Address, await askCustodian(context, stamp));
  }
  return signatures;
}

async function askCustodian(
  { needs, network, account }: SubmitContext<SubmitNeeds>,
  { payload, provider, stamp, authority }: SignedPayload,
): Promise<SignatureBytes> {
  const custodian = needs.custodians.get(provider);
  assertOurs(custodian, "a payload was matched by its custodian's keys");
  try {
    return await custodian.sign({
      walletId: payload.wallet_id,
      authority,
      payload: payload.payload,
      stamp,
      now: network.clock.now(),
      realNow: needs.realClock.now(),
    });
  } catch (error) {
    const { notBefore, changeId } = (error instanceof CustodyRefusal && error.policy) || {};
    if (notBefore !== undefined) {
      const { address, tenant_id: tenantId } = account.row;
      const delayed = { account: { address, tenantId }, walletId: payload.wallet_id, changeId, notBefore };
      await needs.submitHooks.onDelayedChange(needs, network, delayed);
    }
    throw translateRefusal(error);
  }
}

function toAnswer(outcome: FinalOutcome, messageBytes: ArrayLike<number>): { signature: string; confirmedAt: string } {
  switch (outcome.state) {
    case "landed":
      return { signature: outcome.signature, confirmedAt: new Date(outcome.blockTime * 1000).toISOString() };
    case "failed":
      throw transactionExecuted(outcome.failure, outcome.signature, messageBytes);
    case "expired":
      throw new TrellisError("blockhash_expired", { isOutcome: true });
  }
}
