import { useSignIn } from "@trellis/react";
import { SignIn } from "./sign-in.js";
import { Wallet } from "./wallet.js";

export function App() {
  const { state, signOut } = useSignIn();
  return (
    <>
      <header className="bar">
        <span className="brand">
          <Mark /> Purse
        </span>
        {state.status === "signed-in" ? (
          <span className="who">
            <span className="who-email" title={state.email}>
              {state.email}
            </span>
            <button type="button" className="quiet" onClick={signOut}>
              Sign out
            </button>
          </span>
        ) : (
          <span className="badge">Sandbox</span>
        )}
      </header>
      {state.status === "signed-in" ? <Wallet account={state.account} /> : null}
      {state.status === "signed-in" || state.status === "restoring" ? null : <SignIn />}
    </>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="30" height="30" aria-hidden="true" className="mark">
      <rect width="32" height="32" rx="9" />
      <path d="M8 12h16v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2zM11 12V9h10v3" />
    </svg>
  );
}
