import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import Type from "typebox";
import { findApproval, isApprovalOpen } from "./approval-store.js";
import { findCeremony, isOpen } from "./ceremony-store.js";
import { Challenge, parseChallenge } from "./read-answer.js";
import { describeApproval, describeCeremony, PasskeyApproval, PasskeyCeremony } from "./shown-ceremony.js";

/** Gap 233: every page that has a challenge signed asks for it. */
export const getPasskeyCeremony = endpoint(
  {
    operation: "getPasskeyCeremony",
    summary: "Read what a challenge is for",
    description:
      "For the page that has it signed, which shows this to the passkey's owner. It needs no API key: to have the challenge is " +
      "enough, and of an approval where it goes back to. What was used or is over is not found.",
    tag: "Passkey signers",
    method: "GET",
    path: "/api/service/v1/passkeys/ceremony",
    scope: null,
    limitsAddresses: true,
    environment: "none",
    query: Type.Object({
      challenge: Challenge,
      redirect_url: Type.Optional(
        Type.String({
          maxLength: 4_500,
          description: "Of an approval that has one: its own, as the page's address says it.",
        }),
      ),
    }),
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
    const network = networks.get((ceremony ?? approval)?.environment as EnvironmentName);
    if (network !== undefined && ceremony !== undefined && isOpen(ceremony, network.clock.now())) {
      return { data: await describeCeremony(db, network, ceremony) };
    }
    // Its challenge follows from what is approved, which others may know. Where the page goes back to, they do not.
    const isItsPage = approval?.redirect_url === (query.redirect_url ?? null);
    if (network !== undefined && approval !== undefined && isItsPage && (await isApprovalOpen(db, network, approval))) {
      return { data: await describeApproval(db, network, approval) };
    }
    throw new TrellisError("passkey_ceremony_not_found");
  },
);
