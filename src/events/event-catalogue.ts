import Type, { type Static, type TSchema } from "typebox";
import { CoinDestination } from "../kernel/coin-destination.js";
import { TrellisError } from "../kernel/errors.js";
import { addressText, amountText, emailText, sha256Text, signatureText, uuidText } from "../kernel/wire-texts.js";
import { railTransferStates } from "../ports/rails.js";
import { type EventType, eventTypeNames, eventTypes } from "./event-types.js";

/** What an event of a type has as its `data.object`, and one made up (gap 90). */
export interface CatalogueEntry {
  readonly description: string;
  readonly schema: TSchema;
  readonly example: object;
}

const dateTime = Type.String({ format: "date-time" });
const maybe = (schema: TSchema) => Type.Optional(schema);
const at = "2026-01-15T12:00:00.000Z";
const wallet = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";
const account = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
const settings = "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj";
const id = "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10";
const signature = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";

const accountObject = Type.Object(
  {
    address: addressText(),
    grid_user_id: uuidText(),
    status: Type.Literal("active"),
    type: Type.Enum(["email", "signers", "custom"]),
    settings_address: addressText(),
    email: maybe(emailText()),
    memo: maybe(Type.String()),
    signers: Type.Array(Type.Object({ address: addressText(), role: Type.String(), provider: Type.String() }), {
      description: "As the service knows them; the policy itself is read from the chain.",
    }),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "AccountSnapshot" },
);
const accountExample: Static<typeof accountObject> = {
  address: account,
  grid_user_id: id,
  status: "active",
  type: "email",
  settings_address: settings,
  email: "ada@example.org",
  signers: [
    { address: wallet, role: "primary", provider: "kms_a" },
    { address: "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi", role: "backup", provider: "kms_b" },
  ],
  created_at: at,
  updated_at: at,
};

const creationObject = Type.Object(
  {
    id: Type.String(),
    grid_user_id: uuidText(),
    type: Type.String(),
    email: maybe(emailText()),
    created_at: dateTime,
  },
  { $id: "AccountCreationSnapshot" },
);

const transactionObject = Type.Object(
  {
    id: sha256Text({ description: "Of the message." }),
    transaction_signature: signatureText(),
    account: maybe(addressText()),
    purpose: Type.Enum(["transaction", "standing_order"]),
    status: Type.Enum(["confirmed", "failed", "expired"]),
    slot: maybe(Type.Integer()),
    confirmed_at: maybe(dateTime),
    error: maybe(Type.Unknown({ description: "The chain's error, as JSON-RPC has it." })),
    created_at: dateTime,
  },
  { $id: "TransactionSnapshot" },
);
const transaction = (status: "confirmed" | "failed" | "expired"): Static<typeof transactionObject> => ({
  id: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  transaction_signature: signature,
  account,
  purpose: "transaction",
  status,
  ...(status === "confirmed" ? { slot: 4_711, confirmed_at: at } : {}),
  ...(status === "failed" ? { error: { InstructionError: [1, { Custom: 1 }] } } : {}),
  created_at: at,
});

const endpointObject = Type.Object({}, { additionalProperties: true });
const intentObject = Type.Object(
  {
    id: Type.String(),
    state: Type.String({ description: "How far it has come." }),
    amount: amountText(),
    currency: Type.String(),
    source: endpointObject,
    destination: endpointObject,
    transaction_signature: maybe(signatureText()),
    confirmed_at: maybe(dateTime),
    error: maybe(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { $id: "PaymentFailure", description: "Of one that is canceled or in error: why nothing was paid." },
      ),
    ),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "PaymentIntentSnapshot" },
);
const intent = (state: string): Static<typeof intentObject> => ({
  id,
  state,
  amount: "5000000",
  currency: "usdc",
  source: { account, currency: "usdc" },
  destination: { address: wallet, currency: "usdc" },
  ...(state === "payment_processed" ? { transaction_signature: signature, confirmed_at: at } : {}),
  created_at: at,
  updated_at: at,
});

const transferObject = Type.Object(
  {
    account: addressText(),
    mint: addressText({ description: "The system program's address is SOL." }),
    amount: amountText(),
    decimals: Type.Integer(),
    from: addressText(),
    to: addressText(),
    token_account: maybe(addressText()),
    transaction_signature: signatureText(),
    confirmed_at: dateTime,
  },
  { $id: "ReceivedTransfer" },
);

