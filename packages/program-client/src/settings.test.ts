import { none } from "@solana/kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ZERO_ADDRESS } from "./addresses.js";
import { getProposalEncoder, getSettingsEncoder } from "./generated/accounts/index.js";
import { addressOfBytes } from "./program-address.js";
import { ProgramDataError } from "./program-data.js";
import { decodeSettings } from "./settings.js";

const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressOfBytes);
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe("a settings account", () => {
  it("is read whatever it holds and whatever follows its last field", () => {
    fc.assert(
      fc.property(content, fc.uint8Array({ maxLength: 100 }), (settings, spare) => {
        const bytes = Uint8Array.from([...getSettingsEncoder().encode(settings), ...spare]);
        expect(decodeSettings(bytes)).toEqual({
          seed: settings.seed,
          settingsAuthority: settings.settingsAuthority === ZERO_ADDRESS ? null : settings.settingsAuthority,
          threshold: settings.threshold,
          timeLockSeconds: settings.timeLock,
          transactionIndex: settings.transactionIndex,
          staleTransactionIndex: settings.staleTransactionIndex,
          bump: settings.bump,
          signers: settings.signers.map(({ key, permissions }) => ({ address: key, mask: permissions })),
          accountUtilization: settings.accountUtilization,
          policySeed: settings.policySeed,
        });
      }),
    );
  });

  it("of the first generation, with a shorter tail, has no policy counter", () => {
    const [example] = fc.sample(content, { numRuns: 1, seed: 1 });
    if (example === undefined) throw new Error("no sample");
    const bytes = getSettingsEncoder().encode({ ...example, policySeed: null, reserved: 0 });
    expect(decodeSettings(bytes).policySeed).toBeNull();
  });

  it("is the same for all who read it, and cannot be changed by one of them", () => {
    const [example] = fc.sample(content, { numRuns: 1, seed: 1 });
    if (example === undefined) throw new Error("no sample");
    const signers = [{ key: ZERO_ADDRESS, permissions: 1 }];
    const bytes = getSettingsEncoder().encode({ ...example, signers, threshold: 2 });
    const mine = decodeSettings(bytes) as unknown as { threshold: number; signers: { mask: number }[] };
    const [signer] = mine.signers;
    if (signer === undefined) throw new Error("the signer is gone");
    expect(() => {
      mine.threshold = 1;
    }).toThrow(TypeError);
    expect(() => mine.signers.push(signer)).toThrow(TypeError);
    expect(() => {
      signer.mask = 7;
    }).toThrow(TypeError);
    expect(decodeSettings(bytes)).toMatchObject({ threshold: 2, signers: [{ mask: 1 }] });
  });

  it("with signers of another form, which a version byte above their count says, is refused and not misread", () => {
    const [example] = fc.sample(content, { numRuns: 1, seed: 1 });
    if (example === undefined) throw new Error("no sample");
    const signers = [{ key: ZERO_ADDRESS, permissions: 1 }];
    const bytes = Uint8Array.from(getSettingsEncoder().encode({ ...example, signers }));
    const empty = Uint8Array.from(getSettingsEncoder().encode({ ...example, signers: [] }));
    // The first byte in which one signer differs from none is the count.
    const countAt = bytes.findIndex((byte, i) => byte !== empty[i]);
    expect([...bytes.subarray(countAt, countAt + 4)]).toEqual([1, 0, 0, 0]);
    bytes[countAt + 3] = 1;
    expect(() => decodeSettings(bytes)).toThrow(ProgramDataError);
  });

  it("cut short anywhere is refused", () => {
    fc.assert(
      fc.property(content, fc.double({ min: 0, max: 0.999, noNaN: true }), (settings, where) => {
        const bytes = getSettingsEncoder().encode(settings);
        const cut = bytes.slice(0, Math.floor(bytes.length * where));
        expect(() => decodeSettings(cut)).toThrow(ProgramDataError);
      }),
    );
  });

  it("is not confused with another kind of account", () => {
    const proposal = getProposalEncoder().encode({
      settings: ZERO_ADDRESS,
      transactionIndex: 1,
      rentCollector: ZERO_ADDRESS,
      status: { __kind: "Executing" },
      bump: 255,
      approved: [],
      rejected: [],
      cancelled: [],
    });
    expect(() => decodeSettings(proposal)).toThrow(ProgramDataError);
    expect(() => decodeSettings(new Uint8Array(0))).toThrow(ProgramDataError);
  });

  it("that claims more signers than it has bytes for is refused", () => {
    const [example] = fc.sample(content, { numRuns: 1, seed: 2 });
    if (example === undefined) throw new Error("no sample");
    const bytes = Uint8Array.from(
      getSettingsEncoder().encode({ ...example, archivalAuthority: none(), signers: [], policySeed: none() }),
    );
    bytes.set([255, 255, 255, 255], 120 - 32);
    expect(() => decodeSettings(bytes)).toThrow(ProgramDataError);
  });
});

const content = fc.record({
  seed: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  settingsAuthority: fc.oneof(fc.constant(ZERO_ADDRESS), address),
  threshold: fc.nat({ max: 65_535 }),
  timeLock: fc.nat({ max: 2 ** 32 - 1 }),
  transactionIndex: u64,
  staleTransactionIndex: u64,
  archivalAuthority: fc.option(address),
  archivableAfter: u64,
  bump: fc.nat({ max: 255 }),
  signers: fc.array(fc.record({ key: address, permissions: fc.nat({ max: 7 }) }), { maxLength: 12 }),
  accountUtilization: fc.nat({ max: 255 }),
  policySeed: fc.option(u64),
  reserved: fc.constant(0),
});
