-- small_talk: words that keep a conversation going and say nothing about its subject.
CREATE OR REPLACE FUNCTION cognifold.small_talk() RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT ARRAY[
        -- greeting and parting
        'hello', 'hey', 'hi', 'hiya', 'howdy', 'greetings', 'welcome', 'bye', 'goodbye', 'farewell', 'cheers', 'regards', 'dear',
        -- thanks, requests, apologies
        'thank', 'thanks', 'thankful', 'thx', 'ty', 'please', 'pls', 'plz', 'sorry', 'apologies', 'apologise', 'apologize', 'congrats',
        'congratulations', 'fyi', 'btw',
        -- interjections
        'ah', 'aha', 'alas', 'aw', 'aww', 'dammit', 'damn', 'eh', 'er', 'gee', 'gosh', 'ha', 'haha', 'hahaha', 'heh', 'hm', 'hmm', 'hooray', 'huh', 'lol',
        'mm', 'nah', 'nope', 'oh', 'ok', 'okay', 'omg', 'ooh', 'oops', 'ouch', 'phew', 'right', 'ugh', 'uh', 'um', 'well', 'whoa', 'woohoo',
        'wow', 'yay', 'yea', 'yeah', 'yep', 'yes', 'yup', 'ya',
        -- praise
        'amazing', 'awesome', 'brilliant', 'cool', 'excellent', 'fabulous', 'fantastic', 'fine', 'glad', 'good', 'great', 'incredible', 'lovely',
        'neat', 'nice', 'perfect', 'superb', 'sweet', 'terrific', 'wonderful', 'blast', 'excited', 'exciting', 'happy', 'fun', 'proud',
        -- agreeing and hedging
        'absolutely', 'actually', 'alright', 'anyway', 'basically', 'certainly', 'clearly', 'course', 'definitely', 'dunno', 'exactly', 'guess', 'honestly',
        'indeed', 'kinda', 'literally', 'maybe', 'obviously', 'once', 'perhaps', 'possibly', 'probably', 'problem', 'quite', 'really', 'seriously', 'simply',
        'sorta', 'sure', 'totally', 'truly', 'twice', 'worries', 'worry',
        -- saying, thinking, perceiving, wishing
        'appreciate', 'ask', 'asked', 'asking', 'asks', 'call', 'called', 'calling', 'calls', 'chat', 'chatted', 'chatting', 'enjoy', 'enjoyed', 'enjoying',
        'feel', 'feeling', 'feels', 'felt', 'hear', 'heard', 'hearing', 'hope', 'hopefully', 'hoping', 'knew', 'know', 'knowing', 'known', 'knows', 'like',
        'liked', 'likes', 'look', 'looked', 'looking', 'looks', 'love', 'loved', 'loves', 'loving', 'mean', 'meaning', 'means', 'meant', 'mention',
        'mentioned', 'replied', 'reply', 'said', 'saw', 'say', 'saying', 'says', 'see', 'seeing', 'seem', 'seemed', 'seems', 'seen', 'sound', 'sounded',
        'sounding', 'sounds', 'speak', 'spoke', 'talk', 'talked', 'talking', 'talks', 'tell', 'telling', 'tells', 'think', 'thinking', 'thinks',
        'thought', 'told', 'understand', 'understood', 'wanna', 'want', 'wanted', 'wants', 'wish', 'wished', 'wondering',
        -- filling
        'ago', 'already', 'also', 'always', 'another', 'anyone', 'anything', 'back', 'bit', 'care', 'catch', 'come', 'coming', 'done', 'else', 'even', 'ever',
        'every', 'everyone', 'everything', 'find', 'finding', 'finds', 'gave', 'get', 'gets', 'getting', 'give', 'gives', 'goes', 'going', 'gonna', 'gone', 'got', 'gotta', 'keep',
        'kept', 'kind', 'last', 'lately', 'later', 'let', 'lets', 'long', 'lot', 'lots', 'made', 'make', 'makes', 'making', 'many', 'might',
        'much', 'never', 'new', 'next', 'nobody', 'nothing', 'now', 'one', 'ones', 'put', 'real', 'rest', 'since', 'somebody', 'someone', 'something',
        'soon', 'still', 'stuff', 'take', 'takes', 'taking', 'thing', 'things', 'till', 'time', 'times', 'took', 'try', 'trying', 'two', 'three', 'until', 'upon',
        'used', 'wait', 'way', 'went', 'whole', 'yet', 'us', 'may', 'could', 'would', 'should', 'must', 'shall']
$$;
COMMENT ON FUNCTION cognifold.small_talk() IS
    'Greetings, thanks, interjections, praise, hedges, words of saying and fillers, in lower case: they tell nothing about a subject, so they neither make an event telling nor name a concept. Internal.';
