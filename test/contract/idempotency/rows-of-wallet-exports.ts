import { bySessionKey } from "../../support/passkeys.js";
import { type BegunExport, cancellation, createRecipient, documentIn } from "../../support/wallet-exports.js";
import { post, settleWithSession } from "./requests.js";
import { app, client, type Rows, send, test } from "./world.js";

/** An export that its owner is about to order. */
async function begin() {
  const { address, key } = await settleWithSession();
  const { spki } = createRecipient();
  const answered = await send(app, post(`/accounts/${address}/wallet-exports:options`, { recipient_public_key: spki }));
  const begun = answered.data as unknown as BegunExport & { readonly email: string };
  const mail = (await client.sandbox.outbox(begun.email)).find(({ subject }) => subject.includes("export"));
  const body = {
    otp_id: begun.otp_id,
    otp_code: mail?.otp_code,
    recipient_public_key: spki,
    authorization: bySessionKey(key, documentIn(begun.payload)),
  };
  const count = async (state: "waiting" | "cancelled") => {
    const rows = test.needs.db.selectFrom("wallet_export").select("id").where("signer_address", "=", begun.signer);
    return (await rows.where("state", "=", state).execute()).length;
  };
  return { address, key, begun, body, count };
}

export const rowsOfWalletExports: Rows = {
  requestWalletExport: {
    single: async () => {
      const { address, body, count } = await begin();
      return post(`/accounts/${address}/wallet-exports`, body, { effects: () => count("waiting") });
    },
  },
  cancelWalletExport: {
    single: async () => {
      const { address, key, begun, body, count } = await begin();
      const ordered = await send(app, post(`/accounts/${address}/wallet-exports`, body));
      const { id } = ordered.data as unknown as { readonly id: string };
      const authorization = bySessionKey(key, cancellation(begun.signer, id));
      const trial = post(
        `/accounts/${address}/wallet-exports/${id}`,
        { authorization },
        { effects: () => count("cancelled") },
      );
      return { ...trial, method: "DELETE" };
    },
  },
  setWalletExportTerms: {
    single: () => {
      const seconds = 200_000 + Math.floor(Math.random() * 1_000_000);
      const effects = async () => {
        const found = test.needs.db.selectFrom("tenant").select("id");
        return (await found.where("wallet_export_delay_seconds", "=", seconds).execute()).length;
      };
      return { ...post("/wallet-export-terms", { delay_seconds: seconds }, { effects }), method: "PUT" };
    },
  },
};
