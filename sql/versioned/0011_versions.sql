-- What an install has made, to tell later whether somebody has changed it by hand.

CREATE TABLE cognifold.installed_object (
    identity    text COLLATE "C" PRIMARY KEY,
    fingerprint text NOT NULL,
    server      integer NOT NULL
);
COMMENT ON TABLE cognifold.installed_object IS 'Functions, views and policies of this schema as the last install left them (note_objects); drift compares.';
COMMENT ON COLUMN cognifold.installed_object.identity IS 'What it is and its name: function headline(text), view concept, policy verbs on node.';
COMMENT ON COLUMN cognifold.installed_object.fingerprint IS 'MD5 of its definition, as the server spells it.';
COMMENT ON COLUMN cognifold.installed_object.server IS 'Major version of PostgreSQL that spelled it: another may do so differently, and nothing is compared across.';

COMMENT ON COLUMN cognifold.worker_process.does IS 'fold, light, heavy, deliver: which slots it has.';
