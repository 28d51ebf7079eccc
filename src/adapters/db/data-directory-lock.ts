import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { LockFileTakenError, takeLockFile } from "../lock-file.js";

/** Another live process holds the data directory. */
export class DataDirectoryInUseError extends Error {
  override readonly name = "DataDirectoryInUseError";
  constructor(
    readonly directory: string,
    readonly pid: number,
  ) {
    super(
      `The data directory ${directory} is in use by another Trellis process (pid ${pid}). ` +
        "Stop that process, or set TRELLIS_DATA_DIR to another directory.",
    );
  }
}

/**
 * Takes the directory for this process, creating it when missing. Throws DataDirectoryInUseError when a live process holds
 * it, this one included.
 */
export async function lockDataDirectory(directory: string): Promise<{ release(): Promise<void> }> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    return await takeLockFile(join(directory, "trellis.lock"));
  } catch (error) {
    if (error instanceof LockFileTakenError) throw new DataDirectoryInUseError(directory, error.pid);
    throw error;
  }
}
