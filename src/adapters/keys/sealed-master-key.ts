import { readFile } from "node:fs/promises";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { KeyStores, SealingPlace } from "../../config/key-stores.js";
import type { ConfiguredMasterKey, MasterKey } from "../../config/keys.js";
import { createRealClock } from "../system.js";
import { type AskKeyStore, createKeyStoreDoor } from "./ask-key-store.js";
import { openByAwsKms, sealByAwsKms } from "./aws-kms.js";
import { KeyStoreError } from "./key-store-error.js";
import { openByTransit, sealByTransit } from "./vault-transit.js";

/** What asking key stores takes. */
interface Means {
  readonly stores: KeyStores;
  readonly realClock: Clock;
}

/** The master keys as the configuration has them, sealed ones opened: one call for each, and none afterwards. Throws KeyStoreError. */
export async function openMasterKeys(keys: readonly ConfiguredMasterKey[], stores: KeyStores): Promise<MasterKey[]> {
  const means = { stores, realClock: createRealClock() };
  const opened: MasterKey[] = [];
  for (const key of keys) {
    opened.push("key" in key ? key : { id: key.id, key: await open(means, key.id, key.place, key.ciphertext) });
  }
  return opened;
}

/**
 * Seals a master key by a key store and opens it once more, so that nothing is handed out that would not open. Gives its entry in
 * TRELLIS_MASTER_KEY behind `<id>=<place>#`. Throws KeyStoreError.
 */
export async function sealMasterKey({ id, key }: MasterKey, place: SealingPlace, stores: KeyStores): Promise<string> {
  const means = { stores, realClock: createRealClock() };
  const { aws } = stores;
  const ask = await doorTo(place, stores);
  const ciphertext =
    place.kind === "transit"
      ? await sealByTransit({ ask, tokenFile: tokenFileOf(stores) }, place, { plaintext: key, associated: boundTo(id) })
      : await sealByAwsKms({ ask, aws, realClock: means.realClock }, place, { plaintext: key, context: contextOf(id) });
  const opened = await open(means, id, place, ciphertext);
  if (!Buffer.from(opened).equals(key)) {
    throw new KeyStoreError("wrong", "The key store opens another key than the one that it was given to seal.");
  }
  return ciphertext;
}

async function open({ stores, realClock }: Means, id: string, place: SealingPlace, ciphertext: string) {
  const ask = await doorTo(place, stores);
  return place.kind === "transit"
    ? openByTransit({ ask, tokenFile: tokenFileOf(stores) }, place, { ciphertext, associated: boundTo(id) })
    : openByAwsKms({ ask, aws: stores.aws, realClock }, place, { ciphertext, context: contextOf(id) });
}

/** What the ciphertext of a key is bound to: under another key's id it does not open. */
const boundTo = (id: string) => `trellis/master-key/${id}`;
const contextOf = (id: string) => ({ "trellis:master-key": id });

/** The door to one key store, which trusts the authorities that its operator named. */
export async function doorTo({ kind }: { readonly kind: string }, { vault }: KeyStores): Promise<AskKeyStore> {
  if (kind !== "transit" || vault.caFile === null) return createKeyStoreDoor();
  const authorities = await readFile(vault.caFile, "utf8").catch(() => "");
  if (authorities.includes("-----BEGIN CERTIFICATE-----")) return createKeyStoreDoor({ authorities });
  throw new KeyStoreError("refused", "TRELLIS_VAULT_CA_FILE names no file that holds certificates in PEM.");
}

export function tokenFileOf({ vault }: KeyStores): string {
  if (vault.tokenFile !== null) return vault.tokenFile;
  throw new KeyStoreError("refused", "TRELLIS_VAULT_TOKEN_FILE is required with a transit key.");
}
