import type { Account } from "@trellis/sdk";
import { useState } from "react";
import { AddressText } from "../parts/address.js";
import { useLabels } from "../parts/labels.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { usePlace } from "../parts/session.js";
import { texts } from "../texts.js";
import type { ViewProps } from "../views.js";
import { AccountPage } from "./account.js";

const words = texts.accounts;
type Filter = keyof typeof words.by;

/** The accounts of the tenant, or the one that the address names. */
export default function Accounts({ parts, query }: ViewProps) {
  const [address] = parts;
  return address === undefined ? <AccountList query={query} /> : <AccountPage address={address} key={address} />;
}

function AccountList({ query }: { readonly query: URLSearchParams }) {
  const { environment } = usePlace();
  const filter = (Object.keys(words.by) as Filter[]).find((name) => query.has(name));
  const list = useList<Account>("/accounts", filter === undefined ? {} : { [filter]: query.get(filter) ?? "" });
  const labels = useLabels((list.rows ?? []).map(({ address }) => address));
  return (
    <>
      <h1>{words.title}</h1>
      <Find chosen={filter ?? "email"} given={filter === undefined ? "" : (query.get(filter) ?? "")} />
      <ListView
        list={list}
        caption={words.caption}
        empty={words.empty}
        keyOf={({ address }) => address}
        columns={[
          {
            title: words.address,
            cell: ({ address }) => (
              <a href={hrefOf(environment, ["accounts", address])}>
                <AddressText address={address} label={labels.get(address)} />
              </a>
            ),
          },
          { title: words.owner, cell: ({ email, memo }) => <OutsideText text={email ?? memo ?? texts.none} /> },
          { title: words.type, cell: ({ type }) => type },
          {
            title: words.threshold,
            cell: ({ policies }) => words.thresholdOf(policies.threshold, policies.signers.length),
          },
          { title: words.created, cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
    </>
  );
}

function Find({ chosen, given }: { readonly chosen: Filter; readonly given: string }) {
  const { environment } = usePlace();
  const [by, setBy] = useState<Filter>(chosen);
  const [text, setText] = useState(given);
  return (
    <search>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          location.hash = hrefOf(environment, ["accounts"], { [by]: text.trim() });
        }}
      >
        <label>
          {words.findBy}
          <select value={by} onChange={({ target }) => setBy(target.value as Filter)}>
            {(Object.keys(words.by) as Filter[]).map((name) => (
              <option key={name} value={name}>
                {words.by[name]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.by[by]}
          <input type="search" value={text} onChange={({ target }) => setText(target.value)} />
        </label>
        <button type="submit">{words.find}</button>
      </form>
    </search>
  );
}
