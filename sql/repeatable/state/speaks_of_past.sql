-- speaks_of_past: whether a question is in the past, so that what holds now need not be what it asks for.
CREATE OR REPLACE FUNCTION cognifold.speaks_of_past(query text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- No SET clause: the planner inlines it.
RETURN query ~* '\m(did|was|were|had|used to|before|prior|previous|previously|former|formerly|originally|original|initially|initial|first|earlier|old|ago|back (then|in|when|at)|at (that|the) time|until|as of|in (19|20)\d\d|past)\M';
COMMENT ON FUNCTION cognifold.speaks_of_past(text) IS 'Whether an English question has a word of the past (did, was, before, first, in 2021). Internal: recall and asked_state ask.';
