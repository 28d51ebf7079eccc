import { describe, expect, it } from "vitest";
import { isClabe, isIbanOf, isRoutingNumber, parseIban, parseSortCode } from "./bank-numbers.js";
import { type NewExternalAccount, parseDetails } from "./external-account.js";

describe("numbers of banks", () => {
  it("are accepted where their check digits fit, and refused with any digit wrong", () => {
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

  it("say which country they are of", () => {
    expect(isIbanOf("DE89370400440532013000", "DEU")).toBe(true);
    expect(isIbanOf("DE89370400440532013000", "FRA")).toBe(false);
    expect(isIbanOf("GB82WEST12345698765432", "GBR")).toBe(true);
    expect(isIbanOf("GB82WEST12345698765432", "JEY")).toBe(true);
    expect(isIbanOf("FR1420041010050500013M02606", "DEU")).toBe(false);
  });

  it("are refused where the country that is named beside an IBAN is another one", () => {
    const wanted = (country: string): NewExternalAccount => ({
      account_type: "iban",
      currency: "eur",
      account_owner_name: "Ada Lovelace",
      iban: { account_number: "DE89 3704 0044 0532 0130 00", country },
    });
    expect(parseDetails(wanted("deu")).details).toMatchObject({ iban: "DE89370400440532013000", country: "DEU" });
    expect(() => parseDetails(wanted("FRA"))).toThrow("another country than the IBAN's");
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

/** Every number that differs in one digit. */
const slips = (text: string) =>
  [...text].flatMap((sign, at) =>
    /[0-9]/.test(sign) ? [`${text.slice(0, at)}${(Number(sign) + 1) % 10}${text.slice(at + 1)}`] : [],
  );
