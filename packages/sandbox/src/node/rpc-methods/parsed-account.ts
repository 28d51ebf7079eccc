import { base58 } from "@scure/base";
import type { Address } from "@solana/kit";
import type { AccountState } from "../account-state.js";
import { addressOf } from "../address-bytes.js";
import { readNonce } from "../nonce.js";
import { isTokenOwned, readMint, readTokenAccount, tokenProgram } from "../token-layout.js";
import { viewAmount } from "../ui-amounts.js";
import { wireInteger } from "./method.js";
import { parseExtensions } from "./parsed-extensions.js";

/** An account as `jsonParsed` shows it. */
export interface ParsedAccount {
  readonly parsed: { readonly info: unknown; readonly type: string };
  readonly program: string;
  readonly space: number;
}

type ReadAccount = (address: Address) => AccountState | undefined;

const systemProgram = "11111111111111111111111111111111";
const tableProgram = "AddressLookupTab1e1111111111111111111111111";
const upgradeableLoader = "BPFLoaderUpgradeab1e11111111111111111111111";
const sysvarOwner = "Sysvar1111111111111111111111111111111111111";
const multisigLength = 355;
const tableHeaderLength = 56;
const programDataHeaderLength = 45;

/**
 * Reads an account for `jsonParsed`; `read` finds the mint of a token account. Undefined where no validator parses its kind,
 * which is then returned as base64.
 */
export function parseAccount(address: Address, state: AccountState, read: ReadAccount): ParsedAccount | undefined {
  const space = state.data.length;
  const reported = (program: string, type: string, info: unknown) => ({ parsed: { info, type }, program, space });
  if (isTokenOwned(state)) return parseTokenData(state, read);
  switch (state.owner as string) {
    case systemProgram: {
      const nonce = readNonce(state);
      if (nonce === undefined) return undefined;
      return reported("nonce", "initialized", {
        authority: nonce.authority,
        blockhash: nonce.durableNonce,
        feeCalculator: { lamportsPerSignature: nonce.lamportsPerSignature.toString() },
      });
    }
    case tableProgram: {
      const info = tableInfo(state.data);
      return info && reported("address-lookup-table", "lookupTable", info);
    }
    case upgradeableLoader:
      return programAccount(state.data, reported);
    case sysvarOwner:
      return parseSysvar(address, state.data, reported);
    default:
      return undefined;
  }
}

type Reported = (program: string, type: string, info: unknown) => ParsedAccount;

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function tableInfo(data: Uint8Array): object | undefined {
  if (data.length < tableHeaderLength) return undefined;
  const view = viewOf(data);
  if (view.getUint32(0, true) !== 1) return undefined;
  const addresses: Address[] = [];
  for (let at = tableHeaderLength; at + 32 <= data.length; at += 32)
    addresses.push(addressOf(data.subarray(at, at + 32)));
  return {
    addresses,
    ...(data[21] === 1 && { authority: addressOf(data.subarray(22, 54)) }),
    deactivationSlot: view.getBigUint64(4, true).toString(),
    lastExtendedSlot: view.getBigUint64(12, true).toString(),
    lastExtendedSlotStartIndex: data[20],
  };
}

function programAccount(data: Uint8Array, reported: Reported): ParsedAccount | undefined {
  const kind = data.length >= 4 ? viewOf(data).getUint32(0, true) : undefined;
  const text = (from: number) => [Buffer.from(data.subarray(from)).toString("base64"), "base64"];
  if (kind === 2 && data.length >= 36) {
    return reported("bpf-upgradeable-loader", "program", { programData: addressOf(data.subarray(4, 36)) });
  }
  if (kind === 3 && data.length >= programDataHeaderLength) {
    return reported("bpf-upgradeable-loader", "programData", {
      authority: data[12] === 1 ? addressOf(data.subarray(13, 45)) : null,
      data: text(programDataHeaderLength),
      slot: wireInteger(viewOf(data).getBigUint64(4, true)),
    });
  }
  if (kind === 1 && data.length >= 37) {
    return reported("bpf-upgradeable-loader", "buffer", {
      authority: data[4] === 1 ? addressOf(data.subarray(5, 37)) : null,
      data: text(37),
    });
  }
  return undefined;
}

