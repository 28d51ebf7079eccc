/** Every number that bounds something, with its unit and where it comes from. */
export const limits = {
  /** gap 8 */
  bodyBytes: 256 * 1024,
  /** interface 8, gap 22 */
  otpLifetimeMs: 15 * 60_000,
  otpAttempts: 3,
  otpFailuresPerAddressPerDay: 10,
  otpFailuresPerTenantPerHourAlarm: 100,
  mailsPerAddressPerHour: 5,
  mailsPerAddressPerDay: 20,
  /** gap 16 */
  signersMax: 10,
  timeLockMaxSeconds: 7_776_000,
  /** gap 20 */
  sessionDefaultMs: 24 * 3_600_000,
  sessionMaxMs: 30 * 86_400_000,
  refreshGraceMs: 60_000,
  /** gap 6 */
  idempotencyKeptMs: 24 * 3_600_000,
  idempotencyLeaseMs: 30_000,
  /** Solana's packet limit, gap 23 */
  transactionBytes: 1_232,
  /** gap 29 */
  submitTransactionsMax: 20,
  /** gap 28: how far a kms_b timestamp may lie from real time */
  kmsTimestampToleranceMs: 5 * 60_000,
  /** program spec: candidate settings accounts offered to one creation */
  creationWindow: 8,
  /** gap 31: micro-lamports per compute unit at most */
  computePriceCapMicroLamports: 1_000_000n,
  /** A payload lives as long as a prepared transaction can: 150 slots of 0.4 s. */
  preparedLifetimeMs: 60_000,
  /** gap 49 */
  clockAdvanceMaxSeconds: 400 * 86_400,
} as const;
