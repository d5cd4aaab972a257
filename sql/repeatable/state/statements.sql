-- statements: what a text states of the world: that an attribute of somebody or something has a value, had it, or has it no longer.
--
-- A small grammar of English, read from left to right; the words it does not know stand for themselves. A subject opens a clause:
-- I or my, a name, or a thing. After a person comes a verb: a phrase of state_cue, a verb of change ("switched my bank to ..."), or
-- any other in the present. After my, a name's or the comes a noun up to is, changed, moved, a colon: "my locker code is now 4411".
-- A text that corrects without saying what ("Actually, it's Porto, not Lisbon") gives a value whose attribute the caller finds.
--
-- Few regular expressions: PostgreSQL keeps 32 of a session compiled, and a fold that goes round through more compiles each anew.
CREATE OR REPLACE FUNCTION cognifold.statements(content text, actor text, maximum_words integer DEFAULT 400)
RETURNS TABLE (place integer, subject text, attribute text[], is_multiple boolean, polarity text, value text, old_value text, is_change boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 2
SET search_path FROM CURRENT
-- Each statement looks a few rows up by their keys, whoever the tenant is: one plan, made once.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    written   text[] := cognifold.spoken_words(left(content, 6 * maximum_words));
    words     text[] := string_to_array(lower(array_to_string(written, ' ')), ' ');   -- (the same places: lower() makes no space)
    total     integer := least(cardinality(words), maximum_words);
    me        CONSTANT text := lower(coalesce(actor, ''));
    cue_at    integer[];
    cue_long  integer[];
    cue_role  text[];
    cue_slot  text[];
    cue_many  boolean[];
    at        integer := 1;        -- where reading is
    sentence  integer := 0;        -- the last place of the sentence it is in
    opening   boolean := true;     -- a clause begins here
    changing  boolean;             -- the sentence says that something is different now
    named     text;                -- the person last spoken of
    person    text;                -- the person this sentence is about
    subjects  text;
    mode      text;
    q         integer;
    stop      integer;
    best      integer;
    word      text;
    noun      text[];
    owner     text[];
    slots     text[];
    many      boolean;
    ends      boolean;
    former    boolean;
    denied    boolean;
    opened    boolean;
    change    boolean;
    anchor    integer;
    rest      text[];
    olds      text[];
    i         integer;
    auxiliary CONSTANT jsonb := jsonb '["got", "was", "were", "am", "are", "is", "have", "has", "had", "been", "be", "just", "now", "still", "currently", "actually", "recently", "finally", "also", "really",
        "already", "officially", "both", "always", "usually", "mostly", "mainly", "only", "even", "do", "does", "did", "presently", "nowadays", "generally",
        "normally", "typically", "since", "today", "would", "then", "all", "in", "fact", "lately", "exclusively", "primarily", "permanently", "temporarily",
        "happily", "definitely", "ended", "up", "decided", "began", "begun", "started", "to", "tend", "like", "s"]';
    unreal    CONSTANT jsonb := jsonb '["will", "might", "may", "could", "should", "if", "wish", "want", "wants", "wanted", "hope", "hopes", "hoping", "plan", "plans", "planning",
        "thinking", "think", "considering", "going", "gonna", "can", "must", "need", "needs", "tried", "trying", "almost", "nearly", "maybe", "perhaps",
        "dream", "dreams", "dreaming", "wonder", "imagine", "supposed", "why", "how", "when", "unless", "whether", "what"]';
    mental    CONSTANT jsonb := jsonb '["meant", "think", "know", "guess", "hope", "want", "need", "mean", "feel", "agree", "see", "saw", "say", "said", "tell", "told", "believe",
        "remember", "forgot", "forget", "understand", "wonder", "bet", "swear", "promise", "suppose", "heard", "hear", "love", "like", "hate", "appreciate",
        "thank", "thanks", "look", "looks", "find", "found", "got", "get", "gets", "have", "has", "had", "went", "go", "goes", "going", "come", "comes",
        "came", "made", "make", "makes", "took", "take", "takes", "gave", "give", "met", "did", "do", "does", "was", "were", "am", "is", "are", "be", "ate",
        "bought", "ran", "felt", "thought", "left", "lost", "knew", "kept", "keep", "sent", "wrote", "spent", "put", "read", "let", "try", "trying", "wish",
        "can", "will", "not", "a", "an", "the", "my", "so", "too", "in", "on", "at", "and", "or", "but", "to", "from", "woke", "slept", "spoke", "drove",
        "flew", "grew", "fell", "broke", "chose", "began", "drank", "sang", "sold", "taught", "caught", "brought", "built", "cut", "hit", "held", "led",
        "paid", "sat", "stood", "won", "wore", "understood", "never", "always", "actually", "really", "just", "ask", "call", "says", "care", "talk", "would",
        "could", "should", "sure", "glad", "happy", "sorry", "excited", "tired", "fine", "here", "there", "back", "off", "out", "up", "down", "kind", "well",
        "good", "great", "ok", "okay", "very", "more", "some", "this", "that", "it"]';
    joints    CONSTANT jsonb := jsonb '["is", "are", "was", "were", ":", "=", "->", "changed", "has", "have", "became", "becomes", "moved", "switched", "got", "shifted", "went", "now",
        "stands", "changes", "moves", "''s", "used"]';
    turning   CONSTANT jsonb := jsonb '["changed", "change", "changing", "switched", "switch", "switching", "updated", "update", "updating", "set", "replaced", "replace", "swapped",
        "renamed", "upgraded", "downgraded", "moved", "rescheduled", "reset", "shifted", "converted", "traded", "rotated", "bumped", "pushed", "transferred",
        "migrated", "ditched", "dropped", "picked", "chose"]';
    code      CONSTANT text := '^(\d+[[:alpha:]]?|[[:alpha:]]-?\d+)$';
    movers    CONSTANT jsonb := jsonb '["put", "puts", "placed", "seated", "sat", "moved", "assigned", "reassigned", "transferred", "relocated", "shifted", "stationed", "booked", "housed"]';
    signs     CONSTANT jsonb := jsonb '["now", "actually", "correction", "changed", "switched", "instead", "anymore", "longer", "updated", "update", "new", "moved", "nowadays", "replaced",
        "swapped", "renamed", "rather", "meant", "scratch", "became", "relocated", "different", "mistake", "wrong", "reset", "news", "recently", "lately",
        "just"]';
    openings  CONSTANT jsonb := jsonb '[",", ":", "and", "but", "so", "because", "that", "since", "while", "plus", "also", "actually", "well", "ok", "okay", "oh", "hey", "hi", "hello",
        "yes", "yeah", "no", "btw", "fyi", "update", "correction", "news", "now", "anyway", "by", "way", "these", "days", "nowadays", "currently", "lately",
        "recently", "finally", "today", "yesterday", "sorry", "wait", "note", "reminder", "remember", "starting", "then", "still", "as", "of", "quick",
        "just", "heads", "up", "turns", "out", "apparently", "good", "big", "great", "for", "record", "please", "unfortunately", "luckily", "basically",
        "from", "on", "last", "this", "week", "month", "morning", "year", "after", "know", "say", "it", "''s", "official", "officially", "scratch"]';
