import { SIGNATURE_PROGRAM_ADDRESS } from "@trellis/program-client";
import { challengeOfCeremony } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { createSoftPasskey } from "../../test/support/authenticator.js";
import { bendNetwork } from "../../test/support/bent-network.js";
import {
  answerOf,
  type Begun,
  beginCeremony,
  createSessionKey,
  page,
  submission,
} from "../../test/support/passkey-signers.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { setRelyingParty } from "../passkeys/relying-party.js";
import { confirmDomain } from "../tenants/relying-party.js";
import { beginPasskeySession } from "./begin-passkey-session.js";
import { beginPasskeySigner } from "./begin-passkey-signer.js";
import { getPasskeyCeremony } from "./get-passkey-ceremony.js";
import { submitPasskeyCeremony } from "./submit-passkey-ceremony.js";

const test = useTestNetwork();

const read = ({ challenge }: Pick<Begun, "challenge">, alphabet: "base64" | "base64url" = "base64url") =>
  test.call<Record<string, unknown>>(getPasskeyCeremony, { query: { challenge: challenge.toString(alphabet) } });
const redirectUrl = "https://app.example/back";

it("is not begun where the chain has no signature program", async () => {
  const network = bendNetwork(test.network, async ({ method, params, ask }) => {
    const answer = await ask();
    const at = method === "getMultipleAccounts" ? (params[0] as string[]).indexOf(SIGNATURE_PROGRAM_ADDRESS) : -1;
    if (at >= 0) answer.result.value[at] = null;
    return answer;
  });
  for (const kind of ["create", "auth"] as const) {
    const error = await errorOf(beginCeremony(test, kind, createSessionKey().address, { network }));
    expect(error.code).toBe("passkeys_not_configured");
  }
});

