import type { GuardedWallet } from "./guardian-policy.js";
import { certifiedOf, endOfDocument, makeNonce } from "./guardian-receipt.js";
import type { PasskeySigner } from "./passkey-signer.js";
import { authorize, walletDocumentsIn } from "./passkeys.js";
import { accountPath, type ServiceCalls } from "./service-calls.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { GuardianChange, GuardianChanges, WireEnvironment } from "./wire.js";

/** A change of settings that any passkey of the guardian's wallet is to cancel. */
export type CancelGuardianChange = GuardedWallet & {
  /** As it was listed, or `change_id` of the refusal to sign it. */
  readonly id: string;
  readonly passkeys: PasskeySigner;
};

/** All changes that wait, as the guardian has certified them. */
export type WaitingChanges = {
  readonly changes: readonly GuardianChange[];
  /** By the guardian's clock. */
  readonly as_of: string;
};

/** No other text that a custodian signs begins so. */
const domain = "trellis-custodian-changes/1\n";

/** Changes of settings that wait at the guardian (gap 199). Of what the service says of them nothing is believed. */
export function createGuardianChangeCalls(
  needs: ServiceCalls & { readonly environment: WireEnvironment; readonly now: () => number },
) {
  const { call, get, environment, now } = needs;
  const documentOf = walletDocumentsIn(environment);

  const list = async (wallet: GuardedWallet): Promise<WaitingChanges> => {
    const nonce = makeNonce();
    return certified(
      wallet,
      await get<GuardianChanges>(accountPath(wallet.account, "/guardian-changes"), { nonce }),
      nonce,
    );
  };

  return {
    /** All that wait. Throws `TransactionMismatchError` where the guardian has not certified it just now. */
    list,
    /**
     * Has a passkey end one, and answers what still waits. Rejects with what the browser rejects with, with `guardian_change_over` where it
     * was signed already, and with `TransactionMismatchError` where the guardian has not certified that it is gone.
     */
    cancel: async (wanted: CancelGuardianChange): Promise<WaitingChanges> => {
      const { account, signer, id } = wanted;
      const nonce = makeNonce();
      const expires_at = endOfDocument((await list(wanted)).as_of);
      const document = documentOf("cancelSettingsChange", signer, { params: { change_id: id }, nonce, expires_at });
      const authorization = await authorize({ passkeys: wanted.passkeys }, signer, document, now());
      const path = accountPath(account, `/guardian-changes/${encodeURIComponent(id)}`);
      const body = { nonce, expires_at, authorization };
      const after = certified(wanted, await call<GuardianChanges>({ method: "DELETE", path, body }), nonce);
      if (after.changes.some((each) => each.id === id)) {
        throw new TransactionMismatchError("signers", "the change still waits at the guardian");
      }
      return after;
    },
  };
}

function certified(wallet: GuardedWallet, { certificate }: GuardianChanges, nonce: string): WaitingChanges {
  const { changes, as_of } = certifiedOf<WaitingChanges>(domain, wallet, certificate, nonce);
  return { changes, as_of };
}
