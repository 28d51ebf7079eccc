import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type, { type Static } from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { originForm } from "../tenants/allowed-places.js";
import {
  findRelyingParty,
  isDomain,
  type RelyingPartyTerms,
  setRelyingParty as storeRelyingParty,
} from "../tenants/relying-party.js";

const named = {
  rp_id: Type.String({
    maxLength: 253,
    description: "A domain, without scheme and port. Passkeys stay with the one that they were made for.",
    examples: ["app.example"],
  }),
  name: Type.String({ minLength: 1, maxLength: 64, description: "What browsers show.", examples: ["App"] }),
};
const origins = Type.Array(Type.String({ maxLength: 300 }), {
  maxItems: 10,
  description: "Of the pages that may ask for these passkeys, as browsers write origins.",
  examples: [["https://app.example"]],
});

const RequestedRelyingParty = Type.Object({ ...named, origins }, { $id: "RequestedRelyingParty" });

const RelyingParty = Type.Object(
  {
    rp_id: Type.Union([named.rp_id, Type.Null()]),
    name: Type.Union([named.name, Type.Null()]),
    origins,
  },
  { $id: "RelyingParty" },
);

const contract = {
  tag: "Passkeys",
  path: "/api/service/v1/relying-party",
  scope: "admin:keys",
  environment: "none",
  response: { status: 200, envelope: true, schema: RelyingParty },
  errors: [],
} as const;

/** Gap 162. */
export const getRelyingParty = endpoint(
  {
    ...contract,
    operation: "getRelyingParty",
    summary: "Read where passkeys belong",
    description:
      "The domain of this tenant's passkeys and the pages that may ask for them, in all environments; null: none was set. Then " +
      "passkeys of the sandbox belong to localhost, and there are none elsewhere.",
    method: "GET",
  },
  async ({ db }: { readonly db: Db }, { caller }) => ({ data: toWire(await findRelyingParty(db, caller.tenantId)) }),
);

/** Gap 162. */
export const setRelyingParty = endpoint(
  {
    ...contract,
    operation: "setRelyingParty",
    summary: "Set where passkeys belong",
    description:
      "For passkeys that are added from now on. What was added for another domain goes on to sign from the pages that are listed " +
      "here. Pages of another domain than `rp_id` may ask for its passkeys where `https://<rp_id>/.well-known/webauthn` lists them.",
    method: "PUT",
    body: RequestedRelyingParty,
    refusesNearMisses: true,
  },
  async ({ db }: { readonly db: Db }, { body, caller }) => {
    const terms = readTerms(body);
    await asActor(db, actorOf(caller), (trx) => storeRelyingParty(trx, caller.tenantId, terms));
    return { data: toWire(terms) };
  },
);

function toWire(terms: RelyingPartyTerms | null): Static<typeof RelyingParty> {
  return terms === null
    ? { rp_id: null, name: null, origins: [] }
    : { rp_id: terms.id, name: terms.name, origins: [...terms.origins] };
}

/** Throws `invalid_request`. */
function readTerms({ rp_id: id, name, origins: given }: Static<typeof RequestedRelyingParty>): RelyingPartyTerms {
  if (id !== "localhost" && !isDomain(id)) {
    throw invalid("rp_id", "A relying party is a domain in small letters, such as app.example.");
  }
  if (given.length === 0) throw invalid("origins", "Name at least one page that may ask for these passkeys.");
  given.forEach((origin, i) => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    const isOrigin = url?.origin === origin && originForm.test(origin);
    const isLocal = url?.protocol === "http:" && url.hostname === "localhost" && id === "localhost";
    if (isOrigin && (url?.protocol === "https:" || isLocal)) return;
    throw invalid(
      `origins.${i}`,
      "An origin is one such as https://app.example, without a path. Only localhost may use http.",
    );
  });
  return { id, name, origins: [...new Set(given)] };
}

const invalid = (field: string, message: string) => new TrellisError("invalid_request", { field, message });
