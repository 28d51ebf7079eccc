import { isKeyName, type NoteVerifier, parseVkey } from "@trellis/kernel/tlog/note.js";
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

/** Who cosigns the log, and where it is asked. */
export interface WitnessPlace {
  readonly verifier: NoteVerifier;
  /** Without `add-checkpoint`, and without a slash at the end. */
  readonly url: string;
}

/** `<vkey> <url>`, separated by commas. */
export function parseWitnesses({ read, problems }: Reader): readonly WitnessPlace[] {
  return listed(read("TRELLIS_AUDIT_WITNESSES")).flatMap((text) => {
    const [vkey = "", url = "", ...rest] = text.split(/\s+/);
    const verifier = parseVkey(vkey);
    if (verifier?.kind === "cosignature/v1" && rest.length === 0 && /^https?:\/\/\S+$/.test(url) && URL.canParse(url)) {
      return [{ verifier, url: url.replace(/\/+$/, "") }];
    }
    problems.push(`TRELLIS_AUDIT_WITNESSES: "${text}" is not the key of a witness and its URL, with a space between.`);
    return [];
  });
}

/** Keys of logs of others whose checkpoints are cosigned here, separated by commas. */
export function parseWitnessedLogs({ read, problems }: Reader): readonly NoteVerifier[] {
  return listed(read("TRELLIS_AUDIT_WITNESSED_LOGS")).flatMap((text) => {
    const verifier = parseVkey(text);
    if (verifier?.kind === "ed25519") return [verifier];
    problems.push(`TRELLIS_AUDIT_WITNESSED_LOGS: "${text}" is not the key of a log, such as trellis audit key prints.`);
    return [];
  });
}

const listed = (text: string): string[] => text.split(",").flatMap((part) => part.trim() || []);
