import { createECDH, createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { base58 } from "@scure/base";
import { address, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit";
import { type Bytes, concat, integer, option, smallVec, u8, u16, u64 } from "./bytes.js";
import { key, named, SECP256R1_PROGRAM, SIGNATURE_PROGRAM, SYSTEM } from "./keys.js";
import { createLedger, FEE_PAYER, type Instruction, type Meta } from "./ledger.js";
import { type Compiled, syncPayload } from "./messages.js";
import { r, s, w, ws } from "./metas.js";

const INSTRUCTIONS = key("Sysvar1nstructions1111111111111111111111111");
const SLOT_HASHES = key("SysvarS1otHashes111111111111111111111111111");
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

export const sha256 = (bytes: Uint8Array): Bytes => new Uint8Array(createHash("sha256").update(bytes).digest());
const ascii = (text: string): Bytes => new Uint8Array(Buffer.from(text));

/** What a passkey says beside its signature; the defaults are an honest answer of a synced passkey. */
export interface Answer {
  readonly type?: "webauthn.get" | "webauthn.create";
  readonly challenge?: Uint8Array;
  readonly origin?: string;
  /** What stands behind the origin. */
  readonly rest?: string;
  readonly rpId?: string;
  readonly flags?: number;
  readonly counter?: number;
  /** Bytes after the counter. */
  readonly more?: Uint8Array;
}

/** A signature check of the runtime, before it is an instruction. */
export interface Check {
  readonly key: Bytes;
  /** r and s, s in the lower half. */
  readonly signature: Bytes;
  readonly message: Bytes;
}

/** The key of P-256 with this secret of 32 bytes, or a new one. */
function privateKeyOf(secret: Uint8Array | undefined): KeyObject {
  if (secret === undefined) return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
  const [x, y, d] = [text(point.subarray(1, 33)), text(point.subarray(33)), text(secret)] as const;
  return createPrivateKey({ key: { kty: "EC", crv: "P-256", x, y, d }, format: "jwk" });
}

/** A P-256 key pair of a passkey, with the addresses it has on chain. */
export async function createPasskey(rpId = "wallet.example.com", secret?: Uint8Array) {
  const privateKey = privateKeyOf(secret);
  const { x = "", y = "" } = privateKey.export({ format: "jwk" });
  const isOdd = (Buffer.from(y, "base64url")[31] ?? 0) & 1;
  const compressed = concat(u8(2 | isOdd), Buffer.from(x, "base64url"));
  const derive = async (...seeds: readonly Uint8Array[]): Promise<Bytes> => {
    const programAddress = address(base58.encode(SIGNATURE_PROGRAM));
    const [found] = await getProgramDerivedAddress({ programAddress, seeds: [...seeds] });
    return new Uint8Array(getAddressEncoder().encode(found));
  };
  const account = await derive(ascii("passkey"), sha256(compressed));
  return {
    rpId,
    key: compressed,
    account,
    executionAccount: await derive(account, ascii("execution_account")),
    /** Signs a challenge as a browser on the passkey's own host would have it signed. */
    sign(challenge: Uint8Array, answer: Answer = {}): Check {
      const { type = "webauthn.get", flags = 0x1d, counter = 0, more = new Uint8Array() } = answer;
      const text = Buffer.from(answer.challenge ?? challenge).toString("base64url");
      const { origin = `https://${rpId}`, rest = `,"crossOrigin":false` } = answer;
      const clientData = ascii(`{"type":"${type}","challenge":"${text}","origin":"${origin}"${rest}}`);
      const counterBytes = integer(counter, 4).toReversed();
      const data = concat(sha256(ascii(answer.rpId ?? rpId)), u8(flags), counterBytes, more);
      const message = concat(data, sha256(clientData));
      const raw = sign("sha256", message, { key: privateKey, dsaEncoding: "ieee-p1363" });
      return { key: compressed, signature: inLowerHalf(raw), message };
    },
  };
}

function inLowerHalf(signature: Uint8Array): Bytes {
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).toString("hex")}`);
  return concat(signature.subarray(0, 32), integer(s > ORDER / 2n ? ORDER - s : s, 32).toReversed());
}

/** The same signature with its other s, which is as good by mathematics. */
export function inUpperHalf({ key: publicKey, signature, message }: Check): Check {
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).toString("hex")}`);
  return { key: publicKey, signature: concat(signature.subarray(0, 32), integer(ORDER - s, 32).toReversed()), message };
}

