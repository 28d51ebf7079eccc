import { createTrellisClient, sessionTokenOf, type TrellisClient, type TrellisClientOptions } from "@trellis/sdk";
import { createPaymentSlot, type PaymentSlot } from "./payment-slot.js";
import type { PaymentStorage, Visibility } from "./platform.js";
import { createResource, type Resource } from "./resource.js";
import { createSignInFlow, type SignedIn, type SignInFlow } from "./sign-in-flow.js";

export type ConnectionOptions = Omit<TrellisClientOptions, "sessionToken"> & {
  /** Where payments are kept until their outcome is known. Default: the page's `localStorage`, else memory. */
  readonly storage?: PaymentStorage;
  /** Default: the page's. */
  readonly visibility?: Visibility;
};

/** A client, whoever is signed in with it, and what is read and paid for them. Outlives the components that show it. */
export type Connection = {
  readonly client: TrellisClient;
  readonly signIn: SignInFlow;
  /** Something of the account that is signed in, read once for all who show it. Undefined while nobody is. */
  readonly resource: <Data>(
    name: string,
    read: (client: TrellisClient, account: string) => Promise<Data>,
  ) => Resource<Data> | undefined;
  /** Undefined while nobody is signed in. */
  readonly paymentSlot: (name: string) => PaymentSlot | undefined;
  /** Reads everything that is shown anew: something has happened to the account. */
  readonly refetchAll: () => Promise<void>;
};

export function createConnection(
  options: Omit<ConnectionOptions, "storage" | "visibility"> & {
    readonly storage: PaymentStorage;
    readonly visibility: Visibility;
  },
): Connection {
  const { storage, visibility, ...clientOptions } = options;
  let lastToken: string | undefined;
  const client: TrellisClient = createTrellisClient({ ...clientOptions, sessionToken: () => lastToken });
  const signIn = createSignInFlow(client);
  const { signedIn } = signIn;
  // What belongs to one account is gone with it: nobody is shown what another one has.
  let resources = new Map<string, Resource<unknown>>();
  let slots = new Map<string, PaymentSlot>();
  let holder: SignedIn | undefined;
  signedIn.subscribe(() => {
    const next = signedIn.get();
    if (next !== undefined) lastToken = sessionTokenOf(next.session) ?? lastToken;
    if (next?.account !== holder?.account) {
      resources = new Map();
      slots = new Map();
    }
    holder = next;
  });

  const requireHolder = (account: string): SignedIn => {
    const current = signedIn.get();
    if (current?.account !== account) throw new Error("signed out in the meantime");
    return current;
  };

  const refetchAll = async (): Promise<void> => {
    await Promise.all([...resources.values()].map((resource) => resource.refetch()));
  };

  return {
    client,
    signIn,
    resource: <Data>(name: string, read: (client: TrellisClient, account: string) => Promise<Data>) => {
      const account = signedIn.get()?.account;
      if (account === undefined) return undefined;
      const known = resources.get(name);
      if (known !== undefined) return known as Resource<Data>;
      const made = createResource({ read: () => read(client, account), visibility });
      resources.set(name, made);
      return made;
    },
    paymentSlot: (name) => {
      const account = signedIn.get()?.account;
      if (account === undefined) return undefined;
      const known = slots.get(name);
      if (known !== undefined) return known;
      const made = createPaymentSlot({
        send: async (request, submitOptions) =>
          client.transfers.send({ ...request, account, session: requireHolder(account).session }, submitOptions),
        resume: (signed) => client.transactions.resume(signed),
        storage,
        storageKey: `trellis.payment.${options.environment}.${account}.${name}`,
        newId: () => randomId(),
        onConfirmed: () => void refetchAll(),
      });
      slots.set(name, made);
      return made;
    },
    refetchAll,
  };
}

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
