import type { WalletExportTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/** Where an export of a wallet's key can stand. That it is ready, or that its time is over, is no state. */
export const walletExportStates = defineStates<WalletExportTable["state"]>({
  waiting: ["exported", "cancelled"],
  exported: [],
  cancelled: [],
});
