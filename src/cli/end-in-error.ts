import { UnusableEnvironmentError } from "@trellis/kernel/unusable-environment-error.js";
import { DataDirectoryInUseError } from "../adapters/db/data-directory-lock.js";
import { UnusableDatabaseError } from "../adapters/db/server-faults.js";
import { KeyStoreError } from "../adapters/keys/key-store-error.js";
import { KeyFolderError } from "../adapters/kms/key-folder.js";
import { ConfigError } from "../config/config.js";
import { describeStartFailure } from "./start-failure.js";

/** Says why a start failed and ends the process with 1: what an operator can mend in words, the rest with its stack. */
export function endInError(error: unknown): never {
  const isExpected =
    error instanceof ConfigError ||
    error instanceof DataDirectoryInUseError ||
    error instanceof KeyStoreError ||
    error instanceof UnusableDatabaseError ||
    error instanceof KeyFolderError ||
    error instanceof UnusableEnvironmentError;
  const words = isExpected ? error.message : describeStartFailure(error);
  process.stderr.write(`${words ?? (error instanceof Error ? error.stack : String(error))}\n`);
  process.exit(1);
}
