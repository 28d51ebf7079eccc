import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { type PartnerAnswer, PartnerUnavailable, type Rails, type Refusal } from "@trellis/kernel/ports/rails.js";
import type { RailNeeds } from "./rail-needs.js";

/** The partner of an environment. Throws `rail_not_available` where there is none. */
export function getRails({ rails }: Pick<RailNeeds, "rails">, network: Pick<Network, "name">): Rails {
  const found = rails.get(network.name);
  if (found === undefined) {
    throw new TrellisError("rail_not_available", {
      message: "There are no bank rails in this environment: no partner is configured.",
    });
  }
  return found;
}

/**
 * Asks a partner, for `forMs` of real time at most. Throws PartnerUnavailable, also when it takes longer: the outcome is
 * unknown then.
 */
export async function askPartner<T>(
  ask: (signal: AbortSignal) => Promise<PartnerAnswer<T>>,
  forMs: number = limits.partnerCallMs,
): Promise<PartnerAnswer<T>> {
  const signal = AbortSignal.timeout(forMs);
  // An adapter that ignores the signal keeps no caller waiting.
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new PartnerUnavailable(`no answer within ${forMs} ms`)), {
      once: true,
    });
  });
  // Where asking itself throws, nothing waits for this: its rejection must not end the process.
  late.catch(() => undefined);
  try {
    return await Promise.race([ask(signal), late]);
  } catch (error) {
    if (signal.aborted && !(error instanceof PartnerUnavailable)) {
      throw new PartnerUnavailable(`no answer within ${forMs} ms`, undefined, { cause: error });
    }
    throw error;
  }
}

/** The response to a caller who has to wait for a partner: nothing is final, and a repetition resumes (gap 96). */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PartnerUnavailable) throw unavailable(error);
    throw error;
  }
}

function unavailable(error: PartnerUnavailable): TrellisError {
  const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1000);
  return new TrellisError("partner_unavailable", {
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
    cause: error,
  });
}

/** The response to a caller about a refusal: never the partner's words for the operator. */
export function refusalError({ reason, field }: Refusal, endorsement = "base"): TrellisError {
  const more = field === undefined ? {} : { field };
  switch (reason) {
    case "verification_required":
      return kycRequired(["kyc"]);
    case "terms_required":
      return kycRequired(["tos"]);
    case "endorsement_required":
      return kycRequired([`endorsement:${endorsement}`]);
    case "unsupported_pair":
    case "not_enabled":
      return new TrellisError("rail_not_available", more);
    case "amount_out_of_range":
      return new TrellisError("invalid_amount", { ...more, message: "The partner does not move this amount." });
    default:
      return new TrellisError("partner_refused", { ...more, facts: { reason } });
  }
}

const missingText = (missing: string): string =>
  missing === "kyc"
    ? "The verification is not approved."
    : missing === "tos"
      ? "The partner's terms are not accepted."
      : `The partner has not approved the endorsement ${missing.slice(missing.indexOf(":") + 1)}.`;

/** 403, with what is missing: `kyc`, `tos`, `endorsement:sepa`. `kycId` names the verification where there is one. */
export function kycRequired(missing: readonly string[], kycId?: string): TrellisError {
  return new TrellisError("kyc_required", {
    details: missing.map((name) => ({
      code: "kyc_required",
      message: missingText(name),
      missing: name,
      ...(name.startsWith("endorsement:")
        ? {}
        : {
            suggestion:
              "Ask for links with POST /api/service/v1/accounts/{address}/kyc, and have the holder follow them.",
          }),
      ...(kycId === undefined ? {} : { kyc_id: kycId }),
    })),
  });
}
