// Generated from openapi.json by scripts/generate-openapi-types.mjs.
export interface paths {
    "/api/service/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account
         * @description The `email` form sends a one-time code; the account is created when it is verified. The `signers` form creates the account on chain and answers its address.
         */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an account's one-time code
         * @description Creates the account on chain and opens the first session. If the answer is lost, the same request resumes: the same code with the same public key, until a session has been answered.
         */
        post: operations["verifyAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts:custom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account with custom signers
         * @description Creates the account on chain at once. Signers are keys that exist, or e-mail addresses, for which a custodian makes a wallet; the first sign-in with such an address proves it.
         */
        post: operations["createCustomAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an account
         * @description The policies are read from the chain.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an account's policy
         * @description Prepares the smallest change that reaches what is asked for; what is absent stays as it is. The signers of an account sign it together; where an account has an admin, the admin alone does, with admin=true. It takes effect when the result is submitted. Where a time lock or too few signers do not let it be made at once, it is prepared as a proposal, which the signers named approve.
         */
        patch: operations["updateAccount"];
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit signed transactions
         * @description Takes prepared transactions with the holders' signatures, adds the custodians' and the fee payer's, stores the signed bytes, sends them, and answers when they are confirmed. Submitting the same bytes again answers the first result.
         */
        post: operations["submitTransactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/auth/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a sign-in code
         * @description Opens a session; its authorization key is sealed to the client's public key.
         */
        post: operations["verifyAuthentication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/standing-order-intent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a standing order
         * @description Prepares the spending limit on chain within which the service's executor pays one payee, and nobody else. The order is active once the limit is there. Where the account's signers cannot act at once, the limit is prepared as a proposal, and the order is pending until that is executed.
         */
        post: operations["createStandingOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/standing-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List standing orders
         * @description The account's standing orders, newest first, whatever became of them.
         */
        get: operations["listStandingOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/standing-order/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a standing order */
        get: operations["getStandingOrder"];
        put?: never;
        post?: never;
        /**
         * Cancel a standing order
         * @description Stops the order at once: nothing new is paid, and what is under way is seen to its end. Where its limit is on chain, the answer holds the transaction that removes it, to be signed; until that has landed the mandate is revocation_pending. Asking again prepares it anew.
         */
        delete: operations["cancelStandingOrder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/standing-order/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payments of a standing order
         * @description Every due date that has come, oldest first, and what became of it.
         */
        get: operations["listStandingOrderRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/standing-order/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a standing order
         * @description Lets an inactive order go on with its next due date; what came due meanwhile is not paid any more. Where its limit is gone, has expired or is another executor's, the answer holds the transaction that gives a new one and removes the old, and the order goes on when that has landed.
         */
        post: operations["resumeStandingOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List proposals
         * @description The account's proposals, newest first, those included that were made elsewhere or are closed.
         */
        get: operations["listProposals"];
        put?: never;
        /**
         * Create a proposal
         * @description Prepares the transaction that stores a transaction, a change of settings or a transfer and opens the vote on it. The proposal exists when the result is submitted. A transfer may be funded later.
         */
        post: operations["createProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/proposals/{proposal_address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a proposal
         * @description The proposal as the chain has it now, with what it would do once it is executed, whose balances that would change, and what to know before one agrees to it.
         */
        get: operations["getProposal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/proposals/{proposal_address}/vote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Vote on a proposal
         * @description Prepares one transaction with the votes of several signers. Those who have voted so already are left out, and those beyond the vote that decides. The votes count when the result is submitted.
         */
        post: operations["voteOnProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/proposals/{proposal_address}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a proposal
         * @description Prepares the execution of an approved proposal whose time lock has ended. It happens when the result is submitted.
         */
        post: operations["executeProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/proposals/{proposal_address}/vote-and-execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve and execute a proposal
         * @description Prepares one transaction in which the signers approve a proposal, as far as approvals are missing, and one of them executes it. Without a time lock, or with one that has ended.
         */
        post: operations["voteAndExecuteProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a sign-in code */
        post: operations["startAuthentication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/auth/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a sign-in code */
        post: operations["initAuthentication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/auth/refresh-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh a session
         * @description Trades the refresh token for a new session with a new authorization key, sealed to the public key given when the code was verified. For another public key add `signature`: base64 DER, by the still valid authorization key, over the canonical JSON of `{"encryption_public_key": ..., "refresh_token": ...}`.
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions
         * @description Every transaction of the smart account, its settings and its token accounts, newest first, those that failed included: what the chain says, whoever made it.
         */
        get: operations["listTransactions"];
        put?: never;
        /**
         * Prepare an arbitrary transaction
         * @description Takes a transaction built with the smart account as its payer and authority, wraps its instructions into a call of the on-chain program, simulates it, and answers what is to be signed. Its blockhash and compute budget are replaced.
         */
        post: operations["prepareTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/payment-intent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a payment
         * @description Prepares a transfer of SOL or of a token. The answer holds the transaction and what is to be signed; the payment happens when the result is submitted.
         */
        post: operations["preparePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/payment-intents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment intents
         * @description The account's payment intents, newest first, by whichever path they were created.
         */
        get: operations["listPaymentIntents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/payment-intent/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment intent
         * @description A payment intent with its state, and what became of its transaction.
         */
        get: operations["getPaymentIntent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get balances
         * @description SOL and every token the smart account holds, read from the chain. A fresh account answers zeros.
         */
        get: operations["getBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/spending-limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a spending limit
         * @description Prepares the grant of an allowance: within it, the signers of the limit pay from the account without any vote. It exists when the result is submitted. Where the account's signers cannot act at once, propose the action AddSpendingLimit instead.
         */
        post: operations["createSpendingLimit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/spending-limit/{spending_limit_address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a spending limit
         * @description As the chain has it now, wherever it was made.
         */
        get: operations["getSpendingLimit"];
        put?: never;
        post?: never;
        /**
         * Remove a spending limit
         * @description Prepares the removal of an allowance; it takes effect when the result is submitted. Where the account's signers cannot act at once, propose the action RemoveSpendingLimit instead.
         */
        delete: operations["deleteSpendingLimit"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/spending-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List spending limits
         * @description The account's spending limits as the chain has them now, in the order of their addresses.
         */
        get: operations["listSpendingLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transfers
         * @description Everything that ever came to the smart account and its token accounts, or left them, newest first: what the chain says, whoever made it.
         */
        get: operations["listTransfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v0/service/smart-accounts/{smart_account_address}/payment-intents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment intents (v0)
         * @description The older form of GET /api/service/v1/accounts/{address}/payment-intents; x-next-cursor leads on.
         */
        get: operations["listLegacyPaymentIntents"];
        put?: never;
        /**
         * Prepare a payment (v0)
         * @description The older form of POST /api/service/v1/accounts/{address}/payment-intent. What it answers is signed and confirmed; the payment happens then.
         */
        post: operations["createLegacyPaymentIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v0/service/smart-accounts/{smart_account_address}/payment-intents/{payment_intent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment intent (v0)
         * @description The older form of GET /api/service/v1/accounts/{address}/payment-intent/{id}.
         */
        get: operations["getLegacyPaymentIntent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v0/service/smart-accounts/{smart_account_address}/payment-intents/{payment_intent_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a payment intent (v0)
         * @description Takes back what the creation answered, with the holder's signature, and pays. Confirming again answers the same.
         */
        post: operations["confirmLegacyPaymentIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v0/service/smart-accounts/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sign-in code (v0)
         * @description The older form of POST /api/service/v1/auth.
         */
        post: operations["startLegacyAuthentication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v0/service/smart-accounts/verify-otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a sign-in code (v0)
         * @description Answers with an authorization key in a credential bundle, sealed to the client's key. What it signs is submitted by the present interface, as a kms_a payload.
         */
        post: operations["verifyLegacyAuthentication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the feed of events
         * @description The events of this environment, oldest first. Every page has a cursor, the last one too: ask again with it for what happens next. `latest` as cursor begins with what happens from now on.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an event */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description All of this environment, the oldest first, without those that came with an intent.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events of this environment are sent there from now on, signed as Standard Webhooks 1.0.0 say. The secret is in this answer and nowhere else.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/webhook-endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook endpoint */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Nothing is sent there any more, and its secret is forgotten.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description What is not named stays. Disabled, it gets nothing; enabled again, what was on its way.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/api/service/v1/webhook-endpoints/{endpoint_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook endpoint
         * @description Answers a new secret. For `overlap_seconds` events are signed with the former one, too; with 0, after a leak, no longer, whatever was promised before.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/webhook-endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a webhook endpoint
         * @description Sends the documented example of a type, marked `example`, and answers what the receiver answered.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/webhook-endpoints/{endpoint_id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List attempts at sending events
         * @description The newest first; kept for 30 days.
         */
        get: operations["listWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/webhook-endpoints/{endpoint_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events again
         * @description One event; or all since an instant whose attempts have come to nothing; or all since an instant that were never scheduled for this endpoint, because it was disabled or not there yet. Up to 10000 in one call.
         */
        post: operations["replayEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/sandbox/outbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the sandbox's outbox
         * @description The newest mails of your own, newest first, with the code each carries.
         */
        get: operations["readOutbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/sandbox/airdrop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Airdrop play money
         * @description Sends SOL from the sandbox's faucet, or mints one of its currencies, to any address. Answers when it landed.
         */
        post: operations["sandboxAirdrop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/sandbox/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the clock
         * @description Moves the environment clock forward, for the service and the chain alike: codes, sessions, time locks and blockhashes expire as they would. Open prepared transactions expire after 60 seconds. Standing orders are paid on the way, at their due dates and in the order of time, up to 5,000 due dates a call; what is left then is paid afterwards.
         */
        post: operations["sandboxAdvanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/sandbox/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make up an event
         * @description Puts the documented example of a type into the feed, marked `example`, and sends it to every receiver of it.
         */
        post: operations["sandboxTriggerEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/sandbox/rpc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the sandbox chain
         * @description Solana JSON-RPC over the sandbox chain, batches included, so that any Solana client, wallet or explorer can look at it and use it. JSON-RPC errors come with status 200, as such clients expect. Integers of any size are exact. Here, and only here, the key may also come as query parameter `api-key`, for clients that can only be given a URL.
         */
        post: operations["sandboxRpc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell whether the process lives
         * @description Answers as long as the process can answer at all. For restarts, not for routing.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell whether the service can work
         * @description Asks the database and every configured environment. For routing: 503 takes an instance out, because its database or all of its environments do not answer. `degraded` says that something wants an operator, and that routing elsewhere would not help: one of several environments does not answer, or has no money left for fees.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this description
         * @description This OpenAPI document, for generators and people; `/docs` shows it as a page.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "account.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * account.created
         * @description A smart account exists on chain.
         */
        post: operations["on_account_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * account.updated
         * @description An account's policy was changed, or its signers as the service knows them.
         */
        post: operations["on_account_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.creation_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * account.creation_failed
         * @description The program refused to create an account, for good.
         */
        post: operations["on_account_creation_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * transaction.confirmed
         * @description A submitted transaction has landed.
         */
        post: operations["on_transaction_confirmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * transaction.failed
         * @description A submitted transaction was executed and failed. Nothing but the fee has moved.
         */
        post: operations["on_transaction_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * transaction.expired
         * @description A submitted transaction did not land, and provably never will.
         */
        post: operations["on_transaction_expired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_intent.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment_intent.created
         * @description A payment was prepared.
         */
        post: operations["on_payment_intent_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_intent.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment_intent.updated
         * @description The state of a payment moved.
         */
        post: operations["on_payment_intent_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transfer.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * transfer.received
         * @description Money has arrived at a smart account.
         */
        post: operations["on_transfer_received"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "proposal.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * proposal.created
         * @description Something was put to a vote.
         */
        post: operations["on_proposal_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "proposal.voted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * proposal.voted
         * @description A signer voted, and the outcome is still open.
         */
        post: operations["on_proposal_voted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "proposal.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * proposal.approved
         * @description A proposal has enough approvals, and can be executed once its time lock is over.
         */
        post: operations["on_proposal_approved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "proposal.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * proposal.rejected
         * @description So many signers rejected a proposal that it can no longer be approved.
         */
        post: operations["on_proposal_rejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "proposal.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * proposal.cancelled
         * @description An approved proposal was cancelled.
         */
        post: operations["on_proposal_cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "proposal.executed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * proposal.executed
         * @description A proposal was executed.
         */
        post: operations["on_proposal_executed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "standing_order.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * standing_order.created
         * @description A standing order waits for its spending limit.
         */
        post: operations["on_standing_order_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "standing_order.activated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * standing_order.activated
         * @description A standing order has its spending limit, and pays from now on.
         */
        post: operations["on_standing_order_activated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "standing_order.deactivated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * standing_order.deactivated
         * @description A standing order cannot pay, and waits for its account's people.
         */
        post: operations["on_standing_order_deactivated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "standing_order.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * standing_order.completed
         * @description A standing order has come to its end.
         */
        post: operations["on_standing_order_completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "standing_order.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * standing_order.cancelled
         * @description A standing order was cancelled.
         */
        post: operations["on_standing_order_cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "standing_order_run.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * standing_order_run.paid
         * @description A due date of a standing order was paid.
         */
        post: operations["on_standing_order_run_paid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "standing_order_run.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * standing_order_run.failed
         * @description A payment of a standing order failed, and is tried again.
         */
        post: operations["on_standing_order_run_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "standing_order_run.missed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * standing_order_run.missed
         * @description A due date of a standing order was given up.
         */
        post: operations["on_standing_order_run_missed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * session.revoked
         * @description A refresh token was used a second time: all sessions of its chain are over.
         */
        post: operations["on_session_revoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "fee_payer.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * fee_payer.low
         * @description The key that pays fees holds too little; what costs a fee has to wait. Once a day.
         */
        post: operations["on_fee_payer_low"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "sponsorship.exhausted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * sponsorship.exhausted
         * @description A budget for what the service pays for others is used up. Once a day.
         */
        post: operations["on_sponsorship_exhausted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.disabled
         * @description An endpoint gets nothing any more: it answered 410, or failed for too long.
         */
        post: operations["on_webhook_endpoint_disabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook.test
         * @description Sent when somebody asks for a test.
         */
        post: operations["on_webhook_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @example {
         *       "message": "threshold must be a whole number.",
         *       "code": "invalid_request",
         *       "details": [
         *         {
         *           "field": "threshold",
         *           "code": "field_wrong_type",
         *           "message": "threshold must be a whole number."
         *         }
         *       ],
         *       "timestamp": "2026-03-01T12:00:00.000Z",
         *       "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11"
         *     }
         */
        Error: {
            /** @description For people. */
            message: string;
            /** @description For programs: permanent, one catalogue. */
            code: string;
            details: ({
                /** @description Dotted path: `policies.signers.0.address`. */
                field?: string;
                code: string;
                message: string;
                suggestion?: string;
                documentation?: string;
            } & {
                [key: string]: unknown;
            })[];
            /** Format: date-time */
            timestamp: string;
            request_id: string;
        };
        Event: {
            /**
             * @description The same in the feed and on every delivery.
             * @example evt_5f0c…
             */
            id: string;
            /** @example transaction.confirmed */
            type: string;
            /**
             * Format: date-time
             * @description When it happened, in environment time.
             */
            timestamp: string;
            /** @enum {unknown} */
            environment: "sandbox" | "devnet" | "mainnet";
            tenant: string;
            /** @description True: nothing happened; somebody tries a receiver. */
            example?: boolean;
            data: {
                /** @description The whole object after the change. */
                object: {
                    [key: string]: unknown;
                };
                /** @description Of two events about one object the later one has the greater number; there are gaps. */
                sequence: number;
                /** @description Where the object stood before. */
                previous_status?: string;
            };
        };
        JsonRpcRequest: {
            /** @constant */
            jsonrpc: "2.0";
            id?: string | number | null;
            /** @example getBalance */
            method: string;
            params?: unknown[];
        };
        JsonRpcResponse: {
            /** @constant */
            jsonrpc: "2.0";
            id: string | number | null;
            result?: unknown;
            error?: {
                code: number;
                message: string;
                data?: unknown;
            };
        };
        ResponseMetadata: {
            request_id: string;
            /** Format: date-time */
            timestamp: string;
            /** @description On lists: where the next page begins. */
            next_cursor?: string;
        };
        WebhookAttempt: {
            id: string;
            event_id: string;
            event_type: string;
            /** @description Counted from one. */
            attempt: number;
            /** @enum {unknown} */
            status: "delivered" | "failed";
            /** @description Of the receiver's answer. */
            response_status?: number;
            /** @description In a word, why there was no answer. */
            error?: string;
            /** @description The beginning of the receiver's answer. */
            response_body?: string;
            duration_ms: number;
            /** Format: date-time */
            attempted_at: string;
        };
        WebhookEndpoint: {
            /** @example we_… */
            id: string;
            url: string;
            types: string[];
            description?: string;
            /** @enum {unknown} */
            status: "enabled" | "disabled";
            /**
             * @description It answered 410, failed for too long, or was told to pause.
             * @enum {unknown}
             */
            disabled_reason?: "gone" | "failing" | "paused";
            /**
             * Format: date-time
             * @description Nothing has arrived since.
             */
            failing_since?: string;
            /**
             * Format: date-time
             * @description Until then events are signed with the former secret, too.
             */
            former_secret_until?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
    };
    responses: {
        /**
         * @description - `api_key_required`: Send an API key as `Authorization: Bearer <API_KEY>`.
         *     - `invalid_api_key`: This API key is not known.
         *     - `api_key_disabled`: This API key has been disabled.
         *     - `api_key_expired`: This API key has expired.
         */
        Error401: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "www-authenticate": components["headers"]["www-authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "api_key_required" | "invalid_api_key" | "api_key_disabled" | "api_key_expired";
                };
            };
        };
        /** @description - `insufficient_scope`: This API key lacks the scope this operation needs. */
        Error403: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "insufficient_scope";
                };
            };
        };
        /** @description - `body_too_large`: The request body is larger than allowed. */
        Error413: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "body_too_large";
                };
            };
        };
        /** @description - `unsupported_media_type`: Send the body as application/json. */
        Error415: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "unsupported_media_type";
                };
            };
        };
        /** @description - `idempotency_key_reused`: This idempotency key was used with another request. Use a fresh key for a new request. */
        Error422: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "idempotency_key_reused";
                };
            };
        };
        /** @description - `internal_error`: Something went wrong on our side. Quote the request id when you report it. */
        Error500: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "internal_error";
                };
            };
        };
        /** @description - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header. */
        Error429: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "rate_limit_exceeded";
                };
            };
        };
        /**
         * @description - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
         *     - `environment_not_available`: This environment is not available here.
         *     - `environment_required`: Name the environment in the x-service-environment header.
         *     - `invalid_request`: The request is not valid.
         */
        Error400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request";
                };
            };
        };
        /** @description - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key. */
        Error409: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress";
                };
            };
        };
    };
    parameters: {
        /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
        environment: "sandbox" | "devnet" | "mainnet" | "production";
        /** @description The environment, always. */
        environmentRequired: "sandbox" | "devnet" | "mainnet" | "production";
        /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
        idempotencyKey: string;
        /** @description Your own name for this request; made when absent or malformed. */
        requestId: string;
    };
    requestBodies: never;
    headers: {
        /** @description The request's id, as in the body. */
        "x-request-id": string;
        /** @description Where the next page begins; absent on the last. */
        "x-next-cursor": string;
        /** @description `true` when this is the recorded answer of an earlier request with the same idempotency key. */
        "idempotent-replayed": "true";
        /** @description Requests a minute for this API key. */
        "ratelimit-limit": number;
        /** @description Requests that would pass at once. */
        "ratelimit-remaining": number;
        /** @description Seconds until the whole limit is free again. */
        "ratelimit-reset": number;
        /** @description Seconds until a retry makes sense. */
        "retry-after": number;
        /** @description The scheme to authenticate with. */
        "www-authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "email";
                    /** @example ada@example.org */
                    email: string;
                    /** @description Yours to choose; shown with the account. */
                    memo?: string;
                } | {
                    /** @constant */
                    type: "signers";
                    /** @description Ed25519 public keys, base58; each gets every permission. */
                    signers?: string[];
                    /** @description How many of `signers` have to sign. */
                    threshold?: number;
                    policies?: {
                        signers: {
                            /** @example 4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi */
                            address: string;
                            permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                            /** @enum {unknown} */
                            role?: "primary" | "backup";
                            /** @enum {unknown} */
                            provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                        }[];
                        threshold: number;
                        /** @description Seconds, 0 to 7,776,000; 0 when absent. */
                        time_lock?: number;
                        /** @description Who alone may change the settings. Absent: the signers decide, for good. */
                        admin_address?: string;
                    };
                    /** @description Yours to choose; shown with the account. */
                    memo?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            type: "email";
                            /** @constant */
                            status: "pending_verification";
                            email: string;
                            /** @constant */
                            otp_sent: true;
                            memo?: string;
                            /** Format: date-time */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When the code stops working.
                             */
                            expires_at: string;
                        } | {
                            /** @constant */
                            type: "signers";
                            /** @constant */
                            status: "active";
                            address: string;
                            settings_address: string;
                            /** Format: uuid */
                            grid_user_id: string;
                            policies: {
                                signers: {
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    /** @enum {unknown} */
                                    role: "primary" | "backup";
                                    /** @enum {unknown} */
                                    provider: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                                }[];
                                threshold: number;
                                /** @description Null: the signers decide, for good. */
                                admin_address: string | null;
                                /** @description Seconds. */
                                time_lock: number;
                            };
                            memo?: string;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_email`: This is not a plain e-mail address.
             *     - `grid_account_already_exists_for_user`: Email associated with grid account already exists
             *     - `invalid_policies`: The account policy is not valid.
             *     - `invalid_address`: This is not a valid address.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_email" | "grid_account_already_exists_for_user" | "invalid_policies" | "invalid_address" | "forbidden_account" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `submission_in_progress`: This transaction is being submitted. Ask again shortly.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "submission_in_progress" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `mail_limit_exceeded`: Too many codes were sent to this address. Try again later.
             *     - `sponsorship_limit_exceeded`: The budget for sponsored fees is used up.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "mail_limit_exceeded" | "sponsorship_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /**
             * @description - `mail_unavailable`: The e-mail could not be sent. Try again later.
             *     - `account_creation_failed`: The account could not be created on chain. Ask for a new code and try again.
             *     - `chain_unavailable`: The chain cannot be reached at present.
             */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "mail_unavailable" | "account_creation_failed" | "chain_unavailable";
                    };
                };
            };
            /**
             * @description - `creation_queue_full`: Too many accounts are being created at the moment. Try again shortly.
             *     - `service_unavailable`: The service is not ready. Try again shortly.
             */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "creation_queue_full" | "service_unavailable";
                    };
                };
            };
        };
    };
    verifyAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /**
                     * @description Six digits.
                     * @example 042137
                     */
                    otp_code: string;
                    /** @enum {unknown} */
                    provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                    kms_provider_config: {
                        /** @description Base64 SPKI DER P-256 public key. */
                        encryption_public_key: string;
                    };
                    /** @description When the session is to end, Unix seconds. */
                    expiration?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            address: string;
                            /** Format: uuid */
                            grid_user_id: string;
                            policies: {
                                signers: {
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    /** @enum {unknown} */
                                    role: "primary" | "backup";
                                    /** @enum {unknown} */
                                    provider: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                                }[];
                                threshold: number;
                                /** @description Null: the signers decide, for good. */
                                admin_address: string | null;
                                /** @description Seconds. */
                                time_lock: number;
                            };
                            authentication: {
                                /** @enum {unknown} */
                                provider: "kms_a" | "kms_b";
                                session: {
                                    KmsA?: {
                                        /** Format: uuid */
                                        user_id: string;
                                        token: string;
                                        kms_a_access_token: string;
                                        /** @description Good for one refresh. */
                                        refresh_token: string;
                                        session: {
                                            encrypted_authorization_key: {
                                                /** @description Base64 ephemeral public key: the 65-byte uncompressed point. */
                                                encapsulated_key: string;
                                                /** @description Base64. */
                                                ciphertext: string;
                                                /** @example HPKE */
                                                encryption_type: string;
                                            };
                                            /** @description Unix milliseconds. */
                                            expires_at: number;
                                            wallets: {
                                                id: string;
                                                /** @description Base58. */
                                                address: string;
                                                /** @description Base58, the same 32 bytes. */
                                                public_key: string;
                                                owner_id: string;
                                                /** @example solana */
                                                chain_type: string;
                                                /** @description Unix milliseconds. */
                                                created_at: number;
                                                exported_at: number | null;
                                                imported_at: number | null;
                                                policy_ids: string[];
                                                additional_signers: {
                                                    signer_id: string;
                                                    override_policy_ids: string[];
                                                }[];
                                            }[];
                                        };
                                    };
                                    KmsB?: {
                                        /** Format: uuid */
                                        user_id: string;
                                        token: string;
                                        kms_a_access_token: string;
                                        /** @description Good for one refresh. */
                                        refresh_token: string;
                                        session: {
                                            encrypted_authorization_key: {
                                                /** @description Base64 ephemeral public key: the 65-byte uncompressed point. */
                                                encapsulated_key: string;
                                                /** @description Base64. */
                                                ciphertext: string;
                                                /** @example HPKE */
                                                encryption_type: string;
                                            };
                                            /** @description Unix milliseconds. */
                                            expires_at: number;
                                            wallets: {
                                                id: string;
                                                /** @description Base58. */
                                                address: string;
                                                /** @description Base58, the same 32 bytes. */
                                                public_key: string;
                                                owner_id: string;
                                                /** @example solana */
                                                chain_type: string;
                                                /** @description Unix milliseconds. */
                                                created_at: number;
                                                exported_at: number | null;
                                                imported_at: number | null;
                                                policy_ids: string[];
                                                additional_signers: {
                                                    signer_id: string;
                                                    override_policy_ids: string[];
                                                }[];
                                            }[];
                                        };
                                    };
                                    /** Format: uuid */
                                    user_id?: string;
                                    session?: {
                                        encrypted_authorization_key: {
                                            /** @description Base64 ephemeral public key: the 65-byte uncompressed point. */
                                            encapsulated_key: string;
                                            /** @description Base64. */
                                            ciphertext: string;
                                            /** @example HPKE */
                                            encryption_type: string;
                                        };
                                        /** @description Unix milliseconds. */
                                        expires_at: number;
                                        wallets: {
                                            id: string;
                                            /** @description Base58. */
                                            address: string;
                                            /** @description Base58, the same 32 bytes. */
                                            public_key: string;
                                            owner_id: string;
                                            /** @example solana */
                                            chain_type: string;
                                            /** @description Unix milliseconds. */
                                            created_at: number;
                                            exported_at: number | null;
                                            imported_at: number | null;
                                            policy_ids: string[];
                                            additional_signers: {
                                                signer_id: string;
                                                override_policy_ids: string[];
                                            }[];
                                        }[];
                                    };
                                };
                            }[];
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_email`: This is not a plain e-mail address.
             *     - `invalid_otp`: Invalid email and code combination
             *     - `otp_expired`: This code has expired. Ask for a new one.
             *     - `otp_attempts_exceeded`: Too many wrong codes. Ask for a new code.
             *     - `invalid_encryption_public_key`: encryption_public_key must be a base64 SPKI DER P-256 public key.
             *     - `invalid_expiration`: The expiration must lie in the future and at most 30 days ahead.
             *     - `provider_not_available`: This provider is not available here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_email" | "invalid_otp" | "otp_expired" | "otp_attempts_exceeded" | "invalid_encryption_public_key" | "invalid_expiration" | "provider_not_available" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `submission_in_progress`: This transaction is being submitted. Ask again shortly.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "submission_in_progress" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `otp_attempts_exceeded`: Too many wrong codes for this address. Try again later.
             *     - `sponsorship_limit_exceeded`: The budget for sponsored fees is used up.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "otp_attempts_exceeded" | "sponsorship_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /**
             * @description - `provider_unavailable`: The key custodian cannot be reached at present.
             *     - `account_creation_failed`: The account could not be created on chain. Ask for a new code and try again.
             *     - `chain_unavailable`: The chain cannot be reached at present.
             */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "provider_unavailable" | "account_creation_failed" | "chain_unavailable";
                    };
                };
            };
            /**
             * @description - `creation_queue_full`: Too many accounts are being created at the moment. Try again shortly.
             *     - `service_unavailable`: The service is not ready. Try again shortly.
             */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "creation_queue_full" | "service_unavailable";
                    };
                };
            };
        };
    };
    createCustomAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    policies: {
                        signers: ({
                            /** @constant */
                            type: "email";
                            /** @example ada@example.org */
                            email: string;
                            /** @enum {unknown} */
                            provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                            permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                            /** @enum {unknown} */
                            role?: "primary" | "backup";
                        } | {
                            /** @constant */
                            type?: "pubkey";
                            address: string;
                            permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                            /** @enum {unknown} */
                            role?: "primary" | "backup";
                            /** @enum {unknown} */
                            provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                        })[];
                        threshold: number;
                        /** @description Seconds, 0 to 7,776,000; 0 when absent. */
                        time_lock?: number;
                        /** @description Who alone may change the settings. Absent: the signers decide, for good. */
                        admin_address?: string;
                        /** @description Another spelling of time_lock, as the answer has it. */
                        timeLock?: number;
                        /** @description Another spelling of admin_address, as the answer has it. */
                        adminAddress?: string;
                    };
                    /** @description Yours to choose; shown with the account. */
                    memo?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            type: "custom";
                            address: string;
                            settings_address: string;
                            /** Format: uuid */
                            grid_user_id: string;
                            /** @description This answer alone spells two members in camel case. */
                            policies: {
                                signers: {
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    /** @enum {unknown} */
                                    role: "primary" | "backup";
                                    /** @enum {unknown} */
                                    provider: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                                }[];
                                threshold: number;
                                /** @description Null: the signers decide, for good. */
                                adminAddress: string | null;
                                /** @description Seconds. */
                                timeLock: number;
                            };
                            memo?: string;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_policies`: The account policy is not valid.
             *     - `invalid_address`: This is not a valid address.
             *     - `invalid_email`: This is not a plain e-mail address.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `provider_not_available`: This provider is not available here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_policies" | "invalid_address" | "invalid_email" | "forbidden_account" | "provider_not_available" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `submission_in_progress`: This transaction is being submitted. Ask again shortly.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "submission_in_progress" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `sponsorship_limit_exceeded`: The budget for sponsored fees is used up.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "sponsorship_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /**
             * @description - `provider_unavailable`: The key custodian cannot be reached at present.
             *     - `account_creation_failed`: The account could not be created on chain. Ask for a new code and try again.
             *     - `chain_unavailable`: The chain cannot be reached at present.
             */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "provider_unavailable" | "account_creation_failed" | "chain_unavailable";
                    };
                };
            };
            /**
             * @description - `creation_queue_full`: Too many accounts are being created at the moment. Try again shortly.
             *     - `service_unavailable`: The service is not ready. Try again shortly.
             */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "creation_queue_full" | "service_unavailable";
                    };
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                /** @description The smart account's address. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            address: string;
                            /** Format: uuid */
                            grid_user_id: string;
                            /** @enum {unknown} */
                            status: "active";
                            /** @enum {unknown} */
                            type: "email" | "signers" | "custom";
                            policies: {
                                signers: {
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    /** @enum {unknown} */
                                    role: "primary" | "backup";
                                    /** @enum {unknown} */
                                    provider: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                                }[];
                                threshold: number;
                                /** @description Null: the signers decide, for good. */
                                admin_address: string | null;
                                /** @description Seconds. */
                                time_lock: number;
                            };
                            settings_address: string;
                            email?: string;
                            memo?: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    updateAccount: {
        parameters: {
            query?: {
                /** @description True: the admin makes the change. */
                admin?: boolean;
                /** @description True: spending limits that name a removed signer are removed too. */
                remove_spending_limits?: boolean;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The whole new list, in place of the old. */
                    signers?: {
                        /** @example 4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi */
                        address: string;
                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                        /** @enum {unknown} */
                        role?: "primary" | "backup";
                        /** @enum {unknown} */
                        provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                    }[];
                    threshold?: number;
                    /** @description Seconds, 0 to 7,776,000. */
                    time_lock?: number;
                    /** @description A new admin. Null removes the admin, and the account can never have one again. */
                    admin_address?: string | null;
                    transaction_signers?: string[];
                    provider?: string;
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Base64 wire transaction, unsigned. */
                            transaction: string;
                            /** @description Addresses that must sign, the service's fee payer aside. */
                            transaction_signers: string[];
                            kms_payloads: {
                                /** @description The signer the payload is for: an entry of transaction_signers. */
                                address: string;
                                /** @description Base64 of the JSON document to sign (interface 5.6). */
                                payload: string;
                                provider: "kms_a" | "kms_b";
                            }[];
                            /**
                             * Format: date-time
                             * @description When it can no longer land.
                             */
                            expires_at: string;
                            /** @description What it does, read off its bytes. */
                            summary: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            } | {
                                /** @constant */
                                type: "create_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                creator: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "activate_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @description Who turns the draft into an open vote. */
                                signer: string;
                            } | {
                                /** @constant */
                                type: "vote";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @enum {unknown} */
                                action: "approve" | "reject" | "cancel";
                                signer: string;
                            } | {
                                /** @constant */
                                type: "execute_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                signer: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            })[];
                            /** @description What it costs and who pays (gap 51). */
                            fee: {
                                /** @description The chain's fee. */
                                lamports: string;
                                /** @description Rent of accounts it creates, paid by the fee payer. */
                                rent_lamports: string;
                                /** @description The fee payer's address. */
                                paid_by: string;
                            };
                            /** @description Where the change has to be voted on: the proposal that the transaction opens. */
                            proposal_address?: string;
                            /** @description Of that proposal. */
                            transaction_index?: number;
                            /** @description Addresses of spending limits that a removed signer could still use afterwards. */
                            remaining_spending_limits: string[];
                            /** @description Standing orders that are paid whoever the signers are, until they are cancelled. */
                            remaining_mandates: {
                                standing_order_id: string;
                                spending_limit_address: string;
                            }[];
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `admin_required`: The account's admin alone changes its settings. Ask for it with admin=true.
             *     - `account_has_no_admin`: The account has no admin and can never have one: its signers decide.
             *     - `no_changes`: There is nothing to change.
             *     - `invalid_policies`: The account policy is not valid.
             *     - `invalid_address`: This is not a valid address.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `transaction_too_large`: The transaction does not fit into 1232 bytes.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "admin_required" | "account_has_no_admin" | "no_changes" | "invalid_policies" | "invalid_address" | "forbidden_account" | "transaction_too_large" | "transaction_failed" | "unsupported_fee_config" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            /**
             * @description - `proposal_index_conflict`: Another proposal took this index meanwhile. Prepare it again.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_index_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `sponsorship_limit_exceeded`: The budget for sponsored fees is used up.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "sponsorship_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    submitTransactions: {
        parameters: {
            query?: never;
            header: {
                /** @description The environment, always. */
                "x-service-environment": components["parameters"]["environmentRequired"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Single form: one base64 transaction. */
                    transaction?: string;
                    /** @description Multiple form: executed in order, stopping at the first failure. */
                    transactions?: string[];
                    /** @description Single form: the signed payloads. Multiple form: one array of them per transaction. */
                    kms_payloads?: ({
                        provider: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                        kms_signed_payload?: {
                            /** @description Hex P-256 public key. */
                            public_key: string;
                            /** @description Hex DER ECDSA P-256 signature. */
                            signature: string;
                            /** @description Unix milliseconds of signing. */
                            timestamp_ms: string;
                        } | {
                            /** @description Base64 DER ECDSA P-256 SHA-256 signature of the canonical payload. */
                            signature: string;
                        };
                        /** @description Legacy form, kms_a only. */
                        signature?: string;
                    } | {
                        provider: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                        kms_signed_payload?: {
                            /** @description Hex P-256 public key. */
                            public_key: string;
                            /** @description Hex DER ECDSA P-256 signature. */
                            signature: string;
                            /** @description Unix milliseconds of signing. */
                            timestamp_ms: string;
                        } | {
                            /** @description Base64 DER ECDSA P-256 SHA-256 signature of the canonical payload. */
                            signature: string;
                        };
                        /** @description Legacy form, kms_a only. */
                        signature?: string;
                    }[])[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            transaction_signature: string;
                            /** Format: date-time */
                            confirmed_at: string;
                        } | {
                            results: {
                                index: number;
                                transaction_signature: string;
                                /** Format: date-time */
                                confirmed_at: string;
                            }[];
                            partial_failure?: {
                                failed_at_index: number;
                                error_message: string;
                                error_code: string;
                            };
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_transaction`: This is not a valid serialized transaction.
             *     - `transaction_not_prepared`: This transaction was not prepared here for this account.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `missing_signature`: A required signature is missing.
             *     - `invalid_signature`: A signature does not verify.
             *     - `wrong_signing_key`: The payload was signed with the encryption key instead of the authorization key.
             *     - `payload_expired`: The payload has expired. Prepare the transaction again.
             *     - `payload_already_used`: The payload has been used for another transaction.
             *     - `blockhash_expired`: The transaction's blockhash has expired. Prepare the transaction again.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `admin_required`: The account's admin alone changes its settings. Ask for it with admin=true.
             *     - `provider_not_available`: This provider is not available here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_transaction" | "transaction_not_prepared" | "forbidden_account" | "missing_signature" | "invalid_signature" | "wrong_signing_key" | "payload_expired" | "payload_already_used" | "blockhash_expired" | "transaction_failed" | "admin_required" | "provider_not_available" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            /**
             * @description - `session_expired`: The session key is expired. Authenticate again.
             *     - `api_key_required`: Send an API key as `Authorization: Bearer <API_KEY>`.
             *     - `invalid_api_key`: This API key is not known.
             *     - `api_key_disabled`: This API key has been disabled.
             *     - `api_key_expired`: This API key has expired.
             */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "session_expired" | "api_key_required" | "invalid_api_key" | "api_key_disabled" | "api_key_expired";
                    };
                };
            };
            /**
             * @description - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            /**
             * @description - `proposal_required`: These signers cannot act at once. Create a proposal instead.
             *     - `proposal_index_conflict`: Another proposal took this index meanwhile. Prepare it again.
             *     - `already_voted`: Every signer named has voted so already.
             *     - `invalid_proposal_status`: The proposal's status does not allow this.
             *     - `stale_proposal`: The account's settings changed after this proposal was made, so it can no longer be decided.
             *     - `time_lock_not_released`: The time lock has not ended yet.
             *     - `submission_in_progress`: This transaction is being submitted. Ask again shortly.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_required" | "proposal_index_conflict" | "already_voted" | "invalid_proposal_status" | "stale_proposal" | "time_lock_not_released" | "submission_in_progress" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `sponsorship_limit_exceeded`: The budget for sponsored fees is used up.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "sponsorship_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /**
             * @description - `provider_unavailable`: The key custodian cannot be reached at present.
             *     - `chain_unavailable`: The chain cannot be reached at present.
             */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "provider_unavailable" | "chain_unavailable";
                    };
                };
            };
        };
    };
    verifyAuthentication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /**
                     * @description Six digits.
                     * @example 042137
                     */
                    otp_code: string;
                    /** @description Needed only for a user with several accounts and no e-mail account. */
                    smart_account_address?: string;
                    /** @enum {unknown} */
                    provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                    /**
                     * @description Another name of provider.
                     * @enum {unknown}
                     */
                    kms_provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                    kms_provider_config: {
                        /** @description Base64 SPKI DER P-256 public key. */
                        encryption_public_key: string;
                        /** @description Which code it is; has to match when given. */
                        otp_id?: string;
                    };
                    /** @description When the session is to end, Unix seconds. */
                    expiration?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        address: string;
                        /** Format: uuid */
                        grid_user_id: string;
                        policies: {
                            signers: {
                                address: string;
                                permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                /** @enum {unknown} */
                                role: "primary" | "backup";
                                /** @enum {unknown} */
                                provider: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                            }[];
                            threshold: number;
                            /** @description Null: the signers decide, for good. */
                            admin_address: string | null;
                            /** @description Seconds. */
                            time_lock: number;
                        };
                        authentication: {
                            /** @enum {unknown} */
                            provider: "kms_a" | "kms_b";
                            session: {
                                KmsA?: {
                                    /** Format: uuid */
                                    user_id: string;
                                    token: string;
                                    kms_a_access_token: string;
                                    /** @description Good for one refresh. */
                                    refresh_token: string;
                                    session: {
                                        encrypted_authorization_key: {
                                            /** @description Base64 ephemeral public key: the 65-byte uncompressed point. */
                                            encapsulated_key: string;
                                            /** @description Base64. */
                                            ciphertext: string;
                                            /** @example HPKE */
                                            encryption_type: string;
                                        };
                                        /** @description Unix milliseconds. */
                                        expires_at: number;
                                        wallets: {
                                            id: string;
                                            /** @description Base58. */
                                            address: string;
                                            /** @description Base58, the same 32 bytes. */
                                            public_key: string;
                                            owner_id: string;
                                            /** @example solana */
                                            chain_type: string;
                                            /** @description Unix milliseconds. */
                                            created_at: number;
                                            exported_at: number | null;
                                            imported_at: number | null;
                                            policy_ids: string[];
                                            additional_signers: {
                                                signer_id: string;
                                                override_policy_ids: string[];
                                            }[];
                                        }[];
                                    };
                                };
                                KmsB?: {
                                    /** Format: uuid */
                                    user_id: string;
                                    token: string;
                                    kms_a_access_token: string;
                                    /** @description Good for one refresh. */
                                    refresh_token: string;
                                    session: {
                                        encrypted_authorization_key: {
                                            /** @description Base64 ephemeral public key: the 65-byte uncompressed point. */
                                            encapsulated_key: string;
                                            /** @description Base64. */
                                            ciphertext: string;
                                            /** @example HPKE */
                                            encryption_type: string;
                                        };
                                        /** @description Unix milliseconds. */
                                        expires_at: number;
                                        wallets: {
                                            id: string;
                                            /** @description Base58. */
                                            address: string;
                                            /** @description Base58, the same 32 bytes. */
                                            public_key: string;
                                            owner_id: string;
                                            /** @example solana */
                                            chain_type: string;
                                            /** @description Unix milliseconds. */
                                            created_at: number;
                                            exported_at: number | null;
                                            imported_at: number | null;
                                            policy_ids: string[];
                                            additional_signers: {
                                                signer_id: string;
                                                override_policy_ids: string[];
                                            }[];
                                        }[];
                                    };
                                };
                                /** Format: uuid */
                                user_id?: string;
                                session?: {
                                    encrypted_authorization_key: {
                                        /** @description Base64 ephemeral public key: the 65-byte uncompressed point. */
                                        encapsulated_key: string;
                                        /** @description Base64. */
                                        ciphertext: string;
                                        /** @example HPKE */
                                        encryption_type: string;
                                    };
                                    /** @description Unix milliseconds. */
                                    expires_at: number;
                                    wallets: {
                                        id: string;
                                        /** @description Base58. */
                                        address: string;
                                        /** @description Base58, the same 32 bytes. */
                                        public_key: string;
                                        owner_id: string;
                                        /** @example solana */
                                        chain_type: string;
                                        /** @description Unix milliseconds. */
                                        created_at: number;
                                        exported_at: number | null;
                                        imported_at: number | null;
                                        policy_ids: string[];
                                        additional_signers: {
                                            signer_id: string;
                                            override_policy_ids: string[];
                                        }[];
                                    }[];
                                };
                            };
                        }[];
                    };
                };
            };
            /**
             * @description - `invalid_email`: This is not a plain e-mail address.
             *     - `account_ambiguous`: This user has several accounts. Name one in smart_account_address.
             *     - `invalid_otp`: Invalid email and code combination
             *     - `otp_expired`: This code has expired. Ask for a new one.
             *     - `otp_attempts_exceeded`: Too many wrong codes. Ask for a new code.
             *     - `invalid_encryption_public_key`: encryption_public_key must be a base64 SPKI DER P-256 public key.
             *     - `invalid_expiration`: The expiration must lie in the future and at most 30 days ahead.
             *     - `provider_not_available`: This provider is not available here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_email" | "account_ambiguous" | "invalid_otp" | "otp_expired" | "otp_attempts_exceeded" | "invalid_encryption_public_key" | "invalid_expiration" | "provider_not_available" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `user_not_found`: User not found
             *     - `account_not_found`: Smart account not found
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "user_not_found" | "account_not_found";
                    };
                };
            };
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `otp_attempts_exceeded`: Too many wrong codes for this address. Try again later.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "otp_attempts_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /**
             * @description - `provider_unavailable`: The key custodian cannot be reached at present.
             *     - `chain_unavailable`: The chain cannot be reached at present.
             */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "provider_unavailable" | "chain_unavailable";
                    };
                };
            };
        };
    };
    createStandingOrder: {
        parameters: {
            query?: {
                /** @description True: the admin makes the change. */
                admin?: boolean;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Base units of one payment, as a decimal string.
                     * @example 1000000
                     */
                    amount: string;
                    /** @enum {unknown} */
                    frequency: "daily" | "weekly" | "monthly" | "day" | "week" | "month";
                    source: {
                        /** @example usdc */
                        currency?: string;
                        /**
                         * @description Only solana is available here.
                         * @example solana
                         */
                        payment_rail?: string;
                        /** @description The same fields, where they come nested. */
                        details?: {
                            [key: string]: unknown;
                        };
                        /** @description The smart account of the path; it need not be named. */
                        account?: string;
                        /** @description Another name of account. */
                        smart_account_address?: string;
                        /** @description Another name of account. */
                        address?: string;
                    };
                    destination: {
                        /** @example usdc */
                        currency?: string;
                        /**
                         * @description Only solana is available here.
                         * @example solana
                         */
                        payment_rail?: string;
                        /** @description The same fields, where they come nested. */
                        details?: {
                            [key: string]: unknown;
                        };
                        /** @description The owner who is paid, not a token account. */
                        address?: string;
                        /** @description Another name of address. */
                        account?: string;
                        /** @description A bank account, which cannot be paid here. */
                        external_account_id?: string;
                    };
                    /**
                     * Format: date-time
                     * @description The first due date: a date-time with its zone. Absent: now.
                     */
                    start_date?: string;
                    /** @description A due date exactly then is still paid. Absent: without end. */
                    end_date?: string | null;
                    grid_user_id?: string;
                    transaction_signers?: string[];
                    provider?: string;
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {unknown} */
                            status: "pending" | "active" | "inactive" | "completed" | "cancelled";
                            /** @description Why it is inactive, or was cancelled. */
                            reason?: string;
                            /**
                             * @description What stands on chain: no limit yet, one, one that is no longer wanted, none any more.
                             * @enum {unknown}
                             */
                            mandate: "awaited" | "active" | "revocation_pending" | "revoked";
                            /** @description Base units of one payment. */
                            amount: string;
                            /** @description The same in whole units. */
                            ui_amount: string;
                            currency: string;
                            /** @enum {unknown} */
                            frequency: "daily" | "weekly" | "monthly";
                            /**
                             * @description The same as frequency.
                             * @enum {unknown}
                             */
                            period: "daily" | "weekly" | "monthly";
                            payment_rail: string;
                            source: {
                                account: string;
                                currency: string;
                                payment_rail: string;
                                details: {
                                    account: string;
                                };
                            };
                            destination: {
                                address: string;
                                currency: string;
                                payment_rail: string;
                                details: {
                                    address: string;
                                };
                            };
                            /** @description Who is paid: one owner. */
                            destinations: string[];
                            /**
                             * Format: date-time
                             * @description The first due date, in UTC.
                             */
                            start_date: string;
                            /**
                             * Format: date-time
                             * @description Inclusive. Absent: without end.
                             */
                            end_date?: string;
                            /** @description How many due dates there are, where there is an end. */
                            occurrences?: number;
                            /**
                             * Format: date-time
                             * @description The next due date; the last one known where the order has ended.
                             */
                            next_execution_date: string;
                            /**
                             * Format: date-time
                             * @description When it last paid.
                             */
                            last_execution_date?: string;
                            /** @description Base units of all payments still to come, where there is an end. */
                            remaining_amount?: string;
                            /** @description The limit on chain that it is paid out of. */
                            spending_limit_address: string;
                            /** @description The only key that may draw on that limit. */
                            executor_address: string;
                            /** @description Where the limit has to be voted on. */
                            proposal_address?: string;
                            /**
                             * Format: date-time
                             * @description Until when a pending order waits for its limit.
                             */
                            valid_until: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @description The first due dates. */
                            next_execution_dates: string[];
                            /** @description Of the proposal. */
                            transaction_index?: number;
                            /** @description Base64 wire transaction, unsigned. */
                            transaction: string;
                            /** @description Addresses that must sign, the service's fee payer aside. */
                            transaction_signers: string[];
                            kms_payloads: {
                                /** @description The signer the payload is for: an entry of transaction_signers. */
                                address: string;
                                /** @description Base64 of the JSON document to sign (interface 5.6). */
                                payload: string;
                                provider: "kms_a" | "kms_b";
                            }[];
                            /**
                             * Format: date-time
                             * @description When it can no longer land.
                             */
                            expires_at: string;
                            /** @description What it does, read off its bytes. */
                            summary: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            } | {
                                /** @constant */
                                type: "create_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                creator: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "activate_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @description Who turns the draft into an open vote. */
                                signer: string;
                            } | {
                                /** @constant */
                                type: "vote";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @enum {unknown} */
                                action: "approve" | "reject" | "cancel";
                                signer: string;
                            } | {
                                /** @constant */
                                type: "execute_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                signer: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            })[];
                            /** @description What it costs and who pays (gap 51). */
                            fee: {
                                /** @description The chain's fee. */
                                lamports: string;
                                /** @description Rent of accounts it creates, paid by the fee payer. */
                                rent_lamports: string;
                                /** @description The fee payer's address. */
                                paid_by: string;
                            };
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `standing_orders_not_available`: There are no standing orders in this environment: it has no executor.
             *     - `start_date_in_past`: The start date lies more than five minutes back.
             *     - `invalid_amount`: The amount must be a positive whole number of base units, as a decimal string.
             *     - `invalid_address`: This is not a valid address.
             *     - `unsupported_currency`: This currency is not known here.
             *     - `rail_not_available`: This payment rail is not available here.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `admin_required`: The account's admin alone changes its settings. Ask for it with admin=true.
             *     - `account_has_no_admin`: The account has no admin and can never have one: its signers decide.
             *     - `rent_not_sponsored`: The service does not pay the rent of accounts that others can close for this account. Fund the account with SOL, or pay with a key of your own.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `transaction_too_large`: The transaction does not fit into 1232 bytes.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "standing_orders_not_available" | "start_date_in_past" | "invalid_amount" | "invalid_address" | "unsupported_currency" | "rail_not_available" | "forbidden_account" | "admin_required" | "account_has_no_admin" | "rent_not_sponsored" | "unsupported_fee_config" | "transaction_too_large" | "transaction_failed" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            /**
             * @description - `standing_order_limit_exceeded`: The account has as many open standing orders as it may.
             *     - `proposal_index_conflict`: Another proposal took this index meanwhile. Prepare it again.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "standing_order_limit_exceeded" | "proposal_index_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `sponsorship_limit_exceeded`: The budget for sponsored fees is used up.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "sponsorship_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    listStandingOrders: {
        parameters: {
            query?: {
                /** @description Repeat it for several. */
                status?: ("pending" | "active" | "inactive" | "completed" | "cancelled")[];
                /** @description A symbol, or a mint. */
                currency?: string;
                /** @description Created at this date-time or later. */
                start_date?: string;
                /** @description Created at this date-time or earlier. */
                end_date?: string;
                /** @description The order that made this payment, by its signature. */
                tx_hash?: string;
                limit?: number;
                /** @description x-next-cursor of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "x-next-cursor": components["headers"]["x-next-cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {unknown} */
                        status: "pending" | "active" | "inactive" | "completed" | "cancelled";
                        /** @description Why it is inactive, or was cancelled. */
                        reason?: string;
                        /**
                         * @description What stands on chain: no limit yet, one, one that is no longer wanted, none any more.
                         * @enum {unknown}
                         */
                        mandate: "awaited" | "active" | "revocation_pending" | "revoked";
                        /** @description Base units of one payment. */
                        amount: string;
                        /** @description The same in whole units. */
                        ui_amount: string;
                        currency: string;
                        /** @enum {unknown} */
                        frequency: "daily" | "weekly" | "monthly";
                        /**
                         * @description The same as frequency.
                         * @enum {unknown}
                         */
                        period: "daily" | "weekly" | "monthly";
                        payment_rail: string;
                        source: {
                            account: string;
                            currency: string;
                            payment_rail: string;
                            details: {
                                account: string;
                            };
                        };
                        destination: {
                            address: string;
                            currency: string;
                            payment_rail: string;
                            details: {
                                address: string;
                            };
                        };
                        /** @description Who is paid: one owner. */
                        destinations: string[];
                        /**
                         * Format: date-time
                         * @description The first due date, in UTC.
                         */
                        start_date: string;
                        /**
                         * Format: date-time
                         * @description Inclusive. Absent: without end.
                         */
                        end_date?: string;
                        /** @description How many due dates there are, where there is an end. */
                        occurrences?: number;
                        /**
                         * Format: date-time
                         * @description The next due date; the last one known where the order has ended.
                         */
                        next_execution_date: string;
                        /**
                         * Format: date-time
                         * @description When it last paid.
                         */
                        last_execution_date?: string;
                        /** @description Base units of all payments still to come, where there is an end. */
                        remaining_amount?: string;
                        /** @description The limit on chain that it is paid out of. */
                        spending_limit_address: string;
                        /** @description The only key that may draw on that limit. */
                        executor_address: string;
                        /** @description Where the limit has to be voted on. */
                        proposal_address?: string;
                        /**
                         * Format: date-time
                         * @description Until when a pending order waits for its limit.
                         */
                        valid_until: string;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                    }[];
                };
            };
            /**
             * @description - `invalid_cursor`: This cursor was not handed out here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_cursor" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    getStandingOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {unknown} */
                            status: "pending" | "active" | "inactive" | "completed" | "cancelled";
                            /** @description Why it is inactive, or was cancelled. */
                            reason?: string;
                            /**
                             * @description What stands on chain: no limit yet, one, one that is no longer wanted, none any more.
                             * @enum {unknown}
                             */
                            mandate: "awaited" | "active" | "revocation_pending" | "revoked";
                            /** @description Base units of one payment. */
                            amount: string;
                            /** @description The same in whole units. */
                            ui_amount: string;
                            currency: string;
                            /** @enum {unknown} */
                            frequency: "daily" | "weekly" | "monthly";
                            /**
                             * @description The same as frequency.
                             * @enum {unknown}
                             */
                            period: "daily" | "weekly" | "monthly";
                            payment_rail: string;
                            source: {
                                account: string;
                                currency: string;
                                payment_rail: string;
                                details: {
                                    account: string;
                                };
                            };
                            destination: {
                                address: string;
                                currency: string;
                                payment_rail: string;
                                details: {
                                    address: string;
                                };
                            };
                            /** @description Who is paid: one owner. */
                            destinations: string[];
                            /**
                             * Format: date-time
                             * @description The first due date, in UTC.
                             */
                            start_date: string;
                            /**
                             * Format: date-time
                             * @description Inclusive. Absent: without end.
                             */
                            end_date?: string;
                            /** @description How many due dates there are, where there is an end. */
                            occurrences?: number;
                            /**
                             * Format: date-time
                             * @description The next due date; the last one known where the order has ended.
                             */
                            next_execution_date: string;
                            /**
                             * Format: date-time
                             * @description When it last paid.
                             */
                            last_execution_date?: string;
                            /** @description Base units of all payments still to come, where there is an end. */
                            remaining_amount?: string;
                            /** @description The limit on chain that it is paid out of. */
                            spending_limit_address: string;
                            /** @description The only key that may draw on that limit. */
                            executor_address: string;
                            /** @description Where the limit has to be voted on. */
                            proposal_address?: string;
                            /**
                             * Format: date-time
                             * @description Until when a pending order waits for its limit.
                             */
                            valid_until: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `standing_order_not_found`: The account has no such standing order.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "standing_order_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    cancelStandingOrder: {
        parameters: {
            query?: {
                /** @description True: the admin makes the change. */
                admin?: boolean;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    transaction_signers?: string[];
                    provider?: string;
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {unknown} */
                            status: "pending" | "active" | "inactive" | "completed" | "cancelled";
                            /** @description Why it is inactive, or was cancelled. */
                            reason?: string;
                            /**
                             * @description What stands on chain: no limit yet, one, one that is no longer wanted, none any more.
                             * @enum {unknown}
                             */
                            mandate: "awaited" | "active" | "revocation_pending" | "revoked";
                            /** @description Base units of one payment. */
                            amount: string;
                            /** @description The same in whole units. */
                            ui_amount: string;
                            currency: string;
                            /** @enum {unknown} */
                            frequency: "daily" | "weekly" | "monthly";
                            /**
                             * @description The same as frequency.
                             * @enum {unknown}
                             */
                            period: "daily" | "weekly" | "monthly";
                            payment_rail: string;
                            source: {
                                account: string;
                                currency: string;
                                payment_rail: string;
                                details: {
                                    account: string;
                                };
                            };
                            destination: {
                                address: string;
                                currency: string;
                                payment_rail: string;
                                details: {
                                    address: string;
                                };
                            };
                            /** @description Who is paid: one owner. */
                            destinations: string[];
                            /**
                             * Format: date-time
                             * @description The first due date, in UTC.
                             */
                            start_date: string;
                            /**
                             * Format: date-time
                             * @description Inclusive. Absent: without end.
                             */
                            end_date?: string;
                            /** @description How many due dates there are, where there is an end. */
                            occurrences?: number;
                            /**
                             * Format: date-time
                             * @description The next due date; the last one known where the order has ended.
                             */
                            next_execution_date: string;
                            /**
                             * Format: date-time
                             * @description When it last paid.
                             */
                            last_execution_date?: string;
                            /** @description Base units of all payments still to come, where there is an end. */
                            remaining_amount?: string;
                            /** @description The limit on chain that it is paid out of. */
                            spending_limit_address: string;
                            /** @description The only key that may draw on that limit. */
                            executor_address: string;
                            /** @description Where the limit has to be voted on. */
                            proposal_address?: string;
                            /**
                             * Format: date-time
                             * @description Until when a pending order waits for its limit.
                             */
                            valid_until: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @description Base64 wire transaction, unsigned. */
                            transaction?: string;
                            /** @description Addresses that must sign, the service's fee payer aside. */
                            transaction_signers?: string[];
                            kms_payloads?: {
                                /** @description The signer the payload is for: an entry of transaction_signers. */
                                address: string;
                                /** @description Base64 of the JSON document to sign (interface 5.6). */
                                payload: string;
                                provider: "kms_a" | "kms_b";
                            }[];
                            /**
                             * Format: date-time
                             * @description When it can no longer land.
                             */
                            expires_at?: string;
                            /** @description What it does, read off its bytes. */
                            summary?: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            } | {
                                /** @constant */
                                type: "create_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                creator: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "activate_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @description Who turns the draft into an open vote. */
                                signer: string;
                            } | {
                                /** @constant */
                                type: "vote";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @enum {unknown} */
                                action: "approve" | "reject" | "cancel";
                                signer: string;
                            } | {
                                /** @constant */
                                type: "execute_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                signer: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            })[];
                            /** @description What it costs and who pays (gap 51). */
                            fee?: {
                                /** @description The chain's fee. */
                                lamports: string;
                                /** @description Rent of accounts it creates, paid by the fee payer. */
                                rent_lamports: string;
                                /** @description The fee payer's address. */
                                paid_by: string;
                            };
                            /** @description Of the proposal. */
                            transaction_index?: number;
                            /** @description The limit that takes the old one's place. */
                            renewal_limit_address?: string;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `forbidden_account`: The request names an account that it must not use.
             *     - `admin_required`: The account's admin alone changes its settings. Ask for it with admin=true.
             *     - `account_has_no_admin`: The account has no admin and can never have one: its signers decide.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "forbidden_account" | "admin_required" | "account_has_no_admin" | "unsupported_fee_config" | "transaction_failed" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `standing_order_not_found`: The account has no such standing order.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "standing_order_not_found";
                    };
                };
            };
            /**
             * @description - `proposal_index_conflict`: Another proposal took this index meanwhile. Prepare it again.
             *     - `submission_in_progress`: This transaction is being submitted. Ask again shortly.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_index_conflict" | "submission_in_progress" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `sponsorship_limit_exceeded`: The budget for sponsored fees is used up.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "sponsorship_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    listStandingOrderRuns: {
        parameters: {
            query?: {
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "x-next-cursor": components["headers"]["x-next-cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: date-time */
                            due_at: string;
                            /** @enum {unknown} */
                            state: "scheduled" | "sending" | "retrying" | "paid" | "missed";
                            /** @description Transactions that were signed for it, or found to fail before. */
                            attempts: number;
                            /** @description Of the payment that landed, or is under way. */
                            signature: string | null;
                            /** @description What stood in the way last. */
                            error: string | null;
                        }[];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_cursor`: This cursor was not handed out here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_cursor" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `standing_order_not_found`: The account has no such standing order.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "standing_order_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    resumeStandingOrder: {
        parameters: {
            query?: {
                /** @description True: the admin makes the change. */
                admin?: boolean;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    transaction_signers?: string[];
                    provider?: string;
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {unknown} */
                            status: "pending" | "active" | "inactive" | "completed" | "cancelled";
                            /** @description Why it is inactive, or was cancelled. */
                            reason?: string;
                            /**
                             * @description What stands on chain: no limit yet, one, one that is no longer wanted, none any more.
                             * @enum {unknown}
                             */
                            mandate: "awaited" | "active" | "revocation_pending" | "revoked";
                            /** @description Base units of one payment. */
                            amount: string;
                            /** @description The same in whole units. */
                            ui_amount: string;
                            currency: string;
                            /** @enum {unknown} */
                            frequency: "daily" | "weekly" | "monthly";
                            /**
                             * @description The same as frequency.
                             * @enum {unknown}
                             */
                            period: "daily" | "weekly" | "monthly";
                            payment_rail: string;
                            source: {
                                account: string;
                                currency: string;
                                payment_rail: string;
                                details: {
                                    account: string;
                                };
                            };
                            destination: {
                                address: string;
                                currency: string;
                                payment_rail: string;
                                details: {
                                    address: string;
                                };
                            };
                            /** @description Who is paid: one owner. */
                            destinations: string[];
                            /**
                             * Format: date-time
                             * @description The first due date, in UTC.
                             */
                            start_date: string;
                            /**
                             * Format: date-time
                             * @description Inclusive. Absent: without end.
                             */
                            end_date?: string;
                            /** @description How many due dates there are, where there is an end. */
                            occurrences?: number;
                            /**
                             * Format: date-time
                             * @description The next due date; the last one known where the order has ended.
                             */
                            next_execution_date: string;
                            /**
                             * Format: date-time
                             * @description When it last paid.
                             */
                            last_execution_date?: string;
                            /** @description Base units of all payments still to come, where there is an end. */
                            remaining_amount?: string;
                            /** @description The limit on chain that it is paid out of. */
                            spending_limit_address: string;
                            /** @description The only key that may draw on that limit. */
                            executor_address: string;
                            /** @description Where the limit has to be voted on. */
                            proposal_address?: string;
                            /**
                             * Format: date-time
                             * @description Until when a pending order waits for its limit.
                             */
                            valid_until: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @description Base64 wire transaction, unsigned. */
                            transaction?: string;
                            /** @description Addresses that must sign, the service's fee payer aside. */
                            transaction_signers?: string[];
                            kms_payloads?: {
                                /** @description The signer the payload is for: an entry of transaction_signers. */
                                address: string;
                                /** @description Base64 of the JSON document to sign (interface 5.6). */
                                payload: string;
                                provider: "kms_a" | "kms_b";
                            }[];
                            /**
                             * Format: date-time
                             * @description When it can no longer land.
                             */
                            expires_at?: string;
                            /** @description What it does, read off its bytes. */
                            summary?: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            } | {
                                /** @constant */
                                type: "create_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                creator: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "activate_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @description Who turns the draft into an open vote. */
                                signer: string;
                            } | {
                                /** @constant */
                                type: "vote";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @enum {unknown} */
                                action: "approve" | "reject" | "cancel";
                                signer: string;
                            } | {
                                /** @constant */
                                type: "execute_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                signer: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            })[];
                            /** @description What it costs and who pays (gap 51). */
                            fee?: {
                                /** @description The chain's fee. */
                                lamports: string;
                                /** @description Rent of accounts it creates, paid by the fee payer. */
                                rent_lamports: string;
                                /** @description The fee payer's address. */
                                paid_by: string;
                            };
                            /** @description Of the proposal. */
                            transaction_index?: number;
                            /** @description The limit that takes the old one's place. */
                            renewal_limit_address?: string;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `standing_orders_not_available`: There are no standing orders in this environment: it has no executor.
             *     - `invalid_amount`: The amount must be a positive whole number of base units, as a decimal string.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `admin_required`: The account's admin alone changes its settings. Ask for it with admin=true.
             *     - `account_has_no_admin`: The account has no admin and can never have one: its signers decide.
             *     - `rent_not_sponsored`: The service does not pay the rent of accounts that others can close for this account. Fund the account with SOL, or pay with a key of your own.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "standing_orders_not_available" | "invalid_amount" | "forbidden_account" | "admin_required" | "account_has_no_admin" | "rent_not_sponsored" | "unsupported_fee_config" | "transaction_failed" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `standing_order_not_found`: The account has no such standing order.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "standing_order_not_found";
                    };
                };
            };
            /**
             * @description - `invalid_standing_order_status`: The standing order's status does not allow this.
             *     - `standing_order_limit_exceeded`: The account has as many open standing orders as it may.
             *     - `submission_in_progress`: This transaction is being submitted. Ask again shortly.
             *     - `proposal_index_conflict`: Another proposal took this index meanwhile. Prepare it again.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_standing_order_status" | "standing_order_limit_exceeded" | "submission_in_progress" | "proposal_index_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `sponsorship_limit_exceeded`: The budget for sponsored fees is used up.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "sponsorship_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    listProposals: {
        parameters: {
            query?: {
                /** @description Repeat it for several. */
                status?: ("Active" | "Approved" | "Executed" | "Rejected" | "Cancelled")[];
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
                /** @description True: the status as the chain has it. */
                showOnChainStatus?: boolean;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "x-next-cursor": components["headers"]["x-next-cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            proposalAddress: string;
                            /**
                             * @description One of the first five; with showOnChainStatus=true one of the others, as the chain has it.
                             * @enum {unknown}
                             */
                            status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled" | "draft" | "active" | "rejected" | "approved" | "executing" | "executed" | "cancelled" | "closed";
                            /** @description When that status was set: Unix seconds. */
                            statusTimestamp: number;
                            approved: string[];
                            rejected: string[];
                            cancelled: string[];
                            /** @description The settings, whose signers decide. */
                            consensusAccount: string;
                            /** @constant */
                            consensusAccountType: "Settings";
                            /**
                             * Format: date-time
                             * @description Of the transaction that last changed the proposal.
                             */
                            blockTime?: string;
                            /** @description That transaction. */
                            lastModifiedSignature?: string;
                            /** @description The smart account. */
                            mainAccountAddress: string;
                            settingsAddress: string;
                            transactionIndex: number;
                            /** @description True: the settings changed since, and it can no longer be approved or rejected. */
                            stale: boolean;
                            /** @description True: its accounts are gone from the chain; votes and outcome are kept here. */
                            closed: boolean;
                            /** @description Rent that closing gave back. */
                            reclaimedLamports?: string;
                            /** Format: date-time */
                            createdAt?: string;
                            creator?: string;
                            /**
                             * @description What is voted on.
                             * @enum {unknown}
                             */
                            kind: "transaction" | "settings" | "batch" | "unknown";
                        }[];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_cursor`: This cursor was not handed out here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_cursor" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    createProposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "custom";
                    /** @description Base64 wire transaction, legacy or v0; signatures are ignored. */
                    transaction: string;
                    /** @description A signer with CAN_INITIATE, who creates the proposal. */
                    signer: string;
                    /** @description True: the signer approves it at once. */
                    approve?: boolean;
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                } | {
                    /** @constant */
                    type: "settings";
                    actions: ({
                        /** @constant */
                        type: "AddSigner";
                        newSigner: {
                            address: string;
                            /** @description Permission bits (interface 2.2); or `permissions`. */
                            mask?: number;
                            permissions?: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                        };
                    } | {
                        /** @constant */
                        type: "RemoveSigner";
                        oldSigner: string;
                    } | {
                        /** @constant */
                        type: "ChangeThreshold";
                        newThreshold: number;
                    } | {
                        /** @constant */
                        type: "SetTimeLock";
                        /** @description Seconds, 0 to 7,776,000. */
                        newTimeLock: number;
                    } | {
                        /** @constant */
                        type: "AddSpendingLimit";
                        /** @description A currency of the environment, or a mint's address. Null or `sol` is SOL. */
                        mint?: string | null;
                        /** @description Base units per period: a decimal string, or a number of at most 9,007,199,254,740,991. */
                        amount: string | number;
                        /**
                         * @description A month is 30 days.
                         * @enum {unknown}
                         */
                        period: "one_time" | "day" | "week" | "month" | "daily" | "weekly" | "monthly";
                        /** @description Who may use it, without any vote. They need not be signers of the account. */
                        signers: string[];
                        /** @description Owners that may be paid. None: anybody. */
                        destinations?: string[];
                        /** @description A date-time (RFC 3339) or Unix seconds. Null or absent: never. */
                        expiration?: string | number | null;
                    } | {
                        /** @constant */
                        type: "RemoveSpendingLimit";
                        spendingLimit: string;
                    } | {
                        AddSigner: {
                            newSigner: {
                                address: string;
                                /** @description Permission bits (interface 2.2); or `permissions`. */
                                mask?: number;
                                permissions?: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                            };
                        };
                    } | {
                        RemoveSigner: {
                            oldSigner: string;
                        };
                    } | {
                        ChangeThreshold: {
                            newThreshold: number;
                        };
                    } | {
                        SetTimeLock: {
                            /** @description Seconds, 0 to 7,776,000. */
                            newTimeLock: number;
                        };
                    } | {
                        AddSpendingLimit: {
                            /** @description A currency of the environment, or a mint's address. Null or `sol` is SOL. */
                            mint?: string | null;
                            /** @description Base units per period: a decimal string, or a number of at most 9,007,199,254,740,991. */
                            amount: string | number;
                            /**
                             * @description A month is 30 days.
                             * @enum {unknown}
                             */
                            period: "one_time" | "day" | "week" | "month" | "daily" | "weekly" | "monthly";
                            /** @description Who may use it, without any vote. They need not be signers of the account. */
                            signers: string[];
                            /** @description Owners that may be paid. None: anybody. */
                            destinations?: string[];
                            /** @description A date-time (RFC 3339) or Unix seconds. Null or absent: never. */
                            expiration?: string | number | null;
                        };
                    } | {
                        RemoveSpendingLimit: {
                            spendingLimit: string;
                        };
                    })[];
                    /** @description A signer with CAN_INITIATE, who creates the proposal. */
                    signer: string;
                    /** @description True: the signer approves it at once. */
                    approve?: boolean;
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                } | {
                    /** @constant */
                    type: "transfer";
                    /**
                     * @description Base units, as a decimal string.
                     * @example 1000000
                     */
                    amount: string;
                    /** @example usdc */
                    currency?: string;
                    /** @description Instead of currency. */
                    mint?: string;
                    /** @description An owner, or a token account of this currency. */
                    destination: string | {
                        address: string;
                    };
                    /** @description A signer with CAN_INITIATE, who creates the proposal. */
                    signer: string;
                    /** @description True: the signer approves it at once. */
                    approve?: boolean;
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            proposalAddress: string;
                            transactionIndex: number;
                            signer: string;
                            /** @description Base64 wire transactions, unsigned, for the multiple submit. */
                            transactions: string[];
                            /** @description Addresses that must sign, the service's fee payer aside. */
                            transaction_signers: string[];
                            /** @description One array per transaction, in their order. */
                            kms_payloads: {
                                /** @description The signer the payload is for: an entry of transaction_signers. */
                                address: string;
                                /** @description Base64 of the JSON document to sign (interface 5.6). */
                                payload: string;
                                provider: "kms_a" | "kms_b";
                            }[][];
                            /**
                             * Format: date-time
                             * @description When it can no longer land.
                             */
                            expires_at: string;
                            /** @description What it does, read off its bytes. */
                            summary: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            } | {
                                /** @constant */
                                type: "create_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                creator: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "activate_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @description Who turns the draft into an open vote. */
                                signer: string;
                            } | {
                                /** @constant */
                                type: "vote";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @enum {unknown} */
                                action: "approve" | "reject" | "cancel";
                                signer: string;
                            } | {
                                /** @constant */
                                type: "execute_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                signer: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            })[];
                            /** @description What it costs and who pays (gap 51). */
                            fee: {
                                /** @description The chain's fee. */
                                lamports: string;
                                /** @description Rent of accounts it creates, paid by the fee payer. */
                                rent_lamports: string;
                                /** @description The fee payer's address. */
                                paid_by: string;
                            };
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_transaction`: This is not a valid serialized transaction.
             *     - `transaction_too_large`: The transaction does not fit into 1232 bytes.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `admin_required`: The account's admin alone changes its settings. Ask for it with admin=true.
             *     - `invalid_policies`: The account policy is not valid.
             *     - `invalid_address`: This is not a valid address.
             *     - `invalid_amount`: The amount must be a positive whole number of base units, as a decimal string.
             *     - `unsupported_currency`: This currency is not known here.
             *     - `no_changes`: There is nothing to change.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_transaction" | "transaction_too_large" | "forbidden_account" | "admin_required" | "invalid_policies" | "invalid_address" | "invalid_amount" | "unsupported_currency" | "no_changes" | "transaction_failed" | "unsupported_fee_config" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            /**
             * @description - `proposal_index_conflict`: Another proposal took this index meanwhile. Prepare it again.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_index_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `sponsorship_limit_exceeded`: The budget for sponsored fees is used up.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "sponsorship_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    getProposal: {
        parameters: {
            query?: {
                /** @description True: the status as the chain has it. */
                showOnChainStatus?: boolean;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
                proposal_address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            proposalAddress: string;
                            /**
                             * @description One of the first five; with showOnChainStatus=true one of the others, as the chain has it.
                             * @enum {unknown}
                             */
                            status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled" | "draft" | "active" | "rejected" | "approved" | "executing" | "executed" | "cancelled" | "closed";
                            /** @description When that status was set: Unix seconds. */
                            statusTimestamp: number;
                            approved: string[];
                            rejected: string[];
                            cancelled: string[];
                            /** @description The settings, whose signers decide. */
                            consensusAccount: string;
                            /** @constant */
                            consensusAccountType: "Settings";
                            /**
                             * Format: date-time
                             * @description Of the transaction that last changed the proposal.
                             */
                            blockTime?: string;
                            /** @description That transaction. */
                            lastModifiedSignature?: string;
                            /** @description The smart account. */
                            mainAccountAddress: string;
                            settingsAddress: string;
                            transactionIndex: number;
                            /** @description True: the settings changed since, and it can no longer be approved or rejected. */
                            stale: boolean;
                            /** @description True: its accounts are gone from the chain; votes and outcome are kept here. */
                            closed: boolean;
                            /** @description Rent that closing gave back. */
                            reclaimedLamports?: string;
                            /** Format: date-time */
                            createdAt?: string;
                            creator?: string;
                            /**
                             * @description What is voted on.
                             * @enum {unknown}
                             */
                            kind: "transaction" | "settings" | "batch" | "unknown";
                            /**
                             * Format: date-time
                             * @description Of an approved one: when its time lock ends.
                             */
                            executableAt?: string;
                            /** @description What it does once it is executed, read off the stored bytes. */
                            summary: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            })[];
                            /** @description Whose balances would change if it were executed now. Absent where that cannot be simulated. */
                            balanceChanges?: {
                                /** @description Who holds it: for tokens the owner of the token account. */
                                address: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                before: string;
                                after: string;
                                /** @description With a minus sign where it is less afterwards. */
                                change: string;
                            }[];
                            /** @description Why it cannot: it would fail, for example. */
                            simulationError?: string;
                            warnings: {
                                /** @enum {unknown} */
                                code: "durable_nonce" | "stale" | "no_time_lock" | "lowers_threshold" | "removes_signer" | "old_approvals" | "grants_spending_limit" | "changes_time_lock" | "simulation_failed" | "blocks_account" | "never_executable";
                                message: string;
                                /** @description Whom it is about. */
                                signers?: string[];
                                /** @description True: a signer of this very request is among them. */
                                caller?: boolean;
                                /** @description Null is SOL. */
                                mint?: string | null;
                                /** @description As it is now. */
                                from?: number;
                                /** @description As it would be. */
                                to?: number;
                            }[];
                            /** @description Approvals that are still missing; 0 unless Active. */
                            votesNeeded: number;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /**
             * @description - `proposal_account_mismatch`: The proposal belongs to another account.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_account_mismatch" | "insufficient_scope";
                    };
                };
            };
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `proposal_not_found`: The account has no such proposal.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "proposal_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    voteOnProposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
                proposal_address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description approve or reject while Active, cancel while Approved.
                     * @enum {unknown}
                     */
                    action: "approve" | "reject" | "cancel";
                    signers: string[];
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Whose votes are in the transaction. */
                            signers: string[];
                            /** @description Base64 wire transaction, unsigned. */
                            transaction: string;
                            /** @description Addresses that must sign, the service's fee payer aside. */
                            transaction_signers: string[];
                            kms_payloads: {
                                /** @description The signer the payload is for: an entry of transaction_signers. */
                                address: string;
                                /** @description Base64 of the JSON document to sign (interface 5.6). */
                                payload: string;
                                provider: "kms_a" | "kms_b";
                            }[];
                            /**
                             * Format: date-time
                             * @description When it can no longer land.
                             */
                            expires_at: string;
                            /** @description What it does, read off its bytes. */
                            summary: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            } | {
                                /** @constant */
                                type: "create_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                creator: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "activate_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @description Who turns the draft into an open vote. */
                                signer: string;
                            } | {
                                /** @constant */
                                type: "vote";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @enum {unknown} */
                                action: "approve" | "reject" | "cancel";
                                signer: string;
                            } | {
                                /** @constant */
                                type: "execute_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                signer: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            })[];
                            /** @description What it costs and who pays (gap 51). */
                            fee: {
                                /** @description The chain's fee. */
                                lamports: string;
                                /** @description Rent of accounts it creates, paid by the fee payer. */
                                rent_lamports: string;
                                /** @description The fee payer's address. */
                                paid_by: string;
                            };
                            proposal: {
                                proposalAddress: string;
                                /**
                                 * @description One of the first five; with showOnChainStatus=true one of the others, as the chain has it.
                                 * @enum {unknown}
                                 */
                                status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled" | "draft" | "active" | "rejected" | "approved" | "executing" | "executed" | "cancelled" | "closed";
                                /** @description When that status was set: Unix seconds. */
                                statusTimestamp: number;
                                approved: string[];
                                rejected: string[];
                                cancelled: string[];
                                /** @description The settings, whose signers decide. */
                                consensusAccount: string;
                                /** @constant */
                                consensusAccountType: "Settings";
                                /**
                                 * Format: date-time
                                 * @description Of the transaction that last changed the proposal.
                                 */
                                blockTime?: string;
                                /** @description That transaction. */
                                lastModifiedSignature?: string;
                                /** @description The smart account. */
                                mainAccountAddress: string;
                                settingsAddress: string;
                                transactionIndex: number;
                                /** @description True: the settings changed since, and it can no longer be approved or rejected. */
                                stale: boolean;
                                /** @description True: its accounts are gone from the chain; votes and outcome are kept here. */
                                closed: boolean;
                                /** @description Rent that closing gave back. */
                                reclaimedLamports?: string;
                                /** Format: date-time */
                                createdAt?: string;
                                creator?: string;
                                /**
                                 * @description What is voted on.
                                 * @enum {unknown}
                                 */
                                kind: "transaction" | "settings" | "batch" | "unknown";
                                /**
                                 * Format: date-time
                                 * @description Of an approved one: when its time lock ends.
                                 */
                                executableAt?: string;
                                /** @description What it does once it is executed, read off the stored bytes. */
                                summary: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Whose balances would change if it were executed now. Absent where that cannot be simulated. */
                                balanceChanges?: {
                                    /** @description Who holds it: for tokens the owner of the token account. */
                                    address: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    before: string;
                                    after: string;
                                    /** @description With a minus sign where it is less afterwards. */
                                    change: string;
                                }[];
                                /** @description Why it cannot: it would fail, for example. */
                                simulationError?: string;
                                warnings: {
                                    /** @enum {unknown} */
                                    code: "durable_nonce" | "stale" | "no_time_lock" | "lowers_threshold" | "removes_signer" | "old_approvals" | "grants_spending_limit" | "changes_time_lock" | "simulation_failed" | "blocks_account" | "never_executable";
                                    message: string;
                                    /** @description Whom it is about. */
                                    signers?: string[];
                                    /** @description True: a signer of this very request is among them. */
                                    caller?: boolean;
                                    /** @description Null is SOL. */
                                    mint?: string | null;
                                    /** @description As it is now. */
                                    from?: number;
                                    /** @description As it would be. */
                                    to?: number;
                                }[];
                                /** @description Approvals that are still missing; 0 unless Active. */
                                votesNeeded: number;
                            };
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `insufficient_balance`: The account does not hold enough.
             *     - `transaction_too_large`: The transaction does not fit into 1232 bytes.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_balance" | "transaction_too_large" | "transaction_failed" | "forbidden_account" | "unsupported_fee_config" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `proposal_account_mismatch`: The proposal belongs to another account.
             *     - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_account_mismatch" | "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `proposal_not_found`: The account has no such proposal.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "proposal_not_found";
                    };
                };
            };
            /**
             * @description - `already_voted`: Every signer named has voted so already.
             *     - `invalid_proposal_status`: The proposal's status does not allow this.
             *     - `stale_proposal`: The account's settings changed after this proposal was made, so it can no longer be decided.
             *     - `submission_in_progress`: This transaction is being submitted. Ask again shortly.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "already_voted" | "invalid_proposal_status" | "stale_proposal" | "submission_in_progress" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    executeProposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
                proposal_address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A signer with CAN_EXECUTE. */
                    signer: string;
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            signers: string[];
                            /** @description Base64 wire transactions, unsigned, for the multiple submit. */
                            transactions: string[];
                            /** @description Addresses that must sign, the service's fee payer aside. */
                            transaction_signers: string[];
                            /** @description One array per transaction, in their order. */
                            kms_payloads: {
                                /** @description The signer the payload is for: an entry of transaction_signers. */
                                address: string;
                                /** @description Base64 of the JSON document to sign (interface 5.6). */
                                payload: string;
                                provider: "kms_a" | "kms_b";
                            }[][];
                            /**
                             * Format: date-time
                             * @description When it can no longer land.
                             */
                            expires_at: string;
                            /** @description What it does, read off its bytes. */
                            summary: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            } | {
                                /** @constant */
                                type: "create_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                creator: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "activate_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @description Who turns the draft into an open vote. */
                                signer: string;
                            } | {
                                /** @constant */
                                type: "vote";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @enum {unknown} */
                                action: "approve" | "reject" | "cancel";
                                signer: string;
                            } | {
                                /** @constant */
                                type: "execute_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                signer: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            })[];
                            /** @description What it costs and who pays (gap 51). */
                            fee: {
                                /** @description The chain's fee. */
                                lamports: string;
                                /** @description Rent of accounts it creates, paid by the fee payer. */
                                rent_lamports: string;
                                /** @description The fee payer's address. */
                                paid_by: string;
                            };
                            proposal: {
                                proposalAddress: string;
                                /**
                                 * @description One of the first five; with showOnChainStatus=true one of the others, as the chain has it.
                                 * @enum {unknown}
                                 */
                                status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled" | "draft" | "active" | "rejected" | "approved" | "executing" | "executed" | "cancelled" | "closed";
                                /** @description When that status was set: Unix seconds. */
                                statusTimestamp: number;
                                approved: string[];
                                rejected: string[];
                                cancelled: string[];
                                /** @description The settings, whose signers decide. */
                                consensusAccount: string;
                                /** @constant */
                                consensusAccountType: "Settings";
                                /**
                                 * Format: date-time
                                 * @description Of the transaction that last changed the proposal.
                                 */
                                blockTime?: string;
                                /** @description That transaction. */
                                lastModifiedSignature?: string;
                                /** @description The smart account. */
                                mainAccountAddress: string;
                                settingsAddress: string;
                                transactionIndex: number;
                                /** @description True: the settings changed since, and it can no longer be approved or rejected. */
                                stale: boolean;
                                /** @description True: its accounts are gone from the chain; votes and outcome are kept here. */
                                closed: boolean;
                                /** @description Rent that closing gave back. */
                                reclaimedLamports?: string;
                                /** Format: date-time */
                                createdAt?: string;
                                creator?: string;
                                /**
                                 * @description What is voted on.
                                 * @enum {unknown}
                                 */
                                kind: "transaction" | "settings" | "batch" | "unknown";
                                /**
                                 * Format: date-time
                                 * @description Of an approved one: when its time lock ends.
                                 */
                                executableAt?: string;
                                /** @description What it does once it is executed, read off the stored bytes. */
                                summary: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Whose balances would change if it were executed now. Absent where that cannot be simulated. */
                                balanceChanges?: {
                                    /** @description Who holds it: for tokens the owner of the token account. */
                                    address: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    before: string;
                                    after: string;
                                    /** @description With a minus sign where it is less afterwards. */
                                    change: string;
                                }[];
                                /** @description Why it cannot: it would fail, for example. */
                                simulationError?: string;
                                warnings: {
                                    /** @enum {unknown} */
                                    code: "durable_nonce" | "stale" | "no_time_lock" | "lowers_threshold" | "removes_signer" | "old_approvals" | "grants_spending_limit" | "changes_time_lock" | "simulation_failed" | "blocks_account" | "never_executable";
                                    message: string;
                                    /** @description Whom it is about. */
                                    signers?: string[];
                                    /** @description True: a signer of this very request is among them. */
                                    caller?: boolean;
                                    /** @description Null is SOL. */
                                    mint?: string | null;
                                    /** @description As it is now. */
                                    from?: number;
                                    /** @description As it would be. */
                                    to?: number;
                                }[];
                                /** @description Approvals that are still missing; 0 unless Active. */
                                votesNeeded: number;
                            };
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `forbidden_account`: The request names an account that it must not use.
             *     - `rent_not_sponsored`: The service does not pay the rent of accounts that others can close for this account. Fund the account with SOL, or pay with a key of your own.
             *     - `invalid_transaction`: This is not a valid serialized transaction.
             *     - `transaction_too_large`: The transaction does not fit into 1232 bytes.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "forbidden_account" | "rent_not_sponsored" | "invalid_transaction" | "transaction_too_large" | "transaction_failed" | "unsupported_fee_config" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `proposal_account_mismatch`: The proposal belongs to another account.
             *     - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_account_mismatch" | "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `proposal_not_found`: The account has no such proposal.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "proposal_not_found";
                    };
                };
            };
            /**
             * @description - `invalid_proposal_status`: The proposal's status does not allow this.
             *     - `stale_proposal`: The account's settings changed after this proposal was made, so it can no longer be decided.
             *     - `time_lock_not_released`: The time lock has not ended yet.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_proposal_status" | "stale_proposal" | "time_lock_not_released" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    voteAndExecuteProposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
                proposal_address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    signers: string[];
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                    feeConfig?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Who votes or executes in the transaction. */
                            signers: string[];
                            /** @description Base64 wire transactions, unsigned, for the multiple submit. */
                            transactions: string[];
                            /** @description Addresses that must sign, the service's fee payer aside. */
                            transaction_signers: string[];
                            /** @description One array per transaction, in their order. */
                            kms_payloads: {
                                /** @description The signer the payload is for: an entry of transaction_signers. */
                                address: string;
                                /** @description Base64 of the JSON document to sign (interface 5.6). */
                                payload: string;
                                provider: "kms_a" | "kms_b";
                            }[][];
                            /**
                             * Format: date-time
                             * @description When it can no longer land.
                             */
                            expires_at: string;
                            /** @description What it does, read off its bytes. */
                            summary: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            } | {
                                /** @constant */
                                type: "create_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                creator: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "activate_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @description Who turns the draft into an open vote. */
                                signer: string;
                            } | {
                                /** @constant */
                                type: "vote";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @enum {unknown} */
                                action: "approve" | "reject" | "cancel";
                                signer: string;
                            } | {
                                /** @constant */
                                type: "execute_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                signer: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            })[];
                            /** @description What it costs and who pays (gap 51). */
                            fee: {
                                /** @description The chain's fee. */
                                lamports: string;
                                /** @description Rent of accounts it creates, paid by the fee payer. */
                                rent_lamports: string;
                                /** @description The fee payer's address. */
                                paid_by: string;
                            };
                            proposal: {
                                proposalAddress: string;
                                /**
                                 * @description One of the first five; with showOnChainStatus=true one of the others, as the chain has it.
                                 * @enum {unknown}
                                 */
                                status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled" | "draft" | "active" | "rejected" | "approved" | "executing" | "executed" | "cancelled" | "closed";
                                /** @description When that status was set: Unix seconds. */
                                statusTimestamp: number;
                                approved: string[];
                                rejected: string[];
                                cancelled: string[];
                                /** @description The settings, whose signers decide. */
                                consensusAccount: string;
                                /** @constant */
                                consensusAccountType: "Settings";
                                /**
                                 * Format: date-time
                                 * @description Of the transaction that last changed the proposal.
                                 */
                                blockTime?: string;
                                /** @description That transaction. */
                                lastModifiedSignature?: string;
                                /** @description The smart account. */
                                mainAccountAddress: string;
                                settingsAddress: string;
                                transactionIndex: number;
                                /** @description True: the settings changed since, and it can no longer be approved or rejected. */
                                stale: boolean;
                                /** @description True: its accounts are gone from the chain; votes and outcome are kept here. */
                                closed: boolean;
                                /** @description Rent that closing gave back. */
                                reclaimedLamports?: string;
                                /** Format: date-time */
                                createdAt?: string;
                                creator?: string;
                                /**
                                 * @description What is voted on.
                                 * @enum {unknown}
                                 */
                                kind: "transaction" | "settings" | "batch" | "unknown";
                                /**
                                 * Format: date-time
                                 * @description Of an approved one: when its time lock ends.
                                 */
                                executableAt?: string;
                                /** @description What it does once it is executed, read off the stored bytes. */
                                summary: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Whose balances would change if it were executed now. Absent where that cannot be simulated. */
                                balanceChanges?: {
                                    /** @description Who holds it: for tokens the owner of the token account. */
                                    address: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    before: string;
                                    after: string;
                                    /** @description With a minus sign where it is less afterwards. */
                                    change: string;
                                }[];
                                /** @description Why it cannot: it would fail, for example. */
                                simulationError?: string;
                                warnings: {
                                    /** @enum {unknown} */
                                    code: "durable_nonce" | "stale" | "no_time_lock" | "lowers_threshold" | "removes_signer" | "old_approvals" | "grants_spending_limit" | "changes_time_lock" | "simulation_failed" | "blocks_account" | "never_executable";
                                    message: string;
                                    /** @description Whom it is about. */
                                    signers?: string[];
                                    /** @description True: a signer of this very request is among them. */
                                    caller?: boolean;
                                    /** @description Null is SOL. */
                                    mint?: string | null;
                                    /** @description As it is now. */
                                    from?: number;
                                    /** @description As it would be. */
                                    to?: number;
                                }[];
                                /** @description Approvals that are still missing; 0 unless Active. */
                                votesNeeded: number;
                            };
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `forbidden_account`: The request names an account that it must not use.
             *     - `rent_not_sponsored`: The service does not pay the rent of accounts that others can close for this account. Fund the account with SOL, or pay with a key of your own.
             *     - `invalid_transaction`: This is not a valid serialized transaction.
             *     - `transaction_too_large`: The transaction does not fit into 1232 bytes.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "forbidden_account" | "rent_not_sponsored" | "invalid_transaction" | "transaction_too_large" | "transaction_failed" | "unsupported_fee_config" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `proposal_account_mismatch`: The proposal belongs to another account.
             *     - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_account_mismatch" | "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `proposal_not_found`: The account has no such proposal.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "proposal_not_found";
                    };
                };
            };
            /**
             * @description - `invalid_proposal_status`: The proposal's status does not allow this.
             *     - `stale_proposal`: The account's settings changed after this proposal was made, so it can no longer be decided.
             *     - `time_lock_not_released`: The time lock has not ended yet.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_proposal_status" | "stale_proposal" | "time_lock_not_released" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    startAuthentication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example ada@example.org */
                    email: string;
                    /** @enum {unknown} */
                    provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                    /**
                     * @description Another name of provider.
                     * @enum {unknown}
                     */
                    kms_provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                    /** @description When the session is to end, Unix seconds. */
                    expiration?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        otp_id: string;
                        email: string;
                        /** @constant */
                        otp_sent: true;
                        /** @enum {unknown} */
                        provider: "kms_a" | "kms_b";
                        /** @enum {unknown} */
                        requested_provider?: "kms_a" | "kms_b";
                        /** @enum {unknown} */
                        fallback_reason?: "timeout" | "provider_error";
                        /** @constant */
                        status: "pending_verification";
                        /** @constant */
                        type: "email";
                        /** Format: date-time */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When the code stops working.
                         */
                        expires_at: string;
                    };
                };
            };
            /**
             * @description - `invalid_email`: This is not a plain e-mail address.
             *     - `invalid_expiration`: The expiration must lie in the future and at most 30 days ahead.
             *     - `provider_not_available`: This provider is not available here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_email" | "invalid_expiration" | "provider_not_available" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `user_not_found`: User not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "user_not_found";
                    };
                };
            };
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `mail_limit_exceeded`: Too many codes were sent to this address. Try again later.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "mail_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /**
             * @description - `provider_unavailable`: The key custodian cannot be reached at present.
             *     - `mail_unavailable`: The e-mail could not be sent. Try again later.
             */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "provider_unavailable" | "mail_unavailable";
                    };
                };
            };
        };
    };
    initAuthentication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example ada@example.org */
                    email: string;
                    /** @enum {unknown} */
                    provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                    /**
                     * @description Another name of provider.
                     * @enum {unknown}
                     */
                    kms_provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                    /** @description When the session is to end, Unix seconds. */
                    expiration?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        otp_id: string;
                        email: string;
                        /** @constant */
                        otp_sent: true;
                        /** @enum {unknown} */
                        provider: "kms_a" | "kms_b";
                        /** @enum {unknown} */
                        requested_provider?: "kms_a" | "kms_b";
                        /** @enum {unknown} */
                        fallback_reason?: "timeout" | "provider_error";
                        /** @constant */
                        status: "pending_verification";
                        /** @constant */
                        type: "email";
                        /** Format: date-time */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When the code stops working.
                         */
                        expires_at: string;
                    };
                };
            };
            /**
             * @description - `invalid_email`: This is not a plain e-mail address.
             *     - `invalid_expiration`: The expiration must lie in the future and at most 30 days ahead.
             *     - `provider_not_available`: This provider is not available here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_email" | "invalid_expiration" | "provider_not_available" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `user_not_found`: User not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "user_not_found";
                    };
                };
            };
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `mail_limit_exceeded`: Too many codes were sent to this address. Try again later.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "mail_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /**
             * @description - `provider_unavailable`: The key custodian cannot be reached at present.
             *     - `mail_unavailable`: The e-mail could not be sent. Try again later.
             */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "provider_unavailable" | "mail_unavailable";
                    };
                };
            };
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Base64 SPKI DER P-256 public key. */
                    encryption_public_key: string;
                    kms_payload: {
                        /** @enum {unknown} */
                        provider: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
                        /** @description The session as it was received, or what stands under its provider's key. */
                        session: {
                            KmsA?: {
                                refresh_token: string;
                            };
                            KmsB?: {
                                refresh_token: string;
                            };
                            refresh_token?: string;
                        };
                    };
                    /** @description Only for another public key. */
                    signature?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            kms_payload: {
                                /** @enum {unknown} */
                                provider: "kms_a" | "kms_b";
                                session: {
                                    KmsA?: {
                                        /** Format: uuid */
                                        user_id: string;
                                        token: string;
                                        kms_a_access_token: string;
                                        /** @description Good for one refresh. */
                                        refresh_token: string;
                                        session: {
                                            encrypted_authorization_key: {
                                                /** @description Base64 ephemeral public key: the 65-byte uncompressed point. */
                                                encapsulated_key: string;
                                                /** @description Base64. */
                                                ciphertext: string;
                                                /** @example HPKE */
                                                encryption_type: string;
                                            };
                                            /** @description Unix milliseconds. */
                                            expires_at: number;
                                            wallets: {
                                                id: string;
                                                /** @description Base58. */
                                                address: string;
                                                /** @description Base58, the same 32 bytes. */
                                                public_key: string;
                                                owner_id: string;
                                                /** @example solana */
                                                chain_type: string;
                                                /** @description Unix milliseconds. */
                                                created_at: number;
                                                exported_at: number | null;
                                                imported_at: number | null;
                                                policy_ids: string[];
                                                additional_signers: {
                                                    signer_id: string;
                                                    override_policy_ids: string[];
                                                }[];
                                            }[];
                                        };
                                    };
                                    KmsB?: {
                                        /** Format: uuid */
                                        user_id: string;
                                        token: string;
                                        kms_a_access_token: string;
                                        /** @description Good for one refresh. */
                                        refresh_token: string;
                                        session: {
                                            encrypted_authorization_key: {
                                                /** @description Base64 ephemeral public key: the 65-byte uncompressed point. */
                                                encapsulated_key: string;
                                                /** @description Base64. */
                                                ciphertext: string;
                                                /** @example HPKE */
                                                encryption_type: string;
                                            };
                                            /** @description Unix milliseconds. */
                                            expires_at: number;
                                            wallets: {
                                                id: string;
                                                /** @description Base58. */
                                                address: string;
                                                /** @description Base58, the same 32 bytes. */
                                                public_key: string;
                                                owner_id: string;
                                                /** @example solana */
                                                chain_type: string;
                                                /** @description Unix milliseconds. */
                                                created_at: number;
                                                exported_at: number | null;
                                                imported_at: number | null;
                                                policy_ids: string[];
                                                additional_signers: {
                                                    signer_id: string;
                                                    override_policy_ids: string[];
                                                }[];
                                            }[];
                                        };
                                    };
                                    /** Format: uuid */
                                    user_id?: string;
                                    session?: {
                                        encrypted_authorization_key: {
                                            /** @description Base64 ephemeral public key: the 65-byte uncompressed point. */
                                            encapsulated_key: string;
                                            /** @description Base64. */
                                            ciphertext: string;
                                            /** @example HPKE */
                                            encryption_type: string;
                                        };
                                        /** @description Unix milliseconds. */
                                        expires_at: number;
                                        wallets: {
                                            id: string;
                                            /** @description Base58. */
                                            address: string;
                                            /** @description Base58, the same 32 bytes. */
                                            public_key: string;
                                            owner_id: string;
                                            /** @example solana */
                                            chain_type: string;
                                            /** @description Unix milliseconds. */
                                            created_at: number;
                                            exported_at: number | null;
                                            imported_at: number | null;
                                            policy_ids: string[];
                                            additional_signers: {
                                                signer_id: string;
                                                override_policy_ids: string[];
                                            }[];
                                        }[];
                                    };
                                };
                            };
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_encryption_public_key`: encryption_public_key must be a base64 SPKI DER P-256 public key.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_encryption_public_key" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            /**
             * @description - `invalid_refresh_token`: This refresh token is not valid any more. Authenticate again.
             *     - `session_expired`: The session key is expired. Authenticate again.
             *     - `session_key_mismatch`: This session was opened for another public key.
             *     - `api_key_required`: Send an API key as `Authorization: Bearer <API_KEY>`.
             *     - `invalid_api_key`: This API key is not known.
             *     - `api_key_disabled`: This API key has been disabled.
             *     - `api_key_expired`: This API key has expired.
             */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_refresh_token" | "session_expired" | "session_key_mismatch" | "api_key_required" | "invalid_api_key" | "api_key_disabled" | "api_key_expired";
                    };
                };
            };
            403: components["responses"]["Error403"];
            /**
             * @description - `refresh_conflict`: This refresh token has just been traded by another call. Use the session that call was answered with.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "refresh_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `provider_unavailable`: The key custodian cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "provider_unavailable";
                    };
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description A `kind`. */
                type?: "account_creation" | "settings_change" | "spending_limit_payment" | "payment" | "custom" | "proposal_execution" | "proposal_creation" | "proposal_vote" | "proposal_close" | "deposit" | "other";
                status?: "confirmed" | "finalized" | "failed";
                /** @description A symbol or a mint: only what moved it. */
                currency?: string;
                /** @description No earlier than this: a date, a date-time, or Unix seconds. */
                start_date?: string;
                /** @description No later than this, the second included; a date includes its whole day (UTC). */
                end_date?: string;
                /** @description Only this transaction, by its signature. */
                tx_hash?: string;
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "x-next-cursor": components["headers"]["x-next-cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            signature: string;
                            /** @enum {unknown} */
                            status: "confirmed" | "finalized" | "failed";
                            /**
                             * Format: date-time
                             * @description The time of the block.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description The time of the block.
                             */
                            confirmed_at: string;
                            /** @enum {unknown} */
                            kind: "account_creation" | "settings_change" | "spending_limit_payment" | "payment" | "custom" | "proposal_execution" | "proposal_creation" | "proposal_vote" | "proposal_close" | "deposit" | "other";
                            /** @description Why it failed, as the chain puts it. */
                            error?: unknown;
                        }[];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_cursor`: This cursor was not handed out here.
             *     - `unsupported_currency`: This currency is not known here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_cursor" | "unsupported_currency" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    prepareTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Base64 wire transaction, legacy or v0; signatures are ignored. */
                    transaction: string;
                    account_signers?: string[];
                    /** @description Old name of account_signers. */
                    transaction_signers?: string[];
                    provider?: string;
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Base64 wire transaction, unsigned. */
                            transaction: string;
                            /** @description Addresses that must sign, the service's fee payer aside. */
                            transaction_signers: string[];
                            kms_payloads: {
                                /** @description The signer the payload is for: an entry of transaction_signers. */
                                address: string;
                                /** @description Base64 of the JSON document to sign (interface 5.6). */
                                payload: string;
                                provider: "kms_a" | "kms_b";
                            }[];
                            /**
                             * Format: date-time
                             * @description When it can no longer land.
                             */
                            expires_at: string;
                            /** @description What it does, read off its bytes. */
                            summary: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            } | {
                                /** @constant */
                                type: "create_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                creator: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "activate_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @description Who turns the draft into an open vote. */
                                signer: string;
                            } | {
                                /** @constant */
                                type: "vote";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @enum {unknown} */
                                action: "approve" | "reject" | "cancel";
                                signer: string;
                            } | {
                                /** @constant */
                                type: "execute_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                signer: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            })[];
                            /** @description What it costs and who pays (gap 51). */
                            fee: {
                                /** @description The chain's fee. */
                                lamports: string;
                                /** @description Rent of accounts it creates, paid by the fee payer. */
                                rent_lamports: string;
                                /** @description The fee payer's address. */
                                paid_by: string;
                            };
                            simulation_logs: string[];
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_transaction`: This is not a valid serialized transaction.
             *     - `transaction_too_large`: The transaction does not fit into 1232 bytes.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_transaction" | "transaction_too_large" | "forbidden_account" | "transaction_failed" | "unsupported_fee_config" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            /**
             * @description - `proposal_required`: These signers cannot act at once. Create a proposal instead.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_required" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    preparePayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Base units, as a decimal string.
                     * @example 1000000
                     */
                    amount: string;
                    source: {
                        /** @description The smart account of the path. */
                        account: string;
                        /** @example usdc */
                        currency: string;
                    };
                    destination: {
                        /** @description An owner, or a token account of this currency. */
                        address?: string;
                        /** @example usdc */
                        currency?: string;
                        payment_rail?: string;
                    };
                    grid_user_id?: string;
                    /** @description Where the events of this payment are sent, besides to the tenant's webhook endpoints (gap 91). */
                    webhook_url?: string;
                    transaction_signers?: string[];
                    provider?: string;
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            /**
                             * @description See gaps 45 and 78.
                             * @enum {unknown}
                             */
                            state: "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "payment_processed" | "canceled" | "error" | "undeliverable" | "returned" | "refunded";
                            /** @description Base units. */
                            amount: string;
                            currency: string;
                            source: {
                                /** @description The smart account of the path. */
                                account: string;
                                /** @example usdc */
                                currency: string;
                            };
                            destination: {
                                address: string;
                                currency: string;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When its state last moved.
                             */
                            updated_at: string;
                            /** @description With webhook_url: what those events are signed with. It is not shown again. */
                            webhook_secret?: string;
                            /** @description Base64 wire transaction, unsigned. */
                            transaction: string;
                            /** @description Addresses that must sign, the service's fee payer aside. */
                            transaction_signers: string[];
                            kms_payloads: {
                                /** @description The signer the payload is for: an entry of transaction_signers. */
                                address: string;
                                /** @description Base64 of the JSON document to sign (interface 5.6). */
                                payload: string;
                                provider: "kms_a" | "kms_b";
                            }[];
                            /**
                             * Format: date-time
                             * @description When it can no longer land.
                             */
                            expires_at: string;
                            /** @description What it does, read off its bytes. */
                            summary: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            } | {
                                /** @constant */
                                type: "create_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                creator: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "activate_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @description Who turns the draft into an open vote. */
                                signer: string;
                            } | {
                                /** @constant */
                                type: "vote";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                /** @enum {unknown} */
                                action: "approve" | "reject" | "cancel";
                                signer: string;
                            } | {
                                /** @constant */
                                type: "execute_proposal";
                                /** @description The proposal's address. */
                                proposal: string;
                                transaction_index: number;
                                signer: string;
                                /** @description What it does once it is executed. */
                                effects: ({
                                    /** @constant */
                                    type: "transfer";
                                    /** @description Who pays: the owner, not its token account. */
                                    from: string;
                                    /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                    to: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units. */
                                    amount: string;
                                    from_token_account?: string;
                                    to_token_account?: string;
                                } | {
                                    /** @constant */
                                    type: "create_token_account";
                                    owner: string;
                                    mint: string;
                                    token_account: string;
                                    payer: string;
                                } | {
                                    /** @constant */
                                    type: "settings_change";
                                    settings: string;
                                    /** @description Who answers for it: members, or the admin. */
                                    by: string[];
                                    actions: ({
                                        /** @constant */
                                        type: "add_signer";
                                        address: string;
                                        permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                    } | {
                                        /** @constant */
                                        type: "remove_signer";
                                        address: string;
                                    } | {
                                        /** @constant */
                                        type: "change_threshold";
                                        threshold: number;
                                    } | {
                                        /** @constant */
                                        type: "set_time_lock";
                                        /** @description Seconds. */
                                        time_lock: number;
                                    } | {
                                        /** @constant */
                                        type: "set_admin";
                                        admin_address: string | null;
                                        /** @description True without an admin: the account can never have one again. */
                                        irreversible: boolean;
                                    } | {
                                        /** @constant */
                                        type: "add_spending_limit";
                                        spending_limit: string;
                                        /** @description Null is SOL. */
                                        mint: string | null;
                                        /** @description Base units per period. */
                                        amount: string;
                                        /** @enum {unknown} */
                                        period: "one_time" | "day" | "week" | "month";
                                        signers: string[];
                                        /** @description Empty: anybody may be paid. */
                                        destinations: string[];
                                        /** @description Unix seconds; absent: never. */
                                        expires_at?: number;
                                    } | {
                                        /** @constant */
                                        type: "remove_spending_limit";
                                        spending_limit: string;
                                    } | {
                                        /** @constant */
                                        type: "other";
                                        /** @description The program's name for it. */
                                        name: string;
                                    })[];
                                } | {
                                    /** @constant */
                                    type: "instruction";
                                    program: string;
                                    accounts: string[];
                                    /** @description Base64. */
                                    data: string;
                                })[];
                                /** @description Of a settings change: the same, action by action. */
                                actions?: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            })[];
                            /** @description What it costs and who pays (gap 51). */
                            fee: {
                                /** @description The chain's fee. */
                                lamports: string;
                                /** @description Rent of accounts it creates, paid by the fee payer. */
                                rent_lamports: string;
                                /** @description The fee payer's address. */
                                paid_by: string;
                            };
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_amount`: The amount must be a positive whole number of base units, as a decimal string.
             *     - `invalid_address`: This is not a valid address.
             *     - `unsupported_currency`: This currency is not known here.
             *     - `rail_not_available`: This payment rail is not available here.
             *     - `insufficient_balance`: The account does not hold enough.
             *     - `rent_not_sponsored`: The service does not pay the rent of accounts that others can close for this account. Fund the account with SOL, or pay with a key of your own.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `invalid_webhook_url`: Events cannot be sent to this URL.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_amount" | "invalid_address" | "unsupported_currency" | "rail_not_available" | "insufficient_balance" | "rent_not_sponsored" | "forbidden_account" | "unsupported_fee_config" | "transaction_failed" | "invalid_webhook_url" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            /**
             * @description - `proposal_required`: These signers cannot act at once. Create a proposal instead.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_required" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    listPaymentIntents: {
        parameters: {
            query?: {
                /** @description Repeat it for several. */
                state?: ("awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "payment_processed" | "canceled" | "error" | "undeliverable" | "returned" | "refunded")[];
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "x-next-cursor": components["headers"]["x-next-cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            /**
                             * @description See gaps 45 and 78.
                             * @enum {unknown}
                             */
                            state: "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "payment_processed" | "canceled" | "error" | "undeliverable" | "returned" | "refunded";
                            /** @description Base units. */
                            amount: string;
                            currency: string;
                            source: {
                                /** @description The smart account of the path. */
                                account: string;
                                /** @example usdc */
                                currency: string;
                            };
                            destination: {
                                address: string;
                                currency: string;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When its state last moved.
                             */
                            updated_at: string;
                            /** @description From payment_submitted on. */
                            transaction_signature?: string;
                            /**
                             * Format: date-time
                             * @description Of one that is processed: the block.
                             */
                            confirmed_at?: string;
                            /** @description Of one that is canceled or in error: why nothing was paid. */
                            error?: {
                                code: string;
                                message: string;
                            };
                        }[];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_cursor`: This cursor was not handed out here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_cursor" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    getPaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            /**
                             * @description See gaps 45 and 78.
                             * @enum {unknown}
                             */
                            state: "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "payment_processed" | "canceled" | "error" | "undeliverable" | "returned" | "refunded";
                            /** @description Base units. */
                            amount: string;
                            currency: string;
                            source: {
                                /** @description The smart account of the path. */
                                account: string;
                                /** @example usdc */
                                currency: string;
                            };
                            destination: {
                                address: string;
                                currency: string;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When its state last moved.
                             */
                            updated_at: string;
                            /** @description From payment_submitted on. */
                            transaction_signature?: string;
                            /**
                             * Format: date-time
                             * @description Of one that is processed: the block.
                             */
                            confirmed_at?: string;
                            /** @description Of one that is canceled or in error: why nothing was paid. */
                            error?: {
                                code: string;
                                message: string;
                            };
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `payment_intent_not_found`: The account has no such payment intent.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "payment_intent_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    getBalances: {
        parameters: {
            query?: {
                /** @description Tokens a page. */
                limit?: number;
                page?: number;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            address: string;
                            lamports: number;
                            sol: number;
                            tokens: {
                                /** @description The mint; the system program's address for SOL. */
                                token_address: string;
                                /** @description Base units. Above 2^53 the last digits are lost: use amount_decimal. */
                                amount: number;
                                /** @description Exact, in major units. */
                                amount_decimal: string;
                                decimals: number;
                                name?: string;
                                symbol?: string;
                            }[];
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    createSpendingLimit: {
        parameters: {
            query?: {
                /** @description True: the admin makes the change. */
                admin?: boolean;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Base units per period: a decimal string, or a number of at most 9,007,199,254,740,991. */
                    amount: string | number;
                    /** @description A currency of the environment, or a mint's address. Null or `sol` is SOL. */
                    mint: string | null;
                    /**
                     * @description A month is 30 days.
                     * @enum {unknown}
                     */
                    period: "one_time" | "day" | "week" | "month" | "daily" | "weekly" | "monthly";
                    /** @description Who may use it, without any vote. They need not be signers of the account. */
                    spending_limit_signers: string[];
                    /** @description Owners that may be paid. None: anybody. */
                    destinations?: string[];
                    /** @description A date-time (RFC 3339) or Unix seconds. Null or absent: never. */
                    expiration?: string | number | null;
                    transaction_signers?: string[];
                    provider?: string;
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Base64 wire transaction, unsigned. */
                        transaction: string;
                        /** @description Addresses that must sign, the service's fee payer aside. */
                        transaction_signers: string[];
                        kms_payloads: {
                            /** @description The signer the payload is for: an entry of transaction_signers. */
                            address: string;
                            /** @description Base64 of the JSON document to sign (interface 5.6). */
                            payload: string;
                            provider: "kms_a" | "kms_b";
                        }[];
                        /**
                         * Format: date-time
                         * @description When it can no longer land.
                         */
                        expires_at: string;
                        /** @description What it does, read off its bytes. */
                        summary: ({
                            /** @constant */
                            type: "transfer";
                            /** @description Who pays: the owner, not its token account. */
                            from: string;
                            /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                            to: string;
                            /** @description Null is SOL. */
                            mint: string | null;
                            /** @description Base units. */
                            amount: string;
                            from_token_account?: string;
                            to_token_account?: string;
                        } | {
                            /** @constant */
                            type: "create_token_account";
                            owner: string;
                            mint: string;
                            token_account: string;
                            payer: string;
                        } | {
                            /** @constant */
                            type: "settings_change";
                            settings: string;
                            /** @description Who answers for it: members, or the admin. */
                            by: string[];
                            actions: ({
                                /** @constant */
                                type: "add_signer";
                                address: string;
                                permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                            } | {
                                /** @constant */
                                type: "remove_signer";
                                address: string;
                            } | {
                                /** @constant */
                                type: "change_threshold";
                                threshold: number;
                            } | {
                                /** @constant */
                                type: "set_time_lock";
                                /** @description Seconds. */
                                time_lock: number;
                            } | {
                                /** @constant */
                                type: "set_admin";
                                admin_address: string | null;
                                /** @description True without an admin: the account can never have one again. */
                                irreversible: boolean;
                            } | {
                                /** @constant */
                                type: "add_spending_limit";
                                spending_limit: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units per period. */
                                amount: string;
                                /** @enum {unknown} */
                                period: "one_time" | "day" | "week" | "month";
                                signers: string[];
                                /** @description Empty: anybody may be paid. */
                                destinations: string[];
                                /** @description Unix seconds; absent: never. */
                                expires_at?: number;
                            } | {
                                /** @constant */
                                type: "remove_spending_limit";
                                spending_limit: string;
                            } | {
                                /** @constant */
                                type: "other";
                                /** @description The program's name for it. */
                                name: string;
                            })[];
                        } | {
                            /** @constant */
                            type: "instruction";
                            program: string;
                            accounts: string[];
                            /** @description Base64. */
                            data: string;
                        } | {
                            /** @constant */
                            type: "create_proposal";
                            /** @description The proposal's address. */
                            proposal: string;
                            transaction_index: number;
                            creator: string;
                            /** @description What it does once it is executed. */
                            effects: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            })[];
                            /** @description Of a settings change: the same, action by action. */
                            actions?: ({
                                /** @constant */
                                type: "add_signer";
                                address: string;
                                permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                            } | {
                                /** @constant */
                                type: "remove_signer";
                                address: string;
                            } | {
                                /** @constant */
                                type: "change_threshold";
                                threshold: number;
                            } | {
                                /** @constant */
                                type: "set_time_lock";
                                /** @description Seconds. */
                                time_lock: number;
                            } | {
                                /** @constant */
                                type: "set_admin";
                                admin_address: string | null;
                                /** @description True without an admin: the account can never have one again. */
                                irreversible: boolean;
                            } | {
                                /** @constant */
                                type: "add_spending_limit";
                                spending_limit: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units per period. */
                                amount: string;
                                /** @enum {unknown} */
                                period: "one_time" | "day" | "week" | "month";
                                signers: string[];
                                /** @description Empty: anybody may be paid. */
                                destinations: string[];
                                /** @description Unix seconds; absent: never. */
                                expires_at?: number;
                            } | {
                                /** @constant */
                                type: "remove_spending_limit";
                                spending_limit: string;
                            } | {
                                /** @constant */
                                type: "other";
                                /** @description The program's name for it. */
                                name: string;
                            })[];
                        } | {
                            /** @constant */
                            type: "activate_proposal";
                            /** @description The proposal's address. */
                            proposal: string;
                            transaction_index: number;
                            /** @description Who turns the draft into an open vote. */
                            signer: string;
                        } | {
                            /** @constant */
                            type: "vote";
                            /** @description The proposal's address. */
                            proposal: string;
                            transaction_index: number;
                            /** @enum {unknown} */
                            action: "approve" | "reject" | "cancel";
                            signer: string;
                        } | {
                            /** @constant */
                            type: "execute_proposal";
                            /** @description The proposal's address. */
                            proposal: string;
                            transaction_index: number;
                            signer: string;
                            /** @description What it does once it is executed. */
                            effects: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            })[];
                            /** @description Of a settings change: the same, action by action. */
                            actions?: ({
                                /** @constant */
                                type: "add_signer";
                                address: string;
                                permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                            } | {
                                /** @constant */
                                type: "remove_signer";
                                address: string;
                            } | {
                                /** @constant */
                                type: "change_threshold";
                                threshold: number;
                            } | {
                                /** @constant */
                                type: "set_time_lock";
                                /** @description Seconds. */
                                time_lock: number;
                            } | {
                                /** @constant */
                                type: "set_admin";
                                admin_address: string | null;
                                /** @description True without an admin: the account can never have one again. */
                                irreversible: boolean;
                            } | {
                                /** @constant */
                                type: "add_spending_limit";
                                spending_limit: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units per period. */
                                amount: string;
                                /** @enum {unknown} */
                                period: "one_time" | "day" | "week" | "month";
                                signers: string[];
                                /** @description Empty: anybody may be paid. */
                                destinations: string[];
                                /** @description Unix seconds; absent: never. */
                                expires_at?: number;
                            } | {
                                /** @constant */
                                type: "remove_spending_limit";
                                spending_limit: string;
                            } | {
                                /** @constant */
                                type: "other";
                                /** @description The program's name for it. */
                                name: string;
                            })[];
                        })[];
                        /** @description What it costs and who pays (gap 51). */
                        fee: {
                            /** @description The chain's fee. */
                            lamports: string;
                            /** @description Rent of accounts it creates, paid by the fee payer. */
                            rent_lamports: string;
                            /** @description The fee payer's address. */
                            paid_by: string;
                        };
                        spending_limit_address: string;
                    };
                };
            };
            /**
             * @description - `admin_required`: The account's admin alone changes its settings. Ask for it with admin=true.
             *     - `account_has_no_admin`: The account has no admin and can never have one: its signers decide.
             *     - `invalid_amount`: The amount must be a positive whole number of base units, as a decimal string.
             *     - `invalid_address`: This is not a valid address.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `rent_not_sponsored`: The service does not pay the rent of accounts that others can close for this account. Fund the account with SOL, or pay with a key of your own.
             *     - `transaction_too_large`: The transaction does not fit into 1232 bytes.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "admin_required" | "account_has_no_admin" | "invalid_amount" | "invalid_address" | "forbidden_account" | "rent_not_sponsored" | "transaction_too_large" | "transaction_failed" | "unsupported_fee_config" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            /**
             * @description - `proposal_required`: These signers cannot act at once. Create a proposal instead.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_required" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    getSpendingLimit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
                spending_limit_address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        address: string;
                        settings_address: string;
                        /** @description The account it pays from. */
                        main_account_address: string;
                        /** @enum {unknown} */
                        environment: "sandbox" | "devnet" | "mainnet";
                        /** @description Null is SOL. */
                        mint: string | null;
                        /** @description Its symbol, where the environment knows the mint. */
                        currency?: string;
                        /** @description Base units per period. */
                        amount: string;
                        /** @description Base units that a payment could take now, balance aside. */
                        remaining_amount: string;
                        /**
                         * @description A month is 30 days.
                         * @enum {unknown}
                         */
                        period: "one_time" | "day" | "week" | "month";
                        /**
                         * Format: date-time
                         * @description Since when the present allowance counts.
                         */
                        last_reset: string;
                        /** @description The first second at which the whole amount is there again. Null for a one-time limit. */
                        next_reset: string | null;
                        /** @description Who may use it. */
                        signers: string[];
                        /** @description Owners that may be paid. Empty: anybody. */
                        destinations: string[];
                        /** @description Null: never. */
                        expiration: string | null;
                        /** @description True: it has not expired, something is left of it, and it pays from this very account. The account's balance does not count. */
                        usable: boolean;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `spending_limit_not_found`: The account has no such spending limit.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "spending_limit_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    deleteSpendingLimit: {
        parameters: {
            query?: {
                /** @description True: the admin makes the change. */
                admin?: boolean;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
                spending_limit_address: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    transaction_signers?: string[];
                    provider?: string;
                    fee_config?: {
                        /** @description True: payer_address pays, and signs. */
                        self_managed_fees?: boolean;
                    };
                    /** @description Who pays with self_managed_fees: a key of the caller's. */
                    payer_address?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Base64 wire transaction, unsigned. */
                        transaction: string;
                        /** @description Addresses that must sign, the service's fee payer aside. */
                        transaction_signers: string[];
                        kms_payloads: {
                            /** @description The signer the payload is for: an entry of transaction_signers. */
                            address: string;
                            /** @description Base64 of the JSON document to sign (interface 5.6). */
                            payload: string;
                            provider: "kms_a" | "kms_b";
                        }[];
                        /**
                         * Format: date-time
                         * @description When it can no longer land.
                         */
                        expires_at: string;
                        /** @description What it does, read off its bytes. */
                        summary: ({
                            /** @constant */
                            type: "transfer";
                            /** @description Who pays: the owner, not its token account. */
                            from: string;
                            /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                            to: string;
                            /** @description Null is SOL. */
                            mint: string | null;
                            /** @description Base units. */
                            amount: string;
                            from_token_account?: string;
                            to_token_account?: string;
                        } | {
                            /** @constant */
                            type: "create_token_account";
                            owner: string;
                            mint: string;
                            token_account: string;
                            payer: string;
                        } | {
                            /** @constant */
                            type: "settings_change";
                            settings: string;
                            /** @description Who answers for it: members, or the admin. */
                            by: string[];
                            actions: ({
                                /** @constant */
                                type: "add_signer";
                                address: string;
                                permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                            } | {
                                /** @constant */
                                type: "remove_signer";
                                address: string;
                            } | {
                                /** @constant */
                                type: "change_threshold";
                                threshold: number;
                            } | {
                                /** @constant */
                                type: "set_time_lock";
                                /** @description Seconds. */
                                time_lock: number;
                            } | {
                                /** @constant */
                                type: "set_admin";
                                admin_address: string | null;
                                /** @description True without an admin: the account can never have one again. */
                                irreversible: boolean;
                            } | {
                                /** @constant */
                                type: "add_spending_limit";
                                spending_limit: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units per period. */
                                amount: string;
                                /** @enum {unknown} */
                                period: "one_time" | "day" | "week" | "month";
                                signers: string[];
                                /** @description Empty: anybody may be paid. */
                                destinations: string[];
                                /** @description Unix seconds; absent: never. */
                                expires_at?: number;
                            } | {
                                /** @constant */
                                type: "remove_spending_limit";
                                spending_limit: string;
                            } | {
                                /** @constant */
                                type: "other";
                                /** @description The program's name for it. */
                                name: string;
                            })[];
                        } | {
                            /** @constant */
                            type: "instruction";
                            program: string;
                            accounts: string[];
                            /** @description Base64. */
                            data: string;
                        } | {
                            /** @constant */
                            type: "create_proposal";
                            /** @description The proposal's address. */
                            proposal: string;
                            transaction_index: number;
                            creator: string;
                            /** @description What it does once it is executed. */
                            effects: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            })[];
                            /** @description Of a settings change: the same, action by action. */
                            actions?: ({
                                /** @constant */
                                type: "add_signer";
                                address: string;
                                permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                            } | {
                                /** @constant */
                                type: "remove_signer";
                                address: string;
                            } | {
                                /** @constant */
                                type: "change_threshold";
                                threshold: number;
                            } | {
                                /** @constant */
                                type: "set_time_lock";
                                /** @description Seconds. */
                                time_lock: number;
                            } | {
                                /** @constant */
                                type: "set_admin";
                                admin_address: string | null;
                                /** @description True without an admin: the account can never have one again. */
                                irreversible: boolean;
                            } | {
                                /** @constant */
                                type: "add_spending_limit";
                                spending_limit: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units per period. */
                                amount: string;
                                /** @enum {unknown} */
                                period: "one_time" | "day" | "week" | "month";
                                signers: string[];
                                /** @description Empty: anybody may be paid. */
                                destinations: string[];
                                /** @description Unix seconds; absent: never. */
                                expires_at?: number;
                            } | {
                                /** @constant */
                                type: "remove_spending_limit";
                                spending_limit: string;
                            } | {
                                /** @constant */
                                type: "other";
                                /** @description The program's name for it. */
                                name: string;
                            })[];
                        } | {
                            /** @constant */
                            type: "activate_proposal";
                            /** @description The proposal's address. */
                            proposal: string;
                            transaction_index: number;
                            /** @description Who turns the draft into an open vote. */
                            signer: string;
                        } | {
                            /** @constant */
                            type: "vote";
                            /** @description The proposal's address. */
                            proposal: string;
                            transaction_index: number;
                            /** @enum {unknown} */
                            action: "approve" | "reject" | "cancel";
                            signer: string;
                        } | {
                            /** @constant */
                            type: "execute_proposal";
                            /** @description The proposal's address. */
                            proposal: string;
                            transaction_index: number;
                            signer: string;
                            /** @description What it does once it is executed. */
                            effects: ({
                                /** @constant */
                                type: "transfer";
                                /** @description Who pays: the owner, not its token account. */
                                from: string;
                                /** @description Who receives: the owner where the bytes or the chain tell it, else the token account. */
                                to: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units. */
                                amount: string;
                                from_token_account?: string;
                                to_token_account?: string;
                            } | {
                                /** @constant */
                                type: "create_token_account";
                                owner: string;
                                mint: string;
                                token_account: string;
                                payer: string;
                            } | {
                                /** @constant */
                                type: "settings_change";
                                settings: string;
                                /** @description Who answers for it: members, or the admin. */
                                by: string[];
                                actions: ({
                                    /** @constant */
                                    type: "add_signer";
                                    address: string;
                                    permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                                } | {
                                    /** @constant */
                                    type: "remove_signer";
                                    address: string;
                                } | {
                                    /** @constant */
                                    type: "change_threshold";
                                    threshold: number;
                                } | {
                                    /** @constant */
                                    type: "set_time_lock";
                                    /** @description Seconds. */
                                    time_lock: number;
                                } | {
                                    /** @constant */
                                    type: "set_admin";
                                    admin_address: string | null;
                                    /** @description True without an admin: the account can never have one again. */
                                    irreversible: boolean;
                                } | {
                                    /** @constant */
                                    type: "add_spending_limit";
                                    spending_limit: string;
                                    /** @description Null is SOL. */
                                    mint: string | null;
                                    /** @description Base units per period. */
                                    amount: string;
                                    /** @enum {unknown} */
                                    period: "one_time" | "day" | "week" | "month";
                                    signers: string[];
                                    /** @description Empty: anybody may be paid. */
                                    destinations: string[];
                                    /** @description Unix seconds; absent: never. */
                                    expires_at?: number;
                                } | {
                                    /** @constant */
                                    type: "remove_spending_limit";
                                    spending_limit: string;
                                } | {
                                    /** @constant */
                                    type: "other";
                                    /** @description The program's name for it. */
                                    name: string;
                                })[];
                            } | {
                                /** @constant */
                                type: "instruction";
                                program: string;
                                accounts: string[];
                                /** @description Base64. */
                                data: string;
                            })[];
                            /** @description Of a settings change: the same, action by action. */
                            actions?: ({
                                /** @constant */
                                type: "add_signer";
                                address: string;
                                permissions: ("CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE")[];
                            } | {
                                /** @constant */
                                type: "remove_signer";
                                address: string;
                            } | {
                                /** @constant */
                                type: "change_threshold";
                                threshold: number;
                            } | {
                                /** @constant */
                                type: "set_time_lock";
                                /** @description Seconds. */
                                time_lock: number;
                            } | {
                                /** @constant */
                                type: "set_admin";
                                admin_address: string | null;
                                /** @description True without an admin: the account can never have one again. */
                                irreversible: boolean;
                            } | {
                                /** @constant */
                                type: "add_spending_limit";
                                spending_limit: string;
                                /** @description Null is SOL. */
                                mint: string | null;
                                /** @description Base units per period. */
                                amount: string;
                                /** @enum {unknown} */
                                period: "one_time" | "day" | "week" | "month";
                                signers: string[];
                                /** @description Empty: anybody may be paid. */
                                destinations: string[];
                                /** @description Unix seconds; absent: never. */
                                expires_at?: number;
                            } | {
                                /** @constant */
                                type: "remove_spending_limit";
                                spending_limit: string;
                            } | {
                                /** @constant */
                                type: "other";
                                /** @description The program's name for it. */
                                name: string;
                            })[];
                        })[];
                        /** @description What it costs and who pays (gap 51). */
                        fee: {
                            /** @description The chain's fee. */
                            lamports: string;
                            /** @description Rent of accounts it creates, paid by the fee payer. */
                            rent_lamports: string;
                            /** @description The fee payer's address. */
                            paid_by: string;
                        };
                    };
                };
            };
            /**
             * @description - `admin_required`: The account's admin alone changes its settings. Ask for it with admin=true.
             *     - `account_has_no_admin`: The account has no admin and can never have one: its signers decide.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "admin_required" | "account_has_no_admin" | "forbidden_account" | "transaction_failed" | "unsupported_fee_config" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `spending_limit_not_found`: The account has no such spending limit.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "spending_limit_not_found";
                    };
                };
            };
            /**
             * @description - `proposal_required`: These signers cannot act at once. Create a proposal instead.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_required" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    listSpendingLimits: {
        parameters: {
            query?: {
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
                /** @description Those of this mint, or of this currency. */
                mint?: string;
                /** @description Those that this address may use. */
                signer?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "x-next-cursor": components["headers"]["x-next-cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        address: string;
                        settings_address: string;
                        /** @description The account it pays from. */
                        main_account_address: string;
                        /** @enum {unknown} */
                        environment: "sandbox" | "devnet" | "mainnet";
                        /** @description Null is SOL. */
                        mint: string | null;
                        /** @description Its symbol, where the environment knows the mint. */
                        currency?: string;
                        /** @description Base units per period. */
                        amount: string;
                        /** @description Base units that a payment could take now, balance aside. */
                        remaining_amount: string;
                        /**
                         * @description A month is 30 days.
                         * @enum {unknown}
                         */
                        period: "one_time" | "day" | "week" | "month";
                        /**
                         * Format: date-time
                         * @description Since when the present allowance counts.
                         */
                        last_reset: string;
                        /** @description The first second at which the whole amount is there again. Null for a one-time limit. */
                        next_reset: string | null;
                        /** @description Who may use it. */
                        signers: string[];
                        /** @description Owners that may be paid. Empty: anybody. */
                        destinations: string[];
                        /** @description Null: never. */
                        expiration: string | null;
                        /** @description True: it has not expired, something is left of it, and it pays from this very account. The account's balance does not count. */
                        usable: boolean;
                    }[];
                };
            };
            /**
             * @description - `invalid_cursor`: This cursor was not handed out here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_cursor" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    listTransfers: {
        parameters: {
            query?: {
                /** @description A direction, or how it moved. */
                type?: "inflow" | "outflow" | "spl" | "bridge";
                status?: "confirmed" | "finalized";
                /** @description A symbol or a mint: only what moved it. */
                currency?: string;
                /** @description No earlier than this: a date, a date-time, or Unix seconds. */
                start_date?: string;
                /** @description No later than this, the second included; a date includes its whole day (UTC). */
                end_date?: string;
                /** @description Only this transaction, by its signature. */
                tx_hash?: string;
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "x-next-cursor": components["headers"]["x-next-cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            Spl: {
                                /** Format: uuid */
                                id: string;
                                /** Format: uuid */
                                grid_user_id: string;
                                /** @description The smart account. */
                                main_account_address: string;
                                /** @description The system program's address for SOL. */
                                mint: string;
                                is_token_2022: boolean;
                                signature: string;
                                /** @enum {unknown} */
                                confirmation_status: "confirmed" | "finalized";
                                /** @description The owner; the system program's address where nobody is named. */
                                from_address: string;
                                /** @description The owner; the system program's address where nobody is named. */
                                to_address: string;
                                /** @description Base units. */
                                amount: string;
                                /** @description Exact, in major units. */
                                ui_amount: string;
                                decimals: number;
                                /**
                                 * Format: date-time
                                 * @description The time of the block.
                                 */
                                confirmed_at: string;
                                /**
                                 * Format: date-time
                                 * @description The time of the block.
                                 */
                                created_at: string;
                                /**
                                 * Format: date-time
                                 * @description The time of the block.
                                 */
                                updated_at: string;
                                /** @enum {unknown} */
                                direction: "inflow" | "outflow";
                                /** @enum {unknown} */
                                environment: "sandbox" | "devnet" | "mainnet";
                                /** @description Counted in the order instructions began, called ones included. One more than the last: none of them. */
                                instruction_index: number;
                            };
                        }[];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_cursor`: This cursor was not handed out here.
             *     - `unsupported_currency`: This currency is not known here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_cursor" | "unsupported_currency" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    listLegacyPaymentIntents: {
        parameters: {
            query?: {
                /** @description Repeat it for several. */
                state?: ("awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "payment_processed" | "canceled" | "error" | "undeliverable" | "returned" | "refunded")[];
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "x-next-cursor": components["headers"]["x-next-cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        PaymentProvider: {
                            id: string;
                            /** @description Base units, as every amount of a payment on chain (gap 80). */
                            amount: string;
                            blockchain_memo: string | null;
                            client_reference_id: string | null;
                            developer_fee: string;
                            /** @description The grid_user_id of the account. */
                            on_behalf_of: string;
                            /**
                             * @description See gaps 45 and 78.
                             * @enum {unknown}
                             */
                            state: "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "payment_processed" | "canceled" | "error" | "undeliverable" | "returned" | "refunded";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            currency: string | null;
                            return_details: null;
                            source_deposit_instructions: null;
                            source: {
                                bank_beneficiary_address: string | null;
                                bank_beneficiary_name: string | null;
                                bank_name: string | null;
                                bank_routing_number: string | null;
                                bridge_wallet_id: string | null;
                                currency: string | null;
                                description: string | null;
                                external_account_id: string | null;
                                from_address: string | null;
                                imad: string | null;
                                omad: string | null;
                                payment_rail: string | null;
                            };
                            destination: {
                                ach_reference: string | null;
                                blockchain_memo: string | null;
                                bridge_wallet_id: string | null;
                                currency: string | null;
                                external_account_id: string | null;
                                from_address: string | null;
                                imad: string | null;
                                omad: string | null;
                                payment_rail: string | null;
                                sepa_reference: string | null;
                                swift_charges: string | null;
                                swift_reference: string | null;
                                to_address: string | null;
                                trace_number: string | null;
                                uetr: string | null;
                                wire_message: string | null;
                            };
                            receipt: {
                                destination_tx_hash: string | null;
                                developer_fee: string | null;
                                exchange_fee: string | null;
                                exchange_rate: string | null;
                                final_amount: string | null;
                                gas_fee: string | null;
                                initial_amount: string | null;
                                remaining_prefunded_balance: string | null;
                                source_tx_hash: string | null;
                                subtotal_amount: string | null;
                                url: string | null;
                            };
                        };
                    }[];
                };
            };
            /**
             * @description - `invalid_cursor`: This cursor was not handed out here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_cursor" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    createLegacyPaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Base units, as a decimal string.
                     * @example 1000000
                     */
                    amount: string;
                    source: {
                        /** @example usdc */
                        currency: string;
                        /** @description The smart account of the path. */
                        account?: string;
                        /** @description The same. */
                        from_address?: string;
                        /** @example solana */
                        payment_rail?: string;
                    };
                    destination: {
                        /** @description An owner, or a token account of this currency. */
                        address?: string;
                        /** @description The same. */
                        to_address?: string;
                        /** @example usdc */
                        currency?: string;
                        /** @example solana */
                        payment_rail?: string;
                    };
                    grid_user_id?: string;
                    webhook_url?: string;
                    transaction_signers?: string[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        PaymentProvider: {
                            id: string;
                            /** @description Base units, as every amount of a payment on chain (gap 80). */
                            amount: string;
                            blockchain_memo: string | null;
                            client_reference_id: string | null;
                            developer_fee: string;
                            /** @description The grid_user_id of the account. */
                            on_behalf_of: string;
                            /**
                             * @description See gaps 45 and 78.
                             * @enum {unknown}
                             */
                            state: "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "payment_processed" | "canceled" | "error" | "undeliverable" | "returned" | "refunded";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            currency: string | null;
                            return_details: null;
                            source_deposit_instructions: null;
                            source: {
                                bank_beneficiary_address: string | null;
                                bank_beneficiary_name: string | null;
                                bank_name: string | null;
                                bank_routing_number: string | null;
                                bridge_wallet_id: string | null;
                                currency: string | null;
                                description: string | null;
                                external_account_id: string | null;
                                from_address: string | null;
                                imad: string | null;
                                omad: string | null;
                                payment_rail: string | null;
                            };
                            destination: {
                                ach_reference: string | null;
                                blockchain_memo: string | null;
                                bridge_wallet_id: string | null;
                                currency: string | null;
                                external_account_id: string | null;
                                from_address: string | null;
                                imad: string | null;
                                omad: string | null;
                                payment_rail: string | null;
                                sepa_reference: string | null;
                                swift_charges: string | null;
                                swift_reference: string | null;
                                to_address: string | null;
                                trace_number: string | null;
                                uetr: string | null;
                                wire_message: string | null;
                            };
                            receipt: {
                                destination_tx_hash: string | null;
                                developer_fee: string | null;
                                exchange_fee: string | null;
                                exchange_rate: string | null;
                                final_amount: string | null;
                                gas_fee: string | null;
                                initial_amount: string | null;
                                remaining_prefunded_balance: string | null;
                                source_tx_hash: string | null;
                                subtotal_amount: string | null;
                                url: string | null;
                            };
                        };
                        /** @description Base64 wire transaction, unsigned. */
                        intent_payload: string;
                        /** @description Base64 of the JSON document to sign with the session's key (interface 5.6). Null: the account's own keys sign the transaction itself. */
                        mpc_payload: string | null;
                    };
                };
            };
            /**
             * @description - `invalid_amount`: The amount must be a positive whole number of base units, as a decimal string.
             *     - `invalid_address`: This is not a valid address.
             *     - `unsupported_currency`: This currency is not known here.
             *     - `rail_not_available`: This payment rail is not available here.
             *     - `insufficient_balance`: The account does not hold enough.
             *     - `rent_not_sponsored`: The service does not pay the rent of accounts that others can close for this account. Fund the account with SOL, or pay with a key of your own.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `unsupported_fee_config`: This fee configuration is not supported.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `provider_not_available`: This provider is not available here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_amount" | "invalid_address" | "unsupported_currency" | "rail_not_available" | "insufficient_balance" | "rent_not_sponsored" | "forbidden_account" | "unsupported_fee_config" | "transaction_failed" | "provider_not_available" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            /**
             * @description - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /** @description - `account_not_found`: Smart account not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found";
                    };
                };
            };
            /**
             * @description - `proposal_required`: These signers cannot act at once. Create a proposal instead.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_required" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            /** @description - `chain_unavailable`: The chain cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    getLegacyPaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: string;
                payment_intent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        PaymentProvider: {
                            id: string;
                            /** @description Base units, as every amount of a payment on chain (gap 80). */
                            amount: string;
                            blockchain_memo: string | null;
                            client_reference_id: string | null;
                            developer_fee: string;
                            /** @description The grid_user_id of the account. */
                            on_behalf_of: string;
                            /**
                             * @description See gaps 45 and 78.
                             * @enum {unknown}
                             */
                            state: "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "payment_processed" | "canceled" | "error" | "undeliverable" | "returned" | "refunded";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            currency: string | null;
                            return_details: null;
                            source_deposit_instructions: null;
                            source: {
                                bank_beneficiary_address: string | null;
                                bank_beneficiary_name: string | null;
                                bank_name: string | null;
                                bank_routing_number: string | null;
                                bridge_wallet_id: string | null;
                                currency: string | null;
                                description: string | null;
                                external_account_id: string | null;
                                from_address: string | null;
                                imad: string | null;
                                omad: string | null;
                                payment_rail: string | null;
                            };
                            destination: {
                                ach_reference: string | null;
                                blockchain_memo: string | null;
                                bridge_wallet_id: string | null;
                                currency: string | null;
                                external_account_id: string | null;
                                from_address: string | null;
                                imad: string | null;
                                omad: string | null;
                                payment_rail: string | null;
                                sepa_reference: string | null;
                                swift_charges: string | null;
                                swift_reference: string | null;
                                to_address: string | null;
                                trace_number: string | null;
                                uetr: string | null;
                                wire_message: string | null;
                            };
                            receipt: {
                                destination_tx_hash: string | null;
                                developer_fee: string | null;
                                exchange_fee: string | null;
                                exchange_rate: string | null;
                                final_amount: string | null;
                                gas_fee: string | null;
                                initial_amount: string | null;
                                remaining_prefunded_balance: string | null;
                                source_tx_hash: string | null;
                                subtotal_amount: string | null;
                                url: string | null;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `payment_intent_not_found`: The account has no such payment intent.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "payment_intent_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    confirmLegacyPaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: string;
                payment_intent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The transaction, as the creation answered it. */
                    intent_payload: string;
                    /** @description The JSON of one signed payload, or base64 of it: {provider, signature} or {public_key, signature}. Empty where the account's own keys have signed the transaction. */
                    mpc_payload?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        PaymentProvider: {
                            id: string;
                            /** @description Base units, as every amount of a payment on chain (gap 80). */
                            amount: string;
                            blockchain_memo: string | null;
                            client_reference_id: string | null;
                            developer_fee: string;
                            /** @description The grid_user_id of the account. */
                            on_behalf_of: string;
                            /**
                             * @description See gaps 45 and 78.
                             * @enum {unknown}
                             */
                            state: "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "payment_processed" | "canceled" | "error" | "undeliverable" | "returned" | "refunded";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            currency: string | null;
                            return_details: null;
                            source_deposit_instructions: null;
                            source: {
                                bank_beneficiary_address: string | null;
                                bank_beneficiary_name: string | null;
                                bank_name: string | null;
                                bank_routing_number: string | null;
                                bridge_wallet_id: string | null;
                                currency: string | null;
                                description: string | null;
                                external_account_id: string | null;
                                from_address: string | null;
                                imad: string | null;
                                omad: string | null;
                                payment_rail: string | null;
                            };
                            destination: {
                                ach_reference: string | null;
                                blockchain_memo: string | null;
                                bridge_wallet_id: string | null;
                                currency: string | null;
                                external_account_id: string | null;
                                from_address: string | null;
                                imad: string | null;
                                omad: string | null;
                                payment_rail: string | null;
                                sepa_reference: string | null;
                                swift_charges: string | null;
                                swift_reference: string | null;
                                to_address: string | null;
                                trace_number: string | null;
                                uetr: string | null;
                                wire_message: string | null;
                            };
                            receipt: {
                                destination_tx_hash: string | null;
                                developer_fee: string | null;
                                exchange_fee: string | null;
                                exchange_rate: string | null;
                                final_amount: string | null;
                                gas_fee: string | null;
                                initial_amount: string | null;
                                remaining_prefunded_balance: string | null;
                                source_tx_hash: string | null;
                                subtotal_amount: string | null;
                                url: string | null;
                            };
                        };
                    };
                };
            };
            /**
             * @description - `invalid_transaction`: This is not a valid serialized transaction.
             *     - `transaction_not_prepared`: This transaction was not prepared here for this account.
             *     - `forbidden_account`: The request names an account that it must not use.
             *     - `missing_signature`: A required signature is missing.
             *     - `invalid_signature`: A signature does not verify.
             *     - `wrong_signing_key`: The payload was signed with the encryption key instead of the authorization key.
             *     - `payload_expired`: The payload has expired. Prepare the transaction again.
             *     - `payload_already_used`: The payload has been used for another transaction.
             *     - `blockhash_expired`: The transaction's blockhash has expired. Prepare the transaction again.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `rent_not_sponsored`: The service does not pay the rent of accounts that others can close for this account. Fund the account with SOL, or pay with a key of your own.
             *     - `provider_not_available`: This provider is not available here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_transaction" | "transaction_not_prepared" | "forbidden_account" | "missing_signature" | "invalid_signature" | "wrong_signing_key" | "payload_expired" | "payload_already_used" | "blockhash_expired" | "transaction_failed" | "rent_not_sponsored" | "provider_not_available" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            /**
             * @description - `session_expired`: The session key is expired. Authenticate again.
             *     - `api_key_required`: Send an API key as `Authorization: Bearer <API_KEY>`.
             *     - `invalid_api_key`: This API key is not known.
             *     - `api_key_disabled`: This API key has been disabled.
             *     - `api_key_expired`: This API key has expired.
             */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "session_expired" | "api_key_required" | "invalid_api_key" | "api_key_disabled" | "api_key_expired";
                    };
                };
            };
            /**
             * @description - `insufficient_permissions`: The signers do not hold the permissions or the threshold this needs.
             *     - `insufficient_scope`: This API key lacks the scope this operation needs.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "insufficient_permissions" | "insufficient_scope";
                    };
                };
            };
            /**
             * @description - `account_not_found`: Smart account not found
             *     - `payment_intent_not_found`: The account has no such payment intent.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_not_found" | "payment_intent_not_found";
                    };
                };
            };
            /**
             * @description - `proposal_required`: These signers cannot act at once. Create a proposal instead.
             *     - `submission_in_progress`: This transaction is being submitted. Ask again shortly.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "proposal_required" | "submission_in_progress" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `sponsorship_limit_exceeded`: The budget for sponsored fees is used up.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "sponsorship_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /**
             * @description - `provider_unavailable`: The key custodian cannot be reached at present.
             *     - `chain_unavailable`: The chain cannot be reached at present.
             */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "provider_unavailable" | "chain_unavailable";
                    };
                };
            };
        };
    };
    startLegacyAuthentication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example ada@example.org */
                    email: string;
                    /** @description Not used: mails carry the name the operator chose. */
                    app_name?: string;
                    /** @description Not used. */
                    app_icon_url?: string;
                    /** @description Life of the credential bundle in seconds, unless verify names another one. */
                    expiration?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            otp_id: string;
                            /**
                             * Format: uuid
                             * @description The user's wallet at kms_a; never changes.
                             */
                            mpc_primary_id: string;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_email`: This is not a plain e-mail address.
             *     - `invalid_expiration`: The expiration must lie in the future and at most 30 days ahead.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_email" | "invalid_expiration" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `user_not_found`: User not found */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "user_not_found";
                    };
                };
            };
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `mail_limit_exceeded`: Too many codes were sent to this address. Try again later.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "mail_limit_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /**
             * @description - `provider_unavailable`: The key custodian cannot be reached at present.
             *     - `mail_unavailable`: The e-mail could not be sent. Try again later.
             */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "provider_unavailable" | "mail_unavailable";
                    };
                };
            };
        };
    };
    verifyLegacyAuthentication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As auth answered it. */
                    mpc_primary_id: string;
                    /** @description As auth answered it. */
                    otp_id: string;
                    /**
                     * @description Six digits.
                     * @example 042137
                     */
                    otp_code: string;
                    /** @description P-256 public key: base64 SPKI DER, or the uncompressed point in hex. */
                    auth_public_key: string;
                    /** @description Life of the bundle in seconds; one hour unless auth or this names another. */
                    expiration?: number;
                    /** @description Needed only for a user with several accounts and no e-mail account. */
                    smart_account_address?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Base58check of the 33-byte encapsulated key and the ciphertext behind it. */
                            credential_bundle: string;
                            account_info: {
                                /** Format: uuid */
                                mpc_primary_id: string;
                                /** @description Base58: the address of the wallet. */
                                smart_account_signer_public_key: string;
                                /** Format: uuid */
                                wallet_id: string;
                                smart_account_address: string;
                                /** Format: uuid */
                                grid_user_id: string;
                            };
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `account_ambiguous`: This user has several accounts. Name one in smart_account_address.
             *     - `invalid_otp`: Invalid email and code combination
             *     - `otp_expired`: This code has expired. Ask for a new one.
             *     - `otp_attempts_exceeded`: Too many wrong codes. Ask for a new code.
             *     - `invalid_encryption_public_key`: encryption_public_key must be a base64 SPKI DER P-256 public key.
             *     - `invalid_expiration`: The expiration must lie in the future and at most 30 days ahead.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_ambiguous" | "invalid_otp" | "otp_expired" | "otp_attempts_exceeded" | "invalid_encryption_public_key" | "invalid_expiration" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `user_not_found`: User not found
             *     - `account_not_found`: Smart account not found
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "user_not_found" | "account_not_found";
                    };
                };
            };
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            /**
             * @description - `otp_attempts_exceeded`: Too many wrong codes for this address. Try again later.
             *     - `rate_limit_exceeded`: Too many requests. Try again after the time in the retry-after header.
             */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "otp_attempts_exceeded" | "rate_limit_exceeded";
                    };
                };
            };
            500: components["responses"]["Error500"];
            /** @description - `provider_unavailable`: The key custodian cannot be reached at present. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "provider_unavailable";
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description A type, or its beginning up to a dot: `proposal` takes all of `proposal.*`. Repeat it for several. */
                type?: string[];
                /** @description Default: asc, the oldest first. */
                order?: "asc" | "desc";
                limit?: number;
                /** @description From the page before, or `latest`. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "x-next-cursor": components["headers"]["x-next-cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_cursor`: This cursor was not handed out here.
             *     - `unknown_event_type`: There are no events of this type.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_cursor" | "unknown_event_type" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Event"];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `event_not_found`: There is no such event, or it is no longer kept. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "event_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"][];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_environment" | "environment_not_available" | "environment_required";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example https://example.org/hooks */
                    url: string;
                    /**
                     * @description Types, or their beginnings up to a dot (`proposal` takes all of `proposal.*`); `*` is everything.
                     * @example [
                     *       "*"
                     *     ]
                     */
                    types: string[];
                    description?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @example we_… */
                            id: string;
                            url: string;
                            types: string[];
                            description?: string;
                            /** @enum {unknown} */
                            status: "enabled" | "disabled";
                            /**
                             * @description It answered 410, failed for too long, or was told to pause.
                             * @enum {unknown}
                             */
                            disabled_reason?: "gone" | "failing" | "paused";
                            /**
                             * Format: date-time
                             * @description Nothing has arrived since.
                             */
                            failing_since?: string;
                            /**
                             * Format: date-time
                             * @description Until then events are signed with the former secret, too.
                             */
                            former_secret_until?: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @description `whsec_…`. It is not shown again. */
                            secret: string;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_webhook_url`: Events cannot be sent to this URL.
             *     - `unknown_event_type`: There are no events of this type.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_webhook_url" | "unknown_event_type" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `webhook_endpoint_limit`: There are as many webhook endpoints as there may be.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "webhook_endpoint_limit" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `webhook_endpoint_not_found`: There is no such webhook endpoint. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "webhook_endpoint_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            /** @constant */
                            deleted: true;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `webhook_endpoint_not_found`: There is no such webhook endpoint. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "webhook_endpoint_not_found";
                    };
                };
            };
            409: components["responses"]["Error409"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example https://example.org/hooks */
                    url?: string;
                    /**
                     * @description Types, or their beginnings up to a dot (`proposal` takes all of `proposal.*`); `*` is everything.
                     * @example [
                     *       "*"
                     *     ]
                     */
                    types?: string[];
                    description?: string | null;
                    /** @enum {unknown} */
                    status?: "enabled" | "disabled";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_webhook_url`: Events cannot be sent to this URL.
             *     - `unknown_event_type`: There are no events of this type.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_webhook_url" | "unknown_event_type" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `webhook_endpoint_not_found`: There is no such webhook endpoint. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "webhook_endpoint_not_found";
                    };
                };
            };
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default 86400 */
                    overlap_seconds?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @example we_… */
                            id: string;
                            url: string;
                            types: string[];
                            description?: string;
                            /** @enum {unknown} */
                            status: "enabled" | "disabled";
                            /**
                             * @description It answered 410, failed for too long, or was told to pause.
                             * @enum {unknown}
                             */
                            disabled_reason?: "gone" | "failing" | "paused";
                            /**
                             * Format: date-time
                             * @description Nothing has arrived since.
                             */
                            failing_since?: string;
                            /**
                             * Format: date-time
                             * @description Until then events are signed with the former secret, too.
                             */
                            former_secret_until?: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            /** @description `whsec_…`. It is not shown again. */
                            secret: string;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `webhook_endpoint_not_found`: There is no such webhook endpoint. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "webhook_endpoint_not_found";
                    };
                };
            };
            /**
             * @description - `secret_rotation_pending`: The former secret is still in force. Wait until it is over, or end it at once.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "secret_rotation_pending" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Default: webhook.test. */
                    type?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookAttempt"];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `unknown_event_type`: There are no events of this type.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_event_type" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /** @description - `webhook_endpoint_not_found`: There is no such webhook endpoint. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "webhook_endpoint_not_found";
                    };
                };
            };
            /**
             * @description - `webhook_endpoint_disabled`: The webhook endpoint is disabled. Enable it first.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "webhook_endpoint_disabled" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    listWebhookAttempts: {
        parameters: {
            query?: {
                /** @description Only those of this event. */
                event_id?: string;
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "x-next-cursor": components["headers"]["x-next-cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookAttempt"][];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_cursor`: This cursor was not handed out here.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_cursor" | "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `webhook_endpoint_not_found`: There is no such webhook endpoint.
             *     - `event_not_found`: There is no such event, or it is no longer kept.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "webhook_endpoint_not_found" | "event_not_found";
                    };
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    replayEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    event_id?: string;
                    /** Format: date-time */
                    failed_since?: string;
                    /** Format: date-time */
                    missing_since?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description How many events are sent again. */
                            scheduled: number;
                            /** @description True: there are more; call it once more. */
                            more: boolean;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `environment_required`: Name the environment in the x-service-environment header.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_environment" | "environment_not_available" | "environment_required" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            /**
             * @description - `webhook_endpoint_not_found`: There is no such webhook endpoint.
             *     - `event_not_found`: There is no such event, or it is no longer kept.
             */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "webhook_endpoint_not_found" | "event_not_found";
                    };
                };
            };
            /**
             * @description - `webhook_endpoint_disabled`: The webhook endpoint is disabled. Enable it first.
             *     - `idempotency_in_progress`: A request with this idempotency key is still running. Retry shortly with the same key.
             */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "webhook_endpoint_disabled" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    readOutbox: {
        parameters: {
            query?: {
                /** @description Only mail to this address. */
                email?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            to: string;
                            subject: string;
                            text: string;
                            html: string;
                            /** @example 042137 */
                            otp_code: string;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_email`: This is not a plain e-mail address.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `invalid_request`: The request is not valid.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_email" | "invalid_environment" | "environment_not_available" | "invalid_request";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    sandboxAirdrop: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Who receives it. */
                    address: string;
                    /**
                     * @description `sol` (default), `usdc`, `usdt`, `pyusd`, `eurc`, or a mint.
                     * @example usdc
                     */
                    currency?: string;
                    /**
                     * @description Base units, as a decimal string.
                     * @example 1000000000
                     */
                    amount: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            address: string;
                            currency: string;
                            amount: string;
                            transaction_signature: string;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `invalid_address`: This is not a valid address.
             *     - `unsupported_currency`: This currency is not known here.
             *     - `invalid_amount`: The amount must be a positive whole number of base units, as a decimal string.
             *     - `transaction_failed`: The transaction failed on chain.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_address" | "unsupported_currency" | "invalid_amount" | "transaction_failed" | "invalid_environment" | "environment_not_available" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    sandboxAdvanceClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Forward only, at most 400 days a call.
                     * @example 900
                     */
                    seconds: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: date-time
                             * @description Environment time after the move.
                             */
                            now: string;
                            /** @description The chain's slot after the move. */
                            slot: number;
                            /** @description What became of the standing orders of all accounts on the way. */
                            standing_order_runs: {
                                /** @description Due dates that were paid. */
                                paid: number;
                                /** @description Due dates that were given up. */
                                missed: number;
                                /** @description Orders that still have a due date open. */
                                left: number;
                            };
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `advance_too_far`: The clock can be moved forward by at most 400 days a call.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "advance_too_far" | "invalid_environment" | "environment_not_available" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    sandboxTriggerEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example standing_order_run.missed */
                    type: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            type: string;
                        };
                        metadata: components["schemas"]["ResponseMetadata"];
                    };
                };
            };
            /**
             * @description - `unknown_event_type`: There are no events of this type.
             *     - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             *     - `invalid_idempotency_key`: An idempotency key has 1 to 255 printable ASCII characters.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_event_type" | "invalid_environment" | "environment_not_available" | "invalid_request" | "malformed_json" | "invalid_idempotency_key";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    sandboxRpc: {
        parameters: {
            query?: {
                /** @description The API key, where no header can be sent. */
                "api-key"?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JsonRpcRequest"] | components["schemas"]["JsonRpcRequest"][];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcResponse"] | components["schemas"]["JsonRpcResponse"][];
                };
            };
            /** @description Nothing but notifications was sent: JSON-RPC wants no answer to them. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description - `invalid_environment`: The x-service-environment header must be sandbox, devnet, mainnet or production.
             *     - `environment_not_available`: This environment is not available here.
             *     - `invalid_request`: The request is not valid.
             *     - `malformed_json`: The request body is not valid JSON.
             */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_environment" | "environment_not_available" | "invalid_request" | "malformed_json";
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        /** @example 0.1.0 */
                        version: string;
                    };
                };
            };
            500: components["responses"]["Error500"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: "ready" | "degraded";
                        checks: {
                            [key: string]: {
                                ok: boolean;
                                /** @description It answers, but cannot pay fees at present. */
                                poor?: boolean;
                                message?: string;
                            };
                        };
                    };
                };
            };
            500: components["responses"]["Error500"];
            /** @description - `service_unavailable`: The service is not ready. Try again shortly. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "service_unavailable";
                    };
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request; made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @example 3.1.0 */
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            500: components["responses"]["Error500"];
        };
    };
    on_account_created: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "account.created",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "status": "active",
                 *           "type": "email",
                 *           "settings_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "email": "ada@example.org",
                 *           "signers": [
                 *             {
                 *               "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *               "role": "primary",
                 *               "provider": "kms_a"
                 *             },
                 *             {
                 *               "address": "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi",
                 *               "role": "backup",
                 *               "provider": "kms_b"
                 *             }
                 *           ],
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "account.created";
                    data?: {
                        object?: {
                            address: string;
                            grid_user_id: string;
                            /** @constant */
                            status: "active";
                            /** @enum {unknown} */
                            type: "email" | "signers" | "custom";
                            settings_address: string;
                            email?: string;
                            memo?: string;
                            /** @description As the service knows them; the policy itself is read from the chain. */
                            signers: {
                                address: string;
                                role: string;
                                provider: string;
                            }[];
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_account_updated: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "account.updated",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "status": "active",
                 *           "type": "email",
                 *           "settings_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "email": "ada@example.org",
                 *           "signers": [
                 *             {
                 *               "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *               "role": "primary",
                 *               "provider": "kms_a"
                 *             },
                 *             {
                 *               "address": "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi",
                 *               "role": "backup",
                 *               "provider": "kms_b"
                 *             }
                 *           ],
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "account.updated";
                    data?: {
                        object?: {
                            address: string;
                            grid_user_id: string;
                            /** @constant */
                            status: "active";
                            /** @enum {unknown} */
                            type: "email" | "signers" | "custom";
                            settings_address: string;
                            email?: string;
                            memo?: string;
                            /** @description As the service knows them; the policy itself is read from the chain. */
                            signers: {
                                address: string;
                                role: string;
                                provider: string;
                            }[];
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_account_creation_failed: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "account.creation_failed",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "type": "email",
                 *           "email": "ada@example.org",
                 *           "created_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "account.creation_failed";
                    data?: {
                        object?: {
                            id: string;
                            grid_user_id: string;
                            type: string;
                            email?: string;
                            /** Format: date-time */
                            created_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_transaction_confirmed: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "transaction.confirmed",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *           "transaction_signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "purpose": "transaction",
                 *           "status": "confirmed",
                 *           "slot": 4711,
                 *           "confirmed_at": "2026-01-15T12:00:00.000Z",
                 *           "created_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "transaction.confirmed";
                    data?: {
                        object?: {
                            /** @description SHA-256 of the message, in hex. */
                            id: string;
                            transaction_signature: string;
                            account?: string;
                            /** @enum {unknown} */
                            purpose: "transaction" | "standing_order";
                            /** @enum {unknown} */
                            status: "confirmed" | "failed" | "expired";
                            slot?: number;
                            /** Format: date-time */
                            confirmed_at?: string;
                            /** @description The chain's error, as JSON-RPC has it. */
                            error?: unknown;
                            /** Format: date-time */
                            created_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_transaction_failed: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "transaction.failed",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *           "transaction_signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "purpose": "transaction",
                 *           "status": "failed",
                 *           "error": {
                 *             "InstructionError": [
                 *               1,
                 *               {
                 *                 "Custom": 1
                 *               }
                 *             ]
                 *           },
                 *           "created_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "transaction.failed";
                    data?: {
                        object?: {
                            /** @description SHA-256 of the message, in hex. */
                            id: string;
                            transaction_signature: string;
                            account?: string;
                            /** @enum {unknown} */
                            purpose: "transaction" | "standing_order";
                            /** @enum {unknown} */
                            status: "confirmed" | "failed" | "expired";
                            slot?: number;
                            /** Format: date-time */
                            confirmed_at?: string;
                            /** @description The chain's error, as JSON-RPC has it. */
                            error?: unknown;
                            /** Format: date-time */
                            created_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_transaction_expired: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "transaction.expired",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *           "transaction_signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "purpose": "transaction",
                 *           "status": "expired",
                 *           "created_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "transaction.expired";
                    data?: {
                        object?: {
                            /** @description SHA-256 of the message, in hex. */
                            id: string;
                            transaction_signature: string;
                            account?: string;
                            /** @enum {unknown} */
                            purpose: "transaction" | "standing_order";
                            /** @enum {unknown} */
                            status: "confirmed" | "failed" | "expired";
                            slot?: number;
                            /** Format: date-time */
                            confirmed_at?: string;
                            /** @description The chain's error, as JSON-RPC has it. */
                            error?: unknown;
                            /** Format: date-time */
                            created_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_payment_intent_created: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "payment_intent.created",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "state": "awaiting_funds",
                 *           "amount": "5000000",
                 *           "currency": "usdc",
                 *           "source": {
                 *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *             "currency": "usdc"
                 *           },
                 *           "destination": {
                 *             "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *             "currency": "usdc"
                 *           },
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "payment_intent.created";
                    data?: {
                        object?: {
                            id: string;
                            /** @description See gap 45. */
                            state: string;
                            /** @description Base units. */
                            amount: string;
                            currency: string;
                            source: {
                                [key: string]: unknown;
                            };
                            destination: {
                                [key: string]: unknown;
                            };
                            transaction_signature?: string;
                            /** Format: date-time */
                            confirmed_at?: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_payment_intent_updated: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "payment_intent.updated",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "state": "payment_processed",
                 *           "amount": "5000000",
                 *           "currency": "usdc",
                 *           "source": {
                 *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *             "currency": "usdc"
                 *           },
                 *           "destination": {
                 *             "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *             "currency": "usdc"
                 *           },
                 *           "transaction_signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "confirmed_at": "2026-01-15T12:00:00.000Z",
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "payment_intent.updated";
                    data?: {
                        object?: {
                            id: string;
                            /** @description See gap 45. */
                            state: string;
                            /** @description Base units. */
                            amount: string;
                            currency: string;
                            source: {
                                [key: string]: unknown;
                            };
                            destination: {
                                [key: string]: unknown;
                            };
                            transaction_signature?: string;
                            /** Format: date-time */
                            confirmed_at?: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_transfer_received: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "transfer.received",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "mint": "11111111111111111111111111111111",
                 *           "amount": "1000000",
                 *           "decimals": 9,
                 *           "from": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "to": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "transaction_signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "confirmed_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "transfer.received";
                    data?: {
                        object?: {
                            account: string;
                            /** @description The system program's address is SOL. */
                            mint: string;
                            /** @description Base units. */
                            amount: string;
                            decimals: number;
                            from: string;
                            to: string;
                            token_account?: string;
                            transaction_signature: string;
                            /** Format: date-time */
                            confirmed_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_proposal_created: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "proposal.created",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "proposalAddress": "3xLk6u4bT4bq1qvYhTzYc3TzUDZ5dC2TqYwQ9tqJkq6o",
                 *           "status": "Active",
                 *           "statusTimestamp": 1768478400,
                 *           "approved": [
                 *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *           ],
                 *           "rejected": [],
                 *           "cancelled": [],
                 *           "consensusAccount": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "consensusAccountType": "Settings",
                 *           "blockTime": "2026-01-15T12:00:00.000Z",
                 *           "lastModifiedSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "mainAccountAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "settingsAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "transactionIndex": 7,
                 *           "stale": false,
                 *           "closed": false,
                 *           "createdAt": "2026-01-15T12:00:00.000Z",
                 *           "creator": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "kind": "transaction"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "proposal.created";
                    data?: {
                        object?: {
                            proposalAddress: string;
                            /** @enum {unknown} */
                            status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled";
                            statusTimestamp: number;
                            approved: string[];
                            rejected: string[];
                            cancelled: string[];
                            consensusAccount: string;
                            /** @constant */
                            consensusAccountType: "Settings";
                            /** Format: date-time */
                            blockTime?: string;
                            lastModifiedSignature?: string;
                            mainAccountAddress: string;
                            settingsAddress: string;
                            transactionIndex: number;
                            stale: boolean;
                            closed: boolean;
                            reclaimedLamports?: string;
                            /** Format: date-time */
                            createdAt?: string;
                            creator?: string;
                            /** @enum {unknown} */
                            kind: "transaction" | "settings" | "batch" | "unknown";
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_proposal_voted: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "proposal.voted",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "proposalAddress": "3xLk6u4bT4bq1qvYhTzYc3TzUDZ5dC2TqYwQ9tqJkq6o",
                 *           "status": "Active",
                 *           "statusTimestamp": 1768478400,
                 *           "approved": [
                 *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *           ],
                 *           "rejected": [],
                 *           "cancelled": [],
                 *           "consensusAccount": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "consensusAccountType": "Settings",
                 *           "blockTime": "2026-01-15T12:00:00.000Z",
                 *           "lastModifiedSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "mainAccountAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "settingsAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "transactionIndex": 7,
                 *           "stale": false,
                 *           "closed": false,
                 *           "createdAt": "2026-01-15T12:00:00.000Z",
                 *           "creator": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "kind": "transaction"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "proposal.voted";
                    data?: {
                        object?: {
                            proposalAddress: string;
                            /** @enum {unknown} */
                            status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled";
                            statusTimestamp: number;
                            approved: string[];
                            rejected: string[];
                            cancelled: string[];
                            consensusAccount: string;
                            /** @constant */
                            consensusAccountType: "Settings";
                            /** Format: date-time */
                            blockTime?: string;
                            lastModifiedSignature?: string;
                            mainAccountAddress: string;
                            settingsAddress: string;
                            transactionIndex: number;
                            stale: boolean;
                            closed: boolean;
                            reclaimedLamports?: string;
                            /** Format: date-time */
                            createdAt?: string;
                            creator?: string;
                            /** @enum {unknown} */
                            kind: "transaction" | "settings" | "batch" | "unknown";
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_proposal_approved: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "proposal.approved",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "proposalAddress": "3xLk6u4bT4bq1qvYhTzYc3TzUDZ5dC2TqYwQ9tqJkq6o",
                 *           "status": "Approved",
                 *           "statusTimestamp": 1768478400,
                 *           "approved": [
                 *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *           ],
                 *           "rejected": [],
                 *           "cancelled": [],
                 *           "consensusAccount": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "consensusAccountType": "Settings",
                 *           "blockTime": "2026-01-15T12:00:00.000Z",
                 *           "lastModifiedSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "mainAccountAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "settingsAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "transactionIndex": 7,
                 *           "stale": false,
                 *           "closed": false,
                 *           "createdAt": "2026-01-15T12:00:00.000Z",
                 *           "creator": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "kind": "transaction"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "proposal.approved";
                    data?: {
                        object?: {
                            proposalAddress: string;
                            /** @enum {unknown} */
                            status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled";
                            statusTimestamp: number;
                            approved: string[];
                            rejected: string[];
                            cancelled: string[];
                            consensusAccount: string;
                            /** @constant */
                            consensusAccountType: "Settings";
                            /** Format: date-time */
                            blockTime?: string;
                            lastModifiedSignature?: string;
                            mainAccountAddress: string;
                            settingsAddress: string;
                            transactionIndex: number;
                            stale: boolean;
                            closed: boolean;
                            reclaimedLamports?: string;
                            /** Format: date-time */
                            createdAt?: string;
                            creator?: string;
                            /** @enum {unknown} */
                            kind: "transaction" | "settings" | "batch" | "unknown";
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_proposal_rejected: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "proposal.rejected",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "proposalAddress": "3xLk6u4bT4bq1qvYhTzYc3TzUDZ5dC2TqYwQ9tqJkq6o",
                 *           "status": "Rejected",
                 *           "statusTimestamp": 1768478400,
                 *           "approved": [],
                 *           "rejected": [
                 *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *           ],
                 *           "cancelled": [],
                 *           "consensusAccount": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "consensusAccountType": "Settings",
                 *           "blockTime": "2026-01-15T12:00:00.000Z",
                 *           "lastModifiedSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "mainAccountAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "settingsAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "transactionIndex": 7,
                 *           "stale": false,
                 *           "closed": false,
                 *           "createdAt": "2026-01-15T12:00:00.000Z",
                 *           "creator": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "kind": "transaction"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "proposal.rejected";
                    data?: {
                        object?: {
                            proposalAddress: string;
                            /** @enum {unknown} */
                            status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled";
                            statusTimestamp: number;
                            approved: string[];
                            rejected: string[];
                            cancelled: string[];
                            consensusAccount: string;
                            /** @constant */
                            consensusAccountType: "Settings";
                            /** Format: date-time */
                            blockTime?: string;
                            lastModifiedSignature?: string;
                            mainAccountAddress: string;
                            settingsAddress: string;
                            transactionIndex: number;
                            stale: boolean;
                            closed: boolean;
                            reclaimedLamports?: string;
                            /** Format: date-time */
                            createdAt?: string;
                            creator?: string;
                            /** @enum {unknown} */
                            kind: "transaction" | "settings" | "batch" | "unknown";
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_proposal_cancelled: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "proposal.cancelled",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "proposalAddress": "3xLk6u4bT4bq1qvYhTzYc3TzUDZ5dC2TqYwQ9tqJkq6o",
                 *           "status": "Cancelled",
                 *           "statusTimestamp": 1768478400,
                 *           "approved": [
                 *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *           ],
                 *           "rejected": [],
                 *           "cancelled": [
                 *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *           ],
                 *           "consensusAccount": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "consensusAccountType": "Settings",
                 *           "blockTime": "2026-01-15T12:00:00.000Z",
                 *           "lastModifiedSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "mainAccountAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "settingsAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "transactionIndex": 7,
                 *           "stale": false,
                 *           "closed": false,
                 *           "createdAt": "2026-01-15T12:00:00.000Z",
                 *           "creator": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "kind": "transaction"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "proposal.cancelled";
                    data?: {
                        object?: {
                            proposalAddress: string;
                            /** @enum {unknown} */
                            status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled";
                            statusTimestamp: number;
                            approved: string[];
                            rejected: string[];
                            cancelled: string[];
                            consensusAccount: string;
                            /** @constant */
                            consensusAccountType: "Settings";
                            /** Format: date-time */
                            blockTime?: string;
                            lastModifiedSignature?: string;
                            mainAccountAddress: string;
                            settingsAddress: string;
                            transactionIndex: number;
                            stale: boolean;
                            closed: boolean;
                            reclaimedLamports?: string;
                            /** Format: date-time */
                            createdAt?: string;
                            creator?: string;
                            /** @enum {unknown} */
                            kind: "transaction" | "settings" | "batch" | "unknown";
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_proposal_executed: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "proposal.executed",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "proposalAddress": "3xLk6u4bT4bq1qvYhTzYc3TzUDZ5dC2TqYwQ9tqJkq6o",
                 *           "status": "Executed",
                 *           "statusTimestamp": 1768478400,
                 *           "approved": [
                 *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *           ],
                 *           "rejected": [],
                 *           "cancelled": [],
                 *           "consensusAccount": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "consensusAccountType": "Settings",
                 *           "blockTime": "2026-01-15T12:00:00.000Z",
                 *           "lastModifiedSignature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "mainAccountAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "settingsAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "transactionIndex": 7,
                 *           "stale": false,
                 *           "closed": false,
                 *           "createdAt": "2026-01-15T12:00:00.000Z",
                 *           "creator": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "kind": "transaction"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "proposal.executed";
                    data?: {
                        object?: {
                            proposalAddress: string;
                            /** @enum {unknown} */
                            status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled";
                            statusTimestamp: number;
                            approved: string[];
                            rejected: string[];
                            cancelled: string[];
                            consensusAccount: string;
                            /** @constant */
                            consensusAccountType: "Settings";
                            /** Format: date-time */
                            blockTime?: string;
                            lastModifiedSignature?: string;
                            mainAccountAddress: string;
                            settingsAddress: string;
                            transactionIndex: number;
                            stale: boolean;
                            closed: boolean;
                            reclaimedLamports?: string;
                            /** Format: date-time */
                            createdAt?: string;
                            creator?: string;
                            /** @enum {unknown} */
                            kind: "transaction" | "settings" | "batch" | "unknown";
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_standing_order_created: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "standing_order.created",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "status": "pending",
                 *           "mandate": "awaited",
                 *           "amount": "5000000",
                 *           "currency": "usdc",
                 *           "frequency": "monthly",
                 *           "period": "monthly",
                 *           "payment_rail": "solana",
                 *           "source": {
                 *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *             "currency": "usdc"
                 *           },
                 *           "destination": {
                 *             "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *             "currency": "usdc"
                 *           },
                 *           "destinations": [
                 *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *           ],
                 *           "start_date": "2026-01-15T12:00:00.000Z",
                 *           "next_execution_date": "2026-01-15T12:00:00.000Z",
                 *           "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "executor_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "valid_until": "2026-01-15T12:00:00.000Z",
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order.created";
                    data?: {
                        object?: {
                            id: string;
                            account: string;
                            /** @enum {unknown} */
                            status: "pending" | "active" | "inactive" | "completed" | "cancelled";
                            reason?: string;
                            mandate: string;
                            /** @description Base units of one payment. */
                            amount: string;
                            currency: string;
                            /** @enum {unknown} */
                            frequency: "daily" | "weekly" | "monthly";
                            /** @enum {unknown} */
                            period: "daily" | "weekly" | "monthly";
                            payment_rail: string;
                            source: {
                                [key: string]: unknown;
                            };
                            destination: {
                                [key: string]: unknown;
                            };
                            destinations: string[];
                            /** Format: date-time */
                            start_date: string;
                            /** Format: date-time */
                            end_date?: string;
                            occurrences?: number;
                            /** Format: date-time */
                            next_execution_date?: string;
                            /** Format: date-time */
                            last_execution_date?: string;
                            spending_limit_address: string;
                            executor_address: string;
                            proposal_address?: string;
                            /** Format: date-time */
                            valid_until: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_standing_order_activated: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "standing_order.activated",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "status": "active",
                 *           "mandate": "active",
                 *           "amount": "5000000",
                 *           "currency": "usdc",
                 *           "frequency": "monthly",
                 *           "period": "monthly",
                 *           "payment_rail": "solana",
                 *           "source": {
                 *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *             "currency": "usdc"
                 *           },
                 *           "destination": {
                 *             "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *             "currency": "usdc"
                 *           },
                 *           "destinations": [
                 *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *           ],
                 *           "start_date": "2026-01-15T12:00:00.000Z",
                 *           "next_execution_date": "2026-01-15T12:00:00.000Z",
                 *           "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "executor_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "valid_until": "2026-01-15T12:00:00.000Z",
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order.activated";
                    data?: {
                        object?: {
                            id: string;
                            account: string;
                            /** @enum {unknown} */
                            status: "pending" | "active" | "inactive" | "completed" | "cancelled";
                            reason?: string;
                            mandate: string;
                            /** @description Base units of one payment. */
                            amount: string;
                            currency: string;
                            /** @enum {unknown} */
                            frequency: "daily" | "weekly" | "monthly";
                            /** @enum {unknown} */
                            period: "daily" | "weekly" | "monthly";
                            payment_rail: string;
                            source: {
                                [key: string]: unknown;
                            };
                            destination: {
                                [key: string]: unknown;
                            };
                            destinations: string[];
                            /** Format: date-time */
                            start_date: string;
                            /** Format: date-time */
                            end_date?: string;
                            occurrences?: number;
                            /** Format: date-time */
                            next_execution_date?: string;
                            /** Format: date-time */
                            last_execution_date?: string;
                            spending_limit_address: string;
                            executor_address: string;
                            proposal_address?: string;
                            /** Format: date-time */
                            valid_until: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_standing_order_deactivated: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "standing_order.deactivated",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "status": "inactive",
                 *           "reason": "insufficient_balance",
                 *           "mandate": "active",
                 *           "amount": "5000000",
                 *           "currency": "usdc",
                 *           "frequency": "monthly",
                 *           "period": "monthly",
                 *           "payment_rail": "solana",
                 *           "source": {
                 *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *             "currency": "usdc"
                 *           },
                 *           "destination": {
                 *             "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *             "currency": "usdc"
                 *           },
                 *           "destinations": [
                 *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *           ],
                 *           "start_date": "2026-01-15T12:00:00.000Z",
                 *           "next_execution_date": "2026-01-15T12:00:00.000Z",
                 *           "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "executor_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "valid_until": "2026-01-15T12:00:00.000Z",
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order.deactivated";
                    data?: {
                        object?: {
                            id: string;
                            account: string;
                            /** @enum {unknown} */
                            status: "pending" | "active" | "inactive" | "completed" | "cancelled";
                            reason?: string;
                            mandate: string;
                            /** @description Base units of one payment. */
                            amount: string;
                            currency: string;
                            /** @enum {unknown} */
                            frequency: "daily" | "weekly" | "monthly";
                            /** @enum {unknown} */
                            period: "daily" | "weekly" | "monthly";
                            payment_rail: string;
                            source: {
                                [key: string]: unknown;
                            };
                            destination: {
                                [key: string]: unknown;
                            };
                            destinations: string[];
                            /** Format: date-time */
                            start_date: string;
                            /** Format: date-time */
                            end_date?: string;
                            occurrences?: number;
                            /** Format: date-time */
                            next_execution_date?: string;
                            /** Format: date-time */
                            last_execution_date?: string;
                            spending_limit_address: string;
                            executor_address: string;
                            proposal_address?: string;
                            /** Format: date-time */
                            valid_until: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_standing_order_completed: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "standing_order.completed",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "status": "completed",
                 *           "mandate": "active",
                 *           "amount": "5000000",
                 *           "currency": "usdc",
                 *           "frequency": "monthly",
                 *           "period": "monthly",
                 *           "payment_rail": "solana",
                 *           "source": {
                 *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *             "currency": "usdc"
                 *           },
                 *           "destination": {
                 *             "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *             "currency": "usdc"
                 *           },
                 *           "destinations": [
                 *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *           ],
                 *           "start_date": "2026-01-15T12:00:00.000Z",
                 *           "next_execution_date": "2026-01-15T12:00:00.000Z",
                 *           "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "executor_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "valid_until": "2026-01-15T12:00:00.000Z",
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order.completed";
                    data?: {
                        object?: {
                            id: string;
                            account: string;
                            /** @enum {unknown} */
                            status: "pending" | "active" | "inactive" | "completed" | "cancelled";
                            reason?: string;
                            mandate: string;
                            /** @description Base units of one payment. */
                            amount: string;
                            currency: string;
                            /** @enum {unknown} */
                            frequency: "daily" | "weekly" | "monthly";
                            /** @enum {unknown} */
                            period: "daily" | "weekly" | "monthly";
                            payment_rail: string;
                            source: {
                                [key: string]: unknown;
                            };
                            destination: {
                                [key: string]: unknown;
                            };
                            destinations: string[];
                            /** Format: date-time */
                            start_date: string;
                            /** Format: date-time */
                            end_date?: string;
                            occurrences?: number;
                            /** Format: date-time */
                            next_execution_date?: string;
                            /** Format: date-time */
                            last_execution_date?: string;
                            spending_limit_address: string;
                            executor_address: string;
                            proposal_address?: string;
                            /** Format: date-time */
                            valid_until: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_standing_order_cancelled: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "standing_order.cancelled",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "status": "cancelled",
                 *           "mandate": "active",
                 *           "amount": "5000000",
                 *           "currency": "usdc",
                 *           "frequency": "monthly",
                 *           "period": "monthly",
                 *           "payment_rail": "solana",
                 *           "source": {
                 *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *             "currency": "usdc"
                 *           },
                 *           "destination": {
                 *             "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *             "currency": "usdc"
                 *           },
                 *           "destinations": [
                 *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *           ],
                 *           "start_date": "2026-01-15T12:00:00.000Z",
                 *           "next_execution_date": "2026-01-15T12:00:00.000Z",
                 *           "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "executor_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "valid_until": "2026-01-15T12:00:00.000Z",
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order.cancelled";
                    data?: {
                        object?: {
                            id: string;
                            account: string;
                            /** @enum {unknown} */
                            status: "pending" | "active" | "inactive" | "completed" | "cancelled";
                            reason?: string;
                            mandate: string;
                            /** @description Base units of one payment. */
                            amount: string;
                            currency: string;
                            /** @enum {unknown} */
                            frequency: "daily" | "weekly" | "monthly";
                            /** @enum {unknown} */
                            period: "daily" | "weekly" | "monthly";
                            payment_rail: string;
                            source: {
                                [key: string]: unknown;
                            };
                            destination: {
                                [key: string]: unknown;
                            };
                            destinations: string[];
                            /** Format: date-time */
                            start_date: string;
                            /** Format: date-time */
                            end_date?: string;
                            occurrences?: number;
                            /** Format: date-time */
                            next_execution_date?: string;
                            /** Format: date-time */
                            last_execution_date?: string;
                            spending_limit_address: string;
                            executor_address: string;
                            proposal_address?: string;
                            /** Format: date-time */
                            valid_until: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_standing_order_run_paid: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "standing_order_run.paid",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "standing_order_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "due_at": "2026-01-15T12:00:00.000Z",
                 *           "status": "paid",
                 *           "amount": "5000000",
                 *           "currency": "usdc",
                 *           "attempts": 1,
                 *           "will_retry": false,
                 *           "paid_at": "2026-01-15T12:00:00.000Z",
                 *           "transaction_signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order_run.paid";
                    data?: {
                        object?: {
                            standing_order_id: string;
                            account: string;
                            /** Format: date-time */
                            due_at: string;
                            /** @enum {unknown} */
                            status: "paid" | "failed" | "missed";
                            amount: string;
                            currency: string;
                            attempts: number;
                            will_retry: boolean;
                            /** Format: date-time */
                            paid_at?: string;
                            transaction_signature?: string;
                            error?: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_standing_order_run_failed: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "standing_order_run.failed",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "standing_order_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "due_at": "2026-01-15T12:00:00.000Z",
                 *           "status": "failed",
                 *           "amount": "5000000",
                 *           "currency": "usdc",
                 *           "attempts": 1,
                 *           "will_retry": true,
                 *           "error": "insufficient_balance"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order_run.failed";
                    data?: {
                        object?: {
                            standing_order_id: string;
                            account: string;
                            /** Format: date-time */
                            due_at: string;
                            /** @enum {unknown} */
                            status: "paid" | "failed" | "missed";
                            amount: string;
                            currency: string;
                            attempts: number;
                            will_retry: boolean;
                            /** Format: date-time */
                            paid_at?: string;
                            transaction_signature?: string;
                            error?: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_standing_order_run_missed: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "standing_order_run.missed",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "standing_order_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "due_at": "2026-01-15T12:00:00.000Z",
                 *           "status": "missed",
                 *           "amount": "5000000",
                 *           "currency": "usdc",
                 *           "attempts": 1,
                 *           "will_retry": false,
                 *           "error": "insufficient_balance"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order_run.missed";
                    data?: {
                        object?: {
                            standing_order_id: string;
                            account: string;
                            /** Format: date-time */
                            due_at: string;
                            /** @enum {unknown} */
                            status: "paid" | "failed" | "missed";
                            amount: string;
                            currency: string;
                            attempts: number;
                            will_retry: boolean;
                            /** Format: date-time */
                            paid_at?: string;
                            transaction_signature?: string;
                            error?: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_session_revoked: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "session.revoked",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "provider": "kms_a",
                 *           "revoked_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "session.revoked";
                    data?: {
                        object?: {
                            id: string;
                            grid_user_id: string;
                            provider: string;
                            /** Format: date-time */
                            revoked_at: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_fee_payer_low: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "fee_payer.low",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "message": "The fee payer holds too little."
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "fee_payer.low";
                    data?: {
                        object?: {
                            address: string;
                            message?: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_sponsorship_exhausted: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "sponsorship.exhausted",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "budget": "day",
                 *           "retry_after_seconds": 3600
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "sponsorship.exhausted";
                    data?: {
                        object?: {
                            budget: string;
                            retry_after_seconds?: number;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_webhook_endpoint_disabled: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "webhook_endpoint.disabled",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "we_00000000000000000000000000000000",
                 *           "url": "https://example.org/hooks",
                 *           "types": [
                 *             "*"
                 *           ],
                 *           "status": "disabled",
                 *           "disabled_reason": "failing"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "webhook_endpoint.disabled";
                    data?: {
                        object?: {
                            id: string;
                            url: string;
                            types: string[];
                            /** @constant */
                            status: "disabled";
                            /** @enum {unknown} */
                            disabled_reason: "gone" | "failing";
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_webhook_test: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_5f0c2b7a9d4e4c1b8a6f3e2d1c0b9a87",
                 *       "type": "webhook.test",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "message": "It works."
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "webhook.test";
                    data?: {
                        object?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent to this endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
