import type { Address } from "@solana/kit";
import { EPHEMERAL_SIGNERS_MAX } from "@trellis/program-client";
import { controllingKeys, type Rules } from "./controlling-keys.js";
import { describeInstant } from "./instant.js";
import { liveSession } from "./passkey-holders.js";
import { type Authority, isOwnAddress, type OpenProposal } from "./read-authority.js";

/** What the operator who runs the doctor expects. */
export interface Expectations {
  /** Exactly these are the signers, and no other key holds any other authority. */
  readonly signers: readonly Address[] | undefined;
  /** Exactly this one is the admin, besides; it holds no authority of another kind. */
  readonly admin?: Address | undefined;
  /** These hold no authority of any kind. */
  readonly serviceKeys: readonly Address[];
}

/** One finding. A warning does not spoil the verdict: an operator has to check it. */
export interface Check {
  readonly status: "PASS" | "FAIL" | "WARN";
  readonly check:
    | "signers"
    | "admin"
    | "spending_limits"
    | "policies"
    | "token_delegates"
    | "sessions"
    | "derived_addresses"
    | "shared_keys"
    | "address"
    | "proposals"
    | "buffers"
    | "service_keys"
    | "program";
  readonly message: string;
}

/** A way in which a key other than the signers' acts for the account. */
interface Power {
  readonly check: "admin" | "spending_limits" | "policies" | "token_delegates" | "sessions";
  readonly holder: Address;
  readonly what: string;
}

/** Holds what the chain says against what is expected. Without expectations only what is unusual is reported. */
export function judgeAuthority(authority: Authority, expected: Expectations): Check[] {
  return [
    ...judgeSigners(authority, expected.signers),
    ...judgeAdmin(authority, expected.admin),
    ...judgePowers(authority, expected),
    ...authority.unreadHolders.map(judgeUnread),
    ...judgeSharedKeys(authority, expected.signers),
    ...judgeAddress(authority),
    ...authority.proposals.flatMap((proposal) => judgeProposal(proposal)),
    ...judgeBuffers(authority),
    ...expected.serviceKeys.map((key) => judgeServiceKey(authority, key)),
  ];
}

/** FAIL as soon as one check fails. */
export function verdictOf(checks: readonly Check[]): "PASS" | "FAIL" {
  return checks.some(({ status }) => status === "FAIL") ? "FAIL" : "PASS";
}

function judgeSigners({ account }: Authority, expected: Expectations["signers"]): Check[] {
  if (expected === undefined) return [];
  const present = account.settings.signers.map(({ address }) => address);
  const missing = expected.filter((address) => !present.includes(address));
  const strange = present.filter((address) => !expected.includes(address));
  if (missing.length === 0 && strange.length === 0) {
    return [{ status: "PASS", check: "signers", message: "The signers are exactly the expected ones." }];
  }
  return [
    ...strange.map((one): Check => ({ status: "FAIL", check: "signers", message: `${one} is a signer.` })),
    ...missing.map((one): Check => ({ status: "FAIL", check: "signers", message: `${one} is not a signer.` })),
  ];
}

function judgeAdmin({ account }: Authority, expected: Expectations["admin"]): Check[] {
  if (expected === undefined) return [];
  const { settingsAuthority } = account.settings;
  if (settingsAuthority === expected) {
    return [{ status: "PASS", check: "admin", message: `${expected} is the admin, as expected.` }];
  }
  const present = settingsAuthority === null ? "there is none" : `${settingsAuthority} is`;
  return [{ status: "FAIL", check: "admin", message: `${expected} is not the admin: ${present}.` }];
}

