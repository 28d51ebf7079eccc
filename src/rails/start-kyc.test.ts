import { limits } from "@trellis/kernel/limits.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { type PartnerRef, PartnerUnavailable, type Rails, type RailsPartner } from "@trellis/kernel/ports/rails.js";
import { createSandboxRails } from "@trellis/sandbox/partner/index.js";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { publishEvents } from "../events/publish-events.js";
import { advanceClock } from "../sandbox-controls/advance-clock.js";
import { setKyc } from "../sandbox-controls/set-kyc.js";
import { askPartner } from "./ask-partner.js";
import { deleteRailData } from "./delete-rail-data.js";
import { followRails } from "./follow-rails.js";
import { getKyc } from "./get-kyc.js";
import type { KycLink, KycRecord } from "./kyc-record.js";
import { requireCustomer } from "./rail-customer.js";
import { claimDue } from "./rail-kind.js";
import { startKyc } from "./start-kyc.js";
import { verificationKind } from "./verifications.js";

let account: string;
let second: string;
/** What the service was given as its partner: the simulator, or what a test made of it. */
let asked: { method: string; key?: string }[] = [];
let bend: Partial<RailsPartner> = {};
const test = useTestNetwork();
beforeAll(async () => {
  account = (await test.openHolder("holder@example.org")).verified.address;
  second = (await test.openHolder("holder-2@example.org")).verified.address;
});
beforeEach(async () => {
  asked = [];
  bend = {};
  await test.needs.db.deleteFrom("rail_verification").execute();
});

