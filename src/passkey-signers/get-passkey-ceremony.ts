import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { isShownName } from "../labels/label-name.js";
import { type Ceremony, findCeremony, isOpen } from "./ceremony-store.js";
import { Challenge, parseChallenge } from "./read-answer.js";

const PasskeyCeremony = Type.Object(
  {
    ceremony_type: Type.Enum(["create", "auth"]),
    challenge: Type.String({ description: "Base64url." }),
    environment: Type.Enum([...environmentNames]),
    tenant_id: Type.String({ description: "Who asks. A page of a tenant's own shows ceremonies of that tenant only." }),
    tenant_name: Type.String({ description: "What that is called; its id, where the name could deceive its reader." }),
    app_name: Type.String({ description: "What that calls itself." }),
    user_id: uuidText({ description: "Of a new passkey: its user handle is these 16 bytes." }),
    redirect_url: Type.Union([Type.String(), Type.Null()]),
    relying_party_id: Type.String({ description: "The domain of the passkey." }),
    origin: Type.String({ description: "Of the page that may ask for it, and no other." }),
    session_key: addressText({ description: "What is to sign in the passkey's place." }),
    session_seconds: Type.Integer({ description: "For how long; 0: no key is to sign any more." }),
    session_expires_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "The end that is signed. Null: the chain counts from when it lands.",
    }),
    slot_number: Type.Integer(),
    slot_hash: addressText({ description: "Its hash: with the session and the payer it makes the challenge." }),
    payer: addressText({ description: "Who pays, and signs the transaction." }),
    expires_at: Type.String({ format: "date-time", description: "Of the challenge." }),
    expires_in_seconds: Type.Integer({ description: "How long that is from now on." }),
  },
  { $id: "PasskeyCeremony" },
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
    response: { status: 200, envelope: true, schema: PasskeyCeremony },
    errors: ["passkey_ceremony_not_found"],
  },
  async (
    { db, networks }: { readonly db: Db; readonly networks: ReadonlyMap<EnvironmentName, Network> },
    { query },
  ) => {
    const ceremony = await findCeremony(db, parseChallenge(query.challenge));
    const network = networks.get(ceremony?.environment as EnvironmentName);
    if (ceremony === undefined || network === undefined || !isOpen(ceremony, network.clock.now())) {
      throw new TrellisError("passkey_ceremony_not_found");
    }
    const { name } = await db
      .selectFrom("tenant")
      .select("name")
      .where("id", "=", ceremony.tenant_id)
      .executeTakeFirstOrThrow();
    return { data: toWire(ceremony, network, name) };
  },
);

function toWire(
  row: Ceremony,
  { name: environment, clock }: Pick<Network, "name" | "clock">,
  tenantName: string,
): Static<typeof PasskeyCeremony> {
  const { session_ends_at: end } = row;
  return {
    ceremony_type: row.kind,
    challenge: row.challenge,
    environment,
    tenant_id: row.tenant_id,
    tenant_name: isShownName(tenantName) ? tenantName : row.tenant_id,
    app_name: row.app_name,
    user_id: row.user_handle,
    redirect_url: row.redirect_url,
    relying_party_id: row.relying_party_id,
    origin: row.origin,
    session_key: row.session_key,
    session_seconds: row.session_seconds,
    session_expires_at: end === null ? null : new Date(Number(end) * 1_000).toISOString(),
    slot_number: Number(row.slot),
    slot_hash: row.slot_hash,
    payer: row.payer,
    expires_at: new Date(Number(row.expires_at)).toISOString(),
    expires_in_seconds: Math.ceil((Number(row.expires_at) - clock.now()) / 1_000),
  };
}
