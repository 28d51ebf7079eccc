import { Buffer } from "node:buffer";
import { eachOf } from "@trellis/kernel/each-of.js";
import { type Answer, type Caller, documentedAs, endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError, wireCode } from "@trellis/kernel/errors.js";
import { finalityOf } from "@trellis/kernel/idempotency/final-answer.js";
import { limits } from "@trellis/kernel/limits.js";
import { addressText, signatureText, wireTransactionText } from "@trellis/kernel/wire-texts.js";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { identifyMessage } from "@trellis/solana/wire-transaction.js";
import Type, { type Static } from "typebox";
import { SignedKmsPayload } from "../custody/signed-payload.js";
import { markWalletSessionActive } from "../people/wallet-session.js";
import type { BoundedSpender } from "../sponsorship/sponsorship.js";
import { getActingAccount, recallActingAccount } from "./acting-account.js";
import { assertExecutable, checkItem, SettingsUnconfirmed } from "./check-item.js";
import { executeItem, type SubmitNeeds } from "./execute-item.js";
import { readSubmitItems } from "./read-submit-items.js";
import type { CheckedItem, ExecutableItem, SubmitContext, SubmitItem } from "./submit-item.js";

const transactionList = Type.Array(wireTransactionText(), {
  minItems: 1,
  maxItems: limits.submitTransactionsMax,
  description: "Executed in order, stopping at the first failure.",
});

const SingleForm = Type.Object(
  {
    transaction: wireTransactionText(),
    kms_payloads: Type.Optional(Type.Array(SignedKmsPayload)),
  },
  { $id: "SubmitTransactionRequest" },
);

const MultipleForm = Type.Object(
  {
    transactions: transactionList,
    kms_payloads: Type.Array(Type.Array(SignedKmsPayload), {
      description: "One array for each transaction, in their order; an empty one where nothing is signed by payload.",
    }),
  },
  { $id: "SubmitSeveralTransactionsRequest" },
);

/** Either form. What is neither gets what it lacks from `readSubmitItems`, in better words than a union has. */
const Body = Type.Object(
  {
    transaction: Type.Optional(wireTransactionText()),
    transactions: Type.Optional(transactionList),
    kms_payloads: Type.Optional(Type.Array(Type.Union([SignedKmsPayload, Type.Array(SignedKmsPayload)]))),
  },
  {
    ...documentedAs({ oneOf: [SingleForm, MultipleForm] }),
    examples: [
      {
        transaction: "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        kms_payloads: [{ provider: "kms_a", kms_signed_payload: { signature: "MEUCIQDxyz0=" } }],
      },
    ],
  },
);

/** A transaction that the chain has confirmed. */
export const SubmittedTransaction = Type.Object(
  {
    transaction_signature: signatureText(),
    confirmed_at: Type.String({ format: "date-time" }),
  },
  { $id: "SubmittedTransaction" },
);

const MultipleResult = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0 }),
        transaction_signature: signatureText(),
        confirmed_at: Type.String({ format: "date-time" }),
      }),
    ),
    partial_failure: Type.Optional(
      Type.Object({
        failed_at_index: Type.Integer({ minimum: 0 }),
        error_message: Type.String(),
        error_code: Type.String(),
      }),
    ),
  },
  { $id: "SubmittedTransactions" },
);

type MultipleResult = Static<typeof MultipleResult>;

/** What a submit can be refused with. */
export const submitErrors = [
  "account_not_found",
  "invalid_transaction",
  "transaction_too_large",
  "transaction_not_prepared",
  "forbidden_account",
  "not_for_agents",
  "missing_signature",
  "invalid_signature",
  "wrong_signing_key",
  "payload_expired",
  "payload_already_used",
  "session_expired",
  "blockhash_expired",
  "transaction_failed",
  "guardian_refused",
  "insufficient_permissions",
  "proposal_required",
  "admin_required",
  "spending_limit_not_found",
  "spending_limit_exceeded",
  "spending_limit_expired",
  "destination_not_allowed",
  "proposal_index_conflict",
  "transaction_buffer_conflict",
  "already_voted",
  "invalid_proposal_status",
  "stale_proposal",
  "unreadable_content",
  "undecided_content",
  "time_lock_not_released",
  "submission_in_progress",
  "sponsorship_limit_exceeded",
  "rent_not_sponsored",
  "provider_not_available",
  "provider_unavailable",
  "chain_unavailable",
] as const;

