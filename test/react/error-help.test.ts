import { readFileSync } from "node:fs";
import { errorCatalogue } from "@trellis/kernel/errors.js";
import { explainError } from "@trellis/react";
import { addressOfKey, createTrellisClient, TrellisApiError } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { errorHelp } from "../../packages/docs-site/error-help.js";

describe("the explanation of errors for people", () => {
  it("is about codes that there are", () => {
    const text = readFileSync(new URL("../../packages/react/src/explain-error.ts", import.meta.url), "utf8");
    const [, table = ""] = /const helpByCode[^{]*{([^}]*)}/s.exec(text) ?? [];
    const codes = [...table.matchAll(/^ {2}([a-z_]+): "/gm)].map(([, code = ""]) => code);
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => !(code in errorHelp))).toEqual([]);
  });

  it("is a sentence for every code, never the service's message for developers", () => {
    const message = "x-for-developers must be a SPKI DER.";
    for (const [code, [status]] of Object.entries(errorCatalogue)) {
      const error = new TrellisApiError({
        status,
        code,
        message,
        details: [],
        requestId: undefined,
        retryAfterSeconds: 3,
      });
      const explained = explainError(error);
      expect(explained).toMatchObject({ code, retryAfterSeconds: 3, cause: error });
      expect(explained.help, code).toMatch(/^[A-Z][^_`{}]{10,}[.]$/);
      expect(explained.help, code).not.toBe(message);
    }
    const later = new TrellisApiError({
      ...{ status: 409, code: "of_tomorrow", message, details: [], requestId: undefined, retryAfterSeconds: undefined },
    });
    expect(explainError(later).help).toBe("Something has changed in the meantime. Check it, then try again.");
  });

  it("is about the wallet, where it has changed what it was given to sign", () => {
    const message = "The wallet has changed what it was given.";
    const refused = (more: object) =>
      new TrellisApiError({
        ...{ status: 400, code: "transaction_not_prepared", message, requestId: undefined },
        details: [{ code: "transaction_not_prepared", message, ...more }],
      });
    const alterations = [
      { what: "instructions_added", program: "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95", count: 2 },
    ];
    expect(explainError(refused({ alterations })).help).toMatch(/^Your wallet added something .* nothing was paid\./);
    expect(explainError(refused({})).help).not.toMatch(/wallet/);
  });

  it("is about what was entered, where the library itself refuses it", async () => {
    const fetch = () => Promise.reject(new Error("nothing is asked"));
    const client = createTrellisClient({ baseUrl: "http://127.0.0.1", apiKey: "k", environment: "sandbox", fetch });
    const payee = addressOfKey(new Uint8Array(32).fill(3));
    const send = async (uiAmount: string, destination: string = payee, currency = "usdc") => {
      const holder = { account: payee, keys: [new Uint8Array(32).fill(3)] };
      const refused = await client.transfers
        .send({ ...holder, currency, destination, uiAmount })
        .catch((error) => error);
      expect(refused).toBeInstanceOf(TypeError);
      const { code, help } = explainError(refused);
      return [code, help];
    };
    const comma = "Write the amount with a point and without other separators, such as 12.50 in place of 12,50.";
    expect(await send("12,50")).toEqual(["invalid_amount", comma]);
    expect(await send("1.000,50")).toEqual(["invalid_amount", comma]);
    const exact = "This amount has more decimal places than the currency. Round it.";
    expect(await send("1.1234567")).toEqual(["invalid_amount", exact]);
    for (const text of ["", "-1", "abc", "1e3", "١٢"]) {
      expect(await send(text)).toEqual([
        "invalid_amount",
        "This amount cannot be paid. Enter a number, such as 12.50.",
      ]);
    }
    expect(await send("1", "hello")).toEqual([
      "invalid_address",
      "This is not an address on Solana. Copy the whole address from the person you want to pay.",
    ]);
    expect(await send("1", payee, "doubloon")).toEqual(["unsupported_currency", "This currency cannot be paid here."]);
  });

  it("says of anything else that it was not expected, and keeps it as the cause", () => {
    const error = new TypeError("undefined is not a function");
    const help = "Something unexpected happened. Try again. If it happens again, contact support.";
    expect(explainError(error)).toEqual({ code: "unexpected", help, cause: error });
    expect(explainError("what")).toMatchObject({ code: "unexpected", help });
  });
});
