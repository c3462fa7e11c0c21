"""The words of the page, in each language that it speaks."""

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
    "unreadable": "Some cells are not certain. Tap the hatched ones and say what stands there.",
    "unsolvable": "As it was read this has no solution. Tap a cell to correct it.",
    "timeout": "That took too long.",
    "no_board": "No board was found. Move the corners onto it, or take another picture.",
    "refused": "The board could not be read. Move the corners onto it, or take another picture.",
    "tap": "Tap a cell to correct what was read.",
    "as_read": "All right as read",
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
    "row": "row",
    "column": "column",
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
    "shape.": "not said",
    "shape.s": "square",
    "shape.t": "tall",
    "shape.w": "wide",
    "shape.a": "any",
    "kind": "Kind of puzzle",
    "any_kind": "find out",
    "kind.stitch": "Stitch, Shikaku, Patches",
    "kind.queens": "Queens",
    "kind.pyramid": "Pyramid of balls",
    "kind.kanoodle": "Kanoodle",
    "kind.triazzle": "Triazzle",
    "kind.knight": "Knight\u2019s tour",
    "corners": "Show where the board is",
    "corner": "corner",
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
    "unreadable": "有些格子不确定。请点击带斜线的格子，说明上面是什么。",
    "unsolvable": "按识别的内容无解。点击格子可以更正。",
    "timeout": "用时太长。",
    "no_board": "没有找到棋盘。请把四角移到棋盘上，或换一张图片。",
    "refused": "棋盘无法识别。请把四角移到棋盘上，或换一张图片。",
    "tap": "点击格子可更正识别的内容。",
    "as_read": "识别无误",
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
    "row": "行",
    "column": "列",
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
    "shape.": "未说明",
    "shape.s": "正方形",
    "shape.t": "竖长",
    "shape.w": "横长",
    "shape.a": "任意",
    "kind": "谜题种类",
    "any_kind": "自动识别",
    "kind.stitch": "Stitch（数方）",
    "kind.queens": "皇后",
    "kind.pyramid": "智慧金字塔",
    "kind.kanoodle": "Kanoodle",
    "kind.triazzle": "Triazzle",
    "kind.knight": "骑士巡游",
    "corners": "指出棋盘的位置",
    "corner": "角",
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

CATALOGUE = {
    "only one place left for this clue": "这个数字只剩一个位置",
    "only this clue reaches the cell": "只有这个数字够得到这一格",
    "this clue covers the cell wherever it lies": "无论怎么放，这个数字都盖住这一格",
    "this rectangle would leave a clue or a cell without a place": "这个矩形会使某个数字或格子无处可放",
    "a region's last square": "区域里最后一格",
    "a row's or column's last square": "行或列里最后一格",
    "a region inside one row or column takes it": "一个区域占满一行或一列",
    "a queen here would empty a region, a row or a column": "皇后放在这里会使某区域、行或列无处可放",
    "regions inside as many rows or columns take them": "几个区域占满同样多的行或列",
    "a pocket only one piece fills": "只有一块能填满的空隙",
    "only one place left for this piece": "这一块只剩一个位置",
    "a pit only one piece reaches": "只有一块够得到的坑",
    "this piece covers the pit wherever it lies": "无论怎么放，这一块都盖住这个坑",
    "a piece here would leave a pit or a piece without a place": "放在这里会使某个坑或某一块无处可放",
    "border halves only one edge matches": "边框的半个图案只有一条边相配",
    "only one piece fits this slot": "只有一块适合这个位置",
    "only one slot takes this piece": "这一块只有一个位置可放",
    "a piece here would leave a slot or a piece without a place": "放在这里会使某个位置或某一块无法安放",
    "the only square left to go to": "唯一能去的格子",
    "the square with the fewest ways on (Warnsdorff)": "出路最少的格子（Warnsdorff 规则）",
    "one of the squares with the fewest ways on (Warnsdorff)": "出路最少的格子之一（Warnsdorff 规则）",
    "trying": "只能试",
    "one of several answers": "多个答案之一",
    "it cannot be in the answer": "它不可能在答案中",
    "{what} cannot be in the answer: take it away": "{what}不可能在答案中，请拿走",
    "{one}, {other}": "{one}、{other}",
    "{one} and {other}": "{one}和{other}",
    "{one}; {other}": "{one}；{other}",
    "{count} more": "另外 {count} 个",
    "{clauses}; so {last}": "{clauses}；所以{last}",
    "after one earlier exclusion: {rest}": "在前面一次排除之后：{rest}",
    "after {count} earlier exclusions: {rest}": "在前面 {count} 次排除之后：{rest}",
    "no rule tells more here: of {count} ways left for {what} trying shows that only {option} works": (
        "这里没有规则可用：{what}还有 {count} 种放法，逐一试过，只有{option}可行"
    ),
    "there is more than one answer from here on; in one of them {what} gets {option}": (
        "从这里起不止一个答案；其中一个里，{what}对应{option}"
    ),
    "{what} on {where}": "{what}放在 {where}",
    "{what} on any of {boxes}": "{what}放在 {boxes} 中任何一处",
    "{what} would leave {left}": "{what}会使{left}",
    "{what} without a place": "{what}无处可放",
    "{what} uncovered": "{what} 无法盖住",
    "{what} unfilled": "{what} 无法填上",
    "{what} without a piece": "{what}没有可放的块",
    "{what} without a slot": "{what}没有位置可放",
    "the clue at {cell}": "{cell} 的数字",
    "the {number} at {cell}": "{cell} 的数字 {number}",
    "only one place is left for {what}: {where}": "{what}只剩一个位置：{where}",
    "only {what} reaches {cell}": "只有{what}够得到 {cell}",
    "only {what} reaches {cell}, and only as {box}": "只有{what}够得到 {cell}，而且只能是 {box}",
    "only {what} reaches {cell}, and only on {where}": "只有{what}够得到 {cell}，而且只能放在 {where}",
    "{what} covers {cell} wherever it lies": "无论怎么放，{what}都盖住 {cell}",
    "only {what} fills the pocket of {size} at {cell}": "{cell} 处 {size} 个坑的空隙只有{what}能填满",
    "{count} places of {letters} would each leave {left}": "{letters} 的 {count} 种放法都会使{left}",
    "piece {name}": "块 {name}",
    "the region of {cell}": "{cell} 所在的区域",
    "row {number}": "第 {number} 行",
    "column {number}": "第 {number} 列",
    "{line} has one square left for its queen: {cell}": "{line}只剩一格可放皇后：{cell}",
    "what is left of {inner} lies inside {outer}, which takes its queen": (
        "{inner}剩下的格子都在{outer}内，{outer}的皇后就在其中"
    ),
    "a queen on {squares} would leave {line} without a square": "皇后放在 {squares} 会使{line}无格可放",
    "{inner} lie inside {outer} and take them": "{inner}都在{outer}内，占满它们",
    "slot {number}": "位置 {number}",
    "{piece} in {slot}": "{piece}放在{slot}",
    "only {piece} fits {slot}": "只有{piece}适合{slot}",
    "only {slot} takes {piece}": "{piece}只能放在{slot}",
    "only {slot} takes {piece}, and in one turn only": "{piece}只能放在{slot}，而且只有一个方向",
    "only {piece} matches the border and what lies beside {slot}, and in one turn only": (
        "与{slot}的边框和旁边相配的只有{piece}，而且只有一个方向"
    ),
    "only {piece} fits between what lies beside {slot}, and in one turn only": (
        "与{slot}旁边都相配的只有{piece}，而且只有一个方向"
    ),
    "from {here} only {there} is left to go to": "从 {here} 只能去 {there}",
    "{cell} {count}": "{cell}：{count}",
    "no ways": "没有出路",
    "1 way": "1 条出路",
    "{count} ways": "{count} 条出路",
    "from {here}, {there} has {ways} on, the fewest: it is hard to come to later ({others})": (
        "从 {here} 出发，{there} 之后{ways}，最少：以后很难再到（{others}）"
    ),
    "from {here}, {there} has {ways} on, as few as any ({others})": (
        "从 {here} 出发，{there} 之后{ways}，没有更少的（{others}）"
    ),
    "from {here}, {there} has {ways} on, more than others ({others}), but trying shows that it leads on": (
        "从 {here} 出发，{there} 之后{ways}，比别的多（{others}），但试过可行"
    ),
}
"""The rules and the reasons of the steps in Chinese, by their English templates."""

