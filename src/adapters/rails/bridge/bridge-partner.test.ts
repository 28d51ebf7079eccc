import { randomUUID } from "node:crypto";
import type { Log } from "@trellis/kernel/ports/log.js";
import {
  type BankAccountDetails,
  type PartnerAnswer,
  type PartnerRef,
  PartnerUnavailable,
  type RailsPartner,
} from "@trellis/kernel/ports/rails.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeBridge, type Fault, fakeBridgeKey, startFakeBridge } from "../../../../test/support/fake-bridge.js";
import { createBridgeHttp } from "./bridge-http.js";
import type { BridgeChoices } from "./bridge-needs.js";
import { createBridgePartner } from "./bridge-partner.js";

const vault = "Vau1t111111111111111111111111111111111111111";
const ref = (id: unknown) => String(id) as PartnerRef;

let bridge: FakeBridge;
let reported: { readonly level: string; readonly fields: object; readonly message: string }[];
let partner: RailsPartner;

beforeEach(async () => {
  reported = [];
  bridge = await startFakeBridge();
  partner = make();
});
afterEach(() => bridge.close());

describe("a verification", () => {
  it("is a hosted link, without a customer at first, and with one later", async () => {
    const first = granted(await partner.startVerification({ ...attempt(), ...person(), redirectUri: "https://a.b/c" }));
    expect(first).toMatchObject({ customer: null, status: "not_started", terms: "pending", endorsements: {} });
    expect(first.verificationUrl).toMatch(/^https:\/\/bridge\.withpersona\.com/);
    expect(first.termsUrl).toMatch(/^https:\/\/dashboard\.bridge\.xyz/);
    expect(bridge.seen[0]?.body).toEqual({
      type: "individual",
      email: "ada@example.org",
      full_name: "Ada Lovelace",
      endorsements: ["base", "sepa"],
      redirect_uri: "https://a.b/c",
    });

    const customer = bridge.decide("ada@example.org", "incomplete");
    const open = granted(await partner.readVerification(first.ref, never));
    expect(open).toMatchObject({
      customer: customer.id,
      status: "incomplete",
      terms: "approved",
      termsUrl: null,
      due: ["id_verification", "proof_of_address"],
      endorsements: { base: "incomplete" },
    });
    expect(open.verificationUrl).toContain("again?c=");

    bridge.decide("ada@example.org", "approved", { endorsements: { base: "approved", sepa: "incomplete" } });
    expect(granted(await partner.readVerification(first.ref, never))).toMatchObject({
      status: "approved",
      // There is a page for what is not endorsed yet.
      verificationUrl: expect.stringContaining("again?c="),
      endorsements: { base: "approved", sepa: "incomplete" },
    });
    expect(bridge.seen.at(-1)?.query.get("endorsement")).toBe("sepa");
    bridge.decide("ada@example.org", "approved", { endorsements: { base: "approved", sepa: "approved" } });
    expect(granted(await partner.readVerification(first.ref, never)).verificationUrl).toBeNull();
  });

  it("of an address the partner knows is the one it has", async () => {
    const first = granted(await partner.startVerification({ ...attempt(), ...person() }));
    const again = granted(await partner.startVerification({ ...attempt(), ...person() }));
    expect(again.ref).toBe(first.ref);
    // What is asked for in addition has a page, although the person is approved.
    bridge.decide("ada@example.org", "approved");
    const more = { ...person(), endorsements: ["pix"] };
    expect(granted(await partner.startVerification({ ...attempt(), ...more })).verificationUrl).toContain("again?c=");
    expect(bridge.seen.at(-1)?.query.get("endorsement")).toBe("pix");
  });

  it("can lose its approval and its endorsements", async () => {
    const { ref: link } = granted(await partner.startVerification({ ...attempt(), ...person() }));
    bridge.decide("ada@example.org", "approved", { endorsements: { base: "revoked" } });
    expect(granted(await partner.readVerification(link, never)).endorsements).toEqual({ base: "revoked" });
    // The link still says approved; the customer was turned away.
    const [customer] = bridge.customers.values();
    if (customer) customer.status = "offboarded";
    expect(granted(await partner.readVerification(link, never)).status).toBe("rejected");
    bridge.decide("ada@example.org", "rejected");
    const [row] = bridge.links.values();
    if (row) row.rejection_reasons = [{ reason: "Blurred photo", developer_reason: "fraud score 0.9" }];
    const rejected = granted(await partner.readVerification(link, never));
    expect(rejected.rejections).toEqual([{ code: "rejected_by_provider", message: "Blurred photo" }]);
    expect(JSON.stringify(rejected)).not.toContain("fraud");
  });

  it.each([
    ["paused", "under_review"],
    ["awaiting_ubo", "incomplete"],
    ["offboarded", "rejected"],
    ["on_the_moon", "under_review"],
  ])("that is %s is %s", async (word, status) => {
    const { ref: link } = granted(await partner.startVerification({ ...attempt(), ...person() }));
    bridge.decide("ada@example.org", word);
    expect(granted(await partner.readVerification(link, never)).status).toBe(status);
    await partner.readVerification(link, never);
    const alarms = reported.filter(({ message }) => message.includes("does not know"));
    expect(alarms.length > 0).toBe(word === "on_the_moon");
    expect(new Set(alarms.map((one) => JSON.stringify(one))).size).toBe(alarms.length);
  });

  it.each(["text", "url", "data"] as const)("has its terms whether their link is a %s or inside", async (form) => {
    bridge.forms.tosLinkAs = form;
    const started = granted(await partner.startVerification({ ...attempt(), ...person() }));
    expect(started.termsUrl).toMatch(/^https:\/\/dashboard/);
  });

  it("leads to no page but https", async () => {
    const { ref: link } = granted(await partner.startVerification({ ...attempt(), ...person() }));
    const [row] = bridge.links.values();
    Object.assign(row ?? {}, { kyc_link: "javascript:alert(1)", tos_link: "http://a.b" });
    const read = granted(await partner.readVerification(link, never));
    expect([read.verificationUrl, read.termsUrl]).toEqual([null, null]);
  });

  it("that the partner does not know is refused", async () => {
    expect(await partner.readVerification(ref("nothing"), never)).toMatchObject({
      ok: false,
      refused: { reason: "not_found" },
    });
  });
});

