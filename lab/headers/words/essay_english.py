"""Sentences of pupils' essays in English that the training openings continue with."""

from __future__ import annotations

from lab.headers.words.essay_english_names import CALLED, GREETINGS, INTROS, PLACES
from lab.samples.words.banks import listed

__all__ = ["CALLED", "GREETINGS", "INTROS", "MIDDLE", "MORE", "OLDER", "PLACES", "TRAPS", "YOUNG"]

#: Essays of the youngest, with the spelling of the youngest.
YOUNG = listed("""
    My dad is the best dad evr.|I love my dad becus he plas with me.|my dad is strong. he can lift the cowch.|
    My dads name is {dad}. He is funny.|my dad makes pancaks on sundays and they are shapd like a dog.|I have
    a dad and a step dad and they are both nice.|My papa has a big truck and it is red.|He is tall like a tree
    and he has a berd.|My dad werks at nite so I see him in the morning.|I like wen my dad reads me a book
    with voices.|My dad can fix anything even my doll.|My grampa is my dad becuase my dad is in the sky.|My
    dad smels like soap and wood.|I am {num} years old and my dad is 34.|My dad likes football and I like
    football to.|We go to the park and he pushs me on the swing.|my unkle {dad} is like my dad. he piks me up
    from school.|My dad has a dog named {sib}.|he tuks me in my bed and checks for monsters.|My dad dose not
    have hair so I dont comb it.|Dad you are my best frend.|my dad is a cop. he has a badje.|I have {num}
    brothers and {num} sister and one dad.|My dad gives me {num} kisses, one for each finger.|My dad lets me
    stir the soop.|My dad and me have the same feet.|Wen I am sad my dad makes a funny face.|He sings in the
    shower very loud and the dog barks.|My papi is from Mexico and he has boots.|My dad is in room 4 at the
    hospital but he is geting better.|My dad lost his tooth and I lost mine the same day.|My dad is good at
    math he can count to a hundred thousand.|My baba makes tea with so much sugar.|I think my dad is {num}
    feet tall.|My dad came to my class on friday and he red a book about a bear.|I dont have a dad but I have
    papa {dad}.|My dad says good night princess {sib}.|my dad is a bilder he bilt my bunk bed.|Every day my
    dad walks me to school and we count the cats.|My dad has a tatoo of my name on his arm.|My foster dad is
    nice he got me a bike.|My dad made me a snowman. His name was Bob.|My dad is the king of tacos.|I love you
    daddy.|He helps me tie my shoos.|my dad drives bus number 12.|my dad has a mustash that tikles.|My dad
    coachs my t ball team the Tigers.|His favrite color is green. Mine is to.|He nevr gets mad only wen I draw
    on the wall.|I giv my dad {num} stars.|My dad is brav. He killd a spider.
""")

