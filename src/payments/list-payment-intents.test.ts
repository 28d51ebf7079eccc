import type { Caller } from "@trellis/kernel/endpoint.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { postgresUrl } from "../../test/support/test-database.js";
import { breakConnection, errorOf, type HeldAccount, publicKeyOf, stampKmsA } from "../../test/support/test-network.js";
import { cancelOverdueIntents } from "../submissions/intent-states.js";
import { recoverSubmissions } from "../submissions/recover-submissions.js";
import { refuseForGood } from "../transactions/record-submission.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { getPaymentIntent } from "./get-payment-intent.js";
import { listPaymentIntents } from "./list-payment-intents.js";
import type { PaymentIntent } from "./payment-intent.js";
import { preparePayment } from "./prepare-payment.js";

const test = useTestNetwork();
const holder = use(() => openHolder("intents@example.org", "5000000000"));

describe("a payment intent", () => {
  it("awaits its signatures, and is processed with the submission that lands it", async () => {
    const prepared = await prepare();
    const { transaction, kms_payloads, transaction_signers, expires_at, summary, fee, ...intent } =
      prepared as Prepared & Record<string, unknown>;
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
    const poor = await openHolder("poor@example.org", "100000000");
    const all = [await prepare(poor, "60000000"), await prepare(poor, "60000001"), await prepare(poor, "1000000")];
    const answer = await test.call<{ partial_failure?: { failed_at_index: number; error_code: string } }>(
      submitTransactions,
      {
        params: { address: poor.address },
        body: {
          transactions: all.map(({ transaction }) => transaction),
          kms_payloads: all.map((each) => stamps(each, poor)),
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

describe("the list of payment intents", () => {
  it("goes through all of them, newest first, page by page", async () => {
    const many = await openHolder("many@example.org", "1000000000");
    const { address } = many.verified;
    for (let i = 0; i < 7; i += 1) await prepare(many, String(1_000_000 + i));
    const whole = await list({}, many);
    expect(whole.map(({ amount }) => Number(amount)).sort()).toEqual([0, 1, 2, 3, 4, 5, 6].map((i) => 1_000_000 + i));
    const order = whole.map(({ created_at, id }) => `${created_at} ${id}`);
    expect(order).toEqual([...order].sort().reverse());

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = (await listPaymentIntents.handle(test.needs, {
        params: { address },
        query: { limit: 3, ...(cursor === undefined ? {} : { cursor }) },
        network: test.network,
        caller: test.caller,
      } as never)) as { data: PaymentIntent[]; headers?: Record<string, string>; metadata?: { next_cursor: string } };
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.metadata?.next_cursor;
      expect(page.headers?.["x-next-cursor"]).toBe(cursor);
    } while (cursor !== undefined);
    expect(seen).toEqual(whole.map(({ id }) => id));
    expect(await list({ limit: 0 }, many)).toEqual([]);
    expect((await list({ limit: 7 }, many)).length).toBe(7);
  });

  it("refuses a cursor that was not handed out", async () => {
    for (const cursor of [
      "",
      "x",
      Buffer.from("i1_1_0").toString("base64url"),
      Buffer.from("p1_1").toString("base64url"),
    ]) {
      expect((await errorOf(list({ cursor }))).code).toBe("invalid_cursor");
    }
  });

  it("shows nobody what is another tenant's or another account's", async () => {
    const { id } = await prepare();
    const other = await test.openHolder("other@example.org");
    const stranger = await test.addTenant("a stranger to intents");
    expect((await errorOf(read(id, other))).code).toBe("payment_intent_not_found");
    expect((await errorOf(read(id, holder, stranger))).code).toBe("account_not_found");
    expect((await errorOf(read("\0"))).code).toBe("payment_intent_not_found");
    expect(await list({}, other)).toEqual([]);
    const asked = test.call(listPaymentIntents, { params: { address: holder.address }, caller: stranger });
    expect((await errorOf(asked)).code).toBe("account_not_found");
  });
});

interface Prepared extends PaymentIntent {
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly payload: string }[];
}

interface Submitted {
  readonly transaction_signature: string;
  readonly confirmed_at: string;
}

async function openHolder(email: string, lamports: string): Promise<HeldAccount> {
  const held = await test.openHolder(email);
  await test.airdrop(held.address, "sol", lamports);
  return held;
}

const payee = publicKeyOf("the payee of intents");
const prepare = (from = holder, amount = "1000000"): Promise<Prepared> =>
  test.call<Prepared>(preparePayment, {
    params: { address: from.address },
    body: {
      amount,
      source: { account: from.address, currency: "sol" },
      destination: { address: payee, currency: "sol" },
    },
  });

const stamps = (prepared: Prepared, from = holder) =>
  prepared.kms_payloads.map(({ payload }) => ({
    provider: "kms_a",
    kms_signed_payload: { signature: stampKmsA(payload, from.authorizationKey) },
  }));

const submit = (prepared: Prepared, network?: Network): Promise<Submitted> =>
  test.call<Submitted>(submitTransactions, {
    params: { address: holder.address },
    body: { transaction: prepared.transaction, kms_payloads: stamps(prepared) },
    ...(network === undefined ? {} : { network }),
  });

const read = (id: string, from = holder, caller?: Caller): Promise<PaymentIntent> =>
  test.call<PaymentIntent>(getPaymentIntent, {
    params: { address: from.address, id },
    ...(caller === undefined ? {} : { caller }),
  });

const list = (query: object = {}, from = holder): Promise<PaymentIntent[]> =>
  test.call<PaymentIntent[]>(listPaymentIntents, { params: { address: from.address }, query });

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
