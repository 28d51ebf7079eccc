import { dateTime, type EventObjects, example } from "@trellis/kernel/event-objects.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

const { account, at, id } = example;

const kycObject = Type.Object(
  {
    id: Type.String(),
    account: addressText(),
    type: Type.Enum(["individual", "business"]),
    status: Type.Enum(["not_started", "incomplete", "under_review", "approved", "rejected"]),
    tos_status: Type.Enum(["pending", "approved"]),
    endorsements: Type.Record(Type.String(), Type.Enum(["incomplete", "approved", "revoked"])),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "KycSnapshot", description: "Without names, links and reasons: those are read by GET." },
);

const kyc = (status: "not_started" | "approved"): Static<typeof kycObject> => ({
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
  "kyc.created": { schema: kycObject, example: kyc("not_started") },
  "kyc.updated": { schema: kycObject, example: kyc("approved") },
} as const satisfies EventObjects;
