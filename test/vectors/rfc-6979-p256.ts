/** RFC 6979 appendix A.2.5: ECDSA on P-256 with SHA-256. All values but the messages are hex. */
export const rfc6979P256 = {
  privateKey: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721",
  publicKey:
    "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
  signatures: [
    {
      message: "sample",
      r: "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
      s: "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
    },
    {
      message: "test",
      r: "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
      s: "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083",
    },
  ],
} as const;
