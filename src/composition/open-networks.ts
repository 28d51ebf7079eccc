import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { loadSandbox } from "@trellis/sandbox/load-sandbox.js";
import { openRemoteSandbox } from "@trellis/sandbox/process/remote-network.js";
import { openAccountSubscriptions } from "../adapters/chain/cluster/account-subscriptions.js";
import { openClusterNetwork } from "../adapters/chain/cluster/cluster-network.js";
import type { RpcConnect } from "../adapters/chain/cluster/rpc-url.js";
import type { OpenDatabase } from "../adapters/db/open-database.js";
import { openServiceKeys } from "../adapters/keys/open-service-key.js";
import { createPkcs11Door } from "../adapters/keys/pkcs11.js";
import { systemPause } from "../adapters/system.js";
import type { Config } from "../config/config.js";
import { every } from "../scheduler/every.js";

const followSandboxEveryMs = 1_000;

/**
 * Opens every configured environment, and names what has to be closed or called again. The sandbox's virtual machine is
 * native code: it is loaded only where no other environment is, and so never shares a process with their keys (gap 1).
 */
export async function openNetworks(
  config: Config,
  parts: {
    readonly database: OpenDatabase;
    readonly db: Db;
    readonly keyring: Keyring;
    readonly realClock: Clock;
    readonly random: Random;
    readonly log: Log;
    readonly connectTo?: (environment: EnvironmentName) => RpcConnect;
  },
  opened: { close(): Promise<unknown> }[],
): Promise<Network[]> {
  const { sandbox: sponsorship } = config.sponsorship;
  const networks: Network[] = [];
  if (config.sandbox.kind === "embedded") {
    const { openSandboxNetwork } = await loadSandbox();
    const sandbox = await openSandboxNetwork({
      ...parts,
      pause: systemPause,
      sponsorship,
      programPath: config.sandboxProgramPath,
      signatureProgramPath: config.sandboxSignatureProgramPath,
      faults: config.sandboxFaults,
    });
    opened.push(sandbox);
    networks.push(sandbox.network);
  }
  if (config.sandbox.kind === "remote") {
    const { network, follow } = await openRemoteSandbox({ ...parts, sponsorship, url: config.sandbox.url });
    const following = every(followSandboxEveryMs, follow, parts.log);
    opened.push({ close: () => following.stop() });
    networks.push(network);
  }
  const { realClock, log } = parts;
  const keyNeeds = { stores: config.keyStores, signByPkcs11: createPkcs11Door(), realClock, log };
  for (const cluster of config.clusters) {
    const keys = await openServiceKeys(keyNeeds, cluster.name, cluster);
    const network = await openClusterNetwork({
      ...cluster,
      ...parts,
      ...keys,
      sponsorship: config.sponsorship.cluster,
      pause: systemPause,
      ...(parts.connectTo ? { connect: parts.connectTo(cluster.name) } : {}),
    });
    if (cluster.wsUrl === null) {
      networks.push(network);
      continue;
    }
    const subscriptions = openAccountSubscriptions({ url: cluster.wsUrl, log: parts.log });
    opened.push(subscriptions);
    networks.push({ ...network, changes: subscriptions.changes, changesState: subscriptions.state });
  }
  return networks;
}
