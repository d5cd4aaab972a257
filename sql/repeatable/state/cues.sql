-- Words by which attributes are stated, named and asked for. General English; none is taken from a text the memory is judged on.
--
-- A pattern is words side by side, each with its alternatives: "live|lives in|at" is four phrases. "_" stands for no word.
WITH RECURSIVE shipped (slot, is_multiple, description, states, former, ends, names, asks) AS (
    VALUES
    ('residence', false, 'live home city town country residence based located neighborhood where', ARRAY[
        'live|lives|living|reside|resides|residing|dwell|dwells|stay|stays|staying in|at|near|on|outside|downtown', 'live|lives|living over|out|up|down in', 'live|lives|living now|currently in|at', 'live with', 'based|located in|at|near|out', 'based out of', 'based|located over|down|up in',
        'moved|relocated|move|relocate|moving|relocating|settled|settling to|into|in|over', 'moved|relocated|settled down|over|out|up|back|away to|in', 'moved house|home|apartments|flats|cities|countries to', 'made|make|makes my|his|her|their home in', 'call|calls', 'call|calls home', 'from', 'come from|comes from',
        'got|rented|rent|rents|bought|found|have|has a|an|my|our|the place|flat|apartment|house|room|studio in|on|at', 'landed|ended|end up|here in', 'settled|living in', 'home is|now'],
        ARRAY['lived|resided|stayed|dwelt in|at|near|on', 'grew up in', 'was|were living|based in|at', 'used to live in|at'], ARRAY['left', 'moved away|out from|of', 'moved out'],
        ARRAY['residence', 'home', 'home city|town', 'hometown', 'city', 'town', 'place of residence', 'place to live', 'home base', 'base', 'location', 'apartment', 'flat', 'house', 'neighborhood|neighbourhood', 'country', 'country of residence'],
        ARRAY['live', 'living', 'lives', 'reside|resides|residing', 'located', 'based', 'call|calls home', 'where is home', 'hang my|his|her|their hat', 'find me|him|her|them living', 'stay|staying', 'move|moved|relocate|relocated to', 'part|corner of the country|world', 'dwell', 'sleeping at night']),
    ('address', false, 'address street mail post postal delivery ship parcels home', ARRAY['_'], ARRAY['_'], ARRAY['_'],
        ARRAY['address', 'home|street|mailing|postal|shipping|delivery address', 'street'], ARRAY['send|ship|mail|deliver|post mail|parcels|packages|letters|a|the', 'post|mail|ship|deliver|send to', 'mailed|shipped|delivered|posted to']),
    ('employer', false, 'work employer company job firm organization office workplace works for', ARRAY[
        'work|works|working for|at|with', 'work|works|working over at', 'joined|joining|join', 'employed by|at|with', 'hired|recruited by|at', 'started|start|starting working|work|job at|for', 'started|start|starting at|with', 'job at|with', 'new|a job at|with',
        'got|took|have|has|accepted|landed a|the|my|an job|position|role|offer|gig at|with|from', 'got|took|accepted|landed|have|started a|my new job|position|role|gig at|with', 'moved|switched|went|jumped over|on|_ to|work at|for', 'signed on with|at'],
        ARRAY['worked for|at|with', 'was|were working|employed at|for|by'], ARRAY['left my|the|his|her job at|with', 'quit my|the|his|her job|_ at|with', 'laid off by|from', 'fired by|from', 'resigned from', 'retired from'],
        ARRAY['employer', 'company', 'workplace', 'work place', 'firm', 'job at'], ARRAY['work', 'works', 'working', 'employ|employs|employed|employing', 'work for|at', 'works for|at', 'working for|at', 'pays my|his|her|their salary|wages|bills', 'payroll', 'sign|signs my|his|her|their paycheck|paychecks|paycheque', 'place of work|employment', 'earn|earns my|his|her|a|their living', 'on the payroll of']),
    ('job', false, 'job title occupation profession position role career work as', ARRAY[
        'work|works|working as', 'promoted to', 'became a|an|the', 'serve|serving|serves as', 'got promoted to', 'hired as', 'started|start|starting as', 'employed as', 'switched careers to', 'retrained as', 'got|took a|the job|position|role as', 'earn|earns my|a living as'],
        ARRAY['worked as', 'was working|employed as'], ARRAY['retired as', 'stopped working as'],
        ARRAY['job', 'job title', 'occupation', 'profession', 'position', 'role', 'title', 'career', 'line of work', 'day job'], ARRAY['do for a living|work', 'does for a living|work', 'for a living', 'do|does professionally', 'kind of work', 'working as', 'work as', 'career', 'profession']),
    ('phone', false, 'phone number telephone mobile cell call reach contact text', ARRAY['reachable at|on|under', 'call|text|reach|ring|phone me|us at|on', 'reach|call|text|ring me|us on|at|under'], ARRAY['_'], ARRAY['_'],
        ARRAY['phone', 'phone|telephone|mobile|cell|cellphone|contact|cell-phone|whatsapp number', 'mobile|cell phone number|_', 'mobile', 'cell', 'cellphone', 'telephone', 'number', 'digits'], ARRAY['call', 'ring', 'phone', 'by phone', 'reach by phone', 'dial', 'text', 'reach|call|ring|phone|text on|at', 'give a call|ring']),
    ('email', false, 'email address mail inbox write message contact', ARRAY['email|mail|write|e-mail me|us at|to'], ARRAY['_'], ARRAY['_'],
        ARRAY['email', 'e-mail', 'mail address', 'email|e-mail address', 'inbox', 'gmail'], ARRAY['email', 'e-mail', 'write an email', 'by email|e-mail', 'write to', 'electronic mail', 'email to']),
    ('car', false, 'car vehicle drive drives driving wheels automobile ride', ARRAY['drive|drives|driving a|an|the|my|_', 'bought|got|have|own|leased|lease a|an|my|the new|used|second-hand|_ car', 'traded my|the|in', 'traded in|it for'], ARRAY['drove'], ARRAY['sold my|the|his|her car|_'],
        ARRAY['car', 'vehicle', 'automobile', 'ride', 'wheels'], ARRAY['drive', 'drives', 'driving', 'behind the wheel of', 'in the garage|driveway', 'on four wheels', 'get around in']),
    ('partner', false, 'partner spouse husband wife boyfriend girlfriend married dating engaged relationship', ARRAY['dating', 'seeing', 'engaged|married to', 'going out with', 'in a relationship with', 'got married|engaged to', 'started dating|seeing'], ARRAY['dated'], ARRAY['broke|split up with', 'divorced', 'separated from', 'broke up'],
        ARRAY['partner', 'spouse', 'husband', 'wife', 'boyfriend', 'girlfriend', 'fiance|fiancee', 'significant other'], ARRAY['married', 'dating', 'engaged', 'together with', 'relationship', 'in love with', 'romantically involved']),
    ('status', false, 'relationship status marital single married divorced', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['relationship|marital status'], ARRAY['_']),
    ('age', false, 'age years old birthday turned', ARRAY['turned'], ARRAY['_'], ARRAY['_'], ARRAY['age'], ARRAY['how old', 'old am|is']),
    ('birthday', false, 'birthday born date of birth', ARRAY['born on'], ARRAY['_'], ARRAY['_'], ARRAY['birthday', 'birthdate', 'date of birth', 'birth date'], ARRAY['born', 'celebrate']),
    ('weight', false, 'weight weigh kilos pounds scale', ARRAY['weigh|weighs', 'down|up to', 'weighing'], ARRAY['weighed'], ARRAY['_'], ARRAY['weight', 'body weight'], ARRAY['weigh|weighs', 'on the scale|scales']),
    ('diet', false, 'diet vegan vegetarian eat eating food keto gluten', ARRAY['eat|eats|eating', 'follow|follows|following a|the', 'on a|the'], ARRAY['ate'], ARRAY['_'],
        ARRAY['diet', 'eating plan', 'eating habits', 'dietary preference|restriction|requirements|restrictions', 'food preference'], ARRAY['eat', 'eats', 'eating', 'kind of food', 'cook for', 'avoid eating', 'on the plate', 'way of eating', 'dietary']),
    ('allergy', true, 'allergy allergic intolerance', ARRAY['allergic to', 'intolerant to', 'have|has an allergy|intolerance to'], ARRAY['_'], ARRAY['outgrew'], ARRAY['allergy', 'allergies', 'intolerance'], ARRAY['allergic', 'avoid']),
    ('sport', false, 'sport exercise training workout fitness gym hobby', ARRAY['train|training|trains for|at|in', 'work|working out at', 'took|taken|take|taking up', 'got|gotten into'], ARRAY['_'], ARRAY['gave|given up'], ARRAY['sport', 'workout', 'exercise', 'exercise routine', 'workout routine'], ARRAY['stay|keep fit|active|in shape', 'work out', 'exercise', 'train', 'stays|keeps fit|active|in shape']),
    ('hobby', false, 'hobby pastime free time leisure spare weekends', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['hobby', 'pastime', 'hobbies', 'interest'], ARRAY['free|spare time', 'for fun', 'do to relax', 'leisure', 'pass the time']),
    ('gym', false, 'gym fitness club membership exercise work out', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['gym', 'fitness club|studio', 'health club'], ARRAY['gym', 'lift weights', 'work out', 'works out', 'exercise at']),
    ('school', false, 'school university college study studies student enrolled', ARRAY['study|studies|studying at', 'go|goes|going to school|college|university at|in', 'enrolled|enrolled at|in', 'attend|attends|attending', 'transferred to'], ARRAY['studied at', 'attended'], ARRAY['dropped out of', 'graduated from'],
        ARRAY['school', 'university', 'college', 'uni', 'alma mater'], ARRAY['study|studies|studying at', 'attend|attends|attending', 'enrolled', 'go to school', 'take classes']),
    ('major', false, 'major subject study degree field course', ARRAY['study|studies|studying', 'major|majors|majoring in', 'do|doing a degree in'], ARRAY['studied', 'majored in'], ARRAY['_'], ARRAY['major', 'degree', 'field of study', 'course of study', 'thesis topic'], ARRAY['study', 'studies', 'studying', 'majoring', 'degree in']),
    ('language', true, 'language speak learning fluent', ARRAY['speak|speaks', 'learn|learns|learning', 'fluent in', 'started learning'], ARRAY['_'], ARRAY['gave up learning'], ARRAY['language', 'languages', 'mother tongue'], ARRAY['speak', 'speaks', 'learning', 'language', 'languages']),
    ('pet', true, 'pet dog cat animal puppy kitten', ARRAY['have|has|got|adopted|own|owns a|an|another|two|three|new dog|cat|puppy|kitten|rabbit|hamster|parrot|fish|turtle|bird|horse|snake', 'have|has|got a|my|adopted new|second dog|cat|puppy|kitten', 'adopted a|an'], ARRAY['_'], ARRAY['gave away my|the|our dog|cat', 'rehomed'],
        ARRAY['pet', 'pets', 'dog', 'cat', 'puppy', 'kitten'], ARRAY['pet', 'pets', 'animal', 'animals', 'furry', 'at home with four legs']),
    ('doctor', false, 'doctor physician gp clinic', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['doctor', 'gp', 'physician', 'family doctor', 'general practitioner'], ARRAY['medical care', 'see when sick|ill', 'medical advice', 'treat|treats']),
    ('dentist', false, 'dentist teeth dental', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['dentist'], ARRAY['teeth', 'dental']),
    ('manager', false, 'manager boss supervisor report lead', ARRAY['report|reports|reporting to', 'answer|answers to'], ARRAY['reported to'], ARRAY['_'], ARRAY['manager', 'boss', 'supervisor', 'line manager', 'team lead'], ARRAY['report to', 'reports to', 'report', 'in charge of me|him|her|them', 'manages', 'supervises', 'boss around', 'answer to', 'managed by']),
    ('team', false, 'team department group squad', ARRAY['joined|moved|switched|transferred the|to the'], ARRAY['_'], ARRAY['_'], ARRAY['team', 'department', 'squad', 'group'], ARRAY['team', 'department']),
    ('project', false, 'project working on', ARRAY['working|work|works on', 'assigned to'], ARRAY['worked on'], ARRAY['finished', 'wrapped up'], ARRAY['project', 'assignment'], ARRAY['working on', 'work on', 'busy with', 'keeps busy', 'occupied with']),
    ('roommate', false, 'roommate flatmate share apartment live with', ARRAY['live|lives|living with', 'share|shares|sharing a|my|an flat|apartment|place|house|room with', 'moved in with'], ARRAY['lived with'], ARRAY['_'], ARRAY['roommate', 'flatmate', 'housemate', 'roommates'], ARRAY['live|lives|living with', 'share|shares an|a|the apartment|flat|place|house', 'share|shares the rent', 'under the same roof']),
    ('commute', false, 'commute travel get to work bike train bus transport', ARRAY['commute|commutes|commuting by|on|via|with', 'get|gets|go|goes|going|getting to work|the|school office|by|on|_', 'cycle|cycles|bike|bikes|walk|walks to work', 'take|takes|taking the|a bus|train|tram|subway|metro|ferry to work'], ARRAY['commuted by'], ARRAY['_'], ARRAY['commute', 'mode of transport', 'way to work'], ARRAY['get|gets|go|goes|travel|travels to work|the|school', 'commute', 'commutes', 'commuting', 'transport', 'travel to']),
    ('editor', false, 'editor ide code programming tool write', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['editor', 'text|code editor', 'ide'], ARRAY['write|edit|writes|edits code|my|his|her', 'code in', 'edit text|code']),
    ('browser', false, 'browser web surf internet', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['browser', 'web browser'], ARRAY['surf|browse the|web|_', 'browse']),
    ('wakeup', false, 'wake get up morning alarm time', ARRAY['wake|wakes|get|gets|getting|waking up at', 'alarm at|for'], ARRAY['woke up at'], ARRAY['_'], ARRAY['wake-up|wakeup time', 'alarm', 'alarm clock', 'wake up time'], ARRAY['wake up', 'wakes up', 'get up', 'gets up', 'out of bed', 'alarm go off', 'rise', 'start the day']),
    ('bedtime', false, 'bedtime sleep night go to bed', ARRAY['go|goes|going to bed|sleep at|around', 'turn|turns in at'], ARRAY['_'], ARRAY['_'], ARRAY['bedtime'], ARRAY['go|goes to bed|sleep', 'hit|hits the hay|sack', 'turn in']),
    ('reading', false, 'book reading novel read author', ARRAY['reading', 'started reading', 'read|reads', 'halfway|midway through', 'in the middle of'], ARRAY['_'], ARRAY['finished reading|_'], ARRAY['book', 'current read', 'reading', 'novel'], ARRAY['reading', 'book', 'on my|his|her|the nightstand|bedside', 'read before bed', 'buried in']),
    ('name', false, 'name called nickname goes by', ARRAY['called', 'go|goes by', 'go|goes by the name'], ARRAY['_'], ARRAY['_'], ARRAY['name', 'nickname', 'surname', 'last name'], ARRAY['called', 'name', 'call|address|addressed', 'go by']),
    ('insurance', false, 'insurance insurer health coverage policy', ARRAY['insured with|by|at'], ARRAY['_'], ARRAY['_'], ARRAY['insurance', 'insurer', 'insurance company|provider', 'health insurance|insurer'], ARRAY['insured', 'insures', 'covered by', 'coverage', 'covers']),
    ('bank', false, 'bank account banking money', ARRAY['bank|banks|banking with|at'], ARRAY['_'], ARRAY['_'], ARRAY['bank', 'bank account'], ARRAY['bank with', 'banks with', 'keep|keeps my|his|her|the|their money|savings', 'deposit']),
    ('favorite', false, 'favorite preferred best liked', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['favorite', 'favourite', 'fave', 'preferred', 'go-to', 'favorites', 'best-loved', 'pick', 'choice', 'top choice|pick'], ARRAY['like|likes|love|loves|enjoy|enjoys best|most', 'prefer', 'prefers', 'above all', 'into these days']),
    ('color', false, 'color colour shade', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['color', 'colour', 'shade', 'hue', 'colors', 'colours'], ARRAY['_']),
    ('food', false, 'food dish meal cuisine eat', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['food', 'dish', 'meal', 'cuisine'], ARRAY['order at a|the restaurant', 'like to eat', 'eat most', 'craving']),
    ('drink', false, 'drink beverage tea coffee', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['drink', 'beverage', 'drink of choice'], ARRAY['drink', 'drinks', 'sip', 'order at the bar', 'like to drink']),
    ('coffee', false, 'coffee order latte espresso drink cafe', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['coffee', 'coffee order', 'usual coffee', 'usual order'], ARRAY['order at the cafe|coffee', 'get|bring|buy|fetch from the cafe|coffee']),
    ('music', false, 'music band artist song listen', ARRAY['listen|listens|listening to'], ARRAY['listened to'], ARRAY['_'], ARRAY['band', 'artist', 'musician', 'music', 'singer', 'song'], ARRAY['listen', 'listens', 'listening', 'on repeat', 'playlist', 'headphones']),
    ('password', false, 'password code pin secret access wifi', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['password', 'passcode', 'pass code', 'passphrase'], ARRAY['log in', 'get online', 'unlock', 'connect to the|wifi|internet']),
    ('code', false, 'code pin combination access open', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['code', 'pin', 'combination', 'combo', 'pin code', 'access code'], ARRAY['open', 'unlock', 'get into', 'punch|type|key|enter in', 'opens', 'unlocks']),
    ('wifi', false, 'wifi wireless internet network', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['wifi', 'wi-fi', 'wireless', 'internet', 'network'], ARRAY['get online', 'log on']),
    ('salary', false, 'salary pay earn income wage money', ARRAY['earn|earns|earning|make|makes'], ARRAY['earned'], ARRAY['_'], ARRAY['salary', 'pay', 'income', 'wage', 'wages'], ARRAY['earn', 'earns', 'paid', 'make a year|month', 'bring|brings home', 'get|gets paid']),
    ('rent', false, 'rent pay month landlord', ARRAY['pay|pays|paying in rent'], ARRAY['_'], ARRAY['_'], ARRAY['rent', 'monthly rent'], ARRAY['pay|pays for the|housing|my', 'pay for rent', 'housing cost']),
    ('goal', false, 'goal aim target plan training', ARRAY['aiming|training|saving for|to', 'saving up for'], ARRAY['_'], ARRAY['_'], ARRAY['goal', 'target', 'aim'], ARRAY['aiming', 'working|train|training toward|towards|for', 'trying to achieve|reach', 'saving']),
    ('medication', true, 'medication medicine pills prescription dose', ARRAY['prescribed', 'put on', 'take|takes|taking medication|pills', 'on medication'], ARRAY['_'], ARRAY['came off', 'stopped taking'], ARRAY['medication', 'medicine', 'prescription', 'meds', 'pills'], ARRAY['medication', 'medicine', 'prescribed', 'pills', 'take for']),
    ('seat', false, 'seat window aisle plane', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['seat', 'seats', 'seat preference'], ARRAY['sit', 'sits', 'seated', 'place on a|the plane|train']),
    ('time', false, 'time hour clock when scheduled', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['time', 'hour', 'start time', 'slot'], ARRAY['what time', 'which hour', 'scheduled', 'start', 'starts', 'begin', 'begins', 'take place', 'takes place', 'happen', 'happens']),
    ('airline', false, 'airline fly flights', ARRAY['fly|flies|flying with'], ARRAY['flew with'], ARRAY['_'], ARRAY['airline', 'carrier'], ARRAY['fly', 'flies', 'flight', 'book flights']),
    ('os', false, 'operating system linux windows mac', ARRAY['run|runs|running'], ARRAY['_'], ARRAY['_'], ARRAY['os', 'operating system', 'distro'], ARRAY['runs', 'run on', 'running on']),
    ('laptop', false, 'laptop computer notebook machine', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['laptop', 'computer', 'notebook', 'pc', 'machine'], ARRAY['type on', 'compute']),
    ('smartphone', false, 'phone smartphone model iphone android', ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['smartphone', 'phone model', 'handset'], ARRAY['carry in my|his|her pocket', 'model of phone', 'kind of phone']),
    ('likes', true, 'like love enjoy fan', ARRAY['like|likes|love|loves|enjoy|enjoys|adore', 'a fan of'], ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['_']),
    ('visits', true, 'visited been to travel', ARRAY['visited', 'been to', 'travelled|traveled to', 'went to'], ARRAY['_'], ARRAY['_'], ARRAY['_'], ARRAY['_'])
), pattern AS (
    SELECT s.slot, r.role, string_to_array(p.pattern, ' ') AS parts
    FROM shipped AS s
    CROSS JOIN LATERAL (VALUES ('states', s.states), ('former', s.former), ('ends', s.ends), ('names', s.names), ('asks', s.asks)) AS r (role, patterns)
    CROSS JOIN LATERAL unnest(r.patterns) AS p (pattern)
    WHERE p.pattern <> '_'
), grown AS (
    SELECT p.slot, p.role, p.parts, 1 AS next, ''::text AS phrase FROM pattern AS p
    UNION ALL
    SELECT g.slot, g.role, g.parts, g.next + 1, btrim(g.phrase || CASE a.word WHEN '_' THEN '' ELSE ' ' || a.word END)
    FROM grown AS g CROSS JOIN LATERAL string_to_table(g.parts[g.next], '|') AS a (word)
    WHERE g.next <= cardinality(g.parts)
), listed AS (
    SELECT DISTINCT g.slot, g.role, g.phrase COLLATE "C" AS phrase, cardinality(string_to_array(g.phrase, ' '))::smallint AS length
    FROM grown AS g
    WHERE g.next > cardinality(g.parts) AND g.phrase <> ''
), slotted AS (
    INSERT INTO cognifold.state_slot AS o (slot, is_multiple, description)
    SELECT s.slot, s.is_multiple, s.description FROM shipped AS s
    ON CONFLICT (slot) DO UPDATE SET is_multiple = excluded.is_multiple, description = excluded.description
        WHERE (o.is_multiple, o.description) IS DISTINCT FROM (excluded.is_multiple, excluded.description)
), gone AS (
    DELETE FROM cognifold.state_cue AS c
    WHERE c.slot IN (SELECT s.slot FROM shipped AS s)
      AND NOT EXISTS (SELECT FROM listed AS l WHERE l.slot = c.slot AND l.role = c.role AND l.phrase = c.phrase)
)
INSERT INTO cognifold.state_cue (first_word, phrase, role, slot, length)
SELECT split_part(l.phrase, ' ', 1), l.phrase, l.role, l.slot, l.length FROM listed AS l
ON CONFLICT DO NOTHING;
