import { addressOfKey, signTransaction } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { dataOf, may, newKey, refusalOf } from "../proposals/support.js";
import { bareOf } from "../spending-limits/support.js";
import { useTestService } from "../support/scene.js";
import { between, dayMs, iso, ordersOf, type WireOrder } from "./support.js";

const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "1000" });
const api = ordersOf(trellis);
const [a, b] = [newKey(), newKey()];
const payee = addressOfKey(newKey());
const open = () => api.open({ signers: [may(a)], threshold: 1 });
const later = () => iso(api.now() + dayMs);

describe("cancelling a standing order", () => {
  it("stops it at once, and is over when the removal of its limit is confirmed", async () => {
    const account = await open();
    const { id, spending_limit_address } = await api.begin(account, order(account), [a]);
    const first = dataOf<WireOrder>(await api.cancel(account, id));
    expect(first).toMatchObject({ status: "cancelled", reason: "cancelled_by_user", mandate: "revocation_pending" });
    expect(await api.order(account, id)).toMatchObject({ status: "cancelled", mandate: "revocation_pending" });

    const again = dataOf<WireOrder>(await api.cancel(account, id));
    expect(again.transaction).not.toBe(first.transaction);
    await api.submitNow(account, again as { transaction: string }, [a]);
    expect(await api.order(account, id)).toMatchObject({ status: "cancelled", mandate: "revoked" });
    expect(bareOf<unknown[]>(await api.limits(account))).toEqual([]);
    expect(spending_limit_address).toBe(again.spending_limit_address);

    const over = dataOf<WireOrder>(await api.cancel(account, id));
    expect(over.mandate).toBe("revoked");
    expect(over).not.toHaveProperty("transaction");
  });

  it("has nothing to be signed while the limit was never given, and releases the transaction that would give it", async () => {
    const account = await open();
    const made = dataOf<WireOrder>(await api.createOrder(account, order(account)));
    const cancelled = dataOf<WireOrder>(await api.cancel(account, made.id));
    expect(cancelled).toMatchObject({ status: "cancelled", mandate: "awaited" });
    expect(cancelled).not.toHaveProperty("transaction");
    expect(refusalOf(await api.submit(account, made.transaction ?? "", [a]))).toEqual([400, "blockhash_expired"]);
  });

  it("is a vote where the signers cannot act at once", async () => {
    const shared = await api.open({ signers: [may(a), may(b)], threshold: 2 });
    const { id } = await api.begin(shared, order(shared), [a, b]);
    const asked = { transaction_signers: [addressOfKey(a)] };
    const cancelled = dataOf<WireOrder>(await api.cancel(shared, id, asked));
    expect(cancelled).toMatchObject({ status: "cancelled", mandate: "revocation_pending" });
    await api.submitNow(shared, cancelled as { transaction: string }, [a]);
    await api.cast(shared, cancelled.proposal_address ?? "", "approve", [b]);
    await api.run(shared, cancelled.proposal_address ?? "", b);
    expect((await api.order(shared, id)).mandate).toBe("revoked");
  });

  it("stops it also when nothing could be prepared", async () => {
    const account = await open();
    const { id } = await api.begin(account, order(account), [a]);
    const refused = await api.cancel(account, id, { transaction_signers: [addressOfKey(b)] });
    expect(refusalOf(refused)).toEqual([403, "insufficient_permissions"]);
    expect(await api.order(account, id)).toMatchObject({ status: "cancelled", mandate: "active" });
  });

  it("is offered for a limit that was confirmed after the order had been cancelled", async () => {
    const shared = await api.open({ signers: [may(a), may(b)], threshold: 2 });
    const asked = order(shared, { transaction_signers: [addressOfKey(a)] });
    const made = dataOf<WireOrder>(await api.createOrder(shared, asked));
    await api.submitNow(shared, made as { transaction: string }, [a]);
    dataOf(await api.cancel(shared, made.id));
    await api.cast(shared, made.proposal_address ?? "", "approve", [b]);
    await api.run(shared, made.proposal_address ?? "", b);
    expect(await api.order(shared, made.id)).toMatchObject({ status: "cancelled", mandate: "active" });
    const removal = dataOf<WireOrder>(await api.cancel(shared, made.id));
    await api.submitNow(shared, removal as { transaction: string }, [a, b]);
    expect((await api.order(shared, made.id)).mandate).toBe("revoked");
  });
});

