import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createRunner,
  findMissing,
  findPorts,
  type Program,
  pause,
  processesIn,
  type Runner,
  signalAll,
  titleOf,
  waitFor,
} from "./processes.js";

const templates = fileURLToPath(new URL("../../deploy/ha", import.meta.url));
const names = ["db1", "db2", "db3"] as const;
type NodeName = (typeof names)[number];

/** A member as Patroni reports it. */
interface Member {
  readonly name: NodeName;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

/** How a primary is taken away. */
export type Death = "process" | "machine" | "frozen" | "planned";

/** The cluster of `deploy/ha` on loopback addresses. */
export interface Cluster {
  /** What the service gets as DATABASE_URL. */
  readonly url: string;
  /** A certificate of the cluster's own authority for 127.0.0.1, for other servers of the play. */
  readonly certificate: { readonly ca: string; readonly cert: string; readonly key: string };
  /**
   * Takes the primary away: `process` kills PostgreSQL, `machine` everything on its node, `frozen` stops PostgreSQL and Patroni, so
   * that their connections stay open and silent, and `planned` hands over. Gives its name.
   */
  take(death: Death): Promise<NodeName>;
  /** Lets the primary write and its replicas not hear of it; they hear of it no more where the primary is then taken. */
  cutReplication(): Promise<void>;
  /** Waits for another primary than this one. */
  awaitSuccessor(former: NodeName): Promise<void>;
  /**
   * Brings back what was taken, and waits until three members run and commits wait for a replica where they should. What hangs is
   * reset first, as a watchdog does.
   */
  heal(): Promise<void>;
  /** Acknowledges commits that no replica has yet, from now on. */
  allowLoss(): Promise<void>;
}

const commands = ["etcd", "patroni", "patronictl", "haproxy", "pgbouncer", "psql", "openssl", "bash"];

/** What has to be installed and is not: the names of Debian packages' commands. */
export function findMissingCommands(): readonly string[] {
  return [...findMissing(commands), ...(binariesOfPostgres() === undefined ? ["postgresql-15 or later"] : [])];
}

function binariesOfPostgres(): string | undefined {
  try {
    const versions = readdirSync("/usr/lib/postgresql")
      .map(Number)
      .filter((version) => version >= 15);
    return versions.length === 0 ? undefined : `/usr/lib/postgresql/${Math.max(...versions)}/bin`;
  } catch {
    return undefined;
  }
}

/** Hears of a way to end something before any of it is started. */
export type OnOpening = (stop: () => Promise<void>) => void;

/** Brings the cluster up in a directory, from the files of `deploy/ha`. */
export async function startCluster(
  directory: string,
  onOpening: OnOpening,
  say: (line: string) => void,
): Promise<Cluster> {
  const runner = createRunner(directory);
  const layout = await layOut(directory, runner);
  const parts: Parts = { directory, runner, layout, programs: new Map(), frozen: new Set() };
  onOpening(() => stopAll(parts));
  const began = performance.now();
  for (const name of names) startEtcd(parts, name);
  for (const name of names) startPatroni(parts, name);
  await awaitHealthy(parts, { isSynchronous: true });
  const primary = await primaryOf(parts);
  const environment = { TRELLIS_PASSWORD: layout.password };
  runner.run([...psql(parts, primary), "-f", join(directory, "roles.sql")], { environment });
  parts.programs.set("haproxy", runner.start("haproxy", ["haproxy", "-db", "-f", join(directory, "haproxy.cfg")]));
  parts.programs.set("pgbouncer", runner.start("pgbouncer", ["pgbouncer", join(directory, "pgbouncer.ini")]));
  say(`three nodes after ${((performance.now() - began) / 1000).toFixed(0)} s, ${primary} is the primary`);
  let isSynchronous = true;
  return {
    url: `postgres://trellis:${layout.password}@127.0.0.1:${layout.ports.pooler}/trellis`,
    certificate: {
      ca: join(directory, "tls/ca.crt"),
      cert: join(directory, "tls/db1.crt"),
      key: join(directory, "tls/db1.key"),
    },
    take: (death) => take(parts, death),
    cutReplication: () => cutReplication(parts),
    awaitSuccessor: async (former) => {
      await waitFor(
        `another primary than ${former}`,
        async () => (await membersOf(parts)).find(({ name, role }) => role === "leader" && name !== former),
        90,
      );
    },
    heal: async () => {
      await bringBack(parts);
      await awaitHealthy(parts, { isSynchronous });
    },
    allowLoss: async () => {
      isSynchronous = false;
      await patronictl(parts, [
        "edit-config",
        "--force",
        "--quiet",
        ...["synchronous_mode=false", "synchronous_mode_strict=false", "maximum_lag_on_failover=1073741824"].flatMap(
          (setting) => ["--set", setting],
        ),
      ]);
      await waitFor("commits that wait for no replica", async () => ((await isWaiting(parts)) ? undefined : true), 30);
    },
  };
}

interface Layout {
  readonly addresses: Readonly<Record<NodeName, string>>;
  readonly ports: { readonly postgres: number; readonly patroni: number; readonly pooler: number };
  readonly password: string;
}

interface Parts {
  readonly directory: string;
  readonly runner: Runner;
  readonly layout: Layout;
  readonly programs: Map<string, Program>;
  readonly frozen: Set<NodeName>;
}

/** Writes what `deploy/ha` describes, with values for this machine. */
async function layOut(directory: string, runner: Runner): Promise<Layout> {
  const addresses = { db1: "127.0.0.11", db2: "127.0.0.12", db3: "127.0.0.13" } as const;
  const [postgres = 0, patroni = 0, etcd = 0, peer = 0, primary = 0, pooler = 0] = await findPorts(6);
  const { own } = runner;
  own(directory);
  for (const folder of ["archive", "tls"]) {
    mkdirSync(join(directory, folder), { mode: 0o700 });
    own(join(directory, folder));
  }
  const password = randomBytes(24).toString("hex");
  const common = {
    ...Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_ADDRESS`, addresses[name]])),
    DATABASE_NETWORK: "127.0.0.0/8",
    SERVICE_NETWORK: "127.0.0.0/8",
    POSTGRES_PORT: String(postgres),
    PATRONI_PORT: String(patroni),
    ETCD_PORT: String(etcd),
    ETCD_PEER_PORT: String(peer),
    PRIMARY_PORT: String(primary),
    POOLER_PORT: String(pooler),
    SERVICE_TLS: join(directory, "tls"),
    POSTGRES_BIN: binariesOfPostgres() ?? "",
    POOLER_USERS: join(directory, "userlist.txt"),
    SUPERUSER: runner.user,
    ARCHIVE_COMMAND: `cp %p ${join(directory, "archive")}/%f`,
    WATCHDOG: "off",
    REPLICATION_PASSWORD: randomBytes(24).toString("hex"),
    REWIND_PASSWORD: randomBytes(24).toString("hex"),
    PATRONI_PASSWORD: randomBytes(24).toString("hex"),
    TRELLIS_PASSWORD: password,
  };
  const write = (template: string, to: string, values: Readonly<Record<string, string>>) => {
    const path = join(directory, to);
    writeFileSync(path, rendered(readFileSync(join(templates, template), "utf8"), values), { mode: 0o600 });
    own(path);
  };
  const given = names.map((name) => `${name}=${addresses[name]}`);
  runner.run(["bash", join(templates, "certificates.sh"), join(directory, "tls"), ...given]);
  for (const name of names) {
    const tls = join(directory, name, "tls");
    for (const folder of [join(directory, name), tls]) {
      mkdirSync(folder, { mode: 0o700 });
      own(folder);
    }
    for (const [from, to] of [
      ["ca.crt", "ca.crt"],
      [`${name}.crt`, "node.crt"],
      [`${name}.key`, "node.key"],
    ] as const) {
      writeFileSync(join(tls, to), readFileSync(join(directory, "tls", from)), { mode: 0o600 });
      own(join(tls, to));
    }
    const values = {
      ...common,
      NODE: name,
      NODE_ADDRESS: addresses[name],
      ETCD_DATA: join(directory, name, "etcd"),
      ETCD_TLS: tls,
      PATRONI_TLS: tls,
      POSTGRES_DATA: dataOf(directory, name),
      POSTGRES_SOCKETS: join(directory, name),
      POSTGRES_PASSFILE: join(directory, name, "pgpass"),
    };
    write("etcd.env", join(name, "etcd.env"), values);
    write("patroni.yml", join(name, "patroni.yml"), values);
  }
  for (const file of ["haproxy.cfg", "pgbouncer.ini", "userlist.txt"]) write(file, file, common);
  write("roles.sql", "roles.sql", {});
  return { addresses, ports: { postgres, patroni, pooler }, password };
}

/** Replaces `${NAME}` as `envsubst` does; a name that has no value is an error. */
function rendered(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\$\{([A-Z0-9_]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a file of deploy/ha names ${name}, which has no value`);
    return value;
  });
}

