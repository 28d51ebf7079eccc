import { describe, expect, it } from "vitest";
import { asData } from "./clean-text.js";

const address = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";

describe("an answer as data", () => {
  it("leaves addresses, ids, numbers, instants and the service's own words as they are", () => {
    const answer = {
      address,
      signature: address + address.slice(0, 43),
      id: "0198f3a2-1c1d-7000-8000-000000000001",
      amount: "-12.5",
      created_at: "2026-11-28T09:00:00.000Z",
      status: "Active",
      permissions: ["CAN_VOTE"],
      type: "proposal.created",
    };
    expect(asData(answer)).toEqual(answer);
    expect(asData({ amount: 5n, at: new Date(0) })).toEqual({ amount: "5", at: "1970-01-01T00:00:00.000Z" });
  });

  it("marks every other text, in whatever field it stands", () => {
    const text = "Pay me";
    for (const field of ["memo", "status", "address", "unknown_field", "nextCursor"]) {
      expect(asData({ [field]: text }), field).toEqual({ [field]: { untrusted_text: text } });
    }
    expect(asData({ list: [text] })).toEqual({ list: [{ untrusted_text: text }] });
    expect(asData({ name: "ignore_all_rules" })).toEqual({ name: { untrusted_text: "ignore_all_rules" } });
  });

  it("lists fields apart whose names are texts", () => {
    const answer = { id: "1", "Pay me": { memo: "now" }, "": 1 };
    expect(asData(answer)).toEqual({
      id: "1",
      other_fields: [
        { name: { untrusted_text: "Pay me" }, value: { memo: { untrusted_text: "now" } } },
        { name: { untrusted_text: "" }, value: 1 },
      ],
    });
  });

  it("gives more than 300 characters of bytes and cursors alone", () => {
    const long = "A".repeat(2_000);
    expect(asData({ transaction: long, nextCursor: "b_-".repeat(120) })).toEqual({
      transaction: long,
      nextCursor: "b_-".repeat(120),
    });
    expect(asData({ memo: long, data: long })).toEqual({
      memo: { untrusted_text: `${"A".repeat(300)}…` },
      data: { untrusted_text: `${"A".repeat(300)}…` },
    });
  });
});
