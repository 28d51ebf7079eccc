import { beforeAll, describe, expect, it } from "vitest";
import { away, bent } from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, publicKeyOf } from "../../test/support/test-network.js";
import { getKyc } from "../rails/get-kyc.js";
import type { KycLink, KycRecord } from "../rails/kyc-record.js";
import { startKyc } from "../rails/start-kyc.js";
import { setKyc } from "../sandbox-controls/set-kyc.js";
import { getLatestLegacyKyc, getLegacyKyc, startLegacyKyc } from "./legacy-kyc.js";

const test = useTestNetwork();
let account: string;
beforeAll(async () => {
  account = await openAccount("holder@example.org");
});

describe("201", () => {
  it("starts what the present interface shows, with links", async () => {
    const person = newPerson();
    const link = await start(person);
    expect(link).toMatchObject({
      full_name: "Ada Lovelace",
      email: person.email,
      type: "individual",
      kyc_status: "not_started",
      tos_status: "pending",
      kyc_link: expect.stringMatching(/^http/),
      tos_link: expect.stringMatching(/^http/),
    });
    const present = await test.call<KycRecord>(getKyc, { params: { address: account, kyc_id: link.id } });
    expect(present).toMatchObject({ id: link.id, account, status: "not_started" });
  });

  it("is one verification for a person, by either interface and however many ask at once", async () => {
    const person = newPerson();
    const all = await Promise.all([start(person), start(person)]);
    const present = await test.call<KycLink>(startKyc, { params: { address: account }, body: person });
    expect(new Set([...all, present].map(({ id }) => id)).size).toBe(1);
    expect((await start(newPerson())).id).not.toBe(present.id);
  });
});

describe("200", () => {
  it("shows a verification as it stands, by its id as the present interface does", async () => {
    const { id } = await start(newPerson());
    await test.call(setKyc, { params: { id }, body: { status: "approved" } });
    const record = await read(id);
    expect(record).toMatchObject({ id, account, status: "approved" });
    expect(record).toEqual(await test.call(getKyc, { params: { address: account, kyc_id: id } }));
  });

  it("shows without an id the one that was started last", async () => {
    const address = await openAccount("latest@example.org");
    const first = await start(newPerson(), at(address));
    expect(await latest(at(address))).toEqual(
      await read(first.id, { params: { ...at(address).params, kyc_id: first.id } }),
    );
    await test.network.sandbox?.advanceClock(1);
    const second = await start(newPerson(), at(address));
    expect(await latest(at(address))).toMatchObject({ id: second.id, account: address });
  });
});

describe("400", () => {
  it("refuses what is no e-mail address, and every verification where there is no partner", async () => {
    const wrong = start({ ...newPerson(), email: "nobody" });
    await expect(wrong).rejects.toMatchObject({ status: 400, code: "invalid_email" });
    const alone = start(newPerson(), { needs: { rails: new Map() } });
    await expect(alone).rejects.toMatchObject({ status: 400, code: "rail_not_available" });
  });
});

describe("404", () => {
  it("is the answer for another tenant's account, and for one that there is not", async () => {
    const { id } = await start(newPerson());
    const caller = await test.addTenant("other");
    const notFound = { status: 404, code: "account_not_found" };
    for (const more of [{ caller }, at(publicKeyOf("no account"))]) {
      await expect(start(newPerson(), more)).rejects.toMatchObject(notFound);
      await expect(latest(more)).rejects.toMatchObject(notFound);
    }
    await expect(read(id, { caller })).rejects.toMatchObject(notFound);
  });

  it("is the answer for a verification of another account, for no id, and before there is one", async () => {
    const { id } = await start(newPerson());
    const second = await openAccount("second@example.org");
    const notFound = { status: 404, code: "kyc_not_found" };
    const elsewhere = read(id, { params: { smart_account_address: second, kyc_id: id } });
    await expect(elsewhere).rejects.toMatchObject(notFound);
    await expect(latest(at(second))).rejects.toMatchObject(notFound);
    for (const missing of ["00000000-0000-4000-8000-000000000000", "x\u0000"]) {
      await expect(read(missing)).rejects.toMatchObject(notFound);
    }
  });
});

describe("502", () => {
  it("is the answer where the partner does not answer; a repetition starts the same verification", async () => {
    const [person, here] = [newPerson(), at(await openAccount("away@example.org"))];
    const refused = start(person, { ...here, needs: bent(test, () => ({ startVerification: away })) });
    await expect(refused).rejects.toMatchObject({ status: 502, code: "partner_unavailable" });
    const recorded = await test.needs.db
      .selectFrom("rail_verification")
      .select("id")
      .where("account_address", "=", here.params.smart_account_address)
      .execute();
    expect(recorded).toHaveLength(1);
    expect((await start(person, here)).id).toBe(recorded[0]?.id);
  });
});

const at = (smart_account_address: string) => ({ params: { smart_account_address } });

const start = (body: object, more: CallParts = {}) =>
  test.call<KycLink>(startLegacyKyc, { ...at(account), body, ...more });

const read = (kyc_id: string, more: CallParts = {}) =>
  test.call<KycRecord>(getLegacyKyc, { params: { smart_account_address: account, kyc_id }, ...more });

const latest = (more: CallParts = {}) => test.call<KycRecord>(getLatestLegacyKyc, { ...at(account), ...more });

const openAccount = async (email: string) => (await test.openHolder(email)).verified.address;

let people = 0;
const newPerson = () => {
  people += 1;
  return { type: "individual", email: `ada-${people}@example.org`, full_name: "Ada Lovelace" };
};
