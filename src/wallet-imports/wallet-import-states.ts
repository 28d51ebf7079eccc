import type { WalletImportTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/** Where an import of a key can stand. That its time is over is no state. */
export const walletImportStates = defineStates<WalletImportTable["state"]>({
  open: ["imported"],
  imported: [],
});
