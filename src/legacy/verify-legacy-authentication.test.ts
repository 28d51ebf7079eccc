import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import { beforeAll, describe, expect, it } from "vitest";
import { use, useTestNetwork } from "../../test/support/scene.js";
import {
  authorizationKeysOf,
  type ClientKey,
  createClientKey,
  errorOf,
  importAuthorizationKey,
  sessionOf,
} from "../../test/support/test-network.js";
import { verifyAuthentication } from "../sign-in/verify-authentication.js";
import { startLegacyAuthentication } from "./start-legacy-authentication.js";
import { verifyLegacyAuthentication } from "./verify-legacy-authentication.js";

const thirtyDays = 30 * 86_400;
const test = useTestNetwork();
let clientKey: ClientKey;
const ada = use(() => test.openHolder("ada@example.org"));
beforeAll(async () => {
  clientKey = await createClientKey();
});

describe("200", () => {
  it("answers the account of the address, and its wallet", async () => {
    const wallet = sessionOf(ada.verified).session.wallets[0];
    const first = await start();
    const { account_info } = await verify(await requestOf(first));
    expect(account_info).toEqual({
      mpc_primary_id: first.mpc_primary_id,
      smart_account_signer_public_key: wallet?.address,
      wallet_id: wallet?.id,
      smart_account_address: ada.address,
      grid_user_id: ada.verified.grid_user_id,
    });
  });

  it("seals a key of that wallet to the public key, in each form it may have", async () => {
    for (const auth_public_key of [
      clientKey.spki,
      clientKey.compressedSpki,
      clientKey.pointHex,
      clientKey.pointHex.toUpperCase(),
      clientKey.compressedPointHex,
    ]) {
      const { credential_bundle } = await verify(await requestOf(await start(), { auth_public_key }));
      const opened = importAuthorizationKey(await openBundle(credential_bundle, clientKey));
      expect(opened.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
    }
  });

  it("lives as long as verify says, else as auth says, else one hour", async () => {
    await verify(await requestOf(await start()));
    expect(await lifeOfNewestKey()).toBe(3_600_000);
    await verify(await requestOf(await start({ expiration: 60 })));
    expect(await lifeOfNewestKey()).toBe(60_000);
    await verify(await requestOf(await start({ expiration: 60 }), { expiration: thirtyDays }));
    expect(await lifeOfNewestKey()).toBe(thirtyDays * 1000);
  });
});

describe("400", () => {
  it("refuses ids that do not belong to the latest code, and counts no try for them", async () => {
    const grace = await test.openHolder("grace@example.org");
    const hers = await test.call<Started>(startLegacyAuthentication, { body: { email: grace.email } });
    const former = await start();
    const started = await start();
    const request = await requestOf(started);
    for (const wrong of [
      { mpc_primary_id: hers.mpc_primary_id },
      { mpc_primary_id: "" },
      { otp_id: hers.otp_id },
      { otp_id: former.otp_id },
      { otp_id: "00000000-0000-4000-8000-000000000000" },
      { otp_id: "\u0000'" },
    ]) {
      expect((await errorOf(verify({ ...request, ...wrong }))).code, JSON.stringify(wrong)).toBe("invalid_otp");
    }
    await verify(request);
    expect((await errorOf(verify(request))).code, "a second use").toBe("invalid_otp");
  });

  it("shows another tenant nothing", async () => {
    const request = await requestOf(await start());
    const caller = await test.addTenant("tenant-2");
    const call = test.call(verifyLegacyAuthentication, { body: request, caller });
    expect((await errorOf(call)).code).toBe("invalid_otp");
  });

  it("counts three tries together with the present interface", async () => {
    const request = await requestOf(await start());
    const otp_code = request.otp_code === "000000" ? "000001" : "000000";
    expect((await errorOf(verify({ ...request, otp_code }))).code).toBe("invalid_otp");
    const byV1 = test.call(verifyAuthentication, {
      body: { email: ada.email, otp_code, kms_provider_config: { encryption_public_key: clientKey.spki } },
    });
    expect((await errorOf(byV1)).code).toBe("invalid_otp");
    expect((await errorOf(verify({ ...request, otp_code }))).code).toBe("invalid_otp");
    expect((await errorOf(verify(request))).code).toBe("otp_attempts_exceeded");
  });

  it("refuses the code after 15 minutes", async () => {
    const request = await requestOf(await start());
    await test.network.sandbox?.advanceClock(900);
    expect((await errorOf(verify(request))).code).toBe("otp_expired");
  });

  it("refuses keys that are none, and durations out of bounds, before a try is spent", async () => {
    const request = await requestOf(await start());
    const offCurve = `04${"11".repeat(64)}`;
    for (const auth_public_key of ["", "nonsense", offCurve, clientKey.pointHex.slice(2), `05${"11".repeat(64)}`]) {
      const error = await errorOf(verify({ ...request, auth_public_key, otp_code: "wrong" }));
      expect([error.code, error.details[0]?.field]).toEqual(["invalid_encryption_public_key", "auth_public_key"]);
    }
    for (const expiration of [0, -1, thirtyDays + 1]) {
      const error = await errorOf(verify({ ...request, expiration, otp_code: "wrong" }));
      expect(error.code).toBe("invalid_expiration");
    }
    await verify(request);
  });
});

interface Started {
  readonly otp_id: string;
  readonly mpc_primary_id: string;
}

interface Verified {
  readonly credential_bundle: string;
  readonly account_info: Record<string, string>;
}

// The mail limits count per hour of real time.
async function start(body: Record<string, unknown> = {}): Promise<Started> {
  test.needs.realClock.advance(86_400_000);
  return test.call<Started>(startLegacyAuthentication, { body: { email: ada.email, ...body } });
}

async function requestOf(started: Started, more: Record<string, unknown> = {}) {
  const otp_code = await test.latestCode(ada.email);
  return { ...started, otp_code, auth_public_key: clientKey.spki, ...more };
}

function verify(body: Record<string, unknown>): Promise<Verified> {
  return test.call<Verified>(verifyLegacyAuthentication, { body });
}

/** Base58check, point decompression and HPKE by other hands than the service's own. */
async function openBundle(bundle: string, key: ClientKey): Promise<string> {
  const bytes = base58.decode(bundle);
  const content = bytes.subarray(0, -4);
  const twice = createHash("sha256").update(createHash("sha256").update(content).digest()).digest();
  expect(Buffer.from(bytes.subarray(-4)).equals(twice.subarray(0, 4))).toBe(true);
  return key.openCompressed(content.subarray(0, 33), content.subarray(33));
}

async function lifeOfNewestKey(): Promise<number> {
  const [newest] = await authorizationKeysOf(test, sessionOf(ada.verified));
  return Number(newest?.expires_at ?? 0n) - test.network.clock.now();
}
