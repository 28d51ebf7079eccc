import type { Keyring } from "../kernel/crypto/envelope.js";
import type { Clock } from "../ports/clock.js";
import type { Db } from "../ports/database.js";
import type { Log } from "../ports/log.js";
import type { Pause } from "../ports/pause.js";
import type { RailsByEnvironment } from "../ports/rails.js";
import type { Random } from "../ports/random.js";

/** What everything about partners asks of the world. */
export interface RailNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: Clock;
  readonly log: Log;
  readonly pause: Pause;
  readonly rails: RailsByEnvironment;
}
