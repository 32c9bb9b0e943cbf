"""What of a Word file's text reaches the page: what Word displays, no more and no less."""

import pytest

from core.config import load_settings
from core.confined.mupdf import pymupdf
from pipeline.files.word.document import docx_to_pdf
from tests.support.reading.documents import docx, paragraph, rewritten, with_relations, word_part

BOUNDS = load_settings().file_bounds


def lines_of(data: bytes) -> list[str]:
    with pymupdf.open("pdf", docx_to_pdf(data, BOUNDS).pdf) as document:
        return [line for page in document for line in page.get_text().splitlines()]


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def line(*runs: str) -> str:
    return f"<w:p>{''.join(runs)}</w:p>"


def control(content: str, properties: str = "<w:text/>") -> str:
    return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"


def field(code: str, result: str | None = None, data: str = "") -> str:
    mark = "<w:r><w:fldChar w:fldCharType='{}'>{}</w:fldChar></w:r>".format
    shown = "" if result is None else mark("separate", "") + result
    form = f"<w:ffData>{data}</w:ffData>" if data else ""
    return f"{mark('begin', form)}<w:r><w:instrText> {code} </w:instrText></w:r>{shown}{mark('end', '')}"


def choice(said: str, *entries: str) -> str:
    return f"<w:ddList>{said}{''.join(f'<w:listEntry w:val={entry!r}/>' for entry in entries)}</w:ddList>"


_PROMPT = run("Click here", '<w:rStyle w:val="PlaceholderText"/>')
_BOX = "<w:checkBox><w:default w:val='0'/>{}</w:checkBox>"
SHOWN = {
    "a control left empty": (line(run("School: "), control(_PROMPT, "<w:showingPlcHdr/><w:text/>")), "School:"),
    "a control filled": (line(run("School: "), control(run("Coral Bay"))), "School: Coral Bay"),
    "a prompt without its mark": (line(run("Name: "), control(_PROMPT)), "Name:"),
    "a field's result": (line(field("MERGEFIELD Name", run("Ana Bell"))), "Ana Bell"),
    "a simple field": (line(f'<w:fldSimple w:instr="AUTHOR">{run("Ana Bell")}</w:fldSimple>'), "Ana Bell"),
    "a merge that never was": (line(run("Name: "), field("MERGEFIELD N", run("«N»"))), "Name:"),
    "nested fields": (line(field("IF " + field("PAGE", run("1")), run("Ana"))), "Ana"),
    "a field that never ends": (
        line('<w:r><w:fldChar w:fldCharType="begin"/></w:r>', run("Ana Bell")),
        "Ana Bell",
    ),
    "a legacy text field": (line(field("FORMTEXT", run("Ana Bell"), "<w:textInput/>")), "Ana Bell"),
    "a legacy prompt": (
        line(
            run("Name: "),
            field("FORMTEXT", run("Type name"), '<w:textInput><w:default w:val="Type name"/></w:textInput>'),
        ),
        "Name:",
    ),
    "a drop-down": (line(field("FORMDROPDOWN", None, choice('<w:result w:val="1"/>', "3rd", "4th"))), "4th"),
    "a drop-down's default": (
        line(field("FORMDROPDOWN", "", choice('<w:default w:val="1"/>', "3rd", "4th"))),
        "4th",
    ),
    "a drop-down's first": (line(field("FORMDROPDOWN", "", choice("", "3rd", "4th"))), "3rd"),
    "a drop-down's stale text": (
        line(field("FORMDROPDOWN", run("3rd"), choice('<w:result w:val="1"/>', "3rd", "4th"))),
        "4th",
    ),
    "a box that is checked": (
        line(field("FORMCHECKBOX", "", _BOX.format("<w:checked/>")), run(" Uncle")),
        "☒ Uncle",
    ),
    "a box that is not": (line(field("FORMCHECKBOX", "", _BOX.format("")), run(" Uncle")), "☐ Uncle"),
    "hidden text": (line(run("Example ", "<w:vanish/>"), run("Ana")), "Ana"),
    "text that is hidden no more": (line(run("Ana", '<w:vanish w:val="0"/>')), "Ana"),
    "struck through": (line(run("Example ", "<w:strike/>"), run("Sample ", "<w:dstrike/>"), run("Ana")), "Ana"),
    "white on white": (line(run("Example ", '<w:color w:val="FFFFFF"/>'), run("Ana")), "Ana"),
    "white on blue": (line(run("Ana", '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="1F3864"/>')), "Ana"),
    "a speck": (line(run("Example ", '<w:sz w:val="2"/>'), run("Ana")), "Ana"),
    "tracked changes": (
        line(f'<w:del w:id="1"><w:r><w:delText>Leo</w:delText></w:r></w:del><w:ins w:id="2">{run("Ana")}</w:ins>'),
        "Ana",
    ),
    "a hyphen that keeps together": (
        line("<w:r><w:t>Anne</w:t><w:noBreakHyphen/><w:t>Marie</w:t></w:r>"),
        "Anne-Marie",
    ),
    "text with a direction": (line(f'<w:bdo w:val="ltr">{run("Ana")}</w:bdo>'), "Ana"),
    "a symbol": (line('<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:t> Uncle</w:t></w:r>'), "✓ Uncle"),
    "a formula": (line("<m:oMath><m:r><m:t>x+1</m:t></m:r></m:oMath>"), "x+1"),
    "a drop cap": (
        f'<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr>{run("M")}</w:p>' + paragraph("y father"),
        "My father",
    ),
    "a hidden row": (
        f"<w:tbl><w:tr><w:trPr><w:hidden/></w:trPr><w:tc>{paragraph('Example')}</w:tc></w:tr>"
        f"<w:tr><w:tc>{paragraph('Ana')}</w:tc></w:tr></w:tbl>",
        "Ana",
    ),
}


