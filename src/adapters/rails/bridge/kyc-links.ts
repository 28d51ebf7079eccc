import type {
  PartnerAnswer,
  PartnerRef,
  RailsPartner,
  Verification,
  VerificationStatus,
} from "@trellis/kernel/ports/rails.js";
import { type BridgeNeeds, refused, unreadable } from "./bridge-needs.js";
import { field, flag, objects, text, texts, textsWithin } from "./read-json.js";
import { endorsementNamed, verificationStatus } from "./states.js";

/** Verifications are the partner's hosted links alone: no document of a person is ever received here. */
export function kycLinks(needs: BridgeNeeds): Pick<RailsPartner, "startVerification" | "readVerification"> {
  const { ask } = needs;

  /** `wanted`: endorsements that a caller asks for now. */
  const complete = async (
    link: unknown,
    wanted: readonly string[],
    signal: AbortSignal,
  ): Promise<PartnerAnswer<Verification>> => {
    const customer = text(link, "customer_id");
    if (customer === undefined) return { ok: true, value: verificationOf(needs, link, undefined, undefined) };
    const answer = await ask({ method: "GET", path: ["customers", customer], signal });
    // A customer the partner names and does not show has no endorsement that could be relied on.
    const details = answer.ok ? answer.body : undefined;
    const status = statusOf(needs, link, details);
    const lacking = lackingOf(details, wanted);
    const continues =
      details !== undefined && (status === "incomplete" || (status === "approved" && lacking !== undefined));
    const continuation = continues ? await freshLink(needs, customer, lacking, signal) : undefined;
    return { ok: true, value: verificationOf(needs, link, details, continuation) };
  };

  return {
    startVerification: async (request) => {
      const wanted = [...new Set(request.endorsements.map(endorsementNamed))];
      const answer = await ask({
        method: "POST",
        path: ["kyc_links"],
        idempotencyKey: request.idempotencyKey,
        signal: request.signal,
        body: {
          type: request.type,
          email: request.email,
          full_name: request.fullName,
          endorsements: wanted,
          ...(request.redirectUri === undefined ? {} : { redirect_uri: request.redirectUri }),
        },
      });
      // The e-mail is known there: its link is the one that was asked for.
      const existing = answer.ok ? undefined : existingLink(answer.body);
      if (!answer.ok && existing === undefined) return refused(answer);
      return complete(existing ?? answer.body, wanted, request.signal);
    },

    readVerification: async (ref, signal) => {
      const answer = await ask({ method: "GET", path: ["kyc_links", ref], signal });
      return answer.ok ? complete(answer.body, [], signal) : refused(answer, "not_found");
    },
  };
}

function existingLink(body: unknown): unknown {
  const link = field(body, "existing_kyc_link") ?? field(field(body, "source"), "existing_kyc_link");
  return text(link, "id") === undefined ? undefined : link;
}

/** The first endorsement that is asked for, or that the partner has begun with, and has not approved. */
function lackingOf(customer: unknown, wanted: readonly string[]): string | undefined {
  const endorsements = objects(field(customer, "endorsements"));
  const isApproved = (name: string) =>
    endorsements.some((one) => text(one, "name") === name && text(one, "status") === "approved");
  const begun = endorsements.flatMap((one) => text(one, "name") ?? []);
  return [...wanted, ...begun].find((name) => !isApproved(name));
}

/** Where a person continues who returns after days, or needs more than before. */
async function freshLink(
  { ask }: BridgeNeeds,
  customer: string,
  endorsement: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const answer = await ask({
    method: "GET",
    path: ["customers", customer, "kyc_link"],
    query: { endorsement },
    signal,
  });
  return answer.ok ? urlOf(field(answer.body, "kyc_link") ?? answer.body) : undefined;
}

/** What the partner thinks of the person now: the customer's state weighs more where it is the worse one. */
function statusOf({ alarm }: BridgeNeeds, link: unknown, customer: unknown): VerificationStatus {
  const ofLink = verificationStatus(text(link, "kyc_status"), alarm);
  const word = text(customer, "status");
  if (ofLink !== "approved" || word === undefined) return ofLink;
  const ofCustomer = verificationStatus(word, alarm);
  // A customer is active once one endorsement is: less than that takes no approval away, being turned away does.
  return ofCustomer === "rejected" || ofCustomer === "under_review" ? ofCustomer : ofLink;
}

function verificationOf(
  needs: BridgeNeeds,
  link: unknown,
  customer: unknown,
  continuation: string | undefined,
): Verification {
  const id = text(link, "id");
  if (id === undefined) throw unreadable("a verification has no id");
  const status = statusOf(needs, link, customer);
  const isOpen = status === "not_started" || status === "incomplete" || status === "under_review";
  const terms = termsOf(needs, link, customer);
  const endorsements = objects(field(customer, "endorsements"));
  return {
    ref: id as PartnerRef,
    customer: (text(link, "customer_id") as PartnerRef | undefined) ?? null,
    status,
    terms,
    verificationUrl: continuation ?? (isOpen ? (urlOf(field(link, "kyc_link")) ?? null) : null),
    termsUrl: terms === "pending" ? (urlOf(field(link, "tos_link")) ?? null) : null,
    // What the partner writes for its developers is not for the person it is about.
    rejections: objects(field(link, "rejection_reasons")).map((reason) => ({
      code: "rejected_by_provider",
      message: text(reason, "reason") ?? "The check was not passed.",
    })),
    due: [
      ...new Set([
        ...texts(field(customer, "requirements_due")),
        ...endorsements.flatMap((one) => textsWithin(field(field(one, "requirements"), "missing"))),
      ]),
    ].slice(0, 100),
    endorsements: Object.fromEntries(
      endorsements.flatMap((one) => {
        const name = text(one, "name");
        return name === undefined ? [] : [[name, endorsementStatus(needs, text(one, "status"))] as const];
      }),
    ),
  };
}

function termsOf({ alarm }: BridgeNeeds, link: unknown, customer: unknown): Verification["terms"] {
  const word = text(link, "tos_status");
  if (word === "approved" || flag(customer, "has_accepted_terms_of_service") === true) return "approved";
  if (word !== undefined && word !== "pending") alarm("tos_status", word);
  return "pending";
}

function endorsementStatus({ alarm }: BridgeNeeds, word: string | undefined): "incomplete" | "approved" | "revoked" {
  if (word === "approved" || word === "incomplete" || word === "revoked") return word;
  alarm("endorsement", word ?? "");
  return "incomplete";
}

/** A page of the partner: as a text, as `{url}` or as `{data: {url}}`; nothing but https. */
function urlOf(value: unknown): string | undefined {
  const written = typeof value === "string" ? value : (text(value, "url") ?? text(field(value, "data"), "url"));
  return written !== undefined && URL.canParse(written) && new URL(written).protocol === "https:" ? written : undefined;
}