describe("a virtual account", () => {
  const open = (
    customer: PartnerRef,
    from: "usd" | "eur" | "gbp" | "mxn" | "brl" = "usd",
    to: "usdc" | "eurc" = "usdc",
  ) => partner.openVirtualAccount({ ...attempt(), customer, from, to, address: vault });

  it("is opened for an address, once under one key", async () => {
    partner = make({ developerFeePercent: "0.5", travelRule: "self_custodied" });
    const customer = await approved();
    const request = { ...attempt(), customer, from: "usd" as const, to: "usdc" as const, address: vault };
    const account = granted(await partner.openVirtualAccount(request));
    expect(granted(await partner.openVirtualAccount(request))).toEqual(account);
    expect(bridge.accounts.size).toBe(1);
    expect(account).toMatchObject({
      customer,
      status: "activated",
      currency: "usd",
      rails: ["ach_push", "wire"],
      destination: { address: vault, coin: "usdc" },
      feePercent: "0.5",
    });
    expect(account.instructions).toMatchObject({
      bank_account_number: "900012345678",
      bank_routing_number: "101019644",
    });
    expect(account.instructions).not.toHaveProperty("currency");
    expect(bridge.seen.at(-1)?.body).toMatchObject({
      developer_fee_percent: "0.5",
      travel_rule_data: { beneficiary: { is_self: true, wallet_type: "self_custodied" } },
    });
    expect(granted(await partner.readVirtualAccount({ customer, ref: account.ref }, never))).toEqual(account);
  });

  it.each(["usd", "eur", "gbp", "mxn", "brl"] as const)(
    "of %s is read in every form the partner has for it",
    async (from) => {
      const customer = await approved({
        base: "approved",
        sepa: "approved",
        faster_payments: "approved",
        spei: "approved",
        pix: "approved",
      });
      for (const railsAs of ["array", "string", "singular"] as const) {
        Object.assign(bridge.forms, { railsAs, quotedNames: railsAs === "string" });
        const account = granted(await open(customer, from));
        expect(account.rails.length).toBeGreaterThan(0);
        expect(account.currency).toBe(from);
        expect(Object.keys(account.instructions)).not.toHaveLength(0);
      }
    },
  );

  it("needs approval, an endorsement, and a pair that is offered", async () => {
    await partner.startVerification({ ...attempt(), ...person() });
    const waiting = ref(bridge.decide("ada@example.org", "under_review").id);
    expect(await open(waiting)).toMatchObject({ ok: false, refused: { reason: "verification_required" } });
    const customer = await approved();
    expect(await open(customer, "eur")).toMatchObject({ ok: false, refused: { reason: "endorsement_required" } });
    expect(await open(customer, "usd", "eurc")).toMatchObject({ ok: false, refused: { reason: "unsupported_pair" } });
  });

  it("whose outcome was lost is found again, over pages and without a count", async () => {
    const customer = await approved();
    bridge.forms.withoutCount = true;
    bridge.fail("POST /v0/customers", "hang_after");
    await lose((signal) =>
      partner.openVirtualAccount({ ...attempt(), signal, customer, from: "usd", to: "usdc", address: vault }),
    );
    for (let i = 0; i < 120; i += 1) {
      const [one] = bridge.accounts.values();
      if (one)
        bridge.accounts.set(`n${i}`, { ...one, id: `n${i}`, destination: { currency: "usdc", address: "other" } });
    }
    const found = granted(await partner.findVirtualAccount({ customer, from: "usd", address: vault }, never));
    expect(found?.destination.address).toBe(vault);
    expect(granted(await partner.findVirtualAccount({ customer, from: "eur", address: vault }, never))).toBeNull();
  });

  it("is none when it pays another address than was asked for, and the operator is alarmed", async () => {
    const customer = await approved();
    bridge.answerNextWith("POST /v0/customers", { destination: { currency: "usdc", address: "another" } });
    await expect(open(customer)).rejects.toThrow("for another address");
    expect(reported.some(({ level }) => level === "error")).toBe(true);
  });

  it("in a state that is not known takes no money", async () => {
    const customer = await approved();
    const account = granted(await open(customer));
    Object.assign(bridge.accounts.get(account.ref) ?? {}, { status: "frozen" });
    expect(granted(await partner.readVirtualAccount({ customer, ref: account.ref }, never)).status).toBe("deactivated");
    expect(reported.some(({ fields }) => JSON.stringify(fields).includes("frozen"))).toBe(true);
  });
});

