/** A source of unpredictable bytes and identifiers. */
export interface Random {
  /** `length` bytes of cryptographic quality. */
  bytes(length: number): Uint8Array;
  /** A random (version 4) UUID, lower case. */
  uuid(): string;
}
