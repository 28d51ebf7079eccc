import type { Contract } from "@trellis/kernel/endpoint.js";
import type { ErrorCode } from "@trellis/kernel/errors.js";
import { isForAgents } from "../tenants/authorize.js";
import { isIdempotent } from "./idempotent-runs.js";

const authenticationErrors: readonly ErrorCode[] = [
  "api_key_required",
  "invalid_api_key",
  "api_key_disabled",
  "api_key_expired",
];

/** Of members of the console, who call by a cookie. */
const memberErrors: readonly ErrorCode[] = ["sign_in_required", "foreign_page"];

const placeErrors: readonly ErrorCode[] = ["address_not_allowed", "origin_not_allowed"];

/** What any operation with these guards and parts can answer before its handler runs. */
export function floorErrors(contract: Contract): ErrorCode[] {
  const { scope, environment, method, response, body, query, params } = contract;
  const { publishable, needsSession, takesSession, whileFrozen } = contract;
  return [
    ...(scope === null
      ? []
      : [
          ...authenticationErrors,
          ...placeErrors,
          ...memberErrors,
          "insufficient_scope" as const,
          "rate_limit_exceeded" as const,
        ]),
    ...(contract.limitsAddresses === true ? ["rate_limit_exceeded" as const] : []),
    ...(contract.console === undefined ? [] : [...memberErrors, "rate_limit_exceeded" as const]),
    ...(method !== "GET" && (scope !== null || contract.console === "member") ? (["invalid_csrf_token"] as const) : []),
    ...(scope !== null && method !== "GET" && response.envelope ? (["daily_limit_exceeded"] as const) : []),
    ...(scope !== null && method !== "GET" && whileFrozen !== true ? (["tenant_frozen"] as const) : []),
    ...(scope !== null && publishable === undefined ? (["secret_key_required"] as const) : []),
    ...(scope === null
      ? []
      : isForAgents(contract)
        ? (["agent_key_required"] as const)
        : (["not_for_agents"] as const)),
    ...(publishable === "user" ? (["insufficient_permissions"] as const) : []),
    ...(publishable === "session" || publishable === "user" || needsSession === true || takesSession === true
      ? (["session_required", "invalid_session"] as const)
      : []),
    ...(environment === "none" ? [] : (["invalid_environment", "environment_not_available"] as const)),
    ...(environment === "optional" || environment === "required" ? (["environment_required"] as const) : []),
    ...(body || query || params ? (["invalid_request"] as const) : []),
    ...(body ? (["malformed_json", "body_too_large", "unsupported_media_type"] as const) : []),
    ...(isIdempotent(contract)
      ? (["invalid_idempotency_key", "idempotency_key_reused", "idempotency_in_progress"] as const)
      : []),
    "internal_error",
  ];
}