describe("deposits", () => {
  let customer: PartnerRef;
  let account: PartnerRef;
  const list = async (after: string | null = null) =>
    granted(await partner.listDeposits({ customer, account, after }, never));
  beforeEach(async () => {
    customer = await approved();
    account = granted(
      await partner.openVirtualAccount({ ...attempt(), customer, from: "usd", to: "usdc", address: vault }),
    ).ref;
  });
  const add = (type: string, deposit: string | undefined, change: Record<string, unknown> = {}) =>
    bridge.addActivity(account, type, { ...(deposit === undefined ? {} : { deposit_id: deposit }), ...change });

  it("have the state that their activities together say, in any order and with repetitions", async () => {
    add("payment_processed", "d1", {
      amount: "99.50",
      destination_tx_hash: "sig1",
      receipt: { developer_fee: "0.5", exchange_fee: "0.0", gas_fee: "0.0" },
    });
    const scheduled = add("funds_scheduled", "d1", { source: { payment_rail: "ach_push", sender_name: "Bob" } });
    add("payment_submitted", "d1", { currency: "usdc", amount: "99.50", destination_tx_hash: "sig1" });
    bridge.activities.push({ ...scheduled });
    add("funds_received", "d1");
    add("in_review", "d2", { amount: "7.00" });
    add("funds_received", "d2", { amount: "7.00" });
    add("account_update", undefined);
    const { deposits } = await list();
    expect(deposits).toHaveLength(2);
    expect(deposits.find((one) => one.ref === "d1")).toMatchObject({
      account,
      state: "processed",
      amount: "100.00",
      currency: "usd",
      fees: { developer: "0.5", exchange: "0.0", gas: "0.0" },
      signature: "sig1",
      senderName: "Bob",
      rail: "ach_push",
    });
    expect(deposits.find((one) => one.ref === "d2")?.state).toBe("in_review");
  });

  it("keep their amounts to the last digit, also where they are written as numbers", async () => {
    bridge.forms.numbersUnquoted = true;
    add("funds_received", "d1", { amount: "90071992547409.93" });
    expect((await list()).deposits[0]?.amount).toBe("90071992547409.93");
  });

  it("that test an account are never credited", async () => {
    add("microdeposit", "d1", { amount: "0.04" });
    add("funds_received", "d1", { amount: "0.04" });
    expect((await list()).deposits).toMatchObject([{ state: "not_credited", amount: "0.04" }]);
  });

  it("are refunded whatever activity is the last, also by a refund that does not name them", async () => {
    add("refund", "d1");
    add("payment_processed", "d1");
    add("funds_received", "d2", { amount: "55.00", source: { trace_number: "1" } });
    add("funds_received", "d3", { amount: "55.00", source: { trace_number: "2" } });
    add("refunded", undefined, { amount: "55.00", source: { trace_number: "2" } });
    const stateOf = Object.fromEntries((await list()).deposits.map((one) => [one.ref, one.state]));
    expect(stateOf).toEqual({ d1: "refunded", d2: "received", d3: "refunded" });
  });

  it("are not matched with a refund that names none where two are alike, or where the chain has them", async () => {
    add("funds_received", "d1");
    add("funds_received", "d2");
    add("payment_processed", "d3", { amount: "8.00" });
    const one = add("refund", undefined);
    const other = add("refund", undefined, { amount: "8.00" });
    const stateOf = Object.fromEntries((await list()).deposits.map((deposit) => [deposit.ref, deposit.state]));
    expect(stateOf).toEqual({
      d1: "received",
      d2: "received",
      d3: "processed",
      [`activity:${one.id}`]: "refunded",
      [`activity:${other.id}`]: "refunded",
    });
  });

  it("with an unknown activity are held, and the operator is alarmed", async () => {
    add("funds_received", "d1");
    add("teleported", "d1");
    add("something_else", undefined);
    expect((await list()).deposits).toMatchObject([{ ref: "d1", state: "in_review" }]);
    expect(reported.filter(({ message }) => message.includes("does not know"))).toHaveLength(2);
  });

  it("arrive in pages until there are none", async () => {
    for (let i = 0; i < 130; i += 1) add("funds_received", `d${i}`);
    const found = new Set<string>();
    let after: string | null = null;
    let pages = 0;
    do {
      const page = await list(after);
      for (const one of page.deposits) found.add(one.ref);
      after = page.next;
      pages += 1;
    } while (after !== null);
    expect(found.size).toBe(130);
    expect(pages).toBe(3);
  });
});

