import { limits } from "@trellis/kernel/limits.js";
import type { AnswerRoom } from "@trellis/kernel/ports/answer-room.js";
import { RpcError, rpcErrorCode } from "./rpc-error.js";

/** What one call may still take up and go through. Both functions throw RpcError where it is too much. */
export interface CallRoom {
  /** Takes room for bytes that will stand in the answer, before they are made. */
  show(bytes: number): void;
  /** Counts accounts, their KiB, rows, and thousands of compute units that were processed. The call that goes too far still ends. */
  work(units: number): void;
}

/** What all calls of one message share. */
export interface MessageRoom extends CallRoom {
  /** Begins the next call. Throws RpcError where those before it have used up everything. */
  begin(): void;
  /** Takes a call's whole answer. False where it finds no room. */
  take(text: string): boolean;
}

/** For calls from inside the process, which know what they ask for. */
export const boundless: CallRoom = { show: () => undefined, work: () => undefined };

/** The room of one message, a batch or not, whose answer lies in `room`. */
export function createMessageRoom(room: AnswerRoom): MessageRoom {
  let left: number = limits.sandboxRpc.answerBytes;
  let workLeft: number = limits.sandboxRpc.batchWork;
  let announced = 0;
  let isFull = false;
  const forget = (): void => {
    room.giveBack(announced);
    announced = 0;
  };
  return {
    begin: () => {
      forget();
      if (isFull || left <= 0) throw tooLarge();
      if (workLeft <= 0) throw tooMuchWork();
    },
    show: (bytes) => {
      if (announced + bytes > left || !room.take(bytes)) throw tooLarge();
      announced += bytes;
    },
    work: (units) => {
      workLeft -= units;
    },
    take: (text) => {
      forget();
      // Characters beyond ASCII are rare here, and two bytes in memory: texts are counted by the character.
      if (!isFull && text.length <= left && room.take(text.length)) {
        left -= text.length;
        return true;
      }
      isFull = true;
      return false;
    },
  };
}

/** The error of an answer for which there is no room. */
export function tooLarge(): RpcError {
  return new RpcError(
    rpcErrorCode.limitExceeded,
    `The answer would be larger than ${limits.sandboxRpc.answerBytes} bytes, a whole batch counted, or too many large answers are under way: ask for less at a time`,
  );
}

function tooMuchWork(): RpcError {
  return new RpcError(
    rpcErrorCode.limitExceeded,
    "The calls of this batch have read too much already: send the rest in another one",
  );
}
