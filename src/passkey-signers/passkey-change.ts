import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { type RequestedPolicies, toPoliciesOfSettings } from "../accounts/policy.js";
import { proposedFields } from "../policy-changes/prepare-members-change.js";
import { preparePolicyChange, remainingFields, type UpdateAccountNeeds } from "../policy-changes/update-account.js";
import { type ActingAccount, getActingAccount } from "../transactions/acting-account.js";
import { preparedFields } from "../transactions/prepared-transaction.js";

/** Who signs the change, as both calls take it. */
export const changeQuery = Type.Object({
  admin: Type.Optional(Type.Boolean({ description: "True: the admin makes the change." })),
});

/** What both calls answer. */
export const changeFields = {
  ...preparedFields,
  ...proposedFields,
  ...remainingFields,
  threshold: Type.Integer({ description: "Of the account." }),
  status: Type.Literal("pending", { description: "It takes effect when it is submitted, or voted for." }),
};

/** Errors of both calls. */
export const changeErrors = [
  "account_has_no_admin",
  "account_not_found",
  "admin_required",
  "chain_unavailable",
  "forbidden_account",
  "insufficient_permissions",
  "invalid_address",
  "invalid_policies",
  "no_changes",
  "passkey_session_required",
  "proposal_index_conflict",
  "proposal_required",
  "sponsorship_limit_exceeded",
  "transaction_failed",
  "transaction_too_large",
] as const;

type Signers = Static<typeof RequestedPolicies>["signers"];

/** Prepares a change of an account's list of signers, which `to` makes of the present one. `account` is as it is before. */
export async function prepareSignerChange(
  needs: UpdateAccountNeeds,
  network: Network,
  { tenantId }: Pick<Caller, "tenantId">,
  request: {
    readonly address: string;
    readonly isByAdmin: boolean;
    readonly named: readonly string[] | undefined;
    /** What the request says of foreign passkeys. */
    readonly isConfirmed: boolean | undefined;
    readonly to: (present: Signers, account: ActingAccount) => Signers;
  },
) {
  const account = await getActingAccount(needs.db, network, tenantId, request.address);
  const signers = request.to(toPoliciesOfSettings(account.settings, account.signers).signers, account);
  const { named, isByAdmin, isConfirmed = false } = request;
  const signing = named === undefined ? {} : { transaction_signers: [...named] };
  const body = { signers, confirm_foreign_passkeys: isConfirmed, ...signing };
  const prepared = await preparePolicyChange(needs, network, account, { isByAdmin, removesLimits: false, body });
  return { account, prepared: { ...prepared, threshold: account.settings.threshold, status: "pending" as const } };
}

/** Throws `passkey_account_not_found` for what is no passkey among an account's signers. */
export function requirePasskeyOf({ passkeys }: ActingAccount, present: Signers, address: string): void {
  if ([...passkeys.keys()].some((one) => one === address) && present.some((one) => one.address === address)) return;
  throw new TrellisError("passkey_account_not_found", {
    field: "passkey",
    message: `${address} is no passkey among the account's signers.`,
  });
}

/** Addresses of the signers of a change. */
export const NamedSigners = Type.Array(addressText(), { maxItems: 10 });
