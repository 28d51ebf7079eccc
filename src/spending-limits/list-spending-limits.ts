import type { Address } from "@solana/kit";
import { type Answer, endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { address, cursor, listAnswer, pageOf } from "@trellis/kernel/page.js";
import type { AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { readSpendingLimitsOf } from "../transactions/read-spending-limits.js";
import { mintOfQuery, SpendingLimit, showSpendingLimit } from "./spending-limit.js";

/** Everything behind a limit. */
export const limitPlace = cursor("s1", { address });

/** Gap 41. The chain knows no order of limits but that of their addresses, which is random and stays. */
export const listSpendingLimits = endpoint(
  {
    operation: "listSpendingLimits",
    summary: "List spending limits",
    description: "The account's spending limits as the chain has them now, in the order of their addresses.",
    tag: "Spending limits",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/spending-limits",
    scope: "accounts:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: limits.spendingLimitPageMax, default: limits.spendingLimitPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "From the page before." })),
      mint: Type.Optional(Type.String({ description: "Those of this mint, or of this currency." })),
      signer: Type.Optional(Type.String({ description: "Those that this address may use." })),
    }),
    response: { status: 200, envelope: false, schema: Type.Array(SpendingLimit) },
    errors: ["account_not_found", "invalid_cursor", "chain_unavailable"],
  },
  async (needs: { readonly db: Db }, { params, query, network, caller }) => {
    const row = await getAccountRow(needs.db, {
      tenantId: caller.tenantId,
      environment: network.name,
      address: params.address,
    });
    return limitsOfAccount(network, row, query);
  },
);

/** A page of the limits of one account, as the chain has them now. Throws `invalid_cursor`, `chain_unavailable`. */
export async function limitsOfAccount(
  network: Network,
  row: AccountTable,
  query: {
    readonly limit?: number;
    readonly cursor?: string;
    readonly mint?: string;
    readonly signer?: string;
  },
): Promise<Answer<SpendingLimit[]>> {
  const limit = query.limit ?? limits.spendingLimitPageDefault;
  const after = query.cursor === undefined ? "" : limitPlace.decode(query.cursor).address;
  if (limit === 0) return { data: [] };
  const mint = query.mint === undefined ? undefined : mintOfQuery(network, query.mint);
  const { signer } = query;
  const all = await readSpendingLimitsOf(network, row.settings_address as Address);
  const matching = all.filter(
    (found) =>
      found.address > after &&
      (mint === undefined || found.mint === mint) &&
      (signer === undefined || found.signers.some((address) => address === signer)),
  );
  const page = pageOf(matching, limit, limitPlace.encode);
  return listAnswer(
    page.rows.map((found) => showSpendingLimit(found, row, network)),
    page.cursor,
  );
}
