"""Given and family names of pupils by origin."""

from __future__ import annotations

from lab.samples.words.banks import listed, words

#: Origin -> given names, family names.
ORIGINS: dict[str, tuple[list[str], list[str]]] = {
    "african american": (
        words("""
            Aaliyah Amari Aniyah Ashanti Brielle Cedric Chanel Cortez Daequan Dajuan Damarion Dashawn DaQuan
            Davion DeAndre Deja Deonte Dericka Destinee Devontae Ebony Essence Genesis Harmony Iesha Imari
            Jabari Jah'mir Jakayla Jaliyah Jalen Jamal Jamarcus Janiyah Jaquan Javonte Ka'Mari Kamari Kanye
            Keisha Ke'Shawn Keyonna Khalil Kymani LaKeisha La'Nyah Laila Latrell Lavonte Lyric Makayla Marquis
            Messiah Miracle Mya Nevaeh Nyasia Precious Princess Quincy Raekwon Rashad Royalty Sanaa Sa'Niya
            Semaj Shaniya Shantel Sincere Tamia Tariq Tay'Shaun Terrell Tiara Treyvon Tyree Tyshawn Unique
            Zaire Zakiyah Zamir Zariah Zion
        """),
        words("""
            Banks Battle Bolden Booker Broadnax Bynum Coates Cobb Crenshaw Dandridge Dorsey Easley Ellerbe
            Fountain Gaines Gadson Goins Hairston Hardaway Holloman Ivory Jeffries Kinsey Ledbetter Lofton
            Mayweather McCants McGhee Muhammad Odom Peoples Pettway Poindexter Pinkney Rucker Sharpe
            Singletary Stallworth Tolliver Treadwell Upshaw Vinson Whitfield Witherspoon Yarbrough
        """),
    ),
    "west african": (
        words("""
            Abena Adaeze Adebola Aissatou Akosua Amadou Amina Ayodele Babatunde Bintou Chiamaka Chidi Chinedu
            Chukwuemeka Ebele Efua Emeka Fatoumata Folasade Ibrahim Ifeoma Kofi Kwabena Kwaku Kwesi Mamadou
            Mariama Modou Ngozi Nkechi Obinna Olamide Oluwaseun Ousmane Sekou Temitope Tunde Uche Yaa Yetunde
            Zainab Awa Cheikh
        """),
        words("""
            Abubakar Achebe Acheampong Adeleke Adu Afolabi Agyeman Akintola Amoako Anyanwu Appiah Asante Bah
            Balogun Bangura Boateng Camara Cissé Conteh Coulibaly Diallo Diarra Diop Eze Fofana Gyamfi Ibekwe
            Igwe Jallow Kamara Keita Koroma Mensah Ndiaye Nwachukwu Obi Ofori Ogunleye Okeke Okonkwo Onyeka
            Opoku Owusu Sarr Sesay Sow Sylla Touré Traoré Uzoma
        """),
    ),
    "east african": (
        words("""
            Abdirahman Abeba Ayaan Bilan Dawit Eyob Faiza Hodan Ifrah Kidus Liban Meron Nasra Saba Selam
            Tesfaye Warsame Yonas Yordanos Zeynab
        """),
        words("""
            Abdullahi Abera Ali Bekele Desta Farah Gebre Girma Haile Hersi Jama Kebede Mohamud Nur Omar Osman
            Tadesse Tekle Warsame Wolde
        """),
    ),
    "south asian": (
        words("""
            Aanya Aarav Aditi Advait Akshara Anaya Arnav Aryan Ayesha Bhavya Devansh Dhruv Diya Farhan Gurleen
            Harpreet Ishaan Ishita Jaspreet Kavya Krish Lakshmi Manav Meera Navya Neel Nikhil Pranav Rahul
            Riya Rohan Saanvi Sahil Sana Shreya Siddharth Simran Tanvi Varun Vihaan Zara
        """),
        words("""
            Agarwal Ahmed Bajwa Banerjee Bhatt Bose Chatterjee Chaudhry Chowdhury Das Desai Deshmukh Dhillon
            Gill Gupta Hossain Iyer Jain Joshi Kapoor Kaur Khan Krishnan Kumar Malhotra Mehta Menon Mishra
            Mukherjee Naidu Nair Pillai Qureshi Rahman Rao Reddy Saxena Shah Sharma Siddiqui Singh Subramanian
            Thapa Uddin Venkatesh Verma
        """),
    ),
    "east asian": (
        words("""
            Haruto Hiro Jae-won Jia Jiho Jin Ji-Woo Kai Kenta Lihua Ling Mei-Lin Minjun Naoki Rui Sakura
            Seo-yeon Soojin Wei Xiang Xinyi Yichen Yifan Yuki Yuna Yu-Ting Zhen Zihan Hyun Min-seo Aiko Mina
        """),
        words("""
            Bai Cai Chang Chen Cheng Cho Choi Chung Deng Feng Fujii Gao Guo Hayashi He Ho Hsu Huang Inoue Jung
            Kang Kimura Kwon Lai Lau Lee Liang Lim Lin Liu Lu Ma Matsuda Moon Mori Nakano Oh Ota Pan Park Peng
            Ryu Saito Seo Shen Shin Sun Takeda Tsai Wang Watanabe Wong Wu Xie Xu Yamada Yang Yoon Yu Zhang
            Zhao Zheng Zhou
        """),
    ),
    "southeast asian": (
        words("""
            Angelo Bao Chau Chenda Dao Duc Duy Giang Hai Hiếu Hoa Huy Jomar Khoa Kim-Ly Lan Long Maricel Mai
            Minh Minh-Anh My Nam Ngan Nhi Phuc Phương Pa Quang Quynh Rithy Sokha Somchai Suda Thao Thi Thu
            Tien Toan Trang Trinh Tuấn Tuyet Vy Xeng Yen Mee Pajhoua
        """),
        words("""
            Aquino Bautista Bounthong Bùi Cao Chea Cruzado Dang Dela_Cruz Dinh Do Duong Đặng Ha Her Hoang
            Huynh Keo Kong Lâm Le Ly Mac Mai Manalo Moua Nguyễn Ngo Pangilinan Pham Phan Phommasack Quach
            Reyes Santos Sok Ta Thach Tolentino To Tran Trinh Truong Vang Villanueva Vo Vu Vue Xiong Yang
        """),
    ),
    "arabic": (
        words("""
            Abdallah Adel Ahlam Amal Amir Aya Bashir Bilal Dalia Dina Farid Farouk Habib Hadi Hala Hamza
            Hassan Hiba Idris Jamila Jana Karim Khadija Layan Leila Lina Mahmoud Malak Mariam Mustafa Nabil
            Noor Nour Rami Rania Rashid Reem Salma Samir Sami Shadi Tarek Walid Yara Yasmin Younes Zaid
        """),
        words("""
            Abboud Abdelaziz Abu-Zayd Al-Amin Al-Hakim Al-Khatib Al-Rashid AlShehri Alwan Aziz Barakat Bazzi
            Darwish El-Amin El-Masri El-Sayed Elbaz Fadel Fayed Ghanem Habibi Haddad Hakimi Hamdan Hammoud
            Hussein Ismail Jaber Kassem Khalil Khoury Mansour Mourad Najjar Nasser Qasim Rahal Saab Saleh
            Salib Shaheen Sultan Yassin Zaki
        """),
    ),
    "slavic": (
        words("""
            Agnieszka Aleksandra Anastasia Bartosz Bogdan Danylo Dmitri Dominika Ewa Filip Hania Igor Ivana
            Jakub Jarek Kacper Kasia Kateryna Kinga Ksenia Luka Łukasz Maja Maksym Marek Mateusz Milena
            Natalka Nikola Oksana Oleksandr Pawel Piotr Radek Sasha Sofiya Stanisław Svitlana Tadeusz Vlad
            Wojciech Yana Yaroslav Zofia Zuzanna
        """),
        words("""
            Babić Bielski Bondarenko Czajka Dąbrowski Dudek Gorski Grabowski Horvat Ivanov Jankowski Jovanović
            Kaczmarek Kamiński Kovalenko Kozlov Król Krawczyk Kucharski Lewandowski Lysenko Majewski Marković
            Mazur Melnyk Nowak Pawlak Petrenko Petrović Popov Sadowski Shevchenko Sikora Sokolov Stępień
            Szczepaniak Szymański Tkachenko Volkov Wiśniewski Wójcik Zając Zielińska
        """),
    ),
    "native": (
        words("""
            Aiyana Ashkii Chaska Chayton Dakota Dyani Elan Kiona Koda Mika Nizhoni Nova Sani Shilah Sihu Tala
            Takoda Tayen Winona Wyanet Shandiin Yanaba
        """),
        listed("""
            Begay|Benally|Bird|Blackgoat|Bluehorse|Chee|Eagle Feather|Etsitty|Goodluck|Lone Elk|Long Soldier|
            Manygoats|Nez|Red Cloud|Redhouse|Silversmith|Tsosie|Two Rivers|Whitehorse|Yazzie|Yellowhair
        """),
    ),
    "pacific": (
        words("Alapaki Ikaika Kainoa Kalani Keoni Kiele Lani Makoa Malia Noelani Sione Tavita Tevita Vailea Mele"),
        words("Faleafa Havili Kaleo Kamaka Kealoha Latu Mahoe Nakamura Palakiko Taufa Toleafoa Tuilagi Vaipulu"),
    ),
    "caribbean": (
        words("""
            Djenane Fabiola Guerline Jean-Luc Josué Marie-Ange Mirlande Naïka Rose-Laure Stanley Widline
            Wislande Kerron Shanice Tamara Akeem
        """),
        listed("""
            Baptiste|Charles|Desrosiers|Dorvil|Fleurimond|Jean-Pierre|Joseph|Laguerre|Louis|Pierre-Louis|
            Saint-Fleur|St. Fort|St. Louis|Toussaint|Ramlogan|Persaud|Campbell|Bartley
        """),
    ),
    "european": (
        words("""
            Aidan Annika Astrid Beatrix Brigid Callum Clementine Colette Cormac Dashiell Declan Dieter Eoin
            Freya Gianna Giovanni Greta Gwendolyn Ingrid Jean-Paul Juniper Kieran Lars Luca Maeve Magnus
            Matteo Mirabel Niamh Oisín Orla Otto Rémi Renée Rory Saoirse Seamus Siobhán Soren Tadhg Thea Zoë
            Chloë Anneliese Bronwyn Camille Elodie Isolde Lorenzo Marcello Nico Phoebe Rosalind
        """),
        listed("""
            Abernathy|Bianchi|Boudreaux|Brannigan|Brzezicki|D'Amico|D'Angelo|De Luca|DeMarco|De Witt|Di
            Stefano|DiNapoli|Du Bois|Dubois|Fitzgerald|Fitzpatrick|Gustafson|Hendrickson|Johansson|Kirchner|
            LaFleur|La Rue|LeBlanc|Lindgren|MacDonald|MacLeod|McCarthy|McDaniel|McElroy|McKenna|McNamara|
            Müller|Nørgaard|O'Brien|O'Dell|O'Hara|O'Leary|O'Malley|O'Neill|O'Rourke|Papadopoulos|Pappas|
            Rasmussen|Ricci|Romano|Schmidt|Schroeder|St. Clair|St. James|St. Pierre|Sørensen|Ten Eyck|Van
            Buren|Van der Berg|Van Dyke|VanHorn|Vander Meer|Von Braun|Weiss|Zimmermann
        """),
    ),
    "armenian and persian": (
        words("Ani Arash Armen Aram Davit Farnaz Hayk Kian Lusine Mitra Narek Nazanin Parisa Roya Shirin Tigran"),
        words(
            "Abrahamyan Bagheri Ghorbani Grigoryan Hakobyan Hosseini Karimi Petrosyan Rostami Sarkisian Tehrani"
        ),
    ),
}
