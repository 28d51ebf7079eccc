import { randomUUID } from "node:crypto";
import { limits } from "@trellis/kernel/limits.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { useTestService } from "../../test/support/scene.js";
import { noteRequest } from "../http/note-request.js";
import { removeOutdated } from "../scheduler/retention.js";
import { recordRequests } from "./record-requests.js";
import { createRequestLog } from "./request-log.js";
import { insertRequests } from "./request-store.js";

const test = useTestService();
const api = "/api/service/v1";

interface Kept {
  readonly request_id: string;
  readonly [field: string]: unknown;
}

const list = async (query = "", headers: Record<string, string> = {}) => {
  const { status, body, headers: answered } = await test.request("GET", `${api}/requests${query}`, undefined, headers);
  expect(status).toBe(200);
  return { items: (body as { data: Kept[] }).data, cursor: answered.get("x-next-cursor") };
};

/** A request with an id of its own, and what the list has of it. */
const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const id = randomUUID();
  const { status } = await test.request(method, path, body, { "x-request-id": id, ...headers });
  const { items } = await list(`?request_id=${id}`);
  return { id, status, kept: items[0], text: JSON.stringify(items) };
};

describe("GET /requests 200", () => {
  it("has what was refused, with the text of the catalogue", async () => {
    const { id, kept } = await ask("POST", `${api}/accounts`, { type: "email", email: "not an address" });
    expect(kept).toMatchObject({
      request_id: id,
      method: "POST",
      path: "/api/service/v1/accounts",
      status: 400,
      error_code: "invalid_email",
      error_message: "This is not a plain e-mail address.",
      environment: "sandbox",
      remote_address: expect.stringMatching(/127\.0\.0\.1|::1/),
    });
  });

  it("has what wrote something, and no read that succeeded", async () => {
    const { kept } = await ask("POST", `${api}/accounts`, { type: "email", email: "ada@example.org" });
    expect(kept).toMatchObject({ status: 201, method: "POST" });
    expect(kept).not.toHaveProperty("error_code");
    expect((await ask("GET", `${api}/session-policy`)).kept).toBeUndefined();
  });

  it("has nothing that the caller wrote: no body, no query, no path, no key", async () => {
    const secret = `sk_test_${"s3cret".repeat(8)}`;
    const refused = [
      await ask("POST", `${api}/accounts?token=${secret}`, { type: secret, email: secret, [secret]: 1 }),
      await ask("GET", `${api}/accounts/${secret}?x=${secret}`),
      await ask("GET", `${api}/accounts/4Nd1mYvW2VjcTq6Y9sGzN1vL3mC8yGxWcV7h8wVbXk3P/balances`),
      await ask("GET", `${api}/events/${secret}`),
      await ask("DELETE", `${api}/api-keys/${secret}`, undefined, { "x-session-token": secret }),
    ];
    for (const { kept, text } of refused) {
      expect(kept?.status).toBeGreaterThanOrEqual(400);
      expect(kept).not.toHaveProperty("account");
      expect(text).not.toContain("s3cret");
    }
    const { rows } = await sql`select * from request_record`.execute(test.service.db);
    expect(JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
      "s3cret",
    );
  });

  it("names the account in the path where it is one of the tenant's", async () => {
    const { address } = await test.openHolder();
    const { kept } = await ask("POST", `${api}/accounts/${address}/submit`, { transaction: "x" });
    expect(kept).toMatchObject({ account: address, path: `${api}/accounts/{address}/submit` });
  });

  it("is narrowed by status, key, code and id, page by page, and refuses what has no index", async () => {
    const { id } = await ask("GET", `${api}/events/none`);
    const [key] = (await list(`?request_id=${id}`)).items.map(({ api_key_id }) => api_key_id);
    for (const query of [
      "status=refused",
      `api_key_id=${key}`,
      `api_key_id=${key}&status=refused`,
      "code=event_not_found",
    ]) {
      const { items } = await list(`?${query}&limit=100`);
      expect([query, items.some(({ request_id }) => request_id === id)]).toEqual([query, true]);
    }
    const { items: failed } = await list("?status=failed");
    expect(failed).toEqual([]);
    expect((await list("?api_key_id=none")).items).toEqual([]);
    expect((await list("?limit=0")).items).toEqual([]);
    await test.request("GET", `${api}/events/none`);
    const first = await list("?status=refused&limit=1");
    const second = await list(`?status=refused&limit=1&cursor=${first.cursor}`);
    const whole = await list("?status=refused&limit=2");
    expect([...first.items, ...second.items]).toEqual(whole.items);
    for (const query of [
      "code=a&status=failed",
      "code=a&api_key_id=b",
      "request_id=a&code=b",
      "request_id=a&status=failed",
    ]) {
      const { status, body } = await test.request("GET", `${api}/requests?${query}`);
      expect([status, (body as { code: string }).code]).toEqual([400, "invalid_request"]);
    }
  });

  it("shows a key its tenant's requests, of environments that it opens", async () => {
    const { db } = test.service;
    const call = { ...sample(), tenantId: "default" };
    await insertRequests(db, [
      { ...call, requestId: "of-mainnet", environment: "mainnet" },
      { ...call, requestId: "of-none", environment: null },
      { ...call, requestId: "of-others", tenantId: "elsewhere" },
    ]);
    const ids = (await list("?limit=100")).items.map(({ request_id }) => request_id);
    expect(ids).toContain("of-none");
    for (const id of ["of-mainnet", "of-others"]) {
      expect(ids).not.toContain(id);
      expect((await list(`?request_id=${id}`)).items).toEqual([]);
      expect((await test.request("GET", `${api}/requests/${id}`)).status).toBe(404);
    }
  });
});

