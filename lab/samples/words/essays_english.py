"""Sentences of children's essays in English, by part of the essay and age."""

from __future__ import annotations

from lab.samples.words.banks import listed

#: Who the essay is about: (what the child calls him, word on the form).
CALLED = {
    "Father": ("my dad", "my father", "my dad", "my papa"),
    "Grandfather": ("my grandpa", "my grandfather", "my grandad"),
    "Stepdad": ("my stepdad", "my step dad"),
    "Father-Figure": (
        "my uncle",
        "my coach",
        "my godfather",
        "my big brother",
        "my neighbor Mr. Ray",
        "my pastor",
    ),
}

SLOTS = {
    "sport": listed("soccer|basketball|baseball|tennis|volleyball|football|swimming|catch|kickball"),
    "food": listed(
        """
        pancakes|tamales|spaghetti|grilled cheese|pozole|chicken soup|tacos|waffles|rice and
        beans|pizza
        """
    ),
    "place": listed(
        """
        the park|the lake|the library|the zoo|the beach|the museum|my grandma's house|the basketball
        court|the hardware store|the forest preserve|the movies
        """
    ),
    "job": listed(
        """
        a mechanic|a nurse|a truck driver|a teacher|a cook|an electrician|a painter|an engineer|a
        janitor|a bus driver|a carpenter|a firefighter|a landscaper
        """
    ),
    "trait": listed("patient|kind|funny|brave|hardworking|honest|strong|generous|calm|caring|loyal|smart"),
    "subject": listed("math|reading|science|spelling|fractions|history|writing|multiplication"),
    "animal": listed("dog|cat|hamster|turtle|rabbit|parakeet"),
    "thing": listed(
        """
        a bike|a treehouse|a birdhouse|a kite|a model airplane|a bookshelf|a go-kart|a garden|a
        lemonade stand
        """
    ),
    "game": listed("chess|checkers|Uno|dominoes|video games|hide and seek|cards"),
    "time": listed(
        """
        every Saturday|on Sundays|after school|every night|in the summer|on his day off|before bed
        """
    ),
    "age": listed("four|five|six|seven|eight|three"),
    "feel": listed("happy|safe|proud|loved|brave|calm|special"),
    "country": listed("Mexico|Poland|Guatemala|Nigeria|the Philippines|Puerto Rico|India|Ecuador"),
}

OPENINGS = {
    "young": """
        {Who} is the best.|I love {who} so much.|{Who} is my hero.|This is about {who}.|{Who} is
        nice and {trait}. |I have the best dad in the whole world and it is {who}.|{Who} makes me
        {feel}.|I want to tell you about {who}.
    """,
    "middle": """
        When I think about a person who means a lot to me, I think of {who}.|What {who} means to me
        is hard to put in a few words. |{Who} is one of the most {trait} people I know.|If I could
        give one award in the world, I would give it to {who}. |There are many reasons why {who} is
        important to me.|I am writing about {who} because he is always there for me. |Everybody has
        a hero, and mine is {who}.|Some heroes wear capes, but {who} wears old work boots.
    """,
    "older": """
        People often ask who I look up to, and without hesitation I say {who}. |A father is not only
        someone who shares your last name; he is someone who shows up, and {who} has always shown
        up. |Growing up, I did not understand how much {who} was giving up for our family. |There is
        a photograph on our refrigerator of {who} holding me on the day I was born. |It took me a
        long time to understand what {who} was trying to teach me. |The alarm clock in our house
        goes off at four thirty in the morning, and it belongs to {who}. |If strength had a voice,
        it would sound like {who} on a tired evening.
    """,
}

