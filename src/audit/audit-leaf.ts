import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import type { AuditEntryTable } from "@trellis/kernel/ports/database.js";
import { hashLeaf, isSame } from "@trellis/kernel/tlog/merkle.js";
import type { Selectable } from "kysely";

export type AuditEntry = Selectable<AuditEntryTable>;

/** What a leaf of the log is the hash of, as canonical JSON. It says nothing about its subject once the salt was deleted. */
export interface AuditLeaf {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly subject_hash: string;
  readonly body_hash: string;
}

/** The leaf of an entry at a place. */
export function leafOf(
  entry: Pick<AuditEntry, "at" | "kind" | "subject_hash" | "body_hash">,
  place: number,
): AuditLeaf {
  return {
    seq: place,
    at: Number(entry.at),
    kind: entry.kind,
    subject_hash: hex(entry.subject_hash),
    body_hash: hex(entry.body_hash),
  };
}

/** The hash that stands in the tree. */
export const hashOfLeaf = (leaf: AuditLeaf): Uint8Array => hashLeaf(Buffer.from(canonicalJson(leaf)));

/** What is wrong with an entry beside its leaf: its columns have to say what its hashes are over. Undefined: nothing. */
export function faultOf(entry: AuditEntry): string | undefined {
  const { salt, body, subject } = entry;
  if (body === null) return undefined;
  if (salt === null || subject === null) return "its body is there without its salt or subject";
  if (!isSame(saltedHash(salt, body), entry.body_hash)) return "its body is not what was logged";
  if (!isSame(saltedHash(salt, subject), entry.subject_hash)) return "its subject is not what was logged";
  const said = JSON.parse(body) as Partial<Record<"tenant" | "environment" | "user" | "subject", string>>;
  const columns = { tenant: entry.tenant_id, environment: entry.environment, user: entry.user_id, subject };
  const other = Object.entries(columns).find(([name, value]) => (said[name as "tenant"] ?? null) !== value);
  return other && `its ${other[0]} is not what was logged`;
}

const saltedHash = (salt: Uint8Array, text: string): Uint8Array =>
  createHash("sha256").update(salt).update(text, "utf8").digest();

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
