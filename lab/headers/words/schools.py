"""What schools are called after: people, places, saints, words."""

from __future__ import annotations

from lab.samples.words.banks import listed, words

PEOPLE_SHORT = listed("""
    Lincoln|Washington|Jefferson|Madison|Monroe|Jackson|Grant|Garfield|McKinley|Roosevelt|Wilson|Harding|
    Hoover|Truman|Kennedy|Adams|Franklin|Hamilton|Hancock|Revere|Lafayette|Pulaski|Kosciuszko|Columbus|
    Whittier|Longfellow|Emerson|Thoreau|Hawthorne|Irving|Whitman|Poe|Twain|Dickens|Audubon|Burbank|Edison|
    Bell|Fulton|Whitney|Morse|Pasteur|Darwin|Curie|Einstein|Newton|Galileo|Armstrong|Glenn|Ride|Earhart|
    Wright|Lindbergh|Lewis|Clark|Fremont|Carson|Crockett|Houston|Bowie|Travis|Lamar|Sheridan|Sherman|Farragut|
    Decatur|Perry|Dewey|Mann|Barnard|Parker|Young|Addams|Barton|Nightingale|Stowe|Tubman|Truth|Douglass|
    Dunbar|Carver|Hughes|Bethune|Wells|Marshall|King|Parks|Robinson|Chavez|Huerta|Clemente|Zapata|Juarez|
    Morelos|Hidalgo|Sandoval|Velma|Gompers|Haines|Nash|Prescott|Burr|Chase|Cooper|Field|Gray|Hale|Hayes|Henry|
    Howe|Kilmer|Lowell|Mayer|Otis|Palmer|Penn|Pierce|Ray|Sawyer|Stone|Swift|Taft|Tyler|Ward|Waters|Webster|
    West|Holmes|Hart|Lyon|Tilden|Senn|Steinmetz|Schurz|Kelvyn|Kenwood|Oakley|Sotomayor|Obama|Milk|Chisholm|
    Angelou|Baldwin|Ellison
""")

PEOPLE_FULL = listed("""
    Abraham Lincoln|George Washington|George Washington Carver|Thomas Jefferson|Theodore Roosevelt|Eleanor
    Roosevelt|Franklin D. Roosevelt|John F. Kennedy|Rosa Parks|Martin Luther King|Martin Luther King Jr.|Dr.
    Martin Luther King Jr.|Harriet Tubman|Frederick Douglass|Sojourner Truth|Thurgood Marshall|Mary McLeod
    Bethune|Langston Hughes|Paul Laurence Dunbar|Jackie Robinson|Roberto Clemente|Cesar Chavez|César Chávez|
    Dolores Huerta|Sonia Sotomayor|Frida Kahlo|Diego Rivera|Benito Juárez|Benito Juarez|Emiliano Zapata|Simón
    Bolívar|José Martí|Gabriela Mistral|Rubén Darío|Pablo Neruda|Sally Ride|Neil Armstrong|Amelia Earhart|
    Marie Curie|Albert Einstein|Isaac Newton|Thomas Edison|Mark Twain|Walt Whitman|Emily Dickinson|Robert
    Frost|Ralph Waldo Emerson|Louisa May Alcott|Helen Keller|Anne Frank|Clara Barton|Florence Nightingale|Jane
    Addams|Susan B. Anthony|Horace Mann|John Dewey|Alexander Graham Bell|Benjamin Franklin|Patrick Henry|Paul
    Revere|Betsy Ross|Davy Crockett|Sam Houston|Daniel Boone|Lewis and Clark|William Penn|Mahalia Jackson|
    Louis Armstrong|Duke Ellington|Maya Angelou|Toni Morrison|Ida B. Wells|Barack Obama|Michelle Obama|Ruth
    Bader Ginsburg|Katherine Johnson|Mae Jemison|Ellen Ochoa|Ronald McNair|Christa McAuliffe|Bessie Coleman|
    Malcolm X|Nelson Mandela|Mahatma Gandhi|Mother Teresa|Octavio Paz|Sor Juana|Sor Juana Inés de la Cruz|
    Josefa Ortiz|Casimir Pulaski|Irma Ruiz|Irene Hernandez|Oscar Romero|Archbishop Romero|Father Hidalgo|Padre
    Serra|Bishop Grayling|Cardinal Mooring|Pope John Paul II|Henry Wadsworth Longfellow|Washington Irving|
    Nathan Hale|Hector Garcia|Edna Hargrove|Wilma Beasley|Otis Fennimore|J. P. Wendell|E. B. Tolland|W.E.B. Du
    Bois|Dr. Hector P. Salinas|Lt. Joseph Prall|Sgt. Amos Reed|Viola Desmond|Ernest Just|Sitting Bull|Chief
    Joseph|Sacajawea
""")

