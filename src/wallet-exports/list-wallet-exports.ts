import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { findCommandedWallets } from "../passkeys/commanded-wallets.js";
import { toWireWalletExport, WalletExport } from "./wallet-export.js";
import { findExports } from "./wallet-export-store.js";

/** Gap 182. */
export const listWalletExports = endpoint(
  {
    operation: "listWalletExports",
    summary: "List the exports of an account's keys",
    description:
      "The newest first, a hundred at most, without keys: with a publishable key those of the user who is signed in, with a secret " +
      "key those of all the account's users.",
    tag: "Wallet exports",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/wallet-exports",
    scope: "accounts:read",
    environment: "optional",
    publishable: "user",
    params: Type.Object({ address: addressText() }),
    response: { status: 200, envelope: true, schema: Type.Array(WalletExport) },
    errors: ["account_not_found"],
  },
  async ({ db }: { readonly db: Db }, { params, caller, network }) => {
    const rows = await findExports(db, await findCommandedWallets(db, caller, network, params.address));
    return { data: rows.map((row) => toWireWalletExport(row, network.clock.now())) };
  },
);
