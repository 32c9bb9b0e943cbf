"""Files made to exhaust a reader. Each public function of a module here draws one; helpers begin with `_`.

`lab.fuzz.catalogue` lists the modules with the file names that their bombs are given.
"""
