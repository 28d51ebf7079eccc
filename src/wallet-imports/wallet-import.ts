import type { CustodianName } from "@trellis/kernel/ports/custodian.js";
import type { WalletImportTable } from "@trellis/kernel/ports/database.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { custodianNames } from "../custody/custodians.js";

/** An import as the service knows it. */
export type WalletImportRow = WalletImportTable;

/** One that was completed. */
export type CompletedImportRow = WalletImportRow & { readonly imported_at: bigint };

export const isCompleted = (row: WalletImportRow): row is CompletedImportRow => row.imported_at !== null;

/** A key of an owner's that is a wallet here now, as answers show it (gap 194). */
export const WalletImport = Type.Object(
  {
    id: uuidText({ description: "Of the import." }),
    grid_user_id: uuidText({ description: "Whose wallet it is." }),
    wallet: Type.Object({
      address: addressText({ description: "Of the key." }),
      provider: Type.Enum([...custodianNames], { description: "Who holds it now." }),
      imported_at: Type.String({ format: "date-time" }),
    }),
  },
  { $id: "WalletImport" },
);

export const toWireWalletImport = (row: CompletedImportRow): Static<typeof WalletImport> => ({
  id: row.id,
  grid_user_id: row.user_id,
  wallet: {
    address: row.signer_address,
    provider: row.provider as CustodianName,
    imported_at: new Date(Number(row.imported_at)).toISOString(),
  },
});
