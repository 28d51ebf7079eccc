import type { GuardianWindow } from "./guardian-page.js";
import { openGuardianWindow } from "./guardian-window.js";
import { originOfPage } from "./passkey-ceremony.js";
import type { Confirmation } from "./submission.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { AuthenticatorResponse } from "./wire.js";

/** A session that was opened, renewed or ended on the page. */
export type PasskeySessionOutcome = {
  /** The signer that an account has for the passkey. */
  readonly passkeyAccount: string;
  readonly sessionKey: string;
  /** Unix seconds. */
  readonly expiration: number;
  /** There by the window; an address does not have it. */
  readonly authenticatorResponse?: AuthenticatorResponse;
};

/** What the page is asked about. */
export type AskedSession = { readonly url: string; readonly sessionKey: string };

/** What the page is asked to have approved. */
export type AskedApproval = { readonly url: string; readonly passkeyAccount: string };

/**
 * The page of passkey signers has done nothing. `code`: `window_blocked`, the browser opened no window: open it within the tap, or go
 * there by the address; `closed`, its user has closed it; `cancelled`; `expired`: begin again; `failed`: the chain has refused it;
 * `outcome_unknown`: it may be done; else the code with which the service has refused. After none of them is it certain that an approval
 * was not carried out. Have the server repeat `transactions.submit` of what was prepared until it answers an outcome or
 * `blockhash_expired`, which is for good: `missing_signature` means only that nothing is stored yet.
 */
export class PasskeyPageError extends Error {
  override readonly name = "PasskeyPageError";

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const closedCheckMs = 500;

/**
 * Has the page of a ceremony asked in a window, and waits for its answer, which it takes from that page alone. Give the window that
 * `openGuardianWindow` has opened in the tap; without one it is opened now. The ceremony has to name an address of this page's origin as
 * its `redirectUrl`. Rejects with `PasskeyPageError`, and with `TransactionMismatchError` where the address is none of a page, or the
 * page says that another key has the session.
 */
export async function askPasskeyPage(
  { url, sessionKey }: AskedSession,
  window: GuardianWindow = openGuardianWindow(),
): Promise<PasskeySessionOutcome> {
  return askPage(url, window, (given) => outcomeOf(given, sessionKey));
}

/**
 * The same for an approval: answers once the page says that the transaction is on chain. That is no proof, as its user owns the browser: the
 * server asks by `transactions.submit` of what was prepared before it ships. Rejects with `TransactionMismatchError` also where the page says
 * that another passkey has approved.
 */
export async function askPasskeyApproval(
  { url, passkeyAccount }: AskedApproval,
  window: GuardianWindow = openGuardianWindow(),
): Promise<Confirmation> {
  return askPage(url, window, (given) => confirmationOf(given, passkeyAccount));
}

async function askPage<Outcome>(
  url: string,
  window: GuardianWindow,
  read: (given: GivenOutcome) => Outcome,
): Promise<Outcome> {
  const origin = originOfPage(url);
  const { opened } = window;
  if (opened === null) throw new PasskeyPageError("window_blocked", "the browser opens no window");
  return new Promise((resolve, reject) => {
    const hear = ({ origin: from, source, data }: MessageEvent) => {
      if (from !== origin || source !== opened || data?.type !== "trellis.passkey") return;
      end(() => resolve(read(data)));
      opened.close();
    };
    const end = (settle: () => void) => {
      removeEventListener("message", hear);
      clearInterval(closed);
      try {
        settle();
      } catch (error) {
        reject(error);
      }
    };
    // A page's message may arrive behind the first check that finds the window closed.
    let wasClosed = false;
    const closed = setInterval(() => {
      if (wasClosed) end(() => reject(new PasskeyPageError("closed", "the passkey's page was closed")));
      wasClosed = opened.closed;
    }, closedCheckMs);
    addEventListener("message", hear);
    opened.location.replace(url);
  });
}

/** What was begun, which its way back is compared with. */
export type AwaitedReturn = { readonly sessionKey: string; readonly state: string };

const stateName = "passkey_state";

/** An address to go back to that says which beginning it is the way back of. */
export function withReturnState(redirectUrl: string, state: string): string {
  const url = new URL(redirectUrl);
  url.searchParams.set(stateName, state);
  return url.href;
}

/**
 * The answer in the address with which the page has come back. Undefined where it has none. Throws `PasskeyPageError` where no session was
 * opened, and `TransactionMismatchError` where another key has it, or the address is not the way back of what was begun: anybody can send a
 * browser to an application. Forget what was begun once its answer is read.
 */
export function readPasskeyReturn(
  address: string,
  { sessionKey, state }: AwaitedReturn,
): PasskeySessionOutcome | undefined {
  return readReturn(address, state, (given) => outcomeOf(given, sessionKey));
}

/** The same for an approval. No proof either, as for `askPasskeyApproval`. */
export function readPasskeyApprovalReturn(
  address: string,
  { passkeyAccount, state }: Pick<AskedApproval, "passkeyAccount"> & { readonly state: string },
): Confirmation | undefined {
  return readReturn(address, state, (given) => confirmationOf(given, passkeyAccount));
}

function readReturn<Outcome>(
  address: string,
  state: string,
  read: (given: GivenOutcome) => Outcome,
): Outcome | undefined {
  const { searchParams: query } = new URL(address);
  const status = query.get("status");
  const isSuccess = status === "success" && query.has("passkey_account");
  if (!isSuccess && status !== "error") return undefined;
  if (query.get(stateName) !== state || state === "") {
    throw new TransactionMismatchError("payload", "this is the way back of nothing that was begun here");
  }
  if (isSuccess) {
    const key = query.get("session_key");
    const expiration = Number(query.get("expiration"));
    return read({
      passkey_account: query.get("passkey_account"),
      session_key: { key, expiration },
      transaction_signature: query.get("transaction_signature"),
      confirmed_at: query.get("confirmed_at"),
    });
  }
  const code = query.get("message") ?? "";
  throw new PasskeyPageError(code, `the passkey's page has done nothing: ${code}`);
}

type GivenOutcome = {
  readonly passkey_account: unknown;
  readonly session_key: { readonly key: unknown; readonly expiration: unknown };
  readonly authenticator_response?: AuthenticatorResponse;
  readonly transaction_signature?: unknown;
  readonly confirmed_at?: unknown;
};

function confirmationOf(given: GivenOutcome, passkeyAccount: string): Confirmation {
  const { passkey_account: actual, transaction_signature: signature, confirmed_at: confirmedAt } = given;
  if (actual !== passkeyAccount || typeof signature !== "string" || typeof confirmedAt !== "string") {
    const difference = { expected: passkeyAccount, actual };
    throw new TransactionMismatchError("payload", "the page says something else than was asked for", difference);
  }
  return { signature, confirmedAt };
}

function outcomeOf(given: GivenOutcome, expectedKey: string): PasskeySessionOutcome {
  const { key, expiration } = given.session_key;
  if (key !== expectedKey) {
    const difference = { expected: expectedKey, actual: key };
    throw new TransactionMismatchError("payload", "the session was opened for another key", difference);
  }
  return {
    passkeyAccount: String(given.passkey_account),
    sessionKey: expectedKey,
    expiration: Number(expiration),
    ...(given.authenticator_response && { authenticatorResponse: given.authenticator_response }),
  };
}
