"""Sentences of pupils' essays in Spanish that the training openings continue with."""

from __future__ import annotations

from lab.samples.words.banks import listed

YOUNG = listed("""
    Mi papá es muy bueno.|yo kiero mucho a mi papa por que juega con migo.|Mi papá se llama {dad} y es alto.|
    mi papi me compra nieve los domingos.|Mi papá tiene un carro rojo.|Yo tengo {num} años y mi papá tiene
    muchos.|Mi papi me carga en sus hombros y toco el techo.|mi papa trabaja en la noche.|Mi abuelito {dad} es
    como mi papá.|Me gusta cuando mi papá hace voces de oso.|Mi papá me hace trenzas y le quedan chuecas.|mi
    papa me yeva a la escuela en la bici.|Mi papá es el mejor papá del mundo mundial.|Mi papá sabe silbar muy
    fuerte.|Mi papi me dice mi reina.|mi papá me enseño a nadar.|Él me da un beso en la frente y apaga la
    luz.|Mi papá le tiene miedo a las arañas pero yo no.|Mi papá trabaja en la construcción y su casco es
    amarillo.|Te quiero papi.|mi papá ase tortillas redonditas.|Mi tío {dad} me recoge de la escuela.|Cuando
    me caigo mi papá sopla y se me quita.|Tengo un papá y un perro que se llama {sib}.
""")

MIDDLE = listed("""
    Mi papá, {father}, trabaja en un restaurante y llega oliendo a cilantro.|Mi papá se llama {father} y nació
    en un pueblo que no sale en el mapa.|{father} es mi abuelo, pero para mí es mi papá.|Mi padrastro {dad}
    llegó a mi vida cuando yo tenía {num} años.|Cuando mi papá se ríe se oye hasta la esquina.|La maestra nos
    pidió escribir de alguien importante y yo levanté la mano primero.|Mi papá solo fue a la escuela hasta
    tercer grado.|Mi papá dice que el trabajo no mata, pero cansa.|Los sábados vamos a la lavandería y jugamos
    a adivinar de quién es cada calcetín.|Mi tío {person} no tiene hijos, pero me tiene a mí.|En segundo grado
    mi papá me acompañó todos los días porque yo lloraba.|Mi papá tiene {num} hermanos y es el más chiquito.|
    Mi hermano {sib} va en quinto y él también quiere escribir.|Para mí un padre es el que está.|Mi papá
    guarda mis dibujos en la guantera.|Mi papá maneja un camión y nos manda fotos de las nubes.|Lo que más me
    gusta de mi papá es que no le da pena bailar.|Mi papá conoció a mi mamá en la secundaria {oldschool}.|El
    año pasado {oldteacher} decía que yo hablo como él.|Mi papá estudió hasta sexto en la
    escuela {oldschool}.|Mi padrino {person} me regaló mi primer balón.|A mi papá le dicen {sib}, pero se
    llama {father}.|Mi papá habla poco y cocina mucho.|El {date} mi papá por fin llegó a la casa.|Mi papá me
    enseñó a leer con los letreros de la calle.|Todos los papás de mi salón tienen carro, el mío tiene
    bicicleta.|En mi casa somos {num} y un solo papá.|Mi héroe no usa capa, usa botas.|Mi entrenador,
    {oldteacher}, es como un padre para todos.
""")

OLDER = listed("""
    {father} cruzó el río con una bolsa de pan y mi fotografía.|Mi padre y yo nos entendemos mejor cuando no
    hablamos.|Durante años conté los días que faltaba mi padre.|Hay hombres que hablan con las manos; mi
    padre, {father}, es uno de ellos.|El primer recuerdo que tengo de mi papá es su espalda.|Mi padre dejó la
    escuela en noveno grado para que mis tíos pudieran terminar.|Nunca le he dicho a mi padre que lo oí
    llorar.|En mi casa el silencio es herencia.|Mi abuelo firmaba con el dedo.|No heredé su apellido, pero sí
    su forma de caminar.|¿Qué significa un padre cuando vive a tres mil kilómetros?|Mi padre se graduó de la
    preparatoria {oldschool} a los cuarenta años.|El director, {oldteacher}, fue el primero que me llamó
    hijo.|A los dieciséis, mi papá ya mantenía a {num} personas.|Mi padre no sabe qué es un ensayo, pero me
    preguntó si ya lo había terminado.|La distancia también cría.
""")

