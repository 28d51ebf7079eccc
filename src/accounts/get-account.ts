import type { Address } from "@solana/kit";
import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { AccountSignerTable, AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import { decodeSettings } from "@trellis/program-client";
import { readAccount } from "@trellis/solana/read-accounts.js";
import Type from "typebox";
import { findUserById } from "../people/user-store.js";
import { getKnownAccount, type KnownAccount } from "./account-store.js";
import { Protection, protectionOf } from "./guarded-account.js";
import { Policies, toPoliciesOfSettings } from "./policy.js";

/** An account as responses show it (interface 2.4, gap 24). */
export const Account = Type.Object(
  {
    address: addressText(),
    grid_user_id: uuidText(),
    status: Type.Enum(["active"]),
    type: Type.Enum(["email", "signers", "custom"]),
    policies: Policies,
    protection: Protection,
    settings_address: addressText(),
    email: Type.Optional(emailText()),
    passkey_required: Type.Optional(
      Type.Literal(true, {
        description: "Its user signs in with a code and a passkey. With a publishable key: who is signed in.",
      }),
    ),
    memo: Type.Optional(Type.String()),
    exported_signers: Type.Optional(
      Type.Array(addressText(), {
        description:
          "Wallets of custodians whose keys others may have: they were handed out to their owners, or their owners brought them.",
      }),
    ),
    created_at: Type.String({ format: "date-time" }),
    updated_at: Type.String({ format: "date-time" }),
  },
  { $id: "Account" },
);

/** Interface 4.4, gap 24. */
export const getAccount = endpoint(
  {
    operation: "getAccount",
    summary: "Get an account",
    description:
      "The policies are read from the chain. With a publishable key there is no memo, and the e-mail address is there for whom it belongs to.",
    tag: "Accounts",
    method: "GET",
    path: "/api/service/v1/accounts/{address}",
    scope: "accounts:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText({ description: "The smart account's address." }) }),
    response: { status: 200, envelope: true, schema: Account },
    errors: ["account_not_found", "chain_unavailable"],
  },
  async (needs: { readonly db: Db; readonly custodians: Custodians }, { params, caller, network }) => {
    const key = { tenantId: caller.tenantId, environment: network.name, address: params.address };
    const known = await getKnownAccount(needs.db, key);
    const [policies, readerRequires] = await Promise.all([
      readPolicies(network, known.row, known.signers),
      readerRequiresPasskey(needs.db, caller),
    ]);
    const seen = seenBy(caller, known, readerRequires);
    return { data: toWireAccount(seen, policies, protectionOf(policies, needs.custodians)) };
  },
);

/** Whether the user of a page signs in with a passkey beside the code; false where the caller is no page. */
export async function readerRequiresPasskey(db: Db, { session }: Pick<Caller, "session">): Promise<boolean> {
  return session?.kind === "user" && (await findUserById(db, session.userId))?.passkey_sign_in === "required";
}

/**
 * What a caller sees of an account. What the tenant has noted, and whose the account is, is not for everybody who signs for it (gap 123): a
 * page sees no memo, the e-mail address of its own user alone, and whether that user needs a passkey.
 */
export function seenBy(
  { isPublishable, session }: Pick<Caller, "isPublishable" | "session">,
  known: KnownAccount,
  readerRequires: boolean,
): KnownAccount {
  if (isPublishable !== true) return known;
  return {
    ...known,
    row: { ...known.row, memo: null },
    email: session?.kind === "user" && session.userId === known.row.user_id ? known.email : null,
    requiresPasskey: readerRequires,
  };
}

/** An account as GET and the list show it; only in the list may the chain's part be null. */
export function toWireAccount<P extends Policies | null, G extends Protection | null>(
  known: Pick<KnownAccount, "row" | "exported" | "email" | "requiresPasskey">,
  policies: P,
  protection: G,
) {
  const { row, exported, email, requiresPasskey } = known;
  return {
    address: row.address,
    grid_user_id: row.user_id,
    status: "active" as const,
    type: row.type,
    policies,
    protection,
    settings_address: row.settings_address,
    ...(email === null ? {} : { email }),
    ...(requiresPasskey ? { passkey_required: true as const } : {}),
    ...(row.memo === null ? {} : { memo: row.memo }),
    ...(exported.length === 0 ? {} : { exported_signers: [...exported] }),
    created_at: new Date(Number(row.created_at)).toISOString(),
    updated_at: new Date(Number(row.updated_at)).toISOString(),
  };
}

/** An account's policy as the chain has it, with the roles and providers the service knows. Throws `chain_unavailable`. */
export async function readPolicies(network: Network, row: AccountTable, signers: readonly AccountSignerTable[]) {
  const account = await readAccount(network, row.settings_address as Address);
  if (!account) {
    throw new TrellisError("chain_unavailable", {
      message: "The chain does not show this account's settings at present.",
    });
  }
  return toPoliciesOfSettings(decodeSettings(account.data), signers);
}
