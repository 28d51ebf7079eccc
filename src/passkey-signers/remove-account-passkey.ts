import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { confirmForeignPasskeys } from "../accounts/foreign-passkeys.js";
import type { UpdateAccountNeeds } from "../policy-changes/update-account.js";
import { AccountPasskey, toWireAccountPasskey } from "./account-passkey.js";
import {
  changeErrors,
  changeFields,
  changeQuery,
  NamedSigners,
  prepareSignerChange,
  requirePasskeyOf,
} from "./passkey-change.js";

/** Gap 238. */
export const removeAccountPasskey = endpoint(
  {
    operation: "removeAccountPasskey",
    summary: "Prepare that a passkey is no signer any more",
    description: "By the rules of the call that adds one. The others have to be able to decide without it.",
    tag: "Passkey signers",
    method: "DELETE",
    path: "/api/service/v1/accounts/{address}/passkeys/{passkey}/transaction",
    scope: "accounts:write",
    environment: "optional",
    params: Type.Object({ address: addressText(), passkey: addressText({ description: "The passkey's account." }) }),
    query: changeQuery,
    body: Type.Object(
      {
        confirm_foreign_passkeys: confirmForeignPasskeys,
        transaction_signers: Type.Optional(
          Type.Union([NamedSigners, Type.Object({ transaction_signers: Type.Optional(NamedSigners) })], {
            description: "A list; clients in the field put it into an object of the same name, which is read, too.",
          }),
        ),
      },
      { $id: "RemoveAccountPasskeyRequest" },
    ),
    bodyMayBeAbsent: true,
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({ ...changeFields, removed_passkey: AccountPasskey }, { $id: "RemovedAccountPasskey" }),
    },
    errors: [...changeErrors, "passkey_account_not_found"],
  },
  async (needs: UpdateAccountNeeds, { params, query, body, caller, network }) => {
    const named = body.transaction_signers;
    const { account, prepared } = await prepareSignerChange(needs, network, caller, {
      address: params.address,
      isByAdmin: query.admin === true,
      named: Array.isArray(named) ? named : named?.transaction_signers,
      isConfirmed: body.confirm_foreign_passkeys,
      to: (present, account) => {
        requirePasskeyOf(account, present, params.passkey);
        return present.filter(({ address }) => address !== params.passkey);
      },
    });
    const removed = account.settings.signers.find(({ address }) => address === params.passkey);
    assertOurs(removed !== undefined, "what is removed was a signer");
    return { data: { ...prepared, removed_passkey: toWireAccountPasskey(account, removed) } };
  },
);