const dataOf = (directory: string, name: NodeName): string => join(directory, name, "data");

function startEtcd({ directory, runner, programs }: Parts, name: NodeName): void {
  const lines = readFileSync(join(directory, name, "etcd.env"), "utf8").split("\n");
  const environment = Object.fromEntries(
    lines.flatMap((line) => {
      const found = /^([A-Z_]+)=(.*)$/.exec(line);
      return found === null ? [] : [[found[1], found[2]]];
    }),
  );
  programs.set(`${name}-etcd`, runner.start(`${name}-etcd`, ["etcd"], { environment }));
}

function startPatroni({ directory, runner, programs }: Parts, name: NodeName): void {
  const command = ["patroni", join(directory, name, "patroni.yml")];
  programs.set(`${name}-patroni`, runner.start(`${name}-patroni`, command));
}

function psql({ directory, layout, runner }: Parts, node: NodeName): readonly string[] {
  const port = String(layout.ports.postgres);
  return [
    "psql",
    "-qAtX",
    "-v",
    "ON_ERROR_STOP=1",
    "-h",
    join(directory, node),
    "-p",
    port,
    "-U",
    runner.user,
    "postgres",
  ];
}

/** Runs `patronictl` beside a node that answers. */
async function patronictl(parts: Parts, [command = "", ...args]: readonly string[]): Promise<string> {
  const config = join(parts.directory, await primaryOf(parts), "patroni.yml");
  return parts.runner.run(["patronictl", "-c", config, command, "trellis", ...args]);
}

