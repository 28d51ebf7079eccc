import { invalidParams, RpcError, rpcErrorCode } from "../rpc-error.js";
import { slotsPerEpoch } from "../vm.js";
import { inContext, type NodeParts, type RpcMethods, solanaVersion, wireInteger } from "./method.js";
import { addressParam, arrayParam, checkFreshness, configParam, integerParam } from "./params.js";

const leaderLimit = 5_000n;
const largestCount = 20;
/** A validator that is further behind says so of itself. */
const healthySlotsBehind = 128n;

/** What a cluster of one node, which leads every slot and pays no one for it, says about itself. */
export const clusterMethods: RpcMethods = {
  getGenesisHash: (node) => node.genesisHash,
  getIdentity: (node) => ({ identity: node.identity }),
  getVersion: () => ({ "feature-set": 0, "solana-core": solanaVersion }),
  getHealth: ({ slotsBehind }) => {
    if (slotsBehind <= healthySlotsBehind) return "ok";
    throw new RpcError(rpcErrorCode.nodeUnhealthy, `Node is behind by ${slotsBehind} slots`, {
      numSlotsBehind: Number(slotsBehind),
    });
  },

  getClusterNodes: (node) => [
    {
      featureSet: 0,
      gossip: null,
      pubkey: node.identity,
      pubsub: null,
      rpc: null,
      serveRepair: null,
      shredVersion: 0,
      tpu: null,
      tpuForwards: null,
      tpuForwardsQuic: null,
      tpuQuic: null,
      tpuVote: null,
      tvu: null,
      version: solanaVersion,
    },
  ],

  getVoteAccounts: (node, params) => {
    const config = configParam(params[0]);
    checkFreshness(node, config);
    const wanted = config.votePubkey === undefined || config.votePubkey === null ? node.identity : config.votePubkey;
    const slot = node.time.slot();
    const own = {
      activatedStake: 0,
      commission: 0,
      epochCredits: [],
      epochVoteAccount: true,
      lastVote: wireInteger(slot),
      nodePubkey: node.identity,
      rootSlot: wireInteger(slot - 1n),
      votePubkey: node.identity,
    };
    return { current: addressParam(wanted, "votePubkey") === node.identity ? [own] : [], delinquent: [] };
  },

  getEpochSchedule: () => ({
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
    leaderScheduleSlotOffset: wireInteger(slotsPerEpoch),
    slotsPerEpoch: wireInteger(slotsPerEpoch),
    warmup: false,
  }),

  getSlotLeader: (node, params) => {
    checkFreshness(node, configParam(params[0]));
    return node.identity;
  },

  getSlotLeaders: (node, params) => {
    integerParam(params[0], "start slot");
    const limit = integerParam(params[1], "limit");
    if (limit < 1n || limit > leaderLimit) throw invalidParams(`Invalid limit; max ${leaderLimit}`);
    return Array.from({ length: Number(limit) }, () => node.identity);
  },

  getLeaderSchedule: (node, params) => {
    const hasSlot = typeof params[0] === "number" || typeof params[0] === "bigint";
    const slot = hasSlot ? integerParam(params[0], "slot") : node.time.slot();
    const config = configParam(hasSlot || params[0] === null ? params[1] : params[0]);
    checkFreshness(node, config);
    const identity = config.identity === undefined || config.identity === null ? node.identity : config.identity;
    if (slot / slotsPerEpoch > node.time.slot() / slotsPerEpoch + 1n) return null;
    if (addressParam(identity, "identity") !== node.identity) return {};
    // Every slot of the epoch would be here, nearly half a million numbers of no use to any client.
    return { [node.identity]: [] };
  },

  getInflationGovernor: (node, params) => {
    checkFreshness(node, configParam(params[0]));
    return { foundation: 0, foundationTerm: 0, initial: 0, taper: 0, terminal: 0 };
  },

  getInflationRate: (node) => ({ epoch: wireInteger(epochOf(node)), foundation: 0, total: 0, validator: 0 }),

  getInflationReward: (node, params) => {
    const addresses = arrayParam(params[0], "addresses", 1_000).map((address) => addressParam(address));
    checkFreshness(node, configParam(params[1]));
    return addresses.map(() => null);
  },

  getStakeMinimumDelegation: (node, params) => {
    checkFreshness(node, configParam(params[0]));
    return inContext(node, 1);
  },

  getBlockProduction: (node, params) => {
    const config = configParam(params[0]);
    checkFreshness(node, config);
    const slot = node.time.slot();
    const range = configParam(config.range, "range");
    const first =
      range.firstSlot === undefined ? epochOf(node) * slotsPerEpoch : integerParam(range.firstSlot, "firstSlot");
    const last =
      range.lastSlot === undefined || range.lastSlot === null ? slot : integerParam(range.lastSlot, "lastSlot", slot);
    if (first > last) throw invalidParams(`lastSlot, ${last}, cannot be less than firstSlot, ${first}`);
    const isAsked =
      config.identity === undefined ||
      config.identity === null ||
      addressParam(config.identity, "identity") === node.identity;
    const led = wireInteger(last - first + 1n);
    return inContext(node, {
      byIdentity: isAsked ? { [node.identity]: [led, led] } : {},
      range: { firstSlot: wireInteger(first), lastSlot: wireInteger(last) },
    });
  },

  getBlockCommitment: (_node, params) => {
    integerParam(params[0], "slot");
    return { commitment: null, totalStake: 0 };
  },

  getHighestSnapshotSlot: () => {
    throw new RpcError(rpcErrorCode.noSnapshot, "No snapshot");
  },
  getMaxRetransmitSlot: (node) => wireInteger(node.time.slot()),
  getMaxShredInsertSlot: (node) => wireInteger(node.time.slot()),

  getSupply: async (node, params) => {
    const config = configParam(params[0]);
    checkFreshness(node, config);
    const { total, largest } = await node.readWealth();
    // What the faucet has not given out yet circulates no more than a foundation's locked stake does.
    const faucet = largest.find(({ address }) => address === node.faucetAddress)?.lamports ?? 0n;
    return inContext(node, {
      circulating: wireInteger(total - faucet),
      nonCirculating: wireInteger(faucet),
      nonCirculatingAccounts: config.excludeNonCirculatingAccountsList === true ? [] : [node.faucetAddress],
      total: wireInteger(total),
    });
  },

  getLargestAccounts: async (node, params) => {
    const config = configParam(params[0]);
    checkFreshness(node, config);
    const { filter } = config;
    if (filter !== undefined && filter !== null && filter !== "circulating" && filter !== "nonCirculating") {
      throw invalidParams("filter must be one of circulating, nonCirculating");
    }
    const isAsked = (address: string) =>
      filter === "nonCirculating"
        ? address === node.faucetAddress
        : filter !== "circulating" || address !== node.faucetAddress;
    const { largest } = await node.readWealth();
    return inContext(
      node,
      largest
        .filter(({ address }) => isAsked(address))
        .slice(0, largestCount)
        .map(({ address, lamports }) => ({ address, lamports: wireInteger(lamports) })),
    );
  },
};

function epochOf(node: NodeParts): bigint {
  return node.time.slot() / slotsPerEpoch;
}
