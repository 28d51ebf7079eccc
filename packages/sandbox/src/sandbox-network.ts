import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Address } from "@solana/kit";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db, Lease } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network, SandboxFaults, SponsorshipLimits } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { UnusableEnvironmentError } from "@trellis/kernel/unusable-environment-error.js";
import {
  accountKindOf,
  PROGRAM_CONFIG_ADDRESS,
  SIGNATURE_PROGRAM_ADDRESS,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { getProgramConfigEncoder } from "@trellis/program-client/generated/accounts/index.js";
import { mainnetCurrencies } from "@trellis/solana/currencies.js";
import { exactBlockTimes, judgeByOneNode, listByOneNode } from "@trellis/solana/one-node.js";
import { deriveServiceKey, sandboxExecutorLabel, sandboxFeePayerLabel } from "@trellis/solana/service-key.js";
import type { AccountState } from "./node/account-state.js";
import { describeFaults } from "./node/faults.js";
import { createNamedAddresses } from "./node/named-addresses.js";
import { createRpcSockets } from "./node/rpc-sockets.js";
import { openSandboxNode } from "./node/sandbox-node.js";
import { readTokenAccount } from "./node/token-layout.js";

/** Changed accounts that are remembered until a caller takes them: where none does, the set must end. */
const changedMax = 10_000;

/** What the sandbox's fee payer is filled up to at every start. */
const feePayerLamports = 1_000_000_000_000_000n;

/** The programs' builds that belong to this release. */
const ownProgram = fileURLToPath(new URL("../../../program/artifact/smart_account_program.so", import.meta.url));
const ownSignatureProgram = fileURLToPath(
  new URL("../../../program/artifact/external_signature_program.so", import.meta.url),
);

/** Where the chain is kept, and what makes sure that one process alone runs it. */
interface ChainDatabase {
  readonly db: Db;
  /** Undefined while another process has the name. */
  takeLease(name: string): Promise<Lease | undefined>;
}

/** The sandbox's network, with the node that runs it. */
export interface SandboxNetwork {
  readonly network: Network;
  /** Finishes the transactions the node has accepted, and leaves the chain to others. */
  close(): Promise<void>;
}

/**
 * Opens the sandbox chain in the database and makes it a network. The service's own keys derive from the master key, so
 * that nothing of them is stored. A path that is null or absent takes the build that belongs to this release.
 */
export async function openSandboxNetwork(parts: {
  readonly database: ChainDatabase;
  readonly keyring: Keyring;
  readonly realClock: Clock;
  readonly pause: Pause;
  readonly random: Random;
  readonly log: Log;
  readonly sponsorship: SponsorshipLimits;
  readonly programPath: string | null;
  readonly signatureProgramPath?: string | null;
  /** What is to go wrong on purpose (gap 126). Absent: nothing. */
  readonly faults?: SandboxFaults | null;
}): Promise<SandboxNetwork> {
  const { keyring, realClock, random, log } = parts;
  const { db } = parts.database;
  const lease = await takeChain(parts.database, parts.pause);
  const feePayer = deriveServiceKey(keyring, sandboxFeePayerLabel);
  const executor = deriveServiceKey(keyring, sandboxExecutorLabel);
  const changed = new Set<Address>();
  const named = createNamedAddresses();
  const node = await openSandboxNode({
    db,
    seal: keyring,
    realClock,
    random,
    log,
    programs: [
      { address: SMART_ACCOUNT_PROGRAM_ADDRESS, elf: await readFile(parts.programPath ?? ownProgram) },
      {
        address: SIGNATURE_PROGRAM_ADDRESS,
        elf: await readFile(parts.signatureProgramPath ?? ownSignatureProgram),
      },
    ],
    genesisAccounts: [programConfig(deriveServiceKey(keyring, "sandbox/program-authority").address)],
    funded: [{ address: feePayer.address, lamports: feePayerLamports }],
    faults: parts.faults ?? undefined,
    onStored: (address, before, after) => {
      if (changed.size < changedMax && isNewsOfProposals(before, after)) changed.add(address);
      // A payment into a token account need not name whose it is.
      const token = (after && readTokenAccount(after)) ?? (before && readTokenAccount(before));
      if (token !== undefined) named.add([token.owner]);
    },
    onLanded: named.add,
  });
  const reportOfFaults = () => {
    const faults = describeFaults(node.readFaults());
    if (faults === undefined) log.info({ event: "sandbox_faults_ended" }, "sandbox faults ended");
    else log.warn({ event: "sandbox_faults_set", faults }, "sandbox faults set: the sandbox chain fails on purpose");
  };
  if (parts.faults) reportOfFaults();
  const sockets = createRpcSockets(node.openSession, limits.sandboxSockets, log);
  const network: Network = {
    name: "sandbox",
    clock: node.clock,
    rpc: node.rpc,
    feePayer,
    executor,
    serviceAddresses: new Set([feePayer.address, executor.address]),
    currencies: mainnetCurrencies,
    sponsorship: parts.sponsorship,
    judgeUnseen: judgeByOneNode(node.rpc, node.clock),
    listLanded: listByOneNode(node.rpc, node.clock),
    blockTimeOf: exactBlockTimes(node.rpc),
    landsInOrder: true,
    changes: {
      take: () => {
        const claimed = [...changed];
        changed.clear();
        return claimed;
      },
      putBack: (addresses) => {
        for (const address of addresses) if (changed.size < changedMax) changed.add(address);
      },
      takeNamed: named.take,
      putBackNamed: named.putBack,
      mark: named.mark,
      changedSince: named.changedSince,
    },
    health: async () => {
      await node.rpc.getSlot().send();
      const message = describeFaults(node.readFaults());
      return { ok: true, ...(message === undefined ? {} : { message }) };
    },
    sandbox: {
      advanceClock: (seconds) => node.advanceClock(seconds),
      advanceClockTo: (instant) => node.advanceClockTo(instant),
      airdrop: (to, lamports) => node.airdrop(to, lamports),
      mintTo: (owner, mint, amount, name) => node.mintTo(owner, mint, amount, name),
      readFaults: async () => node.readFaults(),
      setFaults: async (faults) => {
        await node.setFaults(faults);
        reportOfFaults();
      },
      handleRpc: (payload) => node.handle(payload),
      answerRpc: (text, room) => node.answerRpc(text, room),
      sockets,
    },
  };
  const close = async () => {
    sockets.close();
    await node.close();
    await lease.release();
  };
  return { network, close };
}

/** How often and how long apart the chain is asked for: a process that was killed leaves it within moments. */
const leaseTries = { count: 20, apartMs: 250 } as const;

/** One process owns a sandbox chain (gap 1). Throws UnusableEnvironmentError while another one does. */
async function takeChain(database: ChainDatabase, pause: Pause): Promise<Lease> {
  for (let tries = 0; tries < leaseTries.count; tries += 1) {
    const lease = await database.takeLease("sandbox-chain");
    if (lease) return lease;
    await pause(leaseTries.apartMs);
  }
  throw new UnusableEnvironmentError(
    "sandbox",
    "another process runs the sandbox chain of this database. Stop it, or run the chain alone with `trellis sandbox` and " +
      "give every service its URL in TRELLIS_SANDBOX_RPC_URL.",
  );
}

/** Whether something was proposed, voted or decided here: settings that are new have no proposals yet. */
function isNewsOfProposals(before: AccountState | undefined, after: AccountState | undefined): boolean {
  const state = after?.owner === SMART_ACCOUNT_PROGRAM_ADDRESS ? after : before;
  if (state?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return false;
  const kind = accountKindOf(state.data);
  if (kind !== "proposal" && (kind !== "settings" || before === undefined)) return false;
  return !before || !after || !Buffer.from(before.data).equals(after.data);
}

/**
 * The program's configuration as its initializer would leave it: no accounts yet and no creation fee (gap 53). Its
 * initializer's key is not ours, so the account is put in place instead.
 */
function programConfig(authority: Address) {
  const data = getProgramConfigEncoder().encode({
    smartAccountIndex: 0n,
    authority,
    smartAccountCreationFee: 0n,
    treasury: authority,
    reserved: new Uint8Array(64),
  });
  const lamports = 6_960n * (128n + BigInt(data.length));
  return {
    address: PROGRAM_CONFIG_ADDRESS,
    owner: SMART_ACCOUNT_PROGRAM_ADDRESS,
    lamports,
    data: new Uint8Array(data),
  };
}
