"""Sentences of children's essays in English that occur in the held-out part only."""

from __future__ import annotations

from lab.samples.words.banks import listed

#: Who the essay is about: (what the child calls him, word on the form).
CALLED = {
    "Father": ("my daddy", "my father", "my dad", "my pops"),
    "Grandfather": ("my gramps", "my granddad", "my Papa Joe"),
    "Stepdad": ("my stepfather", "my bonus dad"),
    "Father-Figure": ("my foster dad", "my older brother", "my uncle Theo", "my scout leader", "my mentor"),
}

SLOTS = {
    "sport": listed("hockey|wrestling|softball|golf|bowling|lacrosse|track|karate|ice skating"),
    "food": listed(
        """
        omelets|meatballs|barbecue ribs|lasagna|pierogi|jollof rice|hot dogs|dumplings|chili|French
        toast
        """
    ),
    "place": listed(
        """
        the aquarium|the barber shop|the farmers market|the campground|the train station|the skating
        rink|the river|our church|the county fair|the flea market
        """
    ),
    "job": listed(
        """
        a plumber|a welder|a barber|a paramedic|a baker|an accountant|a roofer|a security guard|a mail
        carrier|a pharmacist|a crane operator|a farmer
        """
    ),
    "trait": listed("gentle|clever|cheerful|fearless|thoughtful|reliable|humble|creative|polite|wise|tough"),
    "subject": listed("geometry|social studies|division|grammar|chemistry|long words|vocabulary|geography"),
    "animal": listed("goldfish|puppy|guinea pig|kitten|lizard|rooster"),
    "thing": listed(
        """
        a rocket|a sandbox|a rope swing|a doghouse|a skateboard ramp|a snow fort|a guitar|a wooden
        boat|a fish tank
        """
    ),
    "game": listed("Monopoly|marbles|tag|Scrabble|puzzles|darts|Connect Four"),
    "time": listed(
        """
        each Friday evening|on the weekend|at dinner time|during spring break|whenever it
        rains|before sunrise|when the game is on
        """
    ),
    "age": listed("nine|ten|two|eleven|almost six"),
    "feel": listed("taller|lucky|warm inside|important|cheerful|grateful|ten feet tall"),
    "country": listed("Ghana|Vietnam|Honduras|Ukraine|Jamaica|Peru|Pakistan|Italy"),
}

OPENINGS = {
    "young": """
        My essay is for {who}.|Do you know {who}? He is super {trait}.|There is nobody like
        {who}.|{Who} has a big smile and big hands.|Guess what, {who} is a superhero.|I am lucky that I
        have {who}.
    """,
    "middle": """
        If somebody asked me to describe love, I would point at {who}.|Let me introduce you to {who},
        the most {trait} man on our block.|The person who taught me the most is not a teacher at all;
        it is {who}.|Three words that fit {who} are {trait}, busy and loud.|A long list of people care
        about me, but {who} stands at the top.|My life would look very different without {who}.
    """,
    "older": """
        Every family has a quiet engine, and ours is {who}.|For sixteen years I have watched {who} turn
        ordinary days into lessons.|I once measured success in medals; {who} measured it in kept
        promises.|The smell of sawdust and coffee always brings me back to {who}.|Ask me for a
        definition of loyalty and I will tell you a story about {who}.|Some debts cannot be repaid, and
        mine is to {who}.
    """,
}

