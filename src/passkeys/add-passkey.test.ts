import { describe, expect, it } from "vitest";
import { createSoftPasskey } from "../../test/support/authenticator.js";
import {
  addition,
  addSoftPasskey,
  begin,
  byPasskey,
  bySession,
  page,
  removing,
  toPayload,
} from "../../test/support/passkeys.js";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { createP256Key, errorOf, type HeldAccount } from "../../test/support/test-network.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { addPasskey } from "./add-passkey.js";
import { listPasskeys } from "./list-passkeys.js";
import { removePasskey } from "./remove-passkey.js";

const test = useTestNetwork();

describe("201", () => {
  it("adds a passkey that signs a payment from then on, without any session's key", async () => {
    const holder = await open();
    const { passkey, wire } = await addSoftPasskey(test, holder);
    expect(wire).toMatchObject({ name: "Ada's phone", rp_id: "localhost", synced: false, provider: "kms_a" });
    const before = await held();
    const prepared = await payment(holder);
    await submit(holder, prepared, byPasskey(passkey, prepared.kms_payloads[0]?.payload ?? ""));
    expect((await held()) - before).toBe(5_000_000n);
    const [shown] = await test.call<object[]>(listPasskeys, { params: { address: holder.address } });
    expect(shown).toMatchObject({ id: wire.id, last_used_at: expect.any(String) });
  });

  it("takes another one by the first, and the same request again answers the same", async () => {
    const holder = await open();
    const { passkey: first } = await addSoftPasskey(test, holder);
    const second = createSoftPasskey();
    const begun = await begin(test, holder.address);
    const challenge = Buffer.from(begun.public_key.challenge, "base64url");
    const { clientDataJSON, authenticatorData } = second.register({ ...page, challenge });
    const request = {
      params: { address: holder.address },
      body: {
        ceremony_id: begun.ceremony_id,
        name: "Key",
        credential: { response: { clientDataJSON, authenticatorData } },
        authorization: byPasskey(first, toPayload(addition(begun, second))),
      },
    };
    const added = await test.call(addPasskey, request);
    expect(await test.call(addPasskey, request)).toEqual(added);
    const all = await test.call<object[]>(listPasskeys, { params: { address: holder.address } });
    expect(all).toHaveLength(2);
    expect(all).toContainEqual(added);
  });
});

describe("400", () => {
  it("is the answer to a registration of another page, another challenge, or without a verified user", async () => {
    const holder = await open();
    for (const asked of [{ origin: "https://evil.example" }, { rpId: "evil.example" }, { flags: 0x41 }]) {
      expect((await errorOf(addSoftPasskey(test, holder, { asked }))).code).toBe("invalid_registration");
    }
    const begun = await begin(test, holder.address);
    const other = await errorOf(addSoftPasskey(test, holder, { body: () => ({ ceremony_id: begun.ceremony_id }) }));
    expect(other.code).toBe("invalid_registration");
  });

  it("is the answer where nobody who commands the wallet has signed, or they signed for another key", async () => {
    const holder = await open();
    const stranger = { ...holder, authorizationKey: createP256Key() };
    const codes = [
      await errorOf(addSoftPasskey(test, stranger)),
      await errorOf(
        addSoftPasskey(test, holder, {
          body: (begun) => ({ authorization: bySession(holder, addition(begun, createSoftPasskey())) }),
        }),
      ),
      await errorOf(
        addSoftPasskey(test, holder, {
          body: (begun, passkey) => ({ authorization: byPasskey(passkey, toPayload(addition(begun, passkey))) }),
        }),
      ),
      await errorOf(
        addSoftPasskey(test, await open(), { body: (b, p) => ({ authorization: bySession(holder, addition(b, p)) }) }),
      ),
    ].map(({ code }) => code);
    expect(codes).toEqual(Array.from({ length: 4 }, () => "invalid_signature"));
  });

  it("is the answer once the ceremony has expired", async () => {
    const holder = await open();
    const late = addSoftPasskey(test, holder, {
      body: async () => {
        await test.network.sandbox?.advanceClock(301);
        return {};
      },
    });
    expect((await errorOf(late)).code).toBe("payload_expired");
  });
});

describe("404", () => {
  it("is the answer to another tenant", async () => {
    const holder = await open();
    const caller = await test.addTenant("passkeys-other");
    expect((await errorOf(addSoftPasskey(test, holder, { parts: { caller } }))).code).toBe("account_not_found");
  });
});

describe("409", () => {
  it("is the answer where the passkey is there already, or ten are, however many are added at once", async () => {
    const holder = await open();
    const { passkey } = await addSoftPasskey(test, holder);
    expect((await errorOf(addSoftPasskey(test, holder, { passkey }))).code).toBe("passkey_exists");
    const added = await Promise.allSettled(Array.from({ length: 12 }, () => addSoftPasskey(test, holder)));
    expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(9);
    expect((await errorOf(addSoftPasskey(test, holder))).code).toBe("passkey_limit");
  });
});

describe("409", () => {
  it("is the answer for a passkey that commands another wallet of the tenant's already", async () => {
    const [one, other] = [await open(), await open()];
    const { passkey } = await addSoftPasskey(test, one);
    expect((await errorOf(addSoftPasskey(test, other, { passkey }))).code).toBe("passkey_exists");
  });
});

