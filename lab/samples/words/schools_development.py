"""Schools of the development part, by kind, and the towns that they stand in."""

from __future__ import annotations

from lab.samples.words.banks import listed

PLACES = {
    "Elementary School": """
        Maple Hollow|Cedar Bend|Harbor View|Willow Creek Park|Foxglove|Prairie
        Lantern|Bluestem|Kettle Moraine |Thornfield|Copper Ridge|Larkspur|Old Orchard Lane|Silver
        Birch|Marigold|Pebble Brook|Windmill Road|Juniper Hill |Sandstone|Heron Pond|Amberly|Clover
        Field|Whispering Pines|Stonebridge North|Lantern Hill|Quail Run|Red Barn|Sycamore Bend
        |Brightwater|Fern Hollow|Hickory Gate|Goldfinch|Meadowlark|Tall Oaks|River Otter|Sunny Slope
    """,
    "Middle School": """
        Granite Falls|Eastmoor|Pinecrest Valley|Lakemont|Rosewood Heights|Falcon Ridge|North
        Prairie|Millrace |Westbrook Commons|Hawthorne Glen|Iron Bridge|Cobblestone
    """,
    "High School": """
        Ridgemont Valley|Cascade Plains|Port Linden|Kingfisher|Summit Prairie|Baxter Falls|Northgate
        Harbor|Elmhaven
    """,
    "Academy": """
        Bright Harbor|Cornerstone Bluff|Daybreak|New Horizons Bay|Starling|Blue Comet|Keystone
        Prairie|Open Door |Evergreen Charter|Lighthouse Point
    """,
    "Montessori School": "Little Acorn|Stepping Stone Lane|Sunflower House",
    "Catholic School": """
        St. Bernadine|St. Ansgar|Our Lady of the Prairie|St. Columba of the Lake|Holy Lantern
    """,
    "Magnet School": "Galileo Grove|Orchard Arts|Tesla Park|Harriet Lane",
    "Dual Language School": "Puente del Sol|Dos Ríos|Nueva Aurora",
    "Community School": "Fernbrook|Marquette Flats|Tamarack|Third Street|Pullman Grove",
    "Preparatory": "Ashford College|Bellwether|Sterling Oaks",
}
CITIES = listed(
    """
        Fernbrook|Port Linden|Baxter Falls|Elmhaven|Cascade Plains|Marigold Heights|Tamarack|North
        Lakemont|Oldfield|Amberly
        """
)
#: Schools that pupils name but that stand on no list.
UNLISTED = listed(
    """
        Hidden Meadow Elementary School|Gravel Pit Road School|Cranberry Academy|Home
        school|Tri-Valley Cooperative School|Sparrow Hill Elementary|Escuela Primaria Río
        Claro|Lindgren Middle School
        """
)
