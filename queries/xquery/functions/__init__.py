"""The functions that queries call: fn, math, map, array, xs; see ``index`` and ``registry``."""
