import { type Address, getAddressDecoder } from "@solana/kit";
import type { AuthorityChange, SettingsActionArgs, SettingsSigner } from "@trellis/program-client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  actionsOfMembers,
  changesOfAdmin,
  comparePolicies,
  isNoDifference,
  type PolicyState,
} from "./settings-change-plan.js";

describe("a change by the members", () => {
  it("reaches every valid policy, with no action too many", () => {
    fc.assert(
      fc.property(policy, policy, (from, wanted) => {
        const to = { ...wanted, settingsAuthority: from.settingsAuthority };
        const actions = actionsOfMembers(from, to);
        expect(isNoDifference(comparePolicies(actions.reduce(apply, from), to))).toBe(true);
        const { added, removed, changed, threshold, timeLock } = comparePolicies(from, to);
        const fewest = added.length + removed.length + 2 * changed.length + Number(threshold) + Number(timeLock);
        expect(actions).toHaveLength(fewest);
      }),
    );
  });
});

describe("a change by the admin", () => {
  it("reaches the policy through valid ones only, the admin's own change last", () => {
    fc.assert(
      fc.property(policy, policy, (from, to) => {
        const changes = changesOfAdmin(from, to);
        if (changes === undefined) return;
        const states: PolicyState[] = [];
        for (const change of changes) states.push(apply(states.at(-1) ?? from, change));
        expect(states.filter((state) => !isValid(state))).toEqual([]);
        expect(isNoDifference(comparePolicies(states.at(-1) ?? from, to))).toBe(true);
        const handover = changes.findIndex(({ __kind }) => __kind === "SetSettingsAuthority");
        expect([-1, changes.length - 1]).toContain(handover);
      }),
      { numRuns: 500 },
    );
  });

  it("is found where it changes no signer's permissions", () => {
    fc.assert(
      fc.property(policy, policy, (from, to) => {
        fc.pre(comparePolicies(from, to).changed.length === 0);
        expect(changesOfAdmin(from, to)).toBeDefined();
      }),
    );
  });

  it("is not found where the one who has to step out for a moment cannot be spared", () => {
    const from = {
      signers: [{ address: keyOf(1), mask: 7 }],
      threshold: 1,
      timeLockSeconds: 0,
      settingsAuthority: null,
    };
    const to = {
      ...from,
      signers: [
        { address: keyOf(1), mask: 3 },
        { address: keyOf(2), mask: 4 },
      ],
    };
    expect(changesOfAdmin(from, to)).toBeUndefined();
  });
});

const keyOf = (index: number): Address => getAddressDecoder().decode(new Uint8Array(32).fill(index + 1));

const isValid = ({ signers, threshold }: PolicyState): boolean => {
  const holders = (bit: number) => signers.filter(({ mask }) => (mask & bit) !== 0).length;
  return [1, 2, 4].every((bit) => holders(bit) > 0) && threshold >= 1 && threshold <= holders(2);
};

/** Any policy the service lets through, over a small set of keys so that two of them overlap. */
const policy = fc
  .record({
    signers: fc
      .uniqueArray(fc.record({ address: fc.nat(7).map(keyOf), mask: fc.integer({ min: 1, max: 7 }) }), {
        minLength: 1,
        maxLength: 6,
        selector: ({ address }) => address,
      })
      .map((signers): readonly SettingsSigner[] => signers),
    threshold: fc.integer({ min: 1, max: 6 }),
    timeLockSeconds: fc.constantFrom(0, 60),
    settingsAuthority: fc.constantFrom(keyOf(100), keyOf(101)),
  })
  .filter(isValid);

function apply(state: PolicyState, change: AuthorityChange | SettingsActionArgs): PolicyState {
  const { signers } = state;
  switch (change.__kind) {
    case "AddSigner": {
      const { key, permissions } = change.newSigner;
      expect(signers.some(({ address }) => address === key)).toBe(false);
      return { ...state, signers: [...signers, { address: key, mask: permissions }] };
    }
    case "RemoveSigner":
      expect(signers.some(({ address }) => address === change.oldSigner)).toBe(true);
      return { ...state, signers: signers.filter(({ address }) => address !== change.oldSigner) };
    case "ChangeThreshold":
      return { ...state, threshold: change.newThreshold };
    case "SetTimeLock":
      return { ...state, timeLockSeconds: change.newTimeLock };
    case "SetSettingsAuthority":
      return { ...state, settingsAuthority: change.newSettingsAuthority };
    default:
      throw new Error(`unplanned: ${change.__kind}`);
  }
}
