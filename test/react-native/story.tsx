import { type PaymentState, TrellisProvider, usePayment, useSignIn } from "@trellis/react";
import {
  createMemoryStorage,
  createSecureStorage,
  createSessionKeeper,
  createTrellisClient,
  decodeTransaction,
  type EncryptionKeyPair,
  formatUnits,
  generateEncryptionKeyPair,
  openSession,
  type PreparedTransfer,
  type ProviderAuthentication,
  parseUnits,
  type SecureStore,
  TransactionMismatchError,
  verifyWebhook,
} from "@trellis/sdk";
import { StrictMode, useEffect } from "react";
import { create } from "react-test-renderer";

/** What a service has answered before, and what is to be paid with it. */
export type Prepared = {
  readonly email: string;
  readonly account: string;
  readonly userId: string;
  readonly authentication: ProviderAuthentication;
  readonly publicKeySpkiBase64: string;
  readonly privateKeyPkcs8: readonly number[];
  readonly destination: string;
  readonly uiAmount: string;
  readonly transfer: PreparedTransfer;
  readonly webhook: { readonly body: string; readonly headers: Record<string, string>; readonly secret: string };
};

/** The result. */
export type Played = {
  /** Of a key pair made there. */
  readonly publicKey: string;
  /** What the hook has submitted: the real service has to take it. */
  readonly submitted: string;
  readonly states: readonly string[];
  readonly event: string;
  readonly refusal: string;
  readonly units: string;
  readonly restored: string | undefined;
};

/** A keychain as `expo-secure-store` offers it. */
function createKeychain(): SecureStore {
  const items = new Map<string, string>();
  return {
    getItemAsync: async (key) => items.get(key) ?? null,
    setItemAsync: async (key, value) => {
      items.set(key, value);
    },
    deleteItemAsync: async (key) => {
      items.delete(key);
    },
  };
}

/** All that a phone does with the client library and its hooks, but for the wire: what is sent is answered from what was prepared. */
export async function play(prepared: Prepared): Promise<Played> {
  const { account, email, userId, destination, uiAmount, transfer, webhook } = prepared;
  const keyPair: EncryptionKeyPair = {
    publicKeySpkiBase64: prepared.publicKeySpkiBase64,
    privateKeyPkcs8: Uint8Array.from(prepared.privateKeyPkcs8),
  };
  let submitted = "";
  const answer = (data: unknown) => ({
    status: 200,
    headers: { get: () => null },
    text: async () => JSON.stringify({ data, metadata: {} }),
  });
  const fetch = (async (url: string, init: { readonly body: string }) => {
    if (url.endsWith("/payment-intent")) return answer(transfer);
    if (!url.endsWith("/submit")) throw new TypeError(`nothing was prepared for ${url}`);
    submitted = init.body;
    return answer({ transaction_signature: "s", confirmed_at: "2026-01-05T09:00:00.000Z" });
  }) as unknown as typeof globalThis.fetch;
  const options = { baseUrl: "https://trellis.example", apiKey: "pk_test_x", environment: "sandbox", fetch } as const;

  const session = await openSession(prepared.authentication, keyPair);
  const sessionStorage = createSecureStorage(createKeychain());
  const name = `trellis.session.${options.baseUrl}.${options.apiKey}.${options.environment}`;
  const client = createTrellisClient(options);
  await createSessionKeeper({ client, storage: sessionStorage, name }).keep({
    ...{ email, account, userId, session, keyPair },
  });
  const restored = await createSessionKeeper({ client, storage: sessionStorage, name }).restore();

  const signed = decodeTransaction(transfer.transaction);
  if (signed.syncCalls.length !== 1) throw new Error("the transfer was read otherwise");
  const more = parseUnits(uiAmount, 9) + 1n;
  const refusal = await client.transfers
    .send({ account, session, currency: "sol", destination, amount: more })
    .catch((error: unknown) => error);
  if (!(refusal instanceof TransactionMismatchError) || submitted !== "") throw refusal;

  const states: string[] = [];
  let leave = () => {};
  await new Promise<void>((resolve, reject) => {
    const end = ({ status, ...state }: PaymentState) => {
      if (status === "confirmed") resolve();
      if (status === "refused" || status === "unknown") reject("error" in state ? state.error.cause : status);
    };
    function Pay() {
      const { state: signIn } = useSignIn();
      const { state, pay } = usePayment();
      const isSignedIn = signIn.status === "signed-in";
      const view = state.status === "paying" ? state.step : state.status;
      if (states[states.length - 1] !== view) states.push(view);
      useEffect(() => {
        // Twice, as effects run in the strict mode of development.
        if (isSignedIn) void pay({ currency: "sol", destination, uiAmount });
        if (isSignedIn) void pay({ currency: "sol", destination, uiAmount });
      }, [isSignedIn, pay]);
      useEffect(() => end(state), [state]);
      return null;
    }
    const root = create(
      <StrictMode>
        <TrellisProvider
          {...options}
          storage={createMemoryStorage()}
          sessionStorage={sessionStorage}
          visibility={{ isVisible: () => true, subscribe: () => () => undefined }}
        >
          <Pay />
        </TrellisProvider>
      </StrictMode>,
    );
    leave = () => root.unmount();
  });
  leave();
  const event = verifyWebhook(webhook);
  return {
    publicKey: generateEncryptionKeyPair().publicKeySpkiBase64,
    submitted,
    states,
    event: event.type,
    refusal: refusal.difference,
    units: formatUnits(more, 9),
    restored: restored?.account,
  };
}
