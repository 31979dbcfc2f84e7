"""The style sheet of pages: system fonts, light and dark as the reader prefers, fit for paper."""

from thresher.pictures.svg import DARK_HUES, FONT, HUES, dark_style

BLUE, ORANGE, GREEN = HUES[:3]
DARK_BLUE, DARK_ORANGE, DARK_GREEN = DARK_HUES[:3]

LIGHT = f"""
*{{box-sizing:border-box}}
html{{color-scheme:light dark;-webkit-text-size-adjust:100%}}
body{{margin:0;background:#f5f7f9;color:#16191d;font:15px/1.5 {FONT}}}
header,main,footer{{max-width:1180px;margin:0 auto;padding:0 24px}}
header{{display:flex;align-items:center;gap:10px;padding-top:20px;font-weight:650;font-size:17px}}
header svg.tp{{width:24px;height:24px}}
header span{{font-weight:400;color:#5b6570}}
h1{{font-size:26px;line-height:1.25;margin:18px 0 2px;letter-spacing:-.01em;overflow-wrap:anywhere}}
h2{{font-size:15px;margin:0;letter-spacing:-.005em}}
h3{{font-size:13px;margin:16px 0 4px;color:#3d4650}}
p{{margin:6px 0}}
.sub,.note,th,dt,summary,footer{{color:#5b6570}}
.sub{{margin:0 0 18px}}
.note{{font-size:13px}}
.head{{display:flex;flex-wrap:wrap;gap:2px 10px;align-items:baseline;margin-bottom:8px}}
.head .note{{margin:0}}
.grid{{display:grid;grid-template-columns:repeat(12,1fr);gap:16px;align-items:stretch;
grid-auto-flow:dense}}
.card{{background:#fff;border:1px solid #e1e6eb;border-radius:12px;padding:18px 20px;
box-shadow:0 1px 2px #0b1a2b0a;grid-column:span 6;min-width:0}}
.tall{{grid-row:span 2}}
.s4{{grid-column:span 4}}.s8{{grid-column:span 8}}.s12{{grid-column:span 12}}
svg.tp{{display:block;width:100%;height:auto;font-family:{FONT}}}
svg.small{{display:none}}
svg.bar{{height:10px;border-radius:3px}}
svg.spark{{width:160px;height:34px}}
.made{{font-size:40px;line-height:1.1;font-weight:700;letter-spacing:-.02em}}
.made small{{font-size:17px;font-weight:450;color:#5b6570;letter-spacing:0}}
.chip{{display:inline-block;border-radius:99px;padding:3px 12px;font-size:13px;font-weight:650;
background:#e8edf2;color:#3d4650}}
.yes{{background:#e0f3ec;color:#00573f}}.no{{background:#fde9df;color:#953800}}
.verdict{{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,6fr);gap:8px 40px}}
.meter{{margin:14px 0 10px}}
.formula{{background:#f0f3f6;border-radius:8px;padding:10px 14px;font-size:15px;
overflow-wrap:anywhere}}
.formula b{{font-weight:650}}
ul{{margin:6px 0;padding-left:20px}}
li{{margin:3px 0}}
dl{{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:4px 16px;margin:8px 0;
font-size:14px}}
dt{{white-space:nowrap}}
dd{{margin:0;overflow-wrap:anywhere}}
code{{font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}}
pre{{margin:8px 0;padding:10px 14px;background:#f0f3f6;border-radius:8px;white-space:pre-wrap;
overflow-wrap:anywhere}}
table{{border-collapse:collapse;width:100%;font-size:13.5px;font-variant-numeric:tabular-nums}}
th{{font-weight:500;text-align:left;font-size:12.5px}}
th,td{{padding:4px 10px 4px 0;vertical-align:middle;border-bottom:1px solid #eef1f4}}
tr:last-child td,tr:last-child th{{border-bottom:0}}
td.n,th.n{{text-align:right;white-space:nowrap}}
td.b{{width:38%;min-width:70px}}
td.name{{overflow-wrap:anywhere;min-width:64px;max-width:260px}}
.wide{{overflow-x:auto}}
.confusion td,.confusion th{{text-align:center;padding:7px 8px;border:2px solid #fff;
border-radius:6px}}
.confusion th{{max-width:140px;min-width:4.2em;overflow-wrap:break-word}}
.fixed{{table-layout:fixed}}
.fixed td.n{{width:90px}}
.confusion tbody th{{text-align:right}}
.confusion .zero{{color:#98a2ad}}
.ok1{{background:#e6f1f8}}.ok2{{background:#cfe4f2}}.ok3{{background:#a9d0e8}}
.bad1{{background:#fdf1ea}}.bad2{{background:#fbe0d2}}.bad3{{background:#f6c3a8}}
.tick{{color:{GREEN};font-weight:700}}.cross{{color:{ORANGE};font-weight:700}}
details{{margin-top:8px;font-size:13px}}
summary{{cursor:pointer}}
footer{{font-size:13px;padding-top:22px;padding-bottom:40px}}
a{{color:{BLUE}}}
"""
DARK = f"""
@media (prefers-color-scheme:dark){{
body{{background:#0f1216;color:#eceff3}}
.card{{background:#181b20;border-color:#2a2f37;box-shadow:none}}
header span,.sub,.note,th,dt,summary,footer,.made small{{color:#a3adb8}}
h3{{color:#c3cbd3}}
.formula,pre{{background:#22272e}}
th,td{{border-bottom-color:#262b32}}
.chip{{background:#2b313a;color:#d4dae1}}
.yes{{background:#0f3a2d;color:#6fe0bb}}.no{{background:#47220c;color:#ffb68a}}
.confusion td,.confusion th{{border-color:#181b20}}
.confusion .zero{{color:#6d7783}}
.ok1{{background:#16283a}}.ok2{{background:#1b3a56}}.ok3{{background:#225479}}
.bad1{{background:#33211a}}.bad2{{background:#4c2a18}}.bad3{{background:#6f3b1d}}
.tick{{color:{DARK_GREEN}}}.cross{{color:{DARK_ORANGE}}}
a{{color:{DARK_BLUE}}}
}}
"""
NARROW = """
@media (max-width:1000px){.card,.s4,.s8{grid-column:span 12}}
@media (max-width:720px){
header,main,footer{padding-left:14px;padding-right:14px}
.card{padding:15px 14px;border-radius:10px}
.verdict{display:block}
h1{font-size:22px}
.made{font-size:34px}
svg.big{display:none}svg.small{display:block}
td.name{max-width:150px}
}
"""
PRINT = """
@media print{
body{background:#fff;color:#000;font-size:11px}
.card{break-inside:avoid;box-shadow:none;border-color:#ccc}
details{display:none}
header,main,footer{max-width:none;padding:0}
}
"""
STYLE = LIGHT + DARK + dark_style() + NARROW + PRINT
