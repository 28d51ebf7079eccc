import type { Address, Signature } from "@solana/kit";
import type { AccountState } from "./account-state.js";
import { slotMs } from "./chain-time.js";
import type { ChainNews } from "./ledger.js";
import { invalidParams, RpcError, rpcErrorCode } from "./rpc-error.js";
import { accountView, encodeAccountLeniently } from "./rpc-methods/account-encoding.js";
import { filtersParam, passes } from "./rpc-methods/account-filters.js";
import { type NodeParts, type RpcMethods, wireInteger } from "./rpc-methods/method.js";
import {
  addressParam,
  arrayParam,
  booleanParam,
  checkFreshness,
  configParam,
  integerParam,
  signatureParam,
} from "./rpc-methods/params.js";
import { createTopics } from "./topics.js";
import type { TransactionFault } from "./transaction-error.js";

/** What a subscriber is told, as it goes over the wire. */
export interface Notification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params: { readonly result: unknown; readonly subscription: number };
}

/** The subscriptions of one client: the methods that make and end them. */
export interface SubscriptionSession {
  readonly methods: RpcMethods;
  /** Ends all of them. */
  close(): void;
}

/** Everybody who wants to be told of changes. */
export interface Subscriptions {
  /** `subscriptionsMax` bounds what one client may have at a time. */
  open(notify: (notification: Notification) => void, subscriptionsMax: number): SubscriptionSession;
  /** Tells what a stored group of transactions has changed. */
  publish(news: ChainNews): void;
  /** Tells that a transaction has come in, before it lands. */
  receive(signature: Signature): void;
  /** Ends the clock that tells of slots. */
  close(): void;
}

interface Landed {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly fault: TransactionFault | null;
  readonly logs: readonly string[];
}

interface Changed {
  readonly address: Address;
  readonly state: AccountState | undefined;
  readonly slot: bigint;
}

const everything = "all";
/** What an account is shown as that is there no more. */
const gone: AccountState = {
  lamports: 0n,
  owner: "11111111111111111111111111111111" as Address,
  data: new Uint8Array(),
  executable: false,
};

/**
 * Subscriptions as a validator has them. What has landed is final here, so that every commitment is told at the same
 * moment; of several transactions that are stored together an account's subscribers hear once, how it came out of them.
 */
