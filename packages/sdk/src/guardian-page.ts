import { encodeHex } from "./encoding.js";
import type { KmsPayload, PasskeySignedPayload } from "./wire.js";

/** The page of the guardian's own, on which the user reads what is in the bytes before the passkey signs them. */
export type GuardianPage = {
  /** Its origin, as its operator names it: `https://guardian.example.com`. The service is not asked. */
  readonly origin: string;
  /** Which wallets are approved there: those of this provider. */
  readonly provider: string;
};

/** The user has declined on the guardian's page, or has closed it. */
export class ApprovalDeclinedError extends Error {
  override readonly name = "ApprovalDeclinedError";
}

const closedCheckMs = 500;

/**
 * Opens the guardian's page with a payload, and waits for what the passkey signs there. Browsers open it in answer to a click alone. Rejects with
 * `ApprovalDeclinedError`.
 */
export async function approveOnGuardianPage(
  { payload }: Pick<KmsPayload, "payload">,
  { origin }: GuardianPage,
  credentialIds: readonly string[],
): Promise<PasskeySignedPayload> {
  const state = encodeHex(crypto.getRandomValues(new Uint8Array(16)));
  const asked = { payload, credentials: credentialIds.join(","), return_to: location.origin, state };
  const opened = window.open(`${origin}/#${new URLSearchParams(asked)}`, "_blank", "popup,width=480,height=800");
  if (opened === null) throw new TypeError("the browser opens no page: ask in answer to a click");
  return new Promise((resolve, reject) => {
    const hear = ({ origin: from, source, data }: MessageEvent) => {
      if (from !== origin || source !== opened || data?.type !== "trellis.approval" || data.state !== state) return;
      if (data.stamp === undefined) end(() => reject(new ApprovalDeclinedError("the user has declined")));
      else end(() => resolve(readStamp(data.stamp)));
    };
    const end = (settle: () => void) => {
      removeEventListener("message", hear);
      clearInterval(closed);
      settle();
    };
    // A page that closes itself has answered before, and its message may arrive behind this check.
    let wasClosed = false;
    const closed = setInterval(() => {
      if (wasClosed) end(() => reject(new ApprovalDeclinedError("the guardian's page was closed")));
      wasClosed = opened.closed;
    }, closedCheckMs);
    addEventListener("message", hear);
  });
}

/** Exactly the four parts, so that nothing else is sent on. */
function readStamp(stamp: Record<string, unknown>): PasskeySignedPayload {
  const { credential_id, authenticator_data, client_data_json, signature } = stamp;
  return {
    credential_id: String(credential_id),
    authenticator_data: String(authenticator_data),
    client_data_json: String(client_data_json),
    signature: String(signature),
  };
}
