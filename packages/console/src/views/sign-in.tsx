import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError, call } from "../parts/api.js";
import { hasPasskeys, offersPasskeys, signInWithPasskey } from "../parts/passkeys.js";
import { useForget } from "../parts/session.js";
import { Failure } from "../parts/states.js";
import { texts } from "../texts.js";

/** Signing in: by a one-time link that is in the address, by a passkey, or by a code that is mailed. */
export function SignIn({
  token,
  onLinkDone,
}: {
  readonly token: string | undefined;
  /** The link has been used, or is given up. */
  readonly onLinkDone: () => void;
}) {
  return (
    <main className="alone">
      <p className="brand">Trellis</p>
      <h1>{texts.signIn.title}</h1>
      {token === undefined ? <ByPasskeyOrCode /> : <ByLink token={token} onDone={onLinkDone} />}
    </main>
  );
}

/** A link is used by a click: what previews links in mails must not use it up. */
function ByLink({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const forget = useForget();
  const accept = useMutation({
    mutationFn: () => call<SignedIn>({ method: "POST", path: "/console/accept", body: { token } }),
    onSuccess: async ({ data }) => {
      rememberBrowser(data);
      await forget();
      onDone();
    },
  });
  // The token is in nobody's history, nor in a picture of the screen.
  useEffect(() => history.replaceState(null, "", location.pathname), []);
  return (
    <>
      <p>{texts.signIn.byLink}</p>
      <p>
        <button
          type="button"
          className="main"
          disabled={accept.isPending || accept.isSuccess}
          onClick={() => accept.mutate()}
        >
          {texts.signIn.enter}
        </button>
      </p>
      {accept.error ? (
        <>
          <Failure error={accept.error} />
          <button type="button" className="quiet" onClick={onDone}>
            {texts.signIn.byCodeInstead}
          </button>
        </>
      ) : null}
    </>
  );
}

/** What the page hears of the session that it was given. */
interface SignedIn {
  readonly browser_token: string;
}

const browserKey = "trellis-console-browser";

/** Kept for the next request for a code: it tells this browser from strangers, and signs nobody in. */
function rememberBrowser({ browser_token }: SignedIn): void {
  localStorage.setItem(browserKey, browser_token);
}

function browserOf(): { readonly browser?: string } {
  const browser = localStorage.getItem(browserKey);
  return browser === null ? {} : { browser };
}

/** What the browser offers in the field is asked for anew, before the challenge is too old. */
const offeredMs = 240_000;

function ByPasskeyOrCode() {
  const forget = useForget();
  const offer = useRef<AbortController>(null);
  const [round, setRound] = useState(0);
  const enter = async (signedIn: SignedIn) => {
    rememberBrowser(signedIn);
    await forget();
  };
  const choose = useMutation({
    mutationFn: () => {
      // A browser has one request at a time.
      offer.current?.abort();
      return signInWithPasskey<SignedIn>();
    },
    onSuccess: enter,
    onError: () => setRound(round + 1),
  });
  const offered = useMutation({
    mutationFn: async (signal: AbortSignal) => {
      if (!(await offersPasskeys()) || signal.aborted) return undefined;
      return signInWithPasskey<SignedIn>(signal);
    },
    onSuccess: (signedIn) => signedIn && enter(signedIn),
  });
  const { mutate } = offered;
  useEffect(() => {
    const controller = new AbortController();
    offer.current = controller;
    mutate(controller.signal);
    const timer = setTimeout(() => setRound(round + 1), offeredMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [mutate, round]);
  // That nothing could be offered is no failure of what was asked for: the button says why.
  const failure = choose.error ?? (isRefused(offered.error) ? offered.error : null);
  return (
    <>
      {hasPasskeys() ? (
        <>
          <p>
            <button type="button" className="main" disabled={choose.isPending} onClick={() => choose.mutate()}>
              {texts.signIn.byPasskey}
            </button>
          </p>
          {failure === null ? null : <Failure error={failure} />}
          <p>{texts.signIn.or}</p>
        </>
      ) : null}
      <ByCode onSignedIn={enter} />
    </>
  );
}

/** Whether a passkey was chosen in the field, and the service did not take it. */
const isRefused = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

function ByCode({ onSignedIn }: { readonly onSignedIn: (signedIn: SignedIn) => Promise<void> }) {
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const ask = useMutation({
    mutationFn: () =>
      call<{ readonly request_id: string }>({
        method: "POST",
        path: "/console/sign-in",
        body: { email, ...browserOf() },
      }),
  });
  const verify = useMutation({
    mutationFn: (request_id: string) =>
      call<SignedIn>({ method: "POST", path: "/console/verify", body: { request_id, code } }),
    onSuccess: ({ data }) => onSignedIn(data),
  });
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate();
        }}
      >
        <label>
          {texts.signIn.email}
          <input
            type="email"
            name="email"
            autoComplete="email webauthn"
            required
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </label>
        <button type="submit" className={ask.isSuccess || hasPasskeys() ? "quiet" : "main"} disabled={ask.isPending}>
          {ask.isSuccess ? texts.signIn.again : texts.signIn.ask}
        </button>
        {ask.error ? <Failure error={ask.error} /> : null}
      </form>
      {ask.isSuccess ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            verify.mutate(ask.data.data.request_id);
          }}
        >
          <p role="status">{texts.signIn.sent}</p>
          <label>
            {texts.signIn.code}
            <input
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              pattern="[0-9]*"
              required
              value={code}
              onChange={({ target }) => setCode(target.value.trim())}
            />
          </label>
          <button type="submit" className="main" disabled={verify.isPending}>
            {texts.signIn.enter}
          </button>
          {verify.error ? <Failure error={verify.error} /> : null}
        </form>
      ) : (
        <p className="faint">{texts.signIn.noMail}</p>
      )}
    </>
  );
}
