import { useAccount, useBalances, useClient, usePasskeys } from "@trellis/react";
import { useState } from "react";
import { short, shownAmount } from "./amounts.js";
import { Pay } from "./pay.js";
import { Proposals } from "./proposals.js";

const backendUrl = import.meta.env.VITE_BACKEND_URL ?? "http://127.0.0.1:8787";

export function Wallet({ account }: { readonly account: string }) {
  return (
    <main className="wallet">
      <Balance account={account} />
      <Pay />
      <Proposals />
      <Passkeys />
    </main>
  );
}

function Balance({ account }: { readonly account: string }) {
  const { data: balances, error } = useBalances();
  const { data: details } = useAccount();
  const amountOf = (symbol: string) => balances?.tokens.find((token) => token.symbol === symbol)?.amount_decimal ?? "0";
  const isEmpty = balances?.tokens.every(({ amount_decimal }) => !/[1-9]/.test(amount_decimal));
  return (
    <section className="card balance" aria-label="Balance">
      <h1 className="muted">You have</h1>
      <p className="sum" data-testid="usdc">
        {balances === undefined ? <span className="blank">0.00</span> : shownAmount(amountOf("USDC"))}
        <span className="unit">USDC</span>
      </p>
      <p className="sum-small" data-testid="sol">
        {balances === undefined ? "" : `and ${shownAmount(amountOf("SOL"))} SOL`}
      </p>
      {error === undefined ? null : <p className="error">{error.help}</p>}
      <div className="facts">
        <Address address={account} />
        {details === undefined ? null : (
          <span className="muted">
            {details.policies.threshold} of {details.policies.signers.length} signers must approve
          </span>
        )}
      </div>
      {isEmpty ? <PlayMoney account={account} /> : null}
    </section>
  );
}

/** Signs in the next time, without a code. */
function Passkeys() {
  const { data: passkeys, state, add } = usePasskeys();
  const isAdding = state.status === "acting";
  return (
    <section className="card" aria-label="Passkeys">
      <h2>Passkeys</h2>
      <ul>
        {passkeys?.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <p className="error" aria-live="polite">
        {state.status === "refused" ? state.error.help : undefined}
      </p>
      <button type="button" onClick={() => add("This device")} disabled={isAdding}>
        {isAdding ? "One moment…" : "Add a passkey"}
      </button>
    </section>
  );
}

function Address({ address }: { readonly address: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" className="chip" onClick={copy} title={address} data-address={address}>
      {isCopied ? "Copied" : short(address)}
    </button>
  );
}

/** The application's own backend gives it: a page's key may not. */
function PlayMoney({ account }: { readonly account: string }) {
  const client = useClient();
  const { refetch } = useBalances();
  const [said, setSaid] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    setSaid(undefined);
    try {
      const { token } = await client.auth.identityToken();
      const response = await fetch(`${backendUrl}/welcome`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ account }),
      });
      if (!response.ok) setSaid(((await response.json()) as { message: string }).message);
      await refetch();
    } catch {
      setSaid("The backend of this example does not answer.");
    } finally {
      setAsking(false);
    }
  };
  return (
    <div className="welcome">
      <button type="button" className="primary" onClick={ask} disabled={isAsking}>
        {isAsking ? "Asking…" : "Get play money"}
      </button>
      <p className="error" aria-live="polite">
        {said}
      </p>
    </div>
  );
}
