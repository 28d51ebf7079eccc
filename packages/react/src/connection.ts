import {
  type Confirmation,
  type CredentialsApi,
  createTrellisClient,
  type ProposalDetails,
  type ProposedContent,
  randomIdempotencyKey,
  type SessionStorage,
  type SignedInAccount,
  SignedOutError,
  type TrellisClient,
  type TrellisClientOptions,
  type TrellisSession,
} from "@trellis/sdk";
import { createDecisions, type DecisionAction, type DecisionState, type Decisions } from "./decisions.js";
import { createPasskeyActs, type PasskeyActs } from "./passkey-acts.js";
import { createPaymentSlot, type PaymentSlot } from "./payment-slot.js";
import type { PaymentStorage, Visibility } from "./platform.js";
import { ProposalNotShownError } from "./proposal-not-shown-error.js";
import { createReviews, type ProposalReview } from "./proposal-review.js";
import { createResource, type Resource } from "./resource.js";
import { createSpelling } from "./sentence.js";
import { createSignInFlow, type SignInFlow } from "./sign-in-flow.js";

export type ConnectionOptions = Omit<TrellisClientOptions, "sessionToken"> & {
  /** Where payments are kept until their outcome is known. Default: the page's `localStorage`, else memory. */
  readonly storage?: PaymentStorage;
  /** Where the session is kept. Default: the page's IndexedDB, sealed with a key that stays in it; else memory. */
  readonly sessionStorage?: SessionStorage;
  /** Default: the page's. */
  readonly visibility?: Visibility;
  /** What is asked for passkeys. Default: `navigator.credentials`. */
  readonly credentials?: CredentialsApi;
};

/** A client, the user signed in with it, and what is read and paid for them. Outlives the components that display it. */
export type Connection = {
  /** Signs in the user who was signed in before, and keeps the session going until the answer is called. */
  readonly open: () => () => void;
  readonly client: TrellisClient;
  readonly signIn: SignInFlow;
  /** Something of the account that is signed in, read once for all components that display it. Undefined while none is. */
  readonly resource: <Data>(
    name: string,
    read: (client: TrellisClient, account: string) => Promise<Data>,
  ) => Resource<Data> | undefined;
  /** Undefined while no account is signed in. */
  readonly paymentSlot: (name: string) => PaymentSlot | undefined;
  /** What the account that is signed in does about proposals. Undefined while none is. */
  readonly acts: () => Acts | undefined;
  /** What who is signed in does about passkeys. Undefined while none is. */
  readonly passkeyActs: () => PasskeyActs | undefined;
  /** Something has happened to the account: everything of it is read anew, what is displayed at once. */
  readonly invalidateAll: () => Promise<void>;
};

/** What a user does about proposals; see `useProposals`. */
export type Acts = {
  readonly decisions: Decisions;
  readonly propose: (content: ProposedContent, approve: boolean) => Promise<DecisionState>;
  /** What has to be displayed of a proposal before it is approved. */
  readonly reviewOf: (details: ProposalDetails) => ProposalReview;
  readonly approve: (review: ProposalReview) => Promise<DecisionState>;
  readonly execute: (review: ProposalReview) => Promise<DecisionState>;
  readonly approveAndExecute: (review: ProposalReview) => Promise<DecisionState>;
  /** What keeps a proposal from being executed needs no review. */
  readonly stop: (proposal: string, action: "reject" | "cancel") => Promise<DecisionState>;
};

