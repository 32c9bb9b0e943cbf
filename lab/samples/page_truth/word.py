"""Word files whose pages show what a simple reading of their text misses, or hide what it finds."""

from __future__ import annotations

from io import BytesIO
from random import Random
from xml.sax.saxutils import escape

from PIL import Image

from core.confined.mupdf import pymupdf
from lab.samples.entry import Entry
from lab.samples.page_truth.sheet import FORM, compose, draw_person
from lab.samples.page_truth.trouble import Way, as_file
from lab.samples.page_truth.word_parts import CHUNK, IMAGE, Package, essay, head_lines, paragraph, run, truth_of
from lab.samples.part import Part
from lab.samples.sample import Sample
from lab.samples.truth import Truth

_EMU = 12700


def _word(package: Package, body: str, truth: Truth, *no_entry: str) -> Sample:
    return as_file(package.data(body), ".docx", [truth], no_entry=list(no_entry))


def text_box(how: str, *, labelled: bool) -> Way:
    """Name, school and grade in a text box: `shape` (DrawingML alone), `both` with its VML copy, `vml` alone."""

    def draw(rng: Random, part: Part) -> Sample:
        entry = draw_person(rng, part)
        inside = "".join(paragraph(run(line)) for line in head_lines(entry, labelled=labelled))
        shape = _shape(inside)
        old = (
            '<w:pict><v:shape style="width:240pt;height:72pt"><v:textbox><w:txbxContent>'
            f"{inside}</w:txbxContent></v:textbox></v:shape></w:pict>"
        )
        wrapped = f'<mc:AlternateContent><mc:Choice Requires="wps">{shape}</mc:Choice>{{}}</mc:AlternateContent>'
        content = {
            "shape": shape,
            "choice": wrapped.format(""),
            "both": wrapped.format(f"<mc:Fallback>{old}</mc:Fallback>"),
            "vml": old,
        }[how]
        return _word(Package(), f"<w:p><w:r>{content}</w:r></w:p>{essay(entry)}", truth_of(entry))

    return draw


def _shape(inside: str) -> str:
    return (
        '<w:drawing><wp:anchor distT="0" distB="0" distL="114300" distR="114300" simplePos="0" relativeHeight="2" '
        'behindDoc="0" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/>'
        '<wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH>'
        '<wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV>'
        f'<wp:extent cx="{240 * _EMU}" cy="{72 * _EMU}"/><wp:wrapTopAndBottom/>'
        '<wp:docPr id="1" name="Text Box 1"/>'
        "<wp:cNvGraphicFramePr/><a:graphic><a:graphicData "
        'uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/>'
        f"<wps:spPr/><wps:txbx><w:txbxContent>{inside}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp>"
        "</a:graphicData></a:graphic></wp:anchor></w:drawing>"
    )


_PROMPTS = {
    False: ("Click or tap here to enter text.", "Click here to enter text.", "Choose an item."),
    True: (
        "[Student name]",
        "Haga clic o pulse aquí para escribir texto.",
        "Enter the name of your school",
        "Pick a grade",
    ),
}


def content_controls(empty: tuple[str, ...]) -> Way:
    """Content controls (ECMA-376, 17.5.2), some of which were left empty and display their prompts."""

    def draw(rng: Random, part: Part) -> Sample:
        entry = draw_person(rng, part)
        truth, body = truth_of(entry), ""
        values = (("Name", "student_name"), ("School", "school_name"), ("Grade", "grade"))
        for label, name in values:
            value = truth.values[name] or ""
            prompt = rng.choice(_PROMPTS[part.held_out])
            if name in empty:
                truth.values[name] = None
                truth.accepted.pop(name, None)
            body += paragraph(run(f"{label}: "), _control(prompt if name in empty else value, name in empty))
        truth.must_wait = bool(empty)
        return _word(Package(), body + essay(entry), truth, *(text for text in _PROMPTS[part.held_out]))

    return draw


def _control(text: str, prompt: bool) -> str:
    showing = "<w:showingPlcHdr/>" if prompt else ""
    style = '<w:rStyle w:val="PlaceholderText"/>' if prompt else ""
    return f"<w:sdt><w:sdtPr>{showing}<w:text/></w:sdtPr><w:sdtContent>{run(text, style)}</w:sdtContent></w:sdt>"


