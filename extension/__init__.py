"""The hand-written parts of the extension ``cognifold``; ``cognifold_pg.sqlbuild`` puts them together."""
