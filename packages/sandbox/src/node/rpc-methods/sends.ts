import type { Address } from "@solana/kit";
import { resolveAccountKeys } from "../account-keys.js";
import type { AccountState } from "../account-state.js";
import type { CallRoom } from "../call-room.js";
import { readInvolved, recordOf } from "../execution.js";
import { type CheckedTransaction, checkTransaction, isSigned, versionOneSizeLimit } from "../guard.js";
import { invalidParams, RpcError, rpcErrorCode } from "../rpc-error.js";
import { refusal } from "../send-refusal.js";
import type { Vm } from "../vm.js";
import { accountView, encodeAccount, viewLength } from "./account-encoding.js";
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
import { parsedInnerInstructions, returnDataJson } from "./transaction-encoding.js";

const lamportsPerSol = 1_000_000_000n;
/** The most that one requestAirdrop gives, in lamports. */
const airdropLimit = 10_000n * lamportsPerSol;
/** The longest base64 text of a transaction. */
const base64Limit = 4 * Math.ceil(versionOneSizeLimit / 3);
/** The longest base58 text of 1,232 bytes; decoding takes quadratic time, so larger transactions are sent as base64. */
const base58Limit = 1_683;

/** Methods that run transactions. */
export const sendMethods: RpcMethods = {
  sendTransaction: async (node, params, room) => {
    const config = configParam(params[1]);
    const transaction = transactionParam(params[0], config);
    const skipPreflight = booleanParam(config.skipPreflight, "skipPreflight", false);
    checkFreshness(node, config);
    // A validator that is not to check first passes on whatever it is given.
    if (!skipPreflight && node.faults.forgets(transaction.message.blockhash))
      throw refusal(isSigned(transaction) ? "BlockhashNotFound" : "SignatureFailure");
    // The sender pays for what the chain processes, in play money: a send counts as one without any instructions.
    room.work(unitsOf(0n));
    node.received(transaction.signature);
    if (node.faults.drops(transaction)) return transaction.signature;
    const isBehind = node.slotsBehind > 0n;
    if (isBehind && !skipPreflight) preflight(node, transaction);
    if (node.forks.take(transaction, { preflight: !skipPreflight })) return transaction.signature;
    try {
      return await node.ledger.send(transaction, { preflight: !skipPreflight && !isBehind });
    } catch (error) {
      // Who lags passes on what others refuse, and does not hear of it.
      if (isBehind && isRefusal(error)) return transaction.signature;
      throw error;
    }
  },

  simulateTransaction: (node, params, room) => {
    const config = configParam(params[1]);
    const transaction = transactionParam(params[0], config);
    checkFreshness(node, config);
    return inContext(node, simulate(node, transaction, config, room));
  },

  requestAirdrop: async (node, params, room) => {
    const to = addressParam(params[0]);
    const lamports = integerParam(params[1], "lamports", airdropLimit);
    checkFreshness(node, configParam(params[2]));
    room.work(unitsOf(0n));
    return node.faucet.airdrop(to, lamports);
  },
};

/** Executing counts a hundred for itself, and one for each thousand compute units. */
function unitsOf(unitsConsumed: bigint): number {
  return 100 + Number(unitsConsumed / 1_000n);
}

function transactionParam(value: unknown, config: Config): CheckedTransaction {
  const text = stringParam(value, "transaction");
  const base64 = choiceParam(config.encoding, "encoding", ["base58", "base64"]) === "base64";
  if (text.length > (base64 ? base64Limit : base58Limit)) throw invalidParams("the transaction is too large");
  return checkTransaction(base64 ? base64BytesParam(text, "transaction") : base58BytesParam(text, "transaction"));
}

/** What a node that lags says of a transaction before it passes it on, by what it knows itself. Throws RpcError. */
function preflight({ ledger }: NodeParts, transaction: CheckedTransaction): void {
  const unseen = ledger.refusesUnseen(transaction);
  if (unseen !== null) throw refusal(isSigned(transaction) ? unseen : "SignatureFailure");
  const outcome = ledger.head().simulate(transaction, { verifySignatures: true, withInner: false, of: new Set() });
  if (outcome.fault !== null) throw refusal(outcome.fault, outcome);
}

