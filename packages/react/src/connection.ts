import {
  type AccountHolder,
  addressesOfHolder,
  type Confirmation,
  type CredentialsApi,
  createTrellisClient,
  OutcomeUnknownError,
  type Permission,
  type ProposalDetails,
  type ProposedContent,
  randomIdempotencyKey,
  type SessionStorage,
  SignedOutError,
  type SignedSubmission,
  type SignersChange,
  type TrellisClient,
  type TrellisClientOptions,
} from "@trellis/sdk";
import { createDecisions, type Decided, type DecisionAction, type DecisionState, type Decisions } from "./decisions.js";
import { explainError } from "./explain-error.js";
import { NoPasskeySessionError } from "./no-passkey-session-error.js";
import { createOrderActs, type OrderActs } from "./order-acts.js";
import { type OwnSigners, ownSignersOf } from "./own-powers.js";
import { createPasskeyActs, type PasskeyActs } from "./passkey-acts.js";
import { createPasskeySessionKeeper, type PasskeySessionKeeper } from "./passkey-session-keeper.js";
import { createPaymentSlot, type PaymentSlot } from "./payment-slot.js";
import type { PaymentStorage, Visibility, WalletRegistry } from "./platform.js";
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
  /** The wallets that can sign in. Default: those that the page has. */
  readonly wallets?: WalletRegistry;
};

/**
 * A client, the user signed in with it, and what is read and paid for them, by account: a user may be a signer of several. Outlives the
 * components that display it.
 */
export type Connection = {
  /** Signs in the user who was signed in before, and keeps the session going until the answer is called. */
  readonly open: () => () => void;
  readonly client: TrellisClient;
  readonly signIn: SignInFlow;
  /** Of a passkey signer. Its key is forgotten whenever a user signs in or out. */
  readonly passkeySession: PasskeySessionKeeper;
  readonly wallets: WalletRegistry;
  /** Something of an account, read once for all components that display it. Undefined while no user is signed in. */
  readonly resource: <Data>(account: string, name: string, read: ReadOfAccount<Data>) => Resource<Data> | undefined;
  /** Does something in an account. Rejects with `SignedOutError` while no user is signed in. */
  readonly act: <Answer>(account: string, act: ReadOfAccount<Answer>) => Promise<Answer>;
  /** Undefined while no user is signed in. */
  readonly paymentSlot: (account: string, name: string) => PaymentSlot | undefined;
  /** What the user does about proposals of an account. Undefined while no user is signed in. */
  readonly acts: (account: string) => Acts | undefined;
  /** What the user does about their passkeys in an account. Undefined while no user is signed in. */
  readonly passkeyActs: (account: string) => PasskeyActs | undefined;
  /** What the user does about standing orders of an account. Undefined while no user is signed in. */
  readonly orderActs: (account: string) => OrderActs | undefined;
  /** Something has happened: everything of all accounts is read anew, what is displayed at once. */
  readonly invalidateAll: () => Promise<void>;
};

/** Asks for something of an account, with what signs for who is signed in. */
export type ReadOfAccount<Data> = (client: TrellisClient, account: string, by: AccountHolder) => Promise<Data>;

/** Something about a proposal, by what signs for who is signed in. */
type ActOfAccount = (by: AccountHolder & { readonly account: string }) => Promise<Confirmation>;

/** What is read and done of one account, with the session of the user whose own account is `own`. */
type OfAccount = {
  readonly own: string;
  readonly resources: Map<string, Resource<unknown>>;
  readonly slots: Map<string, PaymentSlot>;
  acts?: Acts;
  passkeyActs?: PasskeyActs;
  orderActs?: OrderActs;
};

/** What can be proposed. A policy is reached from what the account has when it is proposed. */
export type ProposableContent =
  | Exclude<ProposedContent, { readonly type: "policy" }>
  | { readonly type: "policy"; readonly changes: SignersChange };

/** What a user does about proposals; see `useProposals`. */
export type Acts = {
  readonly decisions: Decisions<DecisionAction, Decided>;
  readonly propose: (content: ProposableContent, approve: boolean) => Promise<DecisionState>;
  /** What has to be displayed of a proposal before it is approved. */
  readonly reviewOf: (details: ProposalDetails) => ProposalReview;
  readonly approve: (review: ProposalReview) => Promise<DecisionState>;
  readonly execute: (review: ProposalReview) => Promise<DecisionState>;
  readonly approveAndExecute: (review: ProposalReview) => Promise<DecisionState>;
  /** What keeps a proposal from being executed needs no review. */
  readonly stop: (proposal: string, action: "reject" | "cancel") => Promise<DecisionState>;
};

