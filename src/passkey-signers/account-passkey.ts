import { addressText } from "@trellis/kernel/wire-texts.js";
import { permissionsOfMask, type SettingsSigner } from "@trellis/program-client";
import { Permission } from "@trellis/program-client/settings-change.js";
import Type, { type Static } from "typebox";
import { Role } from "../accounts/policy.js";
import type { ActingAccount } from "../transactions/acting-account.js";

/** A passkey among an account's signers. */
export const AccountPasskey = Type.Object(
  {
    address: addressText({ description: "The passkey's account." }),
    role: Role,
    permissions: Type.Array(Permission),
    provider: Type.Literal("passkey"),
    added_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "Null: the chain does not say when a signer was added.",
    }),
  },
  { $id: "AccountPasskey" },
);

export function toWireAccountPasskey(
  { signers }: Pick<ActingAccount, "signers">,
  { address, mask }: SettingsSigner,
): Static<typeof AccountPasskey> {
  return {
    address,
    role: signers.find(({ signer_address }) => signer_address === address)?.role ?? "primary",
    permissions: permissionsOfMask(mask),
    provider: "passkey",
    added_at: null,
  };
}
