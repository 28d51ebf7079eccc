import { type ListedOwnedAccount, useShownLabels, useSignIn } from "@trellis/react";
import type { OpenedTreasuryPage } from "@trellis/sdk";
import type { ReactNode } from "react";
import { shortAddress } from "../parts/address.js";
import { OutsideText, visibleParts } from "../parts/outside-text.js";
import { Shell } from "../parts/shell.js";
import { hrefOf, usePlace } from "./place.js";
import { texts } from "./texts.js";
import { views } from "./views.js";

/** What stands around every view: whose pages they are, the account, the menu, and who is signed in. */
export function Frame({
  page,
  accounts,
  current,
  children,
}: {
  readonly page: OpenedTreasuryPage;
  readonly accounts: readonly ListedOwnedAccount[];
  readonly current: string;
  readonly children: ReactNode;
}) {
  const place = usePlace();
  const { data: names } = useShownLabels(accounts.map(({ address }) => address));
  return (
    <Shell
      words={texts}
      bar={
        <>
          <Brand page={page} href={hrefOf(place)} />
          <Environment environment={place.environment} environments={page.environments} />
          <label>
            <span className="unseen">{texts.account}</span>
            <select value={place.account} onChange={({ target }) => open(hrefOf({ ...place, account: target.value }))}>
              {accounts.map((account) => (
                <option key={account.address} value={account.address}>
                  {nameOf(account, names?.get(account.address)?.name)}
                </option>
              ))}
            </select>
          </label>
          <Signed />
        </>
      }
      menu={views.map(({ name, title }) => ({ name, title, href: hrefOf(place, name === "" ? [] : [name]) }))}
      current={current}
    >
      {children}
    </Shell>
  );
}

/** The tenant's name and picture. */
export function Brand({ page, href }: { readonly page: OpenedTreasuryPage; readonly href: string }) {
  return (
    <a className="brand" href={href}>
      {page.logo === null ? null : <img className="logo" src={page.logo} alt="" />}
      <OutsideText text={page.name} />
    </a>
  );
}

/** Which money it is. */
export function Environment({
  environment,
  environments,
}: {
  readonly environment: string;
  readonly environments: readonly string[];
}) {
  const place = usePlace();
  if (environments.length < 2)
    return environment === "mainnet" ? null : (
      <span className="play">{texts.environments[environment] ?? environment}</span>
    );
  return (
    <label>
      <span className="unseen">{texts.environment}</span>
      <select
        value={environment}
        className={environment === "mainnet" ? "real" : undefined}
        onChange={({ target }) =>
          open(hrefOf({ tenant: place.tenant, environment: target.value as typeof place.environment }))
        }
      >
        {environments.map((name) => (
          <option key={name} value={name}>
            {texts.environments[name] ?? name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** An account in a list: its name where it has one, who decides, and its address. */
function nameOf({ address, policies }: ListedOwnedAccount, name: string | undefined): string {
  const visible = visibleParts(name ?? "").map(({ text, isHidden }) => (isHidden ? `[${text}]` : text));
  const rules = policies === null ? texts.account : texts.accountOf(policies.threshold, policies.signers.length);
  return [...(name === undefined ? [] : [visible.join("")]), rules, shortAddress(address)].join(" · ");
}

function open(href: string): void {
  location.hash = href;
}

function Signed() {
  const { state, signOut } = useSignIn();
  return (
    <div className="who">
      {state.status === "signed-in" ? (
        state.wallet === undefined ? (
          <OutsideText text={state.email} />
        ) : (
          <code title={state.wallet}>{shortAddress(state.wallet)}</code>
        )
      ) : null}
      <button type="button" className="quiet" onClick={() => void signOut()}>
        {texts.signOut}
      </button>
    </div>
  );
}
