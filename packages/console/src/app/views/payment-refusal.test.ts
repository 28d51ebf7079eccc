import type { ExplainedError, PaymentState } from "@trellis/react";
import { expect, it } from "vitest";
import { refusalOf } from "./payment-refusal.js";

const landlord = { currency: "usdc", destination: "EdMSarmk8UAaZjZSLFyrBd2XHjkqA4NwPjsvxcszYC9y", amount: 5n };
const error: ExplainedError = { code: "destination_unconfirmed", help: "", cause: new Error("refused") };
const refused: PaymentState = { status: "refused", error, request: landlord };

it("a refusal is of the payment that was refused, also once it was confirmed", () => {
  expect(refusalOf(refused, landlord)).toBe(error);
  expect(refusalOf({ ...refused, request: { ...landlord, confirmProgramAddress: true } }, landlord)).toBe(error);
});

it.each([
  { destination: "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU" },
  { amount: 6n },
  { currency: "sol" },
  { memo: "July" },
])("a refusal is not of another payment: %o", (other) => {
  expect(refusalOf(refused, { ...landlord, ...other })).toBeUndefined();
});

it("what was not refused has no refusal", () => {
  expect(refusalOf({ status: "idle" }, landlord)).toBeUndefined();
  expect(refusalOf({ status: "unknown", error, request: landlord }, landlord)).toBeUndefined();
});
