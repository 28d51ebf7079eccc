import {
  createTrellisClient,
  type ProposedContent,
  sessionTokenOf,
  TrellisApiError,
  type TrellisClient,
  type TrellisClientOptions,
  type VoteAction,
} from "@trellis/sdk";
import { createDecisions, type DecisionState, type Decisions } from "./decisions.js";
import { randomId, type SignedIn } from "./kept-session.js";
import { createPaymentSlot, type PaymentSlot } from "./payment-slot.js";
import type { PaymentStorage, SessionStorage, Visibility } from "./platform.js";
import { createResource, type Resource } from "./resource.js";
import { createSignInFlow, type SignInFlow } from "./sign-in-flow.js";

export type ConnectionOptions = Omit<TrellisClientOptions, "sessionToken"> & {
  /** Where payments are kept until their outcome is known. Default: the page's `localStorage`, else memory. */
  readonly storage?: PaymentStorage;
  /** Where the session is kept. Default: the page's IndexedDB, sealed with a key that stays in it; else memory. */
  readonly sessionStorage?: SessionStorage;
  /** Default: the page's. */
  readonly visibility?: Visibility;
};

/** A client, whoever is signed in with it, and what is read and paid for them. Outlives the components that show it. */
export type Connection = {
  /** Signs in whoever was signed in before, and keeps the session going until the answer is called. */
  readonly open: () => () => void;
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

const endOfSession: ReadonlySet<string> = new Set(["invalid_session", "session_expired"]);

export function createConnection(
  options: ConnectionOptions & Required<Pick<ConnectionOptions, "storage" | "sessionStorage" | "visibility">>,
): Connection {
  const { storage, sessionStorage, visibility, ...clientOptions } = options;
  let lastToken: string | undefined;
  const client: TrellisClient = createTrellisClient({ ...clientOptions, sessionToken: () => lastToken });
  const signIn = createSignInFlow({
    client,
    storage: sessionStorage,
    storageKey: `trellis.session.${options.baseUrl}.${options.apiKey}.${options.environment}`,
  });
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

  /** A session can end before its time; then the next one does what this one could not. */
  const withRenewal = async <Answer>(act: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await act();
    } catch (error) {
      const isOver = error instanceof TrellisApiError && endOfSession.has(error.code);
      if (!isOver || !(await signIn.renew())) throw error;
      return act();
    }
  };

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
    const carry: Decisions["act"] = (proposal, action, act) => decisions.act(proposal, action, () => withRenewal(act));
    return {
      decisions,
      propose: (content, approve) =>
        carry("new", "propose", async () => client.proposals.create({ ...by(), content, approve })),
      vote: (proposal, action, content) =>
        carry(proposal, action, async () => client.proposals.vote({ ...about(proposal, content), action })),
      execute: (proposal, content) =>
        carry(proposal, "execute", async () => client.proposals.execute(about(proposal, content))),
      approveAndExecute: (proposal, content) =>
        carry(proposal, "approve-and-execute", async () => client.proposals.voteAndExecute(about(proposal, content))),
    };
  };

  return {
    open: () => {
      void signIn.restore();
      return signIn.watch();
    },
    client,
    signIn,
    resource: <Data>(name: string, read: (client: TrellisClient, account: string) => Promise<Data>) => {
      const account = signedIn.get()?.account;
      if (account === undefined) return undefined;
      const known = resources.get(name);
      if (known !== undefined) return known as Resource<Data>;
      const made = createResource({ read: () => withRenewal(() => read(client, account)), visibility });
      resources.set(name, made);
      return made;
    },
    paymentSlot: (name) => {
      const account = signedIn.get()?.account;
      if (account === undefined) return undefined;
      const known = slots.get(name);
      if (known !== undefined) return known;
      const made = createPaymentSlot({
        send: (request, submitOptions) =>
          withRenewal(async () =>
            client.transfers.send({ ...request, account, session: requireHolder(account).session }, submitOptions),
          ),
        resume: (signed) => client.transactions.resume(signed),
        storage,
        storageKey: `trellis.payment.${options.environment}.${account}.${name}`,
        newId: randomId,
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
