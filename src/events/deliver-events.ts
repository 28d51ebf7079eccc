import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { allOf } from "@trellis/kernel/each-of.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { WebhookOutcome, WebhookSender } from "@trellis/kernel/ports/webhook-post.js";
import { sql } from "kysely";
import { type DueDelivery, findDue, release } from "./due-deliveries.js";
import { showEvent } from "./event-store.js";
import { publishEvents } from "./publish-events.js";
import { recordEvents } from "./record-event.js";
import { signWebhook } from "./sign-webhook.js";
import { openSecret, rulesOf, type WebhookEndpointRow } from "./webhook-endpoint.js";

/** What sending events asks of the world. */
export interface DeliveryNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: Clock;
  readonly log: Log;
  readonly webhookSender: WebhookSender;
}

/** Sends the events of one environment. */
export interface Deliverer {
  /** Gives new events their place and begins with what is due; waits for no receiver. */
  tick(): Promise<void>;
  /** Resolves once nothing is being sent: for tests, and the code that moved the clock. */
  settled(): Promise<void>;
  /** Breaks off what is being sent, which is then sent again by the next process that claims it. */
  stop(): Promise<void>;
}

/**
 * Makes the sender of events (gap 92), in any number of processes. Each endpoint that has something due is claimed by
 * one process at a time, under a lease, and has a turn of its own: one that hangs holds up its own events and no one
 * else's. No transaction is open while a receiver is waited for. A process that dies leaves everything as it was before
 * the request, so that the same event, under the same id, is sent again: at least once, in no promised order.
 */
export function createDeliverer(needs: DeliveryNeeds, network: Pick<Network, "name" | "clock">): Deliverer {
  const turns = new Map<string, { readonly row: WebhookEndpointRow; readonly done: Promise<void> }>();
  const stopping = new AbortController();
  const begin = (row: WebhookEndpointRow) => {
    const done = takeTurn(needs, network, row, stopping.signal)
      .catch((error: unknown) =>
        needs.log.error(
          { event: "webhook_delivery_failed", err: error, endpoint: row.id },
          "webhook delivery failed: events could not be sent to an endpoint",
        ),
      )
      .finally(() => turns.delete(row.id));
    turns.set(row.id, { row, done });
  };
  const settled = async () => {
    while (turns.size > 0) await Promise.all([...turns.values()].map(({ done }) => done));
  };
  return {
    tick: async () => {
      await publishEvents(needs.db, network);
      if (stopping.signal.aborted) return;
      const busy = [...turns.values()].map(({ row }) => row);
      for (const row of await claimEndpoints(needs, network, busy)) begin(row);
    },
    settled,
    stop: async () => {
      stopping.abort();
      await settled();
    },
  };
}

/** Takes endpoints with something due, or that a dead process had, for as long as the lease lasts. */
async function claimEndpoints(
  { db, realClock }: DeliveryNeeds,
  network: Pick<Network, "name" | "clock">,
  busy: readonly WebhookEndpointRow[],
): Promise<readonly WebhookEndpointRow[]> {
  const free = limits.endpointsAtOnce - busy.length;
  if (free <= 0) return [];
  const failing = busy.filter(({ failing_since }) => failing_since !== null).length;
  const counts = new Map<string, number>();
  for (const { tenant_id } of busy) counts.set(tenant_id, (counts.get(tenant_id) ?? 0) + 1);
  const full = [...counts].flatMap(([id, count]) => (count >= limits.endpointsAtOncePerTenant ? [id] : []));
  const [tenants, held] = [[...counts.keys()], [...counts.values()]];
  const realNow = realClock.now();
  const { rows } = await sql<WebhookEndpointRow>`
    with due as materialized (
      select id, tenant_id, next_due_at from webhook_endpoint
      where environment = ${network.name} and next_due_at <= ${network.clock.now()}::int8 and leased_until is null
        and tenant_id <> all(${full}::text[]) and not is_frozen(tenant_id)
        ${failing >= limits.endpointsAtOnceFailing ? sql`and failing_since is null` : sql``}
      order by next_due_at limit ${free} for update skip locked
    ), left_behind as materialized (
      select id from webhook_endpoint
      where environment = ${network.name} and leased_until <= ${realNow}::int8
      order by leased_until limit ${free} for update skip locked
    ), chosen as (
      select id from (
        select id, tenant_id, row_number() over (partition by tenant_id order by next_due_at) as number from due
      ) as numbered
      left join unnest(${tenants}::text[], ${held}::int4[]) as busy (tenant_id, count) using (tenant_id)
      where number <= ${limits.endpointsAtOncePerTenant} - coalesce(busy.count, 0)
      union select id from left_behind
    )
    update webhook_endpoint set next_due_at = null, leased_until = ${realNow + limits.deliveryLeaseMs}::int8
    from chosen where webhook_endpoint.id = chosen.id
    returning webhook_endpoint.*`.execute(db);
  return rows;
}

