import type { Address } from "@solana/kit";
import { type RailsPartner, type RailTransfer, railTransferStates } from "@trellis/kernel/ports/rails.js";
import { expect } from "vitest";
import { readEnvironment } from "../../src/adapters/metrics/read-database.js";
import { isBackWord, transferState } from "../../src/adapters/rails/bridge/states.js";
import { getLegacyPaymentIntent } from "../../src/legacy/read-legacy-payment-intents.js";
import { listPaymentIntents } from "../../src/payments/list-payment-intents.js";
import type { PaymentIntent } from "../../src/payments/payment-intent.js";
import { followRails } from "../../src/rails/follow-rails.js";
import { readTransferRow } from "../../src/rails/transfer-store.js";
import { transferKind } from "../../src/rails/transfers.js";
import { cancelOverdueIntents } from "../../src/submissions/intent-states.js";
import { markFinal } from "../../src/submissions/submission-store.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { breakConnection, errorOf, type HeldAccount, stampKmsA, type TestNetwork } from "../support/test-network.js";
import { bent, type PreparedBankIntent, type railsOf, readIntent, submitBank } from "./transfers-support.js";

/** Words of partners: ours, those of the adapter that mean one of ours, and one that no release knows. */
export const words = [
  ...railTransferStates,
  "kyc_required",
  "refund_in_flight",
  "refund_failed",
  "missing_return_policy",
  "abracadabra",
] as const;
export type Word = (typeof words)[number];

export const stateOf = (word: Word): RailTransfer["state"] => transferState(word, () => undefined);

/** The outcome of a payment's own transaction; `elsewhere`: it runs out, and another payer sends coins to the address. */
export const fates = ["none", "open", "landed", "failed", "expired", "elsewhere"] as const;
export type Fate = (typeof fates)[number];

/** What a partner says of each transfer, by our reference. */
export interface Script {
  word: Word;
  receipt?: Record<string, string>;
}

/** The needs of a process whose partner says of each transfer what its script says, and cancels what waits for its money. */
export function scripted(test: TestNetwork, scripts: ReadonlyMap<string, Script>) {
  const { rails } = bent(test, (partner): Partial<RailsPartner> => {
    const report = (reported: RailTransfer): RailTransfer => {
      const script = scripts.get(reported.clientReference);
      if (script === undefined) return reported;
      return {
        ...reported,
        state: stateOf(script.word),
        receipt: script.receipt ?? null,
        returned: isBackWord(script.word) ? { reason: "the bank's words" } : null,
      };
    };
    return {
      readTransfer: async (ref, signal) => {
        const answer = await partner.readTransfer(ref, signal);
        return answer.ok ? { ok: true, value: report(answer.value) } : answer;
      },
      cancelTransfer: async ({ ref, signal }) => {
        const answer = await partner.readTransfer(ref, signal);
        const script = answer.ok ? scripts.get(answer.value.clientReference) : undefined;
        if (!answer.ok || script === undefined) return answer;
        if (script.word !== "awaiting_funds") {
          return { ok: false, refused: { reason: "wrong_state", forOperator: `it is ${script.word}` } };
        }
        script.word = "canceled";
        return { ok: true, value: report(answer.value) };
      },
      changesSince: async () => ({ ok: true, value: { hints: [], cursor: "none" } }),
    };
  });
  const [environment, own] = [...rails][0] as ["sandbox", ReturnType<typeof railsOf>];
  // The simulated partner itself rests: what it would do is not what it says.
  return { ...test.needs, rails: new Map([[environment, { ...own, simulator: undefined }]]) };
}

type Needs = ReturnType<typeof scripted>;

/** Has the service read one transfer now, whatever it has planned. */
export const refresh = (needs: Needs, test: TestNetwork, id: string) =>
  transferKind.poll(needs as never, test.network, needs.rails.get("sandbox") as never, id);

/** Lets time pass by both clocks, and the passes run. */
export async function pass(needs: Needs, test: TestNetwork, ms: number): Promise<void> {
  test.needs.realClock.advance(ms);
  await test.network.sandbox?.advanceClockTo(test.network.clock.now() + ms);
  await cancelOverdueIntents(test.needs.db, test.network);
  await followRails(needs as never, test.network);
}

