import { describe, expect, it } from "vitest";
import { relyingPartyIn } from "./relying-party.js";

describe("the relying party of a tenant", () => {
  it("is what the tenant set, in every environment", () => {
    for (const environment of ["sandbox", "devnet", "mainnet"] as const) {
      expect(relyingPartyIn(environment, terms)).toEqual(terms);
    }
  });

  it("is this machine in a sandbox whose tenant set none, and in no other environment", () => {
    expect(relyingPartyIn("sandbox", null)).toMatchObject({ id: "localhost" });
    for (const environment of ["devnet", "mainnet"] as const)
      expect(() => relyingPartyIn(environment, null)).toThrow(refused);
  });

  it("is never this machine where money is real", () => {
    expect(() => relyingPartyIn("mainnet", { ...terms, id: "localhost" })).toThrow(refused);
    expect(relyingPartyIn("devnet", { ...terms, id: "localhost" })).toMatchObject({ id: "localhost" });
  });
});

const terms = { id: "app.example", name: "App", origins: ["https://app.example"] };
const refused = expect.objectContaining({ code: "passkeys_not_configured" });
