import { describe, expect, it } from "vitest";
import { isClabe, isRoutingNumber, parseIban, parseSortCode } from "./bank-numbers.js";

/** Every number that differs in one digit. */
const slips = (text: string) =>
  [...text].flatMap((sign, at) =>
    /[0-9]/.test(sign) ? [`${text.slice(0, at)}${(Number(sign) + 1) % 10}${text.slice(at + 1)}`] : [],
  );

describe("numbers of banks", () => {
  it("are taken where their check digits fit, and refused with any digit wrong", () => {
    const routing = "021000021";
    const clabe = "032180000118359719";
    const iban = "DE89370400440532013000";
    expect(isRoutingNumber(routing)).toBe(true);
    expect(isClabe(clabe)).toBe(true);
    expect(parseIban("gb82 west 1234 5698 7654 32")).toBe("GB82WEST12345698765432");
    expect(parseIban(iban)).toBe(iban);
    expect(slips(routing).filter(isRoutingNumber)).toEqual([]);
    expect(slips(clabe).filter(isClabe)).toEqual([]);
    expect(slips(iban).filter((text) => parseIban(text) !== undefined)).toEqual([]);
  });

  it("are refused where their form is wrong", () => {
    expect(isRoutingNumber("000000000")).toBe(false);
    expect(isRoutingNumber("02100002")).toBe(false);
    expect(parseIban("DE8937040044053201300")).toBeUndefined();
    expect(parseIban("ZZ89370400440532013000")).toBeUndefined();
    expect(isClabe("03218000011835971")).toBe(false);
    expect(parseSortCode("20-00-00")).toBe("200000");
    expect(parseSortCode("2000")).toBeUndefined();
  });
});
