import { documented, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { PERMISSIONS } from "@trellis/program-client";
import { Permission } from "@trellis/program-client/settings-change.js";
import Type from "typebox";
import { confirmForeignPasskeys } from "../accounts/foreign-passkeys.js";
import { Role } from "../accounts/policy.js";
import type { UpdateAccountNeeds } from "../policy-changes/update-account.js";
import { AccountPasskey } from "./account-passkey.js";
import { changeErrors, changeFields, changeQuery, NamedSigners, prepareSignerChange } from "./passkey-change.js";

/** Gap 238. */
export const addAccountPasskey = endpoint(
  {
    operation: "addAccountPasskey",
    summary: "Prepare that a passkey becomes a signer",
    description:
      "The passkey has its account on chain. The account's signers sign the change, or its admin with admin=true; where a time lock or " +
      "too few of them do not let it be made at once, it is prepared as a proposal.",
    tag: "Passkey signers",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/passkeys/transaction",
    scope: "accounts:write",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: changeQuery,
    body: Type.Object(
      {
        passkey: Type.Object({
          address: addressText({ description: "The passkey's account." }),
          role: Type.Optional(Role),
          permissions: Type.Optional(
            Type.Array(Permission, { description: "Absent: all.", ...documented({ minItems: 1 }) }),
          ),
        }),
        confirm_foreign_passkeys: confirmForeignPasskeys,
        transaction_signers: Type.Optional(NamedSigners),
      },
      { $id: "AddAccountPasskeyRequest" },
    ),
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({ ...changeFields, passkey: AccountPasskey }, { $id: "AddedAccountPasskey" }),
    },
    errors: [...changeErrors],
  },
  async (needs: UpdateAccountNeeds, { params, query, body, caller, network }) => {
    const { address, role = "primary" } = body.passkey;
    const permissions = body.passkey.permissions ?? [...PERMISSIONS];
    const added = { address, permissions, role, provider: "passkey" as const };
    const { prepared } = await prepareSignerChange(needs, network, caller, {
      address: params.address,
      isByAdmin: query.admin === true,
      named: body.transaction_signers,
      isConfirmed: body.confirm_foreign_passkeys,
      to: (present) => {
        if (present.some((one) => one.address === address)) {
          throw new TrellisError("no_changes", { message: "This passkey is a signer of the account already." });
        }
        return [...present, added];
      },
    });
    return { data: { ...prepared, passkey: { ...added, added_at: null } } };
  },
);
