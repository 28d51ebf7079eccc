import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, pageOf, uuid } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText, emailText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { parseEmailAddress } from "../people/email-address.js";
import { KycRecord, showKycRecord } from "./kyc-record.js";
import { findVerifications } from "./rail-list-store.js";
import { verificationStates } from "./verification-states.js";
import { emailKeyOf } from "./verification-store.js";

/** Everything older than a verification. */
const place = cursor("vf1", { createdAt: int8, id: uuid });

/** The verifications of a tenant (gap 227). */
export const listAllVerifications = endpoint(
  {
    operation: "listAllVerifications",
    summary: "List verifications of all accounts",
    description:
      "The verifications of all accounts of the tenant, newest first, as the partner last reported them: the list does not ask it.",
    tag: "KYC",
    method: "GET",
    path: "/api/service/v1/verifications",
    scope: "kyc:read",
    environment: "optional",
    query: Type.Object({
      status: Type.Optional(
        Type.Array(Type.Enum([...verificationStates.all]), { description: "Repeat it for several." }),
      ),
      account: Type.Optional(addressText({ description: "Those of this account alone." })),
      email: Type.Optional(emailText({ description: "Those that were started with this address." })),
      limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: limits.verificationPageMax, default: limits.verificationPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "From the page before, which had the same query." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(KycRecord) },
    errors: ["account_not_found", "invalid_email", "invalid_cursor"],
  },
  async (needs: { readonly db: Db; readonly keyring: Keyring }, { query, network, caller }) => {
    const { tenantId } = caller;
    const { account, email, status: statuses = [], limit = limits.verificationPageDefault } = query;
    const of = { tenantId, environment: network.name, account };
    const before = query.cursor === undefined ? undefined : place.decode(query.cursor);
    const emailKey = email === undefined ? undefined : emailKeyOf(needs.keyring, tenantId, parseEmailAddress(email));
    if (account !== undefined) await getAccountRow(needs.db, { ...of, address: account });
    if (limit === 0) return { data: [] };
    const found = await findVerifications(needs.db, of, { statuses, emailKey, before, limit: limit + 1 });
    const page = pageOf(found, limit, ({ created_at, id }) => place.encode({ createdAt: created_at, id }));
    return listAnswer(
      page.rows.map((row) => showKycRecord(needs, network, row, caller)),
      page.cursor,
    );
  },
);
