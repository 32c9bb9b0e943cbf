from pipeline.pages.page_model import Box, reading_order


def test_rows_come_from_the_top_and_from_the_left_within() -> None:
    boxes = [Box(0.6, 0.1, 0.9, 0.12), Box(0.1, 0.5, 0.3, 0.52), Box(0.1, 0.105, 0.4, 0.125)]
    assert reading_order(boxes) == [2, 0, 1]


def test_a_value_that_rides_over_its_label_stays_in_its_row() -> None:
    label, value, below = Box(0.1, 0.200, 0.3, 0.215), Box(0.35, 0.195, 0.5, 0.211), Box(0.1, 0.22, 0.3, 0.235)
    assert reading_order([below, value, label]) == [2, 1, 0]


def test_no_boxes_have_no_order() -> None:
    assert reading_order([]) == []
