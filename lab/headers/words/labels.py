"""Labels in front of values, what stands in place of a value, and what joins the two."""

from __future__ import annotations

from lab.samples.words.banks import listed

ENGLISH = {
    "name": listed("""
        Name|Name|Name|Name|Student|Student Name|Student's Name|Student name|Name of Student|Full Name|First
        and last name|My name|My name is|Author|Writer|Pupil|Child's name|Child|Child's Name|Essayist|
        Contestant|Entrant|Participant|Applicant|Kid|Scholar|Submitted by|By|Who|N|Your name|Student Author|
        Student (first, last)|Contestant's name|Name (print)|Essay writer|Last name, first name|First name|
        Entry by|NAME|Student Information|Signed|Young author|Name of essay writer|Written by|Nombre/Name|
        Name/Nombre|Created by|Naem|My nam is|Studnet|Naem|Nmae|Student nam|My naem
    """),
    "school": listed("""
        School|School|School|School|School Name|School's name|Name of School|My school|My school is|Campus|
        School Attending|School site|Site|Where|Sch|School/Org|Attends|Attending|I go to|School of attendance|
        S|Home school|Building|SCHOOL|Escuela/School|School/Escuela|Current School|Student's school|At|
        Representing|Scool|Skool
    """),
    "grade": listed("""
        Grade|Grade|Grade|Grade|Gr|Gr.|Grade Level|Current grade|Student grade|Child's grade|My grade|Class|
        Grade in school|Grade (K-12)|GRADE|Grade/Grado|Grado/Grade|Year|G|I am in|Lvl|Grd|Grade level
        (2024-25)|Grade entering contest|What grade are you in?|Graed|Grad
    """),
    "room": listed("""
        Room|Room|Rm|Rm.|Room Number|Room #|Room No.|Homeroom|HR|Classroom|Class room|Rm #|ROOM|Salón/Room|
        Room/Division|Div|Division|Home room|R|RM|Room no
    """),
    "teacher": listed("""
        Teacher|Teacher|Teacher|Teacher's Name|Teacher name|Classroom teacher|Homeroom|Homeroom teacher|
        Instructor|My teacher|My teacher is|Tchr|Advisor|Advisory|Sponsor|ELA Teacher|Class|Professor|TEACHER|
        Maestra/Teacher|Teacher of record|Coach|Submitted to|T|English teacher|Techer|Teecher|Teacher/Sponsor|
        Class of
    """),
    "date": listed(
        "Date|Date|Date|Today's date|Due|Due date|Date submitted|Submitted|Fecha/Date|DATE|Written on|D|Turned in"
    ),
    "title": listed("""
        Title|Title|Title|Essay Title|Title of Essay|Topic|Subject|Re|Essay|Theme|What|My essay|TITLE|
        Titulo/Title|Name of essay|About|Prompt
    """),
}
SPANISH = {
    "name": listed("""
        Nombre|Nombre|Nombre|Nombre y apellido|Nombre completo|Alumno|Alumna|Alumno(a)|Nombre del alumno|
        Nombre de la alumna|Mi nombre|Mi nombre es|Me llamo|Estudiante|Nombre del estudiante|Autor|Autora|
        Niño|Niña|Escrito por|Por|Hecho por|Participante|Nombre/Name|Name/Nombre|NOMBRE|Nombres y apellidos|
        Presenta|Elaborado por|Nombre de mi hijo|Concursante|Escritora|Apellido y nombre|Yo soy|Nonbre|Me yamo
    """),
    "school": listed("""
        Escuela|Escuela|Escuela|Mi escuela|Mi escuela es|Nombre de la escuela|Plantel|Centro escolar|Colegio|
        Institución|Escuela/School|ESCUELA|Escuela primaria|Estudia en|Voy a la escuela|Centro educativo|
        Campus|Secundaria|Instituto|Esquela
    """),
    "grade": listed("""
        Grado|Grado|Grado|Mi grado|Grado escolar|Año|Curso|Grado/Grade|Grado actual|GRADO|Estoy en|Voy en|
        Nivel|Gdo.|Grado y grupo|Gr.
    """),
    "room": listed("Salón|Salon|Salón|Aula|Cuarto|Núm. de salón|Salón/Room|Número de salón|SALON|Salón de clase"),
    "teacher": listed("""
        Maestra|Maestro|Maestra|Mi maestra|Mi maestra es|Maestro(a)|Nombre de la maestra|Profesora|Profesor|
        Profe|Docente|Maestra/Teacher|MAESTRA|Prof.|Mtra.|Maestra de grupo|Mestra|Entrenador|Grupo de
    """),
    "date": listed("Fecha|Fecha|Fecha|FECHA|Fecha de entrega|Día|Fecha/Date|Hoy es|Entregado"),
    "title": listed("Título|Titulo|Título|Tema|Asunto|Título del ensayo|Mi ensayo|TÍTULO|Tema del ensayo|Ensayo"),
}
JOINTS = (
    *(
        ": ",
        ": ",
        ": ",
        ": ",
        ":",
        ":",
        ":  ",
        " : ",
        " :",
        " - ",
        "- ",
        "-",
        " = ",
        "=",
        "= ",
        " ",
        " ",
        " ",
        "\t",
        ":\t",
    ),
    *(" — ", "; ", ". ", "... ", "  ", " -> ", ":\n", ":\n", "\t\t", ":   ", "      ", ", ", " – "),
)
BLANKS = listed("""
    ____|_______________|______|__|....|..........|n/a|N/A|none|None|?|-|--|(blank)|same|see form|(see entry
    form)|on file|TBD|unknown|not given|x|XXXX||||
""")
BLANKS_SPANISH = listed("____|__________|ninguno|no tiene|?|-|n/a|no sé|(ver la forma)|pendiente|.....|||")
NO_SCHOOL = listed("""
    homeschool|Homeschooled|home school|n/a (homeschooled)|I am homeschooled|none, homeschool|Home|at home
    with my mom|homeschool co-op|escuela en casa
""")
NO_GRADE = listed(
    "A|A-|B+|95/100|100%|A+ great job!!|_/100|B nice details|check plus|18/20|ungraded|n/a|see teacher|Grades 3-5|"
    "A- super!"
)
NO_NAME = listed(
    "(see entry form)|withheld|anonymous|Anonymous|(name withheld)|on the back|student #14|see envelope|anónimo|"
    "private|#4471"
)
#: Labels of things that are no field, with values.
MORE = listed("""
    Period: {digit}|Pd. {digit}|Period {digit}|Per. {digit}|Block B|Block {digit}|Hour {digit}|{nthp} period|
    {nthp} hour|Age: {age}|age {age}|Age {age}|I am {age} years old|{age} years old|Edad: {age}|{age} años|
    Word count: {count}|word count {count}|{count} words|Words: {count}|Draft {digit}|Final Draft|Final draft
    #{digit}|Rough Draft|FINAL COPY|Page 1|page 1 of 2|pg. 1|1|1/2|Page 1 of 3|DOB: on file|Class of
    {classof}|class of {classof}|Category: Essay|Category: K-2|Division: Middle|Division: Elementary|Grades
    3-5|Grades 6-8 Division|Ages 9-11|Entry #{count}|Entry no. {count}|Entry {digit}|ID: {count}{digit}|
    Student ID {count}|District {count}|{town} School District {digit}{digit}|{town} Unified School District|
    {town} ISD|{town} Public Schools|Boys and Girls Club of {town}|{town} Library|Troop {count}|4-H Club|After
    School Program|After-school Matters|21st Century Program|YMCA of {town}|City: {town}|{town}|{town}, IL|
    {town}, TX|English {digit}|English II Honors|ELA {digit}|English 101|Language Arts|ELA Block B|AP
    Language|Writing Workshop|Social Studies|ESL level {digit}|Honors English 9|Comp {digit}|Reading
    {digit}80|Homework|Essay #{digit}|Assignment {digit}|Journal entry {digit}|he/him|she/her|(she/her)|
    (they/them)|Language: English|Language: Spanish|(essay in Spanish)|Typed by my mom|(typed by {person})|
    typed by teacher|Please read|Parent: {person}|Mother: {person}|Father: {father}|Dad: {dad}|Father figure:
    {father}|About: {father}|Principal: {person}|Principal {person}|Counselor: {person}|Translator: {person}|
    Translated by {person}|Sponsor: {town} Rotary Club|Parent signature: {person}|Guardian: {person}|cc:
    {person}|Phone: {phone}|{phone}|{mail}|Email: {mail}|email {mail}|Tel. {phone}|Room parent: {person}|Bus
    {digit}|Lunch B|Section {digit}|Semester 1|Unit {digit}|Quarter {digit}|Week {digit}|Floor {digit}|3rd
    floor|Team {digit}|House Blue|Score: {count}|Group {digit}|Table {digit}|Track A|Seat {digit}|Date of
    birth: {date_other}|Born {date_other}|Single spaced|Typed|#{digit}|*** DRAFT ***|2024-2025|SY 24-25|school
    year 2025|Hope this wins!|Thank you for reading|:)|☆☆☆|***|<3|-----|=====|~~~~~~
""")
MORE_SPANISH = listed("""
    Edad: {age} años|{age} años|Tengo {age} años|Periodo {digit}|Página 1|pág. 1|Borrador|Versión final|
    Borrador {digit}|Número de palabras: {count}|{count} palabras|Categoría: Primaria|Grados 3 a 5|Generación
    {classof}|Ciudad: {town}|{town}, Illinois|Distrito {count}|Papá: {father}|Mi papá: {father}|Mamá:
    {person}|Directora: {person}|Tutor: {person}|Traducido por {person}|Consejera: {person}|Tel. {phone}|
    Teléfono: {phone}|Correo: {mail}|{mail}|Clase de inglés|Clase de español|Español {digit}|Turno matutino|
    Turno vespertino|Grupo {digit}|Tarea|Ciclo escolar 2024-2025|Club de lectura|Biblioteca de {town}|¡Gracias
    por leer!|(ensayo en español)|Periodo 3|Fecha de nacimiento: {date_other}|***|☆ ☆ ☆
""")
CONTESTS = listed("""
    What My Father Means to Me|WHAT MY FATHER MEANS TO ME ESSAY CONTEST|Fatherhood Essay Contest|Essay
    Contest|Father's Day Essay Contest|{year} Fatherhood Essay Contest|Essay Contest {year}|Dads Matter Essay
    Contest|Father of the Year Essay|Illinois Essay Contest|What My Dad Means To Me {year}|Father Figure
    Essay|Essay: What My Father Means to Me|My Hero Essay Contest|{town} Fathers Essay Contest|Celebrating
    Fathers {year}|Student Writing Contest|Young Authors {year}|contest entry|ESSAY ENTRY FORM|Annual Essay
    Contest for Grades K-12|27th Annual Essay Contest|Father Essay|Dear Dad Contest|3rd Annual Dads & Donuts
    Essay|Submission for the essay contest|Essay on Fathers|Entry for {year} essay contest|Letters to Dad
""")
CONTESTS_SPANISH = listed("""
    Concurso de ensayos|Concurso "Mi papá y yo" {year}|Concurso de ensayo {year}|Lo que mi padre significa
    para mí|Ensayo para el concurso|Concurso del Día del Padre|LO QUE MI PADRE SIGNIFICA PARA MÍ|Ensayo|Ensayo
    sobre mi papá|Certamen de ensayos {year}|Concurso Palabras de Papá|Tema: Lo que mi padre significa para
    mí|5.º concurso de ensayos|What My Father Means to Me
""")
