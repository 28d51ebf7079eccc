import { limits } from "@trellis/kernel/limits.js";
import type { HintKind, PartnerAnswer, PartnerRef, RailsPartner } from "@trellis/kernel/ports/rails.js";
import { describe, expect, it } from "vitest";
import { getAccountRow } from "../../src/accounts/account-store.js";
import { recordExternalAccount } from "../../src/rails/external-account-store.js";
import { externalAccountKind } from "../../src/rails/external-accounts.js";
import { followRails } from "../../src/rails/follow-rails.js";
import { storeNotices } from "../../src/rails/notice-store.js";
import type { PartnerContext, PartnerObject } from "../../src/rails/partner-object.js";
import type { PartnerRow } from "../../src/rails/partner-rows.js";
import { recordPayoutAddress } from "../../src/rails/payout-address-store.js";
import { payoutAddressKind } from "../../src/rails/payout-addresses.js";
import { requireCustomer } from "../../src/rails/rail-customer.js";
import { railKinds } from "../../src/rails/rail-kinds.js";
import { recordTransfer } from "../../src/rails/transfer-store.js";
import { transferKind } from "../../src/rails/transfers.js";
import { recordVerification } from "../../src/rails/verification-store.js";
import { verificationKind } from "../../src/rails/verifications.js";
import { recordVirtualAccount } from "../../src/rails/virtual-account-store.js";
import { virtualAccountKind } from "../../src/rails/virtual-accounts.js";
import { useTestNetwork } from "../support/scene.js";
import { errorOf } from "../support/test-network.js";
import { addBank, away, bent, openApproved, railsOf, usAccount } from "./transfers-support.js";

/** Every kind of object at a partner goes through the same steps, whatever the partner does. */
const test = useTestNetwork();
let number = 0;
const kinds: readonly Kind[] = [
  {
    object: verificationKind,
    hint: "verification",
    begins: "startVerification",
    reads: "readVerification",
    record: async () => {
      const { account, partner } = await openHolder();
      const person = { email: `somebody-${number}@example.org`, fullName: "Ada Lovelace" };
      const wanted = { account, partner, type: "individual", person, wanted: ["base"] } as const;
      return recordVerification(test.needs, test.network, wanted);
    },
  },
  {
    object: externalAccountKind,
    hint: "bank_account",
    begins: "addBankAccount",
    record: async () => {
      const details = {
        kind: "us",
        currency: "usd",
        ownerName: "Ada Lovelace",
        ownerType: "individual",
        accountNumber: "123456789",
        routingNumber: "021000021",
        checkingOrSavings: "checking",
      } as const;
      return recordExternalAccount(test.needs, test.network, { ...(await openHolder()), details, last4: "6789" });
    },
  },
  {
    object: payoutAddressKind,
    hint: "payout_address",
    begins: "openPayoutAddress",
    finds: "findPayoutAddress",
    record: async () => {
      const holder = await openHolder();
      const { id } = await addBank(test, holder.account.address, usAccount);
      const { partner_ref } = await test.needs.db
        .selectFrom("rail_external_account")
        .select("partner_ref")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return recordPayoutAddress(test.needs, test.network, {
        ...holder,
        externalAccount: { id, ref: partner_ref as PartnerRef },
        fiat: "usd",
        rail: "ach_push",
        endorsement: "base",
      });
    },
  },
  {
    object: virtualAccountKind,
    hint: "virtual_account",
    begins: "openVirtualAccount",
    finds: "findVirtualAccount",
    reads: "readVirtualAccount",
    record: async () => {
      const holder = await openHolder();
      const wanted = { ...holder, userId: holder.account.userId, currency: "usd", askedAs: undefined } as const;
      return recordVirtualAccount(test.needs, test.network, wanted);
    },
  },
  {
    object: transferKind,
    hint: "transfer",
    begins: "createTransfer",
    finds: "findTransfer",
    reads: "readTransfer",
    record: async () =>
      recordTransfer(test.needs, test.network, {
        ...(await openHolder()),
        operationId: undefined,
        direction: "in",
        decimals: 6,
        baseUnits: "10000000",
        fiat: "usd",
        rail: "wire",
        amount: "10.00",
      }),
  },
];

it("each kind is among those that the pass follows", () => {
  expect(new Set(kinds.map(({ object }) => object.table))).toEqual(new Set(railKinds.map(({ table }) => table)));
});