describe("a limit that is removed by other means", () => {
  it("leaves its order inactive, which a new limit resumes", async () => {
    const account = await open();
    const begun = await api.begin(account, order(account, { end_date: iso(api.now() + 30 * dayMs) }), [a]);
    const removal = bareOf<{ transaction: string }>(await api.remove(account, begun.spending_limit_address));
    await api.submitNow(account, removal, [a]);
    const missing = { status: "inactive", reason: "spending_limit_missing", mandate: "revoked" };
    expect(await api.order(account, begun.id)).toMatchObject(missing);

    await trellis.network.sandbox?.advanceClock((10 * dayMs) / 1000);
    const offered = dataOf<WireOrder & { summary: { actions: unknown[] }[] }>(await api.resume(account, begun.id));
    expect(offered).toMatchObject(missing);
    // Two of five payments fell due meanwhile.
    expect(offered.summary.flatMap(({ actions }) => actions)).toMatchObject([
      { type: "add_spending_limit", amount: "15000000", signers: [begun.executor_address], destinations: [payee] },
    ]);
    await api.submitNow(account, offered as { transaction: string }, [a]);
    const resumed = await api.order(account, begun.id);
    expect(resumed).toMatchObject({
      status: "active",
      mandate: "active",
      spending_limit_address: offered.renewal_limit_address,
      next_execution_date: iso(Date.parse(begun.start_date) + 14 * dayMs),
      remaining_amount: "15000000",
    });
    expect(resumed).not.toHaveProperty("reason");
    expect((await api.runs(account, begun.id)).map(({ state, error }) => [state, error])).toEqual([
      ["missed", "order_inactive"],
      ["missed", "order_inactive"],
    ]);
  });
});

