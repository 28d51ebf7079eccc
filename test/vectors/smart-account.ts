/** The smart account of settings seed 1: addresses derived once by the program's rules, and one published call. */
export const smartAccountVector = {
  settings: "41gqrPgijYycTaCCzKyLfvqikMEH9fzGCwZYAKQHvMbd",
  vault0: "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y",
  vault1: "HLXfZdNd8Df86bkhQgKrjSWht6AqRSYQR7eE7dE7FQXQ",
  /** Settings seed 2. */
  otherSettings: "9pits5NtSr7qjgYxf8CAiRbST3CfpsVs58ExNyW9YJnn",
  /**
   * Data of `execute_transaction_sync_v2`, 2 signers, hex: the vault sends 1,000,000 lamports; accounts behind the
   * signers: vault, recipient, system program.
   */
  syncTransferData: "5a51bb512746804e0002001300000001020200010c000200000040420f0000000000",
} as const;
