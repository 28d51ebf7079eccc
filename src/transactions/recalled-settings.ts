import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Settings } from "@trellis/program-client";

/** The settings of an account as this process has last read them. */
export interface RecalledSettings {
  readonly data: Uint8Array;
  readonly settings: Settings;
  /** The slot they were read at. */
  readonly slot: bigint;
}

type Way = Pick<Network, "rpc">;

/** By the way to the chain, the latest last. */
const known = new WeakMap<Way["rpc"], Map<Address, RecalledSettings>>();

/** Keeps what was read, in place of what was read before; undefined: nothing. */
export function rememberSettings({ rpc }: Way, settingsAddress: Address, read: RecalledSettings | undefined): void {
  const all = known.get(rpc) ?? new Map<Address, RecalledSettings>();
  known.set(rpc, all);
  all.delete(settingsAddress);
  if (read === undefined) return;
  all.set(settingsAddress, read);
  if (all.size <= limits.recalledSettings) return;
  for (const oldest of all.keys()) {
    all.delete(oldest);
    break;
  }
}

/** What was last read; undefined where it was never, or too many others were since. It may be so no longer. */
export const recallSettings = ({ rpc }: Way, settingsAddress: Address): RecalledSettings | undefined =>
  known.get(rpc)?.get(settingsAddress);
