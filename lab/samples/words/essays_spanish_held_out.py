"""Sentences of children's essays in Spanish that occur in the held-out part only."""

from __future__ import annotations

from lab.samples.words.banks import listed

CALLED = {
    "Father": ("mi papito", "mi padre", "mi jefe", "mi apá"),
    "Grandfather": ("mi tata", "mi abuelo Chuy"),
    "Stepdad": ("mi segundo papá", "mi padrastro Raúl"),
    "Father-Figure": ("mi primo mayor", "mi tío Memo", "mi maestro de karate", "mi vecino don Lupe"),
}

SLOTS = {
    "sport": listed("atletismo|natación|boxeo|ciclismo|lucha"),
    "food": listed("chilaquiles|mole|empanadas|caldo de res|gorditas|arroz con leche|tortas"),
    "place": listed("al río|a la iglesia|al tianguis|al museo|a la feria|al bosque|a la alberca"),
    "job": listed("soldador|panadero|electricista|mesero|campesino|plomero|mecánico de aviones"),
    "trait": listed("humilde|alegre|sabio|respetuoso|tierno|inteligente|bondadoso|listo"),
    "subject": listed("geografía|gramática|música|las tablas|biología"),
    "animal": listed("pollito|burrito|pájaro|borrego|hámster"),
    "thing": listed("un columpio|una cometa|un barco de madera|una fogata|un corral|una piñata"),
    "game": listed("canicas|damas chinas|trompo|memoria|boliche"),
    "time": listed("los viernes|al amanecer|en las vacaciones|a la hora de la cena|cuando llueve"),
    "age": listed("nueve|diez|tres|once"),
    "feel": listed("grande|importante|agradecido|querido|protegido"),
    "country": listed("Honduras|Perú|Nicaragua|Venezuela|Bolivia|Cuba"),
}

OPENINGS = {
    "young": """
        Este cuento es de {who}.|No hay nadie como {who}.|{Who} tiene una sonrisa grande.|Yo tengo mucha
        suerte porque tengo a {who}.
    """,
    "middle": """
        Si alguien me pregunta qué es el amor, yo señalo a {who}.|Les presento a {who}, el hombre más
        {trait} de mi calle.|La persona que más me ha enseñado no es de la escuela, es {who}.|Sin {who}
        mi vida sería muy diferente.
    """,
    "older": """
        Cada familia tiene un motor silencioso, y en la mía es {who}.|Antes yo medía el éxito en
        trofeos; {who} lo mide en promesas cumplidas.|El olor a café y a madera siempre me recuerda a
        {who}.
    """,
}

MIDDLES = {
    "young": """
        Me empuja en el columpio.|Me hace trenzas aunque le salen chuecas.|Vemos caricaturas tapados con
        la cobija.|Silba como un pajarito.|Me recoge en su troca roja.|Contamos las estrellas.|Me deja
        ganar en {game}.|Me puso un curita en la rodilla.|Mi {animal} duerme con él.|Preparamos {food}
        para mi abuelita.|Me enseñó a amarrarme los zapatos.|Ronca como un oso.|Aplaude muy fuerte en
        mis bailables.|Sembramos frijoles y crecieron.|Hizo {thing} para mí.|Fuimos {place} y comimos
        elotes.
    """,
    "middle": """
        Nuestra costumbre {time} es ir {place}, nada más nosotros dos.|Gana su dinero de {job}, y aun
        así él mismo plancha mi uniforme.|Tardamos una semana en hacer {thing} y todavía está en el
        patio.|Quise dejar {sport}, pero me pidió que terminara la temporada.|Convierte {subject} en un
        juego con corcholatas.|Me da risa recordar cuando los {food} se cayeron al piso.|Nadie grita
        tan fuerte como él en las gradas.|Mi {animal} se perdió en una tormenta y lo buscó con una
        linterna.|Su infancia en {country} fue dura y por eso nunca desperdicia el pan.|Guarda todos
        mis dibujos en una caja de zapatos.|A los {age} años me perdí en una tienda y su voz me
        encontró.|Está aprendiendo inglés con mis libros y yo soy su maestra.|Marcó mi estatura en la
        pared de la cocina.|Jugar {game} con él dura toda la tarde.|Se levanta temprano para quitarle
        el hielo al carro de mi abuela.|Ser {trait} le sale natural.
    """,
    "older": """
        Salió de {country} a los diecinueve con un diccionario y la dirección de un primo.|Ser {job} le
        ha doblado la espalda, pero nunca el humor.|La noche en que choqué el coche, lo primero que
        preguntó fue si yo estaba bien.|No estamos de acuerdo en la música ni en la política, y
        compartimos el mismo sillón.|No da sermones: me presta una herramienta y espera.|Hubo meses en
        que su silla estuvo vacía, y los dos los recordamos.|Regresó con vergüenza y ya no se volvió a
        ir.|La paciencia, para él, es una forma de respeto.|Vendió su guitarra cuando faltó el dinero y
        dijo que ya no la necesitaba.|Algún día quisiera darle el descanso que se ha ganado.
    """,
}

CLOSINGS = {
    "young": "¡Eres el mejor, papito!|Mi corazón está lleno de él.|Le doy un millón de estrellas.",
    "middle": """
        Nadie podría ocupar su lugar.|Por todas estas razones escogí escribir de {who}.|Llevaré sus
        consejos adonde quiera que vaya.|Nunca cambies, te lo pido de corazón.
    """,
    "older": """
        Todavía estoy aprendiendo a merecerlo.|Me dio raíces, y últimamente me da espacio.|Esta hoja es
        muy pequeña para todo lo que {who} ha hecho.
    """,
}

REACTIONS = """
        No tengo palabras, solamente lágrimas. Eres mi regalo.|Ser tu padre es el mejor trabajo que he
        tenido.|Voy a poner tu carta en un marco en mi taller.|Te prometo que voy a seguir
        esforzándome, mi campeona.
    """

TITLES = listed("Alguien especial|Mi súper papá|Manos grandes|Mi maestro de vida|Querido papá")
MISSPELT = {
    "hijo": "ijo",
    "hacer": "aser",
    "vida": "bida",
    "siempre": "ciempre",
    "zapatos": "sapatos",
    "aprendiendo": "aprediendo",
}
