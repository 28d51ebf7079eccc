import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { use, useTestService } from "../../test/support/scene.js";
import { startTestService } from "../../test/support/test-service.js";

const trellis = useTestService();
const holder = use(() => trellis.openHolder());

describe("the page behind a link", () => {
  it("says what it is, and runs and loads nothing", async () => {
    const { kyc_link, tos_link } = await start();
    for (const [link, title] of [
      [kyc_link, "Verification at the simulated partner"],
      [tos_link, "Terms of the simulated partner"],
    ] as const) {
      const page = await fetch(link ?? "");
      expect(page.status).toBe(200);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("referrer-policy")).toBe("no-referrer");
      expect(page.headers.get("cache-control")).toBe("no-store");
      const policy = page.headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      const html = await page.text();
      expect(html).toContain('<html lang="en">');
      expect(html).toContain(`<h1>${title}</h1>`);
      expect(html).toContain("This is a sandbox.");
      expect(html).not.toContain("<script");
    }
  });

  it.each([
    ["approved", "approved"],
    ["under_review", "under_review"],
    ["incomplete", "incomplete"],
    ["rejected", "rejected"],
    ["not_started", "not_started"],
  ])("has the outcome %s, which has happened when the browser continues", async (outcome, status) => {
    const { id, kyc_link } = await start({ redirect_uri: "http://localhost:3000/back?state=1" });
    const page = await (await fetch(kyc_link ?? "")).text();
    expect(page).toContain(`value="${outcome}"`);
    const answer = await choose(kyc_link, outcome);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "http://localhost:3000/back?state=1"]);
    expect(answer.headers.get("content-security-policy")).toContain("form-action 'self' http://localhost:3000;");
    expect(await statusOf(id)).toEqual([status, "pending"]);
  });

  it("accepts the terms apart, and leads back to itself where nothing else was named", async () => {
    const { id, tos_link, kyc_link } = await start();
    expect((await choose(tos_link, "not_started")).status).toBe(303);
    expect(await statusOf(id)).toEqual(["not_started", "pending"]);
    const answer = await choose(tos_link, "approved");
    expect(answer.headers.get("location")).toBe(new URL(tos_link ?? "").pathname);
    expect(await statusOf(id)).toEqual(["not_started", "approved"]);
    const after = await (await fetch(tos_link ?? "")).text();
    expect(after).toContain("The terms are accepted.");
    expect(after).not.toContain("<form");
    await choose(kyc_link, "approved");
    expect(await statusOf(id)).toEqual(["approved", "approved"]);
    // What was decided is not undone by a page that was left open.
    await choose(kyc_link, "rejected");
    expect(await statusOf(id)).toEqual(["approved", "approved"]);
  });

  it("can be completed again after a rejection", async () => {
    const { id, kyc_link } = await start();
    await choose(kyc_link, "rejected");
    await choose((await trellis.client.kyc.get(holder.address, id)).kyc_continuation_link, "approved");
    expect(await statusOf(id)).toEqual(["approved", "pending"]);
  });

  it("is hidden from callers without the link", async () => {
    const { id, kyc_link = "", tos_link = "" } = await start();
    const flipped = `${kyc_link.slice(0, -12)}AAAAAAAAAAAA`;
    const asTerms = kyc_link.replace("/v-", "/t-");
    for (const link of [flipped, asTerms, tos_link.replace("/t-", "/v-"), `${trellis.url}/sandbox/pages/x`]) {
      expect((await fetch(link)).status).toBe(404);
      expect((await choose(link, "approved")).status).toBe(404);
    }
    for (const outcome of ["", "paid", "__proto__"]) expect((await choose(kyc_link, outcome)).status).toBe(200);
    const json = await fetch(kyc_link, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"outcome":"approved"}',
    });
    expect(json.status).toBe(415);
    const long = await choose(kyc_link, "a".repeat(2_000));
    expect(long.status).toBe(413);
    expect(await statusOf(id)).toEqual(["not_started", "pending"]);
  });
});

describe("the whole way by the client library", () => {
  it("starts, is decided, is reported to the feed, and is forgotten", async () => {
    const { client } = trellis;
    const { id } = await start();
    const decided = await client.sandbox.setKyc(id, { status: "rejected" });
    expect(decided.rejection_reasons).toEqual([{ code: "simulated", message: expect.any(String) }]);
    await client.sandbox.setKyc(id, { status: "approved" });
    const { events } = await client.events.page({ type: ["kyc"], order: "desc" });
    const mine = events.filter(({ data }) => data.object.id === id).reverse();
    expect(mine.map(({ type, data }) => [type, data.previous_status, data.object.status])).toEqual([
      ["kyc.created", undefined, "not_started"],
      ["kyc.updated", "not_started", "rejected"],
      ["kyc.updated", "rejected", "approved"],
    ]);
    const sequences = mine.map(({ data }) => data.sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    expect(await client.kyc.deleteRailData(holder.address)).toMatchObject({ address: holder.address, deleted: true });
    await expect(client.kyc.get(holder.address, id)).rejects.toMatchObject({ code: "kyc_not_found" });
  });
});

it("is not there where the sandbox has no partner", async () => {
  const without = await startTestService({ TRELLIS_SANDBOX_RAILS: "off" });
  try {
    expect((await fetch(`${without.url}/sandbox/pages/x`)).headers.get("content-type")).toContain("application/json");
    const body = { type: "individual", email: "ada@example.org", full_name: "Ada" };
    const { status, body: answer } = await without.request(
      "POST",
      `/api/service/v1/accounts/${holder.address}/kyc`,
      body,
    );
    expect([status, (answer as { code: string }).code]).toEqual([400, "rail_not_available"]);
  } finally {
    await without.close();
  }
});

const start = (more: { redirect_uri?: string } = {}) =>
  trellis.client.kyc.start(holder.address, {
    type: "individual",
    email: `${randomUUID()}@example.org`,
    full_name: "Ada Lovelace",
    ...more,
  });

const choose = (link: string | undefined, outcome: string) =>
  fetch(link ?? "", { method: "POST", redirect: "manual", body: new URLSearchParams({ outcome }) });

const statusOf = async (id: string) => {
  const { status, tos_status } = await trellis.client.kyc.get(holder.address, id);
  return [status, tos_status];
};
