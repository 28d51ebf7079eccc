import { limits } from "@trellis/kernel/limits.js";
import type { CustodianName, Custodians, ListedPasskey, PasskeyStamp, Stamp } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import { parseTerms } from "../../tenants/relying-party.js";
import { translateRefusal } from "../custodians.js";
import { isAbout } from "./passkey-stamp.js";
import type { SigningPasskey } from "./passkey-store.js";

interface Needs {
  readonly db: Db;
  readonly custodians: Custodians;
}

/**
 * The passkeys of a guardian's wallet that the guardian has and the service never had: the service's database was put back. They sign for
 * that wallet, which the guardian commands anyway, so one that it made up gains it nothing. They are stored nowhere: they sign nobody in, and
 * stand beside no code. None of a custodian that is no guardian. Throws CustodianUnavailable.
 */
export async function listUnknownAtGuardian(
  { db, custodians }: Needs,
  { provider, walletId }: { readonly provider: CustodianName; readonly walletId: string },
): Promise<readonly ListedPasskey[]> {
  const guardian = custodians.get(provider);
  if (guardian?.isGuardian !== true) return [];
  const listed = (await guardian.listPasskeys({ walletId })).slice(0, limits.passkeysPerWallet);
  // One that was removed here stays removed, whatever the guardian has.
  const ids = listed.map(({ id }) => id);
  const known = await db.selectFrom("passkey").select("id").where(sql<boolean>`id = any(${ids}::text[])`).execute();
  return listed.filter((passkey) => !known.some(({ id }) => id === passkey.id));
}

/** Those among them that have signed one of these payloads of a tenant's, by what the signature says. Throws `provider_unavailable`. */
export async function findUnknownSigners(
  needs: Needs,
  tenantId: string,
  payloads: readonly { readonly provider: string; readonly wallet_id: string; readonly payload: string }[],
  entries: readonly { readonly provider: CustodianName; readonly stamp: Stamp }[],
  known: readonly SigningPasskey[],
): Promise<readonly SigningPasskey[]> {
  const found: SigningPasskey[] = [];
  for (const { provider, stamp } of entries) {
    if (stamp.form !== "passkey") continue;
    const payload = payloads.find((each) => each.provider === provider && isAbout(stamp, each.payload));
    // Without a signature over something that is open here, the guardian is not asked.
    if (payload === undefined || isKnown(stamp, payload.wallet_id, known)) continue;
    const walletId = payload.wallet_id;
    const listed = await listUnknownAtGuardian(needs, { provider, walletId }).catch((error: unknown) => {
      throw translateRefusal(error);
    });
    const signer = listed.find(({ credentialId }) => credentialId === stamp.credentialId);
    const owner = signer && (await findOwner(needs.db, tenantId, walletId));
    if (signer === undefined || owner === undefined) continue;
    const { id, credentialId, publicKey, rpId } = signer;
    const passkey = {
      id,
      provider,
      wallet_id: walletId,
      credential_id: credentialId,
      public_key: publicKey,
      rp_id: rpId,
    };
    found.push({ ...passkey, ...owner, last_used_at: null });
  }
  return found;
}

const isKnown = (stamp: PasskeyStamp, walletId: string, known: readonly SigningPasskey[]): boolean =>
  known.some(({ wallet_id, credential_id }) => wallet_id === walletId && credential_id === stamp.credentialId);

async function findOwner(db: Db, tenantId: string, walletId: string) {
  const row = await db
    .selectFrom("wallet")
    .innerJoin("app_user", "app_user.id", "wallet.owner_id")
    .innerJoin("tenant", "tenant.id", "app_user.tenant_id")
    .select(["app_user.id as user_id", "tenant.relying_party"])
    .where("wallet.id", "=", walletId)
    .where("tenant.id", "=", tenantId)
    .executeTakeFirst();
  return row && { user_id: row.user_id, terms: parseTerms(row.relying_party) };
}
