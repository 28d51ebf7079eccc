import { AccountRole, type Address, getAddressDecoder } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { discriminatorOf } from "./account-kind.js";
import {
  deriveEarlyPolicyAddress,
  derivePolicyAddress,
  deriveProposalAddress,
  deriveTransactionAddress,
} from "./addresses.js";
import { decodePolicy } from "./policy.js";
import { addressBytes, isKey } from "./program-address.js";
import { ProgramDataError } from "./program-data.js";
import {
  executeSettingsTransactionInstruction,
  executeSettingsTransactionSyncInstruction,
} from "./settings-instructions.js";

const key = (fill: number): Address => getAddressDecoder().decode(new Uint8Array(32).fill(fill));
const [settings, signer] = [key(1), key(2)];
const collector = keyFrom(77);

const u32 = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];
const u64 = (value: bigint) => [...new Uint8Array(BigUint64Array.of(value).buffer)];
const bytes = (address: Address) => [...addressBytes(address)];

const transfers = [0, ...Array(64).fill(255), ...u32(2), ...bytes(key(5)), ...bytes(key(6))];
const spending = (end: number[], period: number[]) => [
  1,
  ...[0, ...u32(1), ...bytes(key(5))],
  ...[
    ...bytes(key(6)),
    ...u64(1_700_000_000n),
    ...end,
    ...period,
    1,
    ...u64(10n),
    ...u64(5n),
    0,
    ...u64(10n),
    ...u64(7n),
  ],
];
const never = [0];
const atAnInstant = [1, 0, ...u64(1_900_000_000n)];
const withTheSettings = [1, 1, ...bytes(key(8))];

const states: [string, number[]][] = [
  ["internalFundTransfer", transfers],
  ["spendingLimit", spending([0], [1])],
  ["spendingLimit", spending([1, ...u64(1_800_000_000n)], [4, ...u64(3_600n)])],
  ["settingsChange", [2, ...u32(1), 3, 0, 0]],
  ["programInteraction", [3, 0, ...u32(1), ...bytes(key(7)), ...Array(70).fill(0)]],
];
const ends: [string, number[]][] = [
  ["no end", never],
  ["an instant", atAnInstant],
  ["the end of the settings", withTheSettings],
];

describe("who gets the rent of a policy", () => {
  const cases = states.flatMap(([kind, state]) => ends.map(([end, expiration]) => ({ kind, state, end, expiration })));
  it.each(cases)("is read out of one of the kind $kind with $end", ({ kind, state, expiration }) => {
    const address = derivePolicyAddress(settings, 3n);
    for (const room of [0, 24, 33, 41]) {
      const policy = decodePolicy(address, policyData(state, expiration, collector, room));
      expect(policy).toMatchObject({ settings, kind, seed: 3n, timeLockSeconds: 60, rentCollector: collector });
    }
  });

  it("has no recipient in those of the first form, whose fields lie elsewhere", () => {
    const data = policyData(transfers, never, null, 33);
    expect(decodePolicy(deriveEarlyPolicyAddress(settings, 3n), data).rentCollector).toBeNull();
    expect(() => decodePolicy(key(3), data)).toThrow(ProgramDataError);
  });

  it("is not chosen where two addresses fit, of a kind whose layout is not known", () => {
    const address = derivePolicyAddress(settings, 3n);
    // A key that begins with a zero, in front of zeros: one byte further stands another.
    const both = Array.from({ length: 65_536 }, (_, n) => [0, ...Array(27).fill(9), n & 255, n >> 8, 4, 4])
      .map((raw) => ({ one: getAddressDecoder().decode(Uint8Array.from(raw)), raw }))
      .find(({ one, raw }) => isKey(one) && isKey(getAddressDecoder().decode(Uint8Array.from([...raw.slice(1), 0]))));
    if (both === undefined) throw new Error("no such key");
    expect(
      decodePolicy(address, policyData([2, ...u32(1), 3, 0, 0], never, both.one, 33)).rentCollector,
    ).toBeUndefined();
  });

  it("cannot be determined where the account ends early, or of another kind without it", () => {
    const address = derivePolicyAddress(settings, 3n);
    const rentOf = (data: Uint8Array) => decodePolicy(address, data).rentCollector;
    for (const [, state] of states) {
      expect(rentOf(policyData(state, never, null, 33))).toBeUndefined();
      const data = policyData(state, never, collector);
      expect(rentOf(data.subarray(0, data.length - 1))).toBeUndefined();
    }
    // A count that is no count, and an end of no known form.
    expect(rentOf(policyData([0, ...Array(64).fill(255), ...u32(4_000_000_000)], never, collector))).toBeUndefined();
    expect(rentOf(policyData(transfers, [2], collector))).toBeUndefined();
    expect(rentOf(policyData(transfers, [1, 2], collector))).toBeUndefined();
    // What only looks like a key in an unknown kind.
    expect(rentOf(policyData([3, 1, 2, 3], never, deriveEarlyPolicyAddress(settings, 3n)))).toBeUndefined();
  });
});

