import { Buffer } from "node:buffer";
import type { CustodianLog } from "@trellis/kernel/ports/custodian-log.js";
import { logOriginOf, witnessNameOf } from "../../custody/protocol/frame.js";
import type { CustodianClient } from "./custodian-client.js";
import { identityText, type KeyFolder } from "./key-folder.js";

/** The log of a custodian in a process of its own, over the protocol. */
export function createCustodianLog(
  name: string,
  client: CustodianClient,
  { peer }: Pick<KeyFolder, "peer">,
): Omit<CustodianLog, "isRunning"> {
  const origin = logOriginOf(identityText(peer));
  return {
    name,
    origin,
    witnessName: witnessNameOf(origin),
    async getKeys() {
      const { log_key: logKey, witness_key: witnessKey } = await client.ask("getLog", {}, undefined);
      return { logKey, witnessKey };
    },
    async getServiceLog() {
      const { service_log: seen } = await client.ask("getLog", {}, undefined);
      return seen && { ...seen, root: Uint8Array.from(Buffer.from(seen.root, "base64")) };
    },
    async proveGrowth(old) {
      const { size, checkpoint, proof } = await client.ask("proveGrowth", {}, { old });
      return { size, checkpoint, proof: proof.map((hash) => Uint8Array.from(Buffer.from(hash, "base64"))) };
    },
    addCheckpoint: (logKey, body) => client.ask("addCheckpoint", {}, { log_key: logKey, request: body }),
    async keepCosignature({ witnessKey, checkpoint, line }) {
      const { kept } = await client.ask("keepCosignature", {}, { witness_key: witnessKey, checkpoint, line });
      return kept;
    },
  };
}
