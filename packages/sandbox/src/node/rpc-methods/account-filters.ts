import type { AccountState } from "../account-state.js";
import { invalidParams } from "../rpc-error.js";
import { readTokenAccount } from "../token-layout.js";
import {
  arrayParam,
  base58BytesParam,
  base64BytesParam,
  type Config,
  choiceParam,
  configParam,
  integerParam,
  stringParam,
} from "./params.js";

const filterLimit = 4;
const memcmpLimit = 128;

/** A condition on accounts. */
export type Filter =
  | { readonly kind: "dataSize"; readonly size: bigint }
  | { readonly kind: "memcmp"; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: "tokenAccountState" };

/** Reads `filters`. Throws RpcError -32602. */
export function filtersParam(config: Config): readonly Filter[] {
  return arrayParam(config.filters ?? [], "filters", filterLimit).map(parseFilter);
}

/** Whether an account meets a condition. */
export function passes(state: AccountState, filter: Filter): boolean {
  if (filter.kind === "dataSize") return BigInt(state.data.length) === filter.size;
  if (filter.kind === "tokenAccountState") return readTokenAccount(state) !== undefined;
  const { offset, bytes } = filter;
  const part = state.data.subarray(offset, offset + bytes.length);
  return part.length === bytes.length && Buffer.compare(part, bytes) === 0;
}

function parseFilter(value: unknown): Filter {
  if (value === "tokenAccountState") return { kind: "tokenAccountState" };
  const filter = configParam(value, "filter");
  if (Object.hasOwn(filter, "tokenAccountState")) return { kind: "tokenAccountState" };
  if (filter.dataSize !== undefined) return { kind: "dataSize", size: integerParam(filter.dataSize, "dataSize") };
  if (filter.memcmp === undefined) throw invalidParams("a filter has dataSize or memcmp");
  const memcmp = configParam(filter.memcmp, "memcmp");
  const bytes = memcmpBytes(memcmp);
  if (bytes.length > memcmpLimit) throw invalidParams(`memcmp.bytes has more than ${memcmpLimit} bytes`);
  return { kind: "memcmp", offset: Number(integerParam(memcmp.offset, "memcmp.offset", 2n ** 32n)), bytes };
}

/** Base58 or base64 text, or the bytes one by one, as some clients send them. */
function memcmpBytes(memcmp: Config): Uint8Array {
  if (Array.isArray(memcmp.bytes)) {
    const bytes = arrayParam(memcmp.bytes, "memcmp.bytes", memcmpLimit);
    return Uint8Array.from(bytes, (byte) => Number(integerParam(byte, "memcmp.bytes", 255n)));
  }
  const text = stringParam(memcmp.bytes, "memcmp.bytes");
  if (text.length > memcmpLimit * 2) throw invalidParams("memcmp.bytes is too long");
  const base64 = choiceParam(memcmp.encoding, "memcmp.encoding", ["base58", "base64"]) === "base64";
  return base64 ? base64BytesParam(text, "memcmp.bytes") : base58BytesParam(text, "memcmp.bytes");
}
