import type { Signature } from "@solana/kit";
import type { SandboxFaults } from "../../../ports/network.js";

/** Tells each time whether something goes wrong. */
export interface FaultLayer {
  /** Whether a transaction that comes in now vanishes. */
  drops(signature: Signature): boolean;
  /** Whether the node pretends not to know a blockhash now. */
  forgets(blockhash: string): boolean;
}

/** Whom it went wrong for is remembered for this many; beyond that the oldest meet it anew. */
const rememberedMax = 10_000;

/** The same for the same calls in the same order: nothing is drawn by lot. */
export function createFaultLayer(faults: SandboxFaults): FaultLayer {
  const counter = (times: number) => {
    const met = new Map<string, number>();
    return (name: string): boolean => {
      const before = met.get(name) ?? 0;
      if (before >= times) return false;
      if (met.size >= rememberedMax && !met.has(name)) met.delete(met.keys().next().value ?? "");
      met.set(name, before + 1);
      return true;
    };
  };
  return { drops: counter(faults.drop), forgets: counter(faults.blockhashNotFound) };
}

/** For people who wonder. */
export function describeFaults({ drop, blockhashNotFound }: SandboxFaults): string {
  const often = (times: number) => (times === Number.POSITIVE_INFINITY ? "always" : `${times}×`);
  const parts = [
    ...(drop > 0 ? [`transactions vanish (${often(drop)})`] : []),
    ...(blockhashNotFound > 0 ? [`blockhashes are not found (${often(blockhashNotFound)})`] : []),
  ];
  return `TRELLIS_SANDBOX_FAULTS: ${parts.join(", ")}`;
}
