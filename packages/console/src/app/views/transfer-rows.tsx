import type { List } from "@trellis/react";
import type { Transfer } from "@trellis/sdk";
import { Moment } from "../../parts/moment.js";
import { OutsideText } from "../../parts/outside-text.js";
import { State } from "../../parts/states.js";
import { texts } from "../texts.js";
import { Money } from "./currencies.js";
import { mintOfList } from "./holdings.js";
import { useKnownAddresses } from "./known-addresses.js";
import { findLookAlike } from "./look-alike.js";
import { useNames } from "./named.js";
import { Party } from "./party.js";
import { Listed } from "./read-states.js";

const words = texts.history;

/** What moved, newest first, with who was at the other end. */
export function TransferRows({ list, empty }: { readonly list: List<Transfer>; readonly empty: string }) {
  const { known } = useKnownAddresses();
  const others = (list.data ?? []).flatMap(otherEnd);
  const names = useNames(others.flatMap((other) => [other, findLookAlike(other, known) ?? other]));
  return (
    <Listed
      list={list}
      caption={words.caption}
      empty={empty}
      keyOf={({ Spl, Bridge }) => Spl?.id ?? Bridge?.id ?? ""}
      columns={[
        { title: words.when, cell: ({ Spl, Bridge }) => <Moment at={(Spl ?? Bridge)?.created_at} /> },
        {
          title: words.direction,
          cell: ({ Spl, Bridge }) =>
            (Spl ?? Bridge)?.direction === "inflow" ? texts.money.received : texts.money.sent,
        },
        {
          title: words.amount,
          isNumber: true,
          cell: ({ Spl, Bridge }) =>
            Spl === undefined ? (
              <OutsideText text={`${Bridge?.amount} ${Bridge?.currency.toUpperCase()}`} />
            ) : (
              <Money units={Spl.amount} mint={mintOfList(Spl.mint)} />
            ),
        },
        {
          title: words.counterparty,
          cell: (transfer) => {
            const [address] = otherEnd(transfer);
            if (address !== undefined)
              return <Party address={address} names={names} known={known} warning={words.looksLike} />;
            return transfer.Bridge === undefined ? words.network : words.bank;
          },
        },
        {
          title: words.state,
          cell: ({ Spl, Bridge }) => <State value={Spl?.confirmation_status ?? Bridge?.state ?? ""} />,
        },
      ]}
    />
  );
}

/** The address at the other end, where there is one. */
function otherEnd({ Spl }: Transfer): readonly string[] {
  if (Spl === undefined) return [];
  const other = Spl.direction === "inflow" ? Spl.from_address : Spl.to_address;
  return mintOfList(other) === null ? [] : [other];
}
