/** Small datasets in the official formats, made up. */

/** Rows with tabs written as spaces here, for the eye; a tag of two words has an underscore in their place. */
const tabs = (...rows: string[]): string =>
  `${rows.map((row) => row.replaceAll(" ", "\t").replaceAll("_", " ")).join("\n")}\n`;

/** User 7 has artists 10, 20, 30; user 3 has 10, 20; user 9 has 30. Artist 30 is not in the list of artists. */
export const LASTFM = {
  "tags.dat": tabs("tagID tagValue", "1 metal", "2 Doom_metal", "3 synth-pop", "4 female_vocalists"),
  "artists.dat": tabs("id name url pictureURL", "10 A http://a p", "20 B http://b p", "40 D http://d p"),
  "user_taggedartists.dat": tabs(
    "userID artistID tagID day month year",
    "7 10 1 1 4 2009",
    "7 10 2 1 4 2009",
    "3 10 1 1 5 2009",
    "7 20 3 1 5 2009",
    "3 20 3 1 5 2009",
    "3 20 4 1 5 2009",
    "7 30 4 1 5 2009",
    "9 30 2 1 6 2009",
  ),
};

export const DELICIOUS_TAGS = { "tags.dat": tabs("id value", "5 collection", "6 web-design", "8 Library") };
export const DELICIOUS = {
  ...DELICIOUS_TAGS,
  "user_taggedbookmarks-timestamps.dat": tabs(
    "userID bookmarkID tagID timestamp",
    "8 1 5 1289255362000",
    "8 1 6 1289255362000",
    "8 2 8 1289255159000",
    "9 1 6 1289255159000",
  ),
};

/** The same rows in the file of coarser dates. */
export const DELICIOUS_DATES = {
  ...DELICIOUS_TAGS,
  "user_taggedbookmarks.dat": tabs(
    "userID bookmarkID tagID day month year hour minute second",
    "8 1 5 8 11 2010 23 29 22",
    "8 1 6 8 11 2010 23 29 22",
    "8 2 8 8 11 2010 23 25 59",
    "9 1 6 8 11 2010 23 25 59",
  ),
};

export const MOVIELENS_CSV = {
  "movies.csv": [
    "movieId,title,genres",
    "1,Toy Story (1995),Adventure|Animation",
    '2,"American President, The (1995)",Sci-Fi|Film-Noir',
    '3,"11\'09""01 (2002)",(no genres listed)',
    "4,Nothing (2003),(no genres listed)",
    "",
  ].join("\r\n"),
  "tags.csv": [
    "userId,movieId,tag,timestamp",
    "1,3,dark,1445714994",
    '2,3,"""dark"", very",1445714994',
    "2,1,Pixar animation,1445714994",
    "",
  ].join("\r\n"),
  "ratings.csv": [
    "userId,movieId,rating,timestamp",
    "1,1,4.0,964982703",
    "1,2,3.5,964982703",
    "1,4,5.0,964982703",
    "2,1,4.5,964982703",
    "2,3,5.0,964982703",
    "5,2,0.5,964982703",
    "",
  ].join("\r\n"),
};

/** The é of both is one byte, as in the official files, so that neither is UTF-8. */
export const MOVIELENS_1M = {
  "movies.dat": Buffer.from("1::Caf\u00e9 (1995)::Animation|Children's\n6::Heat (1995)::Film-Noir\n", "latin1"),
  "ratings.dat": "1::1::5::978300760\n1::6::3::978302109\n2::6::4::978301968\n",
};

export const GENRES_100K = [
  "unknown",
  "Action",
  "Adventure",
  "Animation",
  "Children's",
  "Comedy",
  "Crime",
  "Documentary",
  "Drama",
  "Fantasy",
  "Film-Noir",
  "Horror",
  "Musical",
  "Mystery",
  "Romance",
  "Sci-Fi",
  "Thriller",
  "War",
  "Western",
];

const item100k = (id: number, title: string, ...genres: string[]): string =>
  `${id}|${title}|01-Jan-1995||http://example.org/${id}|${GENRES_100K.map((g) => (genres.includes(g) ? 1 : 0)).join("|")}\n`;

export const MOVIELENS_100K = {
  "u.genre": `${GENRES_100K.map((genre, index) => `${genre}|${index}\n`).join("")}\n`,
  "u.item": Buffer.from(
    item100k(1, "Caf\u00e9 (1995)", "Animation", "Film-Noir") +
      item100k(2, "unknown", "unknown") +
      item100k(3, "X", "War"),
    "latin1",
  ),
  "u.data": "196\t1\t4\t881250949\n196\t2\t5\t881250949\n186\t3\t3\t891717742\n",
};
