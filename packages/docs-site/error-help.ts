import type { ErrorCode } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { builtInNames } from "../../src/custody/custodians.js";

/** What leads to an error, and what ends it: [cause, what to do]. For the catalogue of errors in the documentation. */
export const errorHelp: Readonly<Record<ErrorCode, readonly [cause: string, remedy: string]>> = {
  malformed_json: [
    "The body could not be parsed.",
    "Send one JSON value, encoded as UTF-8, without trailing commas, and with each name once in an object.",
  ],
  invalid_request: [
    "A field is missing, has another type, or lies outside its bounds.",
    "Read `details`: each entry names the field, what is wrong with it, and often what to send instead.",
  ],
  route_not_found: ["The path is mistyped, or belongs to another version.", "Compare it with the API's pages."],
  method_not_allowed: ["The path exists for other methods.", "Use one of those that the `allow` header lists."],
  body_too_large: [
    "The body exceeds the largest size that is accepted.",
    "Send less at once, for example fewer transactions.",
  ],
  unsupported_media_type: [
    "The `content-type` header names something else than JSON.",
    "Send `content-type: application/json`.",
  ],
  expectation_failed: ["A client library sent an Expect header.", "Leave the header out."],
  request_timeout: ["The request stopped on its way.", "Send it again, under the same idempotency key."],
  headers_too_large: ["All headers together are too large.", "Send fewer or shorter headers; cookies are not needed."],
  uri_too_long: ["A path parameter is longer than any address.", "Check what is put into the path."],
  rate_limit_exceeded: [
    "This key, this address or this session sent too many requests.",
    "Wait as long as `retry-after` says. `TRELLIS_RATE_LIMIT` is the operator's number for a key, `TRELLIS_TENANT_RATE_LIMIT` that for all keys of a tenant.",
  ],
  daily_limit_exceeded: [
    "The tenant's requests that prepare or change something have used up the day's number, whatever the keys.",
    "Wait for the next day (UTC), or ask the operator: `TRELLIS_TENANT_DAILY_WRITES` is the number.",
  ],
  tenant_frozen: [
    "The operator has frozen the tenant, to move it to another installation.",
    "Nothing has happened. Send it again there, or here once the operator has run `trellis tenant unfreeze`.",
  ],
  api_key_required: ["The request has no key.", "Send `Authorization: Bearer <API_KEY>`."],
  invalid_api_key: [
    "The key is mistyped, or belongs to another service.",
    "Copy it again, or have a new one made: `trellis api-key create`.",
  ],
  api_key_disabled: [
    "The key was revoked or is not configured any more, or its tenant is disabled.",
    "Use another key of the tenant, or have one made.",
  ],
  api_key_expired: ["The key's time is over.", "Have a new one made."],
  insufficient_scope: ["The key was made for other operations.", "Use a key with the scope that the message names."],
  address_not_allowed: [
    "The key is limited to addresses, and the request came from another.",
    "Call from one of its `allowed_addresses`; behind a proxy the service needs `TRELLIS_TRUST_PROXY`.",
  ],
  origin_not_allowed: [
    "A publishable key is for pages of its `allowed_origins`, and the `Origin` header names none of them.",
    "Make a key that lists the page's origin, exactly as the browser sends it; on a server use a secret key.",
  ],
  not_for_agents: [
    "The key was made for an agent. It reads, proposes and pays by an allowance; it does nothing else. That holds for what it submits, too.",
    "Have a person do it, in the treasury, or a server with a key of its own.",
  ],
  agent_key_required: [
    "`/mcp`, and the tools of `trellis mcp`, take keys of the type `agent` alone: they may do little, and every call has an agent's name in the audit log.",
    "Make one: `POST /api-keys` with `type` `agent`, or `trellis agent create`.",
  ],
  secret_key_required: [
    "A publishable key signs in, prepares, submits, and reads what is its holder's if it was made to; it does nothing else.",
    "Call this from a server, with a secret key.",
  ],
  session_required: [
    "The operation acts for a user who is signed in, and the request has no session.",
    "Send the `token` of the session as `x-session-token`.",
  ],
  invalid_session: [
    "The session has ended, was replaced, or is of another tenant or environment.",
    "Refresh the session, or sign in again.",
  ],
  api_key_not_found: [
    "The tenant has no key with this id that the asking key may see.",
    "Ask `GET /api-keys` with a key for the same environments.",
  ],
  request_not_found: [
    "The tenant has made no request with this id within the last day, it was a read that succeeded, it is of an environment that the key does not open, or it was dropped under load.",
    "Ask `GET /requests` with the same key.",
  ],
  audit_event_not_found: [
    "The audit log has no entry with this index, or it is of another tenant, or of an environment that the key does not open.",
    "Ask `GET /audit-events` with the same key.",
  ],
  proposal_mails_not_found: [
    "The tenant's members get no mails about proposals.",
    "Turn them on with `PUT /proposal-mails`.",
  ],
  treasury_page_not_found: [
    "The tenant has no treasury pages, or there is no such tenant.",
    "Turn them on with `PUT /treasury-page`.",
  ],
  tenant_not_found: ["No tenant has this id.", "Ask `GET /tenants`, or make it with `POST /tenants`."],
  tenant_exists: [
    "A tenant of this id was made before, by a command or by another call.",
    "Choose another id, or use that tenant if you meant it.",
  ],
  api_key_limit: [
    `The tenant has ${limits.apiKeysMax} keys of this kind, test or live, in force.`,
    "Revoke keys that are not in use; the list says when each was used last.",
  ],
  sign_in_required: [
    "The request has no session of the console, or one that has ended: after 12 hours without a request, after seven days, or because the member was disabled.",
    "Sign in at `/console/`. What is no page sends an API key.",
  ],
  foreign_page: [
    "The browser says that a page of another origin made the request. A session of the console is for the console's own pages.",
    "Call from a server with an API key. Behind a proxy set `TRELLIS_PUBLIC_URL` to the address that people open.",
  ],
  fresh_sign_in_required: [
    "A member's passkeys are changed soon after signing in, so that a page that was left open does not change them.",
    "Sign out and in again, and repeat the change.",
  ],
  invalid_csrf_token: [
    "A change that was made with the console's cookie lacks the session's token, or has another session's.",
    "Send `csrf_token` of `GET /console/session` as `x-csrf-token`.",
  ],
  invalid_sign_in_link: [
    "A link works once. Invitations are good for seven days and others for 15 minutes, and a new one replaces the one before.",
    "Have the member invited again, or print a link: `trellis console link --email …`.",
  ],
  member_not_found: [
    "The tenant has no member of this id that the caller may see.",
    "List the members; a member who reaches more environments than the caller is not shown to it.",
  ],
  member_exists: [
    "A member of this address has accepted an invitation before, or a command has made it an operator.",
    "Change the member instead. A member who cannot sign in is given a link by a command.",
  ],
  member_limit: [`The tenant has ${limits.membersMax} members.`, "Remove members who are not needed."],
  last_owner: [
    "Without an active owner nobody at the tenant could invite or change members.",
    "Make another active member an owner first.",
  ],
  environment_required: [
    "The key is good for several environments.",
    "Send `x-service-environment: sandbox` (or `devnet`, `mainnet`).",
  ],
  invalid_environment: [
    "The header names no environment.",
    "Send one of `sandbox`, `devnet`, `mainnet`, `production`; the last two are the same.",
  ],
  environment_not_available: [
    "This service does not run the environment, or the key is not good for it.",
    "Ask `/readyz` which environments there are.",
  ],
  invalid_idempotency_key: ["The header is empty, too long, or not ASCII.", "Use a UUID."],
  idempotency_key_reused: [
    "The key belongs to another request.",
    "Draw a fresh key for every request; repeat a key with the very same request only.",
  ],
  idempotency_in_progress: [
    "The first request under this key has not ended.",
    "Repeat it after `retry-after`, with the same key: you get the first one's answer.",
  ],
  invalid_email: ["The address has a form that is not accepted.", "Send one plain address, such as `ada@example.org`."],
  grid_account_already_exists_for_user: [
    "The address has an account.",
    "Sign in: `POST /auth`, then `POST /auth/verify`.",
  ],
  account_not_found: [
    "No account of your tenant has this address in this environment, or it is imported and no signer has given a proof yet.",
    "Check `x-service-environment`: accounts of the sandbox are not on mainnet.",
  ],
  account_served_elsewhere: [
    "Another tenant of this service has the account: an account has one tenant, and a proof changes nothing about that.",
    "Use a key of that tenant, or have that tenant release it (`POST …/release`). Ask the operator of the service who it is.",
  ],
  invalid_import_proof: [
    "The proof is no signature of a present signer of this account, or its challenge is older than 15 minutes.",
    "Ask for a new `challenge`, sign the UTF-8 bytes of its `message` with the signer's Ed25519 key (of a passkey: the key of its open session), and send the signature in base64.",
  ],
  account_not_releasable: [
    "The account was created by this service: only an account that was imported can be released.",
    "Have its owners export their keys, or have the operator move the tenant.",
  ],
  account_in_use: [
    "`obstacles` names what of the account has not ended: transactions, orders, payments, exports, or data of bank rails.",
    "End each of them, wait until it has ended, and repeat the call: without `proof` for a new `challenge` where the last one is older than 15 minutes.",
  ],
  invalid_release_proof: [
    "The proof is no signature of a present signer over the `challenge` of a release of this account, or is older than 15 minutes.",
    "Call it without `proof`, sign the UTF-8 bytes of `challenge.message` with the signer's Ed25519 key (of a passkey: the key of its open session), and send it in base64.",
  ],
  invalid_policies: ["No account can have this policy.", "Read the message: it says which rule is broken."],
  invalid_address: [
    "The text is no address, or one that cannot be meant: no key can sign for it, or it is a token account, a mint or a program.",
    "Send 32 bytes in base58, as wallets show them. A payee is an owner, not a token account.",
  ],
  label_not_found: [
    "It was removed, or never was there: an account's labels and the tenant's are apart.",
    "List the labels.",
  ],
  label_name_taken: [
    "Names that differ in case, accents, spaces, punctuation or letters that look alike are one name.",
    "Choose another name, or remove the other label first.",
  ],
  label_limit: [
    `A tenant has ${limits.labelsOfTenantMax} labels in an environment, an account ${limits.labelsOfAccountMax} besides.`,
    "Remove labels that are not needed.",
  ],
  forbidden_account: [
    "The request or the transaction names an account that it must not use, such as the service's own keys.",
    "Remove it.",
  ],
  account_creation_failed: ["The chain refused the account.", "Ask for a new code, and try again."],
  creation_queue_full: ["More accounts are asked for than the chain takes.", "Wait as long as `retry-after` says."],
  account_ambiguous: ["The user holds several accounts.", "Name one in `smart_account_address`."],
  user_not_found: [
    "No user has an account with this address, or this id, in this environment. A pending account does not count.",
    "Create an account first: `POST /accounts`, then `POST /accounts/verify`. `GET /users` lists ids.",
  ],
  invalid_otp: [
    "The code is wrong, was used, or belongs to another request.",
    "Use the newest mail; after three wrong codes ask for a new one.",
  ],
  otp_expired: ["The code was good for a quarter of an hour.", "Ask for a new one."],
  otp_attempts_exceeded: ["The code was tried too often.", "Ask for a new code."],
  otp_address_blocked: ["Too many wrong codes were tried for this address.", "Wait as long as `retry-after` says."],
  mail_limit_exceeded: [
    `Too many codes were asked for: ${limits.mailsPerAddressPerHour} an hour, ${limits.mailsPerAddressPerDay} a day.`,
    "Wait as long as `retry-after` says; the newest mail is good.",
  ],
  mail_unavailable: ["The mail server did not take the mail.", "Try again; operators find the reason in the log."],
  invalid_encryption_public_key: [
    "The field holds something else than a P-256 public key.",
    "Export the key as SPKI DER, and send it in base64.",
  ],
  invalid_expiration: [
    "The session would have ended, or would last too long.",
    "Name an instant up to 30 days ahead, in Unix seconds; by v0 a number of seconds.",
  ],
  guardian_not_configured: [
    "The service was started without a guardian.",
    "Run one, and name it in `TRELLIS_GUARDIAN`; or ask for a plain account.",
  ],
  guardian_change_not_found: [
    "It began anew, or this wallet's guardian never knew it.",
    "List the changes that wait, and cancel the one that is there.",
  ],
  guardian_change_over: [
    "What the guardian has signed it does not take back.",
    "Look at the account's settings on chain. Change them back, or have the wallet replaced.",
  ],
  guardian_policy_changed: [
    "Somebody else has set a policy, or it was cancelled.",
    "Read the policy again, and have a passkey sign one that replaces that version.",
  ],
  invalid_guardian_policy: [
    "The policy has a member that is missing, unknown or out of its bounds.",
    "Compare it with `docs/custodian-policy.schema.json`.",
  ],
  last_passkey: ["A guardian's wallet obeys passkeys alone.", "Add another passkey, then remove this one."],
  provider_not_available: [
    "This service has no such custodian.",
    `Use ${builtInNames.map((name) => `\`${name}\``).join(" or ")}, or one that this service is configured with.`,
  ],
  provider_unavailable: ["The custodian did not answer.", "Repeat the request, under the same idempotency key."],
  session_expired: [
    "The session has ended, or newer ones of the same wallet have replaced it.",
    "Refresh the session, or sign in again.",
  ],
  session_not_found: [
    "No session of this id commands a signer of the account, or it is another user's.",
    "List the sessions of the account, or of the user; `current` needs its token as `x-session-token`.",
  ],
  passkeys_not_configured: [
    "Passkeys belong to a domain, and the tenant has set none that may be used in this environment. Those of the console belong to the host of `TRELLIS_PUBLIC_URL`.",
    "Set it once: `PUT /api/service/v1/relying-party`; for the console an address with https and a name.",
  ],
  invalid_registration: [
    "The passkey was registered for another challenge, page or domain, or too late.",
    "Begin again with `POST …/wallet-passkeys:options`, in the console with `POST /console/passkeys:options`, and send what the browser answers to that.",
  ],
  invalid_passkey: [
    "The passkey is not known here, it was asked for by another page, or the nonce is over.",
    "Begin again with `POST /auth/passkey:options`, in the console with `POST /console/passkey:options`, or sign in with a code.",
  ],
  invalid_wallet_signature: [
    "The wallet signed another text or for another page, address or environment, or the nonce was used or is over.",
    "Begin again with `POST /auth/wallet:message`, and have the wallet sign the message as it is.",
  ],
  passkey_required: [
    "The code is right, and its user has asked that a code alone does not sign them in.",
    "Have one of the passkeys that `details` names sign the challenge, and send the same request with its `assertion`.",
  ],
  passkey_exists: ["The authenticator has registered this passkey before.", "Use it; there is nothing to add."],
  passkey_limit: [
    "The wallet, or the member of the console, has ten passkeys.",
    "Remove one that is not used any more.",
  ],
  passkey_ceremony_not_found: [
    "The challenge is not one of this tenant's and environment's, it is over, or it was used.",
    "Begin again with `POST /passkeys` or `POST /passkeys/auth`.",
  ],
  passkey_challenge_over: [
    "A minute has passed on chain, the passkey has signed for a newer challenge since, or too many answers came without an API key.",
    "Begin again with `POST /passkeys` or `POST /passkeys/auth`.",
  ],
  passkey_challenge_used: [
    "Another passkey, or another request, has used it.",
    "Begin again with `POST /passkeys` or `POST /passkeys/auth`.",
  ],
  invalid_passkey_assertion: [
    "It is over another challenge, from a page of another origin or in a frame, of another passkey, or its owner was not verified. `details` names which, as `reason`.",
    "Begin again, and send what the page that was answered gives back.",
  ],
  passkey_account_exists: ["A passkey gets its account on chain once.", "Begin a session with `POST /passkeys/auth`."],
  passkey_account_not_found: [
    "The address is another one, or the passkey was never given an account.",
    "Make one with `POST /passkeys`.",
  ],
  passkey_session_required: [
    "The session of the passkey has ended, or its session key is not among `transaction_signers`.",
    "Begin a session with `POST /passkeys/auth`, and name its session key. Or prepare it with `passkey_approval`, and have the passkey approve it.",
  ],
  passkey_signature_required: [
    "A session's key signed, and a passkey commands the wallet.",
    "Have the passkey sign the document, or remove the passkey first.",
  ],
  wallet_export_not_found: [
    "The id is wrong, or the export is of another account or user.",
    "List the exports of the account.",
  ],
  wallet_export_open: [
    "An export of this wallet waits, or its key was not read yet.",
    "Read its key, cancel it, or wait until it has expired.",
  ],
  wallet_export_over: [
    "The key was read before, or the time of the export is over.",
    "Begin another export. A key that has left cannot be called back: change the account's signers.",
  ],
  wallet_import_not_found: [
    "The id is wrong, the import is over, or it is of another account.",
    "Begin again with `POST …/wallet-imports:options`.",
  ],
  wallet_key_held: [
    "The signer is a custodian's wallet, or the key was imported before.",
    "Nothing has to be imported: its owner signs with it by session.",
  ],
  invalid_wallet_key: [
    "It was sealed to another recipient or for another import, or it is the key of another address.",
    "Begin again, and seal the 32-byte seed of the signer's key to the recipient of that import.",
  ],
  passkey_not_found: [
    "The id is wrong, or the passkey is of another account or member.",
    "List the passkeys of the account, or the member's own.",
  ],
  session_key_mismatch: [
    "The session was opened for another encryption key.",
    "Send the public key the session was opened with, or sign the change with the session's key.",
  ],
  invalid_refresh_token: ["The token was used before, or its chain has ended.", "Sign in again."],
  refresh_conflict: ["Two calls traded one token.", "Use the session of the other call; refresh in one place only."],
  admin_required: ["The account is controlled by its admin.", "Add `admin=true`, and sign with the admin's key."],
  account_has_no_admin: ["The account's signers decide.", "Leave `admin` out."],
  no_changes: ["The account has all of this already.", "Send what should change."],
  proposal_not_found: ["The account has no proposal under this address.", "List the account's proposals."],
  proposal_account_mismatch: ["The proposal is another account's.", "Ask under the account it belongs to."],
  proposal_index_conflict: ["Another proposal has used the index.", "Prepare the proposal again."],
  transaction_buffer_conflict: [
    "Another copy wrote into the buffer, used it or closed it.",
    "Prepare the proposal again; what is there is not sent again.",
  ],
  already_voted: [
    "The signers have cast this vote already.",
    "Nothing is left to do; execute the proposal once it is approved.",
  ],
  invalid_proposal_status: [
    "The proposal is in a state in which this cannot be done.",
    "Read `status` of the proposal.",
  ],
  stale_proposal: ["The account's signers or threshold changed since.", "Make the proposal again."],
  unreadable_content: [
    "The proposal holds something that this release does not know, as another client may store it.",
    "Reject it, or find out what it is; only then approve it with `approve_unreadable: true`.",
  ],
  undecided_content: [
    "The proposal names what does not exist yet, such as a place of a lookup table without an entry.",
    "Reject it, and have it proposed again with everything in it decided.",
  ],
  time_lock_not_released: ["The account waits between approval and execution.", "Wait until the instant in `details`."],
  invalid_cursor: ["The cursor is another list's, or was changed.", "Start without one."],
  spending_limit_not_found: ["It was removed, or never was there.", "List the account's spending limits."],
  spending_limit_exceeded: ["Less is left in this period.", "Pay less, or wait for `next_reset`."],
  spending_limit_expired: ["Its last day is over.", "Have the account's signers make a new one."],
  destination_not_allowed: ["The limit names its payees.", "Pay one of `destinations`."],
  payment_intent_not_found: ["No payment of this account has this id.", "List the account's payment intents."],
  standing_orders_not_available: [
    "The environment has no key to pay with.",
    "Operators set `TRELLIS_<ENVIRONMENT>_EXECUTOR`.",
  ],
  standing_order_not_found: ["No order of this account has this id.", "List the account's standing orders."],
  standing_order_limit_exceeded: [
    `The account has ${limits.standingOrdersOpenMax} pending and active orders.`,
    "Cancel one that is not needed.",
  ],
  invalid_standing_order_status: ["The order is in a state in which this cannot be done.", "Read `status` of it."],
  start_date_in_past: ["The first payment would have been due.", "Name a later start."],
  proposal_required: [
    "The signers named are not enough to act at once, or the account has a time lock.",
    "Send the action in `details` to `POST …/proposals`, and collect votes.",
  ],
  transaction_too_large: ["Solana takes 1,232 bytes a transaction.", "Use fewer instructions or accounts."],
  insufficient_balance: [
    "The account's vault holds less.",
    "Fund the account's address; `balances` shows what it holds.",
  ],
  rent_not_sponsored: [
    "A token account would have to be opened, and its owner can cash in the rent.",
    "Send the account the lamports that `details` name, or pay with a key of your own.",
  ],
  unsupported_currency: [
    "The symbol is not configured here, or exactly what is asked for would not arrive: a fee, a program or a freeze of the token's.",
    "Send the mint's address, or have the operator add the symbol; the message says what else is wrong.",
  ],
  mint_paused: [
    "The token's issuer lets nothing move at present.",
    "Wait until it has resumed transfers, and pay then.",
  ],
  source_frozen: [
    "The token's issuer has frozen the token account that pays.",
    "Ask the issuer to thaw it, or pay in another currency.",
  ],
  destination_frozen: [
    "The token's issuer has frozen the payee's token account.",
    "Pay another address of the payee, or in another currency.",
  ],
  destination_closed: [
    "The payee handed its token account on, or it takes confidential transfers only.",
    "Ask the payee for another address.",
  ],
  destination_unconfirmed: [
    "No key signs for the address and nothing is there, or a program holds it: often it is a token account that was closed.",
    "Name the payee's own address. Where a program is to be paid, send `confirm_program_address: true` beside the address.",
  ],
  memo_required: [
    "The payee's token account refuses transfers without a memo, as those of exchanges do.",
    "Ask the payee for the memo, or for an address that takes payments without.",
  ],
  unsupported_fee_config: ["The fee cannot be paid so.", "Leave `fee_config` out: the service pays in SOL."],
  rail_not_available: [
    "No partner of bank rails is configured for this environment, or it does not do this.",
    "The sandbox has a simulated one; operators find Bridge in its guide.",
  ],
  kyc_required: [
    "The partner has not approved the holder for this.",
    "`details` name what is missing: `kyc`, `tos`, or an endorsement. Start with `POST …/kyc`.",
  ],
  kyc_not_found: ["The account has no verification under this id.", "Start one with `POST …/kyc`."],
  virtual_account_exists: [
    "An account has one virtual account of a currency, a deactivated one included.",
    "`details` have its `virtual_account_id`: read it in the list.",
  ],
  virtual_account_deactivated: [
    "The partner has deactivated the account: what is paid to it goes back.",
    "Wait for `virtual_account.updated`; in the sandbox activate it with `POST /sandbox/virtual-accounts/{id}`.",
  ],
  virtual_account_not_found: ["The account has none under this id.", "List the account's virtual accounts."],
  external_account_not_found: ["The account has none under this id.", "List the account's external accounts."],
  rail_transfer_not_found: ["The partner has no such transfer.", "Use the id that a payment intent answers."],
  partner_refused: ["The partner's rules forbid it.", "`reason` and `field` in `details` say what it minds."],
  partner_unavailable: ["The partner did not answer.", "Repeat the request, under the same idempotency key."],
  money_on_its_way: [
    "A payment with a bank, a standing order to a bank account or the removal of one has not ended.",
    "Wait until it has, or cancel it.",
  ],
  invalid_amount: [
    "The amount is zero or negative, has a point where base units are meant, or is no whole cents where a bank takes part.",
    "Send base units as digits: 1 USDC is `1000000`. A bank's currency is a decimal: `100.00`.",
  ],
  invalid_transaction: ["The text is no transaction.", "Send base64 of the whole signed transaction."],
  transaction_not_prepared: [
    "These bytes were not prepared here, or for another account; or a wallet has changed them, and `alterations` in `details` say how.",
    "Submit what a prepare call answered, changed by signatures only.",
  ],
  missing_signature: ["A signer has not signed.", "`details` name who; add the signature or the payload."],
  invalid_signature: [
    "The signature is over other bytes, or by another key.",
    "Sign exactly what the prepare call says, in the encoding it says.",
  ],
  wrong_signing_key: ["The encryption key signed.", "Sign with the authorization key that the session unseals."],
  payload_expired: ["The payload was good for a stated time.", "Prepare the transaction again."],
  payload_already_used: ["The payload has been spent.", "Prepare the transaction again."],
  blockhash_expired: ["The bytes are older than a minute or two.", "Prepare, sign and submit again."],
  transaction_failed: ["A program refused the transaction.", "Read `logs` in `details`; nothing was moved."],
  guardian_refused: [
    "A rule of the guardian's policy for this wallet: `rule` in `details` names it.",
    "Change what is asked, or wait until `not_before` and prepare it again.",
  ],
  insufficient_permissions: [
    "The signers may not do this, or are too few.",
    "Read the account's `policies`, and name others in `transaction_signers`.",
  ],
  submission_in_progress: [
    "Another call is sending the same bytes, or a wallet may have sent them on its own.",
    "Ask again: you get the same outcome.",
  ],
  sponsorship_limit_exceeded: [
    "The fees paid for this account, tenant or day are used up.",
    "Wait as long as `retry-after` says, or pay with a key of your own.",
  ],
  chain_unavailable: ["No node answered.", "Repeat the request, under the same idempotency key."],
  event_not_found: ["Events are kept for a stated time.", "Follow the feed more often."],
  unknown_event_type: ["There is no such type.", "Use a name or a prefix of the catalogue of events."],
  webhook_endpoint_not_found: ["It was deleted, or never was there.", "List the endpoints."],
  invalid_webhook_url: [
    "The address leads into a private network, or is not https.",
    "Give a public https address; in the sandbox a receiver on the same machine is fine.",
  ],
  webhook_endpoint_limit: [
    `The tenant has ${limits.webhookEndpointsMax} endpoints in this environment.`,
    "Delete one that is not needed.",
  ],
  webhook_endpoint_disabled: [
    "It was paused, failed for five days, or answered 410.",
    "Enable it with PATCH; then replay what it missed.",
  ],
  secret_rotation_pending: ["Two secrets are in force already.", "Wait, or end the former one."],
  advance_too_far: ["Too many days at once.", "Move the clock in several calls."],
  internal_error: ["The service met something it did not expect.", "Report the request id; repeat under the same key."],
  service_unavailable: [
    "The database or all environments do not answer, or the service is stopping.",
    "Repeat shortly, under the same key.",
  ],
};
