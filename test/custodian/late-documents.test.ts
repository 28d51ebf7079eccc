import { readFileSync } from "node:fs";
import type { Address } from "@solana/kit";
import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import type { CustodianClient } from "../../src/adapters/kms/custodian-client.js";
import { defaultPolicies } from "../../src/custodian/policy/wallet-policy.js";
import { createSoftPasskey } from "../support/authenticator.js";
import { startTestCustodian } from "../support/custodian.js";
import { payloadOf, pointOf, wireStampOf } from "../support/custody-payloads.js";
import { enrolWallet } from "../support/enrolled-wallet.js";
import { page, toPayload } from "../support/passkeys.js";
import { createP256Key } from "../support/test-network.js";
import { use } from "../support/use.js";

const custodian = use(() => startTestCustodian());
let client: CustodianClient;
beforeEach(() => {
  client = custodian.clientWith();
});

const now = Date.UTC(2026, 0, 15, 12);
const hour = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

type Wallet = Awaited<ReturnType<typeof enrolWallet>>;
/** Signs a document at `now` that ends at `end`; what delivers it at some time. */
type Document = (made: Wallet, end: number) => Promise<(at: number) => Promise<unknown>>;

/** How each document of a holder's is delivered to a guardian. */
const documents: Readonly<Record<string, Document>> = {
  signTransaction: async (made, end) => {
    const payload = payloadOf(made.wallet.address as Address, now, { expires_at: iso(end) });
    return (at) => client.ask("sign", paramsOf(made), { ...stamped(made, payload), now: at });
  },
  addPasskey: async (made) => {
    const begun = await client.ask("beginPasskey", paramsOf(made), { now });
    const passkey = createSoftPasskey();
    const registered = passkey.register({ ...page, challenge: Buffer.from(begun.challenge, "base64url") });
    const params = { credential_id: text(passkey.credentialId), public_key: hex(passkey.point) };
    const authorization = stamped(made, documentOf(made, "addPasskey", { params, nonce: begun.challenge }));
    const registration = {
      authenticator_data: registered.authenticatorData,
      client_data_json: registered.clientDataJSON,
    };
    const asked = { ceremony_id: begun.ceremony_id, registration, authorization };
    return (at) => client.ask("addPasskey", paramsOf(made), { ...asked, now: at });
  },
  removePasskey: async (made, end) => {
    const params = { credential_id: text(made.passkey.credentialId), passkey_id: made.id };
    await made.add();
    const authorization = stamped(made, documentOf(made, "removePasskey", { params, expires_at: iso(end) }));
    return (at) => client.ask("removePasskey", { ...paramsOf(made), passkey_id: made.id }, { authorization, now: at });
  },
  authorizeKey: async (made, end) => {
    const [public_key, expires_at] = [hex(pointOf(createP256Key())), now + 24 * hour];
    const params = { public_key, expires_at: iso(expires_at) };
    const grant = stamped(made, documentOf(made, "authorizeKey", { params, nonce: "n", expires_at: iso(end) }));
    return (at) => client.ask("registerAuthorization", paramsOf(made), { public_key, expires_at, grant, now: at });
  },
  setWalletPolicy: async (made, end) => {
    const params = { policy: defaultPolicies.guarded, replaces: 0 };
    const authorization = stamped(
      made,
      documentOf(made, "setWalletPolicy", { params, nonce: "n", expires_at: iso(end) }),
    );
    return (at) => client.ask("setPolicy", paramsOf(made), { authorization, now: at });
  },
  cancelSettingsChange: async (made, end) => {
    const params = { change_id: "ab".repeat(32) };
    const more = { params, nonce: "n", expires_at: iso(end) };
    const authorization = stamped(made, documentOf(made, "cancelSettingsChange", more));
    return (at) => client.ask("cancelChange", paramsOf(made), { authorization, now: at });
  },
};

