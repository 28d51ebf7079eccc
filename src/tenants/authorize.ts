import type { Caller, Contract, EnvironmentRule } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Scope } from "@trellis/kernel/scope.js";

/** Throws `insufficient_scope` unless the key holds the scope (gap 2). */
export function checkScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.has(scope)) return;
  throw new TrellisError("insufficient_scope", {
    message: `This API key lacks the scope ${scope}, which this operation needs.`,
    facts: { scope },
  });
}

/** Throws `secret_key_required` unless publishable keys may call the operation (gap 123). */
export function checkPublishable({ publishable }: Pick<Contract, "publishable">): void {
  if (publishable === undefined) throw new TrellisError("secret_key_required");
}

/** Whether the key of an agent may call an operation (gap 231): it reads, or its contract says so. */
export function isForAgents({ method, scope, agents }: Pick<Contract, "method" | "scope" | "agents">): boolean {
  return agents === true || (method === "GET" && scope?.endsWith(":read") === true);
}

/** Throws `not_for_agents` unless the key of an agent may call the operation. */
export function checkAgent(contract: Pick<Contract, "method" | "scope" | "agents">): void {
  if (!isForAgents(contract)) throw new TrellisError("not_for_agents");
}

/**
 * The network a call is about (gap 1, gap 49): `header` is the value of `x-service-environment`. Undefined only under
 * the rule `none`. Throws `environment_required`, `invalid_environment`, `environment_not_available`, and
 * `insufficient_scope` for an environment that is not the key's.
 */
export function chooseNetwork(
  rule: EnvironmentRule,
  header: string | undefined,
  caller: Caller | undefined,
  networks: ReadonlyMap<EnvironmentName, Network>,
): Network | undefined {
  const named = header === undefined ? undefined : parseEnvironmentName(header);
  if (rule === "none") return undefined;
  const name = rule === "sandbox" ? sandboxOnly(named) : (named ?? impliedBy(rule, caller));
  const network = networks.get(name);
  if (!network) {
    const here = [...networks.keys()].join(", ");
    throw new TrellisError("environment_not_available", {
      message: `The environment ${name} is not available here. There is: ${here}.`,
      facts: { environments: [...networks.keys()] },
    });
  }
  if (caller && !caller.environments.includes(name)) {
    throw new TrellisError("insufficient_scope", {
      message: `This API key is not for the environment ${name}.`,
      facts: { environments: caller.environments },
    });
  }
  return network;
}

/** Reads an `x-service-environment` value. Throws `invalid_environment` for anything unknown. */
function parseEnvironmentName(value: string): EnvironmentName {
  if (value === "production") return "mainnet";
  const name = environmentNames.find((known) => known === value);
  if (!name) throw new TrellisError("invalid_environment");
  return name;
}

function sandboxOnly(named: EnvironmentName | undefined): EnvironmentName {
  if (named !== undefined && named !== "sandbox") {
    throw new TrellisError("environment_not_available", { message: "This operation exists in the sandbox only." });
  }
  return "sandbox";
}

function impliedBy(rule: EnvironmentRule, caller: Caller | undefined): EnvironmentName {
  const [only, ...others] = caller?.environments ?? [];
  if (rule === "required" || only === undefined || others.length > 0) {
    throw new TrellisError("environment_required", {
      ...(caller === undefined
        ? {}
        : {
            message: `Name the environment in the x-service-environment header; this key is for: ${caller.environments.join(", ")}.`,
            facts: { environments: caller.environments },
          }),
    });
  }
  return only;
}
