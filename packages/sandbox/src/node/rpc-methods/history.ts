import type { Signature } from "@solana/kit";
import type { LandedOutcome } from "../ledger.js";
import { invalidParams } from "../rpc-error.js";
import { inContext, type NodeParts, type RpcMethods, wireInteger } from "./method.js";
import {
  addressParam,
  arrayParam,
  booleanParam,
  type Config,
  checkConfirmed,
  checkFreshness,
  choiceParam,
  configParam,
  integerParam,
  maxVersionParam,
  signatureParam,
} from "./params.js";
import { refuseVersion, transactionJson } from "./transaction-encoding.js";

const statusLimit = 256;
const historyLimit = 1_000;

/** Methods about transactions that have landed. What the node knows to have landed is final here, but on a fork. */
export const historyMethods: RpcMethods = {
  getSignatureStatuses: async (node, params, room) => {
    const signatures = arrayParam(params[0], "signatures", statusLimit).map((item) => signatureParam(item));
    const config = configParam(params[1]);
    checkFreshness(node, config);
    const searchesHistory = booleanParam(config.searchTransactionHistory, "searchTransactionHistory", false);
    const outcomes = new Map<Signature, LandedOutcome>();
    for (const signature of signatures) {
      const outcome = node.ledger.recentOutcome(signature);
      if (outcome) outcomes.set(signature, outcome);
    }
    room.work(signatures.length);
    const missing = signatures.filter((signature) => !outcomes.has(signature));
    if (searchesHistory && missing.length > 0) {
      for (const [signature, outcome] of await node.history.findOutcomes(missing)) outcomes.set(signature, outcome);
      await node.ledger.caughtUp();
    }
    return inContext(
      node,
      signatures.map((signature) => {
        const outcome = outcomes.get(signature);
        if (outcome !== undefined) return statusJson(outcome, { confirmationStatus: "finalized", confirmations: null });
        const forked = node.forks.find(signature, node.time.slot());
        return forked === undefined ? null : statusJson(forked, { confirmationStatus: "processed", confirmations: 0 });
      }),
    );
  },

  getTransaction: async (node, params, room) => {
    const signature = signatureParam(params[0]);
    const config = typeof params[1] === "string" ? { encoding: params[1] } : configParam(params[1]);
    checkConfirmed(config);
    checkFreshness(node, config);
    const encoding = choiceParam(config.encoding, "encoding", ["json", "jsonParsed", "base64", "base58"]) ?? "json";
    const maxVersion = maxVersionParam(config);
    const found = await node.history.findTransaction(signature);
    await node.ledger.caughtUp();
    if (found === undefined) return null;
    room.show(found.wire.length);
    const { version, ...view } = transactionJson(found.wire, found.record, encoding);
    refuseVersion(version, maxVersion);
    return {
      blockTime: wireInteger(found.blockTime),
      ...view,
      slot: wireInteger(found.slot),
      ...(maxVersion !== undefined && { version }),
    };
  },

  getSignaturesForAddress: async (node, params, room) => {
    const address = addressParam(params[0]);
    const config = configParam(params[1]);
    checkConfirmed(config);
    checkFreshness(node, config);
    const limit = Number(integerParam(config.limit ?? historyLimit, "limit", BigInt(historyLimit)));
    if (limit === 0) throw invalidParams(`limit must be from 1 to ${historyLimit}`);
    const places = await findPlaces(node, config);
    if (places === undefined) return [];
    const entries = await node.history.listSignatures(address, { ...places, limit });
    await node.ledger.caughtUp();
    room.work(1 + entries.length);
    return entries.map((entry) => ({
      blockTime: wireInteger(entry.blockTime),
      confirmationStatus: "finalized",
      err: entry.fault,
      memo: entry.memo,
      signature: entry.signature,
      slot: wireInteger(entry.slot),
    }));
  },
};

interface Confirmation {
  readonly confirmationStatus: "processed" | "finalized";
  readonly confirmations: number | null;
}

function statusJson(outcome: LandedOutcome, confirmation: Confirmation): object {
  return {
    ...confirmation,
    err: outcome.fault,
    slot: wireInteger(outcome.slot),
    status: outcome.fault === null ? { Ok: null } : { Err: outcome.fault },
  };
}

/** Where `before` and `until` stand in the ledger; undefined when nothing can be older than an unknown `before`. */
async function findPlaces(node: NodeParts, config: Config) {
  const optional = (value: unknown, name: string) =>
    value === undefined || value === null ? undefined : signatureParam(value, name);
  const before = optional(config.before, "before");
  const until = optional(config.until, "until");
  const known = await node.history.findOutcomes([before, until].filter((signature) => signature !== undefined));
  if (before !== undefined && !known.has(before)) return undefined;
  return { before: before && known.get(before), after: until && known.get(until) };
}