/** The instruction that has the runtime check signatures. `where`: the instruction that each part lies in. */
export function checkInstruction(
  checks: readonly Check[],
  where: { readonly signature?: number; readonly key?: number; readonly message?: number } = {},
): Instruction {
  const heads: Bytes[] = [];
  const bodies: Bytes[] = [];
  let at = 2 + 14 * checks.length;
  for (const check of checks) {
    const signatureAt = at + 33;
    const messageAt = signatureAt + 64;
    heads.push(
      concat(u16(signatureAt), u16(where.signature ?? 0xffff), u16(at), u16(where.key ?? 0xffff)),
      concat(u16(messageAt), u16(check.message.length), u16(where.message ?? 0xffff)),
    );
    bodies.push(check.key, check.signature, check.message);
    at = messageAt + check.message.length;
  }
  return { program: SECP256R1_PROGRAM, accounts: [], data: concat(u8(checks.length), u8(0), ...heads, ...bodies) };
}

/** The form of a text: get, same origin, https, no port. */
export const GET = 0x10;
export const CREATE = 0;

/** Flags and port that say how the signed text is written. */
export interface Form {
  readonly flags?: number;
  readonly port?: number;
}

const formBytes = ({ flags = GET, port }: Form): Bytes =>
  concat(u8(flags), option(port === undefined ? undefined : u16(port)));
const counted = (bytes: Uint8Array): Bytes => concat(u8(bytes.length), bytes);

/** A session as it stands in instructions and challenges. */
export interface Session {
  readonly key: Uint8Array;
  /** Seconds: since 1970 in initialize, from now on in refresh. */
  readonly expiration: bigint | number;
}

const sessionBytes = (session: Session): Bytes => concat(session.key, u64(session.expiration));

/** What instructions of this program may have different from the honest ones. */
export interface Bent {
  readonly scheme?: number;
  readonly form?: Form;
  /** The key in the arguments. */
  readonly key?: Uint8Array;
  readonly rpId?: string;
  readonly slot?: bigint;
  readonly account?: Uint8Array;
  readonly instructionsSysvar?: Uint8Array;
  readonly slotHashes?: Uint8Array;
  readonly unsigned?: boolean;
  readonly readonly?: boolean;
  /** Bytes after the arguments. */
  readonly after?: Uint8Array;
  /** Instead of the challenge that belongs here. */
  readonly challenge?: Uint8Array;
}

/** Which address signs: 0 the execution account, 1 the passkey's account. */
export type SigningAddress = 0 | 1;

const digits = (slot: bigint): Bytes => u16(Number(slot % 1000n));
const signer = (bent: Bent, one: Uint8Array): Meta => (bent.unsigned ? r(one) : s(one));
const changing = (bent: Bent, one: Uint8Array): Meta => (bent.readonly ? r(one) : w(one));