MIDDLES = {
    "young": """
        He pushes me high on the swing.|He cuts my sandwich in four triangles.|We watch cartoons under
        the blanket.|He paints my nails even if it is messy.|He can whistle like a bird.|He picks me up
        from school in his red truck.|We count the stars at night.|He lets me win at {game}.|He
        bought me new shoes with lights.|He put a bandage on my knee.|My {animal} sleeps on his
        feet.|He showed me {sport} in the yard.|We baked {food} for grandma.|He works as {job} and wears
        a cool hat.|He gives me piggyback rides.|He checks my closet for monsters.|His beard is
        scratchy.|We went to {place} and I saw a train.|He taught me to tie my shoes.|He claps very
        loud at my show.|We planted seeds and they grew.|He snores like a bear.|He made {thing} just
        for me.|He says I can do hard things.
    """,
    "middle": """
        Our tradition {time} is a walk to {place}, just the two of us.|He earns his money as {job}, yet
        he irons my uniform himself.|The two of us spent a whole week on {thing}, and it still
        stands in the yard.|When I wanted to quit {sport}, he asked me to finish the season
        first.|He turns {subject} into a game with bottle caps and coins.|"Measure twice, cut once" is
        what he tells me about nearly everything.|I laugh whenever I remember how the {food} landed on
        the ceiling.|Nobody cheers louder than he does, and sometimes I hide my face.|My {animal} ran
        away in a storm, and he searched with a flashlight until midnight.|His childhood in {country}
        was hard, and that is why he never wastes bread.|After my parents separated, he drove across
        town so that we could eat breakfast together.|He folds paper airplanes out of the electricity
        bill.|Playing {game} with him can take an entire afternoon.|He wrote my name on the wall where
        he marks how tall I get.|At the age of {age} I got lost in a store, and his voice found
        me.|Being {trait} comes natural to him.|He is learning English from my library books, and I am
        his teacher.|He keeps every drawing of mine in a shoebox.|The nurses let him sleep in the
        chair beside my bed for three nights.|People at {place} greet him by his first name.|He
        apologized to me once in front of my friends, which took courage.|I copy the way he ties his
        boots.|He wakes up early to scrape the ice from grandma's windshield.|Whenever I get a bad
        mark, we make a plan instead of a fuss.|He taught me how to cook {food} without burning
        myself.|His songs are out of tune, and I would not change a note.
    """,
    "older": """
        He left {country} at nineteen with a dictionary and the address of a cousin.|Working as {job}
        has bent his back, though never his humor.|The night I crashed the car, his first question was
        whether I was hurt.|We disagree about music, curfews and politics, and we still share the
        same couch.|He reads slowly, because he taught himself, and he reads every day.|I have seen
        him give his coat to a stranger at {place} and say nothing about it.|There were months when his
        chair at the table stayed empty, and we both remember them.|He showed up again, sober and
        ashamed, and he kept showing up.|Our truce began over {thing}, a project neither of us knew
        how to finish.|He does not lecture; he hands me a tool and waits.|What he calls common sense I
        have come to call wisdom.|My grandmother says he was a restless boy, and I recognize
        myself in her stories.|During my worst season of {sport} he sat in the last row and waved.|He
        keeps my first {subject} award behind the sun visor of his van.|Patience, for him, is a form of
        respect.|I learned to shave, to drive and to forgive from the same {trait} man.|When money was
        short he sold his guitar, and he told us it needed a better home.|Not everything between us is
        healed, but the door is open.|He asks good questions and has the nerve to wait for an
        answer.|Someday I hope to give him the rest that he has earned.
    """,
}

CLOSINGS = {
    "young": """
        You rock, daddy!|He is my favorite person.|I give him one million stars.|I hope he lives
        forever.|My heart is full of him.
    """,
    "middle": """
        Nobody could ever take his place.|For all these reasons I chose to write about {who}.|I will
        carry his lessons with me wherever I go.|If you met {who}, you would understand.|I just want to
        say thanks, and please never change.
    """,
    "older": """
        I am still learning to be the kind of person who deserves him.|When I leave for college, his
        voice will be packed first.|He gave me roots, and lately he has been giving me room.|This page
        is too small for what {who} has done.|I used to be his shadow; I would be proud to be his echo.
    """,
}

REACTIONS = """
        I have no words, only tears. What a gift you are to our family.|Being your dad is the greatest
        job I ever had.|I am going to frame this and hang it at my work.|You noticed more than I
        thought. I promise to keep trying.|My champion, thank you for these words. See you at
        practice!|I am touched, and I will read it again on hard days.|Who taught you to write so well?
        I could not be prouder.
    """

TITLES = listed(
    """
        Someone Special|My Super Dad|He Always Shows Up|The Best Teacher I Know|Big Hands, Big Heart|My
        Rock|Dear Dad|What He Taught Me
        """
)

#: Misspellings that children make in handwriting.
MISSPELT = {
    "teacher": "techer", "night": "nite", "person": "persin", "important": "importent", "would": "woud",
    "remember": "remeber", "whenever": "whenver", "family": "famly", "different": "diffrent", "taught": "tought",
    "nobody": "nobudy", "breakfast": "brekfast", "whole": "hole", "could": "cud", "their": "there",
    "money": "mony",
}  # fmt: skip
