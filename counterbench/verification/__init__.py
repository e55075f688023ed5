"""Truth, checked twice: by the programs, and by the pixel reader.

checks          the checks of one pair
verify          all checks over a suite or a folder, and the checks of the whole

`evidence/issue` checks a certificate against its run.
"""
