import { expect, it } from "vitest";
import { findLookAlike, lookAlikesIn } from "./look-alike.js";

const landlord = "EdMSarmk8UAaZjZSLFyrBd2XHjkqA4NwPjsvxcszYC9y";
const thief = "EdMSvBmcU7bw1r8CFbZ5H8hJKhyV5gLKsrKHGTXqYC9y";
const other = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU";

it("an address that begins and ends like a known one is taken for it", () => {
  expect(findLookAlike(thief, [other, landlord])).toBe(landlord);
});

it("letters count in any case, as people do not see the difference", () => {
  expect(findLookAlike(`edms${thief.slice(4)}`, [landlord])).toBe(landlord);
});

it("a known address is taken for none, also beside one that looks like it", () => {
  expect(findLookAlike(landlord, [thief, landlord])).toBeUndefined();
});

it("one end alone is no resemblance", () => {
  expect(findLookAlike(`${thief.slice(0, -1)}z`, [landlord])).toBeUndefined();
  expect(findLookAlike(`F${thief.slice(1)}`, [landlord])).toBeUndefined();
  expect(findLookAlike(thief, [])).toBeUndefined();
});

it("several addresses are compared with the known ones, and with each other", () => {
  expect(lookAlikesIn([thief, other], [landlord])).toEqual([{ address: thief, other: landlord }]);
  expect(lookAlikesIn([thief, landlord], [landlord])).toEqual([{ address: thief, other: landlord }]);
  expect(lookAlikesIn([thief, landlord, thief], [other])).toEqual([
    { address: thief, other: landlord },
    { address: landlord, other: thief },
    { address: thief, other: landlord },
  ]);
  expect(lookAlikesIn([other, other], [landlord])).toEqual([]);
});
