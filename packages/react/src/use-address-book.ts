import type { Label } from "@trellis/sdk";
import { type Read, type ReadOptions, useReading } from "./use-reading.js";

/** As many as one answer holds. */
const labelsPerPage = 100;

/**
 * All labels of the chosen account, newest first: where a payee is searched by name, half of them would not do. A publishable key needs
 * `accounts:read` for it.
 */
export function useAddressBook({ pollMs = 0 }: ReadOptions = {}): Read<readonly Label[]> {
  return useReading(
    "address book",
    async (client, account) => {
      const labels: Label[] = [];
      for await (const label of client.labels.list({ account, limit: labelsPerPage })) labels.push(label);
      return labels;
    },
    pollMs,
  );
}
