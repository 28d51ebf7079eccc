import type { Contract } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import { coinTable } from "@trellis/kernel/ports/coins.js";
import { type JsonSchema, jsonSchemaOf } from "../../../src/http/json-schema.js";

/**
 * A value that fits the schema and resembles a real one: its own example, else made of those of its parts. What may be
 * absent is absent, unless it is all there is to say. `name` is that of the field it stands in.
 */
export function exampleOf(schema: JsonSchema, name = ""): unknown {
  const [own] = (schema.examples as readonly unknown[] | undefined) ?? [];
  if (own !== undefined) return own;
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = (schema.anyOf ?? schema.oneOf ?? []).filter((branch) => branch["x-other-spelling"] !== true);
  if (first) return exampleOf(first, name);
  if (schema.properties) {
    const fields = Object.entries(schema.properties).filter(([field]) => schema.required?.includes(field));
    return Object.fromEntries(fields.map(([field, inner]) => [field, exampleOf(inner, field)]));
  }
  if (schema.patternProperties) {
    const [inner] = Object.values(schema.patternProperties);
    return inner ? { [namesInRecords[name] ?? "name"]: exampleOf(inner, name) } : {};
  }
  switch (schema.type) {
    case "string":
      return exampleText(schema, name);
    case "integer":
    case "number":
      return Math.max(Number(schema.minimum ?? 0), numbers[name] ?? 0);
    case "boolean":
      return false;
    case "null":
      return null;
    case "array": {
      const items = schema.items as JsonSchema | undefined;
      return items ? [exampleOf(items, name.replace(/s$/, ""))] : [];
    }
    default:
      return {};
  }
}

/** A body that the operation takes: what it is mostly asked, or the form of its schema's fields. */
export function exampleOfBody({ operation, body }: Contract): unknown {
  return bodies[operation] ?? (body ? exampleOf(jsonSchemaOf(body)) : undefined);
}

/** The body of an operation's success. */
export function exampleOfAnswer({ response }: Contract): unknown {
  const data = exampleOf(jsonSchemaOf(response.schema));
  if (!response.envelope) return data;
  return {
    data,
    metadata: { request_id: "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11", timestamp: "2026-01-15T12:00:00.000Z" },
  };
}

const account = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
const wallet = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";
const settings = "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj";
const mint = coinTable.usdc.mints.devnet;
const instant = "2026-01-15T12:00:00.000Z";
const id = "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10";
const signature = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";
const bytes = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const spki =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==";

const payment = {
  amount: "1000000",
  source: { account, currency: "usdc" },
  destination: { address: wallet, currency: "usdc" },
};
const key = { name: "Server", scopes: ["accounts:read", "payments:write"], environments: ["sandbox"] };
const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

/** What operations are asked whose bodies say little by the fields that have to be there. */
const bodies: Readonly<Record<string, unknown>> = {
  createCustomAccount: {
    policies: {
      signers: [
        { type: "email", email: "ada@example.org", provider: "kms_a", permissions: everything },
        { type: "pubkey", address: wallet, permissions: everything },
      ],
      threshold: 2,
      time_lock: 3_600,
    },
    memo: "treasury",
  },
  importAccount: { settings_address: settings, email: "ada@example.org" },
  releaseAccount: {},
  protectAccount: { recovery: { address: wallet } },
  renewWallets: { wallet_nonce: "5e".repeat(32) },
  createStandingOrder: { ...payment, frequency: "monthly" },
  createProposal: {
    type: "transfer",
    signer: wallet,
    amount: "1000000",
    currency: "usdc",
    destination: wallet,
    approve: true,
  },
  refreshSession: {
    encryption_public_key: spki,
    kms_payload: { provider: "kms_a", session: { KmsA: { refresh_token: "rt_1" } } },
  },
  preparePayment: payment,
  addExternalAccount: {
    account_type: "iban",
    currency: "eur",
    account_owner_name: "Ada Lovelace",
    iban: { account_number: "DE89370400440532013000", country: "DEU" },
  },
  createSpendingLimit: {
    amount: "100000000",
    mint: "usdc",
    period: "week",
    spending_limit_signers: [wallet],
    destinations: [mint],
  },
  createLegacyPaymentIntent: payment,
  confirmLegacyPaymentIntent: {
    intent_payload: bytes,
    mpc_payload: '{"provider":"kms_a","signature":"MEUCIQDxyz0="}',
  },
  updateWebhookEndpoint: { status: "enabled", types: ["payment_intent", "proposal.created"] },
  rotateWebhookSecret: { overlap_seconds: 3_600 },
  testWebhookEndpoint: { type: "payment_intent.updated" },
  replayEvents: { failed_since: instant },
  createApiKey: key,
  inviteMember: { email: "ada@example.com", role: "developer" },
  updateMember: { role: "viewer" },
  createTenant: { id: "shop", name: "The shop" },
  createTenantApiKey: key,
  sandboxAirdrop: { address: account, currency: "usdc", amount: "250000000" },
  sandboxSetKyc: { status: "approved" },
  sandboxMoveTransfer: { state: "funds_received" },
  sandboxSetFaults: { drop: 1 },
};

