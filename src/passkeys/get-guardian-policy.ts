import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { translateRefusal } from "../custody/custodians.js";
import { CertificateQuery, findGuarded, GuardianPolicy, noPolicy, toWirePolicy } from "./guardian-policy.js";

/** Gap 190. */
export const getGuardianPolicy = endpoint(
  {
    operation: "getGuardianPolicy",
    summary: "Read what the guardian signs",
    description:
      "The policy by which the guardian's wallet of the account signs, and the one that waits, as the guardian certifies it. Of an " +
      "account without a guardian everything is null.",
    tag: "Passkeys",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/guardian-policy",
    scope: "accounts:read",
    environment: "optional",
    publishable: "user",
    params: Type.Object({ address: addressText() }),
    query: CertificateQuery,
    response: { status: 200, envelope: true, schema: GuardianPolicy },
    errors: ["account_not_found", "provider_unavailable"],
  },
  async (needs: { readonly db: Db; readonly custodians: Custodians }, { params, query, caller, network }) => {
    const found = await findGuarded(needs, caller, network, params.address);
    if (found?.guardian.readPolicy === undefined) return { data: noPolicy };
    const { walletId } = found.wallet;
    const asked = { walletId, nonce: query.nonce ?? null, now: network.clock.now() };
    try {
      return { data: toWirePolicy(await found.guardian.readPolicy(asked)) };
    } catch (error) {
      throw translateRefusal(error);
    }
  },
);
