import { isAddress } from "@solana/kit";
import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { Label, toWireLabel } from "./label.js";
import { type Book, removeLabel as removeRow } from "./label-store.js";
import { labellerOf } from "./put-label.js";

const contract = {
  tag: "Labels",
  method: "DELETE",
  scope: "labels:write",
  environment: "optional",
  response: { status: 200, envelope: true, schema: Label },
} as const;

/** Gap 213. */
export const removeLabel = endpoint(
  {
    ...contract,
    operation: "removeLabel",
    summary: "Remove a label",
    description: "The tenant's label of an address, as it was. Those of accounts stay.",
    path: "/api/service/v1/labels/{label_address}",
    params: Type.Object({ label_address: addressText({ description: "What is called so." }) }),
    errors: ["label_not_found"],
  },
  async ({ db }: { readonly db: Db }, { params, caller, network }) => {
    const book = { tenantId: caller.tenantId, environment: network.name, account: undefined };
    return { data: await remove(db, caller, book, params.label_address) };
  },
);

/** Gap 213. */
export const removeAccountLabel = endpoint(
  {
    ...contract,
    operation: "removeAccountLabel",
    summary: "Remove an account's label",
    description: "The account's label of an address, as it was. The tenant's is shown from then on, if there is one.",
    path: "/api/service/v1/accounts/{address}/labels/{label_address}",
    publishable: "session",
    params: Type.Object({
      address: addressText({ description: "The account whose label it is." }),
      label_address: addressText({ description: "What is called so." }),
    }),
    errors: ["account_not_found", "label_not_found"],
  },
  async ({ db }: { readonly db: Db }, { params, caller, network }) => {
    const book = { tenantId: caller.tenantId, environment: network.name, account: params.address };
    await getAccountRow(db, { ...book, address: book.account });
    return { data: await remove(db, caller, book, params.label_address) };
  },
);

/** Throws `label_not_found`, for what is no address, too. */
async function remove(db: Db, caller: Caller, book: Book, address: string) {
  const row = isAddress(address) ? await removeRow(db, labellerOf(caller), book, address) : undefined;
  if (row === undefined) throw new TrellisError("label_not_found");
  return toWireLabel(row);
}
