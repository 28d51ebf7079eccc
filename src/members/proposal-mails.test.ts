import { limits } from "@trellis/kernel/limits.js";
import { describe, expect, it } from "vitest";
import { apiPath, dataOf, expectError } from "../../test/adversarial/support.js";
import { useConsole } from "../../test/support/console.js";
import { useTestService } from "../../test/support/scene.js";

const trellis = useTestService();
const consoles = useConsole();
const environments = ["sandbox", "devnet", "mainnet"];

describe("200", () => {
  it("they are on in all environments, with the service's own words", async () => {
    const own = { kinds: ["executed"], environments, subject: null, text: null };
    expect(dataOf(await set({ kinds: ["executed"] }))).toEqual(own);
    expect(dataOf(await read())).toEqual(own);
  });

  it("they say and concern what was set, in one order, and nothing is kept of what they were", async () => {
    const wanted = {
      kinds: ["executed", "waiting"],
      environments: ["mainnet", "sandbox"],
      subject: "[{tenant}]",
      text: "a\nb",
    };
    const kept = { ...wanted, kinds: ["waiting", "executed"], environments: ["sandbox", "mainnet"] };
    expect(dataOf(await set(wanted))).toEqual(kept);
    expect(dataOf(await read())).toEqual(kept);
    expect(dataOf(await set({ kinds: ["waiting"] }))).toMatchObject({ environments, subject: null, text: null });
    const { auditEvents } = await trellis.client.auditEvents.page({ type: "proposal_mails.changed", limit: 1 });
    expect(auditEvents[0]?.details).toMatchObject({ proposal_mails: { kinds: ["waiting"] }, before: kept });
  });

  it("off, they are as if they had never been", async () => {
    await set({ kinds: ["waiting"] });
    expect(dataOf(await trellis.request("DELETE", path))).toMatchObject({ kinds: ["waiting"] });
    expectError(await read(), 404, "proposal_mails_not_found");
    expectError(await trellis.request("DELETE", path), 404, "proposal_mails_not_found");
  });

  it("a member of any role turns the own mails off and on, and nobody else's", async () => {
    const page = await consoles.signIn("viewer@example.org", { role: "viewer" });
    const other = await consoles.signIn("other@example.org", { role: "viewer" });
    const choose = (proposal_mails: unknown) =>
      consoles.ask("PATCH", "/console/member", { page, body: { proposal_mails } });
    const wants = async (who: typeof page) =>
      ((await consoles.ask("GET", "/console/session", { page: who })).body as { data: { member: object } }).data.member;
    expect(await wants(page)).toMatchObject({ proposal_mails: true });
    for (const wanted of [false, true, false]) {
      expect((await choose(wanted)).body).toMatchObject({
        data: { email: "viewer@example.org", proposal_mails: wanted },
      });
      expect(await wants(page)).toMatchObject({ proposal_mails: wanted });
    }
    expect(await wants(other)).toMatchObject({ proposal_mails: true });
    expect(await choose("no")).toMatchObject({ status: 400 });
    expectError(
      await trellis.request("PATCH", `${apiPath}/console/member`, { proposal_mails: false }),
      401,
      "sign_in_required",
    );
  });
});

describe("400", () => {
  it.each([
    {},
    { kinds: [] },
    { kinds: ["rejected"] },
    { environments: [] },
    { environments: ["testnet"] },
    { subject: "" },
    { subject: " " },
    { subject: "a\nb" },
    { subject: "a\u202eb" },
    { subject: "x".repeat(limits.proposalMailSubjectMax + 1) },
    { subject: "{name}" },
    { text: "{}" },
    { text: "a\r\nb" },
    { text: "x".repeat(limits.proposalMailTextMax + 1) },
  ])("is the answer to %j", async (change) => {
    const body = Object.keys(change).length === 0 ? {} : { kinds: ["waiting"], ...change };
    await trellis.request("DELETE", path);
    expectError(await set(body), 400, "invalid_request");
    expectError(await read(), 404, "proposal_mails_not_found");
  });
});

const path = `${apiPath}/proposal-mails`;
const set = (body: object) => trellis.request("PUT", path, body);
const read = () => trellis.request("GET", path);
