import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeKey, writePeer } from "./key-folder.js";

/** Where what belongs to the guardian beside a service lies, below the service's data directory. */
export interface GuardianFolder {
  readonly custodianKeys: string;
  readonly serviceKeys: string;
  readonly data: string;
}

const rootOf = (dataDirectory: string) => join(dataDirectory, "guardian");

/** Whether there is one from a former start. */
export const hasGuardianFolder = (dataDirectory: string): boolean => existsSync(rootOf(dataDirectory));

/**
 * The folder, with keys for both sides that know each other; made where there is none, whole or not at all. The data directory is locked
 * by the service that asks. Throws KeyFolderError.
 */
export async function ensureGuardianFolder(dataDirectory: string): Promise<GuardianFolder> {
  const root = rootOf(dataDirectory);
  if (!existsSync(root)) {
    const unfinished = `${root}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    const { custodianKeys, serviceKeys } = foldersIn(unfinished);
    const custodian = await makeKey(custodianKeys, "trellis guardian");
    await writePeer(custodianKeys, await makeKey(serviceKeys, "trellis service"));
    await writePeer(serviceKeys, custodian);
    await rename(unfinished, root);
  }
  return foldersIn(root);
}

const foldersIn = (root: string): GuardianFolder => ({
  custodianKeys: join(root, "keys"),
  serviceKeys: join(root, "service-keys"),
  data: join(root, "data"),
});
