import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, pageOf, uuid } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { showDeposit, WireDeposit } from "./deposit.js";
import { listDeposits as findDeposits } from "./deposit-store.js";
import { findVirtualAccount, isOpened } from "./virtual-account-store.js";

/** Everything older than a deposit. */
const place = cursor("d1", { createdAt: int8, id: uuid });

/** Gap 99. */
export const listDeposits = endpoint(
  {
    operation: "listDeposits",
    summary: "List deposits",
    description:
      "Deposits to a virtual account in any state, newest first: where the partner has the money, and whether the chain " +
      "shows the payment.",
    tag: "Virtual accounts",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/virtual-accounts/{virtual_account_id}/deposits",
    scope: "virtual-accounts:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText(), virtual_account_id: uuidText() }),
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: limits.depositPageMax, default: limits.depositPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "From the page before." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(WireDeposit) },
    errors: ["account_not_found", "virtual_account_not_found", "invalid_cursor"],
  },
  async (needs: { readonly db: Db; readonly keyring: Keyring }, { params, query, network, caller }) => {
    const { db, keyring } = needs;
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const account = await getAccountRow(db, { ...owner, address: params.address });
    const found = await findVirtualAccount(db, { ...owner, address: account.address }, params.virtual_account_id);
    if (found === undefined || !isOpened(found)) throw new TrellisError("virtual_account_not_found");
    const limit = query.limit ?? limits.depositPageDefault;
    const before = query.cursor === undefined ? undefined : place.decode(query.cursor);
    if (limit === 0) return { data: [] };
    const rows = await findDeposits(db, found.id, { before, limit });
    const page = pageOf(rows, limit, ({ created_at, id }) => place.encode({ createdAt: created_at, id }));
    return listAnswer(
      page.rows.map((row) => showDeposit(keyring, row)),
      page.cursor,
    );
  },
);
