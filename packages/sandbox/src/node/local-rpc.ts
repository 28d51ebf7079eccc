import { createSolanaRpcFromTransport, type Rpc, type RpcTransport, type SolanaRpcApi } from "@solana/kit";

type Handle = (payload: unknown) => Promise<unknown>;
type Call = (...params: unknown[]) => { send(): Promise<unknown>; reactiveStore(): unknown };

/**
 * kit's client of a node in the same process. The methods that every request needs take a short way: kit walks their
 * answers with the path of every number at hand, to decide which of them become bigints, and in these all do. Answers and
 * errors are the same as by the long way, which is used wherever the parameters ask for anything unusual.
 */
export function createLocalRpc(handle: Handle): Rpc<SolanaRpcApi> {
  const whole = createSolanaRpcFromTransport(transportOf(handle));
  return new Proxy(whole, {
    get: (target, name, receiver) => {
      const long: unknown = Reflect.get(target, name, receiver);
      const isPlain = Object.hasOwn(plainCalls, name) ? plainCalls[name as keyof typeof plainCalls] : undefined;
      if (isPlain === undefined || typeof long !== "function") return long;
      const call = long as Call;
      return (...params: unknown[]) =>
        isPlain(params) && !hasLargeInteger(params) ? shortCall(handle, String(name), params, call) : call(...params);
    },
  });
}

function transportOf(handle: Handle): RpcTransport {
  return async <Response>({ payload }: { payload: unknown }) => (await handle(payload)) as Response;
}

function shortCall(handle: Handle, method: string, params: unknown[], long: Call) {
  return {
    reactiveStore: () => long(...params).reactiveStore(),
    send: async () => {
      const answer = (await handle({ id: "0", jsonrpc: "2.0", method, params })) as object;
      if ("result" in answer) return withBigInts(answer.result, method);
      // kit knows how to make its errors of what a node says; the node is not asked again.
      const replay = createSolanaRpcFromTransport(transportOf(async () => answer)) as unknown as Record<string, Call>;
      return replay[method]?.(...params).send();
    },
  };
}

const always = () => true;
/** Account data as text: in parsed data some numbers stay numbers. */
const asBase64 = ([, config]: readonly unknown[]) =>
  (config as { encoding?: unknown } | undefined)?.encoding === "base64";

/** Methods with a short way, and for which parameters it is open. */
const plainCalls = {
  getAccountInfo: asBase64,
  getBlockHeight: always,
  getBlockTime: always,
  getLatestBlockhash: always,
  getMinimumBalanceForRentExemption: always,
  getMultipleAccounts: asBase64,
  getRecentPrioritizationFees: always,
  getSignatureStatuses: always,
  getSlot: always,
  getTransaction: asBase64,
  sendTransaction: always,
  simulateTransaction: ([, config]: readonly unknown[]) => {
    const { accounts, innerInstructions } = (config ?? {}) as { accounts?: unknown; innerInstructions?: unknown };
    return accounts === undefined && innerInstructions === undefined;
  },
} as const;

/** kit refuses integers that JSON cannot carry exactly, before anything is asked. */
function hasLargeInteger(params: readonly unknown[]): boolean {
  return params.some((param) => {
    if (typeof param === "object" && param !== null) return hasLargeInteger(Object.values(param));
    return typeof param === "bigint" && (param > Number.MAX_SAFE_INTEGER || param < -Number.MAX_SAFE_INTEGER);
  });
}

/** What holds positions, decimals and sizes, by method and by where it stands: its numbers stay numbers. */
const keptNumbers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  getTransaction: { meta: ["innerInstructions", "postTokenBalances", "preTokenBalances"], "": ["version"] },
  simulateTransaction: { value: ["loadedAccountsDataSize", "postTokenBalances", "preTokenBalances"] },
};

function withBigInts(result: unknown, method: string): unknown {
  const kept = keptNumbers[method];
  if (kept === undefined || typeof result !== "object" || result === null) return toBigInts(result);
  return copyWith(result, kept[""], (member, name) => {
    const isPlace = typeof member === "object" && member !== null && name in kept;
    return isPlace ? copyWith(member, kept[name], toBigInts) : toBigInts(member);
  });
}

function toBigInts(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.map(toBigInts) : copyWith(value, none, toBigInts);
}

const none: readonly string[] = [];

/** A copy with what `change` makes of its members. Those in `kept` stay as they are, and are looked up when asked for. */
function copyWith(
  value: object,
  kept: readonly string[] = none,
  change: (member: unknown, name: string) => unknown,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    if (!kept.includes(name)) copy[name] = change((value as Record<string, unknown>)[name], name);
    else Object.defineProperty(copy, name, { enumerable: true, get: () => (value as Record<string, unknown>)[name] });
  }
  return copy;
}
