import type { Address } from "@solana/addresses";
import { type AccountHolder, addressesOfHolder, sessionsOf } from "./account-holder.js";
import type { Act } from "./act.js";
import { requireAddress } from "./address.js";
import type { ExpectedSettingsChange } from "./assert-settings-change.js";
import { checkProposedChange, checkSettingsChange, type ProposedAt, proposalOf } from "./check-policy-change.js";
import type { PinnedGuardian } from "./guardian-receipt.js";
import type { CredentialsApi } from "./passkey-signer.js";
import type { createPasskeyCalls } from "./passkeys.js";
import { accountPath, type ServiceCalls } from "./service-calls.js";
import type { SigningSession } from "./session.js";
import type { Confirmation, SubmitOptions } from "./submission.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { Account, Passkey, Permission, Policies, PreparedProtection, ProtectAccountRequest } from "./wire.js";

/**
 * What makes an account a guarded one, or replaces one of its three signers. The holder is who signs by the policy as it is: for a
 * plain account its session; for a guarded one any two of the session, the passkeys and the recovery key.
 */
export type ProtectAccount = AccountHolder & {
  /** The smart account. */
  readonly account: string;
  /** The recovery key, which will only vote. Where it signs this change, give its secret half in `keys`, or it in `offlineKeys`. */
  readonly recovery: { readonly address: string };
  /** As its operator names it: the service is not asked. */
  readonly guardian: PinnedGuardian;
  /**
   * A passkey of the guardian's wallet that is there already, as `onEnrolled` or `passkeys.add` with `guardian` gave it. Not one of
   * `passkeys.list`, which is the service's word. Default: one is made.
   */
  readonly enrolled?: Passkey;
  /** Is given the passkey that was made, once the guardian has certified it: keep it in case the rest is broken off. */
  readonly onEnrolled?: (passkey: Passkey) => void | Promise<void>;
  /** What the holder calls the passkey that is made. */
  readonly name?: string;
  /** True: another wallet at the guardian, in place of one whose passkeys are lost, or of a guardian that is lost. */
  readonly replaceGuardian?: boolean;
  /**
   * The service's own signer: the wallet of this session. Default: `session`. Where the service's keys were stolen: a session at the
   * custodian whose wallet takes the place of the other, which signs nothing here.
   */
  readonly serviceSigner?: SigningSession;
  /**
   * True: another wallet at that custodian takes the place of the service's own signer: one that derives from the newest root of its keys, where
   * the former was stolen. The user's sessions command it: one that is opened or refreshed afterwards lists it.
   */
  readonly replaceSessionWallet?: boolean;
  /** True: all spending limits of the account are removed too, but those of standing orders. */
  readonly removeSpendingLimits?: boolean;
  /**
   * True: the holder has seen which approved proposals, policies and exported signers there are, and keeps them. Default: the service
   * refuses where it finds any, and its error names them.
   */
  readonly keepRemaining?: boolean;
  /** The policy as it is, where it is known from a source that is trusted more than this service. Default: it is asked. */
  readonly current?: Policies;
  /** Default: `navigator.credentials`. */
  readonly credentials?: CredentialsApi;
  /** Further demands on the transaction; see `ExpectedSettingsChange`. */
  readonly limits?: Pick<
    ExpectedSettingsChange,
    "settings" | "feePayer" | "maxFeeLamports" | "maxUnitPriceMicroLamports"
  >;
};

/** What the change answers besides its confirmation. */
export type ProtectionReceipt = ProposedAt & {
  /** A passkey that commands the guardian's wallet; its `signer` is that wallet. */
  readonly passkey: Passkey;
  /** Spending limits that their users can use alone. */
  readonly remainingSpendingLimits: readonly string[];
  /** Standing orders that are paid until they are cancelled. */
  readonly remainingMandates: PreparedProtection["remaining_mandates"];
  /** Approved proposals that one signer can still execute. */
  readonly remainingProposals: readonly string[];
  /** Policies of the program, whose signers act without those of the account. */
  readonly remainingPolicies: readonly string[];
  /** Signers whose keys were handed out to their owners, too. */
  readonly exportedSigners: readonly string[];
};

export type ProtectedAccount = ProtectionReceipt & Confirmation;

/** What this needs of the client it is part of. */
type ProtectNeeds = Pick<ServiceCalls, "get" | "post"> & {
  readonly act: Act;
  readonly addressesFor: (holder: AccountHolder, account: string) => Promise<readonly string[]>;
  readonly passkeys: Pick<ReturnType<typeof createPasskeyCalls>, "add">;
};

const everything: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

