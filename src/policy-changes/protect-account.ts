import type { Address } from "@solana/kit";
import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Custodian, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { type CreationPlan, resolvePlan } from "../accounts/creation-plan.js";
import { RecoverySigner, readProtection } from "../accounts/guarded-account.js";
import { Provider, wantedProvider } from "../accounts/policy.js";
import { comparePolicies, isNoDifference, type PolicyState } from "../accounts/settings-change-plan.js";
import { backupCustodian, defaultCustodian, findGuardian, getSessionCustodian } from "../custody/custodians.js";
import { type ActingAccount, getActingAccount } from "../transactions/acting-account.js";
import { chooseFeePayer, feeFields } from "../transactions/fee-config.js";
import { preparedFields } from "../transactions/prepared-transaction.js";
import { readSpendingLimitsOf } from "../transactions/read-spending-limits.js";
import { chooseGuardianWallet, countPasskeys } from "./guardian-wallet.js";
import { prepareMembersChange, proposedFields } from "./prepare-members-change.js";
import { findRemainingPowers, requireKnownPowers } from "./remaining-powers.js";
import { chooseSessionWallet } from "./session-wallet.js";
import type { UpdateAccountNeeds } from "./update-account.js";

export interface ProtectAccountNeeds extends UpdateAccountNeeds {
  readonly custodians: Custodians;
}

const Body = Type.Object({
  recovery: RecoverySigner,
  guardian: Type.Optional(
    addressText({
      description:
        "A wallet that the guardian holds for the account's user. By default the one that signs for the account, else the newest.",
    }),
  ),
  replace_guardian: Type.Optional(
    Type.Boolean({ description: "True: another wallet at the guardian, in place of one whose passkeys are lost." }),
  ),
  session_provider: Type.Optional(
    Type.Unsafe<Static<typeof Provider>>({
      ...Provider,
      description: "The custodian whose wallet obeys sessions. By default the one whose wallet signs for the account.",
    }),
  ),
  replace_session_wallet: Type.Optional(
    Type.Boolean({
      description:
        "True: another wallet at the session provider, in place of the user's own there. It derives from the newest root, " +
        "and obeys the user's sessions.",
    }),
  ),
  remove_spending_limits: Type.Optional(
    Type.Boolean({
      description: "True: all spending limits of the account are removed too, but those of its standing orders.",
    }),
  ),
  keep_remaining: Type.Optional(
    Type.Boolean({ description: "True: approved proposals, policies and exported signers are known, and stay." }),
  ),
  transaction_signers: Type.Optional(Type.Array(addressText(), { maxItems: 10 })),
  provider: wantedProvider,
  ...feeFields,
});

const Guardian = Type.Object(
  {
    address: addressText({ description: "Its wallet, which signs for the account once the change is made." }),
    provider: Provider,
    passkeys: Type.Integer({ description: "How many passkeys command it. 0: add one, and call again." }),
  },
  { $id: "GuardianWallet" },
);

const SessionSigner = Type.Object(
  {
    address: addressText({ description: "The wallet that obeys sessions, and signs once the change is made." }),
    provider: Provider,
  },
  { $id: "SessionSigner" },
);

/** Gap 176. */
export const protectAccount = endpoint(
  {
    operation: "protectAccount",
    summary: "Make an account a guarded one",
    description:
      "Has the guardian make its wallet for the account's user. Once a passkey commands it, prepares the change to exactly the " +
      "policy that a guarded account has when it is created. The same call replaces one of the three signers.",
    tag: "Accounts",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/protection",
    scope: "accounts:write",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    body: Body,
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        {
          guardian: Guardian,
          session_wallet: SessionSigner,
          change: Type.Optional(
            Type.Object(
              { ...preparedFields, ...proposedFields },
              { description: "Absent while no passkey commands the guardian's wallet." },
            ),
          ),
          remaining_spending_limits: Type.Array(addressText(), {
            description: "Spending limits that can be used afterwards by their users alone.",
          }),
          remaining_mandates: Type.Array(
            Type.Object({ standing_order_id: uuidText(), spending_limit_address: addressText() }),
            { description: "Standing orders that are paid until they are cancelled." },
          ),
          remaining_proposals: Type.Array(addressText(), {
            description: "Approved proposals that one signer can still execute afterwards.",
          }),
          remaining_policies: Type.Array(addressText(), {
            description: "Policies of the program, whose signers act without those of the account.",
          }),
          exported_signers: Type.Array(addressText(), {
            description:
              "Signers of the guarded account whose keys others may have: they were handed out, or imported.",
          }),
        },
        { $id: "ProtectAccountResult" },
      ),
    },
    errors: [
      "account_not_found",
      "admin_required",
      "no_changes",
      "guardian_not_configured",
      "passkeys_not_configured",
      "provider_not_available",
      "provider_unavailable",
      "invalid_address",
      "forbidden_account",
      "insufficient_permissions",
      "passkey_session_required",
      "proposal_index_conflict",
      "sponsorship_limit_exceeded",
      "transaction_too_large",
      "transaction_failed",
      "unsupported_fee_config",
      "chain_unavailable",
    ],
  },
  async (needs: ProtectAccountNeeds, { params, body, network, caller }) => {
    const { db } = needs;
    const account = await getActingAccount(db, network, caller.tenantId, params.address);
    requireProtectable(account);
    const plan = await planProtection(needs, network, caller, account, body);
    const { guardian, number } = plan;
    const resolved = await resolvePlan(needs.custodians, network, account.row.user_id, plan.creation);
    const wallet = resolved.signers.find(({ provider }) => provider === guardian.provider);
    const own = resolved.signers.find(({ provider }) => provider === plan.session.provider);
    assertOurs(wallet?.walletId && own, "a guarded account has a wallet of the guardian and one of the service");
    const limits = await findOwnLimits(needs, network, account);
    const doomed = body.remove_spending_limits === true ? limits : [];
    const passkeys = await countPasskeys(db, guardian, wallet.walletId);
    const powers = await findRemainingPowers(db, network, account, resolved.signers);
    const answer = {
      guardian: { address: wallet.address, provider: guardian.provider, passkeys },
      session_wallet: { address: own.address, provider: own.provider },
      remaining_spending_limits: limits.filter((limit) => !doomed.includes(limit)),
      remaining_mandates: await needs.limitsOfOrders.findRemaining(db, network, account.row.address),
      ...powers,
    };
    const to: PolicyState = { ...resolved, settingsAuthority: resolved.admin };
    const isReached = passkeys > 0 && isNoDifference(comparePolicies(account.settings, to)) && doomed.length === 0;
    if (isReached) throw new TrellisError("no_changes", { facts: { guardian: wallet.address, number } });
    // Before a passkey is made as well: its holder learns of it first.
    requireKnownPowers(powers, body.keep_remaining === true);
    // A policy that names a wallet which obeys nobody would be one of two, and no thief's but the finder's of the recovery key.
    if (passkeys === 0) return { data: answer };
    const change = await prepareMembersChange(needs, network, {
      account,
      to,
      doomed,
      policies: [],
      wish: { named: body.transaction_signers, provider: body.provider },
      feePayer: chooseFeePayer(network, body),
    });
    return { data: { ...answer, change } };
  },
);

