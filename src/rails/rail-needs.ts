import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import type { RailsByEnvironment } from "@trellis/kernel/ports/rails.js";
import type { Random } from "@trellis/kernel/ports/random.js";

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
