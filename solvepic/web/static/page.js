"use strict";
// The page: a picture goes up, a reading comes down; hints, corrections and the solution are asked for one by one.
// What comes from outside is only ever put in as text.

const $ = (id) => document.getElementById(id);
const words = JSON.parse($("strings").textContent);
const SVG = "http://www.w3.org/2000/svg";
const STEP_DEPTHS = 3; // where to look, the step, why

let file = null; // what was chosen
let query = new URLSearchParams(); // how it was sent: kind and corners
let board = null; // what the server read on it, null where no board was read
let given = {}; // corrections so far, for when the server has forgotten the picture
let at = -1; // depth of the hints: STEP_DEPTHS a step
let steps = []; // those that are known
let tapped = ""; // the cell whose dialog is open
let points = null; // corners that are being moved, in pixels of the picture
let shown = ""; // address of the picture in the browser
const original = new Image(); // the picture itself, whatever is drawn on the one that is shown
let turn = 0; // counts what was asked, so that a late answer is not shown

document.documentElement.classList.add("script");

class Refused extends Error {
  constructor(status, record) {
    super(record.error || words.failed);
    this.status = status;
    this.record = record;
  }
}

async function ask(path, options = {}) {
  let answer;
  const headers = { "Accept-Language": document.documentElement.lang, ...options.headers };
  try {
    answer = await fetch(path, { ...options, headers });
  } catch {
    throw new Error(words.failed);
  }
  if (answer.status === 204) return null;
  const record = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, record);
  return record;
}

const path = (rest = "") => `/api/v1/pictures/${board.id}${rest}`;

function say(id, text) {
  $(id).textContent = text;
}

