import type { Address } from "@solana/kit";
import {
  CAN_VOTE_BIT,
  Period,
  permissionsOfMask,
  SIGNATURE_PROGRAM_ADDRESS,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { fewestKeys, keysThatActAlone } from "./controlling-keys.js";
import { describeProgram, type ExaminedProgram } from "./examine-program.js";
import { describeInstant } from "./instant.js";
import { type Check, verdictOf } from "./judge-authority.js";
import type { LeftOverBuffer } from "./left-over-buffers.js";
import { liveSession, type PasskeyHolder } from "./passkey-holders.js";
import type { Authority, ExaminedLimit, ExaminedPolicy, OpenProposal, TokenDelegate } from "./read-authority.js";
import { describeMandate, type KnownOrders } from "./standing-orders.js";

const periods = {
  [Period.OneTime]: "one_time",
  [Period.Day]: "day",
  [Period.Week]: "week",
  [Period.Month]: "month",
} as const;

/** The whole report as a value for programs; amounts are decimal strings, instants Unix seconds. */
export function describeAuthority(
  authority: Authority,
  checks: readonly Check[],
  known: KnownOrders & { readonly programs: readonly ExaminedProgram[] } = {
    executors: [],
    orders: undefined,
    programs: [],
  },
) {
  const programAt = (address: Address) => describeProgram(known.programs.find(({ program }) => program === address));
  const { account, slot, unixSeconds, addressOwner, spendingLimits, policies, proposals, delegates } = authority;
  const { settings } = account;
  return {
    address: account.address,
    settings_address: account.settingsAddress,
    slot: Number(slot),
    time: Number(unixSeconds),
    threshold: settings.threshold,
    time_lock: settings.timeLockSeconds,
    admin_address: settings.settingsAuthority,
    signers: settings.signers.map(({ address, mask }) => ({ address, permissions: permissionsOfMask(mask) })),
    /**
     * The keys that can do anything without another one, with a time lock or without one: of signers and of sessions. A passkey is
     * named by its account.
     */
    acts_alone: keysThatActAlone(settings, authority),
    /** How many keys have to agree; null: all of them together cannot act. */
    signers_needed: fewestKeys(settings, authority),
    /** Null: it was not, or could not be read. */
    program: programAt(SMART_ACCOUNT_PROGRAM_ADDRESS),
    /** The same of the program by which passkeys sign; null as well where no passkey holds authority. */
    signature_program: programAt(SIGNATURE_PROGRAM_ADDRESS),
    address_owner: addressOwner,
    spending_limits: spendingLimits.map((limit) => describeLimit(limit, authority, known)),
    policies: policies.map((policy) => describePolicy(policy, account.address)),
    proposals: proposals.map(describeProposal),
    token_delegates: delegates.map(describeDelegate),
    transaction_buffers: authority.buffers.map(describeBuffer),
    passkeys: authority.passkeys.map((passkey) => describePasskey(passkey, unixSeconds)),
    checks,
    verdict: verdictOf(checks),
  };
}

/** In a sentence, whose key is enough. */
function aloneLine({ acts_alone: alone, signers_needed: needed, admin_address: admin }: Report): string {
  const byAdmin = admin === null || alone.includes(admin) ? "" : ` ${admin} alone can make others the signers.`;
  if (alone.length > 0) return `Alone: ${alone.join(", ")} can move everything.${byAdmin}`;
  const together = needed === null ? "All signers together cannot act." : `${needed} signers have to agree.`;
  const shown = "What spending limits, policies and rights allow is below.";
  return admin === null ? `Alone: nobody. ${together} ${shown}` : `Alone:${byAdmin} Else ${together} ${shown}`;
}

type Report = ReturnType<typeof describeAuthority>;

function describeLimit(
  { address, limit, remainingBaseUnits, isUsable }: ExaminedLimit,
  { account }: Authority,
  known: KnownOrders,
) {
  const members = account.settings.signers.map((signer) => signer.address);
  return {
    address,
    mint: limit.mint,
    amount: limit.amountBaseUnits.toString(),
    remaining: remainingBaseUnits.toString(),
    period: periods[limit.period],
    expires_at: limit.expiration === null ? null : Number(limit.expiration),
    usable: isUsable,
    signers: limit.signers,
    signers_who_are_no_members: limit.signers.filter((signer) => !members.includes(signer)),
    destinations: limit.destinations,
    standing_order: describeMandate({ address, signers: limit.signers }, known),
  };
}

function describePolicy({ address, rules }: ExaminedPolicy, account: Address) {
  return {
    address,
    type: rules.kind ?? "unknown",
    threshold: rules.threshold,
    time_lock: rules.timeLockSeconds,
    signers: rules.signers.map((signer) => ({ address: signer.address, permissions: permissionsOfMask(signer.mask) })),
    /** Null: none is recorded, or it cannot be read; then `removal` says so. */
    rent_collector: rules.rentCollector ?? null,
    removal: describeRemoval(address, rules.rentCollector, account),
  };
}

/** In words, how the account's signers end a policy. */
function describeRemoval(policy: Address, rentCollector: Address | null | undefined, account: Address): string {
  if (rentCollector === undefined) {
    return "cannot be removed by this version, which cannot read who gets its rent: use another client";
  }
  const body = JSON.stringify({ remove_policies: [policy] });
  const rent = rentCollector === null ? "" : `; its rent goes to ${rentCollector}`;
  return `PATCH …/accounts/${account} with ${body}, signed by the account's signers or put to their vote${rent}`;
}

function describeProposal({ address, consensus, proposal, isStale, content, ...rest }: OpenProposal) {
  return {
    address,
    consensus_account: consensus,
    index: Number(proposal.transactionIndex),
    status: proposal.status,
    stale: isStale,
    approved: proposal.approved,
    rejected: proposal.rejected,
    cancelled: proposal.cancelled,
    can_execute: rest.canExecute,
    executable_from: rest.executableFrom === null ? null : Number(rest.executableFrom),
    content,
  };
}

function describeDelegate({ tokenAccount, mint, delegate, right, amountBaseUnits }: TokenDelegate) {
  return { token_account: tokenAccount, mint, delegate, right, amount: amountBaseUnits.toString() };
}

function describeBuffer({ address, consensus, creator, number, messageBytes, writtenBytes }: LeftOverBuffer) {
  return {
    address,
    consensus_account: consensus,
    creator,
    number,
    message_bytes: messageBytes,
    written_bytes: writtenBytes,
  };
}

function describePasskey(passkey: PasskeyHolder, unixSeconds: bigint) {
  const { address, account, executionAccount, isExecutionAccountHolder } = passkey;
  const { relyingPartyId, session } = account;
  return {
    address,
    /** The other address that signs for it, and whether that holds authority too. */
    execution_account: executionAccount,
    execution_account_holds: isExecutionAccountHolder,
    /** The host whose pages can ask for it. */
    relying_party_id: relyingPartyId,
    session_key: session?.key ?? null,
    session_expires_at: session === null ? null : Number(session.expiresAt),
    session_live: liveSession(account, unixSeconds) !== null,
  };
}

/** The same for people. */
export function renderAuthority(report: Report): string {
  const { settings_address: settings, signers, threshold, time_lock: timeLock, admin_address: admin } = report;
  const voters = signers.filter(({ permissions }) => permissions.includes("CAN_VOTE")).length;
  return [
    `Smart account  ${report.address}`,
    `Settings       ${settings}`,
    `Read at slot   ${report.slot}, ${instant(report.time)}, finalized`,
    `Program        ${programLine(report.program)}`,
    ...(report.passkeys.length === 0 ? [] : [`Passkeys by    ${programLine(report.signature_program)}`]),
    "",
    `Signers: ${threshold} of ${voters} with CAN_VOTE (bit ${CAN_VOTE_BIT}) decide${timeLock === 0 ? "" : `, time lock ${timeLock} s`}`,
    ...signers.map((signer) => `  ${signer.address}  ${signer.permissions.join(" ")}`),
    aloneLine(report),
    "",
    admin === null
      ? "Admin: none, the signers decide about the settings"
      : `Admin: ${admin}, who alone changes the settings`,
    "",
    ...(report.passkeys.length === 0 ? [] : section("Passkeys that act for it", report.passkeys.map(passkeyLines))),
    ...section("Spending limits", report.spending_limits.map(limitLines)),
    ...section("Policies", report.policies.map(policyLines)),
    ...section("Open proposals", report.proposals.map(proposalLines)),
    ...section("Rights to token accounts", report.token_delegates.map(delegateLines)),
    ...section("Transaction buffers", report.transaction_buffers.map(bufferLines)),
    ...report.checks.map(({ status, message }) => `${status}  ${message}`),
    ...(report.checks.length === 0 ? [] : [""]),
    `Verdict: ${report.verdict}`,
    "",
  ].join("\n");
}

function programLine(program: Report["program"]): string {
  if (program === null) return "could not be read";
  const authority =
    program.upgrade_authority === null ? "no key can replace it" : `${program.upgrade_authority} can replace it`;
  return `SHA-256 ${program.sha256}, deployed at slot ${program.deployed_slot}, ${authority}`;
}

function section(title: string, items: readonly (readonly string[])[]): string[] {
  return [items.length === 0 ? `${title}: none` : `${title}:`, ...items.flat().map((line) => `  ${line}`), ""];
}

function limitLines(limit: Report["spending_limits"][number]): string[] {
  const { amount, mint, period, remaining, usable } = limit;
  const end = limit.expires_at === null ? "never expires" : `expires ${instant(limit.expires_at)}`;
  return [
    `${limit.address}  ${amount} base units of ${mint ?? "SOL"} per ${period}, ${remaining} left, ${end}${usable ? "" : ": cannot be used any more"}`,
    ...limit.signers.map((signer) => {
      const isMember = !limit.signers_who_are_no_members.includes(signer);
      return `  by ${signer}${isMember ? "" : "  NOT A SIGNER OF THE ACCOUNT"}`;
    }),
    ...limit.destinations.map((destination) => `  to ${destination}`),
    ...mandateLines(limit.standing_order),
  ];
}

function mandateLines(mandate: Report["spending_limits"][number]["standing_order"]): string[] {
  if (mandate === null) return [];
  if (mandate.order !== null) {
    const by = mandate.suspended ? ": SUSPENDED BY THE OPERATOR of the service" : "";
    return [`  of the standing order ${mandate.order}, which is ${mandate.status}${by}`];
  }
  const asked =
    mandate.status === "unasked" ? "the service was not asked for which order" : "NO STANDING ORDER KNOWS IT";
  return [`  held by the executor of standing orders: ${asked}`];
}

function policyLines({ address, type, threshold, signers, removal }: Report["policies"][number]): string[] {
  return [
    `${address}  ${type}, threshold ${threshold}`,
    ...signers.map((signer) => `  ${signer.address}  ${signer.permissions.join(" ")}`),
    `  to remove it: ${removal}`,
  ];
}

function proposalLines(proposal: Report["proposals"][number]): string[] {
  const { content, executable_from: from } = proposal;
  const stale = proposal.stale ? ", made under older settings" : "";
  const execution = proposal.can_execute && from !== null ? `, can be executed from ${instant(from)}` : "";
  return [
    `${proposal.index}  ${proposal.address}  ${proposal.status}${stale}${execution}`,
    ...(content === null ? ["  its content no longer exists: it has no effect"] : []),
    ...(content?.kind === "transaction" ? content.programs.map((program) => `  calls ${program}`) : []),
    ...(content?.kind === "batch"
      ? [
          `  a batch of ${content.size}, ${content.executed} executed`,
          ...content.programs.map((program) => `  calls ${program}`),
        ]
      : []),
    ...(content?.kind === "settings_change" ? content.actions.map((action) => `  ${JSON.stringify(action)}`) : []),
    ...(content?.kind === "unread" ? ["  content that this version cannot read"] : []),
  ];
}

function delegateLines({ token_account: account, mint, delegate, right, amount }: Report["token_delegates"][number]) {
  return right === "delegate"
    ? [`${account}  ${delegate} may move ${amount} base units of ${mint}`]
    : [`${account}  ${delegate} may close it`];
}

function bufferLines(buffer: Report["transaction_buffers"][number]): string[] {
  const { address, creator, message_bytes: size, written_bytes: written } = buffer;
  return [`${address}  by ${creator}, ${written} of ${size} bytes`];
}

function passkeyLines(passkey: Report["passkeys"][number]): string[] {
  const { address, relying_party_id: host, session_key: key, session_expires_at: until } = passkey;
  const { execution_account: execution } = passkey;
  const session =
    key === null || until === null
      ? "it has had no session"
      : `the session of ${key} ${passkey.session_live ? "lasts until" : "ended at"} ${instant(until)}`;
  return [
    `${address}  of ${host}`,
    ...(passkey.execution_account_holds ? [`  and its execution account ${execution}, the same passkey`] : []),
    `  ${session}`,
  ];
}

const instant = (unixSeconds: number): string => describeInstant(BigInt(unixSeconds));
