-- Without any process beside the server: pg_cron calls cognifold.work. Run it by hand, where pg_cron is installed, in the database that
-- cron.database_name says, as a role that is a member of cognifold_worker (its jobs run as whoever schedules them). Again: the same.
-- Another database: cron.schedule_in_database, with its name at the end.
SELECT cron.schedule('cognifold', '10 seconds', $$CALL cognifold.work('8 seconds')$$);
-- Its own log grows for ever, else:
SELECT cron.schedule('cognifold cron log', '17 4 * * *', $$DELETE FROM cron.job_run_details WHERE end_time < now() - interval '7 days'$$);
