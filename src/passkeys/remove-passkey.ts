import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getCustodian, translateRefusal } from "../custody/custodians.js";
import { isRevived, listBesideKnown } from "../custody/passkey/guardian-passkeys.js";
import { findPasskeysOfWallets } from "../custody/passkey/passkey-store.js";
import { SignedKmsPayload } from "../custody/signed-payload.js";
import { type CommandedWallet, findCommandedWallets } from "./commanded-wallets.js";
import { forgetPasskey, getPasskey, rememberRemoval } from "./passkey-changes.js";
import { findRequirement, requirePasskeyFor } from "./passkey-requirement.js";
import { reconcilePasskeys } from "./reconcile-passkeys.js";
import { type AuthorityNeeds, requireAuthority } from "./require-authority.js";

/** Gap 161. Again: the same. */
export const removePasskey = endpoint(
  {
    operation: "removePasskey",
    summary: "Remove a passkey",
    description:
      "Nothing is signed by it any more. `authorization` is a signature of a session's key or of a passkey of the wallet, which may " +
      'be this one, over the document `{version: 1, method: "removePasskey", environment, wallet, params: {credential_id, ' +
      "passkey_id}, expires_at}`, in the form in which payloads of the wallet's provider are signed. The browser keeps its half until the user " +
      "deletes it there. Removing one again is the same. Where a passkey is required beside the code, a passkey has to sign this; " +
      "with the last one that ends.",
    tag: "Passkeys",
    method: "DELETE",
    path: "/api/service/v1/accounts/{address}/wallet-passkeys/{passkey_id}",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    params: Type.Object({ address: addressText(), passkey_id: Type.String() }),
    body: Type.Object({
      expires_at: Type.String({
        maxLength: 32,
        description: "As it was signed: an hour ahead at most, as 2027-01-01T00:10:00.000Z.",
      }),
      authorization: SignedKmsPayload,
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({ id: uuidText(), status: Type.Literal("removed") }, { $id: "RemovedPasskey" }),
    },
    errors: [
      "account_not_found",
      "invalid_signature",
      "last_passkey",
      "missing_signature",
      "passkey_not_found",
      "payload_already_used",
      "payload_expired",
      "provider_not_available",
      "provider_unavailable",
      "session_expired",
      "wrong_signing_key",
    ],
  },
  async (needs: AuthorityNeeds, { params, body, caller, network }) => {
    const { db } = needs;
    const wallets = await findCommandedWallets(db, caller, network, params.address);
    const row = await getPasskey(db, wallets, params.passkey_id).catch(async (error: unknown) => {
      const listed = await reconcilePasskeys(needs, network, caller.tenantId, wallets);
      const atGuardian = listed.find(({ id }) => id === params.passkey_id);
      if (atGuardian === undefined) throw error;
      return atGuardian;
    });
    const wallet = wallets.find(({ commanderId }) => commanderId === row.wallet_id);
    assertOurs(wallet, "a passkey was found by its wallet");
    const removed = { data: { id: row.id, status: "removed" as const } };
    if (row.removed_at !== null && !(await isAtGuardian(needs, wallet, row.id))) return removed;
    const authorized = await requireAuthority(needs, network, caller.tenantId, {
      wallet,
      document: {
        method: "removePasskey",
        params: { credential_id: row.credential_id, passkey_id: row.id },
        expires_at: body.expires_at,
      },
      authorization: body.authorization,
      // A guardian that made one up could otherwise lift, with the last passkey, what has to sign beside the code.
      asksGuardian: !(await findRequirement(db, wallet.userId)),
    });
    await requirePasskeyFor(db, wallet.userId, authorized.authority);
    const custodian = getCustodian(needs.custodians, wallet.provider);
    try {
      // Its wallet obeys nothing else: without any it could only be replaced on chain, by the other two signers.
      const isLive = row.removed_at === null;
      if (isLive && custodian.isGuardian === true && (await countAtGuardian(needs, wallet)) === 1) {
        throw new TrellisError("last_passkey");
      }
      await custodian.removePasskey({ ...authorized, passkeyId: row.id });
    } catch (error) {
      throw translateRefusal(error);
    }
    await forgetPasskey(db, row.id, network.clock.now());
    if (custodian.isGuardian === true) await rememberRemoval(db, row, network.clock.now());
    return removed;
  },
);

/** Whether the guardian has again what was removed here. Throws `provider_unavailable`: it is not known then whether it was removed. */
async function isAtGuardian(needs: AuthorityNeeds, wallet: CommandedWallet, passkeyId: string): Promise<boolean> {
  try {
    return await isRevived(needs, wallet, passkeyId);
  } catch (error) {
    throw translateRefusal(error);
  }
}

/** Those that the service knows, and those that the guardian alone does. */
async function countAtGuardian(needs: AuthorityNeeds, wallet: CommandedWallet): Promise<number> {
  const known = await findPasskeysOfWallets(needs.db, [wallet.commanderId]);
  return known.length + (await listBesideKnown(needs, wallet)).unknown.length;
}