describe("a new limit that an order was offered", () => {
  type Account = Awaited<ReturnType<typeof open>>;
  type Offered = WireOrder & { transaction: string };

  /** An order whose limit was removed by other means. */
  const inactive = async (account: Account, keys = [a]): Promise<WireOrder> => {
    const begun = await api.begin(account, order(account), keys);
    const removal = bareOf<{ transaction: string }>(await api.remove(account, begun.spending_limit_address));
    await api.submitNow(account, removal, keys);
    return api.order(account, begun.id);
  };
  const asked = { transaction_signers: [addressOfKey(a)] };
  const addressesOf = async (account: Account) =>
    bareOf<{ address: string }[]>(await api.limits(account)).map(({ address }) => address);
  const busy = [409, "submission_in_progress"];
  const refused = [400, "blockhash_expired"];

  it("can no longer be submitted once another was offered", async () => {
    const account = await open();
    const { id } = await inactive(account);
    const first = dataOf<Offered>(await api.resume(account, id));
    const second = dataOf<Offered>(await api.resume(account, id));
    expect(refusalOf(await api.submit(account, first.transaction, [a]))).toEqual(refused);
    await api.submitNow(account, second, [a]);
    expect(await api.order(account, id)).toMatchObject({
      status: "active",
      spending_limit_address: second.renewal_limit_address,
    });
    expect(await addressesOf(account)).toEqual([second.renewal_limit_address]);
  });

  it("is one, however many ask at once", async () => {
    const account = await open();
    const { id } = await inactive(account);
    const answers = await Promise.all([1, 2, 3].map(() => api.resume(account, id)));
    for (const answer of answers) if (answer.status !== 200) expect(refusalOf(answer)).toEqual(busy);
    for (const answer of answers.filter(({ status }) => status === 200)) {
      await api.submit(account, dataOf<Offered>(answer).transaction, [a]);
    }
    expect((await addressesOf(account)).length).toBeLessThanOrEqual(1);
  });

  it("is waited for while its submission is open", async () => {
    const account = await open();
    const { id } = await inactive(account);
    dataOf(await api.resume(account, id));
    const { db } = trellis.service;
    const { prepared_id } = await orderRow(id);
    const template = await db.selectFrom("submission").selectAll().limit(1).executeTakeFirstOrThrow();
    const underWay = { ...template, id: prepared_id, signature: prepared_id, state: "sent" as const };
    await db
      .insertInto("submission")
      .values({ ...underWay, environment: "elsewhere" })
      .execute();
    expect(refusalOf(await api.resume(account, id))).toEqual(busy);
    await db.updateTable("submission").set({ state: "expired" }).where("id", "=", prepared_id).execute();
    expect(dataOf<Offered>(await api.resume(account, id))).toHaveProperty("transaction");
  });

  it("is waited for while a wallet can send it, and counts where one has", async () => {
    const account = await open();
    const { id } = await inactive(account);
    const { sandbox, rpc } = trellis.network;
    await sandbox?.airdrop(addressOfKey(a), 100_000_000n);
    const own = { fee_config: { self_managed_fees: true }, payer_address: addressOfKey(a) };
    const first = dataOf<Offered>(await api.resume(account, id, own));
    expect(refusalOf(await api.resume(account, id))).toEqual(busy);
    await sandbox?.advanceClock(150);
    const second = dataOf<Offered>(await api.resume(account, id, own));
    expect(refusalOf(await api.submit(account, first.transaction, [a]))).toEqual(refused);
    const wire = signTransaction(second.transaction, [a]);
    await rpc.sendTransaction(wire as never, { encoding: "base64" }).send();
    await sandbox?.advanceClock(150);
    expect(dataOf<WireOrder>(await api.resume(account, id))).not.toHaveProperty("transaction");
    expect(await api.order(account, id)).toMatchObject({
      status: "active",
      spending_limit_address: second.renewal_limit_address,
    });
    expect(await addressesOf(account)).toEqual([second.renewal_limit_address]);
  });

  it("is waited for while it is voted on", async () => {
    const shared = await api.open({ signers: [may(a), may(b)], threshold: 2 });
    const { id } = await inactive(shared, [a, b]);
    const first = dataOf<Offered>(await api.resume(shared, id, asked));
    await api.submitNow(shared, first, [a]);
    expect(refusalOf(await api.resume(shared, id, asked))).toEqual(busy);
    await api.cast(shared, first.proposal_address ?? "", "reject", [b]);
    const second = dataOf<Offered>(await api.resume(shared, id, asked));
    await api.submitNow(shared, second, [a]);
    await api.cast(shared, second.proposal_address ?? "", "approve", [b]);
    await api.run(shared, second.proposal_address ?? "", b);
    expect((await api.order(shared, id)).status).toBe("active");
    expect(await addressesOf(shared)).toEqual([second.renewal_limit_address]);
  });

  it("can no longer be submitted once the order was cancelled", async () => {
    const account = await open();
    const { id } = await inactive(account);
    const offered = dataOf<Offered>(await api.resume(account, id));
    const cancelled = dataOf<WireOrder>(await api.cancel(account, id));
    expect(cancelled).toMatchObject({ status: "cancelled", mandate: "revoked" });
    expect(refusalOf(await api.submit(account, offered.transaction, [a]))).toEqual(refused);
    expect(await addressesOf(account)).toEqual([]);
  });

  it("is the one that a cancellation removes and names, also when no pass had noticed it", async () => {
    const account = await open();
    const { id } = await inactive(account);
    const offered = dataOf<Offered>(await api.resume(account, id));
    const { updated_at: _, ...before } = await orderRow(id);
    await api.submitNow(account, offered, [a]);
    await trellis.service.db.updateTable("standing_order").set(before).where("id", "=", id).execute();
    const cancelled = dataOf<Offered>(await api.cancel(account, id));
    expect(cancelled).toMatchObject({
      status: "cancelled",
      mandate: "revocation_pending",
      spending_limit_address: offered.renewal_limit_address,
    });
    await api.submitNow(account, cancelled, [a]);
    expect((await api.order(account, id)).mandate).toBe("revoked");
    expect(await addressesOf(account)).toEqual([]);
  });
});

const orderRow = (id: string) =>
  trellis.service.db.selectFrom("standing_order").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

