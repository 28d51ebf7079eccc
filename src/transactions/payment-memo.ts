import type { Instruction } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { memoInstruction } from "@trellis/solana/memo.js";
import type { ChainAccount } from "@trellis/solana/read-accounts.js";
import { demandsMemo } from "@trellis/solana/token-extensions.js";
import Type from "typebox";

const MemoText = Type.String({
  minLength: 1,
  maxLength: limits.paymentMemoBytes,
  description: `The memo of the payment, written into the transaction. At most ${limits.paymentMemoBytes} bytes of UTF-8.`,
  examples: ["customer 4711"],
});

/** The words for a memo, as bodies spell them. All of them mean the same (gap 151). */
export const memoFields = {
  memo: Type.Optional(MemoText),
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.paymentMemoBytes,
      description: "Another name of `memo`. For a bank it belongs in `destination.reference`.",
    }),
  ),
};

const spelled = (use: string) => ({ why: `it is spelled ${use}`, use });

/** Other services' names for what goes with a payment. Ignored they would lose the payment at its payee. */
export const foreignMemoWords = {
  blockchain_memo: spelled("memo"),
  ach_reference: spelled("destination.reference"),
  sepa_reference: spelled("destination.reference"),
  swift_reference: spelled("destination.reference"),
  wire_message: spelled("destination.reference"),
};

/** All words for a memo, refused for one reason: for payments that cannot carry one. */
export const memoWordsRefused = (why: string) =>
  Object.fromEntries(["memo", "reference", ...Object.keys(foreignMemoWords)].map((name) => [name, { why }]));

/** A request's words for a memo, beside its destination and in it. */
export interface MemoWords {
  readonly memo?: string;
  readonly reference?: string;
  readonly destination?: Pick<MemoWords, "memo" | "reference">;
}

/**
 * The memo that a payment on chain is to carry; undefined where none is asked for. Throws `invalid_request` where two words
 * say different things, and for a text that is too long or has half of a surrogate pair.
 */
export function parsePaymentMemo(words: MemoWords): string | undefined {
  const [first, ...others] = wordsOf(words);
  if (first === undefined) return undefined;
  const [field, text] = first;
  const other = others.find(([, said]) => said !== text);
  if (other !== undefined) {
    throw new TrellisError("invalid_request", {
      field: other[0],
      message: `${field} and ${other[0]} are names of one memo and differ. Send one of them.`,
    });
  }
  if (/\p{Surrogate}/u.test(text)) {
    throw new TrellisError("invalid_request", {
      field,
      message: `${field} has half of a surrogate pair, which is no character.`,
    });
  }
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > limits.paymentMemoBytes) {
    throw new TrellisError("invalid_request", {
      field,
      message: `${field} has ${bytes} bytes of UTF-8; a memo has at most ${limits.paymentMemoBytes}.`,
    });
  }
  return text;
}

/**
 * Refuses the words for a memo where a payment moves by a bank: its statement has a text of its own,
 * `destination.reference`, and only where a bank is paid. Throws `invalid_request` with `field_unknown`.
 */
export function refuseBankMemo(words: MemoWords, paysBank: boolean): void {
  const lost = wordsOf(words).find(([field]) => !paysBank || field !== "destination.reference");
  if (lost === undefined) return;
  const [field] = lost;
  const message = paysBank
    ? `${field} has no meaning for a bank. What its statement says is destination.reference.`
    : `${field} has no meaning for money from a bank. The payer gives deposit_message of source_deposit_instructions.`;
  throw fieldUnknown(field, message, paysBank ? "destination.reference" : undefined);
}

/**
 * Refuses a memo beside instructions or actions of the caller's own, or beside several transfers, which would not carry it. Throws
 * `invalid_request`.
 */
export function refuseOwnMemo(body: object, instead = "Put a memo instruction into the transaction."): void {
  const field = ["memo", "reference"].find((name) => (body as Record<string, unknown>)[name] != null);
  if (field === undefined) return;
  throw fieldUnknown(field, `${field} has a meaning for a transfer only. ${instead}`);
}

function fieldUnknown(field: string, message: string, suggestion?: string): TrellisError {
  const details = [{ field, code: "field_unknown", message, ...(suggestion === undefined ? {} : { suggestion }) }];
  return new TrellisError("invalid_request", { field, message, details });
}

function wordsOf({ memo, reference, destination }: MemoWords): (readonly [field: string, text: string])[] {
  const all = [
    ["memo", memo],
    ["reference", reference],
    ["destination.memo", destination?.memo],
    ["destination.reference", destination?.reference],
  ] as const;
  return all.flatMap(([field, text]) => (text === undefined ? [] : [[field, text] as const]));
}

/** The instructions of a payment beside the smart account's call, and in it. */
interface Parts {
  readonly before: readonly Instruction[];
  readonly inside: readonly Instruction[];
}

/**
 * Puts a memo into a payment. It stands beside the call, where nodes show it with the transaction, unless the payment is
 * voted on (`isVoted`: all of it is executed inside), a passkey approves it itself (`isApproved`: it signs the inside alone), or
 * the token account paid demands a memo: the token program searches for that directly in front of the transfer.
 */
export function withMemo<P extends Parts>(
  parts: P,
  memo: string,
  {
    isVoted,
    isApproved,
    paid,
  }: { readonly isVoted: boolean; readonly isApproved: boolean; readonly paid: readonly (ChainAccount | undefined)[] },
): P {
  const instruction = memoInstruction(memo);
  if (!isVoted && !isApproved && !paid.some((account) => account && demandsMemo(account.data))) {
    return { ...parts, before: [...parts.before, instruction] };
  }
  return { ...parts, inside: [...parts.inside.slice(0, -1), instruction, ...parts.inside.slice(-1)] };
}
