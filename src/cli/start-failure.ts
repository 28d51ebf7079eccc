import { fileURLToPath } from "node:url";

/** What errors of the system and of PostgreSQL's driver carry. */
interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly path?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/**
 * The commonest failures of a start in one sentence that names the fix; undefined for anything else. Searches what led
 * to the error. No sentence holds a secret: of DATABASE_URL only host and port are named.
 */
export function describeStartFailure(error: unknown): string | undefined {
  for (let one = error as SystemError | undefined, depth = 0; one && typeof one === "object" && depth < 5; depth += 1) {
    const sentence = sentenceOf(one);
    if (sentence !== undefined) return sentence;
    // Where a name has several addresses, the errors of all of them stand in one.
    one = (Array.isArray(one.errors) ? one.errors[0] : one.cause) as SystemError | undefined;
  }
  return undefined;
}

/** Where the compiled service stands. */
const installed = fileURLToPath(new URL("../", import.meta.url));

function sentenceOf({ code, syscall, address, port, path, message }: SystemError): string | undefined {
  if (syscall === "listen") return listenFailures[String(code)]?.(`${address}`, `${port}`);
  if (syscall === "connect" || syscall === "getaddrinfo") {
    const where = address === undefined ? "the host it names" : `${address}, port ${port}`;
    return `PostgreSQL does not answer at ${where} (${code}): start it, or correct DATABASE_URL.`;
  }
  if (typeof path === "string" && path.startsWith(installed)) {
    return `A file of Trellis itself cannot be read: ${path} (${code}). Build or install it again.`;
  }
  if (typeof path === "string" && fileFailures.has(String(code))) {
    return `The data directory cannot be used: ${path} (${code}). Set TRELLIS_DATA_DIR to a directory that this user may write.`;
  }
  const refusal = serverRefusals[String(code)];
  return refusal === undefined ? undefined : `PostgreSQL refuses the connection: ${message}. ${refusal}`;
}

const listenFailures: Readonly<Record<string, (address: string, port: string) => string>> = {
  EADDRINUSE: (address, port) =>
    `Port ${port} of ${address} is in use by another program: stop it, or set PORT to a free one (TRELLIS_METRICS_PORT for metrics).`,
  EADDRNOTAVAIL: (address) =>
    `This machine has no address ${address}: set HOST to one that it has, for example 127.0.0.1 or 0.0.0.0.`,
  EACCES: (_address, port) =>
    `This user may not open port ${port}: set PORT to 1024 or more, and put a proxy in front.`,
};

const fileFailures: ReadonlySet<string> = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOTDIR",
  "ENOENT",
  "EEXIST",
  "ENOSPC",
  "EDQUOT",
]);

/** By SQLSTATE. */
const serverRefusals: Readonly<Record<string, string>> = {
  "28P01": "Correct the user or the password in DATABASE_URL.",
  "28000": "Correct the user in DATABASE_URL, or create that role.",
  "3D000": "Create that database, or correct its name in DATABASE_URL.",
  "42501": "Give the role of DATABASE_URL the right to create tables in its schema.",
  "53300": "Raise max_connections of the server, or lower TRELLIS_DATABASE_POOL.",
  "57P03": "Wait until the server has started.",
};
