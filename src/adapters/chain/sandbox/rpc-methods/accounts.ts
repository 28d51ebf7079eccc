import type { Address } from "@solana/kit";
import type { AccountState } from "../account-state.js";
import { invalidParams } from "../rpc-error.js";
import { readMint, readTokenAccount, token2022Program, tokenProgram, uiTokenAmount } from "../token-layout.js";
import { accountView, encodeAccount } from "./account-encoding.js";
import { inContext, type NodeParts, type RpcMethods, wireInteger } from "./method.js";
import {
  addressParam,
  arrayParam,
  base58BytesParam,
  base64BytesParam,
  booleanParam,
  type Config,
  checkFreshness,
  choiceParam,
  configParam,
  integerParam,
  stringParam,
} from "./params.js";

const multipleAccountsLimit = 100;
const filterLimit = 4;
const memcmpLimit = 128;
const discriminatorLength = 8;

/** Methods that read accounts, as committed. */
export const accountMethods: RpcMethods = {
  getAccountInfo: (node, params) => {
    const address = addressParam(params[0]);
    const config = configParam(params[1]);
    checkFreshness(node, config);
    const view = accountView(config);
    const state = node.ledger.read(address);
    return inContext(node, state ? encodeAccount(state, view, node.ledger.read) : null);
  },

  getMultipleAccounts: (node, params) => {
    const addresses = arrayParam(params[0], "accounts", multipleAccountsLimit).map((item) => addressParam(item));
    const config = configParam(params[1]);
    checkFreshness(node, config);
    const view = accountView(config);
    const accounts = addresses.map((address) => {
      const state = node.ledger.read(address);
      return state ? encodeAccount(state, view, node.ledger.read) : null;
    });
    return inContext(node, accounts);
  },

  getBalance: (node, params) => {
    const address = addressParam(params[0]);
    checkFreshness(node, configParam(params[1]));
    return inContext(node, wireInteger(node.ledger.read(address)?.lamports ?? 0n));
  },

  getProgramAccounts: (node, params) => {
    const program = addressParam(params[0]);
    const config = configParam(params[1]);
    checkFreshness(node, config);
    const view = accountView(config);
    const filters = arrayParam(config.filters ?? [], "filters", filterLimit).map(parseFilter);
    const start = filters.find(
      (filter) => filter.kind === "memcmp" && filter.offset === 0 && filter.bytes.length >= discriminatorLength,
    );
    const candidates =
      start?.kind === "memcmp"
        ? node.ledger.index.ownedByStartingWith(program, start.bytes.subarray(0, discriminatorLength))
        : node.ledger.index.ownedBy(program);
    const found: object[] = [];
    for (const address of candidates) {
      const state = node.ledger.read(address);
      if (state === undefined || !filters.every((filter) => passes(state, filter))) continue;
      found.push({ account: encodeAccount(state, view, node.ledger.read), pubkey: address });
    }
    return booleanParam(config.withContext, "withContext", false) ? inContext(node, found) : found;
  },

  getTokenAccountBalance: (node, params) => {
    const address = addressParam(params[0]);
    checkFreshness(node, configParam(params[1]));
    const state = node.ledger.read(address);
    if (state === undefined) throw invalidParams("Invalid param: could not find account");
    const account = readTokenAccount(state);
    const decimals = account && decimalsOf(node, account.mint);
    if (account === undefined || decimals === undefined) throw invalidParams("Invalid param: not a Token account");
    return inContext(node, uiTokenAmount(account.amount, decimals));
  },

  getTokenSupply: (node, params) => {
    const address = addressParam(params[0]);
    checkFreshness(node, configParam(params[1]));
    const state = node.ledger.read(address);
    if (state === undefined) throw invalidParams("Invalid param: could not find account");
    const mint = readMint(state);
    if (mint === undefined) throw invalidParams("Invalid param: not a Token mint");
    return inContext(node, uiTokenAmount(mint.supply, mint.decimals));
  },

  getTokenAccountsByOwner: (node, params) => {
    const owner = addressParam(params[0]);
    const selects = tokenSelector(node, configParam(params[1], "filter"));
    const config = configParam(params[2]);
    checkFreshness(node, config);
    const view = accountView(config);
    const found: object[] = [];
    for (const address of node.ledger.index.tokenAccountsOf(owner)) {
      const state = node.ledger.read(address);
      if (state === undefined || !selects(state)) continue;
      found.push({ account: encodeAccount(state, view, node.ledger.read), pubkey: address });
    }
    return inContext(node, found);
  },

  getMinimumBalanceForRentExemption: (node, params) => {
    const length = integerParam(params[0], "data length", 10n * 1024n * 1024n);
    checkFreshness(node, configParam(params[1]));
    return wireInteger(node.ledger.head().minimumBalance(length));
  },
};

function decimalsOf(node: NodeParts, mint: Address): number | undefined {
  const state = node.ledger.read(mint);
  return state && readMint(state)?.decimals;
}

function tokenSelector(node: NodeParts, filter: Config): (state: AccountState) => boolean {
  if (filter.mint !== undefined && filter.mint !== null) {
    const mint = addressParam(filter.mint, "mint");
    if (decimalsOf(node, mint) === undefined) throw invalidParams("Invalid param: could not find mint");
    return (state) => readTokenAccount(state)?.mint === mint;
  }
  if (filter.programId === undefined || filter.programId === null) throw invalidParams("mint or programId is needed");
  const program = addressParam(filter.programId, "programId");
  if (program !== tokenProgram && program !== token2022Program) {
    throw invalidParams("Invalid param: unrecognized Token program id");
  }
  return (state) => state.owner === program;
}

type Filter =
  | { readonly kind: "dataSize"; readonly size: bigint }
  | { readonly kind: "memcmp"; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: "tokenAccountState" };

function parseFilter(value: unknown): Filter {
  if (value === "tokenAccountState") return { kind: "tokenAccountState" };
  const filter = configParam(value, "filter");
  if (filter.dataSize !== undefined) return { kind: "dataSize", size: integerParam(filter.dataSize, "dataSize") };
  if (filter.memcmp === undefined) throw invalidParams("a filter has dataSize or memcmp");
  const memcmp = configParam(filter.memcmp, "memcmp");
  const text = stringParam(memcmp.bytes, "memcmp.bytes");
  if (text.length > memcmpLimit * 2) throw invalidParams("memcmp.bytes is too long");
  const base64 = choiceParam(memcmp.encoding, "memcmp.encoding", ["base58", "base64"]) === "base64";
  const bytes = base64 ? base64BytesParam(text, "memcmp.bytes") : base58BytesParam(text, "memcmp.bytes");
  if (bytes.length > memcmpLimit) throw invalidParams(`memcmp.bytes has more than ${memcmpLimit} bytes`);
  return { kind: "memcmp", offset: Number(integerParam(memcmp.offset, "memcmp.offset", 2n ** 32n)), bytes };
}

function passes(state: AccountState, filter: Filter): boolean {
  if (filter.kind === "dataSize") return BigInt(state.data.length) === filter.size;
  if (filter.kind === "tokenAccountState") return readTokenAccount(state) !== undefined;
  const { offset, bytes } = filter;
  const part = state.data.subarray(offset, offset + bytes.length);
  return part.length === bytes.length && Buffer.compare(part, bytes) === 0;
}
