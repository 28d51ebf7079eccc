import type { SpendingLimit } from "@trellis/sdk";
import { AddressText } from "../parts/address.js";
import { Filters } from "../parts/filters.js";
import { useLabels } from "../parts/labels.js";
import { LeftOf } from "../parts/left-of.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { useList } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { usePlace } from "../parts/session.js";
import { State } from "../parts/states.js";
import { texts } from "../texts.js";
import type { ViewProps } from "../views.js";

const words = texts.limits;

/** The spending limits of all accounts: who may pay alone, and how much. */
export default function Limits({ query }: ViewProps) {
  const { environment } = usePlace();
  const of = (name: string) => query.get(name) ?? undefined;
  const filter = { account: of("account"), signer: of("signer"), mint: of("mint") };
  const list = useList<SpendingLimit>("/spending-limits", filter);
  const labels = useLabels(
    (list.rows ?? []).flatMap(({ main_account_address, signers, destinations }) => [
      main_account_address,
      ...signers,
      ...destinations,
    ]),
  );
  const addresses = (some: readonly string[]) =>
    some.map((address) => <AddressText key={address} address={address} label={labels.get(address)} />);
  return (
    <>
      <h1>{texts.views.limits}</h1>
      <p className="faint">{words.what}</p>
      <Filters
        view="limits"
        query={query}
        fields={[
          { name: "account", label: texts.payments.account },
          { name: "signer", label: words.signer },
          { name: "mint", label: words.mint },
        ]}
      />
      <ListView
        list={list}
        caption={texts.views.limits}
        empty={words.empty}
        keyOf={({ address }) => address}
        columns={[
          {
            title: texts.payments.from,
            cell: ({ main_account_address: account }) => (
              <>
                {addresses([account])} <a href={hrefOf(environment, ["accounts", account])}>{texts.payments.open}</a>
              </>
            ),
          },
          { title: words.signers, cell: ({ signers }) => addresses(signers) },
          {
            title: texts.payments.to,
            cell: ({ destinations }) => (destinations.length === 0 ? words.anybody : addresses(destinations)),
          },
          {
            title: words.left,
            isNumber: true,
            cell: ({ remaining_amount, amount, mint }) => <LeftOf left={remaining_amount} all={amount} mint={mint} />,
          },
          {
            title: words.period,
            cell: ({ period, expiration }) => (
              <>
                {period.replaceAll("_", " ")}
                {expiration === null ? null : (
                  <div>
                    {words.until} <Moment at={expiration} />
                  </div>
                )}
              </>
            ),
          },
          {
            title: texts.account.state,
            cell: ({ usable }) =>
              usable ? <State value={words.usable} tone="good" /> : <State value={words.unusable} tone="plain" />,
          },
        ]}
      />
    </>
  );
}
