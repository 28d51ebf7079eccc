import { addressOfKey, createTrellisClient, TransactionMismatchError } from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { may, newKey, proposalsOf } from "../proposals/support.js";
import { usAccount } from "../rails/transfers-support.js";
import { use, useTestService } from "../support/scene.js";

const memo = "customer 4711 – ß";
const owner = newKey();
const ownAddress = addressOfKey(owner);
let holder: { readonly account: string; readonly keys: readonly Uint8Array[] };
const trellis = useTestService();
const account = use(() => proposalsOf(trellis).open({ signers: [may(owner)], threshold: 1 }, 10_000_000_000n));
beforeAll(async () => {
  holder = { account: account.address, keys: [owner] };
  await trellis.client.sandbox.airdrop({ address: account.address, currency: "usdc", amount: "100000000" });
});

describe("the memo of a payment", () => {
  it.each([
    [{ memo }, {}],
    [{ reference: memo }, {}],
    [{}, { memo }],
    [{}, { reference: memo }],
  ])("is in the transaction and its summary, and stays with the intent: %j %j", async (beside, within) => {
    const { status, body } = await pay(beside, within);
    expect(status).toBe(201);
    expect(body.data?.summary.map(({ type, text }) => text ?? type)).toEqual([memo, "transfer"]);
    expect(body.data?.destination.memo).toBe(memo);
  });

  it("reaches the payee by the client, in SOL and in tokens, and by v0", async () => {
    const { transfers, paymentIntents, legacy } = trellis.client;
    for (const currency of ["sol", "usdc"]) {
      const to = payee();
      const sent = await transfers.send({ ...holder, currency, amount: 1_000_000n, destination: to, memo });
      expect((await paymentIntents.get(account.address, sent.id)).destination.memo).toBe(memo);
      const bytes = new TextEncoder().encode(memo).length;
      if (currency === "sol") expect(await memosAt(to)).toEqual([`[${bytes}] ${memo}`]);
    }
    const prepared = await legacy.createPaymentIntent(account.address, {
      amount: "1000000",
      source: { currency: "sol" },
      destination: { address: payee() },
      memo,
    });
    expect(prepared.PaymentProvider.destination.blockchain_memo).toBe(memo);
  });

  it("is voted on with the transfer, and executed in front of it", async () => {
    const { proposals } = trellis.client;
    for (const currency of ["sol", "usdc"]) {
      const content = { type: "transfer", currency, amount: 1_000_000n, destination: payee(), memo } as const;
      const { proposalAddress: proposal } = await proposals.create({ ...holder, content });
      const view = await proposals.get(account.address, proposal);
      expect(view.summary.filter(({ type }) => type === "memo")).toMatchObject([{ text: memo }]);
      const { memo: _, ...without } = content;
      await expect(proposals.vote({ ...holder, proposal, action: "approve", content: without })).rejects.toThrow(
        TransactionMismatchError,
      );
      await proposals.voteAndExecute({ ...holder, proposal, content });
    }
  });

  it("is refused by the client where the service left it out, changed it, or made one up", async () => {
    const [asked, answered] = [{ memo: "customer 1" }, { memo: "customer 2" }];
    for (const [ask, say] of [
      [asked, answered],
      [asked, {}],
      [{}, answered],
    ] as const) {
      const liar = createTrellisClient({
        baseUrl: trellis.url,
        apiKey: trellis.apiKey,
        environment: "sandbox",
        fetch: (input, init) => {
          if (!String(input).endsWith("/payment-intent")) return fetch(input, init ?? {});
          const { memo: _, ...body } = JSON.parse(String(init?.body));
          return fetch(input, { ...init, body: JSON.stringify({ ...body, ...say }) });
        },
      });
      const sending = liar.transfers.send({
        ...holder,
        currency: "sol",
        amount: 1_000_000n,
        destination: ownAddress,
        ...ask,
      });
      await expect(sending).rejects.toMatchObject({ difference: "memo" });
    }
  });
});

