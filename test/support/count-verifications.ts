import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** Does some work and counts the ECDSA signatures that `node:crypto` verifies meanwhile, for any caller. */
export async function countVerifications<T>(
  work: () => T | Promise<T>,
): Promise<{ readonly result: T; readonly verifications: number }> {
  const { verify } = crypto;
  let verifications = 0;
  const counting = (...given: Parameters<typeof verify>) => {
    if (given[0] === "sha256") verifications += 1;
    return verify(...given);
  };
  install(counting as typeof verify);
  try {
    const result = await work();
    return { result, verifications };
  } finally {
    install(verify);
  }
}

function install(verify: typeof crypto.verify): void {
  crypto.verify = verify;
  syncBuiltinESMExports();
}
