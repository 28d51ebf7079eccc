import { type AccountHolder, narrowHolder, type Signable } from "./account-holder.js";
import { openWindowFor } from "./guardian-window.js";
import type { Confirmation, SubmitOptions, Submitter } from "./submission.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { KmsPayload, SubmitTransactionRequest } from "./wire.js";

/** Several transactions as the service prepared them, with the payloads of each. */
type SignableList = {
  readonly transactions: readonly string[];
  readonly kms_payloads: readonly (readonly KmsPayload[])[];
};

/** What a check has found the prepared bytes to be. */
type Checked<Receipt extends object> = {
  /** Who signs. Of several transactions: who signs which. */
  readonly members: readonly string[] | ((transaction: string) => readonly string[]);
  /** What the call answers besides the confirmation. */
  readonly receipt: Receipt;
  /** True: only what signs for the members signs; otherwise a key of anybody else's is refused. */
  readonly membersOnly?: boolean;
};

/** Something that takes effect on chain: what is prepared for it, and how that is held against what was asked for. */
type Action<Prepared extends Signable | SignableList, Receipt extends object> = {
  /** The smart account. */
  readonly account: string;
  readonly holder: AccountHolder;
  /** Has the service prepare it, under the key. */
  readonly prepare: (options: { readonly idempotencyKey: string }) => Promise<Prepared>;
  /** Throws `TransactionMismatchError` where it does anything else. Nothing has been signed by then. */
  readonly check: (prepared: Prepared) => Checked<Receipt> | Promise<Checked<Receipt>>;
  /** Of several transactions: nothing is done before the last of them. */
  readonly takesEffectAtTheEnd?: boolean;
};

/** Prepares, checks, signs and submits, in this order and with nothing in between. */
export type Act = <Prepared extends Signable | SignableList, Receipt extends object>(
  options: SubmitOptions<Receipt>,
  action: Action<Prepared, Receipt>,
) => Promise<Receipt & Confirmation>;

/** The one way in which a client changes something on chain. */
export function createAct(needs: {
  readonly carryOut: Submitter["carryOut"];
  /** Signs a checked transaction of an account for these members. */
  readonly sign: (
    holder: AccountHolder,
    account: string,
    prepared: Signable,
    members: readonly string[],
  ) => Promise<SubmitTransactionRequest>;
}): Act {
  return async (options, { account, holder: given, prepare, check, takesEffectAtTheEnd = false }) => {
    // Before anything is waited for: the tap that a browser opens a window for is over by then.
    const { holder, close } = openWindowFor(given);
    const carried = needs.carryOut(options, async (idempotencyKey, report) => {
      const prepared = await prepare({ idempotencyKey });
      report("prepared");
      const parts = signablesIn(prepared);
      const { members, receipt, membersOnly = false } = await check(prepared);
      report("checked");
      // All are signed before the first goes out.
      const requests: SubmitTransactionRequest[] = [];
      for (const part of parts) {
        const signers = typeof members === "function" ? members(part.transaction) : members;
        requests.push(await needs.sign(membersOnly ? narrowHolder(holder, signers) : holder, account, part, signers));
      }
      if (requests.length === 0) {
        throw new TransactionMismatchError("missing_instruction", "the service prepared nothing");
      }
      return { account, requests, receipt, takesEffectAtTheEnd };
    });
    return carried.finally(close);
  };
}

/** What is signed is what the check reads: an answer that has both forms could show the one and have the other signed. */
function signablesIn(prepared: Signable | SignableList): readonly Signable[] {
  if ("transaction" in prepared && "transactions" in prepared) {
    throw new TransactionMismatchError("content", "the service prepared one transaction and several at once");
  }
  if ("transaction" in prepared) return [prepared];
  const { transactions, kms_payloads } = prepared;
  return transactions.map((transaction, at) => ({ transaction, kms_payloads: kms_payloads[at] ?? [] }));
}
