import type { Address } from "@solana/kit";
import { type Answer, endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { listAnswer, pageOf } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import Type, { type Static } from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { asLimitOf } from "../transactions/read-spending-limits.js";
import { findLimits } from "./limit-list-store.js";
import { limitPlace, limitsOfAccount } from "./list-spending-limits.js";
import { mintOfQuery, SpendingLimit, showSpendingLimit } from "./spending-limit.js";

const Query = Type.Object({
  account: Type.Optional(addressText({ description: "Those of this account alone." })),
  mint: Type.Optional(Type.String({ description: "Those of this mint, or of this currency." })),
  signer: Type.Optional(Type.String({ description: "Those that this address may use." })),
  limit: Type.Optional(
    Type.Integer({ minimum: 0, maximum: limits.spendingLimitPageMax, default: limits.spendingLimitPageDefault }),
  ),
  cursor: Type.Optional(Type.String({ description: "From the page before, which had the same query." })),
});

interface Needs {
  readonly db: Db;
}

/** Gap 208. Which limits there are is in an index; what each is and has left is read from the chain, for one page in one question. */
export const listAllSpendingLimits = endpoint(
  {
    operation: "listAllSpendingLimits",
    summary: "List spending limits of all accounts",
    description:
      "The spending limits of all accounts of the tenant, in the order of their addresses, each as the chain has it now. A page may " +
      "hold less than `limit` and still have a cursor.",
    tag: "Spending limits",
    method: "GET",
    path: "/api/service/v1/spending-limits",
    scope: "accounts:read",
    environment: "optional",
    query: Query,
    response: { status: 200, envelope: true, schema: Type.Array(SpendingLimit) },
    errors: ["account_not_found", "invalid_cursor", "chain_unavailable"],
  },
  async ({ db }: Needs, { query, network, caller: { tenantId } }) => {
    const { account } = query;
    if (account === undefined) return listAcross(db, network, tenantId, query);
    const row = await getAccountRow(db, { tenantId, environment: network.name, address: account });
    return limitsOfAccount(network, row, query);
  },
);

async function listAcross(
  db: Db,
  network: Network,
  tenantId: string,
  { mint, signer, limit = limits.spendingLimitPageDefault, cursor }: Static<typeof Query>,
): Promise<Answer<SpendingLimit[]>> {
  const after = cursor === undefined ? "" : limitPlace.decode(cursor).address;
  // No address is empty: that is the list of all.
  if (limit === 0 || signer === "") return { data: [] };
  const found = await findLimits(db, {
    tenantId,
    environment: network.name,
    mint: mint === undefined ? undefined : mintOfQuery(network, mint),
    signer,
    after,
    // One more than the page shows whether there is another.
    limit: limit + 1,
  });
  const page = pageOf(found, limit, limitPlace.encode);
  const accounts = await readAccounts(
    network,
    page.rows.map(({ address }) => address as Address),
  );
  const shown = page.rows.flatMap(({ settings_address, account_address }, i): SpendingLimit[] => {
    // One that was removed a moment ago is listed until its account is read again.
    const standing = asLimitOf(settings_address as Address, accounts[i]);
    return standing === undefined ? [] : [showSpendingLimit(standing, { address: account_address }, network)];
  });
  return listAnswer(shown, page.cursor);
}
