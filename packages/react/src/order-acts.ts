import type {
  AccountHolder,
  Confirmation,
  SignedSubmission,
  StandingOrder,
  StandingOrderChange,
  StandingOrderReceipt,
  StandingOrderTerms,
  TrellisClient,
} from "@trellis/sdk";
import { type ActState, createDecisions } from "./decisions.js";
import type { Value } from "./value.js";

/** What a user does about a standing order. */
export type OrderAction = "create" | "cancel" | "resume";

/** Which order it was, and what was signed. */
export type OrderDone = {
  readonly order: string;
  /** Absent: nothing had to be signed. */
  readonly signature?: string;
  /** Where the account's signers vote on the order's limit, or on its end: the proposal. */
  readonly proposal?: string;
};

export type OrderState = ActState<OrderAction, OrderDone>;

/** What the user of an account does about its standing orders. None rejects. */
export type OrderActs = {
  /** By the order's id; `new`: what was created last. */
  readonly states: Value<ReadonlyMap<string, OrderState>>;
  readonly create: (order: StandingOrderTerms) => Promise<OrderState>;
  readonly cancel: (id: string) => Promise<OrderState>;
  readonly resume: (order: StandingOrder) => Promise<OrderState>;
};

export function createOrderActs(needs: {
  readonly client: Pick<TrellisClient, "standingOrders" | "transactions">;
  readonly account: string;
  readonly as: <Answer>(act: (by: AccountHolder) => Promise<Answer>) => Promise<Answer>;
  readonly onDone: () => void;
}): OrderActs {
  const { client, account, as, onDone } = needs;
  const orders = createDecisions<OrderAction, OrderDone>({ onDone });
  const carry =
    (act: (by: AccountHolder) => Promise<Receipt>) =>
    async (open?: SignedSubmission): Promise<OrderDone> =>
      // The receipt is that of the call which was broken off.
      doneOf(open === undefined ? await as(act) : ((await client.transactions.resume(open)) as Receipt));
  return {
    states: orders.states,
    create: (order) =>
      orders.act(
        "new",
        "create",
        carry((by) => client.standingOrders.create({ account, ...by, order })),
        JSON.stringify(order, (_name, value) => (typeof value === "bigint" ? `${value}n` : value)),
      ),
    cancel: (id) =>
      orders.act(
        id,
        "cancel",
        carry((by) => client.standingOrders.cancel({ account, ...by, id })),
      ),
    resume: (order) =>
      orders.act(
        order.id,
        "resume",
        carry((by) => client.standingOrders.resume({ account, ...by, id: order.id, order: termsOf(order) })),
        "resume",
      ),
  };
}

type Receipt = (StandingOrderReceipt & Confirmation) | StandingOrderChange;

function doneOf(receipt: Receipt): OrderDone {
  const { signature, proposal } = receipt;
  return {
    order: "order" in receipt ? receipt.order.id : receipt.id,
    ...(signature === undefined ? {} : { signature }),
    ...(proposal === undefined ? {} : { proposal: proposal.proposalAddress }),
  };
}

/** What an order was made to be: a new limit that gives more, or to another payee, is not signed. */
function termsOf(order: StandingOrder): StandingOrderTerms {
  const { amount, currency, frequency, destination, start_date: start, end_date: end } = order;
  const { external_account_id: externalAccountId, payment_rail: rail, address } = destination;
  return {
    currency,
    frequency,
    amount: BigInt(amount),
    payee: externalAccountId === undefined ? address : { externalAccountId, rail, address },
    start: new Date(start),
    ...(end === undefined ? {} : { end: new Date(end) }),
  };
}
