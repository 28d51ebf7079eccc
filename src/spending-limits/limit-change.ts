import type { Address, Instruction } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import {
  addSpendingLimitAction,
  addSpendingLimitAsAuthorityInstruction,
  executeSettingsTransactionSyncInstruction,
  type NewSpendingLimit,
  removeSpendingLimitAsAuthorityInstruction,
} from "@trellis/program-client";
import Type, { type Static } from "typebox";
import { wantedProvider } from "../accounts/policy.js";
import { requireAdminNamed, requireDecider } from "../policy-changes/decider.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { findSigners } from "../transactions/choose-signers.js";
import { chooseFeePayer, feeFields } from "../transactions/fee-config.js";
import { type RentSponsor, rentSponsorOf } from "../transactions/rent-sponsor.js";
import { periodNames } from "./spending-limit.js";

/** Who is to sign and who pays: what the requests for a change of limits have in common. */
export const decisionFields = {
  transaction_signers: Type.Optional(Type.Array(addressText(), { maxItems: 10 })),
  provider: wantedProvider,
  ...feeFields,
};

/** `?admin=true`, as where the policy is changed. */
export const adminQuery = Type.Object({
  admin: Type.Optional(Type.Boolean({ description: "True: the admin makes the change." })),
});

export const DecisionBody = Type.Object(decisionFields, { $id: "DecisionRequest" });

/** What is to become of an account's limits; an addition comes before a removal. */
export interface LimitChange {
  readonly add?: NewSpendingLimit;
  readonly remove?: Address;
}

/** Who makes a change of limits at once. */
export interface LimitDecision {
  /** Undefined: the signers of the account. */
  readonly admin: Address | undefined;
  readonly signers: readonly Address[];
  /** Whose key pays instead of the service's. */
  readonly feePayer: Address | undefined;
  readonly sponsor: RentSponsor;
}

/**
 * Who makes a change of limits: the admin where there is one, otherwise signers who can act at once.
 *
 * Throws `admin_required`, `account_has_no_admin`, `insufficient_permissions`, `unsupported_fee_config`,
 * `forbidden_account`, and `proposal_required` with the actions to propose where the signers cannot act at once.
 */
export function decideLimitChange(
  db: Db,
  network: Network,
  account: ActingAccount,
  asAdmin: boolean,
  body: Static<typeof DecisionBody>,
  change: LimitChange,
): LimitDecision {
  const admin = requireDecider(account, asAdmin);
  const signers =
    admin === undefined
      ? findSigners(account, { named: body.transaction_signers, provider: body.provider })
      : requireAdminNamed(account, admin, body.transaction_signers);
  if (signers === undefined) throw toBeProposed(account, change);
  const feePayer = chooseFeePayer(network, body);
  return { admin, signers, feePayer, sponsor: rentSponsorOf(db, network, account.row.address, feePayer) };
}

/**
 * The instructions of a change. A removed limit's rent goes to `rentPayer` at once, and nothing that takes lamports from
 * it may follow in the same list: so additions come first.
 */
export function composeLimitChange(
  { settingsAddress: settings }: ActingAccount,
  { admin, signers }: Pick<LimitDecision, "admin" | "signers">,
  rentPayer: Address,
  { add, remove }: LimitChange,
): Instruction[] {
  if (admin === undefined) {
    const actions = [
      ...(add === undefined ? [] : [addSpendingLimitAction(add)]),
      ...(remove === undefined ? [] : [{ __kind: "RemoveSpendingLimit", spendingLimit: remove } as const]),
    ];
    return [executeSettingsTransactionSyncInstruction({ settings, members: signers, rentPayer, actions })];
  }
  const common = { settings, settingsAuthority: admin };
  return [
    ...(add === undefined ? [] : [addSpendingLimitAsAuthorityInstruction({ ...common, rentPayer, limit: add })]),
    ...(remove === undefined
      ? []
      : [removeSpendingLimitAsAuthorityInstruction({ ...common, spendingLimit: remove, rentCollector: rentPayer })]),
  ];
}

/**
 * Who gets the rent of a removed limit: the service where it pays the fee and has opened accounts for this one, as then
 * the rent was its own; otherwise the first of those who sign. What a passkey's account got could never leave it.
 */
export async function chooseRentCollector(
  { passkeys }: Pick<ActingAccount, "passkeys">,
  { sponsor, signers }: LimitDecision,
): Promise<Address> {
  const first = signers.find((address) => !passkeys.has(address));
  return first === undefined || (await sponsor.hasOpened()) ? sponsor.address : first;
}

function toBeProposed({ settings }: ActingAccount, { add, remove }: LimitChange): TrellisError {
  const actions = [
    ...(add === undefined
      ? []
      : [
          {
            type: "AddSpendingLimit",
            mint: add.mint,
            amount: add.amountBaseUnits.toString(),
            period: periodNames[add.period],
            signers: add.signers,
            destinations: add.destinations,
            ...(add.expiration === null ? {} : { expiration: Number(add.expiration) }),
          },
        ]),
    ...(remove === undefined ? [] : [{ type: "RemoveSpendingLimit", spendingLimit: remove }]),
  ];
  const names = actions.map(({ type }) => type).join(" and ");
  return new TrellisError("proposal_required", {
    message:
      settings.timeLockSeconds > 0
        ? "The account has a time lock, so nothing is executed at once. Propose the change instead."
        : "These signers do not hold the permissions and the threshold to act at once. Propose the change instead.",
    suggestion: `POST /api/service/v1/accounts/{address}/proposals with type settings and the ${actions.length === 1 ? "action" : "actions"} ${names}.`,
    facts: { proposal: { type: "settings", actions } },
  });
}