def legacy_fields(stored: str) -> Way:
    """Fields of old forms (ECMA-376, 17.16): texts, and the grade as a drop-down of which a number is stored.

    `stored`: as the choice that was made (`result`) or as the one that the form begins with (`default`).
    """

    def draw(rng: Random, part: Part) -> Sample:
        return _legacy_form(draw_person(rng, part), stored)

    return draw


def _legacy_form(entry: Entry, stored: str) -> Sample:
    grades = ["K", *(str(number) for number in range(1, 13))]
    at = grades.index(entry.grade or "K")
    items = "".join(f'<w:listEntry w:val="{grade}"/>' for grade in grades)
    choice = f'<w:ddList><w:{stored} w:val="{at}"/>{items}</w:ddList>'
    body = paragraph(run("Name: "), _legacy("Text1", "<w:textInput/>", "FORMTEXT", entry.name or ""))
    body += paragraph(run("School: "), _legacy("Text2", "<w:textInput/>", "FORMTEXT", entry.school_written or ""))
    body += paragraph(run("Grade: "), _legacy("Dropdown1", choice, "FORMDROPDOWN", None))
    return _word(Package(), body + essay(entry), truth_of(entry))


def _legacy(name: str, data: str, instruction: str, result: str | None) -> str:
    shown = f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run(result)}' if result is not None else ""
    return (
        f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="{name}"/><w:enabled/>{data}</w:ffData>'
        f'</w:fldChar></w:r><w:r><w:instrText xml:space="preserve"> {instruction} </w:instrText></w:r>{shown}'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def main_part(name: str) -> Way:
    """The main part has another name than usual, as those of Word Online have."""

    def draw(rng: Random, part: Part) -> Sample:
        entry = draw_person(rng, part)
        body = "".join(paragraph(run(line)) for line in head_lines(entry)) + essay(entry)
        return _word(Package(main=name), body, truth_of(entry))

    return draw


def in_margin(kind: str, *, strict: bool, labelled: bool = True) -> Way:
    """Name, school and grade in the header or the footer of the page; `strict`: in the ISO's own namespaces."""

    def draw(rng: Random, part: Part) -> Sample:
        entry, package = draw_person(rng, part), Package(strict=strict)
        lines = head_lines(entry, labelled=labelled)
        package.add_margin(kind, "".join(paragraph(run(line)) for line in lines))
        return _word(package, essay(entry), truth_of(entry))

    return draw


def strict_body(rng: Random, part: Part) -> Sample:
    """A file in ISO Strict without header or footer."""
    entry = draw_person(rng, part)
    body = "".join(paragraph(run(line)) for line in head_lines(entry)) + essay(entry)
    return _word(Package(strict=True), body, truth_of(entry))


def cropped_picture(side: str) -> Way:
    """A picture of two forms of which one was cut away in Word; the picture still holds it."""

    def draw(rng: Random, part: Part) -> Sample:
        doc = pymupdf.open()
        sheets = [compose(rng, part, doc, FORM) for _ in range(2)]
        pictures = []
        for number, sheet in enumerate(sheets):
            sheet.canvas = type(sheet.canvas).over(doc[number], number + 1)
            sheet.put_all()
            pixels = doc[number].get_pixmap(dpi=130, colorspace=pymupdf.csGRAY, alpha=False)
            pictures.append(Image.frombytes("L", (pixels.width, pixels.height), pixels.samples))
        kept, gone = (0, 1) if side == "right" else (1, 0)
        both = Image.new("L", (2 * pictures[0].width, pictures[0].height), 255)
        for number, picture in enumerate(pictures):
            both.paste(picture, (number * picture.width, 0))
        out = BytesIO()
        both.save(out, "JPEG", quality=72)
        package = Package()
        found = package.add("word/media/image1.jpg", out.getvalue(), "image/jpeg", IMAGE)
        truth = sheets[kept].truth
        truth.page_start, truth.page_end, truth.typed = 1, None, False
        truth.boxes.clear()
        cut = f'{side[0]}="50000"'
        body = paragraph(f"<w:r>{_picture(found, cut)}</w:r>")
        other = sheets[gone].entry
        return _word(package, body, truth, other.name or "")

    return draw


def _picture(found: str, cut: str) -> str:
    size = f'cx="{450 * _EMU}" cy="{582 * _EMU}"'
    return (
        f'<w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent {size}/>'
        '<wp:docPr id="1" name="Picture 1"/><wp:cNvGraphicFramePr/><a:graphic><a:graphicData '
        'uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr>'
        '<pic:cNvPr id="1" name="photo.jpg"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>'
        f'<a:blip r:embed="{found}"/><a:srcRect {cut}/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>'
        f'<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>'
        "</a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>"
    )


def hidden_text(how: str) -> Way:
    """Text that is in the file and not on the page: marked as hidden in one way or another."""

    def draw(rng: Random, part: Part) -> Sample:
        entry, sample = draw_person(rng, part), draw_person(rng, part)
        properties = {"vanish": "<w:vanish/>", "web": "<w:webHidden/><w:vanish/>", "on": '<w:vanish w:val="1"/>'}[
            how
        ]
        false = [*head_lines(sample), "Example: delete this line before you print."]
        true = [paragraph(run(line)) for line in head_lines(entry)]
        hidden = [paragraph(run(line, properties), properties=f"<w:rPr>{properties}</w:rPr>") for line in false]
        first = "".join((*hidden, *true) if not part.held_out else (*true, *hidden))
        return _word(Package(), first + essay(entry), truth_of(entry), sample.name or "", "delete this line")

    return draw


def struck_out(how: str) -> Way:
    """A name that was struck through or deleted under tracking, and the one that was put in its place."""

    def draw(rng: Random, part: Part) -> Sample:
        entry, before = draw_person(rng, part), draw_person(rng, part)
        who = 'w:id="7" w:author="A" w:date="2026-02-03T10:00:00Z"'
        old, new = escape(before.name or ""), run(entry.name or "")
        inside = {
            "tracked": f'<w:del {who}><w:r><w:delText xml:space="preserve">{old}</w:delText></w:r></w:del>'
            f"<w:ins {who}>{new}</w:ins>",
            "moved": f"<w:moveFrom {who}>{run(before.name or '')}</w:moveFrom><w:ins {who}>{new}</w:ins>",
            "struck": f"{run(before.name or '', '<w:strike/>')}{run(' ')}{new}",
            "struck_twice": f"{run(before.name or '', '<w:dstrike/>')}{run(' ')}{new}",
        }[how]
        lines = [paragraph(run("Name: "), inside), *(paragraph(run(line)) for line in head_lines(entry)[1:])]
        return _word(Package(), "".join(lines) + essay(entry), truth_of(entry), before.name or "")

    return draw


def brought_in(kind: str, *, header: bool = False) -> Way:
    """The essay is another document that Word brings in when it opens the file (ECMA-376, 17.17.2.1)."""

    def draw(rng: Random, part: Part) -> Sample:
        entry, package = draw_person(rng, part), Package()
        data, name, content_type = _chunk(kind, entry, header)
        found = package.add(f"word/{name}", data, content_type, CHUNK)
        lines = "" if header else "".join(paragraph(run(line)) for line in head_lines(entry))
        truth = truth_of(entry)
        return _word(package, f'{lines}<w:altChunk r:id="{found}"/>', truth)

    return draw


def _chunk(kind: str, entry: Entry, header: bool) -> tuple[bytes, str, str]:
    lines = [*(head_lines(entry) if header else []), *entry.essay]
    if kind == "html":
        page = "".join(f"<p>{escape(line)}</p>" for line in lines)
        return (
            f'<html><head><meta charset="utf-8"/></head><body>{page}</body></html>'.encode(),
            "c1.html",
            "text/html",
        )
    if kind == "text":
        return "\n".join(lines).encode("utf-8"), "c1.txt", "text/plain"
    inner = Package().data("".join(paragraph(run(line)) for line in lines))
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return inner, "c1.docx", main


_NAMES = {
    False: (("سارة الحسن", "ar"), ("نور الخطيب", "ar")),
    True: (("مريم العلي", "ar"), ("יונתן שפירא", "he"), ("لیلا احمدی", "fa"), ("عمر حداد", "ar")),
}


def right_to_left(*, marked: bool) -> Way:
    """A name that is written from right to left; `marked`: its run says so."""

    def draw(rng: Random, part: Part) -> Sample:
        entry = draw_person(rng, part)
        truth = truth_of(entry)
        name, language = rng.choice(_NAMES[part.held_out])
        truth.values["student_name"] = name
        properties = f'<w:rtl/><w:lang w:bidi="{language}"/>' if marked else ""
        lines = [paragraph(run("Name: "), run(name, properties))]
        lines += [paragraph(run(line)) for line in head_lines(entry)[1:]]
        return _word(Package(), "".join(lines) + essay(entry), truth)

    return draw
