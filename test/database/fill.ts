import pg from "pg";
import { railTables } from "./fill-rails.js";
import { outdatedCount, rowCount } from "./fill-size.js";

/** Instants in Unix milliseconds, by the row's number `n`: outdated ones first, the others spread over the last day. */
const aged = (now: number) => `(case when n <= ${outdatedCount} then 0 else ${now} - n * 86 end)`;

/** Whose vote half a million proposals wait for. */
export const signerOfMany = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi";

/**
 * Rows of everything that grows, as SQL over the numbers `n`: one tenant, texts of a few characters. To extend
 * it, add the table; `null` leaves out what does not grow with use, or follows no user.
 */
const tables = (now: number): Readonly<Record<string, Readonly<Record<string, string>>>> => {
  const at = aged(now);
  const tenant = `'default'`;
  const sandbox = `'sandbox'`;
  return {
    identity_key: {
      id: `'key-' || n`,
      x: `'x'`,
      y: `'x'`,
      private_key: `'x'`,
      signs_from: at,
      retires_at: at,
    },
    app_user: {
      id: `'user-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      email: `'user-' || n || '@example.org'`,
      created_at: at,
      passkey_sign_in: `'optional'`,
    },
    wallet: {
      id: `'wallet-' || n`,
      provider: `'kms_a'`,
      owner_id: `'user-' || n`,
      environment: sandbox,
      address: `'wallet-address-' || n`,
      created_at: at,
    },
    kms_wallet: {
      id: `'wallet-' || n`,
      provider: `'kms_a'`,
      owner_id: `'user-' || n`,
      environment: sandbox,
      address: `'wallet-address-' || n`,
      secret: `'x'`,
      created_at: at,
      generation: `null`,
      number: `1`,
      commanded_by: `null`,
      binding: `null`,
    },
    kms_authorization_key: {
      id: `'key-' || n`,
      wallet_id: `'wallet-' || n`,
      public_key: `'x'`,
      created_at: at,
      expires_at: at,
      binding: `'x'`,
    },
    kms_passkey: {
      id: `'passkey-' || n`,
      wallet_id: `'wallet-' || n`,
      credential_id: `'credential-' || n`,
      public_key: `'x'`,
      rp_id: `'localhost'`,
      counter: `0`,
      aaguid: `'x'`,
      is_synced: `true`,
      created_at: `${now} - n * 86`,
      removed_at: `case when n <= ${outdatedCount} then 0 else null end`,
      binding: `'x'`,
    },
    kms_ceremony: {
      id: `'ceremony-' || n`,
      wallet_id: `'wallet-' || n`,
      rp_id: `'localhost'`,
      challenge: `'x'`,
      created_at: `${now} - n * 86`,
      expires_at: at,
      binding: `'x'`,
    },
    passkey_ceremony: {
      challenge: `'challenge-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      kind: `'auth'`,
      slot: `n`,
      slot_hash: `'x'`,
      payer: `'x'`,
      session_key: `'x'`,
      session_seconds: `900`,
      app_name: `'x'`,
      user_handle: `'x'`,
      relying_party_id: `'localhost'`,
      origin: `'http://localhost'`,
      created_at: `${now} - n * 86`,
      expires_at: at,
    },
    passkey_approval: {
      challenge: `'approval-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      account_address: `'x'`,
      passkey_address: `'x'`,
      prepared_id: `'x'`,
      slot: `n`,
      slot_hash: `'x'`,
      payer: `'x'`,
      execution: `'x'`,
      owners: `'[]'`,
      app_name: `'x'`,
      relying_party_id: `'localhost'`,
      origin: `'http://localhost'`,
      created_at: `${now} - n * 86`,
      expires_at: at,
    },
    passkey: {
      id: `'passkey-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      user_id: `'user-' || n`,
      provider: `'kms_a'`,
      wallet_id: `'wallet-' || n`,
      signer_address: `'wallet-address-' || n`,
      credential_id: `'credential-' || n`,
      public_key: `'x'`,
      rp_id: `'localhost'`,
      name: `'x'`,
      aaguid: `'x'`,
      is_synced: `true`,
      created_at: `${now} - n * 86`,
      removed_at: `case when n <= ${outdatedCount} then 0 else null end`,
    },
    kms_wallet_export: {
      id: `'export-' || n`,
      wallet_id: `'wallet-' || n`,
      nonce: `'nonce-' || n`,
      recipient: `'x'`,
      requested_at: `${now} - n * 86`,
      not_before: at,
      expires_at: at,
      binding: `'x'`,
    },
    wallet_export: {
      id: `'export-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      user_id: `'user-' || n`,
      account_address: `'account-' || n`,
      provider: `'kms_a'`,
      wallet_id: `'wallet-' || n`,
      signer_address: `'wallet-address-' || n`,
      recipient_public_key: `'x'`,
      state: `'cancelled'`,
      noticed_state: `'cancelled'`,
      notice_due_at: at,
      requested_at: `${now} - n * 86`,
      not_before: at,
      expires_at: at,
      cancelled_at: at,
    },
    guardian_change: {
      id: `'wallet-' || n || '/change'`,
      wallet_id: `'wallet-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      account_address: `'account-' || n`,
      not_before: at,
      notice_due_at: `null`,
    },
    kms_wallet_import: {
      id: `'import-' || n`,
      wallet_id: `'wallet-' || n`,
      address: `'key-' || n`,
      sealed: `null`,
      created_at: `${now} - n * 86`,
      expires_at: at,
      imported_wallet_id: `'wallet-' || n`,
    },
    wallet_import: {
      id: `'import-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      user_id: `'user-' || n`,
      account_address: `'account-' || n`,
      provider: `'kms_a'`,
      wallet_id: `'wallet-' || n`,
      wallet_address: `'wallet-address-' || n`,
      signer_address: `'key-' || n`,
      recipient_public_key: `'x'`,
      state: `'imported'`,
      is_noticed: `true`,
      notice_due_at: at,
      requested_at: `${now} - n * 86`,
      expires_at: at,
      imported_at: at,
    },
    passkey_sign_in: {
      nonce: `'nonce-' || n`,
      expires_at: at,
    },
    session: {
      id: `'session-' || n`,
      user_id: `'user-' || n`,
      provider: `'kms_a'`,
      wallet_id: `'wallet-' || n`,
      authorization_key_id: `'key-' || n`,
      authorization_public_key: `'x'`,
      client_public_key: `'x'`,
      token_hash: `('t' || n)::bytea`,
      access_token_hash: `('a' || n)::bytea`,
      refresh_token_hash: `('r' || n)::bytea`,
      state: `'live'`,
      chain_id: `'session-' || n`,
      chain_started_at: at,
      created_at: at,
      expires_at: `${at} + 86400000`,
    },
    session_chain: {
      id: `'session-' || n`,
      active_at: at,
      refreshed_since: at,
      refreshes: `0`,
    },
    wallet_session: {
      id: `'wallet-session-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      signer_address: `'wallet-address-' || n`,
      origin: `'https://app.example'`,
      nonce: `'nonce-' || n`,
      token_hash: `('w' || n)::bytea`,
      created_at: at,
      expires_at: `${at} + 86400000`,
    },
    key_removal: {
      session_id: `'session-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      attempt_at: at,
    },
    account: {
      environment: sandbox,
      address: `'account-' || n`,
      tenant_id: tenant,
      settings_address: `'settings-' || n`,
      type: `'email'`,
      user_id: `'user-' || n`,
      memo: `case when n % 2 = 0 then 'memo' end`,
      created_at: at,
      updated_at: at,
    },
    account_signer: {
      environment: sandbox,
      account_address: `'account-' || n`,
      signer_address: `'wallet-address-' || n`,
      role: `'primary'`,
      provider: `'kms_a'`,
      wallet_id: `'wallet-' || n`,
      position: `0`,
    },
    signed_account: {
      tenant_id: tenant,
      environment: sandbox,
      signer_address: `case when n % 2 = 0 then 'signer' else 'wallet-address-' || n end`,
      type: `'email'`,
      created_at: at,
      account_address: `'account-' || n`,
    },
    account_creation: {
      id: `'creation-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      user_id: `'user-' || n`,
      type: `'email'`,
      plan: `'{}'`,
      state: `'landed'`,
      one_time_code_id: `'code-' || n`,
      created_at: at,
    },
    pending_account: {
      tenant_id: tenant,
      environment: sandbox,
      email: `'pending-' || n || '@example.org'`,
      created_at: at,
      requires_passkey: `false`,
    },
    one_time_code: {
      id: `'code-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      email: `'user-' || n || '@example.org'`,
      purpose: `'create'`,
      provider: `'kms_a'`,
      code_hmac: `'x'`,
      attempts: `0`,
      state: `case when n % 2 = 0 then 'live' else 'spent' end`,
      created_at: at,
      expires_at: at,
    },
    otp_failure: {
      id: `'failure-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      email: `'user-' || n || '@example.org'`,
      failed_at: at,
    },
    mail: {
      id: `'mail-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      recipient_hash: `('recipient' || n)::bytea`,
      message: `null`,
      state: `case when n > ${outdatedCount} and n <= ${outdatedCount * 2} then 'queued' else 'sent' end`,
      created_at: at,
      queued_at_real: at,
    },
    idempotency_record: {
      tenant_id: tenant,
      environment: sandbox,
      method: `'POST'`,
      path: `'/'`,
      idempotency_key: `'key-' || n`,
      fingerprint: `'x'`,
      state: `'answered'`,
      attempt_id: `'x'`,
      leased_until: at,
      expires_at: `${at} + 86400000`,
    },
    prepared_transaction: {
      id: `'prepared-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      account_address: `'account-' || n`,
      kind: `'payment'`,
      transaction: `'x'`,
      transaction_signers: `'[]'`,
      fee_payer: `'x'`,
      fee_lamports: `0`,
      rent_lamports: `0`,
      last_valid_block_height: `0`,
      created_at: at,
      expires_at: at,
    },
    kms_payload: {
      id: `'payload-' || n`,
      prepared_id: `'prepared-' || n`,
      provider: `'kms_a'`,
      wallet_id: `'wallet-' || n`,
      address: `'wallet-address-' || n`,
      payload: `'x'`,
      used_by: `'submission-' || n`,
      stamp_hash: `('stamp' || n)::bytea`,
      expires_at: at,
    },
    // Some are still open, and some not settled: what recovery and settlement find among the others.
    submission: {
      id: `'submission-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      account_address: `'account-' || n`,
      purpose: `'transaction'`,
      // 64 bytes in base58, as the chain wants them.
      signature: `'${"1".repeat(58)}z' || translate(lpad(n::text, 7, '0'), '0', 'a')`,
      wire_transaction: `case when n % 2 = 0 then 'x'::bytea else ''::bytea end`,
      last_valid_block_height: `0`,
      state: `case when n % 5000 = 0 then 'sent' when n % 3000 = 0 then 'expired' else 'landed' end`,
      reserved_lamports: `case when n % 3000 = 0 then 5000 else 0 end`,
      reserved_on: `${Math.floor(now / 86_400_000)}`,
      spent_lamports: `case when n % 3000 = 0 then null else 0 end`,
      created_at: at,
      updated_at: at,
    },
    // Some are under way, and some were never submitted.
    payment_intent: {
      id: `'intent-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      account_address: `'account-' || n`,
      prepared_id: `'prepared-' || n`,
      amount: `'1'`,
      currency: `'sol'`,
      source: `'{}'`,
      destination: `'{}'`,
      state: `case when n % 5000 = 0 then 'payment_submitted' when n % 1000 = 1 then 'awaiting_funds'
        when n % 100 = 1 then 'canceled' else 'payment_processed' end`,
      open_until_height: `case when n % 2000 = 1 then 1 end`,
      attempt_at: `case when n % 2000 = 1 then ${now} + n end`,
      created_at: at,
      updated_at: at,
    },
    tenant_writes: {
      tenant_id: tenant,
      day: `case when n <= ${outdatedCount} then 0 else ${Math.floor(now / 86_400_000)} end`,
      kind: `'kind-' || n`,
      count: `5000`,
    },
    member: {
      id: `'member-' || n`,
      tenant_id: `'tenant-' || n`,
      email: `'member-' || n || '@example.org'`,
      role: `'viewer'`,
      environments: `'[]'`,
      status: `'active'`,
      created_at: at,
    },
    member_secret: {
      id: `'secret-' || n`,
      member_id: `'member-' || n`,
      kind: `'code'`,
      secret_hash: `int8send(n)`,
      created_at: at,
      expires_at: at,
    },
    member_session: {
      id: `'member-session-' || n`,
      member_id: `'member-' || n`,
      token_hash: `int8send(n)`,
      created_at: at,
      last_used_at: at,
      expires_at: at,
    },
    member_passkey: {
      id: `'member-passkey-' || n`,
      member_id: `'member-' || n`,
      credential_id: `'credential-' || n`,
      public_key: `int8send(n)`,
      rp_id: `'trellis.example'`,
      counter: `0`,
      name: `'Phone'`,
      aaguid: `'x'`,
      is_synced: `true`,
      created_at: at,
    },
    member_nonce: {
      nonce: `'nonce-' || n`,
      expires_at: at,
    },
    request_record: {
      tenant_id: tenant,
      number: "n",
      environment: `case n % 4 when 0 then 'sandbox' when 1 then 'devnet' when 2 then 'mainnet' end`,
      request_id: `case when n % 2 = 0 then 'repeated' else 'request-' || n end`,
      at,
      method: `'POST'`,
      path: `'/api/service/v1/accounts'`,
      account: "null",
      status: `case when n % 1000 = 0 then 500 when n % 2 = 0 then 403 else 201 end`,
      code: `case when n % 1000 = 0 then 'internal_error' when n % 2 = 0 then 'insufficient_scope' end`,
      duration_ms: "1",
      api_key_id: `'key-' || n % 3`,
      is_by_page: "n % 3 = 0",
      remote_address: `'192.0.2.1'`,
    },
    sponsorship_budget: {
      environment: sandbox,
      scope: `'account:account-' || n`,
      day: `case when n <= ${outdatedCount} then 0 else ${Math.floor(now / 86_400_000)} end`,
      lamports: `5000`,
      ceiling: `1000000`,
    },
    sponsored_cost: {
      submission_id: `'submission-' || n`,
      position: `0`,
      environment: sandbox,
      tenant_id: tenant,
      account_address: `'account-' || n`,
      kind: `'fee'`,
      is_recoverable: `false`,
      reserved_lamports: `case when n % 3000 = 0 then 5000 else 0 end`,
      reserved_on: `case when n <= ${outdatedCount} then 0 else ${Math.floor(now / 86_400_000)} end`,
      spent_lamports: `case when n % 3000 = 0 then null else 0 end`,
    },
    sponsored_opening: {
      environment: sandbox,
      account_address: `'account-' || n`,
      opened: `1`,
      ceiling: `1000`,
    },
    standing_order: {
      id: `'order-' || n`,
      tenant_id: tenant,
      environment: sandbox,
      account_address: `'account-' || n`,
      settings_address: `'settings-' || n`,
      status: `case when n % 3 = 0 then 'completed' when n % 100 = 1 then 'inactive' else 'active' end`,
      amount: `'1'`,
      currency: `'sol'`,
      frequency: `'monthly'`,
      source: `'{}'`,
      destination: `'{}'`,
      payee: `'payee'`,
      start_at: at,
      executor_address: `'executor'`,
      spending_limit_address: `'limit-' || n`,
      prepared_id: `'prepared-' || n`,
      place: `0`,
      valid_until: at,
      mandate: `'active'`,
      next_index: `case when n % 3 = 0 then null else 1 end`,
      next_due_at: `case when n % 3 = 0 then null else ${now} + n * 1000 end`,
      // A few have passed.
      attempt_at: `case when n % 3 <> 0 and n % 100 <> 1 then case when n <= 600 then ${now} else ${now} + n * 1000 end end`,
      missed_in_a_row: `0`,
      created_at: at,
      updated_at: at,
    },
    standing_order_run: {
      order_id: `'order-' || n`,
      due_at: at,
      environment: sandbox,
      state: `'paid'`,
      attempts: `1`,
      submission_id: `'submission-' || n`,
      signature: `'run-signature-' || n`,
      paid_at: at,
      created_at: at,
      updated_at: at,
    },
    proposal: {
      environment: sandbox,
      settings_address: `'settings-' || n`,
      transaction_index: `1`,
      proposal_address: `'proposal-' || n`,
      transaction_address: `'transaction-' || n`,
      kind: `'transaction'`,
      status: `'Executed'`,
      chain_status: `'closed'`,
      approved: `'[]'`,
      rejected: `'[]'`,
      cancelled: `'[]'`,
      votes: `'[]'`,
      uses_durable_nonce: `false`,
      reclaimed_lamports: `0`,
      read_slot: `0`,
    },
    // A thousand for each of a thousand accounts; what the first of them does is of every kind.
    history_transaction: {
      environment: sandbox,
      account_address: `'account-' || n % 1000`,
      signature: `'signature-' || n`,
      slot: `n`,
      confirmed_at: `n`,
      finalized: `n % 10000 <> 1`,
      failed: `n % 7000 = 0`,
      kind: `case when n % 5 = 0 then 'payment' else 'deposit' end`,
      found_at: `'account-' || n % 1000`,
    },
    history_transfer: {
      environment: sandbox,
      account_address: `'account-' || n % 1000`,
      signature: `'signature-' || n`,
      position: `0`,
      slot: `n`,
      confirmed_at: `n`,
      instruction_index: `0`,
      direction: `case when n % 5 = 0 then 'outflow' else 'inflow' end`,
      own_address: `'account-' || n % 1000`,
      mint: `case when n % 3 = 0 then 'mint' else '11111111111111111111111111111111' end`,
      is_token_2022: `false`,
      decimals: `9`,
      from_address: `'x'`,
      to_address: `'y'`,
      amount: `'1'`,
      is_first_of_mint: `true`,
    },
    // A thousand for each of a thousand accounts: of thirty tokens all, of one of them as many days and hours as remain.
    history_sum: {
      environment: sandbox,
      account_address: `'account-' || n % 1000`,
      span: `case when n / 1000 < 30 then 'all' when n / 1000 % 2 = 0 then 'day' else 'hour' end`,
      mint: `case when n / 1000 < 30 then 'mint-' || n / 1000 else 'mint-0' end`,
      starts_at: `case when n / 1000 < 30 then 0 when n / 1000 % 2 = 0 then n / 1000 * 86400 else n / 1000 * 3600 end`,
      decimals: `9`,
      transfers: `1000`,
      received: `1000`,
      sent: `0`,
    },
    history_address: {
      environment: sandbox,
      account_address: `'account-' || n`,
      address: `'account-' || n`,
      role: `'vault'`,
      total: `0`,
    },
    history_unread: {
      environment: sandbox,
      account_address: `'account-' || n % 1000`,
      signature: `'unread-' || n`,
      slot: `n`,
      finalized: `false`,
      found_at: `'account-' || n % 1000`,
      tries: `1`,
      due_at: `${now} + n::int8 * 1000000`,
    },
    history_watch: {
      environment: sandbox,
      account_address: `'account-' || n`,
      active_at: at,
      due_at: `case when n <= ${outdatedCount} then 0 when n % 2 = 0 then ${now} + n * 1000 end`,
    },
    // Far behind the log of the test, which begins at 0.
    audit_entry: {
      tenant_id: tenant,
      environment: sandbox,
      kind: `case when n % 2 = 0 then 'session.opened' else 'api_key.created' end`,
      subject: `'session/' || n`,
      user_id: `'user-' || n`,
      at,
      salt: `'\\x00'::bytea`,
      body: `'{}'`,
      subject_hash: `sha256('')`,
      body_hash: `sha256('')`,
      place: `1000000000 + n`,
      published_at: at,
    },
    tlog_checkpoint: { log: `'audit'`, size: `1000000000 + n`, note: `''`, signed_at: at },
    event: {
      id: `'evt_' || lpad(n::text, 32, '0')`,
      tenant_id: tenant,
      environment: sandbox,
      type: `case when n % 2 = 0 then 'transaction.confirmed' else 'payment_intent.updated' end`,
      object_id: `'object-' || n`,
      data: `'{"object":{},"sequence":1}'`,
      created_at: at,
      place: `n`,
      placed_at: at,
    },
    // One has countless events on their way, and fails; intents created the others, which have nothing to be sent.
    webhook_endpoint: {
      id: `'we_' || lpad(n::text, 32, '0')`,
      tenant_id: tenant,
      environment: sandbox,
      url: `'https://192.0.2.1/'`,
      types: `array['payment_intent']`,
      object_id: `case when n > 1 then 'intent-' || n end`,
      status: `case when n > 1 then 'enabled' else 'disabled' end`,
      secret: `null`,
      created_at: at,
      updated_at: at,
    },
    webhook_delivery: {
      endpoint_id: `'we_' || lpad('1', 32, '0')`,
      event_id: `'evt_' || lpad(n::text, 32, '0')`,
      environment: sandbox,
      state: `case when n % 3 = 0 then 'failed' when n % 3 = 1 then 'pending' else 'delivered' end`,
      next_attempt_at: `case when n % 3 = 1 then ${now} + n end`,
      created_at: at,
    },
    webhook_attempt: {
      id: `'attempt-' || n`,
      endpoint_id: `'we_' || lpad('1', 32, '0')`,
      event_id: `'evt_' || lpad(n::text, 32, '0')`,
      event_type: `'transaction.confirmed'`,
      environment: sandbox,
      attempt: `1`,
      is_delivered: `false`,
      duration_ms: `1`,
      attempted_at: at,
    },
    ...railTables(now, at),
    // Half of it the tenant's list of all; the other half waits for one signer, who signs for all accounts.
    proposal_listing: {
      environment: sandbox,
      settings_address: `'settings-' || (n + 1) / 2`,
      transaction_index: `1`,
      signer_address: `case when n % 2 = 0 then '${signerOfMany}' else '' end`,
      tenant_id: tenant,
      listed_at: `n / 10`,
      status: `case when n % 2 = 0 then 'Active' else 'Executed' end`,
      waits: `n % 2 = 0`,
    },
    // Half of it the tenant's list of all; the other half may be used by one signer. The chain is asked for what is listed.
    spending_limit_listing: {
      environment: sandbox,
      limit_address: `repeat('1', 26) || '2' || translate(lpad(((n + 1) / 2)::text, 7, '0'), '0', 'A')`,
      signer_address: `case when n % 2 = 0 then '${signerOfMany}' else '' end`,
      settings_address: `'settings-' || (n + 1) / 2`,
      tenant_id: tenant,
      mint: `'mint-' || n % 3`,
    },
    spending_limit_watch: {
      environment: sandbox,
      settings_address: `'settings-' || n`,
      tenant_id: tenant,
      least_slot: `0`,
      read_slot: `0`,
      active_at: at,
      due_at: `case when n <= ${outdatedCount} then 0 end`,
    },
    proposal_watch: {
      environment: sandbox,
      settings_address: `'settings-' || n`,
      transaction_index: `1`,
      stale_transaction_index: `0`,
      read_slot: `0`,
      active_at: at,
      due_at: `case when n <= ${outdatedCount} then 0 when n % 2 = 0 then ${now} + n * 1000 end`,
    },
  };
};

