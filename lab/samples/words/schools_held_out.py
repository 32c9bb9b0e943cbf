"""Schools of the held-out part, by kind, and the towns that they stand in: none of them occurs in development."""

from __future__ import annotations

from lab.samples.words.banks import listed

PLACES = {
    "Elementary School": """
        Amelia Thornbury|Wheatland|Bay Laurel|Gristmill|Mulberry Square|Stone Arch|Canal Street|Buttonwood|Josiah
        Penn|Sugar Maple|Dogwood Terrace|Cottonwood|Three Rivers|Rolling Acres|Milkweed|Shepherd's Gate|Whitcomb
        Avenue|Aspen Court|Sunrise Mesa|Robin Lane|Beacon Point|Pumpkin Vine|Eagle Rock|Henrietta
        Vale|Saddlebrook|Orchid Springs|Tinley Woods|Wagon Trail|Ferry Landing|Bluebonnet|Chestnut Row
    """,
    "Middle School": """
        Silas Greenleaf|Timber Falls|Crestline|Walnut Plaza|Arrowhead|Grand Meadow|Otter Creek|Belvidere
        Park|Sagamore|Carriage House
    """,
    "High School": "Great Bend|Foundry Park|Lincolnwood East|Thunder Bay|Millbrook Central|Ironwood|Zion Heights",
    "Intermediate School": "Crossroads|Barrington Pond|Sandhill|Pioneer Trail",
    "Primary School": "Duckling|Ladybug Lane|Morning Glory|Teal Lake",
    "Charter School": "Compass|Ascend Lakeshore|Horizon Peak|Polaris|Liberty Grove",
    "Christian School": "Grace Valley|Cornerstone Hills|Living Waters",
    "Parish School": "St. Dymphna|St. Wenceslas|Our Lady of the Harvest|Saints Cyril & Clare",
    "Fine Arts School": "Vivaldi|Josephine Marsh|Gallery Street",
    "STEM School": "Curie Crossing|Turing|Orbit",
    "Bilingual School": "Camino Real|Las Golondrinas|Voces del Lago",
    "School": """
        Nathaniel Brooks|Rosa Delacourt|Wendell Pryor|Octavia Hale|Ezekiel Marsh|Lucille Ferris|Booker
        Langston|Clara Whitmore
    """,
}
CITIES = listed(
    """
        Gristmill|Belvidere Park|Thunder Bay|Saddlebrook|Kettering Grove|Millbrook|Wheatland|Ironwood
        City|Larchmont Falls|Oakdale Junction
        """
)
#: Schools that pupils name but that stand on no list.
UNLISTED = listed(
    """
        Copperfield Lane Elementary School|Wintergreen Academy|Escuela Benito Luna|Quarry Hill School|Homeschool|
        Lost Lake Middle School|Sandpiper Primary School|Valley Forge Road School
        """
)