function parseSysvar(address: string, data: Uint8Array, reported: Reported): ParsedAccount | undefined {
  const view = viewOf(data);
  const u64 = (at: number) => wireInteger(view.getBigUint64(at, true));
  const i64 = (at: number) => wireInteger(view.getBigInt64(at, true));
  switch (address) {
    case "SysvarC1ock11111111111111111111111111111111":
      if (data.length < 40) return undefined;
      return reported("sysvar", "clock", {
        epoch: u64(16),
        epochStartTimestamp: i64(8),
        leaderScheduleEpoch: u64(24),
        slot: u64(0),
        unixTimestamp: i64(32),
      });
    case "SysvarRent111111111111111111111111111111111":
      if (data.length < 17) return undefined;
      return reported("sysvar", "rent", {
        burnPercent: data[16],
        exemptionThreshold: view.getFloat64(8, true),
        lamportsPerByteYear: u64(0).toString(),
      });
    case "SysvarEpochSchedu1e111111111111111111111111":
      if (data.length < 33) return undefined;
      return reported("sysvar", "epochSchedule", {
        firstNormalEpoch: u64(17),
        firstNormalSlot: u64(25),
        leaderScheduleSlotOffset: u64(8),
        slotsPerEpoch: u64(0),
        warmup: data[16] === 1,
      });
    case "SysvarS1otHashes111111111111111111111111111": {
      if (data.length < 8) return undefined;
      const count = Math.min(Number(view.getBigUint64(0, true)), Math.floor((data.length - 8) / 40));
      const entries = Array.from({ length: count }, (_, index) => {
        const at = 8 + index * 40;
        return { hash: base58.encode(data.subarray(at + 8, at + 40)), slot: u64(at) };
      });
      return reported("sysvar", "slotHashes", entries);
    }
    default:
      return undefined;
  }
}

function parseTokenData(state: AccountState, read: ReadAccount): ParsedAccount | undefined {
  const program = state.owner === tokenProgram ? "spl-token" : "spl-token-2022";
  const space = state.data.length;
  if (space === multisigLength && state.data[2] === 1) {
    const [numRequiredSigners = 0, numValidSigners = 0] = state.data;
    const signers = Array.from({ length: numValidSigners }, (_, index) =>
      addressOf(state.data.subarray(3 + index * 32, 35 + index * 32)),
    );
    return { parsed: { info: { numRequiredSigners, numValidSigners, signers }, type: "multisig" }, program, space };
  }
  const extensions = parseExtensions(state);
  const mint = readMint(state);
  if (mint) {
    const info = {
      decimals: mint.decimals,
      ...(extensions && { extensions }),
      freezeAuthority: mint.freezeAuthority,
      isInitialized: true,
      mintAuthority: mint.mintAuthority,
      supply: mint.supply.toString(),
    };
    return { parsed: { info, type: "mint" }, program, space };
  }
  const account = readTokenAccount(state);
  const mintState = account && read(account.mint);
  const amount = account && viewAmount(account.amount, mintState, read);
  if (account === undefined || amount === undefined) return undefined;
  const info = {
    ...(account.closeAuthority && { closeAuthority: account.closeAuthority }),
    ...(account.delegate && {
      delegate: account.delegate,
      delegatedAmount: viewAmount(account.delegatedAmount, mintState, read),
    }),
    ...(extensions && { extensions }),
    isNative: account.nativeReserve !== null,
    mint: account.mint,
    owner: account.owner,
    ...(account.nativeReserve !== null && { rentExemptReserve: viewAmount(account.nativeReserve, mintState, read) }),
    state: account.state,
    tokenAmount: amount,
  };
  return { parsed: { info, type: "account" }, program, space };
}
