import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";

/** What every part of the simulated partner stands on. */
export interface SimulatorParts {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly log: Log;
  /** Its chain is where play money is paid, its clock what delays go by. */
  readonly network: Network;
  /** `instant`: everything happens at once; `realistic`: it takes what banks and people take, by the environment's clock. */
  readonly pace: "instant" | "realistic";
  /** Where browsers find this service, without a slash at the end. */
  readonly baseUrl: () => string;
}

/** Mints of tokens that are configured now: what was promised in one that is not any more rests until it is again. */
export const configuredMints = ({ currencies }: Pick<Network, "currencies">): readonly string[] =>
  currencies.flatMap(({ mint }) => mint ?? []);

/** What one pass checks, at most; of more, what was not checked for longest. */
export const followedMax = 10_000;