function isRefusal(error: unknown): boolean {
  return error instanceof RpcError && error.code === rpcErrorCode.sendTransactionPreflightFailure;
}

function simulate(node: NodeParts, transaction: CheckedTransaction, config: Config, room: CallRoom): object {
  const verifySignatures = booleanParam(config.sigVerify, "sigVerify", false);
  const replaceBlockhash = booleanParam(config.replaceRecentBlockhash, "replaceRecentBlockhash", false);
  if (verifySignatures && replaceBlockhash)
    throw invalidParams("sigVerify may not be used with replaceRecentBlockhash");
  const wanted = config.accounts === undefined || config.accounts === null ? undefined : configParam(config.accounts);
  const view = accountView({ encoding: wanted?.encoding ?? "base64" });
  if (view.encoding === "binary" || view.encoding === "base58") throw invalidParams("base58 encoding not supported");
  const addresses = arrayParam(wanted?.addresses ?? [], "accounts", 256).map((item) => addressParam(item));
  const withInner = booleanParam(config.innerInstructions, "innerInstructions", false);

  const vm = node.ledger.head();
  const isForgotten = !replaceBlockhash && node.faults.forgets(transaction.message.blockhash);
  const unseen = replaceBlockhash ? null : isForgotten ? "BlockhashNotFound" : node.ledger.refusesUnseen(transaction);
  if (unseen !== null && verifySignatures && !isSigned(transaction)) throw refusal("SignatureFailure");
  const keys = resolveAccountKeys(transaction.message, vm.get);
  if (addresses.length > keys.addresses.length) {
    throw invalidParams(`Too many accounts provided; max ${keys.addresses.length}`);
  }
  const before = readInvolved(vm, keys);
  const result =
    unseen === null
      ? vm.simulate(transaction, {
          verifySignatures,
          withInner,
          of: new Set(keys.addresses.filter((_, i) => keys.isWritable(i))),
        })
      : { fault: unseen, logs: [], unitsConsumed: 0n, innerInstructions: [], returnData: null, after: new Map() };
  room.work(unitsOf(result.unitsConsumed));
  if (result.fault === "SignatureFailure") {
    throw new RpcError(rpcErrorCode.signatureVerificationFailure, "Transaction signature verification failure");
  }
  const after = keys.addresses.map((address, index) => result.after.get(address) ?? before[index]);
  const record = recordOf(vm, keys, result, before, after);
  const replacement = node.time.blockhash();
  return {
    accounts: wanted
      ? addresses.map((address) => {
          if (result.fault !== null) return null;
          const simulated = result.after.get(address);
          const state = simulated && !simulated.executable ? simulated : vm.get(address);
          if (state === undefined || state.lamports === 0n) return null;
          room.show(viewLength(state, view));
          return encodeAccount(address, state, view, vm.get);
        })
      : null,
    err: result.fault,
    fee: result.fault === null ? wireInteger(record.fee) : null,
    innerInstructions: withInner ? parsedInnerInstructions(result.innerInstructions, keys) : null,
    loadedAccountsDataSize: loadedSize(vm, keys.addresses, before),
    loadedAddresses: { readonly: keys.loadedReadonly, writable: keys.loadedWritable },
    logs: result.logs,
    postBalances: record.postBalances.map(wireInteger),
    postTokenBalances: record.postTokenBalances,
    preBalances: record.preBalances.map(wireInteger),
    preTokenBalances: record.preTokenBalances,
    replacementBlockhash: replaceBlockhash
      ? {
          blockhash: replacement.blockhash,
          lastValidBlockHeight: wireInteger(replacement.lastValidBlockHeight),
        }
      : null,
    returnData: returnDataJson(result.returnData),
    unitsConsumed: wireInteger(result.unitsConsumed),
  };
}

function loadedSize(vm: Vm, addresses: readonly Address[], states: readonly (AccountState | undefined)[]): number {
  let size = 0;
  for (const [index, address] of addresses.entries()) {
    const state = states[index];
    if (state) size += vm.dataLengthOf(address, state);
  }
  return size;
}
