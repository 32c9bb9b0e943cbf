"""The kinds of trouble, their share of a corpus, and the ways in which each part makes them."""

from __future__ import annotations

from lab.samples.page_truth import fields, ink, order, paint, parts, pictures, word
from lab.samples.page_truth.sheet import BARE, FORM, LABELLED, REQUIRED
from lab.samples.page_truth.trouble import Trouble
from lab.samples.page_truth.word_parts import FOOTER, HEADER

_COVERS = {part: [(name, cover) for name, cover in covers.items()] for part, covers in paint.COVERS.items()}

TROUBLES: tuple[Trouble, ...] = (
    Trouble(
        "merged_forms",
        3.5,
        {"first": fields.merged(first=True), "own": fields.merged(first=True, own=True, copies=2)},
        {
            "last": fields.merged(first=False),
            "deep": fields.merged(first=True, deep=True, copies=2),
            "four": fields.merged(first=True, copies=4),
            "own": fields.merged(first=True, own=True, copies=2),
        },
    ),
    Trouble(
        "choice_export",
        4,
        {"letters": fields.choices("letters"), "places": fields.choices("places")},
        {
            "one_less": fields.choices("one_less"),
            "years": fields.choices("years"),
            "places": fields.choices("places"),
        },
    ),
    Trouble(
        "layer_off",
        4,
        {"under": paint.layer_off("under"), "over": paint.layer_off("over")},
        {
            "membership": paint.layer_off("membership"),
            "annotation": paint.layer_off("annotation"),
            "base_off": paint.layer_off("base_off"),
            "older_version": paint.layer_off("older_version"),
        },
    ),
    Trouble(
        "false_bold",
        6,
        {
            "all": paint.twice("all", (0.33, 0)),
            "name": paint.twice("student_name", (0.33, 0)),
            "grade": paint.twice("grade", (0.3, 0)),
        },
        {
            "all": paint.twice("all", (0.25, 0.15)),
            "header": paint.twice("header", (0.4, 0)),
            "name": paint.twice("student_name", (0.2, 0), 4),
            "school": paint.twice("school_name", (0.5, 0)),
            "essay": paint.twice("essay", (0.3, 0)),
            "words": paint.twice_word_by_word,
            "shadow": paint.with_shadow,
            "outline": paint.filled_and_stroked,
        },
    ),
    Trouble(
        "covered_anew",
        7,
        {
            **{f"name_{name}": paint.covered(cover, anew=True) for name, cover in _COVERS[False]},
            "header_rectangle": paint.covered(paint.rectangle, REQUIRED, anew=True),
            "note": paint.covered_by_note,
        },
        {
            **{f"name_{name}": paint.covered(cover, anew=True) for name, cover in _COVERS[True] if name != "bar"},
            "header_curve": paint.covered(paint.curve, REQUIRED, anew=True),
            "school_stroke": paint.covered(paint.stroke, ("school_name",), anew=True),
            "grade_inline": paint.covered(paint.inline_picture, ("grade",), anew=True),
            "note": paint.covered_by_note,
        },
    ),
    Trouble(
        "covered",
        7,
        {
            **{f"name_{name}": paint.covered(cover) for name, cover in _COVERS[False]},
            "essay_rectangle": paint.essay_line_covered(paint.rectangle),
            "nothing": paint.covered_and_nothing_lost,
        },
        {
            **{f"name_{name}": paint.covered(cover) for name, cover in _COVERS[True]},
            "school_bar": paint.covered(paint.bar, ("school_name",)),
            "grade_curve": paint.covered(paint.curve, ("grade",)),
            "father_picture": paint.covered(paint.picture, ("father_figure_name",)),
            "essay_curve": paint.essay_line_covered(paint.curve),
            "essay_picture": paint.essay_line_covered(paint.picture),
            "nothing": paint.covered_and_nothing_lost,
        },
    ),
    Trouble(
        "text_under_picture",
        1.2,
        {"whole": paint.under_picture("whole")},
        {"halves": paint.under_picture("halves"), "unseen": paint.under_picture("unseen")},
    ),
    Trouble(
        "attached",
        4,
        {"letter": parts.attached("letter"), "portfolio": parts.attached("portfolio", 2)},
        {
            "two_on_letter": parts.attached("letter", 2),
            "on_form": parts.attached("form"),
            "tree": parts.attached("tree", 2),
            "portfolio": parts.attached("portfolio", 3),
            "word": parts.attached("letter", word=True),
        },
    ),
    Trouble(
        "dynamic_form",
        2,
        {"packets": parts.dynamic_form(packets=True)},
        {"stream": parts.dynamic_form(packets=False), "packets": parts.dynamic_form(packets=True)},
    ),
    Trouble(
        "behind_one_another",
        3.5,
        {"two": parts.behind_one_another(2), "updated": parts.updated},
        {
            "three": parts.behind_one_another(3),
            "apart": parts.behind_one_another(2, b"\n\n--part--\r\nContent-Type: application/pdf\r\n\r\n"),
            "updated": parts.updated,
        },
    ),
    Trouble(
        "spread",
        4,
        {"letter": parts.spread("letter", FORM), "tabloid": parts.spread("tabloid", FORM)},
        {
            "a3": parts.spread("a3", FORM),
            "apart": parts.spread("tabloid", FORM, gap=18),
            "essays": parts.spread("tabloid", LABELLED),
            "tall": parts.spread("tall", LABELLED),
            "four": parts.spread("four", FORM),
        },
    ),
    Trouble(
        "spread_scanned",
        0.5,
        {"tabloid": parts.spread("tabloid", FORM, scanned=True)},
        {"a3": parts.spread("a3", FORM, scanned=True)},
    ),
    Trouble(
        "fronts_then_backs",
        4,
        {
            "turned": parts.fronts_then_backs(reverse=True),
            "empty": parts.fronts_then_backs(reverse=True, empty_back=True),
        },
        {
            "in_order": parts.fronts_then_backs(reverse=False),
            "four": parts.fronts_then_backs(reverse=True, count=4),
            "empty": parts.fronts_then_backs(reverse=False, empty_back=True),
        },
    ),
    Trouble(
        "other_sheets",
        5,
        {
            "list": parts.among_other_sheets(class_list=True, in_a_row=2),
            "separators": parts.among_other_sheets(class_list=False),
        },
        {
            "list": parts.among_other_sheets(class_list=True, count=3),
            "separators": parts.among_other_sheets(class_list=False, in_a_row=3),
            "essays": parts.among_other_sheets(class_list=False, layout=LABELLED),
            "list_and_essays": parts.among_other_sheets(class_list=True, layout=LABELLED),
        },
    ),
    Trouble(
        "stamped_scan",
        0.7,
        {"over": pictures.stamped(image_first=True)},
        {"over": pictures.stamped(image_first=True), "under": pictures.stamped(image_first=False)},
    ),
    Trouble(
        "columns",
        5,
        {"two": order.columns(2, by_line=False), "two_by_line": order.columns(2, by_line=True)},
        {
            "two": order.columns(2, by_line=False, layout=None),
            "two_by_line": order.columns(2, by_line=True),
            "three": order.columns(3, by_line=False),
            "on_form": order.columns(2, by_line=True, layout=FORM),
            "bare": order.columns(2, by_line=True, layout=BARE),
        },
    ),
    Trouble(
        "several_pictures",
        1.6,
        {".heic": pictures.several(".heic"), ".tif": pictures.several(".tif")},
        {
            ".heic": pictures.several(".heic"),
            ".tif": pictures.several(".tif", 3),
            ".gif": pictures.several(".gif"),
            ".webp": pictures.several(".webp"),
            ".avif": pictures.several(".avif"),
            "thumbnail": pictures.with_thumbnail,
        },
    ),
    Trouble(
        "word_text_box",
        2.5,
        {"shape": word.text_box("shape", labelled=True), "both": word.text_box("both", labelled=True)},
        {
            "choice": word.text_box("choice", labelled=True),
            "vml": word.text_box("vml", labelled=True),
            "both_bare": word.text_box("both", labelled=False),
        },
    ),
    Trouble(
        "word_controls",
        2.5,
        {"all": word.content_controls(REQUIRED), "none": word.content_controls(())},
        {
            "name": word.content_controls(("student_name",)),
            "school": word.content_controls(("school_name",)),
            "grade": word.content_controls(("grade",)),
        },
    ),
    Trouble(
        "word_legacy_fields",
        1.5,
        {"result": word.legacy_fields("result")},
        {"default": word.legacy_fields("default"), "result": word.legacy_fields("result")},
    ),
    Trouble(
        "word_part_names",
        1.5,
        {"online": word.main_part("word/document2.xml")},
        {"third": word.main_part("word/document3.xml"), "other": word.main_part("content/letter.xml")},
    ),
    Trouble(
        "word_margins",
        2.5,
        {"strict_header": word.in_margin(HEADER, strict=True), "footer": word.in_margin(FOOTER, strict=False)},
        {
            "strict_footer": word.in_margin(FOOTER, strict=True),
            "header": word.in_margin(HEADER, strict=False, labelled=False),
            "strict_body": word.strict_body,
        },
    ),
    Trouble("word_cropped", 0.5, {"right": word.cropped_picture("right")}, {"left": word.cropped_picture("left")}),
    Trouble(
        "word_hidden",
        3.5,
        {
            "vanish": word.hidden_text("vanish"),
            "tracked": word.struck_out("tracked"),
            "struck": word.struck_out("struck"),
        },
        {
            "on": word.hidden_text("on"),
            "web": word.hidden_text("web"),
            "moved": word.struck_out("moved"),
            "struck_twice": word.struck_out("struck_twice"),
            "tracked": word.struck_out("tracked"),
        },
    ),
    Trouble(
        "word_chunk",
        2.5,
        {"html": word.brought_in("html"), "docx": word.brought_in("docx")},
        {
            "text": word.brought_in("text"),
            "html_all": word.brought_in("html", header=True),
            "docx_all": word.brought_in("docx", header=True),
        },
    ),
    Trouble(
        "drop_cap",
        4,
        {"two": order.drop_cap(2), "three": order.drop_cap(3)},
        {
            "last": order.drop_cap(3, last=True),
            "red": order.drop_cap(2, colour=(0.7, 0.1, 0.1), bold=True),
            "four": order.drop_cap(4, bold=True),
        },
    ),
    Trouble(
        "watermark",
        4,
        {
            "tiled": paint.watermark(("COPY", "DRAFT"), 45, tiled=True, first=False),
            "large": paint.watermark(("DRAFT",), 45, tiled=False, first=True),
        },
        {
            "tiled": paint.watermark(("SPECIMEN", "NOT FINAL"), 30, tiled=True, first=True),
            "tiled_over": paint.watermark(("SCAN COPY", "MUESTRA"), 60, tiled=True, first=False),
            "large": paint.watermark(("CONFIDENTIAL", "MUESTRA"), 40, tiled=False, first=False),
        },
    ),
    Trouble(
        "pen",
        1.6,
        {"annotations": ink.header_by_pen(annotation=True), "corrected": ink.corrected_by_pen(annotation=True)},
        {
            "paths": ink.header_by_pen(annotation=False),
            "corrected": ink.corrected_by_pen(annotation=False),
            "all": ink.header_by_pen(annotation=True, essay=True),
            "corrected_note": ink.corrected_by_pen(annotation=True),
        },
    ),
    Trouble(
        "right_to_left",
        2,
        {"word": word.right_to_left(marked=True), "page": order.right_to_left},
        {
            "word": word.right_to_left(marked=True),
            "word_unmarked": word.right_to_left(marked=False),
            "page": order.right_to_left,
        },
    ),
    Trouble(
        "control_characters",
        2.5,
        {
            "nul": fields.control_characters("\0\x07", ("student_name", "father_figure_name")),
            "surrogate": fields.control_characters("\ud835", ("student_name",)),
        },
        {
            "school": fields.control_characters("\x00\x1b", ("school_name",)),
            "essay": fields.control_characters("\x08\x00", ("essay_text",)),
            "low_surrogate": fields.control_characters("\udc1e", ("student_name", "school_name")),
        },
    ),
    Trouble(
        "browser_print",
        5,
        {"above": order.browser_print("above"), "beside": order.browser_print("beside")},
        {
            "above": order.browser_print("above"),
            "beside": order.browser_print("beside"),
            "reversed": order.browser_print("reversed"),
        },
    ),
    Trouble(
        "mail_print",
        4,
        {"fields": order.mail_print("fields")},
        {
            "columns": order.mail_print("columns"),
            "web": order.mail_print("web"),
            "fields": order.mail_print("fields"),
        },
    ),
    Trouble(
        "fax",
        0.5,
        {"coarse": pictures.fax((204, 98), "group4")},
        {"fine": pictures.fax((204, 196), "group4", 1), "coarse": pictures.fax((200, 100), "tiff_lzw", 2)},
    ),
    Trouble(
        "bleed_through",
        0.5,
        {"strong": pictures.shining_through(0.35)},
        {"two": pictures.shining_through(0.3, 2), "stronger": pictures.shining_through(0.45)},
    ),
    Trouble(
        "stale_appearance",
        5,
        {
            "all": fields.filled("stale", ("student_name", "grade")),
            "name": fields.filled("stale", ("student_name",)),
        },
        {
            "grade": fields.filled("stale", ("grade",)),
            "school": fields.filled("stale", ("school_name",)),
            "essay": fields.filled("stale", ("essay_text",)),
            "name": fields.filled("stale", ("student_name",)),
            "viewer": fields.filled("viewer_draws", ("student_name", "school_name")),
        },
    ),
    Trouble(
        "prompts",
        4,
        {
            "all": fields.prompts((*REQUIRED, "father_figure_name", "email", "phone")),
            "name": fields.prompts(("student_name",)),
        },
        {
            "school": fields.prompts(("school_name",)),
            "grade": fields.prompts(("grade",)),
            "name": fields.prompts(("student_name",)),
            "optional": fields.prompts(("father_figure_name", "email", "phone")),
        },
    ),
    Trouble(
        "hidden_fields",
        3.5,
        {"hidden": fields.hidden("hidden"), "same_place": fields.hidden("hidden_same_place")},
        {
            "no_view": fields.hidden("no_view"),
            "outside": fields.hidden("outside"),
            "no_size": fields.hidden("no_size"),
            "same_place": fields.hidden("hidden_same_place"),
        },
    ),
    Trouble("strips", 0.5, {"forty": pictures.in_strips(40)}, {"upwards": pictures.in_strips(25, upwards=True)}),
    Trouble(
        "notes",
        5,
        {"under": order.notes("under", stamp=True), "head": order.notes("head")},
        {
            "margin": order.notes("margin", stamp=True),
            "head": order.notes("head", layout=None),
            "under": order.notes("under", layout=LABELLED),
        },
    ),
    Trouble(
        "margin_numbers",
        2,
        {"left": order.margin_numbers("left")},
        {"right": order.margin_numbers("right"), "left": order.margin_numbers("left")},
    ),
)
