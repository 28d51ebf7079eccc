import { hasFreshNotices } from "../../src/rails/notice-store.js";
import type { TestService } from "./test-service.js";

/**
 * Moves the sandbox's clock by a second, and again until everything that the partner reported has been followed: a pass of the
 * service's own may be at it just then.
 */
export async function followRailsOf({ client, service }: TestService, partner: string): Promise<void> {
  const network = service.networks.get("sandbox");
  if (network === undefined) throw new Error("The service has no sandbox.");
  do await client.sandbox.advanceClock(1);
  while (await hasFreshNotices(service.db, network, partner));
}
