-- What intents are about: eight categories and words typical of each.
WITH wanted (category, description, words) AS (
    VALUES
    ('work', 'paid work, customers, projects, the systems one runs',
     'work job office boss manager colleague team meeting project client customer order shop checkout sale supplier delivery contract deadline release deploy server '
     'database backup disk network computer system website app bug ticket service support production software code test report presentation audit hosting payment shift staff hire review career machine'),
    ('health', 'body and mind, one''s own or another''s',
     'health doctor nurse hospital surgeon surgery clinic dentist physio therapist medicine tablet pill dose pain ache injury knee hip back blood pressure sugar heart '
     'sleep tired fatigue illness sick symptom appointment diagnosis treatment weight diet exercise stress anxiety therapy vaccine allergy fever tests'),
    ('money', 'income, bills, taxes, debts',
     'money tax vat invoice receipt bill rent mortgage loan debt bank account refund debit credit payment fee fine salary wage budget expense savings insurance pension price cost '
     'interest revenue accountant accounting bookkeeping euro dollar pound'),
    ('family', 'parents, children, partners, relatives',
     'family mother father mam mum mom dad parent son daughter child children baby brother sister grandmother grandfather gran grandma grandpa aunt uncle cousin husband wife partner nursery school '
     'birthday carer care'),
    ('home', 'the place one lives or works in, and what is in it',
     'home house flat apartment room kitchen bathroom bedroom garden roof wall window door floor damp mould leak heating boiler heater plumber electrician landlord tenant repair paint furniture '
     'cleaning laundry move workshop garage car bicycle'),
    ('learning', 'study, courses, skills, books',
     'learn learning study course class lesson exam teacher student school university degree certificate training book read reading language practice skill tutorial homework thesis lecture'),
    ('social', 'friends, neighbours, clubs, celebrations',
     'friend friends neighbour neighbor party wedding invitation guest visit dinner club group community volunteer celebration gift present concert choir festival holiday trip date'),
    ('other', 'what none of the others covers', '')
), category AS (
    INSERT INTO cognifold.intent_category AS c (category, description)
    SELECT w.category, w.description FROM wanted AS w
    ON CONFLICT (category) DO UPDATE SET description = excluded.description WHERE c.description <> excluded.description
), listed AS (
    SELECT w.category, cognifold.lexeme(s.word) AS lexeme, min(s.word) AS word
    FROM wanted AS w CROSS JOIN LATERAL regexp_split_to_table(w.words, '\s+') AS s (word)
    WHERE s.word <> ''
    GROUP BY w.category, cognifold.lexeme(s.word)
), gone AS (
    DELETE FROM cognifold.intent_category_word AS c
    WHERE NOT EXISTS (SELECT FROM listed AS l WHERE l.category = c.category AND l.lexeme = c.lexeme)
)
INSERT INTO cognifold.intent_category_word AS c (category, lexeme, word)
SELECT l.category, l.lexeme, l.word FROM listed AS l
ON CONFLICT (category, lexeme) DO UPDATE SET word = excluded.word WHERE c.word <> excluded.word;
