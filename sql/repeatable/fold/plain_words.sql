-- plain_words: words that name nothing: what was done in everyday verbs, numbers, order, degree and vague words.
CREATE OR REPLACE FUNCTION cognifold.plain_words() RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT ARRAY[
        -- numbers and order
        'zero', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'hundred', 'hundreds',
        'thousand', 'thousands', 'dozen', 'half', 'couple', 'first', 'second', 'third', 'fourth', 'fifth', 'firstly', 'secondly', 'previous', 'former', 'latter',
        'final', 'initial', 'early', 'earlier', 'late', 'latest', 'recent', 'daily', 'weekly', 'monthly', 'yearly', 'end', 'ends', 'start', 'starts', 'beginning',
        'middle', 'moment', 'minute', 'minutes', 'min', 'mins', 'hrs', 'secs', 'sec', 'wk', 'weds', 'tues', 'thurs', 'sept', 'jan', 'feb', 'mar', 'apr', 'jun',
        'jul', 'aug', 'sep', 'oct', 'nov', 'dec',
        -- degree, quality and place, without what it is of
        'able', 'available', 'bad', 'best', 'better', 'big', 'bigger', 'biggest', 'busy', 'certain', 'clear', 'close', 'complete', 'current', 'deep', 'different',
        'difficult', 'easy', 'enough', 'entire', 'extra', 'fair', 'far', 'fast', 'full', 'funny', 'further', 'hard', 'high', 'huge', 'important', 'interesting',
        'large', 'less', 'little', 'low', 'main', 'major', 'more', 'odd', 'old', 'older', 'oldest', 'open', 'other', 'others', 'own', 'plain', 'possible', 'quick',
        'quiet', 'ready', 'same', 'separate', 'short', 'similar', 'simple', 'single', 'slow', 'small', 'special', 'strange', 'strong', 'tiny', 'top', 'tough',
        'true', 'useful', 'usual', 'various', 'weird', 'worse', 'worst', 'worth', 'wrong', 'young', 'alone', 'aloud', 'along', 'apart', 'around', 'aside', 'away',
        'together', 'forward', 'front', 'inside', 'outside', 'instead', 'almost', 'nearly', 'hardly', 'barely', 'rather', 'pretty', 'sometimes', 'often', 'usually',
        'though', 'although', 'however', 'without', 'within', 'across', 'behind', 'beyond', 'towards', 'toward', 'among', 'except', 'despite', 'whether', 'unless',
        'whatever', 'whoever', 'whenever', 'wherever', 'somewhere', 'anywhere', 'everywhere', 'anyways', 'lean', 'loads', 'lunchtime', 'nearby', 'wild', 'none',
        'neither', 'either', 'several', 'per', 'via', 'imo', 'asap', 'ppl', 'etc', 'thru', 'yeh', 'hmmm', 'side', 'part', 'parts', 'piece', 'pieces', 'place',
        'places', 'point', 'points', 'type', 'types', 'sort', 'sorts', 'case', 'cases', 'example', 'examples', 'fact', 'facts', 'idea', 'ideas', 'reason',
        'reasons', 'matter', 'people', 'person', 'guy', 'guys', 'folk', 'folks', 'number', 'numbers', 'group', 'name', 'names', 'item', 'items', 'list', 'line',
        'lines', 'step', 'steps', 'today', 'life', 'lives', 'word', 'words', 'self', 'selves', 'world', 'experience', 'experiences', 'hand', 'hands', 'opportunity',
        'adorable', 'beautiful', 'cheap', 'chill', 'common', 'cute', 'dang', 'delish', 'fav', 'favorite', 'favourite', 'gorgeous', 'honest', 'lucky', 'random',
        'regarding', 'regardless', 'sometime', 'specific', 'super', 'ton', 'tons', 'woah', 'yum', 'yummy', 'awww', 'fri', 'mon', 'sat', 'sun', 'tougher',
        'unforgettable', 'unexpected',
        -- what shows something, which is the subject
        'photo', 'photos', 'photograph', 'pic', 'pics', 'picture', 'pictures', 'image', 'images', 'background',
        -- what one does
        'accept', 'assist', 'cherish', 'develop', 'embrace', 'express', 'improve', 'reaching', 'require', 'add', 'adds', 'adding', 'agree', 'allow', 'allows',
        'answer', 'arrive', 'become', 'becomes', 'begin', 'begins', 'believe', 'bet', 'bought', 'bring', 'brings', 'bringing', 'buy', 'buying', 'cannot', 'capture',
        'changing', 'check', 'checks', 'checking', 'choose', 'cause', 'consider', 'continue', 'create', 'creating', 'decide', 'die', 'eat', 'eating', 'expect',
        'explain', 'fall', 'falling', 'figure', 'fill', 'follow', 'forget', 'greatly', 'grow', 'happen', 'happens', 'happening', 'head', 'heading', 'help', 'helps',
        'helping', 'hold', 'holding', 'holds', 'imagine', 'include', 'inspire', 'inspiring', 'involve', 'join', 'joining', 'knowing', 'land', 'lands', 'launch',
        'learn', 'leave', 'leaves', 'leaving', 'lead', 'leads', 'listen', 'live', 'living', 'lose', 'losing', 'manage', 'meet', 'miss', 'missing', 'moves', 'need',
        'needs', 'needing', 'offer', 'offers', 'opening', 'pay', 'pays', 'pick', 'picking', 'press', 'pull', 'push', 'pushing', 'putting', 'quit', 'reach',
        'receive', 'remember', 'reminds', 'remind', 'return', 'ring', 'rings', 'save', 'saving', 'send', 'sending', 'set', 'sets', 'setting', 'share', 'shares',
        'sharing', 'show', 'shows', 'showing', 'sign', 'sit', 'sits', 'sitting', 'spare', 'spend', 'spending', 'stand', 'standing', 'stands', 'stay', 'stays',
        'staying', 'stick', 'stop', 'stops', 'stuck', 'supposed', 'switch', 'taking', 'tap', 'tried', 'tries', 'turn', 'turning', 'turns', 'update', 'use', 'uses',
        'using', 'wake', 'waking', 'waiting', 'watch', 'watching', 'win', 'wishing', 'wonder', 'work', 'works', 'working', 'write', 'writes', 'being', 'having',
        'doing', 'passes',
        -- what one did: those that do not end in -ed
        'ate', 'became', 'began', 'begun', 'broke', 'broken', 'brought', 'built', 'came', 'caught', 'chose', 'chosen', 'cut', 'did', 'drank', 'drew', 'driven',
        'drove', 'eaten', 'fallen', 'fed', 'fell', 'flew', 'forgot', 'forgotten', 'fought', 'found', 'froze', 'frozen', 'given', 'grew', 'grown', 'held', 'hid',
        'hidden', 'hit', 'hung', 'hurt', 'laid', 'led', 'left', 'lent', 'lit', 'lost', 'met', 'paid', 'ran', 'rang', 'read', 'rode', 'rose', 'sang', 'sent',
        'shook', 'shot', 'shown', 'shut', 'slept', 'sold', 'spent', 'stole', 'stolen', 'stood', 'struck', 'swam', 'taken', 'taught', 'threw', 'thrown', 'woke',
        'woken', 'won', 'wore', 'worn', 'written', 'wrote', 'seen', 'understood',
        -- how one is addressed, and what is cut short
        'mrs', 'madam', 'sir', 'honey', 'mate', 'fig', 'incl', 'excl', 'approx', 'std', 'wks', 'mth', 'mths', 'yrs', 'misc', 'tbd', 'xlsx', 'docx',
        'cfm', 'attn', 'encl', 'dept', 'qty', 'nbr', 'max', 'avg', 'abt', 'yest', 'tmrw', 'total']
$$;
COMMENT ON FUNCTION cognifold.plain_words() IS
    'Everyday verbs, number words, ordinals, months, units and titles cut short, words of degree and vague nouns, in lower case: what a text says with them may matter, but none is a subject, so none stands alone in a concept''s title. Internal.';