describe.each(kinds.map((kind) => [kind.object.table, kind] as const))("an object of %s", (_table, kind) => {
  it("whose first answer is lost keeps its key, and is begun again under the same", async () => {
    const id = await recorded(kind);
    const { operation_key: key } = (await rowOf(kind, id)) ?? {};
    const lost = await begin(kind, id, true);
    expect(lost).toMatchObject({ keys: [key], outcome: { name: "PartnerUnavailable" } });
    expect(await rowOf(kind, id)).toMatchObject({ operation_key: key, partner_ref: null });
    expect(await begin(kind, id, false)).toMatchObject({ keys: [key], outcome: { id } });
    expect((await rowOf(kind, id))?.partner_ref).toBeTruthy();
    // What has begun is not begun again.
    expect((await begin(kind, id, false)).keys).toEqual([]);
  });

  it("that the partner refuses is not kept", async () => {
    const id = await recorded(kind);
    const refusing = contextOf(() => ({
      [kind.begins]: async () => ({ ok: false, refused: { reason: "wrong_state", forOperator: "words" } }),
    }));
    expect(await errorOf(kind.object.begin(refusing, id))).toMatchObject({ code: "partner_refused" });
    expect(await rowOf(kind, id)).toBeUndefined();
    expect(test.logLines.find(({ fields }) => (fields as { id?: string }).id === id)).toMatchObject({
      level: "warn",
      fields: { environment: "sandbox", partner: "sandbox", reason: "wrong_state", words: "words" },
    });
  });

  it("is not changed by an answer that arrives late, or by the same webhook twice", async () => {
    const id = await recorded(kind);
    let first: unknown;
    const late = contextOf((partner) => ({
      [kind.begins]: async (request: Request) => {
        const answer = await (partner[kind.begins] as unknown as Begin)(request);
        // Another process is faster.
        await kind.object.begin(contextOf(), id);
        first = await rowOf(kind, id);
        return answer.ok ? { ok: true, value: { ...answer.value, ref: "late" } } : answer;
      },
    }));
    await kind.object.begin(late, id);
    expect(await rowOf(kind, id)).toEqual(first);
    const { partner_ref: ref } = first as PartnerRow;
    const hint = { eventId: `news-of-${id}`, kind: kind.hint, ref: ref as PartnerRef, at: 1 };
    const place = { environment: "sandbox", partner: "sandbox" };
    const now = test.needs.realClock.now();
    expect(await storeNotices(test.needs.db, place, [hint, hint], now)).toBe(1);
    expect(await storeNotices(test.needs.db, place, [hint], now)).toBe(0);
    await followRails(test.needs, test.network);
    expect(await rowOf(kind, id)).toMatchObject({
      partner_ref: ref,
      operation_key: (first as PartnerRow).operation_key,
    });
  });

  it.skipIf(kind.reads === undefined)(
    "is read anew where another process has written since it was asked for",
    async () => {
      const id = await recorded(kind);
      await begin(kind, id, false);
      let reads = 0;
      const overtaken = contextOf((partner) => ({
        [kind.reads as string]: async (...parameters: readonly unknown[]) => {
          reads += 1;
          const read = partner[kind.reads as keyof RailsPartner] as unknown as (...all: unknown[]) => Promise<unknown>;
          const answer = await read(...parameters);
          if (reads === 1) await kind.object.poll(test.needs, test.network, railsOf(test), id);
          return answer;
        },
      }));
      await kind.object.poll(overtaken.needs, overtaken.network, overtaken.rails, id);
      expect(reads).toBe(2);
    },
  );

  it("is read again later where the partner is silent, and each try of its events is counted", async () => {
    const [waiting, begun] = [await recorded(kind), await recorded(kind)];
    const before = (await rowOf(kind, waiting))?.operation_key;
    await begin(kind, begun, false);
    const { needs, network } = silent();
    test.needs.realClock.advance(limits.railAbandonMs + 1);
    const ref = (await rowOf(kind, begun))?.partner_ref as PartnerRef;
    const eventId = `silence-about-${begun}`;
    const place = { environment: "sandbox", partner: "sandbox" };
    const now = test.needs.realClock.now();
    await storeNotices(test.needs.db, place, [{ eventId, kind: kind.hint, ref, at: 1 }], now);
    const noticeOf = () =>
      test.needs.db.selectFrom("rail_notice").selectAll().where("event_id", "=", eventId).executeTakeFirstOrThrow();
    await followRails(needs, network);
    expect(await rowOf(kind, waiting)).toMatchObject({ operation_key: before, partner_ref: null });
    expect(Number((await rowOf(kind, waiting))?.look_at)).toBeGreaterThan(now);
    const once = await noticeOf();
    expect(Number(once.look_at)).toBeGreaterThan(now);
    test.needs.realClock.advance(Number(once.look_at) - now);
    await followRails(needs, network);
    expect((await noticeOf()).tries).toBe(once.tries + 1);
  });

  it("is begun under another key after a day, once it was searched", async () => {
    const id = await recorded(kind);
    const { operation_key: old } = (await rowOf(kind, id)) ?? {};
    test.needs.realClock.advance(limits.partnerKeyMs + 1);
    const { keys, asked } = await begin(kind, id, true);
    expect(asked).toEqual([...(kind.finds === undefined ? [] : [kind.finds]), kind.begins]);
    expect(keys).toEqual([expect.not.stringMatching(old ?? "")]);
    const again = await begin(kind, id, false);
    expect(again).toMatchObject({ keys, outcome: { id } });
    expect((await rowOf(kind, id))?.operation_key).toBe(keys[0]);
  });
});

