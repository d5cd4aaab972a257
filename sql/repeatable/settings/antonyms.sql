-- Opposite words: two texts that differ in one of these say different things, however alike they look.
INSERT INTO cognifold.antonym (word, opposite)
SELECT pair.word, pair.opposite
FROM (VALUES
    ('accept', 'decline'), ('add', 'remove'), ('after', 'before'), ('agree', 'disagree'), ('alive', 'dead'), ('all', 'none'),
    ('always', 'never'), ('arrive', 'leave'), ('autumn', 'spring'), ('bad', 'good'), ('begin', 'end'), ('best', 'worst'),
    ('better', 'worse'), ('big', 'small'), ('bought', 'sold'), ('buy', 'sell'), ('cheap', 'expensive'), ('close', 'open'),
    ('closed', 'open'), ('cold', 'hot'), ('day', 'night'), ('decrease', 'increase'), ('decreased', 'increased'), ('disable', 'enable'),
    ('disabled', 'enabled'), ('dislike', 'like'), ('dislikes', 'likes'), ('down', 'up'), ('dry', 'wet'), ('early', 'late'),
    ('easy', 'hard'), ('empty', 'full'), ('evening', 'morning'), ('evenings', 'mornings'), ('fail', 'pass'), ('failed', 'passed'),
    ('failed', 'succeeded'), ('fast', 'slow'), ('first', 'last'), ('free', 'paid'), ('gain', 'lose'), ('gained', 'lost'), ('happy', 'sad'),
    ('hate', 'love'), ('hates', 'loves'), ('healthy', 'sick'), ('heavy', 'light'), ('high', 'low'), ('hired', 'fired'), ('in', 'out'),
    ('left', 'right'), ('less', 'more'), ('long', 'short'), ('lose', 'win'), ('lost', 'won'), ('maximum', 'minimum'),
    ('new', 'old'), ('next', 'previous'), ('off', 'on'), ('online', 'offline'), ('private', 'public'), ('pull', 'push'), ('quiet', 'loud'),
    ('reject', 'accept'), ('rejected', 'accepted'), ('rise', 'fall'), ('rising', 'falling'), ('safe', 'dangerous'), ('same', 'different'),
    ('start', 'stop'), ('started', 'stopped'), ('strong', 'weak'), ('success', 'failure'), ('summer', 'winter'), ('tall', 'short'),
    ('today', 'tomorrow'), ('today', 'yesterday'), ('tomorrow', 'yesterday'), ('true', 'false'), ('weekday', 'weekend'), ('with', 'without'), ('young', 'old')
) AS given (a, b)
CROSS JOIN LATERAL (VALUES (given.a, given.b), (given.b, given.a)) AS pair (word, opposite)
ON CONFLICT DO NOTHING;
