/** The bytes of known instructions and accounts of the deployed program. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { AccountRole, type Address, getAddressEncoder } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { describe, expect, it } from "vitest";
import { deriveSettingsAddress, deriveSmartAccountAddress, ZERO_ADDRESS } from "./addresses.js";
import { createSmartAccountInstruction } from "./create-smart-account.js";
import { getSettingsEncoder } from "./generated/accounts/index.js";
import { asSigner, type PlainInstruction } from "./plain-instruction.js";
import { addressOfBytes } from "./program-address.js";
import { decodeSettings, settingsSize } from "./settings.js";
import { buildSyncPayload, executeTransactionSyncInstruction } from "./sync-payload.js";

describe("discriminators", () => {
  const idl = JSON.parse(
    readFileSync(new URL("../../../program/idl/smart_account_program.idl.json", import.meta.url), "utf8"),
  ) as Record<"instructions" | "accounts", { name: string; discriminator: number[] }[]>;
  const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

  it("of every instruction follow from its name", () => {
    expect(idl.instructions.map(({ discriminator }) => hex(discriminator))).toEqual(
      idl.instructions.map(({ name }) => hash(`global:${name}`)),
    );
    expect(Object.fromEntries(idl.instructions.map(({ name, discriminator }) => [name, hex(discriminator)]))).toEqual({
      initialize_program_config: "06833ded286e537c",
      set_program_config_authority: "8228ea6fed9bf6cb",
      set_program_config_smart_account_creation_fee: "de1e86b08371c3ca",
      set_program_config_treasury: "f477c0beb665e3bd",
      create_smart_account: "c566fde74d543211",
      add_signer_as_authority: "50c6e49a07ea6338",
      remove_signer_as_authority: "3a139510b5107d94",
      set_time_lock_as_authority: "02ea5d5d285c1fea",
      change_threshold_as_authority: "338d4e85462f5f7c",
      set_new_settings_authority_as_authority: "dd7085e5923a5a38",
      set_archival_authority_as_authority: "b2c7040dedea98ca",
      add_spending_limit_as_authority: "a9bd54361ef4dfd4",
      remove_spending_limit_as_authority: "5e20447ffb2c9107",
      create_settings_transaction: "65a8fecbde665fc0",
      execute_settings_transaction: "83d21b581bcc8fbd",
      create_transaction: "e3c135ef377e7069",
      execute_transaction: "e7ad315beb184413",
      create_proposal: "847444aed8a0c616",
      activate_proposal: "5abacbea46b9bf15",
      approve_proposal: "886c665562720793",
      reject_proposal: "72a2a452bf0b6619",
      cancel_proposal: "6a4a809213412717",
      use_spending_limit: "29b34605c293ef9e",
      close_settings_transaction: "fb70226cd60d2974",
      close_transaction: "612e98aa2ad7c0da",
      execute_transaction_sync: "2b66f859e7616886",
      execute_transaction_sync_v2: "5a51bb512746804e",
      execute_settings_transaction_sync: "8ad140a34f43e94c",
      log_event: "05095a8ddf8639d9",
      create_transaction_buffer: "3961fa9c3bd320d0",
      extend_transaction_buffer: "be56f65fe79ae55b",
      create_transaction_from_buffer: "35c027ef7c542bf9",
      close_transaction_buffer: "e0dd7bd500cc05bf",
      create_batch: "9fc6f82bf81feb56",
      add_transaction_to_batch: "934bc5e314959671",
      execute_batch_transaction: "ed43c9ad21825886",
      close_batch_transaction: "569085e12dd13efb",
      close_batch: "a6ae23fdd1d3b51c",
    });
  });

  it("of every account follow from its name", () => {
    expect(Object.fromEntries(idl.accounts.map(({ name, discriminator }) => [name, hex(discriminator)]))).toEqual({
      ProgramConfig: "c4d25ae790958c3f",
      Settings: "dfb3a3beb1e043ad",
      Proposal: "1a5ebdbb74883521",
      SettingsTransaction: "c79748574d7c1000",
      SpendingLimit: "0ac91ba0dac3de98",
      Transaction: "0b18ae81cb75f217",
      Batch: "9cc2462c1658892c",
      BatchTransaction: "5c143d929b3e7048",
      TransactionBuffer: "5a2423db5de16e60",
    });
  });
});

const key = (byte: number): Address => addressOfBytes(new Uint8Array(32).fill(byte));
const a = key(1);
const b = key(2);
const c = key(3);
const feePayer = key(9);

const settings = deriveSettingsAddress(1n);
const smartAccount = deriveSmartAccountAddress(settings);

describe("create_smart_account", () => {
  const base = { creator: feePayer, treasury: c, candidates: [settings], threshold: 1, settingsAuthority: null };

  it("encodes an autonomous account of two signers", () => {
    const instruction = createSmartAccountInstruction({
      ...base,
      threshold: 2,
      timeLockSeconds: 0,
      signers: [
        { address: a, mask: 7 },
        { address: b, mask: 6 },
      ],
    });
    expect(dataOf(instruction)).toBe(`c566fde74d54321100020002000000${A}07${B}06000000000000`);
  });

  it("encodes an admin, a time lock and a memo", () => {
    const instruction = createSmartAccountInstruction({
      ...base,
      settingsAuthority: c,
      timeLockSeconds: 60,
      signers: [{ address: a, mask: 7 }],
      memo: "hi",
    });
    expect(dataOf(instruction)).toBe(`c566fde74d54321101${C}010001000000${A}073c0000000001020000006869`);
  });

  it("lists the fixed accounts, then the candidates, and only the creator signs", () => {
    const candidates = [deriveSettingsAddress(1n), deriveSettingsAddress(2n)];
    const instruction = createSmartAccountInstruction({
      ...base,
      candidates,
      timeLockSeconds: 0,
      signers: [{ address: a, mask: 7 }],
    });
    expect(instruction.accounts).toEqual([
      { address: "GmY9kVi3FhrCUn2MJkzzpE6C5618YoHuGsgqHU78cKus", role: AccountRole.WRITABLE },
      { address: c, role: AccountRole.WRITABLE },
      { address: feePayer, role: AccountRole.WRITABLE_SIGNER },
      { address: ZERO_ADDRESS, role: AccountRole.READONLY },
      { address: "SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG", role: AccountRole.READONLY },
      ...candidates.map((address) => ({ address, role: AccountRole.WRITABLE })),
    ]);
  });
});

describe("the settings account", () => {
  const expected = {
    seed: 1n,
    settingsAuthority: null,
    threshold: 2,
    timeLockSeconds: 0,
    transactionIndex: 0n,
    staleTransactionIndex: 0n,
    bump: 249,
    signers: [
      { address: a, mask: 7 },
      { address: b, mask: 6 },
    ],
    accountUtilization: 0,
    policySeed: 0n,
  };

  it("is read from the image the first creation leaves", () => {
    expect(settingsImage.length / 2).toBe(settingsSize(2));
    expect(decodeSettings(Buffer.from(settingsImage, "hex"))).toEqual(expected);
  });

  it("is encoded to the same image", () => {
    const bytes = getSettingsEncoder().encode({
      seed: 1,
      settingsAuthority: ZERO_ADDRESS,
      threshold: 2,
      timeLock: 0,
      transactionIndex: 0,
      staleTransactionIndex: 0,
      archivalAuthority: ZERO_ADDRESS,
      archivableAfter: 0,
      bump: 249,
      signers: [
        { key: a, permissions: 7 },
        { key: b, permissions: 6 },
      ],
      accountUtilization: 0,
      policySeed: 0,
      reserved: 0,
    });
    expect(hex(bytes)).toBe(settingsImage);
  });
});

describe("synchronous execution", () => {
  const call = { settings, smartAccount, members: [a, b] };

  it("encodes a transfer by the smart account", () => {
    const { payload, accounts } = buildSyncPayload(call, [transfer]);
    expect(hex(payload)).toBe(payloadHex);
    expect(accounts).toEqual([
      { address: smartAccount, role: AccountRole.WRITABLE },
      { address: d, role: AccountRole.WRITABLE },
      { address: ZERO_ADDRESS, role: AccountRole.READONLY },
    ]);
  });

  it("encodes the outer instruction", () => {
    const instruction = executeTransactionSyncInstruction({ settings, members: [a, b], instructions: [transfer] });
    expect(dataOf(instruction)).toBe(`5a51bb512746804e00020013000000${payloadHex}`);
    expect(instruction.accounts).toEqual([
      { address: settings, role: AccountRole.WRITABLE },
      { address: "SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG", role: AccountRole.READONLY },
      { address: a, role: AccountRole.READONLY_SIGNER },
      { address: b, role: AccountRole.READONLY_SIGNER },
      { address: smartAccount, role: AccountRole.WRITABLE },
      { address: d, role: AccountRole.WRITABLE },
      { address: ZERO_ADDRESS, role: AccountRole.READONLY },
    ]);
  });
});

const d = key(4);

const hexOf = (address: Address): string => Buffer.from(getAddressEncoder().encode(address)).toString("hex");

const A = hexOf(a);
const B = hexOf(b);
const C = hexOf(c);

const transfer = getTransferSolInstruction({ source: asSigner(smartAccount), destination: d, amount: 1_000_000n });
const payloadHex = "0102020001" + "0c000200000040420f0000000000";
const settingsImage =
  `dfb3a3beb1e043ad01${"00".repeat(15)}${"00".repeat(32)}020000000000${"00".repeat(16)}01${"00".repeat(32)}` +
  `${"00".repeat(8)}f902000000${A}07${B}060001${"00".repeat(8)}00`;

const hex = (bytes: ArrayLike<number>): string => Buffer.from(Uint8Array.from(bytes)).toString("hex");

const dataOf = (instruction: PlainInstruction): string => hex(instruction.data);
