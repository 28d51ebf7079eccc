import { createKeyring, type Keyring } from "@trellis/kernel/crypto/envelope.js";

/** The same in every process of a test. */
export const createTestKeyring = (): Keyring =>
  createKeyring({ masterKeys: [{ id: "test", key: new Uint8Array(32).fill(7) }], activeId: "test" });
