import { type Address, getBase58Decoder, type SignatureBytes } from "@solana/kit";
import type { SignedPayload } from "../custody/match-stamps.js";
import { wakeProposals } from "../following/proposal-subscriptions.js";
import { assertOurs, TrellisError } from "../kernel/errors.js";
import { CustodianUnavailable, CustodyRefusal } from "../ports/custodian.js";
import type { Log } from "../ports/log.js";
import type { Network } from "../ports/network.js";
import type { Pause } from "../ports/pause.js";
import { encodeWithSignatures } from "../solana/wire-transaction.js";
import { assertWithinTransactionLimit, budgetDay, sumOf } from "../sponsorship/sponsorship.js";
import { landNewSubmission, landSubmission } from "../submissions/land-submission.js";
import type { Lookout } from "../submissions/lookout.js";
import type { FinalOutcome } from "../submissions/submission.js";
import { findSubmission } from "../submissions/submission-store.js";
import type { ActingAccount } from "./acting-account.js";
import { transactionExecuted } from "./chain-failure.js";
import type { CheckNeeds, ExecutableItem, ReadyItem } from "./check-item.js";
import { findOvertaking } from "./overtaking.js";
import { recordSubmission } from "./record-submission.js";

/** What submitting asks of the world. */
export interface SubmitNeeds extends CheckNeeds {
  readonly log: Log;
  readonly pause: Pause;
  readonly lookout: Lookout;
}

/**
 * Signs a checked transaction and lands it. The custodians sign first, the fee payer last; the signed bytes, the consumed
 * payloads and the reserved fee are one database transaction; only then is anything sent. From that moment on the outcome
 * is found whatever happens to this process. `isByPage`: a page has asked for it, with a publishable key (gap 123).
 *
 * Throws the errors of gap 29; `transaction_failed` when the chain refused it, `blockhash_expired` when it never landed.
 */
export async function executeItem(
  needs: SubmitNeeds,
  network: Network,
  account: ActingAccount,
  item: ExecutableItem,
  isByPage = false,
): Promise<{ readonly signature: string; readonly confirmedAt: string }> {
  const outcome = item.known
    ? await landSubmission(needs, network, item.known.id)
    : await signAndLand(needs, network, account, item.ready, item.slot, isByPage);
  const { transaction } = item.known ? item.wire : item.ready.wire;
  return toAnswer(outcome, transaction.messageBytes);
}

async function signAndLand(
  needs: SubmitNeeds,
  network: Network,
  account: ActingAccount,
  ready: ReadyItem,
  recordedSlot: bigint,
  isByPage: boolean,
): Promise<FinalOutcome> {
  const { wire } = ready;
  assertOurs(
    wire.signers.slice(1).every((address) => !network.serviceAddresses.has(address)),
    "a service key signs as the fee payer or not at all",
  );
  const signatures = new Map<Address, SignatureBytes>();
  try {
    for (const stamp of ready.stamps)
      signatures.set(stamp.payload.address as Address, await askCustodian(needs, network, stamp));
  } catch (error) {
    const own = { tenantId: account.row.tenant_id, environment: network.name, accountAddress: account.row.address };
    const { id } = await findOvertaking(needs.db, network, own, wire.id, error);
    return landSubmission(needs, network, id);
  }
  const payer = wire.signers[0];
  const messageBytes = Uint8Array.from(wire.transaction.messageBytes);
  if (payer === network.feePayer.address) signatures.set(payer, await network.feePayer.sign(messageBytes));
  const bytes = encodeWithSignatures(wire.transaction, signatures);
  const first = payer === undefined ? undefined : (signatures.get(payer) ?? wire.transaction.signatures[payer]);
  assertOurs(first, "the fee payer's signature was checked or made");

  const stored = {
    id: wire.id,
    signature: getBase58Decoder().decode(first),
    wire_transaction: bytes,
    last_valid_block_height: ready.lastValidBlockHeight,
    recorded_slot: recordedSlot,
  };
  const realNow = needs.realClock.now();
  const owner = { tenantId: account.row.tenant_id, accountAddress: account.row.address };
  const reservedLamports = sumOf(ready.costs);
  assertWithinTransactionLimit(network, reservedLamports);
  // Before there is anything to land: whatever happens to this process, the account is looked at afterwards.
  if (ready.changesSettings || ready.changesProposals) {
    await wakeProposals(needs.db, network.name, [account.settingsAddress], network.clock.now());
  }
  const recorded = await recordSubmission(
    needs.db,
    network,
    {
      ...owner,
      id: stored.id,
      environment: network.name,
      purpose: "transaction",
      signature: stored.signature,
      wireTransaction: bytes,
      lastValidBlockHeight: ready.lastValidBlockHeight,
      recordedSlot,
      reservedLamports,
      reservedOn: budgetDay(realNow),
      changesSettings: ready.changesSettings,
    },
    ready.stamps,
    { ...owner, costs: ready.costs, realNow, isByPage },
    network.clock.now(),
    ready.prepared !== null,
  );
  // Not recorded: another copy of this submit was faster. Either it recorded the same bytes, or it was told that they expired.
  if (!recorded && (await findSubmission(needs.db, stored.id)) === undefined) {
    throw new TrellisError("blockhash_expired");
  }
  const outcome = await (recorded
    ? landNewSubmission(needs, network, stored)
    : landSubmission(needs, network, stored.id));
  if (outcome.state === "landed") {
    await needs.submitHooks.afterLanding(needs, network, {
      account: {
        address: account.row.address,
        tenantId: account.row.tenant_id,
        settingsAddress: account.settingsAddress,
      },
      slot: outcome.slot,
      changesSettings: ready.changesSettings,
      changesProposals: ready.changesProposals,
    });
  }
  return outcome;
}

async function askCustodian(
  needs: SubmitNeeds,
  network: Network,
  { payload, provider, stamp, authorizationKeyId }: SignedPayload,
): Promise<SignatureBytes> {
  const custodian = needs.custodians.get(provider);
  assertOurs(custodian, "a payload was matched by its custodian's keys");
  try {
    return await custodian.sign({
      walletId: payload.wallet_id,
      authorizationKeyId,
      payload: payload.payload,
      stamp,
      now: network.clock.now(),
      realNow: needs.realClock.now(),
    });
  } catch (error) {
    if (error instanceof CustodianUnavailable) throw new TrellisError("provider_unavailable", { cause: error });
    if (!(error instanceof CustodyRefusal)) throw error;
    if (error.reason === "authorization_expired") throw new TrellisError("session_expired", { cause: error });
    if (error.reason === "payload_expired") throw new TrellisError("payload_expired", { cause: error });
    throw new TrellisError("invalid_signature", { message: "The custodian refused to sign.", cause: error });
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
