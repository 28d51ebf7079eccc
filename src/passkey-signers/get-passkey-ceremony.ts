import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { isShownName } from "../labels/label-name.js";
import { type Approval, findApproval, isApprovalOpen } from "./approval-store.js";
import { type Ceremony, findCeremony, isOpen } from "./ceremony-store.js";
import { Challenge, parseChallenge } from "./read-answer.js";

/** What a page shows of whatever a challenge is for. */
const shown = {
  challenge: Type.String({ description: "Base64url." }),
  environment: Type.Enum([...environmentNames]),
  tenant_id: Type.String({ description: "Who asks. A page of a tenant's own shows no other." }),
  tenant_name: Type.String({ description: "Its name; its id where that could deceive." }),
  app_name: Type.String({ description: "What that calls itself." }),
  redirect_url: Type.Union([Type.String(), Type.Null()]),
  relying_party_id: Type.String({ description: "The domain of the passkey." }),
  origin: Type.String({ description: "Of the only page that may ask." }),
  slot_number: Type.Integer(),
  slot_hash: addressText({ description: "Its hash, which the challenge has in it." }),
  payer: addressText({ description: "Pays, and signs the transaction." }),
  expires_at: Type.String({ format: "date-time", description: "Of the challenge." }),
  expires_in_seconds: Type.Integer({ description: "How long that is from now on." }),
};

const PasskeyCeremony = Type.Object(
  {
    ceremony_type: Type.Enum(["create", "auth"]),
    ...shown,
    user_id: uuidText({ description: "Of a new passkey: its user handle is these 16 bytes." }),
    session_key: addressText({ description: "What is to sign in the passkey's place." }),
    session_seconds: Type.Integer({ description: "For how long; 0: no key is to sign any more." }),
    session_expires_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "The end that is signed. Null: the chain counts from when it lands.",
    }),
  },
  { $id: "PasskeyCeremony" },
);

const PasskeyApproval = Type.Object(
  {
    ceremony_type: Type.Literal("approve"),
    ...shown,
    account_address: addressText({ description: "The smart account." }),
    passkey_address: addressText({ description: "The signer that approves." }),
    token_owners: Type.Array(addressText(), {
      description: "Of token accounts in it (gap 250).",
    }),
    execution: Type.String({
      description: "Base64: what is signed, accounts and instructions (gap 250).",
    }),
  },
  { $id: "PasskeyApproval" },
);

/** Gap 233: every page that has a challenge signed asks for it. */
export const getPasskeyCeremony = endpoint(
  {
    operation: "getPasskeyCeremony",
    summary: "Read what a challenge is for",
    description:
      "For the page that has it signed, which shows this to the passkey's owner. It needs no API key: to have the challenge is " +
      "enough. What was used or is over is not found.",
    tag: "Passkey signers",
    method: "GET",
    path: "/api/service/v1/passkeys/ceremony",
    scope: null,
    limitsAddresses: true,
    environment: "none",
    query: Type.Object({ challenge: Challenge }),
    response: { status: 200, envelope: true, schema: Type.Union([PasskeyCeremony, PasskeyApproval]) },
    errors: ["passkey_ceremony_not_found"],
  },
  async (
    { db, networks }: { readonly db: Db; readonly networks: ReadonlyMap<EnvironmentName, Network> },
    { query },
  ) => {
    const text = parseChallenge(query.challenge);
    const ceremony = await findCeremony(db, text);
    const approval = ceremony === undefined ? await findApproval(db, text) : undefined;
    const begun = ceremony ?? approval;
    const network = networks.get(begun?.environment as EnvironmentName);
    const isThere =
      network !== undefined &&
      ((ceremony !== undefined && isOpen(ceremony, network.clock.now())) ||
        (approval !== undefined && (await isApprovalOpen(db, network, approval))));
    if (begun === undefined || !isThere) throw new TrellisError("passkey_ceremony_not_found");
    const { name } = await db
      .selectFrom("tenant")
      .select("name")
      .where("id", "=", begun.tenant_id)
      .executeTakeFirstOrThrow();
    const seen = toWireShown(begun, network, name);
    if (ceremony !== undefined) return { data: { ...seen, ...toWireSession(ceremony) } };
    assertOurs(approval, "it is one of the two");
    return { data: { ...seen, ...toWireApproval(approval) } };
  },
);

function toWireShown(
  row: Pick<Ceremony, keyof Ceremony & keyof Approval>,
  { name: environment, clock }: Pick<Network, "name" | "clock">,
  tenantName: string,
): Omit<Static<typeof PasskeyApproval>, "ceremony_type" | keyof ReturnType<typeof toWireApproval>> {
  return {
    challenge: row.challenge,
    environment,
    tenant_id: row.tenant_id,
    tenant_name: isShownName(tenantName) ? tenantName : row.tenant_id,
    app_name: row.app_name,
    redirect_url: row.redirect_url,
    relying_party_id: row.relying_party_id,
    origin: row.origin,
    slot_number: Number(row.slot),
    slot_hash: row.slot_hash,
    payer: row.payer,
    expires_at: new Date(Number(row.expires_at)).toISOString(),
    expires_in_seconds: Math.ceil((Number(row.expires_at) - clock.now()) / 1_000),
  };
}

function toWireSession(row: Ceremony) {
  const { session_ends_at: end } = row;
  return {
    ceremony_type: row.kind,
    user_id: row.user_handle,
    session_key: row.session_key,
    session_seconds: row.session_seconds,
    session_expires_at: end === null ? null : new Date(Number(end) * 1_000).toISOString(),
  };
}

const toWireApproval = ({ account_address, passkey_address, owners, execution }: Approval) => ({
  ceremony_type: "approve" as const,
  account_address,
  passkey_address,
  token_owners: JSON.parse(owners) as string[],
  execution,
});
