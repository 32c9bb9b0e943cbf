"""Titles of essays."""

from __future__ import annotations

from lab.samples.words.banks import listed

ENGLISH = listed("""
    My Dad|My Dad|My Father|My Hero|My Dad My Hero|What My Father Means to Me|What my dad means to me|What My
    Father Means To Me|What Does My Father Mean to Me?|My Best Friend|The Best Dad Ever|Best Dad Ever!!!|My
    Super Dad|Dad|DAD|Daddy|Papa|Father|My Papa|My Stepdad|My Step Dad {dad}|My Grandpa|My Grandfather, the
    {trade}|My Uncle {dad}|Uncle {dad}|Tío {dad}|Coach {dad}|Pastor {dad}|{dad}|{dad}|{father}|Mr. {last}|My
    {dad}|A Man Named {dad}|The Man They Call {dad}|"{dad}": An Essay About My Father|{dad} and Me|Me and
    {dad}|Dear {dad}|Letter to {dad}|A Letter to My Father|Dear Dad|To My Dad|For My Father|In Memory of
    {father}|Why {dad} Is My Hero|My Father, {father}|{father}: A Life|Big {dad}|My Brother, My Father|The
    {thing}|The {thing} and the {thing}|My Father's {thing}|My Dad's {thing}|A {thing} Full of {thing}s|The
    Last {thing}|Two {thing}s|Learning to Drive|Learning to Stay|The Art of Showing Up|How to Fix a Sink|The
    Night Shift|Third Shift|4:30 A.M.|Room 214|Seat 12B|Grade A Dad|First Grade Again|Middle School Lessons|
    The Senior|My Junior High Hero|Kindergarten Tears|School of Dad|Home School|The Teacher at Home|My First
    Teacher|My Favorite Teacher|Lessons from {dad}|Lessons My Father Taught Me|Ten Things About My Dad|5
    Reasons I Love My Dad|Reasons Why I Love {dad}|My Dad Is Cool|My Dad is the Best|my dad is awsome|my dad|i
    love my dad|all about my dad|ALL ABOUT MY DAD|my hero is my dad|The Strongest Man I Know|The Quiet Man|A
    Quiet Kind of Love|Love in Spanish|The Man Behind the Wheel|Absent|Gone Fishing|Half a Sandwich|The Empty
    Chair|What He Left|What Stayed|When He Laughs|If My Father Were a River|Grown|Angel|Hope|Grace|April|
    August|My Lincoln|Jordan|My Anchor|My Rock|My Everything|My Shield|King of the Grill|Superman Wears Boots|
    A Hero in Work Boots|Not All Heroes Wear Capes|More Than a Dad|More than a Father|Being a Father|
    Fatherhood|Father Figure|My Father Figure|A Father Figure|The Meaning of Father|What Is a Father?|Who Is
    My Father?|My Other Father|Two Dads|My Foster Dad|My Real Dad|The Dad Who Chose Me|Thanks, Dad|Thank You,
    {dad}|He Stayed|Sunday with {dad}|Saturdays at the Shop|The Road to {town}|From {town} to Here|Across the
    Border|Between Two Countries|My Immigrant Father|American Dad|The Dictionary|Hands|Rough Hands|Gentle
    Hands|Jumper Cables|His Laugh|Fishing with {dad}|Baseball and Other Prayers|My Dad, My Coach|Grace Under
    Pressure: {father}|Essay about my dad|Essay|My Essay|Untitled|Fathers|Hero|A Day with Dad|A Father's Love|
    The Love of a Father|Like Father, Like Son|Like Father Like Daughter|Daddy's Girl|Growing Up with {dad}|
    The Gift|What I Never Said|Why I Chose My Grandpa|A Tribute to {father}|Remembering {dad}|The Story of
    {dad} {last}|My Dad the {trade}|I Am My Father's Son
""")
SPANISH = listed("""
    Mi papá|Mi papá|Mi Papá|MI PAPÁ|Mi padre|Mi héroe|Mi Heroe|Mi papá mi héroe|Lo que mi padre significa para
    mí|Lo que significa mi papá para mí|Mi mejor amigo|El mejor papá del mundo|Mi abuelo|Mi abuelito {dad}|Mi
    abuelo {dad}|Mi tío {dad}|Don {dad}|{dad}|{father}|Papá|Papi|Apá|Mi padrastro|Mi padrastro y yo|Mi
    padrino|Carta a mi papá|Para mi papá|Querido papá|Gracias papá|Gracias, apá|Las manos de mi padre|Las
    botas de mi papá|El sombrero de mi papá|El camión de mi papá|Lo que aprendí de mi papá|Un hombre de pocas
    palabras|Un lugar en la mesa|Papá por teléfono|Dos papás|Mi ángel|Mi superhéroe|MI SUPERHEROE|Superpapá|El
    rey de la casa|Mi papá el {trade}|Cinco razones|Yo quiero a mi papá|mi papa|Mi papa y yo|Mi entrenador
    {dad}|La silla vacía|El que se quedó|Cuando mi papá ríe|De {town} a Chicago|Mi segundo padre|Ser padre|
    ¿Qué es un padre?|A mi papá con amor|Un padre para mí|Todo sobre mi papá|El regreso|La maleta|Domingo con
    {dad}|Esperanza|Mi maestro de vida|La escuela de mi papá|Salón 12|Quinto grado otra vez|El amor de un
    padre
""")
THINGS = listed("""
    Hammer|Lunch Box|Truck|Suitcase|Hat|Guitar|Radio|Letter|Photograph|Map|Key|Ladder|Garden|Kite|Bicycle|
    Boat|Window|Voicemail|Handshake|Recipe|Umbrella|Watch|Jacket|Whistle|River|Song|Bridge|Toolbox|Kitchen|
    Garage|Bus|Chair|Lamp|Mirror
""")
TRADES = listed(
    "Painter|Mechanic|Baker|Barber|Welder|Nurse|Cook|Clown|Captain|Teacher|Roofer|Poet|Dentist|Chef|Astronaut"
)
TRADES_SPANISH = listed("pintor|mecánico|panadero|carpintero|bombero|cocinero|músico|maestro|albañil")
