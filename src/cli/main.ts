#!/usr/bin/env node
import { parseArgs } from "node:util";
import { variables } from "../config/config.js";
import { DoctorError } from "./doctor/doctor-error.js";
import type { DoctorOptions } from "./doctor.js";
import { endInError } from "./end-in-error.js";
import { fetchProgram } from "./fetch-program.js";
import { startSandbox } from "./sandbox.js";
import { whyOf } from "./why.js";

const usage = `Usage: trellis <command>

Commands
  start      start the service; the default
  sandbox    run the sandbox chain alone, for services that have other environments
  sandbox fetch-program
             write the smart account program that a cluster runs to a file, for TRELLIS_SANDBOX_PROGRAM
  doctor <address>
             tell from the chain alone who may act for a smart account; needs no database and no API key
  move <settings or account>
             move an account from a service that closes, with its owner's code, and have the doctor prove that nobody else
             holds authority; --list moves many. Needs TRELLIS_API_KEY, and OLD_API_KEY for the other service
  index rebuild
             make the index of proposals anew from the chain; with the embedded database, stop the service first
  master-key rotate
             seal every secret at rest anew under the first key of TRELLIS_MASTER_KEY; with the embedded database, stop the
             service first
  rails bridge check
             tell whether the partner Bridge takes the configured key, and which webhooks it has
  rails bridge webhook create
             have Bridge send its webhooks to --url, keep their public key in the configured file, and switch them on
  rails refunds
             print the payments and payouts that a bank gave back, that the partner could not give back, and that nobody has
             seen to; with the embedded database, stop the service first
  rails refunds settle <id> --note <text>
             note that one was seen to, so that it is printed and counted no more; moves no money
  orders suspend <id> --reason <text>
             keep a standing order from paying anything new, until it is released; with the embedded database, stop the
             service first
  orders release <id>
             let a suspended standing order go on
  orders list
             print the standing orders that are suspended, and why
  orders executors
             print how many limits the executors of devnet and mainnet hold, and which orders still name a former one; with
             the embedded database, stop the service first
  session list [--tenant <id>] [--email <address>]
             print who is signed in; with the embedded database, stop the service first
  session end <id>, session end --email <address> [--tenant <id>]
             end a session, or all that match: nothing is signed or refreshed with them any more
  tenant create <id> [--name <text>]
             make a tenant: who owns API keys, users and accounts
  tenant disable <id>, tenant enable <id>
             end all that a tenant's API keys can do, from the next request on, or take that back
  tenant list
             print the tenants
  api-key create --tenant <id> --name <text> --environments <names> --scopes <names>
             make an API key and print it, this once; --publishable with --origins makes one that browsers may hold
  api-key revoke <id>
             end an API key for good, from the next request on
  api-key list --tenant <id>
             print a tenant's API keys, without their secrets
             (tenant and api-key: with the embedded database, stop the service first)
  listen     print events of a service as they happen; --forward-to sends each to a URL, signed; needs TRELLIS_API_KEY
  trigger <type>
             bring an event about in the sandbox, or make one up; needs TRELLIS_API_KEY
  trigger list
             print every type of event: whether it is made or an example, and which takes --account and --state

Options
  --port     sandbox: port to listen on (default 8899, or PORT)
  --rpc      fetch-program, doctor, move: JSON-RPC URL of the cluster
  --out      fetch-program: the file (default smart_account_program.so)
  --program  fetch-program: another program's address
  --settings doctor: the account's settings address, where the node cannot find it
  --expect-signers
             doctor: addresses, separated by commas, who are all the signers, and the only ones with any authority
  --expect-admin
             doctor: the address that is meant to be the admin, and has authority as such
  --old      move: URL of the service that is left
  --old-environment
             move: its word for the environment (default production for mainnet, otherwise sandbox)
  --email    move: whose account it is
  --keep     move: the owner's own keys that stay, signers and the admin, separated by commas
  --list     move: a file, a line for each account: email,settings, and the owner's own keys behind it
  --may-propose
             move: where the change needs votes or a time lock, propose it there
  --service-keys
             doctor: addresses, separated by commas, that hold no authority
  --executors
             doctor: addresses, separated by commas, that pay standing orders
  --service  doctor: URL of a service, asked with TRELLIS_API_KEY which standing order each limit belongs to
  --json     doctor: the report as JSON
  --environment
             index rebuild, listen, move: sandbox, devnet or mainnet alone; doctor: which of them the service is asked about;
             rails: which of them, where both have the partner
  --reason   orders suspend: why, for operators alone
  --note     rails refunds settle: what was done, for operators alone
  --by       rails refunds settle: who says so (default this system's user)
  --tenant   api-key create, list: whose keys; session list, end: whose users
  --name     tenant create, api-key create: for people
  --environments
             api-key create: mainnet, or sandbox, devnet or both, separated by commas
  --scopes   api-key create: separated by commas, or all: all but admin:tenants, which is given by name alone
  --publishable
             api-key create: for browsers; --scopes may be left out
  --origins  api-key create: pages that may use it, separated by commas: https://app.example
  --addresses
             api-key create: addresses or CIDR ranges that may use it, separated by commas (default all)
  --expires  api-key create: a date-time (default never)
  --url      listen, trigger, move: the service (default http://127.0.0.1:8080); rails bridge webhook create: where the service is
             found from outside, https://…
  --forward-to
             listen: a URL that gets every event
  --account  trigger: an account of yours that the event is to be about, instead of a new one
  --state    trigger: what the event is to say of its object; move: the file that says what is moved already (default the
             list's name with .state.json)
  --type     listen: only these types, or their beginnings; can be repeated
  --help     show this

move exits with 0 when every account is moved and proven, and with 1 when one is not; running it again goes on.
doctor exits with 0 when everything is as expected, with 1 when it is not, and with 2 when it cannot tell.

start, sandbox, index rebuild, rails, orders, tenant, api-key and master-key rotate are configured by environment variables; sandbox reads HOST, PORT, TRELLIS_DATA_DIR, DATABASE_URL,
TRELLIS_DATABASE_POOL, TRELLIS_MASTER_KEY, TRELLIS_LOG_LEVEL, TRELLIS_SANDBOX_PROGRAM, TRELLIS_SANDBOX_FAULTS, and TRELLIS_API_KEY as the key that
opens it. Two processes need two data directories.

`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      port: { type: "string" },
      rpc: { type: "string" },
      out: { type: "string" },
      program: { type: "string" },
      settings: { type: "string" },
      "expect-signers": { type: "string" },
      "expect-admin": { type: "string" },
      "service-keys": { type: "string" },
      old: { type: "string" },
      "old-environment": { type: "string" },
      email: { type: "string" },
      keep: { type: "string" },
      list: { type: "string" },
      account: { type: "string" },
      state: { type: "string" },
      "may-propose": { type: "boolean" },
      executors: { type: "string" },
      service: { type: "string" },
      json: { type: "boolean" },
      environment: { type: "string" },
      reason: { type: "string" },
      note: { type: "string" },
      by: { type: "string" },
      url: { type: "string" },
      "forward-to": { type: "string" },
      type: { type: "string", multiple: true },
      tenant: { type: "string" },
      name: { type: "string" },
      environments: { type: "string" },
      scopes: { type: "string" },
      publishable: { type: "boolean" },
      origins: { type: "string" },
      addresses: { type: "string" },
      expires: { type: "string" },
    },
  });
  const [command = "start", ...rest] = positionals;
  if (values.help) process.stdout.write(usage + describeVariables());
  else if (command === "sandbox" && rest.length === 1 && rest[0] === "fetch-program") await fetchTo(values);
  else if (command === "doctor" && rest.length <= 1)
    await examine({ ...values, apiKey: process.env.TRELLIS_API_KEY, rpc: values.rpc, address: rest[0] });
  else if (command === "move" && rest.length <= 1) {
    const { moveAccounts } = await import("./move.js");
    process.exitCode = await moveAccounts(process.env, { ...values, place: rest[0] });
  } else if (command === "index" && rest.length === 1 && rest[0] === "rebuild") {
    const { rebuild } = await import("./rebuild-index.js");
    await rebuild(process.env, values.environment);
  } else if (command === "rails" && rest[0] === "bridge") {
    const { railsBridge } = await import("./rails-bridge.js");
    const known = await railsBridge(process.env, rest.slice(1), { url: values.url, environment: values.environment });
    if (!known) refuse(`trellis rails bridge knows check and webhook create, not "${rest.slice(1).join(" ")}".`);
  } else if (command === "rails" && rest[0] === "refunds" && rest.length === 1) {
    const { listRefunds } = await import("./rails-refunds.js");
    await listRefunds(process.env);
  } else if (
    command === "rails" &&
    rest[0] === "refunds" &&
    rest[1] === "settle" &&
    rest[2] !== undefined &&
    rest.length === 3
  ) {
    if (!values.note?.trim()) return refuse("rails refunds settle needs --note.");
    const { settleOne } = await import("./rails-refunds.js");
    await settleOne(process.env, rest[2], { note: values.note, by: values.by });
  } else if (command === "listen" && rest.length === 0) {
    const { listen } = await import("./listen.js");
    const { url, environment, type: types = [] } = values;
    await listen(process.env, { url, environment, types, forwardTo: values["forward-to"] });
  } else if (command === "trigger" && rest.length === 1 && rest[0] !== undefined) {
    const { listTriggers, trigger } = await import("./trigger.js");
    if (rest[0] === "list") process.stdout.write(listTriggers());
    else await trigger(process.env, rest[0], { ...values, url: values.url, environment: values.environment });
  } else if (
    command === "session" &&
    rest.length >= 1 &&
    rest.length <= 2 &&
    (rest[0] === "list" || rest[0] === "end")
  ) {
    const filter = { id: rest[1], tenant: values.tenant, email: values.email };
    if (rest[0] === "end" && Object.values(filter).every((value) => value === undefined)) {
      return refuse("session end needs an id, --email or --tenant.");
    }
    const { runSessionCommand } = await import("./end-sessions.js");
    await runSessionCommand(process.env, { ...filter, ends: rest[0] === "end" });
  } else if (command === "orders" && rest.length === 2 && rest[1] !== undefined && isSuspension(rest[0])) {
    if (rest[0] === "suspend" && !values.reason?.trim()) return refuse("orders suspend needs --reason.");
    const { changeSuspension } = await import("./suspend-order.js");
    await changeSuspension(process.env, rest[1], rest[0] === "suspend" ? values.reason : undefined);
  } else if (command === "orders" && rest.length === 1 && rest[0] === "list") {
    const { listSuspensions } = await import("./suspend-order.js");
    await listSuspensions(process.env);
  } else if (command === "orders" && rest.length === 1 && rest[0] === "executors") {
    const { listExecutors } = await import("./list-executors.js");
    await listExecutors(process.env);
  } else if (command === "tenant" || command === "api-key") {
    const { manageKeys } = await import("./manage-keys.js");
    const fault = await manageKeys(process.env, [command, ...rest], values);
    if (fault !== undefined) refuse(fault);
  } else if (command === "master-key" && rest.length === 1 && rest[0] === "rotate") {
    const { rotate } = await import("./rotate-master-key.js");
    await rotate(process.env);
  } else if (rest.length > 0) refuse(`trellis takes one command, not "${positionals.join(" ")}".`);
  else if (command === "start" && values.port === undefined) await import("../main.js");
  else if (command === "sandbox") await startSandbox(process.env, values.port);
  else if (command === "start") refuse("--port is for sandbox; the service listens on PORT.");
  else refuse(`trellis does not know the command "${command}".`);
}

