import { AssertionFailed, TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import type { Network } from "../ports/network.js";
import type { PartnerAnswer, PartnerRef, Rails, Verification } from "../ports/rails.js";
import { askPartner, refusalError } from "./ask-partner.js";
import { postponeLook, type RailKind } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import {
  closeOperation,
  dropVerification,
  openPerson,
  readVerificationRow,
  renewOperationKey,
  type VerificationRow,
  writeVerification,
} from "./verification-store.js";

const dayMs = 86_400_000;
/** How often a look that others overtake is made anew. */
const overtakenMax = 5;

/**
 * Brings a verification to where the partner has it: begins it there where that is not known to have happened, always
 * under the key that was stored before the first call, and reads it otherwise. Undefined: it is gone. Throws
 * PartnerUnavailable, and what the partner refuses: then nothing of it is kept.
 */
export async function refreshVerification(
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  id: string,
  forMs?: number,
): Promise<VerificationRow | undefined> {
  for (let tries = 0; tries < overtakenMax; tries += 1) {
    // Read before the partner is asked: see `writeVerification`.
    const row = await readVerificationRow(needs.db, id);
    if (row === undefined || row.partner !== rails.partner.name) return row;
    // A key that the partner may have forgotten is replaced: it tells a known address as what there is.
    const isOld = needs.realClock.now() - Number(row.operation_begun_at) > limits.partnerKeyMs;
    const current = row.operation_open && isOld ? await renewOperationKey(needs, row) : row;
    if (current === undefined) return undefined;
    const told = await tell(needs, rails, current, forMs);
    if (!told.ok) return refuse(needs, current, told.refused);
    const answers = current.operation_open ? current.operation_key : null;
    const written = await writeVerification(needs, network, current, { value: told.value, answers });
    if (written === "written") return readVerificationRow(needs.db, id);
    if (written === "gone") return undefined;
    if (written === "foreign") {
      await dropVerification(needs.db, row);
      needs.log.warn(
        {
          event: "rail_verification_foreign",
          environment: row.environment,
          partner: row.partner,
          tenant: row.tenant_id,
        },
        "partner names a customer of another tenant: the verification is not kept",
      );
      throw new TrellisError("partner_refused", { facts: { reason: "duplicate" } });
    }
  }
  throw new AssertionFailed("a verification changes faster than it can be read");
}

async function tell(
  { keyring }: RailNeeds,
  { partner }: Rails,
  row: VerificationRow,
  forMs: number | undefined,
): Promise<PartnerAnswer<Verification>> {
  if (!row.operation_open) {
    const ref = row.partner_ref as PartnerRef;
    return askPartner((signal) => partner.readVerification(ref, signal), forMs);
  }
  const person = openPerson(keyring, row);
  return askPartner(
    (signal) =>
      partner.startVerification({
        idempotencyKey: row.operation_key,
        signal,
        owner: row.tenant_id,
        type: row.type,
        email: person.email,
        fullName: person.fullName,
        endorsements: row.wanted,
        ...(person.redirectUri === undefined ? {} : { redirectUri: person.redirectUri }),
      }),
    forMs,
  );
}

async function refuse(
  needs: RailNeeds,
  row: VerificationRow,
  refused: Extract<PartnerAnswer<never>, { ok: false }>["refused"],
): Promise<never> {
  needs.log.warn(
    {
      event: "rail_verification_refused",
      environment: row.environment,
      partner: row.partner,
      id: row.id,
      reason: refused.reason,
      words: refused.forOperator,
    },
    "partner refuses a verification",
  );
  if (row.partner_ref === null) await dropVerification(needs.db, row);
  else if (row.operation_open) await closeOperation(needs.db, row);
  throw refusalError(refused);
}

/** Verifications as the pass follows them. */
export const verificationKind: RailKind = {
  table: "rail_verification",
  hints: ["verification"],
  isNamedByCustomer: true,
  look: async (needs, network, rails, id) => {
    try {
      await refreshVerification(needs, network, rails, id);
    } catch (error) {
      if (!(error instanceof TrellisError)) throw error;
      // It was said in the log, and there is nobody else to tell.
      await postponeLook(needs.db, verificationKind, id, needs.realClock.now() + dayMs);
    }
  },
  forget: async (trx, { tenantId, environment, address }) => {
    const { numDeletedRows } = await trx
      .deleteFrom("rail_verification")
      .where("environment", "=", environment)
      .where("account_address", "=", address)
      .where("tenant_id", "=", tenantId)
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
};