describe("resuming a standing order", () => {
  it("resumes with the next due date, and does not make up for those that passed meanwhile", async () => {
    const account = await open();
    const { id, start_date } = await api.begin(account, order(account, { frequency: "daily" }), [a]);
    await trellis.service.db
      .updateTable("standing_order")
      .set({ status: "inactive", reason: "insufficient_balance", attempt_at: null })
      .where("id", "=", id)
      .execute();
    await trellis.network.sandbox?.advanceClock((4 * dayMs) / 1000);
    const resumed = dataOf<WireOrder>(await api.resume(account, id));
    expect(resumed).toMatchObject({ status: "active", next_execution_date: iso(Date.parse(start_date) + 4 * dayMs) });
    expect(resumed).not.toHaveProperty("transaction");
    expect(await api.runs(account, id)).toHaveLength(4);
    expect(dataOf<WireOrder>(await api.resume(account, id)).status).toBe("active");
  });

  it("is refused while the account has as many open ones as it may", async () => {
    const account = await open();
    const { id } = await api.begin(account, order(account), [a]);
    const { db } = trellis.service;
    await db
      .updateTable("standing_order")
      .set({ status: "inactive", reason: "missed_repeatedly", attempt_at: null })
      .where("id", "=", id)
      .execute();
    const row = await db.selectFrom("standing_order").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const others = Array.from({ length: 20 }, (_, place) => {
      const own = { id: `${id}-${place}`, spending_limit_address: `${id}-${place}`, place };
      return { ...row, ...own, status: "active" as const };
    });
    await db.insertInto("standing_order").values(others).execute();
    expect(refusalOf(await api.resume(account, id))).toEqual([409, "standing_order_limit_exceeded"]);
    await db.updateTable("standing_order").set({ status: "cancelled" }).where("id", "=", `${id}-3`).execute();
    expect(dataOf<WireOrder>(await api.resume(account, id)).status).toBe("active");
  });

  it("is refused for one that waits, or was cancelled", async () => {
    const account = await open();
    const made = dataOf<WireOrder>(await api.createOrder(account, order(account)));
    const refused = [409, "invalid_standing_order_status"];
    expect(refusalOf(await api.resume(account, made.id))).toEqual(refused);
    dataOf(await api.cancel(account, made.id));
    expect(refusalOf(await api.resume(account, made.id))).toEqual(refused);
  });
});

describe("a standing order", () => {
  it("is neither cancelled nor resumed by way of another account", async () => {
    const [mine, other] = [await open(), await open()];
    const { id } = await api.begin(mine, order(mine), [a]);
    const missing = [404, "standing_order_not_found"];
    expect(refusalOf(await api.cancel(other, id))).toEqual(missing);
    expect(refusalOf(await api.resume(other, id))).toEqual(missing);
  });

  it("is warned of by a change of the account's signers, which ends no mandate", async () => {
    const account = await open();
    const { id, spending_limit_address } = await api.begin(account, order(account), [a]);
    const changed = dataOf<{ remaining_mandates: unknown[] }>(
      await api.request("PATCH", account, "", { signers: [may(b)], transaction_signers: [addressOfKey(a)] }),
    );
    expect(changed.remaining_mandates).toEqual([{ standing_order_id: id, spending_limit_address }]);
  });
});

describe("a limit for the executor", () => {
  const executor = () => trellis.network.executor?.address ?? "";
  const limit = (more: object) => ({ amount: "1", mint: "sol", period: "day", ...more });

  it("is given by a standing order only", async () => {
    const account = await open();
    const asked = limit({ spending_limit_signers: [executor()], destinations: [payee] });
    expect(refusalOf(await api.createLimit(account, asked))).toEqual([400, "forbidden_account"]);
    const content = { type: "settings", actions: [{ type: "AddSpendingLimit", ...limit({ signers: [executor()] }) }] };
    const proposed = await api.create(account, { signer: addressOfKey(a), ...content });
    expect(refusalOf(proposed)).toEqual([400, "forbidden_account"]);
  });
});

const order = (account: Awaited<ReturnType<typeof open>>, more: object = {}) => ({
  amount: "5000000",
  frequency: "weekly",
  ...between(account, payee),
  start_date: later(),
  ...more,
});
