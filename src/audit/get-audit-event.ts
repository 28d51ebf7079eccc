import { Buffer } from "node:buffer";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { parseCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { findCheckpoint, proveInclusion, readTree } from "@trellis/kernel/tlog/log-store.js";
import Type from "typebox";
import { ProvenAuditEvent, showEntry, showSecrets } from "./audit-event.js";
import { leafOf } from "./audit-leaf.js";
import { findEntry } from "./audit-store.js";
import { auditLog } from "./log-key.js";
import { type PublishNeeds, publishEntries } from "./publish-entries.js";

/** Gap 180. */
export const getAuditEvent = endpoint(
  {
    operation: "getAuditEvent",
    summary: "Get an entry of the audit log, with its proof",
    description:
      "With the proof that it is in the log of the last checkpoint, which anybody can hold against the log's key.",
    tag: "Audit log",
    method: "GET",
    path: "/api/service/v1/audit-events/{index}",
    scope: "audit:read",
    environment: "none",
    params: Type.Object({ index: Type.String({ examples: ["1042"] }) }),
    response: { status: 200, envelope: true, schema: ProvenAuditEvent },
    errors: ["audit_event_not_found"],
  },
  async (needs: PublishNeeds, { params, caller }) => {
    await publishEntries(needs);
    const place = placeForm.test(params.index) ? BigInt(params.index) : undefined;
    const entry = place === undefined ? undefined : await findEntry(needs.db, caller, place);
    if (entry === undefined || place === undefined) throw new TrellisError("audit_event_not_found");
    const proof = await prove(needs.db, Number(place));
    return {
      data: {
        ...showEntry(entry),
        leaf: canonicalJson(leafOf(entry, Number(place))),
        ...showSecrets(entry),
        ...(proof && { proof }),
      },
    };
  },
);

/** Anything else need not reach the database. */
const placeForm = /^(0|[1-9][0-9]{0,14})$/;

/** That the leaf is in the log of the last checkpoint; undefined where it came later. */
async function prove(db: Db, index: number): Promise<{ checkpoint: string; hashes: string[] } | undefined> {
  const checkpoint = await findCheckpoint(db, auditLog);
  const size = checkpoint === undefined ? 0 : (parseCheckpoint(checkpoint)?.size ?? 0);
  if (checkpoint === undefined || index >= size) return undefined;
  const hashes = await proveInclusion(readTree(db, auditLog), index, size);
  return { checkpoint, hashes: hashes.map((hash) => Buffer.from(hash).toString("base64")) };
}
