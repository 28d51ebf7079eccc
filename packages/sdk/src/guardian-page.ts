import type { KeyValueStorage } from "./session-storage.js";
import type { PasskeySignedPayload } from "./wire.js";

/** The page of the guardian's own, on which the user reads what is in the bytes before the passkey signs them. */
export type GuardianPage = {
  /** Its origin, as its operator names it: `https://guardian.example.com`. The service is not asked. */
  readonly origin: string;
  /** Which wallets are approved there: those of this provider. */
  readonly provider: string;
  /**
   * `window`, the default: in a window beside the application, which a tap opens; by `redirect` where the browser opens none. `redirect`: the
   * application's own page leaves for it, and comes back.
   */
  readonly form?: "window" | "redirect";
  /** For the window: one that `openGuardianWindow` has opened in the tap. Default: the call opens it as the first thing that it does. */
  readonly window?: GuardianWindow;
  /** How the page is reached, and how it returns, without a window. */
  readonly redirect?: ApprovalRedirect;
};

/** A window that was opened in a tap; `opened` is null where the browser has refused that. */
export type GuardianWindow = { readonly opened: Window | null };

/** How an application without a second window gets an approval. */
export type ApprovalRedirect = {
  /**
   * Where the page returns to: an address of one of the wallet's origins as the browser writes it, without `?` and `#`; or an application's
   * own address, as the guardian's operator has configured it.
   */
  readonly returnTo: string;
  /** Where the approval waits until the call is repeated. Default: the tab's `sessionStorage`. */
  readonly storage?: KeyValueStorage;
  /**
   * Leaves for the page. Default: `location.assign`. An application that stays where it is, as a native one beside a browser, answers the
   * address with which the page has come back; undefined where the user has closed it.
   */
  readonly open?: (address: string) => Promise<string | undefined>;
};

/** The user has declined on the guardian's page, or has closed it. */
export class ApprovalDeclinedError extends Error {
  override readonly name = "ApprovalDeclinedError";
}

/**
 * - `guardian_window_blocked`: the browser opened no window. Nothing was asked. Open it within the tap, or give `redirect`.
 * - `guardian_page_unreached`: the window was closed, or cut off from this page, before it showed anything. Give `form: "redirect"`.
 * - `approval_redirected`: the page leaves for the guardian's. When it is back, repeat the call with the same `idempotencyKey`.
 * - `approval_expired`: it was approved too late, or not asked for in time. Begin again.
 */
export type GuardianPageCode =
  | "guardian_window_blocked"
  | "guardian_page_unreached"
  | "approval_redirected"
  | "approval_expired";

/** The guardian's page has given no answer, for a reason that is not the user's decision. Nothing was submitted. */
export class GuardianPageError extends Error {
  override readonly name = "GuardianPageError";

  constructor(
    readonly code: GuardianPageCode,
    message: string,
  ) {
    super(message);
  }
}

/** How the page says that the user has approved, declined, or was too late. */
export type ApprovalOutcome = "approved" | "declined" | "expired";

/** What is signed, or the error for the other outcomes. */
export function stampOf(outcome: ApprovalOutcome, stamp: PasskeySignedPayload | undefined): PasskeySignedPayload {
  if (outcome === "expired") throw new GuardianPageError("approval_expired", "this was to be approved earlier");
  if (outcome === "declined" || stamp === undefined) throw new ApprovalDeclinedError("the user has declined");
  return stamp;
}

/** Exactly the four parts, so that nothing else is sent on. */
export function readStamp(stamp: Readonly<Record<string, unknown>>): PasskeySignedPayload {
  const { credential_id, authenticator_data, client_data_json, signature } = stamp;
  return {
    credential_id: String(credential_id),
    authenticator_data: String(authenticator_data),
    client_data_json: String(client_data_json),
    signature: String(signature),
  };
}

/** The page's address with a question: behind `#`, which browsers send to no server. */
export function pageAddress(origin: string, asked: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(asked).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${origin}/#${pairs.join("&")}`;
}
