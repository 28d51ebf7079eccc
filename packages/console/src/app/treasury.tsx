import { AccountProvider, TrellisProvider, useAccounts, useSignIn } from "@trellis/react";
import type { OpenedTreasuryPage } from "@trellis/sdk";
import { type ReactNode, useEffect, useState } from "react";
import { OutsideText } from "../parts/outside-text.js";
import { Loading } from "../parts/states.js";
import { chooseAccount } from "./choose-account.js";
import { Frame } from "./frame.js";
import { usePage } from "./page.js";
import { PageFailure, Unhappy } from "./parts.js";
import { hrefOf, PlaceProvider, useTreasuryRoute } from "./place.js";
import { SignIn } from "./sign-in.js";
import { texts } from "./texts.js";
import { applyTheme } from "./theme.js";
import { viewOf } from "./views.js";

/** Where no tenant is named: the one that a new service makes. */
const firstTenant = "default";

/** All pages: whose they are is in the address. */
export function Treasury() {
  const { tenant = firstTenant, environment } = useTreasuryRoute();
  const page = usePage(tenant);
  if (page.data === undefined)
    return (
      <Alone>{page.error ? <PageFailure error={page.error} onRetry={() => void page.refetch()} /> : <Loading />}</Alone>
    );
  const { environments } = page.data;
  const chosen = environments.find((name) => name === environment) ?? environments[0];
  if (chosen === undefined) return <Alone>{texts.closed}</Alone>;
  return (
    <TrellisProvider
      key={`${tenant} ${chosen}`}
      baseUrl={location.origin}
      apiKey={page.data.publishable_key}
      environment={chosen}
    >
      <Tenant tenant={tenant} environment={chosen} page={page.data} />
    </TrellisProvider>
  );
}

interface TenantProps {
  readonly tenant: string;
  readonly environment: OpenedTreasuryPage["environments"][number];
  readonly page: OpenedTreasuryPage;
}

function Tenant({ tenant, environment, page }: TenantProps) {
  const { state } = useSignIn();
  useEffect(() => {
    applyTheme(page.color);
    document.title = page.name;
  }, [page]);
  if (state.status === "restoring")
    return (
      <Alone>
        <Loading />
      </Alone>
    );
  if (state.status !== "signed-in") return <SignIn page={page} environment={environment} />;
  return <Account tenant={tenant} environment={environment} page={page} own={state.account} />;
}

/** The account that the address names, or the signer's own where it names none. */
function Account({ tenant, environment, page, own }: TenantProps & { readonly own: string }) {
  const { account: asked, parts } = useTreasuryRoute();
  const { data: accounts, error, refetch } = useAccounts();
  const choice = accounts && chooseAccount(accounts, asked, own);
  // A link may lead to an account that is newer than the list: it is read once more before the account is called missing.
  const [checked, setChecked] = useState<string>();
  const missing = choice?.status === "missing" ? choice.address : undefined;
  useEffect(() => {
    if (missing !== undefined) void refetch().then(() => setChecked(missing));
  }, [missing, refetch]);
  if (accounts === undefined || choice === undefined)
    return <Alone>{error ? <Unhappy error={error} onRetry={refetch} /> : <Loading />}</Alone>;
  if (choice.status === "none") return <Alone>{texts.noAccounts}</Alone>;
  if (choice.status === "missing")
    return (
      <Alone>
        {error ? <Unhappy error={error} onRetry={refetch} /> : null}
        {checked === missing ? (
          <Missing address={choice.address} toOwn={hrefOf({ tenant, environment })} />
        ) : (
          <Loading />
        )}
      </Alone>
    );
  const { account } = choice;
  const [name = ""] = parts;
  const view = viewOf(name);
  return (
    <PlaceProvider place={{ tenant, environment, account: account.address, signers: account.own?.signers ?? [] }}>
      <AccountProvider address={account.address} key={account.address}>
        <Frame page={page} accounts={accounts} current={name}>
          {view === undefined ? <p>{texts.noSuchPage}</p> : <view.Page parts={parts.slice(1)} />}
        </Frame>
      </AccountProvider>
    </PlaceProvider>
  );
}

/** The address is from outside, and is whatever a link says. */
function Missing({ address, toOwn }: { readonly address: string; readonly toOwn: string }) {
  return (
    <div role="alert">
      <p>
        {texts.notYours} <OutsideText text={address} />
      </p>
      <a href={toOwn}>{texts.toOwn}</a>
    </div>
  );
}

function Alone({ children }: { readonly children: ReactNode }) {
  return (
    <main className="alone">
      <h1 className="unseen">{texts.treasury}</h1>
      {children}
    </main>
  );
}