export function createSubscriptions(node: NodeParts): Subscriptions {
  const signatures = createTopics<Landed | "received">();
  const logs = createTopics<Landed>();
  const accounts = createTopics<Changed>();
  const programs = createTopics<Changed>();
  const slots = createTopics<bigint>();
  let count = 0;
  let ticker: NodeJS.Timeout | undefined;
  let toldSlot = -1n;

  /** Slots are a function of time, and nobody counts them unless somebody listens. */
  const keepTime = (): void => {
    if (slots.isEmpty) {
      clearInterval(ticker);
      ticker = undefined;
      return;
    }
    if (ticker !== undefined) return;
    toldSlot = node.time.slot();
    ticker = setInterval(() => {
      const slot = node.time.slot();
      if (slot === toldSlot) return;
      toldSlot = slot;
      slots.tell(everything, slot);
    }, Number(slotMs) / 2).unref();
  };

  return {
    open: (notify, subscriptionsMax) => {
      const own = new Map<number, { readonly kind: string; end(): void }>();

      const begin = (
        kind: string,
        listen: (tell: (result: unknown) => void, end: () => void) => () => void,
      ): { id: number; end: () => void } => {
        if (own.size >= subscriptionsMax) {
          throw new RpcError(rpcErrorCode.internal, `Internal Error: at most ${subscriptionsMax} subscriptions`);
        }
        count += 1;
        const id = count;
        const tell = (result: unknown) =>
          notify({ jsonrpc: "2.0", method: `${kind}Notification`, params: { result, subscription: id } });
        const end = () => {
          own.get(id)?.end();
          own.delete(id);
          keepTime();
        };
        own.set(id, { kind, end: listen(tell, end) });
        keepTime();
        return { id, end };
      };

      const endOf =
        (kind: string): RpcMethods[string] =>
        (_node, params) => {
          const id = Number(integerParam(params[0], "subscription"));
          const subscription = own.get(id);
          if (subscription?.kind !== kind) throw invalidParams("Invalid subscription id.");
          own.delete(id);
          subscription.end();
          keepTime();
          return true;
        };

      const methods: RpcMethods = {
        signatureSubscribe: async (_node, params) => {
          const signature = signatureParam(params[0]);
          const config = configParam(params[1]);
          checkFreshness(node, config);
          const wantsReceived = booleanParam(config.enableReceivedNotification, "enableReceivedNotification", false);
          let hear: (news: Landed | "received") => void = ignore;
          const { id } = begin("signature", (tell, end) => {
            hear = (news) => {
              if (news === "received") {
                if (wantsReceived) tell(inSlot(node.time.slot(), "receivedSignature"));
                return;
              }
              // Told once: then the subscription is over, without being ended.
              end();
              tell(inSlot(news.slot, { err: news.fault }));
            };
            return signatures.listen(signature, (news) => hear(news));
          });
          const outcome =
            node.ledger.recentOutcome(signature) ?? (await node.history.findOutcomes([signature])).get(signature);
          // It may have landed, and been told, while the database was asked.
          if (outcome !== undefined && own.has(id)) hear({ signature, logs: [], ...outcome });
          return id;
        },

        accountSubscribe: (_node, params) => {
          const address = addressParam(params[0]);
          const config = configParam(params[1]);
          checkFreshness(node, config);
          const view = accountView(config);
          return begin("account", (tell) =>
            accounts.listen(address, ({ state, slot }) =>
              tell(inSlot(slot, encodeAccountLeniently(address, state ?? gone, view, node.ledger.read))),
            ),
          ).id;
        },

        programSubscribe: (_node, params) => {
          const program = addressParam(params[0]);
          const config = configParam(params[1]);
          checkFreshness(node, config);
          const view = accountView(config);
          const filters = filtersParam(config);
          return begin("program", (tell) =>
            programs.listen(program, ({ address, state, slot }) => {
              if (state === undefined || !filters.every((filter) => passes(state, filter))) return;
              const account = encodeAccountLeniently(address, state, view, node.ledger.read);
              tell(inSlot(slot, { account, pubkey: address }));
            }),
          ).id;
        },

        logsSubscribe: (_node, params) => {
          const topic = logsTopic(params[0]);
          checkFreshness(node, configParam(params[1]));
          return begin("logs", (tell) =>
            logs.listen(topic, ({ signature, slot, fault, logs: lines }) =>
              tell(inSlot(slot, { err: fault, logs: lines, signature })),
            ),
          ).id;
        },

        slotSubscribe: () =>
          begin("slot", (tell) =>
            slots.listen(everything, (slot) =>
              tell({ parent: wireInteger(slot - 1n), root: wireInteger(slot - 1n), slot: wireInteger(slot) }),
            ),
          ).id,

        rootSubscribe: () =>
          begin("root", (tell) => slots.listen(everything, (slot) => tell(wireInteger(slot - 1n)))).id,

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
          for (const { end } of own.values()) end();
          own.clear();
          keepTime();
        },
      };
    },

    publish: ({ landed, accounts: changed, slot }) => {
      for (const [address, state] of changed) {
        accounts.tell(address, { address, state, slot });
        if (state !== undefined) programs.tell(state.owner, { address, state, slot });
      }
      for (const { signature, slot: at, record, addresses } of landed) {
        const news: Landed = { signature, slot: at, fault: record.fault, logs: record.logs };
        logs.tell(everything, news);
        for (const address of addresses) logs.tell(address, news);
        signatures.tell(signature, news);
      }
    },

    receive: (signature) => signatures.tell(signature, "received"),

    close: () => clearInterval(ticker),
  };
}

function inSlot<Value>(slot: bigint, value: Value) {
  return { context: { slot: wireInteger(slot) }, value };
}

/** `all`, `allWithVotes` (nobody votes here), or what names one address. */
function logsTopic(value: unknown): string {
  if (value === "all" || value === "allWithVotes") return everything;
  const mentions = arrayParam(configParam(value, "filter").mentions, "mentions", 1);
  if (mentions.length !== 1) throw invalidParams("Invalid Request: Only 1 address supported");
  return addressParam(mentions[0], "mentions");
}

function ignore(): void {}
