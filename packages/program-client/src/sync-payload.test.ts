import { AccountRole, type Address, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { getCreateAssociatedTokenIdempotentInstruction, getTransferCheckedInstruction } from "@solana-program/token";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveSettingsAddress, deriveSmartAccountAddress, ZERO_ADDRESS } from "./addresses.js";
import { asSigner, plain } from "./plain-instruction.js";
import { addressOfBytes } from "./program-address.js";
import { ProgramDataError } from "./program-data.js";
import {
  buildSyncPayload,
  decodeSyncPayload,
  executeTransactionSyncInstruction,
  parseTransactionSync,
} from "./sync-payload.js";

describe("a synchronous payload", () => {
  it("gives the same instructions back, with at least the rights they asked for", () => {
    fc.assert(
      fc.property(instructions, (wanted) => {
        const { payload, accounts } = buildSyncPayload(call, wanted);
        const decoded = decodeSyncPayload(call, payload, accounts);
        expect(decoded.map(({ programAddress, data }) => ({ programAddress, data: [...data] }))).toEqual(
          wanted.map(({ programAddress, data }) => ({ programAddress, data: [...(data ?? [])] })),
        );
        for (const [i, instruction] of wanted.entries()) {
          for (const [j, { address, role }] of (instruction.accounts ?? []).entries()) {
            const inner = decoded[i]?.accounts[j];
            expect(inner?.address).toBe(address);
            expect((inner?.role ?? 0) & role).toBe(role);
          }
        }
      }),
    );
  });

  it("lists every account once, the smart account first and never as an outer signer", () => {
    fc.assert(
      fc.property(instructions, (wanted) => {
        const { accounts } = buildSyncPayload(call, wanted);
        expect(new Set(accounts.map(({ address }) => address)).size).toBe(accounts.length);
        const at = accounts.findIndex(({ address }) => address === smartAccount);
        expect(at === -1 || at === 0).toBe(true);
        expect((accounts[0]?.address === smartAccount ? (accounts[0]?.role ?? 0) : 0) & 2).toBe(0);
      }),
    );
  });

  it("lets a fee payer who is no member pay for a token account", () => {
    const ata = getCreateAssociatedTokenIdempotentInstruction({
      payer: asSigner(payer),
      ata: key(21),
      owner: key(20),
      mint: key(8),
    });
    const pay = getTransferCheckedInstruction({
      source: key(22),
      mint: key(8),
      destination: key(21),
      authority: asSigner(smartAccount),
      amount: 5n,
      decimals: 6,
    });
    const { accounts } = buildSyncPayload(call, [ata, pay]);
    expect(accounts.slice(0, 4)).toEqual([
      { address: smartAccount, role: AccountRole.READONLY },
      { address: payer, role: AccountRole.WRITABLE_SIGNER },
      { address: key(21), role: AccountRole.WRITABLE },
      { address: key(22), role: AccountRole.WRITABLE },
    ]);
    expect(accounts.filter(({ address }) => call.members.includes(address))).toEqual([]);
  });

  it("does not repeat the members, however many instructions there are", () => {
    const one = getTransferSolInstruction({ source: asSigner(smartAccount), destination: key(4), amount: 1n });
    const outer = executeTransactionSyncInstruction({
      settings,
      members: [memberA, memberB],
      instructions: [one, one, one],
    });
    expect(outer.accounts.map(({ address }) => address)).toEqual([
      settings,
      "SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG",
      memberA,
      memberB,
      smartAccount,
      key(4),
      ZERO_ADDRESS,
    ]);
  });

  it("pays a member as a mere account", () => {
    const toMember = getTransferSolInstruction({ source: asSigner(smartAccount), destination: memberA, amount: 1n });
    const outer = executeTransactionSyncInstruction({ settings, members: [memberA], instructions: [toMember] });
    expect(outer.accounts.slice(2)).toEqual([
      { address: memberA, role: AccountRole.READONLY_SIGNER },
      { address: smartAccount, role: AccountRole.WRITABLE },
      { address: memberA, role: AccountRole.WRITABLE },
      { address: ZERO_ADDRESS, role: AccountRole.READONLY },
    ]);
    expect(parseTransactionSync(outer)?.instructions).toEqual([plain(toMember)]);
  });

  it("refuses what the program would not allow inside", () => {
    const byMember = getTransferSolInstruction({ source: asSigner(memberA), destination: key(4), amount: 1n });
    expect(() => buildSyncPayload(call, [byMember])).toThrow(
      expect.objectContaining({ refusal: "member_must_sign_inside" }),
    );
    const toSettings = getTransferSolInstruction({ source: asSigner(smartAccount), destination: settings, amount: 1n });
    expect(() => buildSyncPayload(call, [toSettings])).toThrow(
      expect.objectContaining({ refusal: "settings_written_inside" }),
    );
    const many = Array.from({ length: 256 }, () => byMember);
    expect(() => buildSyncPayload({ ...call, members: [] }, many)).toThrow(
      expect.objectContaining({ refusal: "too_many_instructions" }),
    );
    const large = { programAddress: key(5), data: new Uint8Array(65_536) };
    expect(() => buildSyncPayload(call, [large])).toThrow(
      expect.objectContaining({ refusal: "instruction_too_large" }),
    );
  });

  it("with bytes left over, cut short, or pointing outside the accounts is refused", () => {
    const one = getTransferSolInstruction({ source: asSigner(smartAccount), destination: key(4), amount: 1n });
    const { payload, accounts } = buildSyncPayload(call, [one]);
    expect(() => decodeSyncPayload(call, Uint8Array.from([...payload, 0]), accounts)).toThrow(ProgramDataError);
    expect(() => decodeSyncPayload(call, payload.slice(0, -1), accounts)).toThrow(ProgramDataError);
    expect(() => decodeSyncPayload(call, payload, accounts.slice(0, 2))).toThrow(ProgramDataError);
  });

  it("is recognised only in this program's synchronous execution", () => {
    const one = getTransferSolInstruction({ source: asSigner(smartAccount), destination: key(4), amount: 1n });
    expect(parseTransactionSync(one)).toBeUndefined();
    const outer = executeTransactionSyncInstruction({ settings, members: [memberA], instructions: [one] });
    expect(parseTransactionSync({ ...outer, programAddress: key(5) })).toBeUndefined();
    expect(() => parseTransactionSync({ ...outer, accounts: outer.accounts.slice(0, 2) })).toThrow(ProgramDataError);
    expect(parseTransactionSync(outer)).toMatchObject({ settings, smartAccount, members: [memberA], accountIndex: 0 });
  });
});

const key = (byte: number): Address => addressOfBytes(new Uint8Array(32).fill(byte));

const settings = deriveSettingsAddress(1n);
const smartAccount = deriveSmartAccountAddress(settings);
const memberA = key(1);
const memberB = key(2);
const payer = key(9);
const call = { settings, smartAccount, members: [memberA, memberB] };

const keys = fc.nat({ max: 40 }).map((n) => key(100 + n));
const roles = fc.constantFrom(
  AccountRole.READONLY,
  AccountRole.WRITABLE,
  AccountRole.READONLY_SIGNER,
  AccountRole.WRITABLE_SIGNER,
);
const instructions: fc.Arbitrary<Instruction[]> = fc.array(
  fc.record({
    programAddress: keys,
    accounts: fc.array(
      fc.oneof(
        fc.record({ address: keys, role: roles }),
        fc.record({ address: fc.constant(smartAccount), role: roles }),
        fc.record({
          address: fc.constantFrom(memberA, memberB),
          role: fc.constantFrom(AccountRole.READONLY, AccountRole.WRITABLE),
        }),
      ),
      { maxLength: 8 },
    ),
    data: fc.uint8Array({ maxLength: 40 }),
  }),
  { maxLength: 5 },
);
