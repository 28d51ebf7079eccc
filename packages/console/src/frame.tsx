import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call } from "./parts/api.js";
import { ClockNotice } from "./parts/clock.js";
import { OutsideText } from "./parts/outside-text.js";
import { hrefOf, useRoute } from "./parts/route.js";
import { useForget, usePlace } from "./parts/session.js";
import { Shell } from "./parts/shell.js";
import { Failure } from "./parts/states.js";
import { texts } from "./texts.js";
import { views } from "./views.js";

/** What stands around every view: the name, the environment, the menu, and who is signed in. */
export function Frame({ current, children }: { readonly current: string; readonly children: ReactNode }) {
  const { session, environment } = usePlace();
  const { parts } = useRoute();
  const isReal = environment === "mainnet";
  const shown = views.filter(
    ({ scope, isSandboxOnly }) =>
      (scope === undefined || session.scopes.includes(scope)) && (isSandboxOnly !== true || environment === "sandbox"),
  );
  return (
    <Shell
      words={texts}
      bar={
        <>
          <a className="brand" href={hrefOf(environment, [])}>
            Trellis
          </a>
          <span className="tenant">
            <OutsideText text={session.tenant.name} />
          </span>
          <label className="environment">
            <span className="unseen">{texts.environment}</span>
            <select
              value={environment}
              className={isReal ? "real" : undefined}
              onChange={({ target }) => {
                location.hash = hrefOf(target.value, parts.slice(0, 1));
              }}
            >
              {session.environments.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <Signed />
        </>
      }
      menu={shown.map(({ name, title }) => ({ name, title, href: hrefOf(environment, name === "" ? [] : [name]) }))}
      current={current}
      notice={<ClockNotice />}
    >
      {children}
    </Shell>
  );
}

function Signed() {
  const { session } = usePlace();
  const forget = useForget();
  const signOut = useMutation({
    mutationFn: () => call({ method: "POST", path: "/console/sign-out", body: {} }),
    onSettled: forget,
  });
  return (
    <div className="who">
      <span>
        <OutsideText text={session.member.name ?? session.member.email} />{" "}
        <small>{texts.roles[session.member.role]}</small>
      </span>
      <button type="button" className="quiet" onClick={() => signOut.mutate()} disabled={signOut.isPending}>
        {texts.signOut}
      </button>
      {signOut.error ? <Failure error={signOut.error} /> : null}
    </div>
  );
}
