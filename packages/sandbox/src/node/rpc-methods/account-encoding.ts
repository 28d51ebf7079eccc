import { base58 } from "@scure/base";
import type { Address } from "@solana/kit";
import type { AccountState } from "../account-state.js";
import { RpcError, rpcErrorCode } from "../rpc-error.js";
import { zstdFrame } from "../zstd-frame.js";
import { wireInteger } from "./method.js";
import { type Config, choiceParam, configParam, integerParam } from "./params.js";
import { parseAccount } from "./parsed-account.js";

const encodings = ["base58", "base64", "base64+zstd", "jsonParsed", "binary"] as const;
const base58Limit = 128;
const rentExemptForEver = 2n ** 64n - 1n;

/** How accounts are to be encoded. */
export interface AccountView {
  readonly encoding: (typeof encodings)[number];
  readonly slice: { readonly offset: number; readonly length: number } | undefined;
}

/** Reads `encoding`, which has a usual one, and `dataSlice`. Throws RpcError -32602. */
export function accountView(config: Config, usual: AccountView["encoding"] = "binary"): AccountView {
  const encoding = choiceParam(config.encoding, "encoding", encodings) ?? usual;
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
export function encodeAccount(address: Address, state: AccountState, view: AccountView, read: ReadAccount): object {
  return viewAccount(state, encodeData(address, state, view, read));
}

/** How long the data of an account is where it is returned, about: in base64, four characters for three bytes. */
export function viewLength(state: AccountState, view: AccountView): number {
  const data = view.encoding === "jsonParsed" ? state.data : sliced(state, view);
  return Math.ceil((data.length * 4) / 3);
}

/** The same for notifications, which cannot be refused: what is too long for base58 says so. */
export function encodeAccountLeniently(
  address: Address,
  state: AccountState,
  view: AccountView,
  read: ReadAccount,
): object {
  const inBase58 = view.encoding === "binary" || view.encoding === "base58";
  if (!inBase58 || sliced(state, view).length <= base58Limit) return encodeAccount(address, state, view, read);
  const complaint = "error: data too large for bs58 encoding";
  return viewAccount(state, view.encoding === "binary" ? complaint : [complaint, "base58"]);
}

type ReadAccount = (address: Address) => AccountState | undefined;

function viewAccount(state: AccountState, data: unknown): object {
  return {
    data,
    executable: state.executable,
    lamports: wireInteger(state.lamports),
    owner: state.owner,
    rentEpoch: rentExemptForEver,
    space: state.data.length,
  };
}

function sliced(state: AccountState, { slice }: AccountView): Uint8Array {
  return slice ? state.data.subarray(slice.offset, slice.offset + slice.length) : state.data;
}

function encodeData(address: Address, state: AccountState, view: AccountView, read: ReadAccount): unknown {
  const { encoding } = view;
  if (encoding === "jsonParsed") {
    const parsed = parseAccount(address, state, read);
    if (parsed) return parsed;
  }
  const data = sliced(state, view);
  if (encoding === "base64+zstd") return [Buffer.from(zstdFrame(data)).toString("base64"), "base64+zstd"];
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
