import {
  type PartnerAnswer,
  type PartnerRef,
  PartnerUnavailable,
  type RailsPartner,
  type RailTransfer,
  railTransferStates,
} from "@trellis/kernel/ports/rails.js";
import type { Draw } from "../draw.js";

/** How a partner speaks of one transfer from now on. */
export type Manner =
  /** As it is. */
  | "honest"
  /** Anything, in any order, or nothing. */
  | "wild"
  /** The same word for ever, whatever happens. */
  | RailTransfer["state"];

/** A partner that says anything of the transfers of one history, and is honest about everything else. */
export interface WildPartner {
  readonly partner: RailsPartner;
  /** Of transfers that are opened from now on, until the next call. */
  begin(draw: Draw, manner: Manner): void;
  /** Of all that were opened since `begin`. */
  setManner(manner: Manner): void;
}

/** `onCancel` hears of every call to cancel, before the partner does. */
export function createWildPartner(partner: RailsPartner, onCancel: (ref: PartnerRef) => Promise<void>): WildPartner {
  let draw: Draw | undefined;
  let manner: Manner = "honest";
  let opened: PartnerRef[] = [];

  const isWild = (ref?: PartnerRef) => draw !== undefined && (ref === undefined || opened.includes(ref));
  const chance = (percent: number) => manner === "wild" && draw?.percent(percent) === true;
  const away = (): never => {
    throw new PartnerUnavailable("nobody answers");
  };

  /** What is reported of a transfer in place of the truth. */
  const reported = (honest: RailTransfer): RailTransfer => {
    if (draw === undefined || manner === "honest") return honest;
    if (manner !== "wild") return { ...honest, state: manner, returned: returnedOf(manner) };
    if (draw.percent(40)) return honest;
    const state = draw.oneOf([...railTransferStates] as [RailTransfer["state"], ...RailTransfer["state"][]]);
    const receipt = draw.percent(20) ? { ...honest.receipt, final_amount: `${draw.below(900)}.17` } : honest.receipt;
    const instructions =
      draw.percent(10) && honest.instructions !== null
        ? { ...honest.instructions, amount: `${draw.between(1, 90)}.00` }
        : draw.percent(15)
          ? null
          : honest.instructions;
    const returned = draw.percent(30) ? { reason: "a word of its own" } : returnedOf(state);
    return { ...honest, state, receipt, instructions, returned };
  };
  const answer = (given: PartnerAnswer<RailTransfer>): PartnerAnswer<RailTransfer> => {
    if (chance(5)) return { ok: false, refused: { reason: "not_found", forOperator: "it never heard of it" } };
    return given.ok ? { ok: true, value: reported(given.value) } : given;
  };

  return {
    begin: (drawn, how) => {
      [draw, manner, opened] = [drawn, how, []];
    },
    setManner: (how) => {
      manner = how;
    },
    partner: {
      ...partner,
      createTransfer: async (request) => {
        if (chance(10)) away();
        const given = await partner.createTransfer(request);
        if (given.ok && !opened.includes(given.value.ref)) opened.push(given.value.ref);
        if (chance(15)) away();
        return given.ok && chance(15) ? answer(given) : given;
      },
      findTransfer: async (request, signal) => {
        if (chance(20)) away();
        const given = await partner.findTransfer(request, signal);
        if (!given.ok || given.value === null || !isWild(given.value.ref)) return given;
        return { ok: true, value: reported(given.value) };
      },
      readTransfer: async (ref, signal) => {
        if (!isWild(ref)) return partner.readTransfer(ref, signal);
        if (chance(20)) away();
        return answer(await partner.readTransfer(ref, signal));
      },
      cancelTransfer: async (request) => {
        await onCancel(request.ref);
        if (!isWild(request.ref)) return partner.cancelTransfer(request);
        if (chance(15)) away();
        if (chance(10)) return { ok: false, refused: { reason: "wrong_state", forOperator: "it will not" } };
        // It says that it has, and has not.
        if (chance(10)) {
          const read = await partner.readTransfer(request.ref, request.signal);
          if (read.ok) return { ok: true, value: { ...read.value, state: "canceled" } };
        }
        const given = await partner.cancelTransfer(request);
        if (chance(15)) away();
        return given;
      },
      changesSince: async (cursor, signal) => {
        if (chance(15)) away();
        const given = await partner.changesSince(cursor, signal);
        if (!given.ok || draw === undefined || manner !== "wild") return given;
        // Twice, in another order, and some of it never.
        const hints = given.value.hints.flatMap((hint) => (chance(20) ? [] : chance(20) ? [hint, hint] : [hint]));
        return { ok: true, value: { ...given.value, hints: draw.percent(50) ? hints.reverse() : hints } };
      },
    },
  };
}

const returnedOf = (state: RailTransfer["state"]) =>
  ["undeliverable", "returned", "refunded"].includes(state) ? { reason: "a bank sent it back" } : null;