/** See `accounts.protect`. */
export async function protectAccount(
  needs: ProtectNeeds,
  wanted: ProtectAccount,
  submitOptions: SubmitOptions<ProtectionReceipt>,
): Promise<ProtectedAccount> {
  const account = requireAddress(wanted.account);
  const recovery = requireAddress(wanted.recovery.address);
  const serviceSession = serviceSessionOf(wanted);
  const asked = {
    recovery: { address: recovery },
    session_provider: serviceSession.provider,
    keep_remaining: wanted.keepRemaining ?? false,
    ...(wanted.replaceSessionWallet === true && { replace_session_wallet: true }),
  };
  const passkey = await enrol(needs, wanted, account, asked);
  const guardian = requireAddress(passkey.signer);
  const changesFor = (service: Address) =>
    ({
      signers: [
        { address: service, permissions: everything },
        { address: guardian, permissions: everything },
        { address: recovery, permissions: ["CAN_VOTE"] },
      ],
      threshold: 2,
      time_lock: 0,
    }) satisfies ExpectedSettingsChange["changes"];
  const removeSpendingLimits = wanted.removeSpendingLimits ?? false;
  return needs.act(submitOptions, {
    account,
    holder: wanted,
    prepare: async (options) => {
      const request = {
        ...asked,
        guardian,
        remove_spending_limits: removeSpendingLimits,
        transaction_signers: await needs.addressesFor(wanted, account),
      };
      const current = wanted.current ?? (await needs.get<Account>(accountPath(account))).policies;
      const answer = await needs.post<PreparedProtection>(pathOf(account), request, options);
      const { change, ...rest } = answer;
      if (change === undefined) {
        throw new TransactionMismatchError("settings_change", "the service prepares no change for this passkey");
      }
      const members = current.signers.map(({ address }) => address);
      const service =
        wanted.replaceSessionWallet === true
          ? newSignerOf(answer, serviceSession, [...members, guardian, recovery])
          : walletIn(serviceSession, members);
      return { ...change, rest, current, service };
    },
    check: ({ rest, current, service, ...prepared }) => {
      const expected = { ...wanted.limits, account, changes: changesFor(service), removeSpendingLimits, current };
      const isProposed = prepared.proposal_address !== undefined;
      const members = isProposed
        ? checkProposedChange(prepared, expected, addressesOfHolder(wanted), false)
        : checkSettingsChange(prepared, expected);
      const receipt = {
        passkey,
        remainingSpendingLimits: rest.remaining_spending_limits,
        remainingMandates: rest.remaining_mandates,
        remainingProposals: rest.remaining_proposals,
        remainingPolicies: rest.remaining_policies,
        exportedSigners: rest.exported_signers,
        ...proposalOf(prepared),
      };
      return { members, membersOnly: isProposed, receipt };
    },
  });
}

const pathOf = (account: Address) => accountPath(account, "/protection");

/** The session whose wallet is the service's own signer. */
function serviceSessionOf(wanted: ProtectAccount): SigningSession {
  const session = wanted.serviceSigner ?? sessionsOf(wanted)[0];
  if (session === undefined || session.wallets.length === 0) {
    throw new TypeError("give a session, or name that of the service's own signer in serviceSigner");
  }
  return session;
}

/**
 * The wallet of a session that signs for the account, or the first: others may have taken its place elsewhere. One whose key was imported
 * signs only where no other does: others may have that key.
 */
export function walletIn({ wallets }: Pick<SigningSession, "wallets">, members: readonly string[]): Address {
  const among = wallets.filter(({ address }) => members.includes(address));
  const own = among.filter(({ imported_at = null }) => imported_at === null);
  const [signing, ...others] = own.length > 0 ? own : among;
  if (others.length > 0)
    throw new TypeError("the session commands several signers of the account: name one in serviceSigner");
  return requireAddress((signing ?? wallets[0])?.address ?? "");
}

/**
 * The wallet that the service names in place of its own. Which one that is, it alone says, as it does in a session. Throws
 * `TransactionMismatchError` where it is at another custodian, or a signer of the account before.
 */
function newSignerOf(
  { session_wallet: { address, provider } }: PreparedProtection,
  session: SigningSession,
  others: readonly string[],
): Address {
  if (provider !== session.provider || others.includes(address)) {
    throw new TransactionMismatchError("signers", "the service names no other wallet of its own", { actual: address });
  }
  return requireAddress(address);
}

/**
 * A passkey of the guardian's wallet: the one that is given, or one that is made now. Others count for nothing, as the service might
 * have made them. Rejects with `TransactionMismatchError` where the guardian has not certified what was made.
 */
async function enrol(
  { post, passkeys }: ProtectNeeds,
  wanted: ProtectAccount,
  account: Address,
  asked: Pick<ProtectAccountRequest, "recovery" | "session_provider" | "keep_remaining" | "replace_session_wallet">,
): Promise<Passkey> {
  if (wanted.enrolled !== undefined) return wanted.enrolled;
  const request = { ...asked, replace_guardian: wanted.replaceGuardian ?? false };
  const { guardian } = await post<PreparedProtection>(pathOf(account), request);
  if (guardian.passkeys > 0) {
    throw new TransactionMismatchError(
      "signers",
      "the guardian's wallet obeys a passkey that was not made here: give it in enrolled, or replace the wallet",
      { actual: guardian.address },
    );
  }
  const [session] = sessionsOf(wanted);
  const { credentials } = wanted;
  const passkey = await passkeys.add({
    account,
    ...(session && { session }),
    signer: guardian.address,
    name: wanted.name ?? "Passkey",
    guardian: wanted.guardian,
    ...(credentials && { credentials }),
  });
  await wanted.onEnrolled?.(passkey);
  return passkey;
}
