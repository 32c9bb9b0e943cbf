"""Sentences that say who wrote the essay, where and in which grade; slots name the fields."""

from __future__ import annotations

from lab.samples.words.banks import listed

ENGLISH = listed("""
    Here is {given}'s essay. <other:She> is in my {gradenoun} class at {school}.|Hi, this is {teacher} from
    {school}. This is {name}'s essay.|Hi this is {teacher} at {school} {room}, here is {given}'s essay.
    <other:He is one of my> {graders}. <other:Thank you!>|Essay by {name}, a {grader} in {teacher}'s class at
    {school}|Essay by {name}, a {grader} at {school}|Submitted on behalf of {name}, {school}, {gradenoun}|
    Submitted on behalf of {name}, {school}, {gradenoun}, on {date}|<other:Dear contest, please accept> this
    essay by my student {name}. {teacher}, {school}|<other:Attached is> {name}'s entry from {school}.|This is
    {name} from {school}.|This essay was written by {name}, {gradenoun}, {school}.|This essay was written by
    {name} in {teacher}'s class.|My daughter {name} is in {gradenoun} at {school}. <other:She wrote this
    herself.>|My son {name} wrote this. <other:He is in> {gradenoun} <other:at> {school} <other:and his
    teacher is> {teacher}.|<other:Hello,> my student {name} ({gradenoun}) wrote this <other:for the contest>.
    {teacher}, {room}|{name} is a {grader} at {school} and wrote this essay <other:about> <person:{dad}>.|
    {name}, who is in {gradenoun} at {school}, wrote this essay.|The following essay is by {name} of
    {school}.|<other:Good morning! I am sending> {given}'s essay. {given} <other:is in> {gradenoun}.
    {teacher}|This is an essay from {teacher}'s {gradenoun} class at {school}.|From {teacher}'s class at
    {school}, {room}.|An essay by a {grader} at {school}|Essay by a {grader} <other:(name withheld)>|Written
    by a {grader} at {school}|This is the essay of {name}.|<other:Please find> {name}'s essay <other:below>.|
    {name} dictated this to {teacher}.|as told to {teacher} by {name}, {gradenoun}|{name}'s essay for
    {teacher}|by {name}, who is in {gradenoun} at {school}|Hi my name is {name} and I am in {gradenoun}.|My
    name is {name} and I go to {school}.|My name is {name}. I am in {gradenoun}. My teacher is {teacher}.|I am
    {name} from {school}.|Hello my name is {name} and I am a {grader} at {school}.|I'm {given} and I am in
    {teacher}'s class.|My name is {name}, I am {age}, and I am in {gradenoun} at {school}.|I go to {school}
    and I am in {gradenoun}.|I am in {gradenoun} in {room} at {school}.|I am a {grader} from {school}.|
    Student: {name} attends {school} in {gradenoun}.|This essay is from {name} (grade {number}) and {sib}
    (grade {sibnumber}), {school}|This essay is from two sisters, {name} in {gradenoun} and {sib} in
    {sibgradenoun}.|<other:To whom it may concern:> {name}, {gradenoun}, {school}|{teacher} at {school}
    <other:sends this from> {name}.|<other:Sent from my phone.> {name} {school} {grade}|Essay written by my
    grandson, {name}, {school}.|Entry from {school}: {name}, {gradenoun}|{name} ({school}, {gradenoun})
    <other:writes about his stepfather>.|{name} has been at {school} <other:since> {oldgrade} <other:and is
    now in> {gradenoun}.|Student author {name} of {school} (<other:principal> {person})|Helped by
    <other:counselor> {person}. Written by {name}, {gradenoun}.|<other:My old teacher> {oldteacher}
    <other:told me to enter>. {name}, {gradenoun}|{name}, <other:son of> {father}, {school}|{name},
    <other:daughter of> {person} <other:and> {father}|<other:Translated by> {person} for {name}, {school}|This
    essay is from the <other:{lastname}> brothers, {given} (grade {number}) and {sib} (grade {sibnumber}),
    {school}|By the <other:{lastname}> sisters: {given} ({grade}) and {sib} ({sibgrade})
""")
SPANISH = listed("""
    Este ensayo es de {name}.|Este ensayo es de {name} y {sib} ({given} va en {ordinal} y {sib} en
    {sibgrade})|Este es el ensayo de {name}, de {gradenoun}, de la {school}.|Soy la maestra de {given}.
    <other:Le mando su ensayo>. {teacher}, {school}|<other:Buenos días,> mi hija {name} va en {ordinal} en
    {school}.|Mi hijo {name} escribió esto. <other:Está en> {gradenoun} con {teacher}.|Ensayo escrito por
    {name}, estudiante de {gradenoun} en la {school}|Ensayo de {name}, alumna de {teacher}, {school}|Hola me
    llamo {name} y voy en {ordinal}.|Hola, soy {name} de la {school}.|Me llamo {name} y voy a la escuela
    {school}.|Mi nombre es {name} y estoy en {gradenoun} en {school}.|Yo soy {given}, alumno de {ordinal}.|Soy
    {name}, tengo {age} años y voy en {ordinal}.|Mi maestra es {teacher} y voy en {gradenoun}.|Voy a la
    {school} en {ordinal}.|{name}, de {gradenoun} de la escuela {school}, <other:les manda su ensayo>.|
    <other:Le envío> el ensayo de mi alumno {name}. {teacher}|Escrito por {name} y traducido por <other:su
    prima> {person}|{name}, <other:hijo de> {father}, {school}|De la clase de {teacher}: {name}|Un alumno de
    {ordinal} de la {school}|{name} lo escribió en la clase de {teacher}.|Ensayo de {name} <other:con ayuda
    de> {person}
""")
#: Above a signature.
PARTINGS = listed("""
    The End|The end|the end!!|THE END|Love,|Love|love,|Sincerely,|From,|from|From|By|by|Your son,|Your
    daughter,|Thank you,|Thanks,|Yours truly,|-|--|~|I love you dad|Happy Father's Day!|With love,|
    Respectfully,|xoxo|Signed,|Written by|by:|♥|<3|Essay by|Your friend,
""")
PARTINGS_SPANISH = listed("""
    Fin|Fin.|FIN|Atentamente,|Atentamente:|Con cariño,|Con amor,|Tu hijo,|Tu hija,|Te quiere,|Su hijo que lo
    quiere,|De:|Por:|Gracias,|Gracias|-|Te quiero papá|Firma:|Con todo mi amor|Feliz día del padre|Escrito por
""")
#: Signatures that are no name.
PET = listed(
    "your princess|your little man|your favorite kid|la flaca|tu princesa|su hija|"
    "your number one fan|el güero|me|Anonymous|tu gordito"
)
