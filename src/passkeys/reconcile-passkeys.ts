import {
  type Custodian,
  type Custodians,
  CustodianUnavailable,
  type ListedPasskey,
} from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { listBesideKnown } from "../custody/passkey/guardian-passkeys.js";
import { findPasskeysOfWallets, type PasskeyRow } from "../custody/passkey/passkey-store.js";
import type { CommandedWallet } from "./commanded-wallets.js";
import { unnamed } from "./passkey.js";
import { adoptPasskey, forgetPasskey } from "./passkey-changes.js";
import { findRequirement } from "./passkey-requirement.js";

/**
 * The passkeys of wallets as their custodians have them. Where the process died between a custodian and the service, what the
 * custodian alone has is listed from now on, and what it has no more is not. Of a custodian that does not answer
 * it is what the service knows. What a guardian alone has is listed and never stored: a guardian that could name passkeys here would name its own.
 */
export async function reconcilePasskeys(
  { db, custodians }: { readonly db: Db; readonly custodians: Custodians },
  network: Network,
  tenantId: string,
  wallets: readonly CommandedWallet[],
): Promise<readonly PasskeyRow[]> {
  const walletIds = wallets.map(({ commanderId }) => commanderId);
  // Before the custodian is asked: a passkey that is added meanwhile is there already, then here.
  const known = await findPasskeysOfWallets(db, walletIds);
  let isChanged = false;
  const hidden = new Set<string>();
  const unstored: PasskeyRow[] = [];
  for (const wallet of wallets) {
    const custodian = custodians.get(wallet.provider);
    if (custodian?.isGuardian === true) {
      unstored.push(...(await listAtGuardian({ db, custodians }, wallet, { tenantId, environment: network.name })));
      continue;
    }
    const listed = await listAt(custodian, wallet.walletId);
    if (listed === undefined) continue;
    const ofWallet = known.filter(({ wallet_id }) => wallet_id === wallet.commanderId);
    const added = listed.filter(({ id }) => !ofWallet.some((row) => row.id === id));
    const ended = ofWallet.filter(({ id }) => !listed.some((passkey) => passkey.id === id));
    if (added.length + ended.length > 0 && (await isFrozen(db, tenantId))) {
      // Nothing of a frozen tenant is written: it is listed as it is, and noted by the first list behind that.
      unstored.push(...added.map((passkey) => toRow(passkey, wallet, { tenantId, environment: network.name })));
      for (const { id } of ended) hidden.add(id);
      continue;
    }
    for (const passkey of added) {
      await adoptPasskey(db, toRow(passkey, wallet, { tenantId, environment: network.name }), network.clock.now());
      isChanged = true;
    }
    // Where one is required, its removal is confirmed by the request that a passkey signs: that lifts the requirement with the last.
    const isRequired = ended.length > 0 && (await findRequirement(db, wallet.userId));
    for (const { id } of ended) {
      hidden.add(id);
      if (!isRequired) await forgetPasskey(db, id, network.clock.now());
    }
  }
  const rows = isChanged ? await findPasskeysOfWallets(db, walletIds) : known;
  return [...rows.filter(({ id }) => !hidden.has(id)), ...unstored];
}

async function isFrozen(db: Db, tenantId: string): Promise<boolean> {
  const tenant = await db.selectFrom("tenant").select("frozen_at").where("id", "=", tenantId).executeTakeFirst();
  return tenant?.frozen_at != null;
}

/** What the guardian of a wallet has and the service does not: as rows, though they are none, what it never had. None where it does not answer. */
async function listAtGuardian(
  needs: { readonly db: Db; readonly custodians: Custodians },
  wallet: CommandedWallet,
  scope: { readonly tenantId: string; readonly environment: string },
): Promise<readonly PasskeyRow[]> {
  try {
    const { unknown, revived } = await listBesideKnown(needs, wallet);
    return [...unknown.map((passkey) => toRow(passkey, wallet, scope)), ...revived];
  } catch (error) {
    if (error instanceof CustodianUnavailable) return [];
    throw error;
  }
}

/** Undefined where the custodian does not answer, or is not there any more. */
async function listAt(
  custodian: Custodian | undefined,
  walletId: string,
): Promise<readonly ListedPasskey[] | undefined> {
  try {
    return await custodian?.listPasskeys({ walletId });
  } catch (error) {
    if (error instanceof CustodianUnavailable) return undefined;
    throw error;
  }
}

function toRow(
  { id, credentialId, publicKey, rpId, aaguid, isSynced, createdAt }: ListedPasskey,
  wallet: CommandedWallet,
  { tenantId, environment }: { readonly tenantId: string; readonly environment: string },
): PasskeyRow {
  return {
    id,
    tenant_id: tenantId,
    environment,
    user_id: wallet.userId,
    provider: wallet.provider,
    wallet_id: wallet.commanderId,
    signer_address: wallet.address,
    credential_id: credentialId,
    public_key: publicKey,
    rp_id: rpId,
    name: unnamed,
    aaguid,
    is_synced: isSynced,
    created_at: BigInt(createdAt),
    last_used_at: null,
    removed_at: null,
  };
}
