import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { forgetRailData } from "./forget-rail-data.js";

/** Gap 97. */
export const deleteRailData = endpoint(
  {
    operation: "deleteRailData",
    summary: "Forget the bank rail data of an account",
    description:
      "Removes names, e-mail addresses, links and bank details that are kept here for the account's verifications and bank " +
      "accounts. Refused while money is on its way, a payment with a bank waits for its money, a standing order to a bank account " +
      "has not ended, or the removal of an external account is open. What the partner keeps, by its own duties, it keeps: ask the partner. " +
      "The account itself, its payments on chain and their history stay.",
    tag: "KYC",
    method: "DELETE",
    path: "/api/service/v1/accounts/{address}/rail-data",
    scope: "kyc:write",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        address: addressText(),
        deleted: Type.Boolean({
          description:
            "Always true: names, addresses, links and bank details are deleted. Ids of the partner and sealed answers to " +
            "idempotency keys stay for their time (SECURITY.md).",
        }),
        kept_by_partner: Type.String({ description: "What is not deleted by this." }),
      }),
    },
    errors: ["account_not_found", "money_on_its_way"],
  },
  async ({ db }: { readonly db: Db }, { params, network, caller }) => {
    const { tenantId } = caller;
    const account = await getAccountRow(db, { tenantId, environment: network.name, address: params.address });
    await forgetRailData(db, { tenantId, environment: network.name, address: account.address }, network.clock.now());
    return {
      data: {
        address: account.address,
        deleted: true,
        kept_by_partner:
          "What the partner knows of the person, and what the law has it keep, is deleted by the partner alone. Bank " +
          "details that it gave stay open there: money paid to them still reaches the account, and is not reported here.",
      },
    };
  },
);
