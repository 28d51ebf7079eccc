import { feeOf } from "../fee.js";
import { checkMessage, versionOneSizeLimit } from "../guard.js";
import { findNonce } from "../nonce.js";
import { invalidParams } from "../rpc-error.js";
import { slotsPerEpoch } from "../vm.js";
import { inContext, type NodeParts, type RpcMethods, wireInteger } from "./method.js";
import {
  addressParam,
  arrayParam,
  base58Param,
  base64BytesParam,
  type Config,
  checkFreshness,
  configParam,
  stringParam,
} from "./params.js";

const feeAccountsLimit = 128;

/** Methods about the present: slots, blockhashes, fees. */
export const blockMethods: RpcMethods = {
  getSlot: (node, params) => currentSlot(node, params),
  // Every slot has a block here.
  getBlockHeight: (node, params) => currentSlot(node, params),

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
    const known =
      node.time.slotOfValid(message.blockhash) !== undefined || findNonce(message, node.ledger.read) !== undefined;
    return inContext(node, known ? wireInteger(feeOf(message)) : null);
  },

  getRecentPrioritizationFees: (node, params) => {
    arrayParam(params[0] ?? [], "addresses", feeAccountsLimit).forEach((address) => {
      addressParam(address);
    });
    // Nothing is contended here, so that no fee is needed to be first: unless one is asked for on purpose.
    const prioritizationFee = node.faults.price();
    const newest = Number(node.time.slot());
    const count = Math.min(newest + 1, 150);
    return Array.from({ length: count }, (_, index) => ({ prioritizationFee, slot: newest - count + 1 + index }));
  },

  getEpochInfo: async (node, params) => {
    const slot = slotAt(node, configParam(params[0]));
    return {
      absoluteSlot: wireInteger(slot),
      blockHeight: wireInteger(slot),
      epoch: wireInteger(slot / slotsPerEpoch),
      slotIndex: wireInteger(slot % slotsPerEpoch),
      slotsInEpoch: wireInteger(slotsPerEpoch),
      transactionCount: await node.countTransactions(),
    };
  },
};

function currentSlot(node: NodeParts, params: readonly unknown[]): number | bigint {
  return wireInteger(slotAt(node, configParam(params[0])));
}

/**
 * The newest slot of a commitment. What landed is final at once, but the present slot is not over: `finalized` is the
 * one before, which is what lookup tables and blocks can be asked for.
 */
function slotAt(node: NodeParts, config: Config): bigint {
  checkFreshness(node, config);
  const isPresent = ["processed", "confirmed", "recent", "single", "singleGossip"].includes(String(config.commitment));
  return isPresent ? node.time.slot() : node.time.slot() - 1n;
}
