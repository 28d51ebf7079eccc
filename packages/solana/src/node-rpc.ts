import { randomBytes } from "node:crypto";
import { createSolanaRpcFromTransport, type Rpc, type RpcTransport, type SolanaRpcApi } from "@solana/kit";

type Call = (...params: unknown[]) => {
  send(options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>;
  reactiveStore(): unknown;
};

/** Connections are shared, also beyond a proxy: no two questions have one id. */
const ofProcess = randomBytes(6).toString("base64url");
let asked = 0;

/** Puts a member of a node's answer into the copy of it, as it is. */
export type KeepMember = (copy: Record<string, unknown>, from: Readonly<Record<string, unknown>>, name: string) => void;

/**
 * kit's client of a node. The methods that the service calls take a short way: kit walks requests and answers with the path
 * of every value at hand, to decide which integers become bigints. Here the member's name decides. Questions, answers and
 * errors are the same as by the long way, which is used wherever the parameters ask for anything unusual. Integers
 * beyond 2^53 are exact if they are in what `transport` gives.
 */
export function createNodeRpc(transport: RpcTransport, keep: KeepMember = assignMember): Rpc<SolanaRpcApi> {
  const whole = createSolanaRpcFromTransport(transport);
  return new Proxy(whole, {
    get: (target, name, receiver) => {
      const long: unknown = Reflect.get(target, name, receiver);
      const method = Object.hasOwn(shortCalls, name) ? (name as keyof typeof shortCalls) : undefined;
      if (method === undefined || typeof long !== "function") return long;
      const call = long as Call;
      return (...given: unknown[]) => {
        const params = shortParams(method, given);
        if (params === undefined) return call(...given);
        return {
          reactiveStore: () => call(...given).reactiveStore(),
          send: async (options?: { readonly abortSignal?: AbortSignal }) => {
            asked += 1;
            const payload = { id: `${ofProcess}-${asked}`, jsonrpc: "2.0", method, params };
            const answer = await transport<object>({
              payload,
              ...(options?.abortSignal ? { signal: options.abortSignal } : {}),
            });
            if (!("error" in answer) && "result" in answer)
              return withBigInts(answer.result, keptNumbers[method], keep);
            // kit knows how to make its errors of what a node says; the node is not asked again.
            const replay = createSolanaRpcFromTransport(async <Response>() => answer as Response);
            return (replay as unknown as Record<string, Call>)[method]?.(...given).send();
          },
        };
      };
    },
  });
}

const assignMember: KeepMember = (copy, from, name) => {
  copy[name] = from[name];
};

/** A method's options: at which place of the parameters they stand, and which of them the short way can serve. */
interface ShortCall {
  /** Where the commitment is said; undefined: nowhere. */
  readonly optionsAt?: number;
  readonly allows?: (options: Readonly<Record<string, unknown>>) => boolean;
}

/** In parsed data some numbers stay numbers. */
const inBase64 = ({ encoding }: Readonly<Record<string, unknown>>) => encoding === "base64";
const notParsed = ({ encoding }: Readonly<Record<string, unknown>>) => encoding === "base64" || encoding === "json";

/** Methods with a short way. */
const shortCalls = {
  getAccountInfo: { optionsAt: 1, allows: inBase64 },
  getBalance: { optionsAt: 1 },
  getBlockHeight: { optionsAt: 0 },
  getBlockTime: {},
  getLatestBlockhash: { optionsAt: 0 },
  getMinimumBalanceForRentExemption: { optionsAt: 1 },
  getMultipleAccounts: { optionsAt: 1, allows: inBase64 },
  getProgramAccounts: { optionsAt: 1, allows: inBase64 },
  getRecentPrioritizationFees: {},
  getSignaturesForAddress: { optionsAt: 1 },
  getSignatureStatuses: {},
  getSlot: { optionsAt: 0 },
  getTokenAccountsByOwner: { optionsAt: 2, allows: inBase64 },
  getTransaction: { optionsAt: 1, allows: notParsed },
  sendTransaction: { optionsAt: 1 },
  simulateTransaction: {
    optionsAt: 1,
    allows: ({ accounts, innerInstructions }) =>
      (accounts === undefined || inBase64(accounts as Readonly<Record<string, unknown>>)) &&
      innerInstructions === undefined,
  },
} as const satisfies Readonly<Record<string, ShortCall>>;

/**
 * What a node is sent for these parameters, with kit's commitment where none is given; undefined where kit has to decide.
 * kit refuses integers that JSON does not carry exactly, before anything is asked.
 */
function shortParams(method: keyof typeof shortCalls, given: readonly unknown[]): readonly unknown[] | undefined {
  if (hasLargeInteger(given)) return undefined;
  const { optionsAt, allows }: ShortCall = shortCalls[method];
  if (optionsAt === undefined) return given;
  const options = given[optionsAt] ?? {};
  if (given.length < optionsAt || given.length > optionsAt + 1 || typeof options !== "object") return undefined;
  const name = method === "sendTransaction" ? "preflightCommitment" : "commitment";
  const said = options as Readonly<Record<string, unknown>>;
  if (name in said && said[name] !== "confirmed" && said[name] !== "processed") return undefined;
  if (allows && !allows(said)) return undefined;
  return [...given.slice(0, optionsAt), { [name]: "confirmed", ...said }];
}

function hasLargeInteger(value: unknown): boolean {
  if (typeof value === "bigint") return value > Number.MAX_SAFE_INTEGER || value < -Number.MAX_SAFE_INTEGER;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLargeInteger);
}

/** Members that hold positions, decimals and sizes, by method: their numbers stay numbers. */
const keptNumbers: Readonly<Partial<Record<keyof typeof shortCalls, ReadonlySet<string>>>> = {
  getSignaturesForAddress: new Set(["transactionIndex"]),
  getTransaction: new Set([
    "addressTableLookups",
    "commission",
    "header",
    "innerInstructions",
    "instructions",
    "postTokenBalances",
    "preTokenBalances",
    "computeUnitLimit",
    "heapSize",
    "loadedAccountsDataSizeLimit",
    "version",
  ]),
  simulateTransaction: new Set(["loadedAccountsDataSize", "postTokenBalances", "preTokenBalances"]),
};

/** A copy whose integers are bigints, except those in members named in `kept`. */
function withBigInts(value: unknown, kept: ReadonlySet<string> | undefined, keep: KeepMember): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withBigInts(one, kept, keep));
  const from = value as Readonly<Record<string, unknown>>;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(from)) {
    // No member of any answer, and by assignment the prototype.
    if (name === "__proto__") continue;
    if (kept?.has(name)) keep(copy, from, name);
    else copy[name] = withBigInts(from[name], kept, keep);
  }
  return copy;
}