BEGIN
    IF total IS NULL THEN
        RETURN;
    END IF;
    place := 0;
    SELECT array_agg(c.place ORDER BY c.place, c.length DESC), array_agg(c.length ORDER BY c.place, c.length DESC), array_agg(c.role ORDER BY c.place, c.length DESC),
           array_agg(c.slot ORDER BY c.place, c.length DESC), array_agg(c.is_multiple ORDER BY c.place, c.length DESC)
    INTO cue_at, cue_long, cue_role, cue_slot, cue_many
    FROM (SELECT w.place::integer, c.length::integer, c.role, c.slot, s.is_multiple
          FROM unnest(words[:total]) WITH ORDINALITY AS w (word, place)
          JOIN cognifold.state_cue AS c ON c.first_word = w.word COLLATE "C"
          JOIN cognifold.state_slot AS s ON s.slot = c.slot
          WHERE c.role IN ('states', 'former', 'ends') AND c.phrase = array_to_string(words[w.place : w.place + c.length - 1], ' ')) AS c;

    WHILE at <= total LOOP
        IF at > sentence THEN   -- a new sentence
            sentence := at;
            WHILE sentence < total AND words[sentence] NOT IN ('.', '?') LOOP
                sentence := sentence + 1;
            END LOOP;
            IF words[sentence] = '?' THEN
                at := sentence + 1;
                CONTINUE;
            END IF;
            opening := true;
            person := NULL;
            changing := signs ?| words[at : sentence];
        END IF;
        word := words[at];

        -- Who or what a clause here is about.
        mode := NULL;
        owner := '{}';
        IF word IN ('i', 'we') THEN
            subjects := me; mode := 'verb'; q := at + 1;
        ELSIF word IN ('my', 'our') THEN
            subjects := me; mode := 'noun'; q := at + 1;
        ELSIF named IS NOT NULL AND opening AND word IN ('he', 'she', 'they') THEN
            subjects := named; mode := 'verb'; q := at + 1;
        ELSIF named IS NOT NULL AND opening AND word IN ('his', 'her', 'their') THEN
            subjects := named; mode := 'noun'; q := at + 1;
        ELSIF at = ANY (cue_at) AND (cue_long[array_position(cue_at, at)] > 1 OR person IS NOT NULL AND words[at - 1] = 'and') AND (
                  -- "... and joined Globex", "Moved to Porto!", "text me on 555-1234 from now on"
                  person IS NOT NULL AND words[at - 1] IN ('and', 'then', 'but', 'now', 'just', ',')
                  OR opening AND (at = 1 OR (openings ? words[at - 1]) OR words[at - 1] IN ('.', ','))
                  OR words[at + 1] IN ('me', 'us')) THEN
            subjects := CASE WHEN words[at + 1] IN ('me', 'us') THEN me ELSE coalesce(person, me) END; mode := 'verb'; q := at;
        ELSIF (opening OR written[at] ~ '^[[:upper:]]') AND word NOT IN ('it', 'the', 'a', 'an', 'there', 'you', 'your', 'what', 'who', 'he', 'she', 'they', 'new', 'his', 'her', 'their', 'if', 'when', 'as', 'with', 'not', 'its', 'these', 'those', 'to', 'this', 'that', 'how', 'why', 'where') AND word ~ '[[:alnum:]]' AND NOT (opening AND (openings ? word)) THEN
            -- A name: up to three words with a capital, then 's or a verb.
            q := at + 1;
            WHILE q <= at + 2 AND q <= sentence AND (written[q] ~ '^[[:upper:]]' OR written[q] ~ '^\d+$') AND words[q] <> 'i' LOOP
                q := q + 1;
            END LOOP;
            IF words[q] = '''s' AND words[q + 1] NOT IN ('a', 'an', 'the', 'now', 'no', 'not', 'still', 'just', 'been', 'moved', 'in', 'at') AND (written[at] ~ '^[[:upper:]]' OR translate(written[at], '0123456789', '') <> written[at]) THEN
                subjects := array_to_string(words[at : q - 1], ' '); mode := 'noun'; q := q + 1;
            ELSIF written[at] ~ '^[[:upper:]]' OR translate(written[at], '0123456789', '') <> written[at] THEN
                i := q;
                WHILE i <= q + 4 AND (auxiliary ? words[i]) OR words[i] IN ('no', 'longer', 'not', 'never', 'used', 'stopped', 'quit', '''s') LOOP
                    EXIT WHEN i = ANY (cue_at);
                    i := i + 1;
                END LOOP;
                IF i = ANY (cue_at) OR (turning ? words[i]) AND words[i + 1] IN ('his', 'her', 'their', 'the', 'to', 'from') THEN
                    subjects := array_to_string(words[at : q - 1], ' '); mode := 'verb';
                ELSIF opening THEN
                    subjects := '*'; mode := 'noun'; q := at;
                END IF;
            ELSIF opening THEN
                subjects := '*'; mode := 'noun'; q := at;
            END IF;
        ELSIF opening AND word IN ('the', 'new') THEN
            subjects := '*'; mode := 'noun'; q := at + CASE word WHEN 'the' THEN 1 ELSE 0 END;
        END IF;
        -- "They put me at desk 12F": who is put somewhere has the thing of that number.
        IF mode IS NULL AND word IN ('me', 'us') AND (movers ? words[at - 1]) AND words[at + 1] IN ('at', 'in', 'to', 'on', 'into')
           AND NOT unreal ?| words[greatest(1, at - 5) : at - 2]
        THEN
            q := at + 2 + CASE WHEN words[at + 2] IN ('a', 'an', 'the') THEN 1 ELSE 0 END;
            slots := cognifold.attribute_words(words[q : q]);
            IF cardinality(slots) = 1 AND words[q + 1] ~ code THEN
                place := place + 1;
                subject := me; attribute := slots; is_multiple := false; polarity := 'holds'; value := words[q + 1]; old_value := NULL; is_change := true;
                RETURN NEXT;
                at := q + 2;
                CONTINUE;
            END IF;
        END IF;
        IF mode IS NULL THEN
            opening := opening AND (openings ? word) OR word IN (',', ':', 'and', 'but', 'so', 'because', 'that');
            at := at + 1;
            CONTINUE;
        END IF;

        slots := NULL; many := false; ends := false; former := false; denied := false; opened := false; anchor := NULL; olds := NULL;
        change := changing;
        -- A noun up to the word that joins it to its value; "a new code for my locker" begins before my.
        IF mode = 'noun' THEN
            stop := NULL;
            IF word IN ('my', 'our') AND at > 2 AND words[at - 1] IN ('for', 'of') THEN
                i := at - 2;
                WHILE i > greatest(at - 5, 1) AND words[i - 1] NOT IN ('a', 'an', 'the', 'new', ',', '.', 'and', 'me', 'my', 'this', 'have', 'got', 'i', ':') LOOP
                    i := i - 1;
                END LOOP;
                owner := words[i : at - 2];
            END IF;
            FOR i IN q .. least(q + 8, sentence) LOOP
                EXIT WHEN words[i] IN (',', '.', '?', 'i', 'and', 'but', 'if', 'because', 'you');
                IF i > q AND (joints ? words[i]) AND NOT (words[i] = '''s' AND words[i + 1] NOT IN ('now', 'no', 'not', 'been', 'changed', 'a', 'still', 'at', 'on')) THEN
                    stop := i;
                    EXIT;
                ELSIF i > q AND subjects <> '*' AND i = ANY (cue_at) AND cue_role[array_position(cue_at, i)] = 'states' AND cue_long[array_position(cue_at, i)] > 1 AND i - q < 4 THEN
                    owner := words[q : i - 1];     -- "my sister lives in Rome"
                    mode := 'verb';
                    q := i;
                    EXIT;
                END IF;
            END LOOP;
            -- The value first: "Olive is my favorite color", "it's 4411, that's my locker code".
            IF word IN ('my', 'our') AND stop IS NULL AND at > 2 AND words[at - 1] IN ('is', '''s', 'are', 'as') AND mode = 'noun' THEN
                stop := q;
                WHILE stop <= sentence AND stop < q + 6 AND words[stop] NOT IN ('.', '?', ',', 'and', 'but', 'now', 'these', 'at', 'because', 'so') LOOP
                    stop := stop + 1;
                END LOOP;
                slots := cognifold.attribute_words(words[q : stop - 1]);
                i := at - 2;
                WHILE i > 1 AND (words[i] IN ('it', 'that', 'this', ',') OR words[i - 1] NOT IN ('.', '?', ',', ':', 'and', 'but')) LOOP
                    i := i - 1;
                END LOOP;
                IF cardinality(slots) BETWEEN 1 AND 4 AND i < at - 1 THEN
                    place := place + 1;
                    subject := me; attribute := slots; is_multiple := false; polarity := 'holds'; old_value := NULL; is_change := changing;
                    value := array_to_string(ARRAY(SELECT w.word FROM unnest(words[i : at - 2]) AS w (word) WHERE w.word NOT IN ('it', 'that', 'this', ',', 'actually')), ' ');
                    IF value <> '' THEN
                        RETURN NEXT;
                        at := stop;
                        opening := true;
                        CONTINUE;
                    END IF;
                    place := place - 1;
                END IF;
                stop := NULL;
                slots := NULL;
            END IF;
            IF mode = 'noun' AND stop IS NOT NULL THEN
                noun := owner || words[q : stop - 1];
                owner := '{}';
                former := noun && ARRAY['old', 'previous', 'former', 'first', 'original'];
                -- "the port of the server", "the number for Anna"
                i := coalesce(array_position(noun, 'of'), array_position(noun, 'for'));
                IF i IS NOT NULL AND i > 1 AND i < cardinality(noun) THEN
                    IF noun[i + 1] IN ('my', 'our') THEN
                        subjects := me;
                    ELSIF subjects = '*' AND written[q + i] ~ '^[[:upper:]]' AND cardinality(noun) - i <= 3 THEN
                        subjects := array_to_string(noun[i + 1 :], ' ');
                        noun := noun[: i - 1];
                    END IF;
                END IF;
                slots := cognifold.attribute_words(noun);
                anchor := stop;
                denied := false;
                WHILE anchor <= sentence AND ((joints ? words[anchor]) OR (turning ? words[anchor]) OR words[anchor] IN ('been', 'currently', 'actually', 'officially', 'to', 'still', 'called', 'just', 'as', 'be', 'over', 'recently', 'finally', 'longer', 'no', 'not', 'never', 'from', 'set', 'at')) LOOP
                    IF words[anchor] = 'used' THEN
                        former := true;
                    ELSIF words[anchor] IN ('was', 'were') AND NOT (turning ? words[anchor + 1]) THEN
                        former := true;
                    ELSIF words[anchor] IN ('no', 'not', 'never') THEN
                        denied := true;
                    ELSIF (turning ? words[anchor]) OR words[anchor] = 'now' THEN
                        change := true; former := false;
                    ELSIF words[anchor] = 'from' THEN
                        i := array_position(words[anchor : sentence], 'to');
                        IF i > 2 THEN
                            olds := words[anchor + 1 : anchor + i - 2];
                            anchor := anchor + i - 1;
                        ELSE
                            EXIT;
                        END IF;
                    END IF;
                    anchor := anchor + 1;
                END LOOP;
                ends := denied;
                IF cardinality(slots) = 0 OR cardinality(slots) > 6 OR words[stop + 1] IN ('my', 'our') AND stop - at <= 3   -- "Olive is my favorite color"
                   OR subjects = '*' AND former AND NOT change   -- "the weather was lovely" is no state
                   OR (unreal ? words[anchor])
                   OR subjects = '*' AND (noun && ARRAY['it', 'that', 'this', 'there', 'you', 'what', 'which', 'who', 'one', 'thing', 'weather', 'day', 'he', 'she', 'they', 'we', 'everything', 'something', 'nothing', 'people']) THEN
                    slots := NULL;
                END IF;
            ELSIF mode = 'noun' THEN
                slots := NULL;
            END IF;
        END IF;

        IF mode = 'verb' THEN
            FOR step IN 1 .. 7 LOOP
                EXIT WHEN q > sentence;
                best := array_position(cue_at, q);
                IF best IS NOT NULL THEN
                    slots := NULL;
                    FOR i IN best .. cardinality(cue_at) LOOP
                        EXIT WHEN cue_at[i] <> q OR cue_long[i] < cue_long[best];
                        IF slots IS NULL OR cue_role[i] = cue_role[best] THEN
                            slots := coalesce(slots, '{}') || cue_slot[i];
                        END IF;
                    END LOOP;
                    many := cue_many[best];
                    former := former OR cue_role[best] = 'former';
                    ends := ends OR cue_role[best] = 'ends';
                    anchor := q + cue_long[best];
                    IF cardinality(owner) > 0 THEN
                        slots := cognifold.attribute_words(owner) || slots;
                    END IF;
                    EXIT;
                END IF;
                IF words[q] = 'no' AND words[q + 1] = 'longer' THEN
                    ends := true; q := q + 2;
                ELSIF words[q] IN ('not', 'never') THEN
                    ends := true; q := q + 1;
                ELSIF words[q] = 'used' AND words[q + 1] = 'to' THEN
                    former := true; q := q + 2;
                ELSIF words[q] IN ('stopped', 'quit') OR words[q] IN ('gave', 'given', 'dropped') AND words[q + 1] IN ('up', 'out') THEN
                    ends := true; q := q + CASE WHEN words[q] IN ('gave', 'given', 'dropped') THEN 2 ELSE 1 END;
                ELSIF (unreal ? words[q]) THEN
                    EXIT;
                ELSIF words[q] IN ('went', 'gone', 'turned', 'going', 'became', 'go', 'become') AND words[q + 1] IN ('vegan', 'vegetarian', 'pescatarian', 'keto', 'paleo', 'gluten-free', 'dairy-free', 'carnivore', 'plant-based') THEN
                    slots := ARRAY['diet']; anchor := q + 1; change := true; EXIT;
                ELSIF (turning ? words[q]) OR words[q] IN ('traded', 'exchanged') THEN
                    change := true;
                    -- "changed my bank to Nordea", "switched from tea to coffee", "switched to mint tea"
                    i := q + 1;
                    IF words[i] = 'from' THEN
                        stop := array_position(words[i : sentence], 'to');
                        IF stop > 2 THEN
                            olds := words[i + 1 : i + stop - 2];
                            slots := '{}';
                            anchor := i + stop;
                        END IF;
                    ELSIF words[i] IN ('to', 'over') THEN
                        slots := '{}';
                        anchor := i + 1 + CASE WHEN words[i] = 'over' THEN 1 ELSE 0 END;
                    ELSE
                        stop := NULL;
                        FOR j IN i + 1 .. least(i + 8, sentence) LOOP
                            EXIT WHEN words[j] IN (',', '.', 'but', 'because');
                            IF words[j] IN ('to', 'from', 'with', 'as', ':', 'for', 'by') THEN
                                stop := j;
                                EXIT;
                            END IF;
                        END LOOP;
                        IF stop IS NOT NULL THEN
                            noun := words[i : stop - 1];
                            IF words[q] IN ('ditched', 'dropped', 'swapped', 'traded', 'replaced', 'exchanged') AND words[stop] IN ('for', 'with')
                               AND NOT EXISTS (SELECT FROM cognifold.state_slot AS o WHERE o.slot = ANY (cognifold.attribute_words(noun))) THEN
                                -- "ditched Chrome for Firefox": the attribute is that of Chrome; "desk 3A for desk 5B" names it
                                rest := words[stop + 1 : least(stop + 4, sentence)];
                                olds := noun;
                                noun := ARRAY(SELECT w.word FROM unnest(noun) AS w (word) WHERE w.word = ANY (rest) AND w.word NOT IN ('my', 'a', 'the', 'our'));
                            END IF;
                            IF noun[1] IN ('his', 'her', 'their') THEN
                                noun := noun[2 :];
                            ELSIF noun[2] = '''s' THEN
                                subjects := noun[1]; noun := noun[3 :];
                            ELSIF noun[1] = 'the' AND subjects = me THEN
                                subjects := '*';
                            END IF;
                            slots := owner || cognifold.attribute_words(noun);
                            anchor := stop + 1;
                            IF words[stop] = 'from' THEN
                                i := array_position(words[stop : sentence], 'to');
                                IF i > 2 THEN
                                    olds := words[stop + 1 : stop + i - 2];
                                    anchor := stop + i;
                                END IF;
                            END IF;
                            IF olds IS NOT NULL AND words[stop] <> 'from' AND cardinality(slots) = 0 THEN
                                slots := '{}';
                            ELSIF cardinality(slots) = 0 AND olds IS NULL THEN
                                slots := NULL;
                            END IF;
                        END IF;
                    END IF;
                    EXIT;
                ELSIF (auxiliary ? words[q]) THEN
                    IF words[q] IN ('am', 'are', 'is') AND words[q + 1] IN ('a', 'an') OR words[q] IN ('am', 'is') AND words[q + 1] = 'now' AND words[q + 2] IN ('a', 'an') THEN
                        -- "I am a nurse now", "she is a vegetarian"
                        i := array_position(words[q : q + 2], 'a');
                        i := q + coalesce(i, array_position(words[q : q + 2], 'an'));
                        IF words[i] ~ '^(vegan|vegetarian|pescatarian|flexitarian|carnivore)' THEN
                            slots := ARRAY['diet']; anchor := i;
                        ELSIF words[i] || ' ' || coalesce(words[i + 1], '') || ' ' || coalesce(words[i + 2], '') ~ '^(\S+ ){0,2}\S*(er|or|ist|ian|ant|nurse|chef|cook|pilot|analyst|scientist|student|intern|architect|lead|clerk|judge|barista|guard|agent|attorney|mechanic|therapist)( |$)' THEN
                            slots := ARRAY['job']; anchor := i;
                        END IF;
                        EXIT WHEN slots IS NOT NULL;
                    ELSIF words[q] IN ('am', 'is', 'are') AND words[q + 1] IN ('vegan', 'vegetarian', 'pescatarian', 'keto', 'paleo') THEN
                        slots := ARRAY['diet']; anchor := q + 1; EXIT;
                    ELSIF words[q] IN ('am', 'is', 'are') AND words[q + 1] IN ('single', 'married', 'divorced', 'engaged', 'widowed') AND words[q + 2] IS DISTINCT FROM 'to' THEN
                        slots := ARRAY['partner']; anchor := q + 1; EXIT;
                    ELSIF words[q] IN ('am', 'is') AND words[q + 2] IN ('years', '.', 'now', ',') AND words[q + 1] ~ '^\d+$' THEN
                        slots := ARRAY['age']; anchor := q + 1; EXIT;
                    END IF;
                    former := former OR words[q] IN ('was', 'were') AND right(words[q + 1], 3) = 'ing';
                    q := q + 1;
                ELSE
                    -- Any other verb, in the present: a habit or a state, which a later one of the same verb replaces if it says so.
                    IF cardinality(owner) = 0 AND words[q - 1] NOT IN ('was', 'were', 'got') AND length(words[q]) > 1 AND translate(words[q], 'abcdefghijklmnopqrstuvwxyz', '') = '' AND NOT (mental ? words[q]) AND right(words[q], 2) <> 'ed'
                       AND (subjects = me OR right(words[q], 1) = 's' OR right(words[q], 3) = 'ing') AND (right(words[q], 3) <> 'ing' OR words[q - 1] IN ('am', 'is', 'are', 'now', 'currently', 'started')) THEN
                        opened := true;
                        slots := cognifold.attribute_words(ARRAY[words[q]]);
                        anchor := q + 1;
                        IF words[anchor] IN ('by', 'in', 'at', 'with', 'for', 'on', 'to', 'under') THEN
                            slots := slots || words[anchor];
                            anchor := anchor + 1;
                        END IF;
                        -- Of what is liked or chosen, the thing that it is one of: aisle seats, dark mode.
                        IF words[q] IN ('prefer', 'prefers', 'choose', 'order', 'use', 'uses', 'want') THEN
                            i := anchor;
                            WHILE i < sentence AND left(words[i + 1], 1) COLLATE "C" BETWEEN 'a' AND 'z' AND words[i + 1] NOT IN ('now', 'over', 'and', 'to', 'for', 'instead', 'in', 'on', 'these', 'at', 'when', 'as', 'rather', 'with', 'because', 'but', 'anymore', 'not', 'than') LOOP
                                i := i + 1;
                            END LOOP;
                            IF words[at - 2] = 'for' OR words[at - 3] = 'for' THEN   -- "For streaming I use Vidora"
                                slots := cognifold.attribute_words(words[at - 2 : at - 1]);
                                opened := false;
                            ELSIF words[i + 1] = 'for' AND left(words[i + 2], 1) COLLATE "C" BETWEEN 'a' AND 'z' THEN   -- "I use Vim for editing": what it is used for tells it
                                slots := cognifold.attribute_words(words[i + 2 : least(i + 3, sentence - 1)]);
                                opened := false;
                            ELSIF i > anchor THEN
                                slots := slots || cognifold.attribute_words(words[i : i]);
                            END IF;
                        END IF;
                        many := opened;
                        IF cardinality(slots) = 0 THEN
                            slots := NULL;
                        END IF;
                    END IF;
                    EXIT;
                END IF;
            END LOOP;
        END IF;

        IF slots IS NULL OR anchor IS NULL THEN
            IF subjects NOT IN (me, '*') THEN
                named := subjects;
            END IF;
            opening := opening AND (openings ? word);
            at := at + 1;
            CONTINUE;
        END IF;

        -- The value: up to the end of the clause.
        stop := anchor;
        WHILE stop <= sentence AND stop < anchor + 12 LOOP
            EXIT WHEN words[stop] IN ('.', '?', ',', ':', 'but', 'because', 'so', 'which', 'who', 'where', 'though', 'although', 'instead', 'anymore', 'since', 'until', 'after', 'nowadays', 'these', 'while', 'starting', 'btw', 'if', 'not', 'as')
                   OR words[stop] = 'rather' OR words[stop] = 'any' AND words[stop + 1] = 'more'
                   OR words[stop] = 'and' AND stop + 1 = ANY (cue_at)
                   OR words[stop] = 'and' AND words[stop + 1] IN ('i', 'my', 'we', 'it', 'she', 'he', 'they', 'the', 'our', 'have', 'no', 'not', 'am', 'will', 'now');
            stop := stop + 1;
        END LOOP;
        IF stop = anchor AND words[stop] IN (',', ':') THEN   -- "a new car, a blue Fiat"
            anchor := anchor + 1;
            stop := anchor;
            WHILE stop <= sentence AND stop < anchor + 8 AND words[stop] NOT IN ('.', '?', ',', 'and', 'but', 'so', 'because') LOOP
                stop := stop + 1;
            END LOOP;
        END IF;
        rest := words[anchor : stop - 1];
        IF words[q] IN ('traded', 'swapped', 'exchanged') AND mode = 'verb' AND array_position(rest, 'for') > 1 THEN
            olds := rest[: array_position(rest, 'for') - 1];
            rest := rest[array_position(rest, 'for') + 1 :];
        END IF;
        IF ends AND array_position(rest, 'and') > 1 THEN
            rest := rest[: array_position(rest, 'and') - 1];
            stop := anchor + cardinality(rest);
        END IF;
        WHILE rest[1] IN ('the', 'a', 'an', 'to', 'now', 'at', 'in', 'on', 'called', 'as', 'just', 'my', 'currently', 'actually', 'been', 'for', 'with', 'set', 'changed', 'of', 'by', 'around', 'about') LOOP
            rest := rest[2 :];
        END LOOP;
        WHILE rest[cardinality(rest)] IN ('now', 'today', 'currently', 'please', 'too', 'though', 'again', 'there', 'already', 'finally', 'actually', 'yesterday', 'recently', 'lately', 'days', 'this', 'last', 'week', 'month', 'year', 'ago', 'on') LOOP
            rest := rest[: cardinality(rest) - 1];
        END LOOP;
        -- What it says is not so: not X, instead of X, rather than X, no longer X.
        FOR i IN at .. sentence LOOP
            IF words[i] = 'not' AND i > anchor AND words[i - 1] <> 'do' OR words[i] = 'of' AND words[i - 1] = 'instead' OR words[i] = 'than' AND words[i - 1] = 'rather' THEN
                olds := words[i + 1 : least(i + 5, sentence)];
                change := true;
            END IF;
        END LOOP;
        IF words[stop] = 'anymore' OR words[stop] = 'any' AND words[stop + 1] = 'more' THEN
            change := true;
        END IF;
        IF ends AND olds IS NULL THEN
            olds := rest;
        END IF;

        i := array_position(rest, 'for');
        IF slots = '{}' AND i > 1 AND rest[i + 1] IN ('my', 'our', 'the') THEN   -- "switched from the bus to the bike for my commute"
            slots := cognifold.attribute_words(rest[i + 2 :]);
            rest := rest[: i - 1];
        END IF;
        IF ends AND mode = 'noun' AND cardinality(rest) > 0 THEN   -- "is no longer 4411, it's 9020"
            i := stop;
            WHILE i <= total AND words[i] IN (',', '.', 'anymore', 'any', 'more', 'but', 'it', 'is', '''s', 'now', ':', 'instead', 'rather') LOOP
                i := i + 1;
            END LOOP;
            IF i > stop AND words[stop : i - 1] && ARRAY['it', 'but'] AND words[i] ~ '[[:alnum:]]' AND words[i - 1] IN ('is', '''s', 'now', 'but', ':') THEN
                olds := rest;
                ends := false;
                change := true;
                stop := i;
                WHILE stop <= total AND stop < i + 8 AND words[stop] NOT IN ('.', '?', ',', 'and', 'but', 'so', 'because', 'now') LOOP
                    stop := stop + 1;
                END LOOP;
                rest := words[i : stop - 1];
            END IF;
        END IF;
        IF slots && ARRAY['residence', 'employer', 'team'] AND (rest[1] ~ '^\d{1,2}(:\d\d)?([ap]m)?$|^(mon|tues|wednes|thurs|fri|satur|sun)days?$' OR rest[1] = 'noon') THEN
            -- "Standup moved to 10am": a thing of its own, not somebody who moved
            slots := CASE WHEN subjects = me THEN NULL ELSE cognifold.attribute_words(string_to_array(subjects, ' ')) END;
            subjects := '*';
        ELSIF slots = ARRAY['phone'] AND rest[1] ~ '@' THEN
            slots := ARRAY['email'];
        ELSIF slots = ARRAY['email'] AND rest[1] ~ '^[+(]?\d[\d-]+$' THEN
            slots := ARRAY['phone'];
        ELSIF subjects = '*' AND me <> '' AND word <> 'the' AND mode = 'noun' AND noun <> '{}' AND NOT (words[at] = 'the') THEN
            subjects := me;   -- "New locker code: 9020" is of who says it
        END IF;
        IF slots IS NOT NULL AND (cardinality(rest) > 0 OR ends) THEN
            place := place + 1;
            subject := subjects;
            attribute := NULLIF(ARRAY(SELECT DISTINCT s.slot COLLATE "C" FROM unnest(slots) AS s (slot) ORDER BY 1), '{}');
            is_multiple := many;
            polarity := CASE WHEN ends THEN 'ends' WHEN former THEN 'former' ELSE 'holds' END;
            value := coalesce(array_to_string(rest, ' '), '');
            old_value := array_to_string(olds, ' ');
            is_change := change;
            RETURN NEXT;
        END IF;
        IF subjects NOT IN (me, '*') THEN
            named := subjects;
        END IF;
        person := CASE WHEN subjects <> '*' AND mode = 'verb' THEN subjects ELSE person END;
        opening := true;
        at := greatest(stop, at + 1);
    END LOOP;

    -- A correction that does not say of what: "Actually, it's Porto, not Lisbon", "Correction: 4412", "Scratch that, I meant blue".
    IF place = 0 AND total <= 25 AND words[: total] && ARRAY['actually', 'correction', 'meant', 'scratch', 'mistake', 'wrong', 'sorry', 'typo', 'misspoke', 'oops', 'wait', 'rather', 'changed', 'make']
       AND words[total] <> '?' THEN
        rest := NULL;
        olds := NULL;
        FOR i IN 1 .. total LOOP
            IF words[i] = 'not' AND words[i + 1] ~ '[[:alnum:]]' OR words[i] = 'of' AND words[i - 1] = 'instead' THEN
                olds := words[i + 1 : least(i + 4, total)];
                EXIT WHEN rest IS NOT NULL;
            ELSIF words[i] = ANY (ARRAY['is', '''s', 'are', 'be', 'meant', ':', 'to', 'that', 'it', 'correction', 'actually', 'say', 'sorry', 'make', 'wait', 'was']) AND rest IS NULL AND words[i + 1] ~ '[[:alnum:]]'
                  AND words[i + 1] <> ALL (ARRAY['is', '''s', 'are', 'be', 'meant', 'to', 'that', 'it', 'i', 'correction', 'actually', 'sorry', 'make', 'not', 'should', 'wrong', 'a', 'wait', 'no', 'my', 'now', 'scratch', 'the', 'was', 'mistake', 'say', 'said', 'about', 'typo', 'oops', 'have', 'you', 'misspoke', 'there', 'this', 'so', 'we', 'they', 'he', 'she', 'for', 'what', 'rather']) THEN
                rest := words[i + 1 : least(i + 6, total)];
            ELSIF words[i] IN ('is', '''s', 'meant') AND rest IS NULL AND words[i + 1] IN ('a', 'the') AND words[i + 2] ~ '[[:alnum:]]'
                  AND words[i + 2] NOT IN ('mistake', 'typo', 'wrong', 'bit', 'lot', 'good', 'great', 'shame', 'pity', 'joke', 'problem', 'same', 'other', 'first', 'last') THEN
                rest := words[i + 2 : least(i + 6, total)];   -- "Actually, it's a Pixel"
            END IF;
        END LOOP;
        IF rest IS NOT NULL THEN
            FOR i IN 1 .. cardinality(rest) LOOP
                IF rest[i] IN (',', '.', 'not', 'instead', 'now', 'and', 'but', 'sorry', 'i') THEN
                    rest := rest[: i - 1];
                    EXIT;
                END IF;
            END LOOP;
        END IF;
        IF cardinality(rest) > 0 THEN
            place := 1;
            subject := NULL; attribute := NULL; is_multiple := false; polarity := 'holds';
            value := array_to_string(rest, ' '); old_value := array_to_string(olds, ' '); is_change := true;
            RETURN NEXT;
        END IF;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.statements(text, text, integer) IS
    'The statements in the first words of an English text, said by an actor: subject (the actor, a name, * for a thing) and attribute (slots and stems, sorted), both NULL where a correction does not say of what; the value as words; what it says holds no longer; whether it speaks of a change. Questions, wishes and plans state nothing. Internal.';