MIDDLES = {
    "young": """
        We play {sport} together.|He takes me to {place}.|He makes {food} for me.|He reads to me
        before bed.|He hugs me when I am sad. |He fixed my bike.|We have a {animal} and he feeds
        it.|He is {job}.|He is funny when he dances.|He tickles me and I laugh a lot. |He helps me
        with my {subject}.|I like when we play {game}.|He gave me a {animal} for my birthday.|He
        carries me on his shoulders. |He says I am smart.|He works a lot but he comes home to
        me.|One time we went to {place} and ate ice cream.|We built {thing}. |He lets me help him
        cook {food}.|When I fall down he helps me get up.|He sings songs in the car.|He is very tall
        and {trait}. |I drew him a picture of us.|He tucks me in my bed.|He gives me big hugs.|He
        likes the color blue like me. |He tells me good night and I love you.|He is never mean to
        me.|He makes me laugh when I cry.|He plays dolls with me and my sister.
    """,
    "middle": """
        {Time_cap} we go to {place} and talk about our week.|He works as {job}, and even when he is
        tired he asks me how my day was. |Last summer we built {thing} together, and he let me use
        the hammer.|He taught me how to play {sport} when I was {age} years old. |When I had trouble
        with {subject}, he sat next to me at the kitchen table until I understood it. |He always
        says that if you fall seven times, you get up eight times.|One of my favorite memories is
        when we made {food} and burned the first batch. |He came to every one of my games, even the
        one in the rain.|I remember when my {animal} got sick and he stayed up all night with me.
        |He does not yell when I make a mistake; he asks me what I learned.|He was born in {country}
        and he tells me stories about it. |Sometimes I wish he had more time, because he works two
        jobs.|He makes jokes that are not very funny, but everybody laughs anyway. |In second grade
        I was afraid to read out loud, and he practiced with me {time}.|He taught me to say please
        and thank you and to mean it. |When I was {age}, I broke my arm, and he held my other hand
        at the hospital.|We have a secret handshake that nobody else knows. |My favorite thing to do
        with him is play {game}.|He shows me how to be {trait} with other people. |Once he drove
        back two hours just because I forgot my backpack.|He helps our neighbors shovel the snow
        without asking for money. |He tells me that school comes first and {sport} comes second.|My
        mom says I have his smile, and that makes me {feel}. |When our car broke down, he turned it
        into an adventure.|I was nervous on the first day at my new school, and he left a note in my
        lunch box. |He is not perfect, but he says sorry when he is wrong.|I learned from him that
        being {trait} is more important than being first. |He saves the last piece of cake for
        me.|On my birthday he wakes me up with {food}.|Even when we are apart, he calls me {time}.
    """,
    "older": """
        He came to this country from {country} with one suitcase, and he still keeps that suitcase
        in the closet. |He works as {job}, and his hands tell the story better than any essay could.
        |When I failed my first {subject} test, I expected anger, but he pulled up a chair and
        opened the book. |What I admire most is that he is {trait} even when nobody is
        watching.|There were years when we barely spoke, and I will not pretend they were easy. |We
        have not always agreed, and some of our arguments lasted for days.|He taught me that an
        apology is not a weakness but a door. |I used to be embarrassed by his accent; now I hear in
        it every mile that he travelled for us. |He never missed a parent conference, even after a
        double shift.|One evening at {place} he told me about his own father, whom he had lost at my
        age. |I would like us to spend more time together, without phones and without hurry.|From
        him I learned to fix what is broken instead of throwing it away. |He once drove through a
        snowstorm to bring me the {sport} shoes that I had forgotten. |When the doctors gave us bad
        news, he was the one who made breakfast the next morning as if the sun would never stop
        rising. |He reads every essay I write, including, I suppose, this one.|He believes that
        character is what you do with what you are given. |Our best conversations happen in the car,
        when we both look straight ahead.|He showed me that being {trait} is a choice that you make
        every single day. |I remember building {thing} with him, and how he let me get it wrong
        three times before I got it right. |My friends think that he is strict, but I know that his
        rules come from love.|He did not have to step in, but he did, and it changed my life.
        |Because of him I volunteer {time}, and I have begun to understand what service means. |His
        favorite saying is that small steps still move you forward.|There is no trophy for what he
        does, and he has never asked for one.
    """,
}

CLOSINGS = {
    "young": """
        I love you, dad!|He is the best ever.|That is why I love him.|The end.|I want to be like
        him.|Thank you for all you do. |I love him to the moon and back.
    """,
    "middle": """
        That is why {who} is my hero.|I hope that one day I can be like him.|Thank you for
        everything you do for me. |I would not trade him for anything in the world.|I love him very
        much, and I am lucky to have him. |When I grow up, I want to be as {trait} as he is.
    """,
    "older": """
        If I become half the person that he is, I will have done well.|That is what {who} means to
        me, today and always. |I hope that he knows how grateful I am, because I do not say it
        enough.|One day I want to be for someone what he has been for me. |Whatever road I choose, I
        will hear his voice along the way.
    """,
}

REACTIONS = """
        I am so proud of you. Reading this made me cry happy tears.|Thank you, sweetheart. You are
        the reason I work so hard. |This made my day. I love you very much.|I did not know you
        remembered all of that. You have a big heart. |Wow! I am speechless. I will keep this essay
        for ever.|I love you, buddy. We will go fishing soon, I promise. |What a beautiful essay. I
        am blessed to be your father.|You make me a better person. Keep writing!
    """

TITLES = listed(
    """
        My Dad|My Hero|What My Father Means to Me|My Best Friend|The Man in My Life|A Hero Without a
        Cape|My Grandpa and Me|Thank You
        """
)

#: Misspellings that children make in handwriting.
MISSPELT = {
    "because": "becuse", "favorite": "favrite", "friend": "freind", "really": "realy", "believes": "beleives",
    "tired": "tierd", "together": "togather", "always": "allways", "beautiful": "beutiful", "people": "peple",
    "when": "wen", "they": "thay", "birthday": "brithday", "every": "evry", "school": "shcool", "laugh": "laff",
}  # fmt: skip
