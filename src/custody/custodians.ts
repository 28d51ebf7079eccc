import { TrellisError } from "@trellis/kernel/errors.js";
import {
  type Custodian,
  type CustodianName,
  type Custodians,
  CustodianUnavailable,
} from "@trellis/kernel/ports/custodian.js";
import { custodianForms, findForm } from "./forms.js";

/** The providers that hold keys for the service (gap 35). */
export const custodianNames: readonly CustodianName[] = custodianForms.map(({ name }) => name);

/** A custodian that the interface knows and this service has none of (interface 2.9). */
export const absentCustodian = "kms_c";

/** Every provider the interface knows (interface 2.9). Only custodians hold keys; the last two are the caller's own. */
export const providerNames = [...custodianNames, absentCustodian, "passkey", "external"] as const;

/** The custodian of e-mail users when none is named (interface 2.9), and the one of their backup wallets (gap 17). */
export const [defaultCustodian, backupCustodian] = [custodianForms[0].name, custodianForms[1].name] as const;

export const isCustodianName = (provider: string): provider is CustodianName => findForm(provider) !== undefined;

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