/** Tables with so many rows each. */
export const filledTables: ReadonlySet<string> = new Set(Object.keys(tables(0)));

/** A column of a table with rows that have served their time, which is zero in those alone. */
export function agedColumnOf(table: string): string {
  const zeroed = new RegExp(`^\\(?case when n <= ${outdatedCount} then 0 else [^+]*end\\)?$`);
  const found = Object.entries(tables(1)[table] ?? {}).find(([, value]) => zeroed.test(value));
  if (found === undefined) throw new Error(`nothing of ${table} has served its time`);
  return found[0];
}

interface IndexRow {
  readonly name: string;
  readonly definition: string;
}

/** Fills a migrated database that holds the tenant `default`. */
export async function fillDatabase(url: string, now: number): Promise<void> {
  const statements = Object.entries(tables(now)).map(([table, columns]): [string, string] => {
    const names = Object.keys(columns).join(", ");
    const values = Object.values(columns).join(", ");
    return [table, `insert into ${table} (${names}) select ${values} from generate_series(1, ${rowCount}) as n`];
  });
  await fillTables(url, Object.fromEntries(statements));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "insert into request_count (tenant_id, last) select tenant_id, max(number) from request_record group by 1",
  );
  await client.query("update event_feed set next_place = (select max(place) + 1 from event)");
  await client.end();
}

