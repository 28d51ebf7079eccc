import { none, some } from "@solana/kit";
import { getMintDecoder, getTokenEncoder, AccountState as TokenState } from "@solana-program/token";
import { describe, expect, it } from "vitest";
import { addressBytes, addressOf } from "./address-bytes.js";
import {
  encodeEmptyMint,
  readMint,
  readTokenAccount,
  token2022Program,
  tokenProgram,
  uiTokenAmount,
} from "./token-layout.js";

const authority = addressOf(new Uint8Array(32).fill(8));

describe("token accounts and mints", () => {
  it("writes mints that the token program's client reads", () => {
    const data = encodeEmptyMint(addressBytes(authority), 6);
    expect(getMintDecoder().decode(data)).toEqual({
      mintAuthority: some(authority),
      supply: 0n,
      decimals: 6,
      isInitialized: true,
      freezeAuthority: none(),
    });
    expect(readMint(owned(data))).toEqual({ mintAuthority: authority, supply: 0n, decimals: 6, freezeAuthority: null });
    expect(readTokenAccount(owned(data))).toBeUndefined();
  });

  it("reads the accounts that the token program's client writes", () => {
    const fields = {
      mint: addressOf(new Uint8Array(32).fill(1)),
      owner: addressOf(new Uint8Array(32).fill(2)),
      amount: 2n ** 64n - 1n,
      delegate: some(authority),
      state: TokenState.Frozen,
      isNative: some(2_039_280n),
      delegatedAmount: 12n,
      closeAuthority: some(authority),
    };
    const data = new Uint8Array(getTokenEncoder().encode(fields));
    expect(readTokenAccount(owned(data))).toEqual({
      ...fields,
      delegate: authority,
      state: "frozen",
      isNative: undefined,
      nativeReserve: 2_039_280n,
      closeAuthority: authority,
    });
    expect(readTokenAccount(owned(data, authority))).toBeUndefined();
    const extended = Uint8Array.from([...data, 2, 7, 0, 0, 0]);
    expect(readTokenAccount(owned(extended, token2022Program))?.amount).toBe(fields.amount);
    expect(readMint(owned(extended, token2022Program))).toBeUndefined();
  });

  it("shows amounts with the mint's decimals", () => {
    expect(uiTokenAmount(0n, 6)).toEqual({ amount: "0", decimals: 6, uiAmount: 0, uiAmountString: "0" });
    expect(uiTokenAmount(1n, 6).uiAmountString).toBe("0.000001");
    expect(uiTokenAmount(1_500_000n, 6).uiAmountString).toBe("1.5");
    expect(uiTokenAmount(12n, 0).uiAmountString).toBe("12");
    expect(uiTokenAmount(2n ** 64n - 1n, 9).uiAmountString).toBe("18446744073.709551615");
  });
});

const owned = (data: Uint8Array, owner = tokenProgram) => ({ lamports: 1n, owner, data, executable: false });
