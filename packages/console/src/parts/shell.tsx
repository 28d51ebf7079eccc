import { type ReactNode, Suspense } from "react";
import { Boundary } from "./boundary.js";
import { Loading } from "./states.js";

/** What stands around every view of the console and of the treasury: a bar, the menu, and the place of the view. */
export function Shell({
  words,
  bar,
  menu,
  current,
  notice,
  children,
}: {
  readonly words: { readonly skip: string; readonly menu: string };
  readonly bar: ReactNode;
  readonly menu: readonly { readonly name: string; readonly title: string; readonly href: string }[];
  /** The name of the view that is shown. */
  readonly current: string;
  /** Above every view. */
  readonly notice?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <>
      <button type="button" className="skip" onClick={toMain}>
        {words.skip}
      </button>
      <header className="bar">{bar}</header>
      <div className="columns">
        <nav aria-label={words.menu}>
          <ul>
            {menu.map(({ name, title, href }) => (
              <li key={name}>
                <a href={href} aria-current={name === current ? "page" : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="main" tabIndex={-1}>
          {notice}
          <Boundary key={current}>
            <Suspense fallback={<Loading />}>{children}</Suspense>
          </Boundary>
        </main>
      </div>
    </>
  );
}

/** By a button: the address belongs to the routes, and a link to a place on the page would leave them. */
function toMain(): void {
  document.querySelector<HTMLElement>("#main")?.focus();
}
