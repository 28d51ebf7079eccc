import type { Address } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { addressOfKey, signLegacyPaymentIntent } from "@trellis/sdk";
import { makeKey } from "../../adversarial/support.js";
import { actionsOf } from "../../support/service-actions.js";
import { newBankPayment } from "./bank-scene.js";
import { findPayer, post, signPayments } from "./requests.js";
import { onAccount, scene } from "./scene.js";
import { client, networks, type Rows, test } from "./world.js";

export const rowsOfPayments: Rows = {
  submitTransactions: {
    single: async () => {
      const { account, items, effects } = await signPayments(1);
      return post(`/accounts/${account}/submit`, items[0] ?? {}, { effects });
    },
    multiple: async () => {
      const { account, items, effects } = await signPayments(2);
      const body = {
        transactions: items.map(({ transaction }) => transaction),
        kms_payloads: items.map(({ kms_payloads }) => kms_payloads),
      };
      return post(`/accounts/${account}/submit`, body, { effects });
    },
  },
  prepareTransaction: {
    single: async () => {
      const source = { address: scene.account as Address } as never;
      const instruction = getTransferSolInstruction({ source, destination: makeKey().address, amount: 1_000_000n });
      const transaction = await actionsOf({ service: { networks } } as never).compose(scene.account as Address, [
        instruction,
      ]);
      return onAccount("/transactions", {
        transaction,
        transaction_signers: scene.keys.map((key) => addressOfKey(key)),
      });
    },
  },
  preparePayment: {
    "to a bank": async () => {
      const { body, effects } = await newBankPayment();
      return { ...onAccount("/payment-intent", body), effects };
    },
    single: () =>
      onAccount("/payment-intent", {
        amount: "1000000",
        source: { account: scene.account, currency: "sol" },
        destination: { address: makeKey().address, currency: "sol" },
        transaction_signers: scene.keys.map((key) => addressOfKey(key)),
      }),
  },
  createLegacyPaymentIntent: {
    "to a bank": async () => {
      const { body, effects } = await newBankPayment();
      return {
        ...post("", body, { effects }),
        path: `/api/v0/service/smart-accounts/${scene.account}/payment-intents`,
      };
    },
    single: () => ({
      ...post("", {
        amount: "1000000",
        source: { currency: "sol" },
        destination: { to_address: makeKey().address, payment_rail: "solana" },
        transaction_signers: scene.keys.map((key) => addressOfKey(key)),
      }),
      path: `/api/v0/service/smart-accounts/${scene.account}/payment-intents`,
    }),
  },
  confirmLegacyPaymentIntent: {
    single: async () => {
      const { account, session } = await findPayer();
      const payee = makeKey().address;
      const prepared = await client.legacy.createPaymentIntent(account, {
        amount: "10000000",
        source: { currency: "sol" },
        destination: { address: payee },
      });
      const expected = { from: account as Address, to: payee, mint: null, amount: 10_000_000n };
      const body = signLegacyPaymentIntent(prepared, expected, session, "sandbox");
      const effects = async () => Number((await test.network.rpc.getBalance(payee).send()).value) / 10_000_000;
      const path = `/api/v0/service/smart-accounts/${account}/payment-intents/${prepared.PaymentProvider.id}/confirm`;
      return { ...post("", body, { effects }), path };
    },
  },
};
