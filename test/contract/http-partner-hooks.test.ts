import { parseRsaPublicKeys } from "@trellis/kernel/crypto/rsa-public-keys.js";
import { limits } from "@trellis/kernel/limits.js";
import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Rails, RailsPartner } from "@trellis/kernel/ports/rails.js";
import { beforeEach, describe, expect, it } from "vitest";
import { createBridgePartner } from "../../src/adapters/rails/bridge/bridge-partner.js";
import { receiveNews } from "../../src/rails/receive-news.js";
import { type FakeBridge, startFakeBridge } from "../support/fake-bridge.js";
import { use } from "../support/use.js";
import { type FloorOptions, useFloor } from "./http-fixture.js";

/** The route by which a partner tells that something has changed (gap 106), over the real server and database. */
const bridge = use(startFakeBridge);
const floor = useFloor(withPartners);
let isDatabaseAway = false;
beforeEach(reset);

describe("what a partner sends", () => {
  it("is stored once when it is answered with 200, and needs no API key", async () => {
    const news = signed(event("e1"));
    for (let time = 0; time < 3; time += 1) {
      const answer = await send(news);
      expect([answer.statusCode, answer.json()]).toEqual([200, { received: true }]);
    }
    // A repetition has a time and a signature of its own; its content type is whatever it is.
    expect((await send(signed(event("e1"), floor.clock.at - 599_000))).statusCode).toBe(200);
    expect((await send(news, "devnet", { "content-type": "text/plain" })).statusCode).toBe(200);
    expect(await notices()).toEqual([
      { environment: "devnet", event_id: "e1", kind: "transfer", ref: "transfer of e1" },
    ]);
  });

  it("is not answered with 200 when it cannot be stored", async () => {
    isDatabaseAway = true;
    expect((await send(signed(event("e2")))).statusCode).toBe(503);
    isDatabaseAway = false;
    expect(await notices()).toEqual([]);
    expect((await send(signed(event("e2")))).statusCode).toBe(200);
    expect(await notices()).toHaveLength(1);
  });

  it("is well received and nothing where it says nothing that is known", async () => {
    for (const body of [{ nothing: "known" }, "no JSON", [], { ...event("e3"), event_category: "card_transaction" }]) {
      expect((await send(signed(body))).statusCode).toBe(200);
    }
    expect(await notices()).toEqual([]);
  });

  it("is refused when it is not the partner's, or not of the last ten minutes", async () => {
    const news = signed(event("e4"));
    const wrong: Message[] = [
      { ...news, body: news.body.replace("e4", "e5") },
      { ...news, body: `${news.body} ` },
      { ...news, body: "" },
      { ...news, headers: {} },
      { ...news, headers: { "x-webhook-signature": "t=1,v0=AAAA" } },
      signed(event("e4"), floor.clock.at - 600_001),
      signed(event("e4"), floor.clock.at + 600_001),
    ];
    for (const message of wrong) {
      const answer = await send(message);
      expect([answer.statusCode, answer.json().code]).toEqual([400, "invalid_request"]);
    }
    // No key of the partner is configured there, so no caller counts as the partner.
    expect((await send(news, "mainnet")).statusCode).toBe(400);
    expect(await notices()).toEqual([]);
  });

  it("has no other place than an environment of that partner", async () => {
    for (const place of ["sandbox", "nowhere", "__proto__", "devnet/more"]) {
      expect((await send(signed(event("e6")), place)).statusCode).toBe(404);
    }
    expect((await floor.app.inject({ method: "GET", url: "/hooks/bridge/devnet" })).statusCode).toBe(404);
    expect(await notices()).toEqual([]);
  });

  it("has 256 kB at most", async () => {
    expect((await send(signed({ ...event("e7"), padding: "x".repeat(limits.bodyBytes) }))).statusCode).toBe(413);
    expect((await send(signed({ ...event("e8"), padding: "x".repeat(limits.bodyBytes - 1_000) }))).statusCode).toBe(
      200,
    );
  });

  it("is in no log", async () => {
    const secret = `somebody-${floor.clock.at}@example.org`;
    const news = signed({ ...event("e9"), event_object: { email: secret } });
    await send(news);
    await send({ ...news, body: `${news.body} ` });
    expect(floor.logged()).not.toContain(secret);
  });

  it("is bounded in number by its source address", async () => {
    const { body } = signed(event("e10"));
    let refused = 0;
    for (let i = 0; i <= limits.partnerNewsPerMinute; i += 1) {
      const answer = await send({ body, headers: {} });
      if (answer.statusCode === 429) refused += 1;
      else expect(answer.statusCode).toBe(400);
    }
    expect(refused).toBeGreaterThan(0);
    floor.clock.at += 60_000;
    expect((await send(signed(event("e10")))).statusCode).toBe(200);
  });
});

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

type Message = ReturnType<FakeBridge["signed"]>;

const partnerWith = (webhookKeys: Parameters<typeof createBridgePartner>[0]["webhookKeys"]): RailsPartner =>
  createBridgePartner({
    ask: async () => {
      throw new Error("nobody asks");
    },
    log: silent,
    realClock: { now: () => floor.clock.now() },
    choices: { pairs: [], developerFeePercent: null, travelRule: null, allowsAnySender: false },
    webhookKeys,
  });

const signed = (body: unknown, at = floor.clock.at) => bridge.signed(body, at);

const send = ({ body, headers }: Message, environment = "devnet", more: Record<string, string> = {}) =>
  floor.app.inject({
    method: "POST",
    url: `/hooks/bridge/${environment}`,
    headers: { "content-type": "application/json", ...headers, ...more },
    payload: body,
  });

const notices = () => floor.db.selectFrom("rail_notice").select(["environment", "event_id", "kind", "ref"]).execute();

const event = (id: string) => ({
  event_id: id,
  event_category: "transfer",
  event_type: "transfer.updated.status_transitioned",
  event_object_id: `transfer of ${id}`,
  event_object: { state: "payment_processed" },
});

function withPartners(): FloorOptions {
  const rails = new Map<EnvironmentName, Rails>([
    ["devnet", { partner: partnerWith(parseRsaPublicKeys(bridge.publicKey)) }],
    ["mainnet", { partner: partnerWith([]) }],
    ["sandbox", { partner: { ...partnerWith([]), name: "another partner" } }],
  ]);
  return {
    environments: ["sandbox", "devnet", "mainnet"],
    http: {
      receiveNews: async (message) => {
        if (isDatabaseAway) throw new DatabaseUnavailable({ cause: "away" });
        return receiveNews({ db: floor.db, rails, realClock: floor.clock }, message);
      },
    },
  };
}

async function reset(): Promise<void> {
  await floor.db.deleteFrom("rail_notice").execute();
  floor.clock.at += 60_000;
  isDatabaseAway = false;
}