/**
 * Sends what is due at one endpoint, and gives it back: after a while with more to be sent, so that receivers that take
 * everything, slowly, keep no other endpoint waiting.
 */
async function takeTurn(
  needs: DeliveryNeeds,
  network: Pick<Network, "name" | "clock">,
  claimed: WebhookEndpointRow,
  signal: AbortSignal,
): Promise<void> {
  const over = needs.realClock.now() + limits.deliveryTurnMs;
  let row = claimed;
  let notBefore = 0;
  while (!signal.aborted && row.status === "enabled" && notBefore <= network.clock.now()) {
    const atOnce = row.failing_since === null ? limits.deliveriesAtOncePerEndpoint : 1;
    const due = await findDue(needs.db, row, network.clock.now(), atOnce + 1);
    const some = due.slice(0, atOnce);
    if (some.length === 0) break;
    const results = await allOf(some.map((one) => attempt(needs, network, row, one, signal)));
    // What was broken off by ourselves says nothing about the receiver.
    const reported = results.filter(({ outcome }) => outcome.kind === "answered" || outcome.fault !== "stopped");
    if (reported.length === 0) break;
    const after = await record(needs, network, row, reported);
    // Another process has it: this one was too slow, or the endpoint is deleted.
    if (after === undefined) return;
    row = after;
    const asked = Math.max(0, ...reported.map(({ outcome }) => retryAfterOf(outcome, needs.realClock.now())));
    if (asked > 0) notBefore = network.clock.now() + asked;
    else if (due.length > atOnce && reported.every(({ isDelivered }) => !isDelivered)) {
      notBefore = network.clock.now() + limits.failingEndpointRestMs;
    }
    if (needs.realClock.now() >= over) {
      // Behind all who are waiting now.
      notBefore = Math.max(notBefore, network.clock.now());
      break;
    }
  }
  await release(needs.db, row, notBefore);
}

interface AttemptResult {
  readonly due: DueDelivery;
  readonly type: string;
  readonly outcome: WebhookOutcome;
  readonly isDelivered: boolean;
  /** Environment time. */
  readonly at: number;
}

async function attempt(
  needs: DeliveryNeeds,
  network: Pick<Network, "name" | "clock">,
  row: WebhookEndpointRow,
  due: DueDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const at = network.clock.now();
  const outcome = await post(needs, row, due.id, JSON.stringify(showEvent(due)), signal);
  return { due, type: due.type, outcome, isDelivered: isSuccess(outcome), at };
}

/** Sends one body to an endpoint, signed with every secret that is in force. Does not reject for the receiver's sake. */
export function post(
  { keyring, realClock, webhookSender }: Pick<DeliveryNeeds, "keyring" | "realClock" | "webhookSender">,
  row: WebhookEndpointRow,
  id: string,
  body: string,
  signal?: AbortSignal,
): Promise<WebhookOutcome> {
  const now = realClock.now();
  const sealed = [row.secret, Number(row.previous_secret_until ?? 0) > now ? row.previous_secret : null];
  const secrets = sealed.flatMap((secret) => (secret === null ? [] : [openSecret(keyring, row.id, secret)]));
  const headers = signWebhook(id, body, secrets, now);
  return webhookSender.send({ url: row.url, headers, body, ...rulesOf(row.environment) }, signal);
}

export const isSuccess = (outcome: WebhookOutcome): boolean =>
  outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;

/** Milliseconds a receiver asks for, of those that may ask; 0: it did not. */
function retryAfterOf(outcome: WebhookOutcome, realNow: number): number {
  if (outcome.kind !== "answered" || ![429, 502, 503, 504].includes(outcome.status)) return 0;
  const { retryAfter = "" } = outcome;
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - realNow;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), limits.retryAfterMaxMs) : 0;
}

/** When an attempt made at `at` is said to have been made: see `nextAttempt`. */
function attemptedAt(due: DueDelivery, at: number, ahead: number): number {
  const skipped = due.ahead_ms === null ? 0 : Math.max(0, ahead - Number(due.ahead_ms));
  return Math.max(Number(due.next_attempt_at), at - skipped);
}

/**
 * When to try again, in environment time; undefined: never. Waits are counted from the attempt. Where a caller moved the
 * sandbox's clock meanwhile, they are counted from when the attempt would have been: so all that would have happened in
 * the time that was skipped happens now, one after the other.
 */
