import { feeOf } from "../fee.js";
import { checkMessage, versionOneSizeLimit } from "../guard.js";
import { invalidParams, RpcError, rpcErrorCode } from "../rpc-error.js";
import { slotsPerEpoch } from "../vm.js";
import { inContext, type NodeParts, type RpcMethods, solanaVersion, wireInteger } from "./method.js";
import {
  addressParam,
  arrayParam,
  base58Param,
  base64BytesParam,
  checkFreshness,
  configParam,
  integerParam,
  stringParam,
} from "./params.js";

const feeAccountsLimit = 128;

/** Methods about the chain as a whole: slots, blockhashes, fees, the node itself. */
export const blockMethods: RpcMethods = {
  getSlot: (node, params) => currentSlot(node, params),
  // Every slot has a block here.
  getBlockHeight: (node, params) => currentSlot(node, params),

  getBlockTime: (node, params) => {
    const slot = integerParam(params[0], "slot");
    if (slot > node.time.slot()) {
      throw new RpcError(rpcErrorCode.blockNotAvailable, `Block not available for slot ${slot}`);
    }
    return wireInteger(node.time.timeOf(slot));
  },

  getLatestBlockhash: (node, params) => {
    checkFreshness(node, configParam(params[0]));
    const { blockhash, lastValidBlockHeight } = node.time.blockhash();
    return inContext(node, { blockhash, lastValidBlockHeight: wireInteger(lastValidBlockHeight) });
  },

  isBlockhashValid: (node, params) => {
    const blockhash = base58Param(params[0], 32, "blockhash");
    checkFreshness(node, configParam(params[1]));
    return inContext(node, node.time.slotOfValid(blockhash) !== undefined);
  },

  getFeeForMessage: (node, params) => {
    const text = stringParam(params[0], "message");
    checkFreshness(node, configParam(params[1]));
    if (text.length > versionOneSizeLimit * 2) throw invalidParams("the message is too large");
    const message = checkMessage(base64BytesParam(text, "message"));
    const known = node.time.slotOfValid(message.blockhash) !== undefined;
    return inContext(node, known ? wireInteger(feeOf(message)) : null);
  },

  getRecentPrioritizationFees: (node, params) => {
    arrayParam(params[0] ?? [], "addresses", feeAccountsLimit).forEach((address) => {
      addressParam(address);
    });
    // Nothing is ever contended here, so no fee is needed to be first.
    const newest = Number(node.time.slot());
    const count = Math.min(newest + 1, 150);
    return Array.from({ length: count }, (_, index) => ({ prioritizationFee: 0, slot: newest - count + 1 + index }));
  },

  getEpochInfo: (node, params) => {
    checkFreshness(node, configParam(params[0]));
    const slot = node.time.slot();
    return {
      absoluteSlot: wireInteger(slot),
      blockHeight: wireInteger(slot),
      epoch: wireInteger(slot / slotsPerEpoch),
      slotIndex: wireInteger(slot % slotsPerEpoch),
      slotsInEpoch: wireInteger(slotsPerEpoch),
      transactionCount: null,
    };
  },

  // Nothing is ever forgotten: the ledger begins with the chain.
  getFirstAvailableBlock: () => 0,
  minimumLedgerSlot: () => 0,

  getGenesisHash: (node) => node.genesisHash,
  getIdentity: (node) => ({ identity: node.identity }),
  getVersion: () => ({ "feature-set": 0, "solana-core": solanaVersion }),
  getHealth: () => "ok",
};

function currentSlot(node: NodeParts, params: readonly unknown[]): number | bigint {
  checkFreshness(node, configParam(params[0]));
  return wireInteger(node.time.slot());
}
