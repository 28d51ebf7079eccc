import type { Address } from "@solana/kit";
import { addressOfBytes, checkConsensus, type PasskeyAccount, type SettingsSigner } from "@trellis/program-client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { controllingKeys, fewestKeys, type KnownPasskeys, keysThatActAlone, type Rules } from "./controlling-keys.js";

const now = 1_000n;
/** Keys 0 to 9 are plain ones, 10 and on passkeys' accounts, 100 more their execution accounts. */
const at = (number: number): Address => addressOfBytes(new Uint8Array(32).fill(number));
const passkey = (number: number, session: PasskeyAccount["session"]): KnownPasskeys["passkeys"][number] => ({
  address: at(number),
  account: { relyingPartyId: "a.example", publicKey: new Uint8Array(33), session, counter: 0n },
  executionAccount: at(number + 100),
  isExecutionAccountHolder: true,
});
const of = (threshold: number, ...signers: (readonly [number, number])[]): Rules => ({
  threshold,
  signers: signers.map(([number, mask]) => ({ address: at(number), mask })),
});

describe("keys behind signers", () => {
  it("are those of sessions while these last", () => {
    const rules = of(2, [10, 7], [1, 7]);
    const until = (expiresAt: bigint): KnownPasskeys => ({
      passkeys: [passkey(10, { key: at(1), expiresAt })],
      unixSeconds: now,
    });
    expect(keysThatActAlone(rules, until(now + 1n))).toEqual([at(1)]);
    expect(fewestKeys(rules, until(now + 1n))).toBe(1);
    expect(keysThatActAlone(rules, until(now))).toEqual([]);
    expect(fewestKeys(rules, until(now))).toBe(2);
  });

  it("are one where a passkey signs by both of its addresses", () => {
    const known = { passkeys: [passkey(10, null)], unixSeconds: now };
    const rules = of(2, [10, 7], [110, 2]);
    expect(controllingKeys(rules, known)).toEqual([{ key: at(10), signers: rules.signers }]);
    expect(fewestKeys(rules, known)).toBe(1);
    expect(fewestKeys(of(3, [10, 7], [110, 2]), known)).toBeNull();
  });

  it("are counted as when every set of keys is tried", () => {
    const mask = fc.nat({ max: 7 });
    const signer = fc.tuple(fc.constantFrom(0, 1, 2, 10, 11, 12, 110, 111, 112), mask);
    const signers = fc.uniqueArray(signer, { maxLength: 7, selector: ([number]) => number });
    const session = fc.option(fc.tuple(fc.nat({ max: 3 }), fc.boolean()));
    const sessions = fc.tuple(session, session, session);
    fc.assert(
      fc.property(fc.nat({ max: 5 }), signers, sessions, (threshold, list, drawn) => {
        const rules = of(threshold, ...list);
        const passkeys = drawn.map((one, i) =>
          passkey(10 + i, one === null ? null : { key: at(one[0]), expiresAt: one[1] ? now + 1n : now }),
        );
        const known = { passkeys, unixSeconds: now };
        expect(fewestKeys(rules, known)).toEqual(byTryingAll(rules, known));
        const alone = controllingKeys(rules, known).filter(({ signers: mine }) => canAct(rules, mine));
        expect(keysThatActAlone(rules, known)).toEqual(alone.map(({ key }) => key));
      }),
      { numRuns: 2_000 },
    );
  });

  it("are counted among hundreds of signers", () => {
    const signers = Array.from({ length: 400 }, (_, i): SettingsSigner => {
      return {
        address: addressOfBytes(
          new Uint8Array(32)
            .fill(1)
            .with(0, i & 255)
            .with(1, i >> 8),
        ),
        mask: 1 << (i % 3),
      };
    });
    expect(fewestKeys({ threshold: 100, signers }, { passkeys: [], unixSeconds: now })).toBe(102);
  });
});

function canAct(rules: Rules, signers: Iterable<SettingsSigner>): boolean {
  const members = [...new Set([...signers].map(({ address }) => address))];
  return checkConsensus({ ...rules, timeLockSeconds: 0 }, members).ok;
}

/** Over sets of keys, signers that two keys sign for counted once. */
function byTryingAll(rules: Rules, known: KnownPasskeys): number | null {
  const keys = controllingKeys(rules, known);
  const sizes = Array.from({ length: 2 ** keys.length }, (_, set) => {
    const chosen = keys.filter((_one, i) => (set & (1 << i)) !== 0);
    return canAct(
      rules,
      chosen.flatMap(({ signers }) => signers),
    )
      ? chosen.length
      : null;
  });
  return sizes.reduce((least, size) => (size === null || (least !== null && least <= size) ? least : size), null);
}
