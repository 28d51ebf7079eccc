import { randomUUID } from "node:crypto";
import { AccountProvider, TrellisProvider, type TrellisProviderProps } from "@trellis/react";
import { type ReactNode, StrictMode } from "react";
import { create, type ReactTestRenderer, act as renderAfter } from "react-test-renderer";
import { apiPath, dataOf } from "../adversarial/support.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { use } from "../support/use.js";

export { createStorage, createTabs } from "../support/storages.js";

// There is no page here, as under React Native.
const surroundings = Object.assign(globalThis, {
  IS_REACT_ACT_ENVIRONMENT: false,
  IS_REACT_NATIVE_TEST_ENVIRONMENT: true,
});

/** Does something and renders its result. What the service answers later renders when it arrives. */
export async function act<Answer>(doing: () => Answer | Promise<Answer>): Promise<Answer> {
  surroundings.IS_REACT_ACT_ENVIRONMENT = true;
  try {
    return await renderAfter(async () => doing());
  } finally {
    surroundings.IS_REACT_ACT_ENVIRONMENT = false;
  }
}

export const page = "https://app.example";

export const readingScopes = [
  "auth:write",
  "payments:write",
  "transactions:write",
  "accounts:read",
  "proposals:read",
  "proposals:write",
];

/** The real application behind real HTTP, and a publishable key for the page. */
export interface Backend {
  readonly trellis: TestService;
  readonly publishableKey: string;
}

export async function startBackend(variables: Readonly<Record<string, string>> = {}): Promise<Backend> {
  const trellis = await startTestService({ TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT: "0", ...variables });
  const body = {
    name: "App",
    type: "publishable",
    environments: ["sandbox"],
    allowed_origins: [page],
    scopes: readingScopes,
  };
  const { key } = dataOf<{ key: string }>(await trellis.request("POST", `${apiPath}/api-keys`, body));
  return { trellis, publishableKey: key };
}

/** The same for all tests of a file; no name that begins with `use`, which means a hook here. */
export const sharedBackend = (): Backend =>
  use(async () => {
    const backend = await startBackend();
    return { ...backend, close: () => backend.trellis.close() };
  });

/** What goes between the page and the service: to look at it, to hold it up, to lose its answer. */
export type Between = (
  request: { readonly method: string; readonly path: string },
  go: () => Promise<Response>,
) => Promise<Response>;

export interface Screen<View> {
  /** What the hook answered at the last rendering. */
  readonly shown: () => View;
  /** Waits until that is so. */
  readonly until: (isSo: (view: View) => boolean) => Promise<View>;
  /** Does something as an event handler would. */
  readonly does: <Answer>(act: (view: View) => Answer | Promise<Answer>) => Promise<Answer>;
  readonly renders: () => Promise<void>;
  /** Renders it for another account; undefined: the user's own. */
  readonly chooses: (account: string | undefined) => Promise<void>;
  readonly leave: () => Promise<void>;
}

function Probe<View>({ useShown: useView, hear }: { useShown: () => View; hear: (view: View) => void }): ReactNode {
  hear(useView());
  return null;
}

/** Renders what a hook answers, twice as strictly as in production, as a page with a publishable key. */
export async function open<View>(
  { trellis, publishableKey }: Backend,
  useView: () => View,
  {
    between = (_request, go) => go(),
    around = (children) => children,
    ...options
  }: Partial<TrellisProviderProps> & {
    readonly between?: Between;
    /** What stands around the hook, within the account. */
    readonly around?: (children: ReactNode) => ReactNode;
  } = {},
): Promise<Screen<View>> {
  let last: View | undefined;
  let chosen: string | undefined;
  const hear = (view: View) => {
    last = view;
  };
  const browse: typeof fetch = (url, init) => {
    const { pathname } = new URL(String(url));
    const headers = { ...(init?.headers as object), origin: page };
    return between({ method: init?.method ?? "GET", path: pathname }, () => fetch(url, { ...init, headers }));
  };
  const tree = () => (
    <StrictMode>
      <TrellisProvider
        baseUrl={trellis.url}
        apiKey={publishableKey}
        environment="sandbox"
        fetch={browse}
        pause={() => Promise.resolve()}
        {...options}
      >
        <AccountProvider address={chosen}>{around(<Probe useShown={useView} hear={hear} />)}</AccountProvider>
      </TrellisProvider>
    </StrictMode>
  );
  let root: ReactTestRenderer | undefined;
  await act(async () => {
    root = create(tree());
  });
  const view = (): View => last as View;
  return {
    shown: view,
    until: async (isSo) => {
      // As long as the test may take.
      while (!isSo(view())) await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
      return view();
    },
    does: async (doIt) => {
      let answer: { readonly value: Awaited<ReturnType<typeof doIt>> } | undefined;
      await act(async () => {
        answer = { value: await doIt(view()) };
      });
      if (answer === undefined) throw new Error("nothing was done");
      return answer.value;
    },
    renders: () => act(async () => root?.update(tree())),
    chooses: (account) => {
      chosen = account;
      return act(async () => root?.update(tree()));
    },
    leave: () => act(async () => root?.unmount()),
  };
}

export const freshEmail = (): string => `${randomUUID()}@example.org`;

export async function codeFor({ trellis }: Backend, email: string): Promise<string> {
  const [mail] = await trellis.client.sandbox.outbox(email);
  return mail?.otp_code ?? "";
}
