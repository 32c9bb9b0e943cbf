"""Stop words for searches: question words, function words, words about the request itself."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = _set(
    """a an the this that these those and or but nor so yet if then than because while as of in on at by for
    from to into onto with within about over under after before during between among across through against
    toward towards per via i you he she it we they me him her us them my your his its our their mine yours
    ours theirs who whom whose which what when where why how whether am is are was were be been being do
    does did done doing have has had having can could will would shall should may might must ought not no
    yes there here some any each every all both few more most other such only own same too very just also
    even still ever never really please kindly let want wants need needs like much many lot lots say says
    said tell know knows known think thinks get gets got make makes made take takes took give gives gave go
    goes went come comes came put let's i'd i'm we're i've don't doesn't didn't isn't aren't what's who's
    it's that's there's thing things way ways kind kinds sort sorts up out down off again one ones etc
    happen happens happened matter matters mean means exist exists differ actually currently"""
)
SPANISH = _set(
    """el la los las un una unos unas lo al del este esta estos estas ese esa esos esas aquel aquella aquellos
    aquellas y e o u ni pero sino si porque pues mientras como cuando donde a ante bajo con contra de desde
    durante en entre hacia hasta mediante para por segun sobre tras yo tu usted ella nosotros vosotros
    ustedes ellos ellas me te se nos os le les mi mis tus su sus nuestro nuestra nuestros nuestras quien
    quienes que cual cuales cuanto cuanta cuantos cuantas cuyo cuya cuyos cuyas ser es soy eres son era eran
    fue fueron sea sean sido siendo estar estan estaba estuvo haber ha han he hay habia hubo hace hacen
    hacer hizo hecho tener tiene tienen tuvo puede pueden poder podria podrian puedes debe deben deberia
    quiero quisiera necesito no ya tambien muy mas menos mucho mucha muchos muchas poco pocos todo toda
    todos todas cada otro otra otros otras mismo misma algun alguno alguna algunos algunas tan tanto ahi
    aqui alli asi entonces aun solo dice dicen decir dijo da dan dar dio va van ir sabe saben sabemos favor
    ejemplo cosa cosas manera maneras forma formas ocurre ocurrio pasa paso sirve significa existe existen"""
)
STOP_WORDS = {"en": ENGLISH, "es": SPANISH}
#: Words that fit any subject; dropped first when a query must be shortened.
GENERIC = _set(
    """suitable understand effect effects impact impacts role roles cause causes reason reasons importance
    influence difference differences advantages disadvantages benefits relationship evolution use uses used
    changes change changed affect affects affected help helps helped work works bring brings improve
    improves evidence background overview explain best top good main largest biggest major cost costs price
    prices pricing evaluation evaluations website websites details contact years year season current recent
    new latest including based working made different funciona funcionan efecto efectos impacto papel causa
    causas razon razones importancia influencia diferencia diferencias ventajas desventajas beneficios
    relacion evolucion uso usos cambio cambios afecta ayuda ayudan mejora pruebas contexto mejor mejores
    principales mayores coste costes costo costos precio precios evaluacion evaluaciones sitio web años ano
    anos temporada actual reciente nuevo nuevos ultimos incluyendo"""
)
#: Words that show that a question is about the present.
CURRENT = _set(
    """current currently latest recent recently today now new newest upcoming trend trends price prices pricing
    cost costs tool tools app apps software provider providers vendors product products startups market
    regulations news available best top actual actuales actualmente reciente recientes hoy ahora nuevo
    nuevos nueva nuevas tendencia tendencias precio precios coste costes costo costos herramienta
    herramientas aplicaciones proveedores productos mercado normativa noticias disponibles mejores"""
)
