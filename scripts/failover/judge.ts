import type { Deed, Load } from "./load.js";
import type { Stage } from "./play.js";
import { waitFor } from "./processes.js";

/** What was found at the end. */
export interface Verdict {
  readonly counts: Readonly<Record<string, number>>;
  /** Everything that must not be, in plain words. */
  readonly wrong: readonly string[];
}

/** Lets a day pass on the chain, so that every order is due a second time and nothing prepared can land any more. */
export async function finish({ clients: [client] }: Stage): Promise<void> {
  await client.sandbox.advanceClock(86_400 + 3_600);
  const isOver = async () => {
    for await (const { status } of client.standingOrders.allOfTenant()) if (status === "active") return undefined;
    for await (const { state } of client.paymentIntents.allOfTenant()) {
      if (state === "awaiting_funds" || state === "payment_submitted") return undefined;
    }
    return true;
  };
  await waitFor("every order to be completed, and every payment decided", () => isOver().catch(() => undefined), 180);
}

/**
 * Holds what the clients and the service say against the chain. `mayForget`: the database lost what it had acknowledged, so that
 * rows may be missing; what is there must not contradict the chain.
 */
export async function judge(stage: Stage, load: Load, mayForget: boolean): Promise<Verdict> {
  const wrong: string[] = [];
  const arrivals = await readArrivals(stage, load.payee);
  const known = new Set(load.deeds.map(({ amount }) => amount));
  for (const amount of arrivals.keys())
    if (!known.has(amount)) wrong.push(`no client asked for ${amount}, which was paid`);
  const seen: Seen = { wrong, arrivals, mayForget };
  judgeDeeds(load.deeds, seen);
  const intents = await judgeIntents(stage, load.deeds, seen);
  const proposals = await judgeProposals(stage, load.deeds, seen);
  const runs = await judgeOrders(stage, load.deeds, seen);
  const events = await judgeEvents(stage, load.deeds, seen);
  if (!stage.areAlive()) wrong.push("a service has ended");
  for (const what of stage.refusals.keys()) if (what.startsWith("500")) wrong.push(`a call was answered ${what}`);
  const done = (kind: Deed["kind"]) =>
    load.deeds.filter((deed) => deed.kind === kind && deed.outcome === "done").length;
  return {
    counts: {
      "payments answered": done("payment"),
      "proposals executed": done("proposal"),
      "orders made": done("order"),
      "due dates paid": runs,
      "payments read": intents,
      "proposals read": proposals,
      "events delivered": events,
      "whose preparation was lost, too": load.deeds.filter(({ outcome }) => outcome === "forgotten").length,
    },
    wrong,
  };
}

interface Seen {
  readonly wrong: string[];
  /** How often each amount arrived on chain. */
  readonly arrivals: ReadonlyMap<bigint, number>;
  readonly mayForget: boolean;
}

const duesPerOrder = 2;

function judgeDeeds(deeds: readonly Deed[], { wrong, arrivals, mayForget }: Seen): void {
  for (const { kind, amount, outcome, code } of deeds) {
    const times = arrivals.get(amount) ?? 0;
    const most = kind === "order" ? duesPerOrder : 1;
    const what = `${kind} ${amount} (${outcome}${code === undefined ? "" : `, ${code}`})`;
    if (times > most) wrong.push(`DOUBLED: ${what} arrived ${times} times`);
    if (outcome === "open" || (outcome === "forgotten" && !mayForget)) wrong.push(`UNRESOLVED: ${what}`);
    if (outcome === "done" && times < most && !(kind === "order" && mayForget)) {
      wrong.push(`LOST: ${what} arrived ${times} times`);
    }
    if ((outcome === "refused" || outcome === "not begun") && times > 0) wrong.push(`CALLED FAILED: ${what} arrived`);
  }
}

async function judgeIntents({ clients }: Stage, deeds: readonly Deed[], seen: Seen): Promise<number> {
  const { wrong, arrivals, mayForget } = seen;
  const listed = new Set<string>();
  for await (const { id, state, amount } of clients[1].paymentIntents.allOfTenant()) {
    listed.add(id);
    const times = arrivals.get(BigInt(amount)) ?? 0;
    if (state === "payment_processed" && times === 0) wrong.push(`LOST: intent ${id} is ${state}, and nothing arrived`);
    if (state !== "payment_processed" && times > 0) {
      // Another intent of the same call may have carried it.
      const carried = deeds.find((deed) => deed.amount === BigInt(amount))?.id;
      if (carried === id) wrong.push(`CALLED FAILED: intent ${id} of ${amount} is ${state}, and arrived`);
    }
  }
  for (const { kind, id, outcome, amount } of deeds) {
    const isMissing = kind === "payment" && outcome === "done" && id !== undefined && !listed.has(id);
    if (isMissing && !mayForget) wrong.push(`LOST: the intent of payment ${amount} is not there`);
  }
  return listed.size;
}

async function judgeProposals({ clients }: Stage, deeds: readonly Deed[], { wrong, arrivals }: Seen): Promise<number> {
  const begun = deeds.filter(({ kind, id }) => kind === "proposal" && id !== undefined);
  for (const { account, id = "", amount } of begun) {
    const { status } = await clients[1].proposals.get(account, id);
    const times = arrivals.get(amount) ?? 0;
    const isExecuted = /^(?:executed|closed)$/i.test(status);
    if (isExecuted !== (times === 1))
      wrong.push(`proposal ${id} of ${amount} is ${status}, and arrived ${times} times`);
  }
  return begun.length;
}

