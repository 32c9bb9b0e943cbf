"""Sentences of essays in English that name somebody: him whom the essay is about, or the pupil."""

from __future__ import annotations

from scripts.samples.words.banks import listed

#: Openings with the name of him whom the essay is about, or of somebody else.
CALLED = listed("""
    {father} never wanted to be anybody's hero.|{father} was born in the back of a taxi.|{father}<person: Sr.>
    sells paint, and I am his son.|{father}, my dad, wakes up before the birds.|{father} is my dad.|{father}
    is a name that you will not find in a book.|{dad} is my stepdad.|{dad} isn't my father, but he taught me
    to drive.|{dad} works at the post office and has a dog named {sib}.|{father} came to this country with
    eleven words of English.|{father} can whistle with two fingers.|{father}. That is the name on my birth
    certificate.|{father} has been a welder for {num} years.|Coach {dad} says that I run like a chair.|Uncle
    {dad} picked me up every day for {num} years.|Grandpa {dad} lives with us.|Pastor {dad} is the person I
    look up to.|Deacon {dad} is not my dad but he is close.|<person:Mr. >{father} was my bus driver.|
    <person:Dr. >{father} fixes hearts, but not ours.|{person} is my mother, and she is also my father.|
    {person} raised me.|{sib} and I have different dads.|{sib}, my little brother, calls him Mister.|My dad's
    name is {father}.|My dads name is {dad} and he is a cook.|His name is {father}.|His name is {dad}.|My
    father's name is {father} and he is {num} feet tall, or so it seems.|The man I am writing about is
    {father}.|My hero is {father}.|Have you met {father}?|Meet {father}.|This is about {dad}.|This essay is
    about my dad, {father}.|I want to tell you about {father}.|I would like to write about my uncle,
    {father}.|Let me tell you about {dad}.|To me, {father} is just Dad.|When {father} was sixteen, he left
    {oldschool} High and never went back.|In {oldgrade}, {father} won a race.|"{dad}!" my mother yelled, and
    all three of them came: my grandfather, my father and my brother.|My mom {person} met {father} at a bus
    stop.|I was supposed to be named {sib}.|They were going to call me {sib}, after my dad.|{oldteacher} asked
    us who our hero was.|{oldteacher} was my father's teacher at {oldschool}.|{father} ran track at
    {oldschool} and still has the jacket.|{dad} my dad is a painter. {dad} my brother wants to be one.|My
    grandfather is {father}, and everyone calls him Doc.|{father} and {person} are my dads.|Officer {dad}
    lives next door.|He is called {dad}.
""")
GREETINGS = listed("""
    Dear Dad,|Dear Daddy,|Dear {dad},|Dear Mr. Judge,|Dear Papa:|To my father:|Hi Dad,|Dear judges,|Hello,|
    Hi!|Dear {oldteacher},
""")

INTROS = listed("""
    I am a {grader} at {school}.|I am in {gradenoun} at {school}.|I go to {school}.|My name is {name} and I am
    in {gradenoun}.|Hi my name is {name} and I go to {school}.|My name is {name}.|Hello! I'm {name} from
    {school}.|I am {name}, a {grader}.|I'm a {grader} and I have a story to tell.|Im {given}. Im in
    {gradenoun}.|Hello, I am {given} and I am in {gradenoun} at {school}.|My name is {name}, I am in
    {teacher}'s class.|hi im {given} and im in {gradenoun}.|As a {grader} at {school}, I see a lot of dads at
    the gate.|I am {given} and this is about my dad.|My name is {name} I go to {school} and I am in
    {gradenoun}.|I'm {given}, and I am a {grader} at {school}.|I go to school at {school} in room {roomid}.|My
    teacher is {teacher} and I am in {gradenoun}.|Now I'm in {gradenoun} and he still walks me to {school}.|
    This year I am in {gradenoun} and my teacher is {teacher}.|I'm {name} and I'm {num} years old.|In my class
    at {school} everybody has a hero.|Hello my name is {given}. I am {num} years old and I am in {gradenoun}.
    My school is {school}.|Good morning, my name is {name} and I attend {school}.|Let me introduce myself:
    {name}, {gradenoun}, {school}.|I am currently a {grader} attending {school}.|Being a {grader} at {school}
    is not easy without a dad.
""")
