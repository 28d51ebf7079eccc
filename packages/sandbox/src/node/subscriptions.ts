import type { Address, Signature } from "@solana/kit";
import { stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import type { AccountState } from "./account-state.js";
import { slotMs } from "./chain-time.js";
import type { ForkedTransaction } from "./forks.js";
import type { ChainNews } from "./ledger.js";
import { invalidParams, RpcError, rpcErrorCode } from "./rpc-error.js";
import { accountView, encodeAccountLeniently } from "./rpc-methods/account-encoding.js";
import { filtersParam, passes } from "./rpc-methods/account-filters.js";
import { type NodeParts, type RpcMethods, wireInteger } from "./rpc-methods/method.js";
import {
  addressParam,
  arrayParam,
  booleanParam,
  type Config,
  checkFreshness,
  configParam,
  integerParam,
  signatureParam,
} from "./rpc-methods/params.js";
import { createTopics } from "./topics.js";
import type { TransactionFault } from "./transaction-error.js";

/** How many subscriptions there may be at a time. */
export interface SubscriptionBounds {
  readonly subscriptions: number;
  readonly subscriptionsPerOwner: number;
  readonly subscriptionsPerConnection: number;
}

/** One client. */
export interface Subscriber {
  /** Whom its subscriptions are counted for. */
  readonly owner: string;
  /** Whether it still receives what it is sent. */
  isOpen(): boolean;
  /** Sends it something, in the form of the wire. */
  notify(text: string): void;
}

/** The subscriptions of one client: the methods that make and end them. */
export interface SubscriptionSession {
  readonly methods: RpcMethods;
  /** Ends all of them. */
  close(): void;
}

/** All clients that subscribe to changes. */
export interface Subscriptions {
  open(subscriber: Subscriber): SubscriptionSession;
  /** Reports what a stored group of transactions has changed. */
  publish(news: Omit<ChainNews, "before">): void;
  /** Reports a transaction on a fork that is left. */
  tellOfFork(forked: ForkedTransaction): void;
  /** Reports that a transaction was received, before it lands. */
  receive(signature: Signature): void;
  /** Ends the clock that reports slots. */
  close(): void;
}

/** News, with the JSON of each form that a subscriber wanted of it: written once for all who want the same. */
interface Written {
  readonly written: Map<string, string>;
}

interface Landed extends Written {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly fault: TransactionFault | null;
  readonly logs: readonly string[];
  /** On a fork that is left. */
  readonly isForked?: true;
}

/** That a transaction was received. */
interface Received extends Written {
  readonly signature: Signature;
}

interface Changed extends Written {
  readonly address: Address;
  readonly state: AccountState | undefined;
  readonly slot: bigint;
}

interface Slot extends Written {
  readonly slot: bigint;
}

/** Reports news in a form, which `result` makes of it where that is not done yet. */
type Report = (news: Written, form: string, result: () => unknown) => void;

const everything = "all";
/** How an account is reported that is there no more. */
const removed: AccountState = {
  lamports: 0n,
  owner: "11111111111111111111111111111111" as Address,
  data: new Uint8Array(),
  executable: false,
};

/**
 * Subscriptions as a validator has them. What has landed is final here, so that every commitment is reported at the same
 * moment; only of a fork none but those hear who want the processed. Of several transactions that are stored together an
 * account's subscribers hear once, how it was after them. `node` returns what the node knows when it is asked.
 */
export function createSubscriptions(node: () => NodeParts, bounds: SubscriptionBounds): Subscriptions {
  const signatures = createTopics<Landed | Received>();
  const logs = createTopics<Landed>();
  const accounts = createTopics<Changed>();
  const programs = createTopics<Changed>();
  const slots = createTopics<Slot>();
  const perOwner = new Map<string, number>();
  let total = 0;
  let lastId = 0;
  let ticker: NodeJS.Timeout | undefined;
  let reportedSlot = -1n;

  /** Slots are a function of time, and nothing counts them unless a client listens. */
  const keepTime = (): void => {
    if (slots.isEmpty) {
      clearInterval(ticker);
      ticker = undefined;
      return;
    }
    if (ticker !== undefined) return;
    reportedSlot = node().time.slot();
    ticker = setInterval(() => {
      const slot = node().time.slot();
      if (slot === reportedSlot) return;
      reportedSlot = slot;
      slots.tell(everything, { slot, written: new Map() });
    }, Number(slotMs) / 2).unref();
  };

  const reportLanded = (news: Landed, addresses: readonly Address[]): void => {
    logs.tell(everything, news);
    for (const address of addresses) logs.tell(address, news);
    signatures.tell(news.signature, news);
  };

  return {
    open: ({ owner, isOpen, notify }) => {
      const own = new Map<number, { readonly kind: string; end(): void }>();
      let isClosed = false;

      const checkRoom = (): void => {
        if (isClosed) throw new RpcError(rpcErrorCode.internal, "Internal Error: the connection is closed");
        for (const [held, max] of [
          [own.size, bounds.subscriptionsPerConnection],
          [perOwner.get(owner) ?? 0, bounds.subscriptionsPerOwner],
          [total, bounds.subscriptions],
        ] as const) {
          if (held >= max) throw new RpcError(rpcErrorCode.internal, `Internal Error: at most ${max} subscriptions`);
        }
      };

      const count = (by: 1 | -1): void => {
        total += by;
        const held = (perOwner.get(owner) ?? 0) + by;
        if (held > 0) perOwner.set(owner, held);
        else perOwner.delete(owner);
      };

      const end = (id: number): void => {
        const subscription = own.get(id);
        if (subscription === undefined) return;
        own.delete(id);
        count(-1);
        subscription.end();
        keepTime();
      };

      const begin = (kind: string, listen: (report: Report, end: () => void) => () => void): number => {
        checkRoom();
        lastId += 1;
        const id = lastId;
        const report: Report = (news, form, result) => {
          if (!isOpen()) return;
          const text = news.written.get(form) ?? stringifyJsonWithBigInts(result());
          news.written.set(form, text);
          notify(`{"jsonrpc":"2.0","method":"${kind}Notification","params":{"result":${text},"subscription":${id}}}`);
        };
        own.set(id, { kind, end: listen(report, () => end(id)) });
        count(1);
        keepTime();
        return id;
      };

      const endOf =
        (kind: string): RpcMethods[string] =>
        (_node, params) => {
          const id = Number(integerParam(params[0], "subscription"));
          if (own.get(id)?.kind !== kind) throw invalidParams("Invalid subscription id.");
          end(id);
          return true;
        };

      const methods: RpcMethods = {
        signatureSubscribe: async (asked, params) => {
          const signature = signatureParam(params[0]);
          const config = configParam(params[1]);
          checkFreshness(asked, config);
          const wantsForks = isContentWithProcessed(config);
          const wantsReceived = booleanParam(config.enableReceivedNotification, "enableReceivedNotification", false);
          let hear: (news: Landed | Received) => void = ignore;
          const id = begin("signature", (report, end) => {
            hear = (news) => {
              if (!("slot" in news)) {
                if (wantsReceived) report(news, "received", () => inSlot(node().time.slot(), "receivedSignature"));
                return;
              }
              if (news.isForked && !wantsForks) return;
              // Reported once: then the subscription is over, without being ended.
              end();
              report(news, "signature", () => inSlot(news.slot, { err: news.fault }));
            };
            return signatures.listen(signature, (news) => hear(news));
          });
          const outcome =
            asked.ledger.recentOutcome(signature) ?? (await asked.history.findOutcomes([signature])).get(signature);
          const forked = asked.forks.find(signature, asked.time.slot());
          // It may have landed, and been reported, while the database was asked.
          if (!own.has(id)) return id;
          if (outcome !== undefined) hear({ signature, logs: [], ...outcome, written: new Map() });
          else if (forked !== undefined) hear({ signature, logs: [], ...forked, isForked: true, written: new Map() });
          return id;
        },

        accountSubscribe: (asked, params) => {
          const address = addressParam(params[0]);
          const config = configParam(params[1]);
          checkFreshness(asked, config);
          const view = accountView(config);
          const form = JSON.stringify(view);
          return begin("account", (report) =>
            accounts.listen(address, (news) =>
              report(news, form, () =>
                inSlot(news.slot, encodeAccountLeniently(address, news.state ?? removed, view, node().ledger.read)),
              ),
            ),
          );
        },

        programSubscribe: (asked, params) => {
          const program = addressParam(params[0]);
          const config = configParam(params[1]);
          checkFreshness(asked, config);
          const view = accountView(config);
          const form = JSON.stringify(view);
          const filters = filtersParam(config);
          return begin("program", (report) =>
            programs.listen(program, (news) => {
              const { address, state, slot } = news;
              if (state === undefined || !filters.every((filter) => passes(state, filter))) return;
              report(news, form, () => {
                const account = encodeAccountLeniently(address, state, view, node().ledger.read);
                return inSlot(slot, { account, pubkey: address });
              });
            }),
          );
        },

        logsSubscribe: (asked, params) => {
          const topic = logsTopic(params[0]);
          const config = configParam(params[1]);
          checkFreshness(asked, config);
          const wantsForks = isContentWithProcessed(config);
          return begin("logs", (report) =>
            logs.listen(topic, (news) => {
              if (news.isForked && !wantsForks) return;
              const { signature, slot, fault, logs: lines } = news;
              report(news, "logs", () => inSlot(slot, { err: fault, logs: lines, signature }));
            }),
          );
        },

        slotSubscribe: () =>
          begin("slot", (report) =>
            slots.listen(everything, (news) =>
              report(news, "slot", () => ({
                parent: wireInteger(news.slot - 1n),
                root: wireInteger(news.slot - 1n),
                slot: wireInteger(news.slot),
              })),
            ),
          ),

        rootSubscribe: () =>
          begin("root", (report) =>
            slots.listen(everything, (news) => report(news, "root", () => wireInteger(news.slot - 1n))),
          ),

        signatureUnsubscribe: endOf("signature"),
        accountUnsubscribe: endOf("account"),
        programUnsubscribe: endOf("program"),
        logsUnsubscribe: endOf("logs"),
        slotUnsubscribe: endOf("slot"),
        rootUnsubscribe: endOf("root"),
      };

      return {
        methods,
        close: () => {
          isClosed = true;
          for (const id of [...own.keys()]) end(id);
        },
      };
    },

    publish: ({ landed, accounts: changed, slot }) => {
      for (const [address, state] of changed) {
        accounts.tell(address, { address, state, slot, written: new Map() });
        if (state !== undefined) programs.tell(state.owner, { address, state, slot, written: new Map() });
      }
      for (const { signature, slot: at, record, addresses } of landed) {
        reportLanded({ signature, slot: at, fault: record.fault, logs: record.logs, written: new Map() }, addresses);
      }
    },

    tellOfFork: ({ addresses, ...forked }) =>
      reportLanded({ ...forked, isForked: true, written: new Map() }, addresses),

    receive: (signature) => signatures.tell(signature, { signature, written: new Map() }),

    close: () => clearInterval(ticker),
  };
}

function isContentWithProcessed({ commitment }: Config): boolean {
  return commitment === "processed" || commitment === "recent";
}

function inSlot<Value>(slot: bigint, value: Value) {
  return { context: { slot: wireInteger(slot) }, value };
}

/** `all`, `allWithVotes` (there are no votes here), or what names one address. */
function logsTopic(value: unknown): string {
  if (value === "all" || value === "allWithVotes") return everything;
  const mentions = arrayParam(configParam(value, "filter").mentions, "mentions", 1);
  if (mentions.length !== 1) throw invalidParams("Invalid Request: Only 1 address supported");
  return addressParam(mentions[0], "mentions");
}

function ignore(): void {}
