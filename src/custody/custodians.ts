import { TrellisError } from "../kernel/errors.js";
import { type Custodian, type CustodianName, type Custodians, CustodianUnavailable } from "../ports/custodian.js";

/** The providers that hold keys for the service (gap 35). */
export const custodianNames = ["kms_a", "kms_b"] as const satisfies readonly CustodianName[];

/** Every provider the interface knows (interface 2.9). Only custodians hold keys; the others are the caller's own. */
export const providerNames = [...custodianNames, "kms_c", "passkey", "external"] as const;

/** The custodian of e-mail users when none is named (interface 2.9). */
export const defaultCustodian: CustodianName = "kms_a";

/** Finds a custodian by its wire name. Throws `provider_not_available` for providers without one here (gap 35). */
export function getCustodian(custodians: Custodians, name: string, field = "provider"): Custodian {
  const custodian = custodians.get(name as CustodianName);
  if (custodian === undefined) {
    throw new TrellisError("provider_not_available", {
      field,
      message: `The provider ${name} is not available here.`,
      suggestion: `Available here: ${[...custodians.keys()].join(", ")}.`,
    });
  }
  return custodian;
}

/** Makes a call to a custodian; its failure to answer becomes `provider_unavailable`, as a retry may succeed. */
export async function askCustodian<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof CustodianUnavailable)) throw error;
    throw new TrellisError("provider_unavailable", { cause: error });
  }
}
