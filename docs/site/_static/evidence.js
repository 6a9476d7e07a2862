// Finds claims by a text where no kernel runs.

for (const list of document.querySelectorAll(".clwork-still > .clwork-claims:not(.chosen ~ *)")) {
  const groups = [...list.querySelectorAll("details.word")];
  const claimsOf = (group) => [...group.querySelectorAll("[data-claim]")];
  const textOf = (claim) => `${claim.dataset.claim} ${claim.querySelector("summary").textContent}`;

  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Find claims: dropout, GCLSR …";
  field.ariaLabel = "Find claims";
  field.style.cssText = "font: inherit; padding: 4px 8px; margin: 4px 0; width: min(100%, 20em)";
  const state = document.createElement("p");
  state.setAttribute("role", "status");
  list.before(field, state);
  field.addEventListener("input", () => {
    const sought = field.value.trim().toLowerCase();
    let found = 0;
    for (const group of groups) {
      const passing = claimsOf(group).filter((claim) => {
        claim.hidden = !textOf(claim).toLowerCase().includes(sought);
        return !claim.hidden;
      });
      for (const mark of group.querySelectorAll(".mark")) {
        mark.hidden = document.getElementById(mark.hash.slice(1)).parentElement.hidden;
      }
      group.hidden = passing.length === 0;
      group.open = sought !== "";
      found += passing.length;
    }
    const claimsFound = `${found} ${found === 1 ? "claim" : "claims"} found`;
    state.textContent = sought && (found ? claimsFound : `No claim has "${sought}".`);
  });
}
