import { addressOfKey } from "@trellis/sdk";
import { makeKey } from "../../adversarial/support.js";
import { newBankOrder } from "./bank-scene.js";
import { askForOrder, askOfOrder, newLimit, onAccount, scene } from "./scene.js";
import type { Rows } from "./world.js";

export const rowsOfOrders: Rows = {
  createStandingOrder: {
    "at once": () => askForOrder(scene.keys),
    "by a vote": () => askForOrder([scene.keys[0]]),
    "to a bank account": async () => {
      await askForOrder(scene.keys);
      const { body, effects } = await newBankOrder();
      return { ...onAccount("/standing-order-intent", body), effects };
    },
  },
  cancelStandingOrder: {
    "at once": () => askOfOrder({ status: "active", mandate: "active" }, "", scene.keys, "DELETE"),
    "by a vote": () => askOfOrder({ status: "active", mandate: "active" }, "", [scene.keys[0]], "DELETE"),
  },
  resumeStandingOrder: {
    "as it was": () => askOfOrder({ status: "inactive", mandate: "active" }, "/resume", scene.keys, "POST"),
    "with a new limit, by a vote": () => {
      const without = { status: "inactive", mandate: "revoked", spending_limit_address: makeKey().address };
      return askOfOrder(without, "/resume", [scene.keys[0]], "POST");
    },
  },
  createSpendingLimit: {
    single: () => onAccount("/spending-limit", newLimit()),
  },
  updateSpendingLimit: {
    single: () =>
      onAccount(
        `/spending-limit/${scene.limit}`,
        { amount: 7_000_000, transaction_signers: scene.keys.map((key) => addressOfKey(key)) },
        "PATCH",
      ),
  },
  prepareLimitPayment: {
    single: () =>
      onAccount(`/spending-limit/${scene.limit}/transactions`, {
        amount: "1000000",
        signer_address: addressOfKey(scene.keys[0]),
        recipient_address: makeKey().address,
      }),
  },
  deleteSpendingLimit: {
    single: () =>
      onAccount(
        `/spending-limit/${scene.limit}`,
        { transaction_signers: scene.keys.map((key) => addressOfKey(key)) },
        "DELETE",
      ),
  },
};
