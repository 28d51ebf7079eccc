import { Buffer } from "node:buffer";
import type { Address, SignatureBytes } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { ServiceKey } from "@trellis/kernel/ports/network.js";
import { UnusableEnvironmentError } from "@trellis/kernel/unusable-environment-error.js";
import { isChainSignature } from "@trellis/solana/strict-signature.js";
import { KeyStoreError } from "./key-store-error.js";

/** A key that a key store holds: it signs exactly these bytes, or throws KeyStoreError. Its word is not believed. */
export interface RemoteSigner {
  /** The key store, in words for the operator. */
  readonly store: string;
  sign(message: Uint8Array): Promise<Uint8Array>;
}

export interface RemoteKeyParts {
  readonly environment: EnvironmentName;
  readonly purpose: "fee_payer" | "executor" | "former_fee_payer" | "former_executor" | "passkey_payer";
  /** Whose signatures they have to be. */
  readonly address: Address;
  readonly signer: RemoteSigner;
  readonly log: Log;
}

/**
 * A key of the service in a key store. Every signature is verified before it is used: a store that signs by another key, or
 * something else, is as good as none. Where there is no signature, `service_unavailable` is thrown: nothing was stored or sent, and
 * the same request may be made again. A store that fails, and one that works again, are logged once each.
 */
function remoteServiceKey({ environment, purpose, address, signer, log }: RemoteKeyParts): ServiceKey {
  let isFailing = false;
  return {
    address,
    sign: async (messageBytes) => {
      try {
        const signature = await signVerified(signer, address, messageBytes);
        if (isFailing) log.info({ event: "service_key_works", environment, key: purpose }, "service key signs again");
        isFailing = false;
        return signature;
      } catch (error) {
        if (!(error instanceof KeyStoreError)) throw error;
        const fields = { environment, key: purpose, address, reason: error.message };
        // operator: read `reason`; nothing is signed, and submissions are refused, until the key store answers
        if (!isFailing) log.error({ event: "service_key_fails", ...fields }, "service key does not sign");
        isFailing = true;
        throw new TrellisError("service_unavailable", {
          message: `The service cannot sign on ${environment} at present, and has sent nothing. Try again shortly.`,
        });
      }
    },
  };
}

/** The same, once it has signed a text that is no transaction. Throws UnusableEnvironmentError where it does not. */
export async function openRemoteServiceKey(parts: RemoteKeyParts): Promise<ServiceKey> {
  const { environment, purpose, address, signer } = parts;
  try {
    await signVerified(signer, address, trialOf(address));
  } catch (error) {
    if (!(error instanceof KeyStoreError)) throw error;
    const what = purpose.replaceAll("_", " ");
    throw new UnusableEnvironmentError(environment, `the ${what} ${address} does not sign. ${error.message}`);
  }
  return remoteServiceKey(parts);
}

/** No transaction begins with this byte, nor ever will: it would be a message of version 127, which marks other texts. */
const trialOf = (address: Address) =>
  Buffer.concat([Buffer.from([0xff]), Buffer.from(`trellis: whether this key signs for ${address}`)]);

async function signVerified(signer: RemoteSigner, address: Address, message: Uint8Array): Promise<SignatureBytes> {
  // A copy: what is verified is what was asked for, whatever becomes of the caller's bytes meanwhile.
  const asked = Uint8Array.from(message);
  const signature = await signer.sign(asked);
  if (signature.length === 64 && isChainSignature(address, asked, signature)) return signature as SignatureBytes;
  throw new KeyStoreError("wrong", `${signer.store} signs, and not as ${address}: check which key it is.`);
}
