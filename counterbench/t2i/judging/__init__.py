"""A judge over pictures: what it is asked (`picture_queries`), whether it may (`gate`), the run, what it said
(`results`).

`ground_truth` is what is known of the pictures of planted generators.
"""
