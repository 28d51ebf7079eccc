import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getActingAccount } from "../transactions/acting-account.js";
import { AccountPasskey, toWireAccountPasskey } from "./account-passkey.js";

/** Gap 237. */
export const getAccountPasskey = endpoint(
  {
    operation: "getAccountPasskey",
    summary: "Read the passkey that signs for an account",
    description:
      "Of those on chain; the first where there are several, and null where there is none. Passkeys that command a custodian's " +
      "wallet are at `/wallet-passkeys`.",
    tag: "Passkey signers",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/passkeys",
    scope: "accounts:read",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        { account_address: addressText(), passkey: Type.Union([AccountPasskey, Type.Null()]) },
        { $id: "PasskeyOfAccount" },
      ),
    },
    errors: ["account_not_found", "chain_unavailable"],
  },
  async ({ db }: { readonly db: Db }, { params, caller, network }) => {
    const account = await getActingAccount(db, network, caller.tenantId, params.address);
    const member = account.settings.signers.find(({ address }) => account.passkeys.has(address));
    return {
      data: {
        account_address: account.address as string,
        passkey: member === undefined ? null : toWireAccountPasskey(account, member),
      },
    };
  },
);
