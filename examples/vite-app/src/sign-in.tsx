import { CodeForm, useSignIn } from "@trellis/react";
import { type FormEvent, useState } from "react";

export function SignIn() {
  const { state, start, verify, cancel } = useSignIn();
  const isCodeAsked = state.status === "code-needed" || state.status === "verifying";
  return (
    <main className="entrance">
      <section className="pitch">
        <h1>Money that moves when you say so.</h1>
        <p>
          Sign in with your e-mail address. Your wallet is on Solana, it obeys this browser alone while you are signed
          in, and every payment is checked here before it is signed.
        </p>
      </section>
      <section className="card gate">
        {isCodeAsked ? (
          <>
            <h2>Look into your mail</h2>
            <p className="muted">
              We have sent a code to <b>{state.email}</b>.
            </p>
            <CodeForm
              onCode={verify}
              isBusy={state.status === "verifying"}
              error={state.status === "code-needed" ? state.error?.help : undefined}
              submitLabel={state.status === "verifying" ? "One moment…" : "Sign in"}
            />
            <p className="aside">
              <button type="button" className="link" onClick={() => start(state.email)}>
                Send another code
              </button>
              <button type="button" className="link" onClick={cancel}>
                Another address
              </button>
            </p>
          </>
        ) : (
          <EmailForm />
        )}
      </section>
    </main>
  );
}

function EmailForm() {
  const { state, start, signInWithPasskey } = useSignIn();
  const [email, setEmail] = useState(state.status === "error" ? state.email : "");
  const isSending = state.status === "sending";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void start(email);
  };
  return (
    <form onSubmit={submit} noValidate>
      <h2>Come in</h2>
      <p className="muted">New here? The same way: your wallet is made as you sign in.</p>
      <label htmlFor="email">E-mail address</label>
      <input
        id="email"
        type="email"
        autoComplete="email"
        placeholder="you@example.org"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        required
      />
      <p className="error" aria-live="assertive">
        {state.status === "error" ? state.error.help : undefined}
      </p>
      <button type="submit" className="primary" disabled={isSending || email.trim() === ""}>
        {isSending ? "Sending…" : "Send me a code"}
      </button>
      <p className="aside">
        <button type="button" className="link" onClick={signInWithPasskey} disabled={state.status === "passkey-asked"}>
          Sign in with a passkey
        </button>
      </p>
    </form>
  );
}