@pytest.mark.parametrize(("body", "shown"), SHOWN.values(), ids=SHOWN.keys())
def test_the_text_is_the_one_that_word_displays(body: str, shown: str) -> None:
    assert " ".join(" ".join(lines_of(docx(body))).split()) == shown


_NOT_HIDDEN = '<w:vanish w:val="false"/>'
STYLES = word_part(
    "styles",
    '<w:style w:type="paragraph" w:styleId="Note"><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Inner"><w:basedOn w:val="Note"/></w:style>'
    '<w:style w:type="character" w:styleId="Gone"><w:rPr><w:strike/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Circle"><w:basedOn w:val="Circle"/></w:style>',
)


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (f'<w:p><w:pPr><w:pStyle w:val="Inner"/></w:pPr>{run("Example")}</w:p>' + paragraph("Ana"), ["Ana"]),
        (line(run("Example ", '<w:rStyle w:val="Gone"/>'), run("Ana", '<w:rStyle w:val="Circle"/>')), ["Ana"]),
        (f'<w:p><w:pPr><w:pStyle w:val="Inner"/></w:pPr>{run("Ana", _NOT_HIDDEN)}</w:p>', ["Ana"]),
    ],
    ids=["by the paragraph's style", "by the letters' style", "shown again"],
)
def test_styles_hide(body: str, shown: list[str]) -> None:
    assert lines_of(with_relations(body, {"rId2": "styles styles.xml"}, {"styles.xml": STYLES})) == shown


@pytest.mark.parametrize("main", ["word/document2.xml", "doc/main.xml"])
def test_the_main_part_has_any_name(main: str) -> None:
    def moved(name: str, data: bytes) -> tuple[str, bytes]:
        return name.replace("word/document.xml", main), data.replace(b"word/document.xml", main.encode())

    assert lines_of(rewritten(docx(paragraph("Ana Bell")), moved)) == ["Ana Bell"]


def test_strict_files_are_read() -> None:
    def strict(name: str, data: bytes) -> tuple[str, bytes]:
        for kind in (b"wordprocessingml", b"officeDocument", b"drawingml"):
            was = b"http://schemas.openxmlformats.org/" + kind + b"/2006/"
            data = data.replace(was, b"http://purl.oclc.org/ooxml/" + kind + b"/")
        return name, data

    section = '<w:sectPr><w:headerReference w:type="default" r:id="rId2"/></w:sectPr>'
    header = {"header1.xml": word_part("hdr", paragraph("Sofía Bell"))}
    data = with_relations(paragraph("My essay") + section, {"rId2": "header header1.xml"}, header)
    assert lines_of(rewritten(data, strict)) == ["Sofía Bell", "My essay"]


def test_utf_16_parts_are_read() -> None:
    def wide(name: str, data: bytes) -> tuple[str, bytes]:
        return name, data.decode().encode("utf-16") if name == "word/document.xml" else data

    assert lines_of(rewritten(docx(paragraph("Sofía Bell")), wide)) == ["Sofía Bell"]
