import { CodeForm, useSignIn, useWallets } from "@trellis/react";
import type { OpenedTreasuryPage } from "@trellis/sdk";
import { useState } from "react";
import { OutsideText } from "../parts/outside-text.js";
import { Unhappy } from "./parts.js";
import { texts } from "./texts.js";

const words = texts.signIn;

/** Signing in: by a code that is mailed, a passkey, or a wallet of the browser. */
export function SignIn({ page, environment }: { readonly page: OpenedTreasuryPage; readonly environment: string }) {
  const { state, start, verify, cancel } = useSignIn();
  const isCodeAsked = state.status === "code-needed" || state.status === "verifying";
  return (
    <main className="alone">
      <p className="brand">
        {page.logo === null ? null : <img className="logo" src={page.logo} alt="" />}
        <OutsideText text={page.name} />
        {environment === "mainnet" ? null : (
          <span className="play">{texts.environments[environment] ?? environment}</span>
        )}
      </p>
      <h1>{words.title}</h1>
      {isCodeAsked ? (
        <>
          <p role="status">{words.sentTo(state.email)}</p>
          <CodeForm
            onCode={verify}
            isBusy={state.status === "verifying"}
            error={state.status === "code-needed" ? state.error?.help : undefined}
            label={words.code}
            hint={words.codeHint}
            submitLabel={state.status === "verifying" ? texts.working : words.enter}
          />
          <p className="buttons">
            <button type="button" className="quiet" onClick={() => void start(state.email)}>
              {words.again}
            </button>
            <button type="button" className="quiet" onClick={cancel}>
              {words.otherAddress}
            </button>
          </p>
        </>
      ) : (
        <Ways />
      )}
    </main>
  );
}

function Ways() {
  const { state, start, signInWithPasskey, signInWithWallet, cancel } = useSignIn();
  const wallets = useWallets();
  const [email, setEmail] = useState(state.status === "error" ? state.email : "");
  const isAsked = state.status === "passkey-asked" || state.status === "wallet-asked";
  const isBusy = state.status === "sending" || isAsked;
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start(email);
        }}
      >
        <label>
          {words.email}
          <input
            type="email"
            name="email"
            autoComplete="email"
            required
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </label>
        <button type="submit" className="main" disabled={isBusy}>
          {state.status === "sending" ? texts.working : words.ask}
        </button>
      </form>
      {state.status === "error" ? <Unhappy error={state.error} /> : null}
      <p className="buttons">
        <button type="button" className="quiet" disabled={isBusy} onClick={() => void signInWithPasskey()}>
          {words.byPasskey}
        </button>
        {wallets.map((wallet, at) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: two wallets may have one name; those that come later stand behind
            key={`${at} ${wallet.name}`}
            type="button"
            className="quiet"
            disabled={isBusy}
            onClick={() => void signInWithWallet(wallet)}
          >
            {words.byWallet} <OutsideText text={wallet.name} />
          </button>
        ))}
      </p>
      {isAsked ? (
        <p role="status">
          {state.status === "wallet-asked" ? words.walletAsked : words.passkeyAsked}{" "}
          <button type="button" className="quiet" onClick={cancel}>
            {words.otherWay}
          </button>
        </p>
      ) : null}
    </>
  );
}
