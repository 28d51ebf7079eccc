import type { Address } from "@solana/kit";
import type { AccountState } from "../account-state.js";
import { addressOf } from "../address-bytes.js";
import { extensionsOf } from "../ui-amounts.js";
import { wireInteger } from "./method.js";

interface Extension {
  readonly extension: string;
  readonly state?: unknown;
}

/** A Token-2022 account's extensions as `jsonParsed` shows them; undefined where it has none. */
export function parseExtensions(state: AccountState): readonly Extension[] | undefined {
  const found: Extension[] = [];
  for (const { kind, bytes } of extensionsOf(state)) {
    found.push(parseExtension(kind, bytes) ?? { extension: "unparseableExtension" });
  }
  return found.length === 0 ? undefined : found;
}

function parseExtension(kind: number, data: Uint8Array): Extension | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const has = (length: number) => data.length >= length;
  const u64 = (at: number) => wireInteger(view.getBigUint64(at, true));
  switch (kind) {
    case 1:
      if (!has(108)) return undefined;
      return {
        extension: "transferFeeConfig",
        state: {
          newerTransferFee: feeAt(view, 90),
          olderTransferFee: feeAt(view, 72),
          transferFeeConfigAuthority: optionalAddress(data, 0),
          withdrawWithheldAuthority: optionalAddress(data, 32),
          withheldAmount: u64(64),
        },
      };
    case 2:
      return has(8) ? { extension: "transferFeeAmount", state: { withheldAmount: u64(0) } } : undefined;
    case 3:
      return has(32)
        ? { extension: "mintCloseAuthority", state: { closeAuthority: optionalAddress(data, 0) } }
        : undefined;
    case 6:
      return {
        extension: "defaultAccountState",
        state: { accountState: ["uninitialized", "initialized", "frozen"][data[0] ?? 0] },
      };
    case 7:
      return { extension: "immutableOwner" };
    case 8:
      return { extension: "memoTransfer", state: { requireIncomingTransferMemos: data[0] === 1 } };
    case 9:
      return { extension: "nonTransferable" };
    case 10:
      if (!has(52)) return undefined;
      return {
        extension: "interestBearingConfig",
        state: {
          currentRate: view.getInt16(50, true),
          initializationTimestamp: wireInteger(view.getBigInt64(32, true)),
          lastUpdateTimestamp: wireInteger(view.getBigInt64(42, true)),
          preUpdateAverageRate: view.getInt16(40, true),
          rateAuthority: optionalAddress(data, 0),
        },
      };
    case 11:
      return { extension: "cpiGuard", state: { lockCpi: data[0] === 1 } };
    case 12:
      return has(32) ? { extension: "permanentDelegate", state: { delegate: optionalAddress(data, 0) } } : undefined;
    case 13:
      return { extension: "nonTransferableAccount" };
    case 14:
      if (!has(64)) return undefined;
      return {
        extension: "transferHook",
        state: { authority: optionalAddress(data, 0), programId: optionalAddress(data, 32) },
      };
    case 15:
      return { extension: "transferHookAccount", state: { transferring: data[0] === 1 } };
    case 18:
      if (!has(64)) return undefined;
      return {
        extension: "metadataPointer",
        state: { authority: optionalAddress(data, 0), metadataAddress: optionalAddress(data, 32) },
      };
    case 25:
      if (!has(56)) return undefined;
      return {
        extension: "scaledUiAmountConfig",
        state: {
          authority: optionalAddress(data, 0),
          multiplier: String(view.getFloat64(32, true)),
          newMultiplier: String(view.getFloat64(48, true)),
          newMultiplierEffectiveTimestamp: wireInteger(view.getBigInt64(40, true)),
        },
      };
    default:
      return undefined;
  }
}

function feeAt(view: DataView, at: number): object {
  return {
    epoch: wireInteger(view.getBigUint64(at, true)),
    maximumFee: wireInteger(view.getBigUint64(at + 8, true)),
    transferFeeBasisPoints: view.getUint16(at + 16, true),
  };
}

/** 32 zeros are no key. */
function optionalAddress(data: Uint8Array, at: number): Address | null {
  const bytes = data.subarray(at, at + 32);
  return bytes.every((byte) => byte === 0) ? null : addressOf(bytes);
}