/** Those that no guardian carries out, with what ends them, and where that is tested. */
const elsewhere: Readonly<Record<string, readonly [file: string, test: string]>> = {
  // A nonce of the service's is good for five minutes.
  signIn: ["src/sign-in/sign-in-with-passkey.test.ts", "is the answer to a nonce that has expired"],
  requirePasskey: ["src/passkeys/set-passkey-requirement.test.ts", "is the answer to a nonce that was used"],
  // Fifteen minutes at most.
  exportWallet: ["src/wallet-exports/request-wallet-export.test.ts", "a document that was kept back"],
  importWallet: [
    "src/wallet-imports/import-wallet.test.ts",
    "is the answer once the import is over, whatever was sealed in time",
  ],
  // It names one export, and can only keep a key where it is.
  cancelWalletExport: ["src/wallet-exports/cancel-wallet-export.test.ts", "ends the export for good by a session"],
};
/** Its end is its challenge's, or the service's to set. */
const boundedOtherwise = ["addPasskey", "signTransaction"];

describe("a document that a holder has signed", () => {
  it("is of a method whose end is known", () => {
    const source = readFileSync("src/custody/payload.ts", "utf8");
    const methods = [...source.matchAll(/readonly method: (.*);/g)].flatMap(([, names = ""]) =>
      [...names.matchAll(/"([a-zA-Z]+)"/g)].map(([, name = ""]) => name),
    );
    expect(methods.toSorted()).toEqual([...Object.keys(documents), ...Object.keys(elsewhere)].toSorted());
    for (const [file, title] of Object.values(elsewhere)) expect(readFileSync(file, "utf8"), file).toContain(title);
  });

  it.each(Object.keys(documents))(
    "%s is not carried out behind its end, however long it was kept back",
    async (name) => {
      const end = now + 600_000;
      for (const at of [end, now + hour, now + 90 * 24 * hour]) {
        const deliver = await documents[name]?.(await enrolWallet(client, now), end);
        expect(await reasonOf(deliver?.(at)), `${at - now} ms later`).toBe("payload_expired");
      }
      const inTime = await documents[name]?.(await enrolWallet(client, now), end);
      expect(await reasonOf(inTime?.(now + 1))).not.toBe("payload_expired");
    },
  );

  it.each(Object.keys(documents).filter((name) => !boundedOtherwise.includes(name)))(
    "%s is good for an hour at most",
    async (name) => {
      const deliver = await documents[name]?.(await enrolWallet(client, now), now + hour + 1);
      expect(await reasonOf(deliver?.(now))).toBe("payload_expired");
    },
  );
});

it("a passkey of a guarded wallet that has counted less than before is refused, and the guardian's log says so", async () => {
  const made = await enrolWallet(client, now);
  const sign = (counter: number, nonce: string) => {
    const payload = payloadOf(made.wallet.address as Address, now, { nonce });
    const stamp = wireStampOf(made.passkey, payload, counter);
    return client.ask("checkAuthority", paramsOf(made), { ...stamped(made, payload), stamp, now });
  };
  await sign(7, "a");
  expect(await reasonOf(sign(7, "b"))).toBe("invalid_signature");
  expect(await reasonOf(sign(0, "c"))).toBe("invalid_signature");
  await sign(8, "d");
  await custodian.stop();
  await custodian.inDatabase(async (db) => {
    const { rows } = await sql<{ body: string }>`select body from audit_entry where kind = 'passkey.counter_went_back'
      and subject = ${`wallet/${made.wallet.wallet_id}`} order by sequence`.execute(db);
    expect(rows.map(({ body }) => JSON.parse(body).details)).toEqual([
      { passkey: made.id, counter: 7, reported: 7 },
      { passkey: made.id, counter: 7, reported: 0 },
    ]);
  });
  await custodian.start();
});

const reasonOf = (call: Promise<unknown> | undefined): Promise<string | undefined> =>
  (call ?? Promise.reject(new Error("nothing was delivered"))).then(
    () => undefined,
    (error: { readonly reason?: string; readonly message: string }) => error.reason ?? error.message,
  );

const paramsOf = ({ wallet }: Wallet) => ({ wallet_id: wallet.wallet_id });

const documentOf = ({ wallet }: Wallet, method: string, more: object): string =>
  toPayload({ version: 1, method, environment: "sandbox", wallet: wallet.address, ...more });

const stamped = ({ passkey, id }: Wallet, payload: string) => ({
  payload,
  stamp: wireStampOf(passkey, payload),
  authority: { kind: "passkey" as const, passkey_id: id },
});
