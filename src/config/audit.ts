import { isKeyName } from "@trellis/kernel/tlog/note.js";
import type { Reader } from "./reader.js";

/** The name of the audit log: what its checkpoints begin with, and the name of the key that signs them. */
export function parseAuditOrigin({ read, problems }: Reader, publicUrl: string | null): string {
  const named = read("TRELLIS_AUDIT_ORIGIN");
  if (named !== "" && (!isKeyName(named) || !/^[\x21-\x7e]+$/.test(named))) {
    problems.push("TRELLIS_AUDIT_ORIGIN must be a name such as trellis.example/audit, without spaces and plus signs.");
  }
  if (named !== "") return named;
  const host = publicUrl !== null && URL.canParse(publicUrl) ? new URL(publicUrl).host : "localhost";
  return `${host}/audit`;
}
