import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { NetworkHealth, ServiceKey } from "@trellis/kernel/ports/network.js";

/** A fee payer that runs out of lamports. */
export interface FollowedFeePayer {
  /** Signs as long as there is enough for a transaction; throws `service_unavailable` when there is not. */
  readonly key: ServiceKey;
  /** Reads the balance and returns how it is. Rejects when the chain cannot be asked. */
  health(): Promise<NetworkHealth>;
}

/**
 * A balance that was enough is trusted this long, and for no more signatures than it surely pays for: within a minute only
 * another holder of this key can empty it unseen, and then a simulation refuses. One that was not enough is read every time.
 */
const trustedMs = 60_000;
/** Below this many times the most expensive transaction the operator is notified. */
const lowFactor = 20n;

/**
 * Monitors the fee payer's balance. `needed`: lamports without which nothing is signed, the most that one transaction may
 * cost. Every change between enough, low and empty is logged once.
 */
export function followFeePayer(parts: {
  readonly environment: string;
  /** What it is called in messages. */
  readonly name: "fee payer" | "passkey payer";
  readonly key: ServiceKey;
  readonly needed: bigint;
  readonly readBalance: (address: Address) => Promise<bigint>;
  readonly realClock: Clock;
  readonly log: Log;
}): FollowedFeePayer {
  const { environment, name, key, needed, readBalance, realClock, log } = parts;
  let state: "enough" | "low" | "empty" = "enough";
  let readAt: number | undefined;
  /** What is there at least, if every signature since the balance was read cost the most it may. */
  let leftLamports = 0n;

  const refreshNow = async (): Promise<void> => {
    const lamports = await readBalance(key.address);
    readAt = realClock.now();
    leftLamports = lamports;
    const next = lamports < needed ? "empty" : lamports < needed * lowFactor ? "low" : "enough";
    if (next !== state) {
      const fields = { environment, key: name, fee_payer: key.address, lamports, state: next };
      if (next === "empty")
        // operator: send SOL to the address in `fee_payer`
        log.error(
          { event: "fee_payer_empty", ...fields },
          "paying key is empty: what it pays for waits until it is funded",
        );
      // operator: send SOL to the address in `fee_payer`
      else if (next === "low") log.warn({ event: "fee_payer_low", ...fields }, "paying key runs low");
      else log.info({ event: "fee_payer_funded", ...fields }, "paying key is funded");
    }
    state = next;
  };

  let refreshing: Promise<void> | undefined;
  /** However many have to know at the same time, one question is enough. */
  const refresh = (): Promise<void> => {
    refreshing ??= refreshNow().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };

  const messages = {
    enough: undefined,
    low: `The ${name} runs low on SOL.`,
    empty: `The ${name} does not hold enough SOL to pay for a transaction.`,
  } as const;

  return {
    key: {
      address: key.address,
      sign: async (messageBytes) => {
        while (readAt === undefined || realClock.now() - readAt >= trustedMs || leftLamports < needed) {
          await refresh();
          if (state !== "empty") continue;
          throw new TrellisError("service_unavailable", {
            message: `The service's ${name} on ${environment} does not hold enough SOL. Its operator has to fund it.`,
          });
        }
        leftLamports -= needed;
        return key.sign(messageBytes);
      },
    },
    health: async () => {
      await refresh();
      const message = messages[state];
      return {
        ok: true,
        // Without the other key nothing but passkeys waits.
        ...(state === "empty" && name === "fee payer" ? { poor: true } : {}),
        ...(message === undefined ? {} : { message }),
      };
    },
  };
}