NATURE_FIRST = words("""
    Alder Apple Ash Aspen Bay Bear Beaver Birch Blue Bluff Brook Buck Cactus Canyon Cedar Cherry Clear Clover
    Crystal Cypress Deer Desert East Elder Elk Elm Ever Fair Falcon Fern Forest Fox Glen Gold
    Golden Granite Green Hawk Hazel Heritage Hickory High Hollow Indian Lake Lake_View Laurel Lone Long
    Magnolia Maple Meadow Mesa Mill Mission Moss Mountain New North Oak Ocean Orchard Owl Palm Park
    Pebble Pheasant Pine Pleasant Plum Poplar Prairie Quail Red Ridge Rio River Rock Rocky
    Rose Sage Sand Shady Silver Sky Snow South Spring Spruce Star Still Stone Summer Sun Sunny
    Sunset Sweet Swan Tall Thorn Three Trail Tree Turtle Twin Union Valley Vine Vista Walnut Water West
    White Wild Willow Wind Wolf Wood Yellow Windy Stony Juniper Larch Badger Heron Bison Lupine Wren
""")
NATURE_LAST = words("""
    Acres Basin Bend Bluff Branch Bridge Brook Canyon Cliff Corner Cove Creek Crest Crossing Dale Falls Farm
    Ferry Field Fields Ford Forest Fork Garden Gardens Gate Glen Grove Harbor Haven Heights Hill Hills Hollow
    Island Junction Knoll Lake Lakes Landing Lane Meadow Meadows Mesa Mill Mills Oak Oaks Orchard Park Path
    Pass Peak Pines Place Plains Point Pond Prairie Ranch Rapids Ridge River Rock Run Shore Slope Springs
    Station Stream Summit Terrace Trace Trail Trails Valley View Village Vista Woods
""")
GLUED_LAST = words(
    "view wood ridge brook field dale side crest ton port land worth bury mont haven stone vale mere"
)

