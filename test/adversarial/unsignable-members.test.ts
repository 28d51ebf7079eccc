import { Buffer } from "node:buffer";
import { ed25519 } from "@noble/curves/ed25519.js";
import { getAddressDecoder, isAddress } from "@solana/kit";
import { deriveSettingsAddress, deriveSmartAccountAddress, isKey, isOnCurve } from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { useTestService } from "../support/scene.js";
import { hashOf, publicKeyOf } from "../support/test-network.js";

const base = "/api/service/v1/accounts";
const addressOf = (hex: string) => getAddressDecoder().decode(Buffer.from(hex, "hex"));

/** Every point of small order, in each encoding that decompresses. */
const smallOrder = [
  "0100000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000080",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000080",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];
const vault = deriveSmartAccountAddress(deriveSettingsAddress(987_654n));
const unsignable: readonly [what: string, address: string][] = [
  ["the system program", "11111111111111111111111111111111"],
  ["the token program", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"],
  ["Token-2022", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"],
  ["the smart account program", "SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG"],
  ["a sysvar", "SysvarC1ock11111111111111111111111111111111"],
  ["the incinerator", "1nc1nerator11111111111111111111111111111111"],
  ["another account's vault", vault],
  ["a settings account", deriveSettingsAddress(3n)],
  ["a mint", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
  ["a point of order 8", addressOf(smallOrder[6] ?? "")],
];
const trellis = useTestService();
const good = publicKeyOf("somebody");

describe("what can be a key", () => {
  it("is every public key, and no point of small order, no hash off the curve, no second encoding", () => {
    for (let i = 0; i < 200; i += 1) {
      expect(isKey(publicKeyOf(`holder-${i}`))).toBe(true);
      const some = getAddressDecoder().decode(hashOf(`hash-${i}`));
      expect(isKey(some), some).toBe(isOnCurve(some));
    }
    for (const hex of smallOrder) {
      expect(isKey(addressOf(hex)), hex).toBe(false);
      expect(ed25519.Point.fromHex(hex, true).isSmallOrder(), hex).toBe(true);
    }
  });
});

describe.each(unsignable)("%s", (_what, address) => {
  it("is no signer and no admin of a new account", async () => {
    expect(isAddress(address)).toBe(true);
    const requests: readonly [body: object, path: string, field: string][] = [
      [{ type: "signers", signers: [good, address], threshold: 1 }, base, "signers.1.address"],
      [{ type: "signers", policies: { signers: [signer(address)], threshold: 1 } }, base, "policies.signers.0.address"],
      [
        { type: "signers", policies: { signers: [signer(good)], threshold: 1, admin_address: address } },
        base,
        "policies.admin_address",
      ],
      [{ policies: { signers: [signer(address)], threshold: 1 } }, `${base}:custom`, "policies.signers.0.address"],
      [
        { policies: { signers: [signer(good)], threshold: 1, adminAddress: address } },
        `${base}:custom`,
        "policies.admin_address",
      ],
    ];
    for (const [body, path, field] of requests) {
      const answer = await trellis.request("POST", path, body);
      expect([answer.status, detailOf(answer)], field).toMatchObject([400, { code: "invalid_address", field }]);
      expect(detailOf(answer)).toHaveProperty("suggestion");
    }
  });

  it("does not become one by a change", async () => {
    const created = await trellis.request("POST", base, { type: "signers", signers: [good], threshold: 1 });
    const own = (created.body as { data: { address: string } }).data.address;
    const policies = { signers: [signer(good)], threshold: 1, admin_address: publicKeyOf("admin") };
    const ruled = await trellis.request("POST", base, { type: "signers", policies });
    const controlled = (ruled.body as { data: { address: string } }).data.address;
    const actions = (action: object) => ({ type: "settings", signer: good, actions: [action] });
    const limit = { type: "AddSpendingLimit", amount: "1", period: "day" };
    const requests: readonly [method: "POST" | "PATCH", path: string, body: object, field: string][] = [
      ["PATCH", `${base}/${own}`, { signers: [signer(good), signer(address)] }, "signers.1.address"],
      ["PATCH", `${base}/${controlled}?admin=true`, { admin_address: address }, "admin_address"],
      [
        "POST",
        `${base}/${own}/proposals`,
        actions({ type: "AddSigner", newSigner: { address, mask: 7 } }),
        "actions.0.newSigner.address",
      ],
      ["POST", `${base}/${own}/proposals`, actions({ ...limit, signers: [address] }), "actions.0.signers.0"],
    ];
    for (const [method, path, body, field] of requests) {
      const answer = await trellis.request(method, path, body);
      expect([answer.status, detailOf(answer)], field).toMatchObject([400, { code: "invalid_address", field }]);
    }
  });
});

it("a derived address may be paid by a spending limit: money that arrives there is a program's", async () => {
  const created = await trellis.request("POST", base, { type: "signers", signers: [good], threshold: 1 });
  const own = (created.body as { data: { address: string } }).data.address;
  const answer = await trellis.request("POST", `${base}/${own}/proposals`, {
    type: "settings",
    signer: good,
    actions: [{ type: "AddSpendingLimit", amount: "1", period: "day", signers: [good], destinations: [vault] }],
  });
  expect(answer.status).toBe(201);
});

const detailOf = ({ body }: { body: unknown }) => (body as { details: readonly object[] }).details[0];

const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
const signer = (address: string) => ({ address, permissions: everything });
