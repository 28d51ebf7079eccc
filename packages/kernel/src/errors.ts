/**
 * Every error a caller can meet: code -> HTTP status and public text (interface 7, gap 3). Codes are permanent: clients
 * branch on them. The text may be made more exact where the error is thrown, never less.
 */
export const errorCatalogue = {
  // The request itself
  malformed_json: [400, "The request body is not valid JSON."],
  invalid_request: [400, "The request is not valid."],
  route_not_found: [404, "There is no such path."],
  method_not_allowed: [405, "This path does not know that method."],
  body_too_large: [413, "The request body is larger than allowed."],
  unsupported_media_type: [415, "Send the body as application/json."],
  expectation_failed: [417, "The Expect header asks for something this server does not know."],
  request_timeout: [408, "The request did not arrive in time."],
  headers_too_large: [431, "The request's headers are larger than allowed."],
  uri_too_long: [414, "The path or a part of it is too long."],
  daily_limit_exceeded: [429, "The tenant has left as much in the database today as it may in a day."],
  rate_limit_exceeded: [429, "Too many requests. Try again after the time in the retry-after header."],

  // API keys and environments
  api_key_required: [401, "Send an API key as `Authorization: Bearer <API_KEY>`."],
  invalid_api_key: [401, "This API key is not known."],
  api_key_disabled: [401, "This API key has been disabled."],
  api_key_expired: [401, "This API key has expired."],
  insufficient_scope: [403, "This API key lacks the scope this operation needs."],
  address_not_allowed: [403, "This API key may not be used from this address."],
  origin_not_allowed: [403, "This publishable key may not be used from this page."],
  not_for_agents: [403, "The API key of an agent may not call this operation."],
  agent_key_required: [403, "This takes the API key of an agent."],
  secret_key_required: [403, "A publishable key may not call this operation."],
  sign_in_required: [401, "Sign in to the console."],
  foreign_page: [403, "A page of another site may not act for a member of the console."],
  fresh_sign_in_required: [403, "This takes a session that began in the last 15 minutes. Sign in again."],
  invalid_csrf_token: [403, "Send the csrf_token of the console's session in the x-csrf-token header."],
  invalid_sign_in_link: [400, "This link was used, has expired, or was replaced. Ask for another one."],
  member_not_found: [404, "The tenant has no such member."],
  member_exists: [409, "This address is a member already."],
  member_limit: [409, "The tenant has the most members that it can have."],
  last_owner: [409, "It is the last active owner. Make another member an owner first."],
  session_required: [401, "Send the session's token in the x-session-token header."],
  invalid_session: [401, "This session is not good for this any more. Refresh it, or sign in again."],
  tenant_frozen: [503, "The tenant is being moved to another installation: it can be read here, and nothing else."],
  api_key_not_found: [404, "There is no such API key."],
  audit_event_not_found: [404, "There is no such entry of the audit log."],
  request_not_found: [404, "The tenant has no such request of the last day."],
  tenant_not_found: [404, "There is no such tenant."],
  proposal_mails_not_found: [404, "This tenant has no mails about proposals turned on."],
  treasury_page_not_found: [404, "This tenant has no treasury pages."],
  tenant_exists: [409, "There is a tenant of this id already."],
  api_key_limit: [409, "The tenant has the most active API keys of this kind that it can have."],
  environment_required: [400, "Name the environment in the x-service-environment header."],
  invalid_environment: [400, "The x-service-environment header must be sandbox, devnet, mainnet or production."],
  environment_not_available: [400, "This environment is not available here."],

  // Idempotency
  invalid_idempotency_key: [400, "An idempotency key has 1 to 255 printable ASCII characters."],
  idempotency_key_reused: [
    422,
    "This idempotency key was used with another request. Use a fresh key for a new request.",
  ],
  idempotency_in_progress: [
    409,
    "A request with this idempotency key is still running. Retry shortly with the same key.",
  ],

  // Accounts
  invalid_email: [400, "This is not a plain e-mail address."],
  grid_account_already_exists_for_user: [400, "Email associated with grid account already exists"],
  account_not_found: [404, "Smart account not found"],
  account_served_elsewhere: [409, "Another tenant of this service has this account already."],
  invalid_import_proof: [400, "This does not prove that a signer of the account wants it to be served here."],
  account_not_releasable: [409, "This account was created here, so it cannot be released."],
  account_in_use: [409, "Something of the account has not ended yet. End it first."],
  invalid_release_proof: [400, "This does not prove that a signer of the account wants it to be released here."],
  invalid_policies: [400, "The account policy is not valid."],
  invalid_address: [400, "This is not a valid address."],
  forbidden_account: [400, "The request names an account that it must not use."],
  label_not_found: [404, "This address has no label here."],
  label_name_taken: [409, "Another address has this name already, or one that looks like it."],
  label_limit: [409, "There are as many labels here as there can be."],
  account_creation_failed: [502, "The account could not be created on chain. Ask for a new code and try again."],
  creation_queue_full: [503, "Too many accounts are being created at the moment. Try again shortly."],
  account_ambiguous: [400, "This user has several accounts. Name one in smart_account_address."],

  // Codes and sessions
  user_not_found: [404, "User not found"],
  invalid_otp: [400, "Invalid email and code combination"],
  otp_expired: [400, "This code has expired. Ask for a new one."],
  otp_attempts_exceeded: [400, "Too many wrong codes. Ask for a new code."],
  otp_address_blocked: [429, "Too many wrong codes for this address. Try again later."],
  mail_limit_exceeded: [429, "Too many codes were sent to this address. Try again later."],
  mail_unavailable: [502, "The e-mail could not be sent. Try again later."],
  invalid_encryption_public_key: [400, "encryption_public_key must be a base64 SPKI DER P-256 public key."],
  invalid_expiration: [400, "The expiration must lie in the future and at most 30 days ahead."],
  provider_not_available: [400, "This provider is not available here."],
  guardian_not_configured: [409, "This service has no guardian, so no account here can be guarded."],
  guardian_change_not_found: [404, "No such change waits at the guardian."],
  guardian_change_over: [409, "The guardian has signed this change already, or its time is over."],
  guardian_policy_changed: [
    409,
    "The guardian has another version of the policy than the one to be replaced. Read it again.",
  ],
  invalid_guardian_policy: [400, "The guardian knows no such policy."],
  provider_unavailable: [502, "The key custodian cannot be reached at present."],
  session_expired: [401, "The session key is expired. Authenticate again."],
  session_not_found: [404, "There is no such session of this account."],
  passkeys_not_configured: [
    409,
    "Passkeys belong to a domain, and the tenant has set none. Set it at /api/service/v1/relying-party.",
  ],
  invalid_registration: [400, "This registration of a passkey is not the answer to a ceremony that is open."],
  invalid_passkey: [401, "This passkey signs nobody in."],
  invalid_wallet_signature: [401, "This signature signs nobody in."],
  passkey_required: [401, "This user signs in with the code and a passkey. Send the passkey's assertion, too."],
  passkey_exists: [409, "This passkey commands a wallet already."],
  passkey_limit: [409, "The wallet has the most passkeys that it can have."],
  last_passkey: [409, "It is the only passkey of a wallet that obeys nothing else. Add another one first."],
  passkey_not_found: [404, "There is no such passkey of this account."],
  passkey_ceremony_not_found: [404, "There is no such challenge here, or it is over. Ask for a new one."],
  passkey_challenge_over: [409, "The chain does not take this challenge any more. Ask for a new one."],
  passkey_challenge_used: [409, "This challenge was used for something else. Ask for a new one."],
  invalid_passkey_assertion: [400, "This is not a passkey's answer to the challenge."],
  passkey_account_exists: [409, "This passkey has its account on chain already. Open a session for it."],
  passkey_account_not_found: [404, "There is no account of this passkey on chain."],
  passkey_session_required: [
    403,
    "This passkey has no session on chain that its session key could sign for. Open one.",
  ],
  passkey_signature_required: [403, "The wallet has a passkey: this is for a passkey to sign."],
  wallet_export_not_found: [404, "There is no such export of a wallet of this account."],
  wallet_export_open: [409, "An export of this wallet is open already."],
  wallet_export_over: [409, "This export is over."],
  wallet_import_not_found: [404, "There is no such import of a key for this account."],
  wallet_key_held: [409, "This key is held here already."],
  invalid_wallet_key: [400, "What was sealed is not the key of this address."],
  session_key_mismatch: [401, "This session was opened for another public key."],
  invalid_refresh_token: [401, "This refresh token is not valid any more. Authenticate again."],
  refresh_conflict: [
    409,
    "This refresh token has just been traded by another call. Use the session that call was answered with.",
  ],

  // Changing the settings
  admin_required: [400, "The account's admin alone changes its settings. Ask for it with admin=true."],
  account_has_no_admin: [400, "The account has no admin and can never have one: its signers decide."],
  no_changes: [400, "There is nothing to change."],

  // Proposals
  proposal_not_found: [
    404,
    "The account has no such proposal. One that was prepared exists once it has been submitted.",
  ],
  proposal_account_mismatch: [403, "The proposal belongs to another account."],
  proposal_index_conflict: [409, "Another proposal used this index meanwhile. Prepare it again."],
  transaction_buffer_conflict: [409, "The transaction buffer is not as this needs it. Prepare the proposal again."],
  already_voted: [409, "Every signer named has already cast this vote."],
  invalid_proposal_status: [409, "The proposal's status does not allow this."],
  stale_proposal: [409, "The account's settings changed after this proposal was made, so it can no longer be decided."],
  unreadable_content: [
    409,
    "What would be executed cannot be read here, so it is approved only where `approve_unreadable` says so.",
  ],
  undecided_content: [409, "What would be executed is not decided yet: it can be rejected, and not approved here."],
  time_lock_not_released: [409, "The time lock has not ended yet."],
  invalid_cursor: [400, "This cursor was not handed out here."],

  // Spending limits
  spending_limit_not_found: [404, "The account has no such spending limit."],
  spending_limit_exceeded: [400, "The spending limit does not allow as much at present."],
  spending_limit_expired: [400, "The spending limit has expired."],
  destination_not_allowed: [400, "The spending limit does not allow payments to this address."],
  // Payments
  payment_intent_not_found: [404, "The account has no such payment intent."],

  // Standing orders
  standing_orders_not_available: [400, "There are no standing orders in this environment: it has no executor."],
  standing_order_not_found: [404, "The account has no such standing order."],
  standing_order_limit_exceeded: [409, "The account has as many open standing orders as it may."],
  invalid_standing_order_status: [409, "The standing order's status does not allow this."],
  start_date_in_past: [400, "The start date lies more than five minutes back."],

  // Preparing
  proposal_required: [409, "These signers cannot act at once. Create a proposal instead."],
  transaction_too_large: [400, "The transaction does not fit into 1232 bytes."],
  insufficient_balance: [400, "The account does not hold enough."],
  rent_not_sponsored: [
    400,
    "The service does not pay the rent of accounts that others can close for this account. Fund the account with SOL, or pay with a key of your own.",
  ],
  unsupported_currency: [400, "This currency is not known here."],
  mint_paused: [400, "The currency's issuer has paused all transfers."],
  source_frozen: [400, "The account's token account is frozen by the currency's issuer."],
  destination_frozen: [400, "The payee's token account is frozen by the currency's issuer."],
  destination_closed: [400, "The payee's token account does not take this payment, or is not the payee's any more."],
  destination_unconfirmed: [400, "No key signs for this address. Confirm that a program is to be paid."],
  memo_required: [400, "The payee's token account takes payments with a memo only."],
  unsupported_fee_config: [400, "This fee configuration is not supported."],
  rail_not_available: [400, "This payment rail is not available here."],

  // Banks
  kyc_required: [403, "The partner needs more of this account's holder first. The details name what is missing."],
  kyc_not_found: [404, "The account has no such verification."],
  virtual_account_exists: [409, "The account has a virtual account in this currency."],
  virtual_account_deactivated: [409, "The virtual account is deactivated: it takes no money."],
  virtual_account_not_found: [404, "The account has no such virtual account."],
  external_account_not_found: [404, "The account has no such external account."],
  rail_transfer_not_found: [404, "There is no such transfer of a partner."],
  partner_refused: [400, "The partner refuses this."],
  partner_unavailable: [
    502,
    "The partner cannot be reached at present. Repeat the request, with the same idempotency key.",
  ],
  money_on_its_way: [
    409,
    "Money of this account is on its way or waited for, or something is open at the partner. Try again when that has ended.",
  ],
  invalid_amount: [400, "The amount must be a positive whole number of base units, as a decimal string."],

  // Submitting
  invalid_transaction: [400, "This is not a valid serialized transaction."],
  transaction_not_prepared: [400, "This transaction was not prepared here for this account."],
  missing_signature: [400, "A required signature is missing."],
  invalid_signature: [400, "A signature does not verify."],
  wrong_signing_key: [400, "The payload was signed with the encryption key instead of the authorization key."],
  payload_expired: [400, "The payload has expired. Prepare the transaction again."],
  payload_already_used: [400, "The payload has been used for another transaction."],
  blockhash_expired: [400, "The transaction's blockhash has expired. Prepare the transaction again."],
  transaction_failed: [400, "The transaction failed on chain."],
  guardian_refused: [403, "The guardian does not sign this, by the wallet's policy."],
  insufficient_permissions: [403, "The signers do not hold the permissions or the threshold this needs."],
  submission_in_progress: [409, "This transaction is being submitted. Ask again shortly."],
  sponsorship_limit_exceeded: [429, "The budget for sponsored fees is used up."],
  chain_unavailable: [502, "The chain cannot be reached at present."],

  // Events
  event_not_found: [404, "There is no such event, or it is no longer kept."],
  unknown_event_type: [400, "There are no events of this type."],
  webhook_endpoint_not_found: [404, "There is no such webhook endpoint."],
  invalid_webhook_url: [400, "Events cannot be sent to this URL."],
  webhook_endpoint_limit: [409, "The tenant has the most webhook endpoints that it can have."],
  webhook_endpoint_disabled: [409, "The webhook endpoint is disabled. Enable it first."],
  secret_rotation_pending: [409, "The former secret is still in force. Wait until it is over, or end it at once."],

  // Sandbox
  advance_too_far: [400, "The clock can be moved forward by at most 400 days a call."],

  internal_error: [500, "Something went wrong on our side. Quote the request id when you report it."],
  service_unavailable: [503, "The service is not ready. Try again shortly."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof errorCatalogue;

/** One entry of an error body's `details`: gap 3. */
export interface ErrorDetail {
  field?: string;
  code: string;
  message: string;
  suggestion?: string;
  documentation?: string;
  /** Further facts a program can use: logs, sizes, instants. */
  [fact: string]: unknown;
}

/**
 * The one error that reaches callers. Thrown where a rule is broken, caught by the HTTP error handler and by the loop
 * of the multiple submit.
 */
export class TrellisError extends Error {
  override readonly name = "TrellisError";
  readonly status: number;
  readonly details: readonly ErrorDetail[];
  /** Seconds after which a retry makes sense, where known. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether an execution ended with this, and not a check in front of it: such an answer is final (gap 6). */
  readonly isOutcome: boolean;

  constructor(
    readonly code: ErrorCode,
    more: {
      message?: string;
      field?: string;
      suggestion?: string;
      facts?: Record<string, unknown>;
      details?: readonly ErrorDetail[];
      retryAfterSeconds?: number;
      isOutcome?: boolean;
      cause?: unknown;
    } = {},
  ) {
    const [status, text] = errorCatalogue[code];
    super(more.message ?? text, more.cause === undefined ? undefined : { cause: more.cause });
    this.status = status;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.isOutcome = more.isOutcome ?? false;
    // details[0] repeats code and text, because some clients show only that.
    this.details = more.details ?? [
      {
        ...(more.field === undefined ? {} : { field: more.field }),
        code: code === "otp_address_blocked" ? "otp_attempts_exceeded" : code,
        message: this.message,
        ...(more.suggestion === undefined ? {} : { suggestion: more.suggestion }),
        ...more.facts,
      },
    ];
  }
}

/** The code as the wire shows it: two conditions share `otp_attempts_exceeded` under different statuses (gap 22). */
export function wireCode(code: ErrorCode): string {
  return code === "otp_address_blocked" ? "otp_attempts_exceeded" : code;
}

/** A broken promise of our own code: answered as internal_error and logged with its stack. */
export class AssertionFailed extends Error {
  override readonly name = "AssertionFailed";
}

/** States something our own code guarantees. */
export function assertOurs(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message);
}
