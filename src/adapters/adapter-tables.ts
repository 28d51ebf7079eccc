import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { seedContext } from "@trellis/sandbox/node/chain-keys.js";
import { simulatedRedirectContext } from "@trellis/sandbox/partner/verifications.js";
import { secretContext } from "./derived-secrets.js";
import { bindingSecrets } from "./kms/bindings.js";
import { importContext } from "./kms/built-in-imports.js";
import { rootContext, walletContext } from "./kms/wallet-keys.js";

const { kept } = limits;

/** The tables that are an adapter's own: of the built-in custodians, the sandbox chain and the simulated bank partner. */
export const adapterTables: Module<unknown> = {
  name: "adapters",
  sealedColumns: [
    {
      table: "derived_secret",
      column: "sealed",
      key: ["purpose", "id"],
      contextOf: ({ purpose, id }) => secretContext(String(purpose), Number(id)),
    },
    {
      table: "wallet_root",
      column: "sealed",
      key: ["provider", "generation"],
      contextOf: ({ provider, generation }) => rootContext(String(provider), Number(generation)),
    },
    {
      table: "kms_wallet",
      column: "secret",
      key: ["id", "number"],
      contextOf: ({ id, number }) => walletContext(String(id), Number(number)),
    },
    {
      table: "kms_wallet_import",
      column: "sealed",
      key: ["id", "wallet_id", "address", "expires_at"],
      contextOf: importContext,
    },
    {
      table: "simulated_verification",
      column: "redirect_uri",
      key: ["ref"],
      contextOf: ({ ref }) => simulatedRedirectContext(String(ref)),
    },
    { table: "chain_state", column: "seed", key: ["id"], contextOf: () => seedContext },
  ],
  secrets: bindingSecrets,
  retention: [
    { table: "kms_ceremony", since: "expires_at", keptMs: kept.passkeyCeremonyMs, clock: "real" },
    {
      table: "kms_passkey",
      since: "removed_at",
      keptMs: kept.passkeyMs,
      clock: "real",
      only: "removed_at is not null",
    },
    {
      table: "kms_wallet_import",
      since: "expires_at",
      keptMs: 0,
      clock: "real",
      only: "sealed is not null",
      set: "sealed = null",
    },
    { table: "kms_wallet_import", since: "expires_at", keptMs: kept.walletImportMs, clock: "real" },
    { table: "kms_wallet_export", since: "expires_at", keptMs: kept.walletExportMs, clock: "real" },
    {
      table: "simulated_deposit",
      since: "updated_at",
      keptMs: kept.simulatedDepositMs,
      clock: "environment",
      only: "due_at is null",
    },
    { table: "simulated_transfer", since: "created_at", keptMs: kept.railTransferMs, clock: "environment" },
    { table: "simulated_news", since: "happened_at", keptMs: kept.simulatedNewsMs, clock: "environment" },
  ],
};
