"""Names that are also words, and given names of men."""

from __future__ import annotations

from lab.samples.words.banks import words

#: Given names that are also words, months, virtues or things.
WORD_GIVEN = words("""
    Hope August River Trinity Angel Page Faith Grace Joy April May June Autumn Summer Winter Heaven Destiny
    Chance Justice Genesis Haven Heavenly King Prince Royal Legend Major Saint Sky Skye Star Story Sunny Storm
    Rain Ocean Forest Rose Lily Violet Ivy Daisy Poppy Olive Ginger Sage Basil Clay Cliff Dale Dean Duke Earl
    Gray Hunter Mason Cooper Carter Parker Porter Tanner Taylor Art Bill Bishop Brook Brooks Cash Crew Diamond
    Dream Easter Echo Ever Fox Honor Jade Jasper Journey Jewel Kingston Lake Liberty Luna Lyric Maverick
    Memory Merit Miracle Mercy Navy North Nova Paris Peace Penny Pearl Phoenix Promise Ranger Reign Robin Ruby
    Scout Serenity Silver Sterling Success Tiger True Treasure Unity Valor Wisdom Will Wolf Wren Zion Cruz
    Cielo Luz Mar Sol Rocío Paz Dulce Estrella Reyna Milagros Nieves Socorro Santos Domingo Jesús Ángel
""")
#: Family names that are also words, places or parts of a school.
WORD_FAMILY = words("""
    Church Hall House School Page Room Rooms Field Fields Park Parks Hill Hills Lake Rivers Woods Forest Stone
    Bridges Banks West East North Winter Winters Summers Day May March Friday Monday King Prince Pope Bishop
    Priest Deacon Abbott Monk Love Joy Good Goode Best Strong Young Long Short Small Little Rich Price Penny
    Gold Silver Steele Iron Wood Cotton Silk Bell Drum Horn Harper Singer Story Books Reader Read Word Wise
    Counsel Lane Street Rhodes Way Gates Castle Towers Mills Glass Pool Snow Frost Rain Storm Flowers Rose
    Bush Berry Apple Lemon Rice Bean Pepper Ham Bacon Fish Pike Bass Drake Swan Crane Wolf Fox Hart Bull Lamb
    Grade Masters Teacher Student Child Childs Fatherly Papa Mann Guy Self English French Spain England London
    Paris Lincoln Washington Jefferson Madison Monroe Jackson Grant Kennedy Academy Campus Class Title Dates
    Friend Friends Noble Nice True Hope Faith Grace Moon Starr Sunday Weeks Moody Savage Sharp Swift Rush Cruz
    Campos Flores Rios Reyes Leal Bueno Blanco Rubio Delgado Prieto Rey Real Mar Luna Sol Iglesias Escuela
    Cielo Paz Toro Vaca Lobo León Montes Palma Rosas Puente Torres Castillo Casas Calles Huerta
""")

#: Given names of men, for fathers and uncles.
MEN = words("""
    Abdi Abel Adrian Ahmad Al Alejandro Alex Ali Alonzo Amit Andre Andrzej Angel Antoine Antonio Art Ashok
    Benny Bill Bo Bob Brandon Bruce Carl Carlos Cesar Chad Chester Chris Cleveland Clyde Cornelius Craig
    Curtis Dale Darnell Darryl Dave Dean Deng Diego Don Doug Duane Dwayne Earl Ed Eddie Eduardo Elijah Emilio
    Emmanuel Ernie Esteban Ezekiel Fernando Floyd Francisco Frankie Fred Gary Gene Glenn Greg Gus Hai Hank
    Hassan Hector Herb Horace Hussein Ibrahim Isaiah Ivan Jack Jaime Jake Jamal Jean Jeff Jerry Jesús Jim Jin
    Joe Joey Johnny Jorge José Josh Juan Karim Ken Khalid Kofi Kwame Kyle Lamont Larry Lee Lenny Leroy Lincoln
    Linh Lou Louis Lucas Luis Mahmoud Malik Manny Manuel Mario Mark Martin Matt Mel Miguel Mike Minh Miroslav
    Mohammed Moses Nate Ned Neil Nick Nikolai Noel Oscar Otis Pablo Percy Pete Phil Pierre Prakash Quan Rafael
    Raj Ralph Ramón Ray Reggie Rene Reuben Rick Rob Rodney Ron Roosevelt Roy Rudy Rufus Sal Sam Santiago Saul
    Sean Sergei Shawn Sid Steve Stefan Sunil Tariq Ted Terry Theo Tim Tito Todd Tom Tomás Tony Travis Trevor
    Tyrone Vic Vince Wade Wally Warren Wayne Wendell Wes Will Willie Winston Yusuf Zbigniew
""")
