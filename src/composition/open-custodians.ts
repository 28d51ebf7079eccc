import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Custodian, CustodianName, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { createBuiltInCustodian } from "../adapters/kms/built-in-custodian.js";
import { custodianNames } from "../custody/custodians.js";
import { recordWallets } from "../custody/wallet-directory.js";

/** The custodians of a process, each of whose wallets is recorded in the service's database. */
export function openCustodians(parts: {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
}): Custodians {
  const builtIn = (provider: CustodianName): [CustodianName, Custodian] => [
    provider,
    recordWallets(parts.db, createBuiltInCustodian({ provider, ...parts })),
  ];
  return new Map(custodianNames.map(builtIn));
}
