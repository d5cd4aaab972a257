-- Who is there. Roles belong to the whole server; run by a superuser, once.

-- Owns the shop's tables, and says that they feed the memory. A plain role: what it may do in the memory is a member's right.
CREATE ROLE example_shop_owner;
GRANT cognifold_writer, cognifold_multitenant TO example_shop_owner;

-- The shop's application: writes its rows, and has no right of any kind in the memory.
CREATE ROLE example_shop_app;

-- The worker: folds, sleeps, lets intents surface, for every tenant.
CREATE ROLE example_shop_worker;
GRANT cognifold_worker TO example_shop_worker;

-- Who is told of intents, and asks: the shop's manager, say, or an agent.
CREATE ROLE example_shop_manager;
GRANT cognifold_writer, cognifold_multitenant TO example_shop_manager;

-- Four weeks pass in seconds: these two work by the story's clock. Nothing that lives in the present needs this.
GRANT cognifold_clock TO example_shop_worker, example_shop_manager;