describe("a bank account", () => {
  const owner = { ownerName: "Ada Lovelace", ownerType: "individual" as const, firstName: "Ada", lastName: "Lovelace" };
  const address = { streetLine1: "1 Main St", city: "Springfield", state: "IL", postalCode: "62701", country: "USA" };
  const kinds: readonly BankAccountDetails[] = [
    {
      ...owner,
      kind: "us",
      currency: "usd",
      accountNumber: "123456789",
      routingNumber: "101019644",
      checkingOrSavings: "checking",
      address,
    },
    { ...owner, kind: "iban", currency: "eur", iban: "DE89370400440532013000", bic: "COBADEFFXXX", country: "DEU" },
    { ...owner, kind: "gb", currency: "gbp", accountNumber: "12345678", sortCode: "040004" },
    { ...owner, kind: "clabe", currency: "mxn", clabe: "646180111812345678" },
    { ...owner, kind: "pix", currency: "brl", pixKey: "ada@example.org", documentNumber: "12345678909" },
  ];

  it.each(kinds)("of kind $kind is added, recognised when it is added again, and removed once", async (account) => {
    const customer = await approved();
    const added = granted(await partner.addBankAccount({ ...attempt(), customer, account }));
    expect(added).toMatchObject({ active: true });
    expect(added.last4).toHaveLength(4);
    expect(bridge.seen.at(-1)?.body).toMatchObject({ account_type: account.kind, account_owner_type: "individual" });
    expect(await partner.addBankAccount({ ...attempt(), customer, account })).toMatchObject({
      ok: false,
      refused: { reason: "duplicate", existing: added.ref },
    });
    for (let time = 0; time < 2; time += 1) {
      expect(await partner.removeBankAccount({ ...attempt(), customer, ref: added.ref })).toEqual({
        ok: true,
        value: null,
      });
    }
  });

  it("is named in no log", async () => {
    const customer = await approved();
    const [account] = kinds;
    if (account === undefined) return;
    bridge.fail("POST /v0/customers", "half", "html", "500", "401");
    for (let time = 0; time < 4; time += 1) {
      const failed = await partner.addBankAccount({ ...attempt(), customer, account }).catch((error: Error) => error);
      expect(failed).toBeInstanceOf(PartnerUnavailable);
      reported.push({ level: "test", fields: {}, message: String(failed) });
    }
    const everything = JSON.stringify(reported);
    for (const secret of ["123456789", "Lovelace", fakeBridgeKey]) expect(everything).not.toContain(secret);
  });
});

