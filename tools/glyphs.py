"""Outlines of the characters of a diagram, as `src/diagram/glyphs.txt`.

Needs fontTools and the bold weight of LXGW WenKai (OFL-1.1): python3 tools/glyphs.py FONT.ttf > src/diagram/glyphs.txt
"""

import sys

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

CHARACTERS = "帅帥仕相车車俥马馬傌炮砲兵将將士象卒楚河汉漢界一二三四五六七八九123456789"

font = TTFont(sys.argv[1])
glyphs, names = font.getGlyphSet(), font.getBestCmap()
scale = 1000 / font["head"].unitsPerEm
print("# Outlines of the characters of a diagram: character, tab, SVG path data in thousandths of the em, y downwards, the")
print("# ink centred on 0 0. Made by tools/glyphs.py from the bold weight of a free font; see OFL.txt beside this file.")
for character in CHARACTERS:
    glyph = glyphs[names[ord(character)]]
    bounds = BoundsPen(glyphs)
    glyph.draw(bounds)
    left, bottom, right, top = bounds.bounds
    pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
    move = (scale, 0, 0, -scale, -(left + right) / 2 * scale, (bottom + top) / 2 * scale)
    glyph.draw(TransformPen(pen, move))
    print(f"{character}\t{pen.getCommands()}")
