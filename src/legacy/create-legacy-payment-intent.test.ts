import { describe, expect, it } from "vitest";
import { legacyPayee, useLegacyPayer, wantedOf } from "../../test/support/legacy-payments.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { getPaymentIntent } from "../payments/get-payment-intent.js";
import type { PaymentIntent } from "../payments/payment-intent.js";

const test = useTestNetwork();
const { holder: ada, create, confirm, read, signed, held } = useLegacyPayer(test, "ada@example.org");

describe("201", () => {
  it("is shown as the provider's object, before it is confirmed and after", async () => {
    const before = await held();
    const { intent_payload, mpc_payload, ...created } = await create();
    const { id, created_at } = created.PaymentProvider;
    const account = ada.address;
    expect(created).toEqual({
      PaymentProvider: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        amount: "1000000",
        blockchain_memo: null,
        client_reference_id: null,
        created_at,
        currency: "sol",
        destination: {
          ach_reference: null,
          blockchain_memo: null,
          bridge_wallet_id: null,
          currency: "sol",
          external_account_id: null,
          from_address: account,
          imad: null,
          omad: null,
          payment_rail: "solana",
          sepa_reference: null,
          swift_charges: null,
          swift_reference: null,
          to_address: legacyPayee,
          trace_number: null,
          uetr: null,
          wire_message: null,
        },
        developer_fee: "0",
        on_behalf_of: ada.verified.grid_user_id,
        receipt: {
          destination_tx_hash: null,
          developer_fee: "0",
          exchange_fee: "0",
          exchange_rate: null,
          final_amount: null,
          gas_fee: "0",
          initial_amount: "1000000",
          remaining_prefunded_balance: null,
          source_tx_hash: null,
          subtotal_amount: "1000000",
          url: null,
        },
        return_details: null,
        source: {
          bank_beneficiary_address: null,
          bank_beneficiary_name: null,
          bank_name: null,
          bank_routing_number: null,
          bridge_wallet_id: null,
          currency: "sol",
          description: null,
          external_account_id: null,
          from_address: account,
          imad: null,
          omad: null,
          payment_rail: "solana",
        },
        source_deposit_instructions: null,
        state: "awaiting_funds",
        updated_at: created_at,
      },
    });
    expect(await read(id)).toEqual(created);
    const confirmed = await confirm(id, signed({ ...created, intent_payload, mpc_payload }));
    const { PaymentProvider: paid } = confirmed;
    expect(paid).toEqual({
      ...created.PaymentProvider,
      state: "payment_processed",
      updated_at: paid.updated_at,
      receipt: {
        ...created.PaymentProvider.receipt,
        final_amount: "1000000",
        source_tx_hash: paid.receipt.destination_tx_hash,
        destination_tx_hash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/),
      },
    });
    expect(await held()).toBe(before + 1_000_000n);
    expect(await read(id)).toEqual(confirmed);
    const present = await test.call<PaymentIntent>(getPaymentIntent, { params: { address: account, id } });
    expect(present).toMatchObject({
      state: "payment_processed",
      transaction_signature: paid.receipt.destination_tx_hash ?? "",
    });
  });

  it("is asked for in the words of either interface", async () => {
    const { address } = ada.verified;
    const bodies = [
      wantedOf({ source: { account: address, currency: "sol" } }),
      wantedOf({ source: { from_address: address, currency: "sol", payment_rail: "solana" } }),
      wantedOf({ destination: { to_address: legacyPayee, currency: "sol", payment_rail: "solana" } }),
      wantedOf({
        destination: { to_address: legacyPayee, address: legacyPayee },
        grid_user_id: "x",
        webhook_url: "http://127.0.0.1:9/",
      }),
    ];
    for (const body of bodies) {
      expect((await create(body)).PaymentProvider.destination.to_address).toBe(legacyPayee);
    }
  });
});

describe("400", () => {
  it("refuses what a payment cannot be", async () => {
    const { address } = ada.verified;
    const refused: [object, string][] = [
      [wantedOf({ amount: "1.5" }), "invalid_amount"],
      [wantedOf({ webhook_url: "x" }), "invalid_webhook_url"],
      [wantedOf({ source: { account: legacyPayee, currency: "sol" } }), "invalid_request"],
      [wantedOf({ destination: { address: legacyPayee, to_address: address } }), "invalid_request"],
      [wantedOf({ destination: { payment_rail: "ach", currency: "usd" } }), "rail_not_available"],
      [wantedOf({ source: { payment_rail: "ach", currency: "sol" } }), "rail_not_available"],
      [wantedOf({ destination: { address: legacyPayee, currency: "usdc" } }), "unsupported_currency"],
    ];
    for (const [body, code] of refused) expect((await errorOf(create(body))).code).toBe(code);
  });

  it("refuses two of a custodian's signers, and one of another custodian: its answer has room for one of kms_a", async () => {
    const count = async () => (await test.needs.db.selectFrom("payment_intent").select("id").execute()).length;
    const before = await count();
    const [primary, backup] = ada.verified.policies.signers.map(({ address }) => address);
    for (const transaction_signers of [[primary, backup], [backup]]) {
      expect((await errorOf(create(wantedOf({ transaction_signers })))).code).toBe("provider_not_available");
    }
    expect(await count()).toBe(before);
  });
});

describe("404", () => {
  it("is the answer for an account that there is not", async () => {
    await expect(create(wantedOf(), legacyPayee)).rejects.toMatchObject({ status: 404, code: "account_not_found" });
  });
});