describe("a ceremony that was begun", () => {
  it.each(["create", "auth"] as const)(
    "can be read by its challenge, as the page's address says it (%s)",
    async (kind) => {
      const { address } = createSessionKey();
      const begun = await beginCeremony(test, kind, address, { metaInfo: { appName: "My App 2", redirectUrl } });
      const { url } = begun;
      expect([url.origin, url.pathname]).toEqual(["https://trellis.example", "/passkeys/ui"]);
      const ceremony = await read(begun);
      expect(await read(begun, "base64")).toEqual(ceremony);
      expect(ceremony).toEqual({
        ceremony_type: kind,
        challenge: begun.challenge.toString("base64url"),
        environment: "sandbox",
        tenant_id: "tenant-1",
        tenant_name: "tenant-1",
        app_name: "My App 2",
        user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        redirect_url: redirectUrl,
        relying_party_id: page.rpId,
        origin: page.origin,
        session_key: address,
        session_seconds: 900,
        session_expires_at: kind === "create" ? expect.stringMatching(/Z$/) : null,
        slot_number: begun.slotNumber,
        slot_hash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
        payer: test.network.feePayer.address,
        expires_in_seconds: 60,
        expires_at: new Date(test.network.clock.now() + 60_000).toISOString(),
      });
      expect(Object.fromEntries(url.searchParams)).toEqual({
        env: "sandbox",
        "app-name": "My App 2",
        "user-id": ceremony.user_id,
        "redirect-url": redirectUrl,
        challenge: begun.challenge.toString("base64"),
        "slot-num": String(begun.slotNumber),
        "session-key": address,
        "expiration-in-seconds": "900",
      });
    },
  );

  it("names its tenant by the id where the name could deceive", async () => {
    const caller = await test.addTenant("plainly-named");
    const begun = await beginCeremony(test, "create", createSessionKey().address, { caller });
    const rename = (name: string) =>
      test.needs.db.updateTable("tenant").set({ name }).where("id", "=", caller.tenantId).execute();
    for (const [name, shown] of [
      ["Shop A", "Shop A"],
      ["Shop \u202eA", "plainly-named"],
      ["Sh\u043ep", "plainly-named"],
    ] as const) {
      await rename(name);
      expect(await read(begun)).toMatchObject({ tenant_id: "plainly-named", tenant_name: shown });
    }
  });

  it("says what its challenge is made of, for the page that computes it again", async () => {
    for (const kind of ["create", "auth"] as const) {
      const begun = await beginCeremony(test, kind, createSessionKey().address);
      const ceremony = (await read(begun)) as Parameters<typeof challengeOfCeremony>[0];
      expect(Buffer.from(challengeOfCeremony(ceremony))).toEqual(begun.challenge);
    }
  });

  it.each([
    ["https://app.example/back?a=1", "https://app.example/back?a=1"],
    [encodeURIComponent("https://app.example/back?a=%2F"), "https://app.example/back?a=%2F"],
    ["http://localhost:3000/", "http://localhost:3000/"],
    ["myapp://signed-in", "myapp://signed-in"],
    ["exp://127.0.0.1:8081/--/", "exp://127.0.0.1:8081/--/"],
  ])("leads back to %s", async (redirectUrl, address) => {
    const metaInfo = { appName: "App", redirectUrl };
    const begun = await beginCeremony(test, "create", createSessionKey().address, { metaInfo });
    expect(await read(begun)).toMatchObject({ redirect_url: address });
  });

  it("is not found once it is over or used, and never by another challenge", async () => {
    const [over, used] = [await begin(), await begin()];
    await test.call(submitPasskeyCeremony, { body: submission(used, answerOf(createSoftPasskey(), used)) });
    expect((await errorOf(read(used))).code).toBe("passkey_ceremony_not_found");
    expect(await read(over)).toMatchObject({ app_name: "App" });
    test.needs.realClock.advance(60_000);
    expect((await errorOf(read(over))).code).toBe("passkey_ceremony_not_found");
    expect((await errorOf(read({ challenge: Buffer.alloc(32) }))).code).toBe("passkey_ceremony_not_found");
    expect((await errorOf(read({ challenge: Buffer.alloc(31) }))).code).toBe("invalid_request");
  });

  it("is the same where it is asked for twice in one slot, and no other caller's", async () => {
    const { address } = createSessionKey();
    const body = { sessionKey: { key: address, expiration: 900 }, metaInfo: { appName: "App" } };
    const ask = (more = {}, parts = {}) =>
      test.call<{ url: string }>(beginPasskeySigner, { body: { ...body, ...more }, ...parts });
    const [one, again] = [await ask(), await ask()];
    expect(again).toEqual(one);
    const caller = await test.addTenant("in-the-same-slot");
    expect((await errorOf(ask({}, { caller }))).code).toBe("passkey_challenge_used");
    expect((await errorOf(ask({ metaInfo: { appName: "Other" } }))).code).toBe("passkey_challenge_used");
  });

  it("may be of a page of the tenant's own, on its relying party itself", async () => {
    const caller = await test.addTenant("with-a-page");
    const terms = { rp_id: "app.example", name: "App", origins: ["https://app.example", "https://shop.example"] };
    await test.call(setRelyingParty, { caller, body: terms });
    const begun = await beginCeremony(test, "auth", createSessionKey().address, {
      caller,
      baseUrl: "https://app.example",
    });
    expect(begun.url.href).toMatch(/^https:\/\/app\.example\/passkeys\/ui\?/);
    expect(await read(begun)).toMatchObject({ origin: "https://app.example", relying_party_id: "app.example" });
    for (const baseUrl of [
      "https://shop.example",
      "https://evil.example",
      "https://app.example:8443",
      "http://app.example",
      "https://app.example/?challenge=x",
      "javascript:alert(1)",
    ]) {
      const refused = beginCeremony(test, "auth", createSessionKey().address, { caller, baseUrl });
      expect([baseUrl, (await errorOf(refused)).details[0]?.field]).toEqual([baseUrl, "baseUrl"]);
    }
  });

  it("is not of a page on the relying party of another tenant: the elder one keeps it, unless the operator decides", async () => {
    const elder = await test.addTenant("elder");
    test.needs.realClock.advance(1);
    const younger = await test.addTenant("another-younger");
    const body = { rp_id: "shared.example", name: "App", origins: ["https://shared.example"] };
    const begin = (caller: typeof elder) =>
      beginCeremony(test, "auth", createSessionKey().address, { caller, baseUrl: "https://shared.example" });
    await test.call(setRelyingParty, { caller: younger, body });
    expect((await begin(younger)).url.hostname).toBe("shared.example");
    await test.call(setRelyingParty, { caller: elder, body });
    expect((await errorOf(begin(younger))).code).toBe("passkeys_not_configured");
    expect((await begin(elder)).url.hostname).toBe("shared.example");
    const name = (owner: string | null) =>
      test.needs.db.transaction().execute((trx) => confirmDomain(trx, "shared.example", owner));
    expect(await name("another-younger")).toBeUndefined();
    expect((await errorOf(begin(elder))).code).toBe("passkeys_not_configured");
    expect((await begin(younger)).url.hostname).toBe("shared.example");
    expect(await name("nobody")).toBe("There is no tenant nobody.");
    expect((await begin(younger)).url.hostname).toBe("shared.example");
    expect(await name(null)).toBeUndefined();
    expect((await begin(elder)).url.hostname).toBe("shared.example");
  });
});

