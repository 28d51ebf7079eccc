import { type ErrorCode, TrellisError } from "@trellis/kernel/errors.js";
import {
  type Custodian,
  type CustodianName,
  type Custodians,
  CustodianUnavailable,
  CustodyRefusal,
  type CustodyRefusalReason,
} from "@trellis/kernel/ports/custodian.js";
import { custodianForms, findForm } from "./forms.js";

/** The providers that can hold keys (gap 35). */
export const custodianNames: readonly CustodianName[] = custodianForms.map(({ name }) => name);

/** Every provider the interface knows (interface 2.9). Only custodians hold keys; the last two are the caller's own. */
export const providerNames = [...custodianNames, "passkey", "external"] as const;

/** Those that the service has inside it, where no process of their own is configured. */
export const builtInNames: readonly CustodianName[] = custodianNames.slice(0, 2);

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

/** The custodian whose wallets obey passkeys alone; undefined where the service has none. */
export function findGuardian(custodians: Custodians): Custodian | undefined {
  return [...custodians.values()].find(({ isGuardian }) => isGuardian === true);
}

/**
 * Finds a custodian at which sessions can be opened. Throws `provider_not_available` for providers without one here (gap 35), and
 * for a guardian, whose wallets obey no session.
 */
export function getSessionCustodian(custodians: Custodians, name: string, field = "provider"): Custodian {
  const custodian = getCustodian(custodians, name, field);
  if (custodian.isGuardian !== true) return custodian;
  throw new TrellisError("provider_not_available", {
    field,
    message: `The wallets of ${name} obey passkeys, and no session.`,
    suggestion: "Sign in without naming it, and sign its payloads with a passkey.",
  });
}

/** Finds a custodian whose wallets' keys are exported. Throws `provider_not_available` for one that keeps them. */
export function getExportingCustodian(custodians: Custodians, name: string): Custodian {
  const custodian = getCustodian(custodians, name, "signer");
  if (custodian.keepsKeys !== true) return custodian;
  throw new TrellisError("provider_not_available", {
    field: "signer",
    message: `The keys of ${name} are not exported through the service: a process of its own holds them.`,
    suggestion: "Name another wallet of the account, if it has one whose key the service holds.",
  });
}

/** Finds a custodian that takes keys that others had. Throws `provider_not_available` for one in a process of its own. */
export function getImportingCustodian(custodians: Custodians, name: string): Custodian {
  const custodian = getCustodian(custodians, name);
  if (custodian.keepsKeys !== true) return custodian;
  throw new TrellisError("provider_not_available", {
    field: "provider",
    message: `${name} takes no keys that others had: a process of its own holds its keys, which were never anywhere else.`,
    suggestion: "Leave provider out, or name one whose keys the service holds.",
  });
}

const refusals: Partial<Record<CustodyRefusalReason, ErrorCode>> = {
  authorization_expired: "session_expired",
  payload_expired: "payload_expired",
  invalid_registration: "invalid_registration",
  passkey_exists: "passkey_exists",
  passkey_limit: "passkey_limit",
  not_granted: "insufficient_permissions",
  passkey_signature_required: "passkey_signature_required",
  invalid_policy: "invalid_guardian_policy",
  policy_outdated: "guardian_policy_changed",
  change_not_found: "guardian_change_not_found",
  change_over: "guardian_change_over",
  export_not_offered: "provider_not_available",
  export_not_found: "wallet_export_not_found",
  export_open: "wallet_export_open",
  export_over: "wallet_export_over",
  import_not_offered: "provider_not_available",
  import_not_found: "wallet_import_not_found",
  invalid_key: "invalid_wallet_key",
  key_held: "wallet_key_held",
};

/** What a failure of a custodian to sign, or to take a passkey, is to the caller; anything else stays what it is. */
export function translateRefusal(error: unknown): unknown {
  if (error instanceof CustodianUnavailable) return new TrellisError("provider_unavailable", { cause: error });
  if (!(error instanceof CustodyRefusal)) return error;
  if (error.reason === "policy") return new TrellisError("guardian_refused", { ...explainPolicy(error), cause: error });
  const code = refusals[error.reason];
  return code === undefined
    ? new TrellisError("invalid_signature", { message: "The custodian refused to sign.", cause: error })
    : new TrellisError(code, { cause: error });
}

/** The rule by its name, and in our own words: those of another process are for its log. */
function explainPolicy({ policy }: CustodyRefusal) {
  if (policy === undefined) return {};
  const { rule, notBefore, changeId } = policy;
  // One that no date has is none.
  const from = notBefore === undefined || notBefore > 8.64e15 ? undefined : new Date(notBefore).toISOString();
  return {
    message: `The guardian does not sign this, by the wallet's policy: ${rule}${from === undefined ? "" : `, not before ${from}`}.`,
    facts: {
      rule,
      ...(from === undefined ? {} : { not_before: from }),
      ...(changeId === undefined ? {} : { change_id: changeId }),
    },
  };
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
