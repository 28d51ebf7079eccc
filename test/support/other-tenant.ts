/** A second tenant of a test's service. */
import { randomBytes, randomUUID } from "node:crypto";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import type { TestService } from "./test-service.js";

const masterKey = randomBytes(32);

/** For the variables of a service that `asOtherTenant` is used with. */
export const knownMasterKey = { TRELLIS_MASTER_KEY: masterKey.toString("base64") };

/** The headers of a tenant that was made just now. */
export async function asOtherTenant(trellis: TestService): Promise<Record<string, string>> {
  const keyring = createKeyring({ masterKeys: [{ id: "k", key: masterKey }], activeId: "k" });
  const { value } = await trellis.addTenant(`other-${randomUUID()}`, keyring.macs("api-key"));
  return { authorization: `Bearer ${value}` };
}
