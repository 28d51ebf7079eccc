import { type PaymentState, type PaymentStep, usePayment, useProposals } from "@trellis/react";
import { type FormEvent, useState } from "react";
import { WholeAddress } from "./address.js";
import { baseUnitsOf, type Currency, currencies, decimalOf, short, shownAmount } from "./amounts.js";

export function Pay() {
  const { state, pay, retry, reset } = usePayment();
  return (
    <section className="card pay" aria-label="Pay">
      <h2>Pay</h2>
      {state.status === "idle" || state.status === "refused" ? (
        <PayForm refusal={state.status === "refused" ? state.error.help : undefined} onPay={pay} />
      ) : (
        <Progress state={state} onRetry={retry} onNext={reset} />
      )}
    </section>
  );
}

type PayFormProps = {
  readonly refusal: string | undefined;
  readonly onPay: ReturnType<typeof usePayment>["pay"];
};

function PayForm({ refusal, onPay }: PayFormProps) {
  const { propose, stateOf } = useProposals();
  const [destination, setDestination] = useState("");
  const [amount, setAmount] = useState("");
  const [currency, setCurrency] = useState<Currency>("usdc");
  const [isVote, setVote] = useState(false);
  const [flaw, setFlaw] = useState<string>();
  const proposing = stateOf();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const units = baseUnitsOf(amount, currency);
    const to = destination.trim();
    if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(to)) return setFlaw("That is not an address on Solana.");
    if (units === undefined) return setFlaw(`That is not an amount of ${currencies[currency].symbol}.`);
    setFlaw(undefined);
    if (!isVote) return void onPay({ currency, destination: to, amount: units });
    const proposed = await propose({ type: "transfer", currency, destination: to, amount: units });
    if (proposed.status !== "done") return;
    setAmount("");
    setDestination("");
  };
  const isProposing = proposing.status === "acting";
  const problem = flaw ?? (isVote && "error" in proposing ? proposing.error.help : refusal);
  return (
    <form onSubmit={submit} noValidate>
      <label htmlFor="destination">To</label>
      <input
        id="destination"
        className="mono"
        placeholder="Address on Solana"
        autoComplete="off"
        spellCheck={false}
        value={destination}
        onChange={({ target }) => setDestination(target.value)}
      />
      <label htmlFor="amount">Amount</label>
      <div className="amount">
        <input
          id="amount"
          inputMode="decimal"
          placeholder="0.00"
          autoComplete="off"
          value={amount}
          onChange={({ target }) => setAmount(target.value)}
        />
        <select
          aria-label="Currency"
          value={currency}
          onChange={({ target }) => setCurrency(target.value === "sol" ? "sol" : "usdc")}
        >
          <option value="usdc">USDC</option>
          <option value="sol">SOL</option>
        </select>
      </div>
      <label className="check">
        <input type="checkbox" checked={isVote} onChange={({ target }) => setVote(target.checked)} />
        <span>Put it to a vote first</span>
      </label>
      <p className="error" aria-live="assertive">
        {problem}
      </p>
      <button type="submit" className="primary" disabled={isProposing}>
        {isVote ? (isProposing ? "Proposing…" : "Propose") : "Pay"}
      </button>
    </form>
  );
}

const steps: readonly (readonly [PaymentStep | "confirmed", string])[] = [
  ["preparing", "Prepared by the service"],
  ["checked", "Checked and signed here"],
  ["submitted", "Sent to the chain"],
  ["confirmed", "Confirmed"],
];

type ProgressProps = {
  readonly state: Exclude<PaymentState, { readonly status: "idle" | "refused" }>;
  readonly onRetry: () => void;
  readonly onNext: () => void;
};

function Progress({ state, onRetry, onNext }: ProgressProps) {
  const { request } = state;
  const currency: Currency = request.currency === "sol" ? "sol" : "usdc";
  const amount = request.uiAmount ?? decimalOf(BigInt(request.amount), currency);
  return (
    <div className="progress">
      <p className="sum">
        {shownAmount(amount)}
        <span className="unit">{currencies[currency].symbol}</span>
      </p>
      <p className="muted">
        to <WholeAddress address={request.destination} />
      </p>
      <ol className="steps" aria-live="polite">
        {steps.map(([step, label], at) => (
          <li key={step} data-state={standing(at, reached(state))}>
            {label}
          </li>
        ))}
      </ol>
      {state.status === "confirmed" ? (
        <>
          <p className="done" role="status">
            Paid.{" "}
            <span className="mono muted" title={state.sent.signature}>
              {short(state.sent.signature)}
            </span>
          </p>
          <button type="button" className="primary" onClick={onNext}>
            Another payment
          </button>
        </>
      ) : null}
      {state.status === "unknown" ? (
        <>
          <p className="error" role="alert">
            {state.error.help}
          </p>
          <button type="button" className="primary" onClick={onRetry}>
            Find out
          </button>
        </>
      ) : null}
    </div>
  );
}

/** How many of the steps are behind it. */
function reached(state: ProgressProps["state"]): number {
  if (state.status === "confirmed") return steps.length;
  if (state.status === "unknown") return 2;
  return { preparing: 0, prepared: 1, checked: 1, signed: 2, submitted: 2 }[state.step];
}

const standing = (at: number, done: number) => (at < done ? "done" : at === done ? "now" : "ahead");
