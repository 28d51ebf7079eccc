import type { Address } from "@solana/kit";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { findKnownBuild, type KnownBuild } from "./known-builds.js";
import {
  type DeploymentMark,
  isSameMark,
  readDeployment,
  readDeploymentMark,
  UnreadableProgramError,
} from "./read-deployment.js";

/** Which builds of the programs that it calls each cluster runs, as this process has read them. */
export interface ProgramChecks {
  /**
   * Reads what is deployed, and logs what an operator has to know: a build that was not tested, one that was deployed anew,
   * one that cannot be read. Costs one small question for each program while nothing changes. Does not reject, and stops nothing: payments
   * continue. Calls for an environment that is being read wait for that reading.
   */
  read(network: ReadNetwork): Promise<void>;
  /**
   * Whether the build of the first program that was read last is a known one; false also where a node shows none that can be read, undefined before
   * any node has answered.
   */
  isKnown(environment: EnvironmentName): boolean | undefined;
  /** Ends what is under way. */
  stop(): Promise<void>;
}

/** What reading needs of a network. */
type ReadNetwork = Pick<Network, "name" | "rpc">;

/** What passes and others need. */
export interface ProgramNeeds {
  readonly programs: ProgramChecks;
}

/** What is remembered of a deployment: not its code. */
interface Read extends DeploymentMark {
  readonly sha256: string;
  readonly bytes: number;
  readonly known: KnownBuild | undefined;
}

interface Standing {
  readonly read: Read | undefined;
  readonly ending:
    | "read"
    /** A node has returned something that is no program. */
    | "unreadable"
    /** None has returned anything since. */
    | "unanswered";
}

interface Parts {
  readonly log: Log;
  /** Hashes of further builds, in hexadecimal. */
  readonly trusted: readonly string[];
}

/** Makes a check of these programs that has read nothing yet. */
export function createProgramChecks(
  parts: Parts & { readonly programs: readonly [Address, ...Address[]] },
): ProgramChecks {
  const [first, ...others] = parts.programs;
  const checks = createCheck(parts, first);
  const all = [checks, ...others.map((program) => createCheck(parts, program))];
  return {
    read: async (network) => void (await Promise.all(all.map((each) => each.read(network)))),
    isKnown: checks.isKnown,
    stop: async () => void (await Promise.all(all.map((each) => each.stop()))),
  };
}

function createCheck({ log, trusted }: Parts, program: Address): ProgramChecks {
  const standings = new Map<EnvironmentName, Standing>();
  const underWay = new Map<EnvironmentName, Promise<void>>();
  const stopping = new AbortController();
  const stopped = new Promise<undefined>((resolve) => {
    stopping.signal.addEventListener("abort", () => resolve(undefined));
  });

  const readOnce = async (network: ReadNetwork): Promise<void> => {
    const { name } = network;
    const before = standings.get(name);
    try {
      // A node that is silent holds up no end.
      const read = await Promise.race([readAnew(network, program, before?.read, trusted, stopping.signal), stopped]);
      if (read === undefined) return;
      standings.set(name, { read, ending: "read" });
      if (read !== before?.read) report(log, { environment: name, program }, read, before?.read);
      else if (before?.ending !== "read")
        log.info({ event: "program_read", environment: name, program }, "program can be read again");
    } catch (error) {
      if (stopping.signal.aborted) return;
      // Silence takes back nothing that was returned.
      const isUnreadable = error instanceof UnreadableProgramError || before?.ending === "unreadable";
      const ending = isUnreadable ? "unreadable" : "unanswered";
      standings.set(name, { read: before?.read, ending });
      // One line for each is enough.
      if (before?.ending === ending) return;
      log.warn(
        { event: "program_unread", environment: name, program, err: error },
        "program of the cluster cannot be read: an upgrade would go unnoticed. It is tried again",
      );
    }
  };

  return {
    read: (network) => {
      const reading = underWay.get(network.name) ?? readOnce(network).finally(() => void underWay.delete(network.name));
      underWay.set(network.name, reading);
      return reading;
    },
    isKnown: (environment) => {
      const { read, ending } = standings.get(environment) ?? {};
      if (ending === "unreadable") return false;
      return read && read.known !== undefined;
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(underWay.values());
    },
  };
}

/** The former reading itself where nothing was deployed since. */
async function readAnew(
  network: ReadNetwork,
  program: Address,
  former: Read | undefined,
  trusted: readonly string[],
  abortSignal: AbortSignal,
): Promise<Read> {
  if (former && isSameMark(former, await readDeploymentMark(network, program, { abortSignal }))) return former;
  const { elf, sha256, slot, upgradeAuthority } = await readDeployment(network, program, { abortSignal });
  return { slot, upgradeAuthority, sha256, bytes: elf.length, known: findKnownBuild(program, sha256, trusted) };
}

function report(
  log: Log,
  of: { readonly environment: EnvironmentName; readonly program: Address },
  read: Read,
  former: Read | undefined,
): void {
  const { known } = read;
  const build = known?.name ?? null;
  const facts = { ...of, ...factsOf(read), build };
  const changed = { ...facts, ...(former && { former: factsOf(former) }) };
  if (former === undefined && known) {
    log.info({ event: "program_known", ...facts }, "program of the cluster is a known build");
  } else if (former === undefined) {
    // operator: try the build in the sandbox (`trellis sandbox fetch-program`), then name its hash in `TRELLIS_KNOWN_PROGRAMS`
    log.warn(
      { event: "program_unknown", ...facts },
      "program of the cluster is a build that was not tested with this release",
    );
  } else if (known === undefined) {
    // operator: try the build in the sandbox (`trellis sandbox fetch-program`), then name its hash in `TRELLIS_KNOWN_PROGRAMS`
    log.warn(
      { event: "program_changed", ...changed },
      "program was deployed anew, and its build was not tested with this release: payments may fail",
    );
  } else if (read.upgradeAuthority !== former.upgradeAuthority) {
    log.warn(
      { event: "program_authority_changed", ...changed },
      "program can be upgraded by another key now; its build is a known one",
    );
  } else {
    log.info({ event: "program_redeployed", ...changed }, "program was deployed anew; its build is a known one");
  }
}

function factsOf({ sha256, slot, upgradeAuthority, bytes }: Omit<Read, "known">): {
  readonly sha256: string;
  readonly deployed_slot: string;
  readonly upgrade_authority: Address | null;
  readonly bytes: number;
} {
  return { sha256, deployed_slot: slot.toString(), upgrade_authority: upgradeAuthority, bytes };
}
