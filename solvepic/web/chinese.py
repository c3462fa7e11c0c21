"""What the solvers and readers say, in Chinese: the catalogue of their messages."""

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
    "row {row}, column {column}": "第 {row} 行第 {column} 列",
    "row {row}, place {place}": "第 {row} 行第 {place} 个",
    "stitch": "Stitch",
    "queens": "皇后",
    "pyramid": "智慧金字塔",
    "kanoodle": "Kanoodle",
    "triazzle": "Triazzle",
    "knight": "骑士巡游",
    "{kind}, {board}": "{kind}，{board}",
    "{kind}: {why}": "{kind}：{why}",
    "{size} board": "{size} 的棋盘",
    "{size} bent board": "{size} 的弯曲棋盘",
    "{board} of {cells} cells": "{board}（{cells} 格）",
    "{board}, {clues}": "{board}，{clues}",
    "1 clue": "1 个数字",
    "{count} clues": "{count} 个数字",
    "1 cell": "1 格",
    "{count} cells": "{count} 格",
    "any size": "任意大小",
    "{size} and {shape} shape": "{size}、{shape}形",
    "square": "正方",
    "tall": "竖长",
    "wide": "横长",
    "any": "任意",
    "{size} board of coloured regions": "{size} 的彩色区域棋盘",
    "{board}, {queens}": "{board}，{queens}",
    "1 queen given": "已有 1 个皇后",
    "{count} queens given": "已有 {count} 个皇后",
    "no queens given": "没有皇后",
    "triangle of 55 balls": "55 个球的三角形",
    "5 x 11 board": "5 x 11 的棋盘",
    "1 piece given": "已放 1 块",
    "{count} pieces given": "已放 {count} 块",
    "1 single ball": "1 个单球",
    "{count} single balls": "{count} 个单球",
    "{name} set": "{name} 套装",
    "tray of {count} triangles, {codes} symbols": "{count} 块三角形，{codes} 种符号",
    "tray of {count} triangles, {codes} creatures": "{count} 块三角形，{codes} 种动物",
    "{size} board, knight's tour from {cell}": "{size} 的棋盘，骑士从{cell}出发",
    "{size} board, closed knight's tour from {cell}": "{size} 的棋盘，骑士从{cell}出发并回到起点",
    "there is no cell at {cell}": "{cell}没有格子",
    "the clues that were read need the cell at {cell}: it is no hole": "识别到的数字需要{cell}的格子：它不是空洞",
    "{text!r} cannot stand at {cell}: a clue is from 1 to {most}": "{text!r} 不能放在{cell}：数字应为 1 到 {most}",
    "row {row} has {cells} cells, the first row has {cols}": "第 {row} 行有 {cells} 格，第一行有 {cols} 格",
    "the board has no clues": "棋盘上没有数字",
    "no rectangle of {size} fits round the clue at {cell}": "{cell}的数字周围放不下{size}的矩形",
    "no clue's rectangle can reach the cell at {cell}": "没有数字的矩形够得到{cell}的格子",
    "the clue at {cell} is {clue}; a clue is a positive number": "{cell}的数字是 {clue}；数字必须大于零",
    "a shape is given at {cell}, where no clue stands": "{cell}给了形状，却没有数字",
    "the shape at {cell} is {shape!r}; known are {known}": "{cell}的形状是 {shape!r}；可用的是 {known}",
    "the mesh leads from {cell} to {other} but not back": "网格从{cell}通到{other}，却不能返回",
    "the clues add up to {total}, but the board has {size} cells": "数字之和是 {total}，棋盘却有 {size} 格",
    "the numbers add up to {total}, {unknown} more clues need a cell each, and the board has {size} cells": (
        "数字之和是 {total}，另有 {unknown} 个线索各需至少一格，而棋盘有 {size} 格"
    ),
    "the clues at {one} and {other} both need the cell at {shared}, whichever rectangles they get": (
        "无论怎么放，{one}和{other}的数字都要占用{shared}的格子"
    ),
    "there is no square {cell} on a board of {size}": "{size} 的棋盘上没有{cell}这一格",
    "{text!r} cannot stand in {cell}: give Q for a queen or nothing": ("{text!r} 不能放在{cell}：请给 Q（皇后）或留空"),
    "{text!r} cannot stand in {cell}: give Q for a queen or nothing, or a small letter for its region": (
        "{text!r} 不能放在{cell}：请给 Q（皇后）、留空，或给小写字母表示区域"
    ),
    "a board of {rows} rows is no board": "{rows} 行不成棋盘",
    "the queen in {cell} stands off the {size} board": "{cell}的皇后在 {size} 的棋盘之外",
    "there is more than one queen in {cell}": "{cell}有不止一个皇后",
    "the regions do not cover the {size} board square by square": "区域没有逐格盖满 {size} 的棋盘",
    "the board has {rows} rows but {count} regions, more than it needs: it is cut off or misread": (
        "棋盘有 {rows} 行，却有 {count} 个区域，多于所需：可能被截断或识别有误"
    ),
    "the board has {rows} rows but {count} regions, fewer than it needs: it is cut off or misread": (
        "棋盘有 {rows} 行，却只有 {count} 个区域，少于所需：可能被截断或识别有误"
    ),
    "the queens in {first} and {second} attack each other along a row": "{first}和{second}的皇后在同一行互相攻击",
    "the queens in {first} and {second} attack each other along a column": "{first}和{second}的皇后在同一列互相攻击",
    "the queens in {first} and {second} attack each other along a diagonal": (
        "{first}和{second}的皇后在同一斜线互相攻击"
    ),
    "the queens in {first} and {second} stand in one region": "{first}和{second}的皇后在同一区域",
    "the queens in {first} and {second} touch at a corner": "{first}和{second}的皇后在角上相碰",
    "the queens leave no square in {line}": "这些皇后使{line}没有格子可放",
    "there is no pit at {cell}": "{cell}没有坑",
    "{text!r} cannot lie at {cell}: give a letter from A to L, a to l, or nothing": (
        "{text!r} 不能放在{cell}：请给字母 A 到 L、a 到 l，或留空"
    ),
    "a {tray} has rows of {widths} balls, not of {lengths}": "{tray}每行应有 {widths} 个球，而不是 {lengths}",
    "there is no set {name!r}; known are {known}": "没有叫 {name!r} 的套装；可用的是 {known}",
    "{letter!r} at {cell} names no piece": "{cell}的 {letter!r} 不是任何一块",
    "piece {letter} lies there, and a single ball of it at another place": "块 {letter} 已放好，别处却还有它的单球",
    "piece {letter} cannot be laid over its ball at {places}": "块 {letter} 无法盖住它在{places}的球",
    "piece {letter} lies on the board twice, at {one} and at {other}": (
        "块 {letter} 在棋盘上出现了两次：{one}和{other}"
    ),
    "the balls of {letter} fall into {count} parts, at {places}": "{letter} 的球分成 {count} 部分，在{places}",
    "piece {letter} has {size} balls, but {count} are given, from {cell} on": (
        "块 {letter} 有 {size} 个球，却给了 {count} 个，从{cell}起"
    ),
    "what lies from {cell} on has not the shape of {letter}": "从{cell}起的形状不是 {letter}",
    "what lies from {cell} on has not the shape of {letter} (it is the {letter} of the {other} set)": (
        "从{cell}起的形状不是 {letter}（它是 {other} 套装的 {letter}）"
    ),
    "piece {letter} has no place left": "块 {letter} 没有位置可放",
    "1 ball": "1 个球",
    "{count} balls": "{count} 个球",
    "the pocket at row {row} holds {balls}, and no piece left fits": "第 {row} 行的空隙可放{balls}，剩下的块都放不进",
    "the pocket at row {row} holds {balls}, and the sizes of no pieces left add up to that": (
        "第 {row} 行的空隙可放{balls}，剩下的块凑不成这个数"
    ),
    "the pocket at row {row} holds {balls}, which no choice of the pieces left ({pieces}) fills": (
        "第 {row} 行的空隙可放{balls}，剩下的块（{pieces}）怎么选都填不满"
    ),
    "there is no slot at {cell}": "{cell}没有位置",
    "{text!r} is no piece: give the codes of its three edges clockwise, such as 0,0,2": (
        "{text!r} 不是一块：请按顺时针给三条边的代码，例如 0,0,2"
    ),
    "the tray has {slots} slots, but {count} pieces": "盘上有 {slots} 个位置，却有 {count} 块",
    "the frame has {edges} edges, but {count} codes": "边框有 {edges} 条边，却有 {count} 个代码",
    "piece {number} is a triangle, but has {count} codes": "第 {number} 块是三角形，却有 {count} 个代码",
    "codes count from 0, but some are negative": "代码从 0 开始，却有负数",
    "the frame asks for {count} more of code {code} than the pieces have": "边框需要的代码 {code} 比各块多 {count} 个",
    "an odd number of edges with code {code} is left to meet each other inside the tray": (
        "盘内剩下奇数条代码为 {code} 的边，无法两两相配"
    ),
    "{count} edges with code {code} are left for the inside of the tray, but only {few} with code {mate} to meet"
    " them": "盘内剩下 {count} 条代码 {code} 的边，却只有 {few} 条代码 {mate} 的边与之相配",
    "no piece fits slot {number}, where the frame asks for {codes}": "没有块适合位置 {number}，那里的边框需要 {codes}",
    "{text!r} cannot stand in {cell}: give N for the knight, # for a hole or nothing": (
        "{text!r} 不能放在{cell}：请给 N（马）、#（空洞）或留空"
    ),
    "the knight stands in {cell}: say with N where it stands instead": "马在{cell}：请用 N 指出它实际在哪里",
    "a board of {rows} rows and {cols} columns is no board": "{rows} 行 {cols} 列不成棋盘",
    "the hole in {cell} is off the board": "{cell}的空洞在棋盘之外",
    "the knight's start, {cell}, is off the {size} board": "马的起点{cell}在 {size} 的棋盘之外",
    "the knight's start, {cell}, is a hole": "马的起点{cell}是空洞",
    "no closed tour exists on a board with an odd number of squares ({squares}): each move changes colour": (
        "格数为奇数（{squares}）的棋盘没有回到起点的走法：每一步都换颜色"
    ),
    "no tour can start in {cell}: the board has an odd number of squares, so a tour has to start on the colour of the"
    " corners": "不能从{cell}出发：棋盘格数为奇数，必须从与四角同色的格子出发",
    "no tour exists: each move changes colour, but {count} squares have the colour of the start and {others} have the"
    " other": "没有走法：每一步都换颜色，但与起点同色的有 {count} 格，另一色有 {others} 格",
    "no tour exists: no moves lead to {cell}": "没有走法：没有一步能到{cell}",
    "{one} and one to {other}": "{one}和{other}",
    "no tour exists: only one move leads to {places}": "没有走法：到{places}都只有一步",
    "a {size} board is too small for a knight's tour": "{size} 的棋盘太小，没有骑士巡游",
    "a {size} board has open knight's tours but no closed one (Schwenk's theorem)": (
        "{size} 的棋盘有骑士巡游，但没有回到起点的（Schwenk 定理）"
    ),
    "on a {size} board a knight's tour starts and ends in the outer lines of four, not in {cell}": (
        "在 {size} 的棋盘上，骑士巡游必须从四线中的外侧线出发并结束，而不是{cell}"
    ),
    "no puzzle board that solvepic knows was found": "没有找到认识的棋盘",
    "no {kind} board was found": "没有找到{kind}的棋盘",
    "{what} ({why})": "{what}（{why}）",
    "{what}; take the whole board, straight on, as large as it gets": "{what}；请正对整个棋盘拍摄，尽量大",
    "no {kind} board of {size} cells was found; leave --size out to have the board measured": (
        "没有找到 {size} 格的{kind}棋盘；不填行数和列数可自动测量"
    ),
    "no puzzle board of {size} cells was found; leave --size out to have the board measured": (
        "没有找到 {size} 格的棋盘；不填行数和列数可自动测量"
    ),
    "a {kind} board is there but could not be read: {reason}": "有{kind}的棋盘，但无法识别：{reason}",
    "{game}: {reason}": "{game}：{reason}",
    "this looks like {game}; solvepic does not solve those": "这好像是{game}，这里不解这种谜题",
    "{cell} (looks like {likely})": "{cell}（像是 {likely}）",
    "{cells}: {why}": "{cells}：{why}",
    "{board}: not sure of {cells}; if you can tell, say so with {remedy}": ("{board}：不确定 {cells}"),
    "{one} or {other}": "{one} 或 {other}",
    "empty": "空",
    "nothing": "空",
    "number": "数字",
    "blank": "无数字的标记",
    "queen": "皇后",
    "piece": "棋子",
    "other": "其他棋子",
    "note": "小记号",
    "something else": "别的东西",
    "hole": "空洞",
    "region": "区域",
    "region {name}": "区域 {name}",
    "cannot be solved: {why}; check that the whole board is in the picture": (
        "无法求解：{why}；请检查整个棋盘是否都在图中"
    ),
    "every possibility was tried": "所有可能都试过了",
    "has no solution: {why}; check what was read, and correct it with --set if it is wrong": (
        "无解：{why}；请检查识别的内容，有误可更正"
    ),
    "gave up {doing} after {seconds:g} s; allow more with --time-limit": (
        "{doing}超过 {seconds:g} 秒，已停止；请只发送棋盘部分"
    ),
    "opening the picture": "打开图片",
    "looking for a board": "寻找棋盘",
    "reading": "识别",
    "solving": "求解",
    "looking for the next step": "寻找下一步",
    "one solution": "一个解",
    "solved": "已解出",
    "{count:,} solutions, the first is drawn": "{count:,} 个解，画出的是第一个",
    "at least {count:,} solutions, the first is drawn": "至少 {count:,} 个解，画出的是第一个",
    "a solution; whether it is the only one was not settled in time": "有一个解；来不及确定是否唯一",
    "the open part has {words}; {partial}": "空白部分有{words}；{partial}",
    "{cell} {read} -> {used}": "{cell} {read} -> {used}",
    "{words}; corrected by reasoning: {repairs}": "{words}；经推理更正：{repairs}",
    "{board}: {words}": "{board}：{words}",
    "{number}. {because}": "{number}. {because}",
    "{board}: next, {steps}": "{board}：下一步，{steps}",
    "{names} cannot be in the answer": "{names}不可能在答案中",
    "not all that is placed can stay; without {names} it could be solved, or as well without {others}": (
        "所放的不能全部保留；去掉{names}可解，去掉{others}也可解"
    ),
    "{count} placed, none of them wrong": "已放 {count} 个，都没有错",
    "nothing is placed": "还没有放任何东西",
    "complete": "完成",
    "and {count} more": "另有 {count} 个",
    "the picture has {width} x {height} pixels, too few to show one": "图片只有 {width} x {height} 像素，太小",
    "the picture has {width} x {height} pixels, and boards are looked for on {most} at most; cut it out": (
        "图片有 {width} x {height} 像素，最多在 {most} 像素内寻找棋盘；请裁剪"
    ),
    "the picture has {width} x {height} pixels, a strip too narrow to show one; cut it out": (
        "图片有 {width} x {height} 像素，太窄；请裁剪"
    ),
    "too little of a {kind} board was made out": "{kind}的棋盘看清的太少",
    "{cell} is not on the board, which has {rows} rows and {cols} columns": (
        "{cell} 不在棋盘上，棋盘有 {rows} 行 {cols} 列"
    ),
    "with what --set says, {reason}": "按你说明的内容，{reason}",
    "another board lies at {corners}: cut it out, or name its corners, to solve it": (
        "在 {corners} 还有另一个棋盘：请单独剪下它，或指出它的四角再求解"
    ),
    "{name} means nothing for {kind}: left aside": "{name} 对{kind}没有意义，已忽略",
    "no regular grid of cells was found, and {reason}": "没有找到规则的网格，{reason}",
    "a Stitch board has four corners: name them clockwise from the top left one": (
        "棋盘有四个角：请从左上角起按顺时针指出"
    ),
    "no grid was made out between the corners; --size says how large": "四角之间没有看出网格；请说明有几行几列",
    "its numbers add up to {total} on {cells} cells": "{cells} 格上的数字之和是 {total}",
    "the grid is empty, which is so on no Stitch board": "网格是空的，不可能是 Stitch",
    "nearly every cell of the grid carries something, which is so on no Stitch board": (
        "几乎每一格都有东西，不可能是 Stitch"
    ),
    "the clues tell which places are cells only if this one was read rightly": "只有这里识别正确，才能确定哪些是格子",
    "so few numbers on so faint a grid could fit by chance": "网格太淡、数字太少，可能只是巧合",
    "there is a grid, but hardly a number stands in it": "有网格，但里面几乎没有数字",
    "its cells fill another box than was said": "棋盘的格子与指定的大小不符",
    "its numbers do not add up to anything like its number of cells": "数字之和与格数相差太远",
    "the picture ends with the {side} of the board, where a part may be missing (--size {size} if it is whole)": (
        "图片在棋盘{side}结束，可能缺了一部分；如果完整，请填行数和列数（{size}）"
    ),
    "top": "上边",
    "right": "右边",
    "bottom": "下边",
    "left": "左边",
    "no clue": "没有数字",
    "the chequered board is {size}, and queens want a square one": "棋盘是 {size}，皇后需要正方形棋盘",
    "a knight stands on the chequered board": "棋盘上有马",
    "other pieces than queens stand on the chequered board": "棋盘上有皇后以外的棋子",
    "the pattern is not clearly a chequered board": "花纹不像是黑白格棋盘",
    "the picture is too grainy or too dark to tell that the board is empty": "图片噪点太多或太暗，无法确定棋盘是空的",
    "a Triazzle's tray has three corners: apex, bottom right, bottom left": "Triazzle 盘有三个角：顶、右下、左下",
    "trays are looked for in photos first: in what came from a screen they are rare, and no grid": (
        "三角盘先在照片里寻找：截图里很少见"
    ),
    "no triangle of four rows of triangular pieces was seen": "没有看到四行三角块组成的三角形",
    "the halves on the edges could not be told apart well enough to find an arrangement in which all meet": (
        "边上的半个图案分辨不清，找不到全部相配的摆法"
    ),
    "what lies there shows the same again and again, as cloth does and pieces do not": (
        "那里反复出现同样的花纹，像布料而不像拼块"
    ),
    "piece {number} fits nearly as well": "第 {number} 块几乎同样合适",
    "a knight's tour wants a chequered board": "骑士巡游需要黑白格棋盘",
    "no knight stands on the chequered board": "棋盘上没有马",
    "what stands on the chequered board is no knight": "棋盘上的不是马",
    "{count} knights stand on the board, and a tour has one": "棋盘上有 {count} 个马，巡游只有一个",
    "other pieces than one knight stand on the chequered board": "棋盘上不止一个马，还有别的棋子",
    "no chequered board was found": "没有找到黑白格棋盘",
    "no whole chequered board was found": "没有找到完整的黑白格棋盘",
    "the chequered board is cut off at the edge of the picture": "黑白格棋盘在图片边缘被截断",
    "no chequered board lies between the given corners": "所指四角之间没有黑白格棋盘",
    "it may be no {name}": "它可能不是{name}",
    "a game of chess or draughts": "国际象棋或跳棋",
    "two things seem to stand on one square": "一格上好像有两个东西",
    "its foot is on the line between two squares": "它的底座在两格之间的线上",
    "it looks like a {name}, but it may be another piece": "它像{name}，但也可能是别的棋子",
    "the cells do not fall into regions by their colours or lines": "格子的颜色或线条分不出区域",
    "{count} regions on {rows} rows are another game": "{rows} 行却有 {count} 个区域，是另一种谜题",
    "cells are more like those at their corners than like those at their sides, as on a chessboard": (
        "格子更像斜对角的而不是相邻的，如同国际象棋棋盘"
    ),
    "the cells are not of one colour each": "格子不是单一颜色",
    "all regions are rectangles, as in a sudoku or a finished board of patches": (
        "所有区域都是矩形，像数独或已完成的 Patches"
    ),
    "no grid cut into coloured regions was seen": "没有看到彩色区域的网格",
    "several levels are about as large, and which one is meant cannot be told; cut out one of them": (
        "有几个差不多大的关卡，分不清要解哪一个；请只截取其中一个"
    ),
    "no coloured regions were seen between the corners that were given": "所指四角之间没有看到彩色区域",
    "{rows} rows but {cols} columns of coloured regions were seen: a part is missing": (
        "看到彩色区域 {rows} 行 {cols} 列：缺了一部分"
    ),
    "the board goes on beyond what was found of it ({sides})": "棋盘在找到的部分之外还在继续（{sides}）",
    "only {count} coloured regions could be told apart on {rows} rows": "{rows} 行上只分辨出 {count} 个彩色区域",
    "figures or other pieces stand on the rows of coloured regions: this is another game": (
        "彩色区域上有图形或别的棋子：这是另一种谜题"
    ),
    "the board may go on beyond the edge of the picture ({sides})": "棋盘可能在图片边缘之外还在继续（{sides}）",
    "which pieces are one region is not certain": "不确定哪些部分属于同一区域",
    "{one} and {other} are taken for one region: their colour is the same": "{one}和{other}颜色相同，当作同一区域",
    "it may belong to another region": "它可能属于另一区域",
    "a queen may stand there": "那里可能有皇后",
    "a cell and no cell look alike here; say hole if there is none": "这里分不清是不是格子",
    "a Sudoku": "数独",
    "a game of numbers in order, such as Zip": "按顺序连数字的谜题，例如 Zip",
    "a game of counts, such as Minesweeper": "计数谜题，例如扫雷",
    "a number puzzle of another kind": "另一种数字谜题",
    "no cells of cloth between threads were found": "没有找到线之间的布格",
    "the cells between the threads do not make rows and columns": "线之间的格子不成行列",
    "no upright grid of cells was found": "没有找到端正的网格",
    "not every cell of the bent board was made out": "弯曲棋盘的格子没有全部看清",
    "not every number on the filled patches of the bent board was read": "弯曲棋盘已填的块上的数字没有全部读出",
    "patches that are filled already were left as they are": "已填的块保持原样",
    "the filled patches of {numbers} were left as they are": "已填的块 {numbers} 保持原样",
    "no clue was read on the open cells of the bent board": "弯曲棋盘的空格上没有读到数字",
    "only {used} fits there": "那里只有 {used} 合适",
    "the clues as read do not fit together, and this one is the least certain": "识别的数字互相矛盾，这一个最不确定",
    "other numbers here would give the board one answer too": "这里换成别的数字也恰有一个解",
    "no clue was seen here, where the others leave its cells over": "这里没有看到数字，而别的数字剩下了这些格子",
    "no clue was seen between {first} and {last}, where the others leave its cells over": (
        "{first} 到 {last} 之间没有看到数字，而别的数字剩下了这些格子"
    ),
    "another patch is placed here than would be with what was corrected": "这里放的块与更正后的不同",
    "its badge was not made out": "看不清它的标记",
    "its badge may have another shape": "它的标记可能是另一种形状",
    "turned upside down it is another number": "倒过来是另一个数字",
    "something stands there that this puzzle does not have, or that cannot be read": (
        "那里有这种谜题没有的东西，或者看不清"
    ),
    "no pits are seen along this side; the board may lie one cell farther in": ("这一边看不到坑；棋盘可能还要往里一格"),
    "no lattice of balls and pits in the shape of a {tray}": "没有{tray}形状的球和坑",
    "a board of balls is flat": "球盘是平的",
    "numbers stand where a {tray} would have balls": "{tray}该有球的地方是数字",
    "what lies on the {tray} cannot be divided into pieces": "{tray}上的东西分不成各块",
    "ruled cells lie where a {tray} would have balls, and beyond": "{tray}该有球的地方及其以外都是画线的格子",
    "square cells lie where the pieces of a Triazzle would": "三角盘该有块的地方是方格",
    "round things like an empty {tray}, but not clearly enough": "像空的{tray}，但不够清楚",
    "round things like an empty {tray} beside the squares of a chequered board": "像空的{tray}，旁边却是黑白格棋盘",
    "the balls can be divided in too many ways": "这些球的分法太多",
    "it may as well be an empty pit": "它也可能是空坑",
    "it may as well be a ball of {letter}": "它也可能是 {letter} 的球",
    "the shapes and colours here leave open which set of pieces is played with": "形状和颜色看不出用的是哪一套",
    "the balls that make up this piece differ in colour": "组成这一块的球颜色不同",
    "this hardly differs from empty pits": "它与空坑几乎没有区别",
    "something coloured stands here that belongs to no piece": "这里有不属于任何一块的颜色",
    "this is a piece or a pocket of empty pits": "这是一块，或者是一片空坑",
    "this has a colour that its tray has not: a piece may lie here": "它的颜色与盘不同：这里可能有一块",
    "this looks different from other empty pits": "它与别的空坑不同",
    "this is edged like a ball": "它的边缘像球",
    "a piece of the pits' colour might lie here": "这里可能有一块与坑同色的",
    "no pit is seen here": "这里看不到坑",
    "no ball is seen here": "这里看不到球",
    "too many pictures wait already; try again in a few seconds": "等待的图片太多。请过几秒再试",
    "the picture took too long, and reading it was stopped; send the board alone, cut out of the picture": (
        "识别这张图片用时太长，已停止。请只发送棋盘部分"
    ),
    "reading the picture ended unexpectedly; send it again, or another one": ("识别意外中断。请重新发送，或换一张图片"),
    "this picture is not here any more; send it again": "图片已被删除，请重新发送",
    "send a picture: its bytes as the body with a type such as image/png, or a form's field called picture": (
        "没有收到图片。请选择一张图片"
    ),
    "there is nothing here; /api lists what there is": "这里没有内容；/api 列出可用的地址",
    "not this way; see /api": "不能这样请求；请看 /api",
    "the options are too long": "选项太长",
    "pictures end in .png or .jpg": "图片地址以 .png 或 .jpg 结尾",
    "there are solution, read, picture and check": "可用的是 solution、read、picture 和 check",
    'send JSON such as {"r1c6": "12", "r3c2": null}': '请发送 JSON，例如 {"r1c6": "12", "r3c2": null}',
    "there is no such picture: {why}": "没有这样的图片：{why}",
    "the picture needs more memory than one picture may have; send a smaller one": (
        "这张图片需要的内存太多。请发送小一些的图片"
    ),
    "numbers stand on its squares": "格子里写着数字",
    "a chequered board of numbers, such as a finished knight's tour": "写满数字的棋盘，例如完成的骑士巡游",
    "there is a grid, but {why}": "有网格，但{why}",
    "its cells are {side:.0f} pixels wide; numbers are read from {enough:.0f} on: take it larger": (
        "每格只有{side:.0f}像素宽；至少{enough:.0f}像素才能读出数字，请拍大一些"
    ),
    "its cells are {side:.0f} pixels wide, and so blurred that they show no more than {shown:.0f} pixels would; "
    "numbers are read from {enough:.0f} on: take it larger or sharper": (
        "每格{side:.0f}像素宽，但太模糊，只相当于{shown:.0f}像素；至少{enough:.0f}像素才能读出数字，请拍大一些或清楚一些"
    ),
    "the request cannot be understood": "请求无法理解",
    "{name}: {why}": "{name}：{why}",
    "the file": "文件",
    "not a picture that solvepic can open ({formats})": "这不是能打开的图片（可用 {formats}）",
    "the picture is cut off or damaged; copy or export the picture again": "图片不完整或已损坏；请重新复制或导出",
    "the file is empty; copy or export the picture again": "文件是空的；请重新复制或导出",
    "a JPEG of more than {most} scans is no photo; export the picture again": (
        "超过 {most} 次扫描的 JPEG 不是照片；请重新导出"
    ),
    "not enough memory to open it; reduce the picture first": "内存不够，无法打开；请先缩小图片",
    "{width} x {height} pixels are more than the {most:g} megapixels that are opened; reduce the picture,"
    " or allow more with --max-megapixels": "{width} x {height} 像素超过了能打开的 {most:g} 百万像素；请缩小图片",
    "size: every {kind} board has the same; leave it out": "{kind}的棋盘大小都一样；请不要填行数和列数",
    "a size of {size}: give rows and columns from 1 to {most}, such as 14x8": (
        "大小 {size} 不行：行数和列数应为 1 到 {most}"
    ),
    "the corners lie outside the picture, which has {width} x {height} pixels": "四角在图片之外",
    "corners {corners}: give pixels of the picture": "四角在图片之外",
    "corners {corners}: they go round no board; give them clockwise, from the top left one": (
        "这些角围不成棋盘；请从左上角起按顺时针放置"
    ),
    "corners {corners}: nothing can be read on so few pixels; give the whole board's corners": (
        "四角围住的部分太小；请放在整个棋盘的四角"
    ),
    "the code is missing or wrong; open the link, or scan the QR code, that solvepic serve shows": (
        "代码缺少或有误。请打开 solvepic serve 显示的链接，或扫描二维码"
    ),
    "this came from another site; open the page itself": "请求来自别的网站。请打开页面本身",
    "the picture took too long to arrive; try again closer to the router": "图片传得太慢。请靠近路由器再试",
    "say how long the body is": "请求没有说明长度",
    "the picture is too large; 25 MB is the most": "图片太大，最多 25 MB",
    "this is not the address that solvepic serve shows; open that one": (
        "这不是 solvepic serve 显示的地址。请打开那个地址"
    ),
    "too many tries; wait a minute": "尝试次数太多。请等一分钟",
}
"""Templates by the English ones, as in gettext; rules of steps among them."""
