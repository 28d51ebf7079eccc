import {
  createTrellisClient,
  type ProposedContent,
  sessionTokenOf,
  type TrellisClient,
  type TrellisClientOptions,
  type VoteAction,
} from "@trellis/sdk";
import { createDecisions, type DecisionState, type Decisions } from "./decisions.js";
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
  /** What the account that is signed in does about proposals. Undefined while nobody is. */
  readonly acts: () => Acts | undefined;
  /** Something has happened to the account: everything of it is read anew, what is shown at once. */
  readonly invalidateAll: () => Promise<void>;
};

/** What somebody does about proposals; see `useProposals`. */
export type Acts = {
  readonly decisions: Decisions;
  readonly propose: (content: ProposedContent, approve: boolean) => Promise<DecisionState>;
  readonly vote: (proposal: string, action: VoteAction, content?: ProposedContent) => Promise<DecisionState>;
  readonly execute: (proposal: string, content?: ProposedContent) => Promise<DecisionState>;
  readonly approveAndExecute: (proposal: string, content?: ProposedContent) => Promise<DecisionState>;
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
  let acts: Acts | undefined;
  let holder: SignedIn | undefined;
  signedIn.subscribe(() => {
    const next = signedIn.get();
    if (next !== undefined) lastToken = sessionTokenOf(next.session) ?? lastToken;
    if (next?.account !== holder?.account) {
      resources = new Map();
      slots = new Map();
      acts = undefined;
    }
    holder = next;
  });

  const requireHolder = (account: string): SignedIn => {
    const current = signedIn.get();
    if (current?.account !== account) throw new Error("signed out in the meantime");
    return current;
  };

  const invalidateAll = async (): Promise<void> => {
    await Promise.all([...resources.values()].map((resource) => resource.invalidate()));
  };

  const createActs = (account: string): Acts => {
    const decisions = createDecisions({
      resume: (signed) => client.transactions.resume(signed),
      onDone: () => void invalidateAll(),
    });
    const by = () => ({ account, session: requireHolder(account).session });
    const about = (proposal: string, content: ProposedContent | undefined) => ({
      ...by(),
      proposal,
      ...(content === undefined ? {} : { content }),
    });
    return {
      decisions,
      propose: (content, approve) =>
        decisions.act("new", "propose", async () => client.proposals.create({ ...by(), content, approve })),
      vote: (proposal, action, content) =>
        decisions.act(proposal, action, async () => client.proposals.vote({ ...about(proposal, content), action })),
      execute: (proposal, content) =>
        decisions.act(proposal, "execute", async () => client.proposals.execute(about(proposal, content))),
      approveAndExecute: (proposal, content) =>
        decisions.act(proposal, "approve-and-execute", async () =>
          client.proposals.voteAndExecute(about(proposal, content)),
        ),
    };
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
        onConfirmed: () => void invalidateAll(),
      });
      slots.set(name, made);
      return made;
    },
    acts: () => {
      const account = signedIn.get()?.account;
      if (account !== undefined) acts ??= createActs(account);
      return acts;
    },
    invalidateAll,
  };
}

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
