import type { CallOptions, ServiceCalls } from "./service-calls.js";
import type {
  AdvancedClock,
  Airdropped,
  AirdropRequest,
  Deposit,
  KycRecord,
  OutboxMail,
  PaymentIntentState,
  SandboxClock,
  SandboxDepositRequest,
  SandboxFaults,
  SetKycRequest,
  TriggeredEvent,
  VirtualAccount,
} from "./wire.js";

/** The calls that only the sandbox has. */
export function createSandboxCalls({ get, post }: ServiceCalls) {
  return {
    /** The mails the sandbox would have sent, newest first (gap 49). */
    outbox: (email: string) => get<readonly OutboxMail[]>("/sandbox/outbox", { email }),
    /** Gives an address money of the sandbox (gap 49). */
    airdrop: (request: AirdropRequest, callOptions?: CallOptions) =>
      post<Airdropped>("/sandbox/airdrop", request, callOptions),
    /** Moves the sandbox's time forward (gap 49); open prepared transactions expire. */
    advanceClock: (seconds: number, callOptions?: CallOptions) =>
      post<AdvancedClock>("/sandbox/clock/advance", { seconds }, callOptions),
    /** What time it is in the sandbox (gap 229). */
    clock: () => get<SandboxClock>("/sandbox/clock"),
    /** Pretends that a sender has paid into a virtual account (gap 49). */
    deposit: (virtualAccountId: string, request: SandboxDepositRequest, callOptions?: CallOptions) =>
      post<Deposit>(`/sandbox/virtual-accounts/${encodeURIComponent(virtualAccountId)}/deposits`, request, callOptions),
    /** Activates or deactivates a virtual account as its partner would (gap 100). */
    setVirtualAccountStatus: (virtualAccountId: string, status: VirtualAccount["status"], callOptions?: CallOptions) =>
      post<VirtualAccount>(
        `/sandbox/virtual-accounts/${encodeURIComponent(virtualAccountId)}`,
        { status },
        callOptions,
      ),
    /** Puts the documented example of a type into the feed, marked (gap 94). */
    triggerEvent: (type: string, callOptions?: CallOptions) =>
      post<TriggeredEvent>("/sandbox/events", { type }, callOptions),
    /** Has the simulated partner move a payment from or to a bank, by the id of its payment intent (gap 104). */
    moveTransfer: (id: string, state: PaymentIntentState, callOptions?: CallOptions) =>
      post<{ readonly id: string; readonly state: PaymentIntentState }>(
        `/sandbox/transfers/${encodeURIComponent(id)}`,
        { state },
        callOptions,
      ),
    /** Closes the addresses behind a bank account, as its partner would (gap 133): the next standing order has another one. */
    closePayoutAddresses: (externalAccountId: string, callOptions?: CallOptions) =>
      post<readonly { readonly address: string; readonly status: "activated" | "deactivated" }[]>(
        `/sandbox/external-accounts/${encodeURIComponent(externalAccountId)}/payout-addresses`,
        { status: "deactivated" },
        callOptions,
      ),
    /** Has this go wrong on the sandbox chain from now on, and nothing else (gap 126): `{}` ends it. Everybody there meets it. */
    setFaults: (faults: Partial<SandboxFaults>, callOptions?: CallOptions) =>
      post<SandboxFaults>("/sandbox/faults", faults, callOptions),
    /** What goes wrong on the sandbox chain on purpose (gap 126). */
    faults: () => get<SandboxFaults>("/sandbox/faults"),
    /** Has the sandbox's partner decide a verification; approving accepts its terms, too (gap 49). */
    setKyc: (id: string, request: SetKycRequest, callOptions?: CallOptions) =>
      post<KycRecord>(`/sandbox/kyc/${encodeURIComponent(id)}`, request, callOptions),
  };
}
