import { type Address, isAddress } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { SandboxFaults } from "@trellis/kernel/ports/network.js";
import type { KeyStores } from "./key-stores.js";
import { parseServiceKeys, type ServiceKeys } from "./service-keys.js";
import type { ClusterName, ReadCluster } from "./variables.js";

/** A real cluster, as configured. */
export interface ClusterConfig extends ServiceKeys {
  readonly name: ClusterName;
  readonly urls: readonly string[];
  /** Where changes of accounts are reported; null: nowhere. */
  readonly wsUrl: string | null;
  readonly genesisHash: string;
  readonly mints: ReadonlyMap<string, Address>;
}

/** Where the sandbox's chain runs. `embedded`: in this process. */
export type SandboxConfig =
  | { readonly kind: "off" }
  | { readonly kind: "embedded" }
  | { readonly kind: "remote"; readonly url: string };

/** What says of a cluster what it is: its variables, and what distinguishes it from others. */
export interface GivenCluster {
  readonly name: ClusterName;
  readonly read: ReadCluster;
  readonly genesisHash: string;
  readonly keyStores: KeyStores;
}

/** Undefined when nothing names the cluster. Of use only when no problem was added. Problems name variables and never repeat a value that may be secret. */
export function parseCluster(
  { name, read, genesisHash, keyStores }: GivenCluster,
  problems: string[],
): ClusterConfig | undefined {
  const prefix = `TRELLIS_${name.toUpperCase()}`;
  const given = {
    urls: read("RPC_URLS"),
    wsUrl: read("WS_URL"),
    feePayer: read("FEE_PAYER"),
    executor: read("EXECUTOR"),
    formerFeePayer: read("FORMER_FEE_PAYER"),
    formerExecutor: read("FORMER_EXECUTOR"),
    passkeyPayer: read("PASSKEY_PAYER"),
    mints: read("MINTS"),
  };
  if (Object.values(given).every((value) => value === "")) return undefined;
  const urls = given.urls.split(",").map((url) => url.trim());
  if (given.urls === "") problems.push(`${prefix}_RPC_URLS is required with the other variables of ${name}.`);
  else
    urls.forEach((url, i) => {
      const problem = findUrlProblem(url);
      if (problem !== undefined) problems.push(`${prefix}_RPC_URLS: URL ${i + 1} ${problem}.`);
    });
  const wsProblem =
    given.wsUrl === "" || given.wsUrl === "off" ? undefined : findUrlProblem(given.wsUrl, ["ws:", "wss:"]);
  if (wsProblem !== undefined) problems.push(`${prefix}_WS_URL ${wsProblem}.`);
  const wsUrl = wsUrlOf(given.wsUrl, urls[0] ?? "");
  const keys = parseServiceKeys(prefix, given, keyStores, problems);
  if (!isAddress(genesisHash)) problems.push(`${prefix}_GENESIS_HASH must be 32 bytes in base58.`);
  const mints = parseMints(`${prefix}_MINTS`, given.mints, problems);
  return { name, urls, wsUrl, ...keys, genesisHash, mints };
}

/** Decides where the sandbox runs (gap 1). `mode` is TRELLIS_SANDBOX, `url` TRELLIS_SANDBOX_RPC_URL. */
export function parseSandbox(
  { mode, url, besideClusters }: { readonly mode: string; readonly url: string; readonly besideClusters: boolean },
  problems: string[],
): SandboxConfig {
  if (mode !== "auto" && mode !== "on" && mode !== "off") {
    problems.push("TRELLIS_SANDBOX must be auto, on or off.");
    return { kind: "off" };
  }
  if (mode === "off") {
    if (url !== "") problems.push("TRELLIS_SANDBOX_RPC_URL names a sandbox while TRELLIS_SANDBOX is off.");
    if (!besideClusters) problems.push("TRELLIS_SANDBOX is off and no other environment is configured.");
    return { kind: "off" };
  }
  if (url !== "") {
    const problem = findUrlProblem(url);
    if (problem !== undefined) problems.push(`TRELLIS_SANDBOX_RPC_URL ${problem}.`);
    else if (!new URL(url).searchParams.get("api-key")) {
      problems.push("TRELLIS_SANDBOX_RPC_URL must hold the sandbox's key: http://host:port/?api-key=…");
    }
    return { kind: "remote", url };
  }
  if (!besideClusters) return { kind: "embedded" };
  if (mode === "on") {
    problems.push(
      "TRELLIS_SANDBOX is on beside another environment: there the sandbox has to be a process of its own. " +
        "Start it with `trellis sandbox`, and name it in TRELLIS_SANDBOX_RPC_URL.",
    );
  }
  return { kind: "off" };
}

