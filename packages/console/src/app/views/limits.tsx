import { type OwnedAccount, useAccount, useSpendingLimits, useStandingOrders } from "@trellis/react";
import type { SpendingLimit } from "@trellis/sdk";
import { useState } from "react";
import { AddressText } from "../../parts/address.js";
import { Moment } from "../../parts/moment.js";
import { Card, Loading, State } from "../../parts/states.js";
import { Unhappy } from "../parts.js";
import { texts } from "../texts.js";
import { Money } from "./currencies.js";
import { LimitForm } from "./limit-form.js";
import { NamedList, type Names, useNames } from "./named.js";
import { Propose } from "./propose.js";

const words = texts.limits;
const pollMs = 30_000;

/** Who pays how much from the account without a vote, and how that becomes different. */
export default function Page() {
  const account = useAccount();
  const limits = useSpendingLimits({ pollMs, limit: 100 });
  const orders = useStandingOrders({ limit: 100 });
  const error = limits.error ?? account.error;
  const retry = () => void Promise.all([limits.refetch(), account.refetch()]);
  const names = useNames([
    ...(limits.data ?? []).flatMap(({ signers, destinations }) => [...signers, ...destinations]),
    ...(account.data?.policies.signers ?? []).map(({ address }) => address),
  ]);
  const ofOrders = new Set((orders.data ?? []).map(({ spending_limit_address: address }) => address));
  return (
    <>
      <h1>{texts.views.limits}</h1>
      <p className="faint">{words.hint}</p>
      {error ? <Unhappy error={error} onRetry={retry} /> : null}
      {limits.data === undefined || account.data === undefined ? (
        error ? null : (
          <Loading />
        )
      ) : (
        <>
          {limits.data.length === 0 ? <p>{words.none}</p> : null}
          {limits.data.map((limit) => (
            <Limit
              key={limit.address}
              limit={limit}
              account={account.data as OwnedAccount}
              names={names}
              isOfOrder={ofOrders.has(limit.address)}
            />
          ))}
          {limits.hasMore ? (
            <button type="button" className="quiet" onClick={limits.showMore}>
              {texts.inbox.more}
            </button>
          ) : null}
          <Card title={words.add}>
            <LimitForm account={account.data} names={names} />
          </Card>
        </>
      )}
    </>
  );
}

function Limit({
  limit,
  account,
  names,
  isOfOrder,
}: {
  readonly limit: SpendingLimit;
  readonly account: OwnedAccount;
  readonly names: Names;
  readonly isOfOrder: boolean;
}) {
  const { amount, remaining_amount: remaining, mint, period, next_reset: reset, signers, destinations } = limit;
  const used = BigInt(amount) - BigInt(remaining);
  return (
    <section className="card">
      <header>
        <h2>
          <Money units={amount} mint={mint} /> {words.periods[period]}
        </h2>
        <State value={limit.usable ? words.usable : words.unusable} tone={limit.usable ? "good" : "bad"} />
      </header>
      <progress className="meter" aria-label={words.used} max={100} value={percentOf(used, BigInt(amount))} />
      <dl className="facts">
        <dt>{words.used}</dt>
        <dd>
          <Money units={used} mint={mint} />
        </dd>
        <dt>{words.left}</dt>
        <dd>
          <Money units={remaining} mint={mint} />
        </dd>
        <dt>{words.signers}</dt>
        <dd>
          <NamedList addresses={signers} names={names} isWhole />
        </dd>
        <dt>{words.payees}</dt>
        <dd>
          {destinations.length === 0 ? words.anybody : <NamedList addresses={destinations} names={names} isWhole />}
        </dd>
        <dt>{words.resets}</dt>
        <dd>{reset === null ? words.never : <Moment at={reset} />}</dd>
        <dt>{words.ends}</dt>
        <dd>{limit.expiration === null ? words.never : <Moment at={limit.expiration} />}</dd>
        <dt>{words.address}</dt>
        <dd>
          <AddressText address={limit.address} isWhole />
        </dd>
      </dl>
      {isOfOrder ? <p className="faint">{words.ofOrder}</p> : <Removal limit={limit} account={account} />}
    </section>
  );
}

/** For the eye: the exact amounts stand below it. */
const percentOf = (part: bigint, whole: bigint): number => (whole === 0n ? 0 : Number((part * 100n) / whole));

function Removal({ limit, account }: { readonly limit: SpendingLimit; readonly account: OwnedAccount }) {
  const [isOpen, setOpen] = useState(false);
  if (account.policies.admin_address !== null) return null;
  if (!isOpen)
    return (
      <button type="button" className="danger" onClick={() => setOpen(true)}>
        {words.remove}
      </button>
    );
  const actions = [{ type: "RemoveSpendingLimit", spendingLimit: limit.address } as const];
  return (
    <Propose content={{ type: "settings", actions }} own={account.own}>
      <p>
        {words.removesIt} <AddressText address={limit.address} isWhole />
      </p>
      <p>{words.removing}</p>
    </Propose>
  );
}
