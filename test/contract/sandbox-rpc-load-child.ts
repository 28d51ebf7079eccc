/**
 * Sends transfers to a sandbox chain in a data directory, many at a time, and prints the number of each once it is
 * acknowledged. Its parent kills it. Arguments: directory, the first number.
 */
import { writeSync } from "node:fs";
import { getTransferSolInstruction } from "@solana-program/system";
import { addressOf } from "@trellis/sandbox/node/address-bytes.js";
import { openDatabase } from "../../src/adapters/db/open-database.js";
import { buildTransaction, fundedSigner, openTestNode } from "./sandbox-rpc-fixture.js";

const [directory, first] = [process.argv[2], Number(process.argv[3])];
if (directory === undefined) throw new Error("a directory is needed");
const inFlight = 32;
const database = await openDatabase({ kind: "embedded", directory });
const node = await openTestNode(database.db, { realClock: { now: () => Date.now() } });
const payer = await fundedSigner(node, 1_000_000_000_000n);

/** Every transfer goes to an address of its own, so that its balance says how often it landed. */
const receiver = (number: number) => {
  const bytes = new Uint8Array(32).fill(5);
  new DataView(bytes.buffer).setUint32(0, number);
  return addressOf(bytes);
};

let next = first;
await Promise.all(
  Array.from({ length: inFlight }, async () => {
    for (;;) {
      const number = next;
      next += 1;
      const { wire } = await buildTransaction(node.rpc, payer, [
        getTransferSolInstruction({ source: payer, destination: receiver(number), amount: 1_000_000n }),
      ]);
      // Reported before it is sent, so that the parent can send it again after the crash.
      writeSync(1, `sent ${number} ${wire}\n`);
      await node.rpc.sendTransaction(wire, { encoding: "base64" }).send();
      writeSync(1, `acknowledged ${number}\n`);
    }
  }),
);
