import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPermission, maskOfPermissions, PERMISSIONS, permissionsOfMask } from "./permissions.js";

describe("permission masks", () => {
  it("name their bits in order", () => {
    expect(permissionsOfMask(0)).toEqual([]);
    expect(permissionsOfMask(5)).toEqual(["CAN_INITIATE", "CAN_EXECUTE"]);
    expect(permissionsOfMask(7)).toEqual(["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"]);
  });

  it("are restored from their names, in any order and with repetitions", () => {
    fc.assert(
      fc.property(fc.nat({ max: 7 }), fc.infiniteStream(fc.boolean()), (mask, coins) => {
        const names = permissionsOfMask(mask);
        const doubled = names.flatMap((name) => (coins.next().value ? [name, name] : [name])).reverse();
        expect(maskOfPermissions(doubled)).toBe(mask);
      }),
    );
  });

  it("beyond the three bits are refused", () => {
    for (const mask of [-1, 8, 255, 1.5, Number.NaN]) expect(() => permissionsOfMask(mask)).toThrow(RangeError);
  });

  it("have names that are distinct from other text", () => {
    expect(PERMISSIONS.every(isPermission)).toBe(true);
    expect(isPermission("CAN_APPROVE")).toBe(false);
    expect(isPermission("toString")).toBe(false);
  });
});
