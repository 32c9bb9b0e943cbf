"""Lexicon of requests in English and Spanish, in lower case without accents."""

from __future__ import annotations

import re


def word_set(text: str) -> frozenset[str]:
    """The words of a text, once each."""
    return frozenset(text.split())


#: Imperatives and other verbs that ask for items.
LISTING = word_set(
    """dig unearth list identify find name give get recommend suggest propose show provide supply compile
    collect gather compare contrast rank select choose pick highlight enumerate catalog catalogue cite state
    tell mention locate discover curate shortlist nominate spot source fetch search look offer produce
    create make write draft generate build prepare tabulate assemble pull put come think send bring deliver
    share hunt seek point call order sort track research pinpoint see hear have quote return display present
    note specify itemize itemise inventory try examine include add spell furnish retrieve obtain procure extract
    set lay walk advise jot round sketch spotlight feature rate recap illustrate define brainstorm devise design
    formulate develop"""
)
#: Imperatives that may also ask for a narrative, of which "the 3 branches" after them is the subject.
EXPLAINING = word_set(
    """describe explain discuss analyse analyze evaluate assess review outline profile summarise summarize
    survey cover detail investigate explore study map report consider trace examine clarify elaborate debate
    interpret"""
)
WANTING = word_set("""seek need want like looking after searching seeking require appreciate hoping love""")
#: Stems and endings of imperatives, infinitives and first persons, with enclitic pronouns.
_SPANISH_ASKING = re.compile(
    r"^(?:(?:enumer|list|enlist|identifi[cq]u?|nombr|mencion|cit|bus[cq]u?|encuentr|encontr|localic|localiz|recomiend|recomend"
    r"|sugier|suger|propon|propong|muestr|mostr|present|indi[cq]u?|señal|senal|selec+ion|elig|elij|eleg|escog|escoj"
    r"|compar|orden|recopil|reun|prepar|elabor|hag|hac|haz|necesit|quier|quisier|cre|gener|apunt|anot|detect|reco[gj]"
    r"|consig|consegu|aport|ofre[cz]c?|proporcion|facilit|cuent|descubr|investi[gc]u?|investiga|incluy|incluir|confeccion"
    r"|redact|produ[cz]c?|ayud|aconsej|sum|averigu|rastre|pid|deseo|dese|gustaria|clasifi[cq]u?"
    r"|plante|formul|defin|disen|invent|ilustr|resen|solicit|requier|agrade[zc]c?|precis|rastre|redondea)"
    r"(?:a|e|o|i|ar|er|ir|en|an|ad|amos|emos|iera|ria|ue|ed|id|ando|iendo)?(?:me|nos|le|les|lo|los|las)?"
    r"|d[aei](?:me|nos|r|rme|rnos)?|de(?:me|nos|n)|dig(?:a|an)(?:me|nos)?|decir|haz(?:me|nos)?|pon(?:me|nos)?|ten|lista)$"
)
_TO_ME = re.compile(r"^[a-z]{2,}[aeu](?:me|nos)$")
_NO_IMPERATIVE = word_set(
    """informe uniforme conforme menos buenos llenos ajenos plenos extreme supreme theme scheme meme"""
)
_SPANISH_EXPLAINING = re.compile(
    r"^(?:describ|expli[cq]u?|anali[zc]|evalu|coment|resum|discut|detall|estudi|examin|trat|expon|desarroll|valor)"
    r"(?:a|e|o|ar|er|ir|en|an|amos|ga)?(?:me|nos|le|lo|los|las)?$"
)
#: Particles between an asking verb and its object.
PARTICLES = word_set("for out up at with together down of into through by toward towards forward")
NARRATIVE_OPENERS = word_set(
    """how why when whether does do did is are was were can could should will would has have had"""
) | word_set(
    """como cuando cuanto cuanta cuantos cuantas donde es son fue fueron existe existen hay puede pueden debe
    deben"""
)
HOW = word_set("how why como")
AUXILIARIES = word_set(
    """is are was were has have had do does did es son era eran fue fueron ha han habia hay tiene tienen"""
)
#: "For a class of 25, three experiments": what goes before the comma is the occasion.
FRAMING = word_set("for para about sobre re topic tema")
#: Words that at the end of a clause request what it names: "six case studies needed".
REQUIRED = word_set("needed wanted required sought requested welcome appreciated do suffice please pls plz")
#: A question with a number and one of these asks for a judgement, not for items.
JUDGING = word_set(
    """enough too ok okay fine good bad safe better worse best worth true real normal legal vs versus or much many
    suficiente suficientes bastante demasiado demasiados demasiadas bien mal bueno malo mejor peor seguro o"""
)
RELATIVES = word_set("that which who que whose where cuyo cuya cuyos cuyas")
ARTICLES = word_set(
    """the los las el la these those this its their our my your his her estos estas sus mis nuestros unos unas"""
)
PRONOUNS = word_set("me us them nos")
#: Words on quantity between the verb and the number.
QUANTIFIERS = word_set(
    """at least most up to about around approximately roughly exactly only just some any no more fewer than
    over nearly almost maximum minimum max min limit all a an another other further additional different
    between al menos como minimo maximo hasta unos unas alrededor aproximadamente exactamente solo otros
    otras mas entre cerca casi todos todas"""
)
_STRONG_QUANTIFIERS = word_set(
    """least up about around approximately roughly exactly maximum max limit menos minimo maximo hasta"""
)
RANKING = word_set(
    """top best worst leading most foremost greatest main major key biggest cheapest first last next latest"""
) | word_set(
    """mejores peores principales mayores menores mejor peor primeros primeras ultimos ultimas proximos
    proximas top"""
)
MERELY_MAIN = word_set("main key major principales claves")
SEQUENCE = word_set(
    """first last next past previous final primeros primeras ultimos ultimas proximos proximas pasados"""
)
_NOT_SUPERLATIVE = word_set(
    """forest interest request protest contest harvest west east test guest quest chest nest rest arrest invest
    suggest digest modest honest priest conquest crest manifest tempest fest pest vest jest zest midwest
    northwest southwest"""
)
#: Nouns for a list or collection.
LIST_NOUNS = word_set(
    """list lists table ranking set selection shortlist catalog catalogue directory roundup compilation
    inventory spreadsheet overview comparison collection index register summary group series sample bibliography
    anthology roster glossary batch handful playlist panel digest bibliografia antologia glosario nomina lista
    listado tabla cuadro seleccion catalogo directorio inventario conjunto comparacion comparativa relacion
    recopilacion serie grupo indice registro muestra"""
)
#: Details of items, named before them: "the names of six clinics".
DETAIL_NOUNS = word_set(
    """name names address addresses phone number numbers contact contacts details price prices cost costs
    example examples link links url urls website websites title titles profile profiles biography
    biographies description descriptions image images photo photos date dates author authors summary
    summaries review reviews email emails particulars information info
    bios quotes samples copies population capital capitals ejemplo ejemplos nombre nombres precio
    precios coste costes costo costos direccion direcciones telefono telefonos enlace enlaces titulo titulos
    informacion biografia biografias ficha fichas descripcion descripciones resumen datos perfil perfiles"""
)
POLITE = word_set(
    """please pls plz kindly and then also or but now first finally next just let can could would will you i we
    id ill wed help to me us let's lets am are 'm i'm we're i'd we'd i've hello hi dear additionally too plus so
    again thanks estoy estamos por favor y e o luego tambien ademas ahora primero despues finalmente puedes
    puede podrias podria podeis nos que quiero quisiera necesito deseo a hola gracias ayudame gustaria
    asimismo pero anyone anybody someone somebody alguien"""
)
PREPOSITIONS = word_set(
    """of with for in on from at to by about across among between under over during since before after within
    without into including as than via per de con para en por sobre entre desde hasta segun sin contra ante
    durante del al y o and or but, que that which who where whose when because while if whether why how like
    such"""
)
MONTHS = word_set(
    """january february march april may june july august september october november december enero febrero
    marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre"""
)
DURATIONS = word_set(
    """seconds minutes hours days weeks months years decades centuries weekends nights quarters semesters terms
    segundos minutos horas dias semanas meses años anos decadas siglos noches trimestres semestres cursos"""
)
#: Singular nouns that form an adjective with a number: "24 hour pharmacies", "4 star hotels".
MEASURES = word_set(
    """second minute hour day week month year decade century star bedroom bed room person seat seater door mile
    kilometre kilometer metre meter foot inch litre liter gallon watt volt ton tonne pound dollar euro peso
    cent page word credit gigabyte megabyte point player step stage speed wheel cylinder stroke phase way
    dimensional digit letter bit core k km m cm mm kg g mg ml l lb lbs oz ft kw mw gw kwh mwh w v hz khz mhz
    ghz gb tb mb mph kph degree degrees celsius fahrenheit grados grado pc pm am h hr hrs min mins sec x st
    nd rd th parent"""
)
#: Words that make a number before them a share, a sum or a magnitude.
NOT_ITEMS = word_set(
    """% percent percentage per cent pct ciento $ € £ ¥ dollars euros pounds pesos soles usd eur gbp cents
    centavos dolares libras million millions billion billions trillion thousand hundred mil millon millones
    billones bn kilometres kilometers miles metres meters kilos kilograms tonnes tons litres liters gallons
    hectares acres feet inches watts megawatts gigawatts volts kilometros metros toneladas litros hectareas
    vatios megavatios old years-old ago later out degrees grados points puntos times veces"""
)
#: Parts of the requested text, not of its subject.
FORM_NOUNS = word_set(
    """paragraph paragraphs page pages word words sentence sentences slide slides bullet bullets line lines
    section sections chapter chapters parrafo parrafos pagina paginas palabra palabras frase frases
    oraciones diapositivas lineas apartados secciones folios capitulos"""
)
ABOUT = word_set("""on about explaining describing summarising summarizing sobre acerca explicando , and y""")
SOURCE_NOUNS = word_set("sources references citations footnotes fuentes referencias citas")
#: Asking verbs that are also nouns; the next word must show that they ask.
ALSO_NOUNS = word_set(
    """study research review report map order point sample draft share track trace note present source state
    name place survey profile outline cover detail call sort spot hunt search look offer produce display
    debate return lista cita muestra orden estudio trato cuenta presenta compra trata resumen crea include
    add pull need like set walk extract round sketch feature rate design"""
)
#: Verbs that ask for a list even without a count.
INVENTORY = word_set("list enumerate catalog catalogue tabulate itemize itemise shortlist compile")
#: Abstract nouns: the best of these call for a discussion, not a list.
ABSTRACT = word_set(
    """practices ways strategies methods approaches interests results outcomes predictors reasons causes
    effects ideas arguments conditions steps answers indicators policies athletes people practicas formas
    maneras estrategias metodos resultados razones causas efectos argumentos condiciones pasos politicas
    indicadores"""
)
#: Function words that may occur within an object's noun phrase.
BARE = word_set("a an the all every some me us una un la los las el todos todas of")
IRREGULAR_PLURALS = word_set(
    """people children men women feet teeth mice geese criteria phenomena data media species series fish sheep
    alumni fungi bacteria aircraft salmon deer bison offspring staff police cattle personnel hypotheses
    theses indices matrices syllabi curricula stimuli nuclei foci cacti larvae algae formulae memoranda
    strata libretti concerti paparazzi graffiti hipotesis tesis crisis analisis sintesis dosis virus"""
)
#: Words or endings in -s that are not plural.
_SINGULAR_S = re.compile(r"(?:ss|us|is|'s|’s)$")


def is_asking(word: str) -> bool:
    """Return whether a verb asks for items."""
    return word in LISTING or bool(_SPANISH_ASKING.match(word)) or is_to_me(word)


def is_to_me(word: str) -> bool:
    """Return whether a word is a Spanish imperative with "me" or "nos": "tráeme", "pásanos"."""
    return bool(_TO_ME.match(word)) and word not in _NO_IMPERATIVE


def is_explaining(word: str) -> bool:
    """Return whether a verb asks for an explanation."""
    return word in EXPLAINING or bool(_SPANISH_EXPLAINING.match(word))


def is_ranking(word: str) -> bool:
    """Return whether a word is a superlative that selects from many: top, largest, mejores."""
    return word in RANKING or (word.endswith("est") and len(word) > 5 and word not in _NOT_SUPERLATIVE)


def is_plural(word: str) -> bool:
    """Return whether a noun may be plural, by its form."""
    return word in IRREGULAR_PLURALS or (len(word) > 2 and word.endswith("s") and not _SINGULAR_S.search(word))


def limits(word: str) -> bool:
    """Return whether a word before a number can only qualify how many items are wanted."""
    return word in _STRONG_QUANTIFIERS
