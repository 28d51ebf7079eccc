import { describe, expect, it } from "vitest";
import { assertPayloadMatches } from "./assert-payload.js";
import { encodeBase64, encodeUtf8 } from "./encoding.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

const document = {
  version: 1,
  method: "signTransaction",
  environment: "sandbox",
  account: "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y",
  wallet: "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8",
  params: { transaction: "AQID", encoding: "base64" },
  nonce: "n-1",
  expires_at: "2026-01-05T09:05:30.000Z",
};

it("accepts the payload of the prepared transaction", () => {
  expect(() => assertPayloadMatches(encode(document), expected)).not.toThrow();
});

it("takes production and mainnet for the same environment, either way round", () => {
  const production = { ...document, environment: "production" };
  expect(() => assertPayloadMatches(encode(production), { ...expected, environment: "mainnet" })).not.toThrow();
  const mainnet = { ...document, environment: "mainnet" };
  expect(() => assertPayloadMatches(encode(mainnet), { ...expected, environment: "production" })).not.toThrow();
});

it("checks the expiry when the time is given", () => {
  const expiresAtMs = Date.parse(document.expires_at);
  expect(() => assertPayloadMatches(encode(document), { ...expected, nowMs: expiresAtMs - 1 })).not.toThrow();
  expect(() => assertPayloadMatches(encode(document), { ...expected, nowMs: expiresAtMs })).toThrow(
    TransactionMismatchError,
  );
});

describe("refuses", () => {
  it.each([
    ["another transaction", { ...document, params: { ...document.params, transaction: "AQIE" } }],
    ["another encoding", { ...document, params: { ...document.params, encoding: "base58" } }],
    ["another environment", { ...document, environment: "mainnet" }],
    ["another account", { ...document, account: document.wallet }],
    ["another wallet", { ...document, wallet: document.account }],
    ["another method", { ...document, method: "exportKey" }],
    ["another version", { ...document, version: 2 }],
    ["a version as text", { ...document, version: "1" }],
    ["a member nobody asked for", { ...document, also: "this" }],
    ["a parameter nobody asked for", { ...document, params: { ...document.params, and: "that" } }],
    ["a missing nonce", { ...document, nonce: undefined }],
    ["an expiry that is no date", { ...document, expires_at: "soon" }],
    ["parameters that are a list", { ...document, params: ["AQID", "base64"] }],
    ["a list", [document]],
    ["null", null],
  ])("%s", (_name, value) => {
    expect(() => assertPayloadMatches(encode(value), expected)).toThrow(
      expect.objectContaining({ name: "TransactionMismatchError", difference: "payload" }),
    );
  });

  it("what is not base64 of JSON", () => {
    for (const payload of ["", "%%%", "AQID", JSON.stringify(document)]) {
      expect(() => assertPayloadMatches(payload, expected)).toThrow(TransactionMismatchError);
    }
  });
});

const expected = {
  transaction: "AQID",
  environment: "sandbox",
  account: document.account,
  wallet: document.wallet,
};

const encode = (value: unknown) => encodeBase64(encodeUtf8(JSON.stringify(value)));
