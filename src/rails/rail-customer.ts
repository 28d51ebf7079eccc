import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { PartnerRef } from "@trellis/kernel/ports/rails.js";
import { getRails, kycRequired, orUnavailable } from "./ask-partner.js";
import type { RailAccount } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { listVerifications, type VerificationRow } from "./verification-store.js";
import { refreshVerification } from "./verifications.js";

/** Whom a partner knows behind an account. */
export interface RailCustomer {
  readonly customer: PartnerRef;
  readonly verificationId: string;
}

/**
 * The partner's customer behind an account, who may use an endorsement (`base`, `sepa`, …). Throws 403 `kyc_required` with
 * what is missing. An approval that was read within about a day is believed: it can be withdrawn, and every call that matters is
 * judged by the partner again. An older one, and what is not approved, is read anew first. Of several the latest counts, or the
 * one that is `customer`: what hangs on a customer, as a bank account does, is that one's alone.
 */
export async function requireCustomer(
  needs: RailNeeds,
  network: Network,
  account: RailAccount,
  { endorsement, customer }: { readonly endorsement: string; readonly customer?: string },
): Promise<RailCustomer> {
  const rails = getRails(needs, network);
  const all = await listVerifications(needs.db, account, rails.partner.name);
  const rows = all.filter(({ customer_ref }) => customer === undefined || customer_ref === customer);
  const known = rows.find((row) => missingOf(row, endorsement).length === 0 && isFresh(needs, row));
  if (known !== undefined) return customerOf(known);
  let least: { readonly row: VerificationRow; readonly missing: readonly string[] } | undefined;
  let failure: TrellisError | undefined;
  for (const { id } of rows) {
    let row: VerificationRow | undefined;
    try {
      row = await orUnavailable(refreshVerification(needs, network, rails, id));
    } catch (error) {
      // What the partner says of one person says nothing of another. That it did not answer says that it is not known.
      if (!(error instanceof TrellisError)) throw error;
      if (failure?.code !== "partner_unavailable") failure = error;
      continue;
    }
    if (row === undefined) continue;
    const missing = missingOf(row, endorsement);
    if (missing.length === 0) return customerOf(row);
    if (least === undefined || missing.length < least.missing.length) least = { row, missing };
  }
  if (failure !== undefined && (least === undefined || failure.code === "partner_unavailable")) throw failure;
  throw least === undefined ? kycRequired(["kyc", "tos"]) : kycRequired(least.missing, least.row.id);
}

function missingOf(row: VerificationRow, endorsement: string): readonly string[] {
  const endorsements = JSON.parse(row.endorsements) as Record<string, string>;
  const missing: string[] = [];
  if (row.partner_ref === null || row.status !== "approved") missing.push("kyc");
  if (row.terms !== "approved") missing.push("tos");
  // What the partner has not decided follows from the other two.
  if (endorsements[endorsement] !== "approved" && missing.length === 0) missing.push(`endorsement:${endorsement}`);
  return missing;
}

function isFresh({ realClock }: RailNeeds, { told_at_real: reported_at_real, customer_ref }: VerificationRow): boolean {
  return customer_ref !== null && realClock.now() - Number(reported_at_real) < limits.approvalGoodForMs;
}

function customerOf({ id, customer_ref }: VerificationRow): RailCustomer {
  // Approved, and the partner has not said yet under which name.
  if (customer_ref === null) throw new TrellisError("partner_unavailable", { retryAfterSeconds: 60 });
  return { customer: customer_ref as PartnerRef, verificationId: id };
}