const numbers: Readonly<Record<string, number>> = {
  threshold: 1,
  size: 1,
  transactionIndex: 7,
  transaction_index: 7,
  statusTimestamp: 1_768_478_400,
  created_at: 1_768_478_400_000,
  expires_at: 1_768_564_800_000,
  decimals: 6,
  sequence: 4_711,
  slot: 4_711,
};

/** What fields hold, by their name: the same thing has the same name everywhere. */
const texts: Readonly<Record<string, string>> = {
  account,
  address: account,
  amount: "1000000",
  amount_decimal: "1",
  bank_account_number: "000123456789",
  ciphertext: bytes,
  creator: wallet,
  credential_bundle: "2VfUX",
  currency: "usdc",
  customer_id: "cust_1",
  data: bytes,
  destination: wallet,
  developer_fee: "0",
  developer_fee_percent: "0.5",
  email: "ada@example.org",
  encapsulated_key: bytes,
  encryption_public_key: spki,
  auth_public_key: spki,
  encryption_type: "HPKE",
  from: account,
  from_address: account,
  full_name: "Ada Lovelace",
  account_owner_name: "Ada Lovelace",
  kms_a_access_token: "kat_1",
  kyc_id: id,
  lamports: "10000",
  last_4: "6789",
  main_account_address: account,
  mainAccountAddress: account,
  memo: "rent",
  message: "Sign this text.",
  mint,
  mint_address: mint,
  mpc_primary_id: id,
  new_signer: wallet,
  oldSigner: wallet,
  owner_id: id,
  otp_code: "042137",
  otp_id: id,
  owner: wallet,
  paid_by: settings,
  payer: settings,
  payer_address: wallet,
  payload: bytes,
  payment_rail: "solana",
  program: "11111111111111111111111111111111",
  proposal: settings,
  proposalAddress: settings,
  public_key: wallet,
  receipt: "0",
  recipient_address: wallet,
  refresh_token: "rt_1",
  rent_lamports: "0",
  secret: "whsec_AAAA",
  settings,
  settings_address: settings,
  settingsAddress: settings,
  consensusAccount: settings,
  signature,
  signer: wallet,
  signer_address: wallet,
  signer_id: wallet,
  signers: wallet,
  account_signer: wallet,
  transaction_signer: wallet,
  spending_limit_signer: wallet,
  smart_account_address: account,
  smart_account_signer_public_key: wallet,
  spending_limit: settings,
  spending_limit_address: settings,
  spendingLimit: settings,
  executor_address: wallet,
  standing_order_id: id,
  to: wallet,
  to_address: wallet,
  token_account: mint,
  token_address: mint,
  transaction: bytes,
  transaction_signature: signature,
  ui_amount: "1",
  url: "https://example.org/hooks",
  user_id: id,
  wallet_id: id,
  wallet_nonce: "5e".repeat(32),
};

/** Of objects whose fields are not declared one by one: one of their fields. */
const namesInRecords: Readonly<Record<string, string>> = {
  checks: "database",
  endorsements: "base",
  receipt: "gas_fee",
};

const kinds: Readonly<Record<string, string>> = {
  Address: wallet,
  Amount: "1000000",
  Base64Signature: "MEUCIQDxyz0=",
  DateOrTime: "2026-01-31",
  Decimal: "1.00",
  HexSignature: "3045022100f1cb3d",
  Sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  Signature: signature,
};

function kindOf({ $id = "", pattern }: JsonSchema): string {
  const text = kinds[$id];
  assertOurs(text !== undefined, `no example has the form ${$id} ${pattern}`);
  return text;
}

function exampleText(schema: JsonSchema, name: string): string {
  if (schema.format === "date-time") return instant;
  if (schema.format === "uuid") return id;
  const named = texts[name] ?? "text";
  // A field that is called like no other of its kind has the example of all of its kind.
  const text =
    typeof schema.pattern !== "string" || new RegExp(schema.pattern, "u").test(named) ? named : kindOf(schema);
  const { minLength = 0, maxLength = text.length } = schema as { minLength?: number; maxLength?: number };
  assertOurs(text.length >= minLength && text.length <= maxLength, `no example fits the field ${name}`);
  return text;
}
