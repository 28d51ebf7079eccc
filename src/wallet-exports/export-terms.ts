import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { findExportDelay, setExportDelay } from "./wallet-export-store.js";

const WalletExportTerms = Type.Object(
  {
    delay_seconds: Type.Integer({
      minimum: 0,
      maximum: limits.walletExportDelayMaxSeconds,
      description: `From an order to the key's leaving. Outside of the sandbox it is ${limits.walletExportDelayMinSeconds} at least.`,
    }),
  },
  { $id: "WalletExportTerms" },
);

const contract = {
  tag: "Wallet exports",
  path: "/api/service/v1/wallet-export-terms",
  scope: "admin:keys",
  environment: "none",
  response: { status: 200, envelope: true, schema: WalletExportTerms },
  errors: [],
} as const;

/** Gap 183. */
export const getWalletExportTerms = endpoint(
  {
    ...contract,
    operation: "getWalletExportTerms",
    summary: "Read how long exports wait",
    description: "How long keys of this tenant's users are held back that their owners want handed out.",
    method: "GET",
  },
  async ({ db }: { readonly db: Db }, { caller }) => ({
    data: { delay_seconds: await findExportDelay(db, caller.tenantId) },
  }),
);

/** Gap 183. */
export const setWalletExportTerms = endpoint(
  {
    ...contract,
    operation: "setWalletExportTerms",
    summary: "Set how long exports wait",
    description: "For exports that are asked for from now on. Those that wait already keep their time.",
    method: "PUT",
    body: WalletExportTerms,
  },
  async ({ db }: { readonly db: Db }, { body, caller }) => {
    await setExportDelay(db, caller.tenantId, body.delay_seconds);
    return { data: { delay_seconds: body.delay_seconds } };
  },
);
