"""The words of the page, in each language that it speaks."""

from typing import Any

from solvepic.web.chinese import CATALOGUE
from solvers.message import Message

EN = {
    "title": "solvepic",
    "tagline": "Point it at a picture of a puzzle, get the picture back solved.",
    "choose": "Take or choose a picture",
    "choose_hint": "A screenshot or a photo of the whole board. You can paste or drop one, too.",
    "private": "Pictures stay on this computer, in memory only, and are forgotten after 15 minutes.",
    "another": "Another picture",
    "reading": "Reading …",
    "solving": "Solving again …",
    "hint": "Hint",
    "next": "Next",
    "back": "Back",
    "check": "Check mine",
    "solution": "Solution",
    "hide": "Hide it",
    "save": "Save",
    "picture": "The picture",
    "unique": "One solution. Nothing is shown yet.",
    "several": "It can be solved in more than one way. Nothing is shown yet.",
    "solved": "Solved. Nothing is shown yet.",
    "unreadable": "Some cells are not certain: those that are hatched.",
    "unsolvable": "As it was read this has no solution. Tap a cell to correct it.",
    "timeout": "That took too long.",
    "no_board": "No board was found.",
    "refused": "The board could not be read.",
    "finish": "Say below where it is and of what kind, or take another picture.",
    "tap": "Tap a cell to correct what was read.",
    "as_read": "All right as read",
    "ask": "Say what stands there",
    "skip": "Skip",
    "settle": "Please say",
    "whole": "This is the whole board",
    "erase": "delete",
    "stop": ".",
    "look_here": "Look here:",
    "step": "Step",
    "of": "of",
    "no_steps": "No further step.",
    "right": "Nothing that you placed is wrong.",
    "nothing_placed": "Nothing is placed on the board yet.",
    "complete": "Complete, and right.",
    "wrong": "This cannot stay:",
    "either": "Not all of this can stay:",
    "unsettled": "Whether it is right could not be found out.",
    "cell": "row {row}, column {column}",
    "empty": "empty",
    "doubtful": "not certain",
    "stands": "What stands here?",
    "number": "Number",
    "codes": "The codes of its three edges, such as 0,0,2",
    "shape": "Shape",
    "apply": "Apply",
    "cancel": "Cancel",
    "region": "region",
    "word.": "nothing",
    "word.Q": "queen",
    "word.N": "knight",
    "word.?": "a clue without number",
    "word.hole": "not a cell",
    "word.#": "not a cell",
    "shape.": "not said",
    "shape.s": "square",
    "shape.t": "tall",
    "shape.w": "wide",
    "shape.a": "any",
    "kind": "Kind of puzzle",
    "any_kind": "find out",
    "rows": "Rows",
    "columns": "Columns",
    "kind.stitch": "Stitch, Shikaku, Patches",
    "kind.queens": "Queens",
    "kind.pyramid": "Pyramid of balls",
    "kind.kanoodle": "Kanoodle",
    "kind.triazzle": "Triazzle",
    "kind.knight": "Knight\u2019s tour",
    "corners": "Show where the board is",
    "corner": "corner",
    "drag": "Drag the corners onto those of the board, clockwise from its top left one.",
    "again": "Read again",
    "more": "More",
    "failed": "That did not work. Is solvepic serve still running?",
    "code": "Code, the part of the link after #",
    "send": "Solve",
    "language": "中文",
    "api": "For programs",
}

ZH = {
    "title": "solvepic",
    "tagline": "拍下谜题，得到解好的图。",
    "choose": "拍照或选择图片",
    "choose_hint": "整个棋盘的截图或照片。也可以粘贴或拖入图片。",
    "private": "图片只留在这台电脑的内存里，15 分钟后删除。",
    "another": "换一张图片",
    "reading": "正在识别……",
    "solving": "正在重新求解……",
    "hint": "提示",
    "next": "下一步",
    "back": "返回",
    "check": "检查我的",
    "solution": "答案",
    "hide": "隐藏答案",
    "save": "保存",
    "picture": "图片",
    "unique": "只有一个解。答案尚未显示。",
    "several": "有多个解。答案尚未显示。",
    "solved": "已解出。答案尚未显示。",
    "unreadable": "有些格子不确定（带斜线的）。",
    "unsolvable": "按识别的内容无解。点击格子可以更正。",
    "timeout": "用时太长。",
    "no_board": "没有找到棋盘。",
    "refused": "棋盘无法识别。",
    "finish": "请在下面指出它的位置和种类，或换一张图片。",
    "tap": "点击格子可更正识别的内容。",
    "as_read": "识别无误",
    "ask": "逐个说明",
    "skip": "跳过",
    "settle": "请说明",
    "whole": "这就是整个棋盘",
    "erase": "删除",
    "stop": "。",
    "look_here": "看这里：",
    "step": "第",
    "of": "步，共",
    "no_steps": "没有下一步了。",
    "right": "你放的都没有错。",
    "nothing_placed": "棋盘上还没有放任何东西。",
    "complete": "完成，全部正确。",
    "wrong": "这里不对：",
    "either": "这些不能全部保留：",
    "unsettled": "无法判断是否正确。",
    "cell": "第 {row} 行第 {column} 列",
    "empty": "空",
    "doubtful": "不确定",
    "stands": "这里是什么？",
    "number": "数字",
    "codes": "三条边的代码，例如 0,0,2",
    "shape": "形状",
    "apply": "确定",
    "cancel": "取消",
    "region": "区域",
    "word.": "空",
    "word.Q": "皇后",
    "word.N": "马",
    "word.?": "无数字的标记",
    "word.hole": "不是格子",
    "word.#": "不是格子",
    "shape.": "未说明",
    "shape.s": "正方形",
    "shape.t": "竖长",
    "shape.w": "横长",
    "shape.a": "任意",
    "kind": "谜题种类",
    "any_kind": "自动识别",
    "rows": "行数",
    "columns": "列数",
    "kind.stitch": "Stitch（数方）",
    "kind.queens": "皇后",
    "kind.pyramid": "智慧金字塔",
    "kind.kanoodle": "Kanoodle",
    "kind.triazzle": "Triazzle",
    "kind.knight": "骑士巡游",
    "corners": "指出棋盘的位置",
    "corner": "角",
    "drag": "把各角拖到棋盘的角上，从左上角起按顺时针。",
    "again": "重新识别",
    "more": "更多",
    "failed": "没有成功。solvepic serve 还在运行吗？",
    "code": "代码（链接中 # 之后的部分）",
    "send": "求解",
    "language": "English",
    "api": "编程接口",
}