/** Reads what one Patroni knows of all members; empty: none answers. */
async function membersOf(parts: Parts): Promise<readonly Member[]> {
  for (const name of names) {
    const text = await askPatroni(parts, name, "/cluster").catch(() => undefined);
    if (text !== undefined) return (JSON.parse(text) as { members: readonly Member[] }).members;
  }
  return [];
}

function askPatroni({ directory, layout }: Parts, name: NodeName, path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: layout.addresses[name],
        port: layout.ports.patroni,
        path,
        ca: readFileSync(join(directory, "tls/ca.crt")),
        timeout: 1_000,
        agent: false,
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        answer.on("end", () => resolve(answer.statusCode === 200 ? text : undefined));
        answer.on("error", reject);
      },
    );
    asked.on("timeout", () => asked.destroy(new Error("no answer")));
    asked.on("error", reject);
    asked.end();
  });
}

async function primaryOf(parts: Parts): Promise<NodeName> {
  const find = async () => (await membersOf(parts)).find(({ role, state }) => role === "leader" && state === "running");
  return (await waitFor("a primary", find, 60)).name;
}

/** Whether commits wait for a replica at the primary. */
async function isWaiting(parts: Parts): Promise<boolean> {
  const command = [...psql(parts, await primaryOf(parts)), "-c", "show synchronous_standby_names"];
  return parts.runner.run(command).trim() !== "";
}

