#!/bin/sh
# Runs once, as the image makes its data folder, by PostgreSQL's entrypoint: it makes the memory in POSTGRES_DB, and a
# role for each part that connects. Passwords come from files (COGNIFOLD_..._PASSWORD_FILE), as the image's own may.
#
#   cognifold_worker_login    folds, sleeps, delivers; and the numbers for Prometheus
#   cognifold_app             the application: remembers and recalls, for the tenant that it names
set -eu

: "${POSTGRES_USER:=postgres}"
: "${POSTGRES_DB:=$POSTGRES_USER}"

query() {
    psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" "$@"
}

# AGE works only where the server loads it at its start, which is after this.
if [ -n "$(query --tuples-only --no-align --command "SELECT 1 FROM pg_available_extensions WHERE name = 'age'")" ]; then
    query --command "ALTER SYSTEM SET shared_preload_libraries = 'age'"
fi

# pgvector's schema may not be one in which everybody can make functions; "public" is none since PostgreSQL 15.
query --command 'CREATE EXTENSION cognifold CASCADE'
query --command 'SELECT * FROM cognifold.migrate()'

login() {
    role=$1
    file=$2
    shift 2
    if [ -z "$file" ]; then
        return
    fi
    # The password goes through standard input: no list of processes shows it.
    {
        printf "\\\\set password \`cat '%s'\`\n" "$file"
        printf 'CREATE ROLE %s LOGIN PASSWORD :%s;\n' "$role" "'password'"
        for group in "$@"; do
            printf 'GRANT %s TO %s;\n' "$group" "$role"
        done
    } | query
}

login cognifold_worker_login "${COGNIFOLD_WORKER_PASSWORD_FILE:-}" cognifold_worker cognifold_monitor
login cognifold_app "${COGNIFOLD_APP_PASSWORD_FILE:-}" cognifold_writer cognifold_multitenant
