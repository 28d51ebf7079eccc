import { addressOfKey, sealKeyForImport } from "@trellis/sdk";
import { addOwnSigner } from "../../support/own-signers.js";
import { bySessionKey } from "../../support/passkeys.js";
import { documentIn } from "../../support/wallet-exports.js";
import type { BegunImport } from "../../support/wallet-imports.js";
import { post, settleWithSession } from "./requests.js";
import { app, type Rows, send, test } from "./world.js";

export const rowsOfWalletImports: Rows = {
  importWallet: {
    single: async () => {
      const { address, key } = await settleWithSession();
      const own = await addOwnSigner(test.needs.db, address);
      const signer = addressOfKey(own);
      const answered = await send(app, post(`/accounts/${address}/wallet-imports:options`, { signer }));
      const begun = answered.data as unknown as BegunImport;
      const body = {
        import_id: begun.import_id,
        sealed_key: await sealKeyForImport(own as Uint8Array, begun),
        authorization: bySessionKey(key, documentIn(begun.payload)),
      };
      const effects = async () => {
        const reported = test.needs.db.selectFrom("event").select("id").where("object_id", "=", begun.import_id);
        return (await reported.execute()).length;
      };
      return post(`/accounts/${address}/wallet-imports`, body, { effects });
    },
  },
};