export function createConnection(
  options: ConnectionOptions & Required<Pick<ConnectionOptions, "storage" | "sessionStorage" | "visibility">>,
): Connection {
  const { storage, sessionStorage, visibility, credentials, ...clientOptions } = options;
  const client: TrellisClient = createTrellisClient({ ...clientOptions, sessionToken: () => keeper.token() });
  const signIn = createSignInFlow({
    client,
    credentials,
    storage: sessionStorage,
    storageKey: `trellis.session.${options.baseUrl}.${options.apiKey}.${options.environment}`,
  });
  const { keeper } = signIn;
  // What belongs to one account is removed with it: no account sees what another one has.
  let resources = new Map<string, Resource<unknown>>();
  let slots = new Map<string, PaymentSlot>();
  let acts: Acts | undefined;
  let passkeyActs: PasskeyActs | undefined;
  let holder: SignedInAccount | undefined;
  keeper.subscribe(() => {
    const next = keeper.current();
    if (next?.account !== holder?.account) {
      resources = new Map();
      slots = new Map();
      acts = undefined;
      passkeyActs = undefined;
    }
    holder = next;
  });

  /** Does something for one account and for no other, with a session that is good. */
  const as = <Answer>(account: string, act: (session: TrellisSession) => Promise<Answer>): Promise<Answer> =>
    keeper.withSession(async (session, holder) => {
      if (holder.account !== account) throw new SignedOutError("another user is signed in by now");
      return act(session);
    });

  const invalidateAll = async (): Promise<void> => {
    await Promise.all([...resources.values()].map((resource) => resource.invalidate()));
  };

  const createActs = (account: string): Acts => {
    const decisions = createDecisions({
      resume: (signed) => client.transactions.resume(signed),
      onDone: () => void invalidateAll(),
    });
    const carry = (
      proposal: string,
      action: DecisionAction,
      act: (by: { readonly account: string; readonly session: TrellisSession }) => Promise<Confirmation>,
      subject?: string,
    ) => decisions.act(proposal, action, () => as(account, (session) => act({ account, session })), subject);
    const reviews = createReviews(createSpelling(options.environment));
    /** Nothing is done about what was not displayed in full, whatever an application hands over. */
    const decide = (
      review: ProposalReview,
      action: DecisionAction,
      act: (by: { readonly account: string; readonly session: TrellisSession }) => Promise<Confirmation>,
    ) =>
      // What an application hands over may be anything.
      carry((review as Partial<ProposalReview> | undefined)?.proposal?.proposalAddress ?? "new", action, async (by) => {
        if (!reviews.isMade(review)) {
          throw new ProposalNotShownError(
            "This proposal was not displayed to you in full. Open it again, and then decide.",
          );
        }
        if (review.refusal !== undefined) throw new ProposalNotShownError(review.refusal);
        return act(by);
      });
    const about = ({ proposal: view }: ProposalReview) => ({ proposal: view.proposalAddress, shown: view });
    return {
      decisions,
      propose: (content, approve) =>
        carry(
          "new",
          "propose",
          (by) => client.proposals.create({ ...by, content, approve }),
          JSON.stringify([content, approve], (_name, value) => (typeof value === "bigint" ? `${value}n` : value)),
        ),
      reviewOf: reviews.of,
      approve: (review) =>
        decide(review, "approve", (by) => client.proposals.vote({ ...by, ...about(review), action: "approve" })),
      execute: (review) => decide(review, "execute", (by) => client.proposals.execute({ ...by, ...about(review) })),
      approveAndExecute: (review) =>
        decide(review, "approve-and-execute", (by) => client.proposals.voteAndExecute({ ...by, ...about(review) })),
      stop: (proposal, action) => carry(proposal, action, (by) => client.proposals.vote({ ...by, proposal, action })),
    };
  };

  return {
    open: () => {
      void signIn.restore();
      return keeper.watch();
    },
    client,
    signIn,
    resource: <Data>(name: string, read: (client: TrellisClient, account: string) => Promise<Data>) => {
      const account = keeper.current()?.account;
      if (account === undefined) return undefined;
      const known = resources.get(name);
      if (known !== undefined) return known as Resource<Data>;
      const made = createResource({ read: () => as(account, () => read(client, account)), visibility });
      resources.set(name, made);
      return made;
    },
    paymentSlot: (name) => {
      const account = keeper.current()?.account;
      if (account === undefined) return undefined;
      const known = slots.get(name);
      if (known !== undefined) return known;
      const made = createPaymentSlot({
        send: ({ byPasskey, ...request }, submitOptions) =>
          as(account, async (session) => {
            if (byPasskey !== true) return client.transfers.send({ ...request, account, session }, submitOptions);
            const passkeys = { passkeys: await client.passkeys.list(account), ...(credentials && { credentials }) };
            return client.transfers.send({ ...request, account, passkeys }, submitOptions);
          }),
        resume: (signed) => client.transactions.resume(signed),
        storage,
        storageKey: `trellis.payment.${options.environment}.${account}.${name}`,
        newId: randomIdempotencyKey,
        onConfirmed: () => void invalidateAll(),
      });
      slots.set(name, made);
      return made;
    },
    acts: () => {
      const account = keeper.current()?.account;
      if (account !== undefined) acts ??= createActs(account);
      return acts;
    },
    passkeyActs: () => {
      const account = keeper.current()?.account;
      if (account === undefined) return undefined;
      passkeyActs ??= createPasskeyActs({
        client,
        account,
        credentials,
        as: (act) => as(account, act),
        onDone: () => void invalidateAll(),
      });
      return passkeyActs;
    },
    invalidateAll,
  };
}