WORDS = {"en": EN, "zh": ZH}

OTHER = {"en": "zh", "zh": "en"}
"""The language to change to."""

REFUSALS = {
    400: "请求无法理解。",
}
"""What a refusal means in Chinese where its sentence is about options of the API, which only English tells."""

PAGE = {
    "{board}: not sure of {cells}; if you can tell, say so with {remedy}": "{board}: not sure of {cells}",
    "a cell and no cell look alike here; say hole if there is none": "a cell and no cell look alike here",
    "has no solution: {why}; check what was read, and correct it with --set if it is wrong": (
        "has no solution: {why}; check what was read, and correct it if it is wrong"
    ),
    "with what --set says, {reason}": "with what you say stands there, {reason}",
    "gave up {doing} after {seconds:g} s; allow more with --time-limit": (
        "gave up {doing} after {seconds:g} s; send the board alone, cut out of the picture"
    ),
    "no {kind} board of {size} cells was found; leave --size out to have the board measured": (
        "no {kind} board of {size} cells was found; leave rows and columns empty to have the board measured"
    ),
    "no puzzle board of {size} cells was found; leave --size out to have the board measured": (
        "no puzzle board of {size} cells was found; leave rows and columns empty to have the board measured"
    ),
    "no grid was made out between the corners; --size says how large": (
        "no grid was made out between the corners; say how many rows and columns there are"
    ),
    "the picture ends with the {side} of the board, where a part may be missing (--size {size} if it is whole)": (
        "the picture ends with the {side} of the board, where a part may be missing; if it is whole, say how many rows"
        " and columns there are ({size})"
    ),
    "{width} x {height} pixels are more than the {most:g} megapixels that are opened; reduce the picture,"
    " or allow more with --max-megapixels": (
        "{width} x {height} pixels are more than the {most:g} megapixels that are opened; reduce the picture"
    ),
    "size: every {kind} board has the same; leave it out": (
        "every {kind} board has the same size; leave rows and columns empty"
    ),
    "corners {corners}: give pixels of the picture": "the corners lie outside the picture",
    "corners {corners}: they go round no board; give them clockwise, from the top left one": (
        "the corners go round no board; put them clockwise, from the top left one"
    ),
    "corners {corners}: nothing can be read on so few pixels; give the whole board's corners": (
        "nothing can be read between corners so near each other; put them on those of the whole board"
    ),
}
"""What the page says in place of templates that name the command's options."""

CATALOGUES = {"en": PAGE, "zh": CATALOGUE}

EXTRA: dict[str, dict[str, str]] = {
    "en": {},
    "zh": {f"rule.{rule}": named for rule, named in CATALOGUE.items() if "{" not in rule},
}
"""What the page needs beside its words: rules are English on the wire, where programs know them by name."""

SENTENCES = ("error", "message", "why", "because")
"""Fields of what is sent that hold a sentence for people."""


def language(accepted: str, wanted: str = "") -> str:
    """The language that is wanted, or else the first of a header ``Accept-Language`` that the page speaks."""
    for part in [wanted, *accepted.lower().split(",")]:
        name = part.split(";")[0].strip().split("-")[0]
        if name in WORDS:
            return name
    return "en"


def translated(lang: str, text: str) -> str:
    """A sentence of the solvers or readers as the page says it; as it is where the catalogue does not know it."""
    catalogue = CATALOGUES[lang]
    if not isinstance(text, Message):
        return catalogue.get(text, text)
    values = {name: translated(lang, part) if isinstance(part, str) else part for name, part in text.values.items()}
    return catalogue.get(text.template, text.template).format(**values)


def in_language(lang: str, value: Any) -> Any:
    """An object that is sent, with its sentences in a language."""
    if isinstance(value, dict):
        return {
            name: translated(lang, each) if name in SENTENCES and isinstance(each, str) else in_language(lang, each)
            for name, each in value.items()
        }
    return [in_language(lang, each) for each in value] if isinstance(value, (list, tuple)) else value


def refusal(lang: str, status: int, sentence: str) -> str:
    """The sentence of a refusal in a language; where it has no translation, after what the status means."""
    said = translated(lang, sentence)
    meaning = REFUSALS.get(status, "") if lang == "zh" and said == sentence else ""
    return f"{meaning}{said}"
