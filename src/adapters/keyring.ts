import type { Config } from "../config/config.js";
import { createKeyring, type Keyring } from "../core/crypto/envelope.js";
import { readOrMakeMasterKey } from "./master-key-file.js";

/** The keyring over the configured master keys, or over the generated one in the data directory. */
export async function openKeyring(config: Pick<Config, "masterKeys" | "dataDirectory">): Promise<Keyring> {
  const masterKeys = config.masterKeys ?? [await readOrMakeMasterKey(config.dataDirectory)];
  const [active] = masterKeys;
  const oldest = masterKeys.at(-1);
  if (!active || !oldest) throw new Error("there is no master key");
  // Stored hashes were made with the oldest key's secrets; they must not change when a newer key takes over.
  return createKeyring({ masterKeys, activeId: active.id, derivationId: oldest.id });
}
