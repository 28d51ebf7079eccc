import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Caller } from "@trellis/kernel/endpoint.js";
import type { CodeShare, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { hasHeldSession } from "../people/held-session.js";

/** Shares of the codes of an address that a caller may use, the best first. */
export type CodeShares = readonly [CodeShare, ...CodeShare[]];

/**
 * By which shares a caller with a publishable key signs in as an address (gap 123): a browser that sends the token of a
 * session that address had here, however long it is over, has a share that no caller without one can use up.
 */
export async function findShares(
  needs: { readonly db: Db; readonly keyring: Keyring },
  network: Network,
  { tenantId, presentedToken: viewToken }: Caller,
  email: string,
): Promise<CodeShares> {
  if (viewToken === undefined) return ["publishable"];
  const isReturning = await hasHeldSession(needs, network, { tenantId, email, token: viewToken });
  return isReturning ? ["returning", "publishable"] : ["publishable"];
}