/** With expectations every holder has to be one of those expected; without, one of the present signers. */
function judgePowers(authority: Authority, { signers: expected, admin }: Expectations): Check[] {
  const trusted: readonly Address[] = expected ?? authority.account.settings.signers.map(({ address }) => address);
  const status = expected === undefined ? "WARN" : "FAIL";
  const others = powersOf(authority).filter(
    ({ check, holder }) => !trusted.includes(holder) && !(check === "admin" && holder === admin),
  );
  const stranger = expected === undefined ? "who is not a signer" : "who is not among the expected signers";
  const findings = others.map(
    ({ check, holder, what }): Check => ({ status, check, message: `${holder}, ${stranger}, ${what}.` }),
  );
  if (expected === undefined) return findings;
  const clean = powerChecks.filter((check) => {
    if (check === "admin" && admin !== undefined) return false;
    // One of these may be a passkey, of which another key has the session.
    if (check === "sessions" && authority.unreadHolders.length > 0) return false;
    return others.every((power) => power.check !== check);
  });
  return [...clean.map((check): Check => ({ status: "PASS", check, message: cleanMessages[check] })), ...findings];
}

const powerChecks = ["admin", "spending_limits", "policies", "token_delegates", "sessions"] as const;

const cleanMessages = {
  admin: "No admin other than the expected signers changes the settings.",
  spending_limits: "No usable spending limit names another key.",
  policies: "No policy has signers of its own other than those expected.",
  token_delegates: "No other key may move tokens or close token accounts.",
  sessions: "No other key signs for a passkey.",
} as const;

function powersOf({ account, spendingLimits, policies, delegates, passkeys, unixSeconds }: Authority): Power[] {
  const { settingsAuthority } = account.settings;
  return [
    ...(settingsAuthority === null
      ? []
      : [{ check: "admin", holder: settingsAuthority, what: "is the admin, who changes the settings alone" } as const]),
    ...spendingLimits.flatMap(({ address, limit, isUsable }) =>
      isUsable
        ? limit.signers.map(
            (holder) =>
              ({ check: "spending_limits", holder, what: `can still use the spending limit ${address}` }) as const,
          )
        : [],
    ),
    ...policies.flatMap(({ address, rules }) =>
      rules.signers.map(
        (signer) => ({ check: "policies", holder: signer.address, what: `acts under the policy ${address}` }) as const,
      ),
    ),
    ...delegates.map(
      ({ delegate, right, tokenAccount }) =>
        ({
          check: "token_delegates",
          holder: delegate,
          what:
            right === "delegate"
              ? `may move tokens of the token account ${tokenAccount}`
              : `may close the token account ${tokenAccount}`,
        }) as const,
    ),
    ...passkeys.flatMap(({ address, account: passkey }) => {
      const session = liveSession(passkey, unixSeconds);
      if (session === null) return [];
      const until = describeInstant(session.expiresAt);
      const what = `signs for the passkey ${address} until ${until}, and can do all that it can`;
      return [{ check: "sessions", holder: session.key, what } as const];
    }),
  ];
}

function judgeUnread(address: Address): Check {
  const message = `${address} is derived; who signs for it cannot be read. If it is a smart account, examine that too.`;
  return { status: "WARN", check: "derived_addresses", message };
}

/** Several signers of one key agree as soon as that key does, whatever the threshold says. */
function judgeSharedKeys(authority: Authority, expected: Expectations["signers"]): Check[] {
  const status = expected === undefined ? "WARN" : "FAIL";
  const judge = (rules: Rules, place: string): Check[] =>
    controllingKeys(rules, authority)
      .filter(({ signers }) => signers.length > 1)
      .map(({ key, signers }) => {
        const named = signers.map(({ address }) => address).join(", ");
        const message = `${key} signs for each of the signers ${named}${place}: they count as several, and are one.`;
        return { status, check: "shared_keys", message };
      });
  return [
    ...judge(authority.account.settings, ""),
    ...authority.policies.flatMap(({ address, rules }) => judge(rules, ` of the policy ${address}`)),
  ];
}

function judgeAddress(authority: Authority): Check[] {
  if (isOwnAddress(authority)) return [];
  const message = `The smart account's address belongs to the program ${authority.addressOwner}, which rules it.`;
  return [{ status: "FAIL", check: "address", message }];
}

/** An approval counts for good: a signer that may execute now can execute what others approved before (SAP 6). */
function judgeProposal(open: OpenProposal): Check[] {
  return [...judgeExecution(open), ...judgeDeadEnd(open)];
}