async function judgeOrders({ clients }: Stage, deeds: readonly Deed[], seen: Seen): Promise<number> {
  const { wrong, arrivals, mayForget } = seen;
  const listed = new Set<string>();
  let paid = 0;
  for await (const { id, account, amount, status } of clients[1].standingOrders.allOfTenant()) {
    listed.add(id);
    const runs = await clients[1].standingOrders.runs(account ?? "", id);
    const states = runs.map(({ state }) => state);
    const times = arrivals.get(BigInt(amount)) ?? 0;
    // Without a mandate on chain nothing is due by it, and it ends as cancelled: one that nobody was said to have.
    const hasMandate = status !== "pending" && status !== "cancelled";
    const isOpened = deeds.some((deed) => deed.outcome === "done" && deed.id === id);
    const isPaid = runs.length === duesPerOrder && states.every((state) => state === "paid") && times === duesPerOrder;
    if (isOpened) paid += times;
    if (mayForget && !hasMandate) continue;
    if (isOpened ? !isPaid : hasMandate || runs.length > 0) {
      wrong.push(`order ${id} of ${amount} (${status}): runs ${states.join(", ")}, arrived ${times} times`);
    }
  }
  for (const { kind, id, outcome, amount } of deeds) {
    const isMissing = kind === "order" && outcome === "done" && !listed.has(id ?? "");
    if (isMissing && !mayForget) wrong.push(`LOST: order ${amount} is not there`);
  }
  return paid;
}

/** What no event may say of a payment that has arrived. */
const failures = new Set(["transaction.failed", "transaction.expired"]);

async function judgeEvents({ clients, received }: Stage, deeds: readonly Deed[], seen: Seen): Promise<number> {
  const { wrong, mayForget } = seen;
  const feed = new Map<string, string>();
  const processed = new Set<string>();
  const readFeed = async () => {
    for await (const { id, type, data } of clients[1].events.list({ limit: 100 })) {
      feed.set(id, type);
      const { id: object = "", state } = data.object as { id?: string; state?: string };
      if (state === "payment_processed") processed.add(object);
    }
    return [...feed.keys()].every((id) => received.has(id)) ? true : undefined;
  };
  await waitFor("every event to be delivered", readFeed, 120).catch(() => undefined);
  for (const [id, type] of feed) if (!received.has(id)) wrong.push(`LOST: event ${id} (${type}) was not delivered`);
  for (const { kind, id = "", outcome, amount } of deeds) {
    const isMissing = kind === "payment" && outcome === "done" && !processed.has(id);
    if (isMissing && !mayForget) wrong.push(`LOST: no event says that payment ${amount} was made`);
  }
  const arrived = new Set(
    deeds.flatMap(({ amount, id }) => (id !== undefined && seen.arrivals.has(amount) ? [id] : [])),
  );
  const signatures = new Set(deeds.flatMap(({ signature }) => signature ?? []));
  for (const { type, data } of received.values()) {
    const { id = "", state, signature = "" } = data.object as { id?: string; state?: string; signature?: string };
    const isOver = state === "canceled" || state === "error";
    if (type.startsWith("payment_intent.") && isOver && arrived.has(id)) {
      wrong.push(`CALLED FAILED: event ${type} of intent ${id}`);
    }
    if (failures.has(type) && signatures.has(signature)) wrong.push(`CALLED FAILED: event ${type} of ${signature}`);
  }
  return feed.size;
}

/** Reads from the chain how often each amount arrived at the payee, whatever brought it there. */
async function readArrivals(stage: Stage, payee: string): Promise<ReadonlyMap<bigint, number>> {
  const signatures: string[] = [];
  for (let before: string | undefined; ; ) {
    const page = await stage.askChain<readonly { readonly signature: string; readonly err: unknown }[]>(
      "getSignaturesForAddress",
      [payee, { limit: 1_000, ...(before === undefined ? {} : { before }) }],
    );
    signatures.push(...page.flatMap(({ signature, err }) => (err === null ? [signature] : [])));
    before = page.at(-1)?.signature;
    if (page.length < 1_000) break;
  }
  const arrivals = new Map<bigint, number>();
  for (const signature of signatures) {
    const amount = await readArrival(stage, payee, signature);
    // The play's own gift, which makes the address one.
    if (amount === gift) continue;
    arrivals.set(amount, (arrivals.get(amount) ?? 0) + 1);
  }
  return arrivals;
}

const gift = 1_000_000_000n;

interface Landed {
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
  readonly meta: {
    readonly preBalances: readonly number[];
    readonly postBalances: readonly number[];
    readonly loadedAddresses?: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
  };
}

async function readArrival({ askChain }: Stage, payee: string, signature: string): Promise<bigint> {
  const options = { encoding: "json", maxSupportedTransactionVersion: 0, commitment: "confirmed" };
  const { transaction, meta } = await askChain<Landed>("getTransaction", [signature, options]);
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
  const place = [...transaction.message.accountKeys, ...writable, ...readonly].indexOf(payee);
  return BigInt(meta.postBalances[place] ?? 0) - BigInt(meta.preBalances[place] ?? 0);
}
