// Finds claims by a text where no kernel runs; a mark of a closed group opens its claim.

for (const list of document.querySelectorAll(".clwork-still .clwork-claims")) {
  const groups = [...list.querySelectorAll("details.word")];
  const claims = (group) => [...group.querySelectorAll(":scope > details")];
  const said = (claim) => claim.querySelector("summary").textContent;
  const marks = (group) => group.querySelectorAll(":scope > summary svg > svg");
  const titleOf = (mark) => mark.querySelector("title").textContent;

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
      const passing = claims(group).filter((claim) => said(claim).toLowerCase().includes(sought));
      for (const claim of claims(group)) claim.hidden = !passing.includes(claim);
      for (const mark of marks(group)) {
        const isFound = passing.some((claim) => said(claim).includes(titleOf(mark)));
        mark.style.opacity = isFound ? "" : 0.1;
      }
      group.hidden = passing.length === 0;
      group.open = sought !== "";
      found += passing.length;
    }
    const claimsFound = `${found} ${found === 1 ? "claim" : "claims"} found`;
    state.textContent = sought && (found ? claimsFound : `No claim has "${sought}".`);
  });

  list.addEventListener("click", (event) => {
    const mark = event.target.closest(".word > summary svg > svg");
    if (!mark) return;
    const group = mark.closest("details.word");
    const claim = claims(group).find((each) => said(each).includes(titleOf(mark)));
    if (!claim) return;
    event.preventDefault();
    group.open = true;
    claim.open = true;
    claim.scrollIntoView({ block: "center" });
  });
}
