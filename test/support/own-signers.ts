import type { Db } from "@trellis/kernel/ports/database.js";
import { addressOfKey, type SignerKey, type SigningSession, sealKeyForImport, type TrellisClient } from "@trellis/sdk";
import { newKey } from "../proposals/support.js";

/** As if the owner of an account had made a key of their own another signer of it. */
export async function addOwnSigner(db: Db, account: string, key: SignerKey = newKey()): Promise<SignerKey> {
  const signer = { signer_address: addressOfKey(key) as string, role: "primary", provider: "external" } as const;
  const row = { environment: "sandbox", account_address: account, ...signer, wallet_id: null, position: 9 };
  await db.insertInto("account_signer").values(row).execute();
  return key;
}

/** The import of such a key, by a session of the owner's. */
export async function importOwnSigner(
  { db, client }: { readonly db: Db; readonly client: Pick<TrellisClient, "walletImports"> },
  { account, session }: { readonly account: string; readonly session: SigningSession },
) {
  const key = await addOwnSigner(db, account);
  const begun = await client.walletImports.begin({ account, signer: addressOfKey(key) });
  const sealedKey = await sealKeyForImport(key as Uint8Array, begun);
  return client.walletImports.complete({ account, begun, sealedKey, session });
}
