import { shortAddress } from "../parts/address.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { usePlace } from "../parts/session.js";
import { texts } from "../texts.js";
import type { ViewProps } from "../views.js";

const words = texts.people;

interface Person {
  readonly id: string;
  readonly email: string;
  readonly created_at: string;
  readonly last_signed_in_at: string | null;
  readonly accounts: readonly string[];
  readonly sessions_active: number;
}

/** Who has signed in at this tenant. */
export default function People({ query }: ViewProps) {
  const { environment } = usePlace();
  const list = useList<Person>("/users", { email: query.get("email") ?? undefined });
  return (
    <>
      <h1>{words.title}</h1>
      <ListView
        list={list}
        caption={words.caption}
        empty={words.empty}
        keyOf={({ id }) => id}
        columns={[
          { title: words.email, cell: ({ email }) => <OutsideText text={email} /> },
          {
            title: words.accounts,
            cell: ({ accounts }) =>
              accounts.map((address) => (
                <a key={address} href={hrefOf(environment, ["accounts", address])}>
                  <code>{shortAddress(address)}</code>{" "}
                </a>
              )),
          },
          { title: words.sessions, isNumber: true, cell: ({ sessions_active }) => sessions_active },
          { title: words.lastSeen, cell: ({ last_signed_in_at }) => <Moment at={last_signed_in_at} /> },
          { title: words.created, cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
    </>
  );
}
