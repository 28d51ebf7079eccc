type Fetch = typeof globalThis.fetch;

const providers = { kms_a: "privy", kms_b: "turnkey", kms_c: "dynamic" };
const fields = { KmsA: "Privy", KmsB: "Turnkey", KmsC: "Dynamic", kms_a_access_token: "privy_access_token" };
const providerFields: ReadonlySet<string> = new Set(["provider", "kms_provider", "requested_provider"]);

/**
 * Makes a `fetch` for a client of the first service with this interface, which says other names for the same things: a
 * `createTrellisClient` with it talks to that service (gap 113). For starting and verifying a sign-in, reading and
 * updating an account, and submitting: what those say holds no data in which a name could be a user's own.
 *
 * @example
 * const old = createTrellisClient({ baseUrl: oldUrl, apiKey, environment: "production", fetch: fetchInOldNames() });
 */
export function fetchInOldNames(send: Fetch = globalThis.fetch.bind(globalThis)): Fetch {
  const [theirProviders, ourProviders] = [new Map(Object.entries(providers)), flip(providers)];
  const [theirFields, ourFields] = [new Map(Object.entries(fields)), flip(fields)];
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    const environment = headers.get("x-service-environment");
    headers.delete("x-service-environment");
    if (environment !== null) headers.set("x-grid-environment", environment);
    const path = String(url).replace("/api/service/", "/api/grid/").replace("/api/v0/service/", "/api/v0/grid/");
    const body =
      typeof init.body === "string"
        ? { body: JSON.stringify(rename(JSON.parse(init.body), theirFields, theirProviders)) }
        : {};
    const answer = await send(path, { ...init, headers, ...body });
    const text = await answer.text();
    let said = text;
    try {
      said = JSON.stringify(rename(JSON.parse(text), ourFields, ourProviders));
    } catch {
      // No JSON: the client says so itself.
    }
    return new Response(said, { status: answer.status, headers: answer.headers });
  };
}

function rename(value: unknown, names: ReadonlyMap<string, string>, words: ReadonlyMap<string, string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => rename(element, names, words));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      names.get(name) ?? name,
      providerFields.has(name) && typeof inner === "string" ? (words.get(inner) ?? inner) : rename(inner, names, words),
    ]),
  );
}

function flip(record: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(record).map(([key, value]) => [value, key]));
}