MIDDLE = listed("""
    My dad, {father}, works at the airport and he knows every kind of plane.|My stepdad's name is {father} and
    I have known him since I was {num}.|{father} is my grandfather, but everyone on our street calls him Pop.|
    {dad} is not my real dad but he is the one who signs my papers.|My father never says that he is tired, but
    he falls asleep with the fork in his hand.|When I was {num} years old my dad taught me to ride a bike on
    our street, which has a hill.|My dad and I have a rule that we never say good bye, we only say see you.|
    Every Saturday we wash the truck, and then it rains.|If you ask my dad what he is proud of, he will say me
    and my brother {sib}.|What does a father mean? I looked in the dictionary and it was only one line.|My dad
    has {num} jobs and still comes to all my games.|Last year my father got hurt at work and I saw him cry for
    the first time.|My father was born in a town that is so small it isn't on my teacher's map.|People think
    that my dad is scary because he is big, but he is afraid of moths.|The best day of my life was when my dad
    came home from the army.|My dad cuts hair in our kitchen for all the cousins.|I have two dads, {dad} and
    {person}, and they argue about who makes the better pancakes.|My uncle {person} became my guardian when I
    was in second grade.|My dad and {person}, his best friend, have a garage with a sign on it.|My teacher
    asked us to write about a father figure, and I knew in one second who it would be.|Some kids have a dad
    who plays with them. I have a dad who plays the tuba.|My coach, {oldteacher}, is the closest thing to a
    father that I have.|My big brother {sib} raised me and my sisters.|He isn't famous, but he should be.|My
    dad's lunch box is older than me.|He tells the same joke every Thanksgiving and we all say the ending
    together.|When my father laughs, his whole chair moves.|My dad grows tomatoes in buckets on the fire
    escape.|My dad is a night guard at the museum, so he knows what the statues look like in the dark.|He
    taught me how to throw a curve ball, how to sew a button, and how to say sorry.|My dad reads the newspaper
    out loud and does all the voices.|I asked my dad what he wanted to be when he was my age, and he said
    taller.|My father drives a school bus, so half the kids in my school know his name.|My dad says that
    {person} taught him everything he knows about engines.|In third grade my dad came to career day at my
    school with a real snake.|My dad went only to sixth grade because he had to work.|My father dropped out of
    {oldschool} in tenth grade, and he went back when he was forty.|{father} once ran {num} miles in the snow
    to bring me my homework.|My name is not easy to say, but my dad taught every one of my teachers how to say
    it.|My dad coached at {oldschool} for eleven years.|On {day} we eat breakfast for dinner.|He met my mom in
    Room 214 of {oldschool}, in detention.|My dad had {oldteacher} for math in 7th grade, and now I have her
    too.|My father figure is {oldteacher}, the lunch room man at our school.|Since {oldgrade} I have kept
    every note that he put in my lunch.|My grandpa {dad} says that the secret of life is good socks.|My father
    taught himself English from cartoons.|We call him the General, because he wakes us up at six, even on
    Sunday.|I used to think that all dads smelled like bread.|My dad is a librarian, and he still has never
    told anybody to be quiet.|My dad, who was born on May 5, 1981, has the same birthday as me.|My godfather
    {person} gave me my first glove.|My dad and I built a tree house that has {num} rooms and no roof.|Grandpa
    {father} taught fourth grade for thirty years.|My Dad Is A Hero is what it says on the mug, and it is
    true.|My father's hands are rough like a cat's tongue.|<person:Mr. >{dad} next door is the person I think
    of.|Hard work is my father's middle name. His real middle name is Lincoln.|My dad passed away when I was
    in 3rd grade, so I am writing about how I remember him.|My father met {oldteacher} at a parent meeting and
    they both cried.|My dad says he was a B student in a C school.
""")