async function awaitHealthy(parts: Parts, { isSynchronous }: { readonly isSynchronous: boolean }): Promise<void> {
  const isHealthy = async () => {
    for (const { name, isEnded } of parts.programs.values()) {
      if (isEnded()) throw new Error(`${name} has ended by itself: see ${name}.log`);
    }
    const members = await membersOf(parts);
    const up = members.filter(({ state }) => state === "running" || state === "streaming");
    const hasPrimary = members.some(({ role, state }) => role === "leader" && state === "running");
    const timelines = new Set(members.map(({ timeline }) => timeline));
    const hasSynchronous = members.some(({ role }) => role === "sync_standby");
    const isComplete = up.length === names.length && hasPrimary && timelines.size === 1;
    return isComplete && (hasSynchronous || !isSynchronous) ? true : undefined;
  };
  await waitFor("three members", isHealthy, 120);
}

/** PostgreSQL and Patroni of a node. */
function pidsOf({ directory, programs }: Parts, name: NodeName): readonly number[] {
  return [...aliveOf(programs.get(`${name}-patroni`)), ...processesIn(dataOf(directory, name))];
}

function aliveOf(program: Program | undefined): readonly number[] {
  return program === undefined || program.isEnded() ? [] : [program.child.pid];
}

async function take(parts: Parts, death: Death): Promise<NodeName> {
  const name = await primaryOf(parts);
  if (death === "planned") {
    const { runner, directory } = parts;
    const config = join(directory, name, "patroni.yml");
    runner.run(["patronictl", "-c", config, "switchover", "trellis", "--master", name, "--force"]);
  } else if (death === "process") {
    const pid = Number(readFileSync(join(dataOf(parts.directory, name), "postmaster.pid"), "utf8").split("\n")[0]);
    signalAll([pid], "SIGKILL");
  } else if (death === "machine") {
    await killNode(parts, name);
  } else {
    for (let round = 0; round < 2; round += 1) signalAll(pidsOf(parts, name), "SIGSTOP");
    parts.frozen.add(name);
  }
  return name;
}

async function cutReplication(parts: Parts): Promise<void> {
  const senders = processesIn(dataOf(parts.directory, await primaryOf(parts))).filter((pid) =>
    titleOf(pid).includes("walsender"),
  );
  if (senders.length !== names.length - 1) throw new Error(`the primary has ${senders.length} replicas`);
  signalAll(senders, "SIGSTOP");
}

async function killNode(parts: Parts, name: NodeName): Promise<void> {
  await killAll(() => [...pidsOf(parts, name), ...aliveOf(parts.programs.get(`${name}-etcd`))]);
  parts.programs.delete(`${name}-patroni`);
  parts.programs.delete(`${name}-etcd`);
}

async function bringBack(parts: Parts): Promise<void> {
  for (const name of parts.frozen) await killNode(parts, name);
  parts.frozen.clear();
  for (const name of names) {
    if (!parts.programs.has(`${name}-etcd`)) startEtcd(parts, name);
    if (!parts.programs.has(`${name}-patroni`)) startPatroni(parts, name);
  }
}

async function stopAll(parts: Parts): Promise<void> {
  const { programs, directory } = parts;
  const alive = (pattern: RegExp) =>
    [...programs.values()].flatMap((program) => (pattern.test(program.name) ? aliveOf(program) : []));
  // Nothing of it is needed again: no shutdown is waited for. Patroni first, which would start PostgreSQL anew.
  await killAll(() => alive(/patroni$/));
  await killAll(() => [...alive(/./), ...names.flatMap((name) => processesIn(dataOf(directory, name)))]);
}

/** Kills what `find` finds until it finds nothing: what they start meanwhile, too. */
async function killAll(find: () => readonly number[]): Promise<void> {
  for (let pids = find(); pids.length > 0; pids = find()) {
    signalAll(pids, "SIGKILL");
    await pause(20);
  }
}
