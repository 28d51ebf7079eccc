import type { Lease } from "@trellis/kernel/ports/database.js";
import pg from "pg";
import { releaseName } from "./releases.js";

/** How often the connection is asked whether it is there, and how long it may take: a server that is gone says no goodbye. */
const beatMs = 15_000;
const beatWaitMs = 10_000;

/**
 * Takes a name; undefined where another process has it. Two names are one if their hashes collide: 2^-32, among the handful of names there are.
 * `onLost` hears, once, that the connection has ended on its own: another process may have the name by then.
 */
export async function takePostgresLease(
  url: string,
  name: string,
  onLost: () => void = () => undefined,
): Promise<Lease | undefined> {
  const client = new pg.Client({
    connectionString: url,
    fallback_application_name: releaseName,
    keepAlive: true,
    query_timeout: beatWaitMs,
  });
  let isHeld = false;
  let beat: NodeJS.Timeout | undefined;
  const end = async () => {
    clearInterval(beat);
    isHeld = false;
    await client.end();
  };
  const lose = () => {
    if (!isHeld) return;
    void end().catch(() => undefined);
    onLost();
  };
  // Behind an error the connection ends.
  client.on("error", () => undefined);
  client.on("end", lose);
  await client.connect();
  try {
    if (!(await acquire(client, name))) {
      await client.end();
      return undefined;
    }
  } catch (error) {
    await client.end();
    throw error;
  }
  isHeld = true;
  beat = setInterval(() => void client.query("select 1").catch(lose), beatMs).unref();
  return { release: end };
}

async function acquire(client: pg.Client, name: string): Promise<boolean> {
  await client.query("begin read only");
  await client.query("set local idle_in_transaction_session_timeout = 0");
  // A machine that is gone says no goodbye: the server notices within a minute, and not after hours.
  await client.query("set local tcp_keepalives_idle = 30");
  await client.query("set local tcp_keepalives_interval = 10");
  await client.query("set local tcp_keepalives_count = 3");
  // Without parameters: the portal of a statement with some would keep its snapshot, and old rows from being cleaned up.
  const key = client.escapeLiteral(`trellis/${name}`);
  const { rows } = await client.query<{ acquired: boolean }>(
    `select pg_try_advisory_xact_lock(hashtext(${key})) as acquired`,
  );
  return rows[0]?.acquired === true;
}
