-- forget_attributes: an attribute goes with its last statement.
CREATE OR REPLACE FUNCTION cognifold.forget_attributes() RETURNS trigger
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $$
BEGIN
    DELETE FROM cognifold.state_attribute AS a
    USING (SELECT DISTINCT g.tenant_id, g.subject, g.attribute FROM gone AS g) AS g
    WHERE a.tenant_id = g.tenant_id AND a.subject = g.subject AND a.attribute = g.attribute
      AND NOT EXISTS (SELECT FROM cognifold.state_statement AS s WHERE s.tenant_id = a.tenant_id AND s.subject = a.subject AND s.attribute = a.attribute);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.forget_attributes() IS 'Trigger of state_statement: removes attributes that no statement is left of. Internal.';
CREATE OR REPLACE TRIGGER forget_attributes AFTER DELETE ON cognifold.state_statement
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION cognifold.forget_attributes();