describe("the removal of policies", () => {
  const [one, two] = [derivePolicyAddress(settings, 1n), derivePolicyAddress(settings, 2n)];
  const actions = [
    { __kind: "PolicyRemove", policy: one },
    { __kind: "PolicyRemove", policy: two },
  ] as const;
  const touched = [one, two, collector].map((address) => ({ address, role: AccountRole.WRITABLE }));
  const system = "11111111111111111111111111111111" as Address;
  const common = { settings, rentPayer: key(9), actions, policyRentCollectors: [collector] };

  it("carries them and who gets their rent, each once, in a voted change", () => {
    const { accounts, data } = executeSettingsTransactionInstruction({ ...common, transactionIndex: 4n, signer });
    expect(Buffer.from(data).toString("hex")).toBe("83d21b581bcc8fbd");
    expect(accounts).toEqual([
      { address: settings, role: AccountRole.WRITABLE },
      { address: signer, role: AccountRole.READONLY_SIGNER },
      { address: deriveProposalAddress(settings, 4n), role: AccountRole.WRITABLE },
      { address: deriveTransactionAddress(settings, 4n), role: AccountRole.READONLY },
      { address: key(9), role: AccountRole.WRITABLE_SIGNER },
      { address: system, role: AccountRole.READONLY },
      { address: program, role: AccountRole.READONLY },
      ...touched,
    ]);
  });

  it("and in one that is made at once", () => {
    const { accounts, data } = executeSettingsTransactionSyncInstruction({ ...common, members: [signer] });
    const hex = (address: Address) => Buffer.from(addressBytes(address)).toString("hex");
    expect(Buffer.from(data).toString("hex")).toBe(`8ad140a34f43e94c010200000009${hex(one)}09${hex(two)}00`);
    expect(accounts).toEqual([
      { address: settings, role: AccountRole.WRITABLE },
      { address: key(9), role: AccountRole.WRITABLE_SIGNER },
      { address: system, role: AccountRole.READONLY },
      { address: program, role: AccountRole.READONLY },
      { address: signer, role: AccountRole.READONLY_SIGNER },
      ...touched,
    ]);
  });
});

/** The first of these bytes that is a key. */
function keyFrom(fill: number): Address {
  for (let last = 1; last < 256; last += 1) {
    const found = getAddressDecoder().decode(new Uint8Array(32).fill(fill).fill(last, 31));
    if (isKey(found)) return found;
  }
  throw new Error("no key");
}

const program = "SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG" as Address;

function policyData(state: readonly number[], expiration: readonly number[], rentCollector: Address | null, room = 0) {
  return Uint8Array.from([
    ...discriminatorOf("policy"),
    ...bytes(settings),
    ...u64(3n),
    255,
    ...u64(9n),
    ...u64(4n),
    ...[...u32(1), ...bytes(signer), 7],
    ...[1, 0],
    ...u32(60),
    ...state,
    ...u64(1_760_000_000n),
    ...expiration,
    ...(rentCollector === null ? [] : bytes(rentCollector)),
    ...Array(room).fill(0),
  ]);
}
