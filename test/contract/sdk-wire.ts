/**
 * Holds the client library's types against the published schema, at compile time: what the library sends must be what
 * the service takes, and what the service answers must be what the library promises. Nothing here runs.
 */
import type * as sdk from "@trellis/sdk";
import type { operations } from "./generated/openapi.js";

type Body<Operation extends keyof operations> = operations[Operation] extends {
  requestBody?: { content: { "application/json": infer T } };
}
  ? T
  : never;

type Answer<Operation extends keyof operations> = operations[Operation]["responses"] extends infer Responses
  ? Responses extends { 200: { content: { "application/json": infer T } } }
    ? Data<T>
    : Responses extends { 201: { content: { "application/json": infer T } } }
      ? Data<T>
      : never
  : never;

type Data<T> = T extends { data: infer D; metadata: unknown } ? D : T;

/** Compiles only when every `From` can be used where a `To` is wanted. */
type Fits<From extends To, To> = From;

export type Requests = [
  Fits<Mutable<sdk.CreateAccountRequest>, Body<"createAccount">>,
  Fits<Mutable<sdk.CreateCustomAccountRequest>, Body<"createCustomAccount">>,
  Fits<Mutable<sdk.ImportAccountRequest>, Body<"importAccount">>,
  Fits<Mutable<sdk.ReleaseAccountRequest>, Body<"releaseAccount">>,
  Fits<Mutable<sdk.UpdateAccountRequest>, Body<"updateAccount">>,
  Fits<Mutable<sdk.ProtectAccountRequest>, Body<"protectAccount">>,
  Fits<Mutable<sdk.VerifyAccountRequest>, Body<"verifyAccount">>,
  Fits<Mutable<sdk.StartAuthRequest>, Body<"startAuthentication">>,
  Fits<Mutable<sdk.VerifyAuthRequest>, Body<"verifyAuthentication">>,
  Fits<Mutable<sdk.RefreshSessionRequest>, Body<"refreshSession">>,
  Fits<Mutable<sdk.LegacyAuthRequest>, Body<"startLegacyAuthentication">>,
  Fits<Mutable<sdk.LegacyVerifyRequest>, Body<"verifyLegacyAuthentication">>,
  Fits<Mutable<sdk.LegacyPaymentIntentRequest>, Body<"createLegacyPaymentIntent">>,
  Fits<Mutable<sdk.ConfirmLegacyPaymentIntentRequest>, Body<"confirmLegacyPaymentIntent">>,
  Fits<Mutable<sdk.PrepareTransactionRequest>, Body<"prepareTransaction">>,
  Fits<Mutable<sdk.PrepareTransferRequest>, Body<"preparePayment">>,
  Fits<Mutable<sdk.PrepareBankPaymentRequest>, Body<"preparePayment">>,
  Fits<Mutable<sdk.ReceiveFromBankRequest>, Body<"preparePayment">>,
  Fits<Mutable<sdk.AddExternalAccountRequest>, Body<"addExternalAccount">>,
  Fits<Mutable<sdk.SubmitTransactionRequest>, Body<"submitTransactions">>,
  Fits<Mutable<sdk.SubmitTransactionsRequest>, Body<"submitTransactions">>,
  Fits<Mutable<sdk.CreateProposalRequest>, Body<"createProposal">>,
  Fits<Mutable<sdk.CloseBuffersRequest>, Body<"closeTransactionBuffers">>,
  Fits<Mutable<sdk.VoteRequest>, Body<"voteOnProposal">>,
  Fits<Mutable<sdk.VoteAndExecuteRequest>, Body<"voteAndExecuteProposal">>,
  Fits<Mutable<sdk.ExecuteProposalRequest>, Body<"executeProposal">>,
  Fits<Mutable<sdk.CreateApiKeyRequest>, Body<"createApiKey">>,
  Fits<Mutable<sdk.InviteMemberRequest>, Body<"inviteMember">>,
  Fits<Mutable<sdk.UpdateMemberRequest>, Body<"updateMember">>,
  Fits<Mutable<sdk.CreateTenantRequest>, Body<"createTenant">>,
  Fits<Mutable<sdk.CreateApiKeyRequest>, Body<"createTenantApiKey">>,
  Fits<Mutable<sdk.CreateWebhookEndpointRequest>, Body<"createWebhookEndpoint">>,
  Fits<Mutable<sdk.UpdateWebhookEndpointRequest>, Body<"updateWebhookEndpoint">>,
  Fits<Mutable<sdk.ReplayRequest>, Body<"replayEvents">>,
  Fits<Mutable<sdk.CreateSpendingLimitRequest>, Body<"createSpendingLimit">>,
  Fits<Mutable<sdk.UpdateSpendingLimitRequest>, Body<"updateSpendingLimit">>,
  Fits<Mutable<sdk.PayFromSpendingLimitRequest>, Body<"prepareLimitPayment">>,
  Fits<Mutable<sdk.CreateStandingOrderRequest>, Body<"createStandingOrder">>,
  Fits<Mutable<sdk.AirdropRequest>, Body<"sandboxAirdrop">>,
  Fits<Mutable<Partial<sdk.SandboxFaults>>, Body<"sandboxSetFaults">>,
  Fits<Mutable<sdk.RequestVirtualAccountRequest>, Body<"requestVirtualAccount">>,
  Fits<Mutable<sdk.SandboxDepositRequest>, Body<"sandboxDeposit">>,
];

