"""Names of the invented people of the held-out part: none of them occurs in development."""

from __future__ import annotations

from lab.samples.words.banks import words

FIRST_ENGLISH = words(
    """
    Aden Alicia Alina Allison Alyssa Amari Anders Annabel April Ariel Arthur Ashton August Autumn Avery
    Beatrix Bennett Bethany Bradley Brandon Brielle Bryce Bryson Callie Camden Carly Cassidy Cecilia
    Chelsea Clara Clayton Colin Corinne Cyrus Dahlia Dakota Dalia Damon Dante Dean Declan Destiny Diana
    Easton Eden Edith Elise Elliot Emerson Emery Esme Everett Fiona Flora Frederick Freya Georgia Gideon
    Giselle Gloria Graham Greta Griffin Gwen Hailey Harriet Heath Heidi Holly Hope Hugh Hunter Ian Ingrid
    Iris Jace Jalen Jared Jenna Joanna Josie Joy Juliet Kaden Kai Kelsey Kendra Kian Kira Kyle Lana
    Laurel Leo Lillian Louisa Lyla Mabel Maeve Malachi Marcella Margot Marshall Maxine Micah Millie
    Miriam Mila Myles Nadia Nell Nico Noel Odette Olivia Opal Orion Otis Paige Pearl Phoebe Preston
    Ramona Reid Remy Rhys Rosalie Roman Sage Sean Serena Shane Shelby Silas Sydney Talia Tatum Toby
    Trent Una Vera Vivian Warren Wendell Winona Yara Zane Aditi Amina Bao Chidi Dmitri Eun Hiro Jamal
    Keiko Kofi Laila Minh Nadeem Rohan Sanjay Sora Tariq Yusuf
    """
)

FIRST_SPANISH = words(
    """
    Abril Aitana Alma Amalia Anahí Antonio Arely Armida Aurora Azucena Bárbara Benjamín Blanca Brenda
    Bruno Catalina Cecilio Celeste Clemente Concepción Consuelo Dafne Dalila Débora Delfina
    Domingo Edgar Elisa Elvira Emilia Erick Estela Eva Evaristo Fabián Fabiola Fátima Felicia Flor
    Florencia Gabriel Gabriela Genaro Gloria Griselda Humberto Ilse Irene Irma Isaías Itzel Jaime Jair
    Josefina Julián Julieta Leonel Liliana Lisandro Lizbeth Lourdes Magdalena Manuela Marcela
    Marco Margarita Mariana Marina Maribel Martín Máximo Melisa Mercedes Mireya Moisés Nadia Nayeli
    Nereida Norma Olivia Óscar Patricia Paulina Perla Pilar Ramiro Raquel Regina Reyna Rigoberto Rosalía
    Rosendo Rubí Sara Saúl Silvia Susana Tadeo Tania Tatiana Ulises Uriel Valeria Viviana Ximeno Yahir
    Yolanda Zaira Zulema
    """
)

LAST_ENGLISH = words(
    """
    Aldridge Appleby Ashworth Ballard Barrett Bishop Blanchard Boone Bowman Bradford Burgess Burke
    Byrne Calloway Carver Chadwick Clifford Coleman Conway Cooper Crosby Cullen Davenport Dempsey Dixon
    Dobbins Doyle Drummond Dunbar Easterly Edmonds Emery Everhart Fenton Finch Fisk Flanagan Forsythe
    Frost Fuller Gentry Gilmore Goddard Graves Greer Hamlin Hanson Hargrove Haverford Hayward Hendricks
    Hobbs Holbrook Hooper Horton Hutchins Ireland Irving Jacoby Jarvis Keating Kemp Kimball Kingsley
    Knox Lacey Landry Larson Latimer Leighton Lowell Lyndon MacLeod Mahoney Marsden Mathis McCarthy
    McKenna Meadows Milton Monroe Moody Munroe Nash Newell Nichols Odell Olson O'Hara Paxton Payne
    Pennington Pike Porter Pruitt Purcell Quick Randolph Reeves Rhodes Rigby Roscoe Sawtelle Schaefer
    Shelton Sinclare Snyder Spencer Stafford Strand Swift Talbot Tate Thorpe Townsend Tucker Upton
    Vaughn Vickers Wallace Watkins Webster Weller Whitfield Wilder Winters Wolcott Wren Yarborough
    Achebe Banerjee Chowdhury Dvorak Eze Fujimoto Haddad Ivanov Jankowski Khoury Mensah Petrov Sato Tran
    """
)

