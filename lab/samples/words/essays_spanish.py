"""Sentences of children's essays in Spanish, by part of the essay and age."""

from __future__ import annotations

from lab.samples.words.banks import listed

CALLED = {
    "Father": ("mi papá", "mi padre", "mi papi"),
    "Grandfather": ("mi abuelo", "mi abuelito"),
    "Stepdad": ("mi padrastro",),
    "Father-Figure": ("mi tío", "mi padrino", "mi entrenador", "mi hermano mayor"),
}

SLOTS = {
    "sport": listed("fútbol|béisbol|baloncesto|voleibol|tenis"),
    "food": listed("tamales|enchiladas|arroz con pollo|quesadillas|pozole|arepas|sopa de fideo|pupusas"),
    "place": listed("al parque|a la playa|al zoológico|a la biblioteca|al cine|al mercado|al lago"),
    "job": listed("mecánico|cocinero|carpintero|pintor|maestro|jardinero|albañil|enfermero|chofer"),
    "trait": listed("paciente|cariñoso|trabajador|valiente|generoso|honesto|fuerte|amable|gracioso"),
    "subject": listed("matemáticas|lectura|ciencias|inglés|ortografía|historia"),
    "animal": listed("perro|gato|conejo|perico|pez"),
    "thing": listed("una casita para pájaros|un papalote|un librero|un jardín|una bicicleta|una mesa"),
    "game": listed("lotería|dominó|ajedrez|cartas|las escondidas"),
    "time": listed("todos los sábados|los domingos|después de la escuela|cada noche|en el verano"),
    "age": listed("cuatro|cinco|seis|siete|ocho"),
    "feel": listed("feliz|tranquilo|orgulloso|seguro|contento"),
    "country": listed("México|Guatemala|Colombia|El Salvador|Ecuador|Puerto Rico"),
}

OPENINGS = {
    "young": """
        Yo quiero mucho a {who}.|{Who} es el mejor del mundo.|{Who} es mi héroe.|Voy a hablar de
        {who}.|{Who} es muy {trait}.
    """,
    "middle": """
        Lo que significa {who} para mí es difícil de explicar con pocas palabras.|{Who} es una de
        las personas más importantes de mi vida. |Cuando pienso en alguien {trait}, pienso en
        {who}.|Hay muchas razones por las que quiero tanto a {who}. |Todos tienen un héroe y el mío
        es {who}.
    """,
    "older": """
        Si me preguntan a quién admiro, respondo sin dudar que a {who}.|Durante mucho tiempo no
        entendí todo lo que {who} hacía por nosotros. |En nuestra casa el despertador suena a las
        cuatro y media de la mañana, y es de {who}. |Un padre no es solo quien te da su apellido,
        sino quien está presente, y {who} siempre ha estado.
    """,
}

MIDDLES = {
    "young": """
        Jugamos {sport} juntos.|Me lleva {place}.|Me hace {food}.|Me lee cuentos en la noche.|Me
        abraza cuando estoy triste. |Él trabaja de {job}.|Tenemos un {animal} y él lo cuida.|Me
        ayuda con la tarea de {subject}.|Me carga en sus hombros. |Me hace reír mucho.|Hicimos
        {thing}.|Cantamos en el carro.|Me dice que soy inteligente.|Cuando me caigo, él me levanta.
        |Me da besos y abrazos.|Me gusta jugar {game} con él.|Baila muy chistoso.|Siempre me dice te
        quiero.
    """,
    "middle": """
        {Time_cap} vamos {place} y platicamos de todo.|Trabaja de {job} y, aunque llega cansado,
        siempre me pregunta cómo me fue. |El verano pasado construimos {thing} y me dejó usar el
        martillo.|Me enseñó a jugar {sport} cuando yo tenía {age} años. |Cuando no entendía
        {subject}, se sentó conmigo en la mesa hasta que lo aprendí.|Siempre dice que hay que
        levantarse una vez más de las que uno se cae. |Uno de mis recuerdos favoritos es cuando
        cocinamos {food} y se nos quemó todo.|Nació en {country} y me cuenta historias de su niñez.
        |A veces quisiera que tuviera más tiempo, porque tiene dos trabajos.|Cuando se enfermó mi
        {animal}, se quedó despierto conmigo toda la noche. |No me grita cuando me equivoco; me
        pregunta qué aprendí.|Me enseñó a decir gracias y por favor.|De él aprendí a ser {trait}.
        |Vino a todos mis partidos, hasta al que jugamos bajo la lluvia.|Mi mamá dice que tengo su
        sonrisa, y eso me hace sentir {feel}. |Ayuda a los vecinos a quitar la nieve sin
        cobrarles.|Lo que más me gusta es jugar {game} con él.
    """,
    "older": """
        Llegó de {country} con una sola maleta, y todavía la guarda en el clóset.|Trabaja de {job} y
        sus manos cuentan la historia mejor que yo. |Cuando reprobé mi examen de {subject}, no se
        enojó: acercó una silla y abrió el libro.|Hubo años en que casi no hablábamos, y no fue
        fácil. |Me enseñó que pedir perdón no es debilidad.|Antes me daba pena su acento; ahora
        escucho en él todo el camino que recorrió por nosotros. |Nunca faltó a una junta de la
        escuela, ni siquiera después de doblar turno.|Me gustaría que pasáramos más tiempo juntos,
        sin teléfonos y sin prisa. |Nuestras mejores pláticas son en el carro, cuando los dos
        miramos hacia adelante.|Ser {trait} es una decisión que él toma todos los días. |Gracias a
        él ayudo en mi comunidad {time}.|No tenía por qué hacerlo, pero me cuidó como a un hijo.
    """,
}

CLOSINGS = {
    "young": "¡Te quiero mucho!|Por eso lo quiero.|Quiero ser como él.|Gracias por todo.|Fin.",
    "middle": """
        Por eso {who} es mi héroe.|Ojalá que un día yo sea como él.|Gracias por todo lo que haces
        por mí. |No lo cambiaría por nada en el mundo.|Cuando sea grande quiero ser tan {trait} como
        él.
    """,
    "older": """
        Si llego a ser la mitad de lo que él es, estaré satisfecho.|Eso es lo que {who} significa
        para mí, hoy y siempre. |Espero que sepa cuánto se lo agradezco, porque no se lo digo lo
        suficiente.
    """,
}

REACTIONS = """
        Estoy muy orgulloso de ti, mi amor. Gracias por tus palabras.|Me hiciste llorar de alegría.
        Te quiero mucho. |Gracias, hijo. Tú eres la razón por la que trabajo tanto.|Qué bonito
        ensayo. Lo voy a guardar para siempre.
    """

TITLES = listed("Mi papá|Mi héroe|Lo que mi padre significa para mí|Gracias, papá|Mi abuelo y yo")
MISSPELT = {
    "hacía": "asia",
    "también": "tambien",
    "quiero": "kiero",
    "héroe": "eroe",
    "porque": "por que",
    "está": "esta",
}
