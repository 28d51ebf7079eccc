import { newKey } from "./honest-client.js";

/** Every point costs a start of the service, on a machine that may be busy with other things. */
export const killEverywhereMs = 300_000;

/**
 * Kills a call before or after its first statement, its second, and so on, until it is through: `play` makes the call and
 * what the client does after it, and says where the process died. Returns the points.
 */
export async function killEverywhere(
  side: "before" | "after",
  play: (at: string, key: string) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const points: string[] = [];
  for (let at = 1; ; at += 1) {
    const died = await play(`${side} ${at}`, newKey());
    if (died === undefined) return points;
    points.push(died);
  }
}
