import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Rails, Verification } from "@trellis/kernel/ports/rails.js";
import { defineObject, type PartnerObject } from "./partner-object.js";
import type { RailNeeds } from "./rail-needs.js";
import {
  closeOperation,
  dropForeign,
  openPerson,
  type VerificationRow,
  verificationRows,
  writeVerification,
} from "./verification-store.js";

/** Verifications as requests and the pass follow them. */
export const verificationKind: PartnerObject<VerificationRow> = defineObject<VerificationRow, Verification>({
  rows: verificationRows,
  name: "verification",
  hints: ["verification"],
  isNamedByCustomer: true,
  // What is asked for in addition is begun at the partner, although it knows the person.
  isOpen: (row) => row.operation_open,
  // Its partner answers a known e-mail address with what there is.
  begin: ({ needs, rails }, row, signal) => {
    const { email, fullName, redirectUri } = openPerson(needs.keyring, row);
    return rails.partner.startVerification({
      idempotencyKey: row.operation_key,
      signal,
      owner: row.tenant_id,
      type: row.type,
      email,
      fullName,
      endorsements: row.wanted,
      ...(redirectUri === undefined ? {} : { redirectUri }),
    });
  },
  read: ({ rails }, _row, ref, signal) => rails.partner.readVerification(ref, signal),
  write: ({ needs, network }, row, reported) => writeVerification(needs, network, row, reported),
  foreign: async ({ needs }, row) => {
    await dropForeign(needs.db, row);
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
  },
  closeOperation: ({ needs }, row) => closeOperation(needs.db, row),
  refusedInPass: "later",
});

/**
 * Brings a verification to where the partner has it: see `PartnerObject.refresh`. Undefined: it is removed. `forMs`: how long the
 * partner may take.
 */
export const refreshVerification = (
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  id: string,
  forMs?: number,
): Promise<VerificationRow | undefined> => verificationKind.refresh({ needs, network, rails, forMs }, id);
