import { limits } from "@trellis/kernel/limits.js";
import { invalidParams, RpcError, rpcErrorCode } from "../rpc-error.js";
import { type RpcMethods, wireInteger } from "./method.js";
import {
  booleanParam,
  type Config,
  checkConfirmed,
  checkFreshness,
  choiceParam,
  configParam,
  integerParam,
  maxVersionParam,
} from "./params.js";
import { accountsJson, refuseVersion, transactionJson } from "./transaction-encoding.js";

/** A validator lists a hundred times as many, which no client needs of a chain where every slot has a block. */
const rangeLimit = BigInt(limits.sandboxRpc.slotsListed);
const encodings = ["json", "jsonParsed", "base64", "base58"] as const;
const details = ["full", "accounts", "signatures", "none"] as const;

/** Methods about blocks. Every slot has one, and it is whole once its time is over. */
export const ledgerMethods: RpcMethods = {
  getBlock: async (node, params, room) => {
    const slot = integerParam(params[0], "slot");
    const config = typeof params[1] === "string" ? { encoding: params[1] } : configParam(params[1]);
    checkConfirmed(config);
    const encoding = choiceParam(config.encoding, "encoding", encodings) ?? "json";
    const detail = choiceParam(config.transactionDetails, "transactionDetails", details) ?? "full";
    const withRewards = booleanParam(config.rewards, "rewards", true);
    const maxVersion = maxVersionParam(config);
    if (slot >= node.time.slot()) throw notAvailable(slot);
    const signatures = detail === "signatures" ? await node.history.listBlockSignatures(slot) : undefined;
    const isView = detail === "full" || detail === "accounts";
    const transactions = isView ? await node.history.listBlock(slot) : undefined;
    await node.ledger.caughtUp();
    room.work(1 + (signatures ?? transactions ?? []).length);
    for (const { wire } of transactions ?? []) room.show(wire.length);
    const before = slot === 0n ? 0n : slot - 1n;
    return {
      blockHeight: wireInteger(slot),
      blockTime: wireInteger(node.time.timeOf(slot)),
      blockhash: node.time.blockhashOf(slot),
      parentSlot: wireInteger(before),
      previousBlockhash: node.time.blockhashOf(before),
      ...(withRewards && { rewards: [] }),
      ...(signatures && { signatures }),
      ...(transactions && {
        transactions: transactions.map(({ wire, record }) => {
          const whole = detail === "full" ? transactionJson(wire, record, encoding) : accountsJson(wire, record);
          const { version, ...view } = whole;
          refuseVersion(version, maxVersion);
          return { ...view, ...(maxVersion !== undefined && { version }) };
        }),
      }),
    };
  },

  getBlocks: (node, params, room) => {
    const start = integerParam(params[0], "start slot");
    const config = configParam(isConfig(params[1]) ? params[1] : params[2]);
    checkConfirmed(config);
    const end =
      isConfig(params[1]) || params[1] === undefined || params[1] === null
        ? undefined
        : integerParam(params[1], "end slot");
    if (end !== undefined && end < start) return [];
    const last = least(end ?? node.time.slot(), node.time.slot() - 1n);
    if (last - start > rangeLimit) throw invalidParams(`Slot range too large; max ${rangeLimit}`);
    room.work(Number(rangeLimit) / slotsPerUnit);
    return slotsBetween(start, last);
  },

  getBlocksWithLimit: (node, params, room) => {
    const start = integerParam(params[0], "start slot");
    const limit = integerParam(params[1], "limit");
    checkConfirmed(configParam(params[2]));
    if (limit > rangeLimit) throw invalidParams(`Limit too large; max ${rangeLimit}`);
    room.work(Number(rangeLimit) / slotsPerUnit);
    return slotsBetween(start, least(start + limit, node.time.slot()) - 1n);
  },

  getBlockTime: (node, params) => {
    const slot = integerParam(params[0], "slot");
    if (slot > node.time.slot()) throw notAvailable(slot);
    return wireInteger(node.time.timeOf(slot));
  },

  // Nothing is ever forgotten: the ledger begins with the chain.
  getFirstAvailableBlock: () => 0,
  minimumLedgerSlot: () => 0,

  getTransactionCount: async (node, params) => {
    checkFreshness(node, configParam(params[0]));
    return node.countTransactions();
  },

  getRecentPerformanceSamples: async (node, params, room) => {
    const limit = params[0] === undefined || params[0] === null ? sampleLimit : integerParam(params[0], "limit");
    if (limit > sampleLimit) throw invalidParams(`Invalid limit; max ${sampleLimit}`);
    // Whole minutes only, newest first; not more than an hour of them.
    const newest = node.time.slot() / slotsPerSample;
    const count = Number(least(least(limit, newest), samplesAtHand));
    const oldest = newest - BigInt(count);
    room.work(count);
    const counts = await node.history.countPerMinute(oldest * slotsPerSample, newest * slotsPerSample, slotsPerSample);
    return Array.from({ length: count }, (_, index) => {
      const sample = newest - 1n - BigInt(index);
      const numTransactions = counts.get(sample) ?? 0;
      return {
        numNonVoteTransactions: numTransactions,
        numSlots: Number(slotsPerSample),
        numTransactions,
        samplePeriodSecs: 60,
        slot: wireInteger((sample + 1n) * slotsPerSample - 1n),
      };
    });
  },
};

/** Listing a slot takes so little that many count as one. */
const slotsPerUnit = 100;
/** A minute of slots. */
const slotsPerSample = 150n;
const sampleLimit = 720n;
const samplesAtHand = 60n;

function isConfig(value: unknown): value is Config {
  return typeof value === "object" && value !== null;
}

function slotsBetween(first: bigint, last: bigint): (number | bigint)[] {
  const slots: (number | bigint)[] = [];
  for (let slot = first; slot <= last; slot += 1n) slots.push(wireInteger(slot));
  return slots;
}

function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

function notAvailable(slot: bigint): RpcError {
  return new RpcError(rpcErrorCode.blockNotAvailable, `Block not available for slot ${slot}`);
}
