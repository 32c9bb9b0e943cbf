"""Given and family names of pupils of Spanish-speaking families."""

from __future__ import annotations

from lab.samples.words.banks import listed, words

GIVEN = words("""
    Abril Adán Adela Ailín Aitana Alan Alexa Alexis Alicia Alma Amalia Amaya América Ana Anahí Andrea Ariadna
    Arely Armando Ashley Axel Azucena Berenice Bernardo Brandon Brayan Brenda Bruno Carolina Catalina Cecilia
    Christian Clara Dayana Débora Delfina Denisse Derek Edgar Edwin Eliseo Elvia Emanuel Emily Emmanuel
    Enrique Erick Estefanía Estela Estrella Ethan Eva Evangelina Ezequiel Fabián Fátima Felipe Félix Flor
    Frida Genaro Gerardo Giselle Gloria Hilda Humberto Ian Iker Ingrid Irene Iris Irving Itzel Ivonne Izel
    Jair Jade Janet Jaqueline Jared Jazlyn Jefferson Jennifer Jessica Jhonatan Johana Joel Jonathan Joselyn
    Judith Julieta Julissa Karen Karime Kenia Kevin Kimberly Leilani Leonel Lesly Liliana Lizbeth Lluvia Lola
    Lourdes Luciana Lupita Magali Manuel Marcos Margarita María Mariana Maribel Maritza Martín Maximiliano
    Mayra Melany Melisa Mercedes Michelle Milagros Moisés Monserrat Montserrat Nadia Nancy Naomi Nayeli Nelson
    Neymar Noé Norma Nuria Odalis Óscar Oswaldo Pamela Patricia Perla Priscila Ramiro Rebeca Regina Reina
    Rigoberto Rita Rosa Rosalía Rosaura Rubí Ruth Samantha Sara Saúl Scarlett Silvia Soledad Susana Tadeo
    Tania Thiago Ulises Uriel Valeria Vanessa Victoria Violeta Viridiana Wendy Wilmer Xóchitl Yahir Yamileth
    Yareli Yaretzi Yazmín Yulissa Yuridia Zaira Zoé Ixchel Nahomi Tlali Citlalli Yatziri Maite Ainhoa Edurne
    Leire Iñaki
""")

#: Two given names that go together.
DOUBLE = listed("""
    Ana Lucía|Ana María|Ana Sofía|Ángel Gabriel|Brayan Steven|Carlos Alberto|Carlos Eduardo|Diego Armando|
    Dulce María|Edgar Alonso|Emily Guadalupe|Erick Daniel|Estrella Marisol|Evelyn Yareli|Francisco Javier|Gael
    Alejandro|Héctor Iván|Ian Mateo|Jesús Antonio|Jesús Manuel|Jorge Luis|José Ángel|José Antonio|José Carlos|
    José Guadalupe|José Luis|José Manuel|José María|Juan Carlos|Juan Diego|Juan Pablo|Karla Paola|Luis Ángel|
    Luis Enrique|Luis Fernando|Luz Elena|Luz María|María Belén|María de la Luz|María de los Ángeles|María del
    Carmen|María Elena|María Fernanda|María Guadalupe|María José|María Luisa|María Teresa|Marco Antonio|Mía
    Isabella|Miguel Ángel|Nicole Alejandra|Oscar Daniel|Pedro Pablo|Regina Itzel|Rosa Isela|Rosa María|
    Santiago Emiliano|Sofía Valentina|Víctor Hugo|Ximena Guadalupe|Yael Emmanuel
""")