SAINTS = words("""
    Agatha Agnes Alphonsus Ambrose Andrew Anne Anthony Augustine Barnabas Bartholomew Bede Benedict Bernadette
    Brendan Brigid Bruno Casimir Cecilia Charles Christopher Clare Columbkille Daniel Dominic Elizabeth Emily
    Ferdinand Francis Gabriel Genevieve Gerald Giles Gregory Helen Hyacinth Ignatius Irene Isaac James Jerome
    Joan John Jude Juliana Kateri Kevin Ladislaus Lawrence Leo Linus Louis Lucy Luke Malachy Margaret Mark
    Martha Mary Matthew Michael Monica Nicholas Odilo Odo Patrick Paul Pascal Peter Philip Pius Raphael
    Raymond Rita Robert Rose Sabina Sebastian Stephen Symphorosa Teresa Thomas Timothy Ursula Viator Vincent
    Walter William Xavier
""")
HOLY = listed("""
    Our Lady of Grace|Our Lady of Mercy|Our Lady of Guadalupe|Our Lady of Perpetual Help|Our Lady of the
    Snows|Our Lady of Sorrows|Our Lady Star of the Sea|Nuestra Señora de la Paz|Holy Family|Holy Cross|Holy
    Name|Holy Trinity|Holy Redeemer|Holy Angels|Sacred Heart|Immaculate Conception|Immaculate Heart|Queen of
    Peace|Queen of Angels|Queen of the Rosary|Christ the King|Good Shepherd|Blessed Sacrament|Most Holy
    Redeemer|Nativity|Resurrection|Visitation|Assumption|Ascension|Transfiguration|Mother of Sorrows|Precious
    Blood|Corpus Christi|Bethel|Bethany|Calvary|Zion Lutheran|Trinity Lutheran|Grace Lutheran|Mount Carmel|Mt.
    Zion|Beth Shalom|Al-Noor|Noor ul Iman|Guru Nanak|Temple Sholom
""")
SPANISH_PLACES = listed("""
    Las Palmas|Los Robles|El Camino|La Paloma|Las Brisas|Palo Alto|Palo Verde|Valle Verde|Valle Vista|Monte
    Vista|Buena Vista|Loma Linda|Mesa Linda|Mesa Verde|Mira Loma|Rio Grande|Rio Vista|Río Bravo|Tierra Nueva|
    Tierra del Sol|Sierra Vista|Santa Fe|Santa Rosa|Santa Clara|Santa Lucía|Santa Barbara|Sta. Rita|Santa
    Cruz|San Jacinto|San Marcos|San Pedro|San Gabriel|San José|San Miguel|San Lorenzo|Sn. Juan|Nuevo Mundo|
    Nueva Esperanza|Nuevo Amanecer|La Esperanza|La Joya|La Luz|El Sol|El Dorado|El Sereno|El Roble|Del Mar|Del
    Sol|Agua Dulce|Alta Vista|Arroyo Seco|Bella Vista|Cielo Azul|Corona del Mar|Dos Palmas|Encanto|Estrella|
    Las Flores|Los Pinos|Los Niños|Montaña Azul|Ojo de Agua|Paseo del Rey|Puesta del Sol|Rancho Viejo|Tres
    Ríos|Villa Hermosa|Vista del Valle
""")
WORDS = listed("""
    Central|Pioneer|Discovery|Liberty|Independence|Freedom|Heritage|Horizon|Legacy|Summit|Pinnacle|Frontier|
    Explorer|Innovation|Unity|Harmony|Hope|Promise|Victory|Challenge|Endeavor|Phoenix|Enterprise|Excel|
    Odyssey|Renaissance|Montessori|Waldorf|Sunrise|Sunset|Community|Cornerstone|Keystone|Lighthouse|Gateway|
    Bridge|Passages|Noble|Success|Aspire|Northside|Southside|Westside|Eastside|Eastview|Westview|
    Northview|Southwest|Northwest|Midtown|Downtown|Union|Village|College Park|University Park|Park|Lake|
    Prairie|Forest|River|Marsh|Hall|Bridges|Steele|Frost|Rose|Jordan|Angel|Mercy|Grace|Carson|Taylor|Logan|
    Mason|Blaine
""")
TOWN = listed("""
    Ashdale|Bellfield|Bramford|Brockhurst|Burlton|Camdale|Carrollton|Cedarburg|Chesterton|Claymont|Clifton|
    Cloverton|Dalewood|Danbury|Eastlake|Edgebrook|Elkhorn|Fairmont|Fairview|Glendale|Glenview|Grafton|
    Greenfield|Greenwood|Hartford|Highland|Hillcrest|Hollydale|Kingsbury|Lakeside|Lakeview|Lakewood|Larchmont|
    Lexington|Lynwood|Manchester|Maplewood|Marlboro|Millbrook|Milton|Mountainview|Newbury|Northfield|Norwood|
    Oak Lawn|Oakdale|Oakwood|Orchard|Plainview|Quincy|Richmond|Ridgeway|Riverdale|Riverside|Riverview|
    Rockford|Salem|Sheffield|Somerset|Springdale|Stanton|Stillwater|Stratford|Sunnyside|Thornton|Valleyview|
    Westbrook|Westfield|Weston|Winfield|Woodbury|Woodland|Woodlawn|Woodside
""")