const isSuspension = (word: string | undefined): boolean => word === "suspend" || word === "release";

async function fetchTo(values: { rpc?: string; out?: string; program?: string }): Promise<void> {
  if (values.rpc === undefined) return refuse("fetch-program needs --rpc: the JSON-RPC URL of a cluster.");
  try {
    const { path, bytes } = await fetchProgram({
      rpcUrl: values.rpc,
      program: values.program,
      out: values.out ?? "smart_account_program.so",
    });
    process.stdout.write(`${bytes} bytes written. Start the sandbox with TRELLIS_SANDBOX_PROGRAM=${path}\n`);
  } catch (error) {
    // What can go wrong here is the operator's to mend: the URL, its key, the address.
    process.stderr.write(`The program was not fetched. ${whyOf(error)}\n`);
    process.exitCode = 1;
  }
}

async function examine(options: DoctorOptions): Promise<void> {
  try {
    const { runDoctor } = await import("./doctor.js");
    const { text, exitCode } = await runDoctor(options);
    process.stdout.write(text);
    process.exitCode = exitCode;
  } catch (error) {
    if (!(error instanceof DoctorError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}

function describeVariables(): string {
  const width = Math.max(...Object.keys(variables).map((name) => name.length)) + 2;
  const lines = Object.entries(variables).map(([name, [byDefault, meaning]]) => {
    const ending = byDefault === "" ? "" : ` (default ${byDefault})`;
    return `  ${name.padEnd(width)}${meaning}${ending}`;
  });
  return `Variables\n${lines.join("\n")}\n`;
}

function refuse(reason: string): void {
  process.stderr.write(`${reason}\n\n${usage}`);
  process.exitCode = 2;
}

main().catch((error: unknown) => {
  if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")) {
    refuse(error.message);
  } else if (error instanceof Error && error.name === "TrellisNetworkError") {
    process.stderr.write(`The service does not answer. Is it running, and at --url? ${whyOf(error)}\n`);
    process.exitCode = 1;
  } else endInError(error);
});