REFUSALS = {
    "400": "请求无法理解。",
    "401": "代码缺少或有误。请打开 solvepic serve 显示的链接，或扫描二维码。",
    "403": "请求来自别的网站。请打开页面本身。",
    "404": "这里没有所要的内容；图片可能已被删除，请重新发送。",
    "405": "不能这样请求。",
    "408": "图片传得太慢。请靠近路由器再试。",
    "411": "请求没有说明长度。",
    "413": "图片太大。请发送小一些的图片。",
    "415": "这不是能打开的图片。",
    "421": "这不是 solvepic serve 显示的地址。请打开那个地址。",
    "422": "图片没有解出。",
    "429": "尝试次数太多。请等一分钟。",
    "500": "识别意外中断。请重新发送，或换一张图片。",
    "503": "等待的图片太多。请过几秒再试。",
    "504": "识别这张图片用时太长，已停止。请只发送棋盘部分。",
    "another_game": "这好像是另一种谜题，solvepic 不解这种。",
}
"""What a refusal means in Chinese, by its status or, for a picture, its cause; the English sentence says more."""

EXTRA: dict[str, dict[str, str]] = {
    "en": {},
    "zh": {
        **{f"rule.{rule}": named for rule, named in CATALOGUE.items() if "{" not in rule},
        **{f"refused.{why}": said for why, said in REFUSALS.items()},
    },
}
"""What the page needs beside its words, since what it shows is English on the wire."""


def language(accepted: str, wanted: str = "") -> str:
    """The language that is wanted, or else the first of a header ``Accept-Language`` that the page speaks."""
    for part in [wanted, *accepted.lower().split(",")]:
        name = part.split(";")[0].strip().split("-")[0]
        if name in WORDS:
            return name
    return "en"


def translated(lang: str, text: str) -> str:
    """A rule or a reason of a step in a language; English where there is no translation."""
    if lang != "zh":
        return text
    if not isinstance(text, Message):
        return CATALOGUE.get(text, text)
    values = {name: translated(lang, part) if isinstance(part, str) else part for name, part in text.values.items()}
    return CATALOGUE.get(text.template, text.template).format(**values)


def refusal(lang: str, status: int) -> str:
    """What a status means in a language; empty in English, which the sentence of the refusal is in."""
    return EXTRA[lang].get(f"refused.{status}", "")
