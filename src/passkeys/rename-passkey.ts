import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { findCommandedWallets } from "./commanded-wallets.js";
import { Passkey, PasskeyName, toWirePasskey } from "./passkey.js";
import { getPasskey, renamePasskey as rename } from "./passkey-changes.js";

/** Gap 161. */
export const renamePasskey = endpoint(
  {
    operation: "renamePasskey",
    summary: "Rename a passkey",
    description: "The name is for people: nothing is decided by it.",
    tag: "Passkeys",
    method: "PATCH",
    path: "/api/service/v1/accounts/{address}/wallet-passkeys/{passkey_id}",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    params: Type.Object({ address: addressText(), passkey_id: Type.String() }),
    body: Type.Object({ name: PasskeyName }),
    response: { status: 200, envelope: true, schema: Passkey },
    errors: ["account_not_found", "passkey_not_found"],
  },
  async ({ db }: { readonly db: Db }, { params, body, caller, network }) => {
    const wallets = await findCommandedWallets(db, caller, network, params.address);
    const { id } = await getPasskey(db, wallets, params.passkey_id);
    const row = await rename(db, id, body.name);
    if (row === undefined) throw new TrellisError("passkey_not_found");
    return { data: toWirePasskey(row) };
  },
);
