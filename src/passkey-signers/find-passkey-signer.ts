import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { ZERO_ADDRESS } from "@trellis/program-client";
import Type from "typebox";
import { answered, assertOpen, findAnswering, requireCeremony } from "./land-ceremony.js";
import { PasskeySession, toWireSession } from "./passkey-session.js";
import { readAnswer } from "./read-answer.js";

/** Gap 234. */
export const findPasskeySigner = endpoint(
  {
    operation: "findPasskeySigner",
    summary: "Find the account of the passkey that signed",
    description:
      "An assertion does not say whose it is: this says which passkey on chain it is of, and which session that has there now. It opens " +
      "none: that is for `POST …/passkeys/submit`.",
    tag: "Passkey signers",
    method: "POST",
    path: "/api/service/v1/passkeys/find",
    scope: "auth:write",
    environment: "optional",
    body: Type.Object(answered, { $id: "FindPasskeySignerRequest" }),
    response: { status: 200, envelope: true, schema: PasskeySession },
    errors: [
      "chain_unavailable",
      "forbidden_account",
      "invalid_address",
      "invalid_passkey_assertion",
      "passkey_account_not_found",
      "passkey_ceremony_not_found",
      "passkey_challenge_over",
    ],
    idempotent: false,
    dailyWrites: "none",
  },
  async ({ db }: { readonly db: Db }, { body, caller, network }) => {
    const ceremony = await requireCeremony(db, network, caller, body);
    if (ceremony.submission_id === null) assertOpen(network, ceremony);
    const answer = readAnswer(ceremony, body.authenticatorResponse.response);
    const [found, ...others] = await findAnswering(network, answer);
    if (found === undefined || others.length > 0) throw new TrellisError("passkey_account_not_found");
    const { address, passkey } = found;
    const { key, expiresAt } = passkey.session ?? { key: ZERO_ADDRESS, expiresAt: 0n };
    const session = { passkeyAddress: address, sessionKey: key, endsAt: expiresAt };
    return { data: toWireSession(session, body.sessionKey.key) };
  },
);
