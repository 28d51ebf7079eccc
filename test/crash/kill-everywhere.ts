import { newKey } from "./honest-client.js";

/** Every point costs a start of the service, on a machine that may be busy with other things. */
export const killEverywhereMs = 300_000;

/**
 * Kills a call before or after its first statement, its second, and so on, until it is through: `play` makes the call and
 * what the client does after it, and says where the process died. Returns the points.
 *
 * What a request has written together differs from one time to the next, and so do the numbers of its statements. Those that begin with
 * one of `named` are met in any case.
 */
export async function killEverywhere(
  side: "before" | "after",
  play: (at: string, key: string) => Promise<string | undefined>,
  named: readonly string[] = [],
): Promise<readonly string[]> {
  const points: string[] = [];
  for (let at = 1; ; at += 1) {
    const died = await play(`${side} ${at}`, newKey());
    if (died === undefined) break;
    points.push(died);
  }
  for (const beginning of named) {
    if (points.some((point) => point.includes(`: ${beginning}`))) continue;
    const died = await play(`${side} 1 ${beginning}`, newKey());
    if (died !== undefined) points.push(died);
  }
  return points;
}
