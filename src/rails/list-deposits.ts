import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import type { Keyring } from "../kernel/crypto/envelope.js";
import { endpoint } from "../kernel/endpoint.js";
import { TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import { addressText, uuidText } from "../kernel/wire-texts.js";
import type { Db } from "../ports/database.js";
import { ShownDeposit, showDeposit } from "./deposit.js";
import { listDeposits as findDeposits } from "./deposit-store.js";
import { findVirtualAccount, isOpened } from "./virtual-account-store.js";

/** Gap 99. */
export const listDeposits = endpoint(
  {
    operation: "listDeposits",
    summary: "List deposits",
    description:
      "What came to a virtual account, newest first, whatever became of it: where the partner has it, and whether the chain " +
      "shows its payment.",
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
    response: { status: 200, envelope: true, schema: Type.Array(ShownDeposit) },
    errors: ["account_not_found", "virtual_account_not_found", "invalid_cursor"],
  },
  async (needs: { readonly db: Db; readonly keyring: Keyring }, { params, query, network, caller }) => {
    const { db, keyring } = needs;
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const account = await getAccountRow(db, { ...owner, address: params.address });
    const found = await findVirtualAccount(db, { ...owner, address: account.address }, params.virtual_account_id);
    if (found === undefined || !isOpened(found)) throw new TrellisError("virtual_account_not_found");
    const { limit = limits.depositPageDefault, cursor } = query;
    const before = cursor === undefined ? undefined : decodeCursor(cursor);
    if (limit === 0) return { data: [] };
    const rows = await findDeposits(db, found.id, { before, limit });
    const data = rows.slice(0, limit).map((row) => showDeposit(keyring, row));
    const last = rows[limit - 1];
    if (rows.length <= limit || last === undefined) return { data };
    const next = encodeCursor(last);
    return { data, headers: { "x-next-cursor": next }, metadata: { next_cursor: next } };
  },
);

const cursorForm = /^d1_([0-9]{1,15})_([0-9a-f-]{36})$/;

/** A place in the list: everything behind it is older. */
function encodeCursor({ created_at, id }: { readonly created_at: bigint; readonly id: string }): string {
  return Buffer.from(`d1_${created_at}_${id}`).toString("base64url");
}

function decodeCursor(cursor: string): { readonly createdAt: bigint; readonly id: string } {
  const [, createdAt, id] = cursorForm.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  const place = createdAt === undefined || id === undefined ? undefined : { created_at: BigInt(createdAt), id };
  if (place === undefined || encodeCursor(place) !== cursor) {
    throw new TrellisError("invalid_cursor", { field: "cursor" });
  }
  return { createdAt: place.created_at, id: place.id };
}
