import { expect, it } from "vitest";
import { requestOf } from "./create-key.js";

const draft = {
  name: " Shop ",
  type: "secret",
  scopes: [],
  environments: ["sandbox"],
  origins: "",
  addresses: "",
  expires: "",
};

it("leaves out what is empty", () => {
  expect(requestOf({ ...draft, origins: "https://other.example" })).toEqual({
    name: "Shop",
    type: "secret",
    environments: ["sandbox"],
  });
});

it("reads lists by blanks, commas and lines, and the expiry in the reader's zone", () => {
  const typed = {
    type: "publishable",
    origins: "https://a.example, https://b.example",
    addresses: "192.0.2.1\n2001:db8::/32",
  };
  expect(requestOf({ ...draft, ...typed, expires: "2027-01-01T10:00" })).toMatchObject({
    allowed_origins: ["https://a.example", "https://b.example"],
    allowed_addresses: ["192.0.2.1", "2001:db8::/32"],
    expires_at: new Date("2027-01-01T10:00").toISOString(),
  });
});
