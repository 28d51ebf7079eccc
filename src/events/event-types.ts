/** Every type of event with a sentence about it (gap 90). Types are permanent: receivers branch on them. */
export const eventTypes = {
  "account.created": "A smart account exists on chain.",
  "account.updated": "An account's policy was changed, or its signers as the service knows them.",
  "account.released":
    "An imported account is not served for the tenant any more. Nothing more of it is reported to it.",
  "account.creation_failed": "The program refused to create an account, for good.",
  "transaction.confirmed": "A submitted transaction is confirmed.",
  "transaction.failed": "A submitted transaction was executed and failed. Nothing but the fee has moved.",
  "transaction.expired": "A submitted transaction has expired: it is not on the chain, and provably never will be.",
  "payment_intent.created": "A payment was prepared.",
  "payment_intent.updated": "The state of a payment moved.",
  "transfer.received": "Money has arrived at a smart account.",
  "proposal.created": "Something was put to a vote.",
  "proposal.voted": "A signer voted, and the outcome is still open.",
  "proposal.approved": "A proposal has enough approvals, and can be executed once its time lock is over.",
  "proposal.rejected": "So many signers rejected a proposal that it can no longer be approved.",
  "proposal.cancelled": "An approved proposal was cancelled.",
  "proposal.executed": "A proposal was executed.",
  "standing_order.created": "A standing order waits for its spending limit.",
  "standing_order.activated": "A standing order has its spending limit, and pays from now on.",
  "standing_order.deactivated": "A standing order cannot pay, and waits for its account's people.",
  "standing_order.completed": "A standing order has ended.",
  "standing_order.cancelled": "A standing order was cancelled, or its limit was confirmed after that.",
  "standing_order_run.paid": "A due date of a standing order was paid.",
  "standing_order_run.failed": "A payment of a standing order failed, and is tried again.",
  "standing_order_run.missed": "A due date of a standing order was given up.",
  "standing_order_payout.created": "A partner has reported a payment of a standing order to a bank account.",
  "standing_order_payout.updated": "The bank has processed such a payment further, or has returned it.",
  "kyc.created": "A partner of bank rails has begun to check the person or business behind an account.",
  "external_account.created": "A bank account was added that payments can go to.",
  "external_account.updated": "The partner can pay a bank account no more, or again.",
  "external_account.deleted": "A bank account was removed.",
  "kyc.updated": "A check, its terms, or what it allows changed; an approval can be revoked.",
  "virtual_account.created": "A partner has opened bank details under which money for an account arrives.",
  "virtual_account.updated":
    "A partner has activated or deactivated a virtual account, or changed its bank details, ways to pay or fee.",
  "deposit.created": "Money is on its way to a virtual account, or has arrived there.",
  "deposit.updated": "The partner has processed a deposit further, or its payment is on the chain.",
  "session.revoked": "A session was ended before its time. `reason` says by whom, or why.",
  "passkey.added": "A passkey signs for a custodian's wallet from now on.",
  "passkey.removed": "A passkey was removed, and signs no more.",
  "passkey_session.opened": "A passkey that signs on chain has given a key a session, in place of any former one.",
  "passkey_session.ended": "A passkey that signs on chain has ended its session.",
  "wallet_export.requested": "The owner of a wallet wants its key handed out. It leaves after a delay.",
  "wallet_export.cancelled": "An export of a wallet's key was cancelled: by it the key has not left, and never will.",
  "wallet_export.completed": "The key of a wallet was handed out. Its custodian still signs with it.",
  "wallet_import.completed":
    "A key that its owner brought is a custodian's wallet from now on. Others may have it, too.",
  "fee_payer.low": "The key that pays fees holds too little; what costs a fee has to wait. Once a day.",
  "sponsorship.exhausted": "A budget for what the service pays for others is used up. Once a day.",
  "webhook_endpoint.disabled": "An endpoint gets nothing any more: it answered 410, or failed for too long.",
  "webhook.test": "Sent when a test is requested.",
} as const;

export type EventType = keyof typeof eventTypes;

/** All of them. */
export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** A filter as it is kept: without the ending that only says that it is the beginning of a type. */
export const trimFilter = (filter: string): string => filter.replace(/\.\*?$/, "");

/** Whether a filter, as it is kept, takes a type: `*`, the type itself, or what stands before one of its dots. */
export const takesType = (filter: string, type: string): boolean =>
  filter === "*" || filter === type || type.startsWith(`${filter}.`);