/** A ledger at slot 5,200 whose former slots have hashes, and a passkey. The clock stands at 1,700,000,000. */
export async function createPasskeyScene(rpId?: string, secret?: Uint8Array) {
  const ledger = await createLedger();
  const passkey = await createPasskey(rpId, secret);
  const state = { payer: FEE_PAYER, nonce: named("nonce"), session: named("session"), slot: 5_200n };
  const hashOf = (slot: bigint): Bytes => sha256(u64(slot));
  const recent = (): bigint => state.slot - 1n;
  const rightsOf = (one: Meta): Bytes => {
    const is = (other: Uint8Array) => Buffer.compare(one.key, other) === 0;
    const isSigner = one.signer || is(state.nonce) || is(state.payer);
    const isWritable = one.writable || is(passkey.account) || is(state.payer);
    return concat(one.key, u8(isSigner ? 1 : 0), u8(isWritable ? 1 : 0));
  };
  const scene = Object.assign(state, {
    ledger,
    passkey,
    hashOf,
    /** Moves to a slot; `skipped` ones have no hash. */
    moveTo(slot: bigint, skipped: readonly bigint[] = []): void {
      state.slot = slot;
      const before: { slot: bigint; hash: Bytes }[] = [];
      for (let one = slot - 1n; one >= 0n && before.length < 512; one--) {
        if (!skipped.includes(one)) before.push({ slot: one, hash: hashOf(one) });
      }
      ledger.setSlot(slot, before);
    },
    /** The newest slot that a challenge can be of. */
    recent,
    /** Whether the passkey has an account, and its bytes. */
    stored: () => ledger.account(passkey.account)?.data,

    initialize(session: Session | undefined, bent: Bent = {}): Instruction {
      const data = concat(
        counted(ascii(bent.rpId ?? passkey.rpId)),
        bent.key ?? passkey.key,
        formBytes(bent.form ?? {}),
      );
      return {
        program: SIGNATURE_PROGRAM,
        accounts: [
          changing(bent, bent.account ?? passkey.account),
          bent.unsigned ? w(state.payer) : ws(state.payer),
          r(bent.instructionsSysvar ?? INSTRUCTIONS),
          r(bent.slotHashes ?? SLOT_HASHES),
          r(SYSTEM),
        ],
        data: concat(
          u8(0),
          digits(bent.slot ?? recent()),
          u8(bent.scheme ?? 0),
          counted(data),
          option(session === undefined ? undefined : sessionBytes(session)),
          bent.after ?? new Uint8Array(),
        ),
      };
    },
    initializeChallenge: (session: Session | undefined, slot: bigint = recent()): Bytes =>
      sha256(
        concat(
          hashOf(slot),
          state.payer,
          ascii("initialize_passkey"),
          session === undefined ? new Uint8Array() : sessionBytes(session),
        ),
      ),

    refresh(session: Session, bent: Bent = {}): Instruction {
      return {
        program: SIGNATURE_PROGRAM,
        accounts: [
          changing(bent, bent.account ?? passkey.account),
          r(bent.instructionsSysvar ?? INSTRUCTIONS),
          r(bent.slotHashes ?? SLOT_HASHES),
          signer(bent, state.nonce),
        ],
        data: concat(
          u8(2),
          digits(bent.slot ?? recent()),
          u8(bent.scheme ?? 0),
          counted(concat(bent.key ?? passkey.key, formBytes(bent.form ?? {}))),
          sessionBytes(session),
          bent.after ?? new Uint8Array(),
        ),
      };
    },
    refreshChallenge: (session: Session, slot: bigint = recent()): Bytes =>
      sha256(concat(hashOf(slot), state.nonce, ascii("refresh_session_key"), sessionBytes(session))),

    execute(inner: Inner, address: SigningAddress, bent: Bent = {}): Instruction {
      return {
        program: SIGNATURE_PROGRAM,
        accounts: [
          changing(bent, bent.account ?? passkey.account),
          r(bent.instructionsSysvar ?? INSTRUCTIONS),
          r(bent.slotHashes ?? SLOT_HASHES),
          signer(bent, state.nonce),
          ...inner.accounts,
        ],
        data: concat(
          u8(1),
          u8(bent.scheme ?? 0),
          u8(address),
          digits(bent.slot ?? recent()),
          counted(concat(bent.key ?? passkey.key, formBytes(bent.form ?? {}))),
          syncPayload(inner.instructions),
          bent.after ?? new Uint8Array(),
        ),
      };
    },
    /** An account has one set of rights in a transaction, so the passkey's own stays writable and the nonce key a signer. */
    executeChallenge: (inner: Inner, slot: bigint = recent()): Bytes =>
      sha256(
        concat(
          hashOf(slot),
          state.nonce,
          ascii("execute_instructions"),
          smallVec(inner.accounts.map((one) => rightsOf(one))),
          syncPayload(inner.instructions),
        ),
      ),

    executeBySession(
      inner: Inner,
      address: SigningAddress,
      bent: Bent = {},
      by: Uint8Array = state.session,
    ): Instruction {
      return {
        program: SIGNATURE_PROGRAM,
        accounts: [changing(bent, bent.account ?? passkey.account), signer(bent, by), ...inner.accounts],
        data: concat(
          u8(3),
          u8(bent.scheme ?? 0),
          u8(address),
          syncPayload(inner.instructions),
          bent.after ?? new Uint8Array(),
        ),
      };
    },

    /** An honest initialize, its signature check before it. */
    initialized(session?: Session, answer?: Answer, bent: Bent = {}): Instruction[] {
      const challenge = bent.challenge ?? scene.initializeChallenge(session, bent.slot);
      return [checkInstruction([passkey.sign(challenge, answer)]), scene.initialize(session, bent)];
    },
    /** An honest refresh, its signature check before it. */
    refreshed(session: Session, answer?: Answer, bent: Bent = {}): Instruction[] {
      const challenge = bent.challenge ?? scene.refreshChallenge(session, bent.slot);
      return [checkInstruction([passkey.sign(challenge, answer)]), scene.refresh(session, bent)];
    },
    /** An honest execution, its signature check before it. */
    executed(inner: Inner, address: SigningAddress, answer?: Answer, bent: Bent = {}): Instruction[] {
      const challenge = bent.challenge ?? scene.executeChallenge(inner, bent.slot);
      return [checkInstruction([passkey.sign(challenge, answer)]), scene.execute(inner, address, bent)];
    },
  });
  scene.moveTo(scene.slot);
  ledger.fund(scene.nonce, scene.session);
  return scene;
}

