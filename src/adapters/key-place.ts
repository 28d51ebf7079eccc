import type { ReplaceableSecret, SealedColumn } from "@trellis/kernel/module.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { type CheckedKeys, checkKeys } from "./check-keys.js";
import { type CheckedRoot, checkWallets } from "./kms/check-wallets.js";
import {
  type ReplacedSecret,
  type ReplaceNeeds,
  type RetiredSecret,
  replaceSecrets,
  retireSecrets,
} from "./replace-secrets.js";

/** A database with a keyring over it, and what is sealed and hashed there: a service's, or a custodian's of its own process. */
export interface KeyPlace {
  readonly columns: readonly SealedColumn[];
  readonly secrets: readonly ReplaceableSecret[];
  /** Opens it, does the work, and closes it again. */
  within<T>(work: (needs: ReplaceNeeds) => Promise<T>): Promise<T>;
}

/** Gives these purposes new secrets. */
export function replaceSecretsIn(
  { secrets, within }: KeyPlace,
  purposes: readonly string[],
  pause?: Pause,
): Promise<readonly ReplacedSecret[]> {
  const wanted = secrets.filter(({ purpose }) => purposes.includes(purpose));
  return within((needs) => replaceSecrets({ ...needs, ...(pause ? { pause } : {}) }, wanted));
}

/** Brings bindings under the newest secrets, which an earlier run may not have got to, and retires what nothing needs. */
export function retireUnusedIn({ secrets, within }: KeyPlace): Promise<readonly RetiredSecret[]> {
  return within(async (needs) => {
    for (const { rebind } of secrets) await rebind?.(needs);
    return retireSecrets(needs, secrets);
  });
}

/** What `trellis keys check` has found. */
export interface CheckedPlace extends CheckedKeys {
  readonly roots: readonly CheckedRoot[];
}

/** Opens everything, holds every binding, and derives every wallet. */
export function checkPlace({ columns, secrets, within }: KeyPlace): Promise<CheckedPlace> {
  return within(async (needs) => ({
    ...(await checkKeys(needs, columns, secrets)),
    roots: await checkWallets(needs),
  }));
}