export type Answers = [
  Fits<Answer<"createCustomAccount">, sdk.CustomAccount>,
  Fits<Answer<"importAccount">, sdk.ImportedAccount>,
  Fits<Answer<"releaseAccount">, sdk.ReleasedAccount>,
  Fits<Answer<"updateAccount">, sdk.PreparedUpdate>,
  Fits<Answer<"protectAccount">, sdk.PreparedProtection>,
  Fits<Answer<"verifyAccount">, sdk.Authentication>,
  Fits<Answer<"verifyAuthentication">, sdk.Authentication>,
  Fits<Answer<"startAuthentication">, sdk.StartedAuth>,
  Fits<Answer<"refreshSession">, sdk.RefreshedSession>,
  Fits<Answer<"startLegacyAuthentication">, sdk.LegacyStartedAuth>,
  Fits<Answer<"verifyLegacyAuthentication">, sdk.LegacyVerified>,
  Fits<Answer<"createLegacyPaymentIntent">, sdk.PreparedLegacyPaymentIntent>,
  Fits<Answer<"confirmLegacyPaymentIntent">, sdk.LegacyPaymentIntent>,
  Fits<Answer<"getLegacyPaymentIntent">, sdk.LegacyPaymentIntent>,
  Fits<Answer<"listLegacyPaymentIntents">, readonly sdk.LegacyPaymentIntent[]>,
  Fits<Answer<"createSpendingLimit">, sdk.PreparedSpendingLimit>,
  Fits<Answer<"updateSpendingLimit">, sdk.PreparedSpendingLimit>,
  Fits<Answer<"deleteSpendingLimit">, sdk.PreparedTransaction>,
  Fits<Answer<"getSpendingLimit">, sdk.SpendingLimit>,
  Fits<Answer<"listAllSpendingLimits">, readonly sdk.SpendingLimit[]>,
  Fits<Answer<"prepareLimitPayment">, sdk.PreparedTransaction>,
  Fits<Answer<"createStandingOrder">, sdk.PreparedStandingOrder>,
  Fits<Answer<"listStandingOrders">, readonly sdk.StandingOrder[]>,
  Fits<Answer<"listAllStandingOrders">, readonly sdk.StandingOrder[]>,
  Fits<Answer<"getStandingOrder">, sdk.StandingOrder>,
  Fits<Answer<"listStandingOrderRuns">, readonly sdk.StandingOrderRun[]>,
  Fits<Answer<"cancelStandingOrder">, sdk.ChangedStandingOrder>,
  Fits<Answer<"resumeStandingOrder">, sdk.ChangedStandingOrder>,
  Fits<Answer<"getAccount">, sdk.Account>,
  Fits<Answer<"getBalances">, sdk.Balances>,
  Fits<Answer<"listTransfers">, readonly sdk.Transfer[]>,
  Fits<Answer<"listTransactions">, readonly sdk.HistoryTransaction[]>,
  Fits<Answer<"prepareTransaction">, sdk.PreparedCustomTransaction>,
  Fits<Extract<Answer<"preparePayment">, { transaction: string }>, sdk.PreparedTransfer>,
  Fits<Answer<"preparePayment">, sdk.OpenedPayIn>,
  Fits<Answer<"addExternalAccount">, sdk.ExternalAccount>,
  Fits<Answer<"listExternalAccounts">, readonly sdk.ExternalAccount[]>,
  Fits<Answer<"removeExternalAccount">, sdk.ExternalAccount>,
  Fits<Answer<"listPaymentIntents">, readonly sdk.PaymentIntent[]>,
  Fits<Answer<"listAllPaymentIntents">, readonly sdk.PaymentIntent[]>,
  Fits<Answer<"getPaymentIntent">, sdk.PaymentIntent>,
  Fits<Answer<"createProposal">, sdk.PreparedProposal>,
  Fits<Answer<"closeTransactionBuffers">, sdk.PreparedBufferClosing>,
  Fits<Answer<"listProposals">, readonly sdk.Proposal[]>,
  Fits<Answer<"listAllProposals">, readonly sdk.AccountProposal[]>,
  Fits<Answer<"getProposal">, sdk.ProposalDetails>,
  Fits<Answer<"voteOnProposal">, sdk.PreparedVote>,
  Fits<Answer<"voteAndExecuteProposal">, sdk.PreparedExecution>,
  Fits<Answer<"executeProposal">, sdk.PreparedExecution>,
  Fits<Answer<"readOutbox">, readonly sdk.OutboxMail[]>,
  Fits<Answer<"sandboxAirdrop">, sdk.Airdropped>,
  Fits<Answer<"listEvents">, readonly sdk.TrellisEvent[]>,
  Fits<Answer<"getEvent">, sdk.TrellisEvent>,
  Fits<Answer<"createWebhookEndpoint">, sdk.CreatedWebhookEndpoint>,
  Fits<Answer<"listWebhookEndpoints">, readonly sdk.WebhookEndpoint[]>,
  Fits<Answer<"createApiKey">, sdk.CreatedApiKey>,
  Fits<Answer<"listApiKeys">, readonly sdk.ApiKey[]>,
  Fits<Answer<"revokeApiKey">, sdk.ApiKey>,
  Fits<Answer<"inviteMember">, sdk.InvitedMember>,
  Fits<Answer<"listMembers">, readonly sdk.Member[]>,
  Fits<Answer<"updateMember">, sdk.Member>,
  Fits<Answer<"removeMember">, sdk.Member>,
  Fits<Answer<"createTenant">, sdk.Tenant>,
  Fits<Answer<"listTenants">, readonly sdk.Tenant[]>,
  Fits<Answer<"disableTenant">, sdk.Tenant>,
  Fits<Answer<"enableTenant">, sdk.Tenant>,
  Fits<Answer<"createTenantApiKey">, sdk.CreatedApiKey>,
  Fits<Answer<"getWebhookEndpoint">, sdk.WebhookEndpoint>,
  Fits<Answer<"updateWebhookEndpoint">, sdk.WebhookEndpoint>,
  Fits<Answer<"deleteWebhookEndpoint">, sdk.DeletedWebhookEndpoint>,
  Fits<Answer<"rotateWebhookSecret">, sdk.CreatedWebhookEndpoint>,
  Fits<Answer<"testWebhookEndpoint">, sdk.WebhookAttempt>,
  Fits<Answer<"listWebhookAttempts">, readonly sdk.WebhookAttempt[]>,
  Fits<Answer<"replayEvents">, sdk.Replayed>,
  Fits<Answer<"sandboxTriggerEvent">, sdk.TriggeredEvent>,
  Fits<Answer<"startKyc">, sdk.KycLink>,
  Fits<Answer<"getKyc">, sdk.KycRecord>,
  Fits<Answer<"sandboxSetKyc">, sdk.KycRecord>,
  Fits<Answer<"deleteRailData">, sdk.DeletedRailData>,
  Fits<Answer<"sandboxAdvanceClock">, sdk.AdvancedClock>,
  Fits<Answer<"sandboxReadClock">, sdk.SandboxClock>,
  Fits<Answer<"sandboxSetFaults">, sdk.SandboxFaults>,
  Fits<Answer<"sandboxReadFaults">, sdk.SandboxFaults>,
  Fits<Answer<"requestVirtualAccount">, sdk.VirtualAccount>,
  Fits<Answer<"listVirtualAccounts">, readonly sdk.VirtualAccount[]>,
  Fits<Answer<"listAllVirtualAccounts">, readonly sdk.VirtualAccount[]>,
  Fits<Answer<"listAllVerifications">, readonly sdk.KycRecord[]>,
  Fits<Answer<"listDeposits">, readonly sdk.Deposit[]>,
  Fits<Answer<"sandboxDeposit">, sdk.Deposit>,
];

/** The published types are writable, as generators make them; that is no difference on the wire. */
type Mutable<T> = T extends readonly (infer E)[]
  ? Mutable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;
