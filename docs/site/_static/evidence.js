// Finds claims by a text where no kernel runs; a mark of a closed group opens its claim.

for (const list of document.querySelectorAll(".clwork-still .clwork-claims")) {
  const groups = [...list.querySelectorAll("details.word")];
  const claims = (group) => [...group.querySelectorAll(":scope > details")];
  const said = (claim) => claim.querySelector("summary").textContent;
  const marks = (group) => group.querySelectorAll(":scope > summary svg > svg");
  const claimOf = (mark) => {
    const title = mark.querySelector("title").textContent;
    return claims(mark.closest("details.word")).find((claim) => said(claim).includes(title));
  };

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
      for (const claim of claims(group)) claim.hidden = !said(claim).toLowerCase().includes(sought);
      for (const mark of marks(group)) mark.style.opacity = claimOf(mark)?.hidden ? 0.1 : "";
      const passing = claims(group).filter((claim) => !claim.hidden);
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
    const claim = claimOf(mark);
    if (!claim) return;
    event.preventDefault();
    claim.parentElement.open = true;
    claim.open = true;
    claim.scrollIntoView({ block: "center" });
  });
}
