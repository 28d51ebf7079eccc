import { useState } from "react";
import { Frame } from "./frame.js";
import { useRoute } from "./parts/route.js";
import { PlaceProvider, useForgetWithOthers, useSessionQuery } from "./parts/session.js";
import { Failure, Loading } from "./parts/states.js";
import { texts } from "./texts.js";
import { SignIn } from "./views/sign-in.js";
import { viewOf } from "./views.js";

/** The whole page: signing in, or what the address asks for. */
export function Console() {
  const route = useRoute();
  const session = useSessionQuery();
  useForgetWithOthers();
  // Read once: the page takes it out of the address as soon as it is shown.
  const [token, setToken] = useState(() => tokenIn(location.hash));
  if (session.data === null || token !== undefined)
    return <SignIn token={token} onLinkDone={() => setToken(undefined)} />;
  if (session.data === undefined) {
    return (
      <main className="alone">
        <h1 className="unseen">{texts.console}</h1>
        {session.error ? <Failure error={session.error} onRetry={() => void session.refetch()} /> : <Loading />}
      </main>
    );
  }
  const { environments } = session.data;
  const environment = environments.find((name) => name === route.environment) ?? environments[0] ?? "sandbox";
  const [name = ""] = route.parts;
  const view = viewOf(name);
  return (
    <PlaceProvider place={{ session: session.data, environment }}>
      <Frame current={name}>
        {view === undefined ? (
          <p>{texts.noSuchPage}</p>
        ) : (
          <view.Page parts={route.parts.slice(1)} query={route.query} key={environment} />
        )}
      </Frame>
    </PlaceProvider>
  );
}

/** Of a one-time link: whoever is signed in already, it is for somebody who is to be signed in. */
const tokenIn = (hash: string): string | undefined => /^#accept=(.+)$/.exec(hash)?.[1];
