import type { ComponentChildren } from "preact";
import { Logo } from "./icons.tsx";

const PAGES = [
  ["/", "Network"],
  ["/join", "Join"],
  ["/lab", "Lab"],
] as const;

/** On the documentation site there is no network to look at: the way leads back to the texts. */
const home = document.documentElement.dataset.home;
const LINKS: readonly (readonly [string, string])[] =
  home === undefined
    ? PAGES
    : [
        [home, "Documentation"],
        ["/lab", "Lab"],
      ];

/** What all pages have in common. */
export const Shell = ({
  page,
  state,
  children,
}: {
  page: string;
  state?: ComponentChildren;
  children: ComponentChildren;
}) => (
  <div class="frame">
    <header class="top">
      <h1 class="mark">
        <Logo /> Coterie
      </h1>
      <nav aria-label="Pages">
        {LINKS.map(([path, name]) => (
          <a
            key={path}
            href={path === page ? location.pathname : path}
            aria-current={path === page ? "page" : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      {state !== undefined && <div class="state">{state}</div>}
    </header>
    <main>{children}</main>
  </div>
);
