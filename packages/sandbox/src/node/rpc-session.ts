import type { AnswerSpace } from "@trellis/kernel/answer-space.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { createRpcHandler } from "./rpc-handler.js";
import type { NodeParts } from "./rpc-methods/method.js";
import type { Subscriptions } from "./subscriptions.js";

/** One client's conversation over a connection that stays: it asks, is answered, and hears what it has subscribed to. */
export interface RpcSession {
  /** Answers a message by way of `deliver`; resolves when the next one may arrive. Rejects when there is no answering any more. */
  receive(text: string): Promise<void>;
  /** Ends its subscriptions. */
  close(): void;
}

/** The client of a conversation. */
export interface SessionPeer {
  /** Whom its subscriptions are counted for. */
  readonly owner: string;
  /** Whether it still receives what it is sent. */
  isOpen(): boolean;
  deliver(text: string): void;
  /** Called where the other end of the conversation is closed. */
  hangUp(): void;
  /** Called where more waits for it than is kept. */
  cutOff(): void;
}

/** Begins a conversation. */
export type OpenRpcSession = (peer: SessionPeer) => RpcSession;

/** Conversations with the node in this process. */
export function createRpcSessions(
  node: () => NodeParts,
  subscriptions: Subscriptions,
  log: Log,
  /** Characters of news that wait behind one answer. */
  heldMax: number,
  /** Where answers lie until they are delivered. */
  space: AnswerSpace,
): OpenRpcSession {
  return ({ owner, isOpen, deliver, cutOff }) => {
    // What is reported while a question is being answered follows the answer, which names the subscription.
    let held: string[] | undefined;
    let heldLength = 0;
    const notify = (text: string): void => {
      if (held === undefined) {
        deliver(text);
        return;
      }
      heldLength += text.length;
      if (heldLength <= heldMax) held.push(text);
      else if (isOpen()) cutOff();
    };
    const { methods, close } = subscriptions.open({ owner, isOpen, notify });
    const { answer } = createRpcHandler(node, log, methods);
    return {
      receive: async (text) => {
        held = [];
        heldLength = 0;
        const room = space.open(owner);
        try {
          const written = await answer(text, room);
          if (written !== undefined) deliver(written);
        } finally {
          room.release();
          const waiting = held;
          held = undefined;
          for (const each of waiting) deliver(each);
        }
      },
      close,
    };
  };
}