describe("a transfer", () => {
  const bankLeg = (account: PartnerRef) => ({
    kind: "bank" as const,
    currency: "usd" as const,
    rail: "ach_push" as const,
    account,
  });
  const onChain = { kind: "solana" as const, coin: "usdc" as const, address: vault };
  const payOut = (customer: PartnerRef, change: object = {}) => ({
    ...attempt(),
    customer,
    clientReference: randomUUID(),
    amount: "25.50",
    from: onChain,
    to: { ...bankLeg(ref("bank1")), reference: "INV 7" },
    ...change,
  });

  it("to a bank names where its money has to be sent, from the account that sends it", async () => {
    const customer = await approved();
    const request = payOut(customer);
    const made = granted(await partner.createTransfer(request));
    expect(made).toMatchObject({
      clientReference: request.clientReference,
      state: "awaiting_funds",
      amount: "25.50",
      from: onChain,
      to: { ...bankLeg(ref("bank1")), reference: "INV 7" },
      returned: null,
    });
    expect(made.instructions?.to_address).toBe("BridgeDeposit1111111111111111111111111111111");
    expect(bridge.seen.at(-1)?.body).toMatchObject({
      on_behalf_of: customer,
      source: { currency: "usdc", payment_rail: "solana", from_address: vault },
      destination: { currency: "usd", payment_rail: "ach", external_account_id: "bank1", ach_reference: "INV 7" },
    });
    expect(granted(await partner.createTransfer(request)).ref).toBe(made.ref);
    expect(bridge.transfers.size).toBe(1);
  });

  it("may be sent from any address where that is configured", async () => {
    partner = make({ allowsAnySender: true, developerFeePercent: "0.1" });
    await partner.createTransfer(payOut(await approved()));
    expect(bridge.seen.at(-1)?.body).toMatchObject({
      features: { allow_any_from_address: true },
      developer_fee_percent: "0.1",
      source: { currency: "usdc", payment_rail: "solana" },
    });
    expect(JSON.stringify(bridge.seen.at(-1)?.body)).not.toContain(vault);
  });

  it("from a bank names what the payer has to write", async () => {
    const customer = await approved();
    const request = payOut(customer, { from: { kind: "bank", currency: "usd", rail: "wire" }, to: onChain });
    bridge.forms.withoutRequired = true;
    const made = granted(await partner.createTransfer(request));
    expect(made.instructions?.deposit_message).toMatch(/^BRG/);
    expect(made).toMatchObject({ from: { kind: "bank", currency: "usd", rail: "wire" }, to: onChain });
  });

  it("whose outcome was lost is found again by our own name for it", async () => {
    const customer = await approved();
    for (let i = 0; i < 105; i += 1) await partner.createTransfer(payOut(customer));
    const request = payOut(customer);
    bridge.fail("POST /v0/transfers", "hang_after");
    await lose((signal) => partner.createTransfer({ ...request, signal }));
    for (let i = 0; i < 105; i += 1) await partner.createTransfer(payOut(customer));
    const about = { customer, clientReference: request.clientReference, since: Date.now() - 60_000 };
    const found = granted(await partner.findTransfer(about, never));
    expect(found?.clientReference).toBe(request.clientReference);
    expect(granted(await partner.findTransfer({ ...about, clientReference: "another" }, never))).toBeNull();
    // Somebody else's that has the same name is not it.
    await partner.startVerification({ ...attempt(), ...person("bob@example.org") });
    const other = ref(bridge.decide("bob@example.org", "approved").id);
    expect(granted(await partner.findTransfer({ ...about, customer: other }, never))).toBeNull();
  });

  it("whose outcome was lost is found however many transfers others make meanwhile", async () => {
    const customer = await approved();
    const request = payOut(customer);
    bridge.fail("POST /v0/transfers", "hang_after");
    await lose((signal) => partner.createTransfer({ ...request, signal }));
    const [row] = [...bridge.transfers.values()].slice(-1);
    for (let i = 0; i < 5_200; i += 1) {
      bridge.transfers.set(`busy-${i}`, { ...row, id: `busy-${i}`, on_behalf_of: "busy", client_reference_id: `${i}` });
    }
    const about = { customer, clientReference: request.clientReference, since: Date.now() - 60_000 };
    expect(granted(await partner.findTransfer(about, never))?.clientReference).toBe(request.clientReference);
  });

  it("is not reported as canceled when its money arrived during the cancellation", async () => {
    const { ref: id } = granted(await partner.createTransfer(payOut(await approved())));
    bridge.answerNextWith("DELETE /v0/transfers", {});
    bridge.answerNextWith("GET /v0/transfers", { state: "funds_received" });
    expect(await partner.cancelTransfer({ ...attempt(), ref: id })).toMatchObject({
      ok: false,
      refused: { reason: "wrong_state" },
    });
  });

  it("with a text that no database stores hides none of the others", async () => {
    const customer = await approved();
    const begun = granted(await partner.changesSince(null, never)).cursor;
    const made = [];
    for (let i = 0; i < 3; i += 1) made.push(granted(await partner.createTransfer(payOut(customer))).ref);
    const [first = "", second = "", third = ""] = made;
    bridge.moveTransfer(first, "in\u0000review");
    bridge.moveTransfer(second, "returned", { return_details: { reason: "half a \ud83d" } });
    const { hints } = granted(await partner.changesSince(begun, never));
    expect(new Set(hints.map((hint) => hint.ref))).toEqual(new Set([first, second, third]));
    expect(hints.some(({ eventId }) => eventId.includes("\u0000") || /\p{Surrogate}/u.test(eventId))).toBe(false);
    expect(granted(await partner.readTransfer(ref(second), never)).returned).toEqual({ reason: "returned" });
  });

  it.each([
    ["funds_received", "funds_received"],
    ["missing_return_policy", "error"],
    ["refund_in_flight", "returned"],
    ["refund_failed", "error"],
    ["vanished", "in_review"],
  ])("that is %s is %s", async (word, state) => {
    const { ref: id } = granted(await partner.createTransfer(payOut(await approved())));
    bridge.moveTransfer(id, word, { return_details: { reason: "account closed" } });
    expect(granted(await partner.readTransfer(id, never))).toMatchObject({
      state,
      returned: { reason: "account closed" },
    });
    expect(reported.some(({ message }) => message.includes("does not know"))).toBe(word === "vanished");
  });

  it("is canceled while it waits, again without harm, and not later", async () => {
    const customer = await approved();
    const { ref: id } = granted(await partner.createTransfer(payOut(customer)));
    for (let time = 0; time < 2; time += 1) {
      expect(granted(await partner.cancelTransfer({ ...attempt(), ref: id })).state).toBe("canceled");
    }
    const { ref: other } = granted(await partner.createTransfer(payOut(customer)));
    bridge.moveTransfer(other, "funds_received");
    expect(await partner.cancelTransfer({ ...attempt(), ref: other })).toMatchObject({
      ok: false,
      refused: { reason: "wrong_state" },
    });
  });

  it("is refused for its amount, by compliance, and for a reference that cannot be printed", async () => {
    const customer = await approved();
    const refusalOf = async (change: object) => {
      const answer = await partner.createTransfer(payOut(customer, change));
      return answer.ok ? undefined : answer.refused;
    };
    expect(await refusalOf({ amount: "0.50" })).toMatchObject({ reason: "amount_out_of_range", field: "amount" });
    expect(await refusalOf({ amount: "666.66" })).toMatchObject({ reason: "refused_by_compliance" });
    const asked = bridge.seen.length;
    expect(await refusalOf({ to: { ...bankLeg(ref("b")), reference: "longer than ten" } })).toMatchObject({
      reason: "invalid_details",
      field: "ach_reference",
    });
    expect(await refusalOf({ to: onChain })).toMatchObject({ reason: "unsupported_pair" });
    expect(bridge.seen).toHaveLength(asked);
  });

  it("that is another one than was asked for is not paid", async () => {
    const customer = await approved();
    const differences: readonly object[] = [
      { amount: "25.51" },
      { on_behalf_of: "somebody" },
      { client_reference_id: "another" },
      { destination: { payment_rail: "ach", currency: "usd", external_account_id: "another" } },
      { source_deposit_instructions: { payment_rail: "solana", currency: "usdt", to_address: "x" } },
      { source_deposit_instructions: { payment_rail: "base", currency: "usdc", to_address: "x" } },
      { source_deposit_instructions: { payment_rail: "solana", currency: "usdc", amount: "30.00", to_address: "x" } },
      { source_deposit_instructions: null },
    ];
    for (const difference of differences) {
      bridge.answerNextWith("POST /v0/transfers", difference);
      await expect(partner.createTransfer(payOut(customer))).rejects.toThrow(/the transfer that was made/);
    }
  });
});

