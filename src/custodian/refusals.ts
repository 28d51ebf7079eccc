import { CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import { type ProtocolErrorCode, protocolErrors } from "../custody/protocol/operations.js";

/** A request that is not carried out, for a reason of the protocol's. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  constructor(
    readonly code: ProtocolErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** An answer before it is signed. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** What a failure is to the caller; undefined for one that is our own. */
export function toErrorAnswer(error: unknown): PlainAnswer | undefined {
  if (error instanceof ProtocolError) return answerOf(error.code, error.message);
  if (error instanceof CustodyRefusal) return answerOf("refused", error.message, detailsOf(error));
  if (error instanceof DatabaseUnavailable) return unavailable;
  return undefined;
}

function detailsOf({ reason, policy }: CustodyRefusal): object {
  if (policy === undefined) return { reason };
  const { rule, notBefore, changeId } = policy;
  const waiting = {
    ...(notBefore === undefined ? {} : { not_before: notBefore }),
    ...(changeId === undefined ? {} : { change_id: changeId }),
  };
  return { reason, policy: { rule, ...waiting } };
}

const answerOf = (code: ProtocolErrorCode, message: string, more: object = {}): PlainAnswer => ({
  status: protocolErrors[code],
  body: { error: { code, message, ...more } },
});

/** The same call may succeed later. */
export const unavailable = answerOf("unavailable", "The custodian cannot answer at the moment.");
