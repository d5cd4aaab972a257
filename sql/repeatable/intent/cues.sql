-- Words that show a goal not met, or met: the cues of intents. General English; none is taken from a text the memory is judged on.
--
-- Nearly all are phrases: a single word ("need", "error", "late") stands in any text about anything, a phrase ("needs a", "an
-- error again", "weeks late") only where somebody means it. A pattern is a regular expression over whole words, case ignored,
-- apostrophes straight; {am}, {a}, {who} and {number} stand for the small words listed first. A weight says how surely the
-- words mean it: .6 hardly anything else, .4 often. Negation and unreal stand before a cue and turn it round ("no need
-- to", "not sent", "once it is paid"); they have no weight. Words of lack and again are single, and counted: one alone says little, but
-- whoever speaks for days of what is missing uses more of them than others.
WITH part (name, expression) AS (
    VALUES
    ('{who}', '(?:i|we|you|he|she|it|they|this|that|which|who|nobody|no one|someone|somebody|everyone|everybody)'),
    ('{am}', '(?:is|are|am|was|were|been|gets?|got|feels?|felt|\w+''(?:s|m|re))(?: (?:so|very|too|still|really|a bit|a little|all|getting|quite|now|again|already|also|both|only|just|finally))?'),
    ('{a}', '(?:an?|the|my|your|our|his|her|its|their|this|that|these|those|some|any|another|more|all|every|someone|somebody|someone else|something|one|two|three|four|five|six|ten|\d+)'),
    ('{number}', '(?:\d+|two|three|four|five|six|seven|eight|nine|ten|several|few)'),
    ('{settled}', '(?:done|fixed|repaired|mended|solved|resolved|completed?|finished|delivered|settled|paid|refunded|reimbursed|submitted|filed|signed|sorted|cancelled)'),
    ('{mended}', '(?:fixed|repaired|mended|solved|resolved|completed?|delivered|settled|paid|refunded|reimbursed|submitted|filed|signed|sorted|cancelled)'),
    ('{changed}', '(?:swapped|switched|exchanged|removed|deleted|cleared|emptied|restored|reset|rebuilt|reopened|repaid|transferred|migrated|deployed|launched|released|corrected|updated|registered|enrolled|arranged|rescheduled|agreed|granted|issued|reissued|secured|collected|appointed|picked up|handed over|set up|signed up|put in place|taken (?:away|down|out))'),
    ('{stepped}', '(?:sent|received|shipped|booked|ordered|bought|replaced|installed|handed in|renewed|closed|cleaned|approved|confirmed|returned|rewritten|published|uploaded|posted)')
), wanted (kind, weight, description, patterns) AS (
    VALUES
    ('need', 0.6, 'says outright that something is needed or lacking', ARRAY[
        'needs? (?:to|{a}|help|doing|fixing|replacing)', 'in need of', '(?:still|{am}|goes|went|gone) missing', 'missing (?:{a}|from|for|since)',
        'still (?:no|not|nothing|without|waiting|open|unpaid|unanswered|missing|to be|to do|needs?|has no|have no|have to|has to|\w+n''t)',
        '(?:not|\w+n''t) (?:\w+ )?\w+ yet', '(?:not|never|\w+n''t)(?: yet| been| even| fully| quite)? (?:{settled}|{stepped})', 'not yet', '{am} yet to', '(?:has|have) yet to', '{am} overdue', '(?:hours|days|weeks|months|years|long) overdue',
        '{am} urgent', 'urgently', 'as soon as possible', 'asap', 'don''t forget (?:to|{a})', '(?:must|can) not forget', 'mustn''t forget', 'remind me']),
    ('need', 0.4, 'wants, asks, or must', ARRAY[
        'wants (?:to|me|us|him|her|them|someone|somebody)', '{who} wants? (?:to|{a})', '(?:{who} would|{who}''d|would) (?:like|love|prefer) (?:to|{a})', '{who} must', 'must (?:be|have|get|go|do|find|make)',
        '(?:have|has|having) to (?:be|get|go|do|find|make|have|pay|call|write|ask|send|take|give|buy|move|explain|decide|start|stop|wait)', 'ought to', '(?:should|shall) (?:i|we)',
        'should (?:be|have|get|go|do|really|call|write|ask|see)', '(?:could|can|would|will) (?:you|someone|somebody|anyone|anybody)', 'a reminder', 'reminder (?:that|to|about|for)',
        'wait(?:ing)? (?:for|on) {a}', 'looking for {a}', 'trying to', 'hop(?:e|es|ing) to', 'no (?:idea|clue) (?:how|what|when|where|why|who)',
        'no (?:reply|answer|response|news|sign) (?:from|yet|of|to|again)', '(?:{number}|only) (?:days?|hours?|weeks?|months?) left', 'running (?:out|low|late)', '(?:ran|run) out of', 'too late (?:to|for)',
        'how (?:do|can|should|could) (?:i|we)', '(?:is|are|falls?|comes?) due', 'due (?:by|on|in|today|tomorrow|this|next)', 'deadline (?:is|of|for|on|by)', 'the deadline']),
    ('worry', 0.6, 'says that someone is worried', ARRAY[
        'worr(?:y|ies|ied|ying) (?:about|that|over|me|him|her|us|them)', '{am} (?:worried|afraid|scared|frightened|anxious|nervous|concerned)',
        '(?:afraid|scared|frightened|anxious|nervous|concerned) (?:of|about|that|for)', 'keeps? (?:me|him|her|us|them) (?:up|awake)', 'kept (?:me|him|her|us|them) (?:up|awake)',
        '(?:lie|lies|lying|lay) awake', '(?:can''t|couldn''t|cannot) sleep', '(?:keep|keeps|kept) thinking (?:about|of|that)', 'dread(?:s|ing)? (?:the|it|to|that)']),
    ('worry', 0.4, 'speaks of strain or risk', ARRAY[
        'what if', 'at risk', 'risk (?:of|that)', 'can''t afford (?:to|{a})', '(?:would|might|may|could|will) lose {a}', '(?:in|into) trouble', 'too (?:dangerous|risky)',
        '{am} (?:dangerous|unsafe|risky|exhausted|overwhelmed|stressed|desperate)']),
    ('failure', 0.6, 'says that something fails, or fails again', ARRAY[
        '{am} (?:broken|down|out of order|offline|stuck|leaking|failing|crashing)', 'down again', 'broke down', 'fail(?:s|ed|ing)? (?:again|to|with|because|on|after|for|every)',
        '(?:has|have|had|it|that|which) failed', 'keeps? (?:failing|breaking|crashing|stopping|losing|falling|happening|coming back)', '(?:not|\w+n''t|stopped|stops) work(?:ing)?',
        'won''t (?:work|open|start|load|stop|close)', '(?:getting|got|gets|is|are|much|even) worse', '(?:can''t|cannot) (?:go on|continue|carry on)', '(?:second|third|fourth|fifth|sixth) time',
        '{number} times (?:now|already|today|this|in)', '(?:checks|days|times|weeks|nights|months) in a row', 'once again', 'yet again', 'there it (?:is|was) again', 'again and again', 'over and over',
        'same (?:problem|error|mistake|thing|story) again']),
    ('failure', 0.4, 'speaks of a fault, a delay or a loss', ARRAY[
        '(?:an|same|this|another|with|more) errors?', 'errors? (?:again|shown|message|page|code|in|on|when)', '(?:failed|fails|failure)(?= *(?:[.:;!]|$))', '(?:error|fatal)(?=:)', 'timed out', '(?:a|another|same|with|more) time-?outs?', 'time-?outs? (?:again|at|on|when|after|may|in)',
        'complain(?:s|ed|ing)? (?:about|that|again|of)', 'complaints? (?:about|from|that)', '(?:did not|didn''t|does not|doesn''t|do not|don''t) (?:come|leave|arrive|answer|reply|help|happen|show up|start|turn up|respond|work)',
        'never (?:came|arrived|answered|replied|called|turned up|showed up|works?|worked)', '(?:nobody|no one) (?:has|knows|does|did|came|answers?|answered|will|would|can|could)',
        '(?:cannot|can''t|couldn''t|could not|unable to) (?:find|get|reach|open|pay|log|use|see|do|make|work|keep|be|stop|afford|tell|say)', '(?:is|went|goes|something|what''s) wrong', 'wrong (?:with|again)',
        '{am} (?:delayed|late|lost|damaged|ruined|rejected|refused|missing out)', '(?:a|the|another|more|for the) delays?', 'ruin(?:s|ed|ing)? {a}', '{who} (?:lose|loses|lost|am losing|are losing|is losing) {a}',
        '(?:lose|losing) (?:orders|money|customers|time|patience|sleep)', 'leak(?:s|ed|ing)? (?:over|into|from|through|onto|again)', '(?:in|much|more|constant|worse) pain', '{who} hurts?', 'hurts (?:when|again|to|more)']),
    ('promise', 0.4, 'binds someone to do something', ARRAY[
        '(?:{who}|has|have) promised', 'promised (?:to|that|me|us|him|her|them|{a})', 'agreed to', '(?:was|were|am|is|are|been) supposed to', 'owes? (?:me|us|him|her|them|{a})', 'going to have to']),
    ('done', 0.7, 'says that a thing is settled', ARRAY[
        '{am} {mended}', '(?<!\m(?:i|he|she|we|you|they) )(?!(?:i|he|she|we|you|they)'')(?:{am} (?:done|finished))', '{am} (?:live|sorted out|back (?:up|online)|working again)', '(?:has|have|had|\w+''ve|i|we|he|she|they|it|finally|just|already|now|all|both|everything)(?: been| now| finally| just| also)? {settled}',
        '^{settled}', '{mended} (?:it|them|{a}|and|by|for|today|yesterday|now|off|out|at last)', '(?:done|finished) (?:it|them|{a}|and|by|off|at last)', '(?:order|payment|repair|job|task|status|work) complete', '(?:all|everything) (?:set|sorted|good|done|clear)',
        'works? (?:again|now|fine)', 'working (?:again|now)', 'back to normal', '(?:all|safely) over', 'over and done', 'taken care of', 'dealt with', 'good as new']),
    ('done', 0.4, 'says that a step was made', ARRAY[
        '{am} (?:{stepped}|here|perfect)', '(?:has|have|had|\w+''ve|i|we|he|she|they|finally|just|already|now|all|both)(?: been| now| finally| just| also)? (?:{stepped}|arrived)',
        '^{stepped}',
        '(?:was|were|been|got) {changed}', '(?:has|have|had|\w+''ve|i|we|he|she|they|finally|just|already|now|all|both)(?: been| now| finally| just| also)? {changed}', '^{changed}',
        '(?:{changed}|replaced|installed|renewed|rewritten|cancelled|uploaded|booked)(?= *(?:[.,;:!]|and\M|$))',
        'managed to', 'at last', 'went live', 'got (?:it|them) (?:done|sorted|fixed|working|back|signed)',
        '(?:delivery|payment|parcel|order|goods|everything) (?:received|arrived)', 'arrived (?:and|today|at last|this|safely)', 'last of the', 'no longer', 'not any ?more']),
    ('lack', 0, 'says what is not there, not so, or not any more', ARRAY[
        'no', 'not', 'never', 'nobody', 'no one', 'nothing', 'none', 'nowhere', 'without', 'neither', 'nor', 'cannot', 'hardly', 'barely', '\w+n''t', 'only', 'alone',
        'empty', 'still', 'yet', 'missing', 'gone', 'instead',
        'un(?:able|answered|assigned|available|certain|changed|clear|fair|finished|happy|heard|known|paid|read|resolved|safe|settled|signed|solved|sure|touched|usable|used|wanted|well)']),
    ('again', 0, 'says that it is not the first time', ARRAY[
        'again', 'another', 'twice', 'second', 'third', 'fourth', 'fifth', 'sixth', '(?:every|each) time', 'keeps?', 'kept', 'same', 'once more', 'in a row', 'running',
        'repeat(?:s|ed|edly|ing)?', 'since', 'any ?more', 'always', 'for (?:days|weeks|months|hours)', 'more and more', 'worse']),
    ('negation', 0, 'turns the cue after it round', ARRAY[
        'no', 'not', 'never', 'without', 'nobody', 'no one', 'none', 'nothing', 'neither', 'nor', 'hardly', 'barely', '\w+n''t', 'cannot', 'far from', 'instead of']),
    ('unreal', 0, 'before "done": wished, planned or supposed, not so', ARRAY[
        'to', 'be', 'being', 'if', 'unless', 'until', 'till', 'before', 'when', 'once', 'whether', 'as soon as', 'would', 'could', 'should', 'must', 'may', 'might', 'will', 'shall', 'can',
        '\w+''ll', '\w+''d', 'get', '(?:want|wants|wanted|need|needs|needed|like)(?: +[\w'']+){0,3}', 'almost', 'nearly', 'half', 'partly', 'how', 'why', 'i wish'])
), listed AS (
    SELECT w.kind, x.pattern, max(w.weight) AS weight, min(w.description) AS description
    FROM wanted AS w
    CROSS JOIN LATERAL unnest(w.patterns) AS p (pattern)
    CROSS JOIN LATERAL (
        SELECT replace(replace(replace(replace(replace(replace(replace(replace(p.pattern,
            '{who}', (SELECT expression FROM part WHERE name = '{who}')), '{am}', (SELECT expression FROM part WHERE name = '{am}')),
            '{a}', (SELECT expression FROM part WHERE name = '{a}')), '{number}', (SELECT expression FROM part WHERE name = '{number}')),
            '{settled}', (SELECT expression FROM part WHERE name = '{settled}')), '{mended}', (SELECT expression FROM part WHERE name = '{mended}')),
            '{changed}', (SELECT expression FROM part WHERE name = '{changed}')), '{stepped}', (SELECT expression FROM part WHERE name = '{stepped}')) AS pattern
    ) AS x
    GROUP BY w.kind, x.pattern
), gone AS (
    DELETE FROM cognifold.intent_cue AS c
    WHERE NOT EXISTS (SELECT FROM listed AS l WHERE l.kind = c.kind AND l.pattern = c.pattern)
)
INSERT INTO cognifold.intent_cue AS c (kind, pattern, weight, description)
SELECT l.kind, l.pattern, l.weight, l.description FROM listed AS l
ON CONFLICT (kind, pattern) DO UPDATE SET weight = excluded.weight, description = excluded.description
    WHERE (c.weight, c.description) IS DISTINCT FROM (excluded.weight, excluded.description);