export function createConnection(
  options: ConnectionOptions &
    Required<Pick<ConnectionOptions, "storage" | "sessionStorage" | "visibility" | "wallets">>,
): Connection {
  const { storage, sessionStorage, visibility, credentials, wallets, ...clientOptions } = options;
  const client: TrellisClient = createTrellisClient({ ...clientOptions, sessionToken: () => keeper.token() });
  const signIn = createSignInFlow({
    client,
    credentials,
    wallets,
    environment: options.environment,
    storage: sessionStorage,
    storageKey: `trellis.session.${options.baseUrl}.${options.apiKey}.${options.environment}`,
  });
  const { keeper } = signIn;
  const passkeySession = createPasskeySessionKeeper();
  // What belongs to one user is removed with them: no user sees what another one has, also of an account of both.
  let ofAccounts = new Map<string, OfAccount>();
  let holder: ReturnType<typeof keeper.current>;
  const walletOf = (who: typeof holder) => (who !== undefined && "wallet" in who ? who.wallet : undefined);
  keeper.subscribe(() => {
    const next = keeper.current();
    if (next?.account !== holder?.account || walletOf(next) !== walletOf(holder)) {
      ofAccounts = new Map();
      // Also one that was opened before anybody signed in: nobody knows by whom.
      passkeySession.forget();
    }
    holder = next;
  });
  /** What there is of an account; undefined while no user is signed in. */
  const find = (account: string): OfAccount | undefined => {
    const own = keeper.current()?.account;
    if (own === undefined) return undefined;
    const known = ofAccounts.get(account);
    if (known !== undefined) return known;
    const made = { own, resources: new Map(), slots: new Map() };
    ofAccounts.set(account, made);
    return made;
  };

  /** Does something for the user with this account of their own and for no other, with what signs for them. */
  const as = <Answer>(account: string, act: (by: AccountHolder) => Promise<Answer>): Promise<Answer> =>
    keeper.act(async (by, holder) => {
      if (holder.account !== account) throw new SignedOutError("another user is signed in by now");
      return act(by);
    });

  const invalidateAll = async (): Promise<void> => {
    const resources = [...ofAccounts.values()].flatMap((ofAccount) => [...ofAccount.resources.values()]);
    await Promise.all(resources.map((resource) => resource.invalidate()));
  };

  const createActs = (own: string, account: string): Acts => {
    const decisions = createDecisions<DecisionAction, Decided>({ onDone: () => void invalidateAll() });
    /** Does it, or finds out what became of it. */
    const carryOut = async (act: ActOfAccount, open?: SignedSubmission): Promise<Decided> =>
      decidedBy(
        await (open === undefined ? as(own, (by) => act({ account, ...by })) : client.transactions.resume(open)),
      );
    const carry = (proposal: string, action: DecisionAction, act: ActOfAccount) =>
      decisions.act(proposal, action, (open) => carryOut(act, open));
    const reviews = createReviews(createSpelling(options.environment));
    /** Nothing is done about what was not displayed in full, whatever an application hands over. */
    const decide = (review: ProposalReview, action: DecisionAction, act: ActOfAccount) =>
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
    const readContent = async (content: ProposableContent): Promise<ProposedContent> =>
      content.type === "policy" ? { ...content, current: (await client.accounts.get(account)).policies } : content;
    const about = ({ proposal: view }: ProposalReview) => ({ proposal: view.proposalAddress, shown: view });
    /** The user's signers in the account; undefined where there is one address, about which nothing has to be read. */
    const readSigners = async (by: AccountHolder): Promise<OwnSigners | undefined> => {
      const addresses = addressesOfHolder(by);
      return addresses.length < 2 ? undefined : ownSignersOf((await client.accounts.get(account)).policies, addresses);
    };
    /** Who a request names that any of these permissions is enough for. */
    const readNamed = async (by: AccountHolder, ...wanted: readonly Permission[]) =>
      (await readSigners(by))?.namedFor(wanted) ?? addressesOfHolder(by);
    /** Where no signer of the user's may both propose and vote, one proposes, and behind that the others approve. */
    const createProposing = (content: ProposableContent, approve: boolean) => {
      let exact: ProposedContent | undefined;
      let voters: readonly string[] = [];
      let created: Decided | undefined;
      const create: ActOfAccount = async (by) => {
        exact ??= await readContent(content);
        const own = approve ? await readSigners(by) : undefined;
        voters = own === undefined || own.isOne(["CAN_INITIATE", "CAN_VOTE"]) ? [] : own.having(["CAN_VOTE"]);
        return client.proposals.create({ ...by, content: exact, approve: approve && voters.length === 0 });
      };
      const vote: ActOfAccount = (by) => {
        if (exact === undefined || created?.proposal === undefined) throw new Error("nothing was proposed yet");
        const { proposal } = created;
        return client.proposals.vote({ ...by, proposal, action: "approve", signers: voters, content: exact });
      };
      return async (open?: SignedSubmission): Promise<Decided> => {
        const isVoting = created !== undefined;
        created ??= await carryOut(create, open);
        if (voters.length === 0) return created;
        try {
          return await carryOut(vote, isVoting ? open : undefined);
        } catch (thrown) {
          // What is proposed is not proposed once more: it can be approved where proposals are displayed.
          if (thrown instanceof OutcomeUnknownError) throw thrown;
          return { ...created, notApproved: explainError(thrown) };
        }
      };
    };
    return {
      decisions,
      propose: (content, approve) =>
        decisions.act(
          "new",
          "propose",
          createProposing(content, approve),
          JSON.stringify([content, approve], (_name, value) => (typeof value === "bigint" ? `${value}n` : value)),
        ),
      reviewOf: reviews.of,
      approve: (review) =>
        decide(review, "approve", async (by) =>
          client.proposals.vote({
            ...by,
            ...about(review),
            action: "approve",
            signers: await readNamed(by, "CAN_VOTE"),
          }),
        ),
      execute: (review) => decide(review, "execute", (by) => client.proposals.execute({ ...by, ...about(review) })),
      approveAndExecute: (review) =>
        decide(review, "approve-and-execute", async (by) => {
          const signers = await readNamed(by, "CAN_VOTE", "CAN_EXECUTE");
          return client.proposals.voteAndExecute({ ...by, ...about(review), signers });
        }),
      stop: (proposal, action) =>
        carry(proposal, action, async (by) =>
          client.proposals.vote({ ...by, proposal, action, signers: await readNamed(by, "CAN_VOTE") }),
        ),
    };
  };

  return {
    open: () => {
      void signIn.restore();
      const end = keeper.watch();
      return () => {
        end();
        passkeySession.forget();
      };
    },
    client,
    signIn,
    passkeySession,
    wallets,
    resource: <Data>(account: string, name: string, read: ReadOfAccount<Data>) => {
      const found = find(account);
      if (found === undefined) return undefined;
      const known = found.resources.get(name);
      if (known !== undefined) return known as Resource<Data>;
      const { own } = found;
      const made = createResource({ read: () => as(own, (by) => read(client, account, by)), visibility });
      found.resources.set(name, made);
      return made;
    },
    act: async (account, act) => {
      const found = find(account);
      if (found === undefined) throw new SignedOutError("no user is signed in");
      return as(found.own, (by) => act(client, account, by));
    },
    paymentSlot: (account, name) => {
      const found = find(account);
      if (found === undefined) return undefined;
      const known = found.slots.get(name);
      if (known !== undefined) return known;
      const made = createPaymentSlot({
        send: ({ byPasskey, withPasskey, byPasskeySession, withPasskeySession, ...request }, submitOptions) =>
          as(found.own, async (by) => {
            const payment = { ...request, account };
            if (byPasskeySession === true || withPasskeySession === true) {
              const passkeySessions = passkeySession.current();
              if (passkeySessions.length === 0) throw new NoPasskeySessionError();
              const holder = withPasskeySession === true ? { ...by, passkeySessions } : { passkeySessions };
              return client.transfers.send({ ...payment, ...holder }, submitOptions);
            }
            if (byPasskey !== true && withPasskey !== true)
              return client.transfers.send({ ...payment, ...by }, submitOptions);
            const passkeys = { passkeys: await client.passkeys.list(account), ...(credentials && { credentials }) };
            return client.transfers.send({ ...payment, ...(withPasskey === true ? by : {}), passkeys }, submitOptions);
          }),
        resume: (signed) => client.transactions.resume(signed),
        storage,
        storageKey: `trellis.payment.${options.environment}.${account}.${name}`,
        newId: randomIdempotencyKey,
        onConfirmed: () => void invalidateAll(),
      });
      found.slots.set(name, made);
      return made;
    },
    acts: (account) => {
      const found = find(account);
      if (found !== undefined) found.acts ??= createActs(found.own, account);
      return found?.acts;
    },
    passkeyActs: (account) => {
      const found = find(account);
      // Passkeys command wallets of custodians: who signs with a wallet of their own has none.
      if (found === undefined || walletOf(keeper.current()) !== undefined) return undefined;
      found.passkeyActs ??= createPasskeyActs({
        client,
        account,
        credentials,
        as: (act) =>
          keeper.withSession(async (session, { account: mine }) => {
            if (mine !== found.own) throw new SignedOutError("another user is signed in by now");
            return act(session);
          }),
        onDone: () => void invalidateAll(),
      });
      return found.passkeyActs;
    },
    orderActs: (account) => {
      const found = find(account);
      if (found === undefined) return undefined;
      found.orderActs ??= createOrderActs({
        client,
        account,
        as: (act) => as(found.own, act),
        onDone: () => void invalidateAll(),
      });
      return found.orderActs;
    },
    invalidateAll,
  };
}

/** A receipt of anything about a proposal names it. */
const decidedBy = (receipt: Confirmation & { readonly proposalAddress?: string }): Decided => ({
  signature: receipt.signature,
  ...(receipt.proposalAddress === undefined ? {} : { proposal: receipt.proposalAddress }),
});