function made(name, attributes = {}, text = "") {
  const element = name.startsWith("svg:") ? document.createElementNS(SVG, name.slice(4)) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

// --- a picture goes up -----------------------------------------------------------------------------------------------

function chosen(picture) {
  if (!picture) return;
  file = picture;
  points = null;
  URL.revokeObjectURL(shown);
  original.src = shown = URL.createObjectURL(file);
  say("choose-label", words.another);
  read();
}

async function read() {
  const mine = ++turn;
  board = null;
  forget();
  $("shot").src = shown;
  $("board").hidden = false;
  $("play").hidden = true;
  $("tagline").hidden = true;
  $("choose-hint").hidden = true;
  say("status", words.reading);
  say("told", "");
  draw();
  query = new URLSearchParams();
  given = {};
  if ($("kind").value) query.set("kind", $("kind").value);
  if (points) query.set("corners", points.map((point) => point.map(Math.round).join(",")).join(" "));
  try {
    const record = await send();
    if (mine !== turn) return drop(record);
    points = null;
    take(record);
  } catch (error) {
    if (mine === turn) refuse(error);
  }
}

const send = () => ask(`/api/v1/pictures?${query}`, { method: "POST", body: file, headers: { "Content-Type": file.type || "image/*" } });

function drop(record) {
  ask(`/api/v1/pictures/${record.id}`, { method: "DELETE" }).catch(() => {});
}

function refuse(error) {
  const pointing = error.status === 422 && error.record.cause !== "another_game";
  say("status", pointing ? words[error.record.status === "no_board" ? "no_board" : "refused"] : error.message);
  say("told", pointing ? error.message : "");
  $("more").open = true;
  if (pointing) place();
}

function take(record) {
  board = record;
  forget();
  $("shot").src = shown;
  say("status", words[record.status === "solved" ? (record.unique === true ? "unique" : record.unique === false ? "several" : "solved") : record.status] || "");
  say("told", `${record.message}. ${words.tap}`);
  $("play").hidden = false;
  $("hint").disabled = $("check").disabled = !!record.doubts.length;
  $("solution").disabled = !record.answered;
  $("as-read").hidden = !doubts().length;
  draw();
}

function forget() {
  at = -1;
  steps = [];
  reveal(false);
  $("back").hidden = true;
  say("hint", words.hint);
}

const doubts = () => [...new Set((board?.doubts || []).map((doubt) => `r${doubt.cell[0] + 1}c${doubt.cell[1] + 1}`))];

// A picture that the server has forgotten is sent again as before, with all corrections.
async function kept(work) {
  const mine = turn;
  try {
    return await work();
  } catch (error) {
    if (error.status !== 404 || mine !== turn || !file) throw error;
    const record = await send();
    board.id = record.id;
    if (Object.keys(given).length) await patch(given);
    return work();
  }
}

// --- the cells -------------------------------------------------------------------------------------------------------

function draw(look = [], wrong = []) {
  const svg = $("cells");
  svg.replaceChildren();
  const [width, height] = board?.size || [$("shot").naturalWidth, $("shot").naturalHeight];
  if (!width) return;
  svg.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
  const hatch = made("svg:pattern", { id: "hatch", width: width / 60, height: width / 60, patternUnits: "userSpaceOnUse" });
  hatch.append(made("svg:path", { d: `M0 ${width / 60}L${width / 60} 0`, "stroke-width": width / 250 }));
  svg.append(hatch);
  $("frame").classList.toggle("corners", !!points);
  if (points) return handles(svg, width);
  const unsure = doubts();
  const names = Object.keys(board?.cells || {});
  for (const name of [...unsure, ...names.filter((name) => !unsure.includes(name))]) {
    const cell = board.cells[name];
    if (!cell) continue;
    const outline = cell.outline.map((point) => point.join(",")).join(" ");
    const classes = [unsure.includes(name) && "doubtful", look.includes(name) && "look", wrong.includes(name) && "wrong"];
    const polygon = made("svg:polygon", { points: outline, role: "button", tabindex: "0", class: classes.filter(Boolean).join(" "), "data-cell": name });
    polygon.setAttribute("aria-label", `${called(name)}: ${spoken(cell.word)}${unsure.includes(name) ? `, ${words.doubtful}` : ""}`);
    svg.append(polygon);
  }
}

function called(name) {
  const [, row, column] = name.match(/^r(\d+)c(\d+)$/);
  return `${words.row} ${row}, ${words.column} ${column}`;
}

const named = (word) => words[`word.${word}`] || (/^[a-z]$/.test(word) ? `${words.region} ${word}` : word);
const spoken = (word) => (word === "" ? words.empty : named(word));

// A cell as the picture shows it.
function crop(name) {
  const canvas = made("canvas", { width: 64, height: 64, "aria-hidden": "true" });
  const [xs, ys] = [0, 1].map((axis) => board.cells[name].outline.map((point) => point[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const side = Math.max(Math.max(...xs) - left, Math.max(...ys) - top);
  canvas.getContext("2d").drawImage(original, left, top, side, side, 0, 0, 64, 64);
  return canvas;
}

function edit(name) {
  const cell = board.cells[name];
  const { words: choices, most, shapes, parts } = board.choices;
  say("edit-title", `${called(name)}: ${words.stands}`);
  const doubt = board.doubts.find((each) => `r${each.cell[0] + 1}c${each.cell[1] + 1}` === name);
  say("edit-doubt", doubt ? doubt.why : "");
  $("edit-title").prepend(crop(name), " ");
  const fields = $("edit-fields");
  fields.replaceChildren();
  if (most) {
    const several = parts > 1;
    const [, number, shape] = several ? [] : cell.word.match(/^(\d*)\??([a-z]?)/);
    const label = made("label", { for: "number" }, several ? words.codes : words.number);
    const input = made("input", several ? { id: "number" } : { id: "number", inputmode: "numeric", pattern: "[0-9]*", size: 4 });
    input.value = several ? cell.word : number;
    fields.append(label, " ", input);
    if (shapes.length) fields.append(picker("shape", ["", ...shapes], shape, "shape.", words.shape));
  }
  const buttons = made("div", { class: "buttons" });
  for (const word of choices) {
    const button = made("button", { value: `=${word}`, type: "submit", formnovalidate: "", "aria-pressed": String(word === cell.word) }, named(word));
    const like = Object.keys(board.cells).find((each) => board.cells[each].word === word);
    if (like && word) button.prepend(crop(like));
    buttons.append(button);
  }
  fields.append(buttons);
  $("apply").hidden = !most;
  tapped = name;
  $("edit").returnValue = "cancel";
  $("edit").showModal();
  $("number")?.select();
}

function picker(id, choices, value, prefix, name) {
  const select = made("select", { id });
  for (const choice of choices) select.append(made("option", { value: choice }, words[prefix + choice]));
  select.value = value || "";
  const line = made("p");
  line.append(made("label", { for: id }, name), " ", select);
  return line;
}

function edited() {
  const value = $("edit").returnValue;
  if (value.startsWith("=")) correct({ [tapped]: value.slice(1) });
  else if (value === "apply") {
    const shape = $("shape")?.value || "";
    correct({ [tapped]: ($("number").value.trim() || (shape ? "?" : "")) + shape });
  }
}

const patch = (cells) => ask(path("/cells"), { method: "PATCH", body: JSON.stringify(cells), headers: { "Content-Type": "application/json" } });

async function correct(cells) {
  const mine = turn;
  say("status", words.solving);
  try {
    const record = await kept(() => patch(cells));
    Object.assign(given, cells);
    if (mine === turn) take(record);
  } catch (error) {
    if (mine === turn) say("status", error.message);
  }
  const name = Object.keys(cells)[0];
  document.querySelector(`[data-cell="${CSS.escape(name)}"]`)?.focus();
}

// --- hints, check, solution ------------------------------------------------------------------------------------------

async function hint(by) {
  const mine = turn;
  reveal(false);
  const next = Math.max(at + by, -1);
  const number = Math.floor(next / STEP_DEPTHS);
  try {
    if (next >= 0) steps[number] ??= await kept(() => ask(path(`/steps/${number}`)));
  } catch (error) {
    if (mine === turn) say("told", error.status === 404 ? `${words.no_steps} ${error.message}` : error.message);
    return;
  }
  if (mine !== turn) return;
  at = next;
  $("back").hidden = at < 0;
  say("hint", at < 0 ? words.hint : words.next);
  if (at < 0) {
    $("shot").src = shown;
    say("told", words.tap);
    return draw();
  }
  const depth = at % STEP_DEPTHS;
  const step = steps[number];
  const last = depth ? number : number - 1;
  $("shot").src = last < 0 ? shown : path(`/steps/${last}.jpg`);
  const count = board.steps ? ` ${words.of} ${Math.max(board.steps, number + 1)}` : "";
  const where = `${words.look_here} ${step.cells.slice(0, 6).join(", ")}`;
  say("told", `${words.step} ${number + 1}${count}: ${[where, words[`rule.${step.rule}`] || step.rule, step.because][depth]}`);
  draw(depth ? [] : step.cells);
}

async function check() {
  const mine = turn;
  reveal(false);
  try {
    const found = await kept(() => ask(path("/check"), { method: "POST" }));
    if (mine !== turn) return;
    const suspect = [...found.wrong, ...found.rivals.flat()].flat();
    at = -1;
    $("shot").src = shown;
    draw([], suspect);
    const named = found.wrong.map((cells) => cells.join(" ")).join(", ");
    if (!found.settled) say("told", words.unsettled);
    else if (found.wrong.length) say("told", `${found.rivals.length ? words.either : words.wrong} ${named}`);
    else say("told", found.complete ? words.complete : found.standing ? words.right : words.nothing_placed);
  } catch (error) {
    if (mine === turn) say("told", error.message);
  }
}

function reveal(wanted) {
  $("solution").setAttribute("aria-pressed", String(wanted));
  say("solution", wanted ? words.hide : words.solution);
  $("save").hidden = !wanted;
}

async function solution() {
  const wanted = $("solution").getAttribute("aria-pressed") !== "true";
  forget();
  draw();
  if (!wanted) {
    $("shot").src = shown;
    return;
  }
  try {
    await kept(() => ask(path("/solution")));
    $("shot").src = path("/solution.jpg");
    $("save").href = path("/solution.png");
    reveal(true);
    say("told", `${board.message}.`);
  } catch (error) {
    say("told", error.message);
  }
}

async function save(event) {
  if (!navigator.canShare) return; // the link downloads
  event.preventDefault();
  const picture = await (await fetch($("save").href)).blob();
  const files = [new File([picture], "solvepic.png", { type: picture.type })];
  if (navigator.canShare({ files })) await navigator.share({ files }).catch(() => {});
  else location.assign($("save").href);
}

// --- the corners of the board ----------------------------------------------------------------------------------------

function place() {
  const [width, height] = [$("shot").naturalWidth, $("shot").naturalHeight];
  if (!width) return;
  const found = board?.board?.corners;
  points = found?.length ? found : [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]].map(([x, y]) => [x * width, y * height]);
  draw();
}

function handles(svg, width) {
  const outline = made("svg:polygon", { class: "outline" });
  const scale = width / svg.getBoundingClientRect().width || 1;
  const circles = points.map((point, index) => {
    const circle = made("svg:circle", { r: 22 * scale, tabindex: "0", role: "button", "aria-label": `${words.corner} ${index + 1}` });
    const move = (x, y) => {
      points[index] = [x, y];
      circle.setAttribute("cx", x);
      circle.setAttribute("cy", y);
      outline.setAttribute("points", points.map((each) => each.join(",")).join(" "));
    };
    circle.addEventListener("pointerdown", (event) => circle.setPointerCapture(event.pointerId));
    circle.addEventListener("pointermove", (event) => {
      if (!circle.hasPointerCapture(event.pointerId)) return;
      const box = svg.getBoundingClientRect();
      move((event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
    });
    circle.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      const pace = (event.shiftKey ? 1 : 8) * scale;
      move(points[index][0] + way[0] * pace, points[index][1] + way[1] * pace);
    });
    move(...point);
    return circle;
  });
  svg.append(outline, ...circles);
}

// --- what the user does ----------------------------------------------------------------------------------------------

$("file").addEventListener("change", (event) => chosen(event.target.files[0]));
document.addEventListener("paste", (event) => chosen([...event.clipboardData.files].find((each) => each.type.startsWith("image/"))));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  chosen(event.dataTransfer.files[0]);
});
$("hint").addEventListener("click", () => hint(1));
$("back").addEventListener("click", () => hint(-1));
$("check").addEventListener("click", check);
$("solution").addEventListener("click", solution);
$("save").addEventListener("click", save);
$("corners").addEventListener("click", place);
$("again").addEventListener("click", () => file && read());
$("as-read").addEventListener("click", () => correct(Object.fromEntries(doubts().map((name) => [name, board.cells[name].word]))));
$("edit").addEventListener("close", edited);
$("cells").addEventListener("click", (event) => event.target.dataset.cell && edit(event.target.dataset.cell));
$("cells").addEventListener("keydown", (event) => {
  if (!event.target.dataset.cell || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  edit(event.target.dataset.cell);
});
$("shot").addEventListener("load", () => !board && draw());
$("shot").addEventListener("error", () => {
  // A format that the browser does not show, such as HEIC.
  if (board && $("shot").src === shown) $("shot").src = original.src = shown = path("/picture.jpg");
});

async function start() {
  const token = location.hash.slice(1);
  try {
    if (token) {
      history.replaceState(null, "", location.pathname + location.search);
      await ask("/session", { method: "POST", headers: { Authorization: `Bearer ${token}` } });
    }
    const { kinds } = await ask("/api/v1/kinds");
    for (const kind of kinds) $("kind").append(made("option", { value: kind }, words[`kind.${kind}`] || kind));
  } catch (error) {
    say("status", error.message);
  }
}

start();