describe("starting", () => {
  it("begins at the partner, and keeps what is personal sealed", async () => {
    const person = newPerson();
    const link = await start({ ...person, redirect_uri: "https://app.example.org/back?a=b" });
    expect(link).toMatchObject({
      full_name: "Ada Lovelace",
      email: person.email,
      type: "individual",
      kyc_status: "not_started",
      tos_status: "pending",
      rejection_reasons: [],
      endorsements: { base: "incomplete" },
    });
    expect(link.kyc_link).toMatch(/^http:\/\/localhost:8080\/sandbox\/pages\/v-/);
    expect(link.tos_link).toMatch(/^http:\/\/localhost:8080\/sandbox\/pages\/t-/);
    expect(await read(link.id)).toMatchObject({
      account,
      status: "not_started",
      requirements_due: ["id_verification"],
      kyc_continuation_link: expect.stringContaining("/sandbox/pages/v-"),
    });
    expect(await eventsOf(link.id)).toEqual([["kyc.created", null, "not_started"]]);
    const tables = ["rail_verification", "simulated_verification", "rail_notice", "simulated_news", "event"];
    for (const table of tables) {
      const { rows } = await sql<{ text: string }>`select coalesce(string_agg(t::text, ''), '') as text
        from ${sql.table(table)} as t`.execute(test.needs.db);
      for (const secret of [person.email, "Lovelace", "app.example.org", "/sandbox/pages/"]) {
        expect([table, rows[0]?.text.includes(secret)]).toEqual([table, false]);
      }
    }
    expect(JSON.stringify(test.logLines)).not.toContain(person.email);
  });

  it("finds the same verification for the same person, however often and under whatever key", async () => {
    const person = newPerson();
    const all = await Promise.all([
      start(person),
      start(person),
      start({ ...person, email: person.email.toUpperCase() }),
    ]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(new Set(all.map(({ customer_id }) => customer_id)).size).toBe(1);
    expect(new Set(keys()).size).toBe(1);
    expect(await eventsOf(all[0]?.id ?? "")).toHaveLength(1);
    expect((await start(newPerson())).id).not.toBe(all[0]?.id);
    const error = await errorOf(start({ ...person, type: "business" }));
    expect(error).toMatchObject({ code: "invalid_request", details: [{ field: "type" }] });
  });

  it("asks for more endorsements under a key of their own, and for none twice", async () => {
    const person = newPerson();
    const first = await start({ ...person, endorsements: ["ach"] });
    expect(first.endorsements).toEqual({ base: "incomplete" });
    bend = { startVerification: away };
    expect((await errorOf(start({ ...person, endorsements: ["sepa"] }))).code).toBe("partner_unavailable");
    bend = {};
    // The wish was stored, and the pass goes on with it.
    await test.needs.db.updateTable("rail_verification").set({ look_at: 0n }).execute();
    await followRails(needs(), test.network);
    expect((await read(first.id)).endorsements).toEqual({ base: "incomplete", sepa: "incomplete" });
    const [one, two, three] = keys();
    expect([two === three, one === two]).toEqual([true, false]);
    expect((await start({ ...person, endorsements: ["sepa", "base"] })).id).toBe(first.id);
    expect(keys()).toHaveLength(3);
  });

  it("asks for what is added while the first answer is still open, before it answers", async () => {
    const person = newPerson();
    bend = { startVerification: away };
    expect((await errorOf(start(person))).code).toBe("partner_unavailable");
    bend = {};
    const more = await start({ ...person, endorsements: ["base", "sepa"] });
    expect(more.endorsements).toEqual({ base: "incomplete", sepa: "incomplete" });
    const [one, two, three] = keys();
    expect([keys().length, one === two, two === three]).toEqual([3, true, false]);
    expect(await rowOf(more.id)).toMatchObject({ operation_open: false, wanted: ["base", "sepa"] });
  });

  it("resumes under the same key when the partner did not answer, by a repetition or by the pass", async () => {
    const person = newPerson();
    bend = { startVerification: away };
    expect(await errorOf(start(person))).toMatchObject({ code: "partner_unavailable", status: 502 });
    expect(await errorOf(start(person))).toMatchObject({ code: "partner_unavailable" });
    // The partner began it, and its answer was lost.
    bend = {
      startVerification: async (request) => {
        await simulated().partner.startVerification(request);
        throw new PartnerUnavailable("reset", 30_000);
      },
    };
    expect(await errorOf(start(person))).toMatchObject({ code: "partner_unavailable", retryAfterSeconds: 30 });
    bend = {};
    const { count: before } = await customersKnown();
    const link = await start(person);
    expect((await customersKnown()).count).toBe(before);
    expect(new Set(keys()).size).toBe(1);

    const other = newPerson();
    bend = { startVerification: away };
    await errorOf(start(other));
    bend = {};
    test.needs.realClock.advance(limits.railLeaseMs);
    await followRails(needs(), test.network);
    const found = await test.needs.db.selectFrom("rail_verification").selectAll().where("id", "!=", link.id).execute();
    expect(found).toMatchObject([{ operation_open: false, partner_ref: expect.any(String) }]);
    expect(await eventsOf(found[0]?.id ?? "")).toEqual([["kyc.created", null, "not_started"]]);
  });

  it("takes a new key once the partner may have forgotten the old one", async () => {
    const person = newPerson();
    bend = { startVerification: away };
    await errorOf(start(person));
    test.needs.realClock.advance(limits.partnerKeyMs + 1);
    await errorOf(start(person));
    bend = {};
    await start(person);
    const [first, ...later] = keys();
    expect(later).toEqual([later[0], later[0]]);
    expect(later[0]).not.toBe(first);
  });

  it("keeps nothing of what the partner refuses, and lets it be asked anew", async () => {
    const person = newPerson();
    bend = {
      startVerification: async () => ({
        ok: false,
        refused: { reason: "invalid_details", field: "full_name", forOperator: "too short" },
      }),
    };
    expect(await errorOf(start(person))).toMatchObject({
      code: "partner_refused",
      status: 400,
      details: [{ field: "full_name", reason: "invalid_details" }],
    });
    expect(await test.needs.db.selectFrom("rail_verification").selectAll().execute()).toEqual([]);
    bend = {};
    await start({ ...person, full_name: "Ada King" });
    expect(new Set(keys()).size).toBe(2);
  });

  it("continues as before when the partner refuses what is asked for in addition", async () => {
    const person = newPerson();
    const { id } = await start(person);
    await decide(id, { status: "approved" });
    bend = {
      startVerification: async () => ({ ok: false, refused: { reason: "not_enabled", forOperator: "no pix here" } }),
    };
    const more = { ...person, endorsements: ["pix"] };
    expect((await errorOf(start(more))).code).toBe("rail_not_available");
    test.needs.realClock.advance(limits.approvalGoodForMs);
    await customer();
    expect((await read(id)).endorsements).toEqual({ base: "approved" });
    // It may be offered by now.
    bend = {};
    expect((await start(more)).endorsements).toEqual({ base: "approved", pix: "approved" });
  });

  it("is another tenant's business alone", async () => {
    const other = await test.addTenant(`tenant-${next()}`);
    const caller = { caller: other };
    expect((await errorOf(start(newPerson(), account, caller))).code).toBe("account_not_found");
    const erasing = { params: { address: account }, caller: other };
    expect((await errorOf(test.call(deleteRailData, erasing))).code).toBe("account_not_found");
  });

  it("never lets two tenants share a partner's customer", async () => {
    const first = await start(newPerson());
    await decide(first.id, { status: "approved" });
    const { partner_ref } = await rowOf(first.id);
    const other = await test.addTenant(`tenant-${next()}`);
    await sql`update account set tenant_id = ${other.tenantId} where address = ${second}`.execute(test.needs.db);
    try {
      // A partner that knows one developer tells of the same person, whoever asks.
      bend = {
        startVerification: ({ signal }) => simulated().partner.readVerification(partner_ref as PartnerRef, signal),
      };
      const error = await errorOf(start(newPerson(), second, { caller: other }));
      expect(error).toMatchObject({ code: "partner_refused", details: [{ reason: "duplicate" }] });
      const rows = await test.needs.db.selectFrom("rail_verification").selectAll().execute();
      expect(rows.map(({ id }) => id)).toEqual([first.id]);
    } finally {
      await sql`update account set tenant_id = ${test.caller.tenantId} where address = ${second}`.execute(
        test.needs.db,
      );
    }
  });

  it("needs a partner, an account, an address and a name", async () => {
    const body = newPerson();
    const without = { needs: { ...test.needs, rails: new Map() } };
    expect((await errorOf(start(body, account, without))).code).toBe("rail_not_available");
    expect((await errorOf(start(body, "So11111111111111111111111111111111111111112"))).code).toBe("account_not_found");
    expect((await errorOf(start({ ...body, email: "Ada <ada@example.org>" }))).code).toBe("invalid_email");
    for (const full_name of ["   ", "Ada\u0000", "Ada\nLovelace"]) {
      expect((await errorOf(start({ ...body, full_name }))).code).toBe("invalid_request");
    }
    for (const redirect_uri of [
      "nonsense",
      "javascript:alert(1)",
      "http://example.org/",
      "https://user@example.org/",
      "https://example.org/#part",
      "https://intranet/",
      "https://a;script-src/",
      "data:text/html,x",
    ]) {
      const error = await errorOf(start({ ...body, redirect_uri }));
      expect([redirect_uri, error.details[0]?.field]).toEqual([redirect_uri, "redirect_uri"]);
    }
    for (const redirect_uri of ["http://localhost:3000/back", "https://app.example.org:8443/back?x=1"]) {
      await start({ ...newPerson(), redirect_uri });
    }
  });

  it("gives up waiting for a partner that hangs", async () => {
    const hanging = askPartner(() => new Promise(() => undefined), 20);
    await expect(hanging).rejects.toBeInstanceOf(PartnerUnavailable);
  });

  it("leaves no deadline behind where asking itself throws", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    const broken = askPartner(() => {
      throw new Error("no such row");
    }, 10);
    await expect(broken).rejects.toThrow("no such row");
    // Over later than the deadline of the first.
    await expect(askPartner(() => new Promise(() => undefined), 30)).rejects.toBeInstanceOf(PartnerUnavailable);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});

describe("a decision", () => {
  it("is reported once, and makes the customer usable", async () => {
    const { id } = await start({ ...newPerson(), endorsements: ["base", "sepa"] });
    expect(await missing()).toEqual(["kyc", "tos"]);
    expect(await decide(id, { status: "approved" })).toMatchObject({ status: "approved", tos_status: "approved" });
    expect(await decide(id, { status: "approved" })).not.toHaveProperty("kyc_continuation_link");
    const { customer_ref } = await rowOf(id);
    expect(await customer("sepa")).toEqual({ customer: customer_ref, verificationId: id });
    expect(await missing("pix")).toEqual(["endorsement:pix"]);
    expect(await eventsOf(id)).toEqual([
      ["kyc.created", null, "not_started"],
      ["kyc.updated", "not_started", "approved"],
    ]);
  });

  it("needs the terms too, unless they were accepted with it", async () => {
    const { id } = await start(newPerson());
    await decide(id, { status: "approved", tos_status: "pending" });
    expect(await missing()).toEqual(["tos"]);
    await decide(id, { status: "approved", tos_status: "approved" });
    await customer();
    expect((await eventsOf(id)).map(([type]) => type)).toEqual(["kyc.created", "kyc.updated", "kyc.updated"]);
  });

  it("can be a rejection with its reasons, after which the same verification continues", async () => {
    const person = newPerson();
    const { id } = await start(person);
    const reasons = [{ code: "document_expired", message: "The passport has expired." }];
    expect(await decide(id, { status: "rejected", rejection_reasons: reasons })).toMatchObject({
      status: "rejected",
      rejection_reasons: reasons,
    });
    const again = await start(person);
    expect(again).toMatchObject({ id, kyc_status: "rejected", rejection_reasons: reasons });
    expect(again.kyc_link).toBeDefined();
    await decide(id, { status: "under_review" });
    expect(await decide(id, { status: "approved" })).not.toHaveProperty("rejection_reasons");
    expect((await eventsOf(id)).map(([, was, is]) => [was, is])).toEqual([
      [null, "not_started"],
      ["not_started", "rejected"],
      ["rejected", "under_review"],
      ["under_review", "approved"],
    ]);
  });

  it("can be revoked later, in part or as a whole", async () => {
    const { id } = await start({ ...newPerson(), endorsements: ["base", "sepa"] });
    await decide(id, { status: "approved" });
    await decide(id, { status: "approved", revoked_endorsements: ["sepa"] });
    await customer("base");
    expect(await missing("sepa")).toEqual(["endorsement:sepa"]);
    await decide(id, { status: "rejected" });
    expect(await missing()).toEqual(["kyc"]);
    expect((await errorOf(customer())).details[0]).toMatchObject({ kyc_id: id, code: "kyc_required" });
    expect((await eventsOf(id)).at(-1)).toEqual(["kyc.updated", "approved", "rejected"]);
  });

  it("is believed for a day, and read anew after that", async () => {
    const { id } = await start(newPerson());
    await decide(id, { status: "approved" });
    asked = [];
    await customer();
    expect(asked).toEqual([]);
    // The partner has changed its mind, and its news were lost.
    await simulated().simulator.setVerification((await rowOf(id)).partner_ref as PartnerRef, { status: "rejected" });
    await customer();
    test.needs.realClock.advance(limits.approvalGoodForMs);
    expect(await missing()).toEqual(["kyc"]);
    bend = { readVerification: away };
    expect((await errorOf(customer())).code).toBe("partner_unavailable");
  });

  it("is not held up by another verification of the account that the partner no longer knows", async () => {
    const good = await start(newPerson());
    await decide(good.id, { status: "approved" });
    const dead = await start(newPerson());
    const deadRef = (await rowOf(dead.id)).partner_ref;
    const { partner } = simulated();
    const refusing: RailsPartner["readVerification"] = async (ref, signal) =>
      ref === deadRef
        ? { ok: false, refused: { reason: "not_found", forOperator: "gone" } }
        : partner.readVerification(ref, signal);
    bend = { readVerification: refusing };
    test.needs.realClock.advance(limits.approvalGoodForMs);
    expect((await customer()).verificationId).toBe(good.id);
    // With none that is good: what is missing, where that is known, and what the partner said otherwise.
    await simulated().simulator.setVerification((await rowOf(good.id)).partner_ref as PartnerRef, {
      status: "rejected",
    });
    test.needs.realClock.advance(limits.approvalGoodForMs);
    expect(await missing()).toEqual(["kyc"]);
    await test.needs.db.deleteFrom("rail_verification").where("id", "=", good.id).execute();
    expect((await errorOf(customer())).code).toBe("partner_refused");
    bend = { readVerification: away };
    expect((await errorOf(customer())).code).toBe("partner_unavailable");
  });

  it("arrives by webhooks, whose order and number do not matter", async () => {
    const { id } = await start(newPerson());
    const ref = (await rowOf(id)).partner_ref as PartnerRef;
    const { simulator } = simulated();
    await simulator.setVerification(ref, { status: "under_review" });
    await simulator.setVerification(ref, { status: "approved" });
    expect((await rowOf(id)).status).toBe("not_started");
    await followRails(needs(), test.network);
    expect((await rowOf(id)).status).toBe("approved");
    // All of it again, backwards: only reads come of it.
    const { partner } = simulated();
    bend = {
      changesSince: async (cursor, signal) => {
        const reported = await partner.changesSince(null, signal);
        if (!reported.ok) return reported;
        return { ok: true, value: { hints: [...reported.value.hints].reverse(), cursor: cursor ?? "0" } };
      },
    };
    await followRails(needs(), test.network);
    expect(await eventsOf(id)).toHaveLength(2);
  });

  it("is not undone by an older answer that arrives later", async () => {
    const { id } = await start(newPerson());
    const { partner, simulator } = simulated();
    const ref = (await rowOf(id)).partner_ref as PartnerRef;
    let isFirst = true;
    bend = {
      readVerification: async (which, signal) => {
        const answer = await partner.readVerification(which, signal);
        if (isFirst) {
          isFirst = false;
          await simulator.setVerification(ref, { status: "approved" });
          expect((await start({ ...newPerson(), email: "x@example.org" }, second)).id).not.toBe(id);
          await followRails(needs(), test.network);
        }
        return answer;
      },
    };
    test.needs.realClock.advance(limits.partnerWordGoodForMs);
    expect((await read(id)).status).toBe("approved");
    expect((await eventsOf(id)).map(([, , is]) => is)).toEqual(["not_started", "approved"]);
  });

  it("made before the account existed counts for it at once", async () => {
    const person = newPerson();
    const { id } = await start(person);
    await decide(id, { status: "approved" });
    const link = await start(person, second);
    expect(link).toMatchObject({ kyc_status: "approved", tos_status: "approved", endorsements: { base: "approved" } });
    expect(await eventsOf(link.id)).toEqual([["kyc.created", null, "approved"]]);
    expect((await customer("base", second)).customer).toBe((await customer("base", account)).customer);
    // News about the person are news about both.
    await decide(id, { status: "rejected" });
    expect((await rowOf(link.id)).status).toBe("rejected");
  });
});

describe("reading", () => {
  it("is repeated by the pass each minute, each quarter of an hour, each day", async () => {
    const { id } = await start(newPerson());
    const waits: number[] = [];
    for (const wait of [0, 30 * 60_000, 2 * 3_600_000, 8 * 86_400_000]) {
      test.needs.realClock.advance(wait);
      await test.needs.db.updateTable("rail_verification").set({ look_at: 0n }).execute();
      await followRails(needs(), test.network);
      waits.push((Number((await rowOf(id)).look_at) - test.needs.realClock.now()) / 60_000);
    }
    expect(waits).toEqual([1, 1, 15, 1_440]);
  });

  it("is shared by passes at the same time, and made again after one that died", async () => {
    const ids: string[] = [];
    for (let nr = 0; nr < 12; nr += 1) ids.push((await start(newPerson())).id);
    const ofThese = test.needs.db.updateTable("rail_verification").where("id", "in", ids);
    await ofThese.set({ look_at: 0n }).execute();
    await followRails(needs(), test.network);
    const reads = () => asked.filter(({ method }) => method === "readVerification").length;
    asked = [];
    await ofThese.set({ look_at: 0n }).execute();
    await Promise.all(Array.from({ length: 4 }, () => followRails(needs(), test.network)));
    expect(reads()).toBe(12);
    // Claimed by a process that is no more.
    asked = [];
    await claimDue(test.needs.db, verificationKind, test.network, "sandbox", test.needs.realClock.now() + 86_400_000);
    test.needs.realClock.advance(86_400_000 + limits.railLeaseMs - 1);
    await followRails(needs(), test.network);
    expect(reads()).toBe(0);
    test.needs.realClock.advance(1);
    await followRails(needs(), test.network);
    expect(reads()).toBe(12);
  });

  it("waits for no partner that is slow with something else", async () => {
    const ids = [];
    for (let nr = 0; nr < 3; nr += 1) ids.push((await start(newPerson())).id);
    const slow = (await rowOf(ids[0] ?? "")).partner_ref;
    const { partner } = simulated();
    let others = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    bend = {
      readVerification: async (ref, signal) => {
        if (ref === slow) await held;
        else others += 1;
        if (others === 2) release();
        return partner.readVerification(ref, signal);
      },
    };
    await test.needs.db.updateTable("rail_verification").set({ look_at: 0n }).execute();
    await followRails(needs(), test.network);
    expect(others).toBe(2);
  });
});

describe("where banks and people take their time", () => {
  it("a page's choice is decided by the sandbox's clock, and has happened when moving it answers", async () => {
    const rails = createSandboxRails({
      db: test.needs.db,
      keyring: test.needs.keyring,
      random: test.needs.random,
      log: test.needs.log,
      network: test.network,
      pace: "realistic",
      baseUrl: () => "https://trellis.example",
    });
    const more = { needs: { ...test.needs, rails: new Map([["sandbox" as const, rails]]) } };
    const { id, kyc_link } = await start(newPerson(), account, more);
    const token = kyc_link?.split("/").at(-1) ?? "";
    await rails.simulator.pages.choose(token, "approved");
    await followRails(more.needs, test.network);
    expect(await read(id, account, more)).toMatchObject({ status: "under_review" });
    await test.call(advanceClock, { body: { seconds: 119 }, ...more });
    expect((await rowOf(id)).status).toBe("under_review");
    await test.call(advanceClock, { body: { seconds: 1 }, ...more });
    expect((await rowOf(id)).status).toBe("approved");
    expect((await rowOf(id)).terms).toBe("pending");
    // A link of yesterday leads nowhere.
    await test.call(advanceClock, { body: { seconds: 86_400 }, ...more });
    expect(await rails.simulator.pages.open(token)).toBeNull();
    expect(await rails.simulator.pages.choose(token, "rejected")).toBeNull();
  });
});

describe("deleting", () => {
  it("leaves nothing of a person here, as often as it is asked for, and the partner's record where it is", async () => {
    const person = newPerson();
    const { id, customer_id } = await start(person);
    const kept = await start(newPerson(), second);
    const erase = () => test.call(deleteRailData, { params: { address: account } });
    expect(await erase()).toMatchObject({
      address: account,
      deleted: true,
      kept_by_partner: expect.stringContaining("money paid to them still reaches the account"),
    });
    expect((await errorOf(read(id))).code).toBe("kyc_not_found");
    expect(await erase()).toMatchObject({ deleted: true });
    const rows = await test.needs.db.selectFrom("rail_verification").select("id").execute();
    expect(rows).toEqual([{ id: kept.id }]);
    // News about whom nobody knows any more come to nothing.
    await followRails(needs(), test.network);
    expect(await start(person)).toMatchObject({ customer_id });
  });
});

async function customersKnown() {
  const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from simulated_verification`.execute(
    test.needs.db,
  );
  return rows[0] ?? { count: 0 };
}

const simulated = () => test.needs.rails.get("sandbox") as Rails & Required<Pick<Rails, "simulator">>;

const bent = (): ReadonlyMap<EnvironmentName, Rails> => {
  const { partner, simulator } = simulated();
  const watched = new Proxy(partner, {
    get: (target, name: keyof RailsPartner) => {
      const member: unknown = bend[name] ?? target[name];
      if (typeof member !== "function") return member;
      return (...parameters: [{ idempotencyKey?: string }]) => {
        asked.push({ method: name, ...(parameters[0]?.idempotencyKey ? { key: parameters[0].idempotencyKey } : {}) });
        return member(...parameters);
      };
    },
  });
  return new Map([["sandbox" as const, { partner: watched, simulator }]]);
};

const needs = () => ({ ...test.needs, rails: bent() });

const keys = () => asked.flatMap(({ method, key }) => (method === "startVerification" ? [key] : []));

const away = async (): Promise<never> => {
  throw new PartnerUnavailable("away");
};

let people = 0;
const next = () => {
  people += 1;
  return people;
};

const newPerson = () => ({
  type: "individual" as const,
  email: `ada-${next()}@example.org`,
  full_name: "Ada Lovelace",
});

const start = (body: object, address = account, more = {}) =>
  test.call<KycLink>(startKyc, { params: { address }, body, needs: needs(), ...more });

const read = (id: string, address = account, more = {}) =>
  test.call<KycRecord>(getKyc, { params: { address, kyc_id: id }, needs: needs(), ...more });

const decide = (id: string, body: object, more = {}) =>
  test.call<KycRecord>(setKyc, { params: { id }, body, needs: needs(), ...more });

const customer = (endorsement = "base", address = account) =>
  requireCustomer(
    needs(),
    test.network,
    { tenantId: test.caller.tenantId, environment: "sandbox", address },
    {
      endorsement,
    },
  );

const missing = async (endorsement?: string, address?: string) =>
  (await errorOf(customer(endorsement, address))).details.map((detail) => detail.missing);

const rowOf = (id: string) =>
  test.needs.db.selectFrom("rail_verification").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

const eventsOf = async (id: string) => {
  await publishEvents(test.needs.db, test.network);
  const rows = await test.needs.db
    .selectFrom("event")
    .selectAll()
    .where("object_id", "=", id)
    .orderBy("sequence")
    .execute();
  return rows.map(({ type, previous_status, data }) => [type, previous_status, JSON.parse(data).status]);
};
