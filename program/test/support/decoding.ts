import type { Bytes } from "./bytes.js";

/** Reads the wire format from the front; throws past the end. */
export function reader(bytes: Uint8Array) {
  let at = 0;
  const take = (count: number): Bytes => {
    if (at + count > bytes.length) throw new Error(`wanted ${count} bytes at ${at} of ${bytes.length}`);
    at += count;
    return new Uint8Array(bytes.slice(at - count, at));
  };
  const unsigned = (size: number): bigint => take(size).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  const self = {
    take,
    u8: () => Number(unsigned(1)),
    u16: () => Number(unsigned(2)),
    u32: () => Number(unsigned(4)),
    u64: () => unsigned(8),
    i64: () => BigInt.asIntN(64, unsigned(8)),
    u128: () => unsigned(16),
    key: () => take(32),
    vec: <T>(item: () => T): T[] => Array.from({ length: self.u32() }, item),
    option: <T>(item: () => T): T | undefined => (self.u8() === 0 ? undefined : item()),
    text: () => Buffer.from(take(self.u32())).toString("utf8"),
    rest: () => bytes.length - at,
  };
  return self;
}

type Reader = ReturnType<typeof reader>;

const readMember = (r: Reader) => ({ key: r.key(), mask: r.u8() });

const readSettings = (r: Reader) => ({
  seed: r.u128(),
  settingsAuthority: r.key(),
  threshold: r.u16(),
  timeLock: r.u32(),
  transactionIndex: r.u64(),
  staleTransactionIndex: r.u64(),
  archivalAuthority: r.option(r.key),
  archivableAfter: r.u64(),
  bump: r.u8(),
  signers: r.vec(() => readMember(r)),
  accountUtilization: r.u8(),
  policySeed: r.option(r.u64),
  reserved: r.u8(),
});

export const STATUS = ["Draft", "Active", "Rejected", "Approved", "Executing", "Executed", "Cancelled"] as const;
export type StatusName = (typeof STATUS)[number];

function readStatus(r: Reader): { name: StatusName; since: bigint | undefined } {
  const name = STATUS[r.u8()];
  if (name === undefined) throw new Error("unknown status");
  return { name, since: name === "Executing" ? undefined : r.i64() };
}

const readProposal = (r: Reader) => ({
  consensus: r.key(),
  transactionIndex: r.u64(),
  rentCollector: r.key(),
  status: readStatus(r),
  bump: r.u8(),
  approved: r.vec(r.key),
  rejected: r.vec(r.key),
  cancelled: r.vec(r.key),
});

const readBytes = (r: Reader) => r.take(r.u32());

const readInstruction = (r: Reader) => ({ program: r.u8(), accounts: readBytes(r), data: readBytes(r) });

const readTransaction = (r: Reader) => ({
  consensus: r.key(),
  creator: r.key(),
  rentCollector: r.key(),
  index: r.u64(),
  tag: r.u8(),
  accountIndex: r.u8(),
  ephemeralSignerBumps: readBytes(r),
  message: {
    header: r.take(3),
    keys: r.vec(r.key),
    instructions: r.vec(() => readInstruction(r)),
    lookups: r.vec(() => ({ table: r.key(), writable: readBytes(r), readonly: readBytes(r) })),
  },
});

const readLimitTerms = (r: Reader) => ({
  seed: r.key(),
  accountIndex: r.u8(),
  mint: r.key(),
  amount: r.u64(),
  period: r.u8(),
  signers: r.vec(r.key),
  destinations: r.vec(r.key),
  expiration: r.i64(),
});

const readLimit = (r: Reader) => ({
  settings: r.key(),
  seed: r.key(),
  accountIndex: r.u8(),
  mint: r.key(),
  amount: r.u64(),
  period: r.u8(),
  remaining: r.u64(),
  lastReset: r.i64(),
  bump: r.u8(),
  signers: r.vec(r.key),
  destinations: r.vec(r.key),
  expiration: r.i64(),
});

function readAction(r: Reader) {
  const tag = r.u8();
  switch (tag) {
    case 0:
      return { tag, member: readMember(r) };
    case 1:
    case 5:
      return { tag, key: r.key() };
    case 2:
      return { tag, threshold: r.u16() };
    case 3:
      return { tag, seconds: r.u32() };
    case 4:
      return { tag, terms: readLimitTerms(r) };
    default:
      throw new Error(`unexpected action ${tag}`);
  }
}

