import { describe, expect, it } from "vitest";
import { parseCustodianConfig } from "./custodian.js";

const base = { TRELLIS_CUSTODIAN_NAME: "kms_c", TRELLIS_CUSTODIAN_PAGE_ORIGIN: "https://guardian.example.com" };
const withApps = (text: string) => parseCustodianConfig({ ...base, TRELLIS_CUSTODIAN_PAGE_APPS: text });

describe("where a custodian's page may return to in applications", () => {
  it("is nowhere without configuration", () => {
    expect(parseCustodianConfig(base).page?.apps).toEqual([]);
  });

  it("are exact addresses, each of a domain of passkeys", () => {
    expect(
      withApps("example.com=com.example.app:/approved+com.example.app.beta:/approved,b.org=org.b:/").page?.apps,
    ).toEqual([
      { id: "example.com", addresses: ["com.example.app:/approved", "com.example.app.beta:/approved"] },
      { id: "b.org", addresses: ["org.b:/"] },
    ]);
  });

  it.each([
    "example.com",
    "=com.example.app:/approved",
    "example.com=javascript:alert(1)",
    "example.com=data:text/html",
    "example.com=file:///etc",
    "example.com=myapp:/approved",
    "example.com=https://app.example.com/",
    "example.com=com.example.app:/approved?x=1",
    "example.com=com.example.app:/approved#",
    "example.com=com.example.app:/approved+",
  ])("refuses %s", (text) => {
    expect(() => withApps(text)).toThrow(/TRELLIS_CUSTODIAN_PAGE_APPS/);
  });
});
