import type { Db } from "@trellis/kernel/ports/database.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { isShownName } from "../labels/label-name.js";
import type { NewApproval } from "./approval-store.js";
import type { Ceremony } from "./ceremony-store.js";

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

/** Of a session. */
export const PasskeyCeremony = Type.Object(
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

/** Of one transaction. */
export const PasskeyApproval = Type.Object(
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

type Shared = Pick<Ceremony, keyof Ceremony & keyof NewApproval>;
type AskedOn = Pick<Network, "name" | "clock">;

/** What the page of a session shows. */
export async function describeCeremony(
  db: Db,
  network: AskedOn,
  ceremony: Ceremony,
): Promise<Static<typeof PasskeyCeremony>> {
  return { ...(await describeShared(db, network, ceremony)), ...toWireSession(ceremony) };
}

/** What the page of an approval shows. */
export async function describeApproval(
  db: Db,
  network: AskedOn,
  approval: NewApproval,
): Promise<Static<typeof PasskeyApproval>> {
  return { ...(await describeShared(db, network, approval)), ...toWireApproval(approval) };
}

async function describeShared(db: Db, { name: environment, clock }: AskedOn, row: Shared) {
  const { name: tenantName } = await db
    .selectFrom("tenant")
    .select("name")
    .where("id", "=", row.tenant_id)
    .executeTakeFirstOrThrow();
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

const toWireApproval = ({ account_address, passkey_address, owners, execution }: NewApproval) => ({
  ceremony_type: "approve" as const,
  account_address,
  passkey_address,
  token_owners: JSON.parse(owners) as string[],
  execution,
});