describe("GET /requests 403", () => {
  it("is the answer to a key without the scope, which is kept", async () => {
    const made = await test.request("POST", `${api}/api-keys`, {
      name: "narrow",
      scopes: ["accounts:read"],
      environments: ["sandbox"],
    });
    const { id, key } = (made.body as { data: { id: string; key: string } }).data;
    const { kept } = await ask("GET", `${api}/requests`, undefined, { authorization: `Bearer ${key}` });
    expect(kept).toMatchObject({ status: 403, error_code: "insufficient_scope", api_key_id: id });
  });
});

describe("GET /requests/{request_id}", () => {
  it("answers the latest with this id", async () => {
    const id = randomUUID();
    for (const path of ["events/none", "api-keys?cursor=x"])
      await test.request("GET", `${api}/${path}`, undefined, { "x-request-id": id });
    const { body } = await test.request("GET", `${api}/requests/${id}`);
    expect((body as { data: Kept }).data).toMatchObject({ request_id: id, error_code: "invalid_cursor" });
  });

  it("answers one of the tenant itself before what a page has sent with its id", async () => {
    const { db } = test.service;
    const call = { ...sample(), tenantId: "default", requestId: "shared" };
    const answered = async () => {
      const { body } = await test.request("GET", `${api}/requests/shared`);
      return (body as { data: Kept }).data.api_key_id;
    };
    await insertRequests(db, [{ ...call, apiKeyId: "page", isByPage: true }]);
    expect(await answered()).toBe("page");
    await insertRequests(db, [
      { ...call, apiKeyId: "first" },
      { ...call, apiKeyId: "second" },
      { ...call, apiKeyId: "page", isByPage: true },
    ]);
    expect(await answered()).toBe("second");
  });

  it("404 for one that is not there", async () => {
    const { status, body } = await test.request("GET", `${api}/requests/none`);
    expect([status, (body as { code: string }).code]).toEqual([404, "request_not_found"]);
  });
});

describe("what is kept", () => {
  it("is nothing of a publishable key that is called too often", async () => {
    const noted: unknown[] = [];
    const requestLog = { note: (call: unknown) => noted.push(call) };
    const clock = { now: () => 1_000 };
    const answer = (isPublishable: boolean, refusal: string) => {
      const caller = { tenantId: "default", apiKeyId: "key", isPublishable };
      const request = { caller, refusal, method: "GET", params: {}, routeOptions: { config: {} }, ip: "127.0.0.1" };
      noteRequest(requestLog, clock, request as never, { statusCode: 429, elapsedTime: 1 } as never);
      return noted.length;
    };
    expect([answer(true, "rate_limit_exceeded"), answer(true, "other"), answer(false, "rate_limit_exceeded")]).toEqual([
      0, 1, 2,
    ]);
  });

  it("is a day's", async () => {
    const { db } = test.service;
    const now = 2_000 * 86_400_000;
    await insertRequests(db, [
      { ...sample(), tenantId: "old", at: now - limits.kept.requestMs, requestId: "over" },
      { ...sample(), tenantId: "old", at: now - limits.kept.requestMs + 1, requestId: "there" },
    ]);
    await removeOutdated({ db, realClock: { now: () => now } }, []);
    expect(await idsOf("old")).toEqual(["there"]);
  });

  it("is the newest of a tenant, whatever others do", async () => {
    const { db } = test.service;
    const { keptOfTenant } = limits.requestLog;
    await insertRequests(db, [{ ...sample(), tenantId: "quiet", requestId: "quiet" }]);
    await insertRequests(db, [{ ...sample(), tenantId: "loud", requestId: "first" }]);
    await sql`update request_count set last = ${keptOfTenant} where tenant_id = 'loud'`.execute(db);
    await insertRequests(db, [{ ...sample(), tenantId: "loud", requestId: "second" }]);
    expect(await idsOf("loud")).toEqual(["second"]);
    expect(await idsOf("quiet")).toEqual(["quiet"]);
  });

  it("has the order in which it was recorded, with processes side by side", async () => {
    const { db } = test.service;
    const batch = (name: string) =>
      insertRequests(
        db,
        Array.from({ length: 20 }, (_, i) => ({ ...sample(), tenantId: "many", requestId: `${name}-${i}` })),
      );
    await Promise.all(["a", "b", "c"].map(batch));
    const { rows } = await sql<{ number: bigint }>`
      select number from request_record where tenant_id = 'many' order by number`.execute(db);
    expect(rows.map(({ number }) => Number(number))).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  });
});

