import type { Address } from "@solana/kit";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { decodeSettings } from "@trellis/program-client";
import { readAccountsAtSlot } from "@trellis/solana/read-accounts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import {
  challengeFor,
  releaseOf,
  requireProof,
  SignerProof,
  toWireChallenge,
  WireChallenge,
} from "../accounts/signer-proof.js";
import { actorOf } from "../audit/actor.js";
import { findObstacles, Obstacle } from "./obstacles.js";
import { inUse, isImported, storeRelease } from "./release-store.js";

interface Needs {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly realClock: Clock;
}

/** Gap 196. */
export const releaseAccount = endpoint(
  {
    operation: "releaseAccount",
    summary: "Release an imported account",
    description:
      "Ends that an imported account is served for this tenant, so that another one, or this one again, can import it. Without " +
      "`proof` nothing changes: the answer says what is in the way, and has the text that a signer of the account signs. With it the " +
      "account is not here any more: nothing changes on chain, and records of money stay with the tenant.",
    tag: "Accounts",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/release",
    scope: "accounts:write",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    body: Type.Object({ proof: Type.Optional(SignerProof) }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        address: addressText(),
        settings_address: addressText({ description: "What the next import names." }),
        status: Type.Enum(["active", "released"]),
        obstacles: Type.Array(Obstacle, { description: "What has to end first; up to 20 of each type." }),
        challenge: Type.Optional(WireChallenge),
      }),
    },
    errors: [
      "account_not_found",
      "account_not_releasable",
      "account_in_use",
      "invalid_release_proof",
      "chain_unavailable",
    ],
  },
  async (needs: Needs, { params, body, caller, network }) => {
    const { tenantId } = caller;
    const row = await getAccountRow(needs.db, { tenantId, environment: network.name, address: params.address });
    const { address, settings_address } = row;
    if (!(await isImported(needs.db, row))) throw new TrellisError("account_not_releasable");
    const now = network.clock.now();
    const proving = { keyring: needs.keyring, now: needs.realClock.now() };
    const about = releaseOf(row);
    const obstacles = await findObstacles(needs.db, { tenantId, environment: network.name, address }, now);
    if (body.proof === undefined) {
      const challenge = toWireChallenge(challengeFor(proving, about));
      return { data: { address, settings_address, status: "active" as const, obstacles: [...obstacles], challenge } };
    }
    const { accounts, slot } = await readAccountsAtSlot(network, [settings_address as Address]);
    const [settings] = accounts;
    if (!settings) throw new TrellisError("chain_unavailable");
    const proven = { settings: decodeSettings(settings.data), slot };
    const signer = await requireProof(network, proving, about, proven, body.proof);
    if (obstacles.length > 0) throw inUse(obstacles);
    await storeRelease(needs.db, row, { actor: actorOf(caller), signer }, now);
    return { data: { address, settings_address, status: "released" as const, obstacles: [] } };
  },
);