function nextAttempt(
  { due, outcome, at }: AttemptResult,
  ahead: number,
  chance: number,
  realNow: number,
): { readonly at: number; readonly aheadMs: number } | undefined {
  const wait = limits.deliveryWaitsMs[due.attempts];
  if (wait === undefined) return undefined;
  const from = attemptedAt(due, at, ahead);
  const waitMs = Math.max(Math.round(wait * (1 + 0.2 * chance)), retryAfterOf(outcome, realNow));
  return { at: from + waitMs, aheadMs: ahead - (at - from) };
}

/**
 * Writes down the results of some attempts, in one statement, and what that means for the endpoint; undefined, and nothing
 * was written, when another process has the lease.
 */
async function record(
  needs: DeliveryNeeds,
  network: Pick<Network, "name" | "clock">,
  row: WebhookEndpointRow,
  results: readonly AttemptResult[],
): Promise<WebhookEndpointRow | undefined> {
  const realNow = needs.realClock.now();
  const now = network.clock.now();
  const values = results.map((result) => {
    const { due, type, outcome, isDelivered, at } = result;
    const [chance = 0] = needs.random.bytes(1);
    const next = isDelivered ? undefined : nextAttempt(result, now - realNow, chance / 255, realNow);
    const state = isDelivered ? "delivered" : next === undefined ? "failed" : "pending";
    return sql`(${due.event_id}::text, ${type}::text, ${state}::text, ${due.attempts + 1}::int4,
      ${next?.at ?? null}::int8, ${next?.aheadMs ?? null}::int8, ${needs.random.uuid()}::text, ${isDelivered}::boolean,
      ${outcome.kind === "answered" ? outcome.status : null}::int4, ${outcome.kind === "failed" ? outcome.fault : null}::text,
      ${outcome.kind === "answered" ? storable(outcome.body) : null}::text, ${outcome.durationMs}::int4,
      ${attemptedAt(due, at, now - realNow)}::int8)`;
  });
  const isRemoved = results.some(({ outcome }) => outcome.kind === "answered" && outcome.status === 410);
  const hasArrived = results.some(({ isDelivered }) => isDelivered);
  const since = hasArrived ? null : Number(row.failing_since ?? now);
  const reason = isRemoved ? "gone" : since !== null && now - since >= limits.endpointFailsForMs ? "failing" : null;
  const disabled = sql`, reported as (${recordEvents(sql`
    select tenant_id, environment, 'webhook_endpoint.disabled' as type, id as object_id,
      json_strip_nulls(json_build_object('id', id, 'url', url, 'types', types, 'description', description,
        'status', status, 'disabled_reason', disabled_reason, 'failing_since', wire_instant(failing_since),
        'former_secret_until', case when previous_secret_until > ${realNow}::int8 then wire_instant(previous_secret_until) end,
        'created_at', wire_instant(created_at), 'updated_at', wire_instant(updated_at)))::text as data,
      'enabled' as previous_status, false as is_example, null::text as once, ${now}::int8 as created_at
    from changed`)})`;
  const { rows } = await sql<WebhookEndpointRow>`
    with held as materialized (
      select id from webhook_endpoint
      where id = ${row.id} and leased_until = ${row.leased_until}::int8 and status = 'enabled' for update
    ), result as (
      select result.* from held cross join (values ${sql.join(values)}) as result (event_id, type, state, attempts, next_at,
        ahead_ms, attempt_id, is_delivered, status, fault, body, duration_ms, at)
    ), moved as (
      update webhook_delivery set state = result.state, attempts = result.attempts, next_attempt_at = result.next_at,
        ahead_ms = result.ahead_ms
      from result where endpoint_id = ${row.id} and webhook_delivery.event_id = result.event_id
    ), noted as (
      insert into webhook_attempt (id, endpoint_id, event_id, event_type, environment, attempt, is_delivered,
        response_status, fault, response_body, duration_ms, attempted_at)
      select attempt_id, ${row.id}, event_id, type, ${network.name}, attempts, is_delivered, status, fault, body,
        duration_ms, at
      from result
    ), changed as (
      update webhook_endpoint set leased_until = ${realNow + limits.deliveryLeaseMs}::int8, failing_since = ${since}::int8
        ${reason === null ? sql`` : sql`, status = 'disabled', disabled_reason = ${reason}, updated_at = ${now}::int8`}
      from held where webhook_endpoint.id = held.id
      returning webhook_endpoint.*
    ) ${reason === null ? sql`` : disabled}
    select * from changed`.execute(needs.db);
  if (reason !== null && rows.length > 0)
    needs.log.warn({ event: "webhook_endpoint_disabled", endpoint: row.id, reason }, "webhook endpoint was disabled");
  return rows[0];
}

/** A text the database takes. */
export const storable = (text: string): string => text.replaceAll("\u0000", "\ufffd");
