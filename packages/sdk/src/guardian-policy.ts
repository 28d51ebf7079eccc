import canonicalize from "canonicalize";
import { certifiedOf, endOfDocument, makeNonce, type PinnedGuardian } from "./guardian-receipt.js";
import type { PasskeySigner } from "./passkey-signer.js";
import { authorize, walletDocumentsIn } from "./passkeys.js";
import { accountPath, type ServiceCalls } from "./service-calls.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { GuardianPolicy, WireEnvironment } from "./wire.js";

/** What a guardian signs, by docs/custodian-policy.schema.json. */
export type WalletPolicy = Readonly<Record<string, unknown>>;

/** The guardian's wallet whose policy is meant. */
export type GuardedWallet = {
  /** The smart account. */
  readonly account: string;
  /** The guardian's wallet, as it was certified when the account's first passkey was added. */
  readonly signer: string;
  /** What it certifies is verified. */
  readonly guardian: PinnedGuardian;
};

/** A policy that a passkey of the guardian's wallet is to sign. */
export type SetGuardianPolicy = GuardedWallet & {
  readonly policy: WalletPolicy;
  readonly passkeys: PasskeySigner;
};

/** A policy as the guardian has certified it. */
export type CertifiedPolicy = {
  /** The one that holds. */
  readonly policy: WalletPolicy;
  /** The one that waits, and from when on it holds. */
  readonly next: { readonly policy: WalletPolicy; readonly from: string } | null;
  readonly version: number;
  /** By the guardian's clock. */
  readonly as_of: string;
};

/** No other text that a custodian signs begins so. */
const domain = "trellis-custodian-policy/1\n";

/** What the guardian signs for a guarded account (gap 190). Of what the service says of it nothing is believed. */
export function createGuardianPolicyCalls(
  needs: ServiceCalls & { readonly environment: WireEnvironment; readonly now: () => number },
) {
  const { call, get, environment, now } = needs;
  const documentOf = walletDocumentsIn(environment);
  const pathOf = (account: string) => accountPath(account, "/guardian-policy");

  const read = async (wallet: GuardedWallet): Promise<CertifiedPolicy> => {
    const nonce = makeNonce();
    return certified(wallet, await get<GuardianPolicy>(pathOf(wallet.account), { nonce }), nonce);
  };

  const set = async (wanted: SetGuardianPolicy, { version, as_of }: CertifiedPolicy): Promise<CertifiedPolicy> => {
    const { account, signer, policy } = wanted;
    const nonce = makeNonce();
    const expires_at = endOfDocument(as_of);
    const params = { policy, replaces: version };
    const document = documentOf("setWalletPolicy", signer, { params, nonce, expires_at });
    const authorization = await authorize({ passkeys: wanted.passkeys }, signer, document, now());
    const body = { ...params, nonce, expires_at, authorization };
    const answered = await call<GuardianPolicy>({ method: "PUT", path: pathOf(account), body });
    const after = certified(wanted, answered, nonce);
    if (canonicalize(after.next?.policy ?? after.policy) !== canonicalize(policy)) {
      throw mismatch("the guardian has taken another policy");
    }
    return after;
  };

  return {
    /** The policy that holds, and the one that waits. Throws `TransactionMismatchError` where the guardian has not certified it just now. */
    get: read,
    /**
     * Has a passkey of the guardian's wallet sign a whole policy in place of the one that holds. What loosens waits: see `next`. Rejects with
     * what the browser rejects with, and with `TransactionMismatchError` where the guardian has not certified it.
     */
    set: async (wanted: SetGuardianPolicy): Promise<CertifiedPolicy> => set(wanted, await read(wanted)),
    /** Ends a policy that waits: the one that holds is set once more. Any passkey of the wallet can. */
    cancel: async (wanted: Omit<SetGuardianPolicy, "policy">): Promise<CertifiedPolicy> => {
      const held = await read(wanted);
      return set({ ...wanted, policy: held.policy }, held);
    },
  };
}

/** What was certified, without the rest. */
function certified(wallet: GuardedWallet, { certificate }: GuardianPolicy, nonce: string): CertifiedPolicy {
  const { policy, next, version, as_of } = certifiedOf<CertifiedPolicy>(domain, wallet, certificate, nonce);
  return { policy, next, version, as_of };
}

const mismatch = (message: string) => new TransactionMismatchError("signers", message);