/** What can become guarded: an account of one user, whose signers decide about it. */
function requireProtectable(account: ActingAccount): void {
  if (account.row.type !== "email") {
    throw new TrellisError("provider_not_available", {
      field: "address",
      message: "Only an e-mail account becomes a guarded one: the guardian's wallet is its user's.",
      suggestion: "Change the policy of another account with PATCH /api/service/v1/accounts/{address}.",
    });
  }
  if (account.settings.settingsAuthority === null) return;
  throw new TrellisError("admin_required", {
    message: "The account has an admin, who could undo the protection alone.",
    suggestion:
      'First have the admin go: PATCH /api/service/v1/accounts/{address}?admin=true with {"admin_address": null}.',
  });
}

/** The policy to be reached, by the rules of an account that is created as a guarded one, with the wallets that the request means. */
async function planProtection(
  needs: ProtectAccountNeeds,
  network: Network,
  caller: Caller,
  account: ActingAccount,
  body: Static<typeof Body>,
): Promise<{
  readonly creation: CreationPlan;
  readonly guardian: Custodian;
  readonly session: Custodian;
  readonly number: number;
}> {
  const asked = { protection: "guarded", recovery: body.recovery } as const;
  const creation = await readProtection(needs, network, caller, asked);
  const guardian = findGuardian(needs.custodians);
  assertOurs(creation && guardian, "a guarded account has a guardian");
  const session = chooseSessionCustodian(needs.custodians, account, body.session_provider);
  const replaces = body.replace_session_wallet === true;
  const ownNumber = await chooseSessionWallet(needs.db, network, session, account, { replaces });
  const number = await chooseGuardianWallet(needs.db, guardian, account, body, network.clock.now());
  const signers = creation.signers.map((signer) => {
    if (!("walletOf" in signer)) return signer;
    return signer.provider === guardian.provider
      ? { ...signer, number }
      : { ...signer, provider: session.provider, number: ownNumber };
  });
  return { creation: { ...creation, signers }, guardian, session, number };
}

/** The custodian of the service's own signer. Throws `provider_not_available`. */
function chooseSessionCustodian(
  custodians: Custodians,
  { settings, signers }: ActingAccount,
  wanted: string | undefined,
): Custodian {
  if (wanted !== undefined) return getSessionCustodian(custodians, wanted, "session_provider");
  const isSigner = (name: string) =>
    signers.some(
      ({ provider, signer_address }) =>
        provider === name && settings.signers.some(({ address }) => address === signer_address),
    );
  const isMoved = !isSigner(defaultCustodian) && isSigner(backupCustodian);
  const moved = isMoved ? custodians.get(backupCustodian) : undefined;
  return moved === undefined || moved.isGuardian === true
    ? getSessionCustodian(custodians, defaultCustodian, "session_provider")
    : moved;
}

/** The account's spending limits, but those of its standing orders. Throws `chain_unavailable`. */
async function findOwnLimits(
  { db, limitsOfOrders }: ProtectAccountNeeds,
  network: Network,
  { settingsAddress, slot, row }: ActingAccount,
): Promise<readonly Address[]> {
  const limits = await readSpendingLimitsOf(network, settingsAddress, { leastSlot: slot });
  const own: Address[] = [];
  for (const { address } of limits) {
    if (!(await limitsOfOrders.isOfOrder(db, network.name, row.address, address))) own.push(address);
  }
  return own;
}