describe("a payment signed by a passkey", () => {
  const holder = use(() => open());

  it("is refused for another payload, by a stranger's passkey, in a foreign frame, and of another page", async () => {
    const { passkey } = await addSoftPasskey(test, holder);
    const [one, other] = [await payment(holder), await payment(holder)];
    const payload = one.kms_payloads[0]?.payload ?? "";
    for (const entry of [
      byPasskey(passkey, other.kms_payloads[0]?.payload ?? ""),
      byPasskey(createSoftPasskey(), payload),
      byPasskey(passkey, payload, { clientData: { crossOrigin: true } }),
      byPasskey(passkey, payload, { origin: "https://evil.example" }),
      byPasskey(passkey, payload, { flags: 0x01 }),
    ]) {
      expect((await errorOf(submit(holder, one, entry))).code).toBe("invalid_signature");
    }
    await submit(holder, one, byPasskey(passkey, payload));
  });

  it("is refused where its authenticator has counted less than before, and counts once when it is repeated", async () => {
    const { passkey, wire } = await addSoftPasskey(test, holder);
    const [one, other] = [await payment(holder), await payment(holder)];
    const entry = byPasskey(passkey, one.kms_payloads[0]?.payload ?? "", { counter: 9 });
    const first = await submit(holder, one, entry);
    expect(await submit(holder, one, entry)).toEqual(first);
    const payload = other.kms_payloads[0]?.payload ?? "";
    for (const counter of [9, 3, 0]) {
      expect((await errorOf(submit(holder, other, byPasskey(passkey, payload, { counter })))).code).toBe(
        "invalid_signature",
      );
    }
    const entries = test.needs.db
      .selectFrom("audit_entry")
      .select("body")
      .where("kind", "=", "passkey.counter_went_back");
    const found = (await entries.where("subject", "=", `passkey/${wire.id}`).orderBy("sequence").execute()).map(
      ({ body }) => JSON.parse(body ?? "{}").details,
    );
    expect(found).toMatchObject([9, 3, 0].map((reported) => ({ counter: 9, reported })));
    await submit(holder, other, byPasskey(passkey, payload, { counter: 10 }));
  });

  it("is taken by the highest count of several at once, and each that is taken has counted on", async () => {
    const { passkey, wire } = await addSoftPasskey(test, holder);
    const payments = await Promise.all(
      [6, 7, 8].map(async (counter) => ({ counter, prepared: await payment(holder) })),
    );
    const outcomes = await Promise.allSettled(
      payments.map(({ counter, prepared }) =>
        submit(holder, prepared, byPasskey(passkey, prepared.kms_payloads[0]?.payload ?? "", { counter })),
      ),
    );
    expect(outcomes[2]?.status).toBe("fulfilled");
    const row = test.needs.db.selectFrom("kms_passkey").select("counter").where("id", "=", wire.id);
    expect((await row.executeTakeFirst())?.counter).toBe(8n);
  });

  it("is refused by a passkey whose removal somebody has undone in the database", async () => {
    const { passkey, wire, begun } = await addSoftPasskey(test, holder);
    await test.call(removePasskey, {
      params: { address: holder.address, passkey_id: wire.id },
      body: removing(test, begun, wire, (document) => bySession(holder, document)),
    });
    for (const table of ["passkey", "kms_passkey"] as const) {
      await test.needs.db.updateTable(table).set({ removed_at: null }).where("id", "=", wire.id).execute();
    }
    const prepared = await payment(holder);
    const entry = byPasskey(passkey, prepared.kms_payloads[0]?.payload ?? "");
    expect((await errorOf(submit(holder, prepared, entry))).code).toBe("invalid_signature");
  });

  it("is refused where somebody has written the passkey's row: another key, another wallet, or a smaller count", async () => {
    const { passkey, wire } = await addSoftPasskey(test, holder);
    const thief = createSoftPasskey();
    const { db } = test.needs;
    await db.updateTable("passkey").set({ public_key: thief.point }).where("id", "=", wire.id).execute();
    await db.updateTable("kms_passkey").set({ public_key: thief.point }).where("id", "=", wire.id).execute();
    const prepared = await payment(holder);
    const entry = byPasskey({ ...thief, credentialId: passkey.credentialId }, prepared.kms_payloads[0]?.payload ?? "");
    const refusal = await errorOf(submit(holder, prepared, entry));
    expect([refusal.code, refusal.message]).toEqual(["invalid_signature", "The custodian refused to sign."]);
  });
});

let people = 0;
async function open(): Promise<HeldAccount> {
  people += 1;
  const holder = await test.openHolder(`passkey-${people}@example.org`);
  await test.airdrop(holder.address, "sol", "1000000000");
  return holder;
}

interface Prepared {
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly payload: string }[];
}

const payee = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";

const payment = ({ verified: { address } }: HeldAccount) =>
  test.call<Prepared>(preparePayment, {
    params: { address },
    body: {
      amount: "5000000",
      source: { account: address, currency: "sol" },
      destination: { address: payee, currency: "sol" },
    },
  });

const submit = ({ verified: { address } }: HeldAccount, { transaction }: Prepared, entry: object) =>
  test.call(submitTransactions, { params: { address }, body: { transaction, kms_payloads: [entry] } });

const held = async () => (await test.network.rpc.getBalance(payee as never).send()).value as bigint;
