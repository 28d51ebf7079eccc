import { describe, expect, it } from "vitest";
import { addSoftPasskey, page } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { getRelyingParty, setRelyingParty } from "./relying-party.js";

const test = useTestNetwork();

describe("200", () => {
  it("is what was set, for one's own tenant alone, and nothing before", async () => {
    const caller = await test.addTenant("relies");
    expect(await test.call(getRelyingParty, { caller })).toEqual({ rp_id: null, name: null, origins: [] });
    const terms = { rp_id: "app.example", name: "App", origins: ["https://app.example", "https://app.example:8443"] };
    expect(await test.call(setRelyingParty, { caller, body: terms })).toEqual(terms);
    expect(await test.call(getRelyingParty, { caller })).toEqual(terms);
    expect(await test.call(getRelyingParty)).toMatchObject({ rp_id: null });
  });

  it("holds for passkeys that are added from then on: of another page or domain none is", async () => {
    const holder = await test.openHolder("relies@example.org");
    await test.call(setRelyingParty, { body: { rp_id: "app.example", name: "App", origins: ["https://app.example"] } });
    expect((await errorOf(addSoftPasskey(test, holder))).code).toBe("invalid_registration");
    const asked = { rpId: "app.example", origin: page.origin };
    expect((await errorOf(addSoftPasskey(test, holder, { asked }))).code).toBe("invalid_registration");
    const right = { ...asked, origin: "https://app.example" };
    expect((await addSoftPasskey(test, holder, { asked: right })).wire).toMatchObject({ rp_id: "app.example" });
  });
});

describe("400", () => {
  it.each([
    { rp_id: "https://app.example" },
    { rp_id: "App.example" },
    { rp_id: "example" },
    { rp_id: "127.0.0.1" },
    { origins: [] },
    { origins: ["http://app.example"] },
    { origins: ["https://app.example/"] },
    { origins: ["https://*.app.example"] },
    { origins: ["http://localhost:3000"] },
    { origins: ["*"] },
  ])("is the answer to %j", async (change) => {
    const body = { rp_id: "app.example", name: "App", origins: ["https://app.example"], ...change };
    expect((await errorOf(test.call(setRelyingParty, { body }))).code).toBe("invalid_request");
  });
});
