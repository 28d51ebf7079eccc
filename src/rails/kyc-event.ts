import { type EventObjects, eventShape, example, leftOut } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { KycRecord } from "./kyc-record.js";

const { account, at, id } = example;

const shape = eventShape(KycRecord, {
  id: "KycSnapshot",
  without: {
    kyc_continuation_link: leftOut.sealed,
    tos_link: leftOut.sealed,
    rejection_reasons: leftOut.sealed,
    requirements_due: leftOut.sealed,
  },
});

const kyc = (status: "not_started" | "approved"): Static<typeof shape.schema> => ({
  id,
  account,
  type: "individual",
  status,
  tos_status: status === "approved" ? "approved" : "pending",
  endorsements: { base: status === "approved" ? "approved" : "incomplete" },
  created_at: at,
  updated_at: at,
});

/** What events about checks of persons and businesses carry. */
export const kycEvents = {
  "kyc.created": { ...shape, example: kyc("not_started") },
  "kyc.updated": { ...shape, example: kyc("approved") },
} as const satisfies EventObjects;