describe("what has changed", () => {
  it("is reported from the partner's histories, with an overlap, and nothing twice under two names", async () => {
    const customer = await approved();
    const account = granted(
      await partner.openVirtualAccount({ ...attempt(), customer, from: "usd", to: "usdc", address: vault }),
    ).ref;
    const start = granted(await partner.changesSince(null, never));
    expect(start.hints).toEqual([]);
    bridge.addActivity(account, "funds_received", { deposit_id: "old", created_at: "2020-01-01T00:00:00Z" });
    const activity = bridge.addActivity(account, "funds_received", { deposit_id: "d1" });
    const transfer = granted(
      await partner.createTransfer({
        ...attempt(),
        customer,
        clientReference: "r",
        amount: "5.00",
        from: { kind: "bank", currency: "usd", rail: "wire" },
        to: { kind: "solana", coin: "usdc", address: vault },
      }),
    );
    const first = granted(await partner.changesSince(start.cursor, never));
    expect(first.hints.map(({ kind, ref: about }) => [kind, about])).toEqual([
      ["transfer", transfer.ref],
      ["deposit", account],
    ]);
    expect(first.hints[1]?.eventId).toBe(`activity/${activity.id}`);
    const second = granted(await partner.changesSince(first.cursor, never));
    expect(second.hints.map(({ eventId }) => eventId)).toEqual(first.hints.map(({ eventId }) => eventId));
    bridge.moveTransfer(transfer.ref, "funds_received");
    const third = granted(await partner.changesSince(second.cursor, never));
    expect(third.hints[0]?.eventId).not.toBe(first.hints[0]?.eventId);
  });

  const account = ref("an account");
  const minute = 60_000;
  /** What follows is asked for from a few minutes on, so that all of it is news. */
  const beginEarlier = () => {
    const start = { since: Date.now() - minute };
    return JSON.stringify({ transfers: start, activities: start });
  };
  const depositsOf = (value: { readonly hints: readonly { readonly eventId: string; readonly kind: string }[] }) =>
    value.hints.filter(({ kind }) => kind === "deposit").map(({ eventId }) => eventId);

  it.each<Fault>(["403", "500", "hang"])("in one history is reported although the other fails (%s)", async (fault) => {
    const activity = bridge.addActivity(account, "funds_received", { deposit_id: "d1" });
    for (const [failing, reported] of [
      ["GET /v0/transfers", true],
      ["GET /v0/virtual_accounts", false],
    ] as const) {
      bridge.fail(failing, fault);
      const impatient = make({}, fakeBridgeKey, fault === "hang" ? 300 : 60_000);
      const begun = beginEarlier();
      const answer = granted(await impatient.changesSince(begun, never));
      expect(depositsOf(answer)).toEqual(reported ? [`activity/${activity.id}`] : []);
      // What failed is asked for from where it was.
      const failed = reported ? "transfers" : "activities";
      expect(JSON.parse(answer.cursor)[failed]).toEqual(JSON.parse(begun)[failed]);
      expect(depositsOf(granted(await partner.changesSince(answer.cursor, never)))).toHaveLength(1);
    }
    bridge.fail("GET /v0/transfers", fault === "hang" ? "500" : fault);
    bridge.fail("GET /v0/virtual_accounts", fault === "hang" ? "500" : fault);
    bridge.fail("GET /v0/liquidation_addresses", fault === "hang" ? "500" : fault);
    const none = partner.changesSince(beginEarlier(), never);
    if (fault === "403") expect(await none).toMatchObject({ ok: false });
    else await expect(none).rejects.toThrow(PartnerUnavailable);
  });

  it("and exceeds one call is reported by the next ones, and so are changes made meanwhile", async () => {
    const all = Array.from({ length: 2_450 }, (_, nr) => {
      const activity = bridge.addActivity(account, "funds_received", { deposit_id: `d${nr}` });
      return `activity/${activity.id}`;
    });
    const found = new Set<string>();
    let cursor = beginEarlier();
    for (let call = 0; call < 4; call += 1) {
      // A page in the middle of it that does not come takes nothing away.
      if (call === 1) bridge.fail("GET /v0/virtual_accounts", "500");
      const answer = await partner.changesSince(cursor, never);
      if (!answer.ok) throw new Error("refused");
      for (const eventId of depositsOf(answer.value)) found.add(eventId);
      cursor = answer.value.cursor;
      if (call === 0) all.push(`activity/${bridge.addActivity(account, "funds_received", { deposit_id: "late" }).id}`);
    }
    expect(found.size).toBe(all.length - 1);
    for (const eventId of depositsOf(granted(await partner.changesSince(cursor, never)))) found.add(eventId);
    expect([...found].sort()).toEqual(all.sort());
  });
});

