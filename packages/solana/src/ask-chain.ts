import { TrellisError } from "@trellis/kernel/errors.js";

/**
 * Makes a call to the chain and turns its failure into `chain_unavailable`: what a caller can do is to try again later,
 * whatever the transport's own error was.
 */
export async function askChain<T>(call: { send(): Promise<T> }): Promise<T> {
  try {
    return await call.send();
  } catch (error) {
    throw new TrellisError("chain_unavailable", { cause: error });
  }
}
