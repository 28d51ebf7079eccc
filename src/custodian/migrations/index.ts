import type { Migration } from "kysely/migration";
import { policyMigrations } from "../policy/migrations.js";
import * as custodian from "./0001-custodian.js";
import * as derivedSecrets from "./0003-derived-secrets.js";
import * as policyChanges from "./0004-policy-changes.js";
import * as walletRoots from "./0005-wallet-roots.js";
import * as log from "./0006-log.js";
import * as restoreMark from "./0009-restore-mark.js";
import * as numberedWallets from "./0010-numbered-wallets.js";
import * as evidence from "./0012-evidence.js";
import * as waitingChanges from "./0013-waiting-changes.js";

/** Every migration of a custodian's own database by name, in order. One that was ever released is never edited. */
export const custodianMigrations: Readonly<Record<string, Migration>> = {
  "0001-custodian": custodian,
  ...policyMigrations,
  "0003-derived-secrets": derivedSecrets,
  "0004-policy-changes": policyChanges,
  "0005-wallet-roots": walletRoots,
  "0006-log": log,
  "0009-restore-mark": restoreMark,
  "0010-numbered-wallets": numberedWallets,
  "0012-evidence": evidence,
  "0013-waiting-changes": waitingChanges,
};
