import { readFileSync } from "node:fs";
import { readSite } from "../composition/read-site.js";

/** The documentation that was built with this version, by path; empty where nothing was built. */
export function readBundledDocs(): {
  readonly version: string;
  readonly docs: readonly (readonly [path: string, text: () => string])[];
} {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const site = readSite({ sandbox: true }) ?? new Map();
  return {
    version,
    docs: [...site].map(([path, { bytes }]) => [path, () => bytes.identity.toString("utf8")] as const),
  };
}
