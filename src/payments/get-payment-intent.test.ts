import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import {
  openPayer,
  type PreparedIntent,
  prepareIntent,
  stampsOf,
  submitIntent,
  usePayer,
} from "../../test/support/payments.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { postgresUrl } from "../../test/support/test-database.js";
import { breakConnection, errorOf } from "../../test/support/test-network.js";
import { cancelOverdueIntents } from "../submissions/intent-states.js";
import { recoverSubmissions } from "../submissions/recover-submissions.js";
import { refuseForGood } from "../transactions/record-submission.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { getPaymentIntent } from "./get-payment-intent.js";
import { listPaymentIntents } from "./list-payment-intents.js";
import type { PaymentIntent } from "./payment-intent.js";

const test = useTestNetwork();
const holder = usePayer(test, "intents@example.org");

describe("200", () => {
  it("awaits its signatures, and is processed with the submission that lands it", async () => {
    const prepared = await prepare();
    const { transaction, kms_payloads, transaction_signers, expires_at, summary, fee, ...intent } =
      prepared as PreparedIntent & Record<string, unknown>;
    expect(await read(prepared.id)).toEqual(intent);
    await test.network.sandbox?.advanceClock(2);
    const { transaction_signature, confirmed_at } = await submit(prepared);
    const processed = await read(prepared.id);
    expect(processed).toEqual({
      ...intent,
      state: "payment_processed",
      transaction_signature,
      confirmed_at,
      updated_at: processed.updated_at,
    });
    expect(Date.parse(processed.updated_at)).toBeGreaterThan(Date.parse(processed.created_at));
  });

  it("is submitted while nobody knows its outcome, and a pass brings it to its end", async () => {
    const prepared = await prepare();
    const mute = breakConnection(test.network, (method) => method === "getSignatureStatuses");
    expect((await errorOf(submit(prepared, mute))).code).toBe("chain_unavailable");
    expect(await read(prepared.id)).toMatchObject({ state: "payment_submitted" });
    expect(await list({ state: ["payment_submitted"] })).toMatchObject([{ id: prepared.id }]);
    await recoverSubmissions(test.needs, test.network, 0);
    expect(await read(prepared.id)).toMatchObject({ state: "payment_processed" });
    expect((await submit(prepared)).transaction_signature).toBe((await read(prepared.id)).transaction_signature);
  });

  it("is canceled when its bytes were stored, and provably never landed", async () => {
    const prepared = await prepare();
    const deaf = breakConnection(test.network, (method) => method === "sendTransaction");
    expect((await errorOf(submit(prepared, deaf))).code).toBe("chain_unavailable");
    expect(await read(prepared.id)).toMatchObject({ state: "payment_submitted" });
    await test.network.sandbox?.advanceClock(200);
    await recoverSubmissions(test.needs, test.network, 0);
    expect(await read(prepared.id)).toMatchObject({ state: "canceled", error: { code: "blockhash_expired" } });
  });

  it("moves one by one where a multiple submit stops", async () => {
    const poor = await openPayer(test, "poor@example.org", "100000000");
    const all = [await prepare(poor, "60000000"), await prepare(poor, "60000001"), await prepare(poor)];
    const answer = await test.call<{ partial_failure?: { failed_at_index: number; error_code: string } }>(
      submitTransactions,
      {
        params: { address: poor.address },
        body: {
          transactions: all.map(({ transaction }) => transaction),
          kms_payloads: all.map((each) => stampsOf(each, poor)),
        },
      },
    );
    expect(answer.partial_failure).toMatchObject({ failed_at_index: 1, error_code: "transaction_failed" });
    const intents = await Promise.all(all.map(({ id }) => read(id, poor)));
    expect(intents.map(({ state }) => state)).toEqual(["payment_processed", "error", "awaiting_funds"]);
    expect(intents[1]).toMatchObject({
      error: { code: "transaction_failed" },
      transaction_signature: expect.any(String),
    });
    expect(intents[1]?.confirmed_at).toBeUndefined();
  });
});

