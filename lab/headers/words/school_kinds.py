"""The words behind or before a school's name, and the patterns of numbered schools."""

from __future__ import annotations

from lab.samples.words.banks import listed

ELEMENTARY = listed("""
    Elementary School|Elementary School|Elementary|Elementary|Elementary|Elem.|Elem|Elem. School|El.|ES|E.S.|
    School|School|Primary School|Primary|Grade School|Grammar School|K-8|K-5|K-8 School|Academy|Charter
    School|Charter|Magnet|Magnet School|Montessori|Montessori School|Dual Language|Dual Language Academy|Fine
    Arts|STEM|STEM Academy|Community School|Bilingual School|Lower School|Learning Center|Intermediate|Public
    School|Classical|Day School|Country Day School|Christian School|Leadership Academy|Arts Magnet|Language
    Academy|Pre-K-8
""")
MIDDLE = listed("""
    Middle School|Middle School|Middle|Middle|MS|M.S.|Mid. School|Middle Sch|Jr. High|Junior High|Junior High
    School|Jr High School|JHS|J.H.S.|Intermediate School|Intermediate|Academy|K-8|Preparatory Academy|Prep|
    Charter|Magnet Middle School|School|Leadership Academy|STEM Academy|6-12|Secondary
""")
HIGH = listed("""
    High School|High School|High|High|HS|HS|H.S.|H. S.|Senior High|Senior High School|Sr. High|Academy|Prep|
    Preparatory|College Prep|College Preparatory|Early College|Early College HS|Charter HS|Charter High
    School|Academy HS|Tech|Technical High School|Vocational|Career Center|Regional High School|Community High
    School|Township HS|Magnet High School|International High School|Secondary School|7-12|Institute
""")
CATHOLIC = listed(
    "Catholic School|School|School|Parish School|Academy|Prep|Catholic|Elementary|Catholic Academy|Regional School"
)
SPANISH_KINDS = {
    "elementary": listed("""
        Escuela|Escuela|Escuela Primaria|Primaria|Esc. Prim.|Esc.|Esc. Primaria|Colegio|Escuela Elemental|
        Instituto|Academia|Centro Escolar|Escuela Bilingüe|Colegio Bilingüe
    """),
    "middle": listed("""
        Escuela|Escuela Secundaria|Secundaria|Esc. Sec.|Escuela Intermedia|Intermedia|Colegio|Instituto|
        Academia|Liceo|Escuela Media
    """),
    "high": listed(
        "Escuela|Preparatoria|Escuela Preparatoria|Prepa|Bachillerato|Colegio|Instituto|Liceo|Escuela Superior"
    ),
}
NUMBERED = listed("""
    PS {n}|P.S. {n}|PS{n}|P.S.{n}|Public School {n}|School {n}|School #{n}|School No. {n}|PS {n} The {word}
    School|P.S. {n} {person}|PS/IS {n}|PS {n}Q|Elementary #{n}
""")
NUMBERED_MIDDLE = listed(
    "IS {n}|I.S. {n}|MS {n}|M.S. {n}|JHS {n}|J.H.S. {n}|I.S.{n}|MS{n}|IS {n} {person}|School {n}|MS-{n}"
)
NUMBERED_HIGH = listed("HS {n}|District {n} High|School {n}|{word} HS {n}|Academy {n}")
ACRONYMS = listed("""
    LMS|NHS|WHS|EHS|CMS|RMS|JMS|SMS|FHS|OPRF|KIPP {town}|LAHS|BHS|TES|GES|MLK|MLK Jr.|JFK|FDR|STEM {town}|LSA|
    HPA|NPA|OLPH|OLG|SJS|STM|CICS {town}|YCCS|AMS|DHS|GWMS|TJHS|JHMS|BVES|SVMS|RBHS|HMS|PVHS
""")
MISSPELT = {
    "School": ("Scool", "Shcool", "Schol", "Skool", "Scholl", "Schoool"),
    "Elementary": ("Elemantary", "Elementry", "Elimentary", "Elamentary", "Elementery", "Elementory"),
    "Middle": ("Middel", "Midle", "Mittle"),
    "High": ("Hi", "Hihg", "Higth"),
    "Academy": ("Acadamy", "Acedemy", "Academey"),
    "Charter": ("Charder", "Chartar"),
    "Primary": ("Primery", "Primarry"),
    "Escuela": ("Esquela", "Escuala", "Ecuela"),
    "Primaria": ("Primara", "Primariya"),
}
