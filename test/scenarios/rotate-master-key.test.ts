import { randomBytes } from "node:crypto";
import { createTrellisClient, generateEncryptionKeyPair, openSession, type TrellisClient } from "@trellis/sdk";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createLogger } from "../../src/adapters/log/pino-log.js";
import { parseConfig } from "../../src/config/config.js";
import { sealedColumns } from "../../src/modules.js";
import { replaceSecretsOf, secretPurposes } from "../../src/operator/replace-secrets.js";
import { rotateMasterKey } from "../../src/operator/rotate-master-key.js";
import { type RunningService, startService } from "../../src/service.js";
import { openTestDatabase } from "../support/test-database.js";
import { useTestLocation } from "../support/use-database.js";
import { useDirectory } from "../support/use-directory.js";

const directory = useDirectory();
const place = useTestLocation();

it("leaves the former key behind: wallets, sessions, API keys, the chain and its keys stay what they were", {
  timeout: 240_000,
}, async () => {
  const email = "ada@example.org";
  const before = await start(`a:${keys.first}`);
  const client = clientOf(before);
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const session = await openSession(verified.authentication[0], keyPair);
  const account = verified.address;
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  await client.webhookEndpoints.create({ url: "http://127.0.0.1:9/hooks", types: ["session"] });
  const person = {
    type: "individual",
    email,
    full_name: "Ada Lovelace",
    redirect_uri: "http://localhost:3000/",
  } as const;
  const { id: kycId } = await client.kyc.start(account, person);
  const feePayer = before.networks.get("sandbox")?.feePayer.address;
  await before.close();

  // In the wrong order, which would make everything derive from the new key: nothing starts, and nothing is rotated.
  const wrongOrder = `a:${keys.first},b:${keys.second}`;
  await expect(start(wrongOrder)).rejects.toThrow("is not the one that this database was created with");
  await expect(rotateMasterKey(configWith(wrongOrder))).rejects.toThrow(
    "is not the one that this database was created with",
  );

  const counts = await rotateMasterKey(configWith(`b:${keys.second},a:${keys.first}`));
  // Its wallets derive from these.
  expect(counts.get("wallet_root")).toBe(2);
  expect(counts.get("chain_state")).toBe(1);
  expect(counts.get("mail")).toBe(1);
  expect(counts.get("webhook_endpoint")).toBe(1);
  expect(counts.get("rail_verification")).toBe(2);
  expect(counts.get("simulated_verification")).toBe(1);
  expect(counts.get("idempotency_record")).toBeGreaterThan(0);
  // Broken off and begun again, or done twice: nothing is left to do.
  const again = await rotateMasterKey(configWith(`b:${keys.second},a:${keys.first}`));
  expect([...again.values()].every((count) => count === 0)).toBe(true);
  await expect(start(`a:${keys.first}`)).rejects.toThrow("TRELLIS_MASTER_KEY lacks the key b");

  // The secrets of hashes, with the new master key: nobody notices.
  const replaced = await replaceSecretsOf(configWith(`b:${keys.second}`), secretPurposes, async () => {});
  expect(replaced.map(({ purpose, id, broken }) => [purpose, id, broken])).toEqual(
    secretPurposes.map((purpose) => [purpose, 1, 0]),
  );
  expect(replaced.find(({ purpose }) => purpose === "kms/authorization-key")?.moved).toBe(1);

  const after = await start(`b:${keys.second}`);
  try {
    const later = clientOf(after);
    expect(after.networks.get("sandbox")?.feePayer.address).toBe(feePayer);
    expect((await later.sandbox.outbox(email))[0]?.otp_code).toBe(mail?.otp_code);
    // What distinguishes a person from another one derives from what it did.
    expect(await later.kyc.start(account, person)).toMatchObject({ id: kycId, full_name: "Ada Lovelace" });
    const destination = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";
    const sent = await later.transfers.send({ account, session, currency: "sol", destination, amount: 5_000_000n });
    expect(sent.signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
  } finally {
    await after.close();
  }
});

it("knows every column of bytes: each is sealed, or named here as one that is not", async () => {
  const { db, close } = await openTestDatabase();
  try {
    const { rows } = await sql<{ name: string }>`select table_name || '.' || column_name as name
      from information_schema.columns where table_schema = current_schema() and data_type = 'bytea'`.execute(db);
    const plain = [
      "account_creation.client_key_fingerprint",
      "api_key.key_hash",
      "audit_entry.body_hash",
      "audit_entry.salt",
      "audit_entry.subject_hash",
      "chain_account.address",
      "chain_account.data",
      "chain_account.owner",
      "chain_address_signature.address",
      "chain_address_signature.signature",
      "chain_transaction.signature",
      "chain_transaction.wire_transaction",
      "idempotency_record.fingerprint",
      "kms_authorization_key.binding",
      "kms_authorization_key.public_key",
      "kms_ceremony.binding",
      "kms_ceremony.challenge",
      "kms_passkey.binding",
      "kms_passkey.last_stamp",
      "kms_passkey.public_key",
      "kms_payload.stamp_hash",
      "kms_wallet.binding",
      "kms_wallet_export.binding",
      "kms_wallet_export.recipient",
      "mail.recipient_hash",
      "member_passkey.public_key",
      "member_secret.secret_hash",
      "member_session.token_hash",
      "one_time_code.code_hmac",
      "passkey.public_key",
      "proposal.content",
      "rail_external_account.fingerprint",
      "rail_verification.email_key",
      "session.access_token_hash",
      "session.authorization_public_key",
      "session.client_public_key",
      "session.refresh_token_hash",
      "session.token_hash",
      "wallet_session.token_hash",
      "simulated_bank_account.fingerprint",
      "simulated_verification.email_key",
      "submission.wire_transaction",
      "tlog_refused.root",
      "tlog_refused.seen_root",
      "tlog_tile.hashes",
      "tlog_witnessed.root",
    ];
    const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
    expect(rows.map(({ name }) => name).sort()).toEqual([...plain, ...sealed].sort());
  } finally {
    await close();
  }
});

const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
const keys = { first: randomBytes(32).toString("base64"), second: randomBytes(32).toString("base64") };

const configWith = (masterKey: string) =>
  parseConfig({
    PORT: "0",
    TRELLIS_DATA_DIR: directory,
    TRELLIS_API_KEY: apiKey,
    TRELLIS_RATE_LIMIT: "0",
    TRELLIS_TENANT_RATE_LIMIT: "0",
    TRELLIS_LOG_LEVEL: "silent",
    TRELLIS_MASTER_KEY: masterKey,
    ...(place.url === undefined ? {} : { DATABASE_URL: place.url }),
  });

const start = (masterKey: string) => startService(configWith(masterKey), createLogger("silent"));

const clientOf = ({ url }: RunningService): TrellisClient =>
  createTrellisClient({ baseUrl: url, apiKey, environment: "sandbox" });