describe("200, of an intent whose time is over", () => {
  it("is shown as canceled in the moment in which its time is over, and never paid then", async () => {
    const prepared = await prepare();
    await test.network.sandbox?.advanceClock(59);
    expect(await read(prepared.id)).toMatchObject({ state: "awaiting_funds" });
    await test.network.sandbox?.advanceClock(2);
    expect(await list({ state: ["awaiting_funds"] })).toEqual([]);
    expect((await list({ state: ["canceled"] }))[0]).toMatchObject({ id: prepared.id, state: "canceled" });
    expect(await stored(prepared.id)).toMatchObject({ state: "canceled", isRefused: true });
    expect(await read(prepared.id)).toMatchObject({ state: "canceled", error: { code: "payload_expired" } });
    expect((await errorOf(submit(prepared))).code).toBe("payload_expired");
    expect(await read(prepared.id)).toMatchObject({ state: "canceled" });
  });

  it("is canceled by a pass, if nobody asks", async () => {
    await cancelOverdueIntents(test.needs.db, test.network);
    const prepared = await Promise.all([prepare(), prepare(), prepare()]);
    expect(await cancelOverdueIntents(test.needs.db, test.network)).toBe(0);
    await test.network.sandbox?.advanceClock(61);
    expect(await cancelOverdueIntents(test.needs.db, test.network)).toBe(3);
    for (const { id } of prepared) expect(await stored(id)).toMatchObject({ state: "canceled", isRefused: true });
    expect(await cancelOverdueIntents(test.needs.db, test.network)).toBe(0);
  });

  it("is canceled by a pass also when its transaction was forgotten", async () => {
    const { id } = await prepare();
    const { preparedId } = await stored(id);
    await test.needs.db.deleteFrom("prepared_transaction").where("id", "=", preparedId).execute();
    await test.network.sandbox?.advanceClock(61);
    expect(await cancelOverdueIntents(test.needs.db, test.network)).toBe(1);
    expect(await stored(id)).toMatchObject({ state: "canceled" });
  });

  it("is canceled with the refusal that lets its caller prepare anew", async () => {
    const prepared = await prepare();
    await test.network.sandbox?.advanceClock(61);
    expect((await errorOf(submit(prepared))).code).toBe("payload_expired");
    expect(await stored(prepared.id)).toMatchObject({ state: "canceled", isRefused: true });
  });

  it.runIf(postgresUrl !== undefined)(
    "keeps its submission's state when a refusal came a moment too late",
    async () => {
      const { db } = test.needs;
      const prepared = await prepare();
      const { preparedId } = await stored(prepared.id);
      const owner = { tenantId: test.caller.tenantId, environment: "sandbox", accountAddress: holder.address };
      let refused: Promise<void> | undefined;
      await db.transaction().execute(async (trx) => {
        await sql`select id from prepared_transaction where id = ${preparedId} for update`.execute(trx);
        refused = refuseForGood(db, owner, preparedId, test.network.clock.now());
        await expect
          .poll(async () => {
            const { rows } = await sql<{ n: number }>`select count(*)::int4 as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
            return rows[0]?.n;
          })
          .toBe(1);
        await sql`update payment_intent set state = 'payment_submitted' where id = ${prepared.id}`.execute(trx);
      });
      await refused;
      expect(await stored(prepared.id)).toMatchObject({ state: "payment_submitted" });
      await db.updateTable("payment_intent").set({ state: "canceled" }).where("id", "=", prepared.id).execute();
    },
  );
});

describe("404", () => {
  it("is the answer for an intent of another account or tenant, and for no id", async () => {
    const { id } = await prepare();
    const other = await test.openHolder("other@example.org");
    const notFound = { status: 404, code: "payment_intent_not_found" };
    await expect(read(id, other)).rejects.toMatchObject(notFound);
    for (const missing of ["0".repeat(36), id.toUpperCase(), "\0"]) {
      await expect(read(missing)).rejects.toMatchObject(notFound);
    }
    const caller = await test.addTenant("a stranger to intents");
    const theirs = read(id, holder, { caller });
    await expect(theirs).rejects.toMatchObject({ status: 404, code: "account_not_found" });
  });
});

const prepare = (from = holder, amount = "1000000") => prepareIntent(test, from, { amount });

const submit = (prepared: PreparedIntent, network = test.network) => submitIntent(test, holder, prepared, network);

const read = (id: string, from = holder, more: object = {}) =>
  test.call<PaymentIntent>(getPaymentIntent, { params: { address: from.address, id }, ...more });

const list = (query: object) =>
  test.call<PaymentIntent[]>(listPaymentIntents, { params: { address: holder.address }, query });

/** As the row says it, whoever reads. */
async function stored(id: string) {
  const { state, prepared_id } = await test.needs.db
    .selectFrom("payment_intent")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const prepared = await test.needs.db
    .selectFrom("prepared_transaction")
    .select("refused_at")
    .where("id", "=", prepared_id)
    .executeTakeFirst();
  return { state, preparedId: prepared_id ?? "", isRefused: prepared?.refused_at != null };
}
