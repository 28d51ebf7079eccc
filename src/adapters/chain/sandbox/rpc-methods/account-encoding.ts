import { base58 } from "@scure/base";
import type { Address } from "@solana/kit";
import type { AccountState } from "../account-state.js";
import { invalidParams, RpcError, rpcErrorCode } from "../rpc-error.js";
import { readMint, readTokenAccount, tokenProgram, uiTokenAmount } from "../token-layout.js";
import { wireInteger } from "./method.js";
import { type Config, choiceParam, configParam, integerParam } from "./params.js";

const encodings = ["base58", "base64", "base64+zstd", "jsonParsed", "binary"] as const;
const base58Limit = 128;
const rentExemptForEver = 2n ** 64n - 1n;

/** How accounts are to be shown. */
export interface AccountView {
  readonly encoding: (typeof encodings)[number];
  readonly slice: { readonly offset: number; readonly length: number } | undefined;
}

/** Reads `encoding` and `dataSlice`. Throws RpcError -32602. */
export function accountView(config: Config): AccountView {
  const encoding = choiceParam(config.encoding, "encoding", encodings) ?? "binary";
  if (encoding === "base64+zstd") throw invalidParams("base64+zstd is not offered here; ask for base64");
  if (config.dataSlice === undefined || config.dataSlice === null) return { encoding, slice: undefined };
  const slice = configParam(config.dataSlice, "dataSlice");
  const sizeLimit = 2n ** 32n;
  return {
    encoding,
    slice: {
      offset: Number(integerParam(slice.offset, "dataSlice.offset", sizeLimit)),
      length: Number(integerParam(slice.length, "dataSlice.length", sizeLimit)),
    },
  };
}

/** An account as RPC answers show it; `read` finds the mint of a token account for `jsonParsed`. */
export function encodeAccount(
  state: AccountState,
  view: AccountView,
  read: (address: Address) => AccountState | undefined,
): object {
  return {
    data: encodeData(state, view, read),
    executable: state.executable,
    lamports: wireInteger(state.lamports),
    owner: state.owner,
    rentEpoch: rentExemptForEver,
    space: state.data.length,
  };
}

function encodeData(
  state: AccountState,
  { encoding, slice }: AccountView,
  read: (address: Address) => AccountState | undefined,
): unknown {
  if (encoding === "jsonParsed") {
    const parsed = parseTokenData(state, read);
    if (parsed) return parsed;
  }
  const data = slice ? state.data.subarray(slice.offset, slice.offset + slice.length) : state.data;
  if (encoding === "base64" || encoding === "jsonParsed") {
    return [Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64"), "base64"];
  }
  if (data.length > base58Limit) {
    throw new RpcError(
      rpcErrorCode.invalidRequest,
      `Encoded binary (base 58) data should be less than ${base58Limit} bytes, please use Base64 encoding.`,
    );
  }
  return encoding === "binary" ? base58.encode(data) : [base58.encode(data), "base58"];
}

function parseTokenData(state: AccountState, read: (address: Address) => AccountState | undefined) {
  const program = state.owner === tokenProgram ? "spl-token" : "spl-token-2022";
  const space = state.data.length;
  const mint = readMint(state);
  if (mint) {
    const info = {
      decimals: mint.decimals,
      freezeAuthority: mint.freezeAuthority,
      isInitialized: true,
      mintAuthority: mint.mintAuthority,
      supply: mint.supply.toString(),
    };
    return { parsed: { info, type: "mint" }, program, space };
  }
  const account = readTokenAccount(state);
  const mintState = account && read(account.mint);
  const decimals = mintState && readMint(mintState)?.decimals;
  if (account === undefined || decimals === undefined) return undefined;
  const info = {
    ...(account.closeAuthority && { closeAuthority: account.closeAuthority }),
    ...(account.delegate && {
      delegate: account.delegate,
      delegatedAmount: uiTokenAmount(account.delegatedAmount, decimals),
    }),
    isNative: account.nativeReserve !== null,
    mint: account.mint,
    owner: account.owner,
    ...(account.nativeReserve !== null && { rentExemptReserve: uiTokenAmount(account.nativeReserve, decimals) }),
    state: account.state,
    tokenAmount: uiTokenAmount(account.amount, decimals),
  };
  return { parsed: { info, type: "account" }, program, space };
}