/** Signs, sends and confirms prepared transactions (interface 4.6). */
export const submitTransactions = endpoint(
  {
    operation: "submitTransactions",
    summary: "Submit signed transactions",
    description:
      "Takes prepared transactions with the holders' signatures, adds the custodians' and the fee payer's, stores the " +
      "signed bytes, sends them, and answers when they are confirmed. Submitting the same bytes again answers the first result.",
    tag: "Transactions",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/submit",
    scope: "transactions:write",
    environment: "required",
    publishable: "session",
    agents: true,
    params: Type.Object({ address: addressText() }),
    body: Body,
    response: { status: 200, envelope: true, schema: Type.Union([SubmittedTransaction, MultipleResult]) },
    errors: [...submitErrors],
  },
  async (
    needs: SubmitNeeds,
    { params, body, network, caller },
  ): Promise<Answer<Static<typeof SubmittedTransaction> | MultipleResult>> => {
    const { items, single } = readSubmitItems(body);
    const { context, checked } = await checkAtFirst(
      { needs, network, byAgent: caller.agent !== undefined },
      { tenantId: caller.tenantId, address: params.address },
      items,
    );
    const execute = async (at: SubmitContext<SubmitNeeds>, item: ExecutableItem) => {
      // Before it is sent: what fails here must not hide that a transaction has landed.
      if (caller.session?.kind === "wallet")
        await markWalletSessionActive(needs.db, caller.session.id, network.clock.now());
      const { signature, confirmedAt } = await executeItem(at, item, spenderOf(caller));
      return { transaction_signature: signature, confirmed_at: confirmedAt };
    };
    const [first] = checked;
    if (single && first) return { data: await execute(context, assertExecutable(first)) };

    const results: MultipleResult["results"] = [];
    for (const [index, item] of items.entries()) {
      try {
        const early = checked[index];
        const now = early && early.kind !== "later" ? { context, item: early } : await checkInTurn(context, item);
        results.push({ index, ...(await execute(now.context, now.item)) });
      } catch (error) {
        if (!(error instanceof TrellisError)) throw error;
        return stoppedBy(error, results);
      }
    }
    return { data: { results } };
  },
);

function spenderOf({ isPublishable, agent, apiKeyId }: Caller): BoundedSpender | undefined {
  if (isPublishable === true) return { kind: "page", makesAccount: false };
  return agent === undefined ? undefined : { kind: "agent", apiKeyId };
}

/** Whether other settings could have led to another answer. */
const isBySettings = (error: unknown): boolean =>
  error instanceof TrellisError &&
  ["insufficient_permissions", "proposal_required", "forbidden_account"].includes(error.code);

/**
 * By the settings that were read when the transaction was prepared, if the simulation shows them unchanged: that is a question to the chain
 * less. Otherwise, and where they lead to a refusal, it is checked by the settings that the chain has now.
 */
async function checkAtFirst(
  rest: Omit<SubmitContext<SubmitNeeds>, "account">,
  { tenantId, address }: { readonly tenantId: string; readonly address: string },
  items: readonly SubmitItem[],
): Promise<{ readonly context: SubmitContext<SubmitNeeds>; readonly checked: readonly CheckedItem[] }> {
  const { db } = rest.needs;
  const recalled = await recallActingAccount(db, rest.network, tenantId, address);
  if (recalled) {
    try {
      const context = { ...rest, account: recalled };
      return { context, checked: await checkAll(context, items) };
    } catch (error) {
      if (!(error instanceof SettingsUnconfirmed) && !isBySettings(error)) throw error;
    }
  }
  const context = { ...rest, account: await getActingAccount(db, rest.network, tenantId, address) };
  return { context, checked: await checkAll(context, items) };
}

/** Checks of one submit that are under way at once: what they ask of the database goes together. */
const checksAtOnce = 5;

/** Everything is checked before the first is sent: a fault in the last one must not be found half-way. The first fault in their order counts. */
async function checkAll(context: SubmitContext, items: readonly SubmitItem[]): Promise<readonly CheckedItem[]> {
  const outcomes = new Map<SubmitItem, { readonly checked: CheckedItem } | { readonly error: unknown }>();
  let hasFault = false;
  function* untilFault() {
    for (const entry of items.entries()) {
      if (hasFault) return;
      yield entry;
    }
  }
  await eachOf(untilFault(), checksAtOnce, async ([at, item]) => {
    const standsBefore = (id: string) => items.slice(0, at).some(({ transaction }) => identityOf(transaction) === id);
    try {
      outcomes.set(item, { checked: await checkItem(context, item, standsBefore) });
    } catch (error) {
      hasFault = true;
      outcomes.set(item, { error });
    }
  });
  const checked: CheckedItem[] = [];
  for (const item of items) {
    const outcome = outcomes.get(item);
    assertOurs(outcome, "each before the first fault was checked");
    if ("checked" in outcome) {
      checked.push(outcome.checked);
      continue;
    }
    // Once some were submitted, a plain refusal would read as if nothing had happened. The rest is checked again when its
    // turn arrives: until then another copy of this request may have sent it.
    const { error } = outcome;
    if (!(error instanceof TrellisError) || !checked.some(({ kind }) => kind === "known")) throw error;
    break;
  }
  return checked;
}

/** Undefined for what is no transaction, which is refused by its own check. */
function identityOf(transaction: string): string | undefined {
  const read = readTransaction(Buffer.from(transaction, "base64"));
  return read && identifyMessage(Uint8Array.from(read.transaction.messageBytes));
}

/** What can only be judged when its turn has arrived, by the settings as they are then. */
async function checkInTurn({ account: { row }, ...rest }: SubmitContext<SubmitNeeds>, item: SubmitItem) {
  const account = await getActingAccount(rest.needs.db, rest.network, row.tenant_id, row.address);
  const context = { ...rest, account };
  return { context, item: assertExecutable(await checkItem(context, item)) };
}

/** The answer when the transaction after these results failed. */
function stoppedBy(error: TrellisError, results: MultipleResult["results"]): Answer<MultipleResult> {
  const finality = finalityOf(error);
  return {
    data: {
      results,
      partial_failure: {
        failed_at_index: results.length,
        error_code: wireCode(error.code),
        error_message: error.message,
      },
    },
    // What landed before it is an effect: no other request may run under this key.
    finality: finality === "refused" && results.length > 0 ? "open" : finality,
  };
}
