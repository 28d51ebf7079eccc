import { Agent, request } from "node:http";

/** A response. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A lean keep-alive client: its cost reduces what is left to the service it measures, as both share the machine. */
export function createHttpClient(base: string, apiKey: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(base);
  const call = (method: string, path: string, payload?: unknown): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const text = payload === undefined ? undefined : JSON.stringify(payload);
      const sent = request(
        {
          agent,
          hostname,
          port,
          method,
          path,
          headers: {
            authorization: `Bearer ${apiKey}`,
            "x-service-environment": "sandbox",
            ...(text === undefined
              ? {}
              : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
          },
        },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on("data", (part: Buffer) => parts.push(part));
          answer.on("end", () =>
            resolve({ status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString()) }),
          );
          answer.on("error", reject);
        },
      );
      sent.on("error", reject);
      sent.end(text);
    });
  return {
    get: (path: string) => call("GET", path),
    post: (path: string, payload: unknown) => call("POST", path, payload),
    close: () => agent.destroy(),
  };
}

export type HttpClient = ReturnType<typeof createHttpClient>;

/** The data of a success answer. Throws what the service said otherwise. */
export function dataOf<T>({ status, body }: HttpAnswer): T {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return (body as { data: T }).data;
}

/** Runs `work` for 0..count-1 with so many at a time; returns seconds. */
export async function timed(
  count: number,
  concurrency: number,
  work: (index: number) => Promise<void>,
): Promise<number> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker));
  return (performance.now() - started) / 1000;
}
