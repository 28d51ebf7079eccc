import { Buffer } from "node:buffer";
import { deriveId } from "@trellis/kernel/crypto/derived-id.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import type { CreationNeeds } from "../accounts/creation.js";
import { type CreationPlan, planKeyAccount } from "../accounts/creation-plan.js";
import { createFromKeys } from "../accounts/key-creation.js";
import { parseSigner, requireSigners } from "../accounts/member-address.js";
import { Memo, parseMemo } from "../accounts/memo.js";
import { everyPermission, Policies } from "../accounts/policy.js";
import { answered, type LandingNeeds, landCeremony, requireCeremony } from "./land-ceremony.js";
import { PasskeyAuthentication, toWireAuthentication } from "./passkey-session.js";
import { landingErrors } from "./submit-passkey-ceremony.js";

/** Gap 236. */
export const createPasskeyAccount = endpoint(
  {
    operation: "createPasskeyAccount",
    summary: "Create an account whose signer is a passkey",
    description:
      "Carries out what a passkey signed, as `POST …/passkeys/submit` does, and makes a smart account with that passkey as its only " +
      "signer. The same challenge makes one account, however often it is sent.",
    tag: "Passkey signers",
    method: "POST",
    path: "/api/service/v1/passkeys/account",
    scope: "accounts:write",
    environment: "optional",
    body: Type.Object(
      {
        ...answered,
        slotNumber: Type.Integer({ minimum: 0, description: "As the page's address has it." }),
        adminAddress: Type.Optional(
          addressText({ description: "Who alone may change the settings. Absent: the passkey does." }),
        ),
        memo: Type.Optional(Memo),
      },
      { $id: "CreatePasskeyAccountRequest" },
    ),
    refusesNearMisses: true,
    response: {
      status: 201,
      envelope: false,
      schema: Type.Object(
        {
          address: addressText(),
          settings_address: addressText(),
          type: Type.Literal("passkey"),
          status: Type.Literal("active"),
          grid_user_id: uuidText(),
          policies: Policies,
          authentication: Type.Array(PasskeyAuthentication),
          memo: Type.Optional(Type.String()),
          created_at: Type.String({ format: "date-time" }),
          updated_at: Type.String({ format: "date-time" }),
        },
        { $id: "CreatedPasskeyAccount" },
      ),
    },
    errors: [
      ...landingErrors,
      "account_creation_failed",
      "creation_queue_full",
      "invalid_policies",
      "service_unavailable",
    ],
  },
  async (needs: LandingNeeds & CreationNeeds, { body, caller, network }) => {
    const { adminAddress, memo } = body;
    const field = "adminAddress";
    const admin = adminAddress === undefined ? null : parseSigner(adminAddress, network, field);
    if (admin !== null) await requireSigners(network, [{ address: admin, field }]);
    const ceremony = await requireCeremony(needs.db, network, caller, body);
    if (ceremony.slot !== BigInt(body.slotNumber)) {
      throw new TrellisError("invalid_request", {
        field: "slotNumber",
        message: "The challenge was made for another ceremony.",
      });
    }
    const parsedMemo = parseMemo(memo);
    const opened = await landCeremony(needs, network, ceremony, body.authenticatorResponse);
    const signer = {
      address: opened.passkeyAddress,
      mask: everyPermission,
      role: "primary",
      provider: "passkey",
    } as const;
    const plan = planKeyAccount({ signers: [signer], threshold: 1, timeLockSeconds: 0, admin }, parsedMemo);
    const operationId = deriveId(Buffer.from(ceremony.challenge, "base64url"), ["passkey account"]);
    const account = await createFromKeys(needs, network, {
      tenantId: caller.tenantId,
      type: "signers",
      plan,
      operationId,
    });
    await requireSamePlan(needs.db, operationId, plan);
    const { created_at, updated_at } = await needs.db
      .selectFrom("account")
      .select(["created_at", "updated_at"])
      .where("environment", "=", network.name)
      .where("address", "=", account.address)
      .executeTakeFirstOrThrow();
    const instant = (at: bigint) => new Date(Number(at)).toISOString();
    return {
      data: {
        address: account.address as string,
        settings_address: account.settingsAddress as string,
        type: "passkey" as const,
        status: "active" as const,
        grid_user_id: account.userId,
        policies: account.policies,
        authentication: [toWireAuthentication(opened, body.sessionKey.key)],
        ...(memo === undefined ? {} : { memo }),
        created_at: instant(created_at),
        updated_at: instant(updated_at),
      },
    };
  },
);

/** One challenge makes one account. Throws `passkey_challenge_used` where that was asked for with another admin or memo. */
async function requireSamePlan(db: Db, id: string, { admin, memo }: CreationPlan): Promise<void> {
  const row = await db.selectFrom("account_creation").select("plan").where("id", "=", id).executeTakeFirstOrThrow();
  const made = JSON.parse(row.plan) as CreationPlan;
  if (made.admin !== admin || made.memo !== memo) {
    throw new TrellisError("passkey_challenge_used", {
      message: "This challenge has made an account with another adminAddress or memo. Begin again for another account.",
    });
  }
}
