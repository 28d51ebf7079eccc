import { randomUUID } from "node:crypto";
import { limits } from "@trellis/kernel/limits.js";
import { beforeAll, describe, expect, it } from "vitest";
import { away, bent, railsOf } from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import { getLegacyKyc } from "../legacy/legacy-kyc.js";
import { setKyc } from "../sandbox-controls/set-kyc.js";
import { deleteRailData } from "./delete-rail-data.js";
import { followRails } from "./follow-rails.js";
import { getKyc } from "./get-kyc.js";
import type { KycLink, KycRecord } from "./kyc-record.js";
import { listAllVerifications } from "./list-all-verifications.js";
import { startKyc } from "./start-kyc.js";

const test = useTestNetwork();
let account: string;
beforeAll(setUp);

describe("200", () => {
  it("shows what is left to do, and where", async () => {
    const { id, kyc_link, tos_link } = await start();
    expect(await read(id)).toMatchObject({
      id,
      account,
      type: "individual",
      status: "not_started",
      tos_status: "pending",
      kyc_continuation_link: kyc_link,
      tos_link,
      requirements_due: ["id_verification"],
      endorsements: { base: "incomplete" },
    });
  });

  it("has no links for an agent, wherever it reads", async () => {
    const { id } = await start();
    const caller = { ...test.caller, agent: "Shopper" };
    const list = await test.call<KycRecord[]>(listAllVerifications, { query: { account }, caller });
    const older = await test.call<KycRecord>(getLegacyKyc, {
      params: { smart_account_address: account, kyc_id: id },
      caller,
    });
    for (const record of [await read(id, { caller }), list.find((each) => each.id === id), older]) {
      expect(record).toMatchObject({ id, status: "not_started" });
      for (const link of ["kyc_continuation_link", "tos_link"]) expect(record).not.toHaveProperty(link);
    }
  });

  it("has no link, and nothing that is due, once it is approved", async () => {
    const { id } = await start();
    await test.call(setKyc, { params: { id }, body: { status: "approved" } });
    const record = await read(id);
    expect(record).toMatchObject({ status: "approved", tos_status: "approved", endorsements: { base: "approved" } });
    for (const absent of ["kyc_continuation_link", "tos_link", "rejection_reasons"]) {
      expect(record).not.toHaveProperty(absent);
    }
  });

  it("asks the partner again after some seconds, and not before", async () => {
    const { id } = await start();
    let reads = 0;
    const counting = bent(test, (partner) => ({
      readVerification: (ref, signal) => {
        reads += 1;
        return partner.readVerification(ref, signal);
      },
    }));
    const refs = test.needs.db.selectFrom("rail_verification").select("partner_ref").where("id", "=", id);
    const { partner_ref } = await refs.executeTakeFirstOrThrow();
    await railsOf(test).simulator?.setVerification(partner_ref as never, { status: "under_review" });
    expect([(await read(id, { needs: counting })).status, reads]).toEqual(["not_started", 0]);
    test.needs.realClock.advance(limits.partnerWordGoodForMs);
    expect([(await read(id, { needs: counting })).status, reads]).toEqual(["under_review", 1]);
  });

  it("shows what was last known while the partner is away, and no link that is out of date", async () => {
    const { id, kyc_link } = await start();
    const needs = bent(test, () => ({ readVerification: away }));
    test.needs.realClock.advance(60_000);
    expect(await read(id, { needs })).toMatchObject({ status: "not_started", kyc_continuation_link: kyc_link });
    test.needs.realClock.advance(limits.kycLinkMs);
    const late = await read(id, { needs });
    expect(late).not.toHaveProperty("kyc_continuation_link");
    expect(late).not.toHaveProperty("tos_link");
    const fresh = await read(id);
    expect(fresh.kyc_continuation_link).toBeDefined();
    expect(fresh.kyc_continuation_link).not.toBe(kyc_link);
  });

  it("keeps what is known of somebody whom the partner has forgotten, and asks rarely from then on", async () => {
    const { id } = await start();
    const needs = forgetting();
    test.needs.realClock.advance(60_000);
    expect((await read(id, { needs })).status).toBe("not_started");
    await test.needs.db.updateTable("rail_verification").set({ look_at: 0n }).where("id", "=", id).execute();
    await followRails({ ...test.needs, ...needs }, test.network);
    const rows = test.needs.db.selectFrom("rail_verification").select("look_at").where("id", "=", id);
    const { look_at } = await rows.executeTakeFirstOrThrow();
    expect(Number(look_at)).toBeGreaterThan(test.needs.realClock.now() + 3_600_000);
  });
});

describe("404", () => {
  it("for a verification of another account, or of none", async () => {
    const other = (await test.openHolder("other@example.org")).verified.address;
    const { id } = await start(other);
    for (const kyc_id of [id, randomUUID(), "../../x"]) {
      expect(await errorOf(read(kyc_id))).toMatchObject({ code: "kyc_not_found", status: 404 });
    }
  });

  it("for another tenant's account", async () => {
    const { id } = await start();
    const caller = await test.addTenant("stranger");
    expect(await errorOf(read(id, { caller }))).toMatchObject({ code: "account_not_found", status: 404 });
  });

  it("for one that is deleted while it is read, which stays deleted", async () => {
    const address = (await test.openHolder("erased@example.org")).verified.address;
    const { id } = await start(address);
    const needs = bent(test, (partner) => ({
      readVerification: async (ref, signal) => {
        const answer = await partner.readVerification(ref, signal);
        await test.call(deleteRailData, { params: { address } });
        return answer;
      },
    }));
    test.needs.realClock.advance(60_000);
    const error = await errorOf(read(id, { params: { address, kyc_id: id }, needs }));
    expect(error).toMatchObject({ code: "kyc_not_found", status: 404 });
    const rows = test.needs.db.selectFrom("rail_verification").select("id").where("account_address", "=", address);
    expect(await rows.execute()).toEqual([]);
  });
});

async function setUp(): Promise<void> {
  account = (await test.openHolder("holder@example.org")).verified.address;
}

/** Begins the verification of a person of its own. */
const start = (address = account) =>
  test.call<KycLink>(startKyc, {
    params: { address },
    body: { type: "individual", email: `${randomUUID()}@example.org`, full_name: "Ada Lovelace" },
  });

const read = (kyc_id: string, parts: CallParts = {}) =>
  test.call<KycRecord>(getKyc, { params: { address: account, kyc_id }, ...parts });

const forgetting = () =>
  bent(test, () => ({
    readVerification: async () => ({ ok: false, refused: { reason: "not_found", forOperator: "gone" } }),
  }));