#: Openings with the name of him whom the essay is about, or of somebody else.
CALLED = listed("""
    {father} es mi papá.|{father} nunca quiso ser un héroe.|{father} llegó a este país a los {num} años.|
    {father}, mi papá, se levanta antes que los pájaros.|{dad} no es mi papá de sangre.|{dad} es mi padrastro
    y lo quiero mucho.|Don {dad} es mi abuelo.|<person:Don >{dad} vende elotes.|Mi tío {dad} me cuida.|Se
    llama {father}.|Su nombre es {father}.|Él se llama {dad}.|Les voy a contar de {father}.|Quiero hablar de
    {father}.|Mi héroe es {father}.|{person} es mi mamá y también mi papá.|Mi papá, {father}, vino de muy
    lejos.|Mi papi se llama {dad}.|{dad} mi papá es pintor y {dad} mi hermano también.|Mi abuelo, {father},
    firmaba con una cruz.|A mi abuelo le dicen don {dad}.|Me iban a poner {sib}.|{sib} y yo tenemos el mismo
    papá.|{oldteacher} nos preguntó quién era nuestro héroe.|Cuando {father} tenía diez años dejó la escuela
    {oldschool}.|Para mí, {father} es solo papá.|Este ensayo es sobre {father}.|Mi padrino {father} es como mi
    papá.|El entrenador {dad} me enseñó todo.|{father} trabaja en la {oldschool} de conserje.
""")
GREETINGS = listed(
    "Apá:|Querido papá:|Querido papá,|Papá:|Hola papi,|Para mi papá:|Estimados jueces:|Hola,|Querido {dad}:"
)

TRAPS = listed("""
    En tercer grado mi papá ganó un concurso en la escuela {oldschool}.|Mi papá solo llegó hasta segundo
    grado.|Mi hermana {sib} va en kínder.|{oldteacher} me dio clase en primero.|Cuando yo iba en
    cuarto mi papá se enfermó.|El 5 de mayo vino a verme.|Mi primo {sib} estudia en la {oldschool}.|Mi mamá,
    {person}, dice que somos iguales.|Trabaja en el salón 12 del hotel.|Mi tío es maestro de sexto en
    {oldschool}.|Él tenía {num} años cuando dejó la escuela.
""")

MORE = listed("""
    Siempre me espera en la puerta.|No sé cómo le hace.|Ese día lo entendí.|Él dice que no fue nada.|Todavía
    lo tengo guardado.|Nos reímos hasta que se enfrió la sopa.|Nunca ha faltado.|Ojalá lea esto.|Se levanta a
    las cuatro.|Lo arregló con cinta y un clavo.|Mi mamá dice que soy igualito.|Yo quiero ser así.|Llueve o no
    llueve, él llega.|Me da la mitad de su torta.|Desde entonces ya no tengo miedo.|Nadie se lo pidió.|Por eso
    lo escogí.|Se hace el fuerte.|Un día le voy a comprar una casa.|Me lo enseñó con paciencia.
""")

#: Sentences with names of places and things.
PLACES = listed("""
    Puebla queda lejos, pero mi papá la cocina los domingos.|En {town} todos conocen la troca de mi papá.|
    Guadalajara es donde
    nació mi papá.|San Antonio lo encuentra todo, dice mi papá.|La escuela le gustaba, pero tuvo que
    trabajar.|El
    12 de diciembre cantamos las mañanitas.|Chicago era frío y él no traía chamarra.|Dios y mi papá saben por
    qué.|Home Depot es su segunda casa.|La maestra de mi papá le pegaba con una regla.|El grado de mi papá en
    el ejército era sargento.|El salón de fiestas se llama como mi abuela.|Navidad sin mi papá no es
    Navidad.|Tres
    cosas le gustan: la sopa, el box y mi mamá.|9 personas vivimos en {num} cuartos.|Primero está la familia,
    dice mi
    papá.|Segundo de nueve hijos, mi papá aprendió a compartir.|Cuarto menguante: mi papá sabe de la luna.|El
    {date} le
    dieron sus papeles.
""")
INTROS = listed("""
    Hola, me llamo {name} y voy en {ordinal} en la {school}.|Me llamo {name}.|Hola soy {given} y tengo {num}
    años.|Mi nombre es {name} y estudio en {school}.|Yo soy {given}, de {ordinal} grado.|Soy {name} y voy a la
    escuela {school}.|Voy en {gradenoun} con {teacher}.|Estoy en {gradenoun} en {school}.|Hola me
    yamo {given} y boy en {ordinal}.|Soy estudiante de {gradenoun} de la {school}.|Mi nombre es {name}, soy
    alumno de {gradenoun}.|Yo me llamo {given} y mi maestra es {teacher}.|Hola, soy {name} de {school}.|Voy en
    {ordinal} y mi escuela es {school}.|Buenos días, mi nombre es {name} y curso el {gradenoun}.
""")
