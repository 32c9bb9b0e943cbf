"""Sentences of essays in English that name somebody: him whom the essay is about, or the pupil."""

from __future__ import annotations

from lab.samples.words.banks import listed

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

#: Sentences with names of places and things.
PLACES = listed("""
    {town} is where my father grew up.|In {town} everybody knows my dad's truck.|At Wrigley Field my dad
    cries every
    time.|On Ashland Avenue there is a shop with my last name on it.|Puebla is far away, but my dad cooks it
    on Sundays.|Lincoln Park is our place.|Washington Street floods every spring.|Christmas at our house
    starts in October.|Saint Anthony finds everything, my dad says.|The Cubs lost and my dad bought ice cream
    anyway.|Aldi, Home Depot, church: that is my dad's Saturday.|Room 12 of the Star Motel was our home for
    {num} months.|Monday is his only day off.|Google says a father is a male parent.|Spanish is what my dad
    dreams
    in.|Chicago was cold and he had no coat.|Honda Civic, 1997, blue: my dad's first love.|Fourth of July is his
    birthday.|Grade school was hard for him.|School is important to my dad because he couldn't go.|Teachers
    were afraid of my dad.|Second chances are what my dad believes in.|Name one person who never gives up. I
    can.|
    Date night for my parents is at Burger King.|Title belts hang in my dad's room, because he was a
    boxer.|Kindergarten was when I met {dad}.|Number 7 on the Sparks is my father.|Dr. Seuss was the first
    thing he
    read in English.|Father Tom married my parents.|Sister Agnes says that my dad was a bad student.|Jesus
    and my
    dad are both carpenters.|Hope is a thing my dad has.|Grace is what we say before dinner, and my dad
    always adds a joke.|Fort Hood, Texas, is where he went first.|Room for one more, my dad says.|Class
    clown: that was my dad at {oldschool}.|July 14 is the day that he got his papers.|{date} was the worst
    day.|{town} High fired him, and he still goes to the games.|8 years ago my dad came here.|3 things my dad
    loves: soup, boxing, my mom.|9 of us live in {num} rooms.|"{dad}, sit," says my grandma, and he sits.
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