/** Brings a payment's transaction to its fate, as far as it can still be submitted; says to which. */
export async function meet(
  test: TestNetwork,
  holder: HeldAccount,
  prepared: PreparedBankIntent,
  fate: Fate,
): Promise<Fate> {
  if (fate === "none") return fate;
  if (fate === "elsewhere") {
    const row = await readTransferRow(test.needs.db, prepared.id);
    await test.network.sandbox?.mintTo(row?.to_address as Address, row?.mint as Address, 1_000_000n, prepared.id);
    return fate;
  }
  if (fate === "landed") {
    const sent = await submitBank(test, holder, prepared).then(
      () => undefined,
      (error: { readonly code?: string }) => error.code,
    );
    // What its partner has ended first is refused.
    if (sent !== undefined) expect(sent).toBe("payload_expired");
    return sent === undefined ? "landed" : "none";
  }
  // Its bytes are stored, and not reported.
  const network = breakConnection(test.network, (method) =>
    ["sendTransaction", "getSignatureStatuses"].includes(method),
  );
  const error = await errorOf(
    test.call(submitTransactions, {
      network,
      params: { address: holder.address },
      body: {
        transaction: prepared.transaction,
        kms_payloads: prepared.kms_payloads.map(({ payload }) => ({
          provider: "kms_a",
          kms_signed_payload: { signature: stampKmsA(payload, holder.authorizationKey) },
        })),
      },
    }),
  );
  if (error.code === "payload_expired") return "none";
  return fate === "open" ? fate : end(test, prepared.id, fate);
}

/** Ends an open transaction, as a read of the chain does. */
export async function end(test: TestNetwork, id: string, fate: "failed" | "expired"): Promise<Fate> {
  const { db } = test.needs;
  const { prepared_id } = await db
    .selectFrom("payment_intent")
    .select("prepared_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const { signature } = await db
    .selectFrom("submission")
    .select("signature")
    .where("id", "=", prepared_id ?? "")
    .executeTakeFirstOrThrow();
  const failure = { error: { InstructionError: [1, { Custom: 1 }] }, logs: [] };
  const outcome = fate === "failed" ? { state: fate, signature, failure } : { state: fate, signature };
  await markFinal(db, [{ id: prepared_id ?? "", outcome: outcome as never }], test.network.clock.now());
  return fate;
}

/** All that is said of a payment, held against each other. */
export async function readAll(test: TestNetwork, address: string, id: string) {
  const view = await readIntent(test, address, id);
  const row = await readTransferRow(test.needs.db, id);
  if (row === undefined) throw new Error("a transfer is kept");
  const submission = await test.needs.db
    .selectFrom("submission")
    .innerJoin("payment_intent", "payment_intent.prepared_id", "submission.id")
    .select("submission.state")
    .where("payment_intent.id", "=", id)
    .executeTakeFirst();
  const listed = await test.call<PaymentIntent[]>(listPaymentIntents, {
    params: { address },
    query: { state: [view.state], limit: 100 },
  });
  const { PaymentProvider } = await test.call<{ PaymentProvider: { state: string } }>(getLegacyPaymentIntent, {
    params: { smart_account_address: address, payment_intent_id: id } as never,
  });
  const event = await test.needs.db
    .selectFrom("event")
    .select("data")
    .where("object_id", "=", id)
    .orderBy("sequence", "desc")
    .executeTakeFirstOrThrow();
  const reported = JSON.parse(event.data) as PaymentIntent;
  const alarms = test.logLines.filter(
    ({ level, fields }) => level === "error" && (fields as { id?: string }).id === id && "event" in fields,
  );
  const saidAs = {
    list: listed.find((one) => one.id === id)?.state,
    v0: PaymentProvider.state,
    event: reported.state,
    "code of the event": reported.error?.code,
    "words of the event": view.error?.code === "transaction_failed" ? view.error.message : reported.error?.message,
  };
  return {
    shown: view,
    row,
    submission: submission?.state,
    alarms: alarms.map(({ fields }) => (fields as { event: string }).event),
    disagreements: Object.entries({
      list: view.state,
      v0: view.state,
      event: view.state,
      "code of the event": view.error?.code,
      "words of the event": view.error?.message,
    }).flatMap(([where, said]) => {
      const other = saidAs[where as keyof typeof saidAs];
      return other === said ? [] : [`${where}: ${other}, and not ${said}`];
    }),
  };
}

/** How many an operator has to see to. */
export const astray = async (test: TestNetwork): Promise<number | undefined> =>
  (await readEnvironment(test.needs.db, test.network, test.needs.realClock)).find(
    ({ name }) => name === "trellis_rail_coins_astray",
  )?.value;