const proposalObject = Type.Object(
  {
    proposalAddress: addressText(),
    status: Type.Enum(["Active", "Approved", "Executed", "Rejected", "Cancelled"]),
    statusTimestamp: Type.Number(),
    approved: Type.Array(addressText()),
    rejected: Type.Array(addressText()),
    cancelled: Type.Array(addressText()),
    consensusAccount: addressText(),
    consensusAccountType: Type.Literal("Settings"),
    blockTime: maybe(dateTime),
    lastModifiedSignature: maybe(signatureText()),
    mainAccountAddress: addressText(),
    settingsAddress: addressText(),
    transactionIndex: Type.Number(),
    stale: Type.Boolean(),
    closed: Type.Boolean(),
    reclaimedLamports: maybe(amountText()),
    createdAt: maybe(dateTime),
    creator: maybe(addressText()),
    kind: Type.Enum(["transaction", "settings", "batch", "unknown"]),
  },
  { $id: "ProposalSnapshot" },
);
const proposal = (status: Static<typeof proposalObject>["status"]): Static<typeof proposalObject> => ({
  proposalAddress: "3xLk6u4bT4bq1qvYhTzYc3TzUDZ5dC2TqYwQ9tqJkq6o",
  status,
  statusTimestamp: 1_768_478_400,
  approved: status === "Rejected" ? [] : [wallet],
  rejected: status === "Rejected" ? [wallet] : [],
  cancelled: status === "Cancelled" ? [wallet] : [],
  consensusAccount: settings,
  consensusAccountType: "Settings",
  blockTime: at,
  lastModifiedSignature: signature,
  mainAccountAddress: account,
  settingsAddress: settings,
  transactionIndex: 7,
  stale: false,
  closed: false,
  createdAt: at,
  creator: wallet,
  kind: "transaction",
});

const orderObject = Type.Object(
  {
    id: Type.String(),
    account: addressText(),
    status: Type.Enum(["pending", "active", "inactive", "completed", "cancelled"]),
    reason: maybe(Type.String()),
    mandate: Type.String(),
    amount: amountText({ description: "Of one payment." }),
    currency: Type.String(),
    frequency: Type.Enum(["daily", "weekly", "monthly"]),
    period: Type.Enum(["daily", "weekly", "monthly"]),
    payment_rail: Type.String(),
    source: endpointObject,
    destination: endpointObject,
    destinations: Type.Array(addressText()),
    start_date: dateTime,
    end_date: maybe(dateTime),
    occurrences: maybe(Type.Integer()),
    next_execution_date: maybe(dateTime),
    last_execution_date: maybe(dateTime),
    spending_limit_address: addressText(),
    executor_address: addressText(),
    proposal_address: maybe(addressText()),
    valid_until: dateTime,
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "StandingOrderSnapshot" },
);
const order = (status: Static<typeof orderObject>["status"]): Static<typeof orderObject> => ({
  id,
  account,
  status,
  ...(status === "inactive" ? { reason: "insufficient_balance" } : {}),
  mandate: status === "pending" ? "awaited" : "active",
  amount: "5000000",
  currency: "usdc",
  frequency: "monthly",
  period: "monthly",
  payment_rail: "solana",
  source: { account, currency: "usdc" },
  destination: { address: wallet, currency: "usdc" },
  destinations: [wallet],
  start_date: at,
  next_execution_date: at,
  spending_limit_address: settings,
  executor_address: wallet,
  valid_until: at,
  created_at: at,
  updated_at: at,
});

const runObject = Type.Object(
  {
    standing_order_id: uuidText(),
    account: addressText(),
    due_at: dateTime,
    status: Type.Enum(["paid", "failed", "missed"]),
    amount: Type.String(),
    currency: Type.String(),
    attempts: Type.Integer(),
    will_retry: Type.Boolean(),
    paid_at: maybe(dateTime),
    transaction_signature: maybe(signatureText()),
    error: maybe(Type.String()),
  },
  { $id: "StandingOrderRunSnapshot" },
);
const run = (status: "paid" | "failed" | "missed"): Static<typeof runObject> => ({
  standing_order_id: id,
  account,
  due_at: at,
  status,
  amount: "5000000",
  currency: "usdc",
  attempts: 1,
  will_retry: status === "failed",
  ...(status === "paid" ? { paid_at: at, transaction_signature: signature } : { error: "insufficient_balance" }),
});

const payoutObject = Type.Object(
  {
    id: Type.String(),
    standing_order_id: uuidText(),
    account: addressText(),
    due_at: dateTime,
    external_account_id: uuidText(),
    payment_rail: Type.String(),
    state: Type.Enum([...railTransferStates]),
    amount: Type.String({ description: "Of the coin, decimal, as the partner says." }),
    currency: Type.String(),
    destination_currency: Type.String(),
    transaction_signature: signatureText({ description: "Of the payment on chain." }),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "StandingOrderPayoutSnapshot" },
);
const payout = (state: "funds_received" | "returned"): Static<typeof payoutObject> => ({
  id,
  standing_order_id: id,
  account,
  due_at: at,
  external_account_id: id,
  payment_rail: "ach_push",
  state,
  amount: "25.00",
  currency: "usdc",
  destination_currency: "usd",
  transaction_signature: signature,
  created_at: at,
  updated_at: at,
});

