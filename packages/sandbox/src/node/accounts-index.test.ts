import { describe, expect, it } from "vitest";
import { createAccountsIndex } from "./accounts-index.js";
import { addressBytes, addressOf } from "./address-bytes.js";
import { tokenProgram } from "./token-layout.js";

const numbered = (fill: number) => addressOf(new Uint8Array(32).fill(fill));
const one = numbered(1);
const two = numbered(2);
const program = numbered(3);
const other = numbered(4);
const holder = numbered(5);
const mint = numbered(6);

describe("the index of accounts", () => {
  it("follows an account from program to program and out", () => {
    const index = createAccountsIndex();
    index.update(one, state(program, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9)));
    index.update(two, state(program, Uint8Array.of(8, 8)));
    expect([...index.ownedBy(program)].sort()).toEqual([one, two].sort());
    expect([...index.ownedByStartingWith(program, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))]).toEqual([one]);
    expect([...index.ownedByStartingWith(program, Uint8Array.of(8, 8))]).toEqual([two]);
    index.update(one, state(program, Uint8Array.of(0, 2, 3, 4, 5, 6, 7, 8, 9)));
    expect([...index.ownedByStartingWith(program, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))]).toEqual([]);
    index.update(one, state(other, new Uint8Array()));
    expect([...index.ownedBy(program)]).toEqual([two]);
    expect([...index.ownedBy(other)]).toEqual([one]);
    index.update(one, undefined);
    index.update(two, undefined);
    expect([...index.ownedBy(program), ...index.ownedBy(other)]).toEqual([]);
  });

  it("finds token accounts by their owner, also after it has changed", () => {
    const index = createAccountsIndex();
    index.update(one, state(tokenProgram, tokenData(holder)));
    expect([...index.tokenAccountsOf(holder)]).toEqual([one]);
    index.update(one, state(tokenProgram, tokenData(other)));
    expect([...index.tokenAccountsOf(holder)]).toEqual([]);
    expect([...index.tokenAccountsOf(other)]).toEqual([one]);
    index.update(one, state(program, tokenData(other)));
    expect([...index.tokenAccountsOf(other)]).toEqual([]);
  });
});

const state = (owner: typeof program, data: Uint8Array) => ({ lamports: 1n, owner, data, executable: false });

function tokenData(owner: typeof program): Uint8Array {
  const data = new Uint8Array(165);
  data.set(addressBytes(mint), 0);
  data.set(addressBytes(owner), 32);
  data[108] = 1;
  return data;
}