/** An approved holder: an account has one virtual account of a currency only. */
async function openHolder() {
  number += 1;
  const { address } = (await openApproved(test, `lifecycle-${number}@example.org`)).verified;
  const account = { tenantId: test.caller.tenantId, environment: "sandbox" as const, address };
  const { user_id: userId } = await getAccountRow(test.needs.db, account);
  const customer = await requireCustomer(test.needs, test.network, account, { endorsement: "base" });
  const mint = test.network.currencies.find(({ symbol }) => symbol === "usdc")?.mint ?? "";
  return { ...customer, account: { ...account, userId }, partner: "sandbox", coin: "usdc", mint } as const;
}

interface Kind {
  readonly object: PartnerObject<PartnerRow>;
  readonly hint: HintKind;
  readonly begins: keyof RailsPartner;
  /** How it is searched before a key is replaced; absent: its partner answers a known one as known. */
  readonly finds?: keyof RailsPartner;
  /** How it is read where its row counts what was written; absent: it does not. */
  readonly reads?: keyof RailsPartner;
  /** Records one, and gives its id. */
  record(): Promise<{ readonly id: string } | undefined>;
}

type Request = { readonly idempotencyKey: string };

type Begin = (request: Request) => Promise<PartnerAnswer<object>>;

/** A process whose partner's method is another one. */
function contextOf(change: (partner: RailsPartner) => object = () => ({})): PartnerContext {
  const { rails } = bent(test, change);
  return { needs: { ...test.needs, rails }, network: test.network, rails: rails.get("sandbox") ?? railsOf(test) };
}

/** A partner that answers nothing at all. */
const silent = () =>
  contextOf((partner) =>
    Object.fromEntries(
      Object.entries(partner).flatMap(([name, its]) => (typeof its === "function" ? [[name, away]] : [])),
    ),
  );

const rowOf = async ({ object }: Kind, id: string) =>
  (await test.needs.db.selectFrom(object.table).selectAll().where("id", "=", id).executeTakeFirst()) as
    | (PartnerRow & { readonly look_at: bigint | null })
    | undefined;

async function recorded(kind: Kind): Promise<string> {
  const row = await kind.record();
  if (row === undefined) throw new Error("nothing was recorded");
  return row.id;
}

/** Begins it, and says under which keys; `isLost`: the partner begins it, and its answer is lost. */
async function begin({ object, begins }: Kind, id: string, isLost: boolean) {
  const keys: string[] = [];
  const asked: string[] = [];
  const context = contextOf((partner) => {
    const noted = Object.entries(partner).map(([name, its]) => [
      name,
      typeof its !== "function"
        ? its
        : async (...parameters: unknown[]) => {
            asked.push(name);
            if (name !== begins) return its(...parameters);
            keys.push((parameters[0] as Request).idempotencyKey);
            const answer = await its(...parameters);
            return isLost ? away() : answer;
          },
    ]);
    return Object.fromEntries(noted);
  });
  const outcome = await object.begin(context, id).catch((error: unknown) => error);
  return { keys, asked, outcome };
}