FAMILY = listed("""
    Aguirre|Alanís|Álvarez|Amaya|Andrade|Anaya|Aparicio|Aquino|Aranda|Arce|Arias|Armendáriz|Arriaga|Arroyo|
    Avelar|Ayala|Báez|Balderas|Barajas|Barrera|Barrientos|Barrios|Bautista|Bernal|Borja|Briseño|Burgos|
    Caballero|Calvillo|Cano|Cantú|Cárcamo|Cardona|Carranza|Carreón|Casillas|Castro|Ceballos|Chacón|Cifuentes|
    Cisneros|Colín|Colón|Corona|Coronado|Correa|Cortés|Cortez|Covarrubias|Cuéllar|Dávila|de Anda|de Jesús|De
    la Cruz|de la Fuente|de la O|De la Rosa|de la Torre|De la Vega|de León|De los Santos|Del Bosque|Del
    Castillo|Del Río|del Toro|Del Valle|Díaz|Díaz de León|Enríquez|Escalante|Escamilla|Esparza|Espino|
    Esquivel|Farías|Félix|Fernández|Franco|Frías|Fuentes|Galeana|Gálvez|Gámez|García|Garza|Gómez|González|
    Granados|Guardado|Guevara|Guillén|Gutiérrez|Guzmán|Haro|Hernández|Herrera|Hidalgo|Huerta|Hurtado|Íñiguez|
    Jasso|Jiménez|Lara|Leal|Ledesma|León|Lerma|Limón|Lizárraga|Llamas|López|Lucero|Luna|Madrigal|Magaña|Mares|
    Marroquín|Martínez|Mata|Maya|Medina|Medrano|Mejía|Meléndez|Mendieta|Meza|Michel|Mora|Morales|Moreno|
    Murillo|Nava|Negrete|Nieto|Noriega|Ochoa|Ojeda|Oliva|Olmos|Ontiveros|Ordóñez|Ornelas|Ortega|Ortiz|Osorio|
    Palacios|Palafox|Pantoja|Paredes|Patiño|Paz|Peralta|Perea|Pérez|Pineda|Pinto|Plascencia|Ponce de León|
    Porras|Portillo|Posada|Prado|Puente|Quezada|Quintero|Quiroz|Ramírez|Ramos|Rascón|Razo|Rendón|Reséndiz|
    Reynoso|Rincón|Rivas|Rivera|Robledo|Robles|Rocha|Rodríguez|Rojas|Roldán|Romero|Rosado|Rubalcava|Ruiz|
    Saavedra|Sáenz|Salas|Salcedo|Salgado|San Miguel|San Martín|Sánchez|Santana|Santa María|Santillán|Sauceda|
    Segovia|Segura|Sepúlveda|Serna|Serrano|Sierra|Silva|Solórzano|Sosa|Sotelo|Soto|Suárez|Tapia|Téllez|Tello|
    Terán|Tinoco|Toledo|Torres|Trejo|Trujillo|Uribe|Valdivia|Valdovinos|Valencia|Valles|Vargas|Vásquez|Vega|
    Velasco|Vélez|Venegas|Vera|Vidal|Viera|Villa|Villalobos|Villarreal|Villegas|Yáñez|Ybarra|Zapata|Zaragoza|
    Zárate|Zepeda|Zermeño
""")

NICKNAMES = listed("""
    Lupe|Lupita|Pepe|Chuy|Memo|Nacho|Beto|Paco|Chayo|Chela|Nena|Güero|Kike|Tito|Toño|Mari|Xime|Vale|Santi|
    Dani|Alex|Fer|Gabi|Majo|Lalo|Chava|Rafa|Nando|Pili|Caro|Sofi|Mateito
""")
NICKNAMES_ENGLISH = listed("""
    A.J.|Ace|AJ|Alex|Ally|Bean|Bear|Bella|Ben|Beth|Bo|Boo|Bubba|Buddy|Butch|Cam|CJ|Coco|D.J.|Dani|DJ|Dee|
    Ellie|EJ|Em|Flip|Gabe|Gigi|Gus|Izzy|J.D.|Jack|Jake|Jay|JayJay|JJ|Jo|Joey|JoJo|Junior|Kat|Katie|Kay|Kiki|
    KJ|Lala|Liv|Lulu|Max|Mickey|Mimi|Mo|Momo|Nate|Nick|Nico|Papi|PJ|Pip|Q|Ray|Red|Rocky|RJ|Sam|Scooter|Sissy|
    Skip|T.J.|Teddy|Tink|TJ|Tony|Trey|Ty|Will|Z|Zay|Ziggy
""")
