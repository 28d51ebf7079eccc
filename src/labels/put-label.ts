import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { type Actor, actorOf } from "../audit/actor.js";
import { Label, LabelRequest, parseLabelAddress, toWireLabel } from "./label.js";
import { parseLabelTexts } from "./label-name.js";
import { putLabel as storeLabel } from "./label-store.js";

const contract = {
  tag: "Labels",
  method: "PUT",
  scope: "labels:write",
  environment: "optional",
  body: LabelRequest,
  refusesNearMisses: true,
  response: { status: 200, envelope: true, schema: Label },
} as const;

const errors = ["invalid_address", "label_name_taken", "label_limit"] as const;

/** Gap 213. */
export const putLabel = endpoint(
  {
    ...contract,
    operation: "putLabel",
    summary: "Name an address",
    description: "For all accounts of the tenant that have no label of their own for it. Name and note are set both.",
    path: "/api/service/v1/labels/{label_address}",
    params: Type.Object({ label_address: addressText({ description: "What is to be called so." }) }),
    errors: [...errors],
  },
  async ({ db }: { readonly db: Db }, { params, body, caller, network }) => {
    const address = parseLabelAddress(params.label_address, "label_address");
    const book = { tenantId: caller.tenantId, environment: network.name, account: undefined };
    const label = { ...parseLabelTexts(body), address, now: network.clock.now() };
    return { data: toWireLabel(await storeLabel(db, labellerOf(caller), book, label)) };
  },
);

/** Gap 213. */
export const putAccountLabel = endpoint(
  {
    ...contract,
    operation: "putAccountLabel",
    summary: "Name an address for an account",
    description: "It goes before the tenant's label. Name and note are set both.",
    path: "/api/service/v1/accounts/{address}/labels/{label_address}",
    publishable: "session",
    params: Type.Object({
      address: addressText({ description: "The account whose label it is." }),
      label_address: addressText({ description: "What is to be called so." }),
    }),
    errors: [...errors, "account_not_found"],
  },
  async ({ db }: { readonly db: Db }, { params, body, caller, network }) => {
    const address = parseLabelAddress(params.label_address, "label_address");
    const book = { tenantId: caller.tenantId, environment: network.name, account: params.address };
    await getAccountRow(db, { ...book, address: book.account });
    const label = { ...parseLabelTexts(body), address, now: network.clock.now() };
    return { data: toWireLabel(await storeLabel(db, labellerOf(caller), book, label)) };
  },
);

/** Who changes a label, as the audit log names it: of a page, the session whose user it is. */
export const labellerOf = (caller: Caller): Actor =>
  caller.session === undefined ? actorOf(caller) : `session/${caller.session.chainId}`;
