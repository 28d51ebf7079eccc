import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "../parts/api.js";
import { useForget } from "../parts/session.js";
import { Failure } from "../parts/states.js";
import { texts } from "../texts.js";

/** Signing in: by a one-time link that is in the address, or by a code that is mailed. */
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
      {token === undefined ? <ByCode /> : <ByLink token={token} onDone={onLinkDone} />}
    </main>
  );
}

/** A link is used by a click: what previews links in mails must not use it up. */
function ByLink({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const forget = useForget();
  const accept = useMutation({
    mutationFn: () => call({ method: "POST", path: "/console/accept", body: { token } }),
    onSuccess: async () => {
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

function ByCode() {
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const forget = useForget();
  const ask = useMutation({ mutationFn: () => call({ method: "POST", path: "/console/sign-in", body: { email } }) });
  const verify = useMutation({
    mutationFn: () => call({ method: "POST", path: "/console/verify", body: { email, code } }),
    onSuccess: forget,
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
            autoComplete="email"
            required
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </label>
        <button type="submit" className={ask.isSuccess ? "quiet" : "main"} disabled={ask.isPending}>
          {ask.isSuccess ? texts.signIn.again : texts.signIn.ask}
        </button>
        {ask.error ? <Failure error={ask.error} /> : null}
      </form>
      {ask.isSuccess ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            verify.mutate();
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
