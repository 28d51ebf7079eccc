import { formatVkey } from "@trellis/kernel/tlog/note.js";
import { identityText, readKeyFolder } from "../adapters/kms/key-folder.js";
import type { Config } from "../config/config.js";
import { localGuardianName } from "./open-local-guardian.js";

/** What the configuration says of keys, custodians and witnesses, without a secret: what the audit log names when it changes. */
export async function readAuditedConfiguration(
  config: Config,
  /** The identity of the guardian beside the service; undefined: none is there. */
  guardian: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const remote = await Promise.all(
    config.remoteCustodians.map(async ({ name, url, keyFolder, isGuardian }) => {
      const { peer } = await readKeyFolder(keyFolder);
      return { name, url, identity: identityText(peer), guardian: isGuardian };
    }),
  );
  return {
    master_keys: config.masterKeys?.map(({ id }) => id) ?? ["file"],
    // The one beside the service takes a free port at each start: its identity says which it is.
    custodians:
      guardian === undefined ? remote : [...remote, { name: localGuardianName, identity: guardian, guardian: true }],
    service_keys: config.clusters.map(({ name, feePayer, executor, passkeyPayer }) => ({
      environment: name,
      fee_payer: feePayer.address,
      ...(executor === null ? {} : { executor: executor.address }),
      ...(passkeyPayer === null ? {} : { passkey_payer: passkeyPayer.address }),
    })),
    witnesses: config.auditWitnesses.map(({ verifier }) => formatVkey(verifier)),
    witnessed_logs: config.auditWitnessedLogs.map(formatVkey),
  };
}
