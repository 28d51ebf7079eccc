import type { Address } from "@solana/kit";
import type { AccountState } from "../account-state.js";
import { addressBytes } from "../address-bytes.js";
import type { CallRoom } from "../call-room.js";
import { invalidParams } from "../rpc-error.js";
import { readMint, readTokenAccount, token2022Program, tokenProgram } from "../token-layout.js";
import { viewAmount } from "../ui-amounts.js";
import { type AccountView, accountView, encodeAccount, viewLength } from "./account-encoding.js";
import { filtersParam, passes } from "./account-filters.js";
import { inContext, type NodeParts, type RpcMethods, wireInteger } from "./method.js";
import {
  addressParam,
  arrayParam,
  booleanParam,
  type Config,
  checkFreshness,
  configParam,
  integerParam,
} from "./params.js";

const multipleAccountsLimit = 100;
const discriminatorLength = 8;
const largestCount = 20;

/** Methods that read accounts, as committed. */
export const accountMethods: RpcMethods = {
  getAccountInfo: (node, params, room) => {
    const address = addressParam(params[0]);
    const config = configParam(params[1]);
    checkFreshness(node, config);
    const view = accountView(config);
    const state = node.ledger.read(address);
    return inContext(node, state ? listed(node, address, state, view, room) : null);
  },

  getMultipleAccounts: (node, params, room) => {
    const addresses = arrayParam(params[0], "accounts", multipleAccountsLimit).map((item) => addressParam(item));
    const config = configParam(params[1]);
    checkFreshness(node, config);
    const view = accountView(config, "base64");
    const accounts = addresses.map((address) => {
      const state = node.ledger.read(address);
      return state ? listed(node, address, state, view, room) : null;
    });
    return inContext(node, accounts);
  },

  getBalance: (node, params) => {
    const address = addressParam(params[0]);
    checkFreshness(node, configParam(params[1]));
    return inContext(node, wireInteger(node.ledger.read(address)?.lamports ?? 0n));
  },

  getProgramAccounts: (node, params, room) => {
    const program = addressParam(params[0]);
    const config = configParam(params[1]);
    checkFreshness(node, config);
    const view = accountView(config);
    const filters = filtersParam(config);
    const start = filters.find(
      (filter) => filter.kind === "memcmp" && filter.offset === 0 && filter.bytes.length >= discriminatorLength,
    );
    const candidates =
      start?.kind === "memcmp"
        ? node.ledger.index.ownedByStartingWith(program, start.bytes.subarray(0, discriminatorLength))
        : node.ledger.index.ownedBy(program);
    const found: object[] = [];
    for (const address of candidates) {
      room.work(1);
      const state = node.ledger.read(address);
      if (state === undefined || !filters.every((filter) => passes(state, filter))) continue;
      found.push({ account: listed(node, address, state, view, room), pubkey: address });
    }
    return booleanParam(config.withContext, "withContext", false) ? inContext(node, found) : found;
  },

  getTokenAccountBalance: (node, params) => {
    const address = addressParam(params[0]);
    checkFreshness(node, configParam(params[1]));
    const state = node.ledger.read(address);
    if (state === undefined) throw invalidParams("Invalid param: could not find account");
    const account = readTokenAccount(state);
    const listed = account && viewAmount(account.amount, node.ledger.read(account.mint), node.ledger.read);
    if (listed === undefined) throw invalidParams("Invalid param: not a Token account");
    return inContext(node, listed);
  },

  getTokenSupply: (node, params) => {
    const address = addressParam(params[0]);
    checkFreshness(node, configParam(params[1]));
    const state = node.ledger.read(address);
    if (state === undefined) throw invalidParams("Invalid param: could not find account");
    const mint = readMint(state);
    if (mint === undefined) throw invalidParams("Invalid param: not a Token mint");
    return inContext(node, viewAmount(mint.supply, state, node.ledger.read));
  },

  getTokenAccountsByOwner: (node, params, room) => {
    const owner = addressParam(params[0]);
    const selects = tokenSelector(node, configParam(params[1], "filter"));
    const config = configParam(params[2]);
    checkFreshness(node, config);
    const view = accountView(config);
    const found: object[] = [];
    for (const address of node.ledger.index.tokenAccountsOf(owner)) {
      room.work(1);
      const state = node.ledger.read(address);
      if (state === undefined || !selects(state)) continue;
      found.push({ account: listed(node, address, state, view, room), pubkey: address });
    }
    return inContext(node, found);
  },

  getTokenAccountsByDelegate: (node, params, room) => {
    const delegate = addressParam(params[0]);
    const filter = configParam(params[1], "filter");
    const selects = tokenSelector(node, filter);
    const config = configParam(params[2]);
    checkFreshness(node, config);
    const view = accountView(config);
    const found: object[] = [];
    for (const address of tokenAccountsFor(node, filter)) {
      room.work(1);
      const state = node.ledger.read(address);
      if (state === undefined || readTokenAccount(state)?.delegate !== delegate || !selects(state)) continue;
      found.push({ account: listed(node, address, state, view, room), pubkey: address });
    }
    return inContext(node, found);
  },

  getTokenLargestAccounts: (node, params, room) => {
    const mint = addressParam(params[0]);
    checkFreshness(node, configParam(params[1]));
    const state = node.ledger.read(mint);
    if (state === undefined) throw invalidParams("Invalid param: could not find account");
    if (decimalsOf(node, mint) === undefined) throw invalidParams("Invalid param: not a Token mint");
    const found: { address: Address; amount: bigint }[] = [];
    for (const address of tokenAccountsFor(node, { mint })) {
      room.work(1);
      const holder = node.ledger.read(address);
      const account = holder && readTokenAccount(holder);
      if (account?.mint === mint) found.push({ address, amount: account.amount });
    }
    found.sort((left, right) => (left.amount < right.amount ? 1 : left.amount > right.amount ? -1 : 0));
    return inContext(
      node,
      found
        .slice(0, largestCount)
        .map(({ address, amount }) => ({ address, ...viewAmount(amount, state, node.ledger.read) })),
    );
  },

  getMinimumBalanceForRentExemption: (node, params) => {
    const length = integerParam(params[0], "data length", 10n * 1024n * 1024n);
    checkFreshness(node, configParam(params[1]));
    return wireInteger(node.ledger.head().minimumBalance(length));
  },
};

/** What stands around the data of an account. */
const frameBytes = 200;

/** An account as it is returned, for which there has to be room before it is made. */
function listed(node: NodeParts, address: Address, state: AccountState, view: AccountView, room: CallRoom): object {
  // Where it is not at hand, the virtual machine gives a copy of all of it, however little is shown.
  room.work(Math.ceil(state.data.length / 1_024));
  room.show(viewLength(state, view) + frameBytes);
  return encodeAccount(address, state, view, node.ledger.read);
}

function decimalsOf(node: NodeParts, mint: Address): number | undefined {
  const state = node.ledger.read(mint);
  return state && readMint(state)?.decimals;
}

/** Every token account that may be of a mint, or of a token program; the first bytes of one are its mint's. */
function* tokenAccountsFor(node: NodeParts, filter: Config): Iterable<Address> {
  const { index } = node.ledger;
  if (filter.mint === undefined || filter.mint === null) {
    yield* index.ownedBy(addressParam(filter.programId, "programId"));
    return;
  }
  const start = addressBytes(addressParam(filter.mint, "mint")).subarray(0, discriminatorLength);
  for (const program of [tokenProgram, token2022Program]) yield* index.ownedByStartingWith(program, start);
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
