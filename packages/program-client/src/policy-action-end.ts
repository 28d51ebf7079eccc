/** How long an action is that creates or updates a policy: behind it stand others, which must not be hidden by it. */
const POLICY_CREATE = 7;
const SPENDING_LIMIT = 1;
const CUSTOM_PERIOD = 4;

/**
 * Where the action that begins at `start` with its tag ends, for policies that are spending limits; undefined for every
 * other kind of policy, whose layout this client does not know, and for bytes that fit none.
 */
export function policyActionEnd(bytes: Uint8Array, start: number): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start + 1;
  const skip = (length: number): void => {
    at += length;
    if (at > bytes.length) throw new RangeError("ends early");
  };
  const byte = (max: number): number => {
    skip(1);
    const value = view.getUint8(at - 1);
    if (value > max) throw new RangeError("no such value");
    return value;
  };
  const list = (itemBytes: number): void => {
    skip(4);
    skip(view.getUint32(at - 4, true) * itemBytes);
  };
  const optional = (length: number): void => {
    if (byte(1) === 1) skip(length);
  };
  const payload = (): void => {
    if (byte(SPENDING_LIMIT) !== SPENDING_LIMIT) throw new RangeError("another kind of policy");
    // Mint, account index, start.
    skip(32 + 1 + 8);
    optional(8);
    if (byte(CUSTOM_PERIOD) === CUSTOM_PERIOD) skip(8);
    byte(1);
    // Per period, per use.
    skip(16);
    byte(1);
    optional(16);
    list(32);
  };
  const rules = (): void => {
    list(33);
    // Threshold, time lock.
    skip(6);
  };
  const expiration = (): void => {
    if (byte(1) === 1 && byte(1) === 0) skip(8);
  };
  try {
    if (view.getUint8(start) === POLICY_CREATE) {
      // The seed.
      skip(8);
      payload();
      rules();
      optional(8);
    } else {
      // The policy.
      skip(32);
      rules();
      payload();
    }
    expiration();
    return at;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
