import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { isUuid, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { revokeApiKey as endApiKey } from "./api-key-store.js";
import { ApiKey, showApiKey } from "./wire-api-key.js";

/** Gap 122. Revoking a key again is the same. */
export const revokeApiKey = endpoint(
  {
    operation: "revokeApiKey",
    summary: "Revoke an API key",
    description:
      "The key is dead from the next request on, in every process, for good, and also where it is the configured one. A key " +
      "that opens an environment which the key that asks does not open is not found. A key may revoke itself.",
    tag: "API keys",
    method: "DELETE",
    path: "/api/service/v1/api-keys/{key_id}",
    scope: "admin:keys",
    environment: "none",
    params: Type.Object({ key_id: uuidText() }),
    response: { status: 200, envelope: true, schema: ApiKey },
    errors: ["api_key_not_found"],
  },
  async ({ db, realClock }: { readonly db: Db; readonly realClock: Clock }, { params, caller }) => {
    const now = realClock.now();
    const { tenantId, environments } = caller;
    const row = isUuid(params.key_id)
      ? await asActor(db, actorOf(caller), (trx) => endApiKey(trx, { id: params.key_id, tenantId, environments, now }))
      : undefined;
    if (row === undefined) throw new TrellisError("api_key_not_found");
    return { data: showApiKey(row, now) };
  },
);
