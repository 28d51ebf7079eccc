import { createSolanaRpcFromTransport } from "@solana/kit";
import { parseJsonWithBigInts, stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import { askChain } from "../../../core/chain/ask-chain.js";
import type { Keyring } from "../../../core/crypto/envelope.js";
import { TrellisError } from "../../../errors.js";
import { limits } from "../../../limits.js";
import type { Clock } from "../../../ports/clock.js";
import type { Log } from "../../../ports/log.js";
import type { Network, SandboxFaults, SponsorshipLimits } from "../../../ports/network.js";
import { mainnetCurrencies } from "../currencies.js";
import { exactBlockTimes, judgeByOneNode } from "../one-node.js";
import { createEnvironmentClock } from "../sandbox/environment-clock.js";
import { createRpcSockets } from "../sandbox/rpc-sockets.js";
import { deriveServiceKey, sandboxExecutorLabel, sandboxFeePayerLabel } from "../service-key.js";
import { UnusableEnvironmentError } from "../unusable-environment-error.js";
import { sandboxPaths, sandboxTimeHeader } from "./protocol.js";
import { createRemoteSessions } from "./remote-session.js";

const requestMs = 20_000;
/** What the fee payer is filled up to at every start; it is play money, from the chain's own faucet. */
const feePayerLamports = 1_000_000_000_000n;

/** The network of a sandbox in another process. */
export interface RemoteSandbox {
  readonly network: Network;
  /** Learns the sandbox's present time; every other answer of it brings it too. Throws `chain_unavailable`. */
  follow(): Promise<void>;
}

/**
 * Opens the sandbox of another process (`trellis sandbox`) as a network. `url` holds its key as query parameter
 * `api-key`. The environment clock follows the chain's: real time plus what the last answer showed it to be ahead.
 * Throws UnusableEnvironmentError when that process does not answer or refuses the key.
 */
export async function openRemoteSandbox(parts: {
  readonly url: string;
  readonly keyring: Keyring;
  readonly realClock: Clock;
  readonly sponsorship: SponsorshipLimits;
  readonly log: Log;
}): Promise<RemoteSandbox> {
  const { keyring, realClock } = parts;
  const base = new URL(parts.url);
  const key = base.searchParams.get("api-key") ?? "";
  const clock = createEnvironmentClock(realClock, 0n);
  let asked = 0;
  let heard = 0;

  const post = async (path: string, body: string): Promise<string> => {
    const url = new URL(path, base.origin);
    asked += 1;
    const question = asked;
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(url, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(requestMs),
      });
      text = await answer.text();
    } catch (cause) {
      throw new TrellisError("chain_unavailable", { cause });
    }
    const now = Number(answer.headers.get(sandboxTimeHeader) ?? Number.NaN);
    // An answer that was overtaken tells an old time, unless it is a later one.
    if (Number.isSafeInteger(now) && (question > heard || now > clock.now())) {
      heard = Math.max(heard, question);
      clock.setOffsetMs(BigInt(now) - BigInt(Math.floor(realClock.now())));
    }
    if (!answer.ok) {
      throw new TrellisError("chain_unavailable", {
        cause: new Error(`the sandbox answered ${answer.status}: ${text}`),
      });
    }
    return text;
  };
  const control = async <Answer>(path: string, body: object): Promise<Answer> =>
    JSON.parse(await post(path, JSON.stringify(body))) as Answer;
  const handleRpc = async (payload: unknown): Promise<unknown> => {
    const text = await post("/", stringifyJsonWithBigInts(payload));
    return text === "" ? undefined : parseJsonWithBigInts(text);
  };

  const rpc = createSolanaRpcFromTransport(async <Answer>({ payload }: { payload: unknown }) => {
    return (await handleRpc(payload)) as Answer;
  });
  const feePayer = deriveServiceKey(keyring, sandboxFeePayerLabel);
  const executor = deriveServiceKey(keyring, sandboxExecutorLabel);
  const airdrop = async (to: string, lamports: bigint) =>
    (await control<{ signature: string }>(sandboxPaths.airdrop, { to, lamports: lamports.toString() })).signature;
  const follow = async () => {
    await askChain(rpc.getSlot());
  };

  try {
    const { value: held } = await rpc.getBalance(feePayer.address).send();
    if (held * 2n < feePayerLamports) await airdrop(feePayer.address, feePayerLamports - held);
  } catch (cause) {
    const reason = cause instanceof TrellisError ? String((cause.cause as Error | undefined)?.message) : String(cause);
    throw new UnusableEnvironmentError("sandbox", `its process at ${base.host} does not do its work: ${reason}.`);
  }

  const network: Network = {
    name: "sandbox",
    clock: { now: clock.now },
    rpc,
    feePayer,
    executor,
    serviceAddresses: new Set([feePayer.address, executor.address]),
    currencies: mainnetCurrencies,
    sponsorship: parts.sponsorship,
    judgeUnseen: judgeByOneNode(rpc, clock),
    blockTimeOf: exactBlockTimes(rpc),
    landsInOrder: false,
    health: async () => {
      await follow();
      return { ok: true };
    },
    sandbox: {
      advanceClock: async (seconds) => {
        const { now, slot } = await control<{ now: number; slot: string }>(sandboxPaths.clock, { seconds });
        return { now, slot: BigInt(slot) };
      },
      advanceClockTo: async (instant) => {
        const { now, slot } = await control<{ now: number; slot: string }>(sandboxPaths.clockTo, { instant });
        return { now, slot: BigInt(slot) };
      },
      airdrop,
      mintTo: async (owner, mint, amount, name) => {
        const body = { owner, mint, amount: amount.toString(), ...(name === undefined ? {} : { name }) };
        return (await control<{ signature: string }>(sandboxPaths.mint, body)).signature;
      },
      readFaults: async () => (await control<{ faults: SandboxFaults }>(sandboxPaths.faults, {})).faults,
      setFaults: async (faults) => {
        await control(sandboxPaths.faults, { faults });
      },
      handleRpc,
      sockets: createRpcSockets(createRemoteSessions(base, key), limits.sandboxSockets, parts.log),
    },
  };
  return { network, follow };
}
