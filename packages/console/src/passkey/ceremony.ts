/** What a passkey is asked for, as the service holds it, and as the address of the page says. */
import { challengeOfApproval, challengeOfCeremony, type ShownApproval } from "@trellis/sdk";

/** What the service holds of whatever is asked for. */
interface Request {
  /** Base64url, 32 bytes. */
  readonly challenge: string;
  readonly environment: string;
  readonly tenant_name: string;
  readonly app_name: string;
  readonly redirect_url: string | null;
  readonly relying_party_id: string;
  readonly origin: string;
  readonly slot_number: number;
  /** How long the challenge counts from when it was read. */
  readonly expires_in_seconds: number;
}

/** A session. Its times are by the clock of the environment. */
export interface Ceremony extends Request {
  readonly ceremony_type: "create" | "auth";
  readonly user_id: string;
  readonly session_key: string;
  /** From when it lands, or of `create` from when it was asked for; 0: the session ends. */
  readonly session_seconds: number;
  /** ISO 8601; of `create`. */
  readonly session_expires_at: string | null;
  /** Base58, 32 bytes. */
  readonly slot_hash: string;
  readonly payer: string;
}

/** One transaction, which the passkey approves itself. */
export interface Approval extends Request, ShownApproval {
  readonly ceremony_type: "approve";
}

/** Why nothing is signed. */
export type Refusal = "altered_address" | "other_challenge" | "other_page";

/** What the page's address has to say of a ceremony, name by name. */
function addressOf(ceremony: Ceremony | Approval): Readonly<Record<string, string | null>> {
  const common = {
    env: ceremony.environment,
    "app-name": ceremony.app_name,
    "redirect-url": ceremony.redirect_url,
    "slot-num": String(ceremony.slot_number),
  };
  if (ceremony.ceremony_type === "approve") return common;
  return {
    ...common,
    "user-id": ceremony.user_id,
    "session-key": ceremony.session_key,
    "expiration-in-seconds": String(ceremony.session_seconds),
  };
}

/**
 * Why the page may not ask a passkey for this; undefined: it may. The address has to say what the service holds, the page has to be the one
 * that the passkey belongs to, and the challenge has to be the one of what is shown.
 */
export function refusalOf(
  ceremony: Ceremony | Approval,
  page: { readonly query: URLSearchParams; readonly origin: string; readonly hostname: string },
): Refusal | undefined {
  const isSame = Object.entries(addressOf(ceremony)).every(([name, value]) => {
    const given = page.query.getAll(name);
    return value === null ? given.length === 0 : given.length === 1 && given[0] === value;
  });
  if (!isSame) return "altered_address";
  if (ceremony.origin !== page.origin || ceremony.relying_party_id !== page.hostname) return "other_page";
  const challenge = toBase64Url(
    ceremony.ceremony_type === "approve" ? challengeOfApproval(ceremony) : challengeOfCeremony(ceremony),
  );
  const asked = page.query.getAll("challenge").map((text) => toBase64Url(fromBase64(text)));
  if (challenge !== ceremony.challenge || asked.length !== 1 || asked[0] !== challenge) return "other_challenge";
  return undefined;
}

/** From standard base64 or base64url, padded or not. Throws for anything else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}

/** Without padding. */
export function toBase64Url(bytes: Uint8Array | ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
