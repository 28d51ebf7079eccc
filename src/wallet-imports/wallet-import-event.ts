import { type EventObjects, example } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { WalletImport } from "./wallet-import.js";

const { at, id, primaryCustodian, wallet } = example;

const completed: Static<typeof WalletImport> = {
  id,
  grid_user_id: id,
  wallet: { address: wallet, provider: primaryCustodian, imported_at: at },
};

/** What events about imports carry: what the import itself answers. */
export const walletImportEvents = {
  "wallet_import.completed": { schema: WalletImport, of: WalletImport, example: completed },
} as const satisfies EventObjects;