const kycObject = Type.Object(
  {
    id: Type.String(),
    account: addressText(),
    type: Type.Enum(["individual", "business"]),
    status: Type.Enum(["not_started", "incomplete", "under_review", "approved", "rejected"]),
    tos_status: Type.Enum(["pending", "approved"]),
    endorsements: Type.Record(Type.String(), Type.Enum(["incomplete", "approved", "revoked"])),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "KycSnapshot", description: "Without names, links and reasons: those are read by GET." },
);
const kyc = (status: "not_started" | "approved"): Static<typeof kycObject> => ({
  id,
  account,
  type: "individual",
  status,
  tos_status: status === "approved" ? "approved" : "pending",
  endorsements: { base: status === "approved" ? "approved" : "incomplete" },
  created_at: at,
  updated_at: at,
});

const toUsdc: Static<typeof CoinDestination> = { address: account, currency: "usdc", payment_rail: "solana" };

const virtualAccountObject = Type.Object(
  {
    id: Type.String(),
    account: addressText(),
    grid_user_id: uuidText(),
    status: Type.Enum(["activated", "deactivated"]),
    currency: Type.String(),
    payment_rails: Type.Array(Type.String()),
    destination: CoinDestination,
    last_4: maybe(Type.String()),
    developer_fee_percent: Type.String(),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "VirtualAccountSnapshot", description: "Without its bank details: those are read by GET." },
);
const virtualAccount = (status: "activated" | "deactivated"): Static<typeof virtualAccountObject> => ({
  id,
  account,
  grid_user_id: id,
  status,
  currency: "usd",
  payment_rails: ["ach_push", "wire"],
  destination: toUsdc,
  last_4: "0042",
  developer_fee_percent: "0.5",
  created_at: at,
  updated_at: at,
});

const depositObject = Type.Object(
  {
    id: Type.String(),
    virtual_account_id: uuidText(),
    account: addressText(),
    state: Type.Enum(["scheduled", "received", "in_review", "submitted", "processed", "not_credited", "refunded"]),
    amount: Type.String({ description: "A decimal in the currency of the bank." }),
    currency: Type.String(),
    payment_rail: maybe(Type.String()),
    fees: maybe(
      Type.Object(
        { developer_fee: Type.String(), exchange_fee: Type.String(), gas_fee: Type.String() },
        { $id: "DepositFees" },
      ),
    ),
    destination: CoinDestination,
    transaction_signature: maybe(signatureText()),
    credited: Type.Boolean({ description: "Whether the chain shows its payment, final." }),
    received_amount: maybe(Type.String({ description: "Base units that arrived, as the chain says." })),
    confirmed_at: maybe(dateTime),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "DepositSnapshot", description: "Without its sender: that is read by GET." },
);
const deposit = (state: "received" | "processed"): Static<typeof depositObject> => ({
  id,
  virtual_account_id: id,
  account,
  state,
  amount: "250.00",
  currency: "usd",
  payment_rail: "ach_push",
  destination: toUsdc,
  ...(state === "received"
    ? { credited: false }
    : {
        fees: { developer_fee: "1.25", exchange_fee: "0.00", gas_fee: "0.00" },
        transaction_signature: signature,
        credited: true,
        received_amount: "248750000",
        confirmed_at: at,
      }),
  created_at: at,
  updated_at: at,
});

const externalAccountObject = Type.Object(
  {
    id: Type.String(),
    account: addressText(),
    account_type: Type.Enum(["us", "iban", "gb", "clabe", "pix"]),
    currency: Type.String(),
    last_4: Type.String(),
    active: Type.Boolean(),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "ExternalAccountSnapshot", description: "Without the owner's name, which is read by GET." },
);
const externalAccount = (active: boolean): Static<typeof externalAccountObject> => ({
  id,
  account,
  account_type: "us",
  currency: "usd",
  last_4: "6789",
  active,
  created_at: at,
  updated_at: at,
});

