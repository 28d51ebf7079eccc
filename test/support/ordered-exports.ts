import { generateEncryptionKeyPair, type SigningSession, type TrellisClient } from "@trellis/sdk";

/** An export that its owner orders by a session, with the key pair it is for. */
export async function orderExport(
  client: Pick<TrellisClient, "sandbox" | "walletExports">,
  { account, session }: { readonly account: string; readonly session: SigningSession },
) {
  const keyPair = generateEncryptionKeyPair();
  const { publicKeySpkiBase64: recipientPublicKey } = keyPair;
  const begun = await client.walletExports.begin({ account, recipientPublicKey });
  const code =
    (await client.sandbox.outbox(begun.email)).find(
      ({ subject, otp_code }) => otp_code !== "" && subject.includes("export"),
    )?.otp_code ?? "";
  const ordered = await client.walletExports.order({ account, begun, code, recipientPublicKey, session });
  return { ordered, keyPair };
}
