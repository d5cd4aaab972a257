-- None of these is anybody's but the owner's: the verbs of sql/repeatable/projection call them.
DO $revoke$
DECLARE
    own regprocedure;
BEGIN
    FOR own IN SELECT p.oid::regprocedure FROM pg_proc AS p WHERE p.pronamespace = 'cognifold'::regnamespace AND p.proname LIKE 'age\_%' LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', own);
    END LOOP;
END
$revoke$;
