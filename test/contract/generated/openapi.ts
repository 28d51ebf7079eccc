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
         * @description The `email` form sends a one-time code; the account is created when it is verified. The `signers` form creates the account on chain and answers its address. Scope: `accounts:write`.
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
         * @description Creates the account on chain and opens the first session. If the answer is lost, the same request resumes: the same code with the same public key, until a session has been answered. Scope: `accounts:write`.
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
         * @description Creates the account on chain at once. Signers are keys that exist, or e-mail addresses, for which a custodian makes a wallet; the first sign-in with such an address proves it. Scope: `accounts:write`.
         */
        post: operations["createCustomAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts:import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import an account
         * @description Takes an account of the program that was made elsewhere into this service. Any caller may have it read; it is served here once one of its signers has proven itself: by signing the text of `challenge`, sent as `proof` in a second call, or by being a wallet that this service holds for a user of yours. With `email` the wallets of that address are made, which the account's signers can then be changed to. Repeating it changes nothing. Scope: `accounts:write`.
         */
        post: operations["importAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release an imported account
         * @description Ends that an imported account is served for this tenant, so that another one, or this one again, can import it. Without `proof` nothing changes: the answer says what is in the way, and has the text that a signer of the account signs. With it the account is not here any more: nothing changes on chain, and records of money stay with the tenant. Scope: `accounts:write`.
         */
        post: operations["releaseAccount"];
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
         * @description The policies are read from the chain. With a publishable key there is no memo, and the e-mail address is there for whom it belongs to. Scope: `accounts:read`.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an account's policy
         * @description Prepares the smallest change that reaches what is asked for; what is absent stays as it is. The signers of an account sign it together; where an account has an admin, the admin alone does, with admin=true. It takes effect when the result is submitted. Where a time lock or too few signers do not let it be made at once, it is prepared as a proposal, which the signers named approve. Scope: `accounts:write`.
         */
        patch: operations["updateAccount"];
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/protection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an account a guarded one
         * @description Has the guardian make its wallet for the account's user. Once a passkey commands it, prepares the change to exactly the policy that a guarded account has when it is created. The same call replaces one of the three signers. Scope: `accounts:write`.
         */
        post: operations["protectAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/wallets:renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the wallets that take the place of an account's
         * @description For each wallet of a custodian of the service that signs for the account, and does not derive from the newest root of that custodian: the wallet of the same user that does. It obeys the sessions and the passkeys of the one before. Nothing changes on chain: change the account's signers to it. Repeating it answers the same. Scope: `accounts:write`.
         */
        post: operations["renewWallets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Takes prepared transactions with the holders' signatures, adds the custodians' and the fee payer's, stores the signed bytes, sends them, and answers when they are confirmed. Submitting the same bytes again answers the first result. Scope: `transactions:write`.
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
         * @description Opens a session; its authorization key is sealed to the client's public key. With a publishable key a code that was sent to a person without an account makes one first; if the answer is lost, the same request resumes. Where the user has asked for it, a right code is 401 `passkey_required`; the same request with the `assertion` of a passkey over `{version: 1, method: "signIn", environment, params: {encryption_public_key, otp_id}}` opens the session. Scope: `auth:write`.
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
         * @description Prepares the spending limit on chain within which the service's executor pays one payee, and no other. The order is active once the limit is there. Where the payee is a bank account, the partner opens an address that passes coins on to it, and the limit names that one. Where the account's signers cannot act at once, the limit is prepared as a proposal, and the order is pending until that is executed. Scope: `payments:write`.
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
         * @description The account's standing orders, newest first, whatever became of them. Scope: `payments:read`.
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
        /**
         * Read a standing order
         * @description Read a standing order. Scope: `payments:read`.
         */
        get: operations["getStandingOrder"];
        put?: never;
        post?: never;
        /**
         * Cancel a standing order
         * @description Stops the order at once: no new payment starts, and a payment under way gets the outcome that the chain gives it. Where its limit is on chain, the answer holds the transaction that removes it, to be signed; until that is confirmed the mandate is revocation_pending. Repeating the call prepares it again. Where the mandate is awaited, a vote or a wallet that sends the transaction may still give the limit: then the mandate is active, and this endpoint offers the removal. Scope: `payments:write`.
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
         * @description Every past due date, oldest first, with its outcome. Scope: `payments:read`.
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
         * @description Resumes an inactive order at its next due date; due dates that passed meanwhile are not paid any more. Where its limit was removed, has expired or names another executor, the answer holds the transaction that gives a new one and removes the old, and the order resumes when that is confirmed. Scope: `payments:write`.
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
         * @description The account's proposals, newest first, those included that were made elsewhere or are closed. Scope: `proposals:read`.
         */
        get: operations["listProposals"];
        put?: never;
        /**
         * Create a proposal
         * @description Prepares the transactions, one except for a batch or what does not fit one, that store a transaction, a change of settings or a transfer and open the vote on it. The proposal exists when the result is submitted; to resume several that were interrupted, send the same request again. A transfer may be funded later. Scope: `proposals:write`.
         */
        post: operations["createProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List proposals of all accounts
         * @description The proposals of all your accounts, newest first, or those that wait for a signer's vote. `account`, `signer` and `waiting_for` exclude each other, and `waiting_for` excludes `status`. With a publishable key `waiting_for` names a wallet of the session. Scope: `proposals:read`.
         */
        get: operations["listAllProposals"];
        put?: never;
        post?: never;
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
         * @description The proposal as the chain has it now, with what it would do once it is executed, whose balances that would change, and what to know before one agrees to it. Scope: `proposals:read`.
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
         * @description Prepares one transaction with the votes of several signers. Those who have cast this vote already are left out, and those beyond the vote that decides. The votes count when the result is submitted. Scope: `proposals:write`.
         */
        post: operations["voteOnProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/transaction-buffers/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give up transaction buffers
         * @description Prepares the transaction that closes what is left of proposals that were begun in several transactions and never completed. The rent goes to the signer who began them. A proposal that is being made in one of them has to be prepared again. Scope: `proposals:write`.
         */
        post: operations["closeTransactionBuffers"];
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
         * @description Prepares the execution of an approved proposal whose time lock has ended. It happens when the result is submitted. Scope: `proposals:write`.
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
         * @description Prepares one transaction in which the signers approve a proposal, as far as approvals are missing, and one of them executes it. Without a time lock, or with one that has ended. Scope: `proposals:write`.
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
        /**
         * Send a sign-in code
         * @description To the address of a user with an account. With a publishable key to any address: a person without an account gets a code that makes one when it is verified, and the answer does not say which it was. A page shows `x-session-token` of an earlier session where it has one: requests by others with the bare key then block no user. Scope: `auth:write`.
         */
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
        /**
         * Send a sign-in code
         * @description To the address of a user with an account. With a publishable key to any address: a person without an account gets a code that makes one when it is verified, and the answer does not say which it was. A page shows `x-session-token` of an earlier session where it has one: requests by others with the bare key then block no user. Scope: `auth:write`.
         */
        post: operations["initAuthentication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/auth/passkey:options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with a passkey
         * @description Answers the nonce that a passkey signs to sign its user in, and the domain. It says of nobody whether they have an account. The nonce is good once, for five minutes. Scope: `auth:write`.
         */
        post: operations["beginPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/auth/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description Opens a session of the wallet that the passkey commands, without a code. What the passkey signs is the SHA-256 of the canonical JSON of `{version: 1, method: "signIn", environment, params: {encryption_public_key}, nonce}`, so that the session is sealed to the key that its holder meant. Scope: `auth:write`.
         */
        post: operations["signInWithPasskey"];
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
         * @description Trades the refresh token for a new session with a new authorization key, sealed to the public key given when the code was verified. For another public key add `signature`: base64 DER, by the still valid authorization key, over the canonical JSON of `{"encryption_public_key": ..., "refresh_token": ...}`. Scope: `auth:write`.
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of an account
         * @description Who is signed in, newest first: every session that commands a signer of the account, or can be refreshed to. With a publishable key the sessions of the user who is signed in; with a secret key those of all the account's users. Scope: `accounts:read`.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all sessions, or all others
         * @description With a publishable key those of the user who is signed in, with a secret key those of all the account's users. `except` keeps one of them: its id, or `current` for the session whose token `x-session-token` holds. Scope: `auth:write`.
         */
        delete: operations["endAllSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Nothing is signed, read or refreshed with it any more, in any process, from the next request on, and the custodian forgets its keys. `current` ends the session whose token the `x-session-token` header holds: that is signing out. With a publishable key, only sessions of the user who is signed in can be ended. Ending one again is the same. Scope: `auth:write`.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/session-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how long sessions may rest
         * @description What this tenant asks of the sessions of its users, in all environments. Scope: `admin:keys`.
         */
        get: operations["getSessionPolicy"];
        /**
         * Set how long sessions may rest
         * @description For this tenant, in all environments, from the next request on, and for the sessions that are there already. Both members are set: what is to stay has to be sent too. Scope: `admin:keys`.
         */
        put: operations["setSessionPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/wallet-passkeys:options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to add a passkey
         * @description Answers what the browser is to be asked for. Its answer goes to `POST …/wallet-passkeys` within five minutes. The challenge is the custodian's own, and good once. Scope: `auth:write`.
         */
        post: operations["beginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/wallet-passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the passkeys of an account
         * @description Those that command a custodian's wallet among the account's signers, oldest first: with a publishable key those of the user who is signed in, with a secret key those of all the account's users. A wallet has ten at most. It is what the custodian has: a passkey whose adding was broken off is there, without its name. Scope: `accounts:read`.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Add a passkey
         * @description From now on the passkey signs for the wallet, beside the keys of its sessions. `authorization` is a signature of one of those, or of a passkey of the wallet, over the document `{version: 1, method: "addPasskey", environment, wallet, params: {credential_id, public_key}, nonce}`, where `nonce` is the challenge and `public_key` the new key's point in hex: in the form in which payloads of the wallet's provider are signed. The first passkey of a guardian's wallet is signed by a session of the holder's at another custodian. Scope: `auth:write`.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/wallet-passkeys/{passkey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey
         * @description Nothing is signed by it any more. `authorization` is a signature of a session's key or of a passkey of the wallet, which may be this one, over the document `{version: 1, method: "removePasskey", environment, wallet, params: {credential_id, passkey_id}, expires_at}`, in the form in which payloads of the wallet's provider are signed. The browser keeps its half until the user deletes it there. Removing one again is the same. Where a passkey is required beside the code, a passkey has to sign this; with the last one that ends. Scope: `auth:write`.
         */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description The name is for people: nothing is decided by it. Scope: `auth:write`.
         */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/passkey-requirement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Require a passkey beside the code
         * @description Whether a code alone signs the user in from now on, at every custodian and for all accounts. `authorization` is the signature of a passkey of the wallet over the document `{version: 1, method: "requirePasskey", environment, wallet, params: {required}, nonce}`, where `nonce` is one that `POST /auth/passkey:options` answered. A session does not sign this. Scope: `auth:write`.
         */
        put: operations["setPasskeyRequirement"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/guardian-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the guardian signs
         * @description The policy by which the guardian's wallet of the account signs, and the one that waits, as the guardian certifies it. Of an account without a guardian everything is null. Scope: `accounts:read`.
         */
        get: operations["getGuardianPolicy"];
        /**
         * Set what the guardian signs
         * @description The service carries it: `authorization` is the signature of a passkey of the guardian's wallet over the document `{version: 1, method: "setWalletPolicy", environment, wallet, params: {policy, replaces}, nonce, expires_at}`, and no session signs that. A policy that only tightens holds at once. Any other waits for the delay of the policy that holds, a week at most; the policy that holds, set once more, cancels it. The same document again answers the same. Scope: `auth:write`.
         */
        put: operations["setGuardianPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/guardian-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes that wait at the guardian
         * @description Changes of settings that the guardian signs after its delay alone, as it certifies them. Of an account without a guardian there are none. Scope: `accounts:read`.
         */
        get: operations["listGuardianChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/guardian-changes/{change_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel a change that waits at the guardian
         * @description The guardian does not sign it any more, unless it is asked for anew and has waited again. `authorization` is the signature of a passkey of the guardian's wallet over the document `{version: 1, method: "cancelSettingsChange", environment, wallet, params: {change_id}, nonce, expires_at}`, and no session signs that. Answers what still waits. Again it answers the same. Scope: `auth:write`.
         */
        delete: operations["cancelGuardianChange"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/wallet-exports:options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the code of an export
         * @description Mails the wallet's owner a code, and answers the document that is to be signed: by a passkey where one commands the wallet, else by the key of one of its sessions. Both go to `POST …/wallet-exports`. Scope: `auth:write`.
         */
        post: operations["beginWalletExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/wallet-exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the exports of an account's keys
         * @description The newest first, a hundred at most, without keys: with a publishable key those of the user who is signed in, with a secret key those of all the account's users. Scope: `accounts:read`.
         */
        get: operations["listWalletExports"];
        put?: never;
        /**
         * Order the export of a wallet's key
         * @description By its owner: with the code of the mail, and a signature over the document that was answered with it, of a passkey where one commands the wallet, else of the key of one of its sessions. The owner is mailed at once. The key can be read once the tenant's delay is over, sealed to the recipient that was signed. Scope: `auth:write`.
         */
        post: operations["requestWalletExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/wallet-exports/{export_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an export, and the key once it may leave
         * @description Once the delay is over `sealed_key` is there: the wallet's key, sealed by HPKE to the recipient that its owner signed, and to no other. It can be read as often as is needed until `expires_at`. The first time counts: from then on the wallet is exported. Scope: `auth:write`.
         */
        get: operations["getWalletExport"];
        put?: never;
        post?: never;
        /**
         * Cancel an export
         * @description The key does not leave by it. `authorization` is a signature of the key of any session of the wallet, or of any passkey of it, over the document `{version: 1, method: "cancelWalletExport", environment, wallet, params: {export_id}}`, in the form in which payloads of the wallet's provider are signed. Cancelling one again is the same. Scope: `auth:write`.
         */
        delete: operations["cancelWalletExport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/wallet-imports:options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to import a signer's key
         * @description Answers what the key is sealed to, and the document that the owner signs: by a passkey where one commands the owner's wallet, else by the key of a session of it. Both go to `POST …/wallet-imports`. Nothing changes by it. Scope: `auth:write`.
         */
        post: operations["beginWalletImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/wallet-imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a signer's key
         * @description The owner's key, sealed to the recipient that was answered, and a signature over the document that was answered with it. The custodian opens it, requires that it is the key of that signer, and holds it from then on: the owner signs with it by session. Whoever had the key before can still sign with it. The owner is mailed. Scope: `auth:write`.
         */
        post: operations["importWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/relying-party": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read where passkeys belong
         * @description The domain of this tenant's passkeys and the pages that may ask for them, in all environments; null: none was set. Then passkeys of the sandbox belong to localhost, and there are none elsewhere. Scope: `admin:keys`.
         */
        get: operations["getRelyingParty"];
        /**
         * Set where passkeys belong
         * @description For passkeys that are added from now on. What was added for another domain goes on to sign from the pages that are listed here. Pages of another domain than `rp_id` may ask for its passkeys where `https://<rp_id>/.well-known/webauthn` lists them. Scope: `admin:keys`.
         */
        put: operations["setRelyingParty"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/wallet-export-terms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how long exports wait
         * @description How long keys of this tenant's users are held back that their owners want handed out. Scope: `admin:keys`.
         */
        get: operations["getWalletExportTerms"];
        /**
         * Set how long exports wait
         * @description For exports that are asked for from now on. Those that wait already keep their time. Scope: `admin:keys`.
         */
        put: operations["setWalletExportTerms"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue an identity token for an application's backend
         * @description A signed token (JWT, ES256) for the holder of a session, which the application's own backend checks with the keys at `/.well-known/jwks.json`: `iss` is this service, `aud` is `<tenant>/<environment>`, `sub` is the grid_user_id. It lives five minutes at most, by the real clock, and commands nothing here. Scope: `auth:write`.
         */
        post: operations["issueIdentityToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the keys that identity tokens are signed with
         * @description A JSON Web Key Set (RFC 7517), for services that verify tokens of `POST /auth/token`. A key is in it a day before it signs and a day after it last did; it may be remembered for as long as `cache-control` says.
         */
        get: operations["listIdentityKeys"];
        put?: never;
        post?: never;
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
         * @description Every transaction of the smart account, its settings and its token accounts, newest first, those that failed included: what the chain says, whichever client made it. Scope: `accounts:read`.
         */
        get: operations["listTransactions"];
        put?: never;
        /**
         * Prepare an arbitrary transaction
         * @description Takes a transaction built with the smart account as its payer and authority, wraps its instructions into a call of the on-chain program, simulates it, and answers what is to be signed. Its blockhash and compute budget are replaced. Scope: `transactions:write`.
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
         * @description Prepares a transfer of SOL or of a token. The answer holds the transaction and what is to be signed; the payment happens when the result is submitted. With a bank as destination (`payment_rail`, `external_account_id`) the coins go to a partner, who pays the bank. With a bank as source there is nothing to sign: the answer says where the money has to be sent. Scope: `payments:write`.
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
         * @description The account's payment intents, newest first, by whichever path they were created. Scope: `payments:read`.
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
         * @description A payment intent with its state, and what became of its transaction. Scope: `payments:read`.
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
    "/api/service/v1/accounts/{address}/external-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List external accounts
         * @description The bank accounts that payments of this account can go to, the newest first. Scope: `payments:read`.
         */
        get: operations["listExternalAccounts"];
        put?: never;
        /**
         * Add an external account
         * @description Makes a bank account known that payments can go to. Its numbers go to the partner and are not kept; adding the same account again answers the one there is. Scope: `payments:write`.
         */
        post: operations["addExternalAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/external-accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an external account
         * @description A bank account that payments can go to. Its number is never returned. Scope: `payments:read`.
         */
        get: operations["getExternalAccount"];
        put?: never;
        post?: never;
        /**
         * Remove an external account
         * @description Forgets a bank account, here and at the partner, and answers it as it was. Payments that were submitted are not affected. Scope: `payments:write`.
         */
        delete: operations["removeExternalAccount"];
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
         * @description SOL and every token the smart account holds, read from the chain. A fresh account answers zeros. Scope: `accounts:read`.
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
         * @description Prepares the grant of an allowance: within it, the signers of the limit pay from the account without any vote. It exists when the result is submitted. Where the account's signers cannot act at once, propose the action AddSpendingLimit instead. Scope: `accounts:write`.
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
         * @description As the chain has it now, wherever it was made. Scope: `accounts:read`.
         */
        get: operations["getSpendingLimit"];
        put?: never;
        post?: never;
        /**
         * Remove a spending limit
         * @description Prepares the removal of an allowance; it takes effect when the result is submitted. Where the account's signers cannot act at once, propose the action RemoveSpendingLimit instead. Scope: `accounts:write`.
         */
        delete: operations["deleteSpendingLimit"];
        options?: never;
        head?: never;
        /**
         * Exchange a spending limit for one with other terms
         * @description Prepares the removal of the limit and the grant of a new one, in one transaction. What is absent stays as it is; the new limit has an address of its own, and its allowance starts again. Where the account's signers cannot act at once, propose the actions AddSpendingLimit and RemoveSpendingLimit instead. Scope: `accounts:write`.
         */
        patch: operations["updateSpendingLimit"];
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/spending-limit/{spending_limit_address}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a payment out of a spending limit
         * @description Prepares a payment that a signer of the limit makes alone: no other signer, no vote and no time lock stand in the way. It happens when the result is submitted. Scope: `payments:write`.
         */
        post: operations["prepareLimitPayment"];
        delete?: never;
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
         * @description The account's spending limits as the chain has them now, in the order of their addresses. Scope: `accounts:read`.
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
         * @description All that the smart account and its token accounts ever received or sent, newest first: what the chain says, whichever client made it, and what a partner moves between a bank and the account (`Bridge`). Money that arrived or left through a partner is in both: the receipt of the one names the signature of the other. Scope: `accounts:read`.
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
    "/api/service/v1/accounts/{address}/kyc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a verification
         * @description Begins the check of the person or business behind an account at the environment's partner of bank rails, and gives the links under which they continue. Repeated for the same e-mail address it answers the same verification with its present state. Names, addresses and links are stored sealed. Scope: `kyc:write`.
         */
        post: operations["startKyc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/kyc/{kyc_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a verification
         * @description A verification as the partner has it, with fresh links where something is left to do. Where the partner cannot be reached: as it was last known, without links that are out of date. Scope: `kyc:read`.
         */
        get: operations["getKyc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/rail-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Forget the bank rail data of an account
         * @description Removes names, e-mail addresses, links and bank details that are kept here for the account's verifications and bank accounts. Refused while money is on its way, a payment with a bank waits for its money, a standing order to a bank account has not ended, or the removal of an external account is open. What the partner keeps, by its own duties, it keeps: ask the partner. The account itself, its payments on chain and their history stay. Scope: `kyc:write`.
         */
        delete: operations["deleteRailData"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/virtual-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a virtual account
         * @description Bank details of the account's own: what is paid in there in a bank's currency arrives at the smart account as coins. One for each currency. The account's holder has to be verified first, and needs the endorsement of the currency. Scope: `virtual-accounts:write`.
         */
        post: operations["requestVirtualAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/virtual-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List virtual accounts
         * @description The account's virtual accounts with their bank details, the oldest first, as the partner last reported them. One whose opening the partner has not answered yet is not among them. Scope: `virtual-accounts:read`.
         */
        get: operations["listVirtualAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/accounts/{address}/virtual-accounts/{virtual_account_id}/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deposits
         * @description Deposits to a virtual account in any state, newest first: where the partner has the money, and whether the chain shows the payment. Scope: `virtual-accounts:read`.
         */
        get: operations["listDeposits"];
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
         * @description The older form of GET /api/service/v1/accounts/{address}/payment-intents; x-next-cursor leads on. Scope: `payments:read`.
         */
        get: operations["listLegacyPaymentIntents"];
        put?: never;
        /**
         * Prepare a payment (v0)
         * @description The older form of POST /api/service/v1/accounts/{address}/payment-intent. What it answers is signed and confirmed; the payment happens then. Scope: `payments:write`.
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
         * @description The older form of GET /api/service/v1/accounts/{address}/payment-intent/{id}. Scope: `payments:read`.
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
         * @description Takes back what the creation answered, with the holder's signature, and pays. Confirming again answers the same. Scope: `payments:write`.
         */
        post: operations["confirmLegacyPaymentIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v0/service/smart-accounts/{smart_account_address}/kyc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the latest verification (v0)
         * @description The account's verification that was started last. Scope: `kyc:read`.
         */
        get: operations["getLatestLegacyKyc"];
        put?: never;
        /**
         * Start a verification (v0)
         * @description The older form of POST /api/service/v1/accounts/{address}/kyc. Scope: `kyc:write`.
         */
        post: operations["startLegacyKyc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v0/service/smart-accounts/{smart_account_address}/kyc/{kyc_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a verification (v0)
         * @description The older form of GET /api/service/v1/accounts/{address}/kyc/{kyc_id}. Scope: `kyc:read`.
         */
        get: operations["getLegacyKyc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v0/service/smart-accounts/{smart_account_address}/virtual-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List virtual accounts (v0)
         * @description The older form of GET /api/service/v1/accounts/{address}/virtual-accounts. Scope: `virtual-accounts:read`.
         */
        get: operations["listLegacyVirtualAccounts"];
        put?: never;
        /**
         * Request a virtual account (v0)
         * @description The older form of POST /api/service/v1/accounts/{address}/virtual-account. Scope: `virtual-accounts:write`.
         */
        post: operations["requestLegacyVirtualAccount"];
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
         * @description The older form of POST /api/service/v1/auth. Scope: `auth:write`.
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
         * @description Answers with an authorization key in a credential bundle, sealed to the client's key. What it signs is submitted by the present interface, as a kms_a payload. Scope: `auth:write`.
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
         * @description The events of this environment, oldest first. Every page has a cursor, the last one too: ask again with it for what happens next. `latest` as cursor begins with what happens from now on. Scope: `webhooks:read`.
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
        /**
         * Get an event
         * @description Get an event. Scope: `webhooks:read`.
         */
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
         * @description All of this environment, the oldest first, without those that an intent created. Scope: `webhooks:read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events of this environment are sent there from now on, signed as Standard Webhooks 1.0.0 say. The secret is in this answer and nowhere else. Scope: `webhooks:write`.
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
        /**
         * Get a webhook endpoint
         * @description Get a webhook endpoint. Scope: `webhooks:read`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Nothing is sent there any more, and its secret is forgotten. Scope: `webhooks:write`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description What is not named stays. Disabled, it gets nothing; enabled again, what was on its way. Scope: `webhooks:write`.
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
         * @description Answers a new secret. For `overlap_seconds` events are signed with the former one, too; with 0, after a leak, no longer, whatever was promised before. Scope: `webhooks:write`.
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
         * @description Sends the documented example of a type, marked `example`, and answers what the receiver answered. Scope: `webhooks:write`.
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
         * @description The newest first; kept for 30 days. Scope: `webhooks:read`.
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
         * @description One event; or all since an instant whose attempts have failed; or all since an instant that were never scheduled for this endpoint, because it was disabled or did not exist yet. One call reads up to 2000 events; where there are more, `next_cursor` continues from there. Scope: `webhooks:write`.
         */
        post: operations["replayEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List entries of the audit log
         * @description What was done with the tenant's keys, sessions, passkeys and policies, the newest first: entries of all environments that the key opens, and those of none. Scope: `audit:read`.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/audit-events/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an entry of the audit log, with its proof
         * @description With the proof that it is in the log of the last checkpoint, which anybody can hold against the log's key. Scope: `audit:read`.
         */
        get: operations["getAuditEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The tenant's keys in any state that open no environment but those of the caller's key, the newest first. The keys themselves are not returned. Scope: `admin:keys`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description For the tenant of the key that asks, with no scope and no environment that this one has not itself, and with no longer life. The key is in this answer and nowhere else. Scope: `admin:keys`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description The key is dead from the next request on, in every process, for good, and also where it is the configured one. A key that opens an environment which the key that asks does not open is not found. A key may revoke itself. Scope: `admin:keys`.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tenants
         * @description All of them, by their ids, disabled ones too. Scope: `admin:tenants`.
         */
        get: operations["listTenants"];
        put?: never;
        /**
         * Create a tenant
         * @description It has users, accounts and keys of its own, and sees nothing of any other. It has no key yet: make its first one with `POST /tenants/{tenant_id}/api-keys`. Where `protection` is absent, its e-mail accounts are guarded by default beside devnet or mainnet where there is a guardian, and plain otherwise. Scope: `admin:tenants`.
         */
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/tenants/{tenant_id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a tenant
         * @description All its keys are dead from the next request on, in every process. What its users have stays theirs. A key's own tenant is disabled by command alone. Scope: `admin:tenants`.
         */
        post: operations["disableTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/tenants/{tenant_id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a tenant again
         * @description Its keys are what they were. Scope: `admin:tenants`.
         */
        post: operations["enableTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/tenants/{tenant_id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an API key for another tenant
         * @description With any scope but `admin:tenants`, in environments that the key that asks opens; with `admin:keys` the tenant makes its other keys without an operator. The key is in this answer and nowhere else. Scope: `admin:tenants`.
         */
        post: operations["createTenantApiKey"];
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
         * @description The newest mails of your own, newest first, with the code where one carries it. Scope: `sandbox:use`.
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
         * @description Sends SOL from the sandbox's faucet, or mints one of its currencies, to any address. Answers when it is confirmed. Scope: `sandbox:use`.
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
         * @description Moves the environment clock forward, for the service and the chain alike: codes, sessions, time locks and blockhashes expire as they would. Open prepared transactions expire after 60 seconds. Standing orders are paid on the way, at their due dates and in the order of time, up to 5,000 due dates a call; what is left then is paid afterwards. What the simulated partner of bank rails does until then has happened when this answers. Scope: `sandbox:clock`.
         */
        post: operations["sandboxAdvanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/sandbox/kyc/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a verification
         * @description Has the simulated partner decide a verification at once, whatever it was before. Approving it accepts the partner's terms too, unless `tos_status` says otherwise. Scope: `sandbox:use`.
         */
        post: operations["sandboxSetKyc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/sandbox/virtual-accounts/{virtual_account_id}/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay into a virtual account
         * @description Simulates a payment from outside. Play coins arrive on the sandbox chain, net of the fee. The cents of the amount say what happens: .02 is reviewed first, .03 goes back, .08 goes back after it was paid out, 0.05 only tests the account, .06 is reported twice and .07 out of order. At once, or by the environment clock as banks take it: TRELLIS_SANDBOX_RAILS. Scope: `sandbox:use`.
         */
        post: operations["sandboxDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/sandbox/virtual-accounts/{virtual_account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate or deactivate a virtual account
         * @description As its partner would. A deactivated one takes no money, and what was on its way goes back. Scope: `sandbox:use`.
         */
        post: operations["sandboxSetVirtualAccountStatus"];
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
         * @description Puts the documented example of a type into the feed, marked `example`, and sends it to every receiver of it. Scope: `sandbox:use`.
         */
        post: operations["sandboxTriggerEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/sandbox/transfers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a transfer of the simulated partner
         * @description Lets the money of a payment from a bank arrive (`funds_received`), or the bank decide about one. It takes the states in between, and really pays, or gives back, on the sandbox's chain. Scope: `sandbox:use`.
         */
        post: operations["sandboxMoveTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/sandbox/external-accounts/{external_account_id}/payout-addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close the payout addresses of a bank account
         * @description As its partner would: standing orders that pay there become inactive, and the next one to the bank account has another address opened. What is sent to a closed one goes back. Closed ones stay closed. Scope: `sandbox:use`.
         */
        post: operations["sandboxClosePayoutAddresses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service/v1/sandbox/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what goes wrong on purpose
         * @description What `POST /sandbox/faults` or `TRELLIS_SANDBOX_FAULTS` has the sandbox chain do wrong at present. Scope: `sandbox:use`.
         */
        get: operations["sandboxReadFaults"];
        put?: never;
        /**
         * Have things go wrong on purpose
         * @description The named faults apply from now on to every caller of the sandbox chain's JSON-RPC; the others end, so that `{}` ends all of them. Counts start again. They end with the process that runs the chain. Scope: `sandbox:clock`.
         */
        post: operations["sandboxSetFaults"];
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
         * @description Solana JSON-RPC over the sandbox chain, batches included, for Solana clients, wallets and explorers; what it is not is in docs/sandbox.md. JSON-RPC errors have status 200, as such clients expect. Integers of any size are exact. A WebSocket on the same path has subscriptions besides. Here, and only here, the key may also be the query parameter `api-key`, for clients that can only be given a URL. Scope: `sandbox:use`.
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
         * Check whether the process is alive
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
         * Check whether the service can work
         * @description Asks the database and every configured environment. For routing: 503 takes an instance out, because its database or all of its environments do not answer. `degraded` says that something wants an operator, and that routing elsewhere would not help: one of several environments does not answer, or has no money left for fees, or the log of a custodian is not what it was.
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
    "account.released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * account.released
         * @description An imported account is not served for the tenant any more. Nothing more of it is reported to it.
         */
        post: operations["on_account_released"];
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
         * @description A submitted transaction is confirmed.
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
         * @description A submitted transaction has expired: it is not on the chain, and provably never will be.
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
         * @description A standing order has ended.
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
         * @description A standing order was cancelled, or its limit was confirmed after that.
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
    "standing_order_payout.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * standing_order_payout.created
         * @description A partner has reported a payment of a standing order to a bank account.
         */
        post: operations["on_standing_order_payout_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "standing_order_payout.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * standing_order_payout.updated
         * @description The bank has processed such a payment further, or has returned it.
         */
        post: operations["on_standing_order_payout_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "kyc.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * kyc.created
         * @description A partner of bank rails has begun to check the person or business behind an account.
         */
        post: operations["on_kyc_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "external_account.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * external_account.created
         * @description A bank account was added that payments can go to.
         */
        post: operations["on_external_account_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "external_account.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * external_account.updated
         * @description The partner can pay a bank account no more, or again.
         */
        post: operations["on_external_account_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "external_account.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * external_account.deleted
         * @description A bank account was removed.
         */
        post: operations["on_external_account_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "kyc.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * kyc.updated
         * @description A check, its terms, or what it allows changed; an approval can be revoked.
         */
        post: operations["on_kyc_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "virtual_account.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * virtual_account.created
         * @description A partner has opened bank details under which money for an account arrives.
         */
        post: operations["on_virtual_account_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "virtual_account.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * virtual_account.updated
         * @description A partner has activated or deactivated a virtual account, or changed its bank details, ways to pay or fee.
         */
        post: operations["on_virtual_account_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * deposit.created
         * @description Money is on its way to a virtual account, or has arrived there.
         */
        post: operations["on_deposit_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * deposit.updated
         * @description The partner has processed a deposit further, or its payment is on the chain.
         */
        post: operations["on_deposit_updated"];
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
         * @description A session was ended before its time. `reason` says by whom, or why.
         */
        post: operations["on_session_revoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "passkey.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * passkey.added
         * @description A passkey signs for a custodian's wallet from now on.
         */
        post: operations["on_passkey_added"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "passkey.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * passkey.removed
         * @description A passkey was removed, and signs no more.
         */
        post: operations["on_passkey_removed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet_export.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * wallet_export.requested
         * @description The owner of a wallet wants its key handed out. It leaves after a delay.
         */
        post: operations["on_wallet_export_requested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet_export.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * wallet_export.cancelled
         * @description An export of a wallet's key was cancelled: by it the key has not left, and never will.
         */
        post: operations["on_wallet_export_cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet_export.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * wallet_export.completed
         * @description The key of a wallet was handed out. Its custodian still signs with it.
         */
        post: operations["on_wallet_export_completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet_import.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * wallet_import.completed
         * @description A key that its owner brought is a custodian's wallet from now on. Others may have it, too.
         */
        post: operations["on_wallet_import_completed"];
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
         * @description Sent when a test is requested.
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
        Account: {
            address: components["schemas"]["Address"];
            grid_user_id: components["schemas"]["Uuid"];
            /** @enum {unknown} */
            status: "active";
            /** @enum {unknown} */
            type: "email" | "signers" | "custom";
            policies: components["schemas"]["Policies"];
            protection: components["schemas"]["Protection"];
            settings_address: components["schemas"]["Address"];
            email?: components["schemas"]["Email"];
            /**
             * @description Its user signs in with a code and a passkey. With a publishable key: who is signed in.
             * @constant
             */
            passkey_required?: true;
            memo?: string;
            /** @description Wallets of custodians whose keys others may have: they were handed out to their owners, or their owners brought them. */
            exported_signers?: components["schemas"]["Address"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AccountAnswer: {
            data: components["schemas"]["Account"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        AccountCreationSnapshot: {
            grid_user_id: components["schemas"]["Uuid"];
            /** @enum {unknown} */
            type: "email" | "signers" | "custom";
            email?: components["schemas"]["Email"];
            /**
             * @description Its user signs in with a code and a passkey. With a publishable key: who is signed in.
             * @constant
             */
            passkey_required?: true;
            memo?: string;
            /** Format: date-time */
            created_at: string;
        };
        AccountProposal: {
            proposalAddress: components["schemas"]["Address"];
            status: components["schemas"]["ProposalState"];
            /**
             * Format: double
             * @description When that status was set: Unix seconds.
             */
            statusTimestamp: number;
            approved: components["schemas"]["Address"][];
            rejected: components["schemas"]["Address"][];
            cancelled: components["schemas"]["Address"][];
            /** @description The settings, whose signers decide. */
            consensusAccount: components["schemas"]["Address"];
            /** @constant */
            consensusAccountType: "Settings";
            /**
             * Format: date-time
             * @description Of the transaction that last changed the proposal.
             */
            blockTime?: string;
            /** @description That transaction. */
            lastModifiedSignature?: components["schemas"]["Signature"];
            /** @description The smart account. */
            mainAccountAddress: components["schemas"]["Address"];
            settingsAddress: components["schemas"]["Address"];
            /** Format: double */
            transactionIndex: number;
            /** @description True: the settings changed since, and it can no longer be approved or rejected. */
            stale: boolean;
            /** @description True: its accounts on the chain are closed; votes and outcome are kept here. */
            closed: boolean;
            /** @description Rent that closing gave back. */
            reclaimedLamports?: components["schemas"]["Amount"];
            /** Format: date-time */
            createdAt?: string;
            creator?: components["schemas"]["Address"];
            /**
             * @description What is voted on.
             * @enum {unknown}
             */
            kind: "transaction" | "settings" | "batch" | "unknown";
            batch?: components["schemas"]["ProposalBatch"];
            /** @description The account that it is about. */
            account: components["schemas"]["Address"];
        };
        AccountProposalListAnswer: {
            data: components["schemas"]["AccountProposal"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        AccountSnapshot: {
            address: components["schemas"]["Address"];
            grid_user_id: components["schemas"]["Uuid"];
            /** @enum {unknown} */
            status: "active";
            /** @enum {unknown} */
            type: "email" | "signers" | "custom";
            settings_address: components["schemas"]["Address"];
            email?: components["schemas"]["Email"];
            /**
             * @description Its user signs in with a code and a passkey. With a publishable key: who is signed in.
             * @constant
             */
            passkey_required?: true;
            memo?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ActivateProposalSummaryEntry: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "activate_proposal";
            /** @description The proposal's address. */
            proposal: components["schemas"]["Address"];
            /** Format: int64 */
            transaction_index: number;
            /** @description Who turns the draft into an open vote. */
            signer: components["schemas"]["Address"];
        };
        AddPasskeyRequest: {
            ceremony_id: components["schemas"]["Uuid"];
            /** @description As it was answered with the ceremony. */
            signer?: components["schemas"]["Address"];
            /** @example Ada's phone */
            name: string;
            credential: components["schemas"]["PasskeyRegistration"];
            authorization: components["schemas"]["SignedKmsPayload"];
        };
        AddSignerRequestedAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "AddSigner";
            newSigner: components["schemas"]["SignerToAdd"];
        };
        AddSignerSettingsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "add_signer";
            address: components["schemas"]["Address"];
            permissions: components["schemas"]["Permission"][];
        };
        AddSpendingLimitRequestedAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "AddSpendingLimit";
            /**
             * @description A currency of the environment, or a mint's address. Null or `sol` is SOL.
             * @example usdc
             */
            mint?: string | null;
            amount: components["schemas"]["SpendingLimitAmount"];
            period: components["schemas"]["RequestedPeriod"];
            /** @description Who may use it, without any vote. They need not be signers of the account. */
            signers: components["schemas"]["Address"][];
            /** @description Owners that may be paid. None: any owner. */
            destinations?: components["schemas"]["Address"][];
            expiration?: components["schemas"]["SpendingLimitExpiration"];
        };
        AddSpendingLimitSettingsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "add_spending_limit";
            spending_limit: components["schemas"]["Address"];
            /** @description Null is SOL. */
            mint: components["schemas"]["Address"] | null;
            /** @description Per period. */
            amount: components["schemas"]["Amount"];
            /** @enum {unknown} */
            period: "one_time" | "day" | "week" | "month";
            signers: components["schemas"]["Address"][];
            /** @description Empty: any owner may be paid. */
            destinations: components["schemas"]["Address"][];
            /**
             * Format: int64
             * @description Unix seconds; absent: never.
             */
            expires_at?: number;
        };
        AddToBatchSummaryEntry: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "add_to_batch";
            /** @description The proposal's address. */
            proposal: components["schemas"]["Address"];
            /** Format: int64 */
            transaction_index: number;
            /**
             * Format: int64
             * @description Of a batch: which of its transactions, counted from 1.
             */
            batch_transaction?: number;
            creator: components["schemas"]["Address"];
            /** @description What it does once it is executed. */
            effects: components["schemas"]["Effect"][];
            /** @description Of a settings change: the same, action by action. */
            actions?: components["schemas"]["SettingsAction"][];
        };
        AddedPasskey: {
            id: components["schemas"]["Uuid"];
            /** @description Whose it is. */
            grid_user_id: components["schemas"]["Uuid"];
            /**
             * @description Who holds the wallet that it commands.
             * @enum {unknown}
             */
            provider: "kms_a" | "kms_b" | "kms_c";
            /** @description That wallet: a signer of the account. */
            signer: components["schemas"]["Address"];
            /** @description Base64url: what browsers call it by. */
            credential_id: string;
            /** @description The domain it belongs to. */
            rp_id: string;
            name: string;
            /** @description The model of its authenticator, as that says; all zeros: it does not. */
            aaguid: string;
            /** @description It can be on several devices. */
            synced: boolean;
            /**
             * Format: date-time
             * @description When it was added.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last signed, to the minute.
             */
            last_used_at?: string;
            receipt?: components["schemas"]["CustodianReceipt"];
        };
        AddedPasskeyAnswer: {
            data: components["schemas"]["AddedPasskey"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description 32 bytes in base58: of an account, a key or a mint. */
        Address: string;
        /** @description Base units, as a decimal string: whole, of 64 bits. */
        Amount: string;
        ApiKey: {
            id: components["schemas"]["Uuid"];
            name: string;
            /** @enum {unknown} */
            type: "secret" | "publishable";
            /**
             * @description Its beginning, to know it by.
             * @example sk_test_3xJ9…
             */
            visible_prefix: string;
            scopes: components["schemas"]["Scope"][];
            environments: components["schemas"]["Environment"][];
            /** @description Of a publishable key: the pages that may use it. */
            allowed_origins: string[];
            /** @description Ranges of remote addresses that may use it; empty: all. */
            allowed_addresses: string[];
            /**
             * @description `disabled`: it was configured once, and is not any more.
             * @enum {unknown}
             */
            status: "active" | "expired" | "disabled" | "revoked";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at?: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            last_used_at?: string;
            /** Format: date-time */
            revoked_at?: string;
        };
        ApiKeyAnswer: {
            data: components["schemas"]["ApiKey"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ApiKeyListAnswer: {
            data: components["schemas"]["ApiKey"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ApproveDelegateEffect: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approve_delegate";
            token_account: components["schemas"]["Address"];
            owner: components["schemas"]["Address"];
            /** @description Who may move the tokens from then on, at any time. */
            delegate: components["schemas"]["Address"];
            mint?: components["schemas"]["Address"];
            /** @description How much of them. */
            amount: components["schemas"]["Amount"];
        };
        AuditEvent: {
            /**
             * Format: int64
             * @description Its leaf in the log, counted from 0: the same for good.
             */
            index: number;
            type: components["schemas"]["AuditEventType"];
            /**
             * Format: date-time
             * @description By the database's clock.
             */
            occurred_at: string;
            /** @description Absent: of all environments. */
            environment?: components["schemas"]["Environment"];
            /**
             * @description What it is about.
             * @example session/5f3c…
             */
            subject?: string;
            /** @description Whose it is. */
            user_id?: string;
            /**
             * @description `api_key/<id>`, `operator` or `configuration`. Absent: see the type.
             * @example operator
             */
            actor?: string;
            /** @description What it was afterwards, by its type. */
            details?: {
                [key: string]: unknown;
            };
        };
        AuditEventListAnswer: {
            data: components["schemas"]["AuditEvent"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @enum {unknown} */
        AuditEventType: "api_key.created" | "api_key.changed" | "api_key.disabled" | "api_key.enabled" | "api_key.revoked" | "tenant.created" | "tenant.disabled" | "tenant.enabled" | "tenant.frozen" | "tenant.unfrozen" | "tenant.export_started" | "tenant.exported" | "tenant.imported" | "session_policy.changed" | "relying_party.changed" | "account_defaults.changed" | "session.opened" | "session.refreshed" | "session.ended" | "wallet.created" | "wallet.imported" | "wallet_export_policy.changed" | "wallet_export.requested" | "wallet_export.cancelled" | "wallet_export.completed" | "authorization_key.granted" | "authorization_key.revoked" | "authorization_key.restored" | "passkey.added" | "passkey.removed" | "passkey.restored" | "passkey.counter_went_back" | "passkey_requirement.changed" | "account.signer_added" | "account.signer_removed" | "account.settings_changed" | "account.released" | "standing_order.suspended" | "standing_order.released" | "spending_grant.given" | "spending_grant.ended" | "identity_key.created" | "wallet_root.created" | "wallet_root.retired" | "secret.created" | "secret.activated" | "secret.retired" | "master_key.rotation_started" | "master_key.rotated" | "configuration.changed" | "log.accepted";
        Authentication: {
            /** @enum {unknown} */
            provider: "kms_a" | "kms_b" | "kms_c";
            session: components["schemas"]["Session"];
        };
        BalanceChange: {
            /** @description Who holds it: for tokens the owner of the token account. */
            address: components["schemas"]["Address"];
            /** @description Null is SOL. */
            mint: components["schemas"]["Address"] | null;
            before: components["schemas"]["Amount"];
            after: components["schemas"]["Amount"];
            /** @description With a minus sign where it is less afterwards. */
            change: string;
        };
        Balances: {
            address: components["schemas"]["Address"];
            /** Format: double */
            lamports: number;
            /** Format: double */
            sol: number;
            tokens: components["schemas"]["TokenBalance"][];
        };
        BalancesAnswer: {
            data: components["schemas"]["Balances"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description What a payer needs. Which names there are is up to the currency; a partner may add others. */
        BankInstructions: {
            /** @example usd */
            currency: string;
            /**
             * @example [
             *       "ach_push",
             *       "wire"
             *     ]
             */
            payment_rails: string[];
            bank_name?: string;
            bank_address?: string;
            bank_routing_number?: string;
            bank_account_number?: string;
            bank_beneficiary_name?: string;
            bank_beneficiary_address?: string;
            iban?: string;
            bic?: string;
            account_number?: string;
            sort_code?: string;
            clabe?: string;
            br_code?: string;
            account_holder_name?: string;
        } & {
            [key: string]: string;
        };
        /** @description ECDSA with P-256 and SHA-256: DER, in base64. */
        Base64Signature: string;
        BeginPasskeyRequest: {
            /** @description The custodian's wallet that it is to command. By default the guardian's where one signs for the account, else the primary one. */
            signer?: components["schemas"]["Address"];
        };
        BeginPasskeyResult: {
            ceremony_id: components["schemas"]["Uuid"];
            /** @description The wallet that it will command. */
            signer: components["schemas"]["Address"];
            /** Format: date-time */
            expires_at: string;
            public_key: components["schemas"]["PasskeyCreationOptions"];
        };
        BeginPasskeyResultAnswer: {
            data: components["schemas"]["BeginPasskeyResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        BeginPasskeySignInResult: {
            /** @description Base64url. */
            nonce: string;
            rp_id: string;
            /** Format: date-time */
            expires_at: string;
        };
        BeginPasskeySignInResultAnswer: {
            data: components["schemas"]["BeginPasskeySignInResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        BeginWalletExportRequest: {
            /** @description The key that the wallet's key is sealed to: base64 of the SPKI DER of a P-256 public key. */
            recipient_public_key: string;
            /** @description The custodian's wallet whose key it is. By default the account's primary one. */
            signer?: components["schemas"]["Address"];
        };
        BeginWalletImportRequest: {
            /** @description Of the key: a signer of the account with the provider `external`. */
            signer: components["schemas"]["Address"];
            /**
             * @description Who is to hold the key.
             * @enum {unknown}
             */
            provider?: "kms_a" | "kms_b" | "kms_c";
        };
        BegunWalletExport: {
            otp_id: components["schemas"]["Uuid"];
            email: components["schemas"]["Email"];
            /** @enum {unknown} */
            provider: "kms_a" | "kms_b" | "kms_c";
            signer: components["schemas"]["Address"];
            /** @description Base64 of the document: it is signed as payloads of the provider are. */
            payload: string;
            /** @description A passkey of the wallet has to sign it. */
            passkey_required: boolean;
            /**
             * Format: int64
             * @description How long the key is held back after the order.
             */
            delay_seconds: number;
            /**
             * Format: date-time
             * @description When code and document stop working.
             */
            expires_at: string;
        };
        BegunWalletExportAnswer: {
            data: components["schemas"]["BegunWalletExport"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        BegunWalletImport: {
            import_id: components["schemas"]["Uuid"];
            signer: components["schemas"]["Address"];
            /** @enum {unknown} */
            provider: "kms_a" | "kms_b" | "kms_c";
            /** @description The owner's wallet there, whose authority signs the document. */
            authorizing_signer: components["schemas"]["Address"];
            /** @description What the key is sealed to: base64 of the SPKI DER of a P-256 public key. */
            recipient_public_key: string;
            /** @description Base64 of the document: it is signed as payloads of the provider are. */
            payload: string;
            /** @description A passkey of the owner's wallet has to sign it. */
            passkey_required: boolean;
            /**
             * Format: date-time
             * @description When document and recipient stop working.
             */
            expires_at: string;
        };
        BegunWalletImportAnswer: {
            data: components["schemas"]["BegunWalletImport"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        BurnEffect: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "burn";
            token_account: components["schemas"]["Address"];
            /** @description Who burns. */
            owner: components["schemas"]["Address"];
            mint: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
        };
        CancelGuardianChangeRequest: {
            /** @description What the certificate of the answer holds. */
            nonce: string;
            /** @description An hour ahead at most by the guardian's clock, as 2027-01-01T00:10:00.000Z. */
            expires_at: string;
            authorization: components["schemas"]["SignedKmsPayload"];
        };
        CancelWalletExportRequest: {
            authorization: components["schemas"]["SignedKmsPayload"];
        };
        ChangeThresholdRequestedAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ChangeThreshold";
            newThreshold: number;
        };
        ChangeThresholdSettingsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "change_threshold";
            /** Format: int64 */
            threshold: number;
        };
        CloseBufferSummaryEntry: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "close_buffer";
            buffer: components["schemas"]["Address"];
            /** @description Whose buffer it is, and who gets its rent. */
            signer: components["schemas"]["Address"];
        };
        CloseTokenAccountEffect: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "close_token_account";
            token_account: components["schemas"]["Address"];
            /** @description Who closes it and gets its lamports. */
            owner: components["schemas"]["Address"];
        };
        CloseTransactionBuffersRequest: {
            /** @description Whose buffers: a signer of the account, or one who was. */
            signer: components["schemas"]["Address"];
            /** @description Default: the first ten. */
            buffers?: components["schemas"]["Address"][];
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        CloseTransactionBuffersResult: {
            /** @description Base64 wire transaction, unsigned. */
            transaction: string;
            /** @description Addresses that must sign, the service's fee payer aside. */
            transaction_signers: components["schemas"]["Address"][];
            kms_payloads: components["schemas"]["KmsPayload"][];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at: string;
            /** @description What it does, read off its bytes. */
            summary: components["schemas"]["SummaryEntry"][];
            fee: components["schemas"]["TransactionFee"];
            buffers: {
                address: components["schemas"]["Address"];
                /** @description Of the message it is for. */
                message_sha256: components["schemas"]["Sha256"];
                /**
                 * Format: int64
                 * @description How long that is.
                 */
                message_bytes: number;
                /**
                 * Format: int64
                 * @description How much of it is there.
                 */
                written_bytes: number;
                /** @description What the signer gets back. */
                lamports: components["schemas"]["Amount"];
            }[];
            /** @description Whether the signer has others: ask again. */
            more: boolean;
        };
        CloseTransactionBuffersResultAnswer: {
            data: components["schemas"]["CloseTransactionBuffersResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        CoinDestination: {
            /** @description The smart account. */
            address: components["schemas"]["Address"];
            /**
             * @description What arrives on chain.
             * @example usdc
             */
            currency: string;
            /** @constant */
            payment_rail: "solana";
        };
        ConfirmLegacyPaymentIntentRequest: {
            /** @description The transaction, as the creation answered it. Absent for money from a bank. */
            intent_payload?: string;
            /** @description The JSON of one signed payload, or base64 of it: {provider, signature} or {public_key, signature}. Empty where the account's own keys have signed the transaction. */
            mpc_payload?: string;
        };
        CreateAccountRequest: components["schemas"]["EmailCreateAccountRequest"] | components["schemas"]["SignersCreateAccountRequest"];
        CreateAccountResult: components["schemas"]["PendingAccount"] | components["schemas"]["SignersAccount"];
        CreateAccountResultAnswer: {
            data: components["schemas"]["CreateAccountResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /**
         * @example {
         *       "name": "checkout",
         *       "scopes": [
         *         "accounts:read",
         *         "payments:write"
         *       ],
         *       "environments": [
         *         "sandbox"
         *       ]
         *     }
         */
        CreateApiKeyRequest: {
            name: string;
            /**
             * @description Default: secret.
             * @enum {unknown}
             */
            type?: "secret" | "publishable";
            /** @description A publishable key has auth:write, payments:write, transactions:write where none are named. */
            scopes?: components["schemas"]["Scope"][];
            /** @description mainnet alone, or sandbox and devnet. */
            environments: components["schemas"]["Environment"][];
            /**
             * Format: date-time
             * @description Absent: never.
             */
            expires_at?: string;
            /**
             * @description Of a publishable key, and required for one: the origins of the pages that may use it.
             * @example [
             *       "https://app.example"
             *     ]
             */
            allowed_origins?: string[];
            /** @description Addresses, or ranges in CIDR notation, that may use it. Absent: all. */
            allowed_addresses?: string[];
        };
        CreateCustomAccountRequest: {
            policies: components["schemas"]["RequestedCustomPolicies"];
            /** @description Yours to choose; returned with the account. */
            memo?: string;
        };
        CreateLegacyPaymentIntentRequest: {
            /**
             * @description Base units, as a decimal string; of money from a bank, a decimal in its currency.
             * @example 1000000
             */
            amount: components["schemas"]["Decimal"];
            source: {
                /** @example usdc */
                currency: string;
                /** @description The smart account of the path. */
                account?: components["schemas"]["Address"];
                /** @description The same. */
                from_address?: components["schemas"]["Address"];
                /** @example solana */
                payment_rail?: string;
            };
            /**
             * @example {
             *       "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
             *       "currency": "usdc"
             *     }
             */
            destination: {
                /** @description An owner, or a token account of this currency. */
                address?: components["schemas"]["Address"];
                /** @description The same. */
                to_address?: components["schemas"]["Address"];
                /** @description True: the payee is an address that a program signs for, such as a vault that was never used, or an account that a program holds. */
                confirm_program_address?: boolean;
                /** @example usdc */
                currency?: string;
                /** @example solana */
                payment_rail?: string;
                /** @description The bank account that is paid. */
                external_account_id?: components["schemas"]["Uuid"];
                reference?: string;
                /**
                 * @description The memo of the payment, written into the transaction. At most 256 bytes of UTF-8.
                 * @example customer 4711
                 */
                memo?: string;
            };
            grid_user_id?: string;
            /** @description Where the events of this payment are sent. */
            webhook_url?: string;
            transaction_signers?: components["schemas"]["Address"][];
            /**
             * @description The memo of the payment, written into the transaction. At most 256 bytes of UTF-8.
             * @example customer 4711
             */
            memo?: string;
            /** @description Another name of `memo`. For a bank it belongs in `destination.reference`. */
            reference?: string;
        };
        CreateLegacyPaymentIntentResult: {
            PaymentProvider: components["schemas"]["LegacyPayment"];
            /** @description With webhook_url: what those events are signed with. It is not returned again. */
            webhook_secret?: string;
            /** @description Base64 wire transaction, unsigned. Null for a payment from a bank: nothing is signed. */
            intent_payload: string | null;
            /** @description Base64 of the JSON document to sign with the session's key. Null: the account's own keys sign the transaction itself. */
            mpc_payload: string | null;
        };
        CreateProposalRequest: components["schemas"]["CustomCreateProposalRequest"] | components["schemas"]["SettingsCreateProposalRequest"] | components["schemas"]["TransferCreateProposalRequest"];
        CreateProposalResult: {
            proposalAddress: components["schemas"]["Address"];
            /** Format: double */
            transactionIndex: number;
            signer: components["schemas"]["Address"];
            /** @description Base64 wire transactions, unsigned, for the multiple submit. */
            transactions: string[];
            /** @description Addresses that must sign, the service's fee payer aside. */
            transaction_signers: components["schemas"]["Address"][];
            /** @description One array per transaction, in their order. */
            kms_payloads: components["schemas"]["KmsPayload"][][];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at: string;
            /** @description What it does, read off its bytes. */
            summary: components["schemas"]["SummaryEntry"][];
            fee: components["schemas"]["TransactionFee"];
            /** @description Where the message is put together, if it does not fit one transaction. */
            buffer?: {
                address: components["schemas"]["Address"];
                /** @description Base64 of what is put together in it and then voted on. */
                message: string;
                /** @description Of the message. */
                message_sha256: components["schemas"]["Sha256"];
                /**
                 * Format: int64
                 * @description How much of the message is there already, and not sent again.
                 */
                written_bytes: number;
                /** @description What the buffer takes now. The creator gets it when it is used or closed. */
                rent_lamports: components["schemas"]["Amount"];
                /** @description Who pays that: the creator, or your own fee payer. */
                rent_payer?: components["schemas"]["Address"];
            };
            /** @description Of a batch. */
            batch?: {
                /**
                 * Format: int64
                 * @description How many transactions it is to have.
                 */
                size: number;
                /**
                 * Format: int64
                 * @description How many of them, the first ones, are on chain already, and not sent again.
                 */
                stored: number;
            };
        };
        CreateProposalResultAnswer: {
            data: components["schemas"]["CreateProposalResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        CreateProposalSummaryEntry: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "create_proposal";
            /** @description The proposal's address. */
            proposal: components["schemas"]["Address"];
            /** Format: int64 */
            transaction_index: number;
            creator: components["schemas"]["Address"];
            /** @description What it does once it is executed. */
            effects: components["schemas"]["Effect"][];
            /** @description Of a settings change: the same, action by action. */
            actions?: components["schemas"]["SettingsAction"][];
        };
        CreateSpendingLimitRequest: {
            amount: components["schemas"]["SpendingLimitAmount"];
            /**
             * @description A currency of the environment, or a mint's address. Null or `sol` is SOL.
             * @example usdc
             */
            mint: string | null;
            period: components["schemas"]["RequestedPeriod"];
            /** @description Who may use it, without any vote. They need not be signers of the account. */
            spending_limit_signers: components["schemas"]["Address"][];
            /** @description Owners that may be paid. None: any owner. */
            destinations?: components["schemas"]["Address"][];
            expiration?: components["schemas"]["SpendingLimitExpiration"];
            transaction_signers?: components["schemas"]["Address"][];
            /** @description Only members of this provider sign. */
            provider?: components["schemas"]["SignerProvider"];
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        CreateSpendingLimitResult: {
            /** @description Base64 wire transaction, unsigned. */
            transaction: string;
            /** @description Addresses that must sign, the service's fee payer aside. */
            transaction_signers: components["schemas"]["Address"][];
            kms_payloads: components["schemas"]["KmsPayload"][];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at: string;
            /** @description What it does, read off its bytes. */
            summary: components["schemas"]["SummaryEntry"][];
            fee: components["schemas"]["TransactionFee"];
            spending_limit_address: components["schemas"]["Address"];
        };
        CreateStandingOrderRequest: {
            /** @description Of one payment. */
            amount: components["schemas"]["Amount"];
            /** @enum {unknown} */
            frequency: "daily" | "weekly" | "monthly" | "day" | "week" | "month";
            source: components["schemas"]["RequestedOrderSource"];
            destination: components["schemas"]["RequestedOrderDestination"];
            /**
             * Format: date-time
             * @description The first due date: a date-time with its zone. Absent: now.
             */
            start_date?: string;
            /**
             * Format: date-time
             * @description A due date exactly then is still paid. Absent: without end.
             */
            end_date?: string | null;
            grid_user_id?: string;
            transaction_signers?: components["schemas"]["Address"][];
            /** @description Only members of this provider sign. */
            provider?: components["schemas"]["SignerProvider"];
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        CreateStandingOrderResult: {
            id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            status: components["schemas"]["OrderStatus"];
            /** @description Why it is inactive, or was cancelled. */
            reason?: string;
            /**
             * @description What stands on chain: no limit yet, one, one whose removal was asked for, none any more.
             * @enum {unknown}
             */
            mandate: "awaited" | "active" | "revocation_pending" | "revoked";
            /** @description Of one payment. */
            amount: components["schemas"]["Amount"];
            /** @description The same in whole units. */
            ui_amount: components["schemas"]["Decimal"];
            currency: string;
            frequency: components["schemas"]["OrderFrequency"];
            /** @description The same as frequency. */
            period: components["schemas"]["OrderFrequency"];
            payment_rail: string;
            source: components["schemas"]["StandingOrderSource"];
            destination: components["schemas"]["StandingOrderDestination"];
            /** @description Who is paid: one owner. */
            destinations: components["schemas"]["Address"][];
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
            /**
             * Format: int64
             * @description How many due dates there are, where there is an end.
             */
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
            /** @description Base units of all payments that are left, where there is an end. */
            remaining_amount?: components["schemas"]["Decimal"];
            /** @description The limit on chain that it is paid out of. */
            spending_limit_address: components["schemas"]["Address"];
            /** @description The only key that may draw on that limit. */
            executor_address: components["schemas"]["Address"];
            /** @description Where the limit has to be voted on. */
            proposal_address?: components["schemas"]["Address"];
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
            /**
             * Format: int64
             * @description Of the proposal.
             */
            transaction_index?: number;
            /** @description Base64 wire transaction, unsigned. */
            transaction: string;
            /** @description Addresses that must sign, the service's fee payer aside. */
            transaction_signers: components["schemas"]["Address"][];
            kms_payloads: components["schemas"]["KmsPayload"][];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at: string;
            /** @description What it does, read off its bytes. */
            summary: components["schemas"]["SummaryEntry"][];
            fee: components["schemas"]["TransactionFee"];
        };
        CreateStandingOrderResultAnswer: {
            data: components["schemas"]["CreateStandingOrderResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        CreateTenantRequest: {
            /**
             * @description 1 to 63 small letters, digits, hyphens and underscores; it begins with a letter or a digit.
             * @example shop
             */
            id: string;
            /** @description Default: its id. */
            name?: string;
            protection?: components["schemas"]["DefaultProtection"];
            recovery?: components["schemas"]["DefaultRecovery"];
        };
        CreateWebhookEndpointRequest: {
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
        CreatedApiKey: {
            id: components["schemas"]["Uuid"];
            name: string;
            /** @enum {unknown} */
            type: "secret" | "publishable";
            /**
             * @description Its beginning, to know it by.
             * @example sk_test_3xJ9…
             */
            visible_prefix: string;
            scopes: components["schemas"]["Scope"][];
            environments: components["schemas"]["Environment"][];
            /** @description Of a publishable key: the pages that may use it. */
            allowed_origins: string[];
            /** @description Ranges of remote addresses that may use it; empty: all. */
            allowed_addresses: string[];
            /**
             * @description `disabled`: it was configured once, and is not any more.
             * @enum {unknown}
             */
            status: "active" | "expired" | "disabled" | "revoked";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at?: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            last_used_at?: string;
            /** Format: date-time */
            revoked_at?: string;
            /** @description `sk_test_…`, `sk_live_…`, `pk_test_…` or `pk_live_…`. It is not returned again. */
            key: string;
        };
        CreatedApiKeyAnswer: {
            data: components["schemas"]["CreatedApiKey"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description Of a custodian of its own process: who pins its identity can verify it. */
        CustodianReceipt: {
            /** @description Canonical JSON: which passkeys command the wallet, and by which terms. */
            document: string;
            /** @description Base64url: Ed25519 of the custodian's identity. */
            signature: string;
        };
        CustomAccount: {
            /** @constant */
            type: "custom";
            address: components["schemas"]["Address"];
            settings_address: components["schemas"]["Address"];
            grid_user_id: components["schemas"]["Uuid"];
            policies: components["schemas"]["CustomPolicies"];
            memo?: string;
        };
        CustomAccountAnswer: {
            data: components["schemas"]["CustomAccount"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /**
         * @example {
         *       "type": "custom",
         *       "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
         *       "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
         *     }
         */
        CustomCreateProposalRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "custom";
            /** @description What is to be executed; signatures are ignored. */
            transaction?: components["schemas"]["WireTransaction"];
            /** @description Instead: several, voted on together and executed one after the other. */
            transactions?: components["schemas"]["WireTransaction"][];
            /** @description A signer with CAN_INITIATE, who creates the proposal. */
            signer: components["schemas"]["Address"];
            /** @description True: the signer approves it at once. */
            approve?: boolean;
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        /** @description This answer alone spells two members in camel case. */
        CustomPolicies: {
            signers: components["schemas"]["Signer"][];
            /** Format: int64 */
            threshold: number;
            /** @description Null: the signers decide, for good. */
            adminAddress: components["schemas"]["Address"] | null;
            /**
             * Format: int64
             * @description Seconds.
             */
            timeLock: number;
        };
        /** @description A date, a date-time with its offset, or Unix seconds. */
        DateOrTime: string;
        /** @description Exact, in whole units: dollars, not cents. */
        Decimal: string;
        DecisionRequest: {
            transaction_signers?: components["schemas"]["Address"][];
            /** @description Only members of this provider sign. */
            provider?: components["schemas"]["SignerProvider"];
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        /**
         * @description What the tenant's e-mail accounts are where a request says nothing.
         * @enum {unknown}
         */
        DefaultProtection: "plain" | "guarded";
        DefaultRecovery: {
            /** @description A key that is kept offline. */
            address: components["schemas"]["Address"];
        };
        DeleteRailDataResult: {
            address: components["schemas"]["Address"];
            /** @description Always true: names, addresses, links and bank details are deleted. Ids of the partner and sealed answers to idempotency keys stay for their time (SECURITY.md). */
            deleted: boolean;
            /** @description What is not deleted by this. */
            kept_by_partner: string;
        };
        DeleteRailDataResultAnswer: {
            data: components["schemas"]["DeleteRailDataResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        DeleteWebhookEndpointResult: {
            id: string;
            /** @constant */
            deleted: true;
        };
        DeleteWebhookEndpointResultAnswer: {
            data: components["schemas"]["DeleteWebhookEndpointResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        Deposit: {
            id: components["schemas"]["Uuid"];
            virtual_account_id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            state: components["schemas"]["DepositState"];
            /** @description What was sent: a decimal in the currency of the bank. */
            amount: string;
            /** @example usd */
            currency: string;
            /** @example ach_push */
            payment_rail?: string;
            sender_name?: string;
            fees?: components["schemas"]["DepositFees"];
            destination: components["schemas"]["CoinDestination"];
            /** @description Of its payment on chain, as the partner says. */
            transaction_signature?: string;
            /** @description Whether the chain shows that payment, final: whatever the partner says, the money is there only then. */
            credited: boolean;
            received?: components["schemas"]["DepositReceived"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        DepositAnswer: {
            data: components["schemas"]["Deposit"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        DepositFees: {
            developer_fee: string;
            exchange_fee: string;
            gas_fee: string;
        };
        /** @description With a bank at either end: where the money has to be sent. For a payment to a bank `to_address`, on chain, which the prepared transaction pays; for one from a bank the bank's details and `deposit_message`, which the payer must give. */
        DepositInstructions: {
            [key: string]: string;
        };
        DepositListAnswer: {
            data: components["schemas"]["Deposit"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description What arrived, as the chain says. */
        DepositReceived: {
            amount: components["schemas"]["Amount"];
            ui_amount: components["schemas"]["Decimal"];
            /** Format: date-time */
            confirmed_at: string;
        };
        DepositSnapshot: {
            id: components["schemas"]["Uuid"];
            virtual_account_id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            state: components["schemas"]["DepositState"];
            /** @description What was sent: a decimal in the currency of the bank. */
            amount: string;
            /** @example usd */
            currency: string;
            /** @example ach_push */
            payment_rail?: string;
            fees?: components["schemas"]["DepositFees"];
            destination: components["schemas"]["CoinDestination"];
            /** @description Of its payment on chain, as the partner says. */
            transaction_signature?: string;
            /** @description Whether the chain shows that payment, final: whatever the partner says, the money is there only then. */
            credited: boolean;
            received?: components["schemas"]["DepositReceived"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /**
         * @description Where the partner has it.
         * @enum {unknown}
         */
        DepositState: "scheduled" | "received" | "in_review" | "submitted" | "processed" | "refunded" | "not_credited";
        DisabledWebhookEndpoint: {
            /** @example we_… */
            id: string;
            url: string;
            types: string[];
            description?: string;
            /** @enum {unknown} */
            status: "enabled" | "disabled";
            /**
             * @description It answered 410, failed for too long, or was paused.
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
        /** @description One effect, read off the bytes. */
        Effect: components["schemas"]["TransferEffect"] | components["schemas"]["TokenAccountEffect"] | components["schemas"]["SpendingLimitEffect"] | components["schemas"]["SettingsChangeEffect"] | components["schemas"]["CloseTokenAccountEffect"] | components["schemas"]["ApproveDelegateEffect"] | components["schemas"]["SetAuthorityEffect"] | components["schemas"]["BurnEffect"] | components["schemas"]["MemoEffect"] | components["schemas"]["InstructionEffect"] | components["schemas"]["UndecidedEffect"];
        /** @description An address without a name, quotes or comments; domains may be international. */
        Email: string;
        /** @description An account whose keys custodians hold; it exists once the code sent to the address is verified. */
        EmailCreateAccountRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "email";
            email: components["schemas"]["Email"];
            protection?: components["schemas"]["Protection"];
            recovery?: components["schemas"]["RecoverySigner"];
            /** @description Yours to choose; returned with the account. */
            memo?: string;
            /** @description From the first passkey that is added on, a code alone does not sign the user in. For a new user. */
            passkey_required?: boolean;
        };
        EndedSession: {
            id: components["schemas"]["Uuid"];
            /** @constant */
            status: "ended";
        };
        EndedSessionAnswer: {
            data: components["schemas"]["EndedSession"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        EndedSessions: {
            /**
             * Format: int64
             * @description How many this call ended.
             */
            ended: number;
        };
        EndedSessionsAnswer: {
            data: components["schemas"]["EndedSessions"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description What the customer may use: `base` (USD), `sepa`, `faster_payments`, `spei`, `pix`. An approval can be revoked. */
        Endorsements: {
            [key: string]: "incomplete" | "approved" | "revoked";
        };
        /** @enum {unknown} */
        Environment: "sandbox" | "devnet" | "mainnet";
        /** @enum {string} */
        EnvironmentHeader: "sandbox" | "devnet" | "mainnet" | "production";
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
            details: components["schemas"]["ErrorDetail"][];
            /** Format: date-time */
            timestamp: string;
            request_id: string;
        };
        ErrorDetail: {
            /** @description Dotted path: `policies.signers.0.address`. */
            field?: string;
            code: string;
            message: string;
            suggestion?: string;
            documentation?: string;
            /** @description With `transaction_not_prepared`: what the signer's wallet changed in the prepared transaction. */
            alterations?: components["schemas"]["TransactionAlteration"][];
        } & {
            [key: string]: unknown;
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
            environment: components["schemas"]["Environment"];
            tenant: string;
            /** @description True: nothing happened; this is a test of a receiver. */
            example?: boolean;
            data: {
                /** @description The whole object after the change. */
                object: {
                    [key: string]: unknown;
                };
                /**
                 * Format: int64
                 * @description Of two events about one object the later one has the greater number; there are gaps.
                 */
                sequence: number;
                /** @description Where the object stood before. */
                previous_status?: string;
            };
        };
        EventAnswer: {
            data: components["schemas"]["Event"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        EventListAnswer: {
            data: components["schemas"]["Event"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ExecuteProposalRequest: {
            /** @description A signer with CAN_EXECUTE. */
            signer: components["schemas"]["Address"];
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        ExecuteProposalResult: {
            signers: components["schemas"]["Address"][];
            /** @description Base64 wire transactions, unsigned, for the multiple submit. */
            transactions: string[];
            /** @description Addresses that must sign, the service's fee payer aside. */
            transaction_signers: components["schemas"]["Address"][];
            /** @description One array per transaction, in their order. */
            kms_payloads: components["schemas"]["KmsPayload"][][];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at: string;
            /** @description What it does, read off its bytes. */
            summary: components["schemas"]["SummaryEntry"][];
            fee: components["schemas"]["TransactionFee"];
            proposal: components["schemas"]["ProposalDetails"];
        };
        ExecuteProposalResultAnswer: {
            data: components["schemas"]["ExecuteProposalResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ExecuteProposalSummaryEntry: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "execute_proposal";
            /** @description The proposal's address. */
            proposal: components["schemas"]["Address"];
            /** Format: int64 */
            transaction_index: number;
            /**
             * Format: int64
             * @description Of a batch: which of its transactions, counted from 1.
             */
            batch_transaction?: number;
            signer: components["schemas"]["Address"];
            /** @description What it does once it is executed. */
            effects: components["schemas"]["Effect"][];
            /** @description Of a settings change: the same, action by action. */
            actions?: components["schemas"]["SettingsAction"][];
        };
        ExpiredTransactionSnapshot: {
            id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            signature: components["schemas"]["Signature"];
            /** @enum {unknown} */
            purpose: "transaction" | "standing_order";
            /** @constant */
            status: "expired";
        };
        ExternalAccount: {
            id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            /** @enum {unknown} */
            account_type: "us" | "iban" | "gb" | "clabe" | "pix";
            /** @enum {unknown} */
            currency: "usd" | "eur" | "gbp" | "mxn" | "brl";
            account_owner_name: string;
            bank_name: string | null;
            /** @description The end of its number. */
            last_4: string;
            active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ExternalAccountAnswer: {
            data: components["schemas"]["ExternalAccount"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ExternalAccountListAnswer: {
            data: components["schemas"]["ExternalAccount"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /**
         * @example {
         *       "account_type": "us",
         *       "currency": "usd",
         *       "account_owner_name": "Ada Lovelace",
         *       "account": {
         *         "account_number": "000123456789",
         *         "routing_number": "021000021"
         *       },
         *       "address": {
         *         "street_line_1": "12 St James's Square",
         *         "city": "New York",
         *         "state": "NY",
         *         "postal_code": "10001",
         *         "country": "USA"
         *       }
         *     }
         */
        ExternalAccountRequest: {
            /** @enum {unknown} */
            account_type: "us" | "iban" | "gb" | "clabe" | "pix";
            /** @enum {unknown} */
            currency: "usd" | "eur" | "gbp" | "mxn" | "brl";
            /** @description As the bank has it. */
            account_owner_name: string;
            /**
             * @description Default: individual.
             * @enum {unknown}
             */
            account_owner_type?: "individual" | "business";
            first_name?: string;
            last_name?: string;
            business_name?: string;
            bank_name?: string;
            /** @description us, gb */
            account?: {
                account_number: string;
                /** @description us */
                routing_number?: string;
                /**
                 * @description us; default: checking
                 * @enum {unknown}
                 */
                checking_or_savings?: "checking" | "savings";
                /** @description gb */
                sort_code?: string;
            };
            iban?: {
                account_number: string;
                bic?: string;
                /** @description ISO 3166-1 alpha-3 of the bank. */
                country?: string;
            };
            clabe?: {
                account_number: string;
            };
            pix?: {
                pix_key: string;
                document_number?: string;
            };
            /** @description The owner's. us: required. */
            address?: {
                street_line_1: string;
                street_line_2?: string;
                city: string;
                state?: string;
                postal_code: string;
                /** @description ISO 3166-1 alpha-3. */
                country: string;
            };
        };
        ExternalAccountSnapshot: {
            id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            /** @enum {unknown} */
            account_type: "us" | "iban" | "gb" | "clabe" | "pix";
            /** @enum {unknown} */
            currency: "usd" | "eur" | "gbp" | "mxn" | "brl";
            /** @description The end of its number. */
            last_4: string;
            active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        FailedTransactionSnapshot: {
            id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            signature: components["schemas"]["Signature"];
            /** @enum {unknown} */
            status: "confirmed" | "finalized" | "failed";
            /** @description Why it failed, as the chain puts it. */
            error?: unknown;
            /** @enum {unknown} */
            purpose: "transaction" | "standing_order";
        };
        FeeConfig: {
            /** @description True: payer_address pays, and signs. */
            self_managed_fees?: boolean;
        } & {
            [key: string]: unknown;
        };
        GetHealthResult: {
            /** @constant */
            status: "ok";
            /** @example 0.1.0 */
            version: string;
        };
        GetOpenApiResult: {
            /** @example 3.1.0 */
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        GetReadinessResult: {
            /** @enum {string} */
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
        GuardianChange: {
            /** @description Of this one time that it waits. */
            id: string;
            /**
             * Format: date-time
             * @description From when on the guardian signs it.
             */
            from: string;
            /**
             * Format: date-time
             * @description From when on it does not any more.
             */
            until: string;
            content: {
                settings: components["schemas"]["Address"];
                /** @enum {unknown} */
                by: "members" | "admin" | "proposal";
                actions: ({
                    __kind: string;
                } & {
                    [key: string]: unknown;
                })[];
            }[] | null;
        };
        GuardianChanges: {
            signer: components["schemas"]["Address"] | null;
            /** @description All that wait: eight at most. */
            changes: components["schemas"]["GuardianChange"][];
            /**
             * Format: date-time
             * @description By the guardian's clock.
             */
            as_of: string | null;
            certificate: {
                /** @description Canonical JSON of all of this, with the nonce. */
                document: string;
                /** @description Base64url: Ed25519 of the guardian's identity. */
                signature: string;
            } | null;
        };
        GuardianChangesAnswer: {
            data: components["schemas"]["GuardianChanges"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        GuardianPolicy: {
            signer: components["schemas"]["Address"] | null;
            policy: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: int64
             * @description Counts the policies that were set: what the next one has to replace.
             */
            version: number;
            next: {
                /** @description A policy: docs/custodian-policy.schema.json has its members. */
                policy: {
                    [key: string]: unknown;
                };
                /**
                 * Format: date-time
                 * @description From when on it holds.
                 */
                from: string;
            } | null;
            /**
             * Format: date-time
             * @description By the guardian's clock.
             */
            as_of: string | null;
            certificate: {
                /** @description Canonical JSON of all of this, with the nonce. */
                document: string;
                /** @description Base64url: Ed25519 of the guardian's identity. */
                signature: string;
            } | null;
        };
        GuardianPolicyAnswer: {
            data: components["schemas"]["GuardianPolicy"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        GuardianWallet: {
            /** @description Its wallet, which signs for the account once the change is made. */
            address: components["schemas"]["Address"];
            provider: components["schemas"]["SignerProvider"];
            /**
             * Format: int64
             * @description How many passkeys command it. 0: add one, and call again.
             */
            passkeys: number;
        };
        /** @description ECDSA with P-256 and SHA-256: DER, in hex. */
        HexSignature: string;
        /**
         * @example {
         *       "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
         *     }
         */
        ImportAccountRequest: {
            /** @description The smart account's address. */
            address?: components["schemas"]["Address"];
            /** @description Its settings: needed where it never sent anything. */
            settings_address?: components["schemas"]["Address"];
            email?: components["schemas"]["Email"];
            /** @description Yours to choose; returned with the account. */
            memo?: string;
            /** @description Beside email: has each of its wallets sign a text with this in it, which proves that it can. */
            wallet_nonce?: string;
            proof?: components["schemas"]["SignerProof"];
        };
        ImportAccountResult: {
            address: components["schemas"]["Address"];
            settings_address: components["schemas"]["Address"];
            /** @enum {unknown} */
            status: "unproven" | "active";
            policies: components["schemas"]["Policies"];
            /** @description Once it is active. */
            grid_user_id?: components["schemas"]["Uuid"];
            /** @description Of the e-mail address in the request. */
            wallets: {
                address: components["schemas"]["Address"];
                provider: components["schemas"]["SignerProvider"];
                proof?: components["schemas"]["WalletProof"];
            }[];
            challenge?: components["schemas"]["SignerChallenge"];
        };
        ImportAccountResultAnswer: {
            data: components["schemas"]["ImportAccountResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ImportWalletRequest: {
            import_id: components["schemas"]["Uuid"];
            sealed_key: {
                /** @description Base64: the sender's point, 65 bytes. */
                encapsulated_key: string;
                /** @description Base64. Opened it is the key's 32-byte seed. */
                ciphertext: string;
            };
            authorization: components["schemas"]["SignedKmsPayload"];
        };
        InstructionEffect: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "instruction";
            program: components["schemas"]["Address"];
            accounts: components["schemas"]["Address"][];
            /** @description Base64. */
            data: string;
        };
        IssueIdentityTokenResult: {
            /** @description Three base64url parts. */
            token: string;
            /**
             * Format: date-time
             * @description Real time.
             */
            expires_at: string;
        };
        IssueIdentityTokenResultAnswer: {
            data: components["schemas"]["IssueIdentityTokenResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /**
         * @example {
         *       "jsonrpc": "2.0",
         *       "id": 1,
         *       "method": "getBalance",
         *       "params": [
         *         "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
         *       ]
         *     }
         */
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
                /** Format: int64 */
                code: number;
                message: string;
                data?: unknown;
            };
        };
        KmsASignedPayload: {
            /** @description Over the canonical JSON of the payload. */
            signature: components["schemas"]["Base64Signature"];
        };
        KmsBSignedPayload: {
            /** @description The point of the P-256 key, in hex. */
            public_key: string;
            /** @description Over the canonical JSON of payload and timestamp_ms. */
            signature: components["schemas"]["HexSignature"];
            /** @description Unix milliseconds of signing. */
            timestamp_ms: string;
        };
        KmsPayload: {
            /** @description The signer the payload is for: an entry of transaction_signers. */
            address: components["schemas"]["Address"];
            /** @description Base64 of the JSON document to sign. */
            payload: string;
            /** @enum {string} */
            provider: "kms_a" | "kms_b" | "kms_c";
        };
        KycLink: {
            /** @description The `kyc_id` of later calls. */
            id: components["schemas"]["Uuid"];
            full_name: string;
            email: components["schemas"]["Email"];
            /** @enum {unknown} */
            type: "individual" | "business";
            /** @description The partner's page, where the person continues. Absent where nothing is left to do there. It lives 24 hours; reading the verification gives a fresh one. */
            kyc_link?: string;
            /** @description The partner's terms, to be accepted there. Absent once they are. It lives 24 hours; reading the verification gives a fresh one. */
            tos_link?: string;
            kyc_status: components["schemas"]["KycStatus"];
            /** @enum {unknown} */
            tos_status: "pending" | "approved";
            rejection_reasons: components["schemas"]["RejectionReason"][];
            endorsements: components["schemas"]["Endorsements"];
            /** Format: date-time */
            created_at: string;
            /** @description The partner's id of the person, once the partner has reported it. */
            customer_id?: string;
        };
        KycLinkAnswer: {
            data: components["schemas"]["KycLink"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        KycRecord: {
            id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account?: components["schemas"]["Address"];
            status: components["schemas"]["KycStatus"];
            /** @enum {unknown} */
            tos_status: "pending" | "approved";
            /** @enum {unknown} */
            type: "individual" | "business";
            /** @description The partner's page, where the person continues. It lives 24 hours; reading the verification gives a fresh one. */
            kyc_continuation_link?: string;
            /** @description The partner's terms, to be accepted there. It lives 24 hours; reading the verification gives a fresh one. */
            tos_link?: string;
            rejection_reasons?: components["schemas"]["RejectionReason"][];
            /** @description What is still asked for. */
            requirements_due?: string[];
            endorsements: components["schemas"]["Endorsements"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        KycRecordAnswer: {
            data: components["schemas"]["KycRecord"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        KycRequest: {
            /** @enum {unknown} */
            type: "individual" | "business";
            /** @description Of the person or business that is checked. */
            email: components["schemas"]["Email"];
            /** @example Ada Lovelace */
            full_name: string;
            /** @description What is to be used: `base` (USD; also written `ach`), `sepa`, `faster_payments`, `spei`, `pix`. Default: `base`. */
            endorsements?: ("base" | "ach" | "sepa" | "faster_payments" | "spei" | "pix")[];
            /** @description Where the browser goes from the partner's page: https. */
            redirect_uri?: string;
        };
        KycSnapshot: {
            id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account?: components["schemas"]["Address"];
            status: components["schemas"]["KycStatus"];
            /** @enum {unknown} */
            tos_status: "pending" | "approved";
            /** @enum {unknown} */
            type: "individual" | "business";
            endorsements: components["schemas"]["Endorsements"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @enum {unknown} */
        KycStatus: "not_started" | "incomplete" | "under_review" | "approved" | "rejected";
        LegacyPayment: {
            id: components["schemas"]["Uuid"];
            /** @description Base units, as every amount on chain; of money from a bank, a decimal in its currency. */
            amount: components["schemas"]["Decimal"];
            blockchain_memo: string | null;
            client_reference_id: string | null;
            developer_fee: string;
            /** @description The grid_user_id of the account. */
            on_behalf_of: string;
            /** @description The payment's state. */
            state: components["schemas"]["PaymentState"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            currency: string | null;
            return_details: {
                reason: string;
            } | null;
            source_deposit_instructions: {
                [key: string]: string;
            } | null;
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
        LegacyPaymentIntent: {
            PaymentProvider: components["schemas"]["LegacyPayment"];
        };
        LegacyVirtualAccount: {
            id: components["schemas"]["Uuid"];
            /** @description What the partner calls the customer. */
            customer_id: string;
            /**
             * @description Only an activated one receives money.
             * @enum {unknown}
             */
            status: "activated" | "deactivated";
            /** @description A decimal; taken from every deposit. */
            developer_fee_percent: string;
            destination: components["schemas"]["CoinDestination"];
            source_deposit_instructions: components["schemas"]["BankInstructions"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ListIdentityKeysResult: {
            keys: {
                /** @constant */
                kty: "EC";
                /** @constant */
                crv: "P-256";
                x: string;
                y: string;
                kid: string;
                /** @constant */
                use: "sig";
                /** @constant */
                alg: "ES256";
            }[];
        };
        MemoEffect: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "memo";
            /** @description The transaction's public memo. */
            text: string;
            program: components["schemas"]["Address"];
            /** @description The signers of the memo, where it has any. */
            accounts: components["schemas"]["Address"][];
            /** @description Base64 of the text. */
            data: string;
        };
        /** @description Six digits, leading zeros kept. */
        OneTimeCode: string;
        /** @enum {unknown} */
        OrderFrequency: "daily" | "weekly" | "monthly";
        /** @enum {unknown} */
        OrderStatus: "pending" | "active" | "inactive" | "completed" | "cancelled";
        OtherSettingsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "other";
            /** @description The program's name for it. What it does is not read here. */
            name: string;
        };
        /** @description SPKI DER, in base64. */
        P256PublicKey: string;
        Passkey: {
            id: components["schemas"]["Uuid"];
            /** @description Whose it is. */
            grid_user_id: components["schemas"]["Uuid"];
            /**
             * @description Who holds the wallet that it commands.
             * @enum {unknown}
             */
            provider: "kms_a" | "kms_b" | "kms_c";
            /** @description That wallet: a signer of the account. */
            signer: components["schemas"]["Address"];
            /** @description Base64url: what browsers call it by. */
            credential_id: string;
            /** @description The domain it belongs to. */
            rp_id: string;
            name: string;
            /** @description The model of its authenticator, as that says; all zeros: it does not. */
            aaguid: string;
            /** @description It can be on several devices. */
            synced: boolean;
            /**
             * Format: date-time
             * @description When it was added.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last signed, to the minute.
             */
            last_used_at?: string;
        };
        PasskeyAnswer: {
            data: components["schemas"]["Passkey"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description `PublicKeyCredential.parseCreationOptionsFromJSON` reads it, for `navigator.credentials.create`. */
        PasskeyCreationOptions: {
            rp: {
                id: string;
                name: string;
            };
            user: {
                id: string;
                name: string;
                displayName: string;
            };
            /** @description Base64url, 32 bytes. */
            challenge: string;
            pubKeyCredParams: {
                /** @constant */
                type: "public-key";
                /**
                 * Format: double
                 * @constant
                 */
                alg: -7;
            }[];
            /**
             * Format: int64
             * @description Milliseconds.
             */
            timeout: number;
            excludeCredentials: {
                /** @constant */
                type: "public-key";
                id: string;
            }[];
            authenticatorSelection: {
                /** @constant */
                residentKey: "preferred";
                /** @constant */
                userVerification: "required";
            };
            /** @constant */
            attestation: "none";
        };
        PasskeyListAnswer: {
            data: components["schemas"]["Passkey"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        PasskeyRegistration: {
            response: {
                /** @description Base64url. */
                clientDataJSON: string;
                /** @description Base64url, as `getAuthenticatorData()` gives it. */
                authenticatorData: string;
            };
        };
        PasskeyRequirement: {
            /** @description Whose sign-in it is about. */
            grid_user_id: components["schemas"]["Uuid"];
            required: boolean;
        };
        PasskeyRequirementAnswer: {
            data: components["schemas"]["PasskeyRequirement"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        PasskeySignInResult: {
            address: components["schemas"]["Address"];
            grid_user_id: components["schemas"]["Uuid"];
            email: components["schemas"]["Email"];
            policies: components["schemas"]["Policies"];
            authentication: components["schemas"]["Authentication"][];
        };
        PasskeySignInResultAnswer: {
            data: components["schemas"]["PasskeySignInResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        PasskeySignedPayload: {
            /** @description The passkey that signed. */
            credential_id: string;
            /** @description As the browser answered it. */
            authenticator_data: string;
            /** @description As the browser answered it. Its challenge is the SHA-256 of the payload's canonical JSON. */
            client_data_json: string;
            /** @description As the browser answered it: DER. */
            signature: string;
        };
        PaymentDestination: {
            /** @description Who is paid on chain. */
            address?: components["schemas"]["Address"];
            currency: string;
            /** @description Of a bank's. */
            payment_rail?: string;
            /** @description The bank account that is paid. */
            external_account_id?: components["schemas"]["Uuid"];
            /** @description The memo in the transaction of a payment on chain. */
            memo?: string;
        };
        /** @description Of one that is canceled or in error: why nothing was paid. */
        PaymentFailure: {
            code: string;
            message: string;
        };
        PaymentIntent: {
            id: components["schemas"]["Uuid"];
            /** @description The payment's state. */
            state: components["schemas"]["PaymentState"];
            /** @description Base units; of money from a bank, a decimal in its currency. */
            amount: components["schemas"]["Decimal"];
            currency: string;
            source: components["schemas"]["PaymentSource"];
            destination: components["schemas"]["PaymentDestination"];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When its state last moved.
             */
            updated_at: string;
            source_deposit_instructions?: components["schemas"]["DepositInstructions"];
            /**
             * Format: date-time
             * @description Of one from a bank that waits for its money: when it is cancelled at the partner.
             */
            expires_at?: string;
            return_details?: components["schemas"]["ReturnDetails"];
            receipt?: components["schemas"]["PaymentReceipt"];
            /** @description From payment_submitted on. With a bank: of the payment on chain, once there is one. */
            transaction_signature?: components["schemas"]["Signature"];
            /**
             * Format: date-time
             * @description Of one that is processed: the block.
             */
            confirmed_at?: string;
            error?: components["schemas"]["PaymentFailure"];
        };
        PaymentIntentAnswer: {
            data: components["schemas"]["PaymentIntent"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        PaymentIntentListAnswer: {
            data: components["schemas"]["PaymentIntent"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        PaymentIntentSnapshot: {
            id: components["schemas"]["Uuid"];
            /** @description The payment's state. */
            state: components["schemas"]["PaymentState"];
            /** @description Base units; of money from a bank, a decimal in its currency. */
            amount: components["schemas"]["Decimal"];
            currency: string;
            source: components["schemas"]["PaymentSource"];
            destination: components["schemas"]["PaymentDestination"];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When its state last moved.
             */
            updated_at: string;
            /** @description From payment_submitted on. With a bank: of the payment on chain, once there is one. */
            transaction_signature?: components["schemas"]["Signature"];
            /**
             * Format: date-time
             * @description Of one that is processed: the block.
             */
            confirmed_at?: string;
            error?: components["schemas"]["PaymentFailure"];
        };
        /** @description With a bank: what its partner reports. */
        PaymentReceipt: {
            [key: string]: string;
        };
        /**
         * @example {
         *       "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
         *       "currency": "usdc"
         *     }
         */
        PaymentSource: {
            /** @description The smart account of the path, where it pays. */
            account?: components["schemas"]["Address"];
            /** @example usdc */
            currency: string;
            /** @description Of a bank's: `ach_push`, `wire`, `sepa`, … */
            payment_rail?: string;
        };
        /** @enum {unknown} */
        PaymentState: "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "payment_processed" | "canceled" | "error" | "undeliverable" | "returned" | "refunded";
        /** @description Where standing orders to a bank account pay on chain. */
        PayoutAddress: {
            address: components["schemas"]["Address"];
            /** @enum {unknown} */
            status: "activated" | "deactivated";
        };
        PayoutAddressListAnswer: {
            data: components["schemas"]["PayoutAddress"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        PendingAccount: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "email";
            /** @constant */
            status: "pending_verification";
            email: components["schemas"]["Email"];
            /** @constant */
            otp_sent: true;
            protection: components["schemas"]["Protection"];
            memo?: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When the code stops working.
             */
            expires_at: string;
        };
        /** @enum {unknown} */
        Permission: "CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE";
        Policies: {
            signers: components["schemas"]["Signer"][];
            /** Format: int64 */
            threshold: number;
            /** @description Null: the signers decide, for good. */
            admin_address: components["schemas"]["Address"] | null;
            /**
             * Format: int64
             * @description Seconds.
             */
            time_lock: number;
        };
        PolicyRemoveRequestedAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "PolicyRemove";
            /** @description The policy's address. */
            policy: components["schemas"]["Address"];
        };
        PrepareLimitPaymentRequest: {
            amount: components["schemas"]["SpendingLimitAmount"];
            /** @description One of the limit's signers, who alone signs. */
            signer_address: components["schemas"]["Address"];
            /** @description The owner who is paid, not a token account. */
            recipient_address: components["schemas"]["Address"];
            /** @description True: the payee is an address that a program signs for, such as a vault that was never used, or an account that a program holds. */
            confirm_program_address?: boolean;
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        PreparePaymentRequest: {
            /**
             * @description Base units, as a decimal string; of money from a bank, a decimal in its currency.
             * @example 1000000
             */
            amount: components["schemas"]["Decimal"];
            source: components["schemas"]["PaymentSource"];
            destination: components["schemas"]["RequestedPaymentDestination"];
            grid_user_id?: string;
            /** @description Where the events of this payment are sent, besides to the tenant's webhook endpoints. */
            webhook_url?: string;
            transaction_signers?: components["schemas"]["Address"][];
            /** @description Only members of this provider sign. */
            provider?: components["schemas"]["SignerProvider"];
            /**
             * @description The memo of the payment, written into the transaction. At most 256 bytes of UTF-8.
             * @example customer 4711
             */
            memo?: string;
            /** @description Another name of `memo`. For a bank it belongs in `destination.reference`. */
            reference?: string;
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        PreparePaymentResult: {
            id: components["schemas"]["Uuid"];
            /** @description The payment's state. */
            state: components["schemas"]["PaymentState"];
            /** @description Base units; of money from a bank, a decimal in its currency. */
            amount: components["schemas"]["Decimal"];
            currency: string;
            source: components["schemas"]["PaymentSource"];
            destination: components["schemas"]["PaymentDestination"];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When its state last moved.
             */
            updated_at: string;
            source_deposit_instructions?: components["schemas"]["DepositInstructions"];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at: string;
            return_details?: components["schemas"]["ReturnDetails"];
            receipt?: components["schemas"]["PaymentReceipt"];
            /** @description From payment_submitted on. With a bank: of the payment on chain, once there is one. */
            transaction_signature?: components["schemas"]["Signature"];
            /**
             * Format: date-time
             * @description Of one that is processed: the block.
             */
            confirmed_at?: string;
            error?: components["schemas"]["PaymentFailure"];
            /** @description With webhook_url: what those events are signed with. It is not returned again. */
            webhook_secret?: string;
            /** @description Base64 wire transaction, unsigned. */
            transaction: string;
            /** @description Addresses that must sign, the service's fee payer aside. */
            transaction_signers: components["schemas"]["Address"][];
            kms_payloads: components["schemas"]["KmsPayload"][];
            /** @description What it does, read off its bytes. */
            summary: components["schemas"]["SummaryEntry"][];
            fee: components["schemas"]["TransactionFee"];
        } | {
            id: components["schemas"]["Uuid"];
            /** @description The payment's state. */
            state: components["schemas"]["PaymentState"];
            /** @description Base units; of money from a bank, a decimal in its currency. */
            amount: components["schemas"]["Decimal"];
            currency: string;
            source: components["schemas"]["PaymentSource"];
            destination: components["schemas"]["PaymentDestination"];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When its state last moved.
             */
            updated_at: string;
            source_deposit_instructions?: components["schemas"]["DepositInstructions"];
            /**
             * Format: date-time
             * @description Of one from a bank that waits for its money: when it is cancelled at the partner.
             */
            expires_at?: string;
            return_details?: components["schemas"]["ReturnDetails"];
            receipt?: components["schemas"]["PaymentReceipt"];
            /** @description From payment_submitted on. With a bank: of the payment on chain, once there is one. */
            transaction_signature?: components["schemas"]["Signature"];
            /**
             * Format: date-time
             * @description Of one that is processed: the block.
             */
            confirmed_at?: string;
            error?: components["schemas"]["PaymentFailure"];
            /** @description With webhook_url: what those events are signed with. It is not returned again. */
            webhook_secret?: string;
        };
        PreparePaymentResultAnswer: {
            data: components["schemas"]["PreparePaymentResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        PrepareTransactionRequest: {
            /** @description What is to be done; signatures are ignored. */
            transaction: components["schemas"]["WireTransaction"];
            account_signers?: components["schemas"]["Address"][];
            /**
             * @deprecated
             * @description Old name of account_signers.
             */
            transaction_signers?: components["schemas"]["Address"][];
            /** @description Only members of this provider sign. */
            provider?: components["schemas"]["SignerProvider"];
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        PrepareTransactionResult: {
            /** @description Base64 wire transaction, unsigned. */
            transaction: string;
            /** @description Addresses that must sign, the service's fee payer aside. */
            transaction_signers: components["schemas"]["Address"][];
            kms_payloads: components["schemas"]["KmsPayload"][];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at: string;
            /** @description What it does, read off its bytes. */
            summary: components["schemas"]["SummaryEntry"][];
            fee: components["schemas"]["TransactionFee"];
            simulation_logs: string[];
        };
        PrepareTransactionResultAnswer: {
            data: components["schemas"]["PrepareTransactionResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        PreparedTransaction: {
            /** @description Base64 wire transaction, unsigned. */
            transaction: string;
            /** @description Addresses that must sign, the service's fee payer aside. */
            transaction_signers: components["schemas"]["Address"][];
            kms_payloads: components["schemas"]["KmsPayload"][];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at: string;
            /** @description What it does, read off its bytes. */
            summary: components["schemas"]["SummaryEntry"][];
            fee: components["schemas"]["TransactionFee"];
        };
        Proposal: {
            proposalAddress: components["schemas"]["Address"];
            status: components["schemas"]["ProposalState"];
            /**
             * Format: double
             * @description When that status was set: Unix seconds.
             */
            statusTimestamp: number;
            approved: components["schemas"]["Address"][];
            rejected: components["schemas"]["Address"][];
            cancelled: components["schemas"]["Address"][];
            /** @description The settings, whose signers decide. */
            consensusAccount: components["schemas"]["Address"];
            /** @constant */
            consensusAccountType: "Settings";
            /**
             * Format: date-time
             * @description Of the transaction that last changed the proposal.
             */
            blockTime?: string;
            /** @description That transaction. */
            lastModifiedSignature?: components["schemas"]["Signature"];
            /** @description The smart account. */
            mainAccountAddress: components["schemas"]["Address"];
            settingsAddress: components["schemas"]["Address"];
            /** Format: double */
            transactionIndex: number;
            /** @description True: the settings changed since, and it can no longer be approved or rejected. */
            stale: boolean;
            /** @description True: its accounts on the chain are closed; votes and outcome are kept here. */
            closed: boolean;
            /** @description Rent that closing gave back. */
            reclaimedLamports?: components["schemas"]["Amount"];
            /** Format: date-time */
            createdAt?: string;
            creator?: components["schemas"]["Address"];
            /**
             * @description What is voted on.
             * @enum {unknown}
             */
            kind: "transaction" | "settings" | "batch" | "unknown";
            batch?: components["schemas"]["ProposalBatch"];
        };
        /** @description Of a batch: transactions that are executed one after the other. */
        ProposalBatch: {
            /**
             * Format: int64
             * @description How many transactions it holds.
             */
            size: number;
            /**
             * Format: int64
             * @description How many of them were executed: the first ones.
             */
            executed: number;
        };
        /** @enum {unknown} */
        ProposalChainStatus: "draft" | "active" | "rejected" | "approved" | "executing" | "executed" | "cancelled" | "closed";
        ProposalDetails: {
            proposalAddress: components["schemas"]["Address"];
            status: components["schemas"]["ProposalState"];
            /**
             * Format: double
             * @description When that status was set: Unix seconds.
             */
            statusTimestamp: number;
            approved: components["schemas"]["Address"][];
            rejected: components["schemas"]["Address"][];
            cancelled: components["schemas"]["Address"][];
            /** @description The settings, whose signers decide. */
            consensusAccount: components["schemas"]["Address"];
            /** @constant */
            consensusAccountType: "Settings";
            /**
             * Format: date-time
             * @description Of the transaction that last changed the proposal.
             */
            blockTime?: string;
            /** @description That transaction. */
            lastModifiedSignature?: components["schemas"]["Signature"];
            /** @description The smart account. */
            mainAccountAddress: components["schemas"]["Address"];
            settingsAddress: components["schemas"]["Address"];
            /** Format: double */
            transactionIndex: number;
            /** @description True: the settings changed since, and it can no longer be approved or rejected. */
            stale: boolean;
            /** @description True: its accounts on the chain are closed; votes and outcome are kept here. */
            closed: boolean;
            /** @description Rent that closing gave back. */
            reclaimedLamports?: components["schemas"]["Amount"];
            /** Format: date-time */
            createdAt?: string;
            creator?: components["schemas"]["Address"];
            /**
             * @description What is voted on.
             * @enum {unknown}
             */
            kind: "transaction" | "settings" | "batch" | "unknown";
            batch?: {
                /**
                 * Format: int64
                 * @description How many transactions it holds.
                 */
                size: number;
                /**
                 * Format: int64
                 * @description How many of them were executed: the first ones.
                 */
                executed: number;
                /** @description What each of them does; all together stand in `summary`. */
                transactions?: components["schemas"]["Effect"][][];
            };
            /**
             * Format: date-time
             * @description Of an approved one: when its time lock ends.
             */
            executableAt?: string;
            /** @description What it does once it is executed, read off the stored bytes. */
            summary: components["schemas"]["Effect"][];
            /** @description Whose balances would change if it were executed now. Absent where that cannot be simulated. */
            balanceChanges?: components["schemas"]["BalanceChange"][];
            /** @description Why it cannot: it would fail, for example. */
            simulationError?: string;
            warnings: components["schemas"]["ProposalWarning"][];
            /**
             * Format: int64
             * @description Approvals that are still missing; 0 unless Active.
             */
            votesNeeded: number;
        };
        ProposalDetailsAnswer: {
            data: components["schemas"]["ProposalDetails"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ProposalListAnswer: {
            data: components["schemas"]["Proposal"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ProposalSnapshot: {
            proposalAddress: components["schemas"]["Address"];
            status: components["schemas"]["ProposalState"];
            /**
             * Format: double
             * @description When that status was set: Unix seconds.
             */
            statusTimestamp: number;
            approved: components["schemas"]["Address"][];
            rejected: components["schemas"]["Address"][];
            cancelled: components["schemas"]["Address"][];
            /** @description The settings, whose signers decide. */
            consensusAccount: components["schemas"]["Address"];
            /** @constant */
            consensusAccountType: "Settings";
            /**
             * Format: date-time
             * @description Of the transaction that last changed the proposal.
             */
            blockTime?: string;
            /** @description That transaction. */
            lastModifiedSignature?: components["schemas"]["Signature"];
            /** @description The smart account. */
            mainAccountAddress: components["schemas"]["Address"];
            settingsAddress: components["schemas"]["Address"];
            /** Format: double */
            transactionIndex: number;
            /** @description True: the settings changed since, and it can no longer be approved or rejected. */
            stale: boolean;
            /** @description True: its accounts on the chain are closed; votes and outcome are kept here. */
            closed: boolean;
            /** @description Rent that closing gave back. */
            reclaimedLamports?: components["schemas"]["Amount"];
            /** Format: date-time */
            createdAt?: string;
            creator?: components["schemas"]["Address"];
            /**
             * @description What is voted on.
             * @enum {unknown}
             */
            kind: "transaction" | "settings" | "batch" | "unknown";
            batch?: components["schemas"]["ProposalBatch"];
        };
        /** @description One of the first; with showOnChainStatus=true one of the others, as the chain has it. */
        ProposalState: components["schemas"]["ProposalStatus"] | components["schemas"]["ProposalChainStatus"];
        /** @enum {unknown} */
        ProposalStatus: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled";
        /** @description Something to know before one agrees. */
        ProposalWarning: {
            /** @enum {unknown} */
            code: "durable_nonce" | "stale" | "no_time_lock" | "lowers_threshold" | "removes_signer" | "old_approvals" | "grants_spending_limit" | "changes_time_lock" | "simulation_failed" | "blocks_account" | "never_executable" | "unpayable_destination" | "not_whole" | "grants_delegate" | "changes_authority" | "burns_tokens" | "pays_out_account" | "unreadable_content" | "undecided_content" | "grants_policy";
            message: string;
            /** @description Whom it is about. */
            signers?: components["schemas"]["Address"][];
            /** @description True: a signer of this very request is among them. */
            caller?: boolean;
            /** @description Null is SOL. */
            mint?: components["schemas"]["Address"] | null;
            /**
             * Format: int64
             * @description As it is now.
             */
            from?: number;
            /**
             * Format: int64
             * @description As it would be.
             */
            to?: number;
        };
        ProtectAccountRequest: {
            recovery: components["schemas"]["RecoverySigner"];
            /** @description A wallet that the guardian holds for the account's user. By default the one that signs for the account, else the newest. */
            guardian?: components["schemas"]["Address"];
            /** @description True: another wallet at the guardian, in place of one whose passkeys are lost. */
            replace_guardian?: boolean;
            /** @description The custodian whose wallet obeys sessions. By default the one whose wallet signs for the account. */
            session_provider?: components["schemas"]["SignerProvider"];
            /** @description True: another wallet at the session provider, in place of the user's own there. It derives from the newest root, and obeys the user's sessions. */
            replace_session_wallet?: boolean;
            /** @description True: all spending limits of the account are removed too, but those of its standing orders. */
            remove_spending_limits?: boolean;
            /** @description True: approved proposals, policies and exported signers are known, and stay. */
            keep_remaining?: boolean;
            transaction_signers?: components["schemas"]["Address"][];
            /** @description Only members of this provider sign. */
            provider?: components["schemas"]["SignerProvider"];
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        ProtectAccountResult: {
            guardian: components["schemas"]["GuardianWallet"];
            session_wallet: components["schemas"]["SessionSigner"];
            /** @description Absent while no passkey commands the guardian's wallet. */
            change?: {
                /** @description Base64 wire transaction, unsigned. */
                transaction: string;
                /** @description Addresses that must sign, the service's fee payer aside. */
                transaction_signers: components["schemas"]["Address"][];
                kms_payloads: components["schemas"]["KmsPayload"][];
                /**
                 * Format: date-time
                 * @description Until when it can be submitted.
                 */
                expires_at: string;
                /** @description What it does, read off its bytes. */
                summary: components["schemas"]["SummaryEntry"][];
                fee: components["schemas"]["TransactionFee"];
                /** @description Where the change has to be voted on: the proposal that the transaction opens. */
                proposal_address?: components["schemas"]["Address"];
                /**
                 * Format: int64
                 * @description Of that proposal.
                 */
                transaction_index?: number;
            };
            /** @description Spending limits that can be used afterwards by their users alone. */
            remaining_spending_limits: components["schemas"]["Address"][];
            /** @description Standing orders that are paid until they are cancelled. */
            remaining_mandates: {
                standing_order_id: components["schemas"]["Uuid"];
                spending_limit_address: components["schemas"]["Address"];
            }[];
            /** @description Approved proposals that one signer can still execute afterwards. */
            remaining_proposals: components["schemas"]["Address"][];
            /** @description Policies of the program, whose signers act without those of the account. */
            remaining_policies: components["schemas"]["Address"][];
            /** @description Signers of the guarded account whose keys others may have: they were handed out, or imported. */
            exported_signers: components["schemas"]["Address"][];
        };
        ProtectAccountResultAnswer: {
            data: components["schemas"]["ProtectAccountResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /**
         * @description guarded: neither this service, nor the guardian, nor any one key moves money alone.
         * @enum {unknown}
         */
        Protection: "plain" | "guarded";
        ProvenAuditEvent: {
            /**
             * Format: int64
             * @description Its leaf in the log, counted from 0: the same for good.
             */
            index: number;
            type: components["schemas"]["AuditEventType"];
            /**
             * Format: date-time
             * @description By the database's clock.
             */
            occurred_at: string;
            /** @description Absent: of all environments. */
            environment?: components["schemas"]["Environment"];
            /**
             * @description What it is about.
             * @example session/5f3c…
             */
            subject?: string;
            /** @description Whose it is. */
            user_id?: string;
            /**
             * @description `api_key/<id>`, `operator` or `configuration`. Absent: see the type.
             * @example operator
             */
            actor?: string;
            /** @description What it was afterwards, by its type. */
            details?: {
                [key: string]: unknown;
            };
            /** @description Canonical JSON: the leaf is the SHA-256 of a zero byte and this text. */
            leaf: string;
            /** @description 32 bytes in hexadecimal digits. */
            salt?: string;
            /** @description JSON: `body_hash` in the leaf is the SHA-256 of the salt and this text. */
            body?: string;
            /** @description Absent until the next checkpoint, 10 seconds at most. */
            proof?: {
                /** @description A signed note that says how large the log is, and its root. */
                checkpoint: string;
                /** @description Base64: what leads from the leaf to the root, from the leaf's sibling upwards (RFC 6962). */
                hashes: string[];
            };
        };
        ProvenAuditEventAnswer: {
            data: components["schemas"]["ProvenAuditEvent"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ProviderSession: {
            user_id: components["schemas"]["Uuid"];
            token: string;
            kms_a_access_token: string;
            /** @description Good for one refresh. */
            refresh_token: string;
            session: components["schemas"]["SealedSession"];
        };
        RailEnd: {
            currency: string;
            payment_rail?: string;
            from_address?: string;
            to_address?: string;
            /** @description The bank account that is paid. */
            external_account_id?: components["schemas"]["Uuid"];
        };
        RailMovement: {
            /** @description Of the deposit, or of the payment intent. */
            id: components["schemas"]["Uuid"];
            /**
             * @description To a virtual account; or a payment from a bank, or to one.
             * @enum {unknown}
             */
            kind: "deposit" | "pay_in" | "pay_out";
            virtual_account_id?: components["schemas"]["Uuid"];
            grid_user_id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            main_account_address: components["schemas"]["Address"];
            /** @enum {unknown} */
            direction: "inflow" | "outflow";
            /** @description Where the partner has it. */
            state: components["schemas"]["PaymentState"];
            /** @description A decimal in `currency`. */
            amount: string;
            /** @example usd */
            currency: string;
            source: components["schemas"]["RailEnd"];
            destination: components["schemas"]["RailEnd"];
            receipt: {
                initial_amount: string;
                developer_fee?: string;
                exchange_fee?: string;
                gas_fee?: string;
                exchange_rate?: string;
                subtotal_amount?: string;
                /** @description What arrived, on chain or at the bank, in major units. */
                final_amount?: string;
                /** @description Of a payment to a bank: the `Spl` item of the same signature is what it cost. */
                source_tx_hash?: string;
                /** @description The `Spl` item of the same signature is what it paid in; of a payment to a bank: what was returned. */
                destination_tx_hash?: string;
                url?: string;
            };
            return_details?: components["schemas"]["ReturnDetails"];
            /** @description Whether the chain shows its payment to the account, or to the partner, final. */
            credited: boolean;
            /** Format: date-time */
            confirmed_at?: string;
            environment: components["schemas"]["Environment"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ReceivedTransfer: {
            Spl: components["schemas"]["SplTransfer"];
        };
        RecoverySigner: {
            /** @description An Ed25519 public key whose private half is kept away from everything else. */
            address: components["schemas"]["Address"];
        };
        RefreshSessionRequest: {
            encryption_public_key: components["schemas"]["P256PublicKey"];
            kms_payload: {
                /** @enum {unknown} */
                provider: "kms_a" | "kms_b" | "kms_c";
                /**
                 * @description The session as it was received, or what stands under its provider's key.
                 * @example {
                 *       "KmsA": {
                 *         "refresh_token": "rt_1"
                 *       }
                 *     }
                 */
                session: {
                    KmsA?: components["schemas"]["RefreshableSession"];
                    KmsB?: components["schemas"]["RefreshableSession"];
                    KmsC?: components["schemas"]["RefreshableSession"];
                    refresh_token?: string;
                };
            };
            /** @description Only for another public key. */
            signature?: string;
        };
        RefreshSessionResult: {
            kms_payload: components["schemas"]["Authentication"];
        };
        RefreshSessionResultAnswer: {
            data: components["schemas"]["RefreshSessionResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        RefreshableSession: {
            refresh_token: string;
        };
        RejectionReason: {
            code: string;
            message: string;
        };
        ReleaseAccountRequest: {
            proof?: components["schemas"]["SignerProof"];
        };
        ReleaseAccountResult: {
            address: components["schemas"]["Address"];
            /** @description What the next import names. */
            settings_address: components["schemas"]["Address"];
            /** @enum {unknown} */
            status: "active" | "released";
            /** @description What has to end first; up to 20 of each type. */
            obstacles: {
                /** @enum {unknown} */
                type: "transaction" | "payment_intent" | "standing_order" | "wallet_export" | "kyc" | "external_account" | "virtual_account" | "bank_payment" | "payout_address";
                /** @description Of a transaction its signature. */
                id: string;
            }[];
            challenge?: components["schemas"]["SignerChallenge"];
        };
        ReleaseAccountResultAnswer: {
            data: components["schemas"]["ReleaseAccountResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ReleasedAccountSnapshot: {
            address: components["schemas"]["Address"];
            grid_user_id: components["schemas"]["Uuid"];
            /** @enum {unknown} */
            type: "email" | "signers" | "custom";
            settings_address: components["schemas"]["Address"];
            email?: components["schemas"]["Email"];
            /**
             * @description Its user signs in with a code and a passkey. With a publishable key: who is signed in.
             * @constant
             */
            passkey_required?: true;
            memo?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @constant */
            status: "released";
        };
        RelyingParty: {
            /**
             * @description A domain, without scheme and port. Passkeys stay with the one that they were made for.
             * @example app.example
             */
            rp_id: string | null;
            /**
             * @description What browsers show.
             * @example App
             */
            name: string | null;
            /**
             * @description Of the pages that may ask for these passkeys, as browsers write origins.
             * @example [
             *       "https://app.example"
             *     ]
             */
            origins: string[];
        };
        RelyingPartyAnswer: {
            data: components["schemas"]["RelyingParty"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        RemovePasskeyRequest: {
            /** @description As it was signed: an hour ahead at most, as 2027-01-01T00:10:00.000Z. */
            expires_at: string;
            authorization: components["schemas"]["SignedKmsPayload"];
        };
        RemovePolicySettingsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "remove_policy";
            policy: components["schemas"]["Address"];
        };
        RemoveSignerRequestedAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "RemoveSigner";
            oldSigner: components["schemas"]["Address"];
        };
        RemoveSignerSettingsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "remove_signer";
            address: components["schemas"]["Address"];
        };
        RemoveSpendingLimitRequestedAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "RemoveSpendingLimit";
            spendingLimit: components["schemas"]["Address"];
        };
        RemoveSpendingLimitSettingsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "remove_spending_limit";
            spending_limit: components["schemas"]["Address"];
        };
        RemovedPasskey: {
            id: components["schemas"]["Uuid"];
            /** @constant */
            status: "removed";
        };
        RemovedPasskeyAnswer: {
            data: components["schemas"]["RemovedPasskey"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        RenamePasskeyRequest: {
            /** @example Ada's phone */
            name: string;
        };
        RenewWalletsRequest: {
            /** @description Random: each wallet signs a text with this in it, which proves that it can. */
            wallet_nonce: string;
        };
        RenewedWallet: {
            /** @description The wallet that signs for the account now. */
            replaces: components["schemas"]["Address"];
            /** @description The one that derives from the newest root. */
            address: components["schemas"]["Address"];
            provider: components["schemas"]["SignerProvider"];
            proof: components["schemas"]["WalletProof"];
        };
        RenewedWalletListAnswer: {
            data: components["schemas"]["RenewedWallet"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /**
         * @example {
         *       "failed_since": "2026-01-15T12:00:00.000Z"
         *     }
         */
        ReplayEventsRequest: {
            event_id?: string;
            /** Format: date-time */
            failed_since?: string;
            /** Format: date-time */
            missing_since?: string;
            /** @description With missing_since: `next_cursor` of the call before. */
            cursor?: string;
        };
        ReplayEventsResult: {
            /**
             * Format: int64
             * @description How many events are sent again.
             */
            scheduled: number;
            /** @description True: there are more; call it once more, with next_cursor if there is one. */
            more: boolean;
            /** @description With missing_since, where there are more. */
            next_cursor?: string;
        };
        ReplayEventsResultAnswer: {
            data: components["schemas"]["ReplayEventsResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        RequestWalletExportRequest: {
            otp_id: components["schemas"]["Uuid"];
            otp_code: components["schemas"]["OneTimeCode"];
            /** @description The key that the wallet's key is sealed to: base64 of the SPKI DER of a P-256 public key. */
            recipient_public_key: string;
            /** @description As it was answered with the code. */
            signer?: components["schemas"]["Address"];
            authorization: components["schemas"]["SignedKmsPayload"];
        };
        RequestedAction: components["schemas"]["AddSignerRequestedAction"] | components["schemas"]["RemoveSignerRequestedAction"] | components["schemas"]["ChangeThresholdRequestedAction"] | components["schemas"]["SetTimeLockRequestedAction"] | components["schemas"]["AddSpendingLimitRequestedAction"] | components["schemas"]["RemoveSpendingLimitRequestedAction"] | components["schemas"]["PolicyRemoveRequestedAction"];
        RequestedCustomPolicies: {
            signers: (components["schemas"]["RequestedEmailSigner"] | components["schemas"]["RequestedKeySigner"])[];
            threshold: number;
            /** @description Seconds; 0 when absent. */
            time_lock?: number;
            /** @description Who alone may change the settings. Absent: the signers decide, for good. */
            admin_address?: components["schemas"]["Address"];
        };
        /**
         * @description A wallet that a custodian makes for this address. No mail is sent; signing in proves the address.
         * @example {
         *       "type": "email",
         *       "email": "ada@example.org",
         *       "permissions": [
         *         "CAN_INITIATE",
         *         "CAN_VOTE",
         *         "CAN_EXECUTE"
         *       ]
         *     }
         */
        RequestedEmailSigner: {
            /** @constant */
            type: "email";
            email: components["schemas"]["Email"];
            provider?: components["schemas"]["SignerProvider"];
            permissions: components["schemas"]["Permission"][];
            role?: components["schemas"]["SignerRole"];
        };
        /** @description A key that exists already. */
        RequestedKeySigner: {
            /** @constant */
            type?: "pubkey";
            address: components["schemas"]["Address"];
            permissions: components["schemas"]["Permission"][];
            role?: components["schemas"]["SignerRole"];
            provider?: components["schemas"]["SignerProvider"];
        };
        /**
         * @example {
         *       "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
         *       "currency": "usdc"
         *     }
         */
        RequestedOrderDestination: {
            /** @example usdc */
            currency?: string;
            /**
             * @description `solana`; of a bank that is paid: `ach_push`, `wire`, `sepa`, `faster_payments`, `spei`, `pix`.
             * @example solana
             */
            payment_rail?: string;
            /** @description The same fields, as a nested object. */
            details?: {
                [key: string]: unknown;
            };
            /** @description The owner who is paid, not a token account. */
            address?: components["schemas"]["Address"];
            /**
             * @deprecated
             * @description Another name of address.
             */
            account?: components["schemas"]["Address"];
            /** @description True: the payee is an address that a program signs for, such as a vault that was never used, or an account that a program holds. */
            confirm_program_address?: boolean;
            /** @description The bank account that is paid. */
            external_account_id?: components["schemas"]["Uuid"];
        };
        /**
         * @example {
         *       "currency": "usdc"
         *     }
         */
        RequestedOrderSource: {
            /** @example usdc */
            currency?: string;
            /**
             * @description `solana`; of a bank that is paid: `ach_push`, `wire`, `sepa`, `faster_payments`, `spei`, `pix`.
             * @example solana
             */
            payment_rail?: string;
            /** @description The same fields, as a nested object. */
            details?: {
                [key: string]: unknown;
            };
            /** @description The smart account of the path; it need not be named. */
            account?: components["schemas"]["Address"];
            /**
             * @deprecated
             * @description Another name of account.
             */
            smart_account_address?: components["schemas"]["Address"];
            /**
             * @deprecated
             * @description Another name of account.
             */
            address?: components["schemas"]["Address"];
        };
        /**
         * @example {
         *       "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
         *       "currency": "usdc"
         *     }
         */
        RequestedPaymentDestination: {
            /** @description An owner, or a token account of this currency. */
            address?: components["schemas"]["Address"];
            /** @description True: the payee is an address that a program signs for, such as a vault that was never used, or an account that a program holds. */
            confirm_program_address?: boolean;
            /** @example usdc */
            currency?: string;
            /** @description `solana`, or of a bank: `ach_push`, `wire`, `sepa`, `faster_payments`, `spei`, `pix`. */
            payment_rail?: string;
            /** @description The bank account that is paid. */
            external_account_id?: components["schemas"]["Uuid"];
            /** @description Of a bank that is paid: what its statement says, at most 140 characters. On chain another name of `memo`. */
            reference?: string;
            /**
             * @description The memo of the payment, written into the transaction. At most 256 bytes of UTF-8.
             * @example customer 4711
             */
            memo?: string;
        };
        /**
         * @description A month is 30 days.
         * @enum {unknown}
         */
        RequestedPeriod: "one_time" | "day" | "week" | "month" | "daily" | "weekly" | "monthly";
        RequestedPolicies: {
            signers: components["schemas"]["RequestedSigner"][];
            threshold: number;
            /** @description Seconds; 0 when absent. */
            time_lock?: number;
            /** @description Who alone may change the settings. Absent: the signers decide, for good. */
            admin_address?: components["schemas"]["Address"];
        };
        RequestedRelyingParty: {
            /**
             * @description A domain, without scheme and port. Passkeys stay with the one that they were made for.
             * @example app.example
             */
            rp_id: string;
            /**
             * @description What browsers show.
             * @example App
             */
            name: string;
            /**
             * @description Of the pages that may ask for these passkeys, as browsers write origins.
             * @example [
             *       "https://app.example"
             *     ]
             */
            origins: string[];
        };
        RequestedSigner: {
            /** @example 4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi */
            address: components["schemas"]["Address"];
            permissions: components["schemas"]["Permission"][];
            role?: components["schemas"]["SignerRole"];
            provider?: components["schemas"]["SignerProvider"];
        };
        ResponseMetadata: {
            request_id: string;
            /** Format: date-time */
            timestamp: string;
            /** @description On lists: where the next page begins. */
            next_cursor?: string;
            /**
             * Format: date-time
             * @description On transfers and transactions: as of when the list has everything, by the environment's clock.
             */
            complete_at?: string;
        };
        ReturnDetails: {
            reason: string;
        };
        RevokedSession: {
            /** @description Stays the same however often the session is refreshed. */
            id: components["schemas"]["Uuid"];
            /** @description Whose session it is. */
            grid_user_id: components["schemas"]["Uuid"];
            /** @enum {unknown} */
            provider: "kms_a" | "kms_b" | "kms_c";
            /** @description The wallet it signs with: a signer of the account. */
            signer: components["schemas"]["Address"];
            /**
             * Format: date-time
             * @description When the code was verified.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last signed something or was refreshed, to the minute.
             */
            last_active_at: string;
            /**
             * Format: date-time
             * @description When it ends unless it is refreshed.
             */
            expires_at: string;
            /** @enum {unknown} */
            reason: "refresh_token_reused" | "signed_out" | "ended_by_holder" | "ended_by_tenant" | "ended_by_operator" | "replaced" | "idle";
        };
        RotateWebhookSecretRequest: {
            /** @default 86400 */
            overlap_seconds: number;
        };
        SandboxAdvanceClockRequest: {
            /**
             * @description Forward only, at most 400 days a call.
             * @example 900
             */
            seconds: number;
        };
        SandboxAdvanceClockResult: {
            /**
             * Format: date-time
             * @description Environment time after the move.
             */
            now: string;
            /**
             * Format: int64
             * @description The chain's slot after the move.
             */
            slot: number;
            /** @description What became of the standing orders of all accounts on the way. */
            standing_order_runs: {
                /**
                 * Format: int64
                 * @description Due dates that were paid.
                 */
                paid: number;
                /**
                 * Format: int64
                 * @description Due dates that were given up.
                 */
                missed: number;
                /**
                 * Format: int64
                 * @description Orders that are due and were not reached any more, 10,000 at most.
                 */
                left: number;
            };
        };
        SandboxAdvanceClockResultAnswer: {
            data: components["schemas"]["SandboxAdvanceClockResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        SandboxAirdropRequest: {
            /** @description Who receives it. */
            address: components["schemas"]["Address"];
            /**
             * @description `sol` (default), `usdc`, `usdt`, `pyusd`, `eurc`, or a mint.
             * @example usdc
             */
            currency?: string;
            /** @example 1000000000 */
            amount: components["schemas"]["Amount"];
        };
        SandboxAirdropResult: {
            address: components["schemas"]["Address"];
            currency: string;
            amount: components["schemas"]["Amount"];
            transaction_signature: components["schemas"]["Signature"];
        };
        SandboxAirdropResultAnswer: {
            data: components["schemas"]["SandboxAirdropResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        SandboxClosePayoutAddressesRequest: {
            /** @enum {unknown} */
            status: "deactivated";
        };
        SandboxDepositRequest: {
            /**
             * @description A decimal in the currency of the account.
             * @example 250.00
             */
            amount: components["schemas"]["Decimal"];
            /**
             * @description Default: the account's first.
             * @enum {unknown}
             */
            payment_rail?: "ach_push" | "wire" | "sepa" | "faster_payments" | "spei" | "pix";
        };
        /** @description What goes wrong on purpose in the sandbox; zeros: nothing. */
        SandboxFaults: {
            /** @description How many times each sent transaction is answered with its signature and then dropped. 1000000: always. */
            drop: number;
            /** @description How many times each blockhash is unknown to a call that sends with preflight, or simulates. 1000000: always. */
            blockhash_not_found: number;
            /** @description How many times each transaction that bids less than the price is answered with its signature and then dropped. 0 with a price: always. Without a price, any bid has room. 1000000: always. */
            full_blocks: number;
            /** @description What recent prioritization fees are, and what a transaction must bid to land: micro-lamports per compute unit. */
            price: number;
            /** @description How many times each sent transaction lands on a fork that is abandoned: it is answered with its signature, has the status `processed` for a few slots, and is then dropped. 1000000: always. */
            fork: number;
            /** @description By how many slots of 400 ms the answering node is behind: it does not know what landed since. */
            lag: number;
        };
        SandboxFaultsAnswer: {
            data: components["schemas"]["SandboxFaults"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        SandboxMoveTransferRequest: {
            state: components["schemas"]["PaymentState"];
        };
        SandboxMoveTransferResult: {
            id: components["schemas"]["Uuid"];
            state: components["schemas"]["PaymentState"];
        };
        SandboxMoveTransferResultAnswer: {
            data: components["schemas"]["SandboxMoveTransferResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        SandboxRpcRequest: components["schemas"]["JsonRpcRequest"] | components["schemas"]["JsonRpcRequest"][];
        SandboxRpcResult: components["schemas"]["JsonRpcResponse"] | components["schemas"]["JsonRpcResponse"][];
        SandboxSetFaultsRequest: {
            /** @description How many times each sent transaction is answered with its signature and then dropped. 1000000: always. */
            drop?: number;
            /** @description How many times each blockhash is unknown to a call that sends with preflight, or simulates. 1000000: always. */
            blockhash_not_found?: number;
            /** @description How many times each transaction that bids less than the price is answered with its signature and then dropped. 0 with a price: always. Without a price, any bid has room. 1000000: always. */
            full_blocks?: number;
            /** @description What recent prioritization fees are, and what a transaction must bid to land: micro-lamports per compute unit. */
            price?: number;
            /** @description How many times each sent transaction lands on a fork that is abandoned: it is answered with its signature, has the status `processed` for a few slots, and is then dropped. 1000000: always. */
            fork?: number;
            /** @description By how many slots of 400 ms the answering node is behind: it does not know what landed since. */
            lag?: number;
        };
        SandboxSetKycRequest: {
            status: components["schemas"]["KycStatus"];
            /** @enum {unknown} */
            tos_status?: "pending" | "approved";
            /** @description With `rejected`. */
            rejection_reasons?: {
                code: string;
                message: string;
            }[];
            /** @description Revoked, as a partner does that withdraws an approval. */
            revoked_endorsements?: string[];
        };
        SandboxSetVirtualAccountStatusRequest: {
            /** @enum {unknown} */
            status: "activated" | "deactivated";
        };
        SandboxTriggerEventRequest: {
            /** @example standing_order_run.missed */
            type: string;
        };
        SandboxTriggerEventResult: {
            id: string;
            type: string;
        };
        SandboxTriggerEventResultAnswer: {
            data: components["schemas"]["SandboxTriggerEventResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @enum {unknown} */
        Scope: "accounts:read" | "accounts:write" | "auth:write" | "transactions:write" | "proposals:read" | "proposals:write" | "payments:read" | "payments:write" | "kyc:read" | "kyc:write" | "virtual-accounts:read" | "virtual-accounts:write" | "webhooks:read" | "webhooks:write" | "audit:read" | "admin:keys" | "admin:tenants" | "sandbox:use" | "sandbox:clock";
        SealedSession: {
            encrypted_authorization_key: {
                /** @description Base64 ephemeral public key: the 65-byte uncompressed point. */
                encapsulated_key: string;
                /** @description Base64. */
                ciphertext: string;
                /** @example HPKE */
                encryption_type: string;
            };
            /**
             * Format: int64
             * @description Unix milliseconds.
             */
            expires_at: number;
            wallets: components["schemas"]["SessionWallet"][];
        };
        SealedWalletKey: {
            /** @description Base64: the sender's point, 65 bytes. */
            encapsulated_key: string;
            /** @description Base64. Opened it is 64 bytes: the seed, and the address's 32 bytes. */
            ciphertext: string;
        };
        SentCode: {
            otp_id: components["schemas"]["Uuid"];
            email: components["schemas"]["Email"];
            /** @constant */
            otp_sent: true;
            /** @enum {unknown} */
            provider: "kms_a" | "kms_b" | "kms_c";
            /** @enum {unknown} */
            requested_provider?: "kms_a" | "kms_b" | "kms_c";
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
        SentMail: {
            id: components["schemas"]["Uuid"];
            to: string;
            subject: string;
            text: string;
            html: string;
            /**
             * @description Empty where the mail carries none.
             * @example 123456
             */
            otp_code: string;
            /** Format: date-time */
            created_at: string;
        };
        SentMailListAnswer: {
            data: components["schemas"]["SentMail"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        Session: {
            KmsA?: components["schemas"]["ProviderSession"];
            KmsB?: components["schemas"]["ProviderSession"];
            KmsC?: components["schemas"]["ProviderSession"];
            user_id?: components["schemas"]["Uuid"];
            session?: components["schemas"]["SealedSession"];
        };
        SessionKeyConfig: {
            encryption_public_key: components["schemas"]["P256PublicKey"];
        };
        SessionPolicy: {
            /** @description A session that neither signs nor is refreshed for so long ends; null: it may rest as long as it lives. */
            idle_seconds: number | null;
            /** @description A new sign-in ends the sessions that its user had before. */
            one_session: boolean;
        };
        SessionPolicyAnswer: {
            data: components["schemas"]["SessionPolicy"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        SessionSigner: {
            /** @description The wallet that obeys sessions, and signs once the change is made. */
            address: components["schemas"]["Address"];
            provider: components["schemas"]["SignerProvider"];
        };
        SessionWallet: {
            id: string;
            address: components["schemas"]["Address"];
            /** @description Base58, the same 32 bytes. */
            public_key: string;
            owner_id: string;
            /** @example solana */
            chain_type: string;
            /**
             * Format: int64
             * @description Unix milliseconds.
             */
            created_at: number;
            /** Format: int64 */
            exported_at: number | null;
            /** Format: int64 */
            imported_at: number | null;
            policy_ids: string[];
            additional_signers: {
                signer_id: string;
                override_policy_ids: string[];
            }[];
        };
        SetAdminSettingsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "set_admin";
            admin_address: components["schemas"]["Address"] | null;
            /** @description True without an admin: the account can never have one again. */
            irreversible: boolean;
        };
        SetAuthorityEffect: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "set_authority";
            /** @description Over which account. */
            account: components["schemas"]["Address"];
            /** @description Who has the power now. */
            authority: components["schemas"]["Address"];
            /** @description Of a token account `account_owner` or `close_account`; of a mint `mint_tokens`, `freeze_account`, …; `owner_program`, `nonce`, `staker`, `withdrawer`, `program_upgrade`. */
            authority_type: string;
            /** @description Null: no one, for good. */
            new_authority: components["schemas"]["Address"] | null;
            program: components["schemas"]["Address"];
        };
        SetGuardianPolicyRequest: {
            /** @description A policy: docs/custodian-policy.schema.json has its members. */
            policy: {
                [key: string]: unknown;
            };
            /** @description The version that it takes the place of. */
            replaces: number;
            /** @description What the certificate of the answer holds. */
            nonce: string;
            /** @description An hour ahead at most by the guardian's clock, as 2027-01-01T00:10:00.000Z. */
            expires_at: string;
            authorization: components["schemas"]["SignedKmsPayload"];
        };
        SetPasskeyRequirementRequest: {
            required: boolean;
            /** @description The wallet that the passkey commands. By default the guardian's where one signs for the account, else the primary one. */
            signer?: components["schemas"]["Address"];
            nonce: string;
            authorization: components["schemas"]["SignedKmsPayload"];
        };
        SetTimeLockRequestedAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "SetTimeLock";
            /** @description Seconds. */
            newTimeLock: number;
        };
        SetTimeLockSettingsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "set_time_lock";
            /**
             * Format: int64
             * @description Seconds.
             */
            time_lock: number;
        };
        SettingsAction: components["schemas"]["AddSignerSettingsAction"] | components["schemas"]["RemoveSignerSettingsAction"] | components["schemas"]["ChangeThresholdSettingsAction"] | components["schemas"]["SetTimeLockSettingsAction"] | components["schemas"]["SetAdminSettingsAction"] | components["schemas"]["AddSpendingLimitSettingsAction"] | components["schemas"]["RemoveSpendingLimitSettingsAction"] | components["schemas"]["RemovePolicySettingsAction"] | components["schemas"]["OtherSettingsAction"];
        SettingsChangeEffect: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "settings_change";
            settings: components["schemas"]["Address"];
            /** @description Who answers for it: members, or the admin. */
            by: components["schemas"]["Address"][];
            actions: components["schemas"]["SettingsAction"][];
        };
        SettingsCreateProposalRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "settings";
            actions: components["schemas"]["RequestedAction"][];
            /** @description A signer with CAN_INITIATE, who creates the proposal. */
            signer: components["schemas"]["Address"];
            /** @description True: the signer approves it at once. */
            approve?: boolean;
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        /** @description A hash in hex. */
        Sha256: string;
        SignInWithPasskeyRequest: {
            nonce: string;
            assertion: components["schemas"]["PasskeySignedPayload"];
            /** @description Needed only where the wallet signs for several accounts and none is its user's own. */
            smart_account_address?: components["schemas"]["Address"];
            kms_provider_config: components["schemas"]["SessionKeyConfig"];
            /**
             * Format: int64
             * @description When the session is to end, Unix seconds.
             */
            expiration?: number;
        };
        /** @description Of a transaction, which is its id on chain: 64 bytes in base58. */
        Signature: string;
        SignedInSession: {
            /** @description Stays the same however often the session is refreshed. */
            id: components["schemas"]["Uuid"];
            /** @description Whose session it is. */
            grid_user_id: components["schemas"]["Uuid"];
            /** @enum {unknown} */
            provider: "kms_a" | "kms_b" | "kms_c";
            /** @description The wallet it signs with: a signer of the account. */
            signer: components["schemas"]["Address"];
            /** @description True: the request presented this session's token. */
            current: boolean;
            /**
             * Format: date-time
             * @description When the code was verified.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last signed something or was refreshed, to the minute.
             */
            last_active_at: string;
            /**
             * Format: date-time
             * @description When it ends unless it is refreshed.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it cannot be refreshed any more.
             */
            ends_at: string;
        };
        SignedInSessionListAnswer: {
            data: components["schemas"]["SignedInSession"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        SignedKmsPayload: {
            /** @enum {string} */
            provider: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
            kms_signed_payload?: components["schemas"]["PasskeySignedPayload"] | components["schemas"]["KmsBSignedPayload"] | components["schemas"]["KmsASignedPayload"];
            /**
             * @deprecated
             * @description Legacy form, kms_a only.
             */
            signature?: components["schemas"]["Base64Signature"];
        };
        Signer: {
            address: components["schemas"]["Address"];
            permissions: components["schemas"]["Permission"][];
            role: components["schemas"]["SignerRole"];
            provider: components["schemas"]["SignerProvider"];
        };
        SignerChallenge: {
            /** @description To be signed by one of the account's signers. */
            message: string;
            /** Format: date-time */
            expires_at: string;
        };
        SignerProof: {
            signer_address: components["schemas"]["Address"];
            /** @description The text of `challenge`, as it was. */
            message: string;
            /** @description Ed25519, base64, over the text's UTF-8 bytes. */
            signature: string;
        };
        /** @enum {unknown} */
        SignerProvider: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
        /** @enum {unknown} */
        SignerRole: "primary" | "backup";
        SignerToAdd: {
            address: components["schemas"]["Address"];
            /** @description The sum of permission bits (1 to initiate, 2 to vote, 4 to execute); or `permissions`. */
            mask?: number;
            permissions?: components["schemas"]["Permission"][];
        };
        SignersAccount: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "signers";
            /** @constant */
            status: "active";
            address: components["schemas"]["Address"];
            settings_address: components["schemas"]["Address"];
            grid_user_id: components["schemas"]["Uuid"];
            policies: components["schemas"]["Policies"];
            memo?: string;
        };
        /** @description An account of keys that exist already: `signers` with `threshold`, or `policies`. */
        SignersCreateAccountRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "signers";
            /** @description Ed25519 public keys, base58; each gets every permission. */
            signers?: components["schemas"]["Address"][];
            /** @description How many of `signers` have to sign. */
            threshold?: number;
            policies?: components["schemas"]["RequestedPolicies"];
            /** @description Yours to choose; returned with the account. */
            memo?: string;
        };
        SpendingLimit: {
            address: components["schemas"]["Address"];
            settings_address: components["schemas"]["Address"];
            /** @description The account it pays from. */
            main_account_address: components["schemas"]["Address"];
            environment: components["schemas"]["Environment"];
            /** @description Null is SOL. */
            mint: components["schemas"]["Address"] | null;
            /** @description Its symbol, where the environment knows the mint. */
            currency?: string;
            /** @description Per period. */
            amount: components["schemas"]["Amount"];
            /** @description What a payment could take now, balance aside. */
            remaining_amount: components["schemas"]["Amount"];
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
            /**
             * Format: date-time
             * @description The first second at which the whole amount is there again. Null for a one-time limit.
             */
            next_reset: string | null;
            /** @description Who may use it. */
            signers: components["schemas"]["Address"][];
            /** @description Owners that may be paid. Empty: any owner. */
            destinations: components["schemas"]["Address"][];
            /**
             * Format: date-time
             * @description Null: never.
             */
            expiration: string | null;
            /** @description True: it has not expired, something is left of it, and it pays from this very account. The account's balance does not count. */
            usable: boolean;
        };
        /** @description Base units per period: a decimal string, or a number as far as it is exact in JSON. */
        SpendingLimitAmount: string | number;
        SpendingLimitEffect: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "use_spending_limit";
            spending_limit: components["schemas"]["Address"];
            /** @description Who draws on it. */
            signer: components["schemas"]["Address"];
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The owner who is paid. */
            to: components["schemas"]["Address"];
            /** @description Null is SOL. */
            mint: components["schemas"]["Address"] | null;
            amount: components["schemas"]["Amount"];
            from_token_account?: components["schemas"]["Address"];
            to_token_account?: components["schemas"]["Address"];
        };
        /** @description A date-time (RFC 3339) or Unix seconds. Null or absent: never. */
        SpendingLimitExpiration: string | number | null;
        SplTransfer: {
            id: components["schemas"]["Uuid"];
            grid_user_id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            main_account_address: components["schemas"]["Address"];
            /** @description The system program's address for SOL. */
            mint: components["schemas"]["Address"];
            is_token_2022: boolean;
            signature: components["schemas"]["Signature"];
            /** @enum {unknown} */
            confirmation_status: "confirmed" | "finalized";
            /** @description The account's token account that gained or lost; absent where it is the account itself. */
            token_account?: components["schemas"]["Address"];
            /** @description The owner; the system program's address where nobody is named. */
            from_address: components["schemas"]["Address"];
            /** @description The owner; the system program's address where nobody is named. */
            to_address: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            ui_amount: components["schemas"]["Decimal"];
            /** Format: int64 */
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
            environment: components["schemas"]["Environment"];
            /**
             * Format: int64
             * @description Counted in the order instructions began, called ones included. One more than the last: none of them.
             */
            instruction_index: number;
        };
        StandingOrder: {
            id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            status: components["schemas"]["OrderStatus"];
            /** @description Why it is inactive, or was cancelled. */
            reason?: string;
            /**
             * @description What stands on chain: no limit yet, one, one whose removal was asked for, none any more.
             * @enum {unknown}
             */
            mandate: "awaited" | "active" | "revocation_pending" | "revoked";
            /** @description Of one payment. */
            amount: components["schemas"]["Amount"];
            /** @description The same in whole units. */
            ui_amount: components["schemas"]["Decimal"];
            currency: string;
            frequency: components["schemas"]["OrderFrequency"];
            /** @description The same as frequency. */
            period: components["schemas"]["OrderFrequency"];
            payment_rail: string;
            source: components["schemas"]["StandingOrderSource"];
            destination: components["schemas"]["StandingOrderDestination"];
            /** @description Who is paid: one owner. */
            destinations: components["schemas"]["Address"][];
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
            /**
             * Format: int64
             * @description How many due dates there are, where there is an end.
             */
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
            /** @description Base units of all payments that are left, where there is an end. */
            remaining_amount?: components["schemas"]["Decimal"];
            /** @description The limit on chain that it is paid out of. */
            spending_limit_address: components["schemas"]["Address"];
            /** @description The only key that may draw on that limit. */
            executor_address: components["schemas"]["Address"];
            /** @description Where the limit has to be voted on. */
            proposal_address?: components["schemas"]["Address"];
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
        StandingOrderAnswer: {
            data: components["schemas"]["StandingOrder"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        StandingOrderChange: {
            id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            status: components["schemas"]["OrderStatus"];
            /** @description Why it is inactive, or was cancelled. */
            reason?: string;
            /**
             * @description What stands on chain: no limit yet, one, one whose removal was asked for, none any more.
             * @enum {unknown}
             */
            mandate: "awaited" | "active" | "revocation_pending" | "revoked";
            /** @description Of one payment. */
            amount: components["schemas"]["Amount"];
            /** @description The same in whole units. */
            ui_amount: components["schemas"]["Decimal"];
            currency: string;
            frequency: components["schemas"]["OrderFrequency"];
            /** @description The same as frequency. */
            period: components["schemas"]["OrderFrequency"];
            payment_rail: string;
            source: components["schemas"]["StandingOrderSource"];
            destination: components["schemas"]["StandingOrderDestination"];
            /** @description Who is paid: one owner. */
            destinations: components["schemas"]["Address"][];
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
            /**
             * Format: int64
             * @description How many due dates there are, where there is an end.
             */
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
            /** @description Base units of all payments that are left, where there is an end. */
            remaining_amount?: components["schemas"]["Decimal"];
            /** @description The limit on chain that it is paid out of. */
            spending_limit_address: components["schemas"]["Address"];
            /** @description The only key that may draw on that limit. */
            executor_address: components["schemas"]["Address"];
            /** @description Where the limit has to be voted on. */
            proposal_address?: components["schemas"]["Address"];
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
            transaction_signers?: components["schemas"]["Address"][];
            kms_payloads?: components["schemas"]["KmsPayload"][];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at?: string;
            /** @description What it does, read off its bytes. */
            summary?: components["schemas"]["SummaryEntry"][];
            fee?: components["schemas"]["TransactionFee"];
            /**
             * Format: int64
             * @description Of the proposal.
             */
            transaction_index?: number;
            /** @description The limit that takes the old one's place. */
            renewal_limit_address?: components["schemas"]["Address"];
        };
        StandingOrderChangeAnswer: {
            data: components["schemas"]["StandingOrderChange"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        StandingOrderDestination: {
            /** @description The owner that is paid on chain: of a bank account, the address at which its partner takes the coins. */
            address: components["schemas"]["Address"];
            currency: string;
            payment_rail: string;
            details: {
                address: components["schemas"]["Address"];
                external_account_id?: components["schemas"]["Uuid"];
                last_4?: string;
            };
            /** @description The bank account that is paid. */
            external_account_id?: components["schemas"]["Uuid"];
            /** @description The end of its number, until rail data are forgotten. */
            last_4?: string;
        };
        StandingOrderPayout: {
            id: components["schemas"]["Uuid"];
            standing_order_id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            /** Format: date-time */
            due_at: string;
            /** @description The bank account that is paid. */
            external_account_id: components["schemas"]["Uuid"];
            payment_rail: string;
            /** @description As of a payment intent to a bank. */
            state: components["schemas"]["PaymentState"];
            /** @description Of the coin, as the partner says. */
            amount: string;
            /** @description The coin. */
            currency: string;
            /** @description Of the bank account. */
            destination_currency: string;
            /** @description Of the payment on chain. */
            transaction_signature: components["schemas"]["Signature"];
            return_reason: string | null;
            receipt: {
                [key: string]: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        StandingOrderPayoutSnapshot: {
            id: components["schemas"]["Uuid"];
            standing_order_id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            /** Format: date-time */
            due_at: string;
            /** @description The bank account that is paid. */
            external_account_id: components["schemas"]["Uuid"];
            payment_rail: string;
            /** @description As of a payment intent to a bank. */
            state: components["schemas"]["PaymentState"];
            /** @description Of the coin, as the partner says. */
            amount: string;
            /** @description The coin. */
            currency: string;
            /** @description Of the bank account. */
            destination_currency: string;
            /** @description Of the payment on chain. */
            transaction_signature: components["schemas"]["Signature"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        StandingOrderRun: {
            standing_order_id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            /** Format: date-time */
            due_at: string;
            /** @enum {unknown} */
            state: "scheduled" | "sending" | "retrying" | "paid" | "missed";
            /** @description Of one payment. */
            amount: components["schemas"]["Amount"];
            currency: string;
            /**
             * Format: int64
             * @description Transactions that were signed for it, or found to fail before.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description The block of the payment.
             */
            paid_at: string | null;
            /** @description Of the payment that landed, or is under way. */
            signature: components["schemas"]["Signature"] | null;
            /** @description What stood in the way last. */
            error: string | null;
            /** @description Of an order to a bank account: what became of the money there. Null: the partner has not reported it. */
            payout?: components["schemas"]["StandingOrderPayout"] | null;
        };
        StandingOrderRunListAnswer: {
            data: components["schemas"]["StandingOrderRun"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        StandingOrderRunSnapshot: {
            standing_order_id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            /** Format: date-time */
            due_at: string;
            /** @enum {unknown} */
            state: "scheduled" | "sending" | "retrying" | "paid" | "missed";
            /** @description Of one payment. */
            amount: components["schemas"]["Amount"];
            currency: string;
            /**
             * Format: int64
             * @description Transactions that were signed for it, or found to fail before.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description The block of the payment.
             */
            paid_at: string | null;
            /** @description Of the payment that landed, or is under way. */
            signature: components["schemas"]["Signature"] | null;
            /** @description What stood in the way last. */
            error: string | null;
        };
        StandingOrderSnapshot: {
            id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            status: components["schemas"]["OrderStatus"];
            /** @description Why it is inactive, or was cancelled. */
            reason?: string;
            /**
             * @description What stands on chain: no limit yet, one, one whose removal was asked for, none any more.
             * @enum {unknown}
             */
            mandate: "awaited" | "active" | "revocation_pending" | "revoked";
            /** @description Of one payment. */
            amount: components["schemas"]["Amount"];
            currency: string;
            frequency: components["schemas"]["OrderFrequency"];
            /** @description The same as frequency. */
            period: components["schemas"]["OrderFrequency"];
            payment_rail: string;
            source: components["schemas"]["StandingOrderSource"];
            destination: components["schemas"]["StandingOrderDestination"];
            /** @description Who is paid: one owner. */
            destinations: components["schemas"]["Address"][];
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
            /**
             * Format: int64
             * @description How many due dates there are, where there is an end.
             */
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
            /** @description Base units of all payments that are left, where there is an end. */
            remaining_amount?: components["schemas"]["Decimal"];
            /** @description The limit on chain that it is paid out of. */
            spending_limit_address: components["schemas"]["Address"];
            /** @description The only key that may draw on that limit. */
            executor_address: components["schemas"]["Address"];
            /** @description Where the limit has to be voted on. */
            proposal_address?: components["schemas"]["Address"];
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
        StandingOrderSource: {
            account: components["schemas"]["Address"];
            currency: string;
            payment_rail: string;
            details: {
                account: components["schemas"]["Address"];
            };
        };
        StartAuthenticationRequest: {
            email: components["schemas"]["Email"];
            /** @enum {unknown} */
            provider?: "kms_a" | "kms_b" | "kms_c";
            /**
             * @deprecated
             * @description Another name of provider.
             * @enum {unknown}
             */
            kms_provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
            /**
             * Format: int64
             * @description When the session is to end, Unix seconds.
             */
            expiration?: number;
        };
        StartLegacyAuthenticationRequest: {
            email: components["schemas"]["Email"];
            /** @description Not used: mails carry the name the operator chose. */
            app_name?: string;
            /** @description Not used. */
            app_icon_url?: string;
            /** @description Life of the credential bundle in seconds, unless verify names another one. */
            expiration?: number;
        };
        StartLegacyAuthenticationResult: {
            otp_id: components["schemas"]["Uuid"];
            /** @description The user's wallet at kms_a; never changes. */
            mpc_primary_id: components["schemas"]["Uuid"];
        };
        StartLegacyAuthenticationResultAnswer: {
            data: components["schemas"]["StartLegacyAuthenticationResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        SubmitSeveralTransactionsRequest: {
            /** @description Executed in order, stopping at the first failure. */
            transactions: components["schemas"]["WireTransaction"][];
            /** @description One array for each transaction, in their order; an empty one where nothing is signed by payload. */
            kms_payloads: components["schemas"]["SignedKmsPayload"][][];
        };
        SubmitTransactionRequest: {
            transaction: components["schemas"]["WireTransaction"];
            kms_payloads?: components["schemas"]["SignedKmsPayload"][];
        };
        SubmitTransactionsResult: components["schemas"]["SubmittedTransaction"] | components["schemas"]["SubmittedTransactions"];
        SubmitTransactionsResultAnswer: {
            data: components["schemas"]["SubmitTransactionsResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        SubmittedTransaction: {
            transaction_signature: components["schemas"]["Signature"];
            /** Format: date-time */
            confirmed_at: string;
        };
        SubmittedTransactions: {
            results: {
                /** Format: int64 */
                index: number;
                transaction_signature: components["schemas"]["Signature"];
                /** Format: date-time */
                confirmed_at: string;
            }[];
            partial_failure?: {
                /** Format: int64 */
                failed_at_index: number;
                error_message: string;
                error_code: string;
            };
        };
        /** @description One effect of the transaction, read off its bytes. */
        SummaryEntry: components["schemas"]["TransferEffect"] | components["schemas"]["TokenAccountEffect"] | components["schemas"]["SpendingLimitEffect"] | components["schemas"]["SettingsChangeEffect"] | components["schemas"]["CloseTokenAccountEffect"] | components["schemas"]["ApproveDelegateEffect"] | components["schemas"]["SetAuthorityEffect"] | components["schemas"]["BurnEffect"] | components["schemas"]["MemoEffect"] | components["schemas"]["InstructionEffect"] | components["schemas"]["UndecidedEffect"] | components["schemas"]["CreateProposalSummaryEntry"] | components["schemas"]["ActivateProposalSummaryEntry"] | components["schemas"]["VoteSummaryEntry"] | components["schemas"]["AddToBatchSummaryEntry"] | components["schemas"]["WriteBufferSummaryEntry"] | components["schemas"]["CloseBufferSummaryEntry"] | components["schemas"]["ExecuteProposalSummaryEntry"];
        Tenant: {
            /** @example shop */
            id: string;
            /** @example The shop */
            name: string;
            /**
             * @description `disabled`: its keys are dead.
             * @enum {unknown}
             */
            status: "enabled" | "disabled";
            protection: components["schemas"]["DefaultProtection"];
            recovery?: components["schemas"]["DefaultRecovery"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            disabled_at?: string;
        };
        TenantAnswer: {
            data: components["schemas"]["Tenant"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        TenantListAnswer: {
            data: components["schemas"]["Tenant"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        TestWebhookEndpointRequest: {
            /** @description Default: webhook.test. */
            type?: string;
        };
        TokenAccountEffect: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "create_token_account";
            owner: components["schemas"]["Address"];
            mint: components["schemas"]["Address"];
            token_account: components["schemas"]["Address"];
            payer: components["schemas"]["Address"];
        };
        TokenBalance: {
            /** @description The mint; the system program's address for SOL. */
            token_address: components["schemas"]["Address"];
            /**
             * Format: double
             * @description Base units. Above 2^53 the last digits are lost: use amount_decimal.
             */
            amount: number;
            amount_decimal: components["schemas"]["Decimal"];
            /** Format: int64 */
            decimals: number;
            name?: string;
            symbol?: string;
        };
        Transaction: {
            id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            signature: components["schemas"]["Signature"];
            /** @enum {unknown} */
            status: "confirmed" | "finalized" | "failed";
            /**
             * Format: int64
             * @description Of the block.
             */
            slot: number;
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
            kind: components["schemas"]["TransactionKind"];
            /** @description Why it failed, as the chain puts it. */
            error?: unknown;
        };
        /** @description One difference between what was prepared and what was submitted. */
        TransactionAlteration: {
            /** @description `instructions_added`, `instructions_removed` or `instructions_changed`, each with `program` and `count`; `instructions_reordered`, `compute_unit_limit`, `compute_unit_price`, `heap_frame`, `compute_budget`, `fee_payer`, `blockhash`, `version`, `signers`, `accounts`; others may be added. */
            what: string;
            program?: components["schemas"]["Address"];
            /** Format: int64 */
            count?: number;
        };
        /** @description What it costs and who pays. */
        TransactionFee: {
            /** @description The chain's fee. */
            lamports: components["schemas"]["Amount"];
            /** @description Rent of accounts it creates, paid by the fee payer. */
            rent_lamports: components["schemas"]["Amount"];
            /** @description The fee payer's address. */
            paid_by: components["schemas"]["Address"];
        };
        /** @enum {unknown} */
        TransactionKind: "account_creation" | "settings_change" | "spending_limit_payment" | "payment" | "custom" | "proposal_execution" | "proposal_creation" | "proposal_vote" | "proposal_close" | "deposit" | "other";
        TransactionListAnswer: {
            data: components["schemas"]["Transaction"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        TransactionSnapshot: {
            id: components["schemas"]["Uuid"];
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            signature: components["schemas"]["Signature"];
            /** @enum {unknown} */
            status: "confirmed" | "finalized" | "failed";
            /**
             * Format: int64
             * @description Of the block.
             */
            slot: number;
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
            purpose: "transaction" | "standing_order";
        };
        Transfer: {
            Spl: components["schemas"]["SplTransfer"];
        } | {
            Bridge: components["schemas"]["RailMovement"];
        };
        TransferCreateProposalRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "transfer";
            amount: components["schemas"]["Amount"];
            /** @example usdc */
            currency?: string;
            /** @description Instead of currency. */
            mint?: components["schemas"]["Address"];
            /** @description An owner, or a token account of this currency. */
            destination: components["schemas"]["Address"] | {
                address: components["schemas"]["Address"];
                /** @description True: the payee is an address that a program signs for, such as a vault that was never used, or an account that a program holds. */
                confirm_program_address?: boolean;
                /**
                 * @description The memo of the payment, written into the transaction. At most 256 bytes of UTF-8.
                 * @example customer 4711
                 */
                memo?: string;
                /** @description Another name of `memo`. For a bank it belongs in `destination.reference`. */
                reference?: string;
            };
            /**
             * @description The memo of the payment, written into the transaction. At most 256 bytes of UTF-8.
             * @example customer 4711
             */
            memo?: string;
            /** @description Another name of `memo`. For a bank it belongs in `destination.reference`. */
            reference?: string;
            /** @description A signer with CAN_INITIATE, who creates the proposal. */
            signer: components["schemas"]["Address"];
            /** @description True: the signer approves it at once. */
            approve?: boolean;
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        TransferEffect: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "transfer";
            /** @description Who pays: the owner, not its token account. */
            from: components["schemas"]["Address"];
            /** @description Who receives: the owner where the bytes or the chain name it, else the token account. */
            to: components["schemas"]["Address"];
            /** @description Null is SOL. */
            mint: components["schemas"]["Address"] | null;
            /** @description What leaves. Of a token account that is closed or unwrapped whole: what it holds at this moment. */
            amount: components["schemas"]["Amount"];
            from_token_account?: components["schemas"]["Address"];
            to_token_account?: components["schemas"]["Address"];
            /** @description What of the amount the mint withholds, as the bytes say. */
            fee?: components["schemas"]["Amount"];
            /** @description True: `from_token_account` is closed, and all of its lamports go to `to`. */
            closes_account?: boolean;
            /** @description `to` is a new account, and this program owns it: only the program moves what is in it. */
            opens_account_for?: components["schemas"]["Address"];
        };
        TransferListAnswer: {
            data: components["schemas"]["Transfer"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description An instruction that names what is not decided yet; a proposal with one cannot be approved here. */
        UndecidedEffect: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "undecided";
            program: string;
            accounts: string[];
            /** @description Base64. */
            data: string;
        };
        /**
         * @example {
         *       "threshold": 2
         *     }
         */
        UpdateAccountRequest: {
            /** @description The whole new list, in place of the old. */
            signers?: components["schemas"]["RequestedSigner"][];
            threshold?: number;
            /** @description Seconds. */
            time_lock?: number;
            /** @description A new admin. Null removes the admin, and the account can never have one again. */
            admin_address?: components["schemas"]["Address"] | null;
            /** @description Policies to be removed: signers of their own who act for the account without its signers' vote. */
            remove_policies?: components["schemas"]["Address"][];
            transaction_signers?: components["schemas"]["Address"][];
            /** @description Only members of this provider sign. */
            provider?: components["schemas"]["SignerProvider"];
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        UpdateAccountResult: {
            /** @description Base64 wire transaction, unsigned. */
            transaction: string;
            /** @description Addresses that must sign, the service's fee payer aside. */
            transaction_signers: components["schemas"]["Address"][];
            kms_payloads: components["schemas"]["KmsPayload"][];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at: string;
            /** @description What it does, read off its bytes. */
            summary: components["schemas"]["SummaryEntry"][];
            fee: components["schemas"]["TransactionFee"];
            /** @description Where the change has to be voted on: the proposal that the transaction opens. */
            proposal_address?: components["schemas"]["Address"];
            /**
             * Format: int64
             * @description Of that proposal.
             */
            transaction_index?: number;
            /** @description Addresses of spending limits that a removed signer could still use afterwards. */
            remaining_spending_limits: components["schemas"]["Address"][];
            /** @description Standing orders that are paid until they are cancelled, also after a change of signers. */
            remaining_mandates: {
                standing_order_id: components["schemas"]["Uuid"];
                spending_limit_address: components["schemas"]["Address"];
            }[];
        };
        UpdateAccountResultAnswer: {
            data: components["schemas"]["UpdateAccountResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /**
         * @example {
         *       "amount": "2000000"
         *     }
         */
        UpdateSpendingLimitRequest: {
            amount?: components["schemas"]["SpendingLimitAmount"];
            /**
             * @description A currency of the environment, or a mint's address. Null or `sol` is SOL.
             * @example usdc
             */
            mint?: string | null;
            period?: components["schemas"]["RequestedPeriod"];
            /** @description Who may use it, without any vote. They need not be signers of the account. */
            spending_limit_signers?: components["schemas"]["Address"][];
            /** @description Owners that may be paid. None: any owner. */
            destinations?: components["schemas"]["Address"][];
            expiration?: components["schemas"]["SpendingLimitExpiration"];
            transaction_signers?: components["schemas"]["Address"][];
            /** @description Only members of this provider sign. */
            provider?: components["schemas"]["SignerProvider"];
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        UpdateSpendingLimitResult: {
            /** @description Base64 wire transaction, unsigned. */
            transaction: string;
            /** @description Addresses that must sign, the service's fee payer aside. */
            transaction_signers: components["schemas"]["Address"][];
            kms_payloads: components["schemas"]["KmsPayload"][];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at: string;
            /** @description What it does, read off its bytes. */
            summary: components["schemas"]["SummaryEntry"][];
            fee: components["schemas"]["TransactionFee"];
            /** @description Of the new limit. */
            spending_limit_address: components["schemas"]["Address"];
        };
        /**
         * @example {
         *       "status": "disabled"
         *     }
         */
        UpdateWebhookEndpointRequest: {
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
        /** Format: uuid */
        Uuid: string;
        VerifiedAccount: {
            address: components["schemas"]["Address"];
            grid_user_id: components["schemas"]["Uuid"];
            policies: components["schemas"]["Policies"];
            authentication: components["schemas"]["Authentication"][];
        };
        VerifiedAccountAnswer: {
            data: components["schemas"]["VerifiedAccount"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        VerifyAccountRequest: {
            email: components["schemas"]["Email"];
            otp_code: components["schemas"]["OneTimeCode"];
            /** @enum {unknown} */
            provider?: "kms_a" | "kms_b" | "kms_c";
            kms_provider_config: components["schemas"]["SessionKeyConfig"];
            /**
             * Format: int64
             * @description When the session is to end, Unix seconds.
             */
            expiration?: number;
        };
        VerifyAuthenticationRequest: {
            email: components["schemas"]["Email"];
            otp_code: components["schemas"]["OneTimeCode"];
            /** @description Needed only for a user with several accounts and no e-mail account. */
            smart_account_address?: components["schemas"]["Address"];
            /** @enum {unknown} */
            provider?: "kms_a" | "kms_b" | "kms_c";
            /**
             * @deprecated
             * @description Another name of provider.
             * @enum {unknown}
             */
            kms_provider?: "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";
            kms_provider_config: {
                encryption_public_key: components["schemas"]["P256PublicKey"];
                /** @description Which code it is; has to match when given. Needed with a publishable key. */
                otp_id?: components["schemas"]["Uuid"];
            };
            assertion?: components["schemas"]["PasskeySignedPayload"];
            /**
             * Format: int64
             * @description When the session is to end, Unix seconds.
             */
            expiration?: number;
        };
        VerifyLegacyAuthenticationRequest: {
            /** @description As auth answered it. */
            mpc_primary_id: components["schemas"]["Uuid"];
            /** @description As auth answered it. */
            otp_id: components["schemas"]["Uuid"];
            otp_code: components["schemas"]["OneTimeCode"];
            /** @description P-256 public key: base64 SPKI DER, or the uncompressed point in hex. */
            auth_public_key: string;
            /** @description Life of the bundle in seconds; one hour unless auth or this names another. */
            expiration?: number;
            /** @description Needed only for a user with several accounts and no e-mail account. */
            smart_account_address?: components["schemas"]["Address"];
        };
        VerifyLegacyAuthenticationResult: {
            /** @description Base58check of the 33-byte encapsulated key and the ciphertext behind it. */
            credential_bundle: string;
            account_info: {
                mpc_primary_id: components["schemas"]["Uuid"];
                /** @description Base58: the address of the wallet. */
                smart_account_signer_public_key: components["schemas"]["Address"];
                wallet_id: components["schemas"]["Uuid"];
                smart_account_address: components["schemas"]["Address"];
                grid_user_id: components["schemas"]["Uuid"];
            };
        };
        VerifyLegacyAuthenticationResultAnswer: {
            data: components["schemas"]["VerifyLegacyAuthenticationResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        VirtualAccount: {
            id: components["schemas"]["Uuid"];
            /** @description What the partner calls the customer. */
            customer_id: string;
            /**
             * @description Only an activated one receives money.
             * @enum {unknown}
             */
            status: "activated" | "deactivated";
            /** @description A decimal; taken from every deposit. */
            developer_fee_percent: string;
            destination: components["schemas"]["CoinDestination"];
            source_deposit_instructions: components["schemas"]["BankInstructions"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            /** @description Whose money it is. */
            grid_user_id: components["schemas"]["Uuid"];
            /**
             * @description That of the bank.
             * @example usd
             */
            currency: string;
            /**
             * @example [
             *       "ach_push",
             *       "wire"
             *     ]
             */
            payment_rails: string[];
            /** @description The end of its number, once the partner has reported it. */
            last_4?: string;
        };
        VirtualAccountAnswer: {
            data: components["schemas"]["VirtualAccount"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        VirtualAccountListAnswer: {
            data: components["schemas"]["VirtualAccount"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        VirtualAccountRequest: {
            /**
             * @description The currency of the bank: `usd`, `eur`, `gbp`, …, as the partner offers them.
             * @example usd
             */
            currency: string;
            /** @description The account's user; derived where absent. */
            grid_user_id?: components["schemas"]["Uuid"];
        };
        VirtualAccountSnapshot: {
            id: components["schemas"]["Uuid"];
            /**
             * @description Only an activated one receives money.
             * @enum {unknown}
             */
            status: "activated" | "deactivated";
            /** @description A decimal; taken from every deposit. */
            developer_fee_percent: string;
            destination: components["schemas"]["CoinDestination"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The smart account. */
            account: components["schemas"]["Address"];
            /** @description Whose money it is. */
            grid_user_id: components["schemas"]["Uuid"];
            /**
             * @description That of the bank.
             * @example usd
             */
            currency: string;
            /**
             * @example [
             *       "ach_push",
             *       "wire"
             *     ]
             */
            payment_rails: string[];
            /** @description The end of its number, once the partner has reported it. */
            last_4?: string;
        };
        VoteAndExecuteProposalRequest: {
            signers: components["schemas"]["Address"][];
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        VoteAndExecuteProposalResult: {
            /** @description Who votes or executes in the transaction. */
            signers: components["schemas"]["Address"][];
            /** @description Base64 wire transactions, unsigned, for the multiple submit. */
            transactions: string[];
            /** @description Addresses that must sign, the service's fee payer aside. */
            transaction_signers: components["schemas"]["Address"][];
            /** @description One array per transaction, in their order. */
            kms_payloads: components["schemas"]["KmsPayload"][][];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at: string;
            /** @description What it does, read off its bytes. */
            summary: components["schemas"]["SummaryEntry"][];
            fee: components["schemas"]["TransactionFee"];
            proposal: components["schemas"]["ProposalDetails"];
        };
        VoteAndExecuteProposalResultAnswer: {
            data: components["schemas"]["VoteAndExecuteProposalResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        VoteOnProposalRequest: {
            /**
             * @description approve or reject while Active, cancel while Approved.
             * @enum {unknown}
             */
            action: "approve" | "reject" | "cancel";
            signers: components["schemas"]["Address"][];
            /** @description True: approve also what cannot be read here (warning `unreadable_content`). */
            approve_unreadable?: boolean;
            fee_config?: components["schemas"]["FeeConfig"];
            /** @description Who pays with self_managed_fees: a key of the caller's. */
            payer_address?: components["schemas"]["Address"];
        };
        VoteOnProposalResult: {
            /** @description Whose votes are in the transaction. */
            signers: components["schemas"]["Address"][];
            /** @description Base64 wire transaction, unsigned. */
            transaction: string;
            /** @description Addresses that must sign, the service's fee payer aside. */
            transaction_signers: components["schemas"]["Address"][];
            kms_payloads: components["schemas"]["KmsPayload"][];
            /**
             * Format: date-time
             * @description Until when it can be submitted.
             */
            expires_at: string;
            /** @description What it does, read off its bytes. */
            summary: components["schemas"]["SummaryEntry"][];
            fee: components["schemas"]["TransactionFee"];
            proposal: components["schemas"]["ProposalDetails"];
        };
        VoteOnProposalResultAnswer: {
            data: components["schemas"]["VoteOnProposalResult"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        VoteSummaryEntry: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "vote";
            /** @description The proposal's address. */
            proposal: components["schemas"]["Address"];
            /** Format: int64 */
            transaction_index: number;
            /** @enum {unknown} */
            action: "approve" | "reject" | "cancel";
            signer: components["schemas"]["Address"];
        };
        WalletExport: {
            id: components["schemas"]["Uuid"];
            /** @description Whose wallet it is. */
            grid_user_id: components["schemas"]["Uuid"];
            /**
             * @description Who holds the wallet.
             * @enum {unknown}
             */
            provider: "kms_a" | "kms_b" | "kms_c";
            /** @description That wallet. */
            signer: components["schemas"]["Address"];
            /** @description As it was signed. */
            recipient_public_key: string;
            /** @enum {unknown} */
            status: "waiting" | "ready" | "exported" | "cancelled" | "expired";
            /**
             * Format: date-time
             * @description When its owner asked for it.
             */
            requested_at: string;
            /**
             * Format: date-time
             * @description From when on the key can be read.
             */
            not_before: string;
            /**
             * Format: date-time
             * @description From when on it cannot be read any more.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When the key was first read.
             */
            exported_at?: string;
            /**
             * Format: date-time
             * @description When it was cancelled.
             */
            cancelled_at?: string;
            sealed_key?: components["schemas"]["SealedWalletKey"];
        };
        WalletExportAnswer: {
            data: components["schemas"]["WalletExport"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        WalletExportListAnswer: {
            data: components["schemas"]["WalletExport"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        WalletExportSnapshot: {
            id: components["schemas"]["Uuid"];
            /** @description Whose wallet it is. */
            grid_user_id: components["schemas"]["Uuid"];
            /**
             * @description Who holds the wallet.
             * @enum {unknown}
             */
            provider: "kms_a" | "kms_b" | "kms_c";
            /** @description That wallet. */
            signer: components["schemas"]["Address"];
            /** @description As it was signed. */
            recipient_public_key: string;
            /** @enum {unknown} */
            status: "waiting" | "ready" | "exported" | "cancelled" | "expired";
            /**
             * Format: date-time
             * @description When its owner asked for it.
             */
            requested_at: string;
            /**
             * Format: date-time
             * @description From when on the key can be read.
             */
            not_before: string;
            /**
             * Format: date-time
             * @description From when on it cannot be read any more.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When the key was first read.
             */
            exported_at?: string;
            /**
             * Format: date-time
             * @description When it was cancelled.
             */
            cancelled_at?: string;
        };
        WalletExportTerms: {
            /** @description From an order to the key's leaving. Outside of the sandbox it is 86400 at least. */
            delay_seconds: number;
        };
        WalletExportTermsAnswer: {
            data: components["schemas"]["WalletExportTerms"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        WalletImport: {
            /** @description Of the import. */
            id: components["schemas"]["Uuid"];
            /** @description Whose wallet it is. */
            grid_user_id: components["schemas"]["Uuid"];
            wallet: {
                /** @description Of the key. */
                address: components["schemas"]["Address"];
                /**
                 * @description Who holds it now.
                 * @enum {unknown}
                 */
                provider: "kms_a" | "kms_b" | "kms_c";
                /** Format: date-time */
                imported_at: string;
            };
        };
        WalletImportAnswer: {
            data: components["schemas"]["WalletImport"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        WalletProof: {
            /** @description Names the wallet and holds `wallet_nonce`. */
            message: string;
            /** @description Ed25519, base64, over the text's UTF-8 bytes. */
            signature: string;
        };
        WebhookAttempt: {
            id: string;
            event_id: string;
            event_type: string;
            /**
             * Format: int64
             * @description Counted from one.
             */
            attempt: number;
            /** @enum {unknown} */
            status: "delivered" | "failed";
            /**
             * Format: int64
             * @description Of the receiver's answer.
             */
            response_status?: number;
            /** @description In a word, why there was no answer. */
            error?: string;
            /** @description The beginning of the receiver's answer. */
            response_body?: string;
            /** Format: int64 */
            duration_ms: number;
            /** Format: date-time */
            attempted_at: string;
        };
        WebhookAttemptAnswer: {
            data: components["schemas"]["WebhookAttempt"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        WebhookAttemptListAnswer: {
            data: components["schemas"]["WebhookAttempt"][];
            metadata: components["schemas"]["ResponseMetadata"];
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
             * @description It answered 410, failed for too long, or was paused.
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
        WebhookEndpointAnswer: {
            data: components["schemas"]["WebhookEndpoint"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        WebhookEndpointListAnswer: {
            data: components["schemas"]["WebhookEndpoint"][];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        WebhookEndpointWithSecret: {
            /** @example we_… */
            id: string;
            url: string;
            types: string[];
            description?: string;
            /** @enum {unknown} */
            status: "enabled" | "disabled";
            /**
             * @description It answered 410, failed for too long, or was paused.
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
            /** @description `whsec_…`. It is not returned again. */
            secret: string;
        };
        WebhookEndpointWithSecretAnswer: {
            data: components["schemas"]["WebhookEndpointWithSecret"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description A transaction, legacy or v0: 1,232 bytes at most, in base64. */
        WireTransaction: string;
        WriteBufferSummaryEntry: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "write_buffer";
            /** @description Where a message is put together that does not fit one transaction. */
            buffer: components["schemas"]["Address"];
            /** @description Whose buffer it is; its rent goes there once it is used or given up. */
            signer: components["schemas"]["Address"];
            /**
             * Format: int64
             * @description How much of the message it adds.
             */
            bytes: number;
            /** @description Of the first part: who pays the buffer's rent. */
            rent_payer?: components["schemas"]["Address"];
            /** @description Of the first part: of the whole message. */
            message_sha256?: components["schemas"]["Sha256"];
            /**
             * Format: int64
             * @description Of the first part: of the whole message.
             */
            message_bytes?: number;
        };
    };
    responses: {
        /** @description `creation_queue_full`, `service_unavailable`, `tenant_frozen` */
        CreateAccount503: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `body_too_large` */
        BodyTooLarge: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unsupported_media_type` */
        UnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `api_key_required`, `invalid_api_key`, `api_key_disabled`, `api_key_expired` */
        CreateAccount401: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "www-authenticate": components["headers"]["www-authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `insufficient_scope`, `address_not_allowed`, `origin_not_allowed`, `secret_key_required` */
        CreateAccount403: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `idempotency_key_reused` */
        IdempotencyKeyReused: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error` */
        InternalError: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `account_creation_failed`, `provider_unavailable`, `chain_unavailable` */
        VerifyAccount502: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `passkey_required`, `api_key_required`, `invalid_api_key`, `api_key_disabled`, `api_key_expired` */
        VerifyAccount401: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "www-authenticate": components["headers"]["www-authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `submission_in_progress`, `idempotency_in_progress` */
        VerifyAccount409: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `sponsorship_limit_exceeded`, `daily_limit_exceeded`, `rate_limit_exceeded` */
        CreateCustomAccount429: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `account_not_found` */
        AccountNotFound: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `provider_unavailable`, `chain_unavailable` */
        ImportAccount502: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `daily_limit_exceeded`, `rate_limit_exceeded` */
        ImportAccount429: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `tenant_frozen` */
        TenantFrozen: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `chain_unavailable` */
        ChainUnavailable: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
        GetAccount400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate_limit_exceeded` */
        RateLimitExceeded: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `api_key_required`, `invalid_api_key`, `api_key_disabled`, `api_key_expired`, `session_required`, `invalid_session` */
        GetAccount401: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "www-authenticate": components["headers"]["www-authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `insufficient_scope`, `address_not_allowed`, `origin_not_allowed` */
        GetAccount403: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `proposal_index_conflict`, `idempotency_in_progress` */
        UpdateAccount409: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `insufficient_permissions`, `insufficient_scope`, `address_not_allowed`, `origin_not_allowed`, `secret_key_required` */
        UpdateAccount403: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `account_not_found`, `spending_limit_not_found` */
        SubmitTransactions404: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `session_expired`, `api_key_required`, `invalid_api_key`, `api_key_disabled`, `api_key_expired`, `session_required`, `invalid_session` */
        SubmitTransactions401: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "www-authenticate": components["headers"]["www-authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `guardian_refused`, `insufficient_permissions`, `insufficient_scope`, `address_not_allowed`, `origin_not_allowed` */
        SubmitTransactions403: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `account_not_found`, `user_not_found` */
        VerifyAuthentication404: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `account_not_found`, `external_account_not_found` */
        CreateStandingOrder404: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `kyc_required`, `insufficient_permissions`, `insufficient_scope`, `address_not_allowed`, `origin_not_allowed`, `secret_key_required` */
        CreateStandingOrder403: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `partner_unavailable`, `chain_unavailable` */
        CreateStandingOrder502: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_cursor`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
        ListStandingOrders400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `account_not_found`, `standing_order_not_found` */
        GetStandingOrder404: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `forbidden_account`, `admin_required`, `account_has_no_admin`, `unsupported_fee_config`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
        CancelStandingOrder400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `account_not_found`, `proposal_not_found` */
        GetProposal404: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `proposal_account_mismatch`, `insufficient_permissions`, `insufficient_scope`, `address_not_allowed`, `origin_not_allowed` */
        VoteOnProposal403: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `insufficient_permissions`, `insufficient_scope`, `address_not_allowed`, `origin_not_allowed` */
        CreateProposal403: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `idempotency_in_progress` */
        IdempotencyInProgress: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `forbidden_account`, `transaction_too_large`, `rent_not_sponsored`, `unsupported_fee_config`, `invalid_transaction`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
        ExecuteProposal400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_proposal_status`, `stale_proposal`, `unreadable_content`, `undecided_content`, `time_lock_not_released`, `idempotency_in_progress` */
        ExecuteProposal409: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_email`, `invalid_expiration`, `provider_not_available`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
        StartAuthentication400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `user_not_found` */
        UserNotFound: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `mail_limit_exceeded`, `rate_limit_exceeded` */
        StartAuthentication429: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `mail_unavailable`, `provider_unavailable` */
        StartAuthentication502: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `passkeys_not_configured` */
        PasskeysNotConfigured: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `environment_required`, `invalid_environment`, `environment_not_available` */
        BeginPasskeySignIn400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `provider_unavailable` */
        ProviderUnavailable: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `account_not_found`, `session_not_found` */
        EndSession404: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
        EndSession400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `malformed_json`, `invalid_request`, `invalid_idempotency_key` */
        SetSessionPolicy400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `account_not_found`, `passkey_not_found` */
        RenamePasskey404: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
        RenamePasskey400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `provider_not_available`, `missing_signature`, `invalid_signature`, `wrong_signing_key`, `payload_already_used`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
        SetPasskeyRequirement400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `mail_limit_exceeded`, `daily_limit_exceeded`, `rate_limit_exceeded` */
        BeginWalletExport429: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `otp_attempts_exceeded`, `daily_limit_exceeded`, `rate_limit_exceeded` */
        RequestWalletExport429: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `passkey_signature_required`, `insufficient_permissions`, `insufficient_scope`, `address_not_allowed`, `origin_not_allowed` */
        RequestWalletExport403: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `account_not_found`, `wallet_export_not_found` */
        GetWalletExport404: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_request` */
        Refused: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `proposal_required`, `idempotency_in_progress` */
        PrepareTransaction409: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `proposal_required`, `submission_in_progress`, `idempotency_in_progress` */
        PreparePayment409: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `account_not_found`, `payment_intent_not_found` */
        GetPaymentIntent404: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `kyc_required`, `insufficient_scope`, `address_not_allowed`, `origin_not_allowed`, `secret_key_required` */
        AddExternalAccount403: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `partner_unavailable` */
        PartnerUnavailable: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_cursor`, `unsupported_currency`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
        ListTransfers400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_email`, `rail_not_available`, `partner_refused`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
        StartKyc400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `account_not_found`, `kyc_not_found` */
        GetKyc404: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rent_not_sponsored`, `unsupported_currency`, `destination_frozen`, `destination_closed`, `rail_not_available`, `partner_refused`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
        RequestVirtualAccount400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `virtual_account_exists`, `submission_in_progress`, `idempotency_in_progress` */
        RequestVirtualAccount409: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `sponsorship_limit_exceeded`, `rate_limit_exceeded` */
        CreateLegacyPaymentIntent429: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unknown_event_type`, `invalid_webhook_url`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
        CreateWebhookEndpoint400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `webhook_endpoint_not_found` */
        WebhookEndpointNotFound: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `webhook_endpoint_disabled`, `idempotency_in_progress` */
        TestWebhookEndpoint409: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `event_not_found`, `webhook_endpoint_not_found` */
        ListWebhookAttempts404: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_cursor`, `invalid_request` */
        ListAuditEvents400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `api_key_limit`, `idempotency_in_progress` */
        CreateApiKey409: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_request`, `invalid_idempotency_key` */
        RevokeApiKey400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `tenant_not_found` */
        TenantNotFound: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `virtual_account_not_found` */
        VirtualAccountNotFound: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rail_not_available`, `malformed_json`, `invalid_request`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
        SandboxSetVirtualAccountStatus400: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
        environment: components["schemas"]["EnvironmentHeader"];
        /** @description The environment, always. */
        environmentRequired: components["schemas"]["EnvironmentHeader"];
        /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
        idempotencyKey: string;
        /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "email",
                 *       "email": "ada@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["CreateAccountRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "type": "email",
                     *         "status": "pending_verification",
                     *         "email": "ada@example.org",
                     *         "otp_sent": true,
                     *         "protection": "plain",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "expires_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreateAccountResultAnswer"];
                };
            };
            /** @description `invalid_email`, `grid_account_already_exists_for_user`, `invalid_policies`, `invalid_address`, `forbidden_account`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            /** @description `guardian_not_configured`, `passkeys_not_configured`, `submission_in_progress`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            /** @description `mail_limit_exceeded`, `sponsorship_limit_exceeded`, `daily_limit_exceeded`, `rate_limit_exceeded` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            /** @description `account_creation_failed`, `mail_unavailable`, `chain_unavailable` */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["CreateAccount503"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org",
                 *       "otp_code": "042137",
                 *       "kms_provider_config": {
                 *         "encryption_public_key": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q=="
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["VerifyAccountRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "policies": {
                     *           "signers": [
                     *             {
                     *               "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *               "permissions": [
                     *                 "CAN_INITIATE"
                     *               ],
                     *               "role": "primary",
                     *               "provider": "kms_a"
                     *             }
                     *           ],
                     *           "threshold": 1,
                     *           "admin_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "time_lock": 0
                     *         },
                     *         "authentication": [
                     *           {
                     *             "provider": "kms_a",
                     *             "session": {}
                     *           }
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VerifiedAccountAnswer"];
                };
            };
            /** @description `invalid_email`, `invalid_otp`, `otp_expired`, `otp_attempts_exceeded`, `invalid_encryption_public_key`, `invalid_expiration`, `provider_not_available`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["VerifyAccount401"];
            403: components["responses"]["CreateAccount403"];
            409: components["responses"]["VerifyAccount409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            /** @description `otp_attempts_exceeded`, `sponsorship_limit_exceeded`, `daily_limit_exceeded`, `rate_limit_exceeded` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            502: components["responses"]["VerifyAccount502"];
            503: components["responses"]["CreateAccount503"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "policies": {
                 *         "signers": [
                 *           {
                 *             "type": "email",
                 *             "email": "ada@example.org",
                 *             "provider": "kms_a",
                 *             "permissions": [
                 *               "CAN_INITIATE",
                 *               "CAN_VOTE",
                 *               "CAN_EXECUTE"
                 *             ]
                 *           },
                 *           {
                 *             "type": "pubkey",
                 *             "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *             "permissions": [
                 *               "CAN_INITIATE",
                 *               "CAN_VOTE",
                 *               "CAN_EXECUTE"
                 *             ]
                 *           }
                 *         ],
                 *         "threshold": 2,
                 *         "time_lock": 3600
                 *       },
                 *       "memo": "treasury"
                 *     }
                 */
                "application/json": components["schemas"]["CreateCustomAccountRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "type": "custom",
                     *         "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "settings_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "policies": {
                     *           "signers": [
                     *             {
                     *               "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *               "permissions": [
                     *                 "CAN_INITIATE"
                     *               ],
                     *               "role": "primary",
                     *               "provider": "kms_a"
                     *             }
                     *           ],
                     *           "threshold": 1,
                     *           "adminAddress": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "timeLock": 0
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CustomAccountAnswer"];
                };
            };
            /** @description `invalid_email`, `invalid_policies`, `invalid_address`, `forbidden_account`, `provider_not_available`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            409: components["responses"]["VerifyAccount409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateCustomAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["VerifyAccount502"];
            503: components["responses"]["CreateAccount503"];
        };
    };
    importAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "settings_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *       "email": "ada@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["ImportAccountRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "settings_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "status": "unproven",
                     *         "policies": {
                     *           "signers": [
                     *             {
                     *               "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *               "permissions": [
                     *                 "CAN_INITIATE"
                     *               ],
                     *               "role": "primary",
                     *               "provider": "kms_a"
                     *             }
                     *           ],
                     *           "threshold": 1,
                     *           "admin_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "time_lock": 0
                     *         },
                     *         "wallets": [
                     *           {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "provider": "kms_a"
                     *           }
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ImportAccountResultAnswer"];
                };
            };
            /** @description `invalid_email`, `invalid_import_proof`, `invalid_address`, `forbidden_account`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["AccountNotFound"];
            /** @description `account_served_elsewhere`, `submission_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ImportAccount502"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    releaseAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ReleaseAccountRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "settings_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "status": "active",
                     *         "obstacles": [
                     *           {
                     *             "type": "transaction",
                     *             "id": "text"
                     *           }
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReleaseAccountResultAnswer"];
                };
            };
            /** @description `invalid_release_proof`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["AccountNotFound"];
            /** @description `account_not_releasable`, `account_in_use`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                /** @description The smart account's address. */
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "status": "active",
                     *         "type": "email",
                     *         "policies": {
                     *           "signers": [
                     *             {
                     *               "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *               "permissions": [
                     *                 "CAN_INITIATE"
                     *               ],
                     *               "role": "primary",
                     *               "provider": "kms_a"
                     *             }
                     *           ],
                     *           "threshold": 1,
                     *           "admin_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "time_lock": 0
                     *         },
                     *         "protection": "plain",
                     *         "settings_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "threshold": 2
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAccountRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "transaction_signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "kms_payloads": [
                     *           {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *             "provider": "kms_a"
                     *           }
                     *         ],
                     *         "expires_at": "2026-01-15T12:00:00.000Z",
                     *         "summary": [
                     *           {
                     *             "type": "transfer",
                     *             "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *             "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *             "amount": "1000000"
                     *           }
                     *         ],
                     *         "fee": {
                     *           "lamports": "10000",
                     *           "rent_lamports": "0",
                     *           "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *         },
                     *         "remaining_spending_limits": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "remaining_mandates": [
                     *           {
                     *             "standing_order_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *             "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *           }
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UpdateAccountResultAnswer"];
                };
            };
            /** @description `invalid_policies`, `invalid_address`, `forbidden_account`, `admin_required`, `account_has_no_admin`, `no_changes`, `transaction_too_large`, `unsupported_fee_config`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["UpdateAccount403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["UpdateAccount409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateCustomAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    protectAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "recovery": {
                 *         "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ProtectAccountRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "guardian": {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "provider": "kms_a",
                     *           "passkeys": 0
                     *         },
                     *         "session_wallet": {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "provider": "kms_a"
                     *         },
                     *         "remaining_spending_limits": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "remaining_mandates": [
                     *           {
                     *             "standing_order_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *             "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *           }
                     *         ],
                     *         "remaining_proposals": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "remaining_policies": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "exported_signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProtectAccountResultAnswer"];
                };
            };
            /** @description `invalid_address`, `forbidden_account`, `provider_not_available`, `admin_required`, `no_changes`, `transaction_too_large`, `unsupported_fee_config`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["UpdateAccount403"];
            404: components["responses"]["AccountNotFound"];
            /** @description `guardian_not_configured`, `passkeys_not_configured`, `proposal_index_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateCustomAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ImportAccount502"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    renewWallets: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "wallet_nonce": "5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e"
                 *     }
                 */
                "application/json": components["schemas"]["RenewWalletsRequest"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "replaces": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "provider": "kms_a",
                     *           "proof": {
                     *             "message": "Sign this text.",
                     *             "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
                     *           }
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RenewedWalletListAnswer"];
                };
            };
            /** @description `no_changes`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["AccountNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ImportAccount502"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                 *       "kms_payloads": [
                 *         {
                 *           "provider": "kms_a",
                 *           "kms_signed_payload": {
                 *             "signature": "MEUCIQDxyz0="
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SubmitTransactionRequest"] | components["schemas"]["SubmitSeveralTransactionsRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "transaction_signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                     *         "confirmed_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SubmitTransactionsResultAnswer"];
                };
            };
            /** @description `forbidden_account`, `provider_not_available`, `admin_required`, `spending_limit_exceeded`, `spending_limit_expired`, `destination_not_allowed`, `transaction_too_large`, `rent_not_sponsored`, `invalid_transaction`, `transaction_not_prepared`, `missing_signature`, `invalid_signature`, `wrong_signing_key`, `payload_expired`, `payload_already_used`, `blockhash_expired`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["SubmitTransactions401"];
            403: components["responses"]["SubmitTransactions403"];
            404: components["responses"]["SubmitTransactions404"];
            /** @description `proposal_index_conflict`, `transaction_buffer_conflict`, `already_voted`, `invalid_proposal_status`, `stale_proposal`, `unreadable_content`, `undecided_content`, `time_lock_not_released`, `proposal_required`, `submission_in_progress`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateCustomAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ImportAccount502"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org",
                 *       "otp_code": "042137",
                 *       "kms_provider_config": {
                 *         "encryption_public_key": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q=="
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["VerifyAuthenticationRequest"];
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
                    /**
                     * @example {
                     *       "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *       "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *       "policies": {
                     *         "signers": [
                     *           {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "permissions": [
                     *               "CAN_INITIATE"
                     *             ],
                     *             "role": "primary",
                     *             "provider": "kms_a"
                     *           }
                     *         ],
                     *         "threshold": 1,
                     *         "admin_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "time_lock": 0
                     *       },
                     *       "authentication": [
                     *         {
                     *           "provider": "kms_a",
                     *           "session": {}
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["VerifiedAccount"];
                };
            };
            /** @description `invalid_email`, `account_ambiguous`, `invalid_otp`, `otp_expired`, `otp_attempts_exceeded`, `invalid_encryption_public_key`, `invalid_expiration`, `provider_not_available`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_passkey`, `passkey_required`, `api_key_required`, `invalid_api_key`, `api_key_disabled`, `api_key_expired` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["VerifyAuthentication404"];
            409: components["responses"]["VerifyAccount409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            /** @description `otp_attempts_exceeded`, `sponsorship_limit_exceeded`, `rate_limit_exceeded` */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            502: components["responses"]["VerifyAccount502"];
            503: components["responses"]["CreateAccount503"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "1000000",
                 *       "source": {
                 *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *         "currency": "usdc"
                 *       },
                 *       "destination": {
                 *         "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *         "currency": "usdc"
                 *       },
                 *       "frequency": "monthly"
                 *     }
                 */
                "application/json": components["schemas"]["CreateStandingOrderRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "status": "pending",
                     *         "mandate": "awaited",
                     *         "amount": "1000000",
                     *         "ui_amount": "1",
                     *         "currency": "usdc",
                     *         "frequency": "daily",
                     *         "period": "daily",
                     *         "payment_rail": "solana",
                     *         "source": {
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana",
                     *           "details": {
                     *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                     *           }
                     *         },
                     *         "destination": {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana",
                     *           "details": {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                     *           }
                     *         },
                     *         "destinations": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "start_date": "2026-01-15T12:00:00.000Z",
                     *         "next_execution_date": "2026-01-15T12:00:00.000Z",
                     *         "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "executor_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "valid_until": "2026-01-15T12:00:00.000Z",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z",
                     *         "next_execution_dates": [
                     *           "2026-01-15T12:00:00.000Z"
                     *         ],
                     *         "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "transaction_signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "kms_payloads": [
                     *           {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *             "provider": "kms_a"
                     *           }
                     *         ],
                     *         "expires_at": "2026-01-15T12:00:00.000Z",
                     *         "summary": [
                     *           {
                     *             "type": "transfer",
                     *             "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *             "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *             "amount": "1000000"
                     *           }
                     *         ],
                     *         "fee": {
                     *           "lamports": "10000",
                     *           "rent_lamports": "0",
                     *           "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreateStandingOrderResultAnswer"];
                };
            };
            /** @description `invalid_address`, `forbidden_account`, `admin_required`, `account_has_no_admin`, `standing_orders_not_available`, `start_date_in_past`, `transaction_too_large`, `rent_not_sponsored`, `unsupported_currency`, `mint_paused`, `source_frozen`, `destination_frozen`, `destination_closed`, `destination_unconfirmed`, `memo_required`, `unsupported_fee_config`, `rail_not_available`, `partner_refused`, `invalid_amount`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateStandingOrder403"];
            404: components["responses"]["CreateStandingOrder404"];
            /** @description `proposal_index_conflict`, `standing_order_limit_exceeded`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateCustomAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["CreateStandingOrder502"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    listStandingOrders: {
        parameters: {
            query?: {
                /** @description Repeat it for several. */
                status?: components["schemas"]["OrderStatus"][];
                /** @description A symbol, or a mint. */
                currency?: string;
                /** @description Created then or later. */
                start_date?: string;
                /** @description Created then or earlier. */
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example [
                     *       {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "status": "pending",
                     *         "mandate": "awaited",
                     *         "amount": "1000000",
                     *         "ui_amount": "1",
                     *         "currency": "usdc",
                     *         "frequency": "daily",
                     *         "period": "daily",
                     *         "payment_rail": "solana",
                     *         "source": {
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana",
                     *           "details": {
                     *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                     *           }
                     *         },
                     *         "destination": {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana",
                     *           "details": {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                     *           }
                     *         },
                     *         "destinations": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "start_date": "2026-01-15T12:00:00.000Z",
                     *         "next_execution_date": "2026-01-15T12:00:00.000Z",
                     *         "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "executor_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "valid_until": "2026-01-15T12:00:00.000Z",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StandingOrder"][];
                };
            };
            400: components["responses"]["ListStandingOrders400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    getStandingOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                id: components["schemas"]["Uuid"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "status": "pending",
                     *         "mandate": "awaited",
                     *         "amount": "1000000",
                     *         "ui_amount": "1",
                     *         "currency": "usdc",
                     *         "frequency": "daily",
                     *         "period": "daily",
                     *         "payment_rail": "solana",
                     *         "source": {
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana",
                     *           "details": {
                     *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                     *           }
                     *         },
                     *         "destination": {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana",
                     *           "details": {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                     *           }
                     *         },
                     *         "destinations": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "start_date": "2026-01-15T12:00:00.000Z",
                     *         "next_execution_date": "2026-01-15T12:00:00.000Z",
                     *         "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "executor_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "valid_until": "2026-01-15T12:00:00.000Z",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StandingOrderAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["GetStandingOrder404"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                id: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["DecisionRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "status": "pending",
                     *         "mandate": "awaited",
                     *         "amount": "1000000",
                     *         "ui_amount": "1",
                     *         "currency": "usdc",
                     *         "frequency": "daily",
                     *         "period": "daily",
                     *         "payment_rail": "solana",
                     *         "source": {
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana",
                     *           "details": {
                     *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                     *           }
                     *         },
                     *         "destination": {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana",
                     *           "details": {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                     *           }
                     *         },
                     *         "destinations": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "start_date": "2026-01-15T12:00:00.000Z",
                     *         "next_execution_date": "2026-01-15T12:00:00.000Z",
                     *         "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "executor_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "valid_until": "2026-01-15T12:00:00.000Z",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StandingOrderChangeAnswer"];
                };
            };
            400: components["responses"]["CancelStandingOrder400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["UpdateAccount403"];
            404: components["responses"]["GetStandingOrder404"];
            /** @description `proposal_index_conflict`, `submission_in_progress`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateCustomAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                id: components["schemas"]["Uuid"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "standing_order_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "due_at": "2026-01-15T12:00:00.000Z",
                     *           "state": "scheduled",
                     *           "amount": "1000000",
                     *           "currency": "usdc",
                     *           "attempts": 0,
                     *           "paid_at": "2026-01-15T12:00:00.000Z",
                     *           "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                     *           "error": "text"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StandingOrderRunListAnswer"];
                };
            };
            400: components["responses"]["ListStandingOrders400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["GetStandingOrder404"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                id: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["DecisionRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "status": "pending",
                     *         "mandate": "awaited",
                     *         "amount": "1000000",
                     *         "ui_amount": "1",
                     *         "currency": "usdc",
                     *         "frequency": "daily",
                     *         "period": "daily",
                     *         "payment_rail": "solana",
                     *         "source": {
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana",
                     *           "details": {
                     *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                     *           }
                     *         },
                     *         "destination": {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana",
                     *           "details": {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                     *           }
                     *         },
                     *         "destinations": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "start_date": "2026-01-15T12:00:00.000Z",
                     *         "next_execution_date": "2026-01-15T12:00:00.000Z",
                     *         "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "executor_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "valid_until": "2026-01-15T12:00:00.000Z",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StandingOrderChangeAnswer"];
                };
            };
            /** @description `forbidden_account`, `admin_required`, `account_has_no_admin`, `standing_orders_not_available`, `rent_not_sponsored`, `unsupported_fee_config`, `rail_not_available`, `partner_refused`, `invalid_amount`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateStandingOrder403"];
            /** @description `account_not_found`, `standing_order_not_found`, `external_account_not_found` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `proposal_index_conflict`, `standing_order_limit_exceeded`, `invalid_standing_order_status`, `submission_in_progress`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateCustomAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["CreateStandingOrder502"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "proposalAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "status": "Active",
                     *           "statusTimestamp": 1768478400,
                     *           "approved": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "rejected": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "cancelled": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "consensusAccount": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "consensusAccountType": "Settings",
                     *           "mainAccountAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "settingsAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "transactionIndex": 7,
                     *           "stale": false,
                     *           "closed": false,
                     *           "kind": "transaction"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProposalListAnswer"];
                };
            };
            400: components["responses"]["ListStandingOrders400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "transfer",
                 *       "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *       "amount": "1000000",
                 *       "currency": "usdc",
                 *       "destination": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *       "approve": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateProposalRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "proposalAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "transactionIndex": 7,
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "transactions": [
                     *           "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                     *         ],
                     *         "transaction_signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "kms_payloads": [
                     *           [
                     *             {
                     *               "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *               "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *               "provider": "kms_a"
                     *             }
                     *           ]
                     *         ],
                     *         "expires_at": "2026-01-15T12:00:00.000Z",
                     *         "summary": [
                     *           {
                     *             "type": "transfer",
                     *             "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *             "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *             "amount": "1000000"
                     *           }
                     *         ],
                     *         "fee": {
                     *           "lamports": "10000",
                     *           "rent_lamports": "0",
                     *           "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreateProposalResultAnswer"];
                };
            };
            /** @description `invalid_policies`, `invalid_address`, `forbidden_account`, `admin_required`, `no_changes`, `transaction_too_large`, `rent_not_sponsored`, `unsupported_currency`, `mint_paused`, `source_frozen`, `destination_frozen`, `destination_closed`, `destination_unconfirmed`, `memo_required`, `unsupported_fee_config`, `invalid_amount`, `invalid_transaction`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["CreateProposal403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["UpdateAccount409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateCustomAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    listAllProposals: {
        parameters: {
            query?: {
                /** @description Repeat it for several. */
                status?: ("Active" | "Approved" | "Executed" | "Rejected" | "Cancelled")[];
                /** @description Only this account's, by their transaction indexes. */
                account?: components["schemas"]["Address"];
                /** @description Only those whose vote is or was up to this signer. */
                signer?: components["schemas"]["Address"];
                /** @description Only Active ones that this signer may vote on and has neither approved nor rejected. */
                waiting_for?: components["schemas"]["Address"];
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "proposalAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "status": "Active",
                     *           "statusTimestamp": 1768478400,
                     *           "approved": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "rejected": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "cancelled": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "consensusAccount": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "consensusAccountType": "Settings",
                     *           "mainAccountAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "settingsAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "transactionIndex": 7,
                     *           "stale": false,
                     *           "closed": false,
                     *           "kind": "transaction",
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountProposalListAnswer"];
                };
            };
            /** @description `invalid_address`, `invalid_cursor`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["GetAccount401"];
            /** @description `secret_key_required`, `insufficient_scope`, `address_not_allowed`, `origin_not_allowed` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                proposal_address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "proposalAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "status": "Active",
                     *         "statusTimestamp": 1768478400,
                     *         "approved": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "rejected": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "cancelled": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "consensusAccount": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "consensusAccountType": "Settings",
                     *         "mainAccountAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "settingsAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "transactionIndex": 7,
                     *         "stale": false,
                     *         "closed": false,
                     *         "kind": "transaction",
                     *         "summary": [
                     *           {
                     *             "type": "transfer",
                     *             "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *             "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *             "amount": "1000000"
                     *           }
                     *         ],
                     *         "warnings": [
                     *           {
                     *             "code": "durable_nonce",
                     *             "message": "Sign this text."
                     *           }
                     *         ],
                     *         "votesNeeded": 0
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProposalDetailsAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["GetAccount401"];
            /** @description `proposal_account_mismatch`, `insufficient_scope`, `address_not_allowed`, `origin_not_allowed` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["GetProposal404"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                proposal_address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "approve",
                 *       "signers": [
                 *         "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["VoteOnProposalRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "transaction_signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "kms_payloads": [
                     *           {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *             "provider": "kms_a"
                     *           }
                     *         ],
                     *         "expires_at": "2026-01-15T12:00:00.000Z",
                     *         "summary": [
                     *           {
                     *             "type": "transfer",
                     *             "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *             "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *             "amount": "1000000"
                     *           }
                     *         ],
                     *         "fee": {
                     *           "lamports": "10000",
                     *           "rent_lamports": "0",
                     *           "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *         },
                     *         "proposal": {
                     *           "proposalAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "status": "Active",
                     *           "statusTimestamp": 1768478400,
                     *           "approved": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "rejected": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "cancelled": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "consensusAccount": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "consensusAccountType": "Settings",
                     *           "mainAccountAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "settingsAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "transactionIndex": 7,
                     *           "stale": false,
                     *           "closed": false,
                     *           "kind": "transaction",
                     *           "summary": [
                     *             {
                     *               "type": "transfer",
                     *               "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *               "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *               "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *               "amount": "1000000"
                     *             }
                     *           ],
                     *           "warnings": [
                     *             {
                     *               "code": "durable_nonce",
                     *               "message": "Sign this text."
                     *             }
                     *           ],
                     *           "votesNeeded": 0
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VoteOnProposalResultAnswer"];
                };
            };
            /** @description `forbidden_account`, `transaction_too_large`, `insufficient_balance`, `unsupported_fee_config`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["VoteOnProposal403"];
            404: components["responses"]["GetProposal404"];
            /** @description `already_voted`, `invalid_proposal_status`, `stale_proposal`, `unreadable_content`, `undecided_content`, `submission_in_progress`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    closeTransactionBuffers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *     }
                 */
                "application/json": components["schemas"]["CloseTransactionBuffersRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "transaction_signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "kms_payloads": [
                     *           {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *             "provider": "kms_a"
                     *           }
                     *         ],
                     *         "expires_at": "2026-01-15T12:00:00.000Z",
                     *         "summary": [
                     *           {
                     *             "type": "transfer",
                     *             "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *             "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *             "amount": "1000000"
                     *           }
                     *         ],
                     *         "fee": {
                     *           "lamports": "10000",
                     *           "rent_lamports": "0",
                     *           "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *         },
                     *         "buffers": [
                     *           {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "message_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "message_bytes": 0,
                     *             "written_bytes": 0,
                     *             "lamports": "10000"
                     *           }
                     *         ],
                     *         "more": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CloseTransactionBuffersResultAnswer"];
                };
            };
            /** @description `invalid_address`, `no_changes`, `unsupported_fee_config`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                proposal_address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *     }
                 */
                "application/json": components["schemas"]["ExecuteProposalRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "transactions": [
                     *           "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                     *         ],
                     *         "transaction_signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "kms_payloads": [
                     *           [
                     *             {
                     *               "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *               "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *               "provider": "kms_a"
                     *             }
                     *           ]
                     *         ],
                     *         "expires_at": "2026-01-15T12:00:00.000Z",
                     *         "summary": [
                     *           {
                     *             "type": "transfer",
                     *             "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *             "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *             "amount": "1000000"
                     *           }
                     *         ],
                     *         "fee": {
                     *           "lamports": "10000",
                     *           "rent_lamports": "0",
                     *           "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *         },
                     *         "proposal": {
                     *           "proposalAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "status": "Active",
                     *           "statusTimestamp": 1768478400,
                     *           "approved": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "rejected": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "cancelled": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "consensusAccount": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "consensusAccountType": "Settings",
                     *           "mainAccountAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "settingsAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "transactionIndex": 7,
                     *           "stale": false,
                     *           "closed": false,
                     *           "kind": "transaction",
                     *           "summary": [
                     *             {
                     *               "type": "transfer",
                     *               "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *               "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *               "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *               "amount": "1000000"
                     *             }
                     *           ],
                     *           "warnings": [
                     *             {
                     *               "code": "durable_nonce",
                     *               "message": "Sign this text."
                     *             }
                     *           ],
                     *           "votesNeeded": 0
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExecuteProposalResultAnswer"];
                };
            };
            400: components["responses"]["ExecuteProposal400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["VoteOnProposal403"];
            404: components["responses"]["GetProposal404"];
            409: components["responses"]["ExecuteProposal409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                proposal_address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "signers": [
                 *         "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["VoteAndExecuteProposalRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "transactions": [
                     *           "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                     *         ],
                     *         "transaction_signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "kms_payloads": [
                     *           [
                     *             {
                     *               "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *               "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *               "provider": "kms_a"
                     *             }
                     *           ]
                     *         ],
                     *         "expires_at": "2026-01-15T12:00:00.000Z",
                     *         "summary": [
                     *           {
                     *             "type": "transfer",
                     *             "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *             "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *             "amount": "1000000"
                     *           }
                     *         ],
                     *         "fee": {
                     *           "lamports": "10000",
                     *           "rent_lamports": "0",
                     *           "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *         },
                     *         "proposal": {
                     *           "proposalAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "status": "Active",
                     *           "statusTimestamp": 1768478400,
                     *           "approved": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "rejected": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "cancelled": [
                     *             "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *           ],
                     *           "consensusAccount": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "consensusAccountType": "Settings",
                     *           "mainAccountAddress": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "settingsAddress": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *           "transactionIndex": 7,
                     *           "stale": false,
                     *           "closed": false,
                     *           "kind": "transaction",
                     *           "summary": [
                     *             {
                     *               "type": "transfer",
                     *               "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *               "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *               "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *               "amount": "1000000"
                     *             }
                     *           ],
                     *           "warnings": [
                     *             {
                     *               "code": "durable_nonce",
                     *               "message": "Sign this text."
                     *             }
                     *           ],
                     *           "votesNeeded": 0
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VoteAndExecuteProposalResultAnswer"];
                };
            };
            400: components["responses"]["ExecuteProposal400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["VoteOnProposal403"];
            404: components["responses"]["GetProposal404"];
            409: components["responses"]["ExecuteProposal409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["StartAuthenticationRequest"];
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
                    /**
                     * @example {
                     *       "otp_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *       "email": "ada@example.org",
                     *       "otp_sent": true,
                     *       "provider": "kms_a",
                     *       "status": "pending_verification",
                     *       "type": "email",
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "expires_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SentCode"];
                };
            };
            400: components["responses"]["StartAuthentication400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["StartAuthentication429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["StartAuthentication502"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["StartAuthenticationRequest"];
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
                    /**
                     * @example {
                     *       "otp_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *       "email": "ada@example.org",
                     *       "otp_sent": true,
                     *       "provider": "kms_a",
                     *       "status": "pending_verification",
                     *       "type": "email",
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "expires_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SentCode"];
                };
            };
            400: components["responses"]["StartAuthentication400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["StartAuthentication429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["StartAuthentication502"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    beginPasskeySignIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "nonce": "text",
                     *         "rp_id": "text",
                     *         "expires_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BeginPasskeySignInResultAnswer"];
                };
            };
            400: components["responses"]["BeginPasskeySignIn400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["GetAccount403"];
            409: components["responses"]["PasskeysNotConfigured"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nonce": "text",
                 *       "assertion": {
                 *         "credential_id": "text",
                 *         "authenticator_data": "text",
                 *         "client_data_json": "text",
                 *         "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
                 *       },
                 *       "kms_provider_config": {
                 *         "encryption_public_key": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q=="
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SignInWithPasskeyRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "email": "ada@example.org",
                     *         "policies": {
                     *           "signers": [
                     *             {
                     *               "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *               "permissions": [
                     *                 "CAN_INITIATE"
                     *               ],
                     *               "role": "primary",
                     *               "provider": "kms_a"
                     *             }
                     *           ],
                     *           "threshold": 1,
                     *           "admin_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "time_lock": 0
                     *         },
                     *         "authentication": [
                     *           {
                     *             "provider": "kms_a",
                     *             "session": {}
                     *           }
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PasskeySignInResultAnswer"];
                };
            };
            /** @description `account_ambiguous`, `invalid_encryption_public_key`, `invalid_expiration`, `provider_not_available`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_passkey`, `api_key_required`, `invalid_api_key`, `api_key_disabled`, `api_key_expired` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ImportAccount502"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "encryption_public_key": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==",
                 *       "kms_payload": {
                 *         "provider": "kms_a",
                 *         "session": {
                 *           "KmsA": {
                 *             "refresh_token": "rt_1"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RefreshSessionRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "kms_payload": {
                     *           "provider": "kms_a",
                     *           "session": {}
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RefreshSessionResultAnswer"];
                };
            };
            /** @description `invalid_encryption_public_key`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `session_expired`, `session_key_mismatch`, `invalid_refresh_token`, `api_key_required`, `invalid_api_key`, `api_key_disabled`, `api_key_expired` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["GetAccount403"];
            /** @description `refresh_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                limit?: number;
                /** @description x-next-cursor of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "provider": "kms_a",
                     *           "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "current": false,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "last_active_at": "2026-01-15T12:00:00.000Z",
                     *           "expires_at": "2026-01-15T12:00:00.000Z",
                     *           "ends_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignedInSessionListAnswer"];
                };
            };
            400: components["responses"]["ListStandingOrders400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    endAllSessions: {
        parameters: {
            query?: {
                /** @description The id of a session that stays, or `current`. */
                except?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "ended": 0
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EndedSessionsAnswer"];
                };
            };
            400: components["responses"]["EndSession400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["EndSession404"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                /** @description An id of the list, or `current`. */
                session_id: string;
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "status": "ended"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EndedSessionAnswer"];
                };
            };
            400: components["responses"]["EndSession400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["EndSession404"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getSessionPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "idle_seconds": 300,
                     *         "one_session": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionPolicyAnswer"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    setSessionPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "idle_seconds": 300,
                 *       "one_session": false
                 *     }
                 */
                "application/json": components["schemas"]["SessionPolicy"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "idle_seconds": 300,
                     *         "one_session": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionPolicyAnswer"];
                };
            };
            400: components["responses"]["SetSessionPolicy400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["BeginPasskeyRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "ceremony_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "expires_at": "2026-01-15T12:00:00.000Z",
                     *         "public_key": {
                     *           "rp": {
                     *             "id": "text",
                     *             "name": "text"
                     *           },
                     *           "user": {
                     *             "id": "text",
                     *             "name": "text",
                     *             "displayName": "text"
                     *           },
                     *           "challenge": "text",
                     *           "pubKeyCredParams": [
                     *             {
                     *               "type": "public-key",
                     *               "alg": -7
                     *             }
                     *           ],
                     *           "timeout": 0,
                     *           "excludeCredentials": [
                     *             {
                     *               "type": "public-key",
                     *               "id": "text"
                     *             }
                     *           ],
                     *           "authenticatorSelection": {
                     *             "residentKey": "preferred",
                     *             "userVerification": "required"
                     *           },
                     *           "attestation": "none"
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BeginPasskeyResultAnswer"];
                };
            };
            /** @description `provider_not_available`, `invalid_signature`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["CreateProposal403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["PasskeysNotConfigured"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "provider": "kms_a",
                     *           "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "credential_id": "text",
                     *           "rp_id": "text",
                     *           "name": "text",
                     *           "aaguid": "text",
                     *           "synced": false,
                     *           "created_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PasskeyListAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ceremony_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *       "name": "Ada's phone",
                 *       "credential": {
                 *         "response": {
                 *           "clientDataJSON": "text",
                 *           "authenticatorData": "text"
                 *         }
                 *       },
                 *       "authorization": {
                 *         "provider": "kms_a"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AddPasskeyRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "provider": "kms_a",
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "credential_id": "text",
                     *         "rp_id": "text",
                     *         "name": "text",
                     *         "aaguid": "text",
                     *         "synced": false,
                     *         "created_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AddedPasskeyAnswer"];
                };
            };
            /** @description `provider_not_available`, `invalid_registration`, `missing_signature`, `invalid_signature`, `wrong_signing_key`, `payload_expired`, `payload_already_used`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["SubmitTransactions401"];
            403: components["responses"]["CreateProposal403"];
            404: components["responses"]["AccountNotFound"];
            /** @description `passkeys_not_configured`, `passkey_exists`, `passkey_limit`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expires_at": "text",
                 *       "authorization": {
                 *         "provider": "kms_a"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RemovePasskeyRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "status": "removed"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RemovedPasskeyAnswer"];
                };
            };
            /** @description `provider_not_available`, `missing_signature`, `invalid_signature`, `wrong_signing_key`, `payload_expired`, `payload_already_used`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["SubmitTransactions401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["RenamePasskey404"];
            /** @description `last_passkey`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada's phone"
                 *     }
                 */
                "application/json": components["schemas"]["RenamePasskeyRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "provider": "kms_a",
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "credential_id": "text",
                     *         "rp_id": "text",
                     *         "name": "text",
                     *         "aaguid": "text",
                     *         "synced": false,
                     *         "created_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PasskeyAnswer"];
                };
            };
            400: components["responses"]["RenamePasskey400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["RenamePasskey404"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    setPasskeyRequirement: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "required": false,
                 *       "nonce": "text",
                 *       "authorization": {
                 *         "provider": "kms_a"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SetPasskeyRequirementRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "required": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PasskeyRequirementAnswer"];
                };
            };
            400: components["responses"]["SetPasskeyRequirement400"];
            /** @description `session_expired`, `invalid_passkey`, `api_key_required`, `invalid_api_key`, `api_key_disabled`, `api_key_expired`, `session_required`, `invalid_session` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["CreateProposal403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getGuardianPolicy: {
        parameters: {
            query?: {
                /** @description What the certificate holds: 32 random bytes in small hex. So no older one is taken for it. */
                nonce?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "policy": {},
                     *         "version": 0,
                     *         "next": {
                     *           "policy": {},
                     *           "from": "2026-01-15T12:00:00.000Z"
                     *         },
                     *         "as_of": "2026-01-15T12:00:00.000Z",
                     *         "certificate": {
                     *           "document": "text",
                     *           "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GuardianPolicyAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
        };
    };
    setGuardianPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "policy": {},
                 *       "replaces": 0,
                 *       "nonce": "text",
                 *       "expires_at": "text",
                 *       "authorization": {
                 *         "provider": "kms_a"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SetGuardianPolicyRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "policy": {},
                     *         "version": 0,
                     *         "next": {
                     *           "policy": {},
                     *           "from": "2026-01-15T12:00:00.000Z"
                     *         },
                     *         "as_of": "2026-01-15T12:00:00.000Z",
                     *         "certificate": {
                     *           "document": "text",
                     *           "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GuardianPolicyAnswer"];
                };
            };
            /** @description `provider_not_available`, `invalid_guardian_policy`, `missing_signature`, `invalid_signature`, `wrong_signing_key`, `payload_expired`, `payload_already_used`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["SubmitTransactions401"];
            403: components["responses"]["SubmitTransactions403"];
            404: components["responses"]["AccountNotFound"];
            /** @description `guardian_policy_changed` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    listGuardianChanges: {
        parameters: {
            query?: {
                /** @description What the certificate holds: 32 random bytes in small hex. So no older one is taken for it. */
                nonce?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "changes": [
                     *           {
                     *             "id": "text",
                     *             "from": "2026-01-15T12:00:00.000Z",
                     *             "until": "2026-01-15T12:00:00.000Z",
                     *             "content": [
                     *               {
                     *                 "settings": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *                 "by": "members",
                     *                 "actions": [
                     *                   {
                     *                     "__kind": "text"
                     *                   }
                     *                 ]
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "as_of": "2026-01-15T12:00:00.000Z",
                     *         "certificate": {
                     *           "document": "text",
                     *           "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GuardianChangesAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
        };
    };
    cancelGuardianChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                change_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nonce": "text",
                 *       "expires_at": "text",
                 *       "authorization": {
                 *         "provider": "kms_a"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CancelGuardianChangeRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "changes": [
                     *           {
                     *             "id": "text",
                     *             "from": "2026-01-15T12:00:00.000Z",
                     *             "until": "2026-01-15T12:00:00.000Z",
                     *             "content": [
                     *               {
                     *                 "settings": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *                 "by": "members",
                     *                 "actions": [
                     *                   {
                     *                     "__kind": "text"
                     *                   }
                     *                 ]
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "as_of": "2026-01-15T12:00:00.000Z",
                     *         "certificate": {
                     *           "document": "text",
                     *           "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GuardianChangesAnswer"];
                };
            };
            /** @description `provider_not_available`, `missing_signature`, `invalid_signature`, `wrong_signing_key`, `payload_expired`, `payload_already_used`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["SubmitTransactions401"];
            403: components["responses"]["SubmitTransactions403"];
            /** @description `account_not_found`, `guardian_change_not_found` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `guardian_change_over` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    beginWalletExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "recipient_public_key": "text"
                 *     }
                 */
                "application/json": components["schemas"]["BeginWalletExportRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "otp_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "email": "ada@example.org",
                     *         "provider": "kms_a",
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "passkey_required": false,
                     *         "delay_seconds": 0,
                     *         "expires_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BegunWalletExportAnswer"];
                };
            };
            /** @description `invalid_encryption_public_key`, `provider_not_available`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["CreateProposal403"];
            404: components["responses"]["AccountNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["BeginWalletExport429"];
            500: components["responses"]["InternalError"];
            /** @description `mail_unavailable` */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["TenantFrozen"];
        };
    };
    listWalletExports: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "provider": "kms_a",
                     *           "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "recipient_public_key": "text",
                     *           "status": "waiting",
                     *           "requested_at": "2026-01-15T12:00:00.000Z",
                     *           "not_before": "2026-01-15T12:00:00.000Z",
                     *           "expires_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WalletExportListAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    requestWalletExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "otp_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *       "otp_code": "042137",
                 *       "recipient_public_key": "text",
                 *       "authorization": {
                 *         "provider": "kms_a"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RequestWalletExportRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "provider": "kms_a",
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "recipient_public_key": "text",
                     *         "status": "waiting",
                     *         "requested_at": "2026-01-15T12:00:00.000Z",
                     *         "not_before": "2026-01-15T12:00:00.000Z",
                     *         "expires_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WalletExportAnswer"];
                };
            };
            /** @description `invalid_otp`, `otp_expired`, `otp_attempts_exceeded`, `invalid_encryption_public_key`, `provider_not_available`, `missing_signature`, `invalid_signature`, `wrong_signing_key`, `payload_expired`, `payload_already_used`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["SubmitTransactions401"];
            403: components["responses"]["RequestWalletExport403"];
            404: components["responses"]["AccountNotFound"];
            /** @description `wallet_export_open`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RequestWalletExport429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getWalletExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                export_id: string;
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "provider": "kms_a",
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "recipient_public_key": "text",
                     *         "status": "waiting",
                     *         "requested_at": "2026-01-15T12:00:00.000Z",
                     *         "not_before": "2026-01-15T12:00:00.000Z",
                     *         "expires_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WalletExportAnswer"];
                };
            };
            /** @description `provider_not_available`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["GetWalletExport404"];
            /** @description `wallet_export_over` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    cancelWalletExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                export_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "authorization": {
                 *         "provider": "kms_a"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CancelWalletExportRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "provider": "kms_a",
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "recipient_public_key": "text",
                     *         "status": "waiting",
                     *         "requested_at": "2026-01-15T12:00:00.000Z",
                     *         "not_before": "2026-01-15T12:00:00.000Z",
                     *         "expires_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WalletExportAnswer"];
                };
            };
            400: components["responses"]["SetPasskeyRequirement400"];
            401: components["responses"]["SubmitTransactions401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["GetWalletExport404"];
            /** @description `wallet_export_over`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
        };
    };
    beginWalletImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *     }
                 */
                "application/json": components["schemas"]["BeginWalletImportRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "import_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "provider": "kms_a",
                     *         "authorizing_signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *         "recipient_public_key": "text",
                     *         "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "passkey_required": false,
                     *         "expires_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BegunWalletImportAnswer"];
                };
            };
            /** @description `provider_not_available`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["CreateProposal403"];
            404: components["responses"]["AccountNotFound"];
            /** @description `wallet_key_held` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    importWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "import_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *       "sealed_key": {
                 *         "encapsulated_key": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                 *         "ciphertext": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                 *       },
                 *       "authorization": {
                 *         "provider": "kms_a"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ImportWalletRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "wallet": {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "provider": "kms_a",
                     *           "imported_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WalletImportAnswer"];
                };
            };
            /** @description `provider_not_available`, `invalid_wallet_key`, `missing_signature`, `invalid_signature`, `wrong_signing_key`, `payload_expired`, `payload_already_used`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["SubmitTransactions401"];
            403: components["responses"]["RequestWalletExport403"];
            /** @description `account_not_found`, `wallet_import_not_found` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wallet_key_held`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getRelyingParty: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "rp_id": "app.example",
                     *         "name": "App",
                     *         "origins": [
                     *           "https://app.example"
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RelyingPartyAnswer"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    setRelyingParty: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rp_id": "app.example",
                 *       "name": "App",
                 *       "origins": [
                 *         "https://app.example"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RequestedRelyingParty"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "rp_id": "app.example",
                     *         "name": "App",
                     *         "origins": [
                     *           "https://app.example"
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RelyingPartyAnswer"];
                };
            };
            400: components["responses"]["SetSessionPolicy400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getWalletExportTerms: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "delay_seconds": 0
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WalletExportTermsAnswer"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    setWalletExportTerms: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "delay_seconds": 0
                 *     }
                 */
                "application/json": components["schemas"]["WalletExportTerms"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "delay_seconds": 0
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WalletExportTermsAnswer"];
                };
            };
            400: components["responses"]["SetSessionPolicy400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    issueIdentityToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "token": "text",
                     *         "expires_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["IssueIdentityTokenResultAnswer"];
                };
            };
            400: components["responses"]["BeginPasskeySignIn400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    listIdentityKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "x": "text",
                     *           "y": "text",
                     *           "kid": "text",
                     *           "use": "sig",
                     *           "alg": "ES256"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListIdentityKeysResult"];
                };
            };
            500: components["responses"]["InternalError"];
            "4XX": components["responses"]["Refused"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description A `kind`. */
                type?: components["schemas"]["TransactionKind"];
                status?: "confirmed" | "finalized" | "failed";
                /** @description A symbol or a mint: only what moved it. */
                currency?: string;
                /** @description No earlier than this. */
                start_date?: components["schemas"]["DateOrTime"];
                /** @description No later than this, the second included; a date includes its whole day (UTC). */
                end_date?: components["schemas"]["DateOrTime"];
                /** @description Only this transaction, by its signature. */
                tx_hash?: string;
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                     *           "status": "confirmed",
                     *           "slot": 4711,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "confirmed_at": "2026-01-15T12:00:00.000Z",
                     *           "kind": "account_creation"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TransactionListAnswer"];
                };
            };
            400: components["responses"]["ListTransfers400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                 *     }
                 */
                "application/json": components["schemas"]["PrepareTransactionRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "transaction_signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "kms_payloads": [
                     *           {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *             "provider": "kms_a"
                     *           }
                     *         ],
                     *         "expires_at": "2026-01-15T12:00:00.000Z",
                     *         "summary": [
                     *           {
                     *             "type": "transfer",
                     *             "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *             "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *             "amount": "1000000"
                     *           }
                     *         ],
                     *         "fee": {
                     *           "lamports": "10000",
                     *           "rent_lamports": "0",
                     *           "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *         },
                     *         "simulation_logs": [
                     *           "text"
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PrepareTransactionResultAnswer"];
                };
            };
            /** @description `forbidden_account`, `transaction_too_large`, `unsupported_fee_config`, `invalid_transaction`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["CreateProposal403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["PrepareTransaction409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "1000000",
                 *       "source": {
                 *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *         "currency": "usdc"
                 *       },
                 *       "destination": {
                 *         "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *         "currency": "usdc"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreparePaymentRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "state": "awaiting_funds",
                     *         "amount": "1000000",
                     *         "currency": "usdc",
                     *         "source": {
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc"
                     *         },
                     *         "destination": {
                     *           "currency": "usdc"
                     *         },
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z",
                     *         "expires_at": "2026-01-15T12:00:00.000Z",
                     *         "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "transaction_signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "kms_payloads": [
                     *           {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *             "provider": "kms_a"
                     *           }
                     *         ],
                     *         "summary": [
                     *           {
                     *             "type": "transfer",
                     *             "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *             "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *             "amount": "1000000"
                     *           }
                     *         ],
                     *         "fee": {
                     *           "lamports": "10000",
                     *           "rent_lamports": "0",
                     *           "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PreparePaymentResultAnswer"];
                };
            };
            /** @description `invalid_address`, `forbidden_account`, `insufficient_balance`, `rent_not_sponsored`, `unsupported_currency`, `mint_paused`, `source_frozen`, `destination_frozen`, `destination_closed`, `destination_unconfirmed`, `memo_required`, `unsupported_fee_config`, `rail_not_available`, `partner_refused`, `invalid_amount`, `transaction_failed`, `invalid_webhook_url`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["GetAccount401"];
            /** @description `secret_key_required`, `kyc_required`, `insufficient_permissions`, `insufficient_scope`, `address_not_allowed`, `origin_not_allowed` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["CreateStandingOrder404"];
            409: components["responses"]["PreparePayment409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateCustomAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["CreateStandingOrder502"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    listPaymentIntents: {
        parameters: {
            query?: {
                /** @description Repeat it for several. */
                state?: components["schemas"]["PaymentState"][];
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "state": "awaiting_funds",
                     *           "amount": "1000000",
                     *           "currency": "usdc",
                     *           "source": {
                     *             "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "currency": "usdc"
                     *           },
                     *           "destination": {
                     *             "currency": "usdc"
                     *           },
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentIntentListAnswer"];
                };
            };
            400: components["responses"]["ListStandingOrders400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    getPaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                id: components["schemas"]["Uuid"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "state": "awaiting_funds",
                     *         "amount": "1000000",
                     *         "currency": "usdc",
                     *         "source": {
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc"
                     *         },
                     *         "destination": {
                     *           "currency": "usdc"
                     *         },
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentIntentAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["GetPaymentIntent404"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    listExternalAccounts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "account_type": "us",
                     *           "currency": "usd",
                     *           "account_owner_name": "Ada Lovelace",
                     *           "bank_name": "text",
                     *           "last_4": "6789",
                     *           "active": false,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExternalAccountListAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    addExternalAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "account_type": "iban",
                 *       "currency": "eur",
                 *       "account_owner_name": "Ada Lovelace",
                 *       "iban": {
                 *         "account_number": "DE89370400440532013000",
                 *         "country": "DEU"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ExternalAccountRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "account_type": "us",
                     *         "currency": "usd",
                     *         "account_owner_name": "Ada Lovelace",
                     *         "bank_name": "text",
                     *         "last_4": "6789",
                     *         "active": false,
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExternalAccountAnswer"];
                };
            };
            /** @description `rail_not_available`, `partner_refused`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["AddExternalAccount403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["PartnerUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getExternalAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                id: components["schemas"]["Uuid"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "account_type": "us",
                     *         "currency": "usd",
                     *         "account_owner_name": "Ada Lovelace",
                     *         "bank_name": "text",
                     *         "last_4": "6789",
                     *         "active": false,
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExternalAccountAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["CreateStandingOrder404"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    removeExternalAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                id: components["schemas"]["Uuid"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "account_type": "us",
                     *         "currency": "usd",
                     *         "account_owner_name": "Ada Lovelace",
                     *         "bank_name": "text",
                     *         "last_4": "6789",
                     *         "active": false,
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExternalAccountAnswer"];
                };
            };
            /** @description `rail_not_available`, `partner_refused`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["CreateStandingOrder404"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["PartnerUnavailable"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "lamports": 0,
                     *         "sol": 0,
                     *         "tokens": [
                     *           {
                     *             "token_address": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *             "amount": 0,
                     *             "amount_decimal": "1",
                     *             "decimals": 6
                     *           }
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BalancesAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "100000000",
                 *       "mint": "usdc",
                 *       "period": "week",
                 *       "spending_limit_signers": [
                 *         "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *       ],
                 *       "destinations": [
                 *         "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateSpendingLimitRequest"];
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
                    /**
                     * @example {
                     *       "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *       "transaction_signers": [
                     *         "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *       ],
                     *       "kms_payloads": [
                     *         {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *           "provider": "kms_a"
                     *         }
                     *       ],
                     *       "expires_at": "2026-01-15T12:00:00.000Z",
                     *       "summary": [
                     *         {
                     *           "type": "transfer",
                     *           "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *           "amount": "1000000"
                     *         }
                     *       ],
                     *       "fee": {
                     *         "lamports": "10000",
                     *         "rent_lamports": "0",
                     *         "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *       },
                     *       "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *     }
                     */
                    "application/json": components["schemas"]["CreateSpendingLimitResult"];
                };
            };
            /** @description `invalid_address`, `forbidden_account`, `admin_required`, `account_has_no_admin`, `transaction_too_large`, `rent_not_sponsored`, `unsupported_fee_config`, `invalid_amount`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["UpdateAccount403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["PrepareTransaction409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getSpendingLimit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                spending_limit_address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *       "settings_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *       "main_account_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *       "environment": "sandbox",
                     *       "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *       "amount": "1000000",
                     *       "remaining_amount": "1000000",
                     *       "period": "one_time",
                     *       "last_reset": "2026-01-15T12:00:00.000Z",
                     *       "next_reset": "2026-01-15T12:00:00.000Z",
                     *       "signers": [
                     *         "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *       ],
                     *       "destinations": [
                     *         "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *       ],
                     *       "expiration": "2026-01-15T12:00:00.000Z",
                     *       "usable": false
                     *     }
                     */
                    "application/json": components["schemas"]["SpendingLimit"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["SubmitTransactions404"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                spending_limit_address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["DecisionRequest"];
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
                    /**
                     * @example {
                     *       "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *       "transaction_signers": [
                     *         "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *       ],
                     *       "kms_payloads": [
                     *         {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *           "provider": "kms_a"
                     *         }
                     *       ],
                     *       "expires_at": "2026-01-15T12:00:00.000Z",
                     *       "summary": [
                     *         {
                     *           "type": "transfer",
                     *           "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *           "amount": "1000000"
                     *         }
                     *       ],
                     *       "fee": {
                     *         "lamports": "10000",
                     *         "rent_lamports": "0",
                     *         "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PreparedTransaction"];
                };
            };
            400: components["responses"]["CancelStandingOrder400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["UpdateAccount403"];
            404: components["responses"]["SubmitTransactions404"];
            409: components["responses"]["PrepareTransaction409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    updateSpendingLimit: {
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                spending_limit_address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "2000000"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSpendingLimitRequest"];
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
                    /**
                     * @example {
                     *       "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *       "transaction_signers": [
                     *         "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *       ],
                     *       "kms_payloads": [
                     *         {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *           "provider": "kms_a"
                     *         }
                     *       ],
                     *       "expires_at": "2026-01-15T12:00:00.000Z",
                     *       "summary": [
                     *         {
                     *           "type": "transfer",
                     *           "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *           "amount": "1000000"
                     *         }
                     *       ],
                     *       "fee": {
                     *         "lamports": "10000",
                     *         "rent_lamports": "0",
                     *         "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *       },
                     *       "spending_limit_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *     }
                     */
                    "application/json": components["schemas"]["UpdateSpendingLimitResult"];
                };
            };
            /** @description `invalid_address`, `forbidden_account`, `admin_required`, `account_has_no_admin`, `no_changes`, `transaction_too_large`, `rent_not_sponsored`, `unsupported_fee_config`, `invalid_amount`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["UpdateAccount403"];
            404: components["responses"]["SubmitTransactions404"];
            409: components["responses"]["PrepareTransaction409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    prepareLimitPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                spending_limit_address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "1000000",
                 *       "signer_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *       "recipient_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *     }
                 */
                "application/json": components["schemas"]["PrepareLimitPaymentRequest"];
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
                    /**
                     * @example {
                     *       "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *       "transaction_signers": [
                     *         "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *       ],
                     *       "kms_payloads": [
                     *         {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *           "provider": "kms_a"
                     *         }
                     *       ],
                     *       "expires_at": "2026-01-15T12:00:00.000Z",
                     *       "summary": [
                     *         {
                     *           "type": "transfer",
                     *           "from": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *           "amount": "1000000"
                     *         }
                     *       ],
                     *       "fee": {
                     *         "lamports": "10000",
                     *         "rent_lamports": "0",
                     *         "paid_by": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PreparedTransaction"];
                };
            };
            /** @description `invalid_address`, `forbidden_account`, `spending_limit_exceeded`, `spending_limit_expired`, `destination_not_allowed`, `insufficient_balance`, `rent_not_sponsored`, `unsupported_currency`, `mint_paused`, `source_frozen`, `destination_frozen`, `destination_closed`, `destination_unconfirmed`, `memo_required`, `unsupported_fee_config`, `invalid_amount`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["UpdateAccount403"];
            404: components["responses"]["SubmitTransactions404"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example [
                     *       {
                     *         "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "settings_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                     *         "main_account_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "environment": "sandbox",
                     *         "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *         "amount": "1000000",
                     *         "remaining_amount": "1000000",
                     *         "period": "one_time",
                     *         "last_reset": "2026-01-15T12:00:00.000Z",
                     *         "next_reset": "2026-01-15T12:00:00.000Z",
                     *         "signers": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "destinations": [
                     *           "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                     *         ],
                     *         "expiration": "2026-01-15T12:00:00.000Z",
                     *         "usable": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SpendingLimit"][];
                };
            };
            400: components["responses"]["ListStandingOrders400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ChainUnavailable"];
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
                /** @description No earlier than this. */
                start_date?: components["schemas"]["DateOrTime"];
                /** @description No later than this, the second included; a date includes its whole day (UTC). */
                end_date?: components["schemas"]["DateOrTime"];
                /** @description Only this transaction, by its signature. */
                tx_hash?: string;
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "Spl": {
                     *             "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *             "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *             "main_account_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "mint": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
                     *             "is_token_2022": false,
                     *             "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                     *             "confirmation_status": "confirmed",
                     *             "from_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "to_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *             "amount": "1000000",
                     *             "ui_amount": "1",
                     *             "decimals": 6,
                     *             "confirmed_at": "2026-01-15T12:00:00.000Z",
                     *             "created_at": "2026-01-15T12:00:00.000Z",
                     *             "updated_at": "2026-01-15T12:00:00.000Z",
                     *             "direction": "inflow",
                     *             "environment": "sandbox",
                     *             "instruction_index": 0
                     *           }
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TransferListAnswer"];
                };
            };
            400: components["responses"]["ListTransfers400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    startKyc: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "individual",
                 *       "email": "ada@example.org",
                 *       "full_name": "Ada Lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["KycRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "full_name": "Ada Lovelace",
                     *         "email": "ada@example.org",
                     *         "type": "individual",
                     *         "kyc_status": "not_started",
                     *         "tos_status": "pending",
                     *         "rejection_reasons": [
                     *           {
                     *             "code": "text",
                     *             "message": "Sign this text."
                     *           }
                     *         ],
                     *         "endorsements": {
                     *           "base": "incomplete"
                     *         },
                     *         "created_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["KycLinkAnswer"];
                };
            };
            400: components["responses"]["StartKyc400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["PartnerUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getKyc: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                kyc_id: components["schemas"]["Uuid"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "status": "not_started",
                     *         "tos_status": "pending",
                     *         "type": "individual",
                     *         "endorsements": {
                     *           "base": "incomplete"
                     *         },
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["KycRecordAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["GetKyc404"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteRailData: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "deleted": false,
                     *         "kept_by_partner": "text"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteRailDataResultAnswer"];
                };
            };
            400: components["responses"]["EndSession400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["AccountNotFound"];
            /** @description `money_on_its_way`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    requestVirtualAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currency": "usd"
                 *     }
                 */
                "application/json": components["schemas"]["VirtualAccountRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "customer_id": "cust_1",
                     *         "status": "activated",
                     *         "developer_fee_percent": "0.5",
                     *         "destination": {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana"
                     *         },
                     *         "source_deposit_instructions": {
                     *           "currency": "usd",
                     *           "payment_rails": [
                     *             "ach_push",
                     *             "wire"
                     *           ]
                     *         },
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z",
                     *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "currency": "usd",
                     *         "payment_rails": [
                     *           "ach_push",
                     *           "wire"
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VirtualAccountAnswer"];
                };
            };
            400: components["responses"]["RequestVirtualAccount400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["AddExternalAccount403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["RequestVirtualAccount409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateCustomAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["CreateStandingOrder502"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    listVirtualAccounts: {
        parameters: {
            query?: {
                /** @description Of the bank. */
                source_currency?: string;
                /** @description What arrives on chain. */
                destination_currency?: string;
                status?: "activated" | "deactivated";
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "customer_id": "cust_1",
                     *           "status": "activated",
                     *           "developer_fee_percent": "0.5",
                     *           "destination": {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "currency": "usdc",
                     *             "payment_rail": "solana"
                     *           },
                     *           "source_deposit_instructions": {
                     *             "currency": "usd",
                     *             "payment_rails": [
                     *               "ach_push",
                     *               "wire"
                     *             ]
                     *           },
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z",
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "currency": "usd",
                     *           "payment_rails": [
                     *             "ach_push",
                     *             "wire"
                     *           ]
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VirtualAccountListAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    listDeposits: {
        parameters: {
            query?: {
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                address: components["schemas"]["Address"];
                virtual_account_id: components["schemas"]["Uuid"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "virtual_account_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "state": "scheduled",
                     *           "amount": "1000000",
                     *           "currency": "usd",
                     *           "destination": {
                     *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "currency": "usdc",
                     *             "payment_rail": "solana"
                     *           },
                     *           "credited": false,
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DepositListAnswer"];
                };
            };
            400: components["responses"]["ListStandingOrders400"];
            401: components["responses"]["GetAccount401"];
            403: components["responses"]["GetAccount403"];
            /** @description `account_not_found`, `virtual_account_not_found` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    listLegacyPaymentIntents: {
        parameters: {
            query?: {
                /** @description Repeat it for several. */
                state?: components["schemas"]["PaymentState"][];
                limit?: number;
                /** @description From the page before. */
                cursor?: string;
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: components["schemas"]["Address"];
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
                    /**
                     * @example [
                     *       {
                     *         "PaymentProvider": {
                     *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "amount": "1000000",
                     *           "blockchain_memo": "text",
                     *           "client_reference_id": "text",
                     *           "developer_fee": "0",
                     *           "on_behalf_of": "text",
                     *           "state": "awaiting_funds",
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z",
                     *           "currency": "usdc",
                     *           "return_details": {
                     *             "reason": "text"
                     *           },
                     *           "source_deposit_instructions": {
                     *             "name": "text"
                     *           },
                     *           "source": {
                     *             "bank_beneficiary_address": "text",
                     *             "bank_beneficiary_name": "text",
                     *             "bank_name": "text",
                     *             "bank_routing_number": "text",
                     *             "bridge_wallet_id": "text",
                     *             "currency": "usdc",
                     *             "description": "text",
                     *             "external_account_id": "text",
                     *             "from_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "imad": "text",
                     *             "omad": "text",
                     *             "payment_rail": "solana"
                     *           },
                     *           "destination": {
                     *             "ach_reference": "text",
                     *             "blockchain_memo": "text",
                     *             "bridge_wallet_id": "text",
                     *             "currency": "usdc",
                     *             "external_account_id": "text",
                     *             "from_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *             "imad": "text",
                     *             "omad": "text",
                     *             "payment_rail": "solana",
                     *             "sepa_reference": "text",
                     *             "swift_charges": "text",
                     *             "swift_reference": "text",
                     *             "to_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *             "trace_number": "text",
                     *             "uetr": "text",
                     *             "wire_message": "text"
                     *           },
                     *           "receipt": {
                     *             "destination_tx_hash": "text",
                     *             "developer_fee": "0",
                     *             "exchange_fee": "text",
                     *             "exchange_rate": "text",
                     *             "final_amount": "text",
                     *             "gas_fee": "text",
                     *             "initial_amount": "text",
                     *             "remaining_prefunded_balance": "text",
                     *             "source_tx_hash": "text",
                     *             "subtotal_amount": "text",
                     *             "url": "https://example.org/hooks"
                     *           }
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LegacyPaymentIntent"][];
                };
            };
            400: components["responses"]["ListStandingOrders400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "1000000",
                 *       "source": {
                 *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *         "currency": "usdc"
                 *       },
                 *       "destination": {
                 *         "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *         "currency": "usdc"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateLegacyPaymentIntentRequest"];
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
                    /**
                     * @example {
                     *       "PaymentProvider": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "amount": "1000000",
                     *         "blockchain_memo": "text",
                     *         "client_reference_id": "text",
                     *         "developer_fee": "0",
                     *         "on_behalf_of": "text",
                     *         "state": "awaiting_funds",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z",
                     *         "currency": "usdc",
                     *         "return_details": {
                     *           "reason": "text"
                     *         },
                     *         "source_deposit_instructions": {
                     *           "name": "text"
                     *         },
                     *         "source": {
                     *           "bank_beneficiary_address": "text",
                     *           "bank_beneficiary_name": "text",
                     *           "bank_name": "text",
                     *           "bank_routing_number": "text",
                     *           "bridge_wallet_id": "text",
                     *           "currency": "usdc",
                     *           "description": "text",
                     *           "external_account_id": "text",
                     *           "from_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "imad": "text",
                     *           "omad": "text",
                     *           "payment_rail": "solana"
                     *         },
                     *         "destination": {
                     *           "ach_reference": "text",
                     *           "blockchain_memo": "text",
                     *           "bridge_wallet_id": "text",
                     *           "currency": "usdc",
                     *           "external_account_id": "text",
                     *           "from_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "imad": "text",
                     *           "omad": "text",
                     *           "payment_rail": "solana",
                     *           "sepa_reference": "text",
                     *           "swift_charges": "text",
                     *           "swift_reference": "text",
                     *           "to_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "trace_number": "text",
                     *           "uetr": "text",
                     *           "wire_message": "text"
                     *         },
                     *         "receipt": {
                     *           "destination_tx_hash": "text",
                     *           "developer_fee": "0",
                     *           "exchange_fee": "text",
                     *           "exchange_rate": "text",
                     *           "final_amount": "text",
                     *           "gas_fee": "text",
                     *           "initial_amount": "text",
                     *           "remaining_prefunded_balance": "text",
                     *           "source_tx_hash": "text",
                     *           "subtotal_amount": "text",
                     *           "url": "https://example.org/hooks"
                     *         }
                     *       },
                     *       "intent_payload": "text",
                     *       "mpc_payload": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["CreateLegacyPaymentIntentResult"];
                };
            };
            /** @description `invalid_address`, `forbidden_account`, `provider_not_available`, `insufficient_balance`, `rent_not_sponsored`, `unsupported_currency`, `mint_paused`, `source_frozen`, `destination_frozen`, `destination_closed`, `destination_unconfirmed`, `memo_required`, `unsupported_fee_config`, `rail_not_available`, `partner_refused`, `invalid_amount`, `transaction_failed`, `invalid_webhook_url`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateStandingOrder403"];
            404: components["responses"]["CreateStandingOrder404"];
            409: components["responses"]["PreparePayment409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateLegacyPaymentIntent429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["CreateStandingOrder502"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getLegacyPaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: components["schemas"]["Address"];
                payment_intent_id: components["schemas"]["Uuid"];
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
                    /**
                     * @example {
                     *       "PaymentProvider": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "amount": "1000000",
                     *         "blockchain_memo": "text",
                     *         "client_reference_id": "text",
                     *         "developer_fee": "0",
                     *         "on_behalf_of": "text",
                     *         "state": "awaiting_funds",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z",
                     *         "currency": "usdc",
                     *         "return_details": {
                     *           "reason": "text"
                     *         },
                     *         "source_deposit_instructions": {
                     *           "name": "text"
                     *         },
                     *         "source": {
                     *           "bank_beneficiary_address": "text",
                     *           "bank_beneficiary_name": "text",
                     *           "bank_name": "text",
                     *           "bank_routing_number": "text",
                     *           "bridge_wallet_id": "text",
                     *           "currency": "usdc",
                     *           "description": "text",
                     *           "external_account_id": "text",
                     *           "from_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "imad": "text",
                     *           "omad": "text",
                     *           "payment_rail": "solana"
                     *         },
                     *         "destination": {
                     *           "ach_reference": "text",
                     *           "blockchain_memo": "text",
                     *           "bridge_wallet_id": "text",
                     *           "currency": "usdc",
                     *           "external_account_id": "text",
                     *           "from_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "imad": "text",
                     *           "omad": "text",
                     *           "payment_rail": "solana",
                     *           "sepa_reference": "text",
                     *           "swift_charges": "text",
                     *           "swift_reference": "text",
                     *           "to_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "trace_number": "text",
                     *           "uetr": "text",
                     *           "wire_message": "text"
                     *         },
                     *         "receipt": {
                     *           "destination_tx_hash": "text",
                     *           "developer_fee": "0",
                     *           "exchange_fee": "text",
                     *           "exchange_rate": "text",
                     *           "final_amount": "text",
                     *           "gas_fee": "text",
                     *           "initial_amount": "text",
                     *           "remaining_prefunded_balance": "text",
                     *           "source_tx_hash": "text",
                     *           "subtotal_amount": "text",
                     *           "url": "https://example.org/hooks"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LegacyPaymentIntent"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["GetPaymentIntent404"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: components["schemas"]["Address"];
                payment_intent_id: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "intent_payload": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                 *       "mpc_payload": "{\"provider\":\"kms_a\",\"signature\":\"MEUCIQDxyz0=\"}"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmLegacyPaymentIntentRequest"];
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
                    /**
                     * @example {
                     *       "PaymentProvider": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "amount": "1000000",
                     *         "blockchain_memo": "text",
                     *         "client_reference_id": "text",
                     *         "developer_fee": "0",
                     *         "on_behalf_of": "text",
                     *         "state": "awaiting_funds",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z",
                     *         "currency": "usdc",
                     *         "return_details": {
                     *           "reason": "text"
                     *         },
                     *         "source_deposit_instructions": {
                     *           "name": "text"
                     *         },
                     *         "source": {
                     *           "bank_beneficiary_address": "text",
                     *           "bank_beneficiary_name": "text",
                     *           "bank_name": "text",
                     *           "bank_routing_number": "text",
                     *           "bridge_wallet_id": "text",
                     *           "currency": "usdc",
                     *           "description": "text",
                     *           "external_account_id": "text",
                     *           "from_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "imad": "text",
                     *           "omad": "text",
                     *           "payment_rail": "solana"
                     *         },
                     *         "destination": {
                     *           "ach_reference": "text",
                     *           "blockchain_memo": "text",
                     *           "bridge_wallet_id": "text",
                     *           "currency": "usdc",
                     *           "external_account_id": "text",
                     *           "from_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "imad": "text",
                     *           "omad": "text",
                     *           "payment_rail": "solana",
                     *           "sepa_reference": "text",
                     *           "swift_charges": "text",
                     *           "swift_reference": "text",
                     *           "to_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "trace_number": "text",
                     *           "uetr": "text",
                     *           "wire_message": "text"
                     *         },
                     *         "receipt": {
                     *           "destination_tx_hash": "text",
                     *           "developer_fee": "0",
                     *           "exchange_fee": "text",
                     *           "exchange_rate": "text",
                     *           "final_amount": "text",
                     *           "gas_fee": "text",
                     *           "initial_amount": "text",
                     *           "remaining_prefunded_balance": "text",
                     *           "source_tx_hash": "text",
                     *           "subtotal_amount": "text",
                     *           "url": "https://example.org/hooks"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LegacyPaymentIntent"];
                };
            };
            /** @description `forbidden_account`, `provider_not_available`, `transaction_too_large`, `rent_not_sponsored`, `invalid_transaction`, `transaction_not_prepared`, `missing_signature`, `invalid_signature`, `wrong_signing_key`, `payload_expired`, `payload_already_used`, `blockhash_expired`, `transaction_failed`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `session_expired`, `api_key_required`, `invalid_api_key`, `api_key_disabled`, `api_key_expired` */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `guardian_refused`, `insufficient_permissions`, `insufficient_scope`, `address_not_allowed`, `origin_not_allowed`, `secret_key_required` */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["GetPaymentIntent404"];
            409: components["responses"]["PreparePayment409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateLegacyPaymentIntent429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ImportAccount502"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getLatestLegacyKyc: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: components["schemas"]["Address"];
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
                    /**
                     * @example {
                     *       "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *       "status": "not_started",
                     *       "tos_status": "pending",
                     *       "type": "individual",
                     *       "endorsements": {
                     *         "base": "incomplete"
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["KycRecord"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["GetKyc404"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    startLegacyKyc: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "individual",
                 *       "email": "ada@example.org",
                 *       "full_name": "Ada Lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["KycRequest"];
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
                    /**
                     * @example {
                     *       "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *       "full_name": "Ada Lovelace",
                     *       "email": "ada@example.org",
                     *       "type": "individual",
                     *       "kyc_status": "not_started",
                     *       "tos_status": "pending",
                     *       "rejection_reasons": [
                     *         {
                     *           "code": "text",
                     *           "message": "Sign this text."
                     *         }
                     *       ],
                     *       "endorsements": {
                     *         "base": "incomplete"
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["KycLink"];
                };
            };
            400: components["responses"]["StartKyc400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["PartnerUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getLegacyKyc: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: components["schemas"]["Address"];
                kyc_id: components["schemas"]["Uuid"];
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
                    /**
                     * @example {
                     *       "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *       "status": "not_started",
                     *       "tos_status": "pending",
                     *       "type": "individual",
                     *       "endorsements": {
                     *         "base": "incomplete"
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["KycRecord"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["GetKyc404"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    listLegacyVirtualAccounts: {
        parameters: {
            query?: {
                /** @description Of the bank. */
                source_currency?: string;
                /** @description What arrives on chain. */
                destination_currency?: string;
                status?: "activated" | "deactivated";
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: components["schemas"]["Address"];
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
                    /**
                     * @example [
                     *       {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "customer_id": "cust_1",
                     *         "status": "activated",
                     *         "developer_fee_percent": "0.5",
                     *         "destination": {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana"
                     *         },
                     *         "source_deposit_instructions": {
                     *           "currency": "usd",
                     *           "payment_rails": [
                     *             "ach_push",
                     *             "wire"
                     *           ]
                     *         },
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LegacyVirtualAccount"][];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["AccountNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    requestLegacyVirtualAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                smart_account_address: components["schemas"]["Address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currency": "usd"
                 *     }
                 */
                "application/json": components["schemas"]["VirtualAccountRequest"];
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
                    /**
                     * @example {
                     *       "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *       "customer_id": "cust_1",
                     *       "status": "activated",
                     *       "developer_fee_percent": "0.5",
                     *       "destination": {
                     *         "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "currency": "usdc",
                     *         "payment_rail": "solana"
                     *       },
                     *       "source_deposit_instructions": {
                     *         "currency": "usd",
                     *         "payment_rails": [
                     *           "ach_push",
                     *           "wire"
                     *         ]
                     *       },
                     *       "created_at": "2026-01-15T12:00:00.000Z",
                     *       "updated_at": "2026-01-15T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LegacyVirtualAccount"];
                };
            };
            400: components["responses"]["RequestVirtualAccount400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["AddExternalAccount403"];
            404: components["responses"]["AccountNotFound"];
            409: components["responses"]["RequestVirtualAccount409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["CreateLegacyPaymentIntent429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["CreateStandingOrder502"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["StartLegacyAuthenticationRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "otp_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "mpc_primary_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StartLegacyAuthenticationResultAnswer"];
                };
            };
            /** @description `invalid_email`, `invalid_expiration`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["BeginWalletExport429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["StartAuthentication502"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mpc_primary_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *       "otp_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *       "otp_code": "042137",
                 *       "auth_public_key": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q=="
                 *     }
                 */
                "application/json": components["schemas"]["VerifyLegacyAuthenticationRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "credential_bundle": "2VfUX",
                     *         "account_info": {
                     *           "mpc_primary_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "smart_account_signer_public_key": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "wallet_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "smart_account_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10"
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VerifyLegacyAuthenticationResultAnswer"];
                };
            };
            /** @description `account_ambiguous`, `invalid_otp`, `otp_expired`, `otp_attempts_exceeded`, `invalid_encryption_public_key`, `invalid_expiration`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["VerifyAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["VerifyAuthentication404"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RequestWalletExport429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_5f0c…",
                     *           "type": "transaction.confirmed",
                     *           "timestamp": "2026-01-15T12:00:00.000Z",
                     *           "environment": "sandbox",
                     *           "tenant": "text",
                     *           "data": {
                     *             "object": {},
                     *             "sequence": 4711
                     *           }
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventListAnswer"];
                };
            };
            /** @description `invalid_cursor`, `unknown_event_type`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "evt_5f0c…",
                     *         "type": "transaction.confirmed",
                     *         "timestamp": "2026-01-15T12:00:00.000Z",
                     *         "environment": "sandbox",
                     *         "tenant": "text",
                     *         "data": {
                     *           "object": {},
                     *           "sequence": 4711
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            /** @description `event_not_found` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "we_…",
                     *           "url": "https://example.org/hooks",
                     *           "types": [
                     *             "text"
                     *           ],
                     *           "status": "enabled",
                     *           "created_at": "2026-01-15T12:00:00.000Z",
                     *           "updated_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointListAnswer"];
                };
            };
            400: components["responses"]["BeginPasskeySignIn400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.org/hooks",
                 *       "types": [
                 *         "*"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookEndpointRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "we_…",
                     *         "url": "https://example.org/hooks",
                     *         "types": [
                     *           "text"
                     *         ],
                     *         "status": "enabled",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z",
                     *         "secret": "whsec_AAAA"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecretAnswer"];
                };
            };
            400: components["responses"]["CreateWebhookEndpoint400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            /** @description `webhook_endpoint_limit`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "we_…",
                     *         "url": "https://example.org/hooks",
                     *         "types": [
                     *           "text"
                     *         ],
                     *         "status": "enabled",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointAnswer"];
                };
            };
            400: components["responses"]["GetAccount400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["WebhookEndpointNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "text",
                     *         "deleted": true
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteWebhookEndpointResultAnswer"];
                };
            };
            400: components["responses"]["EndSession400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["WebhookEndpointNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "enabled",
                 *       "types": [
                 *         "payment_intent",
                 *         "proposal.created"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookEndpointRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "we_…",
                     *         "url": "https://example.org/hooks",
                     *         "types": [
                     *           "text"
                     *         ],
                     *         "status": "enabled",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointAnswer"];
                };
            };
            400: components["responses"]["CreateWebhookEndpoint400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["WebhookEndpointNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "we_…",
                     *         "url": "https://example.org/hooks",
                     *         "types": [
                     *           "text"
                     *         ],
                     *         "status": "enabled",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z",
                     *         "secret": "whsec_AAAA"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecretAnswer"];
                };
            };
            400: components["responses"]["RenamePasskey400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["WebhookEndpointNotFound"];
            /** @description `secret_rotation_pending`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "payment_intent.updated"
                 *     }
                 */
                "application/json": components["schemas"]["TestWebhookEndpointRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "text",
                     *         "event_id": "text",
                     *         "event_type": "text",
                     *         "attempt": 0,
                     *         "status": "delivered",
                     *         "duration_ms": 0,
                     *         "attempted_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookAttemptAnswer"];
                };
            };
            /** @description `unknown_event_type`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["WebhookEndpointNotFound"];
            409: components["responses"]["TestWebhookEndpoint409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "text",
                     *           "event_id": "text",
                     *           "event_type": "text",
                     *           "attempt": 0,
                     *           "status": "delivered",
                     *           "duration_ms": 0,
                     *           "attempted_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookAttemptListAnswer"];
                };
            };
            400: components["responses"]["ListStandingOrders400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["ListWebhookAttempts404"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "failed_since": "2026-01-15T12:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ReplayEventsRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "scheduled": 0,
                     *         "more": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayEventsResultAnswer"];
                };
            };
            /** @description `invalid_cursor`, `malformed_json`, `invalid_request`, `environment_required`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["ListWebhookAttempts404"];
            409: components["responses"]["TestWebhookEndpoint409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                type?: components["schemas"]["AuditEventType"];
                /** @description Only entries of this environment, and those of none. */
                environment?: components["schemas"]["Environment"];
                limit?: number;
                /** @description x-next-cursor of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "index": 0,
                     *           "type": "api_key.created",
                     *           "occurred_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEventListAnswer"];
                };
            };
            400: components["responses"]["ListAuditEvents400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    getAuditEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                index: string;
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
                    /**
                     * @example {
                     *       "data": {
                     *         "index": 0,
                     *         "type": "api_key.created",
                     *         "occurred_at": "2026-01-15T12:00:00.000Z",
                     *         "leaf": "text"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProvenAuditEventAnswer"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            /** @description `audit_event_not_found` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: number;
                /** @description x-next-cursor of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "name": "text",
                     *           "type": "secret",
                     *           "visible_prefix": "sk_test_3xJ9…",
                     *           "scopes": [
                     *             "accounts:read"
                     *           ],
                     *           "environments": [
                     *             "sandbox"
                     *           ],
                     *           "allowed_origins": [
                     *             "text"
                     *           ],
                     *           "allowed_addresses": [
                     *             "text"
                     *           ],
                     *           "status": "active",
                     *           "created_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyListAnswer"];
                };
            };
            400: components["responses"]["ListAuditEvents400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Server",
                 *       "scopes": [
                 *         "accounts:read",
                 *         "payments:write"
                 *       ],
                 *       "environments": [
                 *         "sandbox"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "name": "text",
                     *         "type": "secret",
                     *         "visible_prefix": "sk_test_3xJ9…",
                     *         "scopes": [
                     *           "accounts:read"
                     *         ],
                     *         "environments": [
                     *           "sandbox"
                     *         ],
                     *         "allowed_origins": [
                     *           "text"
                     *         ],
                     *         "allowed_addresses": [
                     *           "text"
                     *         ],
                     *         "status": "active",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "key": "text"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedApiKeyAnswer"];
                };
            };
            400: components["responses"]["SetSessionPolicy400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            409: components["responses"]["CreateApiKey409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                key_id: components["schemas"]["Uuid"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "name": "text",
                     *         "type": "secret",
                     *         "visible_prefix": "sk_test_3xJ9…",
                     *         "scopes": [
                     *           "accounts:read"
                     *         ],
                     *         "environments": [
                     *           "sandbox"
                     *         ],
                     *         "allowed_origins": [
                     *           "text"
                     *         ],
                     *         "allowed_addresses": [
                     *           "text"
                     *         ],
                     *         "status": "active",
                     *         "created_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyAnswer"];
                };
            };
            400: components["responses"]["RevokeApiKey400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            /** @description `api_key_not_found` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    listTenants: {
        parameters: {
            query?: {
                limit?: number;
                /** @description x-next-cursor of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "shop",
                     *           "name": "The shop",
                     *           "status": "enabled",
                     *           "protection": "plain",
                     *           "created_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TenantListAnswer"];
                };
            };
            400: components["responses"]["ListAuditEvents400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "shop",
                 *       "name": "The shop"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTenantRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "shop",
                     *         "name": "The shop",
                     *         "status": "enabled",
                     *         "protection": "plain",
                     *         "created_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TenantAnswer"];
                };
            };
            /** @description `invalid_address`, `malformed_json`, `invalid_request`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            /** @description `tenant_exists`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    disableTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                tenant_id: string;
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "shop",
                     *         "name": "The shop",
                     *         "status": "enabled",
                     *         "protection": "plain",
                     *         "created_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TenantAnswer"];
                };
            };
            400: components["responses"]["RevokeApiKey400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["TenantNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    enableTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                tenant_id: string;
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "shop",
                     *         "name": "The shop",
                     *         "status": "enabled",
                     *         "protection": "plain",
                     *         "created_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TenantAnswer"];
                };
            };
            400: components["responses"]["RevokeApiKey400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["TenantNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    createTenantApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Server",
                 *       "scopes": [
                 *         "accounts:read",
                 *         "payments:write"
                 *       ],
                 *       "environments": [
                 *         "sandbox"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "name": "text",
                     *         "type": "secret",
                     *         "visible_prefix": "sk_test_3xJ9…",
                     *         "scopes": [
                     *           "accounts:read"
                     *         ],
                     *         "environments": [
                     *           "sandbox"
                     *         ],
                     *         "allowed_origins": [
                     *           "text"
                     *         ],
                     *         "allowed_addresses": [
                     *           "text"
                     *         ],
                     *         "status": "active",
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "key": "text"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedApiKeyAnswer"];
                };
            };
            400: components["responses"]["SetSessionPolicy400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["TenantNotFound"];
            409: components["responses"]["CreateApiKey409"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    readOutbox: {
        parameters: {
            query?: {
                /** @description Only mail to this address. */
                email?: components["schemas"]["Email"];
            };
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *           "to": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                     *           "subject": "text",
                     *           "text": "text",
                     *           "html": "text",
                     *           "otp_code": "123456",
                     *           "created_at": "2026-01-15T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SentMailListAnswer"];
                };
            };
            /** @description `invalid_email`, `invalid_request`, `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *       "currency": "usdc",
                 *       "amount": "250000000"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxAirdropRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "currency": "usdc",
                     *         "amount": "1000000",
                     *         "transaction_signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SandboxAirdropResultAnswer"];
                };
            };
            /** @description `invalid_address`, `unsupported_currency`, `invalid_amount`, `transaction_failed`, `malformed_json`, `invalid_request`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "seconds": 900
                 *     }
                 */
                "application/json": components["schemas"]["SandboxAdvanceClockRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "now": "2026-01-15T12:00:00.000Z",
                     *         "slot": 4711,
                     *         "standing_order_runs": {
                     *           "paid": 0,
                     *           "missed": 0,
                     *           "left": 0
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SandboxAdvanceClockResultAnswer"];
                };
            };
            /** @description `advance_too_far`, `malformed_json`, `invalid_request`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    sandboxSetKyc: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                id: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "approved"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxSetKycRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "status": "not_started",
                     *         "tos_status": "pending",
                     *         "type": "individual",
                     *         "endorsements": {
                     *           "base": "incomplete"
                     *         },
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["KycRecordAnswer"];
                };
            };
            /** @description `rail_not_available`, `partner_refused`, `malformed_json`, `invalid_request`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            /** @description `kyc_not_found` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["PartnerUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    sandboxDeposit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                virtual_account_id: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "250.00"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxDepositRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "virtual_account_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "state": "scheduled",
                     *         "amount": "1000000",
                     *         "currency": "usd",
                     *         "destination": {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana"
                     *         },
                     *         "credited": false,
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DepositAnswer"];
                };
            };
            /** @description `rail_not_available`, `invalid_amount`, `malformed_json`, `invalid_request`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["VirtualAccountNotFound"];
            /** @description `virtual_account_deactivated`, `idempotency_in_progress` */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["PartnerUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    sandboxSetVirtualAccountStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                virtual_account_id: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "activated"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxSetVirtualAccountStatusRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "customer_id": "cust_1",
                     *         "status": "activated",
                     *         "developer_fee_percent": "0.5",
                     *         "destination": {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "currency": "usdc",
                     *           "payment_rail": "solana"
                     *         },
                     *         "source_deposit_instructions": {
                     *           "currency": "usd",
                     *           "payment_rails": [
                     *             "ach_push",
                     *             "wire"
                     *           ]
                     *         },
                     *         "created_at": "2026-01-15T12:00:00.000Z",
                     *         "updated_at": "2026-01-15T12:00:00.000Z",
                     *         "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *         "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "currency": "usd",
                     *         "payment_rails": [
                     *           "ach_push",
                     *           "wire"
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VirtualAccountAnswer"];
                };
            };
            400: components["responses"]["SandboxSetVirtualAccountStatus400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            404: components["responses"]["VirtualAccountNotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["PartnerUnavailable"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "standing_order_run.missed"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxTriggerEventRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "text",
                     *         "type": "text"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SandboxTriggerEventResultAnswer"];
                };
            };
            /** @description `unknown_event_type`, `malformed_json`, `invalid_request`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    sandboxMoveTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                /** @description Of the payment intent. */
                id: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "funds_received"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxMoveTransferRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                     *         "state": "awaiting_funds"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SandboxMoveTransferResultAnswer"];
                };
            };
            400: components["responses"]["SandboxSetVirtualAccountStatus400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            /** @description `rail_transfer_not_found` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["PartnerUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    sandboxClosePayoutAddresses: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path: {
                external_account_id: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "deactivated"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxClosePayoutAddressesRequest"];
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                     *           "status": "activated"
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PayoutAddressListAnswer"];
                };
            };
            400: components["responses"]["SandboxSetVirtualAccountStatus400"];
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            /** @description `external_account_not_found` */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["PartnerUnavailable"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    sandboxReadFaults: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "data": {
                     *         "drop": 0,
                     *         "blockhash_not_found": 0,
                     *         "full_blocks": 0,
                     *         "price": 0,
                     *         "fork": 0,
                     *         "lag": 0
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SandboxFaultsAnswer"];
                };
            };
            /** @description `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    sandboxSetFaults: {
        parameters: {
            query?: never;
            header?: {
                /** @description The environment. May be left out when the API key has exactly one. `production` is `mainnet`. */
                "x-service-environment"?: components["parameters"]["environment"];
                /** @description Makes retries safe: the first final answer is kept for 24 hours and replayed. `idempotency-key` is the same. */
                "x-idempotency-key"?: components["parameters"]["idempotencyKey"];
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "drop": 1
                 *     }
                 */
                "application/json": components["schemas"]["SandboxSetFaultsRequest"];
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
                    /**
                     * @example {
                     *       "data": {
                     *         "drop": 0,
                     *         "blockhash_not_found": 0,
                     *         "full_blocks": 0,
                     *         "price": 0,
                     *         "fork": 0,
                     *         "lag": 0
                     *       },
                     *       "metadata": {
                     *         "request_id": "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11",
                     *         "timestamp": "2026-01-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SandboxFaultsAnswer"];
                };
            };
            /** @description `malformed_json`, `invalid_request`, `invalid_environment`, `environment_not_available`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ImportAccount429"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
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
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
                "x-request-id"?: components["parameters"]["requestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "getBalance",
                 *       "params": [
                 *         "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SandboxRpcRequest"];
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
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["SandboxRpcResult"];
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
            /** @description `malformed_json`, `invalid_request`, `invalid_environment`, `environment_not_available` */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["CreateAccount401"];
            403: components["responses"]["CreateAccount403"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TenantFrozen"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "0.1.0"
                     *     }
                     */
                    "application/json": components["schemas"]["GetHealthResult"];
                };
            };
            500: components["responses"]["InternalError"];
            "4XX": components["responses"]["Refused"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "checks": {
                     *         "database": {
                     *           "ok": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetReadinessResult"];
                };
            };
            500: components["responses"]["InternalError"];
            /** @description `service_unavailable` */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Made when absent or malformed. */
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
                    /**
                     * @example {
                     *       "openapi": "3.1.0"
                     *     }
                     */
                    "application/json": components["schemas"]["GetOpenApiResult"];
                };
            };
            500: components["responses"]["InternalError"];
            "4XX": components["responses"]["Refused"];
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
                        object?: components["schemas"]["AccountSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "account.updated";
                    data?: {
                        object?: components["schemas"]["AccountSnapshot"];
                        sequence?: unknown;
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
    on_account_released: {
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
                 *       "type": "account.released",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "status": "released",
                 *           "type": "custom",
                 *           "settings_address": "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
                 *           "email": "ada@example.org",
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "account.released";
                    data?: {
                        object?: components["schemas"]["ReleasedAccountSnapshot"];
                        sequence?: unknown;
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
                        object?: components["schemas"]["AccountCreationSnapshot"];
                        sequence?: unknown;
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
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "purpose": "transaction",
                 *           "status": "confirmed",
                 *           "slot": 4711,
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "confirmed_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "transaction.confirmed";
                    data?: {
                        object?: components["schemas"]["TransactionSnapshot"];
                        sequence?: unknown;
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
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "purpose": "transaction",
                 *           "status": "failed",
                 *           "error": {
                 *             "InstructionError": [
                 *               1,
                 *               {
                 *                 "Custom": 1
                 *               }
                 *             ]
                 *           }
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "transaction.failed";
                    data?: {
                        object?: components["schemas"]["FailedTransactionSnapshot"];
                        sequence?: unknown;
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
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "purpose": "transaction",
                 *           "status": "expired"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "transaction.expired";
                    data?: {
                        object?: components["schemas"]["ExpiredTransactionSnapshot"];
                        sequence?: unknown;
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
                        object?: components["schemas"]["PaymentIntentSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "payment_intent.updated";
                    data?: {
                        object?: components["schemas"]["PaymentIntentSnapshot"];
                        sequence?: unknown;
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
                 *           "Spl": {
                 *             "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *             "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *             "main_account_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *             "mint": "11111111111111111111111111111111",
                 *             "is_token_2022": false,
                 *             "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *             "confirmation_status": "finalized",
                 *             "from_address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *             "to_address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *             "amount": "1000000",
                 *             "ui_amount": "0.001",
                 *             "decimals": 9,
                 *             "confirmed_at": "2026-01-15T12:00:00.000Z",
                 *             "created_at": "2026-01-15T12:00:00.000Z",
                 *             "updated_at": "2026-01-15T12:00:00.000Z",
                 *             "direction": "inflow",
                 *             "environment": "sandbox",
                 *             "instruction_index": 0
                 *           }
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "transfer.received";
                    data?: {
                        object?: components["schemas"]["ReceivedTransfer"];
                        sequence?: unknown;
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
                        object?: components["schemas"]["ProposalSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "proposal.voted";
                    data?: {
                        object?: components["schemas"]["ProposalSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "proposal.approved";
                    data?: {
                        object?: components["schemas"]["ProposalSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "proposal.rejected";
                    data?: {
                        object?: components["schemas"]["ProposalSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "proposal.cancelled";
                    data?: {
                        object?: components["schemas"]["ProposalSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "proposal.executed";
                    data?: {
                        object?: components["schemas"]["ProposalSnapshot"];
                        sequence?: unknown;
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
                 *             "currency": "usdc",
                 *             "payment_rail": "solana",
                 *             "details": {
                 *               "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
                 *             }
                 *           },
                 *           "destination": {
                 *             "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *             "currency": "usdc",
                 *             "payment_rail": "solana",
                 *             "details": {
                 *               "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
                 *             }
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
                        object?: components["schemas"]["StandingOrderSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order.activated";
                    data?: {
                        object?: components["schemas"]["StandingOrderSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order.deactivated";
                    data?: {
                        object?: components["schemas"]["StandingOrderSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order.completed";
                    data?: {
                        object?: components["schemas"]["StandingOrderSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order.cancelled";
                    data?: {
                        object?: components["schemas"]["StandingOrderSnapshot"];
                        sequence?: unknown;
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
                 *           "state": "paid",
                 *           "amount": "5000000",
                 *           "currency": "usdc",
                 *           "attempts": 1,
                 *           "paid_at": "2026-01-15T12:00:00.000Z",
                 *           "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "error": null
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order_run.paid";
                    data?: {
                        object?: components["schemas"]["StandingOrderRunSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order_run.failed";
                    data?: {
                        object?: components["schemas"]["StandingOrderRunSnapshot"];
                        sequence?: unknown;
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order_run.missed";
                    data?: {
                        object?: components["schemas"]["StandingOrderRunSnapshot"];
                        sequence?: unknown;
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
    on_standing_order_payout_created: {
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
                 *       "type": "standing_order_payout.created",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "standing_order_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "due_at": "2026-01-15T12:00:00.000Z",
                 *           "external_account_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "payment_rail": "ach_push",
                 *           "state": "funds_received",
                 *           "amount": "25.00",
                 *           "currency": "usdc",
                 *           "destination_currency": "usd",
                 *           "transaction_signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order_payout.created";
                    data?: {
                        object?: components["schemas"]["StandingOrderPayoutSnapshot"];
                        sequence?: unknown;
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
    on_standing_order_payout_updated: {
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "standing_order_payout.updated";
                    data?: {
                        object?: components["schemas"]["StandingOrderPayoutSnapshot"];
                        sequence?: unknown;
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
    on_kyc_created: {
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
                 *       "type": "kyc.created",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "type": "individual",
                 *           "status": "not_started",
                 *           "tos_status": "pending",
                 *           "endorsements": {
                 *             "base": "incomplete"
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
                    type?: "kyc.created";
                    data?: {
                        object?: components["schemas"]["KycSnapshot"];
                        sequence?: unknown;
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
    on_external_account_created: {
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
                 *       "type": "external_account.created",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "account_type": "us",
                 *           "currency": "usd",
                 *           "last_4": "6789",
                 *           "active": true,
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "external_account.created";
                    data?: {
                        object?: components["schemas"]["ExternalAccountSnapshot"];
                        sequence?: unknown;
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
    on_external_account_updated: {
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "external_account.updated";
                    data?: {
                        object?: components["schemas"]["ExternalAccountSnapshot"];
                        sequence?: unknown;
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
    on_external_account_deleted: {
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "external_account.deleted";
                    data?: {
                        object?: components["schemas"]["ExternalAccountSnapshot"];
                        sequence?: unknown;
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
    on_kyc_updated: {
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "kyc.updated";
                    data?: {
                        object?: components["schemas"]["KycSnapshot"];
                        sequence?: unknown;
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
    on_virtual_account_created: {
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
                 *       "type": "virtual_account.created",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "status": "activated",
                 *           "currency": "usd",
                 *           "payment_rails": [
                 *             "ach_push",
                 *             "wire"
                 *           ],
                 *           "destination": {
                 *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *             "currency": "usdc",
                 *             "payment_rail": "solana"
                 *           },
                 *           "last_4": "0042",
                 *           "developer_fee_percent": "0.5",
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "virtual_account.created";
                    data?: {
                        object?: components["schemas"]["VirtualAccountSnapshot"];
                        sequence?: unknown;
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
    on_virtual_account_updated: {
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "virtual_account.updated";
                    data?: {
                        object?: components["schemas"]["VirtualAccountSnapshot"];
                        sequence?: unknown;
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
    on_deposit_created: {
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
                 *       "type": "deposit.created",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "virtual_account_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "account": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *           "state": "received",
                 *           "amount": "250.00",
                 *           "currency": "usd",
                 *           "payment_rail": "ach_push",
                 *           "destination": {
                 *             "address": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
                 *             "currency": "usdc",
                 *             "payment_rail": "solana"
                 *           },
                 *           "credited": false,
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "deposit.created";
                    data?: {
                        object?: components["schemas"]["DepositSnapshot"];
                        sequence?: unknown;
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
    on_deposit_updated: {
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "deposit.updated";
                    data?: {
                        object?: components["schemas"]["DepositSnapshot"];
                        sequence?: unknown;
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
                 *           "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "last_active_at": "2026-01-15T12:00:00.000Z",
                 *           "expires_at": "2026-01-15T12:00:00.000Z",
                 *           "reason": "signed_out"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "session.revoked";
                    data?: {
                        object?: components["schemas"]["RevokedSession"];
                        sequence?: unknown;
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
    on_passkey_added: {
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
                 *       "type": "passkey.added",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "provider": "kms_a",
                 *           "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "credential_id": "KEDetxZcUfinhVi6Za5nZQ",
                 *           "rp_id": "app.example",
                 *           "name": "Ada's phone",
                 *           "aaguid": "00000000-0000-0000-0000-000000000000",
                 *           "synced": true,
                 *           "created_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "passkey.added";
                    data?: {
                        object?: components["schemas"]["Passkey"];
                        sequence?: unknown;
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
    on_passkey_removed: {
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "passkey.removed";
                    data?: {
                        object?: components["schemas"]["Passkey"];
                        sequence?: unknown;
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
    on_wallet_export_requested: {
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
                 *       "type": "wallet_export.requested",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "provider": "kms_a",
                 *           "signer": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *           "recipient_public_key": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==",
                 *           "status": "waiting",
                 *           "requested_at": "2026-01-15T12:00:00.000Z",
                 *           "not_before": "2026-01-18T12:00:00.000Z",
                 *           "expires_at": "2026-01-25T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "wallet_export.requested";
                    data?: {
                        object?: components["schemas"]["WalletExportSnapshot"];
                        sequence?: unknown;
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
    on_wallet_export_cancelled: {
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "wallet_export.cancelled";
                    data?: {
                        object?: components["schemas"]["WalletExportSnapshot"];
                        sequence?: unknown;
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
    on_wallet_export_completed: {
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
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "wallet_export.completed";
                    data?: {
                        object?: components["schemas"]["WalletExportSnapshot"];
                        sequence?: unknown;
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
    on_wallet_import_completed: {
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
                 *       "type": "wallet_import.completed",
                 *       "timestamp": "2026-01-15T12:00:00.000Z",
                 *       "environment": "sandbox",
                 *       "tenant": "default",
                 *       "data": {
                 *         "object": {
                 *           "id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "grid_user_id": "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
                 *           "wallet": {
                 *             "address": "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
                 *             "provider": "kms_a",
                 *             "imported_at": "2026-01-15T12:00:00.000Z"
                 *           }
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "wallet_import.completed";
                    data?: {
                        object?: components["schemas"]["WalletImport"];
                        sequence?: unknown;
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
                            address: components["schemas"]["Address"];
                            message?: string;
                        };
                        sequence?: unknown;
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
                            /** Format: int64 */
                            retry_after_seconds?: number;
                        };
                        sequence?: unknown;
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
                 *           "disabled_reason": "failing",
                 *           "failing_since": "2026-01-15T12:00:00.000Z",
                 *           "created_at": "2026-01-15T12:00:00.000Z",
                 *           "updated_at": "2026-01-15T12:00:00.000Z"
                 *         },
                 *         "sequence": 4711
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "webhook_endpoint.disabled";
                    data?: {
                        object?: components["schemas"]["DisabledWebhookEndpoint"];
                        sequence?: unknown;
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
                        sequence?: unknown;
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