/** Reads TRELLIS_SANDBOX_FAULTS (gap 126): null where nothing is said. */
export function parseFaults(text: string, sandbox: SandboxConfig, problems: string[]): SandboxFaults | null {
  if (text === "") return null;
  if (sandbox.kind !== "embedded") {
    problems.push("TRELLIS_SANDBOX_FAULTS is for the process that runs the sandbox chain, which this one does not.");
  }
  const faults = { drop: 0, blockhashNotFound: 0, fullBlocks: 0, price: 0, fork: 0, lag: 0 };
  const names = {
    drop: "drop",
    blockhash_not_found: "blockhashNotFound",
    full_blocks: "fullBlocks",
    fork: "fork",
  } as const;
  for (const part of text.split(",")) {
    const [, name, times] =
      /^(drop|blockhash_not_found|full_blocks|fork)=([1-9][0-9]{0,2}|always)$/.exec(part.trim()) ?? [];
    const [, price] = /^price=([1-9][0-9]{0,8})$/.exec(part.trim()) ?? [];
    const [, lag] = /^lag=([1-9][0-9]{0,2})$/.exec(part.trim()) ?? [];
    if (price !== undefined) {
      faults.price = Number(price);
    } else if (lag !== undefined && Number(lag) <= limits.sandboxLagMax) {
      faults.lag = Number(lag);
    } else if (name === undefined || times === undefined) {
      problems.push(
        "TRELLIS_SANDBOX_FAULTS must be drop=N, blockhash_not_found=N, full_blocks=N, fork=N, price=P and lag=S: N from 1 to " +
          `999, or always; P from 1 to 999999999; S from 1 to ${limits.sandboxLagMax}.`,
      );
      return null;
    } else {
      faults[names[name as keyof typeof names]] = times === "always" ? limits.sandboxFaultsAlways : Number(times);
    }
  }
  return faults;
}

/** As nodes and providers have it: where the URL names no port the same one, else the port behind it. */
function wsUrlOf(configured: string, rpcUrl: string): string | null {
  if (configured === "off") return null;
  if (configured !== "" || !URL.canParse(rpcUrl)) return configured || null;
  const url = new URL(rpcUrl.replace(/^http/, "ws"));
  if (url.port !== "") url.port = String(Number(url.port) + 1);
  return url.href;
}

function findUrlProblem(text: string, protocols: readonly string[] = ["http:", "https:"]): string | undefined {
  if (!URL.canParse(text)) return "is not a URL";
  const { protocol, username, password } = new URL(text);
  if (!protocols.includes(protocol)) return `must begin with ${protocols.map((name) => `${name}//`).join(" or ")}`;
  if (username !== "" || password !== "")
    return "must not hold a user or password; providers take keys in path or query";
  return undefined;
}

function parseMints(variable: string, text: string, problems: string[]): ReadonlyMap<string, Address> {
  const mints = new Map<string, Address>();
  if (text === "") return mints;
  for (const part of text.split(",")) {
    const [symbol = "", mint = ""] = part.trim().split("=");
    if (!/^[a-z0-9]{2,12}$/.test(symbol) || symbol === "sol" || !isAddress(mint)) {
      problems.push(`${variable}: "${part.trim()}" is not of the form usdc=<mint address>.`);
    } else if (mints.has(symbol)) problems.push(`${variable} names ${symbol} twice.`);
    else mints.set(symbol, mint);
  }
  return mints;
}
