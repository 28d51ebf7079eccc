import type { SignatureBytes } from "@solana/kit";
import { ed25519PublicKeyOf, importEd25519Seed, signEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { ServiceKey } from "@trellis/kernel/ports/network.js";
import { addressOfBytes } from "@trellis/program-client";

/** A key of the service from its 32-byte Ed25519 seed. */
export function serviceKeyOf(seed: Uint8Array): ServiceKey {
  const privateKey = importEd25519Seed(seed);
  return {
    address: addressOfBytes(ed25519PublicKeyOf(privateKey)),
    sign: async (messageBytes) => signEd25519(privateKey, messageBytes) as SignatureBytes,
  };
}

/** A key of the service that derives from the master key under a label of its own, and is stored nowhere. */
export function deriveServiceKey(keyring: Pick<Keyring, "deriveSecret">, label: string): ServiceKey {
  return serviceKeyOf(keyring.deriveSecret(label));
}

/** The labels of the sandbox's keys: the same whether its chain runs in this process or in another. */
export const sandboxFeePayerLabel = "sandbox/fee-payer";
export const sandboxExecutorLabel = "sandbox/executor";
