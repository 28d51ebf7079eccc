import { Pool } from "undici";

/** A response. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A lean keep-alive client: its cost reduces what is left to the service it measures, as both share the machine. */
export function createHttpClient(base: string, apiKey: string, connections: number) {
  const pool = new Pool(base, { connections, pipelining: 1 });
  const headers = { authorization: `Bearer ${apiKey}`, "x-service-environment": "sandbox" };
  const withBody = { ...headers, "content-type": "application/json" };
  const call = async (method: "GET" | "POST", path: string, payload?: unknown): Promise<HttpAnswer> => {
    const { statusCode, body } = await pool.request(
      payload === undefined
        ? { method, path, headers }
        : { method, path, headers: withBody, body: JSON.stringify(payload) },
    );
    return { status: statusCode, body: await body.json() };
  };
  return {
    get: (path: string) => call("GET", path),
    post: (path: string, payload: unknown) => call("POST", path, payload),
    close: () => void pool.destroy(),
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
