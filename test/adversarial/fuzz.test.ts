import type { Contract } from "@trellis/kernel/endpoint.js";
import { errorCatalogue } from "@trellis/kernel/errors.js";
import { generateEncryptionKeyPair } from "@trellis/sdk";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../src/endpoints.js";
import { use, useTestService } from "../support/scene.js";
import { type Answered, expectErrorBody, makeKey, stamp } from "./support.js";

let bodies: Record<string, unknown>;
const shop = makeKey().address;
const trellis = useTestService({ TRELLIS_TRUST_PROXY: "true" });
const ada = use(() => trellis.openHolder({ sol: "1000000000" }));
beforeAll(async () => {
  const prepared = await trellis.preparePayment(ada, { amount: "1000000", currency: "sol", to: shop });
  const entries = stamp(prepared, ada.session);
  bodies = {
    createAccount: {
      type: "signers",
      policies: {
        signers: [{ address: shop, permissions: ["CAN_VOTE"] }],
        threshold: 1,
        time_lock: 0,
        admin_address: null,
      },
      memo: "",
    },
    verifyAccount: {
      email: ada.email,
      otp_code: "000000",
      provider: "kms_a",
      kms_provider_config: { encryption_public_key: generateEncryptionKeyPair().publicKeySpkiBase64 },
      expiration: 2_000_000_000,
    },
    submitTransactions: { transactions: [prepared.transaction], kms_payloads: [entries] },
    prepareTransaction: {
      transaction: await trellis.compose(ada.address, []),
      account_signers: [shop],
      provider: "kms_a",
      fee_config: { self_managed_fees: true },
      payer_address: shop,
    },
    preparePayment: {
      amount: "1000000",
      source: { account: ada.address, currency: "sol" },
      destination: { address: shop, currency: "sol", payment_rail: "solana" },
      transaction_signers: [],
      provider: "kms_a",
      fee_config: { self_managed_fees: false },
    },
    startAuthentication: { email: ada.email, provider: "kms_b", expiration: 3_600 },
    initAuthentication: { email: ada.email, expiration: 3_600 },
    verifyAuthentication: {
      email: ada.email,
      otp_code: "000000",
      smart_account_address: ada.address,
      kms_provider_config: { encryption_public_key: ada.keyPair.publicKeySpkiBase64, otp_id: "none" },
    },
    refreshSession: {
      encryption_public_key: generateEncryptionKeyPair().publicKeySpkiBase64,
      kms_payload: ada.session.authentication,
      signature: "MAYCAQECAQE=",
    },
    sandboxAirdrop: { address: shop, currency: "usdc", amount: "1" },
    sandboxAdvanceClock: { seconds: 1 },
  };
});

/** Values that parsers, databases and number types trip over. */
const nasty = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom<unknown>(
    "",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "__proto__",
    "constructor",
    "sandbox",
    "external",
    "kms_b",
    "11111111111111111111111111111111",
    "18446744073709551615",
    "-0",
    "x".repeat(5_000),
    "é@example.org",
    "a@b",
    "'; drop table account; --",
    -1,
    0,
    1e308,
    -1e308,
    2 ** 53,
    0.1,
    9_007_199_254_740_993n.toString(),
    null,
    true,
    [],
    {},
    [[]],
    [null],
    { length: 1 },
    Array.from({ length: 200 }, () => "1"),
  ),
);

describe.each(endpoints.map(({ contract }) => contract))("$operation", (contract) => {
  const pathOf = (address: string) => contract.path.replace("{address}", encodeURIComponent(address));

  it("answers any body with a success or a documented error", async () => {
    const mutated = fc.record({ place: fc.nat(60), value: nasty, whole: fc.integer({ min: 0, max: 4 }) });
    await fc.assert(
      fc.asyncProperty(mutated, async ({ place, value, whole }) => {
        const body =
          contract.body === undefined
            ? undefined
            : whole === 0
              ? value
              : replaceOne(bodyOf(contract.operation), place, value);
        const answered = await send(contract.method, pathOf(ada.address), body ?? (contract.body ? null : undefined));
        expectDocumented(answered, JSON.stringify(body), contract);
      }),
      { numRuns: contract.body === undefined ? 5 : 60 },
    );
  });

  it("answers any path parameter, query and header with a success or a documented error", async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom(shop, ada.settingsAddress, "%00", "..", "\u0000", "x".repeat(300)),
    );
    const header = fc.string({ maxLength: 40 }).map((value) => value.replaceAll(/[^\x20-\x7e]/g, "?"));
    await fc.assert(
      fc.asyncProperty(text, text, header, async (address, query, value) => {
        if (address === "" || address === "." || address === "..") return;
        const parameters = new URLSearchParams({ limit: query, page: query, email: query });
        const answered = await send(
          contract.method,
          `${pathOf(address)}?${parameters}`,
          contract.body === undefined ? undefined : bodyOf(contract.operation),
          { "x-request-id": value, "x-idempotency-key": value },
        );
        expectDocumented(answered, `${address} ${query} ${value}`, contract);
      }),
      { numRuns: 25 },
    );
  });
});