LAST_SPANISH = words(
    """
    Aceves Aguirre Alcalá Amador Anaya Aranda Arriaga Ayala Balderas Ballesteros Bañuelos Barajas
    Barrera Bermúdez Bolaños Bonilla Briones Caballero Cano Carranza Carvajal Castellanos Cedillo
    Cisneros Colón Corona Corral Covarrubias Cuevas Dávila Díaz Enríquez Escalante Esquivel Fajardo
    Farías Félix Franco Gaytán Godínez Granados Guajardo Gurrola Gutiérrez Haro Hurtado Iglesias
    Izquierdo Jaimes Jasso Jiménez Lara Leyva Lira Loera Lugo Llamas Madrigal Magaña Márquez Medrano
    Mejía Meléndez Monreal Montemayor Moreno Murillo Nava Nieto Ochoa Ojeda Ornelas Ortega Otero Palacios
    Pantoja Pedroza Pineda Ponce Quezada Quiroga Reséndez Reyna Robledo Rocha Román Rubio Saavedra
    Salinas Samaniego Santillán Segura Serrano Soria Sotelo Tafoya Talamantes Tapia Terán Toledo Tovar
    Trujillo Ugalde Uribe Valadez Varela Vega Verdugo Villalobos Yáñez Ybarra Zapata Zaragoza Zepeda
    """
)

FATHERS_ENGLISH = words(
    """
    Abraham Adrian Allen Alvin Andrew Archie Arnold Bartholomew Bradford Bruce Byron Carl Cecil Chester
    Clifton Clyde Cody Craig Darnell Darren Desmond Donovan Douglas Duane Dwight Earl Elmer Ernie Floyd
    Fred Garrett Geoffrey Gilbert Glenn Gordon Grant Harrison Harvey Herbert Howell Irvin Ivan Jack Jeff
    Jeffrey Jerry Jimmy Joseph Kenneth Kirk Lance Larry Lester Lloyd Lyle Mark Matthew Maurice Max
    Melvin Mitchell Morris Neil Norman Oscar Percy Ralph Randall Reginald Rex Richard Rodney Roland Ross
    Roy Rudy Sheldon Sidney Steve Tim Timothy Todd Tony Troy Vernon Victor Virgil Wallis Wayne Wilbur
    Will
    """
)

FATHERS_SPANISH = words(
    """
    Adalberto Adán Adolfo Alberto Amado Ambrosio Anselmo Aurelio Baltazar Bernardo Camilo Carmelo
    Celestino Claudio Cornelio Demetrio Edmundo Eladio Eleazar Elías Eliseo Emilio Epifanio Everardo
    Fabio Faustino Fermín Fernando Fortino Fulgencio Germán Gonzalo Heriberto Hilario Horacio Isidro
    Jacinto Jerónimo Joaquim Leandro Lorenzo Lucio Macario Marcos Mario Maximino Nicanor Noé Norberto
    Osvaldo Pascual Patricio Porfirio Prudencio Ramsés Refugio René Reynaldo Rodolfo Román Romeo Rufino
    Sabino Santos Saturnino Severiano Silvestre Tiburcio Tobías Ubaldo Urbano Valentín Virgilio Wenceslao
    Zacarías Zenón
    """
)

MAIL_PLACES = ("post.example.org", "inbox.example.org", "net.example.org", "letters.example.org", "my.example.org")
