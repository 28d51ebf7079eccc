import type { Address } from "@solana/kit";
import { documented, endpoint, otherSpelling } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { CustodianName, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import { PERMISSIONS } from "@trellis/program-client";
import { Permission } from "@trellis/program-client/settings-change.js";
import { sql } from "kysely";
import Type, { type Static } from "typebox";
import { defaultCustodian, getSessionCustodian } from "../custody/custodians.js";
import { parseEmailAddress } from "../people/email-address.js";
import { makingUsers, newUserId, newUserIds, type UserIdNeeds } from "../people/user-id.js";
import type { CreationNeeds } from "./creation.js";
import { type CreationPlan, type PlannedSigner, resolvePlan } from "./creation-plan.js";
import { confirmForeignPasskeys, type HostNeeds, refuseForeignPasskeys } from "./foreign-passkeys.js";
import { createFromKeys } from "./key-creation.js";
import { parseSigner, requireSigners } from "./member-address.js";
import { Memo, parseMemo } from "./memo.js";
import {
  checkPolicy,
  Policies,
  Provider,
  parsePermissions,
  providerOf,
  RequestedPolicies,
  Role,
  signerListBounds,
} from "./policy.js";

const EmailSigner = Type.Object(
  {
    type: Type.Literal("email"),
    email: emailText(),
    provider: Type.Optional(Provider),
    permissions: Type.Array(Permission, documented({ minItems: 1 })),
    role: Type.Optional(Role),
  },
  {
    $id: "RequestedEmailSigner",
    examples: [{ type: "email", email: "ada@example.org", permissions: [...PERMISSIONS] }],
    description: "A wallet that a custodian makes for this address. No mail is sent; signing in proves the address.",
  },
);

const KeySigner = Type.Object(
  {
    type: Type.Optional(Type.Literal("pubkey")),
    address: addressText(),
    permissions: Type.Array(Permission, documented({ minItems: 1 })),
    role: Type.Optional(Role),
    provider: Type.Optional(Provider),
  },
  { $id: "RequestedKeySigner", description: "A key that exists already." },
);

const CustomPolicies = Type.Object(
  {
    ...RequestedPolicies.properties,
    signers: Type.Array(Type.Union([EmailSigner, KeySigner]), signerListBounds),
    timeLock: Type.Optional(Type.Integer(otherSpelling)),
    adminAddress: Type.Optional(addressText(otherSpelling)),
  },
  { $id: "RequestedCustomPolicies" },
);

/** Interface 4.3, 2.6, gaps 14, 16, 17. */
export const createCustomAccount = endpoint(
  {
    operation: "createCustomAccount",
    summary: "Create an account with custom signers",
    description:
      "Creates the account on chain at once. Signers are keys that exist, or e-mail addresses, for which a custodian makes " +
      "a wallet; the first sign-in with such an address proves it.",
    tag: "Accounts",
    method: "POST",
    path: "/api/service/v1/accounts:custom",
    scope: "accounts:write",
    environment: "optional",
    body: Type.Object({
      policies: CustomPolicies,
      confirm_foreign_passkeys: confirmForeignPasskeys,
      memo: Type.Optional(Memo),
    }),
    refusesNearMisses: true,
    refusesFieldsBeside: "policies",
    response: {
      status: 201,
      envelope: true,
      schema: Type.Object(
        {
          type: Type.Literal("custom"),
          address: addressText(),
          settings_address: addressText(),
          grid_user_id: uuidText(),
          policies: Type.Object(
            {
              signers: Policies.properties.signers,
              threshold: Type.Integer(),
              adminAddress: Policies.properties.admin_address,
              timeLock: Policies.properties.time_lock,
            },
            { $id: "CustomPolicies", description: "This answer alone spells two members in camel case." },
          ),
          memo: Type.Optional(Type.String()),
        },
        { $id: "CustomAccount" },
      ),
    },
    errors: [
      "invalid_policies",
      "invalid_address",
      "invalid_email",
      "forbidden_account",
      "provider_not_available",
      "provider_unavailable",
      "account_creation_failed",
      "creation_queue_full",
      "service_unavailable",
      "sponsorship_limit_exceeded",
      "submission_in_progress",
      "chain_unavailable",
    ],
  },
  async (needs: CreationNeeds & UserIdNeeds & HostNeeds, { body, caller, network, operationId }) => {
    const drafts = body.policies.signers.map((signer, i) => readSigner(needs.custodians, network, signer, i));
    const { admin_address, adminAddress, time_lock, timeLock } = body.policies;
    const adminText = eitherOf(admin_address, adminAddress, ["admin_address", "adminAddress"]);
    const policy = {
      threshold: body.policies.threshold,
      timeLockSeconds: eitherOf(time_lock, timeLock, ["time_lock", "timeLock"]) ?? 0,
      admin: adminText === undefined ? null : parseSigner(adminText, network, "policies.admin_address"),
    };
    // Before anybody becomes a user: a request that is refused leaves nothing behind.
    const memo = parseMemo(body.memo);
    const deciders = { ...policy, signers: drafts.map(({ identity, mask }) => ({ address: identity, mask })) };
    checkPolicy(deciders, "policies.");
    await requireSigners(network, [
      ...drafts.flatMap((draft, i) =>
        draft.email === undefined ? [{ address: draft.key, field: `policies.signers.${i}.address` }] : [],
      ),
      ...(policy.admin === null ? [] : [{ address: policy.admin, field: "policies.admin_address" }]),
    ]);
    const isConfirmed = body.confirm_foreign_passkeys;
    const ruled = { ...deciders, settingsAuthority: policy.admin };
    await refuseForeignPasskeys(needs, network, caller.tenantId, ruled, { isConfirmed });

    const users = await ensureUsers(needs, network, caller.tenantId, drafts);
    const plan: CreationPlan = {
      ...policy,
      signers: drafts.map((draft) => toPlanned(draft, users)),
      memo,
    };
    await refuseRepeatedWallets(needs.custodians, network, plan);
    const account = await createFromKeys(needs, network, {
      tenantId: caller.tenantId,
      type: "custom",
      plan,
      operationId,
    });
    const { admin_address: finalAdmin, time_lock: finalTimeLock, ...rest } = account.policies;
    return {
      data: {
        type: "custom" as const,
        address: account.address as string,
        settings_address: account.settingsAddress as string,
        grid_user_id: account.userId,
        policies: { ...rest, adminAddress: finalAdmin, timeLock: finalTimeLock },
        ...(body.memo === undefined ? {} : { memo: body.memo }),
      },
    };
  },
);

/** What is read in two spellings (gap 16). Throws `invalid_request` where both are there and differ. */
function eitherOf<Value>(one: Value | undefined, two: Value | undefined, names: readonly [string, string]) {
  if (one === undefined || two === undefined || one === two) return one ?? two;
  throw new TrellisError("invalid_request", {
    field: `policies.${names[1]}`,
    message: `policies.${names[0]} and policies.${names[1]} are two spellings of the same, and differ.`,
  });
}

/** A signer as asked for, before its user and its wallet exist. `identity` tells it from the others. */
type DraftSigner = { readonly identity: string; readonly mask: number; readonly role: Role } & (
  | { readonly email: string; readonly provider: CustodianName }
  | { readonly email: undefined; readonly key: Address; readonly provider: Provider }
);

function readSigner(
  custodians: Custodians,
  network: Network,
  signer: Static<typeof EmailSigner> | Static<typeof KeySigner>,
  index: number,
): DraftSigner {
  const field = `policies.signers.${index}`;
  const common = { mask: parsePermissions(signer.permissions, field), role: signer.role ?? "primary" };
  if (signer.type === "email") {
    const email = parseEmailAddress(signer.email);
    const { provider } = getSessionCustodian(custodians, signer.provider ?? defaultCustodian, `${field}.provider`);
    return { ...common, identity: `${email} (${provider})`, email, provider };
  }
  const key = parseSigner(signer.address, network, `${field}.address`);
  return { ...common, identity: key, email: undefined, key, provider: providerOf(key, signer.provider, field) };
}

/** The user behind every e-mail address, made where there is none (gap 17). */
async function ensureUsers(
  needs: UserIdNeeds & { readonly db: Db },
  network: Network,
  tenantId: string,
  drafts: readonly DraftSigner[],
): Promise<ReadonlyMap<string, string>> {
  // Always in the same order, so that two statements never wait for each other's rows.
  const emails = [...new Set(drafts.flatMap(({ email }) => (email === undefined ? [] : [email])))].sort();
  if (emails.length === 0) return new Map();
  const now = network.clock.now();
  const rows = emails.map(
    (email) =>
      sql`(${newUserId(newUserIds(needs, { tenantId, environment: network.name, email }))}, ${tenantId}::text, ${network.name}::text,
        ${email}::text, ${now}::int8)`,
  );
  // Writing a row back makes the statement return it.
  const insert = sql<{ id: string; email: string }>`
    insert into app_user (id, tenant_id, environment, email, created_at) values ${sql.join(rows)}
    on conflict (tenant_id, environment, email) do update set email = excluded.email
    returning id, email`;
  const found = await makingUsers(() => insert.execute(needs.db));
  return new Map(found.rows.map(({ id, email }) => [email, id]));
}

function toPlanned(draft: DraftSigner, users: ReadonlyMap<string, string>): PlannedSigner {
  const { mask, role } = draft;
  if (draft.email === undefined) return { mask, role, provider: draft.provider, key: draft.key };
  const walletOf = users.get(draft.email);
  assertOurs(walletOf, "every e-mail signer has a user");
  return { mask, role, provider: draft.provider, walletOf };
}

/** A key and an e-mail address can be the same signer: that shows only once the wallet is known. */
async function refuseRepeatedWallets(custodians: Custodians, network: Network, plan: CreationPlan): Promise<void> {
  checkPolicy(await resolvePlan(custodians, network, "", plan), "policies.");
}