const reasons = {
  throw_away_signers: `has more than ${EPHEMERAL_SIGNERS_MAX} throw-away signers`,
  first_generation: "was stored by the first generation of the program",
} as const;

/** What would cost the account its later proposals, or the rent of this one. */
function judgeDeadEnd({ content, isAboutItself, neverExecutable, proposal, address }: OpenProposal): Check[] {
  const name = `Proposal ${proposal.transactionIndex} (${address})`;
  const warn = (message: string): Check => ({ status: "WARN", check: "proposals", message: `${name} ${message}` });
  return [
    ...(isAboutItself
      ? [
          warn(
            "calls the program about the account itself: executed, it can leave the account unable to propose anything, " +
              "for good. Do not approve it; cancel it if it is approved.",
          ),
        ]
      : []),
    ...(neverExecutable === null
      ? []
      : [warn(`${reasons[neverExecutable]}: it can be approved, and never be executed.`)]),
    ...(content === null
      ? [warn("is about something that was closed: it has no effect, and its rent stays where it is.")]
      : []),
  ];
}

function judgeExecution({ canExecute, isStale, proposal, address }: OpenProposal): Check[] {
  const name = `Proposal ${proposal.transactionIndex} (${address})`;
  if (canExecute) {
    const since = isStale ? ", before the settings last changed," : "";
    const message = `${name} was approved${since} and any signer with CAN_EXECUTE can still execute it. Cancel it if it is not wanted.`;
    return [{ status: "WARN", check: "proposals", message }];
  }
  if (proposal.status === "active" && !isStale) {
    return [{ status: "WARN", check: "proposals", message: `${name} is open for votes.` }];
  }
  return [];
}

/** Nothing is executed from a buffer; what it holds down is its rent. */
function judgeBuffers({ buffers, account }: Authority): Check[] {
  return buffers.map(({ address, consensus, creator, messageBytes, writtenBytes }): Check => {
    const way =
      consensus === account.settingsAddress
        ? `POST …/accounts/${account.address}/transaction-buffers/close with that signer prepares it.`
        : "It belongs to a policy, which is not managed here.";
    const message =
      `The transaction buffer ${address} holds ${writtenBytes} of ${messageBytes} bytes of a proposal that was never made. ` +
      `Proposing the same again resumes it; ${creator} can close it and gets its rent. ${way}`;
    return { status: "WARN", check: "buffers", message };
  });
}

function judgeServiceKey(authority: Authority, key: Address): Check {
  const { account, proposals } = authority;
  const holds = powersOf(authority)
    .filter(({ holder }) => holder === key)
    .map(({ what }) => what);
  if (account.settings.signers.some(({ address }) => address === key)) holds.unshift("is a signer");
  if (holds.length > 0) {
    return { status: "FAIL", check: "service_keys", message: `${key} ${holds.join(", and ")}.` };
  }
  const coming = proposals.filter((proposal) => grants(proposal, key)).map(({ proposal }) => proposal.transactionIndex);
  if (coming.length > 0) {
    const message = `${key} holds no authority now, but would by proposal ${coming.join(", ")}.`;
    return { status: "WARN", check: "service_keys", message };
  }
  if (authority.unreadHolders.length > 0) {
    const message = `${key} holds no authority that can be read. Whether it signs for a derived address is not known.`;
    return { status: "WARN", check: "service_keys", message };
  }
  return { status: "PASS", check: "service_keys", message: `${key} holds no authority.` };
}

/** Whether a proposal that can still be executed, or reach that, would give a key some authority. */
function grants({ content, canExecute, isStale, proposal }: OpenProposal, key: Address): boolean {
  const isAlive = canExecute || (!isStale && (proposal.status === "active" || proposal.status === "draft"));
  if (!isAlive || content?.kind !== "settings_change") return false;
  return content.actions.some(
    (action) =>
      (action.type === "add_signer" && action.address === key) ||
      (action.type === "add_spending_limit" && action.signers.includes(key)),
  );
}