describe("the queue", () => {
  const { ofKind, ofTenant, queued } = limits.requestLog;
  const counting = () => {
    const lost: [string, number][] = [];
    return { lost, log: createRequestLog({ requestsUnrecorded: (cause, count) => lost.push([cause, count]) }) };
  };

  it("has room for other codes and other tenants beside a storm, and counts what it drops", () => {
    const { lost, log } = counting();
    for (let i = 0; i < ofKind + 3; i += 1) log.note({ ...sample(), code: "rate_limit_exceeded" });
    log.note({ ...sample(), code: "invalid_request" });
    log.note({ ...sample(), tenantId: "other", code: "rate_limit_exceeded" });
    expect(log.take()).toHaveLength(ofKind + 2);
    expect(lost).toEqual([
      ["full", 1],
      ["full", 1],
      ["full", 1],
    ]);
    for (let i = 0; i < 2 * ofTenant; i += 1) log.note({ ...sample(), code: `code-${i}` });
    expect(log.take()).toHaveLength(ofTenant);
    for (let i = 0; i < queued + 10; i += 1) log.note({ ...sample(), tenantId: `tenant-${i}` });
    expect(log.take()).toHaveLength(queued);
    expect(log.take()).toEqual([]);
  });

  it("takes a few a second of what a tenant's pages ask, and all that it asks itself", () => {
    const { ofPagesASecond } = limits.requestLog;
    const { lost, log } = counting();
    const byPage = { ...sample(), at: 5_000, isByPage: true };
    const noteMany = (at: number) => {
      for (let i = 0; i < ofPagesASecond + 2; i += 1) log.note({ ...byPage, at, code: `code-${i}` });
    };
    noteMany(5_000);
    log.note({ ...byPage, isByPage: false });
    log.note({ ...byPage, tenantId: "other" });
    expect(log.take()).toHaveLength(ofPagesASecond + 2);
    // The writes of a process, of which a list makes one, begin no new second.
    noteMany(5_500);
    expect(log.take()).toEqual([]);
    noteMany(6_000);
    expect(log.take()).toHaveLength(ofPagesASecond);
    expect(lost).toHaveLength(2 + ofPagesASecond + 2 + 2);
  });

  it("loses what the database does not take, counts it, and goes on", async () => {
    const { lost, log: requestLog } = counting();
    const events: string[] = [];
    const warn = (fields: object) => events.push((fields as { event: string }).event);
    const log = { debug: warn, info: warn, warn, error: warn };
    const { db } = test.service;
    requestLog.note({ ...sample(), tenantId: "lost", status: 1e12 });
    await recordRequests({ db, log, requestLog });
    expect([lost, events]).toEqual([[["database", 1]], ["requests_unrecorded"]]);
    requestLog.note({ ...sample(), tenantId: "lost", requestId: "next" });
    await recordRequests({ db, log, requestLog });
    expect(await idsOf("lost")).toEqual(["next"]);
  });
});

const idsOf = async (tenantId: string) => {
  const found = test.service.db.selectFrom("request_record").select("request_id").where("tenant_id", "=", tenantId);
  return (await found.orderBy("number").execute()).map(({ request_id }) => request_id);
};

const sample = () => ({
  tenantId: "sample",
  apiKeyId: "key",
  isByPage: false,
  environment: "sandbox",
  requestId: "sample",
  at: Date.now(),
  method: "POST",
  path: "/api/service/v1/accounts",
  account: null,
  status: 403,
  code: "insufficient_scope",
  durationMs: 1,
  remoteAddress: null,
});