describe("a partner that misbehaves", () => {
  const faults: readonly Fault[] = [
    "html",
    "hang",
    "hang_after",
    "half",
    "half_after",
    "giant",
    "redirect",
    "500",
    "500_after",
    "429",
    "503_until",
    "401",
    "close",
    "empty_object_after",
  ];

  it.each(faults)("(%s) leaves the outcome open, and the same key finds it, once", async (fault) => {
    const request = { ...attempt(), ...person() };
    bridge.fail("POST /v0/kyc_links", fault);
    if (fault.startsWith("hang")) await lose((signal) => partner.startVerification({ ...request, signal }));
    else await expect(partner.startVerification(request)).rejects.toThrow(PartnerUnavailable);
    const started = granted(await partner.startVerification(request));
    expect(started.status).toBe("not_started");
    expect(bridge.links.size).toBe(1);
    expect(bridge.redirectsFollowed()).toBe(0);
  });

  it("says how long it wants to be left alone", async () => {
    bridge.fail("GET /v0/kyc_links", "429", "503_until");
    await expect(partner.readVerification(ref("x"), never)).rejects.toMatchObject({ retryAfterMs: 7_000 });
    const until = await partner.readVerification(ref("x"), never).catch((error: PartnerUnavailable) => error);
    expect((until as PartnerUnavailable).retryAfterMs).toBeGreaterThan(60_000);
  });

  it("is not waited for longer than a call may take", async () => {
    bridge.fail("GET /v0/kyc_links", "hang");
    await expect(make({}, fakeBridgeKey, 50).readVerification(ref("x"), never)).rejects.toThrow("no answer in time");
  });

  it("has forgotten a key after a day, and takes no other body under one: both leave the outcome open", async () => {
    const request = { ...attempt(), ...person() };
    await partner.startVerification(request);
    await expect(partner.startVerification({ ...request, fullName: "Somebody Else" })).rejects.toThrow("spent");
    bridge.passTime(86_400_001);
    await expect(partner.startVerification(request)).rejects.toThrow("spent");
    // A new key finds what there is.
    expect(granted(await partner.startVerification({ ...request, ...attempt() })).status).toBe("not_started");
    expect(bridge.links.size).toBe(1);
  });

  it("that refuses the key of the API ends no user's request, and is reported to the operator without the key", async () => {
    const stranger = make({}, "sk-test-wrong");
    await expect(stranger.startVerification({ ...attempt(), ...person() })).rejects.toThrow(PartnerUnavailable);
    expect(reported.some(({ level, message }) => level === "error" && message.includes("API key"))).toBe(true);
    expect(JSON.stringify(reported)).not.toContain("sk-test-wrong");
  });

  it("gets ids as they are, and never as a path of its own", async () => {
    await partner.readTransfer(ref("../../customers?x=#"), never);
    expect(bridge.seen.at(-1)?.path).toBe("/v0/transfers/..%2F..%2Fcustomers%3Fx%3D%23");
  });
});

