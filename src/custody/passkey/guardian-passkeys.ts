import { limits } from "@trellis/kernel/limits.js";
import {
  type CustodianName,
  type Custodians,
  CustodyRefusal,
  type ListedPasskey,
  type PasskeyStamp,
  type Stamp,
} from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import { parseTerms } from "../../tenants/relying-party.js";
import { translateRefusal } from "../custodians.js";
import { isAbout } from "./passkey-stamp.js";
import type { PasskeyRow, SigningPasskey } from "./passkey-store.js";

interface Needs {
  readonly db: Db;
  readonly custodians: Custodians;
}

interface GuardedWallet {
  readonly provider: CustodianName;
  readonly walletId: string;
}

/** What a guardian has for a wallet beside what the service knows as live. */
interface BesideKnown {
  /** The service never had them. */
  readonly unknown: readonly ListedPasskey[];
  /** The service's rows of those that were removed: the guardian's database was put back to before that. */
  readonly revived: readonly PasskeyRow[];
}

/**
 * The passkeys of a guardian's wallet that the guardian has and the service does not. Those that the service never had sign for
 * that wallet, which the guardian commands anyway, so one that it made up gains it nothing. They are stored nowhere: they sign nobody in, and
 * stand beside no code. Those that were removed here sign nothing, and can be removed again. None of a custodian that is no guardian.
 * Throws CustodianUnavailable.
 */
export async function listBesideKnown(
  { db, custodians }: Needs,
  { provider, walletId }: GuardedWallet,
): Promise<BesideKnown> {
  const guardian = custodians.get(provider);
  if (guardian?.isGuardian !== true) return { unknown: [], revived: [] };
  const listed = (await guardian.listPasskeys({ walletId })).slice(0, limits.passkeysPerWallet);
  // The rows of removed ones stay for good, so that none of them is ever taken for one that the service never had.
  const ids = listed.map(({ id }) => id);
  const known = await db.selectFrom("passkey").selectAll().where(sql<boolean>`id = any(${ids}::text[])`).execute();
  return {
    unknown: listed.filter((passkey) => !known.some(({ id }) => id === passkey.id)),
    revived: known.filter((row) => row.removed_at !== null && row.wallet_id === walletId),
  };
}

/** Whether the guardian of a wallet has a passkey that was removed here. Throws CustodianUnavailable. */
export async function isRevived(needs: Needs, wallet: GuardedWallet, passkeyId: string): Promise<boolean> {
  try {
    return (await listBesideKnown(needs, wallet)).revived.some(({ id }) => id === passkeyId);
  } catch (error) {
    // A guardian in the place of another one, which held this wallet.
    if (error instanceof CustodyRefusal) return false;
    throw error;
  }
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
    const { unknown } = await listBesideKnown(needs, { provider, walletId }).catch((error: unknown) => {
      throw translateRefusal(error);
    });
    const signer = unknown.find(({ credentialId }) => credentialId === stamp.credentialId);
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