const entries: Readonly<Record<EventType, readonly [schema: TSchema, example: object]>> = {
  "account.created": [accountObject, accountExample],
  "account.updated": [accountObject, accountExample],
  "account.creation_failed": [
    creationObject,
    { id, grid_user_id: id, type: "email", email: "ada@example.org", created_at: at },
  ],
  "transaction.confirmed": [transactionObject, transaction("confirmed")],
  "transaction.failed": [transactionObject, transaction("failed")],
  "transaction.expired": [transactionObject, transaction("expired")],
  "payment_intent.created": [intentObject, intent("awaiting_funds")],
  "payment_intent.updated": [intentObject, intent("payment_processed")],
  "transfer.received": [
    transferObject,
    {
      account,
      mint: "11111111111111111111111111111111",
      amount: "1000000",
      decimals: 9,
      from: wallet,
      to: account,
      transaction_signature: signature,
      confirmed_at: at,
    },
  ],
  "proposal.created": [proposalObject, proposal("Active")],
  "proposal.voted": [proposalObject, proposal("Active")],
  "proposal.approved": [proposalObject, proposal("Approved")],
  "proposal.rejected": [proposalObject, proposal("Rejected")],
  "proposal.cancelled": [proposalObject, proposal("Cancelled")],
  "proposal.executed": [proposalObject, proposal("Executed")],
  "standing_order.created": [orderObject, order("pending")],
  "standing_order.activated": [orderObject, order("active")],
  "standing_order.deactivated": [orderObject, order("inactive")],
  "standing_order.completed": [orderObject, order("completed")],
  "standing_order.cancelled": [orderObject, order("cancelled")],
  "standing_order_run.paid": [runObject, run("paid")],
  "standing_order_run.failed": [runObject, run("failed")],
  "standing_order_run.missed": [runObject, run("missed")],
  "standing_order_payout.created": [payoutObject, payout("funds_received")],
  "standing_order_payout.updated": [payoutObject, payout("returned")],
  "kyc.created": [kycObject, kyc("not_started")],
  "kyc.updated": [kycObject, kyc("approved")],
  "virtual_account.created": [virtualAccountObject, virtualAccount("activated")],
  "virtual_account.updated": [virtualAccountObject, virtualAccount("deactivated")],
  "deposit.created": [depositObject, deposit("received")],
  "deposit.updated": [depositObject, deposit("processed")],
  "external_account.created": [externalAccountObject, externalAccount(true)],
  "external_account.updated": [externalAccountObject, externalAccount(false)],
  "external_account.deleted": [externalAccountObject, externalAccount(false)],
  "session.revoked": [
    Type.Object({
      id: Type.String(),
      grid_user_id: uuidText(),
      provider: Type.String(),
      reason: Type.Enum([
        "refresh_token_reused",
        "signed_out",
        "ended_by_holder",
        "ended_by_tenant",
        "ended_by_operator",
        "replaced",
        "idle",
      ]),
      revoked_at: dateTime,
    }),
    { id, grid_user_id: id, provider: "kms_a", reason: "signed_out", revoked_at: at },
  ],
  "fee_payer.low": [
    Type.Object({ address: addressText(), message: maybe(Type.String()) }),
    { address: wallet, message: "The fee payer holds too little." },
  ],
  "sponsorship.exhausted": [
    Type.Object({ budget: Type.String(), retry_after_seconds: maybe(Type.Integer()) }),
    { budget: "day", retry_after_seconds: 3_600 },
  ],
  "webhook_endpoint.disabled": [
    Type.Object({
      id: Type.String(),
      url: Type.String(),
      types: Type.Array(Type.String()),
      status: Type.Literal("disabled"),
      disabled_reason: Type.Enum(["gone", "failing"]),
    }),
    {
      id: "we_00000000000000000000000000000000",
      url: "https://example.org/hooks",
      types: ["*"],
      status: "disabled",
      disabled_reason: "failing",
    },
  ],
  "webhook.test": [Type.Object({}, { additionalProperties: true }), { message: "It works." }],
};

/** Every type with its schema and its example. */
export const eventCatalogue = Object.fromEntries(
  eventTypeNames.map((type) => {
    const [schema, example] = entries[type];
    return [type, { description: eventTypes[type], schema, example }];
  }),
) as Readonly<Record<EventType, CatalogueEntry>>;

/** The error for a type, or a filter, that no event is of: names those that are. */
export function unknownEventType(text: string, field: string): TrellisError {
  const [noun] = text.split(".");
  const near = eventTypeNames.filter((type) => type.split(".")[0] === noun);
  return new TrellisError("unknown_event_type", {
    field,
    message: `There are no events of type ${text}.`,
    suggestion: `There are: ${(near.length === 0 ? eventTypeNames : near).join(", ")}.`,
  });
}

/** A type that there is. Throws `unknown_event_type`. */
export function parseEventType(text: string): EventType {
  const found = eventTypeNames.find((type) => type === text);
  if (found === undefined) {
    throw unknownEventType(text, "type");
  }
  return found;
}
