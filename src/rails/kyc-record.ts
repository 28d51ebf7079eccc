import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { verificationStates } from "./verification-states.js";
import { openPerson, openReported, type VerificationRow } from "./verification-store.js";

const dateTime = Type.String({ format: "date-time" });
const status = Type.Enum([...verificationStates.all]);
const termsStatus = Type.Enum(["pending", "approved"]);
const type = Type.Enum(["individual", "business"]);
const rejectionReasons = Type.Array(
  Type.Object({ code: Type.String(), message: Type.String() }, { $id: "RejectionReason" }),
);
const endorsements = Type.Record(Type.String(), Type.Enum(["incomplete", "approved", "revoked"]), {
  $id: "Endorsements",
  description:
    "What the customer may use: `base` (USD), `sepa`, `faster_payments`, `spei`, `pix`. An approval can be revoked.",
});
const link = (page: string) =>
  Type.Optional(Type.String({ description: `${page} It lives 24 hours; reading the verification gives a fresh one.` }));

/** A verification as starting it answers (gap 43). */
export const KycLink = Type.Object(
  {
    id: uuidText({ description: "The `kyc_id` of later calls." }),
    full_name: Type.String(),
    email: emailText(),
    type,
    kyc_link: link("The partner's page, where the person continues. Absent where nothing is left to do there."),
    tos_link: link("The partner's terms, to be accepted there. Absent once they are."),
    kyc_status: status,
    tos_status: termsStatus,
    rejection_reasons: rejectionReasons,
    endorsements,
    created_at: dateTime,
    customer_id: Type.Optional(
      Type.String({ description: "The partner's id of the person, once the partner has reported it." }),
    ),
  },
  { $id: "KycLink" },
);
export type KycLink = Static<typeof KycLink>;

/** A verification as reading it answers (interface 2.13). */
export const KycRecord = Type.Object(
  {
    id: uuidText(),
    account: Type.Optional(addressText({ description: "The smart account." })),
    status,
    tos_status: termsStatus,
    type,
    kyc_continuation_link: link("The partner's page, where the person continues."),
    tos_link: link("The partner's terms, to be accepted there."),
    rejection_reasons: Type.Optional(rejectionReasons),
    requirements_due: Type.Optional(Type.Array(Type.String(), { description: "What is still asked for." })),
    endorsements,
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "KycRecord" },
);
export type KycRecord = Static<typeof KycRecord>;

interface ShowingNeeds {
  readonly keyring: Keyring;
}

const instant = (at: bigint): string => new Date(Number(at)).toISOString();

/** What the partner reported; links only as long as they live. */
function shared({ keyring }: ShowingNeeds, { clock }: Pick<Network, "clock">, row: VerificationRow) {
  const reported = openReported(keyring, row);
  const areFresh = row.told_at !== null && clock.now() - Number(row.told_at) < limits.kycLinkMs;
  return {
    told: reported,
    verificationUrl: (areFresh && reported?.verificationUrl) || undefined,
    termsUrl: (areFresh && reported?.termsUrl) || undefined,
    rejections: (reported?.rejections ?? []).map(({ code, message }) => ({ code, message })),
    status: row.status as KycRecord["status"],
    terms: row.terms as KycRecord["tos_status"],
    endorsements: JSON.parse(row.endorsements) as KycRecord["endorsements"],
  };
}

/** The response to the caller that started it. */
export function showKycLink(needs: ShowingNeeds, network: Pick<Network, "clock">, row: VerificationRow): KycLink {
  const { verificationUrl, termsUrl, rejections, status, terms, endorsements } = shared(needs, network, row);
  const person = openPerson(needs.keyring, row);
  return {
    id: row.id,
    full_name: person.fullName,
    email: person.email,
    type: row.type,
    ...(verificationUrl === undefined ? {} : { kyc_link: verificationUrl }),
    ...(termsUrl === undefined ? {} : { tos_link: termsUrl }),
    kyc_status: status,
    tos_status: terms,
    rejection_reasons: rejections,
    endorsements,
    created_at: instant(row.created_at),
    ...(row.customer_ref === null ? {} : { customer_id: row.customer_ref }),
  };
}

/** Interface 2.13. `reader`: an agent is given no links, which open the person's check to those who have them. */
export function showKycRecord(
  needs: ShowingNeeds,
  network: Pick<Network, "clock">,
  row: VerificationRow,
  reader: Pick<Caller, "agent">,
): KycRecord {
  const {
    told: reported,
    verificationUrl,
    termsUrl,
    rejections,
    status,
    terms,
    endorsements,
  } = shared(needs, network, row);
  const isForLinks = reader.agent === undefined;
  return {
    id: row.id,
    account: row.account_address,
    status,
    tos_status: terms,
    type: row.type,
    ...(verificationUrl === undefined || !isForLinks ? {} : { kyc_continuation_link: verificationUrl }),
    ...(termsUrl === undefined || !isForLinks ? {} : { tos_link: termsUrl }),
    ...(rejections.length === 0 ? {} : { rejection_reasons: rejections }),
    ...(reported === undefined || reported.due.length === 0 ? {} : { requirements_due: [...reported.due] }),
    endorsements,
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
  };
}
