/** A receiver of webhooks, and what sends to it. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createWebhookEndpoint } from "../../src/events/create-webhook-endpoint.js";
import { createDeliverer, type Deliverer } from "../../src/events/deliver-events.js";
import { getWebhookEndpoint } from "../../src/events/get-webhook-endpoint.js";
import { listWebhookAttempts } from "../../src/events/list-webhook-attempts.js";
import { recordEvent } from "../../src/events/record-event.js";
import type { WebhookAttempt } from "../../src/events/webhook-attempt.js";
import type { WebhookEndpoint } from "../../src/events/webhook-endpoint.js";
import { advanceClock } from "../../src/sandbox-controls/advance-clock.js";
import type { CallParts, TestNetwork } from "./test-network.js";

/** One request that arrived. */
export interface ReceivedEvent {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly event: { id: string; type: string; example?: boolean; data: { object: { n?: number } } };
}

/** An endpoint as its creation answers it. */
export interface CreatedEndpoint extends WebhookEndpoint {
  readonly secret: string;
}

export interface Webhooks {
  /** Where the receiver listens, without a slash behind it. */
  readonly base: string;
  /** What arrived since the test began, or since it was emptied. */
  received: ReceivedEvent[];
  /** Answers a request; 204 unless the test says otherwise. */
  answer: (request: ReceivedEvent, response: ServerResponse) => void;
  /** Sends with this machine's time in its headers, which receivers compare with theirs; stopped after the test. */
  deliverer: Deliverer;
  create(path?: string, types?: readonly string[]): Promise<CreatedEndpoint>;
  read(endpointId: string): Promise<WebhookEndpoint>;
  attemptsOf(endpointId: string, query?: object): Promise<WebhookAttempt[]>;
  /** Records an event; answers its id. */
  emit(n: number, type?: "webhook.test" | "proposal.voted"): Promise<string>;
  /** Sends everything that is due now. */
  deliver(): Promise<void>;
  advance(seconds: number): Promise<unknown>;
  /** The receiver's URL with characters that no URL has. */
  impossibleUrls(): readonly string[];
  /** Callers that have no endpoint of this tenant and environment: another tenant, and the tenant in another environment. */
  others(): Promise<readonly Pick<CallParts, "caller" | "network">[]>;
}

const accept = (_request: ReceivedEvent, response: ServerResponse) => void response.writeHead(204).end();

/** A receiver for all tests of a file. Each test begins without endpoints, with nothing received and a deliverer of its own. */
export function useWebhooks(test: TestNetwork): Webhooks {
  const state = {
    base: "",
    received: [] as ReceivedEvent[],
    answer: accept,
    deliverer: undefined as never as Deliverer,
  };
  const hooks: Webhooks = Object.assign(state, {
    create: (path = "/hooks", types: readonly string[] = ["*"]) =>
      test.call<CreatedEndpoint>(createWebhookEndpoint, { body: { url: `${state.base}${path}`, types } }),
    read: (endpoint_id: string) => test.call<WebhookEndpoint>(getWebhookEndpoint, { params: { endpoint_id } }),
    attemptsOf: (endpoint_id: string, query: object = {}) =>
      test.call<WebhookAttempt[]>(listWebhookAttempts, { params: { endpoint_id }, query }),
    emit: async (n: number, type: "webhook.test" | "proposal.voted" = "webhook.test") => {
      const id = await recordEvent(test.needs.db, {
        tenantId: test.caller.tenantId,
        environment: "sandbox",
        type,
        objectId: `thing-${n}`,
        data: { n },
        now: test.network.clock.now(),
      });
      return id ?? "";
    },
    deliver: () => deliverDue(test, state.deliverer),
    advance: (seconds: number) => test.call(advanceClock, { body: { seconds } }),
    impossibleUrls: () =>
      ["/\r\nX: y", "/ ", "/a b", "/\u0085"]
        .map((end) => `${state.base}${end}`)
        .concat(`\t${state.base}/`, ` ${state.base}/`),
    others: async () => [
      { caller: await test.addTenant(`other-${randomUUID()}`) },
      { network: { ...test.network, name: "devnet" as const } },
    ],
  });
  const receiver = createServer(async (request, response) => {
    const one = await readEvent(request);
    state.received.push(one);
    state.answer(one, response);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    state.base = `http://localhost:${(receiver.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  beforeEach(async () => {
    state.received = [];
    state.answer = accept;
    // What earlier tests left open is theirs.
    await test.needs.db.deleteFrom("webhook_endpoint").execute();
    state.deliverer = createDeliverer({ ...test.needs, realClock: { now: Date.now } }, test.network);
    await state.deliverer.tick();
  });
  afterEach(() => state.deliverer.stop());
  return hooks;
}

async function readEvent(request: IncomingMessage): Promise<ReceivedEvent> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("utf8");
  const headers = request.headers as Record<string, string>;
  return { path: request.url ?? "", headers, body, event: JSON.parse(body) };
}

async function deliverDue(test: TestNetwork, deliverer: Deliverer): Promise<void> {
  for (let more = true; more; ) {
    await deliverer.tick();
    await deliverer.settled();
    // Whose turn was over before everything was sent.
    const due = await test.needs.db
      .selectFrom("webhook_endpoint")
      .select("id")
      .where("next_due_at", "<=", BigInt(test.network.clock.now()))
      .where("leased_until", "is", null)
      .execute();
    more = due.length > 0;
  }
}
