import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** A server of this test's own, removed after `stop`. */
export interface OwnServer {
  /** Without a database's name. */
  readonly url: string;
  stop(): Promise<void>;
}

const pgbouncer = "/usr/sbin/pgbouncer";
const postgresVersions = "/usr/lib/postgresql";

/** Whether the Debian packages are there; a run of all checks installs them. */
export const hasPgbouncer = existsSync(pgbouncer);
export const hasPostgres = existsSync(postgresVersions);

/** PgBouncer in transaction mode in front of a server, with few connections to share; `lines` are added to its settings. */
export async function startPgbouncer(target: string, lines: readonly string[] = []): Promise<OwnServer> {
  const { hostname, port: targetPort, username } = new URL(target);
  const [place, port] = [makePlace(), await freePort()];
  const ini = join(place, "pgbouncer.ini");
  writeFileSync(
    ini,
    [
      "[databases]",
      `* = host=${hostname} port=${targetPort} user=${username}`,
      "[pgbouncer]",
      "pool_mode = transaction",
      "default_pool_size = 4",
      "max_client_conn = 200",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = trust",
      `auth_file = ${join(place, "users")}`,
      ...lines,
    ].join("\n"),
  );
  writeFileSync(join(place, "users"), `"${username}" ""\n`);
  const child = spawnAsPostgres(pgbouncer, ["-q", ini]);
  return serve(child, `postgres://${username}@127.0.0.1:${port}`, place, new URL(target).pathname);
}

/** A PostgreSQL server with settings of its own, `name=value`. */
export async function startPostgres(settings: readonly string[]): Promise<OwnServer> {
  const [place, port] = [makePlace(), await freePort()];
  const [version] = readdirSync(postgresVersions).sort((a, b) => Number(b) - Number(a));
  const bin = join(postgresVersions, version ?? "", "bin");
  const data = join(place, "data");
  const initdb = asPostgres(join(bin, "initdb"), ["-D", data, "-U", "trellis", "--auth=trust", "--no-sync"]);
  execFileSync(initdb.command, initdb.args, { stdio: "ignore" });
  const flags = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${place}`, ...settings];
  const child = spawnAsPostgres(join(bin, "postgres"), ["-D", data, ...flags.flatMap((flag) => ["-c", flag])]);
  return serve(child, `postgres://trellis@127.0.0.1:${port}`, place, "/postgres");
}

async function serve(child: ChildProcess, url: string, place: string, database: string): Promise<OwnServer> {
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGINT");
    await exited;
    rmSync(place, { recursive: true, force: true });
  };
  // It says nothing when it is ready: asked until it answers, or has ended.
  for (;;) {
    const client = new pg.Client({ connectionString: `${url}${database}` });
    try {
      await client.connect();
      await client.end();
      return { url, stop };
    } catch (error) {
      if (child.exitCode === null) continue;
      rmSync(place, { recursive: true, force: true });
      throw error;
    }
  }
}

/** Where the user that servers run as may write. */
function makePlace(): string {
  const place = mkdtempSync(join(tmpdir(), "trellis-server-"));
  chmodSync(place, 0o777);
  return place;
}

/** Both servers refuse to run as root. */
function asPostgres(command: string, args: readonly string[]): { command: string; args: string[] } {
  if (process.getuid?.() !== 0) return { command, args: [...args] };
  return { command: "setpriv", args: ["--reuid=postgres", "--regid=postgres", "--init-groups", command, ...args] };
}

function spawnAsPostgres(command: string, args: readonly string[]): ChildProcess {
  const server = asPostgres(command, args);
  return spawn(server.command, server.args, { stdio: "ignore" });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}