/**
 * Fills tables, each by a statement of its own. Triggers and foreign keys do not run. Indexes are made afterwards, which is
 * sooner done; nothing of it outlives a power cut.
 */
export async function fillTables(url: string, statements: Readonly<Record<string, string>>): Promise<void> {
  const names = Object.keys(statements);
  const clients = await Promise.all(
    [0, 1].map(async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      for (const setting of ["session_replication_role = replica", "synchronous_commit = off", "work_mem = '64MB'"]) {
        await client.query(`set ${setting}`);
      }
      await client.query("set maintenance_work_mem = '256MB'");
      return client;
    }),
  );
  const first = clients[0] as pg.Client;
  const { rows: indexes } = await first.query<IndexRow>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid::regclass::text = any($1)
       and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))`,
    [names],
  );
  for (const { name } of indexes) await first.query(`drop index ${name}`);
  // What is logged can refer only to what exists as well: what refers to these is inserted first.
  const { rows: unlogged } = await first.query<{ name: string }>(
    `with recursive referring (id, depth) as (
       select name::regclass::oid, 0 from unnest($1::text[]) as name
       union select conrelid, depth + 1 from pg_constraint join referring on confrelid = id
         where contype = 'f' and conrelid <> confrelid)
     select id::regclass::text as name from referring group by id order by max(depth) desc`,
    [names],
  );
  for (const { name } of unlogged) {
    await first.query(`alter table ${name} set unlogged, set (autovacuum_enabled = false)`);
  }
  await share(clients, Object.values(statements));
  await share(
    clients,
    indexes.map(({ definition }) => definition),
  );
  await share(
    clients,
    names.map((table) => `vacuum analyze ${table}`),
  );
  await Promise.all(clients.map((client) => client.end()));
}

async function share(clients: readonly pg.Client[], statements: readonly string[]): Promise<void> {
  const left = [...statements];
  await Promise.all(
    clients.map(async (client) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await client.query(next);
    }),
  );
}
