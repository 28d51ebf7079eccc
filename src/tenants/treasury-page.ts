import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import Type, { type Static } from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { findApiKeyByValue } from "./api-key-store.js";
import { namesIn } from "./stored-names.js";
import { tenantIdPattern } from "./tenant-store.js";
import { findTreasuryPage, type TreasuryPage as StoredPage, storeTreasuryPage } from "./treasury-page-store.js";

/** Base64 of a picture of 24 KiB, with what stands before it. */
const logoMax = 33_000;

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 60,
    description: "At the top of every page. No control characters, and none that turn the direction of text.",
    examples: ["Aldine Press"],
  }),
  color: Type.String({ pattern: "^#[0-9a-f]{6}$", description: "Of buttons and links.", examples: ["#14532d"] }),
  publishable_key: Type.String({
    maxLength: 200,
    description: "A publishable key of this tenant, whose allowed origins have the one the pages are served from.",
    examples: ["pk_test_…"],
  }),
};
const logo = Type.String({
  maxLength: logoMax,
  pattern: "^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$",
  description: "A picture of at most 24 KiB, as a data URL.",
  examples: ["data:image/png;base64,iVBORw0KGgo="],
});

const TreasuryPage = Type.Object({ ...fields, logo: Type.Union([logo, Type.Null()]) }, { $id: "TreasuryPage" });

const OpenedTreasuryPage = Type.Object(
  {
    ...TreasuryPage.properties,
    environments: Type.Array(Type.Enum([...environmentNames]), {
      description: "Those of the publishable key that are available here: sandbox, devnet, mainnet, in this order.",
    }),
  },
  { $id: "OpenedTreasuryPage" },
);

const RequestedTreasuryPage = Type.Object(
  { ...fields, logo: Type.Optional(logo) },
  {
    $id: "RequestedTreasuryPage",
    examples: [{ name: "Aldine Press", color: "#14532d", publishable_key: "pk_test_…" }],
  },
);

const contract = { tag: "Treasury pages", environment: "none" } as const;
const own = {
  ...contract,
  path: "/api/service/v1/treasury-page",
  scope: "admin:keys",
  response: { status: 200, envelope: true, schema: TreasuryPage },
} as const;

/** Gap 220. */
export const getTreasuryPage = endpoint(
  {
    ...own,
    operation: "getTreasuryPage",
    summary: "Read the treasury pages",
    description: "What this tenant's pages at `/app/` are called and look like.",
    method: "GET",
    errors: ["treasury_page_not_found"],
  },
  async ({ db }: { readonly db: Db }, { caller }) => ({ data: await requirePage(db, caller.tenantId) }),
);

/** Gap 220: every reader of the pages asks for it. */
export const openTreasuryPage = endpoint(
  {
    ...contract,
    operation: "openTreasuryPage",
    summary: "Open a tenant's treasury pages",
    description: "What the pages at `/app/` need to begin. It needs no API key: all of it is public.",
    method: "GET",
    path: "/api/service/v1/treasury-pages/{tenant}",
    scope: null,
    params: Type.Object({ tenant: Type.String({ pattern: `^${tenantIdPattern}$`, examples: ["default"] }) }),
    response: { status: 200, envelope: true, schema: OpenedTreasuryPage },
    errors: ["treasury_page_not_found"],
  },
  async (
    {
      db,
      keyring,
      served,
    }: { readonly db: Db; readonly keyring: Keyring; readonly served: readonly EnvironmentName[] },
    { params },
  ) => {
    const page = await requirePage(db, params.tenant);
    const key = await findApiKeyByValue(db, keyring.macs("api-key"), page.publishable_key);
    const reach = key === undefined ? [] : namesIn(key.environments, environmentNames);
    return {
      data: { ...page, environments: environmentNames.filter((name) => reach.includes(name) && served.includes(name)) },
    };
  },
);

/** Gap 220. */
export const setTreasuryPage = endpoint(
  {
    ...own,
    operation: "setTreasuryPage",
    summary: "Turn the treasury pages on",
    description: "At `/app/?tenant=<id>` the holders of this tenant's accounts then sign in, pay and vote.",
    method: "PUT",
    body: RequestedTreasuryPage,
    refusesNearMisses: true,
    errors: [],
  },
  async (
    { db, keyring, realClock }: { readonly db: Db; readonly keyring: Keyring; readonly realClock: Clock },
    { body, caller },
  ) => {
    if (/[\p{C}\p{Zl}\p{Zp}]/u.test(body.name) || body.name.trim() === "") {
      throw new TrellisError("invalid_request", {
        field: "name",
        message: "A name has letters that are seen, and no control characters.",
      });
    }
    const key = await findApiKeyByValue(db, keyring.macs("api-key"), body.publishable_key);
    const isGood =
      key?.tenant_id === caller.tenantId &&
      key.kind === "publishable" &&
      key.disabled_at === null &&
      (key.expires_at === null || key.expires_at > BigInt(realClock.now()));
    if (!isGood) {
      throw new TrellisError("invalid_request", {
        field: "publishable_key",
        message: "The key must be a publishable one of this tenant that is in use.",
      });
    }
    const page: StoredPage = {
      name: body.name,
      color: body.color,
      logo: body.logo ?? null,
      publishableKey: body.publishable_key,
    };
    await asActor(db, actorOf(caller), (trx) => storeTreasuryPage(trx, caller.tenantId, page));
    return { data: toWirePage(page) };
  },
);

/** Gap 220. */
export const deleteTreasuryPage = endpoint(
  {
    ...own,
    operation: "deleteTreasuryPage",
    summary: "Turn the treasury pages off",
    description: "The answer is what they were. The publishable key stays: revoke it to end what open pages still do.",
    method: "DELETE",
    errors: ["treasury_page_not_found"],
  },
  async ({ db }: { readonly db: Db }, { caller }) => ({
    data: await asActor(db, actorOf(caller), async (trx) => {
      const page = await requirePage(trx, caller.tenantId);
      await storeTreasuryPage(trx, caller.tenantId, null);
      return page;
    }),
  }),
);

async function requirePage(
  db: Parameters<typeof findTreasuryPage>[0],
  tenantId: string,
): Promise<Static<typeof TreasuryPage>> {
  const page = await findTreasuryPage(db, tenantId);
  if (page == null) throw new TrellisError("treasury_page_not_found");
  return toWirePage(page);
}

const toWirePage = ({ name, color, logo: picture, publishableKey }: StoredPage): Static<typeof TreasuryPage> => ({
  name,
  color,
  logo: picture,
  publishable_key: publishableKey,
});
