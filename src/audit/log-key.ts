import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { NoteSigner } from "@trellis/kernel/tlog/note.js";

/** The name of the log in the database. */
export const auditLog = "audit";

/** What signs checkpoints: a key that is not in the database, the same for as long as the keyring's secrets are. */
export function logSigner(keyring: Pick<Keyring, "deriveSecret">, origin: string): NoteSigner {
  return { name: origin, seed: keyring.deriveSecret("audit-log") };
}

/** What cosigns logs of others: a key of its own. */
export function witnessSigner(keyring: Pick<Keyring, "deriveSecret">, origin: string): NoteSigner {
  return { name: origin, seed: keyring.deriveSecret("audit-witness") };
}
