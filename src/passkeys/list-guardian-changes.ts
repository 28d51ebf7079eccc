import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { translateRefusal } from "../custody/custodians.js";
import { GuardianChanges, noChanges, toWireChanges } from "./guardian-changes.js";
import { CertificateQuery, findGuarded } from "./guardian-policy.js";

/** Gap 199. */
export const listGuardianChanges = endpoint(
  {
    operation: "listGuardianChanges",
    summary: "List the changes that wait at the guardian",
    description:
      "Changes of settings that the guardian signs after its delay alone, as it certifies them. Of an account without a guardian there " +
      "are none.",
    tag: "Passkeys",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/guardian-changes",
    scope: "accounts:read",
    environment: "optional",
    publishable: "user",
    params: Type.Object({ address: addressText() }),
    query: CertificateQuery,
    response: { status: 200, envelope: true, schema: GuardianChanges },
    errors: ["account_not_found", "provider_unavailable"],
  },
  async (needs: { readonly db: Db; readonly custodians: Custodians }, { params, query, caller, network }) => {
    const found = await findGuarded(needs, caller, network, params.address);
    if (found?.guardian.listChanges === undefined) return { data: noChanges };
    const { walletId } = found.wallet;
    const asked = { walletId, nonce: query.nonce ?? null, now: network.clock.now() };
    try {
      return { data: toWireChanges(await found.guardian.listChanges(asked)) };
    } catch (error) {
      throw translateRefusal(error);
    }
  },
);