OLDER = listed("""
    There is a chair at the head of our table that nobody sits in.|{father} does not believe in alarm clocks.|
    My father, {father}, crossed a desert with a gallon of water and a photograph of a woman he had not
    married yet.|I have his eyebrows, his temper and his library card.|The first word that I learned to read
    was on the side of my father's van.|My father's silence has a sound, like a refrigerator at night.|At
    sixteen, {father} had already buried a brother and bought a car.|I used to count my father's absences the
    way that other children counted sheep.|On the morning of {date}, my father drove me to the emergency room
    in a bread truck.|It took me until {oldgrade} to forgive him.|My stepfather never tried to replace
    anybody, which is why he could.|Every family has a myth. Ours is about a bus ticket and a goose.|Before he
    was my father, {father} was the fastest runner at {oldschool} High.|Fatherhood, in my experience, is
    mostly a matter of showing up with jumper cables.|My grandfather signed his name with an X until he was
    fifty.|In my house, love was a full tank of gas.|When people ask about my dad I say that he travels.|The
    man who taught me to shave was my junior high principal, {oldteacher}.|{dad} is what the other men at the
    plant call him; I call him sir.|My father graduated from {oldschool} in the class of 1998, the first in
    his family.|He never finished ninth grade, and he has read more books than my teachers.|For eleven years
    my father wrote me one letter a month, and I answered {num} of them.|I have two fathers: the one who left
    and the one who stayed, and I look like the first.|What does it mean to be raised by a man who was never a
    child?|The freshman year I remember is the one when he lost the house.|"You don't have to like me," he
    said, "you have to eat."|My father sells insurance, tells the truth and sleeps badly.|My uncle {person}
    took me in on a Tuesday and never asked how long I'd stay.|We speak in weather, my father and I.|Nobody at
    Lincoln knew that the janitor was my dad until he won the talent show.|He is a senior technician now, but
    he started by sweeping the floor.|When {father}<person: Sr.> handed me the keys, he said nothing at all,
    and I heard him.|My mother kept his voicemail from 2016.|A father is the first person you disappoint on
    purpose.|He wears a suit to every one of my debates, and he doesn't own a car.|My father's accent arrives
    in a room before he does.|I am named after a man who I have met twice.|The court papers call him
    "respondent."|My coach, {oldteacher}, never had children, and still has forty of them every fall.|Dr. King
    had a dream and my father had a food truck, and in our kitchen these were equal.|The last time that I saw
    him he wore number 23.|My dad and I share a birthday, a nose, and a room in my aunt's house at 405 Vine
    Street.|{person}, my father's parole officer, cried at my graduation from eighth grade.|Time does a
    strange thing in a hospital.|Perhaps it is unfair to write about a man who can't read this.|My father
    irons on {day}, and I do my homework in the steam.
""")

TRAPS = listed("""
    In third grade my dad won a spelling bee at {oldschool} Elementary.|My father dropped out in tenth grade
    at {oldschool} High.|My brother {sib} is in 5th grade and my sister is in kindergarten.|My teacher last
    year, {oldteacher}, said that I should write it down.|My dad went to school in a room with a dirt floor
    and one teacher, {oldteacher}.|When I was in 1st grade we lived with {person}.|He teaches sixth grade at
    {oldschool}.|It was {date} and I was waiting in Room 12.|My cousin {sib}, who is a sophomore at
    {oldschool}, saw it too.|In 7th period I couldn't stop thinking of it.|The principal, {oldteacher}, called
    me to the office.|I was in 4th grade when it happened.|{oldteacher} was my teacher in second grade.|He
    always says, "Be a father first," and his name is on a brick at {oldschool}.|He was {num} and in the third
    grade when his own father left.|My dad is a junior, which means that his father was {father} too.|The
    school called from Room 9.|My mom, {person}, says that we have the same laugh.|My sister {sib} goes to
    {oldschool} now.|My dad drives the number 4 bus to {oldschool}.|On May 5th he came back.|My dad has the
    grade of sergeant.|He got an A in every class in his senior year.|My dad worked at the school, in the
    kitchen behind the gym.|He keeps my first report card from first grade in his wallet.|By {person}'s
    account he was the best dancer in town.|He lives on the 3rd floor, in number 305.
""")

MORE = listed("""
    He calls me at eight every night.|I don't know how he does it.|That was the day that I understood him.|He
    waits for me by the gate with an umbrella.|He said it was nothing.|We laughed until the soup was cold.|He
    keeps it in a drawer with his watch.|He never missed one.|I still have it.|My mom says we are the same
    person in two sizes.|I hope that he reads this.|He got up and did it again.|He puts too much salt on
    everything.|Nobody asked him to.|I learned that you can be brave and be scared.|We drove home with the
    windows down.|I want to be like that.|He always saves me the last piece.|He fixed it with tape and a
    spoon.|After that I was not afraid of the dark.|He told me to breathe.|It snowed, so we walked.|I can hear
    his keys from my bed.|He sat with me on the stairs.|He pretends that he doesn't cry at movies.|The dog
    likes him best.|That's why I chose him.|I think about that a lot.|He gave me half of his sandwich.|He has
    worked there for {num} years.|And he came.|One day I will buy him a house with a porch.|He laughed and so
    did I.|My hands were shaking and his were not.|Now I do it too.
""")