const readSettingsTransaction = (r: Reader) => ({
  settings: r.key(),
  creator: r.key(),
  rentCollector: r.key(),
  index: r.u64(),
  bump: r.u8(),
  actions: r.vec(() => readAction(r)),
});

function account<T>(discriminator: string, read: (r: Reader) => T): (data: Uint8Array) => T {
  return (data) => {
    const r = reader(data);
    const found = Buffer.from(r.take(8)).toString("hex");
    if (found !== discriminator) throw new Error(`discriminator ${found}, wanted ${discriminator}`);
    return read(r);
  };
}

export const decodeSettings = account("dfb3a3beb1e043ad", readSettings);
export const decodeProposal = account("1a5ebdbb74883521", readProposal);
export const decodeTransaction = account("0b18ae81cb75f217", readTransaction);
export const decodeSettingsTransaction = account("c79748574d7c1000", readSettingsTransaction);
export const decodeLimit = account("0ac91ba0dac3de98", readLimit);
export const decodeProgramConfig = account("c4d25ae790958c3f", (r) => ({
  index: r.u128(),
  authority: r.key(),
  fee: r.u64(),
  treasury: r.key(),
  reserved: r.take(64),
}));

const CONTENT = (r: Reader) =>
  r.u8() === 0
    ? { transaction: readTransaction(r) }
    : {
        settings: readSettings(r),
        settingsTransaction: readSettingsTransaction(r),
        actions: r.vec(() => readAction(r)),
      };

const EVENTS = {
  0: (r: Reader) => ({ settingsKey: r.key(), settings: readSettings(r) }),
  1: (r: Reader) => ({
    settingsKey: r.key(),
    accountIndex: r.u8(),
    signers: r.vec(r.key),
    instructions: r.vec(() => readInstruction(r)),
    accounts: r.vec(r.key),
  }),
  2: (r: Reader) => ({
    settingsKey: r.key(),
    signers: r.vec(r.key),
    settings: readSettings(r),
    changes: r.vec(() => readAction(r)),
  }),
  3: (r: Reader) => ({ settingsKey: r.key(), limitKey: r.key(), limit: readLimit(r) }),
  4: (r: Reader) => ({ settingsKey: r.key(), limitKey: r.key() }),
  5: (r: Reader) => ({
    settingsKey: r.key(),
    limitKey: r.key(),
    vault: r.key(),
    vaultTokenAccount: r.key(),
    destination: r.key(),
    destinationTokenAccount: r.key(),
    signer: r.key(),
    mint: r.key(),
    decimals: r.u8(),
    amount: r.u64(),
    limit: readLimit(r),
  }),
  6: (r: Reader) => ({ settings: readSettings(r), settingsKey: r.key(), authority: r.key(), change: readAction(r) }),
  7: (r: Reader) => ({
    settings: readSettings(r),
    settingsKey: r.key(),
    authority: r.key(),
    newAuthority: r.option(r.key),
  }),
  8: (r: Reader) => ({
    consensus: r.key(),
    type: r.u8(),
    step: r.u8(),
    transactionKey: r.key(),
    index: r.u64(),
    signer: r.option(r.key),
    memo: r.option(r.text),
    content: r.option(() => CONTENT(r)),
  }),
  9: (r: Reader) => ({
    consensus: r.key(),
    type: r.u8(),
    step: r.u8(),
    proposalKey: r.key(),
    index: r.u64(),
    signer: r.option(r.key),
    memo: r.option(r.text),
    proposal: r.option(() => readProposal(r)),
  }),
  10: (r: Reader) => ({
    consensus: r.key(),
    type: r.u8(),
    signers: r.vec(r.key),
    payloadTag: r.u8(),
    accountIndex: r.u8(),
    instructions: r.vec(() => readInstruction(r)),
    accounts: r.vec(r.key),
  }),
};

type Events = typeof EVENTS;

/** Decodes an event that must be of this kind; every byte must be used. */
export function decodeEvent<K extends keyof Events>(bytes: Uint8Array | undefined, kind: K): ReturnType<Events[K]> {
  if (bytes === undefined) throw new Error("no event");
  const r = reader(bytes);
  const found = r.u8();
  if (found !== kind) throw new Error(`event kind ${found}, wanted ${kind}`);
  const event = EVENTS[kind](r) as ReturnType<Events[K]>;
  if (r.rest() !== 0) throw new Error(`${r.rest()} bytes after the event`);
  return event;
}
