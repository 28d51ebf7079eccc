import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { findCommandedWallets } from "./commanded-wallets.js";
import { Passkey, toWirePasskey } from "./passkey.js";
import { reconcilePasskeys } from "./reconcile-passkeys.js";

/** Gap 161. */
export const listPasskeys = endpoint(
  {
    operation: "listPasskeys",
    summary: "List the passkeys of an account",
    description:
      "Those that command a custodian's wallet among the account's signers, oldest first: with a publishable key those of the " +
      "user who is signed in, with a secret key those of all the account's users. A wallet has ten at most. It is what the custodian " +
      "has: a passkey whose adding was broken off is there, without its name.",
    tag: "Passkeys",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/wallet-passkeys",
    scope: "accounts:read",
    environment: "optional",
    publishable: "user",
    params: Type.Object({ address: addressText() }),
    response: { status: 200, envelope: true, schema: Type.Array(Passkey) },
    errors: ["account_not_found"],
  },
  async (needs: { readonly db: Db; readonly custodians: Custodians }, { params, caller, network }) => {
    const wallets = await findCommandedWallets(needs.db, caller, network, params.address);
    const rows = await reconcilePasskeys(needs, network, caller.tenantId, wallets);
    // A passkey commands each wallet that obeys the one it was added for: here the one that signs for this account.
    const signerOf = ({ wallet_id, signer_address }: (typeof rows)[number]) =>
      wallets.find(({ commanderId }) => commanderId === wallet_id)?.address ?? signer_address;
    return { data: rows.map((row) => toWirePasskey({ ...row, signer_address: signerOf(row) })) };
  },
);