describe("a memo that cannot be carried", () => {
  it("is refused with the place where it belongs, where a bank is at either end", async () => {
    const { kyc, sandbox, externalAccounts } = trellis.client;
    const { id } = await kyc.start(account.address, {
      type: "individual",
      email: "memo@example.org",
      full_name: "Ada Lovelace",
    });
    await sandbox.setKyc(id, { status: "approved" });
    const { id: external_account_id } = await externalAccounts.add(account.address, usAccount as never);
    const toBank = (more: object, within: object = {}) =>
      post(`/service/v1/accounts/${account.address}/payment-intent`, {
        amount: "5000000",
        source: { account: account.address, currency: "usdc" },
        destination: { payment_rail: "ach_push", currency: "usd", external_account_id, ...within },
        ...more,
      });
    const misplaced = await toBank({ reference: "invoice 4711" });
    expect(unknownField(misplaced)).toBe("400 field_unknown reference");
    expect(misplaced.body.details?.[0]?.suggestion).toBe("destination.reference");
    expect(unknownField(await toBank({ memo }))).toBe("400 field_unknown memo");
    expect(unknownField(await toBank({}, { memo }))).toBe("400 field_unknown destination.memo");
    expect(unknownField(await toBank({}, { ach_reference: "a" }))).toBe("400 field_unknown destination.ach_reference");
    expect((await toBank({}, { reference: "INV 4711" })).status).toBe(201);
    const fromBank = await post(`/service/v1/accounts/${account.address}/payment-intent`, {
      amount: "5.00",
      source: { payment_rail: "ach_push", currency: "usd" },
      destination: { address: account.address, currency: "usdc", reference: "invoice 4711" },
    });
    expect(unknownField(fromBank)).toBe("400 field_unknown destination.reference");
  });

  it("is refused by standing orders, payments out of limits, and beside transactions of one's own", async () => {
    const at = (path: string, body: object) => post(`/service/v1/accounts/${account.address}/${path}`, body);
    const order = { amount: "1", frequency: "monthly", source: { currency: "sol" } };
    const destination = { address: payee() };
    expect(unknownField(await at("standing-order-intent", { ...order, destination, memo }))).toBe(
      "400 field_unknown memo",
    );
    expect(
      unknownField(
        await at("standing-order-intent", { ...order, destination: { ...destination, details: { reference: memo } } }),
      ),
    ).toBe("400 field_unknown destination.details.reference");
    const limit = { amount: "1", signer_address: ownAddress, recipient_address: payee(), memo };
    expect(unknownField(await at(`spending-limit/${payee()}/transactions`, limit))).toBe("400 field_unknown memo");
    expect(unknownField(await at("transactions", { transaction: "AAAA", memo }))).toBe("400 field_unknown memo");
    const settings = { type: "settings", signer: ownAddress, actions: [{ type: "ChangeThreshold", newThreshold: 1 }] };
    expect(unknownField(await at("proposals", { ...settings, memo }))).toBe("400 field_unknown memo");
  });
});

interface Answer {
  readonly status: number;
  readonly body: {
    readonly data?: {
      readonly summary: readonly { readonly type: string; readonly text?: string }[];
      readonly destination: { readonly memo?: string };
    };
    readonly details?: readonly { readonly code: string; readonly field?: string; readonly suggestion?: string }[];
  };
}

const payee = () => addressOfKey(newKey());

async function post(path: string, body: object): Promise<Answer> {
  const response = await fetch(`${trellis.url}/api${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${trellis.apiKey}`,
      "content-type": "application/json",
      "x-service-environment": "sandbox",
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

const pay = (more: object, destination: object = {}) =>
  post(`/service/v1/accounts/${account.address}/payment-intent`, {
    amount: "1000000",
    source: { account: account.address, currency: "sol" },
    destination: { address: payee(), currency: "sol", ...destination },
    ...more,
  });

const unknownField = ({ status, body }: Answer) => `${status} ${body.details?.[0]?.code} ${body.details?.[0]?.field}`;

/** What a node shows with a transaction. */
async function memosAt(address: string): Promise<readonly (string | null)[]> {
  const response = await fetch(`${trellis.url}/api/service/v1/sandbox/rpc?api-key=${trellis.apiKey}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getSignaturesForAddress", params: [address] }),
  });
  const { result } = (await response.json()) as { result: readonly { memo: string | null }[] };
  return result.map((one) => one.memo);
}
