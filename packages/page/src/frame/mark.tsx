/** Four cells of a row, one of them a gap. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect class="known" x="3" y="3" width="11" height="11" rx="3" />
      <rect class="known" x="18" y="3" width="11" height="11" rx="3" />
      <rect class="known" x="3" y="18" width="11" height="11" rx="3" />
      <rect class="gap" x="19" y="19" width="9" height="9" rx="2.5" />
    </svg>
  );
}
