import { Resolver } from "node:dns/promises";

/** Names to addresses: all of them, or a rejection. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Asks the name servers of the system, or those given, and gives a name up after `totalMs`. The operating system's own
 * lookup is not used: it holds one of the few threads that files and keys need as well, for as long as a name server
 * likes, and the name servers are those of the caller that chose the name. So what only this machine knows, such as its hosts
 * file and search domains, counts for nothing, but for `localhost`. A caller that asks for a name that is being asked for
 * gets the same answer.
 */
export function createResolve(options: {
  readonly totalMs: number;
  /** With their ports. */
  readonly nameServers?: readonly string[];
}): Resolve {
  const underWay = new Map<string, Promise<readonly string[]>>();
  return (host) => {
    if (host === "localhost") return Promise.resolve(["127.0.0.1", "::1"]);
    const known = underWay.get(host);
    if (known !== undefined) return known;
    const asked = ask(host, options).finally(() => underWay.delete(host));
    underWay.set(host, asked);
    return asked;
  };
}

async function ask(
  host: string,
  { totalMs, nameServers }: Parameters<typeof createResolve>[0],
): Promise<readonly string[]> {
  // One for each name, so that giving this one up ends no other. Where there are several servers, the next has time left.
  const resolver = new Resolver({ timeout: Math.ceil(totalMs / 3), tries: 1 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const timer = setTimeout(() => resolver.cancel(), totalMs);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length === 0) throw new Error("the name has no address");
    return addresses;
  } finally {
    clearTimeout(timer);
  }
}
