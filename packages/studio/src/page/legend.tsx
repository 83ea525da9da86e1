/** What the marks and lines of the picture mean. */
export const Legend = () => (
  <ul class="legend" aria-label="What the picture shows">
    <li>
      <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="5" fill="var(--series-0)" />
      </svg>
      <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
        <rect x="3.5" y="3.5" width="9" height="9" fill="var(--series-1)" />
      </svg>
      a group: they pool with each other
    </li>
    <li>
      <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="5" fill="var(--muted)" />
      </svg>
      in no group
    </li>
    <li>
      <i class="stroke tie" /> two that pool
    </li>
    <li>
      <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.5" fill="none" stroke="var(--bad)" stroke-width="1.8" stroke-dasharray="2.6 2" />
      </svg>
      made to lie
    </li>
    <li>
      <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M3 3L13 13M13 3L3 13" stroke="var(--bad)" stroke-width="2" />
      </svg>
      just gone
    </li>
    <li class="heads">Exchanges of now, with anybody:</li>
    <li>
      <i class="stroke mix" /> took something in
    </li>
    <li>
      <i class="stroke" /> nothing new
    </li>
    <li>
      <i class="stroke fail" /> no answer
    </li>
  </ul>
);