describe("a ceremony is not begun", () => {
  it.each<[string, string, object]>([
    ["invalid_request", "of a name that deceives", { metaInfo: { appName: "Раypal" } }],
    ["invalid_request", "of a name with controls", { metaInfo: { appName: "App\u202e" } }],
    ["invalid_request", "that leads to a script", { metaInfo: { appName: "App", redirectUrl: "javascript:alert(1)" } }],
    ...[
      "http://app.example",
      "http://127.0.0.1:3000",
      "https://user:secret@app.example",
      "https%3A%2F%2F%zz",
      "javascript%3Aalert(1)",
      "java\nscript:/alert(1)",
      "data:text/html,x",
      "file:///etc/hosts",
      "intent://app#Intent;scheme=https;end",
      "chrome-extension://abc/page.html",
      "ms-settings:/network",
      "myapp:signed-in",
    ].map((redirectUrl): [string, string, object] => [
      "invalid_request",
      `that leads to ${JSON.stringify(redirectUrl)}`,
      { metaInfo: { appName: "App", redirectUrl } },
    ]),
    ["invalid_expiration", "without an end", { seconds: 7_776_001 }],
    ["invalid_expiration", "that is over", { seconds: 0 }],
  ])("%s %s", async (code, _, terms) => {
    const begun = beginCeremony(test, "create", createSessionKey().address, terms);
    expect((await errorOf(begun)).code).toBe(code);
  });

  it.each([
    ["invalid_address", () => "11111111111111111111111111111111"],
    ["forbidden_account", () => test.network.feePayer.address],
  ])("%s for a key that no person holds", async (code, key) => {
    for (const kind of ["create", "auth"] as const) {
      expect((await errorOf(beginCeremony(test, kind, key()))).code).toBe(code);
    }
  });

  it("where the service has no domain, or one that is too long for the chain", async () => {
    for (const publicUrl of ["http://127.0.0.1:3000", `https://${"a".repeat(29)}.com`]) {
      const body = { sessionKey: { key: createSessionKey().address, expiration: 60 }, metaInfo: { appName: "App" } };
      const begun = test.call(beginPasskeySession, { body, needs: { publicUrl: () => publicUrl } });
      expect((await errorOf(begun)).code).toBe("passkeys_not_configured");
    }
  });
});

const begin = () => beginCeremony(test, "create", createSessionKey().address);
