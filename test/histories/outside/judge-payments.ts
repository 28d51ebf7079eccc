import type { Address } from "@solana/kit";
import type { Attempt, Client, Holder, WantedPayment } from "./payments.js";
import { openSubmissions, type Stage, unexpectedAlarms } from "./stage.js";
import type { Answered, OnChain } from "./world.js";

/** Holds what the service says of payments against the chain and the partner; what is wrong goes to the stage. */
export interface PaymentJudge {
  /** At any moment: nothing that is said is untrue. */
  check(): Promise<void>;
  /** What GET says the state is; undefined: it knows none. */
  stateOf(attempt: Attempt): Promise<string | undefined>;
  noteAnswered(wanted: WantedPayment, attempt: Attempt, answer: Answered): Promise<void>;
  /** The client was answered that these bytes will never be paid. */
  noteOver(wanted: WantedPayment, attempt: Attempt): Promise<void>;
  noteRefused(wanted: WantedPayment, attempt: Attempt, answer: Answered): void;
  /** Whether no payment to a bank is expected to move any more. */
  isQuiet(): Promise<boolean>;
  /** At the end. */
  end(): Promise<void>;
}

interface View {
  readonly id: string;
  readonly state: string;
  readonly transaction_signature?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

const api = "/api/service/v1";

export async function createPaymentJudge(
  stage: Stage,
  holder: Holder,
  client: Client,
  payments: readonly WantedPayment[],
): Promise<PaymentJudge> {
  const { world, wrong, counts } = stage;
  const cancelledBefore = world.cancelledWithCoins.length;
  const began = {
    sol: await world.held(holder.address, "sol"),
    usdc: await world.held(holder.address, "usdc"),
  };
  const say = (wanted: WantedPayment, attempt: Attempt, what: string) =>
    void wrong.add(`${wanted.name} (${wanted.form}, attempt ${wanted.attempts.indexOf(attempt)}): ${what}`);

  const read = async (attempt: Attempt): Promise<View | undefined> => {
    const { status, data } = await world.request(
      "GET",
      `${api}/accounts/${holder.address}/payment-intent/${attempt.id}`,
    );
    return status === 404 ? undefined : data;
  };
  const reported = async (attempt: Attempt): Promise<View | undefined> => {
    const row = await world.db
      .selectFrom("event")
      .select("data")
      .where("object_id", "=", attempt.id)
      .where("type", "like", "payment_intent.%")
      .orderBy("sequence", "desc")
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? undefined : (JSON.parse(row.data) as View);
  };
  /** What the chain has of an attempt, changed or not; a confirmed one before a failed one. A changed failed one is nothing. */
  const onChain = async ({
    identity,
    changed,
  }: Attempt): Promise<{ readonly landed?: OnChain; readonly times: number }> => {
    const chain = await world.landed();
    const [own, other] = [chain.get(identity), changed && chain.get(changed.identity)];
    const paid = [own, other].filter((one) => one?.failed === false);
    const landed = paid[0] ?? own;
    return { ...(landed && { landed }), times: paid.length };
  };
  const transferOf = ({ id }: Attempt) =>
    world.db.selectFrom("rail_transfer").selectAll().where("id", "=", id).executeTakeFirst();
  const alarmsOf = ({ id, identity }: Attempt) =>
    world.alarms.slice(stage.alarmsFrom).filter(({ fields }) => {
      const text = JSON.stringify(fields, (_, value) => (typeof value === "bigint" ? value.toString() : value));
      return text.includes(id) || text.includes(identity);
    });

  const checkOne = async (wanted: WantedPayment, attempt: Attempt, listed: readonly View[]): Promise<void> => {
    const view = await read(attempt);
    const { landed } = await onChain(attempt);
    const isPaid = landed !== undefined && !landed.failed;
    if (attempt.over !== undefined && isPaid && wanted.form !== "bank")
      say(wanted, attempt, `it landed, and a client was told ${attempt.over}`);
    if (view === undefined) return;
    const { state, error } = view;
    const other = listed.find(({ id }) => id === attempt.id);
    if (JSON.stringify(other) !== JSON.stringify(view))
      say(wanted, attempt, `the list says ${other?.state}, GET ${state}`);
    const legacy = await world.request(
      "GET",
      `/api/v0/service/smart-accounts/${holder.address}/payment-intents/${attempt.id}`,
    );
    const old = legacy.data.PaymentProvider;
    if (old?.state !== state) say(wanted, attempt, `v0 says ${old?.state}, GET ${state}`);
    const event = await reported(attempt);
    if (event?.state !== state) say(wanted, attempt, `the last event says ${event?.state}, GET ${state}`);
    for (const [where, { error: why }] of [
      ["GET", view],
      ["the event", event ?? view],
    ] as const) {
      if (why?.message.includes("Nothing was paid") && isPaid)
        say(wanted, attempt, `${where} says "${why.message}", and it is in the chain`);
    }
    if (error?.code !== event?.error?.code)
      say(wanted, attempt, `GET says ${error?.code}, the event ${event?.error?.code}`);
    if (state === "canceled" && attempt.complete !== undefined && !isPaid && (await client.isAlive(attempt)))
      say(wanted, attempt, "it is canceled, and its bytes can still land");
    if (wanted.form === "bank") return;
    if (state === "canceled" && isPaid) say(wanted, attempt, "it is canceled, and it landed");
    if (state === "error" && isPaid) say(wanted, attempt, "it is in error, and it landed");
    if (state === "payment_processed" && !isPaid) say(wanted, attempt, "it is processed, and it did not land");
    if (state === "payment_processed" && view.transaction_signature !== landed?.signature)
      say(wanted, attempt, `its signature is ${view.transaction_signature} instead of ${landed?.signature}`);
    if (state === "payment_processed" && old?.receipt?.source_tx_hash !== landed?.signature)
      say(wanted, attempt, "v0 has another signature");
  };

  const attempts = () => payments.flatMap((wanted) => wanted.attempts.map((attempt) => ({ wanted, attempt })));

  /** How one has ended, of those that the service knows. */
  const judgeEnd = async (wanted: WantedPayment, attempt: Attempt): Promise<void> => {
    const view = await read(attempt);
    const { landed } = await onChain(attempt);
    if (view === undefined) return;
    const { state } = view;
    if (wanted.form !== "bank") {
      const right = landed === undefined ? "canceled" : landed.failed ? "error" : "payment_processed";
      if (state !== right) say(wanted, attempt, `it ended as ${state} instead of ${right}`);
      return;
    }
    const transfer = await transferOf(attempt);
    const isAsked = transfer !== undefined && transfer.look_at !== null;
    const isEnded = ["payment_processed", "canceled", "error", "undeliverable", "refunded"].includes(state);
    if (!isEnded && !isAsked) say(wanted, attempt, `it stays ${state}, and its partner is not asked any more`);
    if (landed === undefined || landed.failed) {
      if (state === "awaiting_funds") say(wanted, attempt, "nothing was paid, and it still awaits its funds");
      return;
    }
    if (state === "awaiting_funds" && alarmsOf(attempt).length === 0)
      say(wanted, attempt, "its coins are there, it awaits them, and nobody was alarmed");
    if ((state === "canceled" || state === "error") && alarmsOf(attempt).length === 0)
      say(wanted, attempt, `its coins are at the partner, it is ${state}, and nobody was alarmed`);
  };

  const movedIn = async (currency: "sol" | "usdc"): Promise<bigint> => {
    let sum = 0n;
    for (const { wanted, attempt } of attempts())
      if (wanted.currency === currency) sum += wanted.amount * BigInt((await onChain(attempt)).times);
    return sum;
  };

  return {
    stateOf: async (attempt) => (await read(attempt))?.state,
    check: async () => {
      const { data: listed } = await world.request("GET", `${api}/accounts/${holder.address}/payment-intents?limit=50`);
      for (const { wanted, attempt } of attempts()) await checkOne(wanted, attempt, listed);
    },
    noteAnswered: async (wanted, attempt, { data }) => {
      attempt.paid = true;
      const { landed } = await onChain(attempt);
      if (landed === undefined || landed.failed) say(wanted, attempt, "a submit was answered, and it did not land");
      const signature = data.transaction_signature ?? data.PaymentProvider?.receipt?.source_tx_hash;
      if (signature !== landed?.signature) say(wanted, attempt, `a submit was answered with ${signature}`);
    },
    noteOver: async (wanted, attempt) => {
      const { landed } = await onChain(attempt);
      if (landed !== undefined && !landed.failed && wanted.form !== "bank")
        say(wanted, attempt, `it has landed, and the client is told ${attempt.over}`);
    },
    noteRefused: (wanted, attempt, { code }) => say(wanted, attempt, `a submit was refused with ${code}`),
    isQuiet: async () => {
      for (const { attempt } of attempts()) {
        const transfer = await transferOf(attempt);
        if (transfer !== undefined && transfer.look_at !== null) return false;
      }
      return true;
    },
    end: async () => {
      for (const { wanted, attempt } of attempts()) await judgeEnd(wanted, attempt);
      for (const wanted of payments) {
        let times = 0;
        for (const attempt of wanted.attempts) times += (await onChain(attempt)).times;
        counts.paid += times;
        if (times === 0) counts.unpaid += 1;
        if (times > 1 && wanted.form !== "bank") wrong.add(`${wanted.name} was paid ${times} times`);
        if (wanted.payee === undefined) continue;
        const got = await world.held(wanted.payee as Address, wanted.currency);
        if (got !== wanted.amount * BigInt(times)) wrong.add(`${wanted.name}: its payee has ${got}`);
      }
      for (const ref of world.cancelledWithCoins.slice(cancelledBefore))
        wrong.add(`${ref} was cancelled at the partner while coins lay at its address`);
      const isRefunded = payments.some(({ form }) => form === "bank");
      for (const currency of ["sol", "usdc"] as const) {
        const left = (await world.held(holder.address, currency)) + (await movedIn(currency));
        const missing = began[currency] - left;
        // An account that pays its own fees opens its payees' token accounts.
        const isRent = currency === "sol" && missing % tokenAccountRent === 0n && missing / tokenAccountRent <= 4n;
        if (missing !== 0n && !(isRent && missing > 0n) && !(isRefunded && currency === "usdc"))
          wrong.add(`the account's ${currency} does not add up: ${missing} are missing`);
      }
      for (const line of await openSubmissions(world, holder.address)) wrong.add(line);
      const lost = counts.failovers > 0 ? ["transaction was found on chain that the database did not know"] : [];
      for (const line of unexpectedAlarms(stage, [...expected, ...lost])) wrong.add(line);
    },
  };
}

const tokenAccountRent = 2_039_280n;
/** What a service reports whose partner says anything. */
const expected = ["partner", "bank"];
