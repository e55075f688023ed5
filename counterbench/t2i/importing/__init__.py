"""Pictures that were made elsewhere, as folders of pictures of our own, one a model; the files stay in their places.

places      the sample that each picture of a table or a folder is
pictures    the folders
"""
