"""How a grade is written: {n} is the number, {nth} 4th, {word} fourth, {Word} Fourth, {c} four, {r} IV."""

from __future__ import annotations

from lab.samples.words.banks import listed, words

ROMAN = words("0 I II III IV V VI VII VIII IX X XI XII")
CARDINAL = words("zero one two three four five six seven eight nine ten eleven twelve")
ORDINAL = words("zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
SPANISH = words("cero primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo")
SPANISH_SHORT = words("0 1ro 2do 3ro 4to 5to 6to 7mo 8vo 9no 10mo 11vo 12vo")
YEARS = {9: "freshman", 10: "sophomore", 11: "junior", 12: "senior"}
MISSPELT = {
    1: words("frist furst fist 1th 1rst"),
    2: words("secend secind 2ed 2th sekond secon"),
    3: words("therd thrid 3erd 3th 3ed"),
    4: words("forth fouth 4rth forht"),
    5: words("fith fifht 5ht fift"),
    6: words("sixt sixith 6ht"),
    7: words("sevinth sevnth 7ht"),
    8: words("eigth eith 8ht"),
}
WHOLE = listed("""
    {nth} grade|{nth} Grade|{nth} grade|{word} grade|{Word} Grade|{nth}-grade|Grade {n}|grade {n}|Grade {n}|
    grade {c}|Gr. {n}|Gr {n}|gr.{n}|gr {n}|G{n}|GR{n}|Gr.{n}|Grade {C}|{nth}|{nth}|{nth}|{word}|{Word}|{nth}
    gr.|{nth} gr|{nth} Gr.|{nth} grader|{word} grader|{n}|{n}|{n}|{r}|Grade {r}|Grade-{n}|{NTH} GRADE|{n} {th}
    grade|{nth}grade|Grade{n}|Grade #{n}|{n}°|{nth} Grader|{NTH}|GRADE {n}|gr. {n}|Gr: {n}|Grd {n}|{nth} GR|
    Grade {word}|{Word} grade|{Word} Grader|gr-{n}
""")
SPANISH_WHOLE = listed("""
    {nth}|{nth}|{nth} grado|{nth} grado|{nth} Grado|grado {n}|Grado {n}|Grado {word}|{word}|{Word}|{word}
    grado|{Word} Grado|{nth}. grado|{n}|{nth} año|{NTH} GRADO|gdo. {n}|{nth}.
""")
PRIMARY_WHOLE = listed("{nth} de primaria|{word} de primaria|{nth} Primaria|{n} de primaria")
KINDER = listed("""
    K|K|K|Kindergarten|kindergarten|Kindergarten|Kinder|kinder|KG|Kdg.|Gr. K|Grade K|kindergarden|kinder
    garden|kindergarter|Kindergarden|K grade|kindergardin|Kinder-garten|kindr|kindergartener|Kindergartner|
    grade k|Kindergarden
""")
SPANISH_KINDER = listed("Kínder|kínder|Kinder|kinder|K|Kindergarten|kinder garten|kínder")
