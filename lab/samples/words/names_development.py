"""Names of the invented people of the development part."""

from __future__ import annotations

from lab.samples.words.banks import words

FIRST_ENGLISH = words(
    """
    Abigail Addison Aiden Aaliyah Amara Amelia Andre Anthony Aria Asher Aubrey Audrey Austin Ava Bella
    Benjamin Blake Brianna Brooklyn Caleb Cameron Carter Charlotte Chloe Christopher Claire Cole Connor
    Daisy Darius Delilah Deshawn Dominic Dylan Eleanor Eli Ella Elijah Emma Ethan Evelyn Ezra Faith Finn
    Gabrielle Gavin Grace Grayson Hannah Harper Hazel Henry Hudson Imani Isaac Isla Ivy Jackson Jada
    Jasmine Jayden Jeremiah Jonah Jordan Josephine Julian Kayla Kennedy Kiara Landon Layla Leah Levi
    Liam Lily Logan Lucy Luke Malik Mason Maya Miles Naomi Nathan Nia Noah Nolan Nora Olive Oliver Owen
    Parker Penelope Piper Quinn Reese Riley Rowan Ruby Ryan Sadie Samuel Savannah Sawyer Simone Skylar
    Stella Tessa Theo Trinity Tyler Violet Wesley Willa Wyatt Xavier Zachary Zoe Zuri Anika Arjun Mei
    Hana Omar Fatima Kenji Priya Linh Tomasz
    """
)

FIRST_SPANISH = words(
    """
    Adriana Alejandro Alondra Andrés Ángel Araceli Ariana Beatriz Belén Camila Carlos Carmen César
    Citlali Cristina Damián Daniela Diego Dulce Eduardo Elena Emiliano Esteban Esperanza Fernanda
    Francisco Gael Graciela Guadalupe Gustavo Héctor Inés Isabela Iván Ximena Jazmín Jimena Joaquín
    Jorge José Josué Juliana Karla Leonardo Leticia Lorena Lucía Luis Luz Marisol Mateo Matías Maricela
    Miguel Mónica Natalia Nicolás Noemí Octavio Pablo Paloma Paola Ramón Raúl Renata Ricardo Rocío
    Rodrigo Rosario Salvador Santiago Sebastián Selena Sofía Teresa Tomás Valentina Verónica Yadira
    Yesenia
    """
)

LAST_ENGLISH = words(
    """
    Abbott Ackerman Adler Alston Archer Atwood Baldwin Bancroft Barlow Beckett Bellamy Benton Blackwell
    Bramwell Brewster Briggs Caldwell Carmichael Chandler Colby Cornwall Crawford Dalton Dawson Delaney
    Donahue Draper Eastman Ellison Fairchild Farley Fenwick Fletcher Foster Gallagher Garrison Gibbs
    Goodwin Grantham Hadley Halloway Harlan Hartwell Hathaway Hollis Huxley Ingram Jennings Kendrick
    Kessler Kirkland Lambert Langley Lindqvist Lockhart Loxley Maddox Marlowe Mayfield McAllister
    McBride Mercer Merritt Nakamura Norwood Novak Nguyen O'Brien O'Connell Oakley Okafor Osborne Palmer
    Patel Pemberton Prescott Quimby Radcliffe Ramsey Redmond Ridley Rowland Rutherford Sheffield
    Sinclair Stanton Sterling Sutton Tanaka Thatcher Tillman Underhill Vance Wakefield Walcott Warner
    Wexler Whitaker Winslow Woodard Wyndham Yates Zielinski Adeyemi Kowalski
    """
)

LAST_SPANISH = words(
    """
    Acosta Aguilar Alarcón Alvarado Arellano Ávila Barragán Becerra Benítez Bravo Bustamante Cabrera
    Calderón Camacho Cárdenas Carrillo Castañeda Cervantes Chávez Contreras Cordero Delgado Domínguez
    Duarte Echeverría Elizondo Escobar Espinoza Estrada Figueroa Fuentes Gallegos Galván Guerrero
    Hinojosa Ibarra Jaramillo Juárez Lozano Luján Macías Maldonado Mendoza Mireles Montoya Muñoz Navarro
    Núñez Ocampo Olivares Orozco Padilla Peña Pacheco Quintana Quiñones Rangel Rentería Ríos Rosales
    Salazar Saldaña Sandoval Solís Tejeda Treviño Urbina Valdez Valenzuela Velázquez Villaseñor Zamora
    Zúñiga Zavala
    """
)

FATHERS_ENGLISH = words(
    """
    Aaron Albert Alan Barry Bernard Brian Calvin Charles Clarence Curtis Daniel David Dennis Derrick
    Edward Eric Ernest Eugene Frank George Gerald Gregory Harold Howard James Jason Jerome Joel Keith
    Kevin Lamar Leonard Marcus Marvin Michael Nathaniel Patrick Paul Peter Philip Raymond Robert Roger
    Russell Scott Stanley Stephen Terrence Thomas Vincent Walter William
    """
)

FATHERS_SPANISH = words(
    """
    Abelardo Agustín Alfonso Alfredo Armando Arturo Benito Cristóbal Efraín Enrique Ernesto Eusebio
    Federico Felipe Fidel Gerardo Gilberto Gregorio Guillermo Hernán Hugo Ignacio Ismael Javier Juan
    Julio Lázaro Leopoldo Manuel Marcelino Mauricio Néstor Orlando Pedro Rafael Roberto Rogelio Rubén
    Samuel Sergio Simón Víctor Vicente
    """
)

MAIL_PLACES = ("example.org", "mail.example.org", "family.example.org", "school.example.org", "home.example.org")
