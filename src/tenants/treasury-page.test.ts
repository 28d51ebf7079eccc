import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { apiPath, dataOf, expectError } from "../../test/adversarial/support.js";
import { useTestService } from "../../test/support/scene.js";

const trellis = useTestService();
const logo = `data:image/png;base64,${Buffer.from("a picture").toString("base64")}`;
const plain = { name: "Aldine Press", color: "#14532d" };

describe("200", () => {
  it("the pages are on, look as set, and are read without a key", async () => {
    const { key } = await makeKey();
    const wanted = { ...plain, publishable_key: key };
    expect(dataOf(await set(wanted))).toEqual({ ...wanted, logo: null });
    expect(dataOf(await open())).toEqual({ ...wanted, logo: null, environments: ["sandbox"] });
    expect(dataOf(await set({ ...wanted, logo }))).toEqual({ ...wanted, logo });
    expect(dataOf(await trellis.request("GET", `${apiPath}/treasury-page`))).toEqual({ ...wanted, logo });
    const entries = await trellis.client.auditEvents.page({ type: "treasury_page.changed" });
    expect(JSON.stringify(entries)).toContain("Aldine Press");
    expect(JSON.stringify(entries)).not.toContain("data:image");
  });

  it("they are in the environments of the key that the service has", async () => {
    const { id, key } = await makeKey();
    await set({ ...plain, publishable_key: key });
    for (const [reach, environments] of [
      [["devnet", "sandbox"], ["sandbox"]],
      [["devnet"], []],
    ]) {
      const change = { environments: JSON.stringify(reach) };
      await trellis.service.db.updateTable("api_key").set(change).where("id", "=", id).execute();
      expect(dataOf(await open())).toMatchObject({ environments });
    }
  });

  it("off, they are as if they had never been", async () => {
    await set({ ...plain, publishable_key: (await makeKey()).key });
    const off = await trellis.request("DELETE", `${apiPath}/treasury-page`);
    expect(dataOf(off)).toMatchObject(plain);
    for (const path of ["treasury-page", "treasury-pages/default", "treasury-pages/nobody"]) {
      expectError(await trellis.request("GET", `${apiPath}/${path}`), 404, "treasury_page_not_found");
    }
    expectError(await trellis.request("DELETE", `${apiPath}/treasury-page`), 404, "treasury_page_not_found");
  });

  it("a page of the service's own origin reads with the key, though browsers name no origin then", async () => {
    const { key } = await makeKey([new URL(trellis.url).origin]);
    const read = (headers: Record<string, string>) =>
      trellis.request("GET", `${apiPath}/accounts/11111111111111111111111111111111/balances`, undefined, {
        authorization: `Bearer ${key}`,
        ...headers,
      });
    expectError(await read({ "sec-fetch-site": "same-origin" }), 401, "session_required");
    for (const site of ["same-site", "cross-site", "none", "Same-Origin"]) {
      expectError(await read({ "sec-fetch-site": site }), 403, "origin_not_allowed");
    }
    const lying = { "sec-fetch-site": "same-origin", origin: "https://evil.example" };
    expectError(await read(lying), 403, "origin_not_allowed");
    const { key: ofOthers } = await makeKey(["https://app.example"]);
    const asOther = { authorization: `Bearer ${ofOthers}`, "sec-fetch-site": "same-origin" };
    expectError(await read(asOther), 403, "origin_not_allowed");
  });
});

describe("400", () => {
  it.each([
    { color: "green" },
    { color: "#14532D" },
    { color: "#14532d; background: url(x)" },
    { name: "" },
    { name: " " },
    { name: "a\u202eb" },
    { name: "a\nb" },
    { name: "x".repeat(61) },
    { logo: "https://evil.example/a.png" },
    { logo: "data:image/svg+xml;base64,PHN2Zz4=" },
    { logo: `data:image/png;base64,${"A".repeat(33_001)}` },
  ])("is the answer to %j", async (change) => {
    const body = { ...plain, publishable_key: (await makeKey()).key, ...change };
    expectError(await set(body), 400, "invalid_request");
  });

  it("is the answer to keys that are secret, revoked, expired, of others, or none", async () => {
    const secret = await trellis.client.apiKeys.create({
      name: "secret",
      scopes: ["accounts:read"],
      environments: ["sandbox"],
    });
    const revoked = await makeKey();
    await trellis.client.apiKeys.revoke(revoked.id);
    for (const key of [secret.key, revoked.key, `pk_test_${"x".repeat(40)}`, "nothing", trellis.apiKey]) {
      const answered = await set({ ...plain, publishable_key: key });
      expectError(answered, 400, "invalid_request");
      expect(JSON.stringify(answered.body)).not.toContain(key === "nothing" ? "\u0000" : key);
    }
  });
});

const set = (body: object) => trellis.request("PUT", `${apiPath}/treasury-page`, body);
const open = () => trellis.request("GET", `${apiPath}/treasury-pages/default`, undefined, { authorization: "" });
const makeKey = (allowed_origins: string[] = ["https://app.example"]) =>
  trellis.client.apiKeys.create({
    name: `pages ${randomUUID()}`,
    type: "publishable",
    environments: ["sandbox"],
    scopes: ["accounts:read", "auth:write"],
    allowed_origins,
  });
