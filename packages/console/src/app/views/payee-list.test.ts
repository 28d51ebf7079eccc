import { describe, expect, it } from "vitest";
import { readPayees } from "./payee-list.js";

const landlord = "EdMSarmk8UAaZjZSLFyrBd2XHjkqA4NwPjsvxcszYC9y";
const thief = "EdMSvBmcU7bw1r8CFbZ5H8hJKhyV5gLKsrKHGTXqYC9y";
const cleaner = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU";
const account = "HeyDRGGvcgSgAKDV92nK9TNN2qbYLrjsVtBj662AnS2x";
const usdc = { symbol: "usdc", mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", decimals: 6, held: 100_000_000n };
const sol = { symbol: "sol", mint: null, decimals: 9, held: 5_000_000_000n };

const read = (text: string) =>
  readPayees(text, {
    currencies: [usdc, sol],
    usual: "usdc",
    facts: {
      account,
      isAddress: (each) => /^[1-9A-HJ-NP-Za-km-z]{43,44}$/.test(each),
      addressByName: new Map([["Landlord", landlord]]),
      known: [landlord],
    },
  });
const faultsOf = (text: string) => read(text).payees.map(({ line, faults }) => [line, ...faults]);

describe("a list of payees", () => {
  it("needs no first row with names", () => {
    const { payees, sums } = read(`${landlord},"1,234.50",July\n${cleaner},80`);
    expect(payees).toMatchObject([
      { line: 1, destination: landlord, units: 1_234_500_000n, currency: usdc, memo: "July", faults: [] },
      { line: 2, destination: cleaner, units: 80_000_000n, currency: usdc, memo: "", faults: [] },
    ]);
    expect(sums).toEqual([{ currency: usdc, units: 1_314_500_000n }]);
  });

  it("may name its columns, in any order, with a currency among them", () => {
    const { payees, sums } = read(
      `Memo,Currency,Amount,Destination\r\nJuly,,80,${cleaner}\r\n,SOL,1.5,${cleaner}\r\n,usdc,20,${landlord}\r\n`,
    );
    expect(payees.map(({ line, units, currency }) => [line, units, currency])).toEqual([
      [2, 80_000_000n, usdc],
      [3, 1_500_000_000n, sol],
      [4, 20_000_000n, usdc],
    ]);
    expect(sums).toEqual([
      { currency: usdc, units: 100_000_000n },
      { currency: sol, units: 1_500_000_000n },
    ]);
  });

  it("is refused whole where a column has no meaning here", () => {
    expect(read(`destination,amount,iban\n${cleaner},1,x`)).toEqual({ payees: [], sums: [], unknownColumn: "iban" });
    expect(read(`destination,amount,amount\n${cleaner},1,2`).unknownColumn).toBe("amount");
    expect(read(`destination,amount,,\n${cleaner},1,,`).payees).toMatchObject([{ faults: [] }]);
  });

  it("takes names of the address book, and no others", () => {
    expect(read("Landlord,5").payees).toMatchObject([{ destination: landlord, faults: [] }]);
    expect(faultsOf("landlord,5\nLandl0rd,5")).toEqual([
      [1, "destination"],
      [2, "destination"],
    ]);
  });

  it("says of every line all that is wrong with it", () => {
    expect(
      faultsOf(
        [
          `${cleaner}`,
          `${cleaner},"1,234"`,
          `${cleaner},0,,x`,
          "nobody,five",
          `${cleaner},1,${"ä".repeat(129)}`,
          `${cleaner},1,"open`,
        ].join("\n"),
      ),
    ).toEqual([
      [1, "too_few", "missing"],
      [2, "comma"],
      [3, "too_many", "zero"],
      [4, "destination", "form"],
      [5, "memo_long"],
      [6, "quotes"],
    ]);
    expect(faultsOf(`${account},1`)).toEqual([[1, "self"]]);
    expect(faultsOf(`destination,amount,currency\n${cleaner},1,doge`)).toEqual([[2, "currency"]]);
  });

  it.each([
    `${cleaner},1,50`,
    `${cleaner},1,234.50`,
    `${cleaner}, 12 , 345 `,
    `destination,amount,memo\n${cleaner},1,50`,
  ])("refuses an amount with a comma that could be an amount and a memo: %s", (text) => {
    expect(read(text).payees.map(({ faults }) => faults)).toEqual([["two_ways"]]);
  });

  it.each([
    `${cleaner},"1",50`,
    `${cleaner},1,"50"`,
    `${cleaner},"1,234.50",50`,
    `${cleaner},1.5,50`,
    `${cleaner};1;50`,
    `${cleaner}\t1\t50`,
    `${cleaner},1,No. 50`,
    `${cleaner},1,`,
    `${cleaner},1`,
  ])("takes an amount and a memo that can be read in one way only: %s", (text) => {
    expect(read(text).payees.map(({ faults }) => faults)).toEqual([[]]);
  });

  it("marks what pays one destination twice, also by its name", () => {
    const { payees } = read(`${landlord},1\n${cleaner},1\nLandlord,1`);
    expect(payees.map(({ sameAs }) => sameAs)).toEqual([[3], [], [1]]);
  });

  it("marks an address that could be taken for a known one", () => {
    expect(read(`${thief},1\n${landlord},1`).payees.map(({ looksLike }) => looksLike)).toEqual([landlord, undefined]);
  });

  it("is empty where nothing is in it", () => {
    for (const text of ["", "\uFEFF", "\n \n", "destination,amount,memo\n"]) expect(read(text).payees).toEqual([]);
  });
});
