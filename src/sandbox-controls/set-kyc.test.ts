import { randomUUID } from "node:crypto";
import { verificationStatuses } from "@trellis/kernel/ports/rails.js";
import { beforeAll, describe, expect, it } from "vitest";
import { away, bent, notSimulated, withoutRails } from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import { getKyc } from "../rails/get-kyc.js";
import type { KycLink, KycRecord } from "../rails/kyc-record.js";
import { startKyc } from "../rails/start-kyc.js";
import { setKyc } from "./set-kyc.js";

const test = useTestNetwork();
let account: string;
beforeAll(async () => {
  account = (await test.openHolder("holder@example.org")).verified.address;
});

describe("200", () => {
  it.each(verificationStatuses)("decides that a verification is %s, as reading it says too", async (status) => {
    const { id } = await start();
    const decided = await decide(id, { status });
    expect(decided).toMatchObject({ id, account, status });
    expect(await read(id)).toEqual(decided);
  });

  it("accepts the terms with an approval, unless it says otherwise", async () => {
    const { id } = await start();
    expect(await decide(id, { status: "under_review" })).toMatchObject({ tos_status: "pending" });
    const withoutTerms = await decide(id, { status: "approved", tos_status: "pending" });
    expect(withoutTerms).toMatchObject({ status: "approved", tos_status: "pending" });
    expect(await decide(id, { status: "approved" })).toMatchObject({ status: "approved", tos_status: "approved" });
  });

  it("rejects for reasons, which an approval takes away", async () => {
    const { id } = await start();
    const rejection_reasons = [{ code: "document_expired", message: "The passport has expired." }];
    expect(await decide(id, { status: "rejected", rejection_reasons })).toMatchObject({ rejection_reasons });
    expect(await decide(id, { status: "approved" })).not.toHaveProperty("rejection_reasons");
  });

  it("takes an endorsement away, and leaves the others", async () => {
    const { id } = await start({ endorsements: ["base", "sepa"] });
    expect(await decide(id, { status: "approved" })).toMatchObject({
      endorsements: { base: "approved", sepa: "approved" },
    });
    expect(await decide(id, { status: "approved", revoked_endorsements: ["sepa"] })).toMatchObject({
      status: "approved",
      endorsements: { base: "approved", sepa: "revoked" },
    });
  });

  it("begins one whose beginning was cut short", async () => {
    const body = newPerson();
    const starting = test.call(startKyc, {
      params: { address: account },
      body,
      needs: bent(test, () => ({ startVerification: away })),
    });
    expect((await errorOf(starting)).code).toBe("partner_unavailable");
    const rows = test.needs.db.selectFrom("rail_verification").select("id").where("partner_ref", "is", null);
    const { id } = await rows.executeTakeFirstOrThrow();
    expect(await decide(id, { status: "approved" })).toMatchObject({ id, status: "approved" });
    expect(await test.call(startKyc, { params: { address: account }, body })).toMatchObject({ id });
  });
});

describe("400", () => {
  it("where there are no rails, or nothing simulates them", async () => {
    const { id } = await start();
    const unavailable = { code: "rail_not_available", status: 400 };
    for (const needs of [withoutRails, notSimulated(test)]) {
      expect(await errorOf(decide(id, { status: "approved" }, { needs }))).toMatchObject(unavailable);
    }
    expect(await read(id)).toMatchObject({ status: "not_started" });
  });

  it("for one that the partner refuses to begin", async () => {
    const needs = bent(test, () => ({ startVerification: away }));
    await errorOf(test.call(startKyc, { params: { address: account }, body: newPerson(), needs }));
    const rows = test.needs.db.selectFrom("rail_verification").select("id").where("partner_ref", "is", null);
    const { id } = await rows.executeTakeFirstOrThrow();
    const refusing = bent(test, () => ({
      startVerification: async () => ({ ok: false, refused: { reason: "invalid_details", forOperator: "too short" } }),
    }));
    const error = await errorOf(decide(id, { status: "approved" }, { needs: refusing }));
    expect(error).toMatchObject({ code: "partner_refused", status: 400 });
  });
});

describe("404", () => {
  it("for a verification that is another tenant's, or nobody's", async () => {
    const { id } = await start();
    const notFound = { code: "kyc_not_found", status: 404 };
    const caller = await test.addTenant("stranger");
    expect(await errorOf(decide(id, { status: "approved" }, { caller }))).toMatchObject(notFound);
    for (const other of [randomUUID(), "../../x"]) {
      expect(await errorOf(decide(other, { status: "approved" }))).toMatchObject(notFound);
    }
    expect(await read(id)).toMatchObject({ status: "not_started" });
  });
});

describe("502", () => {
  it("while the partner does not say what became of it: it was decided all the same", async () => {
    const { id } = await start();
    const needs = bent(test, () => ({ readVerification: away }));
    const error = await errorOf(decide(id, { status: "approved" }, { needs }));
    expect(error).toMatchObject({ code: "partner_unavailable", status: 502 });
    test.needs.realClock.advance(60_000);
    expect(await read(id)).toMatchObject({ status: "approved" });
  });
});

const newPerson = () => ({ type: "individual", email: `${randomUUID()}@example.org`, full_name: "Ada Lovelace" });

const start = (more: object = {}) =>
  test.call<KycLink>(startKyc, { params: { address: account }, body: { ...newPerson(), ...more } });

const decide = (id: string, body: object, parts: CallParts = {}) =>
  test.call<KycRecord>(setKyc, { params: { id }, body, ...parts });

const read = (kyc_id: string) => test.call<KycRecord>(getKyc, { params: { address: account, kyc_id } });
