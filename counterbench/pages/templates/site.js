// The board: rows that fit what is needed, in the order of a column. The rows stand in the page; nothing is made here.
const board = document.querySelector(".board");
const rows = [...board.tBodies[0].rows];
const needs = gallery.at("filters");
const status_ = gallery.at("board-status");
const number = (text) => (text === "" ? NaN : Number(text));

const fits = (row) => [...needs.elements].every((field) => {
  const [need, name] = [field.value.trim().toLowerCase(), field.id.replace("filter-", "")];
  if (need === "") return true;
  const has = row.dataset[name] ?? "";
  if (name === "usd") return has !== "" && number(has) <= number(need);
  if (name.startsWith("ladder-")) return has !== "" && number(has) >= number(need);
  return field.type === "search" ? row.textContent.toLowerCase().includes(need) : has.split(" ").includes(need);
});
const filter = () => {
  for (const row of rows) row.hidden = !fits(row);
  const left = rows.filter((row) => !row.hidden).length;
  status_.textContent = `${left} of ${rows.length} ${rows.length === 1 ? "judge" : "judges"}`;
};

const order = (button) => {
  const head = button.closest("th");
  const up = head.getAttribute("aria-sort") !== "ascending";
  for (const other of board.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const value = (row) => row.dataset[button.name] ?? "";
  const compare = (first, second) => {
    const [a, b] = [value(first), value(second)];
    if (a === "" || b === "") return (a === "") - (b === ""); // what is unknown comes last
    const by = button.name === "judge" ? a.localeCompare(b) : number(a) - number(b);
    return up ? by : -by;
  };
  board.tBodies[0].append(...rows.sort(compare));
};

needs.addEventListener("input", filter);
needs.addEventListener("submit", (event) => event.preventDefault());
gallery.at("filter-clear").addEventListener("click", () => { needs.reset(); filter(); });
board.tHead.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) order(button);
});
gallery.at("board-tools").hidden = false;
for (const button of board.tHead.querySelectorAll("button")) button.disabled = false;
filter();
