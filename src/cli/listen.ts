import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createTrellisClient, TrellisApiError, type TrellisClient, type WireEnvironment } from "@trellis/sdk";
import { ConfigError } from "../config/config.js";
import { showSecret, signWebhook } from "../events/sign-webhook.js";

/** Which service, as the command line and the environment say it. */
export interface ServiceOptions {
  readonly url: string | undefined;
  readonly environment: string | undefined;
}

/** A client for the service that the command line names, which asks by `fetch`. Throws ConfigError without an API key. */
export function openClient(
  variables: Readonly<Record<string, string | undefined>>,
  { url, environment }: ServiceOptions,
  fetch?: typeof globalThis.fetch,
): TrellisClient {
  const apiKey = variables.TRELLIS_API_KEY ?? "";
  if (apiKey === "") throw new ConfigError(["TRELLIS_API_KEY must be an API key of the service."]);
  return createTrellisClient({
    baseUrl: urlOf(variables, url),
    apiKey,
    environment: (environment ?? "sandbox") as WireEnvironment,
    ...(fetch === undefined ? {} : { fetch }),
  });
}

/** Of the service that is asked: the one named, or the one on this machine. */
export function urlOf(variables: Readonly<Record<string, string | undefined>>, url: string | undefined): string {
  return url ?? `http://127.0.0.1:${variables.PORT ?? "8080"}`;
}

const refreshEveryMs = 500;

/**
 * `trellis listen`: prints events as they happen, from now on, until it is stopped, and forwards each to a URL, signed with
 * a secret of this run, which it prints. It follows the feed: no server needs to reach this machine.
 */
export async function listen(
  variables: Readonly<Record<string, string | undefined>>,
  options: ServiceOptions & { readonly forwardTo: string | undefined; readonly types: readonly string[] },
  signal?: AbortSignal,
): Promise<void> {
  const { forwardTo, types } = options;
  if (forwardTo !== undefined && !URL.canParse(forwardTo)) throw new ConfigError(["--forward-to is not a URL."]);
  const client = openClient(variables, options);
  const secret = new Uint8Array(randomBytes(32));
  const query = types.length === 0 ? {} : { type: types };
  let cursor = (await client.events.page({ cursor: "latest" })).nextCursor;
  if (forwardTo !== undefined) process.stdout.write(`Forwarding to ${forwardTo}, signed with ${showSecret(secret)}\n`);
  process.stdout.write("Waiting for events. Stop with Ctrl-C.\n");
  while (signal?.aborted !== true) {
    const page = await client.events
      .page({ ...query, ...(cursor === undefined ? {} : { cursor }) })
      .catch((error: unknown) => {
        // A service that restarts is waited for; what it does not know will not change.
        if (error instanceof TrellisApiError && error.status < 500 && error.status !== 429) throw error;
        return undefined;
      });
    for (const event of page?.events ?? []) {
      const body = JSON.stringify(event);
      const answer = forwardTo === undefined ? "" : ` -> ${await forward(forwardTo, event.id, body, secret)}`;
      process.stdout.write(
        `${event.timestamp} ${event.type}${event.example === true ? " (example)" : ""} ${event.id}${answer}\n`,
      );
    }
    cursor = page?.nextCursor ?? cursor;
    if ((page?.events.length ?? 0) === 0)
      await wait(refreshEveryMs, undefined, { ...(signal ? { signal } : {}) }).catch(() => undefined);
  }
}

/** The receiver's status, or why there is none. A receiver belongs to the developer: nothing is sent again. */
async function forward(url: string, id: string, body: string, secret: Uint8Array): Promise<string> {
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: signWebhook(id, body, [secret], Date.now()),
      redirect: "manual",
      signal: AbortSignal.timeout(15_000),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return error instanceof Error ? error.name : "failed";
  }
}