const choices: BridgeChoices = {
  pairs: [
    { currency: "usd", coins: ["usdc"] },
    { currency: "eur", coins: ["usdc", "eurc"] },
    { currency: "gbp", coins: ["usdc"] },
    { currency: "mxn", coins: ["usdc"] },
    { currency: "brl", coins: ["usdc"] },
  ],
  developerFeePercent: null,
  travelRule: null,
  allowsAnySender: false,
};

const never = new AbortController().signal;

const granted = <T>(answer: PartnerAnswer<T>): T => {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer.refused)}`);
  return answer.value;
};
const attempt = () => ({ idempotencyKey: randomUUID(), signal: never });

const log: Log = Object.fromEntries(
  ["debug", "info", "warn", "error"].map((level) => [
    level,
    (fields: object, message: string) => reported.push({ level, fields, message }),
  ]),
) as unknown as Log;

const make = (change: Partial<BridgeChoices> = {}, apiKey = fakeBridgeKey, totalMs = 60_000) =>
  createBridgePartner({
    ask: createBridgeHttp({ baseUrl: bridge.baseUrl, apiKey, log, totalMs, answerBytes: 1_000_000 }),
    log,
    realClock: { now: () => Date.now() },
    choices: { ...choices, ...change },
    webhookKeys: [],
  });

/** A call whose answer never comes: whoever waited gives up once the partner has heard it. */
async function lose(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const abort = new AbortController();
  const heard = bridge.seen.length;
  const waiting = call(abort.signal);
  while (bridge.seen.length === heard) await new Promise((resolve) => setTimeout(resolve, 5));
  abort.abort();
  await expect(waiting).rejects.toThrow(PartnerUnavailable);
}

const person = (email = "ada@example.org") => ({
  owner: "tenant",
  type: "individual" as const,
  email,
  fullName: "Ada Lovelace",
  endorsements: ["ach", "wire", "sepa"],
});

async function approved(endorsements: Record<string, string> = { base: "approved" }) {
  await partner.startVerification({ ...attempt(), ...person() });
  return ref(bridge.decide("ada@example.org", "approved", { endorsements }).id);
}
