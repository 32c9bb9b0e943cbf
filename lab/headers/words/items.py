"""Ways to write one to four of a header's fields next to each other; slots name the fields."""

from __future__ import annotations

from lab.samples.words.banks import listed

#: In either language.
SHARED = listed("""
    {name}|{name}|{name}|{name}|{name}|{school}|{school}|{school}|{school}|{grade}|{grade}|{grade}|{grade}|
    {room}|{room}|{room}|{roomid}|{teacher}|{teacher}|{teacher}|{date}|{title}|{title}|{title}|{title}|
    ({grade})|({school})|({room})|({teacher})|"{title}"|*{name}*|~{name}~|{name}.|-{name}|- {name}|{name}:|
    {name} :)|[{name}]|{school} {grade}|{school}, {grade}|{school}, {grade}|{school} - {grade}|{school}
    ({grade})|{school}/{grade}|{school}; {grade}|{grade}, {school}|{grade} {school}|{grade} / {school}|{grade}
    @ {school}|{school} / {room}|{school} {room}|{school}, {room}|{school}{roomid}|{school}#{roomid}|{school}
    {roomid}|{school}-{roomid}|{room} {school}|{room}, {school}|{grade} {room}|{grade}, {room}|{grade}/{room}|
    {grade} / {room}|{grade}-{roomid}|{number}-{roomid}|{number}-{roomid}|{number}/{roomid}|{room} {grade}|
    {room}, {grade}|{room} ({grade})|{teacher}, {grade}|{teacher} {grade}|{grade} - {teacher}|{grade}
    {teacher}|{grade}, {teacher}|{teacher} ({grade})|{grade} ({teacher})|{teacher} / {grade}|{teacher} {room}|
    {teacher}, {room}|{room} {teacher}|{room} - {teacher}|{teacher} ({room})|{teacher} / {roomid}|{teacher}
    {roomid}|{grade} / {teacher} / {roomid}|{room} {grade} {teacher}|{name}, {grade}|{name} ({grade})|{name} -
    {grade}|{name} {grade}|{name} / {grade}|{grade} {name}|{name}, {number}|{name}, {school}|{name} -
    {school}|{name} ({school})|{name} {room}|{name}, {room}|{name} {roomid}|{name} {date}|{name}, {date}|
    {name} {school} {grade}|{name}, {school}, {grade}|{name}, {grade}, {school}|{name} {grade} {school}|{name}
    ({grade}, {school})|{school} - {room} - {grade}|{school} {room} {grade}|{school}, {grade}, {room}|{school}
    {room} {teacher}|{teacher}, {school}|{school} - {teacher}|{school}, {teacher}, {number}-{roomid}|
    {school}{roomid} {teacher} {grade}|{title} - {name}|{title}, {name}|{title} / {name}|"{title}" {name}|
    {name} "{title}"|{name}: {title}|{name}, "{title}"|{name} - {title}|{date} {name}|{school} {date}
""")
ENGLISH = listed("""
    by {name}|by {name}|By {name}|By {name}|By: {name}|By: {name}|by: {name}|by, {name}|By, {name}|BY {name}|
    by - {name}|written by {name}|Written by {name}|Written by: {name}|Essay by {name}|Essay by: {name}|An
    essay by {name}|A story by {name}|from {name}|From: {name}|Submitted by {name}|Submitted by: {name}|
    submitted by {name}|made by {name}|Author: {name}|created by {name}|typed by {name}|Love, {name}|my name
    is {name}|I am {name}|name {name}|This essay belongs to {name}|This is {name}'s essay|{name}'s essay|
    {name}'s paper|Essay of {name}|to my dad from {name}|{title} by {name}|{title}, by {name}|"{title}" by
    {name}|{title} By: {name}|{title} By {name}|"{title}," by {name}|{title} - by {name}|{title} written by
    {name}|"{title}" an essay by {name}|by {name} of {school}|by {name}, {grade}|By: {name} {grade}|by {name}
    ({grade})|by {name} {school}|by {name} from {school}|by {name}, {school}|By {name}, {gradenoun} at
    {school}|by {name}, {ordinal} grade, {school}|{name}, a {grader} at {school}|{name}, {grader}, {school}|
    {name}, {grader} at {school}|{name} is a {grader} at {school}|{name} in {gradenoun} at {school}|{name}
    from {school}|{name} of {school}|{name} at {school}|{name} goes to {school}|{name}, student at {school}|
    {name} - {grader}|{name}, {gradenoun}|a {grader} at {school}|{grader} at {school}|{gradenoun} at {school}|
    {gradenoun}, {school}|student at {school}|at {school}|in {gradenoun}|I am in {gradenoun}|I go to {school}|
    my school is {school}|my grade is {grade}|for {teacher}|to {teacher}|To: {teacher}|for {teacher}'s class|
    {teacher}'s class|{teacher}'s Class|{teacher}'s homeroom|{teacher}'s room|{teacher}'s {gradenoun}|
    {teacher}'s {gradenoun} class|{teacher}'s {graders}|{gradenoun} class of {teacher}|{teacher}'s class,
    {room}|{teacher}'s class {room}|{teacher}'s class at {school}|{teacher}'s class, {school}|in {teacher}'s
    class|class of {teacher}|Class: {teacher}|{teacher}'s <other:{nthp} period>|{teacher} <other:{nthp} hour>|
    {teacher}'s <other:{nthp} hour>|{teacher} <other:{nthp} per.>|{teacher}, <other:Period {digit}>|
    {teacher}'s <other:{nthp} period English>|<other:Period {digit}> - {teacher}|{teacher} <other:English
    {digit}>|{teacher} (<other:ELA>)|{teacher} <other:Block {digit}>|Coach: {teacher}|{name} in {teacher}'s
    class|{name}, {teacher}'s class|{name} {teacher}'s class {room}|{name} ({teacher}'s class)|{name} from
    {teacher}'s {gradenoun} class|{name}, {gradenoun}, {teacher}'s class|{name} - {teacher} - {grade}|{name}
    from {room}|{name} in {room}|{room} at {school}|{school}, in {room}|{gradenoun} in {room}|{graders} of
    {teacher}|{ordinal} grade {teacher} {room}|{school} {ordinal} grade {room}|{name} ({grade}) and {sib}
    ({sibgrade})|{name} {grade} and {sib} {sibgrade}|{name} and {sib}, {grade} and {sibgrade}|{name}
    ({number}) & {sib} ({sibnumber})|by {name} and my brother {sib}|by {name} and {sib}|By {name} (grade
    {number}) and {sib} (grade {sibnumber})|by {name} with help from {sib}|{name} and {sib}|{name},
    {gradenoun}, and {sib}, {sibgradenoun}|{name} (he/him)|{name} (she/her)|{name} they/them|{name} she/her|
    {name} (age {age})|{name}, {age}|{name} age {age}|{name} {mail}|{name} {phone}|{name}, {town}|{name}
    {number} yrs|{school}, {town}|{school} in {town}|{school} - {town}, IL|{school} ({town})|{school},
    <other:District {count}>|{school}, <other:{town} School District>|{grade} <other:Period {digit}>|{grade}
    <other:winner>|{grade} <other:Winner>, {school}|<other:age> {age}, {gradenoun}|{age}, {gradenoun}|{date},
    {grade}|{teacher} {date}|{teacher}, {school}, {grade}|{school}'s {name}|{ordinal} grader {name}|{grader}
    {name}|Class {number}-<other:0{digit}>|Class {number}<other:0{digit}>|class {number}-<other:{sec}>|
    {number}-<other:{sec}>|{school} {number}<other:{sec}>|{school} {number}-<other:{sec}>|{name}
    {number}<other:{sec}>|{name}, <other:Class of {classof}>|"<other:{nick}>" (<other:thats short for>
    {given})|<other:{nick}> (short for {given})|{name} <other:and family>|{name}<other:, age {age}>, {school}|
    {grade} - <other:{nthp} hour>|<other:{year}> {school}|{school} <other:{year}>|{name} and <other:my
    brother> {sib} <other:({sibgrade} grade)>|<other:Team {digit}>, {teacher}|{name}, {gradenoun},
    <room:homeroom >{roomid}|{school}, {grade}, {teacher}|{name}; {school}; {grade}; {teacher}|Title:
    {title}|{name} / {mail} / {school}
""")
SPANISH = listed("""
    por {name}|por {name}|Por {name}|Por: {name}|Por: {name}|por: {name}|Por, {name}|escrito por {name}|
    Escrito por {name}|Escrito por: {name}|Hecho por: {name}|hecho por {name}|Ensayo de {name}|Ensayo por
    {name}|Un ensayo de {name}|Autora: {name}|Autor: {name}|de {name}|De: {name}|De parte de {name}|lo
    escribió {name}|Lo escribio {name}|Presentado por {name}|Alumno {name}|Alumna: {name}|me llamo {name}|soy
    {name}|Yo soy {name}|mi nombre es {name}|nombre {name}|Elaborado por {name}|{title} por {name}|{title},
    por {name}|"{title}" Por: {name}|"{title}" de {name}|{title} Por {name}|{title}. {name}|por {name},
    {grade}|por {name} de {school}|por {name}, {school}|Por {name} {grade}|por {name} ({grade})|{name} de
    {gradenoun}|{name}, {gradenoun}|{name}, {ordinal}|{name} de {ordinal}|{name} de la {school}|{name} de
    {school}|{name}, alumna de {school}|{name}, alumno de {gradenoun} de la {school}|{name}, estudiante de
    {gradenoun} en {school}|{name} de {gradenoun}, {school}|de {ordinal}, {school}|de {ordinal} en la
    {school}|{gradenoun} en {school}|{gradenoun}, {school}|{ordinal} en {school}|{school}, {ordinal}|voy en
    {ordinal}|estoy en {gradenoun}|voy a la {school}|mi escuela es {school}|la {school}|alumno de {school}|
    Salón de {teacher}|Salón de la {teacher}|clase de {teacher}|Clase de {teacher}|Para la clase de {teacher}|
    grupo de {teacher}|Grupo {grade}|Grupo {grade} {teacher}|{gradenoun} con {teacher}|{ordinal} con
    {teacher}|salón de {teacher}, {ordinal}|clase de {gradenoun} de {teacher}|{grade}, clase de {teacher}|para
    {teacher}|con {teacher}|{teacher}, {room}|{room} de {teacher}|{gradenoun}, {room}|{gradenoun} {room}|
    {name} del {room}|{name}, {room}|{name} y {sib}|{name} ({grade}) y {sib} ({sibgrade})|{name} y mi hermana
    {sib}|{name} de {ordinal} y {sib} de {sibgrade}|por {name} y su hermano {sib}|{name} (va en {ordinal}) y
    {sib} (en {sibgrade})|{name}, {age} años|{name} ({age} años)|{name} {mail}|{school}, {town}|{school} en
    {town}|{school} ({town})|{ordinal} "<other:{sec}>"|{number}° "<other:{sec}>"|{number}-<other:{sec}>|
    {school} {number}<other:{sec}>|{number}°<other:{sec}>, {school}|{ordinal} <other:{sec}> {teacher}|{name}
    {number}<other:{sec}>|Título: {title}|alumnos de {ordinal} de {teacher}
""")