describe("without a key", () => {
  it("every operation but the published keys asks for one before it reads anything else", async () => {
    const open: string[] = [];
    for (const [at, { contract }] of endpoints.entries()) {
      if (contract.scope === null) {
        open.push(contract.operation);
        continue;
      }
      const path = contract.path.replace("{address}", "x");
      // One address has a bounded number of failures a minute.
      const from = `203.0.113.${at % 250}`;
      for (const authorization of [
        "",
        "Bearer",
        "Bearer ",
        "Basic abc",
        `Bearer ${"x".repeat(4_000)}`,
        "Bearer sk_test_",
      ]) {
        const answered = await send(contract.method, path, contract.body ? { nonsense: true } : undefined, {
          authorization,
          "x-forwarded-for": from,
        });
        expect(answered.status, `${contract.operation} ${authorization}`).toBe(401);
        expectErrorBody(answered);
      }
    }
    const ofConsole = [
      "requestSignIn",
      "verifySignIn",
      "acceptLink",
      "beginConsolePasskey",
      "signInWithConsolePasskey",
      "getConsoleSession",
      "updateOwnMember",
      "signOut",
      "endConsoleSessions",
      "listMemberPasskeys",
      "beginMemberPasskey",
      "addMemberPasskey",
      "renameMemberPasskey",
      "removeMemberPasskey",
    ];
    // A page has a challenge of a passkey signer in place of a key.
    const ofCeremonies = ["getPasskeyCeremony", "completePasskeyCeremony"];
    expect(open).toEqual([...ofCeremonies, "listIdentityKeys", "openTreasuryPage", ...ofConsole]);
  });
});

/** Operations without a document of their own below are sent random ones only. */
const bodyOf = (operation: string): unknown => bodies[operation] ?? {};

/** A copy of a document with one place in it replaced; which place the number says. */
function replaceOne(document: unknown, place: number, value: unknown): unknown {
  const paths: (string | number)[][] = [[]];
  const walk = (node: unknown, path: (string | number)[]): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      const next = [...path, Array.isArray(node) ? Number(key) : key];
      paths.push(next);
      walk(child, next);
    }
  };
  walk(document, []);
  const path = paths[place % paths.length] ?? [];
  if (path.length === 0) return value;
  const copy: unknown = structuredClone(document);
  let node = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) node = node[step] as Record<string | number, unknown>;
  node[path.at(-1) ?? ""] = value;
  return copy;
}

const statuses = new Set<number>(Object.values(errorCatalogue).map(([status]) => status));
const wireCodes = new Set(Object.keys(errorCatalogue));
function expectDocumented(answered: Answered, sent: string, contract: Contract): void {
  const text = `${sent} -> ${answered.status} ${JSON.stringify(answered.body)}`;
  expect(answered.status, text).toBeLessThan(500);
  if (answered.status >= 400) {
    expect(statuses, text).toContain(answered.status);
    expect(wireCodes, text).toContain((answered.body as { code: string }).code);
    expectErrorBody(answered);
    return;
  }
  expect([200, 201], text).toContain(answered.status);
  const { data } = answered.body as { data?: unknown };
  expect(Boolean(contract.response.envelope ? data : answered.body), text).toBe(true);
}

/** JSON that keeps what JSON.stringify would change: lone surrogates stay escaped, undefined is absent. */
function send(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Answered> {
  return trellis.request(method, path, body === undefined ? undefined : JSON.stringify(body), headers);
}
