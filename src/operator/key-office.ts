import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { findOtherReleases } from "../adapters/db/releases.js";
import { openKeyring } from "../adapters/keyring.js";
import { createRealClock, systemRandom } from "../adapters/system.js";
import type { Config } from "../config/config.js";
import { newTenantProtection } from "../config/remote-custodians.js";
import { withDatabase } from "./with-database.js";

/** What managing tenants and keys asks of the world: the database alone, whatever runs beside it. */
export interface KeyOffice {
  readonly db: Db;
  readonly keyring: Keyring;
  /** Where people reach the service. */
  readonly publicUrl: string;
  /** The keyring's secret `api-key`. */
  readonly secret: Macs;
  readonly random: Random;
  /** Real time, Unix milliseconds. */
  readonly now: number;
  /** What the accounts of new tenants are, where nothing is said. */
  readonly newTenantProtection: "plain" | "guarded";
  /** The names of connections to the database that are not of this release. */
  readonly otherReleases: () => Promise<readonly string[]>;
}

/** Opens what is needed to manage tenants and keys (gap 122), does it, and closes it again. */
export function inKeyOffice<T>(config: Config, work: (office: KeyOffice) => Promise<T>): Promise<T> {
  return withDatabase(config, async ({ db }) => {
    const keyring = await openKeyring(config, db);
    return work({
      db,
      keyring,
      publicUrl:
        config.publicUrl ?? `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`,
      secret: keyring.macs("api-key"),
      random: systemRandom,
      now: createRealClock().now(),
      newTenantProtection: newTenantProtection(config),
      otherReleases: () => findOtherReleases(db),
    });
  });
}
