import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { verifyEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { beforeAll, describe, expect, it } from "vitest";
import { useDirectory } from "../../../test/support/use-directory.js";
import type { Pkcs11Place } from "../../config/pkcs11-uri.js";
import { createPkcs11Door, type LoadPkcs11 } from "./pkcs11.js";

/** A folder whose node_modules hold pkcs11js; `.ci/run` makes it, and installs softhsm2 and opensc. */
const folder = process.env.TRELLIS_TEST_PKCS11;
if (folder === undefined) {
  process.stderr.write("NOT TESTED: keys in PKCS#11 tokens. TRELLIS_TEST_PKCS11 names no folder with pkcs11js.\n");
}
const modulePath = "/usr/lib/softhsm/libsofthsm2.so";
const directory = useDirectory();
const pinFile = join(directory, "pin");
const load: LoadPkcs11 = () => createRequire(`${folder}/`)("pkcs11js");
const place: Pkcs11Place = { kind: "pkcs11", modulePath, token: "trellis", object: "fee-payer", id: "01", pinFile };

describe.skipIf(folder === undefined)("a key in a PKCS#11 token", () => {
  let publicKey: Uint8Array;
  beforeAll(() => {
    const settings = join(directory, "softhsm2.conf");
    writeFileSync(settings, `directories.tokendir = ${directory}\nobjectstore.backend = file\nlog.level = ERROR\n`);
    process.env.SOFTHSM2_CONF = settings;
    const run = (program: string, ...words: string[]) =>
      execFileSync(program, words, { stdio: ["ignore", "pipe", "pipe"] });
    run("softhsm2-util", "--init-token", "--free", "--label", "trellis", "--pin", "1234", "--so-pin", "5678");
    const common = ["--module", modulePath, "--token-label", "trellis", "--login", "--pin", "1234"];
    for (const [label, id] of [
      ["fee-payer", "01"],
      ["executor", "02"],
      ["executor", "03"],
    ] as const) {
      run("pkcs11-tool", ...common, "--keypairgen", "--key-type", "EC:edwards25519", "--label", label, "--id", id);
    }
    const listed = run("pkcs11-tool", ...common, "--list-objects", "--type", "pubkey").toString();
    // A DER octet string around the 32 bytes.
    publicKey = new Uint8Array(
      Buffer.from(
        /EC_POINT:\s+0420([0-9a-f]{64})\s+EC_PARAMS:.*\s+label:\s+fee-payer\s/.exec(listed)?.[1] ?? "",
        "hex",
      ),
    );
    writeFileSync(pinFile, "1234\n");
  }, 60_000);

  it("signs each message, also many at once, and keeps its module loaded", async () => {
    const sign = createPkcs11Door(load);
    const messages = Array.from({ length: 50 }, () => randomBytes(1232));
    const signatures = await Promise.all(messages.map((message) => sign(place, message)));
    expect(messages.every((message, i) => verifyEd25519(publicKey, message, signatures[i] ?? new Uint8Array()))).toBe(
      true,
    );
    // By its label alone.
    const message = randomBytes(64);
    expect(verifyEd25519(publicKey, message, await sign({ ...place, id: null }, message))).toBe(true);
  });

  it.each([
    [{ object: "nobody" }, "The PKCS#11 token trellis holds no such private key."],
    [{ object: "executor", id: null }, "The PKCS#11 token trellis holds several such private keys: name its id."],
    [{ token: "other" }, "There is no PKCS#11 token other."],
    [{ modulePath: "/nowhere.so" }, "PKCS#11 key fee-payer of the token trellis fails."],
    [
      { pinFile: "/nowhere" },
      "PKCS#11 key fee-payer of the token trellis has a pin-source that names no file with a PIN.",
    ],
  ])("is not found by %o", async (other, message) => {
    await expect(createPkcs11Door(load)({ ...place, ...other }, randomBytes(8))).rejects.toMatchObject({
      name: "KeyStoreError",
      message,
    });
  });
});

describe("the door to PKCS#11 tokens", () => {
  /** A module that behaves as a test says; its token and its key are there. */
  const played = (sign: () => Promise<Buffer>, calls: string[] = []): LoadPkcs11 => {
    const handle = Buffer.alloc(8);
    class PKCS11 {
      load() {}
      C_Initialize() {}
      C_GetSlotList = () => [handle];
      C_GetTokenInfo = () => ({ label: "trellis   " });
      C_OpenSession = () => {
        calls.push("open");
        return handle;
      };
      C_CloseSession = () => void calls.push("close");
      C_Login() {}
      C_FindObjectsInit() {}
      C_FindObjects = () => [handle];
      C_FindObjectsFinal() {}
      C_SignInit() {}
      C_SignAsync = sign;
    }
    return () => ({ PKCS11 });
  };
  beforeAll(() => writeFileSync(pinFile, "1234\n"));

  it("names the package that is missing", async () => {
    await expect(createPkcs11Door()(place, randomBytes(8))).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("npm install --no-save pkcs11js@2.1.7"),
    });
  });

  it("opens a lost session anew, once", async () => {
    const calls: string[] = [];
    const ends = [new Error("CKR_SESSION_HANDLE_INVALID:179"), Buffer.alloc(64, 1)];
    const sign = async () => {
      const end = ends.shift() ?? new Error("CKR_DEVICE_ERROR:48 of PIN 1234");
      if (end instanceof Error) throw end;
      return end;
    };
    const door = createPkcs11Door(played(sign, calls));
    expect(await door(place, randomBytes(8))).toEqual(new Uint8Array(64).fill(1));
    expect(calls).toEqual(["open", "close", "open"]);
    await expect(door(place, randomBytes(8))).rejects.toMatchObject({
      kind: "unavailable",
      message: "PKCS#11 key fee-payer of the token trellis fails (CKR_DEVICE_ERROR).",
    });
  });

  it("waits for no token longer than is allowed, and has one call under way", async () => {
    let asked = 0;
    const door = createPkcs11Door(
      played(() => {
        asked += 1;
        return new Promise(() => {});
      }),
      50,
    );
    const ended = await Promise.allSettled([door(place, randomBytes(8)), door(place, randomBytes(8))]);
    for (const one of ended) {
      expect(one).toMatchObject({
        status: "rejected",
        reason: { message: "PKCS#11 key fee-payer of the token trellis does not answer within 0.05 seconds." },
      });
    }
    expect(asked).toBe(1);
  });
});
