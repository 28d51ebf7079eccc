import { isJsonRpcPayload, type RpcTransport } from "@solana/kit";

/** A node answered with what its method cannot answer. */
export class MisshapenAnswer extends Error {
  override readonly name = "MisshapenAnswer";
}

/** Whether a value is what was asked for. Members that are not read may be there, and be anything. */
type Shape = (value: unknown) => boolean;

/** What the database keeps, and no chain approaches. */
const integerMax = 2n ** 63n - 1n;
/** RFC 3339 ends with the year 9999. */
const secondsMax = 253_402_300_799;
const base58 = "[1-9A-HJ-NP-Za-km-z]";

const integer =
  (least: bigint | number, most: bigint | number): Shape =>
  (value) =>
    (typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))) &&
    value >= least &&
    value <= most;
const matching =
  (form: RegExp): Shape =>
  (value) =>
    typeof value === "string" && form.test(value);
const nullable =
  (shape: Shape): Shape =>
  (value) =>
    value === null || shape(value);
const optional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || value === null || shape(value);
const list =
  (shape: Shape, most = 100_000): Shape =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(shape);
const object =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(members).every(([name, shape]) =>
      shape(Object.hasOwn(value, name) ? memberOf(value, name) : undefined),
    );

function memberOf(value: object, name: string): unknown {
  return (value as Record<string, unknown>)[name];
}

const whole = integer(0, integerMax);
const index = integer(0, 255);
const seconds = integer(0, secondsMax);
const text: Shape = (value) => typeof value === "string";
const flag: Shape = (value) => typeof value === "boolean";
const address = matching(new RegExp(`^${base58}{32,44}$`));
const signature = matching(new RegExp(`^${base58}{64,88}$`));
const decimal = matching(/^[0-9]{1,20}$/);
const base64 = matching(/^[A-Za-z0-9+/]*={0,2}$/);
const inBase64: Shape = (value) =>
  Array.isArray(value) && value.length === 2 && base64(value[0]) && value[1] === "base64";
/** The chain's word for what went wrong: a name, or one name with what belongs to it. */
const chainError: Shape = (value) =>
  value === null || typeof value === "string" || (typeof value === "object" && !Array.isArray(value));
const inContext = (shape: Shape): Shape => object({ context: object({ slot: whole }), value: shape });

const account = object({ lamports: whole, owner: address, executable: flag, data: inBase64 });
const keyedAccounts = list(object({ pubkey: address, account }));
const tokenBalance = object({
  accountIndex: index,
  mint: address,
  owner: optional(address),
  programId: optional(address),
  uiTokenAmount: object({ amount: decimal, decimals: index }),
});
const instruction = object({ programIdIndex: index, accounts: list(index), data: text });
const meta = object({
  err: chainError,
  fee: whole,
  preBalances: list(whole),
  postBalances: list(whole),
  preTokenBalances: optional(list(tokenBalance)),
  postTokenBalances: optional(list(tokenBalance)),
  innerInstructions: optional(list(object({ index, instructions: list(instruction) }))),
  logMessages: optional(list(text)),
  loadedAddresses: optional(object({ writable: list(address), readonly: list(address) })),
});
const message = object({ accountKeys: list(address), instructions: list(instruction) });
const signedMessage = object({ message });
const transaction = object({
  slot: whole,
  blockTime: nullable(seconds),
  meta: nullable(meta),
  transaction: (value) => inBase64(value) || signedMessage(value),
});
const simulation = object({
  err: chainError,
  logs: nullable(list(text)),
  unitsConsumed: optional(whole),
  preBalances: optional(list(whole)),
  postBalances: optional(list(whole)),
  preTokenBalances: optional(list(tokenBalance)),
  postTokenBalances: optional(list(tokenBalance)),
  accounts: optional(list(nullable(account), 100)),
  replacementBlockhash: optional(object({ blockhash: address, lastValidBlockHeight: whole })),
});

/** What the methods that this service calls answer with: those and no others are asked of a node. */
export const nodeShapes: Readonly<Record<string, Shape>> = {
  getAccountInfo: inContext(nullable(account)),
  getBalance: inContext(whole),
  getBlockHeight: whole,
  getBlockTime: nullable(seconds),
  getEpochInfo: object({ absoluteSlot: whole, blockHeight: whole }),
  getFirstAvailableBlock: whole,
  getGenesisHash: address,
  getLatestBlockhash: inContext(object({ blockhash: address, lastValidBlockHeight: whole })),
  getMinimumBalanceForRentExemption: whole,
  getMultipleAccounts: inContext(list(nullable(account), 100)),
  getProgramAccounts: (value) => keyedAccounts(value) || inContext(keyedAccounts)(value),
  getRecentPrioritizationFees: list(object({ slot: whole, prioritizationFee: whole }), 1_000),
  getSignatureStatuses: inContext(
    list(
      nullable(
        object({
          slot: whole,
          err: chainError,
          confirmationStatus: optional(matching(/^(processed|confirmed|finalized)$/)),
        }),
      ),
      256,
    ),
  ),
  getSignaturesForAddress: list(
    object({
      signature,
      slot: whole,
      err: chainError,
      blockTime: nullable(seconds),
      confirmationStatus: optional(matching(/^(processed|confirmed|finalized)$/)),
    }),
    1_000,
  ),
  getSlot: whole,
  getTokenAccountsByOwner: inContext(keyedAccounts),
  getTransaction: nullable(transaction),
  sendTransaction: signature,
  simulateTransaction: inContext(simulation),
};

const rpcError = object({ code: integer(-(2 ** 31), 2 ** 31), message: text });
/** Of lists whose places mean what was asked for at that place. */
const sized = new Set(["getMultipleAccounts", "getSignatureStatuses"]);

/**
 * Holds the answers of a node against what its methods can answer: a result of that form, or an error of JSON-RPC. Rejects
 * with MisshapenAnswer for everything else, so that no caller works with it: the next node is asked, and where there is none the
 * chain is unavailable.
 */
export function expectShapes(transport: RpcTransport): RpcTransport {
  return async <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> => {
    const answer = await transport<unknown>(request);
    const { payload } = request;
    if (!isJsonRpcPayload(payload)) throw new MisshapenAnswer("only single questions are asked");
    return judged(payload.method, payload.params, answer) as Response;
  };
}

function judged(method: string, params: unknown, answer: unknown): unknown {
  const wrong = () => new MisshapenAnswer(`a node's answer to ${method} has another form`);
  if (typeof answer !== "object" || answer === null) throw wrong();
  const error = Object.hasOwn(answer, "error") ? memberOf(answer, "error") : undefined;
  if (error !== undefined && error !== null) {
    if (!rpcError(error)) throw wrong();
    return answer;
  }
  const shape = Object.hasOwn(nodeShapes, method) ? nodeShapes[method] : undefined;
  const result = Object.hasOwn(answer, "result") ? memberOf(answer, "result") : undefined;
  if (shape === undefined || result === undefined || !shape(result)) throw wrong();
  if (sized.has(method) && lengthOf(memberOf(result as object, "value")) !== lengthOf(firstOf(params))) throw wrong();
  // An error that is null is none, and would be mistaken for one by its name.
  return { jsonrpc: "2.0", id: memberOf(answer, "id"), result };
}

function firstOf(params: unknown): unknown {
  return Array.isArray(params) ? params[0] : undefined;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : -1;
}
