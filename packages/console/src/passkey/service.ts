/** What the page asks of the service that it came from. Nobody's key is at hand: a challenge is what it names a ceremony by. */
import type { AuthenticatorResponse } from "./ask-passkey.js";
import type { Approval, Ceremony } from "./ceremony.js";

/** A session that was opened, or ended. */
export interface OpenedSession {
  readonly passkey_account: string;
  /** `expiration`: Unix seconds. */
  readonly session_key: { readonly key: string; readonly expiration: number };
}

/** A transaction that was approved, and has landed. */
export interface CarriedOut {
  readonly transaction_signature: string;
  readonly confirmed_at: string;
}

/** The service has refused, and nothing comes of it any more; `code` is one of its codes. */
export class Refused extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** What leaves open whether it was done, or is said of this call and not of what it is about: ask again. */
const passing: ReadonlySet<string> = new Set(["submission_in_progress", "rate_limit_exceeded"]);
/** A refusal, though it is answered as if the service had failed. */
const frozen = "tenant_frozen";

const path = "/api/service/v1/passkeys/ceremony";
const attempts = 4;
const pauseMs = 1_500;

/**
 * `redirectUrl`: as the page's address says it; without it nothing is said of an approval that goes back somewhere. Rejects with `Refused`
 * where there is no such ceremony: it never was here, is over, or has been completed.
 */
export const readCeremony = (challenge: string, redirectUrl: string | null): Promise<Ceremony | Approval> =>
  ask(
    `${path}?${new URLSearchParams({ challenge, ...(redirectUrl === null ? {} : { redirect_url: redirectUrl }) })}`,
    {},
  );

/**
 * Has it done: a session opened, or a transaction carried out. An answer that was lost is asked for again, which does nothing twice. Rejects with
 * `Refused` where nothing was done, and with another error where it is not known.
 */
export async function completeCeremony(
  authenticatorResponse: AuthenticatorResponse,
): Promise<OpenedSession | CarriedOut> {
  const request = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ authenticatorResponse }),
  };
  for (let left = attempts; ; left -= 1) {
    try {
      return await ask(path, request);
    } catch (error) {
      if (error instanceof Refused || left === 1) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

async function ask<Data>(address: string, request: RequestInit): Promise<Data> {
  const answer = await fetch(address, { ...request, credentials: "omit" });
  const body = (await answer.json()) as { readonly data: Data; readonly code?: string };
  if (answer.ok) return body.data;
  const code = String(body.code);
  if (code === frozen || (answer.status < 500 && !passing.has(code))) throw new Refused(code);
  throw new Error(`the service answered ${answer.status} ${code}`);
}
