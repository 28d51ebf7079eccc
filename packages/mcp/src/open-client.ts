import { createTrellisClient, type TrellisClient, type WireEnvironment } from "@trellis/sdk";

/** How the service is reached. */
export interface ServiceAccess {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly environment: WireEnvironment;
  /** Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Attempts after the first; default: as many as the client library makes. */
  readonly maxRetries?: number;
}

/** Makes clients whose calls carry the name of the tool that makes them, for the audit log. */
export const clientsOf =
  ({ fetch = globalThis.fetch, ...access }: ServiceAccess) =>
  (tool: string): TrellisClient =>
    createTrellisClient({
      ...access,
      fetch: (url, init) => {
        const headers = new Headers(init?.headers);
        headers.set("x-agent-tool", tool);
        return fetch(url, { ...init, headers });
      },
    });