export type PasskeyScene = Awaited<ReturnType<typeof createPasskeyScene>>;

/** Instructions with what their positions count. */
export interface Inner {
  readonly accounts: readonly Meta[];
  readonly instructions: readonly Compiled[];
}

/** Instructions compiled over one list of accounts. Addresses in `derived` sign inside only. */
export function innerOf(instructions: readonly Instruction[], derived: readonly Uint8Array[]): Inner {
  const accounts: Meta[] = [];
  const place = (meta: Meta): number => {
    const isDerived = derived.some((one) => Buffer.compare(one, meta.key) === 0);
    const wanted = { ...meta, signer: meta.signer && !isDerived };
    const found = accounts.findIndex((one) => Buffer.compare(one.key, meta.key) === 0);
    const known = accounts[found];
    if (known === undefined) return accounts.push(wanted) - 1;
    const merged = { ...known, signer: known.signer || wanted.signer, writable: known.writable || wanted.writable };
    accounts[found] = merged;
    return found;
  };
  const compiled = instructions.map((one) => ({
    accounts: one.accounts.map(place),
    program: place(r(one.program)),
    data: one.data,
  }));
  return { accounts, instructions: compiled };
}

/** A passkey's account decoded by its offsets. */
export function decodePasskey(data: Uint8Array) {
  const view = new DataView(data.buffer, data.byteOffset);
  return {
    length: data.length,
    version: data[0],
    scheme: data[1],
    rpId: Buffer.from(data.subarray(5, 5 + (data[4] ?? 0))).toString(),
    rpIdHash: data.slice(37, 69),
    key: concat(data.subarray(101, 102), data.subarray(69, 101)),
    lastSlot: view.getUint16(2, true) + 0x10000 * view.getUint16(102, true),
    sessionKey: data.slice(104, 136),
    sessionExpiration: view.getBigUint64(136, true),
    counter: view.getBigUint64(144, true),
  };
}
